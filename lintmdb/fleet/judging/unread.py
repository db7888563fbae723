"""Judges queues and queue managers that no endpoint of the fleet leads to, as ``check --all-queues`` does.

A made-up endpoint reads each of them, as in ``run.all_queues``: the same join from these endpoints instead of the
fleet's, and the same rules by the same text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pyspark.sql import SparkSession

from lintmdb.fleet.facts.encoding import stored_columns
from lintmdb.fleet.judging.judge import Verdicts, judge, keep
from lintmdb.fleet.judging.narrow import Endpoints, key_sql
from lintmdb.run.all_queues import rules_without_endpoint

_TYPES = {"text": "STRING", "integer": "BIGINT", "boolean": "BOOLEAN"}
_KNOWN, _ALONE = "queue_is_read", "manager_is_unread"
_MADE_UP: Mapping[str, str] = {
    "row_id": "ROW_NUMBER() OVER (ORDER BY reader.is_queue, reader.part, reader.row)",
    "part": "reader.part",
    "row": "reader.row",
    "id": "CONCAT_WS('\\u001f', COALESCE(reader.environment, ''), reader.queue_manager, COALESCE(reader.queue, ''))",
    "environment": "reader.environment",
    "kind": "'activation_spec'",
    "name": "COALESCE(reader.opened, reader.queue_manager)",
    # No rule about destinations applies to a queue manager by itself.
    "destination_type": "CASE WHEN reader.queue IS NULL THEN 'mismatch' ELSE 'queue' END",
    "queue_manager": "reader.queue_manager",
    "queue": "reader.opened",
    "user": "reader.observed_user",
    "user_observed": "reader.observed_user IS NOT NULL",
    "user_guessed": "reader.user_guessed",
    # A queue that endpoints read is judged with them, and here it only has a reader, as other queues of a circle have.
    _KNOWN: "queue.key_1 IS NOT NULL",
    # A queue manager that endpoints connect to is judged with them, and here only its other queues.
    _ALONE: "manager.key_1 IS NULL",
}
"""What is known of an endpoint that stands for whichever endpoint would read a queue."""
_BEANS = f"CASE WHEN {_KNOWN} THEN 2L WHEN {_ALONE} THEN 0L ELSE 1L END"
_FOLLOWS: Mapping[str, str] = {"provider": "'wmq'", "beans": _BEANS}
"""What is the same of all, or follows from it; all else is not known."""
_READERS = """
    SELECT environment, name AS queue_manager, CAST(NULL AS STRING) AS queue, CAST(NULL AS STRING) AS opened,
        CAST(NULL AS STRING) AS observed_user, FALSE AS user_guessed, 0 AS is_queue, part, row
    FROM queue_manager
    UNION ALL
    SELECT queue.environment, queue.queue_manager, queue.name, COALESCE(queue.observed_name, queue.name),
        COALESCE(queue.observed_user, client.observed_user),
        queue.observed_user IS NULL AND client.observed_user IS NOT NULL, 1, queue.part, queue.row
    FROM queue LEFT JOIN (
        SELECT environment, name, MAX(observed_user) AS observed_user FROM queue_manager GROUP BY environment, name
    ) AS client ON client.name = queue.queue_manager AND client.environment <=> queue.environment
    WHERE type = 'local' AND (backout_threshold > 0 OR backout_queue <> '') AND queue.name NOT LIKE 'SYSTEM.%'
    """
_MANAGER = ("reader.environment", "reader.queue_manager")
_MADE_UP_ENDPOINTS = Endpoints(
    "unread",
    "unread_endpoint",
    never=frozenset({"bean", "server", "topic", "channel", "channel_access", "destination"}),
)


def judge_unread(spark: SparkSession, judged: Verdicts, scratch: Path, *, repeats: bool) -> tuple[Verdicts, int]:
    """The verdicts on what no flow of ``judged`` is about, and how many queues and queue managers that is."""
    made_up = f"""
        SELECT {", ".join(f"{value} AS `{name}`" for name, value in _MADE_UP.items())} FROM ({_READERS}) AS reader
        LEFT JOIN ({_known(judged, "queue")}) AS queue ON {_same("queue", *_MANAGER, "reader.queue")}
        LEFT JOIN ({_known(judged, "queue_manager")}) AS manager ON {_same("manager", *_MANAGER)}
        WHERE manager.key_1 IS NULL OR reader.queue IS NOT NULL
        """
    readers = keep(spark, spark.sql(made_up), scratch / "unread")
    readers.selectExpr(*_endpoint()).createOrReplaceTempView(_MADE_UP_ENDPOINTS.rows)
    rules = rules_without_endpoint(judged.rules)
    only = {"queue": "endpoint.beans < 2", "queue_manager": "endpoint.beans = 0"}
    verdicts = judge(spark, "flow", rules, scratch, repeats=repeats, endpoints=_MADE_UP_ENDPOINTS, only=only)
    once = verdicts.chosen.selectExpr("rule", "verdict", "first", "CAST(1 AS BIGINT) AS flows")
    return replace(verdicts, chosen=once), readers.where(f"NOT {_KNOWN}").count()


def _known(judged: Verdicts, level: str) -> str:
    """A query of the keys of all subjects of a level that some flow was judged on."""
    words = [column for column in judged.judged.columns if column.startswith(f"{level}_w")]
    some = f"({' | '.join(words)}) <> 0" if words else "FALSE"
    keys = [f"{level}_{half} AS key_{half}" if words else f"0L AS key_{half}" for half in (1, 2)]
    return f"SELECT DISTINCT {', '.join(keys)} FROM judged_{judged.endpoints.name} WHERE {some}"


def _same(known: str, *fields: str) -> str:
    return " AND ".join(f"{known}.key_{half} = {key_sql(half, *fields)}" for half in (1, 2))


def _endpoint() -> list[str]:
    """All columns of an endpoint."""
    types = {"part": "BIGINT", "row": "BIGINT", "row_id": "BIGINT"}
    types |= {column.name: _TYPES[column.type] for column in stored_columns("endpoint")}
    known: dict[str, str] = {**{name: f"`{name}`" for name in _MADE_UP}, **_FOLLOWS}
    return [f"CAST({known.get(name, 'NULL')} AS {type_}) AS `{name}`" for name, type_ in types.items()]
