"""What descriptors say of beans: whether they start, what they are bound to, and which files count at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.variant import Variant

APPLICATION = "was/cells/C1/applications/Orders.ear/deployments/Orders/"
DEPLOYMENT = APPLICATION + "deployment.xml"
MODULE = APPLICATION + "orders.jar/META-INF/"
RESOURCES = "was/cells/C1/nodes/node1/servers/server1/resources.xml"
SERVER = "was/cells/C1/nodes/node1/servers/server1/server.xml"
INDEX = "was/cells/C1/nodes/node1/serverindex.xml"
JAVA_EE_5 = 'xmlns="http://java.sun.com/xml/ns/javaee" version="3.1" metadata-complete="true"'
J2EE_14 = 'xmlns="http://java.sun.com/xml/ns/j2ee" version="2.1"'
XMI = (
    '<ejbbnd:EJBJarBinding xmlns:xmi="http://www.omg.org/XMI" xmlns:ejbbnd="ejbbnd.xmi">'
    '<ejbBindings xmi:type="ejbbnd:MessageDrivenBeanBinding" activationSpecJndiName="{}">'
    '<enterpriseBean href="META-INF/ejb-jar.xml#OrderBean_ID"/></ejbBindings></ejbbnd:EJBJarBinding>'
)
LEFTOVER = (
    '<j2cActivationSpec name="OldAS" jndiName="jms/as/Old" activationSpec="ActivationSpec_1183122131119">'
    '<resourceProperties name="destination" value="jms/q/Old"/></j2cActivationSpec>'
)


@pytest.mark.parametrize("mapping", ["DeploymentTargetMapping_1183122131153", "DeploymentTargetMapping_1183122131155"])
def test_an_application_that_is_started_by_hand(tmp_path: Path, mapping: str) -> None:
    """Off at the application or at the module: its flow is judged, and somebody is told."""
    variant = Variant(tmp_path, "clean").edit(DEPLOYMENT, f'{mapping}" enable="true"', f'{mapping}" enable="false"')
    variant.edit("mq/QM1.mqsc", "BOTHRESH(3)", "BOTHRESH(0)")
    hazard = variant.run().hazard
    assert hazard["MDB710"] == ["orders.jar/OrderBean"]
    assert "MDB101" in hazard or "MDB104" in hazard


@pytest.mark.parametrize(
    ("version", "xml", "xmi", "bound"),
    [
        (JAVA_EE_5, True, False, "jms/as/Orders"),
        (JAVA_EE_5, True, True, "jms/as/Orders"),
        (JAVA_EE_5, False, True, None),
        (J2EE_14, True, False, None),
        (J2EE_14, True, True, "jms/as/Xmi"),
        (J2EE_14, False, True, "jms/as/Xmi"),
        ("", False, True, "jms/as/Xmi"),
        (None, True, True, "jms/as/Orders"),
    ],
)
def test_the_binding_file_that_counts(
    tmp_path: Path, version: str | None, xml: bool, xmi: bool, bound: str | None
) -> None:
    """Before Java EE 5 it is the .xmi, from Java EE 5 on the .xml; a module without ejb-jar.xml is of Java EE 5."""
    variant = Variant(tmp_path, "clean")
    if version is None:
        (variant.folder / MODULE / "ejb-jar.xml").unlink()
    else:
        variant.edit(MODULE + "ejb-jar.xml", JAVA_EE_5, version)
    if not xml:
        (variant.folder / MODULE / "ibm-ejb-jar-bnd.xml").unlink()
    if xmi:
        variant.write(MODULE + "ibm-ejb-jar-bnd.xmi", XMI.format("jms/as/Xmi"))
    outcome = variant.run()
    (row,) = outcome.estate.facts.rows["binding"]
    assert (row.target or None) == bound
    assert ("MDB706" in outcome.hazard) is (bound is None)


def test_a_bean_whose_binding_file_may_be_missing(tmp_path: Path) -> None:
    """Where a file of its application cannot be read: undecided, with what would settle it."""
    variant = Variant(tmp_path, "clean")
    (variant.folder / MODULE / "ibm-ejb-jar-bnd.xml").write_text("<ejb-jar-bnd>")
    outcome = variant.run()
    assert outcome.undecided["MDB706"] == ["orders.jar/OrderBean"]
    (entry,) = [u for u in outcome.judgement.undecided if u.rule.id == "MDB706"]
    assert "ibm-ejb-jar-bnd of OrderBean" in entry.need.text


def test_descriptors_inside_the_ear(tmp_path: Path) -> None:
    """With useMetadataFromBinaries nothing is known of the beans, and the stale descriptors are judged by no rule."""
    variant = Variant(tmp_path, "dangling-binding")
    variant.edit(DEPLOYMENT, 'deploymentId="0"', 'deploymentId="0" useMetadataFromBinaries="true"')
    outcome = variant.run()
    facts = outcome.estate.facts
    assert (facts.rows["binding"], facts.rows["bean"]) == ([], [])
    assert "MDB705" not in outcome.hazard
    assert [endpoint.name for endpoint in facts.rows["endpoint"]] == ["OrdersAS"]
    assert [problem.kind for problem in facts.rows["problem"]] == ["not_understood"]


def test_specifications_that_no_bean_uses(tmp_path: Path) -> None:
    """Left over in a cell whose beans are all known they are no endpoints; where a bean may use them they are."""
    variant = Variant(tmp_path, "clean").edit(RESOURCES, "</j2cActivationSpec>", f"</j2cActivationSpec>{LEFTOVER}")
    outcome = variant.run()
    assert outcome.hazard == {}
    assert [endpoint.name for endpoint in outcome.estate.facts.rows["endpoint"]] == ["OrdersAS"]
    deployed = "<deployedApplications>Orders.ear/deployments/Orders</deployedApplications>"
    variant.edit(INDEX, deployed, deployed + deployed.replace("Orders", "Sales"))
    outcome = variant.run()
    assert outcome.hazard == {"MDB301": ["OldAS @ server1"]}
    assert sorted(e.name for e in outcome.estate.facts.rows["endpoint"]) == ["OldAS", "OrdersAS"]


def test_a_specification_of_the_cell_looks_its_names_up_at_servers(tmp_path: Path) -> None:
    """Nobody uses it, so that no lookup happens at the cell, where the destination is not defined."""
    variant = Variant(tmp_path, "clean")
    (variant.folder / INDEX).unlink()
    adapter = (
        '<resources.j2c:J2CResourceAdapter name="WebSphere MQ Resource Adapter"><j2cActivationSpec name="CellAS" '
        'jndiName="jms/as/Cell"><resourceProperties name="maxPoolDepth" value="1"/><resourceProperties '
        'name="destination" value="jms/q/Orders"/></j2cActivationSpec></resources.j2c:J2CResourceAdapter></xmi:XMI>'
    )
    outcome = variant.edit("was/cells/C1/resources.xml", "</xmi:XMI>", adapter).run()
    assert "CellAS" in [endpoint.name for endpoint in outcome.estate.facts.rows["endpoint"]]
    assert "MDB902" not in outcome.hazard


def test_ports_that_no_bean_uses(tmp_path: Path) -> None:
    """They are not counted against the threads of their server, nor judged."""
    unused = '<listenerPorts name="OldLP" maxSessions="90"/>'
    port = '<listenerPorts xmi:id="ListenerPort_1183122130506"'
    variant = Variant(tmp_path, "listener-port-retries-0").edit(SERVER, port, unused + port)
    outcome = variant.run()
    assert "MDB409" not in outcome.hazard
    assert [endpoint.name for endpoint in outcome.estate.facts.rows["endpoint"]] == ["OrdersLP"]


APPLICATION_QUEUE = (
    '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:resources.jms="j"><resources.jms:JMSProvider name="MQ">'
    '<factories xmi:type="m:MQQueue" name="OrdersQ" jndiName="{}" baseQueueName="{}"/>'
    "</resources.jms:JMSProvider></xmi:XMI>"
)


@pytest.mark.parametrize(("name", "queue"), [("jms/q/Orders", "APP.IN"), ("jms/q/Other", "ORDERS.IN")])
def test_destinations_of_the_application(tmp_path: Path, name: str, queue: str) -> None:
    """What an application defines itself wins over every other scope, for its own beans."""
    variant = Variant(tmp_path, "clean").write(APPLICATION + "resources.xml", APPLICATION_QUEUE.format(name, "APP.IN"))
    assert variant.row("endpoint").queue == queue


def test_a_destination_that_the_application_alone_has(tmp_path: Path) -> None:
    """It is no name that leads nowhere."""
    variant = Variant(tmp_path, "clean").edit(RESOURCES, 'value="jms/q/Orders"', 'value="jms/q/App"')
    text = APPLICATION_QUEUE.format("jms/q/App", "ORDERS.IN")
    outcome = variant.write(APPLICATION + "resources.xml", text).run()
    assert outcome.hazard == {}


ADAPTER = (
    '<modules xmi:type="appdeployment:ConnectorModuleDeployment" uri="own.rar">'
    '<targetMappings target="Target_1183122131150"/><resourceAdapter name="Own" archivePath="own.rar">'
    "<deploymentDescriptor><resourceAdapter><inboundResourceAdapter><messageAdapter><messageListeners>"
    '<activationSpec xmi:id="Own_1" activationSpecClass="net.example.OwnSpec"/></messageListeners></messageAdapter>'
    "</inboundResourceAdapter></resourceAdapter></deploymentDescriptor>"
    '<j2cActivationSpec name="OwnAS" jndiName="eis/Own" activationSpec="Own_1"/></resourceAdapter></modules>'
    "</deployedObject>"
)


def test_a_resource_adapter_inside_the_application(tmp_path: Path) -> None:
    """Its activation specifications stand in deployment.xml, and are bound where its module runs."""
    variant = Variant(tmp_path, "clean").edit(DEPLOYMENT, "</deployedObject>", ADAPTER)
    variant.edit(MODULE + "ibm-ejb-jar-bnd.xml", "jms/as/Orders", "eis/Own")
    outcome = variant.run()
    assert "MDB705" not in outcome.hazard
    (endpoint,) = outcome.estate.facts.rows["endpoint"]
    assert (endpoint.name, endpoint.provider, endpoint.server) == ("OwnAS", "generic", "server1")


_DECLARED = (
    '<ejb-jar xmlns="http://java.sun.com/xml/ns/javaee" version="3.1"><enterprise-beans><message-driven>'
    "<ejb-name>OrderBean</ejb-name>{}</message-driven></enterprise-beans></ejb-jar>"
)
_NAMES_ONE = (
    "<activation-config><activation-config-property><activation-config-property-name>destination"
    "</activation-config-property-name><activation-config-property-value>jms/q/Orders"
    "</activation-config-property-value></activation-config-property></activation-config>"
)


@pytest.mark.parametrize(
    ("descriptor", "binding", "queue"),
    [
        (None, "", None),
        (_DECLARED.format(""), "", "ORDERS.IN"),
        (None, ' destination-binding-name="jms/q/Orders"', "ORDERS.IN"),
        (_DECLARED.format(_NAMES_ONE), "", "ORDERS.IN"),
        (_DECLARED.replace('"3.1"', '"3.1" metadata-complete="true"').format(""), "", "ORDERS.IN"),
    ],
    ids=["binding alone", "declared", "binding names it", "descriptor names it", "complete"],
)
def test_a_destination_that_a_bean_may_override(
    tmp_path: Path, descriptor: str | None, binding: str, queue: str | None
) -> None:
    """Where nothing but the binding of a bean was read, the destination of the activation specification need not be its
    own. What the binding or the descriptor names is, and who declares a bean in a descriptor names it there.
    """
    variant = Variant(tmp_path, "clean")
    variant.edit(MODULE + "ibm-ejb-jar-bnd.xml", '"jms/as/Orders"', f'"jms/as/Orders"{binding}')
    if descriptor is None:
        (variant.folder / MODULE / "ejb-jar.xml").unlink()
    else:
        variant.write(MODULE + "ejb-jar.xml", descriptor)
    outcome = variant.run()
    found = [endpoint.queue for endpoint in outcome.estate.facts.rows["endpoint"]]
    assert found == [queue]
    needs = {entry.need.text for entry in outcome.judgement.undecided}
    asked = (
        "the EAR file of Orders: activation-config properties of its beans may override the destinations of activation "
        "specifications"
    )
    assert (asked in needs) is (queue is None)


def test_a_bus_destination_that_a_bean_may_override(tmp_path: Path) -> None:
    """Without ejb-jar.xml and annotations the bus destination of a bean is not known either."""
    variant = Variant(tmp_path, "bus-exception-none")
    (descriptor,) = variant.folder.rglob("ejb-jar.xml")
    assert variant.run().hazard["MDB501"]
    descriptor.unlink()
    assert "MDB501" in variant.run().undecided
