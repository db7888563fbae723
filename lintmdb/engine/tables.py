"""The relations in SQLite: tables, the join of ``flow.sql``, and the verdict of every rule on every row.

The tables live in memory. Each has ``row_id``, the 1-based position of the row in its relation, so that a verdict
leads back to the row objects and their origins.
"""

from __future__ import annotations

import functools
import itertools
import operator
import re
import sqlite3
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from lintmdb.engine.flow_join import ENVIRONMENT, Dialect, join_parts, join_sql, repeated_texts
from lintmdb.engine.flow_rows import COMPUTED, FlowRows, JudgedRows
from lintmdb.model.columns import columns
from lintmdb.model.facts import Facts
from lintmdb.model.relations import ALIASES, RELATIONS, Consumers, Row
from lintmdb.rules.rule import Rule
from lintmdb.rules.verdicts import verdict_sql

CONSUMER_ALIASES = tuple(name for name, alias in ALIASES.items() if alias.relation == "consumers")
"""The aliases of a flow whose rows ``flow.sql`` computes."""
CONSUMER_COLUMNS = tuple(column.name for column in columns(RELATIONS["consumers"]))
_CONSUMER_QUEUE = CONSUMER_COLUMNS.index("queue")
FLOW_ALIASES = tuple(name for name, alias in ALIASES.items() if not alias.standalone and name not in CONSUMER_ALIASES)
"""The aliases of a flow that stand for stored rows."""
_CHUNK = 200  # rules in one SELECT: far below SQLite's limit of 2,000 columns


class Tables:
    """An in-memory database for the relations of one estate after another.

    SQLite keeps what it has prepared for a long SELECT with the connection. For a small estate, preparing it takes
    longer than the answer.
    """

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.connection.execute("PRAGMA case_sensitive_like = TRUE")
        # SQLite's own knows the letters of ASCII alone.
        self.connection.create_function("LOWER", 1, _lower, deterministic=True)
        for table, relation in RELATIONS.items():
            # Spark has no column affinity: TEXT and INTEGER keep the values as they are.
            declared = ", ".join(f'"{c.name}" {"TEXT" if c.type == "text" else "INTEGER"}' for c in columns(relation))
            self.connection.execute(f'CREATE TABLE "{table}" (row_id INTEGER PRIMARY KEY, {declared})')
        self._filled: list[str] = []
        self._indexed = False
        self._judging = False
        # Setting one anew would make SQLite forget what it has prepared.
        self.connection.set_authorizer(self._allow)

    def fill(self, facts: Facts, wanted: Collection[str] | None = None) -> int:
        """Put the rows of ``facts`` into the empty tables, with the columns that are wanted, or all. Returns how many
        they are.
        """
        reachable = _reachable(facts)
        count = 0
        self.connection.execute("BEGIN")  # a transaction for each row would take a tenth longer
        for table, relation in RELATIONS.items():
            chosen = [c for c in columns(relation) if wanted is None or c.name in wanted]
            numbered = reachable[table] if table in reachable else list(enumerate(facts.rows[table], 1))
            if numbered:
                numbers, rows = zip(*numbered, strict=True)
                values = (list(map(operator.attrgetter(c.name), rows)) for c in chosen)
                # SQLite takes four times as long to take a truth value or a NULL as a number.
                known = {
                    c.name: map(_NUMBERS.get, column) if c.type == "boolean" else column
                    for c, column in zip(chosen, values, strict=True)
                    if column.count(None) < len(column)
                }
                own = ", ".join(f'"{name}"' for name in ("row_id", *known))
                marks = ", ".join("?" * (len(known) + 1))
                complete = zip(numbers, *known.values(), strict=True)
                self.connection.executemany(f'INSERT INTO "{table}" ({own}) VALUES ({marks})', complete)
                self._filled.append(table)
                count += len(numbered)
        self.connection.execute("COMMIT")
        if not self._indexed:
            for table, relation in RELATIONS.items():
                if keys := ", ".join(c.name for c in columns(relation) if c.key):
                    self.connection.execute(f'CREATE INDEX "by_{table}" ON "{table}" ({keys})')
            self._indexed = True
        return count

    def empty(self) -> None:
        """Remove all rows."""
        while self._filled:
            self.connection.execute(f'DELETE FROM "{self._filled.pop()}"')

    def ask(self, statement: str) -> list[_Result]:
        """All rows of a SELECT that holds conditions of rules: it can read, and nothing else."""
        self._judging = True
        try:
            return self.connection.execute(statement).fetchall()
        finally:
            self._judging = False

    def _allow(self, action: int, *_: str | None) -> int:
        return sqlite3.SQLITE_DENY if self._judging and action not in _READING else sqlite3.SQLITE_OK


_NUMBERS = {None: None, False: 0, True: 1}
_READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION})
_Result: TypeAlias = tuple[Any, ...]
"""What SQLite answers: it has no types before it is asked."""
_SMALL = 5_000
"""Rows of an estate whose tables are used again. More would stay in memory, and their SELECT takes longer anyway."""
_free: list[Tables] = []
"""Empty tables that nobody uses."""


@contextmanager
def filled_tables(facts: Facts, rules: Sequence[Rule] | None = None) -> Generator[Tables]:
    """A database that holds every relation of ``facts``, for as long as the block runs.

    With ``rules``, columns that neither they nor the join read are empty: rows have many that only reports show.
    """
    try:
        tables = _free.pop()
    except IndexError:  # asking first would leave another thread time to take the last
        tables = Tables()
    rows = 0
    try:
        rows = tables.fill(facts, None if rules is None else _columns_read(tuple(map(_columns_of, rules))))
        yield tables
    finally:
        if 0 < rows <= _SMALL and not _free:
            tables.empty()
            _free.append(tables)
        else:
            tables.connection.close()


def _columns_of(rule: Rule) -> tuple[str, ...]:
    """The columns of a rule, and those that its conditions read besides."""
    return (*rule.columns, *rule.when.columns, *rule.hazard.columns)


@functools.lru_cache(maxsize=8)  # a search for a plan judges hundreds of times by the same rules
def _columns_read(by_rule: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    """The names of columns that rules, each with its own, and the join read, of whatever relation."""
    joins = (*join_parts().values(), *repeated_texts().values())
    read = {word for text in joins for word in re.findall(r"\w+", text)}
    read.add(ENVIRONMENT[1:])
    return frozenset(read | {name.partition(".")[2] for own in by_rule for name in own})


def _reachable(facts: Facts) -> dict[str, list[tuple[int, Row]]]:
    """The rows of queue managers that some endpoint leads to: a dump holds many queues that no bean reads, and no rule
    reads what only sends messages on.
    """
    opened = {(row.queue_manager, row.queue) for row in facts.rows["endpoint"]}
    names = _keyed(facts, "queue_name", "name", opened)
    queues = _keyed(facts, "queue", "name", _pairs(names, "queue_manager", "local_queue"))
    kept = _pairs(queues, "queue_manager", "name")
    managers = {row.queue_manager for row in facts.rows["endpoint"] if row.topic is not None}
    topics = [(number, row) for number, row in enumerate(facts.rows["topic"], 1) if row.queue_manager in managers]
    models = {(row.queue_manager, name) for _, row in topics for name in (row.durable_model, row.nondurable_model)}
    if models - kept:
        queues = _keyed(facts, "queue", "name", kept | models)
    targets = _pairs(queues, "queue_manager", "backout_queue")
    targets |= {(row.name, row.dead_letter_queue) for row in facts.rows["queue_manager"]}
    return {
        "queue_name": names,
        "queue": queues,
        "forwarding": [],
        "cluster_member": [],
        "topic": topics,
        "put_target": _keyed(facts, "put_target", "name", targets),
        "authority": _keyed(
            facts, "authority", "queue", {(manager, name) for manager, queue in opened for name in ("", queue)} | models
        ),
    }


_Pair: TypeAlias = tuple[str | None, str | None]


def _lower(text: str | None) -> str | None:
    return text if text is None else text.lower()


def _pairs(numbered: Iterable[tuple[int, Row]], *names: str) -> set[_Pair]:
    return set(map(operator.attrgetter(*names), (row for _, row in numbered)))


def _keyed(facts: Facts, table: str, column: str, keys: set[_Pair]) -> list[tuple[int, Row]]:
    rows = facts.rows[table]
    wanted = map(keys.__contains__, map(operator.attrgetter("queue_manager", column), rows))
    return list(itertools.compress(enumerate(rows, 1), wanted))


def judge_rows(
    tables: Tables, facts: Facts, base: str, rules: Sequence[Rule]
) -> Iterator[tuple[JudgedRows, tuple[int, ...]]]:
    """Each flow, binding or problem (the ``base``) of ``facts``, and the Verdict number of each rule on it."""
    if base != "flow":
        for result in _verdicts(tables, [f"{base}.row_id"], f"FROM {base} ORDER BY {base}.row_id", rules):
            yield facts.rows[base][result[0] - 1], result[1:]
        return
    identity = [f"{alias}.row_id" for alias in FLOW_ALIASES]
    identity += [f"{alias}.{name}" for alias in CONSUMER_ALIASES for name in CONSUMER_COLUMNS]
    identity += [f"endpoint.{name}" for name in COMPUTED]
    relations = [facts.rows[ALIASES[alias].relation] for alias in FLOW_ALIASES]
    # A queue manager of an environment is apart from endpoints of none, too.
    apart = any(row.environment is not None for side in ("endpoint", "queue_manager") for row in facts.rows[side])
    for result in _verdicts(tables, identity, _ordered_flows(apart=apart), rules):
        yield _flow_rows(relations, result[: len(identity)]), result[len(identity) :]


@functools.cache
def _ordered_flows(*, apart: bool) -> str:
    """The join of all flows in their order, with named environments or without."""
    return join_sql(dialect=Dialect(apart=apart)) + "\nORDER BY endpoint.row_id, bean.row_id"


def _flow_rows(tables: Sequence[Sequence[Row]], result: _Result) -> FlowRows:
    """The rows behind the row ids, computed rows and computed columns of one flow."""
    stored: list[Row | None] = [
        None if row_id is None else table[row_id - 1] for table, row_id in zip(tables, result, strict=False)
    ]
    consumers: list[Consumers | None] = []
    end = len(tables)
    for _ in CONSUMER_ALIASES:
        start, end = end, end + len(CONSUMER_COLUMNS)
        values = result[start:end]
        is_there = values[_CONSUMER_QUEUE] is not None
        consumers.append(Consumers(**dict(zip(CONSUMER_COLUMNS, values, strict=True))) if is_there else None)
    computed = (
        value if value is None else read(value) for read, value in zip(_READ_COMPUTED, result[end:], strict=True)
    )
    return FlowRows._make((*stored, *consumers, *computed))


def _as_it_is(value: Any) -> Any:
    return value


_READ_COMPUTED = tuple(
    bool if column.type == "boolean" else _as_it_is for column in columns(RELATIONS["endpoint"]) if column.computed
)
"""What makes values of the computed columns from what SQLite has, which knows no truth values."""


def _verdicts(tables: Tables, identity: Sequence[str], source: str, rules: Sequence[Rule]) -> Iterator[_Result]:
    """The columns of ``identity`` and one Verdict number a rule, for each row of ``source``."""
    parts: list[list[_Result]] = []
    for start in range(0, max(len(rules), 1), _CHUNK):
        chunk = [verdict_sql(rule.when.sqlite, rule.hazard.sqlite) for rule in rules[start : start + _CHUNK]]
        chosen = [*identity, *chunk] if start == 0 else chunk
        parts.append(tables.ask(f"SELECT {', '.join(chosen)} {source}"))
    if len(parts) == 1:
        yield from parts[0]
        return
    for pieces in zip(*parts, strict=True):
        yield tuple(value for piece in pieces for value in piece)
