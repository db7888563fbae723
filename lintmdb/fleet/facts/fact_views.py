"""The facts that the last audit of a folder left, as views of DuckDB for people's own questions."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from lintmdb.engine.flow_join import Dialect, join_sql
from lintmdb.engine.tables import CONSUMER_ALIASES
from lintmdb.fleet.arrow import pa
from lintmdb.fleet.facts.collect import dead_parts, live_parts
from lintmdb.fleet.facts.encoding import STORED, duckdb_columns
from lintmdb.fleet.facts.parts import CELLS
from lintmdb.fleet.facts.store import PartInfo, State, Store
from lintmdb.model.columns import columns
from lintmdb.model.relations import ALIASES, RELATIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

FLOW = "flow"
"""The view of all flows: one row a flow, one struct an alias, so that ``alias.column`` reads as in a rule."""
_NUMBERED = "numbered"
"""The schema of the relations with their ``row_id``, which the join needs and questions do not."""


def fact_views(connection: DuckDBPyConnection, store: Store) -> bool:
    """Make a view of each relation, and of the flows; False where the folder holds no facts that can be read."""
    state = store.current()
    if state is None:
        return False
    live = live_parts(state)
    connection.execute(f"CREATE SCHEMA {_NUMBERED}")
    connection.register("first_row", _first_rows(live))
    connection.register("dead_part", pa.table({"part": pa.array(dead_parts(store, state, live), pa.int64())}))
    for relation in STORED:
        connection.execute(f"CREATE VIEW {_NUMBERED}.{relation} AS {_rows(store, state, relation)}")
        names = ", ".join(f'"{column.name}"' for column in columns(RELATIONS[relation]))
        connection.execute(f'CREATE VIEW "{relation}" AS SELECT {names} FROM {_NUMBERED}.{relation}')
    connection.execute(f"CREATE VIEW {FLOW} AS SELECT {_flow_structs()} {join_sql(dialect=_DIALECT)}")
    return True


def _numbered(alias: str) -> str:
    return f"{_NUMBERED}.{ALIASES[alias].relation if alias in ALIASES else alias}"


_DIALECT = Dialect(table=_numbered, paths=_numbered("endpoint"), apart=True)


def _first_rows(live: Sequence[PartInfo]) -> object:
    """For each part about a cell, the number of its first endpoint and of its first bean, both from 1."""
    cells = sorted(
        (part for part in live if part.kind in CELLS), key=lambda part: (part.environment or "", part.name, part.root)
    )
    table = {
        "part": [part.part for part in cells],
        "endpoint": list(accumulate((part.endpoints for part in cells), initial=1))[: len(cells)],
        "bean": list(accumulate((part.beans for part in cells), initial=1))[: len(cells)],
    }
    return pa.table(table, pa.schema([(name, pa.int64()) for name in table]))


def _rows(store: Store, state: State, relation: str) -> str:
    """The rows that count, each with its ``row_id``: endpoints and beans as ``check`` numbers them."""
    folders = map(Path, store.folders(state, relation))
    files = [str(file) for folder in folders for file in sorted(folder.glob("*.parquet"))]
    declared = duckdb_columns(relation)
    if not files:  # no export has one
        nothing = ", ".join(f'CAST(NULL AS {type_}) AS "{name}"' for name, type_ in declared.items())
        return f"SELECT {nothing}, CAST(NULL AS BIGINT) AS row_id WHERE FALSE"
    listed = ", ".join(map(quoted, files))
    names = ", ".join(f'"{name}"' for name in declared)
    scan = f"SELECT {names} FROM read_parquet([{listed}], hive_partitioning = false)"
    alive = f"({scan}) AS stored ANTI JOIN dead_part USING (part)"
    if relation in ("endpoint", "bean"):
        number = f'first_row."{relation}" + stored."row"'
        return f"SELECT stored.*, {number} AS row_id FROM {alive} JOIN first_row USING (part)"
    return f'SELECT stored.*, stored."row" AS row_id FROM {alive}'


def quoted(text: str) -> str:
    """A text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def _flow_structs() -> str:
    structs: list[str] = []
    for alias, declared in ALIASES.items():
        if declared.standalone:
            continue
        names = [column.name for column in columns(RELATIONS[declared.relation])]
        fields = ", ".join(f'"{name}" := {alias}."{name}"' for name in names)
        there = f"{alias}.queue" if alias in CONSUMER_ALIASES else f"{alias}.row_id"
        structs.append(f'CASE WHEN {there} IS NOT NULL THEN struct_pack({fields}) END AS "{alias}"')
    return ", ".join(structs)
