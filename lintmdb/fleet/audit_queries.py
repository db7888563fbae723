"""Queries of one table of an audit, which DuckDB answers from its Parquet files, several times as fast as Arrow groups
the batches that it reads.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import cast

import duckdb

from lintmdb.fleet.arrow import pa, parquet
from lintmdb.fleet.audit_tables import PLACES, Table, table_files, unreadable
from lintmdb.fleet.database import arrow_table, connect, quoted


def query_table(audit: Path, name: str, query: str, *, named: bool = False) -> Table | None:
    """What a query returns that calls the rows of a table ``rows``; None for a table without files.

    With ``named`` cells and queue managers have the names that ``model.environment_names.name_in`` gives them.
    Raises LintmdbError for a table that cannot be read.
    """
    files = table_files(audit, name)
    if not files:
        return None
    try:
        found = arrow_table(_connection().cursor(), f"WITH rows AS ({rows_query(files, named=named)}) {query}")
        return cast("Table", found)
    except duckdb.Error as error:
        raise unreadable(audit / name, error) from error


@functools.cache
def _connection() -> duckdb.DuckDBPyConnection:
    return connect()


def rows_query(files: list[str], *, named: bool = False) -> str:
    """A query of all rows of a table, with the environment and the owner that one of an older version lacks."""
    scan = f"read_parquet([{', '.join(map(quoted, files))}], hive_partitioning = false)"
    try:
        schema = parquet.read_schema(files[0])
    except (pa.ArrowException, OSError):
        return f"SELECT * FROM {scan}"  # which says what is wrong with the file
    changed: list[str] = []
    if "subject" in schema.names and schema.field("subject").type.get_field_index("environment") < 0:
        changed.append("STRUCT_INSERT(subject, environment := CAST(NULL AS VARCHAR)) AS subject")
    if named and "environment" in schema.names:
        places = [place for place in PLACES if place in schema.names]
        changed += [f"COALESCE({place} || ' in ' || environment, {place}) AS {place}" for place in places]
    shown = f"* REPLACE ({', '.join(changed)})" if changed else "*"
    lacking = [name for name in ("environment", "owner") if name not in schema.names]
    return f"SELECT {', '.join([shown, *(f'CAST(NULL AS VARCHAR) AS {name}' for name in lacking)])} FROM {scan}"
