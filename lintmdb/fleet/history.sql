-- The history of findings after one more audit: one row a finding that this audit or one before it has.
--
-- Views: "before" is the history of the audit before; findings, suppressed, undecided, inventory and quarantine are
-- tables of this audit. Parameters: $id and $started of this audit.
WITH
counted AS (
    SELECT fingerprint, rule, severity, subject, cell, queue_manager, headline, environment, owner, FALSE AS left_out FROM findings
    UNION ALL
    SELECT fingerprint, rule, severity, subject, cell, queue_manager, headline, environment, owner, TRUE FROM suppressed
),
-- Folders, archives and files that contain something that could not be read.
broken AS (
    SELECT DISTINCT REGEXP_REPLACE(ARRAY_TO_STRING(parts[1:depth], '/'), '!$', '') AS path
    FROM (SELECT STRING_SPLIT(path, '/') AS parts FROM quarantine), UNNEST(RANGE(1, LEN(parts) + 1)) AS depths(depth)
),
-- Cells and queue managers of which all that was given could be read; those of an environment with its name.
whole AS (
    SELECT kind, CONCAT(environment || CHR(31), name) AS name FROM inventory WHERE name IS NOT NULL
    GROUP BY ALL HAVING NOT BOOL_OR(path IN (SELECT path FROM broken))
),
present AS (
    SELECT counted.*, cells.name AS whole_cell, managers.name AS whole_queue_manager
    FROM (
        FROM counted
        QUALIFY ROW_NUMBER() OVER (PARTITION BY fingerprint ORDER BY left_out, cell, queue_manager, headline) = 1
    ) AS counted
    LEFT JOIN whole AS cells ON cells.kind = 'cell' AND cells.name = CONCAT(counted.environment || CHR(31), COALESCE(counted.cell, counted.subject.cell))
    LEFT JOIN whole AS managers ON managers.kind = 'queue_manager'
        AND managers.name
            = CONCAT(counted.environment || CHR(31), COALESCE(counted.subject.queue_manager, counted.queue_manager))
),
-- Findings of before that this audit lacks because it could not judge them.
not_judged AS (
    SELECT fingerprint FROM before
    WHERE (whole_cell IS NOT NULL AND whole_cell NOT IN (SELECT name FROM whole WHERE kind = 'cell'))
    OR (
        whole_queue_manager IS NOT NULL
        AND whole_queue_manager NOT IN (SELECT name FROM whole WHERE kind = 'queue_manager')
    )
    UNION
    SELECT before.fingerprint FROM before
    INNER JOIN undecided ON undecided.rule = before.rule AND undecided.subject IS NOT DISTINCT FROM before.subject
),
states AS (
    SELECT
        COALESCE(present.fingerprint, before.fingerprint) AS fingerprint,
        CASE
            WHEN present.fingerprint IS NULL AND before.state = 'gone' THEN 'gone'
            WHEN present.fingerprint IS NULL AND before.fingerprint IN (SELECT fingerprint FROM not_judged)
                THEN 'not_judged'
            WHEN present.fingerprint IS NULL THEN 'gone'
            WHEN present.left_out THEN 'left_out'
            WHEN before.fingerprint IS NULL THEN 'new'
            WHEN before.state IN ('gone', 'left_out') THEN 'returned'
            ELSE 'open'
        END AS state
    FROM before FULL JOIN present ON present.fingerprint = before.fingerprint
)
SELECT
    states.fingerprint,
    states.state,
    COALESCE(present.rule, before.rule) AS rule,
    COALESCE(present.severity, before.severity) AS severity,
    CASE WHEN present.fingerprint IS NULL THEN before.subject ELSE present.subject END AS subject,
    CASE WHEN present.fingerprint IS NULL THEN before.cell ELSE present.cell END AS cell,
    CASE WHEN present.fingerprint IS NULL THEN before.queue_manager ELSE present.queue_manager END AS queue_manager,
    CASE WHEN present.fingerprint IS NULL THEN before.headline ELSE present.headline END AS headline,
    CASE WHEN present.fingerprint IS NULL THEN before.environment ELSE present.environment END AS environment,
    CASE WHEN present.fingerprint IS NULL THEN before.owner ELSE present.owner END AS owner,
    COALESCE(before.first_seen, CAST($started AS TIMESTAMP)) AS first_seen,
    COALESCE(before.first_audit, $id) AS first_audit,
    CASE WHEN present.fingerprint IS NULL THEN before.last_seen ELSE CAST($started AS TIMESTAMP) END AS last_seen,
    CASE WHEN present.fingerprint IS NULL THEN before.last_audit ELSE $id END AS last_audit,
    CASE WHEN present.fingerprint IS NULL THEN COALESCE(before.absent_since, CAST($started AS TIMESTAMP)) END
        AS absent_since,
    CASE WHEN states.state = 'returned' THEN CAST($started AS TIMESTAMP) ELSE before.returned END AS returned,
    COALESCE(before.returns, 0) + CAST(states.state = 'returned' AS BIGINT) AS returns,
    CASE WHEN present.fingerprint IS NULL THEN before.whole_cell ELSE present.whole_cell END AS whole_cell,
    CASE WHEN present.fingerprint IS NULL THEN before.whole_queue_manager ELSE present.whole_queue_manager END
        AS whole_queue_manager
FROM states
LEFT JOIN before ON before.fingerprint = states.fingerprint
LEFT JOIN present ON present.fingerprint = states.fingerprint
ORDER BY ALL
