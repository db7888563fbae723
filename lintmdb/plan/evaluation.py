"""Judging changes: the exports with an overlay, resolved and judged by the same code as ``check``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from lintmdb.delivery.fate import Fate
from lintmdb.engine.findings import Finding, FlowHead, Judgement, Subject
from lintmdb.engine.judge import judge
from lintmdb.engine.traces import trace_flow
from lintmdb.model.facts import Facts
from lintmdb.resolve.observations import Observations
from lintmdb.rules.rule import Rule
from lintmdb.rules.verdicts import Verdict
from lintmdb.run.estate import UnresolvedEstate, cell_facts, queue_manager_facts
from lintmdb.run.overlay import NOTHING, Overlay, overlay_of
from lintmdb.settings.changes import Change

FlowKey: TypeAlias = tuple[str, ...]
"""The identity of a flow, which no change of a setting touches."""


class State(NamedTuple):
    """The estate with some changes."""

    judgement: Judgement
    verdicts: Mapping[tuple[str, tuple[str, ...]], int]
    """Verdict number by rule id and identity of the subject."""


@dataclass(slots=True)
class Evaluator:
    """Judges exports again and again, with other changes each time; what no change touches is resolved once."""

    exports: UnresolvedEstate
    observed: Observations
    rules: Sequence[Rule]
    _unchanged: dict[tuple[str, str], Facts] = field(default_factory=dict[tuple[str, str], Facts])

    def judge(self, changes: Iterable[Change]) -> State:
        """The verdicts on the estate with changes."""
        return self.judge_overlay(overlay_of(changes))

    def judge_overlay(self, overlay: Overlay) -> State:
        """The verdicts on the estate with an overlay."""
        judgement = judge(self._facts(overlay), self.rules)
        return State(judgement, _verdicts(judgement))

    def _facts(self, overlay: Overlay) -> Facts:
        facts = Facts()
        facts.add(*self.exports.discovery.problems, *self.exports.problems)
        for group in self.exports.cells:
            name = group[0].name or ""
            changed = name in overlay.assignments
            known = None if changed else self._unchanged.get(("cell", name))
            if known is None:
                applied = overlay if changed else NOTHING
                known = cell_facts([applied.cell(cell) for cell in group], self.observed)
                if not changed:
                    self._unchanged["cell", name] = known
            facts.extend(known)
        for scripts in self.exports.groups:
            changes = overlay.scripts.get(scripts.name, ())
            known = None if changes else self._unchanged.get(("queue manager", scripts.name))
            if known is None:
                known = queue_manager_facts(scripts, self.observed, changes)
                if not changes:
                    self._unchanged["queue manager", scripts.name] = known
            facts.extend(known)
        return facts


def _verdicts(judgement: Judgement) -> dict[tuple[str, tuple[str, ...]], int]:
    return {
        (rule.id, subject.identity()): verdict
        for subject, rules, verdicts in judgement.judged
        for rule, verdict in zip(rules, verdicts, strict=True)
        if verdict
    }


def flow_key(head: FlowHead) -> FlowKey:
    """The identity of a flow."""
    return head.subject.identity()


def flow_fate(head: FlowHead) -> Fate:
    """What becomes of one poison message."""
    return trace_flow(head, None)[0].outcome.fate


class Difference(NamedTuple):
    """What became worse between two states."""

    findings: tuple[Finding, ...]
    """Findings that were not there, above the severity info."""
    undecided: tuple[tuple[str, Subject], ...]
    """Rule and subject of what was decided and is not any more."""
    fates: tuple[FlowKey, ...]
    """Flows on which a poison message fares worse."""

    @property
    def nothing(self) -> bool:
        """Whether nothing is worse."""
        return not (self.findings or self.undecided or self.fates)


def worse(before: State, after: State, flows: Mapping[FlowKey, Fate], touched: set[FlowKey]) -> Difference:
    """What is worse after some changes; ``flows`` has the fates of before, and only ``touched`` ones can differ."""
    hazard, undecided = int(Verdict.HAZARD), int(Verdict.UNDECIDED)
    findings = [
        finding
        for finding in after.judgement.findings
        if finding.rule.severity != "info"
        and before.verdicts.get((finding.rule.id, finding.subject.identity())) != hazard
    ]
    open_now = [
        (entry.rule.id, entry.subject)
        for entry in after.judgement.undecided
        if before.verdicts.get((entry.rule.id, entry.subject.identity()), undecided) != undecided
    ]
    fates = [
        key
        for head in after.judgement.flows
        if (key := flow_key(head)) in touched and key in flows and flow_fate(head).group.rank < flows[key].group.rank
    ]
    return Difference(tuple(findings), tuple(open_now), tuple(fates))
