"""The relations in SQLite: tables, the join of ``flow.sql``, and the verdict of every rule on every row.

The tables live in memory. Each has ``row_id``, the 1-based position of the row in its relation, so that a verdict
leads back to the row objects and their origins.
"""

from __future__ import annotations

import operator
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from lintmdb.engine.flow_join import join_sql
from lintmdb.engine.flow_rows import COMPUTED
from lintmdb.model.facts import Facts
from lintmdb.model.relations import ALIASES, RELATIONS, columns
from lintmdb.rules.rule import Rule
from lintmdb.rules.verdicts import verdict_sql

CONSUMER_ALIASES = ("consumers", "backout_consumers")
"""The aliases of a flow that ``flow.sql`` computes."""
CONSUMER_COLUMNS = tuple(column.name for column in columns(RELATIONS["consumers"]))
FLOW_ALIASES = tuple(alias for alias in ALIASES if alias not in {"binding", "problem", *CONSUMER_ALIASES})
"""The aliases of a flow that stand for stored rows."""
_INDEXES = (
    ("bean", "endpoint_id"),
    ("server", "id"),
    ("queue", "queue_manager, name"),
    ("queue_name", "queue_manager, name"),
    ("topic", "queue_manager, topic_string"),
    ("put_target", "queue_manager, name"),
    ("queue_manager", "name"),
    ("channel", "queue_manager, name"),
    ("authority", "queue_manager, queue, user"),
    ("destination", "id"),
)
_CHUNK = 200  # rules in one SELECT: far below SQLite's limit of 2,000 columns


def open_tables(facts: Facts) -> sqlite3.Connection:
    """An in-memory database that holds every relation of ``facts``."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("PRAGMA case_sensitive_like = TRUE")
    reachable = _reachable(facts)
    for table, relation in RELATIONS.items():
        names = [c.name for c in columns(relation)]
        # Spark has no column affinity: TEXT and INTEGER keep the values as they are.
        kinds = ["TEXT" if c.type == "text" else "INTEGER" for c in columns(relation)]
        declared = ", ".join(f'"{name}" {kind}' for name, kind in zip(names, kinds, strict=True))
        connection.execute(f'CREATE TABLE "{table}" (row_id INTEGER PRIMARY KEY, {declared})')
        numbered = reachable[table] if table in reachable else list(enumerate(facts.rows[table], 1))
        if numbered:
            values = map(operator.attrgetter(*names), [row for _, row in numbered])
            complete = ((number, *row) for (number, _), row in zip(numbered, values, strict=True))
            connection.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * (len(names) + 1))})', complete)
    for table, keys in _INDEXES:
        connection.execute(f'CREATE INDEX "by_{table}" ON "{table}" ({keys})')
    return connection


def _reachable(facts: Facts) -> dict[str, list[tuple[int, Any]]]:
    """The rows of queue managers that some endpoint leads to: a dump holds many queues that no bean reads."""
    opened = {(row.queue_manager, row.queue) for row in facts.rows["endpoint"]}
    names = _keyed(facts, "queue_name", "name", opened)
    queues = _keyed(facts, "queue", "name", {(row.queue_manager, row.local_queue) for _, row in names})
    kept = {(row.queue_manager, row.name) for _, row in queues}
    managers = {row.queue_manager for row in facts.rows["endpoint"] if row.topic is not None}
    topics = [(number, row) for number, row in enumerate(facts.rows["topic"], 1) if row.queue_manager in managers]
    models = {(row.queue_manager, name) for _, row in topics for name in (row.durable_model, row.nondurable_model)}
    targets = {(row.queue_manager, row.backout_queue) for _, row in queues}
    targets |= {(row.name, row.dead_letter_queue) for row in facts.rows["queue_manager"]}
    return {
        "queue_name": names,
        "queue": sorted([*queues, *(_keyed(facts, "queue", "name", models - kept) if models else [])]),
        "topic": topics,
        "put_target": _keyed(facts, "put_target", "name", targets),
        "authority": _keyed(facts, "authority", "queue", kept),
    }


def _keyed(facts: Facts, table: str, column: str, keys: set[tuple[str, str]]) -> list[tuple[int, Any]]:
    key = operator.attrgetter("queue_manager", column)
    return [(number, row) for number, row in enumerate(facts.rows[table], 1) if key(row) in keys]


def judge_rows(connection: sqlite3.Connection, base: str, rules: Sequence[Rule]) -> Iterator[tuple[Any, ...]]:
    """For each row of the base (``flow``, ``binding`` or ``problem``): its row ids, then one Verdict number a rule.

    A flow's row ids come in the order of FLOW_ALIASES, None where nothing joined, followed by CONSUMER_COLUMNS of each
    of CONSUMER_ALIASES and the COMPUTED columns of its endpoint; the other bases give one row id.
    """
    if base == "flow":
        identity = [f"{alias}.row_id" for alias in FLOW_ALIASES]
        identity += [f"{alias}.{name}" for alias in CONSUMER_ALIASES for name in CONSUMER_COLUMNS]
        identity += [f"endpoint.{name}" for name in COMPUTED]
        source = join_sql() + "\nORDER BY endpoint.row_id, bean.row_id"
    else:
        identity = [f"{base}.row_id"]
        source = f"FROM {base} ORDER BY {base}.row_id"
    connection.set_authorizer(_only_reads)
    try:
        parts: list[list[tuple[Any, ...]]] = []
        for start in range(0, max(len(rules), 1), _CHUNK):
            chunk = [verdict_sql(rule.when.sqlite, rule.hazard.sqlite) for rule in rules[start : start + _CHUNK]]
            chosen = (identity if start == 0 else []) + chunk
            parts.append(connection.execute(f"SELECT {', '.join(chosen)} {source}").fetchall())
    finally:
        connection.set_authorizer(None)
    if len(parts) == 1:
        yield from parts[0]
        return
    for pieces in zip(*parts, strict=True):
        yield tuple(value for piece in pieces for value in piece)


def _only_reads(action: int, *_: str | None) -> int:
    allowed = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION}
    return sqlite3.SQLITE_OK if action in allowed else sqlite3.SQLITE_DENY
