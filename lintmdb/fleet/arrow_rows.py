"""Rows of Arrow tables: which are different, which stay, in which order, and in which files they lie.

As ``arrow`` it is a border to pyarrow, which has no complete types.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lintmdb.fleet.arrow import Array, Schema, Table, compute, dataset, pa, parquet


def distinct(folder: str, columns: Sequence[str], wanted: object) -> set[tuple[Any, ...]]:
    """The different values that some columns have together, in the rows of a folder that fulfil a condition."""
    found: set[tuple[Any, ...]] = set()
    for batch in dataset.dataset(folder, format="parquet").to_batches(columns=list(columns), filter=wanted):
        if batch.num_rows:
            found.update(count_rows(pa.Table.from_batches([batch]), columns))
    return found


def count_rows(table: Table, columns: Sequence[str]) -> dict[tuple[Any, ...], int]:
    """How many rows have the same values in some columns, by these."""
    untyped: Any = table
    rows = untyped.group_by(list(columns)).aggregate([([], "count_all")])
    keys = zip(*(rows[column].to_pylist() for column in columns), strict=True)
    return dict(zip(keys, rows["count_all"].to_pylist(), strict=True))


def ends(folder: str, within: Sequence[str], place: str, columns: Sequence[str], wanted: object) -> Table:
    """Of the rows of a folder that fulfil a condition, the first and the last by ``place`` of those that have the same
    values in the columns ``within``. A place is that of one row where the first of these columns has one value.
    """
    rows = dataset.dataset(folder, format="parquet").to_table(columns=[*within, place, *columns], filter=wanted)
    groups = rows.group_by(list(within)).aggregate([(place, "min"), (place, "max")])
    key = [within[0], place]
    both = pa.concat_tables([groups.select([key[0], f"{place}_{end}"]).rename_columns(key) for end in ("min", "max")])
    return rows.join(both, keys=key, join_type="left semi")


def is_among(column: str, values: Iterable[object]) -> object:
    """The condition that a column has one of some values, of which there may be none."""
    known = [*values]
    return compute.field(column).isin(known) if known else compute.scalar(False)


def rows_among(
    folders: Iterable[str], columns: Sequence[str], condition: Any, among: Iterable[Mapping[str, Iterable[object]]]
) -> list[dict[str, object]]:
    """Some columns of those rows of folders that fulfil a condition and in which, for each mapping, one of its columns
    has one of its values.
    """
    for mapping in among:
        choices: list[Any] = [is_among(name, values) for name, values in mapping.items()]
        condition &= functools.reduce(lambda one, other: one | other, choices)
    tables = [dataset.dataset(folder, format="parquet").to_table([*columns], filter=condition) for folder in folders]
    return [row for table in tables for row in table.to_pylist()]


def read_file(file: object, schema: Schema, columns: Sequence[str] | None = None) -> Table:
    """The rows of a file of a table of an audit, with some or all columns of its schema. Raises pyarrow's errors and
    OSError.
    """
    untyped: Any = schema
    names = [*untyped.names] if columns is None else [*columns]
    table = parquet.ParquetFile(file).read(columns=names).select(names)
    return table.cast(pa.schema([untyped.field(name) for name in names]))


def read_table(folder: Path, schema: Schema) -> Table:
    """All rows of a table of an audit. Raises as ``read_file`` does."""
    return joined([read_file(file, schema) for file in sorted(folder.iterdir())])


def with_places(table: Table, name: str) -> Table:
    """The table with one more column, of the place of each row."""
    untyped: Any = table
    return untyped.append_column(name, pa.array(range(table.num_rows), pa.int64()))


def beside(table: Table, other: Table) -> Table:
    """The columns of two tables of as many rows."""
    left: Any = table
    right: Any = other
    return pa.table([*left.columns, *right.columns], [*left.column_names, *right.column_names])


def packed(name: str, fields: Mapping[str, Array], others: Mapping[str, Array]) -> Table:
    """A table with some columns, each in one piece, in one of structs, and ``others`` beside it."""
    struct = pa.StructArray.from_arrays([*fields.values()], [*fields])
    return pa.table({name: struct, **others})


def in_one_piece(column: Array) -> Any:
    """A column of a table as an array."""
    untyped: Any = column
    return untyped.combine_chunks() if isinstance(untyped, pa.ChunkedArray) else untyped


def taken(table: Table, places: Array) -> Table:
    """The rows at some places; in one piece, where the table is."""
    untyped: Any = table
    return untyped.take(places)


def with_schema(table: Table, schema: Schema) -> Table:
    """The columns that a schema names with its types; what has its type already is not copied."""
    untyped: Any = schema
    columns: Any = [(table[wanted.name], wanted.type) for wanted in untyped]
    return pa.table([held if held.type == kind else held.cast(kind) for held, kind in columns], schema=schema)


def joined(tables: Sequence[Table]) -> Table:
    """The rows of tables of one schema."""
    return pa.concat_tables(tables)


def chosen(table: Table, mask: Array) -> Table:
    """The rows where a mask is true."""
    untyped: Any = table
    return untyped.filter(mask)


def inverted(mask: Array) -> Array:
    """The rows that a mask leaves out."""
    return compute.invert(mask)


def either(*masks: Array) -> Array:
    """The rows of any of some masks."""
    whole, *more = masks
    for mask in more:
        whole = compute.or_(whole, mask)
    return whole


def both(*masks: Array) -> Array:
    """The rows of all of some masks."""
    whole, *more = masks
    for mask in more:
        whole = compute.and_(whole, mask)
    return whole


def is_null(column: Array) -> Array:
    """The rows without a value."""
    return compute.is_null(column)


def is_one_of(column: Array, values: Iterable[str]) -> Array:
    """The rows with one of some texts."""
    return compute.is_in(column, value_set=pa.array(sorted(values), pa.string()))


def rows_with(table: Table, column: str, values: Array) -> Table:
    """The rows that have one of some values in a column; NULL is none of them."""
    untyped: Any = table
    return untyped.filter(compute.is_in(untyped[column], value_set=in_one_piece(values), skip_nulls=True))


def are_all_among(values: Array, others: Array) -> bool:
    """Whether each value is one of the others."""
    return compute.all(compute.is_in(values, value_set=in_one_piece(others)), min_count=0).as_py()


def in_order_of(table: Table, column: str) -> Table:
    """The rows in the order of a column."""
    untyped: Any = table
    return untyped.sort_by(column)


def is_pair(first: Array, second: Array, pairs: Iterable[tuple[str, str]]) -> Array:
    """The rows with one of some pairs of texts; NULL in ``first`` is blank, in ``second`` it is none of them."""
    both_texts = compute.binary_join_element_wise(filled(first), second, _BETWEEN)
    return is_one_of(both_texts, (_BETWEEN.join(pair) for pair in pairs))


_BETWEEN = "\x1f"


def filled(column: Array) -> Array:
    """A column of texts whose NULL are blank."""
    return compute.fill_null(column, "")


def in_files(table: Table, order: Sequence[str], file_of: Callable[[object], int]) -> Iterator[tuple[int, Table]]:
    """The rows by the number of their file, which the first column of their ``order`` decides, and ordered.

    NULL comes first. A struct is ordered by its fields.
    """
    untyped: Any = table
    values = compute.unique(untyped[order[0]])
    numbers = pa.array([file_of(value) for value in values.to_pylist()], pa.int64())
    files = numbers.take(compute.index_in(untyped[order[0]], value_set=values))
    keys = [files, *(key for name in order for key in _keys(untyped[name]))]
    by = pa.table(keys, [str(place) for place in range(len(keys))])
    places = compute.sort_indices(by, sort_keys=[(name, "ascending") for name in by.column_names])
    ordered = untyped.take(places)
    for start, rows, number in _shares(files):
        yield number, ordered.slice(start, rows).combine_chunks()


def shares(table: Table, file: str) -> Iterator[tuple[int, Table]]:
    """The rows of each file, of a table that is ordered by a column with its number."""
    untyped: Any = table
    for start, rows, number in _shares(untyped[file]):
        yield number, untyped.slice(start, rows)


def _shares(files: Array) -> Iterator[tuple[int, int, int]]:
    """Where the rows of each file begin, how many there are, and its number."""
    start = 0
    for (number,), rows in sorted(count_rows(pa.table([files], ["file"]), ["file"]).items()):
        yield start, rows, number
        start += rows


def _keys(column: Any) -> Iterator[Any]:
    """What a column is sorted by."""
    if pa.types.is_struct(column.type):
        for place in range(column.type.num_fields):
            yield from _keys(compute.struct_field(column, [place]))
        return
    if column.null_count:
        yield compute.is_valid(column)
    yield column


def counted(rows: Mapping[tuple[Any, ...], int]) -> int:
    """How many rows were counted."""
    return sum(rows.values())
