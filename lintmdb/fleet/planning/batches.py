"""Which exports are planned together: whatever joins by the name of a cell, a queue manager or a queue-sharing group,
in batches that fit in memory.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from lintmdb.fleet.arrow import dataset
from lintmdb.fleet.facts.collect import Collected
from lintmdb.fleet.facts.links import read_sharing_groups
from lintmdb.fleet.facts.parts import CELLS, SHARED, SHARING_GROUP
from lintmdb.fleet.facts.remote_ends import load_remote_ends
from lintmdb.fleet.facts.store import PartInfo, Store
from lintmdb.fleet.facts.units import Unit
from lintmdb.fleet.groups import Groups
from lintmdb.model.environment_names import key_of

BATCH_BYTES = 16 << 20
"""So many bytes of exports are planned at a time, unless more of them join. In smaller batches the same shapes are
searched too often, in larger ones fewer cores have work."""


class Told(NamedTuple):
    """A unit, and a cell, queue manager or queue-sharing group that it is about or reads from."""

    unit: str
    """As ``Unit.key`` has it."""
    kind: str
    name: str
    """By ``key_of`` it."""


def read_names(store: Store, collected: Collected) -> list[Told]:
    """What the exports of an audit are about, and the queue managers that their endpoints read from."""
    parts = collected.state.parts
    singles = [part for part in parts if not part.grouped]
    units = {part.part: part.path for part in singles}
    told = [Told(part.path, part.kind, key_of(part.environment, part.name)) for part in singles if part.kind in SHARED]
    for part, group in read_sharing_groups(store, collected.state, singles):
        told.append(Told(part.path, SHARING_GROUP, key_of(part.environment, group)))
    told += _across(store, collected, singles)
    names = {part.part: (part.kind, key_of(part.environment, part.name)) for part in parts}
    environments = {part.part: part.environment for part in parts}
    of_cell = {(entry.kind, entry.name): entry.unit for entry in told}
    for folder in store.folders(collected.state, "endpoint"):
        for batch in dataset.dataset(folder, format="parquet").to_batches(columns=["part", "queue_manager"]):
            found = set(zip(batch.column("part").to_pylist(), batch.column("queue_manager").to_pylist(), strict=True))
            for part, manager in found:
                unit = units.get(part) or of_cell.get(names.get(part, ("", "")))
                if unit and manager:
                    told.append(Told(unit, "queue_manager", key_of(environments[part], manager)))
    return told


def _across(store: Store, collected: Collected, singles: Iterable[PartInfo]) -> Iterator[Told]:
    """The queue managers whose exports say together what becomes of messages for a remote queue."""
    units = {(part.environment, part.name): part.path for part in singles if part.kind == "queue_manager"}
    for end in load_remote_ends(store, collected.state, collected.live):
        unit = units.get((end.environment, end.queue_manager))
        if unit is not None:
            yield from (Told(unit, "queue_manager", key_of(end.environment, manager)) for manager in end.managers)


def make_batches(
    units: Sequence[Unit], told: Iterable[Told], most_bytes: int = BATCH_BYTES, *, all_queues: bool = False
) -> list[list[Unit]]:
    """Units in batches that share no cell and no queue manager, in the order of their paths. Those without any endpoint
    that could lead to them are left out, unless ``all_queues`` are judged.
    """
    groups = Groups()
    judged: set[str] = set()
    for unit, kind, name in told:
        groups.join(("unit", unit), (kind, name))
        if all_queues or kind in CELLS:
            judged.add(unit)
    wanted = {groups.root(("unit", unit)) for unit in judged}
    members: dict[Hashable, list[Unit]] = {}
    for unit in units:
        root = groups.root(("unit", unit.key))
        if root in wanted:
            members.setdefault(root, []).append(unit)
    batches: list[list[Unit]] = []
    size = most_bytes
    for group in members.values():
        weight = sum(unit.size for unit in group)
        if size + weight > most_bytes:
            batches.append([])
            size = 0
        batches[-1] += group
        size += weight
    return batches
