"""Components: flows that share an object which some repair changes. Each component is planned apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lintmdb.engine.findings import Finding, Judgement
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.engine.repairs import find_alternatives
from lintmdb.plan.evaluation import FlowKey, flow_key
from lintmdb.settings.changes import Change, Grant


@dataclass(slots=True)
class Component:
    """Flows that are planned together, and what was found on them."""

    flows: list[FlowKey] = field(default_factory=list[FlowKey])
    findings: list[Finding] = field(default_factory=list[Finding])


def split(judgement: Judgement) -> list[Component]:
    """The components of an estate in the order of their first flow; flows without findings that a repair could touch
    stand in components of their own.
    """
    heads = judgement.flows
    parents = list(range(len(heads)))

    def root(number: int) -> int:
        while parents[number] != number:
            parents[number] = parents[parents[number]]
            number = parents[number]
        return number

    changed = {
        _thing(change)
        for finding in judgement.findings
        for changes in find_alternatives(finding.rule, finding.rows)
        for change in changes
    }
    first: dict[tuple[str, ...], int] = {}
    for number, head in enumerate(heads):
        for thing in things(head.rows):
            if thing in changed:
                one, other = root(first.setdefault(thing, number)), root(number)
                parents[max(one, other)] = min(one, other)
    components: dict[int, Component] = {}
    for number, head in enumerate(heads):
        components.setdefault(root(number), Component()).flows.append(flow_key(head))
    for finding in judgement.findings:
        if finding.flow is not None:
            components[root(finding.flow)].findings.append(finding)
    return list(components.values())


def is_part_of(change: Change, rows: FlowRows) -> bool:
    """Whether a flow has the object of a change, or what holds it."""
    return _thing(change) in things(rows)


def _thing(change: Change) -> tuple[str, ...]:
    """What flows share when they share a target: a server for all that a server has once, an endpoint for its own, and
    rights only where they share the user.
    """
    target = change.target
    if isinstance(change, Grant):
        return ("rights", target.place, target.name if target.kind != "QMGR" else "", change.user)
    kind = _SHARED_AS.get(target.kind, target.kind)
    if kind == "server":
        return ("server", target.place, target.path)
    if kind in ("specification", "factory"):
        return (kind, target.place, target.path)
    if kind == "port":
        return (kind, target.place, target.path, target.name)
    if kind == "bus":
        return (kind, target.place, target.path, target.name)
    return (kind, target.place, target.name if kind != "QMGR" else "")


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
}


def things(rows: FlowRows) -> Iterator[tuple[str, ...]]:
    """All objects of a flow that some setting belongs to."""
    endpoint, server, manager = rows.endpoint, rows.server, rows.endpoint.queue_manager or ""
    cell = endpoint.cell or ""
    if server is not None and server.config_paths:
        yield ("server", cell, server.config_paths)
        if endpoint.kind == "listener_port":
            yield ("port", cell, server.config_paths, endpoint.name)
    if endpoint.config_path:
        yield ("specification", cell, endpoint.config_path)
    if endpoint.factory_path:
        yield ("factory", cell, endpoint.factory_path)
    if manager:
        yield ("QMGR", manager, "")
        user = rows.authority.user if rows.authority is not None else rows.user or ""
        yield ("rights", manager, "", user)
        for name in _queues(rows):
            yield ("queue", manager, name)
            yield ("rights", manager, name, user)
        if rows.channel is not None:
            yield ("CHANNEL", manager, rows.channel.name)
    if rows.destination is not None:
        where = rows.destination
        for name in (where.name, where.exception_destination_name):
            if name:
                yield ("bus", where.cell or "", where.bus or "", name)


def _queues(rows: FlowRows) -> Sequence[str]:
    """The names on the way of a message, wherever it is moved."""
    names = [rows.endpoint.queue]
    if rows.queue is not None:
        names += [rows.queue.name, rows.queue.backout_queue]
    if rows.queue_name is not None:
        names += [rows.queue_name.leads_to, rows.queue_name.get_disabled_by]
    for target in (rows.backout, rows.dead_letter):
        if target is not None:
            names += [target.name, target.leads_to, target.local_queue, target.put_disabled_by]
    return [name for name in dict.fromkeys(names) if name]
