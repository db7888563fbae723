"""What becomes of messages that are moved to a remote queue or to a queue of a cluster, at other queue managers that
were exported.

Sources: IBM MQ "Name resolution", "Queue manager alias definitions" and "Dead-letter queues", and the reason codes
2057, 2087 and 2184. A channel leads to the queue manager whose name its transmission queue has, where an export has
that name.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from lintmdb.model.columns import Value
from lintmdb.model.facts import Facts
from lintmdb.model.origins import ChangeOrigin, Located, Origin, behind, beyond, holder, resolved, without_value
from lintmdb.model.relations import Forwarding, Problem, ProblemKind, PutTarget, Queue, QueueName
from lintmdb.model.word_lists import listed
from lintmdb.resolve.mq.objects import PREDEFINED
from lintmdb.run.cluster_queues import Key, join_cluster_queues, where, with_lowest_cap
from lintmdb.settings.kinds import listed_names

FILLED_IN: Mapping[str, tuple[str, ...]] = {
    "put_target": (
        *("leads_to_kind", "remote_queue", "remote_queue_manager", "cluster_managers", "may_be_in"),
        *("in_cluster_elsewhere", "put_enabled", "transmission", "model", "no_room", "takes_puts", "no_keeper"),
        *("near_name", "other_case", "reachable", "transmission_queue", "transmission_max_bytes", "length_limit"),
        *("unreachable_because", "fails_elsewhere", "repositories", "end_takes_less", "expiry_cap_ms"),
        *("expiry_capped_by", "expiry_capped_type", "expiry_capped_disposition"),
        *("end_max_bytes", "end_queue", "end_queue_manager", "end_manager_max_bytes"),
        *("end_limits", "end_by_queue"),
    ),
    "queue": ("backout_resolution", "poison_queue", "backout_loops", "backout_circle", "backout_circle_queues"),
}
"""What ``join_remote_queues`` fills in, by relation and column."""
NOTICE_KINDS: tuple[ProblemKind, ...] = ("undefined_remote_queue", "closed_remote_queue", "read_remote_queue")
"""The kinds of what ``remote_queue_notices`` tells."""
_HEADER_BYTES = 428
"""What a transmission queue counts of a message beside its data."""
_DEAD_LETTER_HEADER_BYTES = 172
"""What the dead-letter header adds to a message (MQDLH)."""
_CLOSED = "has PUT(DISABLED)"
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
    doubt: str = ""
    """What the last name is, where a message may be put there; blank where no export casts doubt on that."""


class RemoteEnd(NamedTuple):
    """What other queue managers are proven to do to messages that are moved to a queue of theirs, as it is filled in in
    one row of a relation.
    """

    relation: str
    environment: str | None
    queue_manager: str
    name: str
    """Of the row: the name that BOQNAME or DEADQ has, or the queue whose poison messages are moved there."""
    values: tuple[Value, ...]
    """Of the columns that ``FILLED_IN`` has for the relation."""
    origins: tuple[tuple[str, Origin], ...]
    """Of all columns of the row, once it is filled in."""
    without_value: tuple[str, ...]
    """The names in ``origins`` of which the row has no value."""
    managers: tuple[str, ...]
    """The queue managers whose exports prove it."""


class _Short(NamedTuple):
    """A queue of another queue manager that takes only shorter messages than are moved there."""

    most: int
    """The longest message that it takes, without a transmission header."""
    queue: Queue
    limit: str
    """``MAXMSGL(1000) on FAR.BO at QM2``."""
    place: Located | None
    held_by: str
    """Whose setting it is: ``QLOCAL(FAR.BO at QM2)``."""
    at_end: bool = False
    """Whether it is MAXMSGL of the queue at the end of the way."""


class _End(NamedTuple):
    """What becomes of messages that are moved to a remote queue."""

    fails_because: str
    """Why no queue there takes a message and keeps it; blank where one does, or where they come back."""
    surely: bool
    """It is so at whatever queue manager a message arrives."""
    comes_back_to: str
    """The queue that names it in BOQNAME and at which messages arrive again; blank where there is none."""
    managers: tuple[str, ...]
    """The queue managers whose exports prove it."""
    change: Origin | None = None
    """The change, of what another queue manager has, because of which it is so."""
    place: Located | None = None
    """The setting that keeps messages from being put there, if it is one."""
    short: Sequence[_Short] = ()
    """What takes only shorter messages than a queue whose messages are moved there."""
    capped: Sequence[Queue] = ()
    """The queues there with a CAPEXPRY."""


def remote_queue_notices(facts: Facts) -> Iterator[Problem]:
    """What a reader has to know about remote queues to which messages are moved, and about the queues behind them, of
    facts that ``join_remote_queues`` has seen.
    """
    for estate, row in _remote_queues(facts):
        yield from _of_ways(estate, row)


def find_remote_ends(facts: Facts) -> Iterator[RemoteEnd]:
    """What ``join_remote_queues`` fills in, row by row; it does so in the facts that it is given."""
    before = {relation: facts.rows[relation] for relation in FILLED_IN}
    managers = join_remote_queues(facts)
    for relation, names in FILLED_IN.items():
        if facts.rows[relation] is before[relation]:
            continue
        read = operator.attrgetter(*names)
        for old, new in zip(before[relation], facts.rows[relation], strict=True):
            if old is new or (read(new) == read(old) and new.origins == old.origins):
                continue
            target = new.name if relation == "put_target" else new.backout_queue or ""
            others = managers.get((new.environment, new.queue_manager, target), (new.queue_manager,))
            origins = tuple((column, resolved(place)) for column, place in new.origins.items())
            yield RemoteEnd(
                *(relation, new.environment, new.queue_manager, new.name),
                values=read(new),
                origins=origins,
                without_value=tuple(without_value(new, new.origins)),
                managers=others,
            )


def join_remote_queues(facts: Facts) -> Mapping[Key, tuple[str, ...]]:
    """Fill in, in the rows of resolved queue managers, what other ones do to messages for remote queues and for queues
    of a cluster; the result has the queue managers whose exports say so, by the row of ``put_target``.
    """
    proven = {**join_cluster_queues(facts)}
    ends: dict[Key, _End] = {}
    filled: dict[Key, PutTarget] = {}
    for estate, row in _remote_queues(facts):
        end = _end_of(estate, row)
        if end is not None:
            key = (row.environment, row.queue_manager, row.name)
            ends[key], filled[key] = end, _with_end(estate, row, end)
            proven[key] = tuple(sorted({*proven.get(key, ()), *end.managers}))
    if not ends:
        return proven
    circling = {(*key[:2], end.comes_back_to): end for key, end in ends.items() if end.comes_back_to}
    facts.rows["put_target"] = [
        filled.get((row.environment, row.queue_manager, row.name), row) for row in facts.rows["put_target"]
    ]
    facts.rows["queue"] = [
        replace(
            row,
            backout_loops=True,
            backout_circle=row.name,
            backout_circle_queues=1,
            origins=_with_change(row.origins, "backout_loops", circling[key].change),
        )
        if (key := (row.environment, row.queue_manager, row.name)) in circling
        else row
        for row in facts.rows["queue"]
    ]
    return proven


def _with_end(estate: _Estate, row: PutTarget, end: _End) -> PutTarget:
    """A row with what is proven of the other end."""
    if end.short:
        row = _with_short(estate, row, end.short)
    if end.capped:
        row = with_lowest_cap(row, end.capped)
    if not end.fails_because:
        return row
    return replace(
        row,
        fails_elsewhere=True if end.surely else None,
        # The reason that keeps a message here is the one that a reader sees first.
        unreachable_because=row.unreachable_because if row.reachable is False else end.fails_because,
        origins={
            **_with_change(row.origins, "fails_elsewhere", end.change),
            **({beyond("fails_elsewhere"): end.place} if end.place is not None else {}),
        },
    )


def _with_short(estate: _Estate, row: PutTarget, short: Sequence[_Short]) -> PutTarget:
    """A row with what a queue of another queue manager takes, which is less than what is moved there."""
    lowest = min(short, key=lambda each: (each.most, each.queue.queue_manager))
    queue, by_way = lowest.queue, row.transmission_max_bytes
    origins = {**row.origins}
    if (place := lowest.place) is not None:
        origins["end_max_bytes"] = place
        origins[holder("end_max_bytes")] = Origin(place.path, place.line, place.column, lowest.held_by)
    # A command for a shared queue, or for one of several, is not that of one queue manager.
    by_queue = lowest.at_end and len(short) == 1 and queue.command_disposition is None
    return replace(
        row,
        end_takes_less=True,
        end_max_bytes=lowest.most,
        end_queue=queue.name if by_queue else None,
        end_queue_manager=queue.queue_manager if by_queue else None,
        end_limits=None if by_queue else listed(sorted({each.limit for each in short})),
        end_by_queue=by_queue,
        end_manager_max_bytes=estate.managers[queue.queue_manager].max_message_bytes,
        # If both are too short, the lower one refuses whatever the other does.
        length_limit=(
            row.length_limit if by_way is not None and by_way - _HEADER_BYTES < lowest.most else lowest.limit
        ),
        origins=origins,
    )


def _with_change(origins: Mapping[str, Located], column: str, change: Origin | None) -> Mapping[str, Located]:
    return origins if change is None else {**origins, behind(column): change}


def _remote_queues(facts: Facts) -> Iterator[tuple[_Estate, PutTarget]]:
    """The remote queues to which messages are moved, each with what the exports of its environment show."""
    ways = [row for row in facts.rows["put_target"] if row.remote_queue or row.cluster_managers]
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
        self.longest_moved: dict[Place, int] = {}
        """The longest message of all queues with a BOQNAME, by the name that it has."""
        for queue in self.queues.values():
            if queue.backout_queue:
                place = Place(queue.queue_manager, queue.backout_queue)
                longest = queue.longest_message_bytes or 0
                self.longest_moved[place] = max(longest, self.longest_moved.get(place, 0))
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

    def place_of(self, row: PutTarget) -> Located | None:
        """Where a remote queue is defined, or another queue manager defines the queue of a cluster that a name leads
        to; where no export has that, a queue whose BOQNAME it is.
        """
        if (remote := row.origins.get("remote_queue")) is not None:
            return remote
        places = [Place(manager, row.leads_to or "") for manager in (row.cluster_managers or "").split()]
        places += sorted(place for place, queue in self.queues.items() if _names(queue, row))
        return next(
            (origin for place in places if (name := self.names.get(place)) and (origin := name.origins["name"])), None
        )

    def readers(self, place: Place) -> list[str]:
        """The endpoints that read a local queue."""
        return sorted(self._readers.get(place, ()))

    def follow(self, row: PutTarget) -> list[_Way | None]:
        """The ways of a message that is put on a remote queue: one, or one for each queue manager of a cluster; None
        for one of which the exports do not show where it leads.
        """
        passed: list[Forwarding] = []
        if not row.cluster_managers:
            leaves_by = row.transmission_queue
            return [self._go_on(self._arrive(row.remote_queue, row.remote_queue_manager, leaves_by, passed), passed)]
        queue = row.leads_to or ""
        return [
            self._go_on(_Arrival(Place(manager, queue)) if manager in self.managers else None, [])
            for manager in row.cluster_managers.split()
        ]

    def _go_on(self, arrival: _Arrival | None, passed: list[Forwarding]) -> _Way | None:
        """The way of a message from where it arrives first; ``passed`` has sent it there."""
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
            elif self._may_dangle(hop):
                passed.remove(hop)
                doubt = f"is an alias of {hop.target}, which {hop.queue_manager} does not define"
                return _Way(tuple(passed), place, anywhere, doubt=doubt)
            else:
                known = hop.resolution in ("resolved", "remote")
                arrival = _Arrival(Place(place.manager, hop.target), anywhere) if known and hop.target else None
        return None

    def _may_dangle(self, alias: Forwarding) -> bool:
        """Whether nothing but a cluster can have the target of an alias, and no export shows that one has it."""
        manager = self.managers.get(alias.queue_manager)
        if alias.resolution is not None or not alias.target or manager is None or not manager.lists_queues:
            return False
        if Place(alias.queue_manager, alias.target) in self.names or alias.target in PREDEFINED:
            return False
        return not any(name.name == alias.target and name.clusters for name in self.names.values())

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
        return _CLOSED
    if hop.type == "alias":
        return _NO_QUEUE.get(hop.resolution or "", "")
    if hop.remote_queue == "":
        return "is an alias of a queue manager, and no queue"
    return "is a remote queue from which no message is sent on" if hop.reachable is False else ""


def _names(queue: Queue, row: PutTarget) -> bool:
    """Whether a name is that in BOQNAME of a queue."""
    return (queue.queue_manager, queue.backout_queue) == (row.queue_manager, row.name)


def _of_ways(estate: _Estate, row: PutTarget) -> Iterator[Problem]:
    if estate.place_of(row) is None:
        return  # a DEADQ that a cluster has, to which no queue manager moves messages
    if _leaves_once_repaired(row):
        for way in estate.follow(row):
            if way is not None and (fault := _fault_of_way(estate, way, _name_of(estate, way))):
                yield _of_fault(estate, row, way, fault)
    for way in _ways_of(estate, row):
        if way is not None:
            yield from _of_way(estate, row, way)


def _leaves_once_repaired(row: PutTarget) -> bool:
    """Whether nothing but its transmission queue keeps a message here."""
    return (
        row.reachable is False
        and row.put_enabled is not False
        and bool(row.transmission_queue)
        and not row.cluster_managers
    )


def _of_way(estate: _Estate, row: PutTarget, way: _Way) -> Iterator[Problem]:
    end, name = way.end, estate.names.get(way.end)
    leads, queue = _leads(row, way, name), estate.queues.get(end)
    if fault := _fault_of_way(estate, way, name):
        yield _of_fault(estate, row, way, fault)
    elif name is not None and queue is not None:
        sources = estate.sources(row)
        yield from _too_long(estate, row, leads, queue, sources)
        yield from _delivered_again(estate, row, leads, end, sources)


def _of_fault(estate: _Estate, row: PutTarget, way: _Way, fault: str) -> Problem:
    """What becomes of a message that no queue at the end of a way takes and keeps."""
    end, name = way.end, _name_of(estate, way)
    leads, missing = _leads(row, way, name), name is None
    correct = f"Define {end.queue} at {end.manager}" if missing else f"Correct {end.queue} at {end.manager}"
    names = f"{_named_by(row)} of {row.name}"
    outcome = _OUTCOMES.get(fault) or _lost(estate, end)
    moved = "a message that is moved there"
    if _leaves_once_repaired(row):
        moved = f"once transmission queue {row.transmission_queue} takes messages, one that is moved there"
    text = f"{leads}, which {fault}, so {moved} {outcome}"
    kind = "undefined_remote_queue" if missing else "closed_remote_queue"
    next_step = f"{correct}, or {'correct ' if missing else ''}{names}"
    if row.cluster_managers and _is_closed(way, fault):
        text = f"{leads}, which {fault}. The whole cluster knows that, so {_kept_back(estate, row)}"
        next_step = f"Correct {end.queue} at {end.manager}, or name another queue at {row.queue_manager}"
    return _notice(estate, row, kind, text, next_step)


def _named_by(row: PutTarget) -> str:
    """What names the queue at the other queue manager."""
    return "RNAME and RQMNAME" if row.leads_to_kind != "cluster queue" else "the name"


def _ways_of(estate: _Estate, row: PutTarget) -> list[_Way | None]:
    """Where a message goes that leaves; nowhere where it does not, None for a way that the exports do not show."""
    return estate.follow(row) if row.takes_puts is not False else []


def _end_of(estate: _Estate, row: PutTarget) -> _End | None:
    """What becomes of messages there. Where only a transmission queue keeps them here, faults at the end of the way are
    told all the same, because a repair of that queue would send messages to them.
    """
    once_repaired = _leaves_once_repaired(row)
    ways = estate.follow(row) if once_repaired else _ways_of(estate, row)
    faults = [(way, fault) for way in ways if way and (fault := _fault_of_way(estate, way, _name_of(estate, way)))]
    back = ""
    if not faults and ways and all(way and _comes_back(estate, row, way) for way in ways):
        back = next(way.end.queue for way in ways if way)
    short = [each for way in ways if way for each in _short_on(estate, row, way)]
    capped = [queue for way in ways if way and (queue := estate.queues.get(way.end)) and queue.expiry_cap_ms]
    capped = [] if row.cluster_managers else capped  # of a cluster the join of its queues has the caps of all
    doubts = [(way, way.doubt) for way in ways if way and way.doubt]
    if not (faults or back or short or capped or doubts):
        return None
    told = faults or doubts
    because = " and ".join(f"to {way.end.queue} at {way.end.manager}, which {fault}" for way, fault in told)
    # A queue manager that was not exported may have the queue of a cluster open, too: messages then go there.
    avoided = bool(row.cluster_managers) and all(_is_closed(way, fault) for way, fault in faults)
    surely = len(faults) == len(ways) and not avoided
    leads = ("it leads " if surely or not faults else "it leads at times ") + because if because else ""
    if back and once_repaired:  # no message comes back yet, and a repair of the transmission queue keeps none either
        surely, leads, back = True, f"it leads back to {back}", ""
    passed = [way for way, _ in told] or [way for way in ways if way]
    managers = {row.queue_manager, *(manager for way in passed for manager in _managers_of(way))}
    changes = (_change_behind(estate, way, fault) for way, fault in faults or ((way, "") for way in passed))
    return _End(
        leads,
        surely,
        back,
        tuple(sorted(managers)),
        change=next((change for change in changes if change is not None), None),
        place=_place_of_fault(estate, faults[0][0]) if len(faults) == 1 else None,
        short=short,
        capped=capped,
    )


def _short_on(estate: _Estate, row: PutTarget, way: _Way) -> Iterator[_Short]:
    """What is too short on a way for the longest message of a queue whose BOQNAME leads there: the queue at its end, or
    a transmission queue by which another queue manager sends messages on.
    """
    longest = estate.longest_moved.get(Place(row.queue_manager, row.name), 0)
    if _fault_of_way(estate, way, _name_of(estate, way)):
        return
    for hop in way.passed:
        leaves_by = hop.transmission_queue if hop.queue_manager != row.queue_manager else None
        queue = estate.queues.get(Place(hop.queue_manager, leaves_by)) if leaves_by else None
        if queue is not None and queue.max_message_bytes is not None:
            most, at = queue.max_message_bytes, f"{queue.name} at {queue.queue_manager}"
            if most - _HEADER_BYTES < longest:
                limit, place = f"MAXMSGL({most}) on transmission queue {at}", queue.origins.get("max_message_bytes")
                yield _Short(most - _HEADER_BYTES, queue, limit, place, f"QLOCAL({at})")
    queue = estate.queues.get(way.end)
    if queue is None or queue.longest_message_bytes is None or queue.longest_message_bytes >= longest:
        return
    most, manager = queue.longest_message_bytes, queue.queue_manager
    if queue.max_message_bytes == most:
        at, place = f"{queue.name} at {manager}", queue.origins.get("max_message_bytes")
        yield _Short(most, queue, f"MAXMSGL({most}) on {at}", place, f"QLOCAL({at})", at_end=True)
    else:
        limit = f"MAXMSGL({most}) of its queue manager {manager}"
        place = estate.managers[manager].origins.get("max_message_bytes")
        yield _Short(most, queue, limit, place, f"QMGR({manager})")


def _is_closed(way: _Way, fault: str) -> bool:
    """Whether the first queue of a way takes no puts."""
    return not way.passed and fault == _CLOSED


def _comes_back(estate: _Estate, row: PutTarget, way: _Way) -> bool:
    """Whether a message arrives again where it is moved away from, or would where a repair lets it leave."""
    if not _leaves_once_repaired(row):
        return any(_is_source(source, row, way.end) for source in estate.sources(row))
    source = estate.queues.get(way.end)
    return (
        source is not None
        and bool(source.backout_threshold)
        and _is_source(source, row, Place(row.queue_manager, source.name))
    )


def _name_of(estate: _Estate, way: _Way) -> QueueName | None:
    return estate.names.get(way.end)


def _managers_of(way: _Way) -> set[str]:
    return {way.end.manager, *(hop.queue_manager for hop in way.passed)}


_OF_FAULTS = {_CLOSED: "put_enabled", "has MAXDEPTH(0)": "max_depth"}


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
    found = map(resolved, origins)
    return next((origin for origin in found if isinstance(origin, ChangeOrigin)), None)


def _place_of_fault(estate: _Estate, way: _Way) -> Located | None:
    """The setting of the last name of a way that keeps messages from being put there, if it is one."""
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
        return _CLOSED
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
            estate,
            row,
            "closed_remote_queue",
            f"{text} longer message that is moved there {_lost(estate, end, most)}. If a channel on the way takes only"
            " shorter messages, it does not get there at all",
            f"Raise MAXMSGL of {_to_raise(estate, queue, up_to)}, and of both ends of the channel where it is lower",
        )


def _to_raise(estate: _Estate, queue: Queue, needed: int) -> str:
    """Whose MAXMSGL has to be raised at the other end, and to what: the queue's, its queue manager's, or both."""
    manager = estate.managers.get(queue.queue_manager)
    most = manager.max_message_bytes if manager is not None else None
    if queue.max_message_bytes is not None and queue.max_message_bytes >= needed:
        return f"queue manager {queue.queue_manager} to {needed}"
    raised = f"{queue.name} at {queue.queue_manager} to {needed}"
    if most is None:
        return f"{raised}, and that of the queue manager where it is lower"
    return f"{raised}, and that of the queue manager, which is {most}" if most < needed else raised


def _delivered_again(
    estate: _Estate, row: PutTarget, leads: str, end: Place, sources: Sequence[Queue]
) -> Iterator[Problem]:
    """Poison messages that come back to the queue they were moved from, or to another one that an endpoint reads."""
    readers = listed_names(estate.readers(end))
    if any(Place(source.queue_manager, source.name) == end for source in sources):
        yield _notice(
            estate,
            row,
            "read_remote_queue",
            f"{leads}, whose poison messages are moved to {row.name}, so each of them comes back again and again, with "
            "a backout count of 0",
            f"Name a queue in BOQNAME of {end.queue} that nobody reads, or correct {_named_by(row)} of {row.name}",
        )
    elif sources and readers:
        names = listed_names([source.name for source in sources])
        yield _notice(
            estate,
            row,
            "read_remote_queue",
            f"{leads}, which is read by {readers}, so poison messages of {names} are delivered again there, with a "
            "backout count of 0",
            f"Unless that is where they are handled, name a queue in BOQNAME of {names} that nobody reads",
        )


def _leads(row: PutTarget, way: _Way, end: QueueName | None) -> str:
    """``FAR.BO of queue manager QM1 leads by way of X at QM2 (b.mqsc:4) to A.BO at QM3 (c.mqsc:7)``."""
    hops = " and ".join(f"{hop.name} at {hop.queue_manager}{where(hop)}" for hop in way.passed)
    by = f" by way of {hops}" if hops else ""
    to = f"{way.end.queue} at {way.end.manager}{where(end)}"
    if row.type is None and row.leads_to_kind == "cluster queue":
        return f"{row.name}, a cluster queue that {row.queue_manager} does not define, leads{by} to {to}"
    return f"{row.name} of queue manager {row.queue_manager} leads{by} to {to}"


def _kept_back(estate: _Estate, row: PutTarget) -> str:
    """What becomes of a message for a cluster queue that is closed at every queue manager that was read."""
    at, manager = row.queue_manager, estate.managers.get(row.queue_manager)
    dead_letter = manager.dead_letter_queue if manager is not None else None
    fails = "unless another queue manager of the cluster has the queue open, a put at"
    text = f"{fails} {at} fails with 2268 (MQRC_CLUSTER_PUT_INHIBITED) and the message does not leave {at}"
    if dead_letter == row.name:
        return text
    if dead_letter:
        return f"{text}; the dead-letter queue {dead_letter} of {at} is next to take it"
    return f"{text}, which has no dead-letter queue" if dead_letter == "" else text


def _lost(estate: _Estate, end: Place, longer_than: int = 0) -> str:
    """What becomes of a message that cannot be put where it arrives; ``longer_than`` are so many bytes."""
    manager = estate.managers.get(end.manager)
    dead_letter = manager.dead_letter_queue if manager is not None else None
    stops = "stops its channel or, if it is not persistent, may be lost"
    if dead_letter == "":
        return f"{stops}: {end.manager} has no dead-letter queue"
    queue = estate.queues.get(Place(end.manager, dead_letter or ""))
    most = queue.longest_message_bytes if queue is not None else None
    if most is not None and most <= longer_than + _DEAD_LETTER_HEADER_BYTES:
        return f"{stops}: with its header it is too long for the dead-letter queue {dead_letter} of {end.manager}, too"
    name = f" {dead_letter}" if dead_letter else ""
    return f"ends on the dead-letter queue{name} of {end.manager} or stops its channel"


def _notice(estate: _Estate, row: PutTarget, kind: ProblemKind, text: str, next_step: str) -> Problem:
    place = estate.place_of(row)
    return Problem(
        kind=kind,
        path=place.path if place is not None else "",
        line=place.line if place is not None else 0,
        text=text,
        next_step=next_step,
        queue_manager=row.queue_manager,
        object=row.name,
        environment=row.environment,
    )
