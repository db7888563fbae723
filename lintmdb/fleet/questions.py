"""People's own SQL over an audit's tables and the facts: one statement that only reads, its rows, its errors.

DuckDB runs it in this process: it reads Parquet as it lies there, and needs neither Java nor a cluster.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, cast

import duckdb

from lintmdb.errors import LintmdbError
from lintmdb.fleet.database import connect, quoted
from lintmdb.fleet.facts.fact_views import fact_views
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.star import star_views
from lintmdb.report.terminal import safe

if TYPE_CHECKING:
    from collections.abc import Sequence

TABLES = (
    "findings",
    "suppressed",
    "undecided",
    "inventory",
    "quarantine",
    "notices",
    "summary",
    "history",
    "audits",
    "plan",
    "plan_change",
    "wave",
)
"""The tables of an audit, each a view of its name; those of a plan only where one was asked for."""
_BATCH_ROWS = 1_000
_NEXT_STEP = "The tables and columns are in docs/fleet.md"


class Answer:
    """The rows that a statement asks for, a part of them in memory at a time."""

    def __init__(self, columns: Sequence[str], rows: Iterator[Sequence[object]]) -> None:
        self.columns = columns
        self._rows = rows

    def first(self, limit: int) -> list[list[object]]:
        """The next rows as plain values. Raises LintmdbError for what fails at work."""
        return list(islice(self.all(), limit))

    def all(self) -> Iterator[list[object]]:
        """All rows that are left as plain values: structs and maps as dictionaries. Raises as ``first``."""
        with _errors_in_one_line():
            for row in self._rows:
                yield [_plain(value) for value in row]


@contextmanager
def ask(folder: Path, audit: Path, statement: str) -> Generator[Answer]:
    """The rows that a statement asks for, within the block.

    Raises LintmdbError for a statement that is no query, or that DuckDB does not understand.
    """
    connection = connect()
    try:
        query = _parsed(connection, statement)
        there: set[str] = set()
        for table in TABLES:
            files = sorted(str(file) for file in (audit / table).absolute().rglob("*.parquet"))
            if files:  # an older version wrote no suppressed
                listed = ", ".join(map(quoted, files))
                connection.execute(
                    f"CREATE VIEW {table} AS SELECT * FROM read_parquet([{listed}], hive_partitioning = false)"
                )
                there.add(table)
        star_views(connection, there)
        fact_views(connection, Store(folder.absolute()))
        # From here on a question can read these folders and nothing else, and write nowhere.
        connection.execute(f"SET allowed_directories = [{quoted(str(folder.absolute()))}]")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        with _errors_in_one_line():
            result = connection.execute(query)
        columns = [str(column[0]) for column in result.description or ()]
        yield Answer(columns, _fetched(result))
    finally:
        connection.close()


def _fetched(result: duckdb.DuckDBPyConnection) -> Iterator[Sequence[object]]:
    while rows := result.fetchmany(_BATCH_ROWS):
        yield from rows


_PLACE = re.compile(r"\s+(LINE (\d+): )([^\n]*)\n( *)\^+", re.DOTALL)


@contextmanager
def _errors_in_one_line() -> Generator[None]:
    try:
        yield
    except duckdb.Error as error:
        raise LintmdbError(_reason(str(error)), next_step=_NEXT_STEP) from None


def _reason(text: str) -> str:
    """What is wrong with a statement in one line, with the place that DuckDB marks in it."""
    told = safe(" ".join(_PLACE.sub("", text).partition(": ")[2].split())).rstrip(".?")
    place = _PLACE.search(text)
    if place is None:
        return f"SQL: {told}"
    lead, line, shown, indent = place.groups()
    column = "" if shown.startswith("...") else f", column {len(indent) - len(lead) + 1}"
    return f"SQL, line {line}{column}: {told}"


def _parsed(connection: duckdb.DuckDBPyConnection, text: str) -> duckdb.Statement:
    """The one statement of a text. Raises LintmdbError where it is no query."""
    with _errors_in_one_line():
        statements = connection.extract_statements(text)
    if not statements:
        raise LintmdbError(
            "there is no statement", next_step='Write one: "select rule, count(*) from findings group by rule"'
        )
    if len(statements) > 1:
        raise LintmdbError("there are several statements", next_step="Ask one question at a time")
    if statements[0].type != duckdb.StatementType.SELECT:
        raise LintmdbError(
            f"{statements[0].type.name} is no question: only statements that read are run",
            next_step="Begin with SELECT or WITH",
        )
    return statements[0]


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in cast("dict[object, object]", value).items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in cast("Sequence[object]", value)]
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return value.hex() if isinstance(value, (bytes, bytearray)) else str(value)
