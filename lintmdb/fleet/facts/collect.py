"""From inputs to facts: which units to read, which parts several units share, what is kept and what is gone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from lintmdb.fleet.facts.compact import compact, needs_compacting
from lintmdb.fleet.facts.encoding import INLINE_SUPPRESSION, PART, STORED, spark_schema
from lintmdb.fleet.facts.links import read_sharing_groups
from lintmdb.fleet.facts.parts import SHARED, SHARING_GROUP
from lintmdb.fleet.facts.store import PartInfo, State, Store, build_infos
from lintmdb.fleet.facts.unit_reader import Task, UnitReader, build_task
from lintmdb.fleet.facts.units import Unit
from lintmdb.fleet.facts.workers import Workers
from lintmdb.model.environment_names import key_of
from lintmdb.resolve.observations import Observations
from lintmdb.version import __version__


@dataclass(frozen=True, slots=True)
class Collected:
    """The facts that count, and how they came about."""

    state: State
    live: list[PartInfo]
    dead: list[int]
    """Parts that lie in the generations and no longer count."""
    read: int
    kept: int
    gone: int


def facts_key(observed: Observations, named: Mapping[str, str]) -> str:
    """A hash of what facts depend on beside the exports."""
    endpoints = sorted((name, repr(o), sorted(o.groups or ())) for name, o in observed.endpoints.items())
    beans = sorted((name, repr(value)) for name, value in observed.beans.items())
    aliases = sorted(observed.queue_managers.items())
    stored = [(relation, spark_schema(relation)) for relation in (*STORED, PART, INLINE_SUPPRESSION)]
    users = (
        observed.user,
        observed.users_at,
        observed.queues,
        sorted((user, sorted(groups)) for user, groups in observed.users.items()),
    )
    names = observed.backout_name, observed.dead_letter_name
    told = (observed.on_message_ms, beans, endpoints, users, aliases, names, observed.client_tables)
    text = repr((__version__, stored, told, sorted(named.items())))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def collect(
    workers: Workers, store: Store, units: Sequence[Unit], reader: UnitReader, *, incremental: bool
) -> Collected:
    """Read what has to be read, and save the facts as those that count."""
    work = _Work(workers, store, reader)
    key = facts_key(reader.observed, reader.named)
    state = (store.load(key) if incremental else None) or store.new_state(key)
    known: dict[str, list[PartInfo]] = {}
    for part in state.parts:
        known.setdefault(part.path, []).append(part)
    stamps = {unit.key: unit.stamp for unit in units}
    kept = {path for path, stamp in stamps.items() if path in known and known[path][0].stamp == stamp}
    singles = [part for path in kept for part in known[path]]
    fresh = [unit for unit in units if unit.key not in kept]
    numbered = {state.next_unit + place: unit for place, unit in enumerate(fresh)}
    state.next_unit += len(fresh)
    about = {number: (unit.key, stamps[unit.key], False) for number, unit in numbered.items()}
    singles += work.read(state, [build_task(*entry) for entry in numbered.items()], about)
    groups = _groups(work, state, units, singles, known)
    gone = sum(1 for path, parts in known.items() if not parts[0].grouped and path not in stamps)
    # Parts of single units that a group stands for are kept: they count again if the others go.
    state.parts = sorted({*singles, *groups})
    live = live_parts(state)
    store.save(state)
    return Collected(state, live, dead_parts(store, state, live), len(fresh), len(kept), gone)


def compacted(workers: Workers, store: Store, collected: Collected) -> Collected:
    """The same facts without those that no longer count, where these are too many. Until an audit is about to be
    complete they are needed: they say what its forerunner said of exports that have changed.
    """
    state = collected.state
    if not needs_compacting(state):
        return collected
    compact(workers, store, state)
    store.save(state)
    return replace(collected, dead=dead_parts(store, state, collected.live))


def live_parts(state: State) -> list[PartInfo]:
    """The parts that count: those of single units, unless a group stands for the same cell or queue manager."""
    members = _members(part for part in state.parts if not part.grouped)
    shared = {key for key, told in members.items() if len(told) > 1}
    shared |= {_about(part) for part in state.parts if part.grouped}
    return sorted(part for part in state.parts if part.grouped or _about(part) not in shared)


_About = tuple[str, str, str]
"""Environment, kind and name of a cell or queue manager, or of a queue-sharing group."""


def _about(part: PartInfo) -> _About:
    return part.environment or "", part.kind, part.name


_Units = dict[str, str]
"""Units that are read together, with their stamps."""


def _members(singles: Iterable[PartInfo]) -> dict[_About, _Units]:
    """The units that describe each cell or queue manager."""
    told: dict[_About, _Units] = {}
    for part in singles:
        if part.kind in SHARED:
            told.setdefault(_about(part), {})[part.path] = part.stamp
    return told


def _read_together(store: Store, state: State, singles: Sequence[PartInfo]) -> dict[_About, _Units]:
    """What several units describe, with these units: queue-sharing groups, and cells and queue managers that are in
    none.
    """
    told = _members(singles)
    groups: dict[_About, set[_About]] = {}
    for part, name in read_sharing_groups(store, state, singles):
        groups.setdefault((part.environment or "", SHARING_GROUP, name), set()).add(_about(part))
    several = {group: managers for group, managers in groups.items() if len(managers) > 1}
    found = {
        group: {path: stamp for manager in managers for path, stamp in told[manager].items()}
        for group, managers in several.items()
    }
    in_groups = {manager for managers in several.values() for manager in managers}
    return found | {key: units for key, units in told.items() if len(units) > 1 and key not in in_groups}


@dataclass(frozen=True, slots=True)
class _Work:
    """Reads tasks into generations of a store."""

    workers: Workers
    store: Store
    reader: UnitReader

    def read(self, state: State, tasks: Sequence[Task], about: dict[int, tuple[str, str, bool]]) -> list[PartInfo]:
        """The parts of a new generation that holds the facts of tasks."""
        if not tasks:
            return []
        folder = self.store.add_generation(state)
        self.workers.write_facts(tasks, self.reader, self.store, folder)
        rows = self.store.parts_of(folder)
        assert {task.number for task in tasks} <= {row["unit"] for row in rows}  # a task has a part, come what may
        parts = build_infos(rows, about)
        state.stored_rows += sum(part.rows for part in parts)
        return parts


def _groups(
    work: _Work,
    state: State,
    units: Sequence[Unit],
    singles: Sequence[PartInfo],
    known: Mapping[str, Sequence[PartInfo]],
) -> list[PartInfo]:
    """The parts that several units describe, read from all of them."""
    shared = dict(sorted(_read_together(work.store, state, singles).items()))
    by_path = {unit.key: unit for unit in units} if shared else {}
    groups: list[PartInfo] = []
    tasks: list[Task] = []
    about: dict[int, tuple[str, str, bool]] = {}
    for (environment, kind, name), members in shared.items():
        path = key_of(environment, f"\x1f{kind}\x1f{name}")
        stamp = hashlib.sha256(repr(sorted(members.items())).encode("utf-8", "surrogateescape")).hexdigest()[:32]
        if path in known and known[path][0].stamp == stamp:
            groups.extend(known[path])
            continue
        files = sorted((file for member in members for file in by_path[member].files), key=lambda file: file.shown)
        about[state.next_unit] = (path, stamp, True)
        tasks.append(Task(state.next_unit, files[0].shown, files, (kind, name), environment or None))
        state.next_unit += 1
    return groups + work.read(state, tasks, about)


def dead_parts(store: Store, state: State, live: Sequence[PartInfo]) -> list[int]:
    """The parts that lie in the generations and no longer count."""
    counting = {part.part for part in live}
    return sorted(part for part in store.stored_parts(state) if part not in counting)
