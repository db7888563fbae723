"""The order of a plan's scripts: no script leaves a flow worse off than it was, wherever such an order exists."""

from __future__ import annotations

import json
import re
import shutil
from itertools import permutations
from pathlib import Path

import pytest

import lintmdb as lintmdb_api
from lintmdb.plan.evaluation import Evaluator, FlowFate, State, flow_key, weighed_fate, worst_later
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.plan.script_order import Place, Setback, find_worse, merge_orders, needed_pairs, place_of
from lintmdb.plan.scripts import plan_scripts
from lintmdb.report.html.plan_page import render_plan_html
from lintmdb.report.plan_markdown import render_plan_markdown
from lintmdb.resolve.observations import Observations, read_observations
from lintmdb.run.estate import read_exports
from tests.laws.laws import OBSERVED, seeds
from tests.support.command import Run
from tests.support.html_page import Page
from tests.support.random_estates.estates import build_estate
from tests.support.scenario import RULES, scenario_evaluator
from tests.support.scenario_folders import scenario_folder, scenario_names
from tests.support.variant import Variant

_MQ: Place = ("mq", "QM1")
_CELL: Place = ("was", "PRODCELL")
_RETURNS = "was/cells/PRODCELL/nodes/node2/resources.xml"
_STOPS = "was_stopEndpointIfDeliveryFails=&quot;{}&quot;,was_failureDeliveryCount=&quot;{}&quot;"


def _edit_queue(variant: Variant, queue: str, old: str, new: str) -> None:
    """Replace a text of the definition of a queue."""
    file = variant.folder / "mq/QM1.mqsc"
    before, head, after = file.read_text().partition(f"DEFINE QLOCAL('{queue}')")
    assert old in after
    file.write_text(before + head + after.replace(old, new, 1))


def _needs_the_queue_first(folder: Path) -> Variant:
    """The endpoint stops after three failures and nothing is ever moved: it would loop if it did not stop."""
    variant = Variant(folder, "estate").edit(_RETURNS, _STOPS.format("false", "6"), _STOPS.format("true", "3"))
    _edit_queue(variant, "RETURNS.IN", "BOTHRESH(3)", "BOTHRESH(0)")
    return variant


def _needs_the_cell_first(variant: Variant) -> Variant:
    """Poison is moved at its first failure; with BOTHRESH(3) the endpoint, which bears three failures, would stop."""
    _edit_queue(variant, "ORDERS.IN", "BOTHRESH(5)", "BOTHRESH(1)")
    return variant


def _plan(variant: Variant) -> Plan:
    observed = read_observations(None, "15s")
    return make_plan(Evaluator(read_exports([variant.folder]), observed, RULES), Policy(severity="info"))


def test_the_queue_manager_comes_before_the_endpoint_that_relies_on_it(tmp_path: Path) -> None:
    """With the cell's script alone the message would loop; with that of the queue manager nothing is worse."""
    plan = _plan(_needs_the_queue_first(tmp_path))
    assert plan.order.places == (_MQ, _CELL)
    assert dict(plan.order.after) == {_CELL: (_MQ,)}
    assert plan.order.setbacks == ()
    scripts = {script.path: script.text for script in plan_scripts(plan.changes, plan.order)}
    assert "* Step 1 of 2. Run it before was/PRODCELL.py.\n" in scripts["mq/QM1.mqsc"]
    assert "# Step 2 of 2. Run it after mq/QM1.mqsc.\n" in scripts["was/PRODCELL.py"]
    assert "# Step 1 of 2 of undoing. Run it before undo/mq/QM1.mqsc.\n" in scripts["undo/was/PRODCELL.py"]
    assert "* Step 2 of 2 of undoing. Run it after undo/was/PRODCELL.py.\n" in scripts["undo/mq/QM1.mqsc"]


def test_the_cell_comes_first_where_the_queue_manager_would_do_harm(tmp_path: Path) -> None:
    """What comes first is judged, and no rule of thumb."""
    plan = _plan(_needs_the_cell_first(Variant(tmp_path, "estate")))
    assert plan.order.places == (_CELL, _MQ)
    assert plan.order.setbacks == ()


def test_where_every_order_does_harm_the_flow_and_its_fate_are_named(lintmdb: Run, tmp_path: Path) -> None:
    """In the text, on both pages, in the script and in plan.json."""
    variant = _needs_the_cell_first(_needs_the_queue_first(tmp_path))
    plan = _plan(variant)
    assert plan.order.exhaustive
    (setback,) = plan.order.setbacks
    assert setback.place == plan.order.places[0]
    out = tmp_path / "plan"
    text = lintmdb("plan", variant.folder, "--on-message", "15s", "--severity", "info", "--out", out).stdout
    html = Page(render_plan_html(plan)).root.text
    for page in (text, html, re.sub(r"\\", "", render_plan_markdown(plan))):
        assert "No order of the steps spares every flow a worse fate in between." in page
        assert f"{setback.before.headline} -> {setback.after.headline}" in " ".join(page.split())
    steps = json.loads((out / "plan.json").read_text())["steps"]
    assert [len(step["worse"]) for step in steps] == [1, 0]
    (worse,) = steps[0]["worse"]
    assert worse["endpoint"] == setback.flow[1]
    assert (worse["before"], worse["after"]) == (setback.before.value, setback.after.value)
    assert "makes the fate of some flows worse" in " ".join((out / steps[0]["script"]).read_text().split("\n* "))


def _without_passall(folder: Path) -> Variant:
    """The endpoint stops at once, its user may move messages to the dead-letter queue alone, and with its header the
    longest message does not fit there.
    """
    rights = "AUTHADD(BROWSE,GET,INQ,PUT)\nSET AUTHREC PROFILE('QM1.DEAD') PRINCIPAL('wasuser') OBJTYPE(QUEUE) +\n"
    dead_letter = "AUTHADD(PUT,PASSALL)\nALTER QLOCAL('QM1.DEAD') MAXMSGL(4194304)"
    return (
        Variant(folder, "clean")
        .edit("mq/QM1.mqsc", "AUTHADD(BROWSE,GET,INQ,PUT,PASSALL,SETALL)", rights + dead_letter)
        .edit(
            "was/cells/C1/nodes/node1/servers/server1/resources.xml",
            _STOPS.format("false", "0"),
            _STOPS.format("true", "0"),
        )
    )


def test_a_script_that_discards_only_the_longest_messages_is_not_the_first(lintmdb: Run, tmp_path: Path) -> None:
    """With the cell's script alone other messages are moved to the dead-letter queue, which is too short for these."""
    variant = _without_passall(tmp_path)
    plan = _plan(variant)
    assert dict(plan.order.after) == {("was", "C1"): (_MQ,)}
    assert plan.order.setbacks == ()
    assert plan.worse_if_longest == {}
    text = lintmdb("plan", variant.folder, "--on-message", "15s", "--out", tmp_path / "plan").stdout
    assert "Step 2 of 2: cell C1" in text


def test_a_plan_names_the_flows_on_which_the_longest_message_fares_worse(lintmdb: Run, tmp_path: Path) -> None:
    """Where the rights are not to be granted, messages go to the dead-letter queue, but not the longest ones."""
    folder = _without_passall(tmp_path).folder
    text = " ".join(lintmdb("plan", folder, "--on-message", "15s", "--only", "was").stdout.split())
    assert "the endpoint stops -> moved to the dead-letter queue" in text
    assert "warning MDB115 queue ORDERS.IN at QM1" in text
    assert "worse then: the longest message of ORDERS.IN at QM1" in text
    assert "OrderBean (Orders/orders.jar): the endpoint stops -> discarded" in text


def test_every_form_of_a_plan_numbers_its_steps(lintmdb: Run, tmp_path: Path) -> None:
    """In the order of the scripts, which are all there."""
    variant = _needs_the_queue_first(tmp_path)
    out = tmp_path / "plan"
    text = lintmdb("plan", variant.folder, "--on-message", "15s", "--out", out).stdout
    for page in (text, (out / "plan.md").read_text(), (out / "plan.html").read_text()):
        first, second = page.index("Step 1 of 2: queue manager QM1"), page.index("Step 2 of 2: cell PRODCELL")
        assert first < second
        assert "Judged after each step, too: none makes the fate of a poison message worse." in page
    first, second = json.loads((out / "plan.json").read_text())["steps"]
    assert (first["script"], first["after"], second["script"], second["after"]) == (
        "mq/QM1.mqsc",
        [],
        "was/PRODCELL.py",
        [0],
    )
    for step in (first, second):
        assert all((out / step[key]).is_file() for key in ("script", "check", "undo") if key in step)


def test_the_page_of_check_has_the_scripts_in_order(lintmdb: Run, tmp_path: Path) -> None:
    """Its scripts make the changes of the same plan."""
    variant = _needs_the_queue_first(tmp_path)
    page = lintmdb("check", variant.folder, "--on-message", "15s", "--format", "html").stdout
    assert page.index("Step 1 of 2: queue manager QM1") < page.index("Step 2 of 2: cell PRODCELL")


def test_scripts_that_have_nothing_to_do_with_each_other_may_run_in_any_order(tmp_path: Path) -> None:
    """The plan of a fleet tells the scripts apart that others depend on, and numbers none."""
    plan = _plan(_needs_the_queue_first(tmp_path))
    merged = merge_orders([plan.order])
    heads = {script.path: script.steps for script in plan_scripts(plan.changes, merged)}
    assert heads["was/PRODCELL.py"] == "Run it after mq/QM1.mqsc."
    alone = plan.order.only({_CELL})
    assert {script.steps for script in plan_scripts(plan.changes, alone)} == {""}


def test_a_script_waits_only_for_one_whose_place_makes_a_difference() -> None:
    """Changes of one component are not all for the same flow: an urgent script need not wait for another team."""
    order: tuple[Place, Place, Place] = (("mq", "QM1"), ("mq", "QM2"), ("was", "CELL"))
    one, two, three = order
    tied = [*permutations(order, 2)]
    assert needed_pairs(order, tied, lambda _: 0) == set()
    assert needed_pairs(order, tied, lambda each: each.index(three) < each.index(one)) == {(one, three)}
    assert needed_pairs(order, [(one, two)], lambda each: each.index(three) < each.index(one)) == set()
    # Where only the given order and its reverse do no harm, no pair says so by itself.
    ends = (order, order[::-1])
    assert needed_pairs(order, tied, lambda each: tuple(each) not in ends) == {(one, two), (one, three), (two, three)}


def test_verify_warns_where_a_plan_carried_out_by_half_does_harm(lintmdb: Run, tmp_path: Path) -> None:
    """With the cell's changes alone the message loops that stopped the endpoint before."""
    variant = _needs_the_queue_first(tmp_path)
    asked = (variant.folder, "--on-message", "15s")
    assert lintmdb("plan", *asked, "--out", tmp_path / "plan").returncode == 0
    untouched = lintmdb("plan", "verify", tmp_path / "plan", *asked)
    assert "Worse now" not in untouched.stdout
    scripts = lintmdb("plan", "verify", tmp_path / "plan", *asked, tmp_path / "plan/mq")
    assert (scripts.returncode, scripts.stdout) == (untouched.returncode, untouched.stdout)
    assert "plan/mq was not read: it holds scripts that lintmdb plan has written: name each file" in scripts.stderr
    variant.edit(_RETURNS, _STOPS.format("true", "3"), _STOPS.format("false", "3"))
    half = lintmdb("plan", "verify", tmp_path / "plan", *asked)
    assert half.returncode == 1
    assert "Worse now than before the plan, on 1 flow:\n  RETURNS.IN at QM1 -> ReturnsAS" in half.stdout
    assert "the endpoint stops -> loops for ever\nStill to run, in this order: mq/QM1.mqsc" in half.stdout


def test_the_python_api_tells_what_is_worse_by_half_of_a_plan(tmp_path: Path) -> None:
    """As the command does, by paths and by an estate."""
    variant = _needs_the_queue_first(tmp_path)
    plan = lintmdb_api.plan(variant.folder, on_message="15s")
    assert plan.verify(variant.folder).worse == ()
    variant.edit(_RETURNS, _STOPS.format("true", "3"), _STOPS.format("false", "3"))
    for newer in (variant.folder, lintmdb_api.Estate(variant.folder)):
        (worse,) = plan.verify(newer).worse
        assert (worse.subject.name, worse.before, worse.now) == ("ReturnsAS", "endpoint_stopped", "loops_forever")


_RANDOM = [pytest.param(seed, marks=pytest.mark.slow) for seed in seeds(12)]


@pytest.mark.parametrize("name", [*scenario_names(), *_RANDOM])
def test_the_states_between_are_those_that_the_order_promises(name: str | int, tmp_path: Path) -> None:
    """Judged after each script by the whole estate, exactly the setbacks show that the plan names, and of up to three
    scripts no order has fewer.
    """
    if isinstance(name, str):
        judging = scenario_evaluator(name)
    else:
        build_estate(name).write(tmp_path)
        judging = Evaluator(read_exports([tmp_path]), OBSERVED if name % 2 else Observations(), RULES)
    plan = make_plan(judging, Policy(most_states=30))
    places = plan.order.places
    assert set(places) == {place_of(change) for change in plan.changes}
    assert set(_setbacks(judging, plan, places)) == set(plan.order.setbacks)
    if len(places) <= 3:
        assert len(plan.order.setbacks) == min(len(_setbacks(judging, plan, order)) for order in permutations(places))


def _setbacks(judging: Evaluator, plan: Plan, order: tuple[Place, ...]) -> list[Setback]:
    former, found = _fates(plan, plan.before), list[Setback]()
    after = _fates(plan, plan.after)
    for count, place in enumerate(order, start=1):
        made = [change for change in plan.changes if place_of(change) in order[:count]]
        later = _fates(plan, judging.judge(made))
        found += [
            Setback(place, key, *worse)
            for key in former
            if (worse := find_worse(former[key], later[key], after[key])) is not None
        ]
        former = later
    return found


def _fates(plan: Plan, state: State) -> dict[tuple[str, ...], FlowFate]:
    heads = worst_later(plan.before, state)
    return {flow_key(head): weighed_fate(heads[flow_key(head)]) for head in plan.before.judgement.flows}


def test_an_endpoint_that_starts_to_receive_fares_no_worse(lintmdb: Run, tmp_path: Path) -> None:
    """It receives nothing without its rights, and stops at poison with them: the plan grants them first, alone, too,
    and verify calls that state no worse.
    """
    exports = scenario_folder("stop-3-sessions-5-bothresh-5")
    observations = tmp_path / "observations.yaml"
    observations.write_text("endpoints:\n  - endpoint: OrdersAS\n    user: nouser\n    groups: []\n")
    observed = ("--observations", observations, "--on-message", "15s")
    planned = lintmdb("plan", exports, *observed, "--out", tmp_path / "plan").stdout
    assert "\nqueue manager QM1 (mq/QM1.mqsc)\n" in planned
    assert "Run the scripts in any order" in planned
    script = (tmp_path / "plan" / "mq" / "QM1.mqsc").read_text()
    assert "Step 1" not in planned + script  # a number would say that it has to be the first
    assert "none of them makes the fate of a poison message worse" in planned
    alone = lintmdb("plan", exports, *observed, "--only", "mq", "--select", "MDB127").stdout
    assert "queue manager  nouser gets connect, inq  MDB127" in alone
    assert "delivery is blocked -> the endpoint stops" in alone
    after = tmp_path / "after"
    shutil.copytree(exports, after)
    dump = after / "mq/QM1.mqsc"
    commands, end, rest = dump.read_text("utf-8").rpartition("*" * 79 + "\n* Script ended")
    dump.write_text(commands + (tmp_path / "plan/mq/QM1.mqsc").read_text("utf-8") + end + rest, "utf-8")
    verified = lintmdb("plan", "verify", tmp_path / "plan", after, *observed).stdout
    assert "4 changes: 3 done, 1 open" in verified
    assert "Worse now" not in verified


def test_verify_tells_the_places_in_the_order_of_the_steps(lintmdb: Run, tmp_path: Path) -> None:
    """The cell comes first where its script is run first."""
    exports = _needs_the_cell_first(Variant(tmp_path / "exports", "estate")).folder
    lintmdb("plan", exports, "--on-message", "15s", "--severity", "info", "--out", tmp_path / "plan")
    told = lintmdb("plan", "verify", tmp_path / "plan", exports, "--on-message", "15s").stdout
    assert re.findall(r"^(?:queue manager|cell) \w+", told, re.MULTILINE) == ["cell PRODCELL", "queue manager QM1"]
