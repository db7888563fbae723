"""Results as tables: a DataFrame of pandas, or a table of Arrow, where they are installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from lintmdb.errors import LintmdbError

if TYPE_CHECKING:
    import pandas

Cell: TypeAlias = str | int | bool | None
Kind: TypeAlias = Literal["text", "whole", "flag"]
ArrowTable: TypeAlias = Any
"""A ``pyarrow.Table``: pyarrow declares no types."""
_PANDAS: Mapping[Kind, str] = {"text": "string", "whole": "Int64", "flag": "boolean"}
_ARROW: Mapping[Kind, str] = {"text": "string", "whole": "int64", "flag": "bool_"}


class Table(NamedTuple):
    """Rows, and what is in each of their columns; any cell may be None."""

    columns: Mapping[str, Kind]
    rows: Sequence[Mapping[str, Cell]]

    def column(self, name: str) -> list[Cell]:
        """The cells of a column."""
        return [row.get(name) for row in self.rows]


def text_columns(names: Iterable[str]) -> dict[str, Kind]:
    """Columns that all hold text."""
    return dict.fromkeys(names, "text")


def to_pandas(table: Table) -> pandas.DataFrame:
    """The table as a DataFrame whose columns have nullable types. Raises LintmdbError without pandas."""
    frames = _library("pandas")
    return frames.DataFrame(
        {name: frames.array(table.column(name), dtype=_PANDAS[kind]) for name, kind in table.columns.items()}
    )


def to_arrow(table: Table) -> ArrowTable:
    """The table as one of Arrow. Raises LintmdbError without pyarrow."""
    arrow = _library("pyarrow")
    return arrow.table(
        {
            name: arrow.array(table.column(name), type=getattr(arrow, _ARROW[kind])())
            for name, kind in table.columns.items()
        }
    )


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise LintmdbError(f"{name} is not installed", next_step=f"python3 -m pip install {name}") from error
