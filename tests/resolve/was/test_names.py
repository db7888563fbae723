"""Names: which destination, connection and value an endpoint means, in exports that do not make it easy."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintmdb.model.relations import Destination, Endpoint, Problem
from lintmdb.report.headline_fates import headline_fates
from tests.support.variant import Variant

SERVER = "was/cells/C1/nodes/node1/servers/server1/server.xml"
RESOURCES = "was/cells/C1/nodes/node1/servers/server1/resources.xml"
BUS = "was/cells/C1/buses/OrdersBus/sib-destinations.xml"
MODULE = "was/cells/C1/applications/Orders.ear/deployments/Orders/orders.jar/META-INF/"
VARIABLES = '<variables:VariableMap xmlns:variables="v">{}</variables:VariableMap>'
SECOND_QUEUE = (
    '<factories xmi:type="resources.jms.mqseries:MQQueue" name="SalesQ" jndiName="jms/q/Sales" '
    'baseQueueName="SALES.IN"/></resources.jms:JMSProvider>'
)
FACTORY = (
    '<factories xmi:type="resources.jms.mqseries:MQQueueConnectionFactory" name="CF" jndiName="jms/cf/Other" '
    'queueManager="QM2" transportType="CLIENT" channel="OTHER.SVRCONN"/></resources.jms:JMSProvider>'
)


def own_property(name: str, value: str) -> str:
    """A property of an activation specification, in front of its end."""
    return f'<resourceProperties name="{name}" type="java.lang.String" value="{value}"/></j2cActivationSpec>'


def config_property(name: str, value: str) -> str:
    """A bean's own activation-config property, in front of its end."""
    return (
        f"<activation-config><activation-config-property><activation-config-property-name>{name}"
        "</activation-config-property-name><activation-config-property-value>"
        f"{value}</activation-config-property-value></activation-config-property></activation-config></message-driven>"
    )


def with_property(variant: Variant, where: str, name: str, value: str) -> Variant:
    """The same property at the activation specification, or at the bean."""
    if where == "bean":
        return variant.edit(MODULE + "ejb-jar.xml", "</message-driven>", config_property(name, value))
    return variant.edit(RESOURCES, "</j2cActivationSpec>", own_property(name, value))


@pytest.mark.parametrize("where", ["specification", "bean"])
def test_a_destination_that_is_looked_up_decides(tmp_path: Path, where: str) -> None:
    """destinationLookup is preferred to destination and destinationType, at the specification and at the bean."""
    variant = Variant(tmp_path, "clean").edit(RESOURCES, "</resources.jms:JMSProvider>", SECOND_QUEUE)
    variant.edit(RESOURCES, 'value="javax.jms.Queue"', 'value="javax.jms.Topic"')
    outcome = with_property(variant, where, "destinationLookup", "jms/q/Sales").run()
    (row,) = outcome.estate.facts.rows["endpoint"]
    assert (row.queue, row.destination_type) == ("SALES.IN", "queue")
    assert outcome.hazard["MDB121"] == ["OrdersAS @ server1"]


def test_a_looked_up_destination_needs_no_default(tmp_path: Path) -> None:
    """What stands in destination beside a lookup is read by nobody."""
    variant = Variant(tmp_path, "clean").edit(RESOURCES, 'value="jms/q/Orders"', 'value="SYSTEM.DEFAULT.LOCAL.QUEUE"')
    variant.edit(RESOURCES, 'name="useJNDI" type="boolean" value="true"', 'name="useJNDI" type="boolean" value="false"')
    outcome = with_property(variant, "specification", "destinationLookup", "jms/q/Orders").run()
    assert outcome.hazard == {}
    (row,) = outcome.estate.facts.rows["endpoint"]
    assert row.queue == "ORDERS.IN"


@pytest.mark.parametrize("where", ["specification", "bean"])
def test_a_connection_factory_that_is_looked_up_decides(tmp_path: Path, where: str) -> None:
    """connectionFactoryLookup replaces queue manager, channel and transport of the specification."""
    variant = Variant(tmp_path, "clean").edit(RESOURCES, "</resources.jms:JMSProvider>", FACTORY)
    row: Endpoint = with_property(variant, where, "connectionFactoryLookup", "jms/cf/Other").row("endpoint")
    assert (row.queue_manager, row.channel, row.transport) == ("QM2", "OTHER.SVRCONN", "client")


def test_a_connection_factory_that_is_nowhere(tmp_path: Path) -> None:
    """The specification's own queue manager does not step in for a factory that is not defined."""
    variant = with_property(Variant(tmp_path, "clean"), "bean", "connectionFactoryLookup", "jms/cf/Nobody")
    outcome = variant.run()
    (row,) = outcome.estate.facts.rows["endpoint"]
    assert (row.queue_manager, row.channel) == (None, None)
    assert outcome.hazard["MDB902"] == ["ejb-jar.xml"]
    assert "MDB101" in outcome.undecided


@pytest.mark.parametrize(
    ("named", "other", "told"),
    [
        ("jms/q/Order", "", "export (did you mean jms/q/Orders?)"),
        ("jms/q/orders", "", "export (did you mean jms/q/Orders?)"),
        ("jms/q/Orders2", "", "export"),
        ("jms/q/Order", "nodes/node1", "export"),
        ("jms/q/Order", "nodes/node2", "export (did you mean jms/q/Orders?)"),
    ],
)
def test_a_destination_whose_name_is_one_slip_away(tmp_path: Path, named: str, other: str, told: str) -> None:
    """The name that may be meant is told where the server sees exactly one; digits differ on purpose."""
    variant = Variant(tmp_path, "clean")
    if other:
        text = (variant.folder / RESOURCES).read_text("utf-8").replace("jms/q/Orders", "jms/q/Orderx")
        variant.write(f"was/cells/C1/{other}/resources.xml", text)
    variant.edit(RESOURCES, 'value="jms/q/Orders"', f'value="{named}"')
    texts = [row.text for row in variant.run().estate.facts.rows["problem"] if row.kind == "unresolved_name"]
    what = f"the destination {named} of activation specification OrdersAS is not defined anywhere in this {told}"
    assert texts == [what]


def test_a_destination_that_only_other_scopes_define(tmp_path: Path) -> None:
    """The name is right, and the server does not see its definition."""
    variant = Variant(tmp_path, "clean")
    variant.write("was/cells/C1/nodes/node2/resources.xml", (variant.folder / RESOURCES).read_text("utf-8"))
    variant.edit(RESOURCES, 'jndiName="jms/q/Orders"', 'jndiName="jms/q/Bills"')
    texts = [row.text for row in variant.run().estate.facts.rows["problem"] if row.kind == "unresolved_name"]
    what = "the destination jms/q/Orders of activation specification OrdersAS"
    assert texts == [f"{what} is defined only at node node2, which activation specification OrdersAS does not see"]


def test_a_lookup_on_the_bus(tmp_path: Path) -> None:
    """A bus specification prefers the destination that is looked up, too."""
    queue = (
        '</j2cActivationSpec><j2cAdminObjects name="SalesQ" jndiName="jms/q/Sales"><properties name="QueueName" '
        'value="SALES"/><properties name="BusName" value="OrdersBus"/></j2cAdminObjects>'
    )
    variant = Variant(tmp_path, "bus-exception-none").edit(RESOURCES, "</j2cActivationSpec>", queue)
    variant.edit(BUS, "</xmi:XMI>", '<sibresources:SIBQueue identifier="SALES" exceptionDestination="A"/></xmi:XMI>')
    with_property(variant, "specification", "destinationLookup", "jms/q/Sales")
    outcome = variant.run()
    assert "MDB501" not in outcome.hazard
    assert outcome.hazard["MDB504"] == ["SALES @ OrdersBus"]


ALIAS = '<sibresources:SIBDestinationAlias identifier="ORDERS.ALIAS" bus="OrdersBus" {}/></xmi:XMI>'


def _aliased(tmp_path: Path, attributes: str) -> Variant:
    variant = Variant(tmp_path, "bus-exception-none").edit(RESOURCES, 'value="ORDERS.IN"', 'value="ORDERS.ALIAS"')
    return variant.edit(BUS, "</xmi:XMI>", ALIAS.format(attributes))


def test_an_alias_of_the_bus_is_its_target(tmp_path: Path) -> None:
    """The destination behind an alias decides, and is what the finding is about."""
    outcome = _aliased(tmp_path, 'targetIdentifier="ORDERS.IN"').run()
    assert outcome.hazard["MDB501"] == ["ORDERS.IN @ OrdersBus"]


def test_an_alias_may_be_closed_by_itself(tmp_path: Path) -> None:
    """Of an alias receiveAllowed counts where it does not inherit it; all else is its target's."""
    outcome = _aliased(tmp_path, 'targetIdentifier="ORDERS.IN" receiveAllowed="FALSE"').run()
    assert outcome.hazard["MDB513"] == ["ORDERS.ALIAS @ OrdersBus"]
    assert outcome.hazard["MDB501"] == ["ORDERS.ALIAS @ OrdersBus"]


@pytest.mark.parametrize(
    ("attributes", "reported"),
    [
        ('targetIdentifier="NOWHERE"', True),
        ('targetIdentifier="ORDERS.ALIAS"', True),
        ('targetIdentifier="ORDERS.IN" targetBus="OtherBus"', False),
    ],
)
def test_an_alias_that_leads_nowhere(tmp_path: Path, attributes: str, *, reported: bool) -> None:
    """Nothing is assumed of what cannot be found; a bus that was not exported is no defect."""
    outcome = _aliased(tmp_path, attributes).run()
    assert ("MDB902" in outcome.hazard) is reported
    assert "MDB501" not in outcome.hazard
    assert outcome.undecided["MDB501"] == ["ORDERS.ALIAS @ OrdersBus"]


@pytest.mark.parametrize("space", ["Default.Topic.Space", "News"])
def test_topic_spaces_have_the_settings_of_a_destination(tmp_path: Path, space: str) -> None:
    """A bean on a topic of the bus gets the rules about its topic space."""
    named = "" if space.startswith("Default") else f'<properties name="TopicSpace" value="{space}"/>'
    variant = Variant(tmp_path, "bus-exception-none")
    variant.edit(RESOURCES, 'name="QueueName" type="java.lang.String" value="ORDERS.IN"', 'name="TopicName" value="t"')
    variant.edit(RESOURCES, "</j2cAdminObjects>", f"{named}</j2cAdminObjects>")
    variant.edit(RESOURCES, 'value="javax.jms.Queue"', 'value="javax.jms.Topic"')
    variant.edit(
        BUS,
        "</xmi:XMI>",
        f'<sibresources:SIBTopicSpace identifier="{space}" exceptionDestination="" blockedRetryTimeout="0"/></xmi:XMI>',
    )
    hazard = variant.run().hazard
    assert hazard["MDB501"] == hazard["MDB502"] == [f"{space} @ OrdersBus"]


def test_no_exception_destination_is_written(tmp_path: Path) -> None:
    """Left out, the exception destination is not known, and the need says why."""
    outcome = Variant(tmp_path, "bus-exception-none").edit(BUS, ' exceptionDestination=""', "").run()
    (row,) = outcome.estate.facts.rows["destination"]
    assert isinstance(row, Destination)
    assert (row.exception_destination, row.exception_resolution) == (None, None)
    (entry,) = [u for u in outcome.judgement.undecided if u.rule.id == "MDB501"]
    assert "do not agree on its default" in entry.need.text


@pytest.mark.parametrize(
    ("node", "cluster", "expected"),
    [("QM1", "QM1", "QM1"), ("QM1", "QM2", None), (None, "QM2", "QM2"), ("QM1", None, "QM1"), (None, None, "QM9")],
)
def test_variables_of_cluster_and_node(
    tmp_path: Path, node: str | None, cluster: str | None, expected: str | None
) -> None:
    """Where a cluster and a node disagree the documents do, too; no name is reported as undefined."""
    entry = '<entries symbolicName="QM" value="{}"/>'
    variant = Variant(tmp_path, "clean").edit(RESOURCES, 'value="QM1"', 'value="${QM}"')
    variant.edit(SERVER, 'name="server1"', 'name="server1" clusterName="K1"')
    cell = "was/cells/C1/variables.xml"
    variant.edit(cell, "</variables:VariableMap>", entry.format("QM9") + "</variables:VariableMap>")
    for value, place in ((node, "nodes/node1"), (cluster, "clusters/K1")):
        if value is not None:
            variant.write(f"was/cells/C1/{place}/variables.xml", VARIABLES.format(entry.format(value)))
    outcome = variant.run()
    (row,) = outcome.estate.facts.rows["endpoint"]
    assert row.queue_manager == expected
    assert "MDB902" not in outcome.hazard
    told = {entry.need.text for entry in outcome.judgement.undecided}
    unclear = "one value of ${QM} for OrdersAS: cluster K1 has QM2 and node node1 has QM1, and versions of WebSphere"
    assert any(text.startswith(unclear) for text in told) is (expected is None)
    assert not any(text.startswith(("what defines", "the connection factory", "the resources.xml")) for text in told)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (RESOURCES, 'value="QM1"', 'value="${A}"'),
        (RESOURCES, 'baseQueueName="ORDERS.IN"', 'baseQueueName="${A}"'),
        (RESOURCES, 'value="jms/q/Orders"', 'value="${A}"'),
        (RESOURCES, 'value="WAS.SVRCONN"', 'value="X.${A}"'),
        (RESOURCES, "was_stopEndpointIfDeliveryFails=&quot;false", "was_stopEndpointIfDeliveryFails=&quot;${A}"),
    ],
)
def test_what_is_missing_of_a_variable_with_two_values_is_one_of_them(
    tmp_path: Path, file: str, old: str, new: str
) -> None:
    """Every variables.xml was read, so no file is asked for, also where the variable is behind another one."""
    variant = Variant(tmp_path, "clean").edit(file, old, new)
    variant.edit(SERVER, 'name="server1"', 'name="server1" clusterName="K1"')
    for value, place in (("7", "nodes/node1"), ("9", "clusters/K1")):
        entry = f'<entries symbolicName="B" value="{value}"/>'
        variant.write(f"was/cells/C1/{place}/variables.xml", VARIABLES.format(entry))
    cell = "was/cells/C1/variables.xml"
    entry = '<entries symbolicName="A" value="${B}"/>'
    variant.edit(cell, "</variables:VariableMap>", f"{entry}</variables:VariableMap>")
    asked = {entry.need.text for entry in variant.run().judgement.undecided}
    wanted = "one value of ${B} for OrdersAS: cluster K1 has 9 and node node1 has 7, and versions of WebSphere differ"
    assert any(need.startswith(wanted) for need in asked)
    assert not [need for need in asked if "variables.xml" in need or "queueManager is not set" in need or "EAR" in need]


def test_a_variable_that_refers_to_itself(tmp_path: Path) -> None:
    """It is defined, and has no value all the same."""
    entries = '<entries symbolicName="A" value="${B}"/><entries symbolicName="B" value="x${A}"/>'
    variant = Variant(tmp_path, "clean").edit(RESOURCES, 'value="QM1"', 'value="${A}"')
    variant.edit("was/cells/C1/variables.xml", "</variables:VariableMap>", f"{entries}</variables:VariableMap>")
    outcome = variant.run()
    (problem,) = outcome.estate.facts.rows["problem"]
    assert problem.text.endswith("refers back to itself, so it has no value")
    told = {entry.need.text for entry in outcome.judgement.undecided}
    place = variant.folder / "was/cells/C1/variables.xml"
    assert any(
        text.startswith("a value of ${A}, which refers back to itself at ")
        and text.rpartition(":")[0].endswith(str(place))
        for text in told
    ), told


def test_a_number_with_a_variable_waits_for_the_variable(tmp_path: Path) -> None:
    """One message does not depend on the number of sessions, so its fate is known; what does asks for the variable."""
    variant = Variant(tmp_path, "stop-3-sessions-5-bothresh-5")
    variant.edit(
        RESOURCES, 'name="maxPoolDepth" type="int" value="5"', 'name="maxPoolDepth" type="int" value="${POOL}"'
    )
    outcome = variant.run()
    assert variant.row("endpoint").max_sessions is None
    assert [fate.words for fate in headline_fates(outcome.judgement.flows)] == ["the endpoint stops"]
    assert any(
        entry.need.text.startswith('a value of ${POOL}, to which maxPoolDepth value="${POOL}" at ')
        for entry in outcome.judgement.undecided
    )


def test_a_user_name_of_the_bean(tmp_path: Path) -> None:
    """A bean's own userName wins over the specification's, and an alias over both."""
    variant = with_property(Variant(tmp_path / "a", "clean"), "bean", "userName", "clerk")
    assert variant.row("endpoint").user != "clerk"
    variant = Variant(tmp_path / "b", "clean").edit(RESOURCES, 'authenticationAlias="mqAlias"', "")
    assert with_property(variant, "bean", "userName", "clerk").row("endpoint").user == "clerk"


@pytest.mark.parametrize(
    ("name", "difference"),
    [("nonASFTimeout ", "blanks"), (" nonasftimeout", "blanks and case"), ("NonASFTimeout", "case")],
)
def test_a_property_name_with_blanks_or_in_another_case(tmp_path: Path, name: str, difference: str) -> None:
    """It is another property, so the default acts, and somebody is told."""
    variant = Variant(tmp_path, "clean")
    variant.edit(RESOURCES, 'name="nonASFTimeout" type="int" value="0"', f'name="{name}" type="int" value="5000"')
    outcome = variant.run()
    (row,) = outcome.estate.facts.rows["endpoint"]
    assert row.non_asf_timeout_ms == 0
    assert outcome.hazard["MDB312"] == ["resources.xml"]
    (problem,) = outcome.estate.facts.rows["problem"]
    assert f"differs from nonASFTimeout by {difference}," in problem.text


@pytest.mark.parametrize("name", ["WAS_endpointinitialstate", "Nonasftimeouts", "other"])
def test_other_property_names_are_not_misspelt(tmp_path: Path, name: str) -> None:
    """A spelling that WebSphere itself writes, and names that resemble none, are left alone."""
    variant = with_property(Variant(tmp_path, "clean"), "specification", name, "ACTIVE")
    assert variant.run().estate.facts.rows["problem"] == []


@pytest.mark.parametrize(
    "name", ["NON.ASF.RECEIVE.TIMOUT", "NON.ASF.RECIEVE.TIMEOUT", "NON_ASF_RECEIVE_TIMEOUT", "non.asf.receive.timout"]
)
def test_a_misspelt_property_of_the_message_listener_service(tmp_path: Path, name: str) -> None:
    """No other property is known there, so a name that is a slip away sets nothing, and somebody is told."""
    variant = Variant(tmp_path, "late-message-110-15-120").edit(SERVER, "NON.ASF.RECEIVE.TIMEOUT", name)
    outcome = variant.run()
    assert outcome.hazard["MDB312"] == ["server.xml"]
    (problem,) = outcome.estate.facts.rows["problem"]
    assert f'"{name}"' in problem.text
    assert "differs from NON.ASF.RECEIVE.TIMEOUT by its spelling" in problem.text


def test_a_property_of_one_listener_port_is_not_misspelt(tmp_path: Path) -> None:
    """Some properties of the service have the name of a listener port behind theirs."""
    name = "SERVER.SESSION.POOL.REAP.TIME.LP"
    variant = Variant(tmp_path, "late-message-110-15-120").edit(SERVER, "NON.ASF.RECEIVE.TIMEOUT", name)
    assert variant.run().estate.facts.rows["problem"] == []


@pytest.mark.parametrize(
    ("connection", "destination", "verdict", "manager"),
    [
        ("QM1", "", "clear", "QM1"),
        ("QM1", "QM1", "clear", "QM1"),
        ("QM1", "QM2", "hazard", "QM1"),
        ("QM7", "QM2", "undecided", "QM7"),
        ("", "QM1", "clear", "QM1"),
        ("*GROUP", "QM1", "clear", "QM1"),
    ],
)
def test_the_queue_manager_of_the_destination(
    tmp_path: Path, connection: str, destination: str, verdict: str, manager: str
) -> None:
    """A queue of another queue manager cannot be read; where the connection names none, the destination's is meant."""
    variant = Variant(tmp_path, "clean").edit(RESOURCES, 'value="QM1"', f'value="{connection}"')
    variant.edit(RESOURCES, "baseQueueName=", f'baseQueueManagerName="{destination}" baseQueueName=')
    outcome = variant.run()
    (row,) = outcome.estate.facts.rows["endpoint"]
    assert row.queue_manager == manager
    assert getattr(outcome, verdict)["MDB708"] == ["OrdersAS @ server1"]


def test_a_queue_sharing_group(tmp_path: Path) -> None:
    """On z/OS the name may be that of the group, whose shared queues every member has."""
    variant = Variant(tmp_path, "zos-not-hardened")
    variant.edit(RESOURCES, "baseQueueName=", 'baseQueueManagerName="QSG1" baseQueueName=')
    outcome = variant.run()
    assert "MDB708" in outcome.clear
    assert "MDB117" in outcome.hazard


def test_a_queue_of_the_other_provider(tmp_path: Path) -> None:
    """An IBM MQ specification cannot read a queue of the bus, and nothing else is said about the queue."""
    queue = (
        '</j2cActivationSpec><j2cAdminObjects name="BusQ" jndiName="jms/q/Bus"><properties name="QueueName" '
        'value="SALES"/></j2cAdminObjects>'
    )
    variant = Variant(tmp_path, "clean").edit(RESOURCES, "</j2cActivationSpec>", queue)
    variant.edit(RESOURCES, 'value="jms/q/Orders"', 'value="jms/q/Bus"')
    outcome = variant.run()
    assert outcome.hazard["MDB707"] == ["OrdersAS @ server1"]
    assert set(outcome.undecided) == set()
    assert not {"MDB101", "MDB121"} & {*outcome.hazard, *outcome.clear}


def test_what_an_external_name_leads_to_is_not_judged(tmp_path: Path) -> None:
    """A destination of a generic provider may be one of IBM MQ after all."""
    generic = (
        '<factories xmi:type="resources.jms:GenericJMSDestination" name="G" jndiName="jms/q/G" type="QUEUE" '
        'externalJNDIName="x"/></resources.jms:JMSProvider>'
    )
    variant = Variant(tmp_path, "clean").edit(RESOURCES, "</resources.jms:JMSProvider>", generic)
    outcome = variant.edit(RESOURCES, 'value="jms/q/Orders"', 'value="jms/q/G"').run()
    assert "MDB707" not in outcome.hazard


INDIRECT = (
    '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:namebindings="n"><namebindings:IndirectLookupNameSpaceBinding '
    'nameInNameSpace="{}" jndiName="jms/q/Orders" {}/></xmi:XMI>'
)


@pytest.mark.parametrize(
    ("place", "bound", "named", "attributes", "queue"),
    [
        ("nodes/node1/servers/server1", "jms/short", "jms/short", "", "ORDERS.IN"),
        ("", "jms/short", "cell/persistent/jms/short", "", "ORDERS.IN"),
        ("nodes/node1", "jms/short", "cell/nodes/node1/persistent/jms/short", "", "ORDERS.IN"),
        ("nodes/node1/servers/server1", "jms/short", "jms/short", 'providerURL="corbaloc:iiop:far:2809"', None),
        ("", "jms/short", "jms/short", "", None),
    ],
)
def test_names_of_the_name_space(
    tmp_path: Path, place: str, bound: str, named: str, attributes: str, queue: str | None
) -> None:
    """An indirect binding leads to another name; what any other one leads to is not known, and no defect."""
    variant = Variant(tmp_path, "clean").edit(RESOURCES, 'value="jms/q/Orders"', f'value="{named}"')
    variant.write(f"was/cells/C1/{place}/namebindings.xml", INDIRECT.format(bound, attributes))
    outcome = variant.run()
    (row,) = outcome.estate.facts.rows["endpoint"]
    assert row.queue == queue
    assert "MDB902" not in outcome.hazard


def test_a_name_binding_that_leads_in_a_circle(tmp_path: Path) -> None:
    """It ends, and nothing is found."""
    variant = Variant(tmp_path, "clean").edit(RESOURCES, 'value="jms/q/Orders"', 'value="jms/short"')
    circle = INDIRECT.format("jms/short", "").replace("jms/q/Orders", "jms/short")
    variant.write("was/cells/C1/nodes/node1/servers/server1/namebindings.xml", circle)
    assert variant.row("endpoint").queue is None


@pytest.mark.parametrize(
    ("name", "queue"),
    [
        ("cell/nodes/node1/servers/server1/jms/q/Orders", "ORDERS.IN"),
        ("cell/nodes/node1/servers/server2/jms/q/Orders", None),
        ("cell/clusters/billing/jms/q/Orders", None),
        ("cell/nodes/node1", None),
        ("java:comp/env/jms/OrdersQ", None),
        ("java:global/Orders/jms/OrdersQ", None),
    ],
)
def test_a_qualified_name(tmp_path: Path, name: str, queue: str | None) -> None:
    """A name with its server is looked up there. What no export shows whole is undecided and no defect."""
    outcome = Variant(tmp_path, "clean").edit(RESOURCES, 'value="jms/q/Orders"', f'value="{name}"').run()
    (endpoint,) = outcome.estate.facts.rows["endpoint"]
    assert isinstance(endpoint, Endpoint)
    assert endpoint.queue == queue
    assert "MDB902" not in outcome.hazard
    assert ("MDB101" in outcome.undecided) is (queue is None)


@pytest.mark.parametrize(
    ("name", "rules"),
    [("cell/nodes/node1/servers/server1/jms/as/Orders", False), ("java:app/jms/as/Orders", True)],
)
def test_a_qualified_name_of_a_specification(tmp_path: Path, name: str, rules: bool) -> None:
    """A bean whose binding has such a name is not bound to nothing."""
    variant = Variant(tmp_path, "clean").edit(MODULE + "ibm-ejb-jar-bnd.xml", '"jms/as/Orders"', f'"{name}"')
    outcome = variant.run()
    assert "MDB705" not in outcome.hazard
    assert ("MDB705" in outcome.undecided) is rules


@pytest.mark.parametrize(("scope", "queue"), [("nodes/node1/servers/shop1", None), ("nodes/node1", "ORDERS.IN")])
def test_a_name_that_is_qualified_with_a_cluster(tmp_path: Path, scope: str, queue: str | None) -> None:
    """It means what all members see alike; where one has a definition of its own, nothing tells which counts."""
    variant = Variant(tmp_path, "cluster-members-differ")
    for server in ("nodes/node1/servers/shop1", "nodes/node2/servers/shop2"):
        named = 'destinationJNDIName="cell/clusters/Shop/jms/q/Orders"'
        variant.edit(f"was/cells/C1/{server}/server.xml", 'destinationJNDIName="jms/q/Orders"', named)
    own = (
        '<resources.jms:JMSProvider xmlns:resources.jms="j"><factories xmi:type="resources.jms.mqseries:MQQueue" '
        'name="Own" jndiName="jms/q/Orders" baseQueueName="OWN"/></resources.jms:JMSProvider></xmi:XMI>'
    )
    variant.edit(f"was/cells/C1/{scope}/resources.xml", "</xmi:XMI>", own)
    rows = variant.run().estate.facts.rows["endpoint"]
    assert {row.queue for row in rows if isinstance(row, Endpoint)} == {queue}


def test_a_specification_behind_a_name_binding(tmp_path: Path) -> None:
    """A bean whose specification is bound elsewhere is not bound to nothing."""
    variant = Variant(tmp_path, "clean").edit(MODULE + "ibm-ejb-jar-bnd.xml", "jms/as/Orders", "jms/as/Far")
    far = INDIRECT.format("jms/as/Far", 'providerURL="corbaloc:iiop:far:2809"')
    outcome = variant.write("was/cells/C1/nodes/node1/servers/server1/namebindings.xml", far).run()
    assert "MDB705" not in outcome.hazard
    assert outcome.undecided["MDB705"] == ["orders.jar/OrderBean"]


@pytest.mark.parametrize(
    ("version", "system", "maximum"),
    [("5.1.1.19", "linux", 0), ("5.1.1.19", "os390", 300_000), ("6.0.2.43", "linux", 300_000)],
)
def test_the_maximum_timeout_of_old_versions(tmp_path: Path, version: str, system: str, maximum: int) -> None:
    """Version 5 has a maximum transaction timeout on z/OS alone."""
    variant = Variant(tmp_path, "clean").edit(SERVER, 'propogatedOrBMTTranLifetimeTimeout="300"', "")
    metadata = "was/cells/C1/nodes/node1/node-metadata.properties"
    variant.edit(metadata, "baseProductVersion=9.0.5.14", f"baseProductVersion={version}")
    variant.edit(metadata, "nodeOperatingSystem=linux", f"nodeOperatingSystem={system}")
    assert variant.row("server").maximum_timeout_ms == maximum


def test_a_definition_that_hides_another_one_is_told_where_values_differ(tmp_path: Path) -> None:
    """Both with their places; a hidden copy with the same values changes nothing, so it is not told."""
    variant = Variant(tmp_path, "stop-3-sessions-5-bothresh-5")
    own = "was/cells/C1/nodes/node1/servers/server1/resources.xml"
    text = (variant.folder / own).read_text("utf-8")
    variant.write("was/cells/C1/resources.xml", text)
    assert not _hidden(variant)
    count = "was_failureDeliveryCount=&quot;{}&quot;"
    variant.edit("was/cells/C1/resources.xml", count.format(3), count.format(9))
    (told,) = _hidden(variant)
    assert (told.path.endswith(own), told.line) == (True, 21)
    assert "activation specification OrdersAS of server server1 wins over jms/as/Orders of the cell" in told.text
    assert "failureDeliveryCount 3, hidden 9" in told.text
    assert told.text.endswith("cells/C1/resources.xml:21)")
    jndi = 'jndiName="jms/as/Orders" description="{}"'
    variant.edit("was/cells/C1/resources.xml", jndi.format(""), jndi.format("Old.&#10;Do  not use"))
    (told,) = _hidden(variant)
    assert told.text.endswith("cells/C1/resources.xml:21). The description of the hidden one: Old. Do not use")


def _hidden(variant: Variant) -> list[Problem]:
    return [row for row in variant.run().estate.facts.rows["problem"] if row.kind == "hidden_definition"]


@pytest.mark.parametrize("bus", ["OrdersBus", "OtherBus"])
def test_a_bus_destination_without_a_messaging_engine(tmp_path: Path, bus: str) -> None:
    """What holds it has no engine of its bus: nothing can be read there. Without sib-engines.xml nobody knows."""
    variant = Variant(tmp_path, "bus-exception-none")
    engines = "was/cells/C1/nodes/node1/servers/server1/sib-engines.xml"
    variant.edit(engines, 'busName="OrdersBus"', f'busName="{bus}"')
    told = (
        "destination ORDERS.IN of bus OrdersBus is held by server server1, which has no messaging engine of that bus, "
        "so nothing can be read from it"
    )
    found = {
        problem.text for problem in variant.run().estate.facts.rows["problem"] if problem.kind == "unresolved_name"
    }
    assert found == ({told} if bus == "OtherBus" else set())
    (variant.folder / engines).unlink()
    outcome = variant.run()
    assert "unresolved_name" not in {problem.kind for problem in outcome.estate.facts.rows["problem"]}
    needs = [entry.need.text for entry in outcome.judgement.undecided if entry.rule.id == "MDB502"]
    assert needs == [
        "the effective blocked retry of ORDERS.IN (sib-engines.xml of the server or cluster that holds it)"
    ]
