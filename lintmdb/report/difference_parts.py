"""What the reports of a comparison share: the flows whose messages have another fate, and the new findings, both with
the worst first.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from lintmdb.compare.estates import Comparison, FateChange, NewFinding, Side
from lintmdb.engine.findings import FlowHead, Judgement
from lintmdb.report.headline_fates import HeadlineFate, headline_fates
from lintmdb.rules.rule import severity_rank


class ChangedFlow(NamedTuple):
    """A flow whose messages have another fate."""

    head: FlowHead
    former: FlowHead
    before: HeadlineFate
    after: HeadlineFate
    changes: tuple[FateChange, ...]
    """One for each workload whose fate changes."""


def changed_flows(comparison: Comparison) -> list[ChangedFlow]:
    """The flows with another fate, the worst fate now first."""
    by_head: dict[int, list[FateChange]] = {}
    for change in comparison.fates:
        by_head.setdefault(id(change.head), []).append(change)
    flows: list[ChangedFlow] = []
    for changes in by_head.values():
        head, former = changes[0].head, changes[0].former or changes[0].head
        before, after = headline_fates([former, head])
        flows.append(ChangedFlow(head, former, before, after, tuple(changes)))
    return sorted(flows, key=lambda flow: (flow.after.rank, -flow.before.rank))


def new_findings(comparison: Comparison) -> list[NewFinding]:
    """The new findings, the most severe first."""
    return sorted(comparison.new, key=lambda entry: severity_rank(entry.finding.rule.severity))


def new_judgement(comparison: Comparison, after: Side) -> Judgement:
    """The later judgement with its new findings alone."""
    return replace(
        after.judgement,
        findings=[entry.finding for entry in comparison.new],
        undecided=[],
        suppressed=[],
        judged=[],
        clear=0,
    )
