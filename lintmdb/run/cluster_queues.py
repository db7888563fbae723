"""Queues of a cluster that one queue manager names and another one defines, where the exports of both prove that they
are members of that cluster; and those of which full repositories say that no cluster has them.

Sources: IBM MQ "Name resolution", "Cluster queues", "The cluster workload management algorithm" and the reason codes
2085, 2087 and 2268.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias, TypedDict

from lintmdb.model.facts import Facts
from lintmdb.model.origins import Located, Origin, holder, step
from lintmdb.model.relations import ClusterMember, Forwarding, PutTarget, Queue, QueueName, Resolution
from lintmdb.model.word_lists import listed
from lintmdb.resolve.mq.put_targets import join_open_managers, transmission_limit
from lintmdb.settings.kinds import listed_names

Key: TypeAlias = tuple[str | None, str, str]
"""The environment, the queue manager and the name of a row."""
_Members: TypeAlias = Mapping[tuple[str | None, str], Mapping[str, ClusterMember]]
"""The clusters of each queue manager, by environment and name."""


class _Instance(NamedTuple):
    """A queue of a cluster at one queue manager."""

    name: QueueName
    put_enabled: bool | None
    queue: Queue | None
    """It, where it is a local queue of that queue manager."""
    member: ClusterMember | None
    """How messages leave for it; None where nothing proves that both are members of one cluster."""

    @property
    def shown(self) -> str:
        """``QM2 (b.mqsc:8)``."""
        return f"{self.name.queue_manager}{where(self.name)}"


def join_cluster_queues(facts: Facts) -> Mapping[Key, tuple[str, ...]]:
    """Fill in the names that lead to queues of other queue managers in a cluster; the result has the queue managers
    whose exports say so, by the row of ``put_target``. What an answer says stays as it is.
    """
    targets = facts.rows["put_target"]
    wanted = [row for row in targets if row.may_be_in or row.cluster_managers]
    if not wanted:
        return {}
    estate = _Clusters(facts, wanted)
    filled: dict[Key, PutTarget] = {}
    proven: dict[Key, tuple[str, ...]] = {}
    for row in wanted:
        found, managers = estate.fill(row)
        if managers:
            filled[_key(row)] = found
            proven[_key(row)] = tuple(sorted({row.queue_manager, *managers}))
    if filled:
        facts.rows["put_target"] = [filled.get(_key(row), row) for row in facts.rows["put_target"]]
        _fill_queues(facts, filled)
    return proven


def where(row: Forwarding | QueueName | None) -> str:
    """The place of a definition, behind its name: `` (b.mqsc:8)``; blank where there is none."""
    place = row.origins.get("name") if row is not None else None
    return f" ({place.path}:{place.line})" if place is not None else ""


@dataclass(frozen=True, slots=True)
class _Shown:
    """The rows about names that may lead to queues of a cluster."""

    names: Mapping[tuple[str | None, str], Sequence[QueueName]]
    """What the exports of all queue managers show under a name, by environment and name."""
    queues: Mapping[Key, Queue]
    forwarding: Mapping[Key, Forwarding]


class _Repositories(NamedTuple):
    """What the exports show of the full repositories of the clusters that may have a queue."""

    asked: Sequence[str]
    """One for each cluster of which no answer says that the queue is not there."""
    shown_by: str
    """One whose answer shows the queue; blank where none does."""
    managers: Sequence[str]
    """The queue manager itself, and all full repositories."""


def _by_answers(row: PutTarget, repositories: _Repositories, *, denied: bool) -> PutTarget:
    """The row of a queue that no export shows in a cluster."""
    if denied:
        return replace(row, may_be_in=None)
    if repositories.shown_by:
        return replace(row, in_cluster_elsewhere=f"a queue manager that {repositories.shown_by} knows")
    return replace(row, repositories=listed(repositories.asked) or None)


def _answer(member: ClusterMember, name: str) -> bool | None:
    """Whether a full repository shows a queue; None where it was not asked."""
    patterns = (member.asked or "").split()
    if any(name.startswith(each[:-1]) if each.endswith("*") else name == each for each in patterns):
        return name in (member.shown or "").split()
    return None


class _Clusters:
    """What the exports show of clusters, and of the names that may lead to queues of one."""

    def __init__(self, facts: Facts, wanted: Iterable[PutTarget]) -> None:
        ambiguous = {(row.environment, row.name) for row in facts.rows["queue_manager"] if row.ambiguous}
        members: dict[tuple[str | None, str], dict[str, ClusterMember]] = {}
        for row in facts.rows["cluster_member"]:
            place = (row.environment, row.queue_manager)
            if place not in ambiguous:
                members.setdefault(place, {})[row.cluster] = row
        self._members: _Members = members
        full: dict[tuple[str | None, str], list[ClusterMember]] = {}
        for (environment, _), clusters in sorted(members.items(), key=lambda each: each[0][1]):
            for row in clusters.values():
                if row.full_repository:
                    full.setdefault((environment, row.cluster), []).append(row)
        self._full = full
        wanted = list(wanted)
        led_to = {(row.environment, row.leads_to) for row in wanted}
        names: dict[tuple[str | None, str], list[QueueName]] = {}
        for row in facts.rows["queue_name"]:
            known = (row.environment, row.queue_manager) not in ambiguous
            if row.clusters and known and (row.environment, row.name) in led_to:
                names.setdefault((row.environment, row.name), []).append(row)
        at = {(row.environment, name) for row in wanted for name in (row.name, row.leads_to)}
        self._shown = _Shown(
            names,
            {_key(row): row for row in facts.rows["queue"] if (row.environment, row.name) in at},
            {_key(row): row for row in facts.rows["forwarding"] if (row.environment, row.name) in at},
        )

    def fill(self, row: PutTarget) -> tuple[PutTarget, Sequence[str]]:
        """A row with what is known of the cluster, and the other queue managers whose exports show it; none of them
        where nothing is.
        """
        if not row.may_be_in:
            return self._with_cap(row)
        if row.remote_queue:
            return self._by_manager(row)
        repositories = self._repositories(row)
        denied = row.in_no_other_cluster and not repositories.asked
        instances = list(self._instances(row))
        proven = [each for each in instances if each.member is not None]
        managers = [each.name.queue_manager for each in instances]
        if not instances:
            return _by_answers(row, repositories, denied=denied and not row.at_other_member), repositories.managers
        if not proven or row.at_other_member or denied or self._denies(row, proven):
            managers += repositories.managers if denied else ()
            return replace(row, in_cluster_elsewhere=listed_names([each.shown for each in instances])), managers
        return self._at_instances(row, instances), managers

    def _by_manager(self, row: PutTarget) -> tuple[PutTarget, Sequence[str]]:
        """A remote queue whose queue manager is in one of the clusters."""
        manager = row.remote_queue_manager or ""
        member = self._common(row.environment, row.queue_manager, manager, (row.may_be_in or "").split())
        if member is None:
            return row, ()
        takes = _all((row.put_enabled, row.name_clash is not True, member.reachable))
        return replace(row, may_be_in=None, takes_puts=takes, origins=_origins(row, member), **_way(member)), (manager,)

    def _with_cap(self, row: PutTarget) -> tuple[PutTarget, Sequence[str]]:
        """The row of a cluster queue that an answer shows, with CAPEXPRY, of which answers say nothing."""
        managers = (row.cluster_managers or "").split()
        names = self._shown.names.get((row.environment, row.leads_to or ""), ())
        local = {each.queue_manager: each for each in names if each.type == "local"}
        found = [local.get(manager) for manager in managers]
        capped = with_lowest_cap(row, [self._shown.queues.get(_key(each)) if each else None for each in found])
        if capped.expiry_cap_ms == row.expiry_cap_ms:
            return row, ()
        return capped, managers if capped.expiry_cap_ms is not None else (row.queue_manager,)

    def _instances(self, row: PutTarget) -> Iterator[_Instance]:
        clusters = {*(row.may_be_in or "").split()}
        shown = self._shown.names.get((row.environment, row.leads_to or ""), ())
        for other in sorted(shown, key=lambda each: each.queue_manager):
            common = clusters & {*(other.clusters or "").split()}
            key = _key(other)
            hop, queue = self._shown.forwarding.get(key), self._shown.queues.get(key)
            # A remote queue without RNAME is an alias of a queue manager, and no queue; no cluster has a model queue.
            is_queue = other.type in ("local", "alias", "remote") and not (hop is not None and hop.remote_queue == "")
            if common and is_queue and other.queue_manager != row.queue_manager:
                put = queue.put_enabled if queue is not None else hop.put_enabled if hop is not None else None
                member = self._common(row.environment, row.queue_manager, other.queue_manager, sorted(common))
                yield _Instance(other, put, queue if other.type == "local" else None, member)

    def _repositories(self, row: PutTarget) -> _Repositories:
        """What the full repositories of the clusters of a row say of its queue."""
        name, asked, shown_by, managers = row.leads_to or "", dict[str, None](), "", {row.queue_manager}
        for cluster in (row.may_be_in or "").split():
            full = self._full.get((row.environment, cluster), ())
            managers |= {member.queue_manager for member in full}
            answers = {member.queue_manager: _answer(member, name) for member in full}
            shown_by = next((manager for manager, shows in answers.items() if shows), shown_by)
            if False not in answers.values():
                here = row.queue_manager if row.queue_manager in answers else next(iter(answers), None)
                asked[here or f"a full repository of {cluster}"] = None
        return _Repositories(tuple(asked), shown_by, sorted(managers))

    def _common(
        self, environment: str | None, manager: str, other: str, clusters: Iterable[str]
    ) -> ClusterMember | None:
        """The membership of a queue manager in the first of some clusters of which another one is a member, too."""
        here, there = self._members.get((environment, manager), {}), self._members.get((environment, other), {})
        return next((here[cluster] for cluster in clusters if cluster in here and cluster in there), None)

    def _denies(self, row: PutTarget, proven: Iterable[_Instance]) -> bool:
        """Whether an answer of a queue manager that knows every queue of the clusters does not show the queue."""
        return bool(row.not_in_cluster) and all(each.member and each.member.full_repository for each in proven)

    def _at_instances(self, row: PutTarget, instances: Sequence[_Instance]) -> PutTarget:
        """The row as it is where an answer to DISPLAY QCLUSTER shows these instances."""
        member = next(each.member for each in instances if each.member is not None)
        put = {each.name.queue_manager: each.put_enabled for each in instances}
        managers = join_open_managers(put) or ""
        alias = self._shown.forwarding.get(_key(row))
        own = True if row.type is None else alias.put_enabled if alias is not None else None
        open_there = True if any(put[each.name.queue_manager] for each in instances if each.member) else None
        put_enabled = False if row.put_enabled is False else _all((own, open_there))
        host = next(iter(put)) if len(put) == 1 else None
        getting = [each for each in instances if each.name.queue_manager in managers.split()]
        capped = with_lowest_cap(row, [each.queue for each in getting])
        return replace(
            capped,
            leads_to_kind="cluster queue",
            remote_queue=row.leads_to if host is not None else None,
            remote_queue_manager=host,
            cluster_managers=managers,
            in_cluster_elsewhere=listed_names([each.shown for each in getting]),
            may_be_in=None,
            put_enabled=put_enabled,
            transmission=False,
            model=False,
            no_room=False,
            takes_puts=_all((put_enabled, row.name_clash is not True, member.reachable)),
            no_keeper=f"the cluster queue {row.leads_to}",
            near_name=None,
            other_case=None,
            origins=_origins(capped, member),
            **_way(member),
        )


def with_lowest_cap(row: PutTarget, queues: Sequence[Queue | None]) -> PutTarget:
    """A row with the lowest CAPEXPRY of its name here and of the queues that messages may get to; None among these is
    one of which no export shows CAPEXPRY.
    """
    caps = [queue.expiry_cap_ms if queue is not None else None for queue in queues]
    own = row.expiry_cap_ms if row.type is not None else 0  # a name that only other queue managers have limits nothing
    limits = [queue for queue in queues if queue is not None and queue.expiry_cap_ms]
    lowest = min(limits, key=lambda queue: queue.expiry_cap_ms or 0, default=None)
    if lowest is None or (own and own <= (lowest.expiry_cap_ms or 0)):
        return replace(row, expiry_cap_ms=own or (0 if all(cap == 0 for cap in (own, *caps)) else None))
    origins = {**row.origins}
    place = lowest.origins.get("expiry_cap_ms")
    if place is not None:
        held_by = f"QLOCAL({lowest.name} at {lowest.queue_manager})"
        origins["expiry_cap_ms"] = place
        origins[holder("expiry_cap_ms")] = Origin(place.path, place.line, place.column, held_by)
    return replace(
        row,
        expiry_cap_ms=lowest.expiry_cap_ms,
        expiry_capped_by=None,  # no command for this queue manager changes it
        expiry_capped_type=None,
        expiry_capped_disposition=None,
        origins=origins,
    )


class _WayColumns(TypedDict):
    reachable: bool | None
    transmission_queue: str | None
    transmission_max_bytes: int | None
    length_limit: str | None
    unreachable_because: str | None


def _way(member: ClusterMember) -> _WayColumns:
    """How messages leave for the other members of a cluster, as columns of ``put_target``."""
    longest = member.transmission_max_bytes
    return {
        "reachable": member.reachable,
        "transmission_queue": member.transmission_queue,
        "transmission_max_bytes": longest,
        "length_limit": transmission_limit(member.transmission_queue, longest) if longest is not None else None,
        "unreachable_because": member.unreachable_because,
    }


def _origins(row: PutTarget, member: ClusterMember) -> dict[str, Located]:
    """Those of the row, and the settings of the transmission queue that decide about its messages."""
    origins = dict(row.origins)
    for column in ("transmission_max_bytes",) if member.reachable is not False else ("reachable",):
        if column in member.origins:
            origins[step(column, 0)] = member.origins[column]
            origins[holder(step(column, 0))] = member.origins[holder(column)]
    return origins


def _fill_queues(facts: Facts, filled: Mapping[Key, PutTarget]) -> None:
    """Fill in, in the rows of queues, where BOQNAME leads, if anywhere, and that the chain of backout queues ends
    there.
    """
    targets = {_key(row): row for row in facts.rows["put_target"]}
    dead_letter = {(row.environment, row.name): row.dead_letter_queue for row in facts.rows["queue_manager"]}
    changed: dict[Key, Queue] = {}
    for row in facts.rows["queue"]:
        target = filled.get((row.environment, row.queue_manager, row.backout_queue or ""))
        if target is None or target.may_be_in or row.backout_resolution not in (None, "remote"):
            continue
        key = _key(row)
        resolution = _resolution(target)
        moved = resolution == "remote" and target.takes_puts is not False
        poison = row.backout_queue if moved else dead_letter.get(key[:2])
        loops = False if row.backout_resolution is None else row.backout_loops
        changed[key] = replace(row, backout_resolution=resolution, poison_queue=poison, backout_loops=loops)
    # A chain ends where the one of the next queue does.
    waiting: dict[Key, Queue] = {
        key: row
        for row in facts.rows["queue"]
        if row.backout_loops is None and row.backout_circle is None and (key := _key(row)) not in changed
    }
    ended = {*changed}
    while ended:
        ended = {
            key
            for key, row in waiting.items()
            if (target := targets.get((row.environment, row.queue_manager, row.backout_queue or "")))
            and (row.environment, row.queue_manager, target.local_queue or "") in ended
        }
        for key in ended:
            changed[key] = replace(waiting.pop(key), backout_loops=False)
    facts.rows["queue"] = [changed.get(_key(row), row) for row in facts.rows["queue"]]


def _resolution(target: PutTarget) -> Resolution:
    """What BOQNAME leads to once it is known whether a cluster has the queue."""
    if target.remote_queue or target.leads_to_kind == "cluster queue":
        return "remote"
    return "dangling" if target.type == "alias" else "not_defined"


def _key(row: PutTarget | Queue | QueueName | Forwarding) -> Key:
    return (row.environment, row.queue_manager, row.name)


def _all(answers: Iterable[bool | None]) -> bool | None:
    """AND of three values."""
    found = list(answers)
    return False if False in found else None if None in found else True
