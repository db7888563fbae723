"""What becomes of messages that are moved to a remote queue, at other queue managers that were exported.

Sources: IBM MQ "Name resolution", "Queue manager alias definitions" and "Dead-letter queues", and the reason codes
2057, 2087 and 2184. A channel leads to the queue manager whose name its transmission queue has, where an export has
that name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from lintmdb.model.facts import Facts
from lintmdb.model.origins import ChangeOrigin, LazyOrigin, Located, Origin, behind, beyond
from lintmdb.model.relations import Forwarding, Problem, ProblemKind, PutTarget, Queue, QueueName
from lintmdb.resolve.mq.objects import PREDEFINED
from lintmdb.settings.kinds import listed_names

_HEADER_BYTES = 428
"""What a transmission queue counts of a message beside its data."""
_CIRCLE, _TOPIC, _MODEL = "sends it round in a circle", "is an alias of a topic", "is a model queue"
_NO_QUEUE = {
    "topic": _TOPIC,
    "dangling": "is an alias of a queue that is not defined",
    "wrong_base": "is an alias of another alias or of a model queue",
}
"""Aliases that lead to no queue, by what a put to them finds."""
_OUTCOMES = {
    _CIRCLE: "never arrives",
    _TOPIC: "is published, and nobody has it who has not subscribed",
    _MODEL: "is not kept under that name",
}
"""What becomes of a message there, where that is not what becomes of one that cannot be put."""


class Place(NamedTuple):
    """A queue name at a queue manager."""

    manager: str
    queue: str


class _Arrival(NamedTuple):
    """Where a message arrives that was sent to another queue manager."""

    place: Place
    anywhere: bool = False
    """No queue manager is named any more, so a cluster may have the queue."""


class _Way(NamedTuple):
    """The way of a message from a remote queue to the last name that the exports show."""

    passed: tuple[Forwarding, ...]
    """What sends it on, without the remote queue that it begins with."""
    end: Place
    anywhere: bool
    fault: str = ""
    """What the last name is, where no message is put there; blank where it is one that sends none on."""


class RemoteEnd(NamedTuple):
    """What other queue managers are proven to do to messages that are moved to a remote queue."""

    environment: str | None
    queue_manager: str
    name: str
    """Of the remote queue, as BOQNAME or DEADQ names it."""
    fails_because: str
    """Why no queue there takes a message and keeps it; blank where they come back."""
    comes_back_to: str
    """The queue that names it in BOQNAME and at which messages arrive again; blank where there is none."""
    managers: tuple[str, ...]
    """The queue managers whose exports prove it."""
    in_cluster: str = ""
    """The other queue managers that have the queue in a cluster, of a name that a cluster may have; else blank."""
    change: Origin | None = None
    """The change, of what another queue manager has, because of which it is so."""


def remote_queue_notices(facts: Facts) -> Iterator[Problem]:
    """What a reader has to know about remote queues to which messages are moved, and about the queues behind them."""
    for estate, row in _remote_queues(facts):
        yield from _of_way(estate, row)


def find_remote_ends(facts: Facts) -> Iterator[RemoteEnd]:
    """The remote queues to which messages are moved in vain, once each."""
    for estate, row in _remote_queues(facts):
        end = _end_of(estate, row)
        if end is not None:
            yield end
    yield from _find_cluster_queues(facts)


def _find_cluster_queues(facts: Facts) -> Iterator[RemoteEnd]:
    """The undefined queues that exports of other queue managers show in a cluster."""
    wanted = [row for row in facts.rows["put_target"] if row.may_be_in]
    names = {(row.environment, row.leads_to) for row in wanted}
    ambiguous = {(row.environment, row.name) for row in facts.rows["queue_manager"] if row.ambiguous}
    shown: dict[tuple[str | None, str], list[QueueName]] = {}
    for row in facts.rows["queue_name"] if wanted else ():
        key = (row.environment, row.name)
        if row.cluster and key in names and (row.environment, row.queue_manager) not in ambiguous:
            shown.setdefault(key, []).append(row)
    for row in wanted:
        clusters = (row.may_be_in or "").split()
        there = {
            other.queue_manager: f"{other.queue_manager}{_where(other)}"
            for other in shown.get((row.environment, row.leads_to or ""), ())
            if other.cluster in clusters and other.queue_manager != row.queue_manager
        }
        if there:
            managers = tuple(sorted({row.queue_manager, *there}))
            told = listed_names([there[manager] for manager in sorted(there)])
            yield RemoteEnd(row.environment, row.queue_manager, row.name, "", "", managers, told)


def join_remote_queues(facts: Facts) -> None:
    """Fill in, in the rows of resolved queue managers, what other ones do to messages for remote queues."""
    found = [
        (end, _place_of_fault(estate, row)) for estate, row in _remote_queues(facts) if (end := _end_of(estate, row))
    ]
    every = [*(end for end, _ in found), *_find_cluster_queues(facts)]
    ends = {(end.environment, end.queue_manager, end.name): end for end in every}
    if not ends:
        return
    in_cluster = {key: end.in_cluster for key, end in ends.items() if end.in_cluster}
    places = {(end.environment, end.queue_manager, end.name): place for end, place in found if place is not None}
    failing = {key: end for key, end in ends.items() if end.fails_because}
    circling = {
        (end.environment, end.queue_manager, end.comes_back_to): end for end in ends.values() if end.comes_back_to
    }
    facts.rows["put_target"] = [
        replace(
            row,
            fails_elsewhere=True,
            unreachable_because=failing[key].fails_because,
            origins={
                **_with_change(row.origins, "fails_elsewhere", failing[key]),
                **({beyond("fails_elsewhere"): places[key]} if key in places else {}),
            },
        )
        if (key := (row.environment, row.queue_manager, row.name)) in failing
        else replace(row, in_cluster_elsewhere=in_cluster[key])
        if key in in_cluster
        else row
        for row in facts.rows["put_target"]
    ]
    facts.rows["queue"] = [
        replace(
            row,
            backout_loops=True,
            backout_circle=row.name,
            backout_circle_queues=1,
            origins=_with_change(row.origins, "backout_loops", circling[key]),
        )
        if (key := (row.environment, row.queue_manager, row.name)) in circling
        else row
        for row in facts.rows["queue"]
    ]


def _with_change(origins: Mapping[str, Located], column: str, end: RemoteEnd) -> Mapping[str, Located]:
    return origins if end.change is None else {**origins, behind(column): end.change}


def _remote_queues(facts: Facts) -> Iterator[tuple[_Estate, PutTarget]]:
    """The remote queues to which messages are moved, each with what the exports of its environment show."""
    ways = [row for row in facts.rows["put_target"] if row.remote_queue]
    for environment in sorted({row.environment for row in ways}, key=lambda name: name or ""):
        estate = _Estate(facts, environment)
        for row in ways:
            if row.environment == environment:
                yield estate, row


class _Estate:
    """What the exports of one environment show of queue managers and their queues, by place."""

    def __init__(self, facts: Facts, environment: str | None) -> None:
        rows = {
            table: [row for row in facts.rows[table] if row.environment == environment]
            for table in ("queue_manager", "forwarding", "queue_name", "queue", "endpoint")
        }
        self.managers = {row.name: row for row in rows["queue_manager"] if not row.ambiguous}
        self.forwarding = {Place(row.queue_manager, row.name): row for row in rows["forwarding"]}
        self.names = {Place(row.queue_manager, row.name): row for row in rows["queue_name"] if row.type is not None}
        self.absent = {Place(row.queue_manager, row.name): row for row in rows["queue_name"] if row.type is None}
        self.queues = {Place(row.queue_manager, row.name): row for row in rows["queue"]}
        self._readers: dict[Place, set[str]] = {}
        for row in rows["endpoint"]:
            name = self.names.get(Place(row.queue_manager, row.queue)) if not row.other_queue_manager else None
            if name is not None and name.local_queue is not None:
                self._readers.setdefault(Place(name.queue_manager, name.local_queue), set()).add(row.name)
        self._sources: dict[Place, list[Queue]] = {}
        for queue in self.queues.values():
            if queue.backout_threshold and queue.poison_queue and queue.get_enabled is not False:
                self._sources.setdefault(Place(queue.queue_manager, queue.poison_queue), []).append(queue)

    def sources(self, row: PutTarget) -> list[Queue]:
        """The queues whose poison messages are moved to a name: by BOQNAME, or by DEADQ where somebody reads them."""
        return sorted(
            (
                queue
                for queue in self._sources.get(Place(row.queue_manager, row.name), ())
                if queue.backout_queue == row.name or self.readers(Place(queue.queue_manager, queue.name))
            ),
            key=lambda queue: queue.name,
        )

    def readers(self, place: Place) -> list[str]:
        """The endpoints that read a local queue."""
        return sorted(self._readers.get(place, ()))

    def follow(self, row: PutTarget) -> _Way | None:
        """The way of a message that is put on a remote queue; None where the exports do not show where it leads."""
        passed: list[Forwarding] = []
        arrival = self._arrive(row.remote_queue, row.remote_queue_manager, row.transmission_queue, passed)
        been: set[Place] = set()
        while arrival is not None:
            place, anywhere = arrival
            hop = self.forwarding.get(place)
            fault = "" if hop is None else _CIRCLE if place in been else _fault_of_hop(hop)
            if hop is None or fault:
                return _Way(tuple(passed), place, anywhere, fault)
            been.add(place)
            passed.append(hop)
            if hop.type == "remote":
                arrival = self._arrive(hop.remote_queue, hop.remote_queue_manager, hop.transmission_queue, passed)
            else:
                known = hop.resolution in ("resolved", "remote")
                arrival = _Arrival(Place(place.manager, hop.target), anywhere) if known and hop.target else None
        return None

    def _arrive(
        self, queue: str | None, manager: str | None, leaves_by: str | None, passed: list[Forwarding]
    ) -> _Arrival | None:
        """Where a message arrives that leaves for a queue of another queue manager by a transmission queue; the aliases
        of queue managers on the way are added to ``passed``.
        """
        been: set[tuple[str, str | None]] = set()
        while queue and manager and (manager, leaves_by) not in been:
            been.add((manager, leaves_by))
            alias = None
            if leaves_by is not None and leaves_by != manager and leaves_by in self.managers:
                alias = self.forwarding.get(Place(leaves_by, manager))
            if alias is None or alias.type != "remote":
                return _Arrival(Place(manager, queue)) if manager in self.managers else None
            if alias.remote_queue != "":
                return None
            passed.append(alias)
            if alias.remote_queue_manager in ("", alias.queue_manager):
                return _Arrival(Place(alias.queue_manager, queue), anywhere=not alias.remote_queue_manager)
            manager, leaves_by = alias.remote_queue_manager, alias.transmission_queue
        return None


def _fault_of_hop(hop: Forwarding) -> str:
    if hop.put_enabled is False:
        return "has PUT(DISABLED)"
    if hop.type == "alias":
        return _NO_QUEUE.get(hop.resolution or "", "")
    if hop.remote_queue == "":
        return "is an alias of a queue manager, and no queue"
    return "is a remote queue from which no message is sent on" if hop.reachable is False else ""


def _of_way(estate: _Estate, row: PutTarget) -> Iterator[Problem]:
    way = _way_of(estate, row)
    if way is None:
        return
    end, name = way.end, estate.names.get(way.end)
    leads, queue = _leads(row, way, name), estate.queues.get(end)
    if fault := _fault_of_way(estate, way, name):
        missing = name is None
        correct = f"Define {end.queue} at {end.manager}" if missing else f"Correct {end.queue} at {end.manager}"
        names = f"correct RNAME and RQMNAME of {row.name}" if missing else f"RNAME and RQMNAME of {row.name}"
        outcome = _OUTCOMES.get(fault) or _lost(estate, end)
        text = f"{leads}, which {fault}, so a message that is moved there {outcome}"
        yield _notice(
            row, "undefined_remote_queue" if missing else "closed_remote_queue", text, f"{correct}, or {names}"
        )
    elif name is not None and queue is not None:
        sources = estate.sources(row)
        yield from _too_long(estate, row, leads, queue, sources)
        yield from _delivered_again(estate, row, leads, end, sources)


def _way_of(estate: _Estate, row: PutTarget) -> _Way | None:
    """Where a message goes that leaves; None where it does not, or where the exports do not show it."""
    return estate.follow(row) if row.takes_puts is not False else None


def _end_of(estate: _Estate, row: PutTarget) -> RemoteEnd | None:
    way = _way_of(estate, row)
    if way is None:
        return None
    end, name = way.end, estate.names.get(way.end)
    fault, back = _fault_of_way(estate, way, name), ""
    if not fault and any(_is_source(source, row, end) for source in estate.sources(row)):
        back = end.queue
    if not (fault or back):
        return None
    because = f"it leads to {end.queue} at {end.manager}, which {fault}" if fault else ""
    managers = {row.queue_manager, end.manager, *(hop.queue_manager for hop in way.passed)}
    change = _change_behind(estate, way, fault)
    return RemoteEnd(
        row.environment, row.queue_manager, row.name, because, back, tuple(sorted(managers)), change=change
    )


_OF_FAULTS = {"has PUT(DISABLED)": "put_enabled", "has MAXDEPTH(0)": "max_depth"}


def _change_behind(estate: _Estate, way: _Way, fault: str) -> Origin | None:
    """The change that makes the last name of a way what it is, or else the last one that makes messages go that way."""
    queue, absent, name = (table.get(way.end) for table in (estate.queues, estate.absent, estate.names))
    origins = [row.origins.get("leads_to_kind") for row in (absent, name) if row is not None]
    if queue is not None:
        origins.append(queue.origins.get(_OF_FAULTS.get(fault, "name")))
    for hop in (estate.forwarding.get(way.end), *reversed(way.passed)):
        if hop is not None:
            origins += [hop.origins.get("put_enabled")] if hop.put_enabled is False else []
            set_here = (hop.origins.get(column) for column in _OF_HOPS)
            origins += [origin for origin in set_here if origin is not None and not origin.default]
    found = (origin.resolve() if isinstance(origin, LazyOrigin) else origin for origin in origins)
    return next((origin for origin in found if isinstance(origin, ChangeOrigin)), None)


def _place_of_fault(estate: _Estate, row: PutTarget) -> Located | None:
    """The setting of the last name of a way that keeps messages from being put there, if it is one."""
    way = _way_of(estate, row)
    if way is None:
        return None
    hop, queue = estate.forwarding.get(way.end), estate.queues.get(way.end)
    if hop is not None:
        return hop.origins.get("put_enabled") if hop.put_enabled is False else None
    name = estate.names.get(way.end)
    column = _OF_FAULTS.get(_fault_of_end(estate, name)) if name is not None else None
    return queue.origins.get(column) if queue is not None and column is not None else None


_OF_HOPS = ("target", "resolution", "remote_queue", "remote_queue_manager", "reachable", "name")


def _is_source(queue: Queue, row: PutTarget, end: Place) -> bool:
    """Whether a queue that names a remote queue in BOQNAME is the one to which that leads."""
    return queue.backout_queue == row.name and Place(queue.queue_manager, queue.name) == end


def _fault_of_way(estate: _Estate, way: _Way, name: QueueName | None) -> str:
    """What is wrong with the last name of a way; blank where a message is put there and stays, or may be."""
    if name is not None:
        return way.fault or _fault_of_end(estate, name)
    listed = way.end.manager in estate.managers and estate.managers[way.end.manager].lists_queues
    return "does not define it" if listed and not way.anywhere and way.end.queue not in PREDEFINED else ""


def _fault_of_end(estate: _Estate, name: QueueName) -> str:
    queue = estate.queues.get(Place(name.queue_manager, name.name))
    if name.type == "model":
        return _MODEL
    if name.leads_to_kind == "transmission queue":
        return "is a transmission queue"
    if queue is not None and queue.put_enabled is False:
        return "has PUT(DISABLED)"
    return "has MAXDEPTH(0)" if queue is not None and queue.max_depth == 0 else ""


def _too_long(estate: _Estate, row: PutTarget, leads: str, queue: Queue, sources: Iterable[Queue]) -> Iterator[Problem]:
    """Messages that are longer than the queue at the other end allows, of queues that allow them."""
    most, by_transmission_queue = queue.longest_message_bytes, row.transmission_max_bytes
    manager = estate.managers.get(row.queue_manager)
    if most is None or manager is None or manager.max_message_bytes is None:
        return
    sent = {source.name: source.longest_message_bytes or 0 for source in sources}
    if by_transmission_queue is not None:
        sent = {name: min(allowed, by_transmission_queue - _HEADER_BYTES) for name, allowed in sent.items()}
    longer = sorted(name for name, allowed in sent.items() if allowed > most)
    if longer:
        end = Place(queue.queue_manager, queue.name)
        up_to = max(sent[name] for name in longer)
        limit = f"{listed_names(longer)} up to {up_to}"
        if by_transmission_queue is not None and up_to == by_transmission_queue - _HEADER_BYTES:
            # No file has this number.
            of_queue = f"MAXMSGL({by_transmission_queue}) of the transmission queue {row.transmission_queue}"
            limit += f" ({of_queue}, less {_HEADER_BYTES} for a header)"
        text = f"{leads}, which takes messages of up to {most} bytes, and {limit}, so a"
        yield _notice(
            row,
            "closed_remote_queue",
            f"{text} longer message that is moved there {_lost(estate, end)}",
            f"Raise MAXMSGL of {end.queue} at {end.manager}, and of that queue manager where it is lower",
        )


def _delivered_again(
    estate: _Estate, row: PutTarget, leads: str, end: Place, sources: Sequence[Queue]
) -> Iterator[Problem]:
    """Poison messages that come back to the queue they were moved from, or to another one that an endpoint reads."""
    readers = listed_names(estate.readers(end))
    if any(Place(source.queue_manager, source.name) == end for source in sources):
        yield _notice(
            row,
            "read_remote_queue",
            f"{leads}, whose poison messages are moved to {row.name}, so each of them comes back again and again, with "
            "a backout count of 0",
            f"Name a queue in BOQNAME of {end.queue} that nobody reads, or correct RNAME and RQMNAME of {row.name}",
        )
    elif sources and readers:
        names = listed_names([source.name for source in sources])
        yield _notice(
            row,
            "read_remote_queue",
            f"{leads}, which is read by {readers}, so poison messages of {names} are delivered again there, with a "
            "backout count of 0",
            f"Unless that is where they are handled, name a queue in BOQNAME of {names} that nobody reads",
        )


def _leads(row: PutTarget, way: _Way, end: QueueName | None) -> str:
    """``FAR.BO of queue manager QM1 leads by way of X at QM2 (b.mqsc:4) to A.BO at QM3 (c.mqsc:7)``."""
    hops = " and ".join(f"{hop.name} at {hop.queue_manager}{_where(hop)}" for hop in way.passed)
    by = f" by way of {hops}" if hops else ""
    to = f"{way.end.queue} at {way.end.manager}{_where(end)}"
    return f"{row.name} of queue manager {row.queue_manager} leads{by} to {to}"


def _where(row: Forwarding | QueueName | None) -> str:
    place = row.origins.get("name") if row is not None else None
    return f" ({place.path}:{place.line})" if place is not None else ""


def _lost(estate: _Estate, end: Place) -> str:
    """What becomes of a message that cannot be put where it arrives."""
    manager = estate.managers.get(end.manager)
    name = f" {manager.dead_letter_queue}" if manager is not None and manager.dead_letter_queue else ""
    return f"ends on the dead-letter queue{name} of {end.manager} or stops its channel"


def _notice(row: PutTarget, kind: ProblemKind, text: str, next_step: str) -> Problem:
    place = row.origins["remote_queue"]
    return Problem(
        kind=kind,
        path=place.path,
        line=place.line,
        text=text,
        next_step=next_step,
        queue_manager=row.queue_manager,
        object=row.name,
        environment=row.environment,
    )
