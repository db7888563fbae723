"""A cell whose own files name nodes, servers or clusters that its export lacks is not whole, and says so."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.project import FIXTURES
from tests.support.variant import Variant

CELL = "was/cells/PRODCELL/"
LOST = {
    "nodes/node2": ["node node2 (servers claims, shop2)"],
    "nodes/node2/servers/claims": ["server claims of node node2"],
    "nodes/node1/servers/shop1": ["server shop1 of node node1"],
    "clusters/ShopCluster": ["cluster ShopCluster"],
    "clusters/ShopCluster/resources.xml": ["the resources.xml of cluster ShopCluster"],
    "nodes/node2/resources.xml": ["the resources.xml of node node2"],
    "nodes/node2/servers/claims/resources.xml": ["the resources.xml of server claims of node node2"],
}


def estate_without(tmp_path: Path, *lost: str) -> Path:
    """A copy of the fixture of all families without some folders of PRODCELL."""
    folder = tmp_path / "estate"
    shutil.copytree(FIXTURES / "all-families", folder)
    for path in lost:
        gone = folder / CELL / path
        if gone.is_file():
            gone.unlink()
        else:
            shutil.rmtree(gone)
    return folder


def completeness(lintmdb: Run, folder: Path) -> dict[str, bool]:
    """Whether inventory calls each cell complete."""
    exports = json.loads(lintmdb("inventory", folder, "--format", "json").stdout)["exports"]
    return {export["name"]: export["complete"] for export in exports if export["kind"] == "cell"}


def test_a_whole_cell_is_complete(lintmdb: Run, tmp_path: Path) -> None:
    """Deployment managers and node agents run no beans: nothing is missed without their server.xml."""
    folder = estate_without(tmp_path)
    assert all(completeness(lintmdb, folder).values())
    assert "without part of" not in lintmdb("check", folder, "--fail-on", "error").stdout


@pytest.mark.parametrize("path", LOST)
def test_what_the_export_lacks_is_named(lintmdb: Run, tmp_path: Path, path: str) -> None:
    """By the inventory, by the head of the report, and by a notice."""
    folder = estate_without(tmp_path, path)
    assert completeness(lintmdb, folder) == {"PRODCELL": False, "ZCELL": True}
    result = lintmdb("check", folder)
    head = " ".join(result.stdout.partition("\n\n")[0].split())
    assert f"Missing of cell PRODCELL: {', '.join(LOST[path])}: not all that runs there is judged" in head
    notices = json.loads(lintmdb("check", folder, "--format", "json").stdout)["notices"]
    told = [notice["text"] for notice in notices if notice["kind"] == "not_exported"]
    assert told == [
        f"the export of cell PRODCELL lacks {lost}, so not all that runs there is known" for lost in LOST[path]
    ]


def test_an_endpoint_whose_applications_were_not_exported(lintmdb: Run, tmp_path: Path) -> None:
    """Some bean may be bound to it; what is not known names where it would be found."""
    folder = estate_without(tmp_path, "applications")
    text = lintmdb("check", folder, "-v", "--fail-on", "never").stdout
    assert "-> bean unknown" in text
    assert "no bean bound" not in text
    undecided = " ".join(text.partition("what would settle them")[2].split())
    assert "the number of beans of 4 endpoints (ClaimsAuditLP, ClaimsLP, OrdersAS and 1 more) Add what" in undecided
    assert "that of ClaimsAuditLP" in undecided


def test_the_gate_says_that_a_cell_is_not_whole(lintmdb: Run, tmp_path: Path) -> None:
    """It passes without a part of the cell, and does not pass where it is strict."""
    folder = estate_without(tmp_path, "nodes/node2")
    passes = lintmdb("check", folder, "--select", "MDB103")
    assert (passes.returncode, "passes, without part of cell PRODCELL" in passes.stdout) == (0, True)
    never = lintmdb("check", folder, "--select", "MDB103", "--fail-on", "never")
    assert "passes, without part of cell PRODCELL, whatever is found (fail-on never)" in never.stdout
    strict = lintmdb("check", folder, "--select", "MDB103", "--strict")
    assert strict.returncode == 4
    assert "the export of cell PRODCELL is not whole" in " ".join(strict.stdout.split())


def test_a_web_server_that_an_application_is_mapped_to_is_not_missed(lintmdb: Run, tmp_path: Path) -> None:
    """Its node lists it as a web server, which runs no beans."""
    folder = estate_without(tmp_path, "nodes/node2/servers/claims")
    index = folder / CELL / "nodes/node2/serverindex.xml"
    text = index.read_text()
    before, _, after = text.partition('serverName="claims"')
    index.write_text(before + 'serverName="claims"' + after.replace("APPLICATION_SERVER", "WEB_SERVER", 1))
    assert completeness(lintmdb, folder)["PRODCELL"]


def test_a_version_that_is_not_there_is_no_invalid_one(tmp_path: Path) -> None:
    """The version of the other member is missing: the good one of this member is not to be corrected."""
    variant = Variant(tmp_path, "cluster-members-differ")
    for name in ("node1", "node2"):
        (variant.folder / f"was/cells/C1/nodes/{name}/node-metadata.properties").unlink()
        asked = [entry.need.text for entry in variant.run().judgement.undecided]
        assert any("the oldest WebSphere version of" in need for need in asked)
        assert not [need for need in asked if need.startswith("a value instead of com.ibm.websphere.base")]


def test_a_version_that_cannot_be_read_is_the_one_to_correct(tmp_path: Path) -> None:
    """It is named where it is written, for the other members of the cluster as well."""
    variant = Variant(tmp_path, "cluster-members-differ")
    file = variant.folder / "was/cells/C1/nodes/node2/node-metadata.properties"
    lines = [
        "com.ibm.websphere.baseProductVersion=nine" if "baseProductVersion" in line else line
        for line in file.read_text().splitlines()
    ]
    file.write_text("\n".join(lines))
    asked = {entry.need.text for entry in variant.run().judgement.undecided}
    wrong = [need for need in asked if need.startswith("a value instead of com.ibm.websphere.base")]
    assert wrong
    assert all("Version=nine" in need and "node2/node-metadata.properties" in need for need in wrong)


def test_a_change_to_a_server_that_is_not_exported_has_not_drifted(lintmdb: Run, tmp_path: Path) -> None:
    """Nobody changed the listener port: the newer export lacks its node."""
    folder, plan = tmp_path / "estate", tmp_path / "plan"
    shutil.copytree(FIXTURES / "listener-port-retries-0", folder)
    assert lintmdb("plan", folder, "--out", plan).returncode == 0
    changes = json.loads((plan / "plan.json").read_text())["changes"]
    assert [change["kind"] for change in changes] == ["listener_port"]
    shutil.rmtree(folder / "was/cells/C1/nodes")
    assert "1 change: 1 not exported" in lintmdb("plan", "verify", plan, folder).stdout
