"""A part of an estate: judging changes of some components where nothing but their flows has to be judged."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lintmdb.engine.findings import Finding
from lintmdb.plan.choices import Changes, find_choices
from lintmdb.plan.evaluation import Evaluator, FlowFate, FlowKey, State, flow_key, weighed_fate, worst_later
from lintmdb.plan.policy import Policy
from lintmdb.plan.reduction import reduce_exports
from lintmdb.plan.shape import find_shape
from lintmdb.plan.trial import Trial
from lintmdb.settings.changes import Change


class Part(NamedTuple):
    """A reduced estate, and the components that look the same there as in the whole one."""

    trial: Trial
    numbers: frozenset[int]


def take_part(trial: Trial, numbers: Sequence[int], policy: Policy) -> Part:
    """The part of an estate that some components need. A component that looks different there is not in it."""
    wanted = {key for number in numbers for key in trial.components[number].flows}
    heads = [head for head in trial.before.judgement.flows if flow_key(head) in wanted]
    whole = trial.evaluator
    reduced = Evaluator(reduce_exports(whole.exports, heads), whole.observed, whole.rules, whole.all_queues)
    before = reduced.judge(())
    here, there = _looks(trial, before, numbers, policy), _looks(trial, trial.before, numbers, policy)
    same = frozenset(
        number
        for number in numbers
        if here[number].looks == there[number].looks
        and all(
            before.verdicts.get(key) == trial.before.verdicts.get(key)
            for key in here[number].verdicts | there[number].verdicts
        )
    )
    return Part(Trial(reduced, before, trial.fates, trial.components, trial.tick), same)


class Outcome(NamedTuple):
    """What some changes lead to in a component."""

    findings: Sequence[Finding]
    """All that are left there."""
    fates: Mapping[FlowKey, FlowFate]
    """Of its flows, as they were called before any change."""


def judge_apart(trial: Trial, part: Part, asked: Mapping[int, Changes]) -> dict[int, Outcome]:
    """What the changes of components lead to: judged in the part of the estate where that has the component, else in
    all of it.
    """
    found: dict[int, Outcome] = {}
    for judge, within in ((part.trial, True), (trial, False)):
        own = {number: changes for number, changes in asked.items() if (number in part.numbers) == within}
        if own:
            after, tried = judge.judge(own)
            heads = worst_later(judge.before, after)
            for number in own:
                keys = trial.components[number].flows
                fates = {key: weighed_fate(heads[key]) for key in keys if key in heads}
                found[number] = Outcome(tried[number].findings, fates)
    return found


class LeftOut(NamedTuple):
    """What a component comes to with all of its changes but one."""

    change: Change
    others: Changes
    outcome: Outcome


def judge_without(
    trial: Trial, policy: Policy, made: Mapping[int, Changes], waiting: Mapping[int, Sequence[Change]]
) -> Iterator[LeftOut]:
    """Each of the ``waiting`` changes left out of what is ``made`` in its component, both by the component's number."""
    part = take_part(trial, list(waiting), policy)
    for turn in range(max(map(len, waiting.values()))):
        now = {number: own[turn] for number, own in waiting.items() if turn < len(own)}
        asked = {
            number: tuple([other for other in made[number] if other is not change]) for number, change in now.items()
        }
        for number, outcome in judge_apart(trial, part, asked).items():
            yield LeftOut(now[number], asked[number], outcome)


class _Shown(NamedTuple):
    """What a state shows of a component."""

    looks: Hashable
    """Its values with their names, and what would end its findings. A name for a new queue depends on others."""
    verdicts: frozenset[tuple[str, tuple[str, ...]]]
    """Rule and subject of what is not clear. Flows share subjects, and the first flow of a state has them."""


def _looks(trial: Trial, state: State, numbers: Sequence[int], policy: Policy) -> dict[int, _Shown]:
    """What a state shows of components."""
    judgement = state.judgement
    heads = {flow_key(head): head for head in judgement.flows}
    place: dict[FlowKey, int] = {key: number for number in numbers for key in trial.components[number].flows}
    findings: dict[int, list[Finding]] = {number: [] for number in numbers}
    verdicts: dict[int, set[tuple[str, tuple[str, ...]]]] = {number: set() for number in numbers}
    for entry in (*judgement.findings, *judgement.undecided):
        number = None if entry.flow is None else place.get(flow_key(judgement.flows[entry.flow]))
        if number is not None:
            verdicts[number].add((entry.rule.id, entry.subject.identity()))
            if isinstance(entry, Finding):
                findings[number].append(entry)
    shown: dict[int, _Shown] = {}
    for number in numbers:
        own = [heads[key] for key in trial.components[number].flows if key in heads]
        shape = find_shape(own, find_choices(findings[number], policy))
        shown[number] = _Shown(
            (shape.key, tuple(shape.numbers), tuple(map(flow_key, own))), frozenset(verdicts[number])
        )
    return shown
