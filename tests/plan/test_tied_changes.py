"""Changes without which the others of a plan do harm."""

from __future__ import annotations

from lintmdb.delivery.fate import Fate
from lintmdb.plan.evaluation import flow_key, weighed_fate
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy, parse_keep
from lintmdb.settings.changes import Assignment
from tests.support.command import Run
from tests.support.project import FIXTURES
from tests.support.scenario import scenario_evaluator


def test_who_makes_only_some_changes_is_told() -> None:
    """A specification that does not stop any more delivers for ever what no threshold moves aside."""
    plan = make_plan(scenario_evaluator("all-families"), Policy())
    tied = {(c.target.name, c.attribute): each.fate for c, each in plan.tied.items() if isinstance(c, Assignment)}
    assert tied["STOCK.IN", "BOTHRESH"] is Fate.LOOPS
    assert tied["MessageListenerService", "NON.ASF.RECEIVE.TIMEOUT"] is Fate.LOOPS
    assert plan.tied.keys() < set(plan.changes)
    _hold(plan)


def test_what_loops_with_all_changes_is_no_matter_of_one() -> None:
    """If the receive timeout is kept, a message loops whatever else is left out."""
    kept = parse_keep("message listener service of node2/claims")
    plan = make_plan(scenario_evaluator("all-families"), Policy(keep=(kept,)))
    tied = {(c.target.name, c.attribute): each.fate for c, each in plan.tied.items() if isinstance(c, Assignment)}
    assert tied["STOCK.IN", "BOTHRESH"] is Fate.LOOPS
    _hold(plan)


def _hold(plan: Plan) -> None:
    """Without each of the changes some message fares as the plan says, and neither so with all of them nor before."""
    states = (plan.before, plan.after)
    fates = [{flow_key(head): weighed_fate(head) for head in state.judgement.flows} for state in states]
    for change, tied in plan.tied.items():
        others = tuple(other for other in plan.changes if other is not change)
        state = scenario_evaluator("all-families").judge(others)
        without = {flow_key(head): weighed_fate(head) for head in state.judgement.flows}
        assert any(
            now.fate is tied.fate
            and all(now != known[key] for known in fates)
            and tied.worse is (now.harm < fates[0][key].harm)
            for key, now in without.items()
        )


def test_a_plan_names_them(lintmdb: Run) -> None:
    """Beside the rules that the change answers."""
    text = lintmdb("plan", FIXTURES / "all-families").stdout
    assert "STOCK.IN  BOTHRESH 0 -> 3  MDB104 MDB301, without it: loops for ever (worse than now)" in text
    markdown = lintmdb("plan", FIXTURES / "all-families", "--format", "markdown").stdout
    assert "without it: loops for ever" in markdown
