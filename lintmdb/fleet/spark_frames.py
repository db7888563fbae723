"""Tables of pyarrow as DataFrames of Spark."""

from __future__ import annotations

from typing import Any

import pyspark.sql.pandas.types
from pyspark.sql import DataFrame, SparkSession

from lintmdb.fleet.arrow import Table

_types: Any = pyspark.sql.pandas.types


def to_frame(spark: SparkSession, table: Table, schema: str | None = None) -> DataFrame:
    """An Arrow table as a DataFrame; ``schema`` in Spark's DDL where the table's own does not say enough."""
    session: Any = spark
    rows: Any = table
    # Spark Connect does not look at the types of a table without rows.
    return session.createDataFrame(table, schema if schema is not None else _types.from_arrow_schema(rows.schema))
