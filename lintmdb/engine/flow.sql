-- The join: one row per message path, from an endpoint and its bean to the queue, its backout queue and the dead-letter queue.
-- The aliases are the words of rule authors. SQLite and Spark SQL run the same text; flow_join.py assembles it.
-- A line "-- part: ALIAS" begins the join of one alias, "-- text: NAME" a text that joins repeat. Braces mark what each engine writes in its own way:
--   {endpoint}         the stored columns of endpoint that later joins and rules need
--   {instances:SOURCE} the text "instances", for the rows of endpoint that the join starts from (paths) or for all ({source})
--   {table:ALIAS}      the table or view that holds the rows of an alias
--   {match:A = B ...}  equal columns, joined by AND: how Spark finds rows by numbers; with environments, within one of them
--   {manager:ALIAS}    the queue manager of an alias and its environment, where a subquery selects them or groups by them
--   {bean:COLUMN}      a column of the bean of the path
-- Hints are written as comments, so that SQLite ignores them.
-- text: instances
-- The channel instances that each endpoint of a source needs.
SELECT sized.*,
       -- Where members differ, one member stands for all of them only if the limit is out of reach.
       CASE WHEN sized.members > 0 THEN sized.instances * sized.members
            WHEN sized.siblings = 1 OR sized.instances * sized.siblings <= sized.instance_limit
            THEN sized.instances * sized.siblings END AS instances_all,
       CASE WHEN sized.members > 0 OR sized.siblings = 1 THEN 0 ELSE 1 END AS one_member,
       CASE WHEN sized.initial_state = 'stopped' THEN 0 ELSE 1 END AS starts
FROM (
    SELECT counted.*,
           -- Conversations share an instance from version 7 of the client on; SHARECNV 0 and 1 let each have its own.
           -- The remainder goes first: engines differ in what they make of a fraction.
           CASE WHEN counted.transport = 'client'
                 AND (counted.migration_mode = TRUE OR counted.shared_by <= 1 OR counted.client_level < 70000)
                THEN counted.wanted
                WHEN counted.transport = 'client' AND counted.migration_mode = FALSE
                 AND (counted.kind = 'activation_spec' OR counted.client_level >= 70000)
                THEN CAST((counted.wanted + counted.shared_by - 1 - (counted.wanted + counted.shared_by - 1) % counted.shared_by)
                          / counted.shared_by AS BIGINT) END AS instances
    FROM (
        SELECT stored.*,
               located_channel.defined AS channel_defined,
               located_channel.sharing_conversations AS shared_by,
               located_channel.max_instances AS instance_limit,
               located_channel.max_instances_per_client AS client_limit,
               located_server.was_level AS client_level,
               located_server.row_id AS located_row,
               located_server.member_count AS members,
               located_server.cluster_size AS siblings,
               -- Each bean of a listener port or an activation specification has sessions of its own.
               CASE WHEN stored.non_asf_timeout_ms = 0 THEN stored.max_sessions + 1
                    WHEN stored.non_asf_timeout_ms > 0 AND stored.destination_type = 'topic' THEN 1
                    WHEN stored.non_asf_timeout_ms > 0 AND stored.destination_type = 'queue'
                    THEN stored.max_sessions END * stored.bean_count AS wanted
        FROM {source} AS stored
        LEFT JOIN {table:server} AS located_server ON {match:located_server.id = stored.server_id}
        LEFT JOIN {table:channel} AS located_channel
               ON {match:located_channel.queue_manager = stored.queue_manager AND located_channel.name = stored.channel}
    ) AS counted
) AS sized
-- part: endpoint
FROM (
    SELECT /*+ SHUFFLE_HASH(nearest_topic), BROADCAST(circle) */
           {endpoint},
           located_name.local_queue,
           consumer.shared_by,
           nearest_topic.length AS topic_length,
           -- In migration mode a subscription has no managed queue; a client whose channel shares no conversations falls
           -- back to that mode.
           consumer.migration_mode = FALSE
           AND (consumer.transport <> 'client' OR COALESCE(consumer.shared_by, 1) > 0) AS managed,
           COALESCE(named_access.user, other_access.user) AS access_user,
           -- What the queue manager makes of the user that a client names; "*" is that user itself.
           CASE WHEN consumer.user_observed = TRUE OR other_access.user IS NULL THEN consumer.user
                WHEN named_access.user IS NOT NULL THEN named_access.effective_user
                WHEN other_access.effective_user = '*' THEN consumer.user
                ELSE other_access.effective_user END AS user,
           CASE WHEN consumer.queue = '' THEN 'not_set'
                WHEN located_manager.ambiguous = TRUE THEN 'ambiguous'
                -- On z/OS it may be the name of the queue-sharing group, whose shared queues are here.
                WHEN consumer.other_queue_manager <> '' AND located_manager.platform = 'distributed' THEN 'elsewhere'
                WHEN consumer.other_queue_manager <> '' AND located_manager.platform IS NULL THEN NULL
                WHEN located_name.name IS NOT NULL THEN located_name.resolution
                WHEN consumer.queue IS NOT NULL AND located_manager.lists_queues = TRUE THEN 'not_defined'
                WHEN listed.queue IS NOT NULL THEN 'not_defined'
                END AS queue_resolution,
           circle.is_read AS backout_circle_read,
           CASE WHEN consumer.transport <> 'client' THEN NULL
                WHEN consumer.channel = '' THEN 'not_set'
                WHEN located_manager.ambiguous = TRUE THEN 'ambiguous'
                WHEN consumer.channel_defined = TRUE THEN 'resolved'
                WHEN consumer.channel_defined = FALSE THEN 'not_defined'
                WHEN consumer.channel IS NOT NULL AND located_manager.lists_channels = TRUE THEN 'not_defined'
                WHEN listed_channel.channel IS NOT NULL THEN 'not_defined'
                END AS channel_resolution,
           consumer.wanted AS conversations,
           consumer.instances AS channel_instances,
           -- Members that differ are among all endpoints of the channel.
           CASE WHEN consumer.instances_all IS NULL AND consumer.starts = 1 AND together.not_known = 0
                 AND together.instances <= consumer.instance_limit
                THEN together.instances ELSE consumer.instances_all END AS channel_instances_all,
           -- A sum that leaves out what is not known still counts where it is above the limit by itself.
           CASE WHEN together.channel IS NULL THEN consumer.instances_all
                WHEN together.not_known = 0 OR together.instances > consumer.instance_limit
                THEN together.instances END AS channel_instances_total,
           -- One that does not start with its server is not among those at the address.
           CASE WHEN at_address.channel IS NULL OR consumer.instances > at_address.instances THEN consumer.instances
                WHEN at_address.not_known = 0 OR at_address.instances > consumer.client_limit
                THEN at_address.instances END AS channel_instances_client
    FROM ({instances:paths}) AS consumer
    LEFT JOIN {table:channel_access} AS named_access
           ON {match:named_access.queue_manager = consumer.queue_manager AND named_access.channel = consumer.channel
               AND named_access.user = consumer.user} AND consumer.transport = 'client'
    LEFT JOIN {table:channel_access} AS other_access
           ON {match:other_access.queue_manager = consumer.queue_manager AND other_access.channel = consumer.channel}
          AND other_access.user = CASE WHEN consumer.user IS NULL THEN '' ELSE '*' END AND consumer.transport = 'client'
    -- All endpoints on a channel that start with their servers.
    LEFT JOIN (
        SELECT {manager:summed}, summed.channel, SUM(summed.instances) AS instances, SUM(summed.not_known) AS not_known
        FROM (
            SELECT {manager:named}, named.channel, named.starting,
                   named.whole + CASE WHEN named.estimate <= named.instance_limit THEN named.estimate
                                      ELSE named.of_members END AS instances,
                   named.unknown + CASE WHEN named.rows_of_members = 0 OR named.rows_of_members >= named.siblings
                                          OR named.estimate <= named.instance_limit THEN 0
                                        ELSE 1 END AS not_known
            FROM (
                -- Members of a cluster that differ have a row each. Those without one may need as much as the others.
                SELECT counted.*,
                       CASE WHEN counted.rows_of_members < counted.siblings
                            THEN CAST((counted.needed + counted.rows_of_members - 1
                                       - (counted.needed + counted.rows_of_members - 1) % counted.rows_of_members)
                                      / counted.rows_of_members AS BIGINT) END AS estimate
                FROM (
                    SELECT {manager:needing}, needing.channel,
                           MAX(needing.instance_limit) AS instance_limit,
                           SUM(needing.starts) AS starting,
                           SUM(CASE WHEN needing.instances IS NULL THEN needing.starts ELSE 0 END) AS unknown,
                           SUM(CASE WHEN needing.one_member = 0 THEN COALESCE(needing.instances_all, 0) ELSE 0 END
                               * needing.starts) AS whole,
                           SUM(needing.one_member * COALESCE(needing.instances, 0) * needing.starts) AS of_members,
                           SUM(needing.one_member * needing.instances * needing.siblings * needing.starts) AS needed,
                           SUM(needing.one_member) AS rows_of_members,
                           MAX(CASE WHEN needing.one_member = 1 THEN needing.siblings END) AS siblings
                    FROM ({instances:endpoint}) AS needing
                    WHERE needing.transport = 'client'
                    GROUP BY {manager:needing}, needing.channel, needing.cell, needing.cluster, needing.kind,
                             needing.name
                ) AS counted
            ) AS named
        ) AS summed
        GROUP BY {manager:summed}, summed.channel
        HAVING SUM(summed.starting) > 0
    ) AS together ON {match:together.queue_manager = consumer.queue_manager AND together.channel = consumer.channel}
    -- Those on servers of one node. A cluster may be on several nodes.
    LEFT JOIN (
        SELECT {manager:addressed}, addressed.channel, addressed.server_id,
               MAX(addressed.instances) AS instances, MAX(addressed.not_known) AS not_known
        FROM (
            SELECT {manager:sharing}, sharing.channel, sharing.server_id,
                   SUM(sharing.instances * placed.server_count)
                       OVER (PARTITION BY {manager:sharing}, sharing.channel, placed.address) AS instances,
                   SUM(CASE WHEN sharing.instances IS NULL THEN 1 ELSE 0 END)
                       OVER (PARTITION BY {manager:sharing}, sharing.channel, placed.address) AS not_known
            FROM ({instances:endpoint}) AS sharing
            INNER JOIN {table:placement} AS placed ON {match:placed.server_id = sharing.server_id}
            WHERE sharing.transport = 'client' AND sharing.starts = 1
        ) AS addressed
        GROUP BY {manager:addressed}, addressed.channel, addressed.server_id
    ) AS at_address
       ON {match:at_address.queue_manager = consumer.queue_manager AND at_address.channel = consumer.channel
           AND at_address.server_id = consumer.server_id}
    LEFT JOIN {table:queue_manager} AS located_manager ON {match:located_manager.name = consumer.queue_manager}
    LEFT JOIN {table:queue_name} AS located_name
           ON {match:located_name.queue_manager = consumer.queue_manager AND located_name.name = consumer.queue}
    -- Names of which an answer to DISPLAY QUEUE(APP.*) would show the queue. Few queue managers have such answers.
    LEFT JOIN (
        SELECT /*+ BROADCAST(listing) */ {manager:opening}, opening.queue
        FROM {table:endpoint} AS opening
        INNER JOIN {table:listed_names} AS listing
                ON {match:listing.queue_manager = opening.queue_manager}
               AND listing.kind = 'queue'
               AND SUBSTR(opening.queue, 1, LENGTH(listing.beginning)) = listing.beginning
        GROUP BY {manager:opening}, opening.queue
    ) AS listed ON {match:listed.queue_manager = consumer.queue_manager AND listed.queue = consumer.queue}
    -- The same for channels.
    LEFT JOIN (
        SELECT /*+ BROADCAST(channel_listing) */ {manager:connecting}, connecting.channel
        FROM {table:endpoint} AS connecting
        INNER JOIN {table:listed_names} AS channel_listing
                ON {match:channel_listing.queue_manager = connecting.queue_manager}
               AND channel_listing.kind = 'channel'
               AND SUBSTR(connecting.channel, 1, LENGTH(channel_listing.beginning)) = channel_listing.beginning
        GROUP BY {manager:connecting}, connecting.channel
    ) AS listed_channel
       ON {match:listed_channel.queue_manager = consumer.queue_manager AND listed_channel.channel = consumer.channel}
    -- The circles of backout queues, queue by queue, with whether each queue of the circle has a reader. There are few.
    LEFT JOIN (
        SELECT {manager:member}, member.name AS queue, with_readers.queues = member.backout_circle_queues AS is_read
        FROM {table:queue} AS member
        INNER JOIN (
            SELECT /*+ BROADCAST(in_circle) */
                   {manager:in_circle}, in_circle.circle, COUNT(DISTINCT in_circle.queue) AS queues
            FROM (
                SELECT /*+ BROADCAST(circled) */
                       {manager:circled}, circled.backout_circle AS circle, circled.name AS queue, circled_name.name
                FROM {table:queue} AS circled
                INNER JOIN {table:queue_name} AS circled_name
                        ON {match:circled_name.queue_manager = circled.queue_manager
                            AND circled_name.local_queue = circled.name}
                WHERE circled.backout_circle IS NOT NULL
            ) AS in_circle
            INNER JOIN {table:endpoint} AS reader
                    ON {match:reader.queue_manager = in_circle.queue_manager AND reader.queue = in_circle.name}
            GROUP BY {manager:in_circle}, in_circle.circle
        ) AS with_readers
           ON {match:with_readers.queue_manager = member.queue_manager AND with_readers.circle = member.backout_circle}
        WHERE member.backout_circle IS NOT NULL
    ) AS circle ON {match:circle.queue_manager = consumer.queue_manager AND circle.queue = located_name.local_queue}
    -- The administered point of the topic tree that is nearest above a topic string; a wildcard has no single place in the tree.
    LEFT JOIN (
        SELECT {manager:subscriber}, subscriber.topic, MAX(LENGTH(point.topic_string)) AS length
        FROM {table:endpoint} AS subscriber
        INNER JOIN {table:topic} AS point
                ON {match:point.queue_manager = subscriber.queue_manager}
               AND (point.topic_string = subscriber.topic
                    OR (point.covers_below = TRUE
                        AND (point.topic_string = ''
                             OR SUBSTR(subscriber.topic, 1, LENGTH(point.topic_string) + 1) = point.topic_string || '/')))
        WHERE subscriber.topic NOT LIKE '%+%' AND subscriber.topic NOT LIKE '%#%'
          AND subscriber.topic NOT LIKE '%*%' AND subscriber.topic NOT LIKE '%?%'
        GROUP BY {manager:subscriber}, subscriber.topic
    ) AS nearest_topic ON {match:nearest_topic.queue_manager = consumer.queue_manager AND nearest_topic.topic = consumer.topic}
) AS endpoint
-- part: queue_name
-- Joins at a queue manager compare with endpoint.queue_manager, and joins by anything else come last: Spark then shuffles
-- rows by queue manager once instead of once per join. Large relations come before small ones, because a join of two
-- large relations copies every row with all the columns it has so far.
LEFT JOIN {table:queue_name} AS queue_name
       ON {match:queue_name.queue_manager = endpoint.queue_manager AND queue_name.name = endpoint.queue}
-- part: topic
LEFT JOIN {table:topic} AS topic ON {match:topic.queue_manager = endpoint.queue_manager}
       AND topic.topic_string = SUBSTR(endpoint.topic, 1, endpoint.topic_length)
-- part: bean
LEFT JOIN {table:bean} AS bean ON {match:bean.endpoint_id = endpoint.id}
-- part: queue
-- The queue whose messages the bean gets: what the destination leads to, or what the queue of a subscription is made after.
-- A match splits at the word AND and at the equals sign, so that neither stands within the name of the queue.
LEFT JOIN {table:queue} AS queue
       ON {match:queue.queue_manager = endpoint.queue_manager
           AND queue.name = COALESCE(endpoint.local_queue,
               CASE WHEN endpoint.managed THEN
                   CASE WHEN topic.durable_model IN (topic.nondurable_model) THEN topic.durable_model
                        WHEN COALESCE(endpoint.subscription_durable, {bean:subscription_durable}) THEN topic.durable_model
                        WHEN NOT COALESCE(endpoint.subscription_durable, {bean:subscription_durable})
                        THEN topic.nondurable_model END END)}
-- part: backout
LEFT JOIN {table:backout} AS backout
       ON {match:backout.queue_manager = endpoint.queue_manager AND backout.name = queue.backout_queue}
-- part: consumers
LEFT JOIN (
    SELECT {manager:read_name}, read_name.local_queue AS queue, COUNT(*) AS endpoints,
           MIN(reader.name) AS first_endpoint,
           -- SUM ignores NULL, so the sum is known only where every term is.
           CASE WHEN COUNT(*) = COUNT(reader.max_sessions * reader.bean_count)
                THEN SUM(reader.max_sessions * reader.bean_count) END AS sessions,
           -- Two are enough to know that there are several.
           CASE WHEN SUM(CASE WHEN reader.initial_state = 'stopped' THEN 0 ELSE reader.bean_count END) > 1
                  OR COUNT(*) = COUNT(CASE WHEN reader.initial_state = 'stopped' THEN 0 ELSE reader.bean_count END)
                THEN SUM(CASE WHEN reader.initial_state = 'stopped' THEN 0 ELSE reader.bean_count END) END AS readers
    FROM {table:endpoint} AS reader
    INNER JOIN {table:queue_name} AS read_name
            ON {match:read_name.queue_manager = reader.queue_manager AND read_name.name = reader.queue}
    GROUP BY {manager:read_name}, read_name.local_queue
) AS consumers ON {match:consumers.queue_manager = endpoint.queue_manager AND consumers.queue = queue.name}
-- part: backout_consumers
-- The same for the queue that poison messages are moved to. One that no endpoint of the given exports reads is known to have no consumers.
LEFT JOIN (
    SELECT {manager:moved_to}, moved_to.name AS queue,
           CASE WHEN moved_to.local_queue IS NOT NULL THEN COALESCE(readers.endpoints, 0) END AS endpoints,
           CASE WHEN moved_to.local_queue IS NOT NULL AND readers.endpoints IS NULL THEN 0 ELSE readers.sessions END AS sessions,
           CASE WHEN moved_to.local_queue IS NOT NULL AND readers.endpoints IS NULL THEN 0 ELSE readers.readers END AS readers,
           readers.first_endpoint
    FROM {table:put_target} AS moved_to
    LEFT JOIN (
        SELECT {manager:read_name}, read_name.local_queue AS queue, COUNT(*) AS endpoints,
               MIN(reader.name) AS first_endpoint,
               CASE WHEN COUNT(*) = COUNT(reader.max_sessions * reader.bean_count)
                    THEN SUM(reader.max_sessions * reader.bean_count) END AS sessions,
               -- Two are enough to know that there are several.
               CASE WHEN SUM(CASE WHEN reader.initial_state = 'stopped' THEN 0 ELSE reader.bean_count END) > 1
                      OR COUNT(*) = COUNT(CASE WHEN reader.initial_state = 'stopped' THEN 0 ELSE reader.bean_count END)
                    THEN SUM(CASE WHEN reader.initial_state = 'stopped' THEN 0 ELSE reader.bean_count END) END AS readers
        FROM {table:endpoint} AS reader
        INNER JOIN {table:queue_name} AS read_name
                ON {match:read_name.queue_manager = reader.queue_manager AND read_name.name = reader.queue}
        GROUP BY {manager:read_name}, read_name.local_queue
    ) AS readers ON {match:readers.queue_manager = moved_to.queue_manager AND readers.queue = moved_to.local_queue}
) AS backout_consumers ON {match:backout_consumers.queue_manager = endpoint.queue_manager AND backout_consumers.queue = queue.poison_queue}
-- part: queue_manager
LEFT JOIN {table:queue_manager} AS queue_manager ON {match:queue_manager.name = endpoint.queue_manager}
-- part: dead_letter
LEFT JOIN {table:dead_letter} AS dead_letter
       ON {match:dead_letter.queue_manager = endpoint.queue_manager AND dead_letter.name = queue_manager.dead_letter_queue}
-- part: channel
LEFT JOIN {table:channel} AS channel
       ON {match:channel.queue_manager = endpoint.queue_manager AND channel.name = endpoint.channel}
-- part: channel_access
LEFT JOIN {table:channel_access} AS channel_access
       ON {match:channel_access.queue_manager = endpoint.queue_manager AND channel_access.channel = endpoint.channel
           AND channel_access.user = endpoint.access_user}
-- part: authority
-- What a user may do at the queue manager does not depend on the queue, so it counts where no queue is found, too.
LEFT JOIN {table:authority} AS authority
       ON {match:authority.queue_manager = endpoint.queue_manager
           AND authority.queue = CASE WHEN queue.name IS NULL THEN '' ELSE COALESCE(endpoint.queue, queue.name) END
           AND authority.account = CASE WHEN queue_manager.windows_accounts THEN LOWER(endpoint.user) ELSE endpoint.user END}
-- part: server
LEFT JOIN {table:server} AS server ON {match:server.id = endpoint.server_id}
-- part: destination
LEFT JOIN {table:destination} AS destination ON {match:destination.id = endpoint.destination_id}
