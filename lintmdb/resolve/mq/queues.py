"""Rows about queues: ``queue`` for local and model queues, ``queue_name`` for every name that can be opened."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from lintmdb.exports.mq.attribute_values import LONGEST_MESSAGE_BYTES
from lintmdb.model.columns import mqsc_keywords
from lintmdb.model.origins import Located, Origin, behind, holder, step
from lintmdb.model.relations import Queue, QueueName
from lintmdb.resolve.mq.authority_rows import Reader
from lintmdb.resolve.mq.clusters import clusters_of
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.dispositions import command_disposition
from lintmdb.resolve.mq.expiry_caps import Cap, find_cap
from lintmdb.resolve.mq.free_names import free_name
from lintmdb.resolve.mq.name_clashes import name_clash
from lintmdb.resolve.mq.names import (
    Access,
    Path,
    find_kind,
    follow_name,
    is_transmission_queue,
    read_access,
    resolve_name,
)
from lintmdb.resolve.mq.objects import QUEUE_TYPES, AttributeReader, MqObject, omits
from lintmdb.resolve.mq.remote_queues import held_origins
from lintmdb.resolve.mq.structures import LONGEST_BYTES, Structure, find_limit

_COLUMNS = mqsc_keywords(Queue)
"""The keyword that each column comes from."""
_NAME_COLUMNS = {"get_enabled": "GET"}
_ALIAS_COLUMNS = {"type": "TARGTYPE", "resolution": "TARGET", "leads_to": "TARGET"}


_MOST_SHOWN = 8
"""The queues of a circle of which a row has the settings: a circle of many would make rows of many each."""


class _Link(NamedTuple):
    """Where poison of a queue goes next."""

    queue: str | Literal[False] | None
    """A local queue; False where it goes no further, None where that is not known."""
    sure: bool = True
    """The queue is known to give the message, and the next one to take it."""
    change: Origin | None = None
    """The change that has made the link what it is, if one has."""
    alias: MqObject | None = None
    """The alias by which it leads there, if one does."""


_NO_LINK = _Link(queue=False)


class BackoutChain(NamedTuple):
    """Whether the chain of backout queues of a queue comes back to it; None where a link is not known."""

    loops: bool | None
    circle: str | None = None
    """The first queue of the circle that the queue is part of, in alphabetical order."""
    queues: int | None = None
    """How many queues the circle has."""
    known: bool = True
    """False where some link is not known at all."""
    change: Origin | None = None
    """The first change of a link of the circle."""
    steps: Sequence[tuple[MqObject, str]] = ()
    """What leads from the backout queue round the circle: each object and its attribute."""
    would_loop: bool = False
    """Nothing but a BOTHRESH of 0 keeps it from coming back."""


def queue_row(
    definitions: Definitions, queue: MqObject, chain: BackoutChain, *, longest_bytes: int | None, backout_name: str
) -> Queue:
    """The row of a local or model queue. ``chain`` needs all queues: ``find_backout_chains`` finds it;
    ``longest_bytes`` is MAXMSGL of the queue manager, ``backout_name`` how a new backout queue would be called.
    """
    read = definitions.attributes
    backout_queue = read.text(queue, "BOQNAME")
    resolution = resolve_name(definitions, backout_queue)
    # A queue of that name here would hide the one of a cluster.
    in_cluster = backout_queue if resolution in (None, "remote") else None
    disposition = read.text(queue, "QSGDISP")
    threshold, max_bytes = read.integer(queue, "BOTHRESH"), read.integer(queue, "MAXMSGL", LONGEST_MESSAGE_BYTES)
    limit = find_limit(definitions.structures, read, queue)
    if limit is not None and (max_bytes is None or max_bytes > LONGEST_BYTES):
        max_bytes = LONGEST_BYTES
    else:
        limit = None
    cap = find_cap(read, [queue])
    local = queue.noun == "QLOCAL"  # IBM supplies other values of SHARE and DEFSOPT for model queues
    return Queue(
        queue_manager=definitions.queue_manager,
        name=queue.name,
        type="local" if local else "model",
        noun="QLOCAL" if local else "QMODEL",
        backout_threshold=threshold,
        backout_queue=backout_queue,
        backout_resolution=resolution,
        backout_loops=chain.loops,
        backout_circle=chain.circle,
        backout_circle_queues=chain.queues,
        backout_would_loop=chain.would_loop,
        harden_backout=read.flag(queue, "HARDENBO", "YES", "NO"),
        shared_disposition=None if disposition is None else disposition.upper() == "SHARED",
        command_disposition=command_disposition(read, queue),
        coupling_structure=(queue.values["CFSTRUCT"].text.strip() or None) if "CFSTRUCT" in queue.values else None,
        max_message_bytes=max_bytes,
        longest_message_bytes=min(max_bytes, longest_bytes or max_bytes) if max_bytes is not None else None,
        max_depth=read.integer(queue, "MAXDEPTH"),
        default_depth=omits(queue, "MAXDEPTH"),
        expiry_cap_ms=cap.milliseconds,
        for_transmission=is_transmission_queue(definitions, queue),
        put_enabled=read.flag(queue, "PUT", "ENABLED", "DISABLED"),
        get_enabled=read.flag(queue, "GET", "ENABLED", "DISABLED"),
        shareable=read.flag(queue, "SHARE", "YES", "NO") if local or "SHARE" in queue.values else None,
        default_open=_default_open(read, queue) if local or "DEFSOPT" in queue.values else None,
        default_persistence=read.flag(queue, "DEFPSIST", "YES", "NO"),
        free_backout_name=free_name(
            queue.name,
            backout_name,
            definitions.taken_names,
            in_cluster or "",
            functools.partial(definitions.is_meant_elsewhere, but=queue.name),
        ),
        origins=_queue_origins(read, read.origins(queue, _COLUMNS), chain, limit, cap),
    )


def _queue_origins(
    read: AttributeReader, origins: Mapping[str, Located], chain: BackoutChain, limit: Structure | None, cap: Cap
) -> Mapping[str, Located]:
    if cap.set_by is not None:
        origins = {**origins, "expiry_cap_ms": cap.set_by}
    if chain.change is not None:
        origins = {**origins, behind("backout_loops"): chain.change}
    if chain.loops and chain.steps:
        places = [held_origins(read, *each, ("place",)) for each in chain.steps]
        known = [each for each in places if "place" in each]
        origins = dict(origins.items())
        for number, each in enumerate(known):
            name = step("backout_loops", number)
            origins |= {name: each["place"], holder(name): each[holder("place")]}
    return origins if limit is None else {**origins, **limit.origins()}


def queue_name_row(
    definitions: Definitions, queue: MqObject, find_reader: Callable[[str, str | None], Reader]
) -> QueueName:
    """The row of a name, which leads to the queue itself or, by an alias, to another. ``find_reader`` gives who reads
    a local queue by a name.
    """
    path = follow_name(definitions, queue.name)
    get = read_access(definitions, path, "GET")
    closed = get.decided_by if get.enabled is False else None
    resolution = resolve_name(definitions, queue.name, local=True)
    local = path.local.name if path.local is not None and resolution == "resolved" else None
    reader = find_reader(queue.name, local)
    return QueueName(
        queue_manager=definitions.queue_manager,
        name=queue.name,
        type=QUEUE_TYPES[queue.noun],
        resolution=resolution,
        leads_to=path.leads_to,
        leads_to_kind=find_kind(definitions, path),
        local_queue=local,
        queue_behind=local if queue.noun == "QALIAS" else None,
        get_enabled=get.enabled,
        get_disabled_by=closed.name if closed is not None else None,
        get_disabled_type=closed.noun if closed is not None else None,
        get_disabled_disposition=command_disposition(definitions.attributes, closed) if closed is not None else None,
        name_clash=name_clash(definitions, path),
        clusters=_clusters(definitions, queue),
        reader_group=reader.group,
        reader_backout_held=reader.backout_held,
        reader_backout_recorded=reader.backout_recorded,
        reader_new_backout_held=reader.new_backout_held,
        reader_new_dead_letter_held=reader.new_dead_letter_held,
        origins=_name_origins(definitions, path, get),
    )


def absent_name_row(definitions: Definitions, name: str) -> QueueName:
    """The row of a name that no queue has."""
    deletion = definitions.deletion(name)
    return QueueName(
        queue_manager=definitions.queue_manager,
        name=name,
        resolution="not_defined",
        leads_to=name,
        origins={} if deletion is None else {"leads_to_kind": deletion},
    )


def _name_origins(definitions: Definitions, path: Path, get: Access) -> Mapping[str, Located]:
    read, named = definitions.attributes, path.named
    if named is None:
        return {}
    if path.alias is None and named.noun == "QLOCAL":
        usage = named.values.get("USAGE")
        if usage is None or not usage.file.is_change or not is_transmission_queue(definitions, named):
            return read.origins(named, _NAME_COLUMNS)
        return {**read.origins(named, _NAME_COLUMNS), "leads_to_kind": usage.origin}
    origins: dict[str, Located] = {"resolution": named.definition()}
    origins.update(held_origins(read, get.decided_by or named, "GET", tuple(_NAME_COLUMNS)))
    if path.alias is not None:
        origins.update(read.origins(path.alias, _ALIAS_COLUMNS).items())
    origins["name"] = named.definition()
    if path.target is not None and path.target.file.is_change:
        origins["local_queue"] = path.target.definition()
    if path.target is None and (deletion := definitions.deletion(path.leads_to)) is not None:
        origins["leads_to_kind"] = deletion
    return origins


def find_backout_chains(definitions: Definitions, queues: Iterable[MqObject]) -> dict[str, BackoutChain]:
    """Where the backout queues of all local and model queues lead in the end."""
    every = list(queues)
    objects = {queue.name: queue for queue in every}
    links = {queue.name: _find_link(definitions, queue) for queue in every}
    chains: dict[str, BackoutChain] = {}
    ends: dict[str, str | None] = {}
    for name in links:
        path: dict[str, None] = {}
        following: str | Literal[False] | None = name
        while isinstance(following, str) and following not in path and following not in chains:
            path[following] = None
            following = links[following].queue
        last = next(reversed(path), None) if following is False else ends.get(following or "")
        ends.update(dict.fromkeys(path, last))
        end = chains.get(following) if isinstance(following, str) else None
        if following is None or (end is not None and end.loops is None and not end.known):
            chains.update(dict.fromkeys(path, BackoutChain(loops=None, known=False)))
            continue
        # A chain that runs into a circle which the queue is not part of does not come back to it.
        passed = list(path)
        circle = passed[passed.index(following) :] if following in path else []
        chains.update(dict.fromkeys(passed, BackoutChain(loops=False)))
        if circle:
            loops = True if all(links[queue].sure for queue in circle) else None
            change = next((change for queue in circle if (change := links[queue].change)), None)
            found = BackoutChain(loops, min(circle), len(circle), change=change)
            chains.update({name: found._replace(steps=_steps(name, circle, links, objects)) for name in circle})
    for queue in every:
        if _never_moves(definitions, queue):
            link = _find_link(definitions, queue, used=True)
            if isinstance(link.queue, str) and ends.get(link.queue) == queue.name:
                chains[queue.name] = chains[queue.name]._replace(would_loop=True)
        elif chains[queue.name].circle is None and (copied := _copied_back(definitions, queue, links[queue.name])):
            chains[queue.name] = copied
    return chains


def _steps(
    name: str, circle: Sequence[str], links: Mapping[str, _Link], objects: Mapping[str, MqObject]
) -> Sequence[tuple[MqObject, str]]:
    """What leads from the backout queue of a queue round its circle, as far as a reader follows it."""
    place = circle.index(name)
    steps = list[tuple[MqObject, str]]()
    for each in [name, *circle[place + 1 :], *circle[:place]][:_MOST_SHOWN]:
        if each != name:
            steps += [(objects[each], "BOQNAME"), (objects[each], "BOTHRESH")]
        if (alias := links[each].alias) is not None:
            steps.append((alias, "TARGET"))
    return steps


def _copied_back(definitions: Definitions, queue: MqObject, link: _Link) -> BackoutChain | None:
    """The circle of a queue whose backout queue has it as its stream queue, so that each move puts a copy on it again;
    None where that is not so. A copy is not copied on (IBM MQ "Streaming queues").
    """
    read = definitions.attributes
    target = definitions.queue(link.queue) if isinstance(link.queue, str) else None
    stream = read.text(target, "STREAMQ") if target is not None else None
    if target is None or not stream or read.integer(target, "MAXDEPTH") == 0:
        return None
    path = follow_name(definitions, stream)
    taken = read_access(definitions, path, "PUT").enabled
    if path.local is not queue or taken is False:
        return None
    placed = target.values["STREAMQ"]
    change = link.change or (placed.origin if placed.file.is_change else None)
    loops = True if link.sure and taken else None
    return BackoutChain(loops, queue.name, 1, change=change, steps=((target, "STREAMQ"),))


def _never_moves(definitions: Definitions, queue: MqObject) -> bool:
    threshold = definitions.attributes.text(queue, "BOTHRESH")
    return bool(threshold and not threshold.strip("0"))


def _find_link(definitions: Definitions, queue: MqObject, *, used: bool = False) -> _Link:
    """The link of a queue; ``used`` as if it had a threshold."""
    if queue.noun == "QMODEL":
        # The queue that is made after a model is another one for each subscription: nothing comes back to it.
        return _NO_LINK
    read = definitions.attributes
    name = read.text(queue, "BOQNAME")
    if name == "" or (not used and _never_moves(definitions, queue)):
        return _NO_LINK
    threshold, given = read.text(queue, "BOTHRESH"), read.flag(queue, "GET", "ENABLED", "DISABLED")
    if given is False:
        return _NO_LINK
    path = follow_name(definitions, name or "")
    if path.local is None or path.local.noun == "QMODEL":
        return _Link(None if name is None or resolve_name(definitions, name) is None else False)
    taken = read_access(definitions, path, "PUT").enabled
    if taken is False:
        return _NO_LINK
    own = [value for keyword in ("BOQNAME", "BOTHRESH", "GET") if (value := queue.values.get(keyword))]
    on_the_way = [value for link in path.links for keyword in ("TARGET", "PUT") if (value := link.values.get(keyword))]
    changes = [value.origin for value in (*own, *on_the_way) if value.file.is_change]
    changes += [link.definition() for link in path.links if link.file.is_change]
    return _Link(path.local.name, None not in (threshold, given, taken), changes[0] if changes else None, path.alias)


def _clusters(definitions: Definitions, queue: MqObject) -> str | None:
    found = clusters_of(queue, definitions.namelists, own="CLUSTER", listed="CLUSNL")
    return " ".join(sorted(found)) or None if found else None


def _default_open(read: AttributeReader, queue: MqObject) -> Literal["shared", "exclusive"] | None:
    shared = read.flag(queue, "DEFSOPT", "SHARED", "EXCL")
    if shared is None:
        return None
    return "shared" if shared else "exclusive"
