"""What ties parts together: the names of cells and queue managers by which the join goes from one row to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lintmdb.fleet.arrow import compute, pa
from lintmdb.fleet.arrow_rows import distinct
from lintmdb.fleet.database import database, quoted
from lintmdb.fleet.facts.encoding import STORED, stored_columns
from lintmdb.fleet.facts.parts import CELLS
from lintmdb.fleet.facts.store import PartInfo, State, Store

CELL, QUEUE_MANAGER = "cell", "queue_manager"


class Link(NamedTuple):
    """A cell or a queue manager of an environment; both are blank where there is none."""

    kind: str
    environment: str
    name: str


class Linked(NamedTuple):
    """Parts, and the cells and queue managers that they name; no other part names any of them."""

    parts: frozenset[int]
    links: frozenset[Link]


def find_linked(store: Store, state: State, parts: Sequence[PartInfo], changed: Iterable[PartInfo]) -> Linked:
    """All of ``parts`` that hang together with those that ``changed``, by the cells and queue managers that rows name.

    The join goes from an endpoint to what lies at its queue manager, and to whatever else reads there. What it finds
    by an id lies in the cell of the endpoint, as the id holds the name of the cell. Loose files have one cell without a
    name in common. A blank queue manager counts, because blank equals blank; NULL equals nothing.
    """
    environments = {part.part: part.environment or "" for part in parts}
    about = [part for part in parts if part.kind != "file"]
    own = {
        "part": [part.part for part in about],
        "kind": [CELL if part.kind in CELLS else QUEUE_MANAGER for part in about],
        "name": [part.name for part in about],
    }
    with database(store.facts / ".spill") as connection:
        connection.register("known", pa.table({"part": [*environments], "environment": [*environments.values()]}))
        connection.register("own", pa.table(own, _NAMED))
        connection.register("changed", pa.table({"node": pa.array([part.part for part in changed], pa.int64())}))
        named = " UNION ALL ".join(["FROM own", *_names(store, state)])
        connection.execute(
            f"CREATE TABLE named AS SELECT DISTINCT part, kind, environment, name FROM ({named}) "
            "INNER JOIN known USING (part)"
        )
        # Parts have numbers above 0, names those below.
        connection.execute(
            "CREATE TABLE link AS SELECT -ROW_NUMBER() OVER () AS node, * "
            "FROM (SELECT DISTINCT kind, environment, name FROM named)"
        )
        connection.execute(
            "CREATE TABLE edge AS SELECT part, node FROM named INNER JOIN link USING (kind, environment, name)"
        )
        reached = connection.execute(_REACHED).fetchall()
    links = (Link(kind, environment, name) for _, kind, environment, name in reached if kind is not None)
    return Linked(frozenset(node for node, *_ in reached if node > 0), frozenset(links))


_NAMED = pa.schema([("part", pa.int64()), ("kind", pa.string()), ("name", pa.string())])
_REACHED = """
    WITH RECURSIVE
    way AS (SELECT part AS here, node AS there FROM edge UNION ALL SELECT node, part FROM edge),
    reached AS (FROM changed UNION SELECT way.there FROM reached INNER JOIN way ON way.here = reached.node)
    SELECT reached.node, link.kind, link.environment, link.name FROM reached LEFT JOIN link USING (node)
    """


def _names(store: Store, state: State) -> Iterator[str]:
    """Queries of the cells and queue managers that rows name. What could not be read is judged by itself."""
    for relation in STORED:
        files = [str(file) for folder in store.folders(state, relation) for file in Path(folder).glob("*.parquet")]
        if not files or relation == "problem":
            continue
        rows = f"read_parquet([{', '.join(map(quoted, sorted(files)))}], hive_partitioning = false)"
        if relation == "export":
            yield f"SELECT part, kind, COALESCE(name, '') AS name FROM {rows}"
            continue
        columns = {column.name for column in stored_columns(relation)}
        if CELL in columns:
            yield f"SELECT part, '{CELL}' AS kind, COALESCE(cell, '') AS name FROM {rows}"
        if QUEUE_MANAGER in columns or relation == QUEUE_MANAGER:
            name = QUEUE_MANAGER if QUEUE_MANAGER in columns else "name"
            yield f"SELECT part, '{QUEUE_MANAGER}' AS kind, {name} AS name FROM {rows} WHERE {name} IS NOT NULL"


def read_sharing_groups(store: Store, state: State, parts: Iterable[PartInfo]) -> Iterator[tuple[PartInfo, str]]:
    """The parts about queue managers of a queue-sharing group, each with the name of the group."""
    by_number = {part.part: part for part in parts if part.kind == QUEUE_MANAGER}
    in_groups = compute.is_valid(compute.field("sharing_group"))
    for folder in store.folders(state, "queue_manager"):
        for part, group in sorted(distinct(folder, ("part", "sharing_group"), in_groups)):
            if group and part in by_number:
                yield by_number[part], group
