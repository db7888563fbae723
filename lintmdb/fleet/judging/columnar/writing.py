"""Writes what queries return as tables of an audit, in order and in files, with some of it in memory at a time."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lintmdb.engine.findings import Subject
from lintmdb.fleet.arrow import Batch, Table, pa
from lintmdb.fleet.arrow_rows import with_schema
from lintmdb.fleet.database import arrow_batches
from lintmdb.fleet.judging.tables import ORDER, SCHEMAS, count_files, file_of, write_file, write_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

WANTED = "wanted"
"""A table that queries join: values of the first column by which a table is ordered, and the ``file`` of each."""
_ROUND_ROWS = 1_000_000
"""About so many rows are ordered at a time."""
_BATCH_ROWS = 20_000


def in_files(query: str, first: str) -> str:
    """The rows of a query whose column ``first`` is in WANTED, with their file."""
    return (
        f"SELECT stored.*, {WANTED}.file FROM ({query}) AS stored "
        f"INNER JOIN {WANTED} ON {WANTED}.value IS NOT DISTINCT FROM stored.{first}"
    )


def write_query(
    connection: DuckDBPyConnection,
    folder: Path,
    name: str,
    rows: str,
    counts: str,
    complete: Callable[[Table], Table] = lambda table: table,
) -> None:
    """Write the rows of a query as ``tables.write_table`` does; it joins WANTED, and gives the file of each row.

    ``counts`` is a query of the values of the first column of the table's order, each with a number of rows;
    ``complete`` adds the columns that the query lacks.
    """
    numbers: dict[str | None, int] = {}
    for value, number in connection.execute(f"SELECT {ORDER[name][0]}, number FROM ({counts})").fetchall():
        numbers[value] = numbers.get(value, 0) + int(number)
    if not numbers:
        write_rows(folder, name, ())
        return
    files = count_files(sum(numbers.values()))
    order = ", ".join(f"{key} NULLS FIRST" for column in ORDER[name] for key in _keys(column))
    for values in _rounds({value: file_of(value, files) for value in numbers}, numbers):
        wanted = {"value": pa.array(values, pa.string()), "file": pa.array(values.values(), pa.int64())}
        connection.register(WANTED, pa.table(wanted))
        for file, table in _by_file(arrow_batches(connection, f"FROM ({rows}) ORDER BY file, {order}", _BATCH_ROWS)):
            write_file(folder / name, file, with_schema(complete(table), SCHEMAS[name]).combine_chunks())


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


def _keys(column: str) -> list[str]:
    """By what a column is ordered: a struct by its fields."""
    return [f"subject.{name}" for name in Subject._fields] if column == "subject" else [column]


def _by_file(batches: Iterable[Batch]) -> Iterator[tuple[int, Table]]:
    """The rows of each file, of batches that are ordered by file."""
    held: list[Batch] = []
    current = -1
    for batch in batches:
        start = 0
        for file, rows in itertools.groupby(batch.column("file").to_pylist()):
            if file != current and held:
                yield current, pa.Table.from_batches(held)
                held = []
            current, count = file, sum(1 for _ in rows)
            held.append(batch.slice(start, count))
            start += count
    if held:
        yield current, pa.Table.from_batches(held)
