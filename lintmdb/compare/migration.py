"""Flows that go on another kind of server: an application that moves from WebSphere Application Server traditional to
Liberty, or back. Cell, server and endpoint have other names there, so the bean is what stays: its application, its
module and its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from lintmdb.compare.identity import Key
from lintmdb.engine.findings import Finding, FlowHead, Subject

_ARCHIVE = re.compile(r"\.[jw]ar\Z", re.IGNORECASE)


def find_migrated(gone: Iterable[FlowHead], added: Iterable[FlowHead]) -> list[tuple[FlowHead, list[FlowHead]]]:
    """Each flow that is new, with those of the same bean that are gone from the other kind of server."""
    former: dict[Key, list[FlowHead]] = {}
    for head in gone:
        if (key := _program(head.subject)) is not None:
            former.setdefault(key, []).append(head)
    found: list[tuple[FlowHead, list[FlowHead]]] = []
    for head in added:
        key = _program(head.subject)
        others = [other for other in former.get(key or (), ()) if _runtime(other) != _runtime(head)]
        if others and None not in (_runtime(head), *map(_runtime, others)):
            found.append((head, others))
    return found


def pair_findings(
    gone: Sequence[Finding],
    new: Sequence[Finding],
    flows: Mapping[Subject, Sequence[Subject]],
    before: Sequence[FlowHead],
    after: Sequence[FlowHead],
) -> list[tuple[Finding, Finding]]:
    """The findings of one rule that a flow has on both kinds of server. ``flows`` are the subjects of flows that are
    new, with those of the flows that they go on with.
    """
    former: dict[tuple[str, Subject], Finding] = {}
    for finding in gone:
        if finding.flow is not None:
            former.setdefault((finding.rule.id, before[finding.flow].subject), finding)
    pairs: list[tuple[Finding, Finding]] = []
    for finding in new:
        if finding.flow is None:
            continue
        for subject in flows.get(after[finding.flow].subject, ()):
            old = former.pop((finding.rule.id, subject), None)
            if old is not None:
                pairs.append((old, finding))
                break
    return pairs


def _program(subject: Subject) -> Key | None:
    """Application, module without its suffix, and bean; None where one of them is not known."""
    if not (subject.application and subject.module and subject.bean):
        return None
    return program_key(subject.application, subject.module, subject.bean)


def program_key(application: str, module: str, bean: str) -> Key:
    """What stays of a bean on another kind of server: application, module without its suffix, and name."""
    return application, _ARCHIVE.sub("", module), bean


def _runtime(head: FlowHead) -> str | None:
    return head.rows.endpoint.runtime
