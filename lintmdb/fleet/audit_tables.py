"""The Parquet tables of one audit, read in batches and aggregated by Arrow: findings stay out of Python's memory.

pyarrow has no type information. This module is the border: it calls pyarrow untyped, and what it hands out has the
types that it declares here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar, cast

import pyarrow as _pyarrow
import pyarrow.compute as _compute
import pyarrow.dataset as _dataset

from lintmdb.errors import LintmdbError

pa: Any = _pyarrow
pc: Any = _compute
ds: Any = _dataset

_BATCH_ROWS = 8_192
_ROWS_BEFORE_MERGE = 100_000

Merge = Literal["sum", "min"]
"""How the rows of one group become one row. Each can be applied again to its own results."""
Record = TypeVar("Record")


class Column(Protocol):
    """A ``pyarrow.ChunkedArray`` or ``pyarrow.Array``."""

    def combine_chunks(self) -> Column:
        """The column in one piece."""
        ...

    def to_pylist(self) -> list[Any]:
        """Its values."""
        ...


class Expression(Protocol):
    """A ``pyarrow.dataset.Expression``: a column or a condition, evaluated while a table is read."""

    def is_valid(self) -> Expression:
        """Where the column is not NULL."""
        ...

    def isin(self, values: Column, /) -> Expression:
        """Where the column has one of these values."""
        ...

    def __and__(self, other: Expression, /) -> Expression: ...


class Table(Protocol):
    """A ``pyarrow.Table``."""

    @property
    def num_rows(self) -> int:
        """How many rows there are."""
        ...

    def __getitem__(self, name: str, /) -> Column: ...

    def select(self, columns: Sequence[str], /) -> Table:
        """Some columns, in this order."""
        ...

    def filter(self, mask: Column, /) -> Table:
        """The rows for which a column of booleans is true."""
        ...

    def to_pylist(self) -> list[dict[str, object]]:
        """Its rows."""
        ...


# -- reading


PLACES = ("cell", "queue_manager", "place")
"""Columns with names that are those of an environment."""


def _name_in(place: str) -> Expression:
    """A cell or a queue manager as people call it among those of all environments."""
    both = pc.binary_join_element_wise(pc.field(place), pc.field("environment"), " in ")
    return pc.coalesce(both, pc.field(place))


_ADDED = ("environment", "subject_environment", "owner")
"""Columns that tables of an older version lack."""


def _has(schema: Any, name: str) -> bool:
    """Whether a table has a column of ``_ADDED``."""
    if name != "subject_environment":
        return name in schema.names
    return "subject" in schema.names and schema.field("subject").type.get_field_index("environment") >= 0


def batches(
    audit: Path,
    name: str,
    columns: Mapping[str, Expression] | Sequence[str],
    *,
    where: Expression | None = None,
    named: bool = False,
) -> Iterator[Table]:
    """The rows of a table as Arrow tables of a few thousand rows, in the order of its files.

    ``columns`` names columns, or maps names to expressions. A table without files has no rows, and one of an older
    version no environment and no owner, which are NULL then. With ``named`` cells and queue managers have the names
    that ``model.environment_names.name_in`` gives them.
    Raises LintmdbError for a table that cannot be read.
    """
    files = table_files(audit, name)
    if not files:
        return
    projection = {name: columns[name] if isinstance(columns, Mapping) else field(name) for name in columns}
    try:
        known = ds.dataset(files, format="parquet").schema
        lacking = [name for name in projection if name in _ADDED and not _has(known, name)]
        for name in lacking:
            projection[name] = pc.scalar(pa.scalar(None, pa.string()))
        if named and "environment" in known.names:
            projection |= {place: _name_in(place) for place in PLACES if place in projection}
        scanner = ds.dataset(files, format="parquet").scanner(
            columns=projection, filter=where, batch_size=_BATCH_ROWS, batch_readahead=2, fragment_readahead=1
        )
        for batch in scanner.to_batches():
            if batch.num_rows:
                yield pa.Table.from_batches([batch])
    except (pa.ArrowException, OSError) as error:
        raise unreadable(audit / name, error) from error


def table_files(audit: Path, name: str) -> list[str]:
    """The Parquet files of a table, in their order."""
    return [str(file) for file in sorted((audit / name).rglob("*.parquet")) if not _hidden(file, audit)]


def unreadable(table: Path, error: Exception) -> LintmdbError:
    """What to raise for a table that cannot be read."""
    first_line = str(error).partition("\n")[0]
    return LintmdbError(
        f"the table {table.name} of the audit cannot be read: {first_line}",
        path=str(table),
        next_step="Run lintmdb fleet audit again",
    )


def _hidden(file: Path, audit: Path) -> bool:
    return any(part.startswith(("_", ".")) for part in file.relative_to(audit).parts)


def field(*path: str) -> Expression:
    """An expression: a column, or a member of a struct column."""
    return ds.field(*path)


def has_text(name: str) -> Expression:
    """The condition that a text column is neither NULL nor blank."""
    return field(name).is_valid() & (ds.field(name) != "")


def is_one_of(name: str, values: Iterable[str | None]) -> Expression:
    """The condition that a text column has one of these values."""
    return field(name).isin(text_column(values))


# -- rows as Python values


def read_records(table: Table | None, kind: type[Record]) -> list[Record]:
    """A small table as dictionaries of the columns that ``kind`` declares, a TypedDict; no rows for None.

    Nothing checks the values: the types that ``kind`` declares are those of the table's schema.
    """
    if table is None:
        return []
    return cast("list[Record]", rows(table.select(list(kind.__annotations__))))


def texts(column: Column) -> list[str | None]:
    """The values of a text column."""
    return column.to_pylist()


def rows(table: Table | None) -> list[dict[str, Any]]:
    """A small table as dictionaries of all its columns; no rows for None."""
    return [] if table is None else cast("Any", table).to_pylist()


def total(table: Table | None, column: str) -> int:
    """The sum of a column; 0 without rows."""
    return 0 if table is None else int(pc.sum(table[column]).as_py() or 0)


# -- columns


def text_column(values: Iterable[str | None]) -> Column:
    """A column of texts."""
    return pa.array(list(values), pa.string())


def number_column(values: Iterable[int]) -> Column:
    """A column of integers."""
    return pa.array(list(values), pa.int64())


def equal(column: Column, value: str | None) -> Column:
    """A mask of the rows with a value; None equals NULL, as in SQL's IS NOT DISTINCT FROM."""
    return pc.is_null(column) if value is None else pc.fill_null(pc.equal(column, value), False)


def among(column: Column, values: Iterable[str | None]) -> Column:
    """A mask of the rows of a text column with one of these values; None equals NULL."""
    return pc.is_in(column, value_set=text_column(values))


def known(column: Column) -> Column:
    """A mask of the rows that are not NULL."""
    return pc.is_valid(column)


def both(mask: Column, other: Column) -> Column:
    """A mask of the rows that are in both masks, neither of which has NULLs."""
    return pc.and_(mask, other)


def either(mask: Column, other: Column) -> Column:
    """A mask of the rows that are in one of two masks or in both, neither of which has NULLs."""
    return pc.or_(mask, other)


def chosen(mask: Column, column: Column, other: Column | int) -> Column:
    """The values of one column where the mask is true, and of the other where it is not."""
    return pc.if_else(mask, column, other)


def filled(column: Column, value: str | int) -> Column:
    """A column with a value in place of NULL."""
    return pc.fill_null(column, value)


def as_numbers(mask: Column) -> Column:
    """A mask as a column of 0 and 1, to be summed."""
    return pc.cast(mask, pa.int64())


# -- tables


def replaced(table: Table, name: str, values: Column) -> Table:
    """The table with a column added, or put in the place of one of the same name."""
    arrow = cast("Any", table)
    if name in arrow.column_names:
        return arrow.set_column(arrow.column_names.index(name), name, values)
    return arrow.append_column(name, values)


def counted(table: Table, name: str = "rows") -> Table:
    """The table with a column of ones, to be summed."""
    return replaced(table, name, number_column([1] * table.num_rows))


def joined(tables: Sequence[Table]) -> Table:
    """The rows of tables with the same columns, one table after the other."""
    return pa.concat_tables(tables)


def first_rows(table: Table, order: Iterable[str], limit: int) -> Table:
    """The first rows in an order of columns, descending where a minus sign precedes the name: ``-flows``.

    NULL comes last in either direction.
    """
    keys = [(name.removeprefix("-"), "descending" if name.startswith("-") else "ascending") for name in order]
    return cast("Any", table).take(pc.sort_indices(table, sort_keys=keys)[:limit])


def grouped(table: Table, keys: Sequence[str], merges: Mapping[str, Merge]) -> Table:
    """One row for each combination of keys; the merged columns keep their names."""
    return _aggregated(table, keys, merges)


def count_distinct(table: Table, keys: Sequence[str], column: str) -> Table:
    """One row for each combination of keys, and how many values the column has there; NULL does not count."""
    return _aggregated(table, keys, {column: "count_distinct"})


def _aggregated(table: Table, keys: Sequence[str], functions: Mapping[str, str]) -> Table:
    result = cast("Any", table).group_by(list(keys)).aggregate(list(functions.items()))
    names = [*keys, *(f"{name}_{function}" for name, function in functions.items())]
    return result.select(names).rename_columns([*keys, *functions])


def rolled_up(tables: Iterable[Table], keys: Sequence[str], merges: Mapping[str, Merge]) -> Table | None:
    """One row for each combination of keys over all tables; None where they have no row at all."""
    held: list[Table] = []
    new, limit = 0, _ROWS_BEFORE_MERGE
    for table in tables:
        held.append(grouped(table, keys, merges))
        new += held[-1].num_rows
        if new > limit:
            held = [grouped(joined(held), keys, merges)]
            # As many new rows as there are groups: each row is merged a few times only, however many there are.
            new, limit = 0, max(_ROWS_BEFORE_MERGE, held[0].num_rows)
    return grouped(joined(held), keys, merges) if held else None
