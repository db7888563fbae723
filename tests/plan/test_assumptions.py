"""What only the owners can choose is an alternative in a plan, and no change of it, while anything else will do."""

from __future__ import annotations

from lintmdb.plan.choices import find_choices
from lintmdb.plan.dive import Dive
from lintmdb.plan.policy import ASSUMED, Policy, price
from lintmdb.settings.changes import Assignment, Target
from tests.support.scenario import scenario_evaluator

_IN = Target("mq", "QM1", "QLOCAL", "ORDERS.IN")
_THRESHOLD = Assignment(_IN, "queue.backout_threshold", "BOTHRESH", "3", "0")


def _named(queue: str) -> Assignment:
    return Assignment(_IN, "queue.backout_queue", "BOQNAME", queue, "ORDERS.BACKUOT")


def test_an_assumption_costs_more_than_any_change() -> None:
    """One change that rests on it is dearer than two that do not."""
    two = (_named("ORDERS.BACKOUT"), _THRESHOLD)
    assert price(two, 0, Policy()) < price(two[:1], ASSUMED + 1, Policy())


def test_a_dive_gives_up_what_leaves_an_assumption_last() -> None:
    """Of two findings on a flow that is worse off, it first tries the other way of the one that has another."""
    before = scenario_evaluator("estate").judge(()).judgement
    first, second = find_choices(before.findings, Policy())[:2]
    certain = first._replace(alternatives=[(0, (_named("NEW.BACKOUT"),)), (ASSUMED + 1, (_named("ORDERS.BACKOUT"),))])
    other = second._replace(alternatives=[(0, (_THRESHOLD,)), (1, (_THRESHOLD._replace(new="5"),))])
    harmed = [head.rows for head in before.flows if head.rows.queue is not None and head.rows.queue.name == _IN.name]
    dive = Dive()
    dive.start([certain, other], 5)
    assert dive.changes == (_named("NEW.BACKOUT"), _THRESHOLD)
    dive.go_on([], harmed)
    assert set(dive.changes or ()) == {_named("NEW.BACKOUT"), _THRESHOLD._replace(new="5")}
    dive.go_on([], harmed)
    assert set(dive.changes or ()) == {_named("NEW.BACKOUT")}
    dive.go_on([], harmed)
    assert dive.changes == (_named("ORDERS.BACKOUT"),)
