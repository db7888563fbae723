"""What repairs each flow: nothing of a plan is lost, nothing is shown twice, and what stays is said."""

from __future__ import annotations

import re
import shutil
from itertools import chain
from pathlib import Path

import pytest

from lintmdb.engine.findings import Judgement
from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy, parse_keep
from lintmdb.report.flow_repairs import UNPLANNED, Teller, find_repairs, planned_repairs
from lintmdb.run.estate import Estate
from lintmdb.run.judging import Judged
from lintmdb.settings.changes import Change
from tests.support.command import Run
from tests.support.dumps import WHOLE
from tests.support.scenario import scenario_evaluator
from tests.support.scenario_folders import scenario_folder
from tests.support.variant import Variant

SCENARIOS = ("all-families", "backout-inert", "stop-3-sessions-5-bothresh-5", "late-message-backed-out")


@pytest.fixture(scope="module", params=SCENARIOS)
def judging(request: pytest.FixtureRequest) -> Evaluator:
    """Judges a scenario."""
    return scenario_evaluator(request.param)


@pytest.fixture(scope="module")
def plan(judging: Evaluator) -> Plan:
    """Its plan."""
    return make_plan(judging, Policy(most_states=60))


def _shown(plan: Plan, judgement: Judgement) -> list[Change]:
    flows = planned_repairs(plan, judgement).flows
    return list(chain.from_iterable(repair.changes for repair in flows.values()))


def test_every_change_of_a_plan_stands_at_a_flow(plan: Plan) -> None:
    """The flows with findings show all changes of the plan, and no others."""
    assert plan.changes
    assert set(_shown(plan, plan.before.judgement)) == set(plan.changes)


def test_each_finding_has_an_answer(plan: Plan) -> None:
    """A finding that the plan leaves has an option or advice; the others are gone once the changes are made."""
    after = {(finding.rule.id, finding.subject.identity()) for finding in plan.after.judgement.findings}
    for number, repair in planned_repairs(plan, plan.before.judgement).flows.items():
        left = [option.finding for option in repair.options] + list(repair.advised)
        expected = [
            finding
            for finding in plan.before.judgement.findings
            if finding.flow == number and (finding.rule.id, finding.subject.identity()) in after
        ]
        assert sorted(finding.fingerprint for finding in left) == sorted(finding.fingerprint for finding in expected)
        assert repair.changes or left


def test_what_is_left_out_has_no_changes(plan: Plan) -> None:
    """Changes that answer only suppressed findings stand nowhere."""
    assert _shown(plan, Judgement(flows=plan.before.judgement.flows)) == []


def test_a_policy_leaves_options() -> None:
    """Where a plan may not touch what would repair a finding, its preferred alternative is an option."""
    judging = scenario_evaluator("backout-inert")
    plan = make_plan(judging, Policy(keep=[parse_keep("queue * at *")]))
    repairs = planned_repairs(plan, plan.before.judgement)
    options = [option for repair in repairs.flows.values() for option in repair.options]
    assert "MDB104" in {option.finding.rule.id for option in options}


def test_without_a_plan_each_finding_stands_alone(judging: Evaluator) -> None:
    """The option of a finding is the alternative that its rule prefers; there are no changes of a plan."""
    judgement = judging.judge(()).judgement
    for finding in judgement.findings:
        repair = UNPLANNED.of(finding.flow, [finding])
        assert repair.changes == ()
        assert len(repair.options) + len(repair.advised) == 1


def test_a_long_search_gives_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report waits for no search that goes on and on."""
    judging = scenario_evaluator("stop-3-sessions-5-bothresh-5")
    judged = Judged(Estate(), judging.judge(()).judgement, lambda: judging.exports)
    assert find_repairs(judged, judging.observed, judging.rules).planned
    monkeypatch.setattr("lintmdb.report.flow_repairs.MOST_JUDGED", 0)
    assert find_repairs(judged, judging.observed, judging.rules) is UNPLANNED


def test_a_change_is_told_once(plan: Plan) -> None:
    """The second flow with a change refers to the first one."""
    teller = Teller()
    first = teller.tell(plan.changes, 3)
    assert (first.new, first.repeated, first.where) == (plan.changes, (), ())
    second = teller.tell(plan.changes, 4)
    assert (second.new, second.repeated, second.where) == ((), plan.changes, (3,))


def test_flows_that_one_change_repairs_do_not_count_it_twice(lintmdb: Run, tmp_path: Path) -> None:
    """Two members whose servers differ are two flows; the specification of their cluster is one object."""
    variant = Variant(tmp_path, "mixed-version-cluster")
    server = "was/cells/C1/nodes/node2/servers/shop2/server.xml"
    variant.edit(server, 'totalTranLifetimeTimeout="120"', 'totalTranLifetimeTimeout="180"')
    shown = lintmdb("check", variant.folder, "--on-message", "15s").stdout
    assert "The same on 1 more flow, which the same change repairs: OrdersAS on node2/shop2" in shown


def test_a_grant_stands_at_the_flow_whose_messages_are_newly_moved(lintmdb: Run, tmp_path: Path) -> None:
    """Both members read the queue and have findings, and only the port of the second one stops before it moves."""
    variant = Variant(tmp_path, "cluster-members-differ")
    own = "PRINCIPAL('wasuser') +\n   OBJTYPE(QUEUE) +\n   AUTHADD(BROWSE,GET,INQ,PUT,PASSALL,SETALL)"
    variant.edit("mq/QM1.mqsc", own, "GROUP('wasgrp') +\n   OBJTYPE(QUEUE) +\n   AUTHADD(BROWSE,GET,INQ,PUT)")
    shown = lintmdb("check", variant.folder, "--on-message", "15s").stdout.split("\n\n")
    (granted,) = (paragraph for paragraph in shown if "group wasgrp gets passall" in paragraph)
    assert granted.startswith("ORDERS.IN at QM1 -> OrdersLP (listener port, node2/shop2)")


def test_to_correct_a_misspelt_backout_queue_takes_rights_on_the_queue_that_is_meant(
    lintmdb: Run, tmp_path: Path
) -> None:
    """Where the user has them, nothing is said of rights. A plan that makes the change judges again, and grants what is
    lacking.
    """
    variant = Variant(tmp_path, "stop-3-sessions-5-bothresh-5")
    variant.edit("mq/QM1.mqsc", "BOQNAME('ORDERS.BACKOUT')", "BOQNAME('ORDERS.BACKUOT')")
    plan = ("plan", variant.folder, "--keep", "queue ORDERS.BACKUOT at QM1")
    told = lintmdb(*plan).stdout
    assert "BOQNAME ORDERS.BACKUOT -> ORDERS.BACKOUT" in told
    assert "wasuser gets" not in told.partition("What becomes")[0]
    for text in (told, lintmdb("plan", variant.folder).stdout, lintmdb("check", variant.folder).stdout):
        assert "BOQNAME ORDERS.BACKUOT -> ORDERS.BACKOUT" in text
        assert "Whoever reads ORDERS.IN needs" not in text
    own = "PRINCIPAL('wasuser') +\n   OBJTYPE(QUEUE) +\n   AUTHADD(BROWSE,GET,INQ,PUT,PASSALL,SETALL)"
    variant.edit("mq/QM1.mqsc", own, own.replace(",PASSALL,SETALL", ""))
    needs = (
        "ORDERS.IN needs put and passall on ORDERS.BACKOUT. This change grants nothing; "
        "a plan with it grants what readers lack whose names it knows"
    )
    shown = " ".join(lintmdb("check", variant.folder).stdout.split())
    assert f"BOQNAME ORDERS.BACKUOT -> ORDERS.BACKOUT Whoever reads {needs}." in shown
    page = lintmdb("check", variant.folder, "--format", "html").stdout
    assert "Each user whose messages are moved to ORDERS.BACKOUT needs put and passall there" in page
    lintmdb("plan", variant.folder, "--out", tmp_path / "plan")
    assert f"Whoever reads {needs}." in " ".join(lintmdb("plan", variant.folder).stdout.split())
    for report in ("plan.md", "plan.html"):
        assert f"Whoever reads {needs}." in (tmp_path / "plan" / report).read_text()
    told = " ".join(lintmdb(*plan).stdout.split())
    assert "ORDERS.BACKOUT wasuser gets passall, setall, and keeps browse, get, inq, put" in told
    assert "needs put and passall" not in told


def test_an_option_that_does_harm_by_itself_says_so(lintmdb: Run, tmp_path: Path) -> None:
    """A port that stops no more loses what no queue takes: wherever the option is shown, and so is the end of a plan,
    although both members have become one flow then.
    """
    estate = tmp_path / "estate"
    shutil.copytree(scenario_folder("cluster-members-differ"), estate)
    dump = estate / "mq/QM1.mqsc"
    dump.write_text(dump.read_text("utf-8").replace(",PASSALL", ""), "utf-8")
    harm = "the endpoint stops {} discarded (non-persistent), delivery is blocked (persistent)"
    told = f"By itself this does harm: {harm.format('->')}. First repair what leads to that."
    plan = " ".join(lintmdb("plan", estate, "--only", "was").stdout.split())
    assert plan.count(told) == 1
    assert "no set of changes in WebSphere alone was found that ends them without a new finding" in plan
    assert "With the options of what stays in WebSphere alone: ORDERS.IN at QM1" in plan
    assert "cluster Shop of 2) -> OrderBean (Orders/orders.jar): the endpoint stops -> discarded" in plan
    changed = ("check", estate, "--set", "listener port OrdersLP of node1/shop1: maxRetries=5")
    text = lintmdb(*changed).stdout
    assert " ".join(text.split()).count(told) == 1
    assert not any(line and not line.strip() for line in text.splitlines())
    assert " ".join(lintmdb(*changed, "--format", "markdown").stdout.split()).count(told) == 1
    assert harm.format("→") in lintmdb(*changed, "--format", "html").stdout


@pytest.mark.parametrize("alone", [False, True])
def test_a_grant_that_does_harm_by_itself_says_so(lintmdb: Run, tmp_path: Path, alone: bool) -> None:
    """Who may look up the threshold behind an alias loses what no queue takes. So does any reader."""
    estate = tmp_path / "estate"
    shutil.copytree(scenario_folder("inquiry-behind-alias-refused"), estate)
    dump = estate / "mq/QM1.mqsc"
    dump.write_text(dump.read_text("utf-8").replace(",PASSALL", ""), "utf-8")
    (tmp_path / "o.yaml").write_text(
        "queues:\n- {queue: ORDERS.IN, user: wasuser}\nusers:\n- {user: wasuser, groups: []}\n"
    )
    by_itself = (estate / "mq", "--all-queues", "--observations", tmp_path / "o.yaml")
    run = lintmdb("check", *(by_itself if alone else (estate,)), "--select", "MDB139")
    told = "By itself this does harm: loops for ever -> discarded (non-persistent), delivery is blocked (persistent)."
    assert " ".join(run.stdout.split()).count(told) == 1


def test_a_grant_that_may_do_harm_by_itself_says_when(lintmdb: Run, tmp_path: Path) -> None:
    """A group may put messages on the backout queue, and nobody knows whether the user is in it."""
    estate = tmp_path / "estate"
    shutil.copytree(scenario_folder("inquiry-behind-alias-refused"), estate)
    dump = estate / "mq/QM1.mqsc"
    group = "SET AUTHREC PROFILE('ORDERS.BACKOUT') GROUP('shop') OBJTYPE(QUEUE) AUTHADD(PUT,PASSALL)\n"
    records = dump.read_text("utf-8").replace("PROFILE('ORDERS.**')", "PROFILE('ORDERS.IN')")
    dump.write_text(records.replace("DEFINE CHANNEL(", f"{group}DEFINE CHANNEL(", 1), "utf-8")
    (tmp_path / "o.yaml").write_text("queues:\n- {queue: ORDERS.IN, user: wasuser}\n")
    queues = (estate / "mq", "--all-queues", "--observations", tmp_path / "o.yaml")
    told = "If wasuser may not put messages on ORDERS.BACKOUT, this does harm by itself: loops for ever -> discarded"
    assert " ".join(lintmdb("check", *queues, "--select", "MDB139").stdout.split()).count(told) == 1
    planned = " ".join(lintmdb("plan", *queues, "--select", "MDB139").stdout.split())
    worse = "discarded (non-persistent), delivery is blocked (persistent)"
    assert "wasuser gets put" in planned
    assert "Worse than before if" not in planned
    grant = "SET AUTHREC PROFILE('HELD.ORDERS') OBJTYPE(QUEUE) PRINCIPAL('wasuser') AUTHADD(INQ)"
    (tmp_path / "inq.mqsc").write_text(f"* Queue manager name: QM1\n{grant}\n")
    compared = " ".join(lintmdb("diff", *queues, "--change", tmp_path / "inq.mqsc").stdout.split())
    assert f"if its user has put and passall there (otherwise {worse}: worse)" in compared


def test_a_plan_has_queues_in_the_order_of_check(lintmdb: Run, tmp_path: Path) -> None:
    """Of queues with one fate, the one with more errors comes first."""
    head = "* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1 -a\n"
    queues = (
        "DEFINE QLOCAL(A.IN) BOTHRESH(3)\nDEFINE QLOCAL(B.IN) BOTHRESH(3) BOQNAME(B.IN)\n"
        "DEFINE QLOCAL(C.IN) BOTHRESH(3) BOQNAME(C.BO) MAXMSGL(9000)\nDEFINE QLOCAL(C.BO) PUT(DISABLED) MAXMSGL(1000)\n"
        "DEFINE QLOCAL(D.IN) BOTHRESH(3) BOQNAME(D.BO)\nDEFINE QLOCAL(D.BO) PUT(DISABLED)\n"
        "DEFINE QLOCAL(E.IN) BOQNAME(D.OK)\nDEFINE QLOCAL(D.OK)\n"
    )
    (tmp_path / "QM1.mqsc").write_text(f"{head}{queues}{WHOLE}")
    checked, planned = (
        re.findall(r"^ *queue (\w\.IN) at QM1$", lintmdb(command, tmp_path, "--all-queues").stdout, re.MULTILINE)
        for command in ("check", "plan")
    )
    assert len(checked) == 5
    assert checked == planned
    assert checked != sorted(checked)
