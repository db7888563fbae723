"""What a verdict is about, in one line."""

from __future__ import annotations

from lintmdb.engine.findings import Subject
from lintmdb.engine.subjects import kind_words


def subject_text(subject: Subject) -> str:
    """Kind and name, and where it stands: ``listener port OrdersLP on node1/server1 (OrderBean of Orders/o.jar)``."""
    kind = kind_words(subject.kind)
    name = subject.name or "(name unknown)"
    if subject.kind == "queue":
        return f"queue {name} at {subject.queue_manager}"
    if subject.kind == "destination":
        return f"{kind} {name} of bus {subject.bus}" if subject.bus else f"{kind} {name}"
    if subject.kind in ("queue_manager", "export", "cluster"):
        return f"{kind} {name}"
    place = place_text(subject)
    if subject.kind == "server":
        return f"server {place or name}"
    text = f"{kind} {name}" + (f" on {place}" if place else "")
    origin = "/".join(part for part in (subject.application, subject.module) if part)
    if subject.kind == "bean":
        return f"{text} ({origin})" if origin else text
    if subject.bean:
        text += f" ({subject.bean} of {origin})" if origin else f" ({subject.bean})"
    return text


def place_text(subject: Subject) -> str:
    """Where it runs, from the cluster or node down: ``cluster C1``, ``node1/server1``, ``cell PROD``, or nothing."""
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
    parts = [part for part in (*outer, subject.kind, *inner, own, subject.detail) if part]
    return "/".join(parts)
