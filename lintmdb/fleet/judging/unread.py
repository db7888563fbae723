"""Judges queues and queue managers that no endpoint of the fleet leads to, as ``check --all-queues`` does.

A made-up endpoint reads each of them, as in ``run.all_queues``, in the place of the fleet's endpoints: the same join,
and the same rules by the same text. The verdicts are written before the fleet's own endpoints come back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from lintmdb.fleet.facts.encoding import stored_columns
from lintmdb.fleet.facts.views import ENDPOINT_ROW
from lintmdb.fleet.judging.findings import present
from lintmdb.fleet.judging.judge import Verdicts, judge
from lintmdb.fleet.judging.narrow import key_sql
from lintmdb.fleet.judging.suppressed import SuppressionKeys
from lintmdb.run.all_queues import of_a_queue, rules_without_endpoint
from lintmdb.run.owners import NOBODY, Owners

_TYPES = {"text": "STRING", "integer": "BIGINT", "boolean": "BOOLEAN"}
_MADE_UP: Mapping[str, str] = {
    "row_id": "ROW_NUMBER() OVER (ORDER BY reader.is_queue, reader.part, reader.row)",
    "part": "reader.part",
    "row": "reader.row",
    "id": "CONCAT_WS('\\u001f', COALESCE(reader.environment, ''), reader.queue_manager, COALESCE(reader.queue, ''))",
    "environment": "reader.environment",
    "kind": "'activation_spec'",
    "name": "COALESCE(reader.queue, reader.queue_manager)",
    "provider": "'wmq'",
    # No rule about destinations applies to a queue manager by itself.
    "destination_type": "CASE WHEN reader.queue IS NULL THEN 'mismatch' ELSE 'queue' END",
    "queue_manager": "reader.queue_manager",
    "queue": "reader.queue",
    "beans": "0L",
}
"""What is known of an endpoint that stands for whichever endpoint would read a queue."""
_READERS = """
    SELECT environment, name AS queue_manager, CAST(NULL AS STRING) AS queue, 0 AS is_queue, part, row
    FROM queue_manager
    UNION ALL
    SELECT environment, queue_manager, name, 1, part, row FROM queue
    WHERE type = 'local' AND (backout_threshold > 0 OR backout_queue <> '') AND name NOT LIKE 'SYSTEM.%'
    """
_MANAGER = ("reader.environment", "reader.queue_manager")
_TABLES = ("unread_alone", "unread_beside")


@dataclass(frozen=True, slots=True)
class Unread:
    """The verdicts on queues and queue managers without an endpoint, each as files of its own."""

    presented: Sequence[DataFrame]
    clear: Sequence[DataFrame]
    objects: int
    """How many queues and queue managers were judged."""


def judge_unread(
    spark: SparkSession,
    judged: Verdicts,
    scratch: Path,
    left_out: SuppressionKeys | None,
    restore: Callable[[], object],
    owners: Owners = NOBODY,
    *,
    repeats: bool,
) -> Unread:
    """Judge what no flow of ``judged`` is about. ``restore`` makes the views again that this replaces."""
    chosen = rules_without_endpoint(judged.rules)
    queues, managers = _known(spark, judged, "queue", scratch), _known(spark, judged, "queue_manager", scratch)
    alone = f"""
        LEFT ANTI JOIN {managers} AS manager ON {_same("manager", *_MANAGER)}
        LEFT ANTI JOIN {queues} AS queue ON {_same("queue", *_MANAGER, "reader.queue")}
        """
    beside = f"""
        LEFT SEMI JOIN {managers} AS manager ON {_same("manager", *_MANAGER)}
        LEFT ANTI JOIN {queues} AS queue ON {_same("queue", *_MANAGER, "reader.queue")}
        WHERE reader.queue IS NOT NULL
        """
    # A queue manager that endpoints connect to is judged with them, and here only its other queues.
    told = ((alone, chosen), (beside, [rule for rule in chosen if of_a_queue(rule)]))
    for name, (which, _) in zip(_TABLES, told, strict=True):
        made_up = f"SELECT {_columns('endpoint', _MADE_UP)} FROM ({_READERS}) AS reader {which}"
        spark.sql(made_up).write.parquet(str(scratch / name))
    presented: list[DataFrame] = []
    clear: list[DataFrame] = []
    objects = 0
    try:
        spark.sql(f"SELECT {_columns('bean', {'row_id': '0L'})} FROM RANGE(0)").createOrReplaceTempView("bean")
        for name, (_, own) in zip(_TABLES, told, strict=True):
            endpoints = spark.read.parquet(str(scratch / name))
            objects += endpoints.count()
            for view in ("endpoint", ENDPOINT_ROW):
                endpoints.createOrReplaceTempView(view)
            verdicts = judge(spark, "flow", own, scratch / f"{name}_judged", repeats=repeats)
            once = verdicts.chosen.selectExpr("rule", "verdict", "first", "CAST(1 AS BIGINT) AS flows")
            verdicts = replace(verdicts, chosen=once)
            for rows, kind, into in (
                (present(spark, verdicts, left_out, owners, repeats=repeats), "presented", presented),
                (verdicts.clear, "clear", clear),
            ):
                place = str(scratch / f"{name}_{kind}")
                rows.write.parquet(place)
                into.append(spark.read.schema(rows.schema).parquet(place))
    finally:
        restore()
    return Unread(presented, clear, objects)


def _known(spark: SparkSession, judged: Verdicts, level: str, scratch: Path) -> str:
    """A view of the keys of all subjects of a level that some flow was judged on; the flows' own views come after."""
    place, name = scratch / f"known_{level}", f"known_{level}"
    words = [column for column in judged.judged.columns if column.startswith(f"{level}_w")]
    some = f"({' | '.join(words)}) <> 0" if words else "FALSE"
    keys = [f"{level}_{half} AS key_{half}" if words else f"0L AS key_{half}" for half in (1, 2)]
    judged.judged.where(some).selectExpr(*keys).distinct().write.parquet(str(place))
    spark.read.parquet(str(place)).createOrReplaceTempView(name)
    return name


def _same(known: str, *fields: str) -> str:
    return " AND ".join(f"{known}.key_{half} = {key_sql(half, *fields)}" for half in (1, 2))


def _columns(relation: str, known: Mapping[str, str]) -> str:
    """All columns of a relation's view, those NULL of which nothing is known."""
    names = {"part": "BIGINT", "row": "BIGINT"} | {c.name: _TYPES[c.type] for c in stored_columns(relation)}
    names["row_id"] = "BIGINT"
    return ", ".join(f"CAST({known.get(name, 'NULL')} AS {kind}) AS `{name}`" for name, kind in names.items())
