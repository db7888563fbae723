"""Writes what queries return as tables of an audit, in order and in files, with some of it in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lintmdb.fleet.arrow import pa
from lintmdb.fleet.arrow_rows import shares, with_schema
from lintmdb.fleet.database import arrow_table
from lintmdb.fleet.judging.tables import ORDER, SCHEMAS, count_files, file_of, write_file, write_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

WANTED = "wanted"
"""A table that queries join: values of the first column by which a table is ordered, the ``file`` of each, and its
``place`` in the order of files and values.
"""
_ROUND_ROWS = 1_000_000
"""About so many rows are ordered at a time."""


def join_wanted(first: str) -> str:
    """The join that leaves the rows whose first column is in WANTED."""
    return f"INNER JOIN {WANTED} ON {WANTED}.value IS NOT DISTINCT FROM {first}"


def write_query(connection: DuckDBPyConnection, folder: Path, name: str, rows: str, counts: str) -> None:
    """Write the rows of a query as ``tables.write_table`` does. ``counts`` is as for ``want_files``."""
    first, *others = ORDER[name]
    query = f"SELECT stored.*, {WANTED}.file FROM ({rows}) AS stored {join_wanted(f'stored.{first}')}"
    order = ", ".join(["place", *(f"{column} NULLS FIRST" for column in others)])
    for _ in want_files(connection, folder, name, counts):
        for file, share in shares(arrow_table(connection, f"{query} ORDER BY {order}"), "file"):
            write_file(folder / name, file, with_schema(share, SCHEMAS[name]).combine_chunks())


def want_files(connection: DuckDBPyConnection, folder: Path, name: str, counts: str) -> Iterator[None]:
    """Fill WANTED with the rows of some files of a table, and then with those of the next. Without rows nothing is
    left to do: one file tells of the columns.

    ``counts`` is a query of the values of the first column of the table's order, each with a number of rows.
    """
    sums = f"SELECT {ORDER[name][0]}, CAST(SUM(number) AS BIGINT) FROM ({counts}) GROUP BY ALL"
    numbers: dict[str | None, int] = dict(connection.execute(sums).fetchall())
    if not numbers:
        write_rows(folder, name, ())
        return
    files = count_files(sum(numbers.values()))
    for values in _rounds({value: file_of(value, files) for value in numbers}, numbers):
        ordered = sorted(values.items(), key=lambda item: (item[1], item[0] is not None, item[0]))
        wanted = {
            "value": pa.array([value for value, _ in ordered], pa.string()),
            "file": pa.array([file for _, file in ordered], pa.int64()),
            "place": pa.array(range(len(ordered)), pa.int64()),
        }
        connection.register(WANTED, pa.table(wanted))
        yield


def _rounds(files: Mapping[str | None, int], numbers: Mapping[str | None, int]) -> Iterator[dict[str | None, int]]:
    """The file of each value, of some files at a time."""
    held: dict[str | None, int] = {}
    rows, last = 0, -1
    for value, file in sorted(files.items(), key=lambda item: item[1]):
        if file != last and rows >= _ROUND_ROWS:
            yield held
            held, rows = {}, 0
        held[value], last = file, file
        rows += numbers[value]
    yield held
