"""What only several queue managers together tell: who shares a queue, and which names other members of a group have.

The queue managers of a queue-sharing group (QSGNAME, z/OS) have their shared objects in common. Each of them is
resolved by itself, from its own export, before this looks at all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from lintmdb.model.columns import columns
from lintmdb.model.environment_names import key_of
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Problem, PutTarget, Queue, QueueManager, QueueName
from lintmdb.resolve.mq.free_names import free_name

_Manager: TypeAlias = str
"""A queue manager among those of all environments, by ``key_of``."""


class _Group(NamedTuple):
    """The queue managers of one queue-sharing group that were read, in order of name."""

    name: str
    environment: str | None
    members: Sequence[str]

    @property
    def keys(self) -> list[_Manager]:
        return [key_of(self.environment, member) for member in self.members]


def join_queue_managers(facts: Facts) -> None:
    """Fill in, in the rows of resolved queue managers, what depends on the other ones."""
    groups = {key: group for group in _groups(facts.rows["queue_manager"]) for key in group.keys}
    if groups:
        _join_members(facts, groups)


def _groups(managers: Iterable[QueueManager]) -> Iterator[_Group]:
    """The queue-sharing groups of which several queue managers were read."""
    found: dict[tuple[str | None, str], list[str]] = {}
    for manager in managers:
        if manager.sharing_group:
            found.setdefault((manager.environment, manager.sharing_group), []).append(manager.name)
    for (environment, name), members in found.items():
        if len(members) > 1:
            yield _Group(name, environment, sorted(members))


def _join_members(facts: Facts, groups: Mapping[_Manager, _Group]) -> None:
    rows = facts.rows
    names: dict[_Manager, set[str]] = {key: set() for key in groups}
    for row in rows["queue_name"]:
        if _counts(row) and (key := _key(row)) in names:
            names[key].add(row.name)
    rows["queue_manager"] = [
        replace(row, sharing_members=" ".join(groups[key].members))
        if (key := key_of(row.environment, row.name)) in groups
        else row
        for row in rows["queue_manager"]
    ]
    free = _free_names(rows["queue"], groups, names)
    doubted = _doubted(rows["queue"], groups)
    rows["queue"] = [
        replace(row, free_backout_name=free[place]) if (place := _shared_place(row, groups)) in free else row
        for row in (
            replace(row, backout_resolution=None, poison_queue=row.backout_queue)
            if _names_one(row, groups, doubted)
            else row
            for row in rows["queue"]
        )
    ]
    rows["put_target"] = [
        # A name that another member has is spelt as it is meant.
        replace(row, at_other_member=True, near_name=None) if _is_at_another(row, groups, names) else row
        for row in rows["put_target"]
    ]


def _doubted(queues: Iterable[Queue], groups: Mapping[_Manager, _Group]) -> set[_Place]:
    """The shared queues that the export of some member shows: that of another may leave them out."""
    return {
        (groups[key].environment, groups[key].name, row.name)
        for row in queues
        if row.shared_disposition and (key := _key(row)) in groups
    }


def _names_one(row: Queue, groups: Mapping[_Manager, _Group], doubted: Collection[_Place]) -> bool:
    """Whether BOQNAME names a queue that one export of a group lacks and another one shows as shared."""
    group = groups.get(_key(row)) if row.backout_resolution == "not_defined" else None
    return group is not None and (group.environment, group.name, row.backout_queue or "") in doubted


def _counts(row: QueueName) -> bool:
    """Whether the name is that of an object, and not of one that a script has deleted again."""
    return row.type is not None


def _key(row: Queue | QueueName | PutTarget) -> _Manager:
    return key_of(row.environment, row.queue_manager)


_Place: TypeAlias = tuple[str | None, str, str]
"""The environment, the queue-sharing group, and the name of a queue in its repository."""


def _shared_place(row: Queue, groups: Mapping[_Manager, _Group]) -> _Place | None:
    """Where a queue is in the shared repository; None for a private one."""
    group = groups.get(_key(row)) if row.command_disposition in ("SHARED", "GROUP") else None
    return None if group is None else (group.environment, group.name, row.name)


def _free_names(
    queues: Iterable[Queue], groups: Mapping[_Manager, _Group], names: Mapping[_Manager, Collection[str]]
) -> dict[_Place, str]:
    """A name for a new backout queue of each shared queue, which no queue of any member has."""
    wished: dict[_Place, str] = {}
    members: dict[_Place, _Group] = {}
    for row in queues:
        place = _shared_place(row, groups)
        if place is not None and row.free_backout_name is not None:
            known = wished.setdefault(place, row.free_backout_name)
            wished[place] = min(known, row.free_backout_name, key=lambda name: (len(name), name))
            members[place] = groups[_key(row)]
    return {
        place: free_name(name, "{queue}", {taken.upper() for key in members[place].keys for taken in names[key]})
        for place, name in wished.items()
    }


def _is_at_another(
    row: PutTarget, groups: Mapping[_Manager, _Group], names: Mapping[_Manager, Collection[str]]
) -> bool:
    """Whether the missing queue behind a name exists at another queue manager of the group."""
    own = _key(row)
    if own not in groups or not row.leads_to or row.leads_to in names[own]:
        return False
    return any(row.leads_to in names[key] for key in groups[own].keys if key != own)


class _Shown(NamedTuple):
    """What the export of one queue manager of a group shows of shared queues."""

    member: str
    path: str
    shared: dict[str, Queue]
    names: set[str]
    """Those of all queues."""
    lists_queues: bool


def sharing_notices(facts: Facts) -> Iterator[Problem]:
    """A notice for each queue manager whose export disagrees with that of the first one of its queue-sharing group on a
    shared queue: most likely they are of different days.
    """
    groups = list(_groups(facts.rows["queue_manager"]))
    shown = _shown_by(facts, groups) if groups else {}
    for group in groups:
        first, *others = [shown[key] for key in group.keys]
        for other in others:
            if differing := sorted(_differences(first, other)):
                yield _notice(group, first, other, differing)


def _shown_by(facts: Facts, groups: Iterable[_Group]) -> dict[_Manager, _Shown]:
    rows = facts.rows
    exports = [export for export in rows["export"] if export.kind == "queue_manager"]
    paths = {key_of(export.environment, export.name or ""): export.path for export in exports}
    lists = {key_of(row.environment, row.name) for row in rows["queue_manager"] if row.lists_queues}
    found = {
        key: _Shown(member, paths.get(key, ""), {}, set(), key in lists)
        for group in groups
        for member, key in zip(group.members, group.keys, strict=True)
    }
    for row in rows["queue"]:
        if row.shared_disposition and (own := found.get(_key(row))):
            own.shared[row.name] = row
    for row in rows["queue_name"]:
        if _counts(row) and (own := found.get(_key(row))):
            own.names.add(row.name)
    return found


def _differences(one: _Shown, other: _Shown) -> Iterator[tuple[str, str]]:
    """Each shared queue on which two exports disagree, with the attribute; blank where one of them lacks the queue."""
    for name in one.shared.keys() | other.shared.keys():
        here, there = one.shared.get(name), other.shared.get(name)
        if here is not None and there is not None:
            attribute = next((word for word in _WRITTEN if _contradict(here, there, word)), None)
            if attribute is not None:
                yield name, _WRITTEN[attribute]
        elif any(shown.lists_queues and name not in shown.names for shown in (one, other)):
            yield name, ""


def _contradict(one: Queue, other: Queue, column: str) -> bool:
    values = getattr(one, column), getattr(other, column)
    return None not in values and values[0] != values[1]


_WRITTEN = {
    column.name: column.keywords[0]
    for column in columns(Queue)
    if column.mqsc and not column.derived and column.name != "shared_disposition"
}
"""The columns that are attributes of the queue as somebody defined it, with their keywords."""


def _notice(group: _Group, first: _Shown, other: _Shown, differing: Sequence[tuple[str, str]]) -> Problem:
    name, attribute = differing[0]
    more = f", and on {len(differing) - 1} more" if len(differing) > 1 else ""
    what = f"{attribute} of the shared queue {name}" if attribute else f"whether there is a shared queue {name}"
    return Problem(
        kind="shared_object_differs",
        path=other.path,
        text=f"disagrees with {first.path} on {what}{more}, although {other.member} and {first.member} are both in "
        f"queue-sharing group {group.name} and have one such queue",
        next_step="Export all queue managers of the group on the same day",
        queue_manager=other.member,
        object=name,
        environment=group.environment,
    )
