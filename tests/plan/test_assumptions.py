"""What only the owners can choose is an alternative in a plan, and no change of it, while anything else will do."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from lintmdb.plan.choices import find_choices
from lintmdb.plan.dive import Dive
from lintmdb.plan.policy import ASSUMED, Policy, price
from lintmdb.settings.changes import Assignment, Target
from tests.support.command import Run
from tests.support.scenario import scenario_evaluator
from tests.support.scenario_folders import scenario_folder

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


def test_a_dive_counts_what_ends_several_findings_once() -> None:
    """As the search does: else the same changes would cost more, and others be preferred to them."""
    before = scenario_evaluator("estate").judge(()).judgement
    first, second = find_choices(before.findings, Policy())[:2]
    dive = Dive()
    dive.start([each._replace(alternatives=[(ASSUMED + 1, (_THRESHOLD,))]) for each in (first, second)], 5)
    assert dive.changes == (_THRESHOLD,)
    assert dive.preference == ASSUMED + 1


def test_what_only_owners_can_choose_is_in_no_plan(lintmdb: Run, tmp_path: Path) -> None:
    """Order kept at the price of a blocked queue, or no order: the report offers both, each with its condition."""
    was = tmp_path / "was"
    shutil.copytree(scenario_folder("bus-exception-named") / "was", was)
    (bus,) = was.rglob("sib-destinations.xml")
    bus.write_text(re.sub(r' exceptionDestination="[^"]+"', ' exceptionDestination="MISSING.ERR"', bus.read_text()))
    told = lintmdb("check", was).stdout
    words = " ".join(told.split())
    assert "change C1 bus destination ORDERS.IN of bus OrdersBus Exception destination MISSING.ERR -> $DEFAULT" in words
    keeps = "option if messages must be processed in order, and somebody gets an alert when one blocks the others: "
    assert f"{keeps}C1 bus destination ORDERS.IN of bus OrdersBus Exception destination MISSING.ERR -> (none)" in words
    assert "or if the order of messages does not matter: C1 bus destination ORDERS.IN" in words
    plan = lintmdb("plan", was).stdout
    made, _, left = plan.partition("What stays")
    assert "MDB504" in made
    assert "MDB505" not in made
    assert "MDB505" in left
    assert "Maintain strict message order true -> false" not in made


def test_a_longer_message_on_its_way_to_another_queue_manager_is_a_choice(lintmdb: Run) -> None:
    """A message that the transmission queue takes and its channel does not stops the channel for everybody."""
    plan = " ".join(lintmdb("plan", scenario_folder("backout-remote-too-long")).stdout.split())
    made, _, left = plan.partition("What stays")
    assert "QM2.XQ" not in made
    choice = "option if the channel and the queue at the other end take messages of that length, too:"
    assert f"{choice} QM1 QM2.XQ MAXMSGL 4194304 -> 4198304" in left


def test_a_queue_manager_that_takes_no_longer_messages_is_changed_first(lintmdb: Run, tmp_path: Path) -> None:
    """A channel takes no more than its queue manager, while a queue may, and plan and diff agree on that."""
    estate = tmp_path / "estate"
    shutil.copytree(scenario_folder("backout-remote-too-long"), estate)
    dump = estate / "mq" / "QM1.mqsc"
    dump.write_text(dump.read_text().replace("MAXMSGL(104857600) +", "MAXMSGL(4194304) +"))
    plan = " ".join(lintmdb("plan", estate).stdout.split())
    _, _, left = plan.partition("What stays")
    assert (
        "option if MAXMSGL of the queue manager is first raised to the same value, and the channel and the queue"
        in left
    )
    assert "too: QM1 QM2.XQ MAXMSGL 4194304 -> 4198304" in left
    change = tmp_path / "QM1.mqsc"
    change.write_text("ALTER QLOCAL('QM2.XQ') MAXMSGL(4198304)\n")
    diff = lintmdb("diff", estate, "--change", change, "--queue-manager", f"QM1={change}").stdout
    assert "resolved: MDB108" in diff
