"""Repairs on one flow: which alternatives a finding has, with which values, and where none would act."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintmdb.engine.findings import Finding
from lintmdb.engine.fix_text import console_line
from lintmdb.engine.repairs import Alternative, find_alternatives, find_obstacles
from lintmdb.settings.changes import Assignment, Target
from tests.support.scenario import run_scenario
from tests.support.scenario_folders import scenario_folder
from tests.support.variant import Variant

SERVER = "was/cells/C1/nodes/node1/servers/server1/server.xml"
RESOURCES = "was/cells/C1/nodes/node1/servers/server1/resources.xml"
METADATA = "was/cells/C1/nodes/node1/node-metadata.properties"
VARIABLES = "was/cells/C1/variables.xml"
BUS = "was/cells/C1/buses/OrdersBus/sib-destinations.xml"
DESCRIPTOR = "was/cells/C1/applications/Orders.ear/deployments/Orders/orders.jar/META-INF/ejb-jar.xml"
PORT = '<listenerPorts xmi:id="ListenerPort_1183122130506"'
TIMEOUTS = 'totalTranLifetimeTimeout="120"'


def finding(variant: Variant, rule: str) -> Finding:
    """The only finding of a rule."""
    (found,) = [f for f in variant.run().judgement.findings if f.rule.id == rule]
    return found


def alternatives(found: Finding) -> list[dict[str, str]]:
    """What each alternative sets, and to what."""
    return [_assigned(changes) for changes in find_alternatives(found.rule, found.rows)]


def _assigned(changes: Alternative) -> dict[str, str]:
    return {change.setting: change.new for change in changes if isinstance(change, Assignment)}


def _first(found: Finding) -> Assignment:
    change = find_alternatives(found.rule, found.rows)[0][0]
    assert isinstance(change, Assignment)
    return change


def _with_variable(variant: Variant, name: str, value: str) -> Variant:
    closing = "</variables:VariableMap>"
    return variant.edit(VARIABLES, closing, f'<entries symbolicName="{name}" value="{value}"/>{closing}')


def test_what_the_bean_says_is_no_setting_of_its_specification(tmp_path: Path) -> None:
    """Its activation-config wins, so a change of the specification would change nothing; the fix names the file."""
    config = (
        "<activation-config><activation-config-property><activation-config-property-name>startTimeout"
        "</activation-config-property-name><activation-config-property-value>500</activation-config-property-value>"
        "</activation-config-property></activation-config>"
    )
    variant = Variant(tmp_path, "clean").edit(DESCRIPTOR, "</message-driven>", f"{config}</message-driven>")
    found = finding(variant, "MDB306")
    assert alternatives(found) == []
    (obstacle,) = find_obstacles(found.rule, found.rows)
    assert "ejb-jar.xml has" in obstacle
    assert "overrides OrdersAS" in obstacle
    assert found.fix == obstacle


def test_a_specification_has_no_obstacle(tmp_path: Path) -> None:
    """The same value in the specification itself."""
    variant = Variant(tmp_path, "clean").edit(
        RESOURCES, 'name="startTimeout" type="int" value="10000"', 'name="startTimeout" type="int" value="500"'
    )
    found = finding(variant, "MDB306")
    assert alternatives(found) == [{"endpoint.start_timeout_ms": "10000"}]
    assert find_obstacles(found.rule, found.rows) == ()


@pytest.mark.parametrize("system", ["linux", "os390"])
def test_a_variable_of_zos_wins_over_the_transaction_service(tmp_path: Path, system: str) -> None:
    """transaction_maximumTimeout acts on z/OS, and nowhere else."""
    variant = Variant(tmp_path, "clean").edit(SERVER, TIMEOUTS, 'totalTranLifetimeTimeout="500"')
    variant.edit(METADATA, "nodeOperatingSystem=linux", f"nodeOperatingSystem={system}")
    found = finding(_with_variable(variant, "transaction_maximumTimeout", "200"), "MDB420")
    if system == "linux":
        assert alternatives(found) == [{"server.maximum_timeout_ms": "500"}, {"server.total_timeout_ms": "300"}]
    else:
        assert alternatives(found) == [{"server.total_timeout_ms": "200"}]
        assert "variables.xml has" in found.fix


def test_an_old_value_is_spelled_as_its_file_spells_it(tmp_path: Path) -> None:
    """A script compares it with what wsadmin shows, and puts it back: the variable, and not its value of today."""
    variant = Variant(tmp_path, "listener-port-retries-0").edit(SERVER, PORT, f'{PORT} maxRetries="${{RETRIES}}"')
    found = finding(_with_variable(variant, "RETRIES", "1"), "MDB201")
    assert (_first(found).old, _first(found).new) == ("${RETRIES}", "4")


def test_a_value_of_another_attribute_is_not_what_a_property_had(tmp_path: Path) -> None:
    """The retries stand at the service itself, and the custom property that the repair adds is not there."""
    attribute = 'maxMDBListenerRetries="0" xmi:id="MessageListenerService_'
    variant = Variant(tmp_path, "listener-port-retries-0").edit(SERVER, 'xmi:id="MessageListenerService_', attribute)
    found = finding(variant, "MDB207")
    assert (_first(found).attribute, _first(found).old, _first(found).new) == ("MAX.RECOVERY.RETRIES", "", "5")
    assert alternatives(found) == [{"server.listener_recovery_retries": "5"}]


@pytest.mark.parametrize(
    ("total", "maximum", "expected"),
    [
        ("10", "300", [{"server.total_timeout_ms": "75"}]),
        ("10", "0", [{"server.total_timeout_ms": "75"}]),
        ("10", "60", [{"server.total_timeout_ms": "75", "server.maximum_timeout_ms": "75"}]),
        ("300", "10", [{"server.maximum_timeout_ms": "75"}]),
        ("0", "10", [{"server.maximum_timeout_ms": "75"}]),
    ],
)
def test_a_transaction_gets_a_minute_more_than_on_message(
    tmp_path: Path, total: str, maximum: str, expected: list[dict[str, str]]
) -> None:
    """The one that cuts it is raised, or both; none is lowered."""
    variant = Variant(tmp_path, "clean").edit(SERVER, TIMEOUTS, f'totalTranLifetimeTimeout="{total}"')
    variant.edit(SERVER, 'TranLifetimeTimeout="300"/>', f'TranLifetimeTimeout="{maximum}"/>')
    assert alternatives(finding(variant, "MDB422")) == expected


def test_a_timeout_of_the_bean_is_no_setting() -> None:
    """It stands in the application; the advice says where."""
    judgement = run_scenario(scenario_folder("bean-timeout-short"), {"on_message": "15s"}).judgement
    (found,) = [f for f in judgement.findings if f.rule.id == "MDB422"]
    assert alternatives(found) == []
    assert "ibm-ejb-jar-ext.xml" in found.fix


ALIAS = '<sibresources:SIBDestinationAlias identifier="ORDERS.ALIAS" targetIdentifier="ORDERS.IN"{} />'


@pytest.mark.parametrize("own", ["", ' reliability="RELIABLE_PERSISTENT"'])
def test_a_change_behind_an_alias_is_made_to_its_target(tmp_path: Path, own: str) -> None:
    """An alias that overrides something is judged as itself, and still holds no exception destination."""
    variant = Variant(tmp_path, "bus-exception-none").edit(BUS, "</xmi:XMI>", f"{ALIAS.format(own)}</xmi:XMI>")
    variant.edit(
        RESOURCES, 'name="QueueName" type="java.lang.String" value="ORDERS.IN"', 'name="QueueName" value="ORDERS.ALIAS"'
    )
    found = finding(variant, "MDB501")
    assert found.subject.name == ("ORDERS.ALIAS" if own else "ORDERS.IN")
    assert _first(found).target.name == "ORDERS.IN"
    assert _first(found).target.path == "OrdersBus"


def test_a_switch_that_an_alias_may_have_is_left_alone(tmp_path: Path) -> None:
    """The exports do not tell whether the alias or its target refuses."""
    own = ' receiveAllowed="FALSE"'
    variant = Variant(tmp_path, "bus-exception-none").edit(BUS, "</xmi:XMI>", f"{ALIAS.format(own)}</xmi:XMI>")
    variant.edit(
        RESOURCES, 'name="QueueName" type="java.lang.String" value="ORDERS.IN"', 'name="QueueName" value="ORDERS.ALIAS"'
    )
    assert alternatives(finding(variant, "MDB513")) == []


@pytest.mark.parametrize(
    ("kind", "setting", "attribute", "new", "shown"),
    [
        (
            "bus_destination",
            "destination.exception_destination",
            "exceptionDestination",
            "",
            "Exception destination = None",
        ),
        (
            "bus_destination",
            "destination.exception_destination",
            "exceptionDestination",
            "$DEFAULT_EXCEPTION_DESTINATION",
            "Exception destination = System",
        ),
        (
            "bus_destination",
            "destination.blocked_retry_ms",
            "blockedRetryTimeout",
            "-1",
            "Blocked retry timeout = not overridden",
        ),
        ("bus_destination", "destination.receive_allowed", "receiveAllowed", "true", "select Receive allowed"),
        ("bus_destination", "destination.receive_exclusive", "receiveExclusive", "false", "clear Receive exclusive"),
        ("listener_port", "endpoint.initial_state", "initialState", "START", "Initial state = Started"),
        (
            "listener_service",
            "endpoint.non_asf_timeout_ms",
            "NON.ASF.RECEIVE.TIMEOUT",
            "",
            "remove NON.ASF.RECEIVE.TIMEOUT",
        ),
        (
            "listener_service",
            "server.listener_zos_recovery",
            "ENABLE.ZOS.LP.RECOVERY",
            "true",
            "ENABLE.ZOS.LP.RECOVERY = true",
        ),
    ],
)
def test_the_console_has_words_of_its_own(kind: str, setting: str, attribute: str, new: str, shown: str) -> None:
    """Check boxes are selected and cleared; custom properties have values."""
    change = Assignment(Target("was", "C1", kind, "A", "/Server:s1/"), setting, attribute, new)
    assert console_line(change).rpartition(": ")[2] == shown
