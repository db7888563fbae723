"""Facts as views of DuckDB: for an audit that is judged on this computer, and for people's own questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lintmdb.engine.flow_join import Dialect, join_sql
from lintmdb.engine.tables import CONSUMER_ALIASES
from lintmdb.fleet.arrow import pa
from lintmdb.fleet.database import keep, quoted
from lintmdb.fleet.facts.collect import live_parts
from lintmdb.fleet.facts.encoding import STORED, duckdb_columns
from lintmdb.fleet.facts.parts import CELLS
from lintmdb.fleet.facts.remote_ends import RELATIONS as RELATIONS_WITH_ENDS
from lintmdb.fleet.facts.remote_ends import end_table, filled_in, is_end_of, load_remote_ends
from lintmdb.fleet.facts.store import PartInfo, State, Store
from lintmdb.model.columns import columns
from lintmdb.model.relations import ALIASES, RELATIONS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from duckdb import DuckDBPyConnection

    from lintmdb.run.remote_queues import RemoteEnd

FLOW = "flow"
"""The view of all flows: one row a flow, one struct an alias, so that ``alias.column`` reads as in a rule."""
NUMBERED = "numbered"
"""The schema of the relations with their ``row_id``, which the join needs and questions do not."""
PLACE_BITS = 32
"""A ``ref`` has the place of its part above so many bits, which hold the row."""
FORMER = "\x1f"
"""What the environments of former parts begin with; no environment of a user does."""


def fact_views(connection: DuckDBPyConnection, store: Store) -> bool:
    """Make a view of each relation, and of the flows; False where the folder holds no facts that can be read."""
    state = store.current()
    if state is None:
        return False
    live = live_parts(state)
    numbered_views(connection, store, state, live, ends=load_remote_ends(store, state, live))
    for relation in STORED:
        names = ", ".join(f'"{column.name}"' for column in columns(RELATIONS[relation]))
        connection.execute(f'CREATE VIEW "{relation}" AS SELECT {names} FROM {NUMBERED}.{relation}')
    connection.execute(f"CREATE VIEW {FLOW} AS SELECT {_flow_structs()} {join_sql(dialect=_DIALECT)}")
    return True


def numbered_views(
    connection: DuckDBPyConnection,
    store: Store,
    state: State,
    live: Sequence[PartInfo],
    *,
    former: Sequence[PartInfo] = (),
    problems: Sequence[PartInfo] | None = None,
    ends: Collection[RemoteEnd] = (),
    former_ends: Collection[RemoteEnd] = (),
) -> None:
    """Make a view of each relation in the schema NUMBERED: the rows of the ``live`` parts with their stored columns,
    ``ref``, which no other row of the relation has and which sorts by part and row, and ``row_id``: of endpoints and
    beans their place in the order of ``check``, of other rows that in their part.

    The rows of ``former`` parts come after them, in environments that begin with FORMER: since nothing joins across
    environments, the join finds both and mixes nothing. ``problems`` are the parts whose problems count, by default the
    live ones. ``ends`` are filled in in the rows of the live parts, ``former_ends`` in those of the former ones.
    """
    connection.execute(f"CREATE SCHEMA {NUMBERED}")
    keep(connection, "live_part", _numbered_parts(live, former))
    keep(connection, "problem_part", _numbered_parts(live if problems is None else problems, ()))
    for relation in STORED:
        parts = "problem_part" if relation == "problem" else "live_part"
        query = _rows(store, state, relation, parts, apart=bool(former))
        if relation in RELATIONS_WITH_ENDS and (ends or former_ends):
            keep(connection, f"{relation}_end", end_table(relation, ends, former_ends, FORMER))
            filled = ", ".join(f'{value} AS "{column}"' for column, value in filled_in(relation).items())
            query = (
                f"SELECT stored.* REPLACE ({filled}) FROM ({query}) AS stored "
                f"LEFT JOIN {relation}_end AS remote_end ON {is_end_of('IS NOT DISTINCT FROM')}"
            )
        connection.execute(f"CREATE VIEW {NUMBERED}.{relation} AS {query}")


def _numbered(alias: str) -> str:
    return f"{NUMBERED}.{ALIASES[alias].relation if alias in ALIASES else alias}"


_DIALECT = Dialect(table=_numbered, paths=_numbered("endpoint"), apart=True)


def _numbered_parts(live: Sequence[PartInfo], former: Sequence[PartInfo]) -> object:
    """For each part its place, from 1, whether it is a former one, and for one about a cell the number of its first
    endpoint and of its first bean, both from 1.
    """
    table: dict[str, list[int | bool | None]] = {"part": [], "place": [], "former": [], "endpoint": [], "bean": []}
    endpoints = beans = 1
    for parts, are_former in ((live, False), (former, True)):
        first: dict[int, tuple[int, int]] = {}
        for part in sorted(parts, key=lambda part: (part.environment or "", part.name, part.root)):
            if part.kind in CELLS:
                first[part.part] = endpoints, beans
                endpoints, beans = endpoints + part.endpoints, beans + part.beans
        for part in sorted(parts, key=lambda part: part.part):
            numbers = first.get(part.part, (None, None))
            row = (part.part, len(table["part"]) + 1, are_former, *numbers)
            for name, value in zip(table, row, strict=True):
                table[name].append(value)
    types = {name: pa.bool_() if name == "former" else pa.int64() for name in table}
    return pa.table(table, pa.schema(list(types.items())))


def _rows(store: Store, state: State, relation: str, parts: str, *, apart: bool) -> str:
    """The rows of some parts, each with its ``row_id``: endpoints and beans as ``check`` numbers them."""
    folders = map(Path, store.folders(state, relation))
    files = [str(file) for folder in folders for file in sorted(folder.glob("*.parquet"))]
    declared = duckdb_columns(relation)
    if not files:  # no export has one
        nothing = ", ".join(f'CAST(NULL AS {type_}) AS "{name}"' for name, type_ in declared.items())
        return f"SELECT {nothing}, CAST(NULL AS BIGINT) AS ref, CAST(NULL AS BIGINT) AS row_id WHERE FALSE"
    listed = ", ".join(map(quoted, files))
    names = ", ".join(f'"{name}"' for name in declared)
    number = f'parts."{relation}" + stored."row"' if relation in ("endpoint", "bean") else 'stored."row"'
    marked = f"IF(parts.former, CONCAT({quoted(FORMER)}, stored.environment), stored.environment)"
    return (
        f"SELECT stored.* {f'REPLACE ({marked} AS environment)' if apart else ''}, "
        f'parts.place * {1 << PLACE_BITS} + stored."row" AS ref, {number} AS row_id '
        f"FROM (SELECT {names} FROM read_parquet([{listed}], hive_partitioning = false)) AS stored "
        f"INNER JOIN {parts} AS parts USING (part)"
    )


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
