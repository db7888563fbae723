"""``put_target`` rows: the queues that BOQNAME and DEADQ name, as a put meets them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from lintmdb.exports.mq.attribute_values import LONGEST_MESSAGE_BYTES
from lintmdb.model.origins import Located, Origin, holder, step
from lintmdb.model.relations import PutTarget
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.dispositions import command_disposition
from lintmdb.resolve.mq.expiry_caps import find_cap
from lintmdb.resolve.mq.name_clashes import name_clash
from lintmdb.resolve.mq.names import (
    DEAD_LETTER_QUEUE,
    Access,
    Path,
    find_kind,
    follow_name,
    is_local,
    is_transmission_queue,
    read_access,
    resolve_name,
)
from lintmdb.resolve.mq.objects import (
    QUEUE_TYPES,
    AttributeReader,
    MqObject,
    omits,
)
from lintmdb.resolve.mq.remote_queues import (
    RemoteWay,
    find_channels,
    find_cluster_way,
    find_way,
    held_origins,
    needs_cluster,
    way_origins,
)
from lintmdb.resolve.mq.structures import LONGEST_BYTES, Structure, find_limit

_COLUMNS = {
    "max_message_bytes": "MAXMSGL",
    "max_depth": "MAXDEPTH",
    "no_room": "MAXDEPTH",
    "transmission": "USAGE",
    "shared_disposition": "QSGDISP",
    "stream_queue": "STREAMQ",
    "stream_required": "STRMQOS",
    "triggered": "TRIGGER",
}
_ALIAS_COLUMNS = {"type": "TARGTYPE", "leads_to": "TARGET", "is_dead_letter_queue": "TARGET"}


def put_target_row(definitions: Definitions, name: str, *, dead_letter: str | None) -> PutTarget:
    """The row of a name that messages are moved to, whether it is defined or not; ``dead_letter`` is DEADQ."""
    read = definitions.attributes
    path = follow_name(definitions, name)
    put, no_room, way = _put(definitions, path)
    local = path.local
    held = path.target if path.target is not None and is_local(path.target) else None
    remote, there = _remote(path), _only_instance(path)
    # A remote queue definition is known to be neither a transmission queue nor a model; its attributes are elsewhere.
    elsewhere = False if remote is not None or path.in_cluster else None
    clash = name_clash(definitions, path)
    stream_closed = _stream_closed(definitions, local) if local is not None else False
    closed = put.decided_by if put.enabled is False else None
    closed_on_way = closed if closed is not None else way.closed
    refusal = _refusal(definitions, path, closed, stream_closed=stream_closed is True, no_room=no_room is True)
    keeps = local if local is not None else way.leaves_by
    longest = read.integer(keeps, "MAXMSGL", LONGEST_MESSAGE_BYTES) if keeps is not None else None
    limit = find_limit(definitions.structures, read, local) if local is not None else None
    capped = limit is not None and (longest is None or longest > LONGEST_BYTES)
    cap, advertised = find_cap(read, path.links), _advertised(read, path.links)
    unknown = path.named is None and not path.in_cluster
    missing = name if unknown else _missing_base(path)
    near = definitions.find_meant(missing) if missing else None
    near_place = _place_of(definitions, near) if near else None
    found = (("expiry_cap_ms", cap.set_by, cap.held_by), ("advertised", advertised.set_by, advertised.held_by))
    return PutTarget(
        queue_manager=definitions.queue_manager,
        name=name,
        type=QUEUE_TYPES[path.named.noun] if path.named is not None else None,
        leads_to=path.leads_to,
        leads_to_kind=find_kind(definitions, path),
        local_queue=local.name if local is not None else None,
        is_dead_letter_queue=_is_dead_letter_queue(definitions, name, dead_letter),
        transmission_queue=way.transmission_queue,
        remote_queue=read.text(remote, "RNAME") if remote is not None else there and there.name,
        remote_queue_manager=read.text(remote, "RQMNAME") if remote is not None else there and _host(there),
        reachable=way.reachable,
        put_enabled=put.enabled,
        transmission=is_transmission_queue(definitions, held) if held is not None else elsewhere,
        model=held.noun == "QMODEL" if held is not None else elsewhere,
        max_message_bytes=None if local is None else LONGEST_BYTES if capped else longest,
        transmission_max_bytes=longest if local is None else None,
        transmission_channels=find_channels(definitions, way.leaves_by) if way.leaves_by is not None else None,
        length_limit=_length_limit(local, way.leaves_by, longest, limit),
        in_small_structure=limit is not None,
        small_structure=limit.name if limit is not None else None,
        max_depth=read.integer(local, "MAXDEPTH") if local is not None else None,
        default_depth=omits(local, "MAXDEPTH") if local is not None else None,
        no_room=no_room,
        name_clash=clash,
        takes_puts=_all((put.enabled, _not(no_room), clash is not True, way.reachable, _not(stream_closed))),
        refused_because=refusal.why if refusal is not None else None,
        fails_elsewhere=False,
        unreachable_because=way.why,
        no_keeper=_no_keeper(definitions, path, no_room=no_room is True),
        put_disabled_by=closed_on_way.name if closed_on_way is not None else None,
        put_disabled_type=closed_on_way.noun if closed_on_way is not None else None,
        put_disabled_disposition=command_disposition(read, closed_on_way) if closed_on_way is not None else None,
        shared_disposition=_shared(read, local) if local is not None else None,
        command_disposition=command_disposition(read, local) if local is not None else None,
        expiry_cap_ms=cap.milliseconds,
        stream_queue=read.text(local, "STREAMQ") if local is not None else None,
        stream_required=_stream_required(read, local) if local is not None else None,
        stream_closed=stream_closed,
        triggered=_triggered(read, local) if local is not None else None,
        advertised=advertised.known,
        other_case=_other_case(definitions, name) if unknown else None,
        near_name=near,
        may_be_in=_may_be_in(definitions, path),
        in_no_other_cluster=definitions.complete and definitions.clusters.known,
        cluster_managers=_cluster_managers(definitions, path),
        not_in_cluster=definitions.shows_no_cluster_queue(path.leads_to or name) if path.target is None else False,
        expiry_capped_by=cap.of.name if cap.of is not None else None,
        expiry_capped_type=cap.of.noun if cap.of is not None else None,
        expiry_capped_disposition=command_disposition(read, cap.of) if cap.of is not None else None,
        origins={
            **{column: place for column, place, _ in found if place is not None},
            **{holder(column): held_by.definition() for column, _, held_by in found if held_by is not None},
            **_origins(definitions, path, put, way),
            **({"near_name": near_place} if near_place is not None else {}),
            **(limit.origins() if limit is not None and capped else {}),
            **_refusal_origins(read, refusal),
        },
    )


def _missing_base(path: Path) -> str | None:
    """What an alias names, where that is not defined."""
    dangling = path.named is not None and path.named.noun == "QALIAS" and path.target is None and not path.in_cluster
    return path.leads_to if dangling else None


class _Refusal(NamedTuple):
    """What makes a queue refuse every put."""

    why: str
    by: MqObject
    keyword: str
    column: str | None = None
    """A column of its own that is true of it."""


def _refusal(
    definitions: Definitions, path: Path, closed: MqObject | None, *, stream_closed: bool, no_room: bool
) -> _Refusal | None:
    """What refuses every put to a queue; None where nothing does, or where only another queue manager may."""
    if closed is not None:
        return _Refusal(f"{_having(path, closed)}PUT(DISABLED)", closed, "PUT")
    if path.local is None:
        return None
    if no_room:
        return _Refusal(f"{_having(path, path.local)}MAXDEPTH(0)", path.local, "MAXDEPTH")
    if not stream_closed:
        return None
    name = definitions.attributes.text(path.local, "STREAMQ") or ""
    defined = definitions.queue(name) is not None
    copies = f"its stream queue {name} {'takes no copies' if defined else 'is not defined'}"
    why = f"{_having(path, path.local)}STRMQOS(MUSTDUP), and {copies}"
    return _Refusal(why, path.local, "STREAMQ", "stream_closed")


def _having(path: Path, holder: MqObject) -> str:
    """What precedes an attribute of an object on a path."""
    return "has " if holder is path.named else f"leads to {holder.name}, which has "


def _refusal_origins(read: AttributeReader, refusal: _Refusal | None) -> dict[str, Located]:
    """Where it was read why a queue takes no puts."""
    if refusal is not None:
        columns = [column for column in ("takes_puts", refusal.column) if column is not None]
        return held_origins(read, refusal.by, refusal.keyword, columns)
    return {}


def _no_keeper(definitions: Definitions, path: Path, *, no_room: bool) -> str | None:
    """What a name leads to, where no message is kept there."""
    kind = find_kind(definitions, path)
    if kind == "local queue":
        return f"the local queue {path.leads_to} with MAXDEPTH(0)" if no_room else None
    return f"the {kind} {path.leads_to}" if kind is not None and path.leads_to else None


def _length_limit(
    local: MqObject | None, leaves_by: MqObject | None, longest_bytes: int | None, structure: Structure | None
) -> str | None:
    if structure is not None:
        shown = f"MAXMSGL({longest_bytes})" if longest_bytes is not None else "a MAXMSGL that is not known"
        return f"{shown} in structure {structure.name}, where CFLEVEL({structure.level}) allows {LONGEST_BYTES} bytes,"
    if longest_bytes is None:
        return None
    return transmission_limit(leaves_by.name if local is None and leaves_by is not None else None, longest_bytes)


def transmission_limit(transmission_queue: str | None, longest_bytes: int) -> str:
    """What limits the length of a message that is put, on its own queue or on a transmission queue."""
    if transmission_queue is None:
        return f"MAXMSGL({longest_bytes})"
    return f"MAXMSGL({longest_bytes}) on its transmission queue {transmission_queue} (428 bytes of it for a header)"


class _Put(NamedTuple):
    """What a put to a name meets."""

    access: Access
    no_room: bool | None
    way: RemoteWay


def _put(definitions: Definitions, path: Path) -> _Put:
    local, remote = path.local, _remote(path)
    way = find_way(definitions, remote) if remote is not None else RemoteWay(_is_here(path))
    if path.in_cluster:
        way = find_cluster_way(definitions)
    elsewhere = False if remote is not None or path.topic or path.in_cluster else None
    no_room = _no_room(definitions.attributes, local) if local is not None else elsewhere
    return _Put(read_access(definitions, path, "PUT"), no_room, way)


def _remote(path: Path) -> MqObject | None:
    return path.target if path.target is not None and path.target.noun == "QREMOTE" else None


def _may_be_in(definitions: Definitions, path: Path) -> str | None:
    """The clusters that may have the queue behind a name, or know the queue manager of a remote queue, where that is
    not decided here.
    """
    remote, name = _remote(path), path.leads_to
    if remote is not None:
        undecided = needs_cluster(definitions, remote)
    elif path.target is not None or path.topic or path.in_cluster or not name or not definitions.lists_queue(name):
        return None
    else:
        undecided = definitions.clustered and resolve_name(definitions, name) is None
    return " ".join(sorted(definitions.clusters.named)) or None if undecided else None


def _only_instance(path: Path) -> MqObject | None:
    """The cluster queue behind a name, where one queue manager is known to have it."""
    return path.in_cluster[0] if len(path.in_cluster) == 1 and _host(path.in_cluster[0]) else None


def _cluster_managers(definitions: Definitions, path: Path) -> str | None:
    """The queue managers to which messages for a cluster queue may go, where all that may get one are known."""
    put = {_host(each): definitions.attributes.flag(each, "PUT", "ENABLED", "DISABLED") for each in path.in_cluster}
    return None if None in put else join_open_managers({host: open_ for host, open_ in put.items() if host})


def join_open_managers(put: Mapping[str, bool | None]) -> str | None:
    """The queue managers that workload balancing chooses among, by whether a queue takes puts there: those where it
    takes none are avoided, unless there are no others. NULL where there are none.
    """
    return " ".join(sorted(host for host, taken in put.items() if taken is not False) or sorted(put)) or None


def _host(instance: MqObject) -> str | None:
    """The queue manager that has an instance of a cluster queue."""
    host = instance.values.get("CLUSQMGR")
    return host.text if host is not None and host.text else None


def _stream_closed(definitions: Definitions, queue: MqObject) -> bool | None:
    """Whether a put fails because the stream queue of a queue takes no copy; None where that is not known."""
    if _stream_required(definitions.attributes, queue) is not True:
        return False
    name = definitions.attributes.text(queue, "STREAMQ") or ""
    if resolve_name(definitions, name) in ("not_defined", "dangling", "wrong_base", "model"):
        return True
    put = _put(definitions, follow_name(definitions, name))
    return _not(_all((put.access.enabled, _not(put.no_room), put.way.reachable)))


def _is_here(path: Path) -> bool | None:
    """Whether no other queue manager is between a name and what it leads to; None where that is not known."""
    return True if path.local is not None or path.topic else None


def _is_dead_letter_queue(definitions: Definitions, name: str, dead_letter: str | None) -> bool | None:
    """Whether messages that are put to a name arrive on the dead-letter queue: the names behind the names decide."""
    end = _end(definitions, name)
    if DEAD_LETTER_QUEUE in (name, end) or name == dead_letter:
        return True
    if not dead_letter:
        return None if dead_letter is None else False
    dead_letter_end = _end(definitions, dead_letter)
    return None if None in (end, dead_letter_end) else end == dead_letter_end


def _end(definitions: Definitions, name: str) -> str | None:
    """The name of the object that is opened for a name; None where that may be an alias which no script shows."""
    path = follow_name(definitions, name)
    if path.named is not None or definitions.lists_queue(name) or name == DEAD_LETTER_QUEUE:
        return path.leads_to
    return name if ("Q", name) in definitions.deleted else None


def _origins(definitions: Definitions, path: Path, put: Access, way: RemoteWay) -> dict[str, Located]:
    """Where the columns of a row were read, each at the object of the path that decides it."""
    read = definitions.attributes
    origins: dict[str, Located] = {}
    if path.local is not None:
        origins.update(read.origins(path.local, _COLUMNS).items())
        origins["model"] = path.local.definition()
    if put.decided_by is not None:
        origins.update(held_origins(read, put.decided_by, "PUT", ("put_enabled",)))
        if path.alias is not None and put.decided_by is path.target and put.enabled is False:
            origins.update(held_origins(read, path.alias, "TARGET", (step("put_enabled", 0),)))
    if (remote := _remote(path)) is not None:
        origins["remote_queue"] = remote.definition()
        origins.update(read.origins(remote, {"fails_elsewhere": "RNAME"}).items())
    if (there := _only_instance(path)) is not None:
        origins["remote_queue"] = there.definition()
    if way.transmission_queue and (transmission := _place_of(definitions, way.transmission_queue)) is not None:
        origins["transmission_queue"] = transmission
    origins.update(way_origins(read, way))
    if path.alias is not None:
        origins.update(read.origins(path.alias, _ALIAS_COLUMNS).items())
    if path.named is not None:
        origins["name"] = path.named.definition()
    if path.target is not None and path.target.file.is_change:
        origins["local_queue"] = path.target.definition()
    if path.target is None and (deletion := definitions.deletion(path.leads_to)) is not None:
        origins["leads_to_kind"] = deletion
    return origins


def _place_of(definitions: Definitions, name: str) -> Origin | None:
    """Where a queue is defined, or deleted."""
    queue = definitions.queue(name)
    return queue.definition() if queue is not None else definitions.deletion(name)


class _Advertised(NamedTuple):
    """Whether a cluster knows a name of the way."""

    known: bool | None
    set_by: Located | None
    held_by: MqObject | None = None


def _advertised(read: AttributeReader, links: Sequence[MqObject]) -> _Advertised:
    unknown = not links
    for link in links:
        for keyword in ("CLUSTER", "CLUSNL"):
            value = read.text(link, keyword)
            if value:
                return _Advertised(True, read.origins(link, {"cluster": keyword}).get("cluster"), link)
            unknown = unknown or value is None
    return _Advertised(None if unknown else False, None)


def _shared(read: AttributeReader, queue: MqObject) -> bool | None:
    disposition = read.text(queue, "QSGDISP")
    return None if disposition is None else disposition.upper() == "SHARED"


def _no_room(read: AttributeReader, queue: MqObject) -> bool | None:
    depth = read.integer(queue, "MAXDEPTH")
    if depth is not None:
        return depth == 0
    return False if omits(queue, "MAXDEPTH") else None  # no platform's default is 0


def _stream_required(read: AttributeReader, queue: MqObject) -> bool | None:
    stream, required = read.text(queue, "STREAMQ"), read.flag(queue, "STRMQOS", "MUSTDUP", "BESTEF")
    return _all((None if stream is None else bool(stream), required))


def _triggered(read: AttributeReader, queue: MqObject) -> bool | None:
    kind = read.text(queue, "TRIGTYPE")
    return _all((read.flag(queue, "TRIGGER", "YES", "NO"), None if kind is None else kind.upper() != "NONE"))


def _other_case(definitions: Definitions, name: str) -> str | None:
    """A queue whose name differs from one that is not defined in case only."""
    return definitions.names_by_upper_case.get(name.upper())


def _all(answers: Iterable[bool | None]) -> bool | None:
    """AND of three values."""
    found = list(answers)
    return False if False in found else None if None in found else True


def _not(answer: bool | None) -> bool | None:
    return None if answer is None else not answer
