"""What ties parts together: the names of cells and queue managers by which the join goes from one row to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lintmdb.fleet.arrow import compute, pa
from lintmdb.fleet.arrow_rows import distinct
from lintmdb.fleet.facts.encoding import STORED, stored_columns
from lintmdb.fleet.facts.parts import CELLS
from lintmdb.fleet.facts.store import PartInfo, State, Store

CELL, QUEUE_MANAGER = "cell", "queue_manager"


class Link(NamedTuple):
    """A cell or a queue manager of an environment; both are blank where there is none."""

    kind: str
    environment: str
    name: str


def read_links(store: Store, state: State, parts: Sequence[PartInfo]) -> Mapping[int, set[Link]]:
    """The cells and queue managers that the rows of each part name.

    The join goes from an endpoint to what lies at its queue manager, and to whatever else reads there. What it finds
    by an id lies in the cell of the endpoint, as the id holds the name of the cell. Loose files have one cell without a
    name in common. A blank queue manager counts, because blank equals blank; NULL equals nothing.
    """
    environments = {part.part: part.environment or "" for part in parts}
    links = {part.part: set(_own(part)) for part in parts}
    wanted = compute.field("part").isin(pa.array(list(links), pa.int64()))
    for relation in STORED:
        for kind, column in _names(relation):
            for folder in store.folders(state, relation):
                for part, name in distinct(folder, ("part", column), wanted):
                    if name is not None or kind == CELL:
                        links[part].add(Link(kind, environments[part], name or ""))
    for folder in store.folders(state, "export"):
        for part, kind, name in distinct(folder, ("part", "kind", "name"), wanted):
            links[part].add(Link(kind, environments[part], name or ""))
    return links


def _own(part: PartInfo) -> Iterator[Link]:
    """What a part is about itself."""
    if part.kind != "file":
        yield Link(CELL if part.kind in CELLS else QUEUE_MANAGER, part.environment or "", part.name)


def _names(relation: str) -> Iterator[tuple[str, str]]:
    """The columns of a relation that name a cell or a queue manager. What could not be read is judged by itself."""
    if relation in ("problem", "export"):
        return
    for column in stored_columns(relation):
        if column.name in (CELL, QUEUE_MANAGER):
            yield column.name, column.name
    if relation == "queue_manager":
        yield QUEUE_MANAGER, "name"


def read_sharing_groups(store: Store, state: State, parts: Iterable[PartInfo]) -> Iterator[tuple[PartInfo, str]]:
    """The parts about queue managers of a queue-sharing group, each with the name of the group."""
    by_number = {part.part: part for part in parts if part.kind == QUEUE_MANAGER}
    in_groups = compute.is_valid(compute.field("sharing_group"))
    for folder in store.folders(state, "queue_manager"):
        for part, group in sorted(distinct(folder, ("part", "sharing_group"), in_groups)):
            if group and part in by_number:
                yield by_number[part], group
