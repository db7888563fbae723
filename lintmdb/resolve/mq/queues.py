"""Rows about queues: ``queue`` for local and model queues, ``queue_name`` for every name that can be opened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from lintmdb.model.columns import mqsc_keywords
from lintmdb.model.origins import Located
from lintmdb.model.relations import Queue, QueueName
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.name_clashes import name_clash
from lintmdb.resolve.mq.names import follow_name, read_access, resolve_name
from lintmdb.resolve.mq.objects import LONGEST_MESSAGE_BYTES, QUEUE_TYPES, AttributeReader, MqObject, omits

_COLUMNS = mqsc_keywords(Queue)
"""The keyword that each column comes from."""
_NAME_COLUMNS = {"get_enabled": "GET"}

_Link = str | Literal[False] | None
"""The local or model queue that a backout queue's name leads to; False where the chain ends, None where that is not
known.
"""


def queue_row(
    definitions: Definitions, queue: MqObject, *, backout_loops: bool | None, longest_bytes: int | None
) -> Queue:
    """The row of a local or model queue. ``backout_loops`` needs all queues: ``find_backout_loops`` finds it;
    ``longest_bytes`` is MAXMSGL of the queue manager.
    """
    read = definitions.attributes
    backout_queue = read.text(queue, "BOQNAME")
    disposition = read.text(queue, "QSGDISP")
    local = queue.noun == "QLOCAL"  # IBM supplies other values of SHARE and DEFSOPT for model queues
    return Queue(
        queue_manager=definitions.queue_manager,
        name=queue.name,
        type="local" if local else "model",
        backout_threshold=read.integer(queue, "BOTHRESH"),
        backout_queue=backout_queue,
        backout_resolution=resolve_name(definitions, backout_queue),
        backout_loops=backout_loops,
        harden_backout=read.flag(queue, "HARDENBO", "YES", "NO"),
        shared_disposition=None if disposition is None else disposition.upper() == "SHARED",
        command_disposition=command_disposition(disposition),
        coupling_structure=(queue.values["CFSTRUCT"].text.strip() or None) if "CFSTRUCT" in queue.values else None,
        max_message_bytes=(max_bytes := read.integer(queue, "MAXMSGL", LONGEST_MESSAGE_BYTES)),
        longest_message_bytes=min(max_bytes, longest_bytes or max_bytes) if max_bytes is not None else None,
        max_depth=read.integer(queue, "MAXDEPTH"),
        default_depth=omits(queue, "MAXDEPTH"),
        put_enabled=read.flag(queue, "PUT", "ENABLED", "DISABLED"),
        get_enabled=read.flag(queue, "GET", "ENABLED", "DISABLED"),
        shareable=read.flag(queue, "SHARE", "YES", "NO") if local or "SHARE" in queue.values else None,
        default_open=_default_open(read, queue) if local or "DEFSOPT" in queue.values else None,
        default_persistence=read.flag(queue, "DEFPSIST", "YES", "NO"),
        origins=read.origins(queue, _COLUMNS),
    )


def queue_name_row(definitions: Definitions, queue: MqObject) -> QueueName:
    """The row of a name, which leads to the queue itself or along aliases to another."""
    path = follow_name(definitions, queue.name)
    get = read_access(definitions, path, "GET")
    closed = get.decided_by if get.enabled is False else None
    origins: Mapping[str, Located] = definitions.attributes.origins(queue, _NAME_COLUMNS)
    if get.decided_by is not None and get.decided_by is not queue:
        decisive = definitions.attributes.origins(get.decided_by, _NAME_COLUMNS)
        origins = {**decisive, "name": queue.definition()}
    return QueueName(
        queue_manager=definitions.queue_manager,
        name=queue.name,
        type=QUEUE_TYPES[queue.noun],
        resolution=resolve_name(definitions, queue.name, local=True),
        local_queue=path.local.name if path.local is not None else None,
        get_enabled=get.enabled,
        get_disabled_by=closed.name if closed is not None else None,
        get_disabled_type=closed.noun if closed is not None else None,
        name_clash=name_clash(definitions, path),
        origins=origins,
    )


def find_backout_loops(definitions: Definitions, queues: Iterable[MqObject]) -> dict[str, bool | None]:
    """Whether the chain of backout queues of each queue comes back to it, for all local and model queues.

    None where a link of the chain is not known.
    """
    following: dict[str, _Link] = {queue.name: _following(definitions, queue) for queue in queues}
    loops: dict[str, bool | None] = {}
    for name in following:
        path: dict[str, None] = {}
        link: _Link = name
        while isinstance(link, str) and link not in path and link not in loops:
            path[link] = None
            link = following.get(link)
        if link is None or (isinstance(link, str) and loops.get(link, False) is None):
            loops.update(dict.fromkeys(path))
            continue
        # A chain that runs into a circle which the queue is not part of does not come back to it.
        in_circle = False
        for passed in path:
            in_circle = in_circle or passed == link
            loops[passed] = in_circle
    return loops


def _following(definitions: Definitions, queue: MqObject) -> _Link:
    """The next queue of a chain of backout queues."""
    name = definitions.attributes.text(queue, "BOQNAME")
    if name is None:
        return None
    if not name:
        return False
    path = follow_name(definitions, name)
    if path.target is None:
        return False if definitions.lists_queues else None
    return path.local.name if path.local is not None else False


def command_disposition(disposition: str | None) -> Literal["SHARED", "GROUP"] | None:
    """The QSGDISP that a command must say to reach a queue; None where it needs none."""
    places: Mapping[str, Literal["SHARED", "GROUP"]] = {"SHARED": "SHARED", "GROUP": "GROUP", "COPY": "GROUP"}
    return places.get((disposition or "").upper())


def _default_open(read: AttributeReader, queue: MqObject) -> Literal["shared", "exclusive"] | None:
    shared = read.flag(queue, "DEFSOPT", "SHARED", "EXCL")
    if shared is None:
        return None
    return "shared" if shared else "exclusive"
