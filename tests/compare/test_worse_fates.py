"""A change that makes a message fare worse, or lets an endpoint read another queue, although no finding is new."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.project import FIXTURES
from tests.support.scenario_folders import scenario_folder, scenario_names

_STOP = "activation specification OrdersAS of server node1/server1: stopEndpointIfDeliveryFails=false"


@pytest.fixture(name="hidden")
def _hidden(tmp_path: Path) -> Path:
    """An endpoint that stops before its user would lack a right on the backout queue: both are findings."""
    estate = tmp_path / "estate"
    shutil.copytree(FIXTURES / "stop-3-sessions-5-bothresh-5", estate)
    dump = estate / "mq/QM1.mqsc"
    dump.write_text(dump.read_text("utf-8").replace(",PASSALL", ""), "utf-8")
    return estate


def test_what_a_stop_hid_fails_the_gate(lintmdb: Run, hidden: Path) -> None:
    """The reason is a finding of both states, so the fate itself fails the run, and each list of failures has it."""
    command = ("diff", hidden, "--set", _STOP)
    result = lintmdb(*command)
    assert result.returncode == 1
    assert "the endpoint stops -> discarded (non-persistent), delivery is blocked (persistent) (worse)" in " ".join(
        result.stdout.split()
    )
    document = json.loads(lintmdb(*command, "--format", "json").stdout)
    assert [fate["worse"] for fate in document["fates"]] == [True]
    assert (document["summary"]["worse"], document["summary"]["new"]) == (1, 0)
    assert "A message fares worse" in lintmdb(*command, "--format", "github").stdout
    assert 'failures="1"' in lintmdb(*command, "--format", "junit").stdout
    assert "A message fares worse" in lintmdb(*command, "--format", "sarif").stdout
    assert "(persistent) (worse)" in lintmdb(*command, "--format", "markdown").stdout
    assert lintmdb(*command, "--fail-on", "never").returncode == 0


def test_the_way_back_is_no_harm(lintmdb: Run, tmp_path: Path) -> None:
    """A fate that is better fails nothing."""
    change = tmp_path / "QM1.mqsc"
    change.write_text("ALTER QLOCAL('ORDERS.IN') BOTHRESH(2)\n")
    result = lintmdb("diff", FIXTURES / "stop-3-sessions-5-bothresh-5", "--change", change)
    assert result.returncode == 0, result.stdout
    assert "(worse)" not in result.stdout


def test_a_suppression_answers_for_a_worse_fate(lintmdb: Run, tmp_path: Path) -> None:
    """Who suppresses the new finding of a flow accepts its fate; a reviewer sees the finding and the reason."""
    settings = tmp_path / "lintmdb.toml"
    settings.write_text(
        'ignore = ["MDB104"]\n[[suppressions]]\nrule = "MDB304"\nsubject = "OrdersAS"\nreason = "it is read by hand"\n'
    )
    change = tmp_path / "QM1.mqsc"
    change.write_text("ALTER QLOCAL('ORDERS.IN') BOTHRESH(0)\n")
    command = ("diff", FIXTURES / "clean", "--change", change, "--config", settings)
    result = lintmdb(*command)
    marked = "(worse, but its new error is suppressed)"
    assert marked in " ".join(result.stdout.split())
    assert "it is read by hand" in " ".join(result.stdout.split())
    markdown = lintmdb(*command, "--format", "markdown").stdout
    assert "it is read by hand" in markdown
    assert marked in markdown
    (fate,) = json.loads(lintmdb(*command, "--format", "json").stdout)["fates"]
    assert (fate["worse"], fate["suppressed"]) == (True, True)
    assert result.returncode == 0, result.stdout
    assert "1 flow with another fate (1 worse, 1 suppressed)" in result.stdout
    counted = lintmdb(*command, "--no-suppressions")
    assert (counted.returncode, "(worse)" in counted.stdout) == (1, True)


def test_a_comment_that_suppresses_nothing_is_told(lintmdb: Run, tmp_path: Path) -> None:
    """Where it is new; check tells those that both states have."""
    change = tmp_path / "QM1.mqsc"
    change.write_text("* lintmdb: allow MDB304 it is read by hand\nALTER QLOCAL('ORDERS.IN') BOTHRESH(0)\n")
    told = "MDB304 is about a flow, which a comment above ORDERS.IN cannot suppress"
    assert told in lintmdb("diff", FIXTURES / "clean", "--change", change).stderr
    for folder in ("before", "after"):
        shutil.copytree(FIXTURES / "clean", tmp_path / folder)
        with (tmp_path / folder / "mq" / "more.mqsc").open("w") as file:
            file.write(f"* Queue manager name: QM1\n{change.read_text()}")
    assert told not in lintmdb("diff", tmp_path / "before", tmp_path / "after").stderr


def test_a_suppressed_remark_answers_for_no_worse_fate(lintmdb: Run, tmp_path: Path) -> None:
    """What is only for information is not what makes the message fare worse."""
    settings = tmp_path / "lintmdb.toml"
    settings.write_text('ignore = ["MDB103", "MDB107", "MDB114"]\n')
    change = tmp_path / "QM1.mqsc"
    change.write_text(
        "* lintmdb: allow MDB116 we know\nALTER QLOCAL('ORDERS.IN') BOTHRESH(1)\n"
        "ALTER QLOCAL('ORDERS.BACKOUT') PUT(DISABLED)\nALTER QMGR DEADQ(' ')\n"
    )
    result = lintmdb("diff", FIXTURES / "clean", "--change", change, "--config", settings)
    assert "1 new but suppressed" in result.stdout
    assert result.returncode == 1, result.stdout


def test_an_endpoint_that_reads_another_queue_is_told(lintmdb: Run) -> None:
    """Also where the message has the same fate there, and the queue that nobody reads any more."""
    name = "activation specification InvoicesAS at cluster ShopCluster: destination=jms/q/Payments"
    command = ("diff", FIXTURES / "estate", "--set", name)
    result = lintmdb(*command)
    lines = result.stdout.splitlines()
    assert "InvoicesAS on cluster ShopCluster reads PAYMENTS.IN at QM1 instead of INVOICES.IN at QM1" in lines
    assert "no endpoint reads INVOICES.IN at QM1 any more" in lines
    assert "1 flow with another source" in lines[-1]
    (entry,) = json.loads(lintmdb(*command, "--format", "json").stdout)["flows"]["rerouted"]
    assert (entry["before"], entry["after"]) == ("INVOICES.IN at QM1", "PAYMENTS.IN at QM1")


@pytest.mark.parametrize("name", scenario_names()[:8])
def test_nothing_is_worse_than_itself(lintmdb: Run, name: str) -> None:
    """Two equal states have no worse fate and no other source."""
    document = json.loads(lintmdb("diff", scenario_folder(name), scenario_folder(name), "--format", "json").stdout)
    assert document["summary"]["worse"] == 0
    assert document["flows"]["rerouted"] == []


def test_the_end_of_a_split_is_worse_where_it_is_worse_for_one_member(lintmdb: Run, tmp_path: Path) -> None:
    """The cluster has two fates before and one after, which one of its members had already."""
    before, after = tmp_path / "before", tmp_path / "after"
    shutil.copytree(FIXTURES / "estate", after)
    shutil.copytree(after, before)
    scopes = before / "was/cells/PRODCELL"
    text = (scopes / "clusters/ShopCluster/resources.xml").read_text("utf-8")
    stops = "was_stopEndpointIfDeliveryFails=&quot;{}&quot;"
    own = text.replace(stops.format("true"), stops.format("false"))
    (scopes / "nodes/node1/servers/shop1/resources.xml").write_text(own, "utf-8")
    document = json.loads(lintmdb("diff", before, after, "--on-message", "15s", "--format", "json").stdout)
    (fate,) = [fate for fate in document["fates"] if " or " in fate["before"]]
    assert (fate["after"], fate["worse"]) == ("the endpoint stops", True)


def test_what_comes_back_while_nothing_else_comes_is_better_than_a_stop(lintmdb: Run) -> None:
    """One message bounces while the queue is idle (MDB413); a port that has stopped delivers nothing at all."""
    words = "listener port ClaimsLP of node2/claims: maxRetries"
    stop = lintmdb("diff", FIXTURES / "estate", "--on-message", "15s", "--set", f"{words}=0", "--format", "json")
    fates = {fate["workload"]: fate for fate in json.loads(stop.stdout)["fates"]}
    told = fates["one poison message"]
    assert (told["before"], told["worse"]) == ("loops for ever while no other message arrives", True)
    plan = lintmdb("plan", FIXTURES / "estate", "--ignore", "MDB413").stdout
    assert "loops for ever while no other message arrives" in " ".join(plan.split())


def test_a_queue_that_an_unknown_reader_may_read_is_undecided(lintmdb: Run, tmp_path: Path) -> None:
    """Without the file that names the queue manager nobody says that the finding of a queue is resolved."""
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        shutil.copytree(FIXTURES / "backout-inert", folder)
    changed = 0
    for file in after.rglob("*.xml"):
        text = file.read_text("utf-8")
        new = text.replace(
            'name="queueManager" type="java.lang.String" value="QM1"', 'name="queueManager" value="${QM}"'
        )
        changed += new != text
        file.write_text(new, "utf-8")
    assert changed
    document = json.loads(lintmdb("diff", before, after, "--format", "json").stdout)
    assert document["resolved"] == []
    assert "MDB104" in {entry["rule"] for entry in document["undecided"]}


def test_where_nothing_is_received_no_message_arrives_late(lintmdb: Run, tmp_path: Path) -> None:
    """Neither check nor diff tells what becomes of a message at the end of a receive that never begins."""
    observations = tmp_path / "observations.yaml"
    observations.write_text("endpoints:\n  - endpoint: OrdersLP\n    user: nouser\n    groups: []\n")
    exports = FIXTURES / "late-message-110-15-120"
    told = lintmdb("check", exports, "--observations", observations).stdout
    assert "User nouser may not connect to QM1. Nothing is delivered." in told
    assert "at the end of a receive" not in told
    change = tmp_path / "QM1.mqsc"
    change.write_text(
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('nouser') AUTHADD(CONNECT,INQ)\n"
        "SET AUTHREC PROFILE('ORDERS.IN') OBJTYPE(QUEUE) PRINCIPAL('nouser') AUTHADD(GET,BROWSE,INQ)\n"
    )
    command = ("diff", exports, "--observations", observations, "--change", change, "--format", "json")
    assert [fate["workload"] for fate in json.loads(lintmdb(*command).stdout)["fates"]] == ["one poison message"]


_ALIKE = "listener port OrdersLP of node2/shop2: maxRetries=4"


@pytest.fixture(name="unequal")
def _unequal(tmp_path: Path) -> Path:
    """Two members of a cluster of which the second has fewer retries. The user may put nothing on the backout queue."""
    estate = tmp_path / "unequal"
    shutil.copytree(scenario_folder("cluster-members-differ"), estate)
    dump = estate / "mq/QM1.mqsc"
    dump.write_text(dump.read_text("utf-8").replace(",PASSALL", ""), "utf-8")
    return estate


def test_a_member_that_fares_worse_is_told_where_the_cluster_becomes_one(lintmdb: Run, unequal: Path) -> None:
    """The flow of the member has become that of the cluster: what was found of it is gone with its worse fate."""
    lines = lintmdb("diff", unequal, "--set", _ALIKE, "-q").stdout.splitlines()
    assert lines[0].endswith("(worse)"), lines
    gone = [line for line in lines if line.startswith("gone with a worse fate: MDB202")]
    assert len(gone) == 1, lines
    assert "0 resolved, 1 replaced" in lines[-1]


def test_members_that_become_alike_are_told(lintmdb: Run, unequal: Path) -> None:
    """What each of them had is one finding then, so the counts of both states are given; and the way back."""
    one = "ORDERS.IN at QM1 -> OrdersLP (listener port, cluster Shop of 2) -> OrderBean (Orders/orders.jar)"
    command = ("diff", unequal, "--set", _ALIKE)
    lines = lintmdb(*command).stdout.splitlines()
    assert f"members alike now, so one flow: {one}" in lines
    assert lines[-1].endswith("4 as before (7 in the earlier state)")
    document = json.loads(lintmdb(*command, "--format", "json").stdout)
    assert [subject["cluster"] for subject in document["flows"]["merged"]] == ["Shop"]
    assert (document["summary"]["unchanged"], document["summary"]["unchanged_before"]) == (4, 7)
    assert "- members alike now, so one flow: ORDERS.IN" in lintmdb(*command, "--format", "markdown").stdout
    assert "Members alike now, so one flow: ORDERS.IN" in lintmdb(*command, "--format", "html").stdout
    alike = unequal.with_name("alike")
    shutil.copytree(unequal, alike)
    server = alike / "was/cells/C1/nodes/node2/servers/shop2/server.xml"
    server.write_text(server.read_text("utf-8").replace('maxRetries="2"', 'maxRetries="4"'), "utf-8")
    back = lintmdb("diff", alike, unequal).stdout.splitlines()
    assert f"members differ now, so a flow for each: {one}" in back
    assert back[-1].endswith("7 as before (4 in the earlier state)")


def test_a_plan_tells_members_that_become_alike(lintmdb: Run) -> None:
    """What stays of both is counted once after the plan."""
    text = " ".join(lintmdb("plan", scenario_folder("cluster-members-differ")).stdout.split())
    assert "1 finding gone, 1 info left (2 before, as members of a cluster are alike then), none new" in text
    assert "members alike then, so one flow: ORDERS.IN at QM1 -> OrdersLP (listener port, cluster Shop of 2)" in text
