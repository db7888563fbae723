"""What a verdict is about, in one line: the path of a message, in the direction in which messages go."""

from __future__ import annotations

from collections.abc import Sequence

from lintmdb.engine.findings import FlowHead, Subject
from lintmdb.engine.subjects import kind_words

ARROW = " -> "
"""Between the stops of a title: the queue, the endpoint, the bean."""
_ENDPOINTS = ("listener_port", "activation_spec")


def flow_stops(head: FlowHead) -> tuple[str, str, str]:
    """The stops of a flow: what it reads, the endpoint, and the bean.

    ``ORDERS.IN at QM1``, ``OrdersAS (activation specification, node1/server1)``, ``OrderBean (Orders/orders.jar)``.
    """
    unbound = "no bean bound" if head.rows.endpoint.bean_count == 0 else "bean unknown"
    return _source(head), _endpoint(head.subject, head.member_count), _bean(head.subject) or unbound


def headline(head: FlowHead) -> str:
    """The stops of a flow in one line, or a queue that no endpoint reads."""
    return subject_text(head.subject) if head.subject.kind == "queue" else ARROW.join(flow_stops(head))


def subject_text(subject: Subject) -> str:
    """A subject in one line. An endpoint has the queue that it reads before it, and its bean behind it, where the
    verdict is about them as well.
    """
    if subject.kind in _ENDPOINTS:
        source = f"{subject.queue} at {subject.queue_manager or '(queue manager unknown)'}" if subject.queue else ""
        return ARROW.join(stop for stop in (source, _endpoint(subject), _bean(subject)) if stop)
    kind = kind_words(subject.kind)
    name = subject.name or "(name unknown)"
    if subject.kind == "bean":
        place = place_text(subject)
        return _bean(subject) + (f" on {place}" if place else "")
    if subject.kind == "queue":
        return f"queue {name} at {subject.queue_manager}{_within(subject)}"
    if subject.kind == "destination":
        return f"{kind} {name} of bus {subject.bus}{_within(subject)}" if subject.bus else f"{kind} {name}"
    if subject.kind == "server":
        return f"server {place_text(subject) or name}"
    return f"{kind} {name}" if subject.kind == "export" else f"{kind} {name}{_within(subject)}"


def _within(subject: Subject) -> str:
    """The environment, behind what is in it; blank where none is named."""
    return f" in {subject.environment}" if subject.environment else ""


def short_name(subject: Subject) -> str:
    """An endpoint by its name and place, ``OrdersAS on node1/server1``; any other subject as in ``subject_text``."""
    if subject.kind not in _ENDPOINTS:
        return subject_text(subject)
    place = place_text(subject)
    return f"{subject.name}" + (f" on {place}" if place else "")


def subjects_text(subjects: Sequence[Subject], *, more: bool = False) -> str:
    """How many subjects of one kind there are, and which: ``2 queues at QM1: ORDERS.IN, PAY.IN``; with ``more``,
    ``2 more queues at QM1: ...``.
    """
    noun = kind_words(subjects[0].kind)
    nouns = noun if len(subjects) == 1 else f"{noun}s"
    places = {(subject.queue_manager, subject.environment) for subject in subjects}
    alone = subjects[0].kind == "queue" and len(places) == 1
    where = f" at {subjects[0].queue_manager}{_within(subjects[0])}" if alone else ""
    names = [(subject.name or "") if alone else short_name(subject) for subject in subjects]
    if len(set(names)) < len(names):  # one endpoint with several beans
        names = [
            f"{name} ({subject.bean})" if subject.bean else name for name, subject in zip(names, subjects, strict=True)
        ]
    return f"{len(subjects)} {'more ' if more else ''}{nouns}{where}: {', '.join(names)}"


def _source(head: FlowHead) -> str:
    """The queue or topic of a flow; where the destination names an alias, that with the queue behind it."""
    subject, endpoint, destination = head.subject, head.rows.endpoint, head.rows.destination
    if endpoint.provider == "sib":
        name = (destination.name if destination else None) or endpoint.destination_jndi or "(destination unknown)"
        return f"{name} on bus {destination.bus}" if destination and destination.bus else name
    queue, named = subject.queue, endpoint.queue
    if queue and named and named != queue:
        name = f"{named} ({queue})"
    else:
        name = queue or (f"topic {head.topic}" if head.topic else "")
    if not name and not subject.queue_manager and endpoint.destination_jndi:
        return endpoint.destination_jndi
    return f"{name or '(queue unknown)'} at {subject.queue_manager or '(queue manager unknown)'}"


def _endpoint(subject: Subject, members: int | None = None) -> str:
    place = _place(subject) or "place unknown"
    size = f" of {members}" if members and subject.cluster and not subject.server else ""
    return f"{subject.name or '(name unknown)'} ({kind_words(subject.kind)}, {place}{size}{_within(subject)})"


def _bean(subject: Subject) -> str:
    origin = "/".join(part for part in (subject.application, subject.module) if part)
    if not subject.bean:
        return ""
    return f"{subject.bean} ({origin})" if origin else subject.bean


def place_text(subject: Subject) -> str:
    """Where it runs, from the cluster or node down: ``cluster C1``, ``node1/server1``, ``cell PROD``, or nothing; with
    its environment, ``node1/server1 in test``, where one is named.
    """
    place = _place(subject)
    if not place and subject.environment:
        return f"environment {subject.environment}"
    return f"{place}{_within(subject)}"


def _place(subject: Subject) -> str:
    if subject.cluster and not subject.server:
        return f"cluster {subject.cluster}"
    if subject.node or subject.server:
        return "/".join(part for part in (subject.node, subject.server) if part)
    return f"cell {subject.cell}" if subject.cell else ""


def qualified_name(subject: Subject) -> str:
    """All of its identity as one path, outermost first."""
    outer = (subject.cell, subject.cluster, subject.node, subject.server, subject.bus, subject.queue_manager)
    inner = (subject.name, subject.application, subject.module, subject.bean if subject.kind != "bean" else None)
    own = subject.queue if subject.kind != "queue" else None
    parts = [part for part in (subject.environment, *outer, subject.kind, *inner, own, subject.detail) if part]
    return "/".join(parts)
