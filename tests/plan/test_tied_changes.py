"""Changes without which the others of a plan do harm."""

from __future__ import annotations

from lintmdb.delivery.fate import Fate
from lintmdb.plan.evaluation import flow_fate
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.settings.changes import Assignment
from tests.support.command import Run
from tests.support.project import FIXTURES
from tests.support.scenario import scenario_evaluator


def test_who_makes_only_some_changes_is_told() -> None:
    """A specification that does not stop any more delivers for ever what no threshold moves aside."""
    plan = make_plan(scenario_evaluator("all-families"), Policy())
    tied = {(c.target.name, c.attribute): fate for c, fate in plan.tied.items() if isinstance(c, Assignment)}
    assert tied["STOCK.IN", "BOTHRESH"] is Fate.LOOPS
    assert tied["MessageListenerService", "NON.ASF.RECEIVE.TIMEOUT"] is Fate.LOOPS
    assert plan.tied.keys() < set(plan.changes)
    for change, fate in plan.tied.items():
        others = tuple(other for other in plan.changes if other is not change)
        state = scenario_evaluator("all-families").judge(others)
        assert fate in map(flow_fate, state.judgement.flows)


def test_a_plan_names_them(lintmdb: Run) -> None:
    """Beside the rules that the change answers."""
    text = lintmdb("plan", FIXTURES / "all-families").stdout
    assert "STOCK.IN  BOTHRESH 0 -> 3  MDB104 MDB301, without it loops for ever" in text
    markdown = lintmdb("plan", FIXTURES / "all-families", "--format", "markdown").stdout
    assert "without it loops for ever" in markdown
