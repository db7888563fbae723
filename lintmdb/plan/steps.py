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
from lintmdb.engine.findings import Finding
from lintmdb.plan.choices import Changes, FindingKey, Names, finding_key
from lintmdb.plan.evaluation import Evaluator, FlowFate, FlowKey, flow_key, weighed_fate, worst_later
from lintmdb.plan.part import Part, judge_apart, take_part
from lintmdb.plan.planned import Plan
from lintmdb.plan.policy import Policy
from lintmdb.plan.trial import Trial
from lintmdb.settings.changes import Assignment, Change, Definition, Product
from lintmdb.settings.kinds import KINDS
from lintmdb.settings.registry import find_setting

_MOST_STEPS = 4
"""Of a component with more steps than these, single steps are tried, and one order of them, and not all sets."""

_BACKOUT = frozenset({"BOTHRESH", "BOQNAME", "HARDENBO", "NOHARDENBO"})
"""What is changed together, along with new queues: a threshold without a queue to move to helps nobody."""


class Step(NamedTuple):
    """Changes of one kind that one owner makes."""

    owner: str
    """Blank where the policy names none."""
    product: Product
    action: str
    """``backout of queues``, ``rights``, ``Maximum retries (listener ports)``."""


class Gain(NamedTuple):
    """What some changes are good for."""

    flows: int
    """How many flows become safe: a poison message does harm on them now, or nobody knows, and none then."""
    findings: int
    """How many findings of the wanted severity end."""
    worse: int = 0
    """How many flows are worse off than before the plan, until other changes are made as well."""


class Effect(NamedTuple):
    """What the steps of a component are good for."""

    steps: tuple[Step, ...]
    gains: tuple[tuple[frozenset[int], Gain], ...]
    """Of some sets of steps, by their places in ``steps``; the last set is all of them."""

    @property
    def whole(self) -> Gain:
        """What all steps are good for."""
        return self.gains[-1][1]

    def gain(self, done: frozenset[int]) -> Gain:
        """What these steps are good for, as far as sets of them were tried."""
        known = {places: gain for places, gain in self.gains if places <= done}
        flows = max((gain.flows for gain in known.values()), default=0)
        findings = max((gain.findings for gain in known.values()), default=0)
        worse = [known[done]] if done in known else known.values()
        return Gain(flows, findings, max((gain.worse for gain in worse), default=0))


def steps_of(changes: Sequence[Change], policy: Policy) -> list[Step]:
    """The step of each change. Rights on a queue that one of them defines are given together with the queue."""
    defined = {_queue(change) for change in changes if isinstance(change, Definition)}
    return [_step(change, policy, new=_queue(change) in defined) for change in changes]


def _queue(change: Change) -> tuple[str, str]:
    return change.target.place_key, change.target.name


def _step(change: Change, policy: Policy, *, new: bool) -> Step:
    target = change.target
    if new or (isinstance(change, Assignment) and change.attribute in _BACKOUT):
        action = "backout of queues"
    elif isinstance(change, Assignment):
        action = f"{find_setting(change).label or change.attribute} ({_plural(KINDS[target.kind].noun)})"
    else:
        action = "rights"
    return Step(policy.owner(target), target.product, action)


def _plural(noun: str) -> str:
    if noun.endswith("y"):
        return f"{noun.removesuffix('y')}ies"
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def find_effects(plan: Plan, evaluator: Evaluator) -> dict[int, Effect]:
    """What the steps of each component of a plan do, by its number; components without changes have none."""
    groups: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    steps: dict[int, tuple[Step, ...]] = {}
    places: dict[int, tuple[int, ...]] = {}
    for number, (_, solution) in enumerate(plan.components):
        if solution.changes:
            own = steps_of(solution.changes, plan.policy)
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


_Gained = dict[int, dict[frozenset[int], Gain]]
"""What sets of steps of components are good for."""


def _try_sets(plan: Plan, evaluator: Evaluator, places: Mapping[int, Sequence[int]]) -> _Gained:
    """What sets of the steps of some components are good for."""
    gained: _Gained = {number: {} for number in places}
    before = {flow_key(head): weighed_fate(head) for head in plan.before.judgement.flows}
    trial = Trial(evaluator, plan.before, before, [component for component, _ in plan.components])
    several = [number for number, own in places.items() if max(own)]
    part = take_part(trial, several, plan.policy) if several else Part(trial, frozenset())
    counts = {number: max(places[number]) + 1 for number in several}
    _judge_sets(plan, (trial, part), places, {number: _sets(count) for number, count in counts.items()}, gained)
    many = {number: _chain(gained[number]) for number, count in counts.items() if count > _MOST_STEPS}
    _judge_sets(plan, (trial, part), places, many, gained)
    left = plan.left
    after = {key: weighed_fate(head) for key, head in worst_later(plan.before, plan.after).items()}
    for number, own in places.items():
        names = Names(plan.components[number][0].findings)
        keys = {finding_key(finding) for finding in plan.components[number][0].findings}
        stay = [finding for finding in left if names.of(finding) <= keys]
        gained[number][frozenset(own)] = _gain(plan, number, before, after, stay)
    return gained


def _judge_sets(
    plan: Plan,
    judging: tuple[Trial, Part],
    places: Mapping[int, Sequence[int]],
    waiting: Mapping[int, Sequence[frozenset[int]]],
    gained: _Gained,
) -> None:
    """Judge sets of steps, one of each component in each round."""
    trial, part = judging
    for turn in range(max(map(len, waiting.values()), default=0)):
        now = {number: sets[turn] for number, sets in waiting.items() if turn < len(sets)}
        asked = {number: _changes(plan, number, places[number], done) for number, done in now.items()}
        for number, outcome in judge_apart(trial, part, asked).items():
            gained[number][now[number]] = _gain(plan, number, trial.fates, outcome.fates, outcome.findings)


def _sets(steps: int) -> list[frozenset[int]]:
    """The sets of steps to try, all of them together excepted."""
    sizes = range(1, steps) if steps <= _MOST_STEPS else (1,)
    return [frozenset(chosen) for size in sizes for chosen in combinations(range(steps), size)]


def _chain(singles: Mapping[frozenset[int], Gain]) -> list[frozenset[int]]:
    """The sets in which single steps are added, those that are good for most first, all of them together excepted."""
    best = sorted(singles, key=lambda done: (-singles[done].flows, -singles[done].findings, *done))
    return [frozenset[int]().union(*best[:count]) for count in range(2, len(best))]


def _changes(plan: Plan, number: int, places: Iterable[int], done: frozenset[int]) -> Changes:
    solution = plan.components[number][1]
    return tuple([change for change, place in zip(solution.changes, places, strict=True) if place in done])


def _gain(
    plan: Plan,
    number: int,
    before: Mapping[FlowKey, FlowFate],
    fates: Mapping[FlowKey, FlowFate],
    left: Iterable[Finding],
) -> Gain:
    """What it is good for that the flows of a component have these fates, and that these findings are left on them."""
    component = plan.components[number][0]
    safe = sum(is_safe(fates.get(key, before[key]).fate) and not is_safe(before[key].fate) for key in component.flows)
    names = Names(component.findings)
    found, stay = _wanted(plan.policy, component.findings, names), _wanted(plan.policy, left, names)
    worse = sum(fates.get(key, before[key]).harm < before[key].harm for key in component.flows)
    return Gain(safe, max(len(found) - len(stay), 0), worse)


def _wanted(policy: Policy, findings: Iterable[Finding], names: Names) -> set[FindingKey]:
    """The findings that are to be gone, as they were called before any change."""
    return {key for finding in findings if policy.repairs(finding) for key in names.of(finding)}


def is_safe(fate: Fate) -> bool:
    """Whether a poison message does no harm."""
    return fate.meaning is Meaning.GOOD
