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
    assert "(worse)" in result.stdout
    assert "it is read by hand" in " ".join(result.stdout.split())
    assert "it is read by hand" in lintmdb(*command, "--format", "markdown").stdout
    assert result.returncode == 0, result.stdout
    assert lintmdb(*command, "--no-suppressions").returncode == 1


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
