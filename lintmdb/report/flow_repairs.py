"""What repairs the findings of each flow: the changes of the estate's plan, and what no setting repairs. Text, Markdown
and the page draw from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from lintmdb.delivery.fate import Fate
from lintmdb.engine.findings import Finding, Judgement
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.engine.repairs import find_alternatives, find_obstacles
from lintmdb.engine.shown import fill_known
from lintmdb.plan.companions import Reason
from lintmdb.plan.components import Component
from lintmdb.plan.evaluation import Evaluator, flow_key
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.plan.script_order import ScriptOrder
from lintmdb.plan.search import Solution
from lintmdb.plan.things import changed_things, things
from lintmdb.resolve.observations import Observations
from lintmdb.rules.rule import Rule
from lintmdb.run.judging import Judged
from lintmdb.settings.changes import Change, Slot, slots

Changes = tuple[Change, ...]


class Option(NamedTuple):
    """What would end one finding by itself, and is not part of a plan."""

    finding: Finding
    changes: Changes


class FlowRepair(NamedTuple):
    """What repairs the findings of one flow."""

    changes: Changes = ()
    """Of the plan: judged together with all its other changes."""
    options: tuple[Option, ...] = ()
    """For findings that the plan leaves, or where there is none: the alternative that the rule prefers."""
    advised: tuple[Finding, ...] = ()
    """Findings that no setting repairs, or none that the exports name."""
    reasons: tuple[tuple[Change, Reason], ...] = ()
    """Of its changes those that answer nothing that is found, with what they prevent."""

    def answered(self, findings: Iterable[Finding]) -> list[Finding]:
        """Those of the findings that some change ends."""
        return [finding for finding in findings if finding not in self.advised]


@dataclass(frozen=True, slots=True)
class Repairs:
    """What repairs an estate."""

    flows: Mapping[int, FlowRepair] = field(default_factory=dict[int, FlowRepair])
    """Of a plan, by the number of the flow."""
    planned: bool = False
    order: ScriptOrder = field(default_factory=ScriptOrder)
    """In which order the scripts of the plan are run."""

    def of(self, flow: int | None, findings: Sequence[Finding]) -> FlowRepair:
        """What repairs findings of a flow; those about no flow are in no plan."""
        if self.planned and flow is not None:
            return self.flows.get(flow, FlowRepair())
        return _unplanned(findings)

    def planned_changes(self, flow: int | None) -> Changes:
        """The changes of the plan for a flow; none for those that are in no plan."""
        planned = self.flows.get(flow) if flow is not None else None
        return planned.changes if planned is not None else ()


UNPLANNED = Repairs()
"""The alternative that the rule prefers, for each finding by itself."""


MOST_FLOWS = 300
"""Reports of larger estates are drawn without a plan, which takes about nine times as long as judging."""
MOST_JUDGED = 2000
"""How many flows a search may judge again in all its rounds, about five seconds, before a report is drawn without it.
A number and no time, so that the same exports give the same report."""


class _LongSearchError(Exception):
    """A search has judged too many flows."""


def find_repairs(
    judged: Judged,
    observed: Observations,
    rules: Sequence[Rule],
    policy: Policy = Policy(),  # noqa: B008
) -> Repairs:
    """What repairs a judged estate: by a plan where its exports are at hand and its size allows one."""
    judgement = judged.judgement
    if judged.exports is None or len(judgement.flows) > MOST_FLOWS:
        return UNPLANNED
    if not any(finding.flow is not None for finding in judgement.findings):
        return UNPLANNED

    def tick(rounds: int) -> None:
        if rounds * len(judgement.flows) > MOST_JUDGED:
            raise _LongSearchError

    try:
        plan = make_plan(Evaluator(judged.exports(), observed, rules), policy, tick)
    except _LongSearchError:
        return UNPLANNED
    return planned_repairs(plan, judgement)


_BREAK = re.compile(r"(?<![.:;])\n(?=\S)")
"""The end of a line in the middle of a sentence."""


def advice_on(finding: Finding) -> list[str]:
    """What to do that no setting does, in sentences; empty where the changes say it all."""
    advice = fill_known(finding.rule.advice, finding.rows)
    return [*find_obstacles(finding.rule, finding.rows), *(_BREAK.sub(" ", advice).split("\n") if advice else ())]


def planned_repairs(plan: Plan, judgement: Judgement) -> Repairs:
    """The changes of a plan by flow, for the findings of a judgement on the same estate; some of what was planned for
    may be left out of it.
    """
    numbers = {flow_key(head): number for number, head in enumerate(judgement.flows)}
    shown: dict[int, list[Finding]] = {}
    for finding in judgement.findings:
        if finding.flow is not None:
            shown.setdefault(finding.flow, []).append(finding)
    left = {number: [f for f in findings if plan.after.has(f)] for number, findings in shown.items()}
    mended = {number for number, findings in shown.items() if len(left[number]) < len(findings)}
    changes: dict[int, Changes] = {}
    for component, solution in plan.components:
        own = [numbers[key] for key in component.flows]
        changes |= _by_flow(
            component, solution, own, shown, mended, judgement, _fates_that_change(plan, judgement, own)
        )
    repairs: dict[int, FlowRepair] = {}
    for number, rest in left.items():
        made = changes.get(number, ())
        reasons = tuple([(change, plan.reasons[change]) for change in made if change in plan.reasons])
        repairs[number] = _unplanned(rest)._replace(changes=made, reasons=reasons)
    return Repairs(repairs, planned=True, order=plan.order)


def _by_flow(
    component: Component,
    solution: Solution,
    numbers: Sequence[int],
    shown: Mapping[int, Sequence[Finding]],
    mended: Set[int],
    judgement: Judgement,
    changing: Mapping[int, Fate],
) -> dict[int, Changes]:
    """The changes of a component at the flows whose findings they answer. What answers none, and keeps another change
    from doing harm, stands at one flow that has its object: the first with the worst fate among those whose fates the
    plan changes (``changing`` has them), else the first. What answers only findings that are left out stands nowhere.
    Where none answers a finding of a flow that ends all the same (it is ``mended``), those of its objects do.
    """

    def need(number: int) -> tuple[bool, int, int]:
        fate = changing.get(number)
        return (fate is None, fate.group.rank if fate is not None else 0, number)

    wanted = {number: _slots(shown[number]) for number in numbers if number in shown}
    if not solution.changes or not wanted:
        return {}
    known = _slots(component.findings)
    placed = {n: [c for c in solution.changes if not own.isdisjoint(slots(c))] for n, own in wanted.items()}
    for change in solution.changes:
        if known.isdisjoint(slots(change)):
            having = [number for number in wanted if _changes_something(change, judgement.flows[number].rows)]
            placed[min(having or wanted, key=need)].append(change)
    for number in mended & set(wanted):
        rows = judgement.flows[number].rows
        placed[number] = placed[number] or [c for c in solution.changes if _changes_something(c, rows)]
    order = {change: place for place, change in enumerate(solution.changes)}
    return {number: tuple(sorted(found, key=order.__getitem__)) for number, found in placed.items()}


def _fates_that_change(plan: Plan, judgement: Judgement, numbers: Iterable[int]) -> dict[int, Fate]:
    """What becomes of a poison message today on those of the flows where a plan changes it."""
    keys = {number: flow_key(judgement.flows[number]) for number in numbers}
    before, after = plan.fates_before, plan.fates_after
    return {number: before[key] for number, key in keys.items() if before[key] is not after[key]}


def _changes_something(change: Change, rows: FlowRows) -> bool:
    """Whether a change is made to an object of a flow."""
    return not set(things(rows)).isdisjoint(changed_things(change))


def _slots(findings: Iterable[Finding]) -> set[Slot]:
    """All that some alternative of the findings changes."""
    return {
        place
        for finding in findings
        for changes in find_alternatives(finding.rule, finding.rows)
        for change in changes
        for place in slots(change)
    }


def _unplanned(findings: Iterable[Finding]) -> FlowRepair:
    options: list[Option] = []
    advised: list[Finding] = []
    for finding in findings:
        alternatives = find_alternatives(finding.rule, finding.rows)
        if alternatives:
            options.append(Option(finding, alternatives[0]))
        else:
            advised.append(finding)
    return FlowRepair((), tuple(options), tuple(advised))


class ToldChanges(NamedTuple):
    """Changes in the order in which a report shows its flows: what it shows here first, and where the rest is."""

    new: Changes
    repeated: Changes
    """Those that an earlier flow shows."""
    where: tuple[int, ...]
    """The numbers of those flows."""


@dataclass(slots=True)
class Teller:
    """Remembers what a report has shown, so that it shows each change once."""

    _first: dict[Change, int] = field(default_factory=dict[Change, int])

    def tell(self, changes: Iterable[Change], here: int) -> ToldChanges:
        """The changes as the flow of that number shows them."""
        first = {change: self._first[change] for change in changes if change in self._first}
        new = tuple(change for change in dict.fromkeys(changes) if change not in first)
        self._first.update(dict.fromkeys(new, here))
        return ToldChanges(new, tuple(first), tuple(dict.fromkeys(first.values())))

    def knows(self, changes: Iterable[Change]) -> bool:
        """Whether a flow has shown each of the changes."""
        return all(change in self._first for change in changes)
