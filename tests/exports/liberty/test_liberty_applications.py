"""The applications of a Liberty server: beans from their files, and the specification that each of them gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintmdb.engine.repairs import find_alternatives, find_obstacles
from lintmdb.exports.discovery import list_files
from lintmdb.fleet.facts.units import group_units
from lintmdb.model.relations import Bean, Binding
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import Estate, read_estate
from tests.support.java_classes import archive, unpack
from tests.support.scenario import run_scenario
from tests.support.variant import Variant

SERVER = "liberty/servers/orders/"
DECLARED = """<ejb-jar xmlns="http://java.sun.com/xml/ns/javaee" version="3.1" metadata-complete="true">
<enterprise-beans><message-driven><ejb-name>OrderBean</ejb-name><ejb-class>a.B</ejb-class>
<transaction-type>Container</transaction-type></message-driven></enterprise-beans></ejb-jar>"""
BINDING = """<ejb-jar-bnd xmlns="http://websphere.ibm.com/xml/ns/javaee" version="1.1">
<message-driven name="OrderBean">{}</message-driven></ejb-jar-bnd>"""
APPLICATION = """<application xmlns="http://java.sun.com/xml/ns/javaee" version="6">
<module><ejb>orders.jar</ejb></module></application>"""


def with_application(folder: Path, place: str = "apps/Orders.ear", binding: str = "") -> Variant:
    """The clean server with its application."""
    variant = Variant(folder, "liberty-clean")
    module = {"META-INF/ejb-jar.xml": DECLARED}
    if binding:
        module["META-INF/ibm-ejb-jar-bnd.xml"] = BINDING.format(binding)
    data = archive({"META-INF/application.xml": APPLICATION, "orders.jar": archive(module)})
    file = variant.folder / SERVER / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return variant


def bean_and_binding(estate: Estate) -> tuple[list[Bean], list[Binding]]:
    """The rows about the bean."""
    return estate.facts.rows["bean"], estate.facts.rows["binding"]


def test_the_descriptor_settles_what_the_id_leaves_open(tmp_path: Path) -> None:
    """With the EAR nothing about the bean is undecided, and the flow stays one."""
    outcome = run_scenario(with_application(tmp_path).folder, {"on_message": "15s"})
    assert (outcome.hazard, outcome.undecided) == ({}, {})
    ((bean,), (binding,)) = bean_and_binding(outcome.estate)
    assert (bean.application, bean.name, bean.transaction) == ("Orders", "OrderBean", "required")
    assert (binding.target, binding.resolution, binding.auto_start) == ("Orders/orders/OrderBean", "resolved", True)


def test_an_expanded_application_is_the_packed_one(tmp_path: Path) -> None:
    """Liberty runs applications from folders, too; the fleet reads them with their server."""
    packed = with_application(tmp_path / "packed").run()
    variant = with_application(tmp_path / "expanded")
    file = variant.folder / SERVER / "apps/Orders.ear"
    data = file.read_bytes()
    file.unlink()
    unpack(data, file)
    expanded = variant.run()
    assert (packed.hazard, packed.clear, packed.undecided) == (expanded.hazard, expanded.clear, expanded.undecided)
    ((bean,), _) = bean_and_binding(expanded.estate)
    assert (bean.application, bean.transaction) == ("Orders", "required")
    units = [unit.path for unit in group_units(list_files([variant.folder]).files)]
    assert not [path for path in units if "Orders.ear" in path]


@pytest.mark.parametrize(
    ("binding", "target", "resolution"),
    [
        (
            '<jca-adapter activation-spec-binding-name="Orders/orders/OrderBean"/>',
            "Orders/orders/OrderBean",
            "resolved",
        ),
        ('<jca-adapter activation-spec-binding-name="jms/other"/>', "jms/other", "not_defined"),
        ('<listener-port name="LP1"/>', "Orders/orders/OrderBean", "resolved"),
    ],
)
def test_a_binding_names_the_specification(tmp_path: Path, binding: str, target: str, resolution: str) -> None:
    """Liberty has no listener ports, so a binding to one does not count."""
    folder = with_application(tmp_path, binding=binding).folder
    _, (row,) = bean_and_binding(read_estate([folder], Observations()))
    assert (row.kind, row.target, row.resolution) == ("activation_spec", target, resolution)


NAMED = "Orders/ordering/OrderBean"
IN_FOLDER = "Orders/ejb/orders/OrderBean"


def with_module(folder: Path, specification: str, uri: str = "orders.jar", **files: str) -> Variant:
    """The clean server whose only specification has an id, with an EAR of one module."""
    variant = Variant(folder, "liberty-clean")
    for name in ("server.xml", "configDropins/defaults/sessions.xml", "configDropins/overrides/sessions.xml"):
        variant.edit(f"{SERVER}{name}", 'id="Orders/orders/OrderBean"', f'id="{specification}"')
    members = {
        {"ejb": "META-INF/ejb-jar.xml", "bnd": "META-INF/ibm-ejb-jar-bnd.xml"}.get(k, k): v for k, v in files.items()
    }
    listed = f"<ejb>{uri}</ejb>" if uri.endswith(".jar") else f"<web><web-uri>{uri}</web-uri></web>"
    ear = {"META-INF/application.xml": APPLICATION.replace("<ejb>orders.jar</ejb>", listed), uri: archive(members)}
    file = variant.folder / SERVER / "apps/Orders.ear"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(archive(ear))
    return variant


@pytest.mark.parametrize("expanded", [False, True])
@pytest.mark.parametrize(
    ("specification", "uri", "files"),
    [
        (IN_FOLDER, "ejb/orders.jar", {"ejb": DECLARED}),
        (
            NAMED,
            "orders.jar",
            {"ejb": DECLARED.replace("<enterprise", "<module-name>ordering</module-name><enterprise", 1)},
        ),
        (
            NAMED,
            "orders.war",
            {
                "WEB-INF/ejb-jar.xml": DECLARED.replace("<ent", "<module-name>ignored</module-name><ent", 1),
                "WEB-INF/web.xml": "<web-app><module-name>ordering</module-name></web-app>",
            },
        ),
    ],
)
def test_the_module_names_the_specification(
    tmp_path: Path, specification: str, uri: str, files: dict[str, str], expanded: bool
) -> None:
    """By its module-name, of a WAR that in web.xml, else by its path in the EAR with its folders."""
    folder = with_module(tmp_path, specification, uri, **files).folder
    if expanded:
        file = folder / SERVER / "apps/Orders.ear"
        data = file.read_bytes()
        file.unlink()
        unpack(data, file)
    estate = read_estate([folder], Observations())
    (bean,), (binding,) = bean_and_binding(estate)
    assert (binding.target, binding.resolution, bean.transaction) == (specification, "resolved", "required")


LINK = "<message-destination-link>{}</message-destination-link>"
DESTINATION = """<ejb-jar-bnd xmlns="http://websphere.ibm.com/xml/ns/javaee" version="1.1">
<message-destination name="Letters" binding-name="{}"/></ejb-jar-bnd>"""
OTHER_QUEUE = '<jmsQueue id="{}" jndiName="{}"><properties.wmqJms baseQueueName="LETTERS.IN"/></jmsQueue></server>'


def _declaring(*content: str) -> str:
    return DECLARED.replace("</message-driven>", f"{''.join(content)}</message-driven>")


def _config(name: str, value: str) -> str:
    return (
        f"<activation-config><activation-config-property><activation-config-property-name>{name}"
        f"</activation-config-property-name><activation-config-property-value>{value}"
        "</activation-config-property-value></activation-config-property></activation-config>"
    )


@pytest.mark.parametrize(
    ("descriptor", "binding"),
    [
        (_declaring(LINK.format("Letters")), DESTINATION.format("jms/letters")),
        (_declaring(LINK.format("orders.jar#Letters")), DESTINATION.format("lettersIn")),
        (_declaring(LINK.format("lettersIn")), ""),
        (_declaring(LINK.format("jms/letters"), _config("destinationLookup", "jms/orders")), ""),
        (_declaring(_config("destination", "lettersIn")), ""),
        (_declaring(_config("destinationLookup", "jms/letters")), ""),
        (DECLARED, BINDING.format('<jca-adapter destination-binding-name="lettersIn" {}/>'.format(
            'activation-spec-binding-name="Orders/orders/OrderBean"'
        ))),
    ],
)  # fmt: skip
def test_a_bean_names_its_destination(tmp_path: Path, descriptor: str, binding: str) -> None:
    """By message-destination-link, binding or activation-config, which may say its JNDI name or its id."""
    files = {"ejb": descriptor, **({"bnd": binding} if binding else {})}
    variant = with_module(tmp_path, "Orders/orders/OrderBean", **files)
    variant.edit(f"{SERVER}server.xml", "</server>", OTHER_QUEUE.format("lettersIn", "jms/letters"))
    assert variant.row("endpoint").queue == "LETTERS.IN"
    assert not [p for p in variant.run().estate.facts.rows["problem"] if p.kind == "unresolved_name"]


def test_an_id_wins_over_a_jndi_name(tmp_path: Path) -> None:
    """Of two destinations with one name."""
    variant = with_module(tmp_path, "Orders/orders/OrderBean", ejb=_declaring(_config("destination", "both")))
    queues = OTHER_QUEUE.format("other", "both").replace("LETTERS.IN", "WRONG.IN").removesuffix("</server>")
    variant.edit(f"{SERVER}server.xml", "</server>", queues + OTHER_QUEUE.format("both", "jms/letters"))
    assert variant.row("endpoint").queue == "LETTERS.IN"


def test_a_bean_names_its_destination_on_the_bus(tmp_path: Path) -> None:
    """As it does one of IBM MQ."""
    variant = with_module(tmp_path, "Orders/orders/OrderBean", ejb=_declaring(_config("destination", "lettersIn")))
    engine = """<messagingEngine><queue id="ORDERS"/><queue id="LETTERS"/></messagingEngine>
    <jmsQueue id="o" jndiName="jms/o"><properties.wasJms queueName="ORDERS"/></jmsQueue>
    <jmsQueue id="lettersIn"><properties.wasJms queueName="LETTERS"/></jmsQueue></server>"""
    variant.edit(f"{SERVER}server.xml", "</server>", engine)
    for name in ("server.xml", "configDropins/defaults/sessions.xml", "configDropins/overrides/sessions.xml"):
        file = variant.folder / SERVER / name
        text = file.read_text("utf-8").replace("<properties.wmqJms", "<properties.wasJms")
        file.write_text(text.replace('destinationRef="ordersIn"', 'destinationRef="o"'), "utf-8")
    assert variant.row("endpoint").destination_id == "liberty:orders/defaultBus/LETTERS"


@pytest.mark.parametrize(
    ("name", "value", "column", "expected"),
    [
        ("maxSequentialDeliveryFailures", "0", "failure_threshold", 0),
        ("messageRetention", "NO", "message_retention", False),
        ("failIfQuiesce", "false", "fail_if_quiesce", False),
        ("providerVersion", "6", "migration_mode", True),
        ("channel", "OTHER.SVRCONN", "channel", "OTHER.SVRCONN"),
    ],
)
def test_a_bean_has_the_first_word(tmp_path: Path, name: str, value: str, column: str, expected: object) -> None:
    """Any property of a specification in the activation-config of a bean wins over that in server.xml."""
    variant = with_module(tmp_path, "Orders/orders/OrderBean", ejb=_declaring(_config(name, value)))
    assert getattr(variant.row("endpoint"), column) == expected


IN_SERVER = """type="ear"><ejb-jar-bnd {}>
<message-driven name="OrderBean"><jca-adapter {}/></message-driven>
<message-destination name="Letters" binding-name="jms/letters"/></ejb-jar-bnd></application>"""


@pytest.mark.parametrize("module", ['moduleName="orders"', 'MODULENAME="orders.jar"', ""])
@pytest.mark.parametrize(
    ("own", "adapter", "target", "queue"),
    [
        ("", 'activation-spec-binding-name="jms/as"', "jms/as", "ORDERS.IN"),
        ("jms/gone", 'activation-spec-binding-name="jms/as"', "jms/as", "ORDERS.IN"),
        ("jms/as", 'destination-binding-name="jms/letters"', "jms/as", "LETTERS.IN"),
        ("jms/as", "", "jms/as", "ORDERS.IN"),
    ],
)
def test_server_xml_binds_a_bean(tmp_path: Path, module: str, own: str, adapter: str, target: str, queue: str) -> None:
    """What it says wins over the binding file; what it leaves out comes from there."""
    files = {"bnd": BINDING.format(f'<jca-adapter activation-spec-binding-name="{own}"/>')} if own else {}
    variant = with_module(tmp_path, "jms/as", ejb=DECLARED, **files)
    variant.edit(f"{SERVER}server.xml", 'type="ear"/>', IN_SERVER.format(module, adapter))
    variant.edit(f"{SERVER}server.xml", "</server>", OTHER_QUEUE.format("lettersIn", "jms/letters"))
    estate = variant.run().estate
    (bean,), (binding,) = bean_and_binding(estate)
    assert (binding.target, binding.resolution, bean.transaction) == (target, "resolved", "required")
    assert estate.facts.rows["endpoint"][0].queue == queue


def test_server_xml_binds_a_logical_destination(tmp_path: Path) -> None:
    """As it does beans."""
    variant = with_module(
        tmp_path, "jms/as", ejb=_declaring(LINK.format("Letters")), bnd=DESTINATION.format("jms/gone")
    )
    bound = IN_SERVER.format('moduleName="orders"', 'activation-spec-binding-name="jms/as"')
    variant.edit(f"{SERVER}server.xml", 'type="ear"/>', bound)
    variant.edit(f"{SERVER}server.xml", "</server>", OTHER_QUEUE.format("lettersIn", "jms/letters"))
    assert variant.row("endpoint").queue == "LETTERS.IN"


def test_server_xml_tells_of_a_bean_whose_application_is_missing(tmp_path: Path) -> None:
    """What it binds is a bean; what the bean's descriptor may override is not known."""
    variant = with_module(tmp_path, "jms/as", ejb=DECLARED)
    (variant.folder / SERVER / "apps/Orders.ear").unlink()
    bound = IN_SERVER.format('moduleName="orders"', 'activation-spec-binding-name="jms/as"')
    variant.edit(f"{SERVER}server.xml", 'type="ear"/>', bound)
    estate = variant.run().estate
    (bean,), (binding,) = bean_and_binding(estate)
    assert (bean.module, bean.name, bean.transaction) == ("orders", "OrderBean", None)
    assert (binding.target, binding.resolution) == ("jms/as", "resolved")


def test_no_repair_changes_what_a_bean_overrides(tmp_path: Path) -> None:
    """The file of the bean is named instead."""
    config = _config("maxSequentialDeliveryFailures", "0")
    judged = with_module(tmp_path, "Orders/orders/OrderBean", ejb=_declaring(config)).run()
    (finding,) = judged.judgement.findings
    assert (finding.rule.id, find_alternatives(finding.rule, finding.rows)) == ("MDB320", ())
    (obstacle,) = find_obstacles(finding.rule, finding.rows)
    assert (
        "META-INF/ejb-jar.xml has maxSequentialDeliveryFailures=0, which overrides Orders/orders/OrderBean" in obstacle
    )


def test_a_file_elsewhere_is_not_the_server_s(tmp_path: Path) -> None:
    """Only what lies below the folder of the server is; the fleet reads that as one unit."""
    inside = with_application(tmp_path / "inside").folder
    units = group_units(list_files([inside]).files)
    assert sorted(Path(unit.path).name for unit in units) == ["QM1.mqsc", "expected.yaml", "liberty"]
    outside = with_application(tmp_path / "outside", "../../../Orders.ear").folder
    beans, _ = bean_and_binding(read_estate([outside], Observations()))
    assert [bean.transaction for bean in beans if bean.application == "Orders" and bean.module == "orders"] == [None]
