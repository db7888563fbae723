"""What makes two subjects the same thing in two states of an estate."""

from __future__ import annotations

from lintmdb.engine.findings import Subject

Key = tuple[str, ...]


def identify(subject: Subject, path: str | None = None) -> Key:
    """The identity of a subject; ``path`` replaces the path of an export, which may lie elsewhere in another state."""
    if subject.kind != "export":
        return subject.identity()
    name = subject.name if path is None else path
    place = (subject.cell or "", subject.queue_manager or "", subject.detail or "")
    return (subject.kind, name or "", *place, *_environment(subject))


def _environment(subject: Subject) -> Key:
    return (subject.environment,) if subject.environment else ()


def identify_loosely(subject: Subject) -> Key:
    """The identity of a subject without the member of its cluster: the same for the cluster and for each member."""
    if subject.cluster is None:
        return subject.identity()
    kind, name = ("cluster", subject.cluster) if subject.kind in ("server", "cluster") else (subject.kind, subject.name)
    program = (subject.application, subject.module, subject.bean)
    parts = (kind, name, subject.cell, subject.cluster, *program, subject.bus, *_environment(subject))
    return tuple(part or "" for part in parts)


def across_environments(subject: Subject) -> Subject:
    """What a subject of one environment is called in any: an endpoint and its bean by their application and names, a
    queue by its name. Cells, servers and queue managers have names of their own in each.
    """
    anywhere = subject._replace(environment=None, cell=None, node=None, queue_manager=None)
    return anywhere if subject.kind in ("server", "cluster") else anywhere._replace(cluster=None, server=None)


def is_renamable(subject: Subject) -> bool:
    """Whether a subject has a name that flows refer to: another name may be the same thing to the same flow."""
    return subject.kind in ("queue", "destination")
