"""A plan makes no change that its findings do not need, and a search knows what may end a finding."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lintmdb.plan.choices import find_choices
from lintmdb.plan.evaluation import Evaluator, State, flow_key, weighed_fate, worse
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.settings.changes import Grant
from tests.laws.laws import OBSERVED, read_exports_of, seeds
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow


def _evaluator(seed: int) -> Evaluator:
    return Evaluator(read_exports_of((seed,)), OBSERVED, RULES, all_queues=True)


def _needless(evaluator: Evaluator, plan: Plan) -> Iterator[str]:
    """The changes without which as little is left, and nothing is worse. Rights have a law of their own."""
    fates = {flow_key(head): weighed_fate(head) for head in plan.before.judgement.flows}

    def left(state: State) -> int:
        return sum(plan.policy.wants_gone(finding.rule.severity) for finding in state.judgement.findings)

    for change in plan.changes:
        if isinstance(change, Grant):
            continue
        without = evaluator.judge(tuple([other for other in plan.changes if other is not change]))
        if left(without) <= left(plan.after) and worse(plan.before, without, fates, set(fates)).nothing:
            yield f"{change.target.kind} {change.target.name} at {change.target.place}"


def test_no_change_of_a_plan_can_be_left_out() -> None:
    """Without any single one, more is left to repair or something is worse, however early the search ended."""
    changes, needless = 0, list[str]()
    for seed in seeds(10):
        evaluator = _evaluator(seed)
        plan = make_plan(evaluator, Policy(most_states=20))
        changes += len(plan.changes)
        needless += _needless(evaluator, plan)
    assert changes > 50
    assert needless == []


def test_what_a_rule_offers_may_end_its_finding() -> None:
    """The search takes only what touches an object of the finding's flow, and each alternative does."""
    offered, unknown = 0, list[str]()
    for seed in seeds(10):
        before = _evaluator(seed).judge(())
        for choice in find_choices(before.judgement.findings, Policy(severity="info")):
            offered += len(choice.alternatives)
            unknown += [choice.finding.rule.id for _, changes in choice.alternatives if not choice.may_end_by(changes)]
    assert offered > 100
    assert unknown == []
