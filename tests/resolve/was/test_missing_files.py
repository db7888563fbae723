"""A name that nothing defines, where a file of every repository is not there: undecided, and which file to get."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lintmdb.engine.findings import Need, Subject, Undecided
from lintmdb.engine.need_groups import group_by_need
from lintmdb.rules.loading import load_rules
from tests.support.scenario import Outcome
from tests.support.variant import Variant

CELL = "was/cells/C1/"
SERVER = "nodes/node1/servers/server1/"
MODULE = CELL + "applications/Orders.ear/deployments/Orders/orders.jar/META-INF/"
SCOPES = ["resources.xml", "nodes/node1/resources.xml", SERVER + "resources.xml", SERVER + "server.xml", "cell.xml"]
CLUSTER_MEMBER = "nodes/node2/servers/shop2/"


def needs(outcome: Outcome, rule: str) -> list[str]:
    """What the undecided verdicts of a rule ask for."""
    return [entry.need.text for entry in outcome.judgement.undecided if entry.rule.id == rule]


def without(variant: Variant, *files: str) -> Outcome:
    """The scenario without some files of its cell."""
    for file in files:
        (variant.folder / CELL / file).unlink()
    return variant.run()


@pytest.mark.parametrize("file", SCOPES)
def test_a_bean_is_bound_to_what_a_missing_file_may_define(tmp_path: Path, file: str) -> None:
    """Without a file of any scope the specification may exist; with all of them it does not."""
    variant = Variant(tmp_path, "dangling-binding")
    assert "orders.jar/SalesBean" in variant.run().hazard["MDB705"]
    outcome = without(variant, file)
    assert "orders.jar/SalesBean" in outcome.undecided["MDB705"]
    assert f"{file} of cell C1" in needs(outcome, "MDB705")


@pytest.mark.parametrize("file", ["clusters/Shop/resources.xml", CLUSTER_MEMBER + "resources.xml"])
def test_a_cluster_and_its_members_have_files_of_their_own(tmp_path: Path, file: str) -> None:
    """The resources.xml of a cluster counts, and so does that of one member."""
    variant = Variant(tmp_path, "cluster-members-differ")
    nobody = '<jca-adapter activation-spec-binding-name="jms/as/Nobody"/>'
    variant.edit(MODULE + "ibm-ejb-jar-bnd.xml", '<listener-port name="OrdersLP"/>', nobody)
    assert "MDB705" in variant.run().hazard
    outcome = without(variant, file)
    assert any(file in need for need in needs(outcome, "MDB705"))


@pytest.mark.parametrize("attribute", ["destination", "connection factory"])
def test_a_name_of_an_endpoint_that_a_missing_file_may_define(tmp_path: Path, attribute: str) -> None:
    """It is no name that leads nowhere, and the verdicts that rest on it name the file."""
    variant = Variant(tmp_path, "listener-port-retries-0")
    old, new = {
        "destination": ('destinationJNDIName="jms/q/Orders"', 'destinationJNDIName="jms/q/Nobody"'),
        "connection factory": (
            'connectionFactoryJNDIName="jms/cf/QM1"',
            'connectionFactoryJNDIName="jms/cf/Nobody"',
        ),
    }[attribute]
    variant.edit(CELL + SERVER + "server.xml", old, new)
    whole = variant.run()
    assert "MDB902" in whole.hazard
    asked = {entry.need.text for entry in whole.judgement.undecided}
    assert not [need for need in asked if "resources.xml that defines" in need]
    defined = "a definition of jms/q/Nobody, which no resources.xml that the server sees has"
    assert (defined in asked) == (attribute == "destination")
    outcome = without(variant, "nodes/node1/resources.xml")
    assert "MDB902" not in outcome.hazard
    asked = {entry.need.text for entry in outcome.judgement.undecided}
    wanted = "the resources.xml that defines jms/q/Nobody" if attribute == "destination" else "what defines the"
    assert any(need.startswith(wanted) and need.endswith(": nodes/node1/resources.xml") for need in asked)


def test_a_module_without_any_binding_file(tmp_path: Path) -> None:
    """Message-driven beans are bound when they are installed: the file is missing, the bean is not unbound."""
    outcome = without(Variant(tmp_path, "clean"), MODULE.removeprefix(CELL) + "ibm-ejb-jar-bnd.xml")
    assert "MDB706" not in outcome.hazard
    assert outcome.undecided["MDB706"] == ["orders.jar/OrderBean"]
    assert needs(outcome, "MDB706") == ["the ibm-ejb-jar-bnd of OrderBean, or the whole cell with it"]
    # The specification may be used by the bean: its flow does not go away.
    assert [endpoint.name for endpoint in outcome.estate.facts.rows["endpoint"]] == ["OrdersAS"]


def test_destinations_that_wait_for_one_file_are_one_source() -> None:
    """Seven queues whose resources.xml is missing are one line, not seven that say the same."""
    rule = load_rules()[0]
    subject = Subject(kind="activation_spec", name="Spec", cell="C1")
    entries = [
        Undecided(rule, subject, (), Need(f"the resources.xml that defines {name}{where}", "destination", name), None)
        for name in ("jms/A", "jms/B")
        for where in (": clusters/K/resources.xml", ": clusters/K/resources.xml, environment prod")
    ]
    one, other = group_by_need(entries)
    assert one.text == "the resources.xml that defines 2 destinations (jms/A, jms/B): clusters/K/resources.xml"
    assert other.text.endswith(": clusters/K/resources.xml, environment prod")
    assert "Add what is missing" in one.supply
    needs = [Need(f"a definition of {name}, which no file has", "value", name) for name in ("jms/A", "jms/B")]
    (group,) = group_by_need(Undecided(rule, subject, (), need, None) for need in needs)
    assert (group.text, group.supply) == ("a definition of 2 destinations (jms/A, jms/B), which no file has", "")


def test_a_queue_whose_name_is_a_variable_waits_for_the_variable(tmp_path: Path) -> None:
    """The resources.xml that defines the destination is there: it is not the file that is missing."""
    variant = Variant(tmp_path, "unresolved-names")
    asked = {entry.need.text for entry in variant.run().judgement.undecided}
    wanted = [need for need in asked if need.startswith("the variables.xml that defines ${ORDERS_QUEUE}, to which ")]
    assert len(wanted) == 1
    assert 'baseQueueName="${ORDERS_QUEUE}"' in wanted[0]
    assert not [need for need in asked if need.startswith("the resources.xml that defines jms/q/Orders")]


def test_a_queue_manager_whose_name_is_a_variable_waits_for_the_variable(tmp_path: Path) -> None:
    """Its property is set, and the endpoints that refer to one variable wait for one file."""
    variant = Variant(tmp_path, "clean")
    changed = 0
    for file in variant.folder.rglob("resources.xml"):
        text = re.sub(r'(name="queueManager"[^>]* value=)"QM1"', r'\1"${QM_NAME}"', file.read_text("utf-8"))
        changed += "${QM_NAME}" in text
        file.write_text(text, "utf-8")
    assert changed
    asked = {entry.need.text for entry in variant.run().judgement.undecided}
    assert "the variables.xml that defines ${QM_NAME}, the queue manager of OrdersAS" in asked
    assert not [need for need in asked if "names a group" in need]


@pytest.mark.parametrize(
    ("need", "cell", "advice"),
    [
        (Need("what defines the connection factory of LP", "queue_manager_name", "LP", "F"), "C1", "as queue_manager"),
        (Need("an annotation in the EAR file of Pay", "bean", "b"), "liberty:pay", "Add the EAR file of the applicat"),
        (Need("the ibm-ejb-jar-ext of B", "bean", "b"), "liberty:pay", "Add the folder of the Liberty server"),
        (Need("an annotation in the EAR file of Pay", "bean", "b"), "C1", "the whole configuration of the cell"),
    ],
)
def test_advice_names_what_is_missing(need: Need, cell: str, advice: str) -> None:
    """The key of the observations file, and the application of a Liberty server whose folder was given."""
    subject = Subject(kind="activation_spec", name="Spec", cell=cell)
    (group,) = group_by_need([Undecided(load_rules()[0], subject, (), need, None)])
    assert advice in group.supply
