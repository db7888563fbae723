"""Reading WebSphere files: positions, shapes, defaults, and the real backups."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lintmdb.errors import UnreadableError
from lintmdb.exports.was import looks_like_was, read_cells, wanted
from lintmdb.exports.was.objects import CellConfig
from lintmdb.exports.xml import parse_xml
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Endpoint
from lintmdb.resolve.observations import Observations
from lintmdb.resolve.was.cell import resolve_cell

XMI = 'xmlns:xmi="http://www.omg.org/XMI"'


def cell(files: dict[str, str]) -> CellConfig:
    """One cell from file texts by path."""
    readers: list[tuple[str, Callable[[], bytes]]] = [
        (path, lambda text=text: text.encode()) for path, text in files.items()
    ]
    (config,) = read_cells(readers)
    return config


def resources(spec: str) -> str:
    """resources.xml with one MQ activation specification."""
    return (
        f'<xmi:XMI {XMI} xmlns:resources.j2c="x">\n<resources.j2c:J2CResourceAdapter name="MQ">\n'
        '<deploymentDescriptor><a><activationSpec xmi:id="A1" '
        'activationSpecClass="com.ibm.mq.connector.inbound.ActivationSpecImpl"/></a></deploymentDescriptor>\n'
        f"{spec}\n</resources.j2c:J2CResourceAdapter>\n</xmi:XMI>"
    )


def test_attribute_positions_are_exact() -> None:
    """Line and column of an attribute count characters, over several lines, past non-ASCII text and look-alikes."""
    text = '<a>\n  <b name="für \' x"\n     note=\' value="1"\' value="2"/>\n</a>'
    document = parse_xml(text.encode(), "f.xml")
    element = document.root.children[0]
    origin = document.attribute_origin(element, "value")
    assert (origin.line, text.splitlines()[origin.line - 1][origin.column - 1 :]) == (3, 'value="2"/>')
    assert (document.origin(element, "b").line, document.origin(element, "b").column) == (2, 3)


def test_prefixes_do_not_matter() -> None:
    """Types are matched by local name, and a prefix that nobody declared is no error."""
    document = parse_xml(b'<q:a z:type="p:Kind" w:id="7"/>', "f.xml")
    assert (document.root.tag, document.root.type, document.root.get("id")) == ("a", "Kind", "7")


@pytest.mark.parametrize(
    "packed",
    [
        "was_stopEndpointIfDeliveryFails=&quot;false&quot;,was_failureDeliveryCount=&quot;7&quot;,sslType=&quot;X&quot;",
        "sslType=&quot;a,b&quot;,was_failureDeliveryCount=&quot;7&quot;,was_stopEndpointIfDeliveryFails=&quot;false&quot;",
        "was_failureDeliveryCount=7,was_stopEndpointIfDeliveryFails=false",
        " WAS_FAILUREDELIVERYCOUNT = &quot;7&quot; , was_stopendpointifdeliveryfails = &quot;false&quot; ",
    ],
)
def test_arbitrary_properties_are_unpacked(packed: str) -> None:
    """The packed stop settings are read in any order, with and without quotes, in any case."""
    prop = f'<resourceProperties name="arbitraryProperties" value="{packed}"/>'
    spec = f'<j2cActivationSpec name="S" activationSpec="A1">{prop}</j2cActivationSpec>'
    config = cell({"was/cells/C/resources.xml": resources(spec)})
    (found,) = config.activation_specs
    assert found.provider == "wmq"
    assert found.settings["was_failureDeliveryCount"].value == "7"
    assert found.settings["was_stopEndpointIfDeliveryFails"].value == "false"


def _facts(spec: str) -> Facts:
    return resolve_cell(cell({"was/cells/C/resources.xml": resources(spec)}), Observations())


def test_defaults_are_filled_in_and_marked() -> None:
    """What EMF leaves out has the product's default, marked as such at the object's own line."""
    (row,) = _facts('<j2cActivationSpec name="S" activationSpec="A1"/>').rows["endpoint"]
    assert (row.stop_on_failure, row.failure_threshold, row.max_sessions) == (True, 0, 10)
    for column in ("stop_on_failure", "failure_threshold", "max_sessions"):
        assert row.origins[column].default
        assert row.origins[column].line == 4
    assert row.non_asf_rollback_enabled is None


def test_queue_manager_bug_is_stripped() -> None:
    """A queue manager stored with the option's name in front of it is read as meant."""
    prop = '<resourceProperties name="queueManager" value="-qmgrName QM1"/>'
    (row,) = _facts(f'<j2cActivationSpec name="S" activationSpec="A1">{prop}</j2cActivationSpec>').rows["endpoint"]
    assert row.queue_manager == "QM1"


def test_queue_manager_groups_are_not_names() -> None:
    """An asterisk names a group of queue managers; which one it is stays unknown."""
    prop = '<resourceProperties name="queueManager" value="*GROUP"/>'
    (row,) = _facts(f'<j2cActivationSpec name="S" activationSpec="A1">{prop}</j2cActivationSpec>').rows["endpoint"]
    assert row.queue_manager is None


def _topic_spec(*properties: tuple[str, str]) -> Endpoint:
    stated = {"destinationType": "javax.jms.Topic", "destination": "orders/new", "useJNDI": "false"} | dict(properties)
    props = "".join(f'<resourceProperties name="{name}" value="{value}"/>' for name, value in stated.items())
    (row,) = _facts(f'<j2cActivationSpec name="S" activationSpec="A1">{props}</j2cActivationSpec>').rows["endpoint"]
    assert isinstance(row, Endpoint)
    return row


@pytest.mark.parametrize(
    ("destination", "topic"),
    [
        ("orders/new", "orders/new"),
        ("topic://orders/new?targetClient=1", "orders/new"),
        ("topic:///orders", "/orders"),
        ("topic://a%20b", "a b"),
        (" ", None),
    ],
)
def test_topic_strings(destination: str, topic: str | None) -> None:
    """A topic that an activation specification names itself is a name or a URI, and never a queue."""
    row = _topic_spec(("destination", destination))
    assert (row.topic, row.queue, row.destination_type) == (topic, None, "topic")


@pytest.mark.parametrize(
    ("written", "durable", "default"),
    [
        ("Durable", True, False),
        ("NonDurable", False, False),
        ("nondurable", False, False),
        ("", False, True),
        ("x", None, False),
    ],
)
def test_subscription_durability(written: str, durable: bool | None, default: bool) -> None:
    """subscriptionDurability is Durable or NonDurable, and NonDurable where it is not set."""
    row = _topic_spec(("subscriptionDurability", written))
    assert row.subscription_durable is durable
    assert row.origins["subscription_durable"].default is default


@pytest.mark.parametrize(
    ("version", "migration"),
    [
        ("", False),
        ("unspecified", False),
        ("UNSPECIFIED", False),
        ("6", True),
        ("6.0.0.0", True),
        ("7", False),
        ("?", None),
    ],
)
def test_provider_version(version: str, migration: bool | None) -> None:
    """Provider version 6 asks for migration mode; nothing and other versions do not."""
    assert _topic_spec(("providerVersion", version)).migration_mode is migration


def test_the_channel_of_an_activation_specification() -> None:
    """Without a channel it is SYSTEM.DEF.SVRCONN, unless a client channel definition table names it."""
    default = _topic_spec()
    assert (default.channel, default.origins["channel"].default) == ("SYSTEM.DEF.SVRCONN", True)
    assert _topic_spec(("channel", "C")).channel == "C"
    assert _topic_spec(("ccdtURL", "file:///x/AMQCLCHL.TAB")).channel is None


DURABLE_EJB20 = (
    "<message-driven-destination><destination-type>javax.jms.Topic</destination-type>"
    "<subscription-durability>Durable</subscription-durability></message-driven-destination>"
)
DURABLE_EJB21 = (
    "<activation-config><activation-config-property>"
    "<activation-config-property-name>subscriptionDurability</activation-config-property-name>"
    "<activation-config-property-value>Durable</activation-config-property-value>"
    "</activation-config-property></activation-config>"
)


@pytest.mark.parametrize(
    ("version", "declared", "durable"),
    [
        ('version="2.1"', "", False),
        ('version="3.1" xmlns="j"', "", None),
        ('version="3.1" xmlns="j" metadata-complete="true"', "", False),
        (
            "",
            DURABLE_EJB20,
            True,
        ),
        (
            'version="2.1"',
            DURABLE_EJB21,
            True,
        ),
    ],
)
def test_beans_of_listener_ports_subscribe(version: str, declared: str, durable: bool | None) -> None:
    """A listener port's bean tells in either form how it subscribes; annotations could, so silence may be unknown."""
    port = '<listenerPorts name="LP" connectionFactoryJNDIName="jms/cf" destinationJNDIName="jms/t" maxSessions="1"/>'
    server = (
        f'<process:Server {XMI} xmlns:process="p" name="S1"><components xmi:type="a:ApplicationServer">'
        '<components xmi:type="a:EJBContainer"><services xmi:type="a:MessageListenerService">'
        f"{port}</services></components></components></process:Server>"
    )
    jms = (
        f'<xmi:XMI {XMI} xmlns:resources.jms="j"><resources.jms:JMSProvider name="MQ">'
        '<factories xmi:type="m:MQTopic" name="T" jndiName="jms/t" baseTopicName="orders"/>'
        '<factories xmi:type="m:MQTopicConnectionFactory" name="CF" jndiName="jms/cf" queueManager="QM1"/>'
        "</resources.jms:JMSProvider></xmi:XMI>"
    )
    beans = (
        f"<ejb-jar {version}><enterprise-beans><message-driven id='B_ID'><ejb-name>B</ejb-name>{declared}"
        "</message-driven></enterprise-beans></ejb-jar>"
    )
    bound = '<ejb-jar-bnd><message-driven name="B"><listener-port name="LP"/></message-driven></ejb-jar-bnd>'
    files = {"server.xml": server, "resources.xml": jms, "ejb-jar.xml": beans, "ibm-ejb-jar-bnd.xml": bound}
    if "xmlns" not in version:
        del files["ibm-ejb-jar-bnd.xml"]
        files["ibm-ejb-jar-bnd.xmi"] = (
            f'<ejbbnd:EJBJarBinding {XMI} xmlns:ejbbnd="b"><ejbBindings listenerInputPortName="LP">'
            '<enterpriseBean href="META-INF/ejb-jar.xml#B_ID"/></ejbBindings></ejbbnd:EJBJarBinding>'
        )
    config = cell(files)
    found = resolve_cell(config, Observations())
    assert [(row.topic, row.queue_manager) for row in found.rows["endpoint"]] == [("orders", "QM1")]
    assert [row.subscription_durable for row in found.rows["bean"]] == [durable]


def test_variables_by_scope() -> None:
    """A variable is taken from the closest scope, nested, and one that goes round has no value."""
    variables = "<variables:VariableMap xmlns:variables='v'>{}</variables:VariableMap>"
    entry = "<entries symbolicName='{}' value='{}'/>"
    prop = '<resourceProperties name="queueManager" value="${QM}"/>'
    prop += '<resourceProperties name="maxPoolDepth" value="${LOOP}"/>'
    spec = f'<j2cActivationSpec name="S" activationSpec="A1">{prop}</j2cActivationSpec>'
    config = cell(
        {
            "was/cells/C/variables.xml": variables.format(entry.format("QM", "FAR") + entry.format("LOOP", "${LOOP}")),
            "was/cells/C/nodes/N/variables.xml": variables.format(
                entry.format("QM", "$(PREFIX)1") + entry.format("PREFIX", "QM")
            ),
            "was/cells/C/nodes/N/resources.xml": resources(spec),
        }
    )
    found = resolve_cell(config, Observations())
    (row,) = found.rows["endpoint"]
    assert (row.queue_manager, row.max_sessions) == ("QM1", None)
    assert found.rows["problem"] == []  # no bean uses the specification: nobody knows from where it is looked up


@pytest.mark.parametrize(
    ("member", "is_wanted"),
    [
        ("cells/C/cell.xml", True),
        ("x/config/cells/C/nodes/N/servers/S/server.xml", True),
        ("cells/C/clusters/K/resources.xml", True),
        ("cells/C/buses/B/sib-destinations.xml", True),
        ("cells/C/applications/A.ear/deployments/A/m.jar/META-INF/ibm-ejb-jar-bnd.xmi", True),
        ("cells/C/applications/A.ear/deployments/A/w.war/WEB-INF/ejb-jar.xml", True),
        ("cells/C/applications/A.ear/deployments/A/META-INF/ibmconfig/cells/defaultCell/resources.xml", False),
        ("cells/C/nodes/N/servers/S/ws-security.xml", False),
        ("cells/C/security.xml.bak", False),
        ("templates/servertypes/T/servers/S/server.xml", False),
        ("cells/C/applications/A.ear/A.ear", True),
        ("cells/C/applications/A.ear/notes.txt", False),
    ],
)
def test_wanted(member: str, is_wanted: bool) -> None:
    """Only files at the places where WebSphere keeps them are wanted."""
    assert wanted(member) is is_wanted


def test_nested_xml_is_refused_with_its_place() -> None:
    """Nesting beyond the limit is one error with line and column."""
    with pytest.raises(UnreadableError, match="nested deeper") as caught:
        parse_xml(b"<a>\n" * 300, "f.xml")
    assert caught.value.line == 200


def test_corpus_backups(corpus: Path) -> None:
    """The two public backups have the servers, nodes and versions that were counted by hand."""
    expected: dict[str, Any] = {
        "084_was80nd-backupConfig.zip": (
            "websphere80ndCell01",
            "8.0.0.5",
            ["server1", "server1", "server2", "server3"],
        ),
        "086_was90nd-backupConfig.zip": (
            "websphere90ndCell01",
            "9.0.0.8",
            ["server1", "server1", "server2", "server3"],
        ),
    }
    for name, (cell_name, version, servers) in expected.items():
        with zipfile.ZipFile(corpus / "was" / name) as archive:
            names = [member for member in archive.namelist() if wanted(f"{name}!/{member}")]
            (config,) = read_cells(
                (f"{name}!/{member}", lambda member=member: archive.read(member)) for member in names
            )
        assert config.name == cell_name
        assert sorted(server.name for server in config.servers) == servers
        assert {node.version.value for node in config.nodes.values() if node.version} == {version}
        assert len(config.nodes) == 3
        assert config.problems == []


def test_corpus_files(corpus: Path) -> None:
    """Every public file that looks like WebSphere's is read without an exception or a problem."""
    files = [f for f in sorted((corpus / "was").iterdir()) if looks_like_was(f.read_bytes()[:8192]) is not None]
    assert len(files) == 22
    (config,) = read_cells((file.as_posix(), file.read_bytes) for file in files)
    assert config.problems == []
    beans = {bean.name: bean for app in config.applications for module in app.modules for bean in module.beans}
    assert beans["ConsumerMDB"].binding is not None
    assert beans["ConsumerMDB"].binding.target.value == "JNDI/J2C/AS"
    assert beans["WindupMLBean"].binding is not None
    resolve_cell(config, Observations())


def test_an_attribute_after_a_line_end_is_found_in_its_own_tag() -> None:
    """A look-alike in a later element is not taken for an attribute that stands at the start of a line."""
    text = '<a>\n<b\nname="x" note="a>b"\n  last="z"/>\n<c name="y" last="w"/>\n</a>'
    document = parse_xml(text.encode(), "f.xml")
    first = document.root.children[0]
    places = {name: document.attribute_origin(first, name) for name in ("name", "note", "last")}
    assert {name: (place.line, place.column) for name, place in places.items()} == {
        "name": (3, 1),
        "note": (3, 10),
        "last": (4, 3),
    }


PROPERTY = '  <resourceProperties xmi:id="P{0}" name="{1}" type="java.lang.String" value="{2}" required="false"/>'


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_properties_that_nobody_reads_move_nothing(end: str) -> None:
    """What is left stands where the file has it, whether the lines between were parsed or passed over."""
    names = ["other", "maxPoolDepth", "maxPoolDepthOfOther", "other", "port", "x"]
    lines = [
        "<a xmlns:xmi='x'>",
        *(PROPERTY.format(n, name, f"v{n}") for n, name in enumerate(names)),
        "  <b c='d'/>",
        "</a>",
    ]
    data = end.join(lines).encode()
    document = parse_xml(data, "r.xml", properties={"maxPoolDepth", "port"})
    assert [child.get("name") for child in document.root.children] == ["maxPoolDepth", "port", ""]
    for child, (number, value) in zip(document.root.children, ((3, "v1"), (6, "v4")), strict=False):
        origin = document.attribute_origin(child, "value")
        assert (child.line, child.column) == (number, 3)
        assert (origin.line, origin.column) == (number, lines[number - 1].index("value=") + 1)
        assert origin.text == f'value="{value}"'
    assert (document.root.children[2].line, document.root.children[2].column) == (8, 3)


@pytest.mark.parametrize(
    "spoilt",
    [
        PROPERTY.format(1, "other", "a<b"),
        PROPERTY.format(1, "other", "a&b"),
        PROPERTY.format(1, "other", 'a"b'),
        PROPERTY.format(1, "other", "a\x01b"),
        PROPERTY.format(1, "other", 'a" name="port'),
        PROPERTY.format(1, "other", "a").replace("/>", ">"),
        PROPERTY.format(1, "other", "a").replace(' type="', " type"),
    ],
)
def test_a_property_that_nobody_reads_must_be_xml(spoilt: str) -> None:
    """What is passed over is sound; anything else goes to the parser, which says where it stops."""
    data = "\n".join(["<a xmlns:xmi='x'>", PROPERTY.format(0, "other", "v"), spoilt, "</a>"]).encode()
    with pytest.raises(UnreadableError, match="not well-formed") as caught:
        parse_xml(data, "r.xml", properties={"port"})
    assert caught.value.line in (3, 4)


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (
            '<?xml version="1.0"?><xmi:XMI xmlns:r="http://www.ibm.com/websphere/appserver/schemas/5.0/resources.xmi"/>',
            "resources",
        ),
        (
            '<?xml version="1.0"?><xmi:XMI xmlns:r="http://www.ibm.com/websphere/appserver/schemas/5.0/other.xmi"/>',
            None,
        ),
        ('<?xml version="1.0"?><xmi:XMI xmlns:uml="http://www.omg.org/spec/UML"/>', None),
        ('<!-- <server> --><process:Server xmlns:xmi="http://www.omg.org/XMI"/>', "server"),
        ('<Server port="8005" shutdown="SHUTDOWN"/>', None),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_kinds_of_loose_files(head: str, kind: str | None, encoding: str) -> None:
    """A file in no cell tree is known by its root and its namespaces, which files of other products lack."""
    assert looks_like_was(head.encode(encoding)) == kind


@pytest.mark.parametrize(
    ("properties", "provider"),
    [
        ({"was_stopEndpointIfDeliveryFails": "true"}, "wmq"),
        ({"busName": "OrdersBus"}, "sib"),
        ({"anything": "1"}, None),
    ],
)
def test_providers_without_a_descriptor(properties: dict[str, str], provider: str | None) -> None:
    """An adapter whose descriptor is cut away is known by properties that only one provider has."""
    written = "".join(f'<resourceProperties name="{name}" value="{value}"/>' for name, value in properties.items())
    text = (
        f'<xmi:XMI {XMI} xmlns:resources.j2c="x"><resources.j2c:J2CResourceAdapter name="A">'
        f'<j2cActivationSpec name="S" jndiName="jms/S">{written}</j2cActivationSpec>'
        "</resources.j2c:J2CResourceAdapter></xmi:XMI>"
    )
    (spec,) = cell({"cells/C/resources.xml": text}).activation_specs
    assert spec.provider == provider


def test_packed_properties_between_rubbish() -> None:
    """What is no pair between two commas is passed over, and the pairs around it are read."""
    packed = "maxPoolDepth=&quot;3&quot;,rubbish here,transportType=&quot;CLIENT&quot;,and more"
    spec = (
        '<j2cActivationSpec name="S" activationSpec="A1"><resourceProperties name="arbitraryProperties" '
        f'value="{packed}"/></j2cActivationSpec>'
    )
    (read,) = cell({"cells/C/resources.xml": resources(spec)}).activation_specs
    assert [read.settings[name].value for name in ("maxPoolDepth", "transportType")] == ["3", "CLIENT"]


def test_custom_properties_of_a_messaging_engine() -> None:
    """They are settings of the engine, each with its place; one without a value is none."""
    text = (
        f'<xmi:XMI {XMI} xmlns:sibresources="x"><sibresources:SIBMessagingEngine name="n.s-Bus" busName="Bus">'
        '\n<properties name="sib.custom" value="7"/><properties name="sib.none"/>'
        "</sibresources:SIBMessagingEngine></xmi:XMI>"
    )
    (engine,) = cell({"cells/C/nodes/N/servers/S/sib-engines.xml": text}).engines
    assert engine.settings["sib.custom"].value == "7"
    assert engine.settings["sib.custom"].origin.line == 2
    assert "sib.none" not in engine.settings


def test_a_cluster_file_without_its_cluster() -> None:
    """cluster.xml with another root has no members, and is no error."""
    config = cell({"cells/C/clusters/K/cluster.xml": f"<xmi:XMI {XMI}/>"})
    assert [(cluster.name, cluster.members) for cluster in config.clusters.values()] == [("K", ())]


def test_tls_that_nobody_asks_for_is_left_out() -> None:
    """No verdict depends on the TLS settings of a specification, so a check without changes does not read them."""
    spec = '<j2cActivationSpec name="AS" activationSpec="A1">{}\n</j2cActivationSpec>'
    written = {"maxPoolDepth": "5", "sslCipherSuite": "TLS_X", "sslPeerName": "CN=*", "channel": "C1"}
    lines = [f'\n<resourceProperties xmi:id="p" name="{name}" value="{value}"/>' for name, value in written.items()]
    data = resources(spec.format("".join(lines))).encode()
    path = "cells/C1/resources.xml"
    for tls, names in ((True, written.keys()), (False, {"maxPoolDepth", "channel"})):
        (config,) = read_cells([(path, lambda: data)], tls=tls)
        (found,) = config.activation_specs
        assert found.settings.keys() == names
        assert {name: setting.value for name, setting in found.settings.items()}.items() <= written.items()
