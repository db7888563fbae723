"""Trials: the whole estate judged with one set of changes for each of several components."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from lintmdb.compare.identity import Key, identify_loosely
from lintmdb.engine.findings import Finding, FlowHead
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.plan.choices import Changes
from lintmdb.plan.components import Component
from lintmdb.plan.evaluation import Difference, Evaluator, FlowFate, FlowKey, State, flow_key, worse
from lintmdb.plan.search import Tried
from lintmdb.settings.changes import ChangeSet


class Trial:
    """Judges sets of changes against the estate as it is."""

    def __init__(
        self,
        evaluator: Evaluator,
        before: State,
        fates: Mapping[FlowKey, FlowFate],
        components: Sequence[Component],
        tick: Callable[[int], None] | None = None,
    ) -> None:
        self.before = before
        self.components = components
        self.rounds = 0
        self.evaluator = evaluator
        self.fates = fates
        self.tick = tick
        numbers = {key: number for number, component in enumerate(components) for key in component.flows}
        self._place: dict[Key, int] = {}
        for head in before.judgement.flows:
            if (number := numbers.get(flow_key(head))) is not None:
                self._place[identify_loosely(head.subject)] = number

    def judge(self, asked: Mapping[int, Changes], others: Changes = ()) -> tuple[State, dict[int, Tried]]:
        """The estate with the changes of some components, by their numbers, and ``others``; and what that means for
        each of these components.
        """
        self.rounds += 1
        if self.tick is not None:
            self.tick(self.rounds)
        after = self.evaluator.judge(merge_all([others, *asked.values()]))
        touched = {key for number in asked for key in self.components[number].flows}
        harmed = self._harmed(worse(self.before, after, self.fates, touched), after)
        findings: dict[int, list[Finding]] = {number: [] for number in asked}
        heads = after.judgement.flows
        for finding in after.judgement.findings:
            number = self._number(heads[finding.flow]) if finding.flow is not None else None
            if number in findings:
                findings[number].append(finding)
        flows: dict[int, list[FlowRows]] = {number: [] for number in asked}
        for head in heads:
            number = self._number(head)
            if number in flows:
                flows[number].append(head.rows)
        return after, {number: Tried(findings[number], harmed.get(number, ()), flows[number]) for number in asked}

    def _number(self, head: FlowHead) -> int | None:
        """The component of a flow. Changes may make members of a cluster unequal, or equal, and these are together."""
        return self._place.get(identify_loosely(head.subject))

    def _harmed(self, difference: Difference, after: State) -> dict[int, list[FlowRows]]:
        """The flows on which something is worse, by component."""
        worse_off = {finding.flow for finding in difference.findings}
        open_now, fates = set(difference.undecided), set(difference.fates)
        worse_off |= {entry.flow for entry in after.judgement.undecided if (entry.rule.id, entry.subject) in open_now}
        harmed: dict[int, list[FlowRows]] = {}
        for place, head in enumerate(after.judgement.flows):
            number = self._number(head)
            if (place in worse_off or flow_key(head) in fates) and number is not None:
                harmed.setdefault(number, []).append(head.rows)
        return harmed


def merge_all(parts: Iterable[Changes]) -> Changes:
    """The changes of several components as one set; no two components give one attribute different values."""
    merged = ChangeSet()
    for part in parts:
        for change in part:
            merged.add((change,))
    return merged.changes
