"""Things: the objects that flows share and that settings belong to."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from lintmdb.engine.flow_rows import FlowRows, read_value
from lintmdb.model.environment_names import key_of
from lintmdb.settings.actions import is_hardly_reader
from lintmdb.settings.changes import Change, Grant, Target, containment_paths

Thing: TypeAlias = tuple[str, ...]
"""A kind, a place and what names the object there."""


def changed_things(change: Change) -> list[Thing]:
    """What flows share when they share the object of a change: a server for all that a server has once, an endpoint
    for its own, and rights only where they share the user. Rights on a profile of several queues are the queue
    manager's. A change of a whole cluster is one of each member, and so is that of an object that a queue-sharing group
    has.
    """
    target = change.target
    if target.shared_with:
        return [_changed_thing(change, target._replace(place=place)) for place in target.members]
    paths = containment_paths(target.path)
    if len(paths) < 2:
        return [_changed_thing(change, target)]
    return [_changed_thing(change, target._replace(path=path)) for path in paths]


def _changed_thing(change: Change, target: Target) -> Thing:
    if isinstance(change, Grant) and "*" in target.name:
        return ("QMGR", target.place_key, "")
    if isinstance(change, Grant):
        return ("rights", target.place_key, target.name if target.kind != "QMGR" else "", change.user)
    kind = _SHARED_AS.get(target.kind, target.kind)
    if kind == "server":
        return ("server", target.place_key, target.path)
    if kind in ("specification", "factory", "resource_adapter"):
        return (kind, target.place_key, target.path)
    if kind == "port":
        return (kind, target.place_key, target.path, target.name)
    if kind == "bus":
        return (kind, target.place_key, target.path, target.name)
    return (kind, target.place_key, target.name if kind != "QMGR" else "")


_SHARED_AS: Mapping[str, str] = {
    "QLOCAL": "queue",
    "QMODEL": "queue",
    "QALIAS": "queue",
    "QREMOTE": "queue",
    "listener_port": "port",
    "listener_service": "server",
    "listener_threads": "server",
    "thread_pool": "server",
    "transaction_service": "server",
    "mq_specification": "specification",
    "mq_specification_property": "specification",
    "bus_specification": "specification",
    "connection_factory": "factory",
    "session_pool": "factory",
    "connection_pool": "factory",
    "bus_destination": "bus",
    "liberty_specification": "endpoint",
    "liberty_endpoint": "endpoint",
    "liberty_queue": "bus",
    "liberty_transaction": "server",
}


def things(rows: FlowRows) -> Iterator[Thing]:
    """All objects of a flow that some setting belongs to."""
    endpoint, server, named = rows.endpoint, rows.server, rows.endpoint.queue_manager
    manager = key_of(endpoint.environment, named) if named else ""
    cell = key_of(endpoint.environment, endpoint.cell or "")
    for path in containment_paths(server.config_paths or "") if server is not None else ():
        yield ("server", cell, path)
        if endpoint.kind == "listener_port":
            yield ("port", cell, path, endpoint.name)
    if endpoint.runtime == "liberty":
        yield ("server", cell, "")
        yield ("endpoint", cell, endpoint.name)
    elif endpoint.config_path:
        yield ("specification", cell, endpoint.config_path)
        yield ("resource_adapter", cell, endpoint.config_path.rpartition("J2CActivationSpec:")[0])
    if endpoint.factory_path:
        yield ("factory", cell, endpoint.factory_path)
    if manager:
        yield ("QMGR", manager, "")
        users = known_users(rows)
        yield from (("rights", manager, "", user) for user in users)
        yield from _at_other_end(rows)
        for name in _queues(rows):
            yield ("queue", manager, name)
            yield from (("rights", manager, name, user) for user in users)
        if rows.channel is not None:
            yield ("CHANNEL", manager, rows.channel.name)
    if rows.destination is not None:
        where = rows.destination
        for name in (where.name, where.exception_destination_name):
            if name:
                yield ("bus", key_of(where.environment, where.cell or ""), where.bus or "", name)


def known_users(rows: FlowRows) -> Sequence[str]:
    """The user of a flow, blank where nobody knows it, and the group by which it reads, where one does."""
    if is_hardly_reader(functools.partial(read_value, rows)):
        rows = rows._replace(user=None, authority=None)
    known = rows.authority
    group = known.group if known is not None else rows.queue_name.reader_group if rows.queue_name else None
    return [rows.user or "" if known is None else known.user, *((group,) if group else ())]


def _at_other_end(rows: FlowRows) -> Iterator[Thing]:
    """The queue of another queue manager to which messages are moved, where it is too short for some."""
    target = rows.backout
    if target is not None and target.end_queue and target.end_queue_manager:
        yield ("queue", key_of(target.environment, target.end_queue_manager), target.end_queue)


def _queues(rows: FlowRows) -> Sequence[str]:
    """The names on the way of a message, wherever it is moved."""
    names = [rows.endpoint.queue]
    if rows.queue is not None:
        names += [rows.queue.name, rows.queue.backout_queue]
    if rows.queue_name is not None:
        names += [rows.queue_name.leads_to, rows.queue_name.get_disabled_by]
    for target in (rows.backout, rows.dead_letter):
        if target is not None:
            names += [target.name, target.leads_to, target.local_queue, target.transmission_queue]
            names += [target.put_disabled_by, target.expiry_capped_by]
    return [name for name in dict.fromkeys(names) if name]
