"""What a reader has to know about how the exports of a fleet were read: the notices of ``check``, as a table."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import cast

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from lintmdb.engine.findings import Notice, NoticeKind
from lintmdb.fleet.arrow import collected, pa
from lintmdb.fleet.facts.remote_queues import READ, Among, find_remote_queues
from lintmdb.fleet.judging.job import EVERY_NOTICE, MOST_NOTICES, first_notices
from lintmdb.fleet.judging.tables import SCHEMAS
from lintmdb.fleet.spark_frames import to_frame
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Endpoint, Export, Problem
from lintmdb.run.join_notices import join_notices, kustomized_bases
from lintmdb.run.reading_notices import REFUSED_COMMAND, TOLD, more_lines
from lintmdb.run.remote_queues import remote_queue_notices

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
    unread = spark.table("problem").where("kind = 'not_read' AND object <> ''").select("path", "object", "environment")
    bases = kustomized_bases(
        Problem(kind="not_read", path=row[0], text="", object=row[1], environment=row[2]) for row in unread.collect()
    )
    found = [*join_notices(facts, roots, bases), *remote_queue_notices(_find_remote_queues(spark))]
    rows = [{name: getattr(problem, name) for name in COLUMNS} for problem in found]
    return to_frame(spark, pa.Table.from_pylist(rows, SCHEMAS["notices"]))


def _find_remote_queues(spark: SparkSession) -> Facts:
    """The remote queues to which messages are moved, and the rows that they lead to."""

    def ask(relation: str, columns: Sequence[str], among: Sequence[Among]) -> list[dict[str, object]]:
        rows = spark.table(relation)
        for values_of in among:
            found = [rows.join(_values(spark, name, values), name, "left_semi") for name, values in values_of.items()]
            rows = functools.reduce(DataFrame.unionByName, found)
        return collected(rows.select(*columns), dict[str, object])

    ways = (
        spark.table("put_target")
        .where("remote_queue <> '' OR cluster_managers IS NOT NULL")
        .select(*READ["put_target"])
    )
    return find_remote_queues(collected(ways, dict[str, object]), ask)


def _values(spark: SparkSession, column: str, values: Iterable[str]) -> DataFrame:
    return to_frame(spark, pa.table({column: pa.array(sorted(values), pa.string())}))


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
