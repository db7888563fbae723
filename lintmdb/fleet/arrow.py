"""The border to pyarrow, which has no complete types: its modules untyped, and Protocols for what lintmdb uses of it.

Only this module, ``arrow_rows``, ``arrow_texts``, ``spark_frames`` and ``audit_tables`` hold values of type Any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import pyarrow
import pyarrow.compute
import pyarrow.dataset
import pyarrow.parquet

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

pa: Any = pyarrow
compute: Any = pyarrow.compute
dataset: Any = pyarrow.dataset
parquet: Any = pyarrow.parquet

Record = TypeVar("Record")
"""A TypedDict with the columns of a table."""


class DataType(Protocol):
    """A pyarrow.DataType."""


class Schema(Protocol):
    """A pyarrow.Schema."""

    @property
    def names(self) -> list[str]:
        """The names of its columns."""
        ...

    def empty_table(self) -> Table:
        """A table without rows."""
        ...


class Scalar(Protocol):
    """A pyarrow.Scalar of binary data."""

    @property
    def is_valid(self) -> bool:
        """Whether it is not NULL."""
        ...

    def as_buffer(self) -> memoryview:
        """Its bytes, without a copy."""
        ...


class Array(Protocol):
    """A pyarrow.Array or a pyarrow.ChunkedArray."""

    def __getitem__(self, place: int, /) -> Scalar: ...

    def __len__(self) -> int: ...

    def to_pylist(self) -> list[Any]:
        """Its values as Python's."""
        ...


class Batch(Protocol):
    """A pyarrow.RecordBatch."""

    @property
    def schema(self) -> Schema:
        """Names and types of its columns."""
        ...

    @property
    def num_rows(self) -> int:
        """How many rows it has."""
        ...

    @property
    def nbytes(self) -> int:
        """How much memory it takes."""
        ...

    def column(self, name: str) -> Array:
        """One column."""
        ...

    def select(self, columns: Sequence[str]) -> Batch:
        """The batch with these columns only."""
        ...

    def drop_columns(self, columns: Sequence[str]) -> Batch:
        """The batch without these columns."""
        ...

    def slice(self, offset: int, length: int) -> Batch:
        """Some of its rows, without a copy."""
        ...


class Table(Protocol):
    """A pyarrow.Table."""

    def __getitem__(self, name: str, /) -> Array: ...

    @property
    def num_rows(self) -> int:
        """How many rows it has."""
        ...

    def to_batches(self) -> list[Batch]:
        """Its rows as batches."""
        ...

    def select(self, columns: Sequence[str]) -> Table:
        """The table with these columns only."""
        ...

    def cast(self, schema: Schema) -> Table:
        """The same values with the types of a schema."""
        ...

    def combine_chunks(self) -> Table:
        """The table with each column in one piece."""
        ...


class ParquetWriter(Protocol):
    """A pyarrow.parquet.ParquetWriter."""

    def write_table(self, table: Table) -> None:
        """Write a row group."""
        ...

    def close(self) -> None:
        """Complete the file."""
        ...


def mapped(frame: DataFrame, function: Callable[[Iterator[Batch]], Iterator[Batch]], schema: str) -> DataFrame:
    """The batches that a function of Arrow batches makes of a DataFrame; their ``schema`` in Spark's DDL."""
    untyped: Any = frame
    return untyped.mapInArrow(function, schema)


def records(rows: Batch | Table, record: type[Record]) -> list[Record]:
    """The rows as dictionaries. ``record`` declares their keys, which are not checked."""
    untyped: Any = rows
    return untyped.to_pylist()


def collected(frame: DataFrame, record: type[Record]) -> list[Record]:
    """All rows of a DataFrame as dictionaries, as ``records`` returns them."""
    untyped: Any = frame
    return untyped.toArrow().to_pylist()


def read_rows(folder: object, record: type[Record], columns: Sequence[str] | None = None) -> list[Record]:
    """All rows of a folder of Parquet files, as ``records`` returns them."""
    return dataset.dataset(str(folder), format="parquet").to_table(columns=columns).to_pylist()
