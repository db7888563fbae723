"""The relations as views of Spark SQL, under the names that ``flow.sql`` uses."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from lintmdb.fleet.arrow import dataset, pa
from lintmdb.fleet.facts.collect import Collected
from lintmdb.fleet.facts.encoding import LISTING, STORED, Batches, spark_schema, to_tuples
from lintmdb.fleet.facts.parts import CELLS
from lintmdb.fleet.facts.remote_ends import RELATIONS as RELATIONS_WITH_ENDS
from lintmdb.fleet.facts.remote_ends import end_table, filled_in, is_end_of, load_remote_ends
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.spark_frames import to_frame
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Problem
from lintmdb.run.remote_queues import RemoteEnd

BROADCAST_ROWS = 100_000
"""What is joined and has at most so many rows is sent to every task."""
SELECTED = {"dead_letter_target": "put_target"}
"""Views of those rows of a relation that can be meant where ``flow.sql`` looks for one of few."""
SELECTED_VIEWS = {"dead_letter": "dead_letter_target"}
"""The same views by the alias that they serve in ``flow.sql``."""
ENDPOINT_ROW = "endpoint_row"
"""The view of endpoints as they lie in their files, not brought together by queue manager."""
DIGEST = "digest"
"""The view with the hash of the export that each part comes from."""


def make_views(
    spark: SparkSession, store: Store, collected: Collected, listing: Sequence[Problem]
) -> dict[str, DataFrame]:
    """Views of all relations, each row with its ``row_id``; returns them by name.

    Endpoints and beans are numbered as ``check`` orders them: cells by environment, name and path, then their rows in
    turn. Of other relations the number is unique only within a part.
    """
    views: dict[str, DataFrame] = {}
    numbers = _offsets(spark, collected)
    dead = _dead(spark, collected)
    ends = load_remote_ends(store, collected.state, collected.live)
    for relation in STORED:
        rows = _rows(spark, store, collected, relation, dead)
        if relation in ("endpoint", "bean"):
            offsets = numbers.select("part", sf.col(relation).alias("offset"))
            rows = rows.join(sf.broadcast(offsets), "part").withColumn("row_id", sf.col("offset") + sf.col("row"))
            rows = rows.drop("offset")
        else:
            rows = rows.withColumn("row_id", sf.col("row"))
        if relation in RELATIONS_WITH_ENDS and ends:
            rows = _with_ends(spark, relation, rows, ends)
        if relation == "problem" and listing:
            rows = rows.unionByName(_listing(spark, listing))
        if relation == "endpoint":
            rows.createOrReplaceTempView(ENDPOINT_ROW)
            # All that lies at a queue manager is joined by its name and one more column, so that rows which are
            # together by queue manager need not move from join to join.
            rows = rows.repartition("queue_manager")
        else:
            rows = rows.hint(_join_hint(store, collected, relation))
        rows.createOrReplaceTempView(relation)
        views[relation] = rows
    _digests(spark, collected).createOrReplaceTempView(DIGEST)
    _select(spark, _join_hint(store, collected, "queue_manager"))
    return views


def _with_ends(spark: SparkSession, relation: str, rows: DataFrame, ends: Collection[RemoteEnd]) -> DataFrame:
    """The rows of a relation with what other queue managers do to messages for remote queues."""
    found = to_frame(spark, end_table(relation, ends)).alias("remote_end")
    filled = filled_in(relation)
    return (
        rows.alias("stored")
        .join(sf.broadcast(found), sf.expr(is_end_of("<=>")), "left")
        .select(
            *(
                sf.expr(filled[name]).alias(name) if name in filled else sf.col(f"stored.`{name}`")
                for name in rows.columns
            )
        )
    )


def _select(spark: SparkSession, hint: str) -> None:
    """Make the views SELECTED: a row for each queue manager."""
    targets = spark.sql(
        "SELECT target.* FROM put_target AS target LEFT SEMI JOIN queue_manager AS manager "
        "ON manager.name = target.queue_manager AND manager.dead_letter_queue = target.name"
    )
    targets.hint(hint).createOrReplaceTempView("dead_letter_target")


def _join_hint(store: Store, collected: Collected, relation: str) -> str:
    return "broadcast" if _count(store, collected, relation) <= BROADCAST_ROWS else "shuffle_hash"


def _digests(spark: SparkSession, collected: Collected) -> DataFrame:
    parts = [(part.part, part.export) for part in collected.live]
    schema = pa.schema([("part", pa.int64()), ("export", pa.string())])
    return to_frame(spark, pa.table([list(column) for column in zip(*parts, strict=True)] or [[], []], schema=schema))


def _count(store: Store, collected: Collected, relation: str) -> int:
    """Rows in all generations. File sizes say little about sizes in memory, because repeated names compress well."""
    return sum(
        dataset.dataset(folder, format="parquet").count_rows() for folder in store.folders(collected.state, relation)
    )


def _rows(spark: SparkSession, store: Store, collected: Collected, relation: str, dead: DataFrame | None) -> DataFrame:
    folders = store.folders(collected.state, relation)
    schema = spark_schema(relation)
    if not folders:  # no export has one
        nothing = sf.from_json(sf.lit("{}"), schema).alias("nothing")
        return spark.range(0).select(nothing).select("nothing.*")
    rows = spark.read.schema(schema).parquet(*folders)
    return rows if dead is None else rows.join(sf.broadcast(dead), "part", "left_anti")


def _dead(spark: SparkSession, collected: Collected) -> DataFrame | None:
    if not collected.dead:
        return None
    return to_frame(spark, pa.table({"part": pa.array(collected.dead, pa.int64())}))


def _offsets(spark: SparkSession, collected: Collected) -> DataFrame:
    """For each part about a cell, the number of its first endpoint and of its first bean, both from 1."""
    cells = sorted(
        (part for part in collected.live if part.kind in CELLS),
        key=lambda part: (part.environment or "", part.name, part.root),
    )
    table = {
        "part": [part.part for part in cells],
        "endpoint": list(accumulate((part.endpoints for part in cells), initial=1))[: len(cells)],
        "bean": list(accumulate((part.beans for part in cells), initial=1))[: len(cells)],
    }
    return to_frame(spark, pa.table(table, pa.schema([(name, pa.int64()) for name in table])))


def _listing(spark: SparkSession, problems: Sequence[Problem]) -> DataFrame:
    facts, batches = Facts(), Batches()
    facts.add(*problems)
    batches.add(LISTING, "problem", to_tuples(facts, "problem"))
    table = pa.Table.from_batches([batch for _, batch in batches.flush()])
    return to_frame(spark, table).withColumn("row_id", sf.col("row"))
