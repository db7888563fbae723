-- The join: one row per message path, from an endpoint and its bean to the queue, its backout queue and the dead-letter queue.
-- The aliases are the words of rule authors. The same text runs in SQLite and in Spark SQL.
-- {endpoint} stands for the stored columns of the relation endpoint; the two computed here are user and queue_resolution.
FROM (
    SELECT {endpoint},
           located_name.local_queue,
           -- A channel's MCAUSER decides over the user that a client names; where both exist and differ nobody can tell.
           CASE WHEN consumer.user_observed = TRUE THEN consumer.user
                WHEN consumer.transport = 'client' AND located_channel.mca_user <> '' AND consumer.user IS NULL
                THEN located_channel.mca_user
                WHEN consumer.transport = 'client' AND located_channel.mca_user <> '' AND consumer.user <> located_channel.mca_user
                THEN NULL
                ELSE consumer.user END AS user,
           CASE WHEN consumer.queue = '' THEN 'not_set'
                WHEN located_manager.ambiguous = TRUE THEN 'ambiguous'
                WHEN located_name.name IS NOT NULL THEN located_name.resolution
                WHEN consumer.queue IS NOT NULL AND located_manager.complete = TRUE THEN 'not_defined'
                END AS queue_resolution
    FROM endpoint AS consumer
    LEFT JOIN queue_manager AS located_manager ON located_manager.name = consumer.queue_manager
    LEFT JOIN queue_name AS located_name
           ON located_name.queue_manager = consumer.queue_manager AND located_name.name = consumer.queue
    LEFT JOIN channel AS located_channel
           ON located_channel.queue_manager = consumer.queue_manager AND located_channel.name = consumer.channel
) AS endpoint
LEFT JOIN bean ON bean.endpoint_id = endpoint.id
LEFT JOIN server ON server.id = endpoint.server_id
LEFT JOIN queue_manager ON queue_manager.name = endpoint.queue_manager
LEFT JOIN queue ON queue.queue_manager = endpoint.queue_manager AND queue.name = endpoint.local_queue
LEFT JOIN put_target AS backout ON backout.queue_manager = queue.queue_manager AND backout.name = queue.backout_queue
LEFT JOIN put_target AS dead_letter
       ON dead_letter.queue_manager = queue_manager.name AND dead_letter.name = queue_manager.dead_letter_queue
LEFT JOIN channel ON channel.queue_manager = endpoint.queue_manager AND channel.name = endpoint.channel
LEFT JOIN authority ON authority.queue_manager = queue.queue_manager AND authority.queue = queue.name
       AND authority.user = endpoint.user
LEFT JOIN destination ON destination.id = endpoint.destination_id
LEFT JOIN (
    SELECT read_name.queue_manager, read_name.local_queue AS queue, COUNT(*) AS endpoints,
           -- SUM passes over what is not known, so it counts only where everything is.
           CASE WHEN COUNT(*) = COUNT(reader.max_sessions) THEN SUM(reader.max_sessions) END AS sessions
    FROM endpoint AS reader
    INNER JOIN queue_name AS read_name
            ON read_name.queue_manager = reader.queue_manager AND read_name.name = reader.queue
    GROUP BY read_name.queue_manager, read_name.local_queue
) AS consumers ON consumers.queue_manager = queue.queue_manager AND consumers.queue = queue.name
