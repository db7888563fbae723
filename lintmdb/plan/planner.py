"""A plan for an estate: its components, searched in rounds so that each round judges the estate once, and the proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lintmdb.delivery.fate import Fate
from lintmdb.engine.findings import Finding
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.plan.choices import Changes
from lintmdb.plan.components import Component, split
from lintmdb.plan.evaluation import Difference, Evaluator, FlowKey, State, flow_fate, flow_key, worse
from lintmdb.plan.policy import Policy
from lintmdb.plan.search import Search, Solution, Tried
from lintmdb.settings.changes import Change, merge


@dataclass(frozen=True, slots=True)
class Plan:
    """What to change, and what was and will be found."""

    changes: tuple[Change, ...]
    before: State
    after: State
    fates_before: Mapping[FlowKey, Fate]
    fates_after: Mapping[FlowKey, Fate]
    components: Sequence[tuple[Component, Solution]]
    policy: Policy

    @property
    def left(self) -> list[Finding]:
        """Findings of the wanted severity that no allowed setting repairs."""
        return [finding for finding in self.after.judgement.findings if self.policy.wants_gone(finding.rule.severity)]

    @property
    def states(self) -> int:
        """How many sets of changes were judged in all components."""
        return sum(solution.states for _, solution in self.components)


def make_plan(evaluator: Evaluator, policy: Policy, tick: Callable[[int], None] | None = None) -> Plan:
    """The plan for an estate. ``tick`` is called with the number of each round."""
    before = evaluator.judge(())
    fates = {flow_key(head): flow_fate(head) for head in before.judgement.flows}
    components = split(before.judgement)
    searches = [Search(policy) for _ in components]
    for search, component in zip(searches, components, strict=True):
        search.start(component.findings)
    place = {key: number for number, component in enumerate(components) for key in component.flows}
    rounds = 0
    while asked := {
        number: changes for number, search in enumerate(searches) if (changes := search.next()) is not None
    }:
        rounds += 1
        if tick is not None:
            tick(rounds)
        for number, tried in _round(evaluator, before, fates, place, asked, len(components)).items():
            searches[number].tell(tried)
    changes = _together(search.solution.changes for search in searches)
    after = evaluator.judge(changes) if changes else before
    return Plan(
        changes,
        before,
        after,
        fates,
        {flow_key(head): flow_fate(head) for head in after.judgement.flows},
        [(component, search.solution) for component, search in zip(components, searches, strict=True)],
        policy,
    )


def _together(parts: Iterable[Changes]) -> Changes:
    """The changes of all components as one set; no two components change one object."""
    merged: Changes = ()
    for part in parts:
        joined = merge(merged, part)
        if joined is not None:
            merged = joined
    return merged


def _round(
    evaluator: Evaluator,
    before: State,
    fates: Mapping[FlowKey, Fate],
    place: Mapping[FlowKey, int],
    asked: Mapping[int, Changes],
    count: int,
) -> dict[int, Tried]:
    """Judge the estate with one set of changes for each component that asks."""
    after = evaluator.judge(_together(asked.values()))
    touched = {key for key, number in place.items() if number in asked}
    difference = worse(before, after, fates, touched)
    findings: dict[int, list[Finding]] = {number: [] for number in asked}
    heads = after.judgement.flows
    for finding in after.judgement.findings:
        number = place.get(flow_key(heads[finding.flow])) if finding.flow is not None else None
        if number in findings:
            findings[number].append(finding)
    harmed = _harmed(difference, after, place)
    return {number: Tried(findings[number], harmed.get(number, ())) for number in asked}


def _harmed(difference: Difference, after: State, place: Mapping[FlowKey, int]) -> dict[int, list[FlowRows]]:
    """The flows on which something is worse, by component."""
    heads = after.judgement.flows
    worse_off = {finding.flow for finding in difference.findings}
    open_now, fates = set(difference.undecided), set(difference.fates)
    worse_off |= {entry.flow for entry in after.judgement.undecided if (entry.rule.id, entry.subject) in open_now}
    harmed: dict[int, list[FlowRows]] = {}
    for number, head in enumerate(heads):
        key = flow_key(head)
        if (number in worse_off or key in fates) and key in place:
            harmed.setdefault(place[key], []).append(head.rows)
    return harmed
