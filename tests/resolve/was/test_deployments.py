"""Where beans run and how long their transactions last, from the files that tell it when deployment.xml does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lintmdb.model.relations import Bean, Server
from tests.support.variant import Variant

CELL = "was/cells/C1/"
NODE = f"{CELL}nodes/node1/"
DEPLOYMENT = f"{CELL}applications/Orders.ear/deployments/Orders/deployment.xml"
DESCRIPTORS = f"{CELL}applications/Orders.ear/deployments/Orders/orders.jar/META-INF/"
SERVER_TARGET = (
    'deploymentTargets xmi:type="appdeployment:ServerTarget" xmi:id="Target_1183122131150" name="server1" '
    'nodeName="node1"'
)
J2EE_EXTENSION = """<?xml version="1.0" encoding="UTF-8"?>
<ejbext:EJBJarExtension xmi:version="2.0" xmlns:xmi="http://www.omg.org/XMI" xmlns:ejbext="ejbext.xmi">
  <ejbExtensions xmi:type="ejbext:MessageDrivenExtension">
    <enterpriseBean xmi:type="ejb:MessageDriven" xmlns:ejb="ejb.xmi" href="META-INF/ejb-jar.xml#OrderBean_ID"/>
    <globalTransaction componentTransactionTimeout="{}"/>
  </ejbExtensions>
</ejbext:EJBJarExtension>
"""


def test_without_deployment_targets_serverindex_says_where_an_application_runs(tmp_path: Path) -> None:
    """serverindex.xml lists what is deployed on each server."""
    variant = Variant(tmp_path, "clean")
    (variant.folder / DEPLOYMENT).unlink()
    (binding,) = variant.run().estate.facts.rows["binding"]
    assert (binding.node, binding.server, binding.resolution) == ("node1", "server1", "resolved")
    variant.edit(f"{NODE}serverindex.xml", "Orders.ear/deployments/Orders<", "Other.ear/deployments/Other<")
    assert [row.server for row in variant.run().estate.facts.rows["binding"]] == []


def test_a_cluster_whose_members_are_not_exported_is_one_place(tmp_path: Path) -> None:
    """The bean runs on the cluster; its servers are not known."""
    variant = Variant(tmp_path, "clean").edit(
        DEPLOYMENT,
        SERVER_TARGET,
        'deploymentTargets xmi:type="appdeployment:ClusteredTarget" xmi:id="Target_1183122131150" name="Cluster1"',
    )
    (binding,) = variant.run().estate.facts.rows["binding"]
    assert (binding.cluster, binding.server) == ("Cluster1", None)


@pytest.mark.parametrize(("seconds", "expected"), [("45", 45_000), ("", 120_000)])
def test_timeouts_of_j2ee_extensions(tmp_path: Path, seconds: str, expected: int) -> None:
    """A J2EE 1.4 module has its transaction timeout in ibm-ejb-jar-ext.xmi, by the id of its bean."""
    variant = Variant(tmp_path, "clean").edit(
        f"{DESCRIPTORS}ejb-jar.xml", 'xmlns="http://java.sun.com/xml/ns/javaee" version="3.1"', 'version="2.1"'
    )
    path = variant.folder / DESCRIPTORS
    (path / "ibm-ejb-jar-bnd.xml").unlink()
    variant.write(
        f"{DESCRIPTORS}ibm-ejb-jar-bnd.xmi",
        '<ejbbnd:EJBJarBinding xmlns:xmi="http://www.omg.org/XMI" xmlns:ejb="ejb.xmi" xmlns:ejbbnd="ejbbnd.xmi">'
        '<ejbBindings xmi:type="ejbbnd:MessageDrivenBeanBinding" activationSpecJndiName="jms/as/Orders">'
        '<enterpriseBean xmi:type="ejb:MessageDriven" href="META-INF/ejb-jar.xml#OrderBean_ID"/>'
        "</ejbBindings></ejbbnd:EJBJarBinding>",
    )
    variant.write(f"{DESCRIPTORS}ibm-ejb-jar-ext.xmi", J2EE_EXTENSION.format(seconds))
    bean: Bean = variant.row("bean")
    assert bean.transaction_timeout_ms == expected


def test_the_oldest_member_is_known_where_all_are(tmp_path: Path) -> None:
    """One member whose version no file tells leaves the oldest level unknown."""
    variant = Variant(tmp_path, "mixed-version-cluster")
    members = sorted((variant.folder / "was/cells/C1/nodes").glob("*/node-metadata.properties"))
    assert len(members) > 1
    known: Server = variant.run().estate.facts.rows["server"][0]
    assert known.oldest_was_level is not None
    members[0].write_text("com.ibm.websphere.nodeOperatingSystem=linux\n")
    assert {row.oldest_was_level for row in variant.run().estate.facts.rows["server"]} == {None}


def test_zos_variables_override_the_transaction_service(tmp_path: Path) -> None:
    """On z/OS transaction_defaultTimeout decides, whatever server.xml says."""
    variant = Variant(tmp_path, "zos-not-hardened")
    before: Server = variant.row("server")
    variant.edit(
        f"{CELL}variables.xml",
        "</variables:VariableMap>",
        '<entries symbolicName="transaction_defaultTimeout" value="77"/></variables:VariableMap>',
    )
    after: Server = variant.row("server")
    assert before.total_timeout_ms != 77_000
    assert after.total_timeout_ms == 77_000


def test_escapes_of_properties_files(tmp_path: Path) -> None:
    """node-metadata.properties is a Java properties file, whose escapes are undone."""
    variant = Variant(tmp_path, "clean").edit(
        f"{NODE}node-metadata.properties", "nodeOperatingSystem=linux", r"nodeOperatingSystem=\u006cinu\x"
    )
    server: Server = variant.row("server")
    assert server.platform == "distributed"
    variant.edit(f"{NODE}node-metadata.properties", r"\u006cinu\x", r"os\u0033\u00390")
    zos: Server = variant.row("server")
    assert zos.platform == "zos"


def test_a_cluster_member_that_its_node_does_not_list_is_told_once(tmp_path: Path) -> None:
    """Nothing else says why the sums of its server are not known."""
    variant = Variant(tmp_path, "all-families")
    assert not [row for row in variant.run().estate.facts.rows["problem"] if row.kind == "unlisted_member"]
    index = "was/cells/PRODCELL/nodes/node2/serverindex.xml"
    variant.edit(index, 'serverName="shop2"', 'serverName="shop9"')
    (told,) = [row for row in variant.run().estate.facts.rows["problem"] if row.kind == "unlisted_member"]
    assert told.path.endswith("clusters/ShopCluster/cluster.xml")
    assert told.text.startswith("shop2, a member of cluster ShopCluster, is not in serverindex.xml of its node node2")


@pytest.mark.parametrize(
    ("folder", "state", "listed", "reported"),
    [
        ("", "INACTIVE", False, False),
        ("deployments/Orders-edition1.0/", "INACTIVE", False, False),
        ("", "ACTIVE", False, True),
        ("", "VALIDATE", False, True),
        ("", "INACTIVE", True, True),
    ],
)
def test_an_inactive_edition(tmp_path: Path, folder: str, state: str, listed: bool, reported: bool) -> None:
    """An inactive edition runs nowhere and is not judged, unless a server is said to run it all the same."""
    variant = Variant(tmp_path, "clean")
    applications = variant.folder / "was/cells/C1/applications"
    edition = applications / "Orders-edition1.0.ear"
    shutil.copytree(applications / "Orders.ear", edition)
    (edition / "deployments/Orders").rename(edition / "deployments/Orders-edition1.0")
    binding = edition / "deployments/Orders-edition1.0/orders.jar/META-INF/ibm-ejb-jar-bnd.xml"
    binding.write_text(binding.read_text("utf-8").replace("jms/as/Orders", "jms/as/Old"), "utf-8")
    (edition / folder / "ibm-edition-metadata.props").write_text(
        f"#File contains metadata for all editions of the application\r\nconfig.state={state}\r\nedition.desc=\r\n",
        "utf-8",
    )
    if listed:
        end = "</deployedApplications>"
        more = f"{end}<deployedApplications>Orders-edition1.0.ear/deployments/Orders-edition1.0{end}"
        variant.edit(f"{NODE}serverindex.xml", end, more)
    assert ("MDB705" in variant.run().hazard) is reported
