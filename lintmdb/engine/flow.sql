-- The join: one row per message path, from an endpoint and its bean to the queue, its backout queue and the dead-letter queue.
-- The aliases are the words of rule authors. The same text runs in SQLite and in Spark SQL.
-- A hint in a comment is for Spark alone. {endpoint} stands for the stored columns of the relation endpoint; the others are computed here.
-- {dead_letter} and {model} stand for put_target and queue, or for those of their rows that can be meant.
FROM (
    SELECT /*+ SHUFFLE_HASH(nearest_topic) */
           {endpoint},
           located_name.local_queue,
           consumer.shared_by,
           nearest_topic.length AS topic_length,
           -- A channel's MCAUSER decides over the user that a client names; where both exist and differ nobody can tell.
           CASE WHEN consumer.user_observed = TRUE THEN consumer.user
                WHEN consumer.transport = 'client' AND consumer.channel_user <> '' AND consumer.user IS NULL
                THEN consumer.channel_user
                WHEN consumer.transport = 'client' AND consumer.channel_user <> '' AND consumer.user <> consumer.channel_user
                THEN NULL
                ELSE consumer.user END AS user,
           CASE WHEN consumer.queue = '' THEN 'not_set'
                WHEN located_manager.ambiguous = TRUE THEN 'ambiguous'
                WHEN located_name.name IS NOT NULL THEN located_name.resolution
                WHEN consumer.queue IS NOT NULL AND located_manager.complete = TRUE THEN 'not_defined'
                END AS queue_resolution,
           consumer.wanted AS conversations,
           consumer.instances AS channel_instances,
           -- Of members that differ, one tells what all need only where the limit is far away.
           CASE WHEN consumer.members > 0 THEN consumer.instances * consumer.members
                WHEN consumer.siblings = 1 OR consumer.instances * consumer.siblings <= consumer.instance_limit
                THEN consumer.instances * consumer.siblings END AS channel_instances_all
    FROM (
        SELECT counted.*,
               -- Conversations share an instance from version 7 of the client on; SHARECNV 0 and 1 let each have its own.
               CASE WHEN counted.transport = 'client'
                     AND (counted.migration_mode = TRUE OR counted.shared_by <= 1 OR counted.client_level < 70000)
                    THEN counted.wanted
                    WHEN counted.transport = 'client' AND counted.migration_mode = FALSE
                     AND (counted.kind = 'activation_spec' OR counted.client_level >= 70000)
                    THEN CAST((counted.wanted + counted.shared_by - 1) / counted.shared_by AS BIGINT) END AS instances
        FROM (
            SELECT stored.*,
                   located_channel.mca_user AS channel_user,
                   located_channel.sharing_conversations AS shared_by,
                   located_channel.max_instances AS instance_limit,
                   located_server.was_level AS client_level,
                   located_server.row_id AS located_row,
                   located_server.member_count AS members,
                   located_server.cluster_size AS siblings,
                   CASE WHEN stored.non_asf_timeout_ms = 0 THEN stored.max_sessions + 1
                        WHEN stored.non_asf_timeout_ms > 0 AND stored.destination_type = 'topic' THEN 1
                        WHEN stored.non_asf_timeout_ms > 0 AND stored.destination_type = 'queue'
                        THEN stored.max_sessions END AS wanted
            FROM endpoint AS stored
            LEFT JOIN server AS located_server ON located_server.id = stored.server_id
            LEFT JOIN channel AS located_channel
                   ON located_channel.queue_manager = stored.queue_manager AND located_channel.name = stored.channel
        ) AS counted
    ) AS consumer
    LEFT JOIN queue_manager AS located_manager ON located_manager.name = consumer.queue_manager
    LEFT JOIN queue_name AS located_name
           ON located_name.queue_manager = consumer.queue_manager AND located_name.name = consumer.queue
    -- The administered point of the topic tree that is nearest above a topic string; a wildcard has no one place in the tree.
    LEFT JOIN (
        SELECT subscriber.queue_manager, subscriber.topic, MAX(LENGTH(point.topic_string)) AS length
        FROM endpoint AS subscriber
        INNER JOIN topic AS point
                ON point.queue_manager = subscriber.queue_manager
               AND (point.topic_string = subscriber.topic
                    OR (point.covers_below = TRUE
                        AND (point.topic_string = ''
                             OR SUBSTR(subscriber.topic, 1, LENGTH(point.topic_string) + 1) = point.topic_string || '/')))
        WHERE subscriber.topic NOT LIKE '%+%' AND subscriber.topic NOT LIKE '%#%'
          AND subscriber.topic NOT LIKE '%*%' AND subscriber.topic NOT LIKE '%?%'
        GROUP BY subscriber.queue_manager, subscriber.topic
    ) AS nearest_topic ON nearest_topic.queue_manager = consumer.queue_manager AND nearest_topic.topic = consumer.topic
) AS endpoint
-- Every join at a queue manager says endpoint.queue_manager, and what is joined by something else comes last: so Spark
-- brings the rows of a queue manager together once, and not for each join. Large relations come before small ones, as
-- a row is copied at each join of two large ones, with all that it has by then.
LEFT JOIN queue_name ON queue_name.queue_manager = endpoint.queue_manager AND queue_name.name = endpoint.queue
LEFT JOIN queue ON queue.queue_manager = endpoint.queue_manager AND queue.name = endpoint.local_queue
LEFT JOIN put_target AS backout ON backout.queue_manager = endpoint.queue_manager AND backout.name = queue.backout_queue
LEFT JOIN (
    SELECT read_name.queue_manager, read_name.local_queue AS queue, COUNT(*) AS endpoints,
           MIN(reader.name) AS first_endpoint,
           -- SUM passes over what is not known, so it counts only where everything is.
           CASE WHEN COUNT(*) = COUNT(reader.max_sessions) THEN SUM(reader.max_sessions) END AS sessions
    FROM endpoint AS reader
    INNER JOIN queue_name AS read_name
            ON read_name.queue_manager = reader.queue_manager AND read_name.name = reader.queue
    GROUP BY read_name.queue_manager, read_name.local_queue
) AS consumers ON consumers.queue_manager = endpoint.queue_manager AND consumers.queue = queue.name
-- The same of the backout queue; one that no endpoint of the exports given reads is known to have none.
LEFT JOIN (
    SELECT moved_to.queue_manager, moved_to.name AS queue,
           CASE WHEN moved_to.local_queue IS NOT NULL THEN COALESCE(readers.endpoints, 0) END AS endpoints,
           CASE WHEN moved_to.local_queue IS NOT NULL AND readers.endpoints IS NULL THEN 0 ELSE readers.sessions END AS sessions,
           readers.first_endpoint
    FROM put_target AS moved_to
    LEFT JOIN (
        SELECT read_name.queue_manager, read_name.local_queue AS queue, COUNT(*) AS endpoints,
               MIN(reader.name) AS first_endpoint,
               CASE WHEN COUNT(*) = COUNT(reader.max_sessions) THEN SUM(reader.max_sessions) END AS sessions
        FROM endpoint AS reader
        INNER JOIN queue_name AS read_name
                ON read_name.queue_manager = reader.queue_manager AND read_name.name = reader.queue
        GROUP BY read_name.queue_manager, read_name.local_queue
    ) AS readers ON readers.queue_manager = moved_to.queue_manager AND readers.queue = moved_to.local_queue
) AS backout_consumers ON backout_consumers.queue_manager = endpoint.queue_manager AND backout_consumers.queue = backout.name
LEFT JOIN queue_manager ON queue_manager.name = endpoint.queue_manager
LEFT JOIN {dead_letter} AS dead_letter
       ON dead_letter.queue_manager = endpoint.queue_manager AND dead_letter.name = queue_manager.dead_letter_queue
LEFT JOIN topic ON topic.queue_manager = endpoint.queue_manager
       AND topic.topic_string = SUBSTR(endpoint.topic, 1, endpoint.topic_length)
LEFT JOIN channel ON channel.queue_manager = endpoint.queue_manager AND channel.name = endpoint.channel
LEFT JOIN authority ON authority.queue_manager = endpoint.queue_manager AND authority.queue = queue.name
       AND authority.user = endpoint.user
LEFT JOIN bean ON bean.endpoint_id = endpoint.id
-- In migration mode a subscription has no managed queue; a client that may share nothing comes to that by itself.
LEFT JOIN {model} AS subscription_model
       ON subscription_model.queue_manager = endpoint.queue_manager AND endpoint.migration_mode = FALSE
      AND (endpoint.transport <> 'client' OR COALESCE(endpoint.shared_by, 1) > 0)
      AND subscription_model.name = CASE
              WHEN topic.durable_model = topic.nondurable_model THEN topic.durable_model
              WHEN COALESCE(endpoint.subscription_durable, bean.subscription_durable) = TRUE THEN topic.durable_model
              WHEN COALESCE(endpoint.subscription_durable, bean.subscription_durable) = FALSE
              THEN topic.nondurable_model END
LEFT JOIN server ON server.id = endpoint.server_id
LEFT JOIN destination ON destination.id = endpoint.destination_id
