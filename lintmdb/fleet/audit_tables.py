"""The tables of one audit folder, read in batches and rolled up by Arrow: findings stay out of Python's memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import pyarrow as _pyarrow
import pyarrow.compute as _compute
import pyarrow.dataset as _dataset

from lintmdb.errors import LintmdbError

# pyarrow has no type information: this module is the border, and its tables are Any outside.
pa: Any = _pyarrow
pc: Any = _compute
ds: Any = _dataset

_BATCH_ROWS = 8_192
_ROWS_BEFORE_MERGE = 100_000

Merge = Literal["sum", "min"]
"""How rows of one group become one row; both may be applied again to what they gave."""


def field(*path: str) -> Any:
    """An expression: a column, or a member of a struct column."""
    return ds.field(*path)


def batches(audit: Path, name: str, columns: Mapping[str, Any] | Sequence[str], *, where: Any = None) -> Iterator[Any]:
    """The rows of a table as Arrow tables of a few thousand rows, in the order of its files.

    ``columns`` names columns, or maps names to expressions. A table without files has no rows.
    Raises LintmdbError for a table that cannot be read.
    """
    files = [str(file) for file in sorted((audit / name).rglob("*.parquet")) if not _hidden(file, audit)]
    if not files:
        return
    projection = dict(columns) if isinstance(columns, Mapping) else list(columns)
    try:
        scanner = ds.dataset(files, format="parquet").scanner(
            columns=projection, filter=where, batch_size=_BATCH_ROWS, batch_readahead=2, fragment_readahead=1
        )
        for batch in scanner.to_batches():
            if batch.num_rows:
                yield pa.Table.from_batches([batch])
    except (pa.ArrowException, OSError) as error:
        first_line = str(error).partition("\n")[0]
        raise LintmdbError(
            f"the table {name} of the audit cannot be read: {first_line}",
            path=str(audit / name),
            next_step="Run lintmdb fleet audit again",
        ) from error


def _hidden(file: Path, audit: Path) -> bool:
    return any(part.startswith(("_", ".")) for part in file.relative_to(audit).parts)


def rolled_up(tables: Iterable[Any], keys: Sequence[str], merges: Mapping[str, Merge]) -> Any | None:
    """One row for each combination of keys, as an Arrow table; None when there is no row at all."""
    held: list[Any] = []
    new, limit = 0, _ROWS_BEFORE_MERGE
    for table in tables:
        held.append(grouped(table, keys, merges))
        new += held[-1].num_rows
        if new > limit:
            held = [grouped(pa.concat_tables(held), keys, merges)]
            # As many new rows as there are groups: each row is merged a few times only, however many there are.
            new, limit = 0, max(_ROWS_BEFORE_MERGE, held[0].num_rows)
    return grouped(pa.concat_tables(held), keys, merges) if held else None


def grouped(table: Any, keys: Sequence[str], merges: Mapping[str, str]) -> Any:
    """The rows of a table by keys; the merged columns keep their names."""
    result = table.group_by(list(keys)).aggregate(list(merges.items()))
    return result.select([*keys, *(f"{name}_{how}" for name, how in merges.items())]).rename_columns([*keys, *merges])


def counted(table: Any, name: str = "rows") -> Any:
    """The table with a column of ones, to be summed."""
    return table.append_column(name, pa.array([1] * table.num_rows, pa.int64()))


def replaced(table: Any, name: str, values: Any) -> Any:
    """The table with a column added, or put in the place of one of the same name."""
    if name in table.column_names:
        return table.set_column(table.column_names.index(name), name, values)
    return table.append_column(name, values)


def first_rows(table: Any, order: Sequence[tuple[str, str]], limit: int) -> Any:
    """The first rows in an order of columns, each ascending or descending; rows without a value come last."""
    return table.take(pc.sort_indices(table, sort_keys=list(order))[:limit])


def rows(table: Any | None) -> list[dict[str, Any]]:
    """A small table as dictionaries."""
    return [] if table is None else table.to_pylist()


def total(table: Any | None, column: str) -> int:
    """The sum of a column; 0 without rows."""
    return 0 if table is None else int(pc.sum(table[column]).as_py() or 0)
