"""EAR, WAR and JAR files: in a repository, next to it, and before they are deployed."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from lintmdb.exports.discovery import discover, list_files
from lintmdb.fleet.facts.units import group_units
from lintmdb.model.relations import Bean
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.support.java_classes import JavaMethod, Note, archive, attribute, java_class, management, message_driven
from tests.support.scenario import Outcome, run_scenario
from tests.support.variant import Variant

FOLDER = "was/cells/C1/applications/Orders.ear/"
DEPLOYMENT = FOLDER + "deployments/Orders/deployment.xml"
MODULE = FOLDER + "deployments/Orders/orders.jar/META-INF/"
EAR = FOLDER + "Orders.ear"
COMPLETE = 'version="3.1" metadata-complete="true"'
ATTRIBUTE = "<trans-attribute>Required</trans-attribute>"
CONTAINER = "<transaction-type>Container</transaction-type>"
CLASS = "net/example/orderbean/OrderBean"
BINDING = (
    '<ejb-jar-bnd xmlns="http://websphere.ibm.com/xml/ns/javaee" version="1.1"><message-driven name="OrderBean">'
    '<jca-adapter activation-spec-binding-name="jms/as/Orders"/></message-driven></ejb-jar-bnd>'
)
APPLICATION = (
    '<application xmlns="http://java.sun.com/xml/ns/javaee" version="6">'
    "<module><ejb>orders.jar</ejb></module></application>"
)


def ear(*classes: tuple[str, bytes], **members: bytes | str) -> bytes:
    """Orders.ear with one module of these classes, and other members."""
    module = archive({f"{name}.class": data for name, data in classes})
    return archive({"META-INF/application.xml": APPLICATION, "orders.jar": module, **members})


def order_bean(*notes: Note, **parts: object) -> tuple[str, bytes]:
    """The bean of the scenario ``clean`` as a class."""
    return CLASS, java_class(CLASS, message_driven(), *notes, **parts)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def put(variant: Variant, file: str, data: bytes) -> Variant:
    """Add a file of bytes."""
    (variant.folder / file).write_bytes(data)
    return variant


def annotated(tmp_path: Path, data: bytes | None) -> Variant:
    """The scenario ``clean`` whose bean only annotations describe, with or without its EAR."""
    variant = Variant(tmp_path, "clean")
    (variant.folder / MODULE / "ejb-jar.xml").unlink()
    return variant if data is None else put(variant, EAR, data)


def verdicts(outcome: Outcome) -> tuple[dict[str, list[str]], dict[str, list[str]], dict[str, list[str]]]:
    """All verdicts by rule."""
    return outcome.hazard, outcome.clear, outcome.undecided


def the_bean(outcome: Outcome) -> Bean:
    """The only bean."""
    (row,) = outcome.estate.facts.rows["bean"]
    return row


@pytest.mark.parametrize("fill", ["QLOCAL(ORDERS.IN)", "BOTHRESH(0)"])
@pytest.mark.parametrize("kind", ["Required", "NotSupported", "Bean", "default"])
@pytest.mark.parametrize("where", ["class", "method", "superclass", "library"])
def test_annotations_say_what_descriptors_say(tmp_path: Path, fill: str, kind: str, where: str) -> None:
    """The law: the same bean, described by a complete descriptor or by annotations, has the same verdicts."""
    declared = Variant(tmp_path / "declared", "clean")
    if kind == "Bean":
        declared.edit(MODULE + "ejb-jar.xml", CONTAINER, "<transaction-type>Bean</transaction-type>")
    elif kind == "default":
        declared.edit(MODULE + "ejb-jar.xml", "<method-name>onMessage", "<method-name>other")
    else:
        declared.edit(MODULE + "ejb-jar.xml", ATTRIBUTE, f"<trans-attribute>{kind}</trans-attribute>")
    notes = {
        "Required": [attribute("REQUIRED")],
        "NotSupported": [attribute("NOT_SUPPORTED")],
        "Bean": [management("BEAN")],
        "default": list[Note](),
    }[kind]
    on_class, on_method = ([], notes) if where == "method" and kind != "Bean" else (notes, [])
    if where in ("class", "method"):
        data = ear(order_bean(*on_class, methods=[JavaMethod(notes=on_method)]))
    else:
        base = java_class("lib/Base", *on_class)
        own = order_bean(*(notes if kind == "Bean" else ()), methods=(), superclass="lib/Base")
        inside = where == "superclass"
        data = (
            ear(own, ("lib/Base", base)) if inside else ear(own, **{"lib/base.jar": archive({"lib/Base.class": base})})
        )
    told = annotated(tmp_path / "annotated", data)
    if fill == "BOTHRESH(0)":
        for variant in (declared, told):
            variant.edit("mq/QM1.mqsc", "BOTHRESH(3)", "BOTHRESH(0)")
    first, second = declared.run(), told.run()
    assert the_bean(first).transaction == the_bean(second).transaction
    assert verdicts(first) == verdicts(second)


def test_without_the_file_it_stays_undecided(tmp_path: Path) -> None:
    """A bean of which only its binding is known has no transaction attribute, and the report asks for the EAR."""
    outcome = annotated(tmp_path, None).run()
    assert the_bean(outcome).transaction is None


def test_where_it_was_read(tmp_path: Path) -> None:
    """The place of an annotation is the class in its archives."""
    outcome = annotated(tmp_path, ear(order_bean(attribute("NOT_SUPPORTED")))).run()
    origin = the_bean(outcome).origins["transaction"]
    assert origin.path.endswith(f"Orders.ear/Orders.ear!/orders.jar!/{CLASS}.class")
    assert (origin.line, origin.text) == (0, "@TransactionAttribute(NOT_SUPPORTED)")


@pytest.mark.parametrize("package", ["javax", "jakarta"])
def test_activation_config_of_annotations(tmp_path: Path, package: str) -> None:
    """A property of the bean overrides the activation specification, wherever it is written."""
    note = message_driven("", package, maxPoolDepth="3")
    method = JavaMethod("onMessage", f"(L{package}/jms/Message;)V")
    variant = annotated(tmp_path, ear((CLASS, java_class(CLASS, note, methods=[method]))))
    assert variant.row("endpoint").max_sessions == 3


def test_descriptors_win_over_annotations(tmp_path: Path) -> None:
    """Value by value: what ejb-jar.xml leaves out the annotations add, unless it is complete."""
    notes = [attribute("NOT_SUPPORTED"), management("CONTAINER")]
    data = ear(order_bean(*notes))
    variant = put(Variant(tmp_path / "a", "clean"), EAR, data)
    assert variant.row("bean").transaction == "required"  # complete
    variant = put(Variant(tmp_path / "b", "clean").edit(MODULE + "ejb-jar.xml", COMPLETE, 'version="3.1"'), EAR, data)
    assert variant.row("bean").transaction == "required"  # its own value
    variant.edit(MODULE + "ejb-jar.xml", "<method-name>onMessage", "<method-name>other")
    assert variant.row("bean").transaction == "not_supported"


def test_a_transaction_type_in_the_descriptor_wins(tmp_path: Path) -> None:
    """Container in ejb-jar.xml wins over BEAN in the class; left out, BEAN counts whatever the attribute is."""
    variant = Variant(tmp_path, "clean").edit(MODULE + "ejb-jar.xml", COMPLETE, 'version="3.1"')
    put(variant, EAR, ear(order_bean(management("BEAN"))))
    assert variant.row("bean").transaction == "required"
    variant.edit(MODULE + "ejb-jar.xml", CONTAINER, "")
    assert variant.row("bean").transaction == "bean"


def test_a_class_that_only_the_descriptor_names(tmp_path: Path) -> None:
    """ejb-class leads to a class without @MessageDriven, whose other annotations count."""
    variant = Variant(tmp_path, "clean").edit(MODULE + "ejb-jar.xml", COMPLETE, 'version="3.1"')
    variant.edit(MODULE + "ejb-jar.xml", "<method-name>onMessage", "<method-name>other")
    put(variant, EAR, ear((CLASS, java_class(CLASS, attribute("NOT_SUPPORTED")))))
    assert variant.row("bean").transaction == "not_supported"


def test_the_merged_descriptor(tmp_path: Path) -> None:
    """ejb-jar_merged.xml holds the annotations, so nothing else is asked, and it replaces ejb-jar.xml."""
    variant = Variant(tmp_path, "clean")
    merged = (variant.folder / MODULE / "ejb-jar.xml").read_text("utf-8").replace(COMPLETE, 'version="3.1"')
    variant.write(
        MODULE + "ejb-jar_merged.xml", merged.replace(ATTRIBUTE, "<trans-attribute>NotSupported</trans-attribute>")
    )
    assert variant.row("bean").transaction == "not_supported"


def test_metadata_from_binaries(tmp_path: Path) -> None:
    """With useMetadataFromBinaries the descriptors and bindings in the EAR count, and the copies do not."""
    variant = Variant(tmp_path, "clean")
    before = variant.run()
    copy = (variant.folder / MODULE / "ejb-jar.xml").read_text("utf-8")
    variant.edit(DEPLOYMENT, 'deploymentId="0"', 'deploymentId="0" useMetadataFromBinaries="true"')
    variant.edit(MODULE + "ejb-jar.xml", ATTRIBUTE, "<trans-attribute>NotSupported</trans-attribute>")
    module = archive({"META-INF/ejb-jar.xml": copy, "META-INF/ibm-ejb-jar-bnd.xml": BINDING})
    put(variant, EAR, archive({"META-INF/application.xml": APPLICATION, "orders.jar": module}))
    after = variant.run()
    assert verdicts(after) == verdicts(before)
    assert the_bean(after).origins["transaction"].path.endswith("Orders.ear!/orders.jar!/META-INF/ejb-jar.xml")


def test_a_bean_without_a_binding(tmp_path: Path) -> None:
    """A bean that only an annotation declares and that nothing binds is told."""
    stray = java_class("shop/StrayBean", message_driven())
    outcome = annotated(tmp_path, ear(order_bean(), ("shop/StrayBean", stray))).run()
    assert outcome.hazard["MDB706"] == ["orders.jar/StrayBean"]


def test_an_ear_beside_the_repository(tmp_path: Path) -> None:
    """The user adds the EAR file of an application whose repository was exported without it."""
    inside = annotated(tmp_path / "inside", ear(order_bean(attribute("NOT_SUPPORTED")))).run()
    beside = annotated(tmp_path / "beside", None)
    (beside.folder / "Orders.ear").write_bytes(ear(order_bean(attribute("NOT_SUPPORTED"))))
    assert verdicts(beside.run()) == verdicts(inside)


@pytest.mark.parametrize("cell", ["C1", "OTHER"])
def test_an_ear_where_the_repository_keeps_it(tmp_path: Path, cell: str) -> None:
    """Named by itself from another copy of the configuration, it is that of the cell with this name alone."""
    inside = annotated(tmp_path / "inside", ear(order_bean(attribute("NOT_SUPPORTED"))))
    beside = annotated(tmp_path / "beside", None)
    kept = beside.folder / f"copy/config/cells/{cell}/applications/Orders.ear/Orders.ear"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(ear(order_bean(attribute("NOT_SUPPORTED"))))
    assert (verdicts(beside.run()) == verdicts(inside.run())) == (cell == "C1")


def test_the_fleet_reads_them_together(tmp_path: Path) -> None:
    """An EAR beside a repository belongs to the unit of the cell that deploys it, and to no other."""
    beside = annotated(tmp_path, None)
    for name in ("Orders.ear", "Other.ear"):
        (beside.folder / name).write_bytes(ear(order_bean()))
    units = {unit.path: len(unit.files) for unit in group_units(list_files([beside.folder]).files)}
    cell = (beside.folder / "was/cells/C1").as_posix()
    assert (beside.folder / "Orders.ear").as_posix() not in units
    assert units[(beside.folder / "Other.ear").as_posix()] == 1
    put(beside, EAR, ear(order_bean()))
    apart = {unit.path: len(unit.files) for unit in group_units(list_files([beside.folder]).files)}
    assert apart[(beside.folder / "Orders.ear").as_posix()] == 1
    assert apart[cell] == units[cell]


def test_another_version_beside_the_repository(tmp_path: Path) -> None:
    """An EAR without the deployed module is another version: that is told, and nothing is taken from it."""
    variant = annotated(tmp_path, archive({"META-INF/application.xml": APPLICATION, "other.jar": archive({})}))
    outcome = variant.run()
    assert the_bean(outcome).transaction is None
    (problem,) = outcome.estate.facts.rows["problem"]
    assert "orders.jar" in problem.text


def test_an_inherited_method_that_is_nowhere(tmp_path: Path) -> None:
    """The superclass lies in a shared library: the attribute is unknown, and one problem says what is missing."""
    outcome = annotated(tmp_path, ear(order_bean(methods=(), superclass="lib/Base"))).run()
    assert the_bean(outcome).transaction is None
    (problem,) = outcome.estate.facts.rows["problem"]
    assert "lib.Base" in problem.text


_DECLARED = (
    '<ejb-jar xmlns="http://java.sun.com/xml/ns/javaee" version="3.1"{}><enterprise-beans><message-driven>'
    "<ejb-name>OrderBean</ejb-name><ejb-class>{}</ejb-class>{}</message-driven></enterprise-beans></ejb-jar>"
)


@pytest.mark.parametrize(
    ("descriptor", "told"),
    [
        (_DECLARED.format("", "lib.Base", ""), True),
        (_DECLARED.format("", "lib.Base", "<transaction-type>Bean</transaction-type>"), False),
        (_DECLARED.format(' metadata-complete="true"', "lib.Base", ""), False),
        (_DECLARED.format("", "shop.Plain", ""), False),
    ],
)
def test_a_class_that_is_nowhere(tmp_path: Path, descriptor: str, told: bool) -> None:
    """It lies in a shared library: one problem says what is missing, where annotations may decide something."""
    variant = annotated(tmp_path, ear(("shop/Plain", java_class("shop/Plain"))))
    outcome = variant.write(MODULE + "ejb-jar.xml", descriptor).run()
    found = [problem.text for problem in outcome.estate.facts.rows["problem"]]
    text = "ejb-jar.xml names lib.Base as the class of OrderBean: its class file is not in the application, or is there"
    assert [each.partition(" in several")[0] for each in found] == [text] * told
    rest = "Verdicts rest on the destination that an activation specification, a descriptor or a binding names"
    assert all(each.endswith(f"is unknown. {rest}") for each in found)


def test_two_libraries_that_differ(tmp_path: Path) -> None:
    """Which of two classes of one name a server takes is not known."""
    jars = {f"lib/{name}.jar": archive({"lib/Base.class": java_class("lib/Base", attribute(value))})
            for name, value in (("a", "REQUIRED"), ("b", "NOT_SUPPORTED"))}  # fmt: skip
    outcome = annotated(tmp_path, ear(order_bean(methods=(), superclass="lib/Base"), **jars)).run()
    assert the_bean(outcome).transaction is None


def test_beans_in_a_web_module(tmp_path: Path) -> None:
    """WEB-INF/classes and WEB-INF/lib, with the binding in WEB-INF; what lies in classes wins."""
    variant = Variant(tmp_path, "clean")
    (variant.folder / MODULE / "ejb-jar.xml").unlink()
    (variant.folder / MODULE / "ibm-ejb-jar-bnd.xml").unlink()
    variant.edit(DEPLOYMENT, 'uri="orders.jar"', 'uri="shop.war"')
    variant.write(FOLDER + "deployments/Orders/shop.war/WEB-INF/ibm-ejb-jar-bnd.xml", BINDING)
    name, data = order_bean(attribute("NOT_SUPPORTED"))
    library = archive({f"{name}.class": order_bean()[1]})
    war = archive(
        {f"WEB-INF/classes/{name}.class": data, "WEB-INF/lib/beans.jar": library, "WEB-INF/web.xml": "<web-app/>"}
    )
    application = APPLICATION.replace("<ejb>orders.jar</ejb>", "<web><web-uri>shop.war</web-uri></web>")
    put(variant, EAR, archive({"META-INF/application.xml": application, "shop.war": war}))
    assert variant.row("bean").transaction == "not_supported"
    war = archive({"WEB-INF/lib/beans.jar": archive({f"{name}.class": data}), "WEB-INF/web.xml": "<web-app/>"})
    put(variant, EAR, archive({"META-INF/application.xml": application, "shop.war": war}))
    row = variant.row("bean")
    assert row.transaction == "not_supported"
    assert row.origins["transaction"].path.endswith(f"!/shop.war!/WEB-INF/lib/beans.jar!/{CLASS}.class")


RESOURCES = "META-INF/ibmconfig/cells/defaultCell/applications/defaultApp/deployments/defaultApp/"


def enhanced(folder: Path, *, exploded: bool = False) -> Path:
    """An enhanced EAR, given before it is deployed: its module, and the activation specification that it brings."""
    clean = Variant(folder, "clean").folder
    specs = (clean / "was/cells/C1/nodes/node1/servers/server1/resources.xml").read_bytes()
    server = (clean / DEPLOYMENT).read_text("utf-8")
    deployment = "\n".join(line for line in server.splitlines() if "argetMapping" not in line and "Target" not in line)
    members = {RESOURCES + "resources.xml": specs, RESOURCES + "deployment.xml": deployment.encode()}
    name, data = order_bean(attribute("NOT_SUPPORTED"))
    module = {f"{name}.class": data, "META-INF/ibm-ejb-jar-bnd.xml": BINDING.encode()}
    target = folder / "given"
    target.mkdir()
    if exploded:
        members |= {f"orders/{path}": content for path, content in module.items()}
        for path, content in members.items():
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(content)
    else:
        (target / "Orders.ear").write_bytes(
            archive({"META-INF/application.xml": APPLICATION, "orders.jar": archive(module), **members})
        )
    (target / "QM1.mqsc").write_bytes((clean / "mq/QM1.mqsc").read_bytes())
    return target


def test_an_enhanced_ear_before_it_is_deployed(tmp_path: Path) -> None:
    """Its resources, bindings and annotations meet, and the flow is judged."""
    outcome = run_scenario(enhanced(tmp_path))
    (endpoint,) = outcome.estate.facts.rows["endpoint"]
    bean = the_bean(outcome)
    assert (endpoint.name, bean.application, bean.transaction) == ("OrdersAS", "Orders", "not_supported")
    assert any("MDB101" in verdict for verdict in verdicts(outcome))
    assert not outcome.estate.facts.rows["problem"]


def test_the_folders_of_an_enhanced_ear(tmp_path: Path) -> None:
    """A project keeps it unpacked: its configuration is no cell, and is read as loose files."""
    outcome = run_scenario(enhanced(tmp_path, exploded=True))
    (endpoint,) = outcome.estate.facts.rows["endpoint"]
    assert (endpoint.name, endpoint.cell) == ("OrdersAS", None)
    assert the_bean(outcome).name == "OrderBean"


def test_a_module_alone(tmp_path: Path) -> None:
    """A JAR that the user names is an EJB module; the same JAR in a folder is one of many libraries."""
    name, data = order_bean(attribute("NOT_SUPPORTED"))
    jar = tmp_path / "orders.jar"
    jar.write_bytes(archive({f"{name}.class": data}))
    bindings = read_estate([jar], Observations()).facts.rows["binding"]
    assert [(row.application, row.module, row.bean) for row in bindings] == [("orders", "orders.jar", "OrderBean")]
    assert not discover([tmp_path]).files
    (tmp_path / "bound.jar").write_bytes(archive({f"{name}.class": data, "META-INF/ibm-ejb-jar-bnd.xml": BINDING}))
    assert [Path(found.path).name for found in discover([tmp_path]).files] == ["bound.jar"]


def test_an_ear_in_an_archive(tmp_path: Path) -> None:
    """A zip file that holds EAR files."""
    with zipfile.ZipFile(tmp_path / "build.zip", "w") as file:
        file.writestr("target/Orders.ear", ear(order_bean()))
    estate = read_estate([tmp_path / "build.zip"], Observations())
    assert [row.bean for row in estate.facts.rows["binding"]] == ["OrderBean"]


def test_an_ear_that_is_not_needed_is_not_read(tmp_path: Path) -> None:
    """Descriptors that are complete say everything: then not even a broken EAR is opened."""
    variant = put(Variant(tmp_path, "clean"), EAR, b"no archive")
    assert not variant.run().estate.facts.rows["problem"]


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "damaged"),
    "zeros": (lambda: b"PK\x03\x04" + b"\0" * 90, "damaged"),
    "truncated": (lambda: ear(order_bean())[:-30], "damaged"),
    "broken module": (
        lambda: archive({"META-INF/application.xml": "<application>", "orders.jar": b"x"}),
        "damaged",
    ),
    "broken class": (
        lambda: archive({"orders.jar": archive({f"{CLASS}.class": b"\xca\xfe\xba\xbeLjavax/ejb/MessageDriven;"})}),
        "class file",
    ),
    "no class": (
        lambda: archive({"orders.jar": archive({f"{CLASS}.class": b"Ljavax/ejb/MessageDriven;"})}),
        "does not begin like one",
    ),
    "bomb": (lambda: archive({"orders.jar": archive({"a.class": b"\0" * (80 << 20)})}), "inflates to more"),
    "bomb that nobody opens": (lambda: archive({"orders.jar": archive({"a": b"\0" * (80 << 20)}) * 2}), ""),
}
"""Each is made when it is needed, and what its problem says; empty where there is none."""


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files(tmp_path: Path, name: str) -> None:
    """What is broken is one problem with its path, and the rest of the cell is judged."""
    data, text = HOSTILE[name]
    outcome = annotated(tmp_path, data()).run()
    assert the_bean(outcome).transaction is None
    problems = [problem for problem in outcome.estate.facts.rows["problem"] if text]
    assert [text in problem.text and "Orders.ear" in problem.path for problem in problems] == [True] * bool(text)


def test_one_broken_member(tmp_path: Path) -> None:
    """A damaged class is told, and the others of the module are read."""
    broken = java_class("shop/Other", message_driven())[:-3]
    outcome = annotated(tmp_path, ear(order_bean(attribute("NOT_SUPPORTED")), ("shop/Other", broken))).run()
    assert the_bean(outcome).transaction == "not_supported"
    (problem,) = outcome.estate.facts.rows["problem"]
    assert problem.path.endswith("!/orders.jar!/shop/Other.class")
