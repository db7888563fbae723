"""Judges queues and queue managers that no endpoint of the fleet leads to, as ``check --all-queues`` does.

A made-up endpoint reads each of them, as in ``run.all_queues``: the same join from these endpoints instead of the
fleet's, and the same rules by the same text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lintmdb.fleet.facts.encoding import duckdb_columns
from lintmdb.fleet.judging.columnar.judge import SHAPED, Endpoints, Judged, judge, key_sql, shaped
from lintmdb.run.all_queues import rules_without_endpoint

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_KNOWN, _ALONE = "queue_is_read", "manager_is_unread"
_MADE_UP: Mapping[str, str] = {
    "row_id": "ROW_NUMBER() OVER (ORDER BY reader.is_queue, reader.part, reader.row)",
    "part": "reader.part",
    "row": "reader.row",
    "id": "CONCAT_WS(CHR(31), COALESCE(reader.environment, ''), reader.queue_manager, COALESCE(reader.queue, ''))",
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
    _KNOWN: "queue.a IS NOT NULL",
    # A queue manager that endpoints connect to is judged with them, and here only its other queues.
    _ALONE: "manager.a IS NULL",
}
"""What is known of an endpoint that stands for whichever endpoint would read a queue."""
_BEANS = f"CASE WHEN {_KNOWN} THEN 2 WHEN {_ALONE} THEN 0 ELSE 1 END"
_FOLLOWS: Mapping[str, str] = {"provider": "'wmq'", "beans": _BEANS, "unusable": "''", "ref": "row_id"}
"""What is the same of all, or follows from it; all else is not known."""
_READERS = f"""
    SELECT environment, name AS queue_manager, CAST(NULL AS VARCHAR) AS queue, CAST(NULL AS VARCHAR) AS opened,
        CAST(NULL AS VARCHAR) AS observed_user, FALSE AS user_guessed, 0 AS is_queue, part, "row"
    FROM {SHAPED}.queue_manager
    UNION ALL
    SELECT queue.environment, queue.queue_manager, queue.name, COALESCE(queue.observed_name, queue.name),
        COALESCE(queue.observed_user, client.observed_user),
        queue.observed_user IS NULL AND client.observed_user IS NOT NULL, 1, queue.part, queue."row"
    FROM {SHAPED}.queue AS queue LEFT JOIN (
        SELECT environment, name, MAX(observed_user) AS observed_user FROM {SHAPED}.queue_manager GROUP BY ALL
    ) AS client ON client.name = queue.queue_manager AND client.environment IS NOT DISTINCT FROM queue.environment
    WHERE type = 'local' AND (backout_threshold > 0 OR backout_queue <> '') AND queue.name NOT LIKE 'SYSTEM.%'
    """
_MANAGER = ("reader.environment", "reader.queue_manager")
_MADE_UP_ENDPOINTS = Endpoints(
    "unread",
    "unread_endpoint",
    never=frozenset({"bean", "server", "topic", "channel", "channel_access", "destination"}),
)


def judge_unread(connection: DuckDBPyConnection, judged: Judged, *, repeats: bool, apart: bool) -> tuple[Judged, int]:
    """The verdicts on what no flow of ``judged`` is about, and how many queues and queue managers that is."""
    made_up = f"""
        SELECT {", ".join(f'{value} AS "{name}"' for name, value in _MADE_UP.items())} FROM ({_READERS}) AS reader
        LEFT JOIN ({_known(judged, "queue")}) AS queue ON {_same("queue", *_MANAGER, "reader.queue")}
        LEFT JOIN ({_known(judged, "queue_manager")}) AS manager ON {_same("manager", *_MANAGER)}
        WHERE manager.a IS NULL OR reader.queue IS NOT NULL
        """
    types = {**duckdb_columns("endpoint"), "ref": "BIGINT", "row_id": "BIGINT"}
    known = {**{name: f'"{name}"' for name in _MADE_UP}, **_FOLLOWS}
    columns = ", ".join(f'CAST({known.get(name, "NULL")} AS {type_}) AS "{name}"' for name, type_ in types.items())
    connection.execute(
        f"CREATE TABLE {_MADE_UP_ENDPOINTS.rows} AS "
        f"SELECT {shaped('endpoint')} FROM (SELECT {columns} FROM ({made_up}))"
    )
    rules = rules_without_endpoint(judged.rules)
    only = {"queue": "endpoint.beans < 2", "queue_manager": "endpoint.beans = 0"}
    found = judge(connection, "flow", rules, repeats=repeats, apart=apart, endpoints=_MADE_UP_ENDPOINTS, only=only)
    connection.execute(f"UPDATE {found.chosen} SET flows = 1")
    counted = f"SELECT COUNT(*) FROM {_MADE_UP_ENDPOINTS.rows} WHERE beans < 2"
    ((unread,),) = connection.execute(counted).fetchall()
    return found, unread


def _known(judged: Judged, level: str) -> str:
    """A query of the keys of all subjects of a level that some flow was judged on."""
    words = judged.words(level)
    some = f"({' | '.join(words)}) <> 0" if words else "FALSE"
    keys = ", ".join(f"{level}_{half} AS {half}" if words else f"CAST(0 AS UBIGINT) AS {half}" for half in "ab")
    return f"SELECT DISTINCT {keys} FROM {judged.judged} WHERE {some}"


def _same(known: str, *fields: str) -> str:
    first, second = key_sql(*fields)
    return f"{known}.a = {first} AND {known}.b = {second}"
