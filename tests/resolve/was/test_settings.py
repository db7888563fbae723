"""Settings of WebSphere that the rules on batches, recovery, thread pools, bus reliability and timeouts read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lintmdb.engine.traces import trace_flow
from lintmdb.model.relations import Bean, Destination, Endpoint, Server
from lintmdb.resolve.was.columns import INT_MAX, LONGEST_MS
from tests.support.project import FIXTURES
from tests.support.scenario import run_scenario
from tests.support.scenario_folders import scenario_folder
from tests.support.variant import Variant

SERVER = "was/cells/C1/nodes/node1/servers/server1/server.xml"
RESOURCES = "was/cells/C1/nodes/node1/servers/server1/resources.xml"
METADATA = "was/cells/C1/nodes/node1/node-metadata.properties"
INDEX = "was/cells/C1/nodes/node1/serverindex.xml"
BUS = "was/cells/C1/buses/OrdersBus/sib-destinations.xml"
MODULE = "was/cells/C1/applications/Orders.ear/deployments/Orders/orders.jar/META-INF/"
PORT = '<listenerPorts xmi:id="ListenerPort_1183122130506"'
POOL = 'xmi:id="ConnectionPool_1183122130004" connectionTimeout="180" maxConnections="10"'
EXTENSION = """<ejb-jar-ext><message-driven name="OrderBean">
<global-transaction transaction-time-out="{}"/></message-driven></ejb-jar-ext>"""


def _custom(**properties: str) -> str:
    return "".join(f'<properties name="{name.replace("_", ".")}" value="{v}"/>' for name, v in properties.items())


def _port_server(tmp_path: Path, before: str, service: str = "") -> Server:
    variant = Variant(tmp_path, "listener-port-retries-0").edit(SERVER, PORT, before + PORT)
    if service:
        variant.edit(SERVER, 'xmi:id="MessageListenerService_', f'{service} xmi:id="MessageListenerService_')
    return variant.row("server")


@pytest.mark.parametrize(
    ("custom", "service", "retries", "interval", "together"),
    [
        ("", "", 5, 60_000, 300_000),
        (_custom(MAX_RECOVERY_RETRIES="2", RECOVERY_RETRY_INTERVAL="30"), "", 2, 30_000, 60_000),
        ("", 'maxMDBListenerRetries="3" mdbListenerRecoveryInterval="7"', 3, 7000, 21_000),
        (_custom(MAX_RECOVERY_RETRIES="9"), 'maxMDBListenerRetries="3"', 9, 60_000, 540_000),
        (_custom(MAX_RECOVERY_RETRIES=" "), 'maxMDBListenerRetries="3"', 3, 60_000, 180_000),
        (_custom(MAX_RECOVERY_RETRIES="many"), "", None, 60_000, None),
        (
            _custom(MAX_RECOVERY_RETRIES="2147483647", RECOVERY_RETRY_INTERVAL="2147483647"),
            "",
            2_147_483_647,
            2_147_483_647_000,
            2_147_483_647_000,
        ),
    ],
)
def test_recovery_of_listener_ports(
    tmp_path: Path, custom: str, service: str, retries: int | None, interval: int | None, together: int | None
) -> None:
    """A custom property wins over the service's own attribute, and the product stays within 64 bits."""
    row = _port_server(tmp_path, custom, service)
    assert row.listener_recovery_retries == retries
    assert row.listener_recovery_interval_ms == interval
    assert row.listener_recovery_ms == together


@pytest.mark.parametrize(
    ("version", "system", "property_", "enabled"),
    [
        ("6.1.0.47", "os390", "", False),
        ("7.0.0.45", "os390", "", None),
        ("8.0.0.5", "os390", "", True),
        ("9.0.5.14", "os390", "", True),
        ("9.0.5.14", "os390", _custom(ENABLE_ZOS_LP_RECOVERY="false"), False),
        ("7.0.0.45", "os390", _custom(ENABLE_ZOS_LP_RECOVERY="true"), True),
        ("6.1.0.47", "linux", "", None),
    ],
)
def test_recovery_on_zos_depends_on_the_version(
    tmp_path: Path, version: str, system: str, property_: str, enabled: bool | None
) -> None:
    """ENABLE.ZOS.LP.RECOVERY has another default at another version, and none that is documented at 7.0."""
    variant = Variant(tmp_path, "listener-port-retries-0").edit(SERVER, PORT, property_ + PORT)
    variant.edit(METADATA, "baseProductVersion=9.0.5.14", f"baseProductVersion={version}")
    variant.edit(METADATA, "nodeOperatingSystem=linux", f"nodeOperatingSystem={system}")
    row: Server = variant.row("server")
    assert row.listener_zos_recovery is enabled


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('agedTimeout="0"', 'agedTimeout="0"', 10),
        (
            f"<sessionPool {POOL}",
            "<other",
            10,
        ),
        (POOL, 'maxConnections="0"', 0),
        (
            POOL,
            'maxConnections="-4"',
            None,
        ),
        ('jndiName="jms/cf/QM1"', 'jndiName="jms/cf/QM2"', None),
    ],
)
def test_session_pool_of_the_connection_factory(tmp_path: Path, old: str, new: str, expected: int | None) -> None:
    """The pool's maximum, its default where it is left out, and nothing where the factory is not known."""
    variant = Variant(tmp_path, "listener-port-retries-0")
    path = variant.folder / RESOURCES
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    row: Endpoint = variant.row("endpoint")
    assert row.session_pool_max == expected


def test_misnamed_property_packed_or_not(tmp_path: Path) -> None:
    """NON.ASF.RECEIVE.TIMEOUT is seen as a property of its own and among the arbitrary ones; blank it is not there."""
    packed = Variant(tmp_path / "a", "clean").edit(
        RESOURCES, "sslType=&quot;CENTRAL&quot;", "NON.ASF.RECEIVE.TIMEOUT=&quot;5000&quot;"
    )
    assert packed.row("endpoint").misnamed_non_asf_timeout is True
    blank = Variant(tmp_path / "b", "activation-spec-inactive").edit(RESOURCES, 'value="110000"', 'value=" "')
    assert blank.row("endpoint").misnamed_non_asf_timeout is False


def test_activation_config_overrides_new_properties(tmp_path: Path) -> None:
    """A bean's own startTimeout wins over that of the activation specification."""
    config = (
        "<activation-config><activation-config-property><activation-config-property-name>startTimeout"
        "</activation-config-property-name><activation-config-property-value>500</activation-config-property-value>"
        "</activation-config-property></activation-config></message-driven>"
    )
    row: Endpoint = Variant(tmp_path, "clean").edit(MODULE + "ejb-jar.xml", "</message-driven>", config).row("endpoint")
    assert row.start_timeout_ms == 500


@pytest.mark.parametrize("name", ["AutoStopSequentialMessageFailure", "autoStopSequentialMessageFailure"])
def test_both_spellings_of_the_sequential_threshold(tmp_path: Path, name: str) -> None:
    """The threshold has two spellings, in resources.xml and in a bean's activation-config."""
    variant = Variant(tmp_path, "bus-endpoint-stops")
    variant.edit(RESOURCES, 'name="AutoStopSequentialMessageFailure"', f'name="{name}"')
    assert variant.row("endpoint").sequential_failure_threshold == 3
    config = (
        f"<activation-config><activation-config-property><activation-config-property-name>{name}"
        "</activation-config-property-name><activation-config-property-value>7</activation-config-property-value>"
        "</activation-config-property></activation-config></message-driven>"
    )
    variant.edit(MODULE + "ejb-jar.xml", "</message-driven>", config)
    assert variant.row("endpoint").sequential_failure_threshold == 7


@pytest.mark.parametrize(
    ("kind", "attributes", "reliability", "discard", "discards", "persist"),
    [
        ("SIBQueue", "", "assured_persistent", "best_effort_nonpersistent", False, False),
        ("SIBQueue", 'reliability="BEST_EFFORT_NONPERSISTENT"', "best_effort_nonpersistent", None, True, False),
        (
            "SIBQueue",
            'reliability="EXPRESS_NONPERSISTENT" exceptionDiscardReliability="RELIABLE_NONPERSISTENT"',
            "express_nonpersistent",
            "reliable_nonpersistent",
            True,
            False,
        ),
        (
            "SIBQueue",
            'reliability="ASSURED_PERSISTENT" exceptionDiscardReliability="RELIABLE_PERSISTENT"',
            "assured_persistent",
            "reliable_persistent",
            False,
            False,
        ),
        ("SIBQueue", 'reliability="SOLID" persistRedeliveryCount="true"', None, None, None, True),
        ("SIBDestinationAlias", "", None, None, None, None),
        ("SIBDestinationAlias", 'reliability="INHERIT"', None, None, None, None),
    ],
)
def test_reliability_of_bus_destinations(
    tmp_path: Path,
    kind: str,
    attributes: str,
    reliability: str | None,
    discard: str | None,
    discards: bool | None,
    persist: bool | None,
) -> None:
    """Levels are compared by their order; an alias takes what it leaves out from its target, so nothing is assumed."""
    text = f'<x:{kind} xmlns:x="http://www.ibm.com/websphere/appserver/schemas/6.0/sibresources.xmi" {{}}/>'
    variant = Variant(tmp_path, "bus-exception-system").write(BUS, text.format(f'identifier="ORDERS.IN" {attributes}'))
    outcome = variant.run()
    (row,) = outcome.estate.facts.rows["destination"]
    assert isinstance(row, Destination)
    assert (row.reliability, row.discards_poison, row.persist_redelivery_count) == (reliability, discards, persist)
    if discard is not None:
        assert row.exception_discard_reliability == discard
    problems = [p.text for p in outcome.estate.facts.rows["problem"]]
    assert len(problems) == (1 if "SOLID" in attributes or kind == "SIBDestinationAlias" else 0)


def _threads(variant: Variant) -> tuple[int | None, int | None]:
    row: Server = variant.row("server")
    return row.activation_sessions, row.activation_threads_max


def test_sessions_on_the_thread_pool(tmp_path: Path) -> None:
    """Each specification in use counts once, on the pool that its adapter names; idle and unused ones do not."""
    scenario = "activation-specs-share-threads"
    rows = run_scenario(scenario_folder(scenario)).estate.facts.rows["server"]
    assert [(row.activation_sessions, row.activation_threads_max) for row in rows] == [(55, 50)]
    unused = Variant(tmp_path / "unused", scenario).edit(
        MODULE + "ibm-ejb-jar-bnd.xml",
        '  <message-driven name="ExpressBean">\n'
        '    <jca-adapter activation-spec-binding-name="jms/as/Express"/>\n  </message-driven>\n',
        "",
    )
    (server,) = unused.run().estate.facts.rows["server"]
    assert server.activation_sessions == 30
    other_pool = Variant(tmp_path / "pool", scenario).edit(
        RESOURCES, 'threadPoolAlias="WMQJCAResourceAdapter"', 'threadPoolAlias="Default"'
    )
    assert _threads(other_pool) == (55, 20)
    inactive = Variant(tmp_path / "inactive", "activation-spec-inactive")
    assert _threads(inactive) == (0, 50)


def test_the_sum_of_sessions_needs_every_application(tmp_path: Path) -> None:
    """With an application that was not exported, a torn one, or a binding that may lead somewhere, nothing is known."""
    deployed = "<deployedApplications>Orders.ear/deployments/Orders</deployedApplications>"
    missing = Variant(tmp_path / "missing", "clean").edit(
        INDEX, deployed, deployed + "<deployedApplications>Stock.ear/deployments/Stock</deployedApplications>"
    )
    assert _threads(missing) == (None, 50)
    assert missing.run().undecided["MDB307"] == ["server1"]
    torn = Variant(tmp_path / "torn", "clean").write(MODULE + "ibm-ejb-jar-ext.xml", "<ejb-jar-ext>")
    assert _threads(torn) == (None, 50)
    no_index = Variant(tmp_path / "index", "clean")
    (no_index.folder / INDEX).unlink()
    assert _threads(no_index) == (None, 50)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('minimumSize="10" maximumSize="50" name="WMQ', 'minimumSize="10" maximumSize="7" name="WMQ', 7),
        ('maximumSize="50" name="WMQ', 'maximumSize="50" isGrowable="true" name="WMQ', 2**31 - 1),
        ('maximumSize="50" name="WMQ', 'name="WMQ', None),
        ('name="WMQJCAResourceAdapter"', 'name="Other"', None),
    ],
)
def test_thread_pool_of_the_resource_adapter(tmp_path: Path, old: str, new: str, expected: int | None) -> None:
    """The pool's maximum; a pool that grows has none, and one that is not in server.xml is not known."""
    assert _threads(Variant(tmp_path, "clean").edit(SERVER, old, new)) == (10, expected)


@pytest.mark.parametrize(
    ("own", "edit", "expected"),
    [
        (None, None, 120_000),
        ("20", None, 20_000),
        ("0", None, 120_000),
        ("900", None, 300_000),
        ("900", ('propogatedOrBMTTranLifetimeTimeout="300"', 'propogatedOrBMTTranLifetimeTimeout="0"'), 900_000),
        ("soon", None, None),
        ("20", ('propogatedOrBMTTranLifetimeTimeout="300"', 'propogatedOrBMTTranLifetimeTimeout="x"'), None),
    ],
)
def test_the_timeout_of_a_bean(
    tmp_path: Path, own: str | None, edit: tuple[str, str] | None, expected: int | None
) -> None:
    """A bean's own timeout counts, capped by the server's maximum; 0 and none leave the server's."""
    variant = Variant(tmp_path, "clean")
    if own is not None:
        variant.write(MODULE + "ibm-ejb-jar-ext.xml", EXTENSION.format(own))
    if edit is not None:
        variant.edit(SERVER, *edit)
    row: Bean = variant.row("bean")
    assert row.transaction_timeout_ms == expected


def test_the_timeout_of_a_bean_in_non_asf_mode(tmp_path: Path) -> None:
    """In non-ASF mode the receive call starts the transaction, with the server's timeout."""
    variant = Variant(tmp_path, "non-asf-bean-managed").write(MODULE + "ibm-ejb-jar-ext.xml", EXTENSION.format("20"))
    assert variant.row("bean").transaction_timeout_ms == 120_000


def test_the_timeout_of_a_bean_in_loose_files(tmp_path: Path) -> None:
    """Without the whole application an extension file may be missing; with it the timeout is known."""
    for name, file in (("server.xml", SERVER), ("resources.xml", RESOURCES)):
        shutil.copy(FIXTURES / "clean" / file, tmp_path / name)
    module = tmp_path / "orders.jar"
    shutil.copytree(FIXTURES / "clean" / MODULE, module)
    outcome = run_scenario(tmp_path, {"on_message": "15s"})
    (bean,) = outcome.estate.facts.rows["bean"]
    assert bean.transaction_timeout_ms is None
    (entry,) = [u for u in outcome.judgement.undecided if u.rule.id == "MDB422"]
    assert "ibm-ejb-jar-ext of OrderBean" in entry.need.text
    (module / "ibm-ejb-jar-ext.xml").write_text(EXTENSION.format("10"))
    assert run_scenario(tmp_path, {"on_message": "15s"}).hazard["MDB422"] == ["OrderBean @ OrdersAS @ server1"]


def test_need_names_the_safe_time_in_asf_mode() -> None:
    """What is missing is the longest onMessage time, and the report says up to where it would be safe."""
    outcome = run_scenario(scenario_folder("bean-timeout-short"))
    (entry,) = [u for u in outcome.judgement.undecided if u.rule.id == "MDB422"]
    assert entry.need.text == "the longest onMessage time of the bean (safe below 10 s)"


def test_cluster_members_with_different_thread_pools_are_two_servers(tmp_path: Path) -> None:
    """Members of two versions are one row as long as their settings agree, and two when a pool differs."""
    variant = Variant(tmp_path, "mixed-version-cluster")
    assert len(variant.run().estate.facts.rows["server"]) == 1
    (member,) = sorted(variant.folder.glob("was/cells/*/nodes/*/servers/shop2/server.xml"))
    file = member.relative_to(variant.folder).as_posix()
    variant.edit(file, 'maximumSize="50" name="WMQ', 'maximumSize="20" name="WMQ')
    assert len(variant.run().estate.facts.rows["server"]) == 2


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ({}, (5, 300_000, 1_500_000)),
        ({"reconnectionRetryCount": "0"}, (0, 300_000, 0)),
        ({"reconnectionRetryCount": "3", "reconnectionRetryInterval": "20000"}, (3, 20_000, 60_000)),
        (
            {"reconnectionRetryCount": "2147483647", "reconnectionRetryInterval": "2147483647"},
            (INT_MAX, INT_MAX, LONGEST_MS),
        ),
        ({"reconnectionRetryCount": "-1"}, (None, 300_000, None)),
    ],
)
def test_reconnection_of_the_resource_adapter(
    tmp_path: Path, properties: dict[str, str], expected: tuple[int | None, int | None, int | None]
) -> None:
    """The adapter's own property set counts, not that of the activation specification."""
    entries = "".join(f'<resourceProperties name="{name}" value="{value}"/>' for name, value in properties.items())
    variant = Variant(tmp_path, "stop-5-bothresh-1")
    path = variant.folder / RESOURCES
    text = path.read_text("utf-8")
    path.write_text(text.replace("<j2cActivationSpec", f"<propertySet>{entries}</propertySet><j2cActivationSpec", 1))
    row: Endpoint = variant.row("endpoint")
    assert (row.reconnection_retries, row.reconnection_interval_ms, row.reconnection_ms) == expected


MDB_TIMEOUT = "control_region_mdb_request_timeout"
ORB = '<services xmi:type="orb:ObjectRequestBroker"><properties name="was.wlmTimeout" value="{}"/></services>'


@pytest.mark.parametrize(
    ("system", "variables", "properties", "expected"),
    [
        ("linux", {MDB_TIMEOUT: "60"}, "", (None, None)),
        ("os390", {}, "", (120_000, None)),
        ("os390", {MDB_TIMEOUT: "60"}, "", (60_000, None)),
        ("os390", {MDB_TIMEOUT: "60"}, f'<properties name="{MDB_TIMEOUT}" value="0"/>', (0, None)),
        ("os390", {"control_region_wlm_dispatch_timeout": "600"}, "", (120_000, 600_000)),
        ("os390", {"control_region_wlm_dispatch_timeout": "600"}, ORB.format("1200"), (120_000, 1_200_000)),
        ("os390", {}, f'<properties name="{MDB_TIMEOUT}"/>', (120_000, None)),
        ("os390", {"wlm_classification_file": "/etc/wlm.xml"}, ORB.format("1200"), (None, None)),
    ],
)
def test_how_long_a_controller_waits_for_a_bean(
    tmp_path: Path, system: str, variables: dict[str, str], properties: str, expected: tuple[int | None, int | None]
) -> None:
    """Variables and custom properties of the server tell, on z/OS alone; a classification file leaves them open."""
    entries = "".join(f'<entries symbolicName="{name}" value="{value}"/>' for name, value in variables.items())
    variant = Variant(tmp_path, "zos-listener-port")
    variant.edit(METADATA, "nodeOperatingSystem=os390", f"nodeOperatingSystem={system}")
    variant.edit("was/cells/C1/variables.xml", "</variables:VariableMap>", f"{entries}</variables:VariableMap>")
    variant.edit(SERVER, "</process:Server>", f"{properties}</process:Server>")
    row: Server = variant.row("server")
    assert (row.listener_request_timeout_ms, row.dispatch_timeout_ms) == expected


@pytest.mark.parametrize(
    ("kind", "attributes", "expected"),
    [
        ("SIBQueue", "", True),
        ("SIBQueue", 'receiveAllowed="false" sendAllowed="false"', False),
        ("SIBQueue", 'receiveAllowed="${NOBODY}" sendAllowed="${NOBODY}"', None),
        ("SIBDestinationAlias", "", None),
        ("SIBDestinationAlias", 'receiveAllowed="INHERIT" sendAllowed="INHERIT"', None),
        ("SIBDestinationAlias", 'receiveAllowed="FALSE"', False),
    ],
)
def test_bus_destinations_may_be_closed(tmp_path: Path, kind: str, attributes: str, expected: bool | None) -> None:
    """Receiving from a destination and sending to its exception destination; an alias may leave both to its target."""
    text = (
        '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" '
        'xmlns:x="http://www.ibm.com/websphere/appserver/schemas/6.0/sibresources.xmi">'
        f'<x:{kind} identifier="ORDERS.IN" exceptionDestination="ORDERS.IN" {attributes}/></xmi:XMI>'
    )
    row: Destination = Variant(tmp_path, "bus-exception-system").write(BUS, text).row("destination")
    assert row.receive_allowed is expected
    assert row.exception_send_allowed is (expected if kind == "SIBQueue" else None)


@pytest.mark.parametrize("hosts", [0, 1, 2])
def test_the_system_exception_destination_is_called_after_its_engine(tmp_path: Path, hosts: int) -> None:
    """Where several engines hold the destination, or none is exported, the name has no end."""
    variant = Variant(tmp_path, "bus-exception-system")
    engines = "was/cells/C1/nodes/node1/servers/{}/sib-engines.xml"
    if hosts == 0:
        (variant.folder / engines.format("server1")).unlink()
    if hosts == 2:
        engine = '<e:SIBMessagingEngine xmlns:e="x" name="node1.server2-OrdersBus" busName="OrdersBus"/>'
        variant.write(engines.format("server2"), engine)
        variant.edit(BUS, "  </sibresources", '<localizationPointRefs node="node1" server="server2"/></sibresources')
    name = "_SYSTEM.Exception.Destination" + (".node1.server1-OrdersBus" if hosts == 1 else "")
    run = variant.run()
    (destination,) = run.estate.facts.rows["destination"]
    assert destination.system_exception_destination == name
    (flow,) = run.judgement.flows
    (told,) = trace_flow(flow, None)
    assert told.outcome.target == name
