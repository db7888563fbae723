"""Unpacked applications: what a cell installs, and what a build assembles, say what the packed EAR says."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from lintmdb.exports.discovery import discover, list_files
from lintmdb.exports.was.unpacked import application_folders
from lintmdb.fleet.facts.units import group_units
from lintmdb.model.origins import LazyOrigin
from lintmdb.redact.copying import redact_exports
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import Estate, cell_objects, read_estate, read_exports
from tests.exports.was.test_application_files import (
    APPLICATION,
    BINDING,
    CLASS,
    annotated,
    archive,
    attribute,
    ear,
    java_class,
    message_driven,
    order_bean,
    the_bean,
    verdicts,
)
from tests.support.java_classes import unpack

REQUIRED = attribute("REQUIRED")


def said(given: Path, application: Path) -> str:
    """What is read of the applications in an export, with all places; those of packed and unpacked ones are alike."""
    cells = read_exports([given]).cells[0]
    text = repr([(cell.applications, cell.problems) for cell in cells])
    assert "OrderBean" in text
    plain = re.sub(r"\.[ejw]ar\Z", "", application.name)
    return re.sub(rf"'[^']*?{re.escape(plain)}(?:\.[ejw]ar)?", f"'{plain}", text).replace("!/", "/")


@pytest.mark.parametrize("packed", [(), ("orders.jar",)])
@pytest.mark.parametrize("place", ["installedApps/C1/Orders.ear", "target/Orders.ear"])
def test_what_is_installed_says_what_the_ear_says(tmp_path: Path, place: str, packed: Collection[str]) -> None:
    """A repository without its EAR has the verdicts of one with it where the unpacked application lies beside it."""
    data = ear(order_bean(REQUIRED))
    whole = annotated(tmp_path / "packed", data)
    beside = annotated(tmp_path / "unpacked", None)
    unpack(data, beside.folder / place, packed)
    first, second = whole.run(), beside.run()
    assert the_bean(first).transaction == the_bean(second).transaction == "required"
    assert verdicts(first) == verdicts(second)


@pytest.mark.parametrize(
    ("packed", "expected"),
    [((), f"orders.jar/{CLASS}.class"), (("orders.jar",), f"orders.jar!/{CLASS}.class")],
)
def test_places_are_paths_in_the_folder(tmp_path: Path, packed: Collection[str], expected: str) -> None:
    """A class file is named as it lies on disk, and one in a packed module by its archive."""
    beside = annotated(tmp_path, None)
    folder = unpack(ear(order_bean(REQUIRED)), beside.folder / "installedApps/C1/Orders.ear", packed)
    place = the_bean(beside.run()).origins["transaction"]
    origin = place.resolve() if isinstance(place, LazyOrigin) else place
    assert origin.path == (folder / expected).as_posix()


def test_the_installed_copy_is_not_a_second_application(tmp_path: Path) -> None:
    """Where the repository holds the EAR, what is unpacked from it adds nothing."""
    data = ear(order_bean(REQUIRED))
    whole = annotated(tmp_path / "packed", data)
    both = annotated(tmp_path / "both", data)
    unpack(data, both.folder / "installedApps/C1/Orders.ear")
    assert verdicts(whole.run()) == verdicts(both.run())


def undeployed(name: str = "orders.jar") -> bytes:
    """An application with a binding and an annotated bean."""
    module = {f"{CLASS}.class": order_bean(REQUIRED)[1], "META-INF/ibm-ejb-jar-bnd.xml": BINDING}
    return archive({"META-INF/application.xml": APPLICATION, name: archive(module)})


def web() -> bytes:
    """A WAR with a bean in its classes, whose superclass is in a library."""
    base = archive({"lib/Base.class": java_class("lib/Base", REQUIRED)})
    own = java_class(CLASS, message_driven(), methods=(), superclass="lib/Base")
    members = {f"WEB-INF/classes/{CLASS}.class": own, "WEB-INF/lib/base.jar": base}
    return archive({**members, "WEB-INF/ibm-ejb-jar-bnd.xml": BINDING})


@pytest.mark.parametrize(
    ("data", "file", "folder"),
    [
        (undeployed, "Shop.ear", "Shop.ear"),
        (undeployed, "shop-ear-1.0.ear", "shop-ear-1.0"),
        (web, "shop.war", "shop.war"),
        (web, "shop-1.0.war", "shop-1.0"),
        (
            lambda: archive({f"{CLASS}.class": order_bean(REQUIRED)[1], "META-INF/ibm-ejb-jar-bnd.xml": BINDING}),
            "beans.jar",
            "beans.jar",
        ),
    ],
)
@pytest.mark.parametrize("zipped", [False, True])
def test_an_application_that_is_not_deployed(
    tmp_path: Path, data: Callable[[], bytes], file: str, folder: str, zipped: bool
) -> None:
    """A build's folder, or an archive of it, has the beans and bindings of the packed application."""
    packed = tmp_path / "packed" / file
    packed.parent.mkdir()
    packed.write_bytes(data())
    unpacked = unpack(data(), tmp_path / "unpacked/target" / folder)
    given = tmp_path / "unpacked"
    if zipped:
        given = tmp_path / "build.zip"
        with zipfile.ZipFile(given, "w") as target:
            for path in sorted(unpacked.rglob("*.*")):
                if path.is_file():
                    target.write(path, path.relative_to(tmp_path / "unpacked").as_posix())
    assert said(given, unpacked) == said(packed, packed)


def test_the_folder_is_given_directly(tmp_path: Path) -> None:
    """An application folder that is named is read as one that is found."""
    folder = unpack(undeployed(), tmp_path / "Shop.ear")
    assert said(folder, folder) == said(tmp_path, folder)


def test_a_build_leaves_the_archive_beside_the_folder(tmp_path: Path) -> None:
    """Only the archive is read; the folder is passed over, with the number of its files."""
    folder = unpack(undeployed(), tmp_path / "target/shop-1.0")
    (tmp_path / "target/shop-1.0.ear").write_bytes(undeployed())
    found = discover([tmp_path])
    assert [Path(entry.path).name for entry in found.files] == ["shop-1.0.ear"]
    (passed,) = found.passed_over
    assert (Path(passed.path), passed.files) == (folder, 3)
    assert passed.reason == f"is unpacked from {folder}.ear"


@pytest.mark.parametrize(
    ("paths", "folders"),
    [
        (["a/X.ear/META-INF/application.xml", "a/X.ear/o.jar/b/C.class"], {"a/X.ear"}),
        (["a/x-ear/META-INF/application.xml", "a/x-ear/lib/o.jar"], {"a/x-ear"}),
        (["X.ear/o.jar"], {"X.ear"}),
        (["/X.EAR/O.WAR/WEB-INF/web.xml"], {"/X.EAR"}),
        (["src/META-INF/application.xml", "src/META-INF/ibmconfig/x.xml"], set[str]()),
        (["Orders.ear/deployments/Orders/deployment.xml", "Orders.ear/deployments/Orders/META-INF/application.xml",
          "Orders.ear/deployments/Orders/o.jar/META-INF/ejb-jar.xml"], set[str]()),
        (["o.jar/META-INF/ejb-jar.xml"], set[str]()),
        (["a/o.jar/b/C.class", "a/lib/b/C.class"], {"a/o.jar"}),
        (["w/WEB-INF/classes/C.class", "w/WEB-INF/lib/o.jar/C.class"], {"w"}),
        (["src/main/webapp/WEB-INF/web.xml", "src/main/webapp/WEB-INF/lib/x.jar"], set[str]()),
        (["META-INF/application.xml", "o.jar"], set[str]()),
        (["a" * 2000 + ".ear/o.jar"], set[str]()),
        ([".jar/" * 100_000 + "x.clas", "/" * 100_000 + "META-INF/application.xml"], set[str]()),
    ],
)  # fmt: skip
def test_which_folders_are_applications(paths: list[str], folders: set[str]) -> None:
    """By their files alone: sources, copies from a repository and libraries are none."""
    assert application_folders(paths) == folders


def test_damage_and_absence(tmp_path: Path) -> None:
    """A class file that is cut off is a problem at its path, and so is a module that is missing."""
    folder = unpack(undeployed(), tmp_path / "Shop.ear")
    file = folder / f"orders.jar/{CLASS}.class"
    file.write_bytes(file.read_bytes()[:-40])
    (problem,) = read_estate([folder], Observations()).facts.rows["problem"]
    assert (problem.kind, problem.path) == ("unreadable", file.as_posix())


def test_links_lead_nowhere(tmp_path: Path) -> None:
    """A folder that contains itself by a link is read once."""
    folder = unpack(undeployed(), tmp_path / "Shop.ear")
    (folder / "again.jar").symlink_to(folder, target_is_directory=True)
    found = discover([tmp_path])
    assert [entry.path for entry in found.files] == [f"{folder}/"]


def test_it_counts_as_one_application_file(tmp_path: Path) -> None:
    """As inventory counts packed ones."""
    folder = unpack(undeployed(), tmp_path / "Shop.ear")
    (cell,) = read_exports([folder]).cells[0]
    assert cell_objects(cell)["application files"] == 1
    assert [entry.path for entry in _estate(folder).inputs] == [f"{folder}/"]


def _estate(path: Path) -> Estate:
    return read_estate([path], Observations())


def test_a_redacted_copy_is_packed(tmp_path: Path) -> None:
    """The copy says the same."""
    folder = unpack(undeployed(), tmp_path / "in/Shop.ear")
    copied = redact_exports([tmp_path / "in"], tmp_path / "out")
    (file,) = copied.files
    assert (tmp_path / "out" / file).is_file()
    assert not copied.refused
    assert "OrderBean" in said(tmp_path / "out", folder)


def test_a_unit_of_a_fleet_holds_the_whole_folder(tmp_path: Path) -> None:
    """The files of an application are read together: with its cell where it is installed, else alone."""
    beside = annotated(tmp_path / "a", ear(order_bean(REQUIRED)))
    installed = unpack(ear(order_bean(REQUIRED)), beside.folder / "installedApps/C1/Orders.ear")
    alone = unpack(undeployed(), tmp_path / "b/target/shop")
    built = unpack(undeployed(), tmp_path / "c/shop")
    (tmp_path / "c/shop.ear").write_bytes(undeployed())
    units = {unit.path: {file.shown for file in unit.files} for unit in group_units(list_files([tmp_path]).files)}
    cell = (beside.folder / "was/cells/C1").as_posix()
    assert {path for path in units[cell] if "installedApps" in path} == _files(installed)
    assert units[alone.as_posix()] == _files(alone)
    assert units[f"{built.as_posix()}.ear"] == {*_files(built), f"{built.as_posix()}.ear"}


def _files(folder: Path) -> set[str]:
    return {path.as_posix() for path in folder.rglob("*") if path.is_file()}


def test_the_working_directory_may_be_an_application(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named as ``.`` it is the same application, of the same name, as where its folder is named."""
    folder = unpack(undeployed(), tmp_path / "Orders.ear")
    monkeypatch.chdir(tmp_path)
    (above,) = read_exports([Path("Orders.ear")]).cells[0]
    monkeypatch.chdir(folder)
    (inside,) = read_exports([Path(".")]).cells[0]
    assert [application.name for application in inside.applications] == ["Orders"]
    assert inside.files == {"./"}
    beans = [
        [bean.name for module in cell.applications[0].modules for bean in module.beans] for cell in (above, inside)
    ]
    assert beans == [["OrderBean"]] * 2
