"""What a reader has to know about how the exports of a fleet were read: the notices of ``check``, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from lintmdb.engine.findings import Notice, NoticeKind
from lintmdb.fleet.arrow import pa
from lintmdb.fleet.judging.job import EVERY_NOTICE, MOST_NOTICES, first_notices
from lintmdb.fleet.judging.tables import SCHEMAS
from lintmdb.fleet.spark_frames import to_frame
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Endpoint, Export, PutTarget, QueueManager
from lintmdb.run.join_notices import join_notices
from lintmdb.run.reading_notices import REFUSED_COMMAND, TOLD, more_lines

COLUMNS = tuple(SCHEMAS["notices"].names)


def notices_table(spark: SparkSession, roots: Sequence[str]) -> DataFrame:
    """All notices about reading, with COLUMNS; ``roots`` are the inputs as they are shown."""
    kinds = ", ".join(f"'{kind}'" for kind in TOLD)
    kept = spark.sql(
        f"""
        SELECT DISTINCT kind, path, CAST(line AS INT) AS line, text, next_step, environment
        FROM problem WHERE kind IN ({kinds})
        UNION ALL
        SELECT '{REFUSED_COMMAND}' AS kind, path, CAST(first.line AS INT) AS line,
               first.text || CASE WHEN lines > 1 THEN {_more_sql()} ELSE '' END AS text,
               first.next_step, first.environment
        FROM (
            SELECT path, MIN(STRUCT(line, `column`, text, next_step, environment)) AS first, COUNT(*) AS lines
            FROM problem WHERE kind = 'not_understood' GROUP BY path
        )
        """
    )
    return kept.unionByName(_of_joins(spark, roots))


def _more_sql() -> str:
    before, after = more_lines("\x00").split("\x00")
    return f"'{before}' || (lines - 1) || '{after}'"


def _of_joins(spark: SparkSession, roots: Sequence[str]) -> DataFrame:
    """What ``check`` says of cells and queue managers that join by name alone; it asks for the first and the last
    endpoint of a cell at a queue manager.
    """
    facts = Facts()
    exports = spark.sql("SELECT path, kind, name, environment FROM export ORDER BY part, row").collect()
    facts.add(*(Export(path=row[0], kind=row[1], name=row[2], complete=True, environment=row[3]) for row in exports))
    one = "STRUCT(row_id, name, cell, queue_manager, environment)"
    ends = f"SELECT MIN({one}) AS head, MAX({one}) AS tail FROM endpoint GROUP BY environment, cell, queue_manager"
    pairs = spark.sql(f"SELECT one.* FROM (SELECT EXPLODE(ARRAY(head, tail)) AS one FROM ({ends})) ORDER BY one.row_id")
    facts.add(
        *(
            Endpoint(
                id=str(row[0]),
                kind="listener_port",
                name=row[1],
                cell=row[2],
                queue_manager=row[3],
                environment=row[4],
            )
            for row in pairs.collect()
        )
    )
    _add_undefined_ends(spark, facts)
    found = list(join_notices(facts, roots))
    rows = [{name: getattr(problem, name) for name in COLUMNS} for problem in found]
    return to_frame(spark, pa.Table.from_pylist(rows, SCHEMAS["notices"]))


def _add_undefined_ends(spark: SparkSession, facts: Facts) -> None:
    """The remote queues whose end a queue manager lacks that shows all of its queues."""
    lost = spark.sql(
        """
        SELECT way.queue_manager, way.name, remote_queue, remote_queue_manager, way.environment
        FROM put_target AS way
        INNER JOIN queue_manager AS there ON there.name = remote_queue_manager AND there.lists_queues
               AND there.environment IS NOT DISTINCT FROM way.environment
        LEFT ANTI JOIN queue_name AS known ON known.queue_manager = remote_queue_manager AND known.name = remote_queue
               AND known.type IS NOT NULL AND known.environment IS NOT DISTINCT FROM way.environment
        WHERE remote_queue <> '' ORDER BY way.part, way.row
        """
    )
    for row in lost.collect():
        facts.add(
            PutTarget(
                queue_manager=row[0], name=row[1], remote_queue=row[2], remote_queue_manager=row[3], environment=row[4]
            ),
            QueueManager(name=row[3], lists_queues=True, environment=row[4]),
        )


def told_notices(table: DataFrame) -> list[Notice]:
    """The notices that a summary has."""
    kinds: list[str] = [row[0] for row in table.select("kind").distinct().collect()]
    found: list[Notice] = []
    for kind in kinds:
        rows = table.where(sf.col("kind") == kind).select(*COLUMNS).orderBy("path", "line", "text")
        shown = rows.collect() if kind == EVERY_NOTICE else rows.limit(MOST_NOTICES).collect()
        found += [
            Notice(cast("NoticeKind", row[0]), row[1], row[2] or 0, row[3], row[4] or "", row[5]) for row in shown
        ]
    return first_notices(found)
