"""How many sessions an endpoint has: each bean that uses it has sessions of its own."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from lintmdb.model.relations import Endpoint, Server
from tests.resolve.was.test_settings import INDEX, METADATA, MODULE, PORT, RESOURCES, SERVER, Variant
from tests.support.command import Run
from tests.support.project import FIXTURES

SPEC_BINDING = '<jca-adapter activation-spec-binding-name="jms/as/Orders"/>'
PORT_BINDING = '<listener-port name="OrdersLP"/>'
DEPLOYED = "<deployedApplications>Orders.ear/deployments/Orders</deployedApplications>"


def with_beans(variant: Variant, count: int, binding: str) -> Variant:
    """The scenario with more beans like OrderBean, all bound to the same endpoint."""
    names = [f"OrderBean{number}" for number in range(2, count + 1)]
    beans = "".join(f"<message-driven><ejb-name>{name}</ejb-name></message-driven>" for name in names)
    bindings = "".join(f'<message-driven name="{name}">{binding}</message-driven>' for name in names)
    variant.edit(MODULE + "ejb-jar.xml", "</enterprise-beans>", beans + "</enterprise-beans>")
    return variant.edit(MODULE + "ibm-ejb-jar-bnd.xml", "</ejb-jar-bnd>", bindings + "</ejb-jar-bnd>")


def test_five_beans_on_one_specification_need_five_times_the_threads(tmp_path: Path) -> None:
    """Five beans on a specification of 11 sessions are 55 threads, where the pool has 50."""
    variant = with_beans(Variant(tmp_path, "clean"), 5, SPEC_BINDING)
    variant.edit(RESOURCES, 'name="maxPoolDepth" type="int" value="10"', 'name="maxPoolDepth" type="int" value="11"')
    server: Server = variant.row("server")
    assert server.activation_sessions == 55
    outcome = variant.run()
    assert outcome.hazard["MDB307"] == ["server1"]
    assert {flow.rows.conversations for flow in outcome.judgement.flows} == {60}


def test_who_needs_most_threads_is_named_first(lintmdb: Run, tmp_path: Path) -> None:
    """The finding lists the terms of the sum and points to the pool, and not to a specification that needs few."""
    exports = shutil.copytree(FIXTURES / "estate", tmp_path / "exports")
    pool = ("--set", "thread pool WMQJCAResourceAdapter of node1/shop1: maximumSize=9")
    asked = ("check", "exports", "--select", "MDB307", "--on-message", "15s")
    told = " ".join(lintmdb(*asked, *pool, "--verbose", cwd=tmp_path).stdout.split())
    assert "40 threads (InvoicesAS 10, OrdersAS 10, PaymentsAS 10, StockAS 10)" in told
    server = next(exports.rglob("nodes/node1/servers/shop1/server.xml"))
    text = server.read_text("utf-8")
    name = text.index('name="WMQJCAResourceAdapter"')
    start, end = text.rindex("<", 0, name), text.index(">", name)
    server.write_text(text[:start] + re.sub('maximumSize="[0-9]+"', 'maximumSize="9"', text[start:end]) + text[end:])
    resources = next(exports.rglob("clusters/ShopCluster/resources.xml"))
    text = resources.read_text("utf-8")
    stock = text.index('name="StockAS"')
    larger = text[stock:].replace(
        'name="maxPoolDepth" type="int" value="10"', 'name="maxPoolDepth" type="int" value="60"', 1
    )
    resources.write_text(text[:stock] + larger)
    results = json.loads(lintmdb(*asked, "--format", "sarif", cwd=tmp_path).stdout)["runs"][0]["results"]
    (found,) = [each for each in results if "shop1" in each["message"]["text"]]
    assert "90 threads (StockAS 60, InvoicesAS 10, OrdersAS 10, PaymentsAS 10)" in found["message"]["text"]
    (place,) = found["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"].endswith("shop1/server.xml")


def test_beans_on_one_listener_port_count_each(tmp_path: Path) -> None:
    """Three beans on a port of 20 sessions need 60 threads of the listener service, where there are 50."""
    variant = with_beans(Variant(tmp_path, "listener-port-retries-0"), 3, PORT_BINDING)
    variant.edit(SERVER, 'maxSessions="1"', 'maxSessions="20"')
    server: Server = variant.row("server")
    assert server.listener_sessions == 60
    assert variant.run().hazard["MDB409"] == ["server1"]


def test_a_listener_port_without_a_bean_has_no_sessions(tmp_path: Path) -> None:
    """A port that no bean uses is no endpoint, as long as every application of the server is known."""
    idle = '<listenerPorts name="IdleLP" connectionFactoryJNDIName="a" destinationJNDIName="b" maxSessions="60"/>'
    variant = Variant(tmp_path / "all", "listener-port-retries-0").edit(SERVER, PORT, idle + PORT)
    server: Server = variant.row("server")
    assert server.listener_sessions == 1
    rows: list[Endpoint] = variant.run().estate.facts.rows["endpoint"]  # pyright: ignore[reportAssignmentType]
    assert {row.name: row.bean_count for row in rows} == {"OrdersLP": 1}
    stock = "<deployedApplications>Stock.ear/deployments/Stock</deployedApplications>"
    torn = Variant(tmp_path / "some", "listener-port-retries-0").edit(INDEX, DEPLOYED, DEPLOYED + stock)
    server = torn.row("server")
    assert server.listener_sessions is None
    assert torn.run().undecided["MDB409"] == ["server1"]


def test_beans_on_one_specification_of_the_bus_count_each(tmp_path: Path) -> None:
    """The pool SIBJMSRAThreadPool serves the maximum concurrency of every bean."""
    variant = with_beans(Variant(tmp_path, "bus-exception-none"), 5, SPEC_BINDING)
    server: Server = variant.row("server")
    assert (server.bus_sessions, server.bus_threads_max, server.activation_sessions) == (50, 41, 0)


@pytest.mark.parametrize(
    ("scenario", "kind", "rule"), [("clean", "activation", "MDB307"), ("bus-exception-none", "bus", "MDB517")]
)
@pytest.mark.parametrize(("threads", "expected"), [("9", "hazard"), ("10", "clear"), ("", "undecided")])
def test_a_resource_adapter_names_another_pool(
    tmp_path: Path, scenario: str, kind: str, rule: str, threads: str, expected: str
) -> None:
    """What runs on a pool is held against the size of that pool, which nobody knows where server.xml lacks it."""
    variant = Variant(tmp_path, scenario)
    path = variant.folder / RESOURCES
    path.write_text(re.sub('threadPoolAlias="[^"]*"', 'threadPoolAlias="Orders"', path.read_text("utf-8")), "utf-8")
    if threads:
        pool = f'<threadPools maximumSize="{threads}" name="Orders"/>'
        path = variant.folder / SERVER
        path.write_text(path.read_text("utf-8").replace("<threadPools", f"{pool}<threadPools", 1), "utf-8")
    server: Server = variant.row("server")
    assert (getattr(server, f"{kind}_pool"), getattr(server, f"{kind}_sessions")) == ("Orders", 10)
    outcome = variant.run()
    found = {"hazard": outcome.hazard, "clear": outcome.clear, "undecided": outcome.undecided}
    assert [verdict for verdict, subjects in found.items() if rule in subjects] == [expected]


@pytest.mark.parametrize(("beans", "hazard"), [(1, False), (2, True)])
def test_two_beans_on_a_queue_that_only_one_may_read(tmp_path: Path, beans: int, hazard: bool) -> None:
    """Two beans on one specification with one session each are two readers, and NOSHARE lets in one."""
    variant = with_beans(Variant(tmp_path, "clean"), beans, SPEC_BINDING)
    variant.edit(RESOURCES, 'name="maxPoolDepth" type="int" value="10"', 'name="maxPoolDepth" type="int" value="1"')
    script = variant.folder / "mq" / "QM1.mqsc"
    script.write_text(script.read_text("utf-8").replace("   SHARE +", "   NOSHARE +", 1), "utf-8")
    outcome = variant.run()
    assert ("MDB123" in outcome.hazard) is hazard
    assert ("OrdersAS @ server1" in outcome.clear.get("MDB123", [])) is not hazard


@pytest.mark.parametrize("scenario", ["clean", "bus-exception-none"])
def test_the_dispatch_timeout_holds_for_every_specification(tmp_path: Path, scenario: str) -> None:
    """On z/OS a bean of a bus is as much in danger as one of IBM MQ."""
    variant = Variant(tmp_path, scenario).edit(METADATA, "nodeOperatingSystem=linux", "nodeOperatingSystem=os390")
    timeout = '<properties name="was.wlmTimeout" value="10"/>'
    variant.edit(
        SERVER,
        '<services xmi:type="applicationserver:TransactionService"',
        timeout + '<services xmi:type="applicationserver:TransactionService"',
    )
    assert variant.run().hazard["MDB416"] == ["OrderBean @ OrdersAS @ server1"]
