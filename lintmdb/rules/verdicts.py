"""What a rule says of one row: the four verdicts, and SQLite trying a rule on its own examples."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Generator
from contextlib import closing, contextmanager
from enum import IntEnum

from lintmdb.errors import RuleError
from lintmdb.rules.conditions import VOCABULARY
from lintmdb.rules.rule import Example, Rule


class Verdict(IntEnum):
    """The verdict of one rule on one row."""

    NOT_APPLICABLE = 0
    CLEAR = 1
    UNDECIDED = 2
    HAZARD = 3


def verdict_sql(when: str, hazard: str) -> str:
    """The SQL expression that gives a rule's Verdict as a number, by three-valued logic."""
    # In the order of how often: most rules are not about a row, or find it clear.
    return f"CASE WHEN NOT ({when}) THEN 0 WHEN NOT ({hazard}) THEN 1 WHEN ({when}) AND ({hazard}) THEN 3 ELSE 2 END"


def check_grammar(rule: Rule) -> None:
    """Prepare a rule's conditions in SQLite, with nothing allowed but reading columns. Raises RuleError."""
    with _alias_tables() as connection:
        connection.set_authorizer(_only_columns)
        tables = ", ".join(sorted({name.partition(".")[0] for name in rule.columns})) or "endpoint"
        for part, condition in (("when", rule.when), ("hazard", rule.hazard)):
            try:
                connection.execute(f"EXPLAIN SELECT ({condition.sqlite}) FROM {tables}")
            except sqlite3.Error as error:
                raise RuleError(f"{part} of {rule.id} is not a condition: {error}", path=rule.path) from error
    if not rule.columns:
        raise RuleError(f"{rule.id} reads no column", path=rule.path, next_step="Name columns as alias.column")


def judge_example(rule: Rule, example: Example) -> Verdict:
    """The verdict of a rule on one of its examples. Raises RuleError for a column that no relation has."""
    aliases = {name.partition(".")[0] for name in rule.columns}
    with _alias_tables(aliases | set(example.rows)) as connection:
        for alias in aliases | set(example.rows):
            row = dict(example.rows.get(alias, {}))
            for name, value in row.items():
                column = VOCABULARY.get(alias, {}).get(name)
                if column is None:
                    raise RuleError(
                        f"an example of {rule.id} sets {alias}.{name}, which no relation has", path=rule.path
                    )
                if column.values and value is not None and value not in column.values:
                    raise RuleError(f"an example of {rule.id} gives {alias}.{name} the value {value!r}", path=rule.path)
            if row:
                names = ", ".join(f'"{name}"' for name in row)
                connection.execute(
                    f'INSERT INTO "{alias}" ({names}) VALUES ({", ".join("?" * len(row))})', tuple(row.values())
                )
            else:
                connection.execute(f'INSERT INTO "{alias}" DEFAULT VALUES')
        tables = ", ".join(sorted(aliases))
        (number,) = connection.execute(
            f"SELECT {verdict_sql(rule.when.sqlite, rule.hazard.sqlite)} FROM {tables}"
        ).fetchone()
    return Verdict(number)


@contextmanager
def _alias_tables(aliases: Collection[str] = VOCABULARY) -> Generator[sqlite3.Connection]:
    """Empty tables named by alias, so that SQLite resolves ``alias.column`` without the join."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("PRAGMA case_sensitive_like = TRUE")
        for alias in aliases:
            vocabulary = VOCABULARY.get(alias)
            if vocabulary is None:
                continue
            types = (f'"{c.name}" {"TEXT" if c.type == "text" else "INTEGER"}' for c in vocabulary.values())
            connection.execute(f'CREATE TABLE "{alias}" ({", ".join(types)})')
        yield connection


def _only_columns(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    if action in {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ}:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION and second == "like":
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY
