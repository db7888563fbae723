"""The border to pyarrow, which has no complete types: its modules as values of any type, and names for its classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pyarrow
import pyarrow.compute
import pyarrow.dataset
import pyarrow.parquet
from pyspark.sql import DataFrame, SparkSession

pa: Any = pyarrow
compute: Any = pyarrow.compute
dataset: Any = pyarrow.dataset
parquet: Any = pyarrow.parquet

Batch: TypeAlias = Any
"""A pyarrow.RecordBatch."""
Array: TypeAlias = Any
"""A pyarrow.Array."""
DataType: TypeAlias = Any
"""A pyarrow.DataType."""
Schema: TypeAlias = Any
"""A pyarrow.Schema."""
Table: TypeAlias = Any
"""A pyarrow.Table."""


def frame_of(spark: SparkSession, table: Table, schema: str | None = None) -> DataFrame:
    """An Arrow table as a DataFrame; ``schema`` in Spark's DDL where its own does not say enough."""
    session: Any = spark
    return session.createDataFrame(table, schema) if schema is not None else session.createDataFrame(table)


def mapped(frame: DataFrame, function: Callable[[Iterator[Batch]], Iterator[Batch]], schema: str) -> DataFrame:
    """A function of Arrow batches run over a DataFrame; ``schema`` of what it gives in Spark's DDL."""
    untyped: Any = frame
    return untyped.mapInArrow(function, schema)


def rows_of(folder: object) -> list[dict[str, Any]]:
    """All rows of a folder of Parquet files."""
    return dataset.dataset(str(folder), format="parquet").to_table().to_pylist()
