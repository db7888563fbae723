"""Steps: the changes of a plan by who makes them and what they change, and what making only some of them does for the
flows of a component.

A step is what one owner can do in one go: the backout of queues, at all queue managers of one owner. What a set of
steps does is found out by judging the exports with these changes alone, once for all components that are equal but for
names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from lintmdb.delivery.fate import Fate, Meaning
from lintmdb.plan.choices import Changes
from lintmdb.plan.evaluation import Evaluator, FlowKey, flow_fate, flow_key
from lintmdb.plan.part import take_part
from lintmdb.plan.planner import Plan
from lintmdb.plan.policy import Policy
from lintmdb.plan.trial import Trial
from lintmdb.settings.changes import Assignment, Change, Definition, Product
from lintmdb.settings.kinds import KINDS
from lintmdb.settings.registry import find_setting

_MOST_STEPS = 4
"""Of a component with more steps than these, single steps are tried, and not all sets of them."""

_BACKOUT = frozenset({"BOTHRESH", "BOQNAME", "HARDENBO", "NOHARDENBO"})
"""What is changed together, along with new queues: a threshold without a queue to move to helps nobody."""


class Step(NamedTuple):
    """Changes of one kind that one owner makes."""

    owner: str
    """Blank where the policy names none."""
    product: Product
    action: str
    """``backout of queues``, ``rights``, ``listener port Maximum retries``."""


class Effect(NamedTuple):
    """What the steps of a component do for its flows."""

    steps: tuple[Step, ...]
    safe: tuple[tuple[frozenset[int], int], ...]
    """How many flows become safe by some sets of steps, by their places in ``steps``; the last set is all of them."""

    def flows(self, done: frozenset[int]) -> int:
        """How many flows are safe once these steps are done, as far as sets of them were tried."""
        return max((count for places, count in self.safe if places <= done), default=0)


def step_of(change: Change, policy: Policy) -> Step:
    """The step that a change is part of."""
    target = change.target
    if isinstance(change, Definition) or (isinstance(change, Assignment) and change.attribute in _BACKOUT):
        action = "backout of queues"
    elif isinstance(change, Assignment):
        action = f"{KINDS[target.kind].noun} {find_setting(change).label or change.attribute}"
    else:
        action = "rights"
    return Step(policy.owner(target), target.product, action)


def find_effects(plan: Plan, evaluator: Evaluator) -> dict[int, Effect]:
    """What the steps of each component of a plan do, by its number; components without changes have none."""
    groups: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    steps: dict[int, tuple[Step, ...]] = {}
    places: dict[int, tuple[int, ...]] = {}
    for number, (_, solution) in enumerate(plan.components):
        if solution.changes:
            own = [step_of(change, plan.policy) for change in solution.changes]
            steps[number] = tuple(dict.fromkeys(own))
            places[number] = tuple([steps[number].index(step) for step in own])
            like = number if solution.like is None else solution.like
            groups.setdefault((like, places[number]), []).append(number)
    tried = _try_sets(plan, evaluator, {numbers[0]: places[numbers[0]] for numbers in groups.values()})
    return {
        number: Effect(steps[number], tuple(tried[numbers[0]].items()))
        for numbers in groups.values()
        for number in numbers
    }


def _try_sets(
    plan: Plan, evaluator: Evaluator, places: Mapping[int, Sequence[int]]
) -> dict[int, dict[frozenset[int], int]]:
    """How many flows of some components become safe, by sets of their steps. Each round judges one set of each."""
    found: dict[int, dict[frozenset[int], int]] = {number: {} for number in places}
    waiting = {number: _sets(max(own) + 1) for number, own in places.items()}
    components = [component for component, _ in plan.components]
    trial = Trial(evaluator, plan.before, plan.fates_before, components)
    chosen = [number for number, sets in waiting.items() if sets]
    part = take_part(trial, chosen, plan.policy) if chosen else None
    for turn in range(max(map(len, waiting.values()), default=0)):
        now = {number: sets[turn] for number, sets in waiting.items() if turn < len(sets)}
        asked = {number: _changes(plan, number, places[number], done) for number, done in now.items()}
        for judge, within in ((part.trial if part else trial, True), (trial, False)):
            own = {n: changes for n, changes in asked.items() if (part is not None and n in part.numbers) == within}
            fates = _fates(judge, own) if own else {}
            for number in own:
                found[number][now[number]] = _count_safe(plan, number, fates)
    for number, own in places.items():
        found[number][frozenset(own)] = _count_safe(plan, number, plan.fates_after)
    return found


def _sets(steps: int) -> list[frozenset[int]]:
    """The sets of steps to try, all of them together excepted."""
    sizes = range(1, steps) if steps <= _MOST_STEPS else (1,)
    return [frozenset(chosen) for size in sizes for chosen in combinations(range(steps), size)]


def _changes(plan: Plan, number: int, places: Iterable[int], done: frozenset[int]) -> Changes:
    solution = plan.components[number][1]
    return tuple([change for change, place in zip(solution.changes, places, strict=True) if place in done])


def _fates(trial: Trial, asked: Mapping[int, Changes]) -> dict[FlowKey, Fate]:
    after, _ = trial.judge(asked)
    wanted = {key for number in asked for key in trial.components[number].flows}
    return {key: flow_fate(head) for head in after.judgement.flows if (key := flow_key(head)) in wanted}


def _count_safe(plan: Plan, number: int, fates: Mapping[FlowKey, Fate]) -> int:
    """How many flows of a component are safe with these fates and were not before."""
    return sum(
        is_safe(fates.get(key, plan.fates_before[key])) and not is_safe(plan.fates_before[key])
        for key in plan.components[number][0].flows
    )


def is_safe(fate: Fate) -> bool:
    """Whether a poison message does no harm."""
    return fate.meaning is Meaning.GOOD
