"""Findings that end because something as bad begins, which repairs nothing."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from lintmdb.delivery.fate import FateGroup
from lintmdb.delivery.wording import titled
from lintmdb.engine.evidence import deciding_columns
from lintmdb.engine.findings import Finding, FlowHead, Judgement
from lintmdb.engine.flow_rows import FlowRows, read_value
from lintmdb.engine.traces import trace_flow
from lintmdb.model.relations import ALIASES, CELL_RELATIONS
from lintmdb.rules.rule import severity_rank

FlowPlace = tuple[Hashable, ...]
"""What a flow and others may share: the flow itself, or the queue that it reads."""


class FoundAt(NamedTuple):
    """A finding, and the places of the first flow that shows it."""

    finding: Finding
    places: Set[FlowPlace]

    def is_at(self, places: Set[FlowPlace]) -> bool:
        """Whether what it is about is among some places: its queue, or its flow."""
        kind = "queue" if self.finding.subject.kind in ("queue", "queue_manager") else "flow"
        return any(place[0] == kind for place in self.places & places)


def flow_places(head: FlowHead) -> frozenset[FlowPlace]:
    """A flow and the queue that it reads, by what identifies them in any state."""
    return frozenset({("flow", *head.subject.identity()), *_queue_of(head.rows)})


def changed_places(head: FlowHead, former: Sequence[FlowHead]) -> frozenset[FlowPlace]:
    """The places of a flow and of those before on which a message had another fate; none without these."""
    return frozenset[FlowPlace]().union(*map(flow_places, (head, *former))) if former else frozenset()


def found_at(finding: Finding, flows: Sequence[FlowHead]) -> FoundAt:
    """A finding with its places; ``flows`` are those of its judgement. A queue that no endpoint reads is one."""
    if finding.flow is not None:
        return FoundAt(finding, flow_places(flows[finding.flow]))
    return FoundAt(finding, frozenset(_queue_of(finding.rows) if isinstance(finding.rows, FlowRows) else ()))


def find_replacement(old: FoundAt, new: Iterable[FoundAt]) -> Finding | None:
    """The first finding of an equal or higher severity that begins where one ends, on a value that decides on both and
    that differs between the two states; None where there is none.
    """
    severity = severity_rank(old.finding.rule.severity)
    return next(
        (
            each.finding
            for each in new
            if severity_rank(each.finding.rule.severity) <= severity
            and any(_differs(old, each, name) for name in _shared_columns(old, each))
        ),
        None,
    )


def repairs_another(new: FoundAt, ended: Iterable[FoundAt]) -> bool:
    """Whether a finding of an equal or higher severity ends where one begins, on a value that decides on both and that
    differs between the two states: what was before was no better.
    """
    severity = severity_rank(new.finding.rule.severity)
    return any(
        severity_rank(old.finding.rule.severity) <= severity
        and any(_differs(old, new, name) for name in _shared_columns(old, new))
        for old in ended
    )


def worse_places(before: Judgement, after: Judgement) -> frozenset[FlowPlace]:
    """The flows on which a message fares worse after than before, as far as both fates are known, and their queues; and
    such queues that no endpoint reads.
    """
    former = {head.subject.identity(): head for head in (*before.flows, *before.unread)}
    return frozenset(
        place
        for head in (*after.flows, *after.unread)
        if (old := former.get(head.subject.identity())) is not None and _is_worse(old, head)
        for place in flow_places(head)
    )


def is_worse(before: Set[float], after: Set[float]) -> bool:
    """Whether one of the fates of a message harms more than each one before, given the harms of both. Where a fate is
    not known, nobody says so.
    """
    known = before and after and FateGroup.UNKNOWN.rank not in before | after
    return bool(known) and min(after) < min(before)


def _is_worse(old: FlowHead, new: FlowHead) -> bool:
    if old.rows == new.rows:
        return False
    harms = [_harms(head) for head in (old, new)]
    return any(is_worse(harms[0].get(title, set()), own) for title, own in harms[1].items())


def _harms(head: FlowHead) -> dict[str, set[float]]:
    """How much harm the fates of each workload do."""
    found: dict[str, set[float]] = {}
    for told in trace_flow(head, None):
        late = "late" if told.workload.arrives_after_ms else titled(told.workload)
        found.setdefault(late, set()).add(told.outcome.harm)
    return found


def _queue_of(rows: FlowRows) -> Iterator[FlowPlace]:
    queue = rows.queue
    if queue is not None:
        yield "queue", queue.environment, queue.queue_manager, queue.name


def _shared_columns(old: FoundAt, new: FoundAt) -> Iterator[str]:
    """The columns that decide on both findings and are about the same objects."""
    shared = old.places & new.places
    if not shared:
        return
    every = any(place[0] == "flow" for place in shared)
    names = set(deciding_columns(new.finding.rule, new.finding.rows))
    for name in deciding_columns(old.finding.rule, old.finding.rows):
        alias = ALIASES.get(name.partition(".")[0])
        if name in names and (every or (alias is not None and alias.relation not in CELL_RELATIONS)):
            yield name


def _differs(old: FoundAt, new: FoundAt, name: str) -> bool:
    return read_value(old.finding.rows, name) != read_value(new.finding.rows, name)
