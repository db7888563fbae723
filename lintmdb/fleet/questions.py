"""People's own SQL over an audit's tables and the facts: one statement that only reads, its rows, its errors."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import cast

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, Row, SparkSession

from lintmdb.errors import LintmdbError
from lintmdb.fleet.errors import sql_reason
from lintmdb.fleet.facts.fact_views import fact_views
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.session import audit_session
from lintmdb.report.terminal import safe

TABLES = ("findings", "suppressed", "undecided", "inventory", "quarantine", "notices", "summary")
"""The tables of an audit, each a view of its name."""


def ask(spark: SparkSession, folder: Path, audit: Path, statement: str) -> DataFrame:
    """The rows that a statement asks for; nothing has run yet.

    Raises LintmdbError for a statement that is no query, that runs programs, or that Spark does not understand.
    """
    query = checked(statement)
    own = audit_session(spark)
    for table in TABLES:
        place = (audit / table).absolute()
        if place.is_dir():  # an older version wrote no suppressed
            own.read.parquet(str(place)).createOrReplaceTempView(table)
    fact_views(own, Store(folder.absolute()))
    # Inside parentheses Spark's grammar takes a query and nothing else: no INSERT, no CREATE, no SET.
    with _errors_in_one_line():
        return own.sql(f"{_BEFORE}{query}\n)")


def first_rows(asked: DataFrame, limit: int) -> list[list[object]]:
    """The first rows as plain values: structs and maps as dictionaries. Raises LintmdbError for what fails at work."""
    with _errors_in_one_line():
        return [_plain_row(row) for row in asked.limit(limit).collect()]


def all_rows(asked: DataFrame) -> Iterator[list[object]]:
    """All rows as plain values, one part of the result in memory at a time. Raises LintmdbError as ``first_rows``."""
    with _errors_in_one_line():
        for row in asked.toLocalIterator():
            yield _plain_row(row)


_BEFORE = "SELECT * FROM (\n"
"""What precedes the statement that a person wrote."""


@contextmanager
def _errors_in_one_line() -> Generator[None]:
    try:
        yield
    except PySparkException as error:
        raise LintmdbError(
            sql_reason(error, _BEFORE.count("\n")), next_step="The tables and columns are in docs/fleet.md"
        ) from None


# -- what is let through

_TOKEN = re.compile(
    r"""--[^\n]*|/\*.*?\*/            # comments
      | (?P<string>[A-Za-z]?'(?:\\.|''|[^'\\])*' | [A-Za-z]?"(?:\\.|""|[^"\\])*")
      | (?P<name>`(?:``|[^`])*` | \w+)
      | (?P<other>\S)""",
    re.VERBOSE | re.DOTALL,
)
_PROGRAMS = {"reflect", "java_method", "try_reflect"}
"""Functions that call any method of any Java class."""


def checked(statement: str) -> str:
    """A statement that may be run. Raises LintmdbError for one that is no query, or that runs programs."""
    query = statement.strip().rstrip(";").rstrip()
    if not query:
        raise LintmdbError(
            "there is no statement", next_step='Write one: "select rule, count(*) from findings group by rule"'
        )
    tokens = [(m.lastgroup or "", m.group().strip("`").lower()) for m in _TOKEN.finditer(query) if m.lastgroup]
    for (kind, word), (next_kind, following) in zip(tokens, [*tokens[1:], ("", "")], strict=True):
        if kind != "name":
            continue
        if word in _PROGRAMS and following == "(":
            raise LintmdbError(f"{word} runs programs, which a question may not", next_step="Leave it out")
        if word == "using" and next_kind == "string":
            raise LintmdbError("TRANSFORM ... USING runs programs, which a question may not", next_step="Leave it out")
    first = next((word for kind, word in tokens if kind == "name"), "")
    if _OTHER_STATEMENTS.fullmatch(first):
        raise LintmdbError(
            f"{first.upper()} is no question: only statements that read are run", next_step="Begin with SELECT or WITH"
        )
    return query


_OTHER_STATEMENTS = re.compile(
    "add|alter|analyze|begin|cache|call|clear|comment|create|declare|delete|desc|describe|drop|execute|explain|export|"
    "grant|import|insert|list|load|lock|merge|msck|optimize|refresh|repair|replace|reset|revoke|set|show|truncate|"
    "uncache|unlock|update|use"
)
"""Words that begin other statements: named in the error, and kept out by the parentheses in any case."""


# -- rows


def _plain_row(row: Row) -> list[object]:
    return [_plain(value) for value in cast("Sequence[object]", row)]


def _plain(value: object) -> object:
    if isinstance(value, Row):
        return {name: _plain(entry) for name, entry in cast("dict[str, object]", value.asDict()).items()}
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in cast("Mapping[object, object]", value).items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in cast("Sequence[object]", value)]
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return value.hex() if isinstance(value, (bytes, bytearray)) else str(value)


def as_json(names: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """An array of objects, one a line."""
    encode = json.JSONEncoder(ensure_ascii=False).encode
    lead = "["
    for row in rows:
        yield f"{lead}\n {encode(dict(zip(names, row, strict=True)))}"
        lead = ","
    yield "[]\n" if lead == "[" else "\n]\n"


def as_csv(names: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Comma separated values with a header; NULL is empty, a nested value is JSON."""
    header: Sequence[object] = names
    for row in chain([header], rows):
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(["" if value is None else _cell(value) for value in row])
        yield line.getvalue()


def as_table(names: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """Columns side by side, numbers to the right; NULL is a dot."""
    cells = [[safe("." if value is None else _cell(value)) for value in row] for row in rows]
    widths = [max(len(name), *(len(row[i]) for row in cells)) if cells else len(name) for i, name in enumerate(names)]
    numeric = [all(_is_number(row[i]) or row[i] is None for row in rows) for i in range(len(names))]

    def line(row: Sequence[str]) -> str:
        parts = (
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, numeric, strict=True)
        )
        return "  ".join(parts).rstrip() + "\n"

    yield line([safe(name) for name in names])
    yield line(["-" * width for width in widths])
    for row in cells:
        yield line(row)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
