"""Facts as views of DuckDB: for an audit that is judged on this computer, and for people's own questions."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from lintmdb.engine.flow_join import Dialect, join_sql
from lintmdb.engine.tables import CONSUMER_ALIASES
from lintmdb.fleet.arrow import pa
from lintmdb.fleet.database import quoted
from lintmdb.fleet.facts.collect import live_parts
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
NUMBERED = "numbered"
"""The schema of the relations with their ``row_id``, which the join needs and questions do not."""


def fact_views(connection: DuckDBPyConnection, store: Store) -> bool:
    """Make a view of each relation, and of the flows; False where the folder holds no facts that can be read."""
    state = store.current()
    if state is None:
        return False
    live = live_parts(state)
    numbered_views(connection, store, state, live)
    for relation in STORED:
        names = ", ".join(f'"{column.name}"' for column in columns(RELATIONS[relation]))
        connection.execute(f'CREATE VIEW "{relation}" AS SELECT {names} FROM {NUMBERED}.{relation}')
    connection.execute(f"CREATE VIEW {FLOW} AS SELECT {_flow_structs()} {join_sql(dialect=_DIALECT)}")
    return True


def numbered_views(connection: DuckDBPyConnection, store: Store, state: State, live: Sequence[PartInfo]) -> None:
    """Make a view of each relation in the schema NUMBERED: the rows of the ``live`` parts with their stored columns,
    ``ref``, which no other row of the relation has and which sorts by part and row, and ``row_id``: of endpoints and
    beans their place in the order of ``check``, of other rows that in their part.
    """
    connection.execute(f"CREATE SCHEMA {NUMBERED}")
    connection.register("first_row", _first_rows(live))
    parts = sorted(part.part for part in live)
    places = pa.array(range(1, len(parts) + 1), pa.int64())
    connection.register("live_part", pa.table({"part": pa.array(parts, pa.int64()), "place": places}))
    for relation in STORED:
        connection.execute(f"CREATE VIEW {NUMBERED}.{relation} AS {_rows(store, state, relation)}")


def _numbered(alias: str) -> str:
    return f"{NUMBERED}.{ALIASES[alias].relation if alias in ALIASES else alias}"


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
        return f"SELECT {nothing}, CAST(NULL AS BIGINT) AS ref, CAST(NULL AS BIGINT) AS row_id WHERE FALSE"
    listed = ", ".join(map(quoted, files))
    names = ", ".join(f'"{name}"' for name in declared)
    scan = f"SELECT {names} FROM read_parquet([{listed}], hive_partitioning = false)"
    alive = f"({scan}) AS stored INNER JOIN live_part USING (part)"
    ref = f'live_part.place * {1 << 32} + stored."row" AS ref'
    if relation in ("endpoint", "bean"):
        number = f'first_row."{relation}" + stored."row"'
        return f"SELECT stored.*, {ref}, {number} AS row_id FROM {alive} INNER JOIN first_row USING (part)"
    return f'SELECT stored.*, {ref}, stored."row" AS row_id FROM {alive}'


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
