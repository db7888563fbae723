"""Discovery by content: folders, archives, single files, and what is passed over."""

from __future__ import annotations

import json
import os
import shutil
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from lintmdb.exports.discovery import MAX_DEPTH, discover, recognise
from lintmdb.exports.was import wanted
from tests.support.command import Run
from tests.support.project import FIXTURES

ESTATE = FIXTURES / "all-families"


def _findings(lintmdb: Run, *paths: Path) -> list[Any]:
    document = json.loads(lintmdb("check", *paths, "--on-message", "15s", "--format", "json").stdout)
    return sorted((f["rule"], f["fingerprint"], f["message"], str(f["values"])) for f in document["findings"])


def _zip(folder: Path, file: Path, *, reverse: bool = False) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for member in sorted(folder.rglob("*"), reverse=reverse):
            archive.write(member, member.relative_to(folder).as_posix())
    return file


def test_every_shape_gives_the_same_findings(lintmdb: Run, tmp_path: Path) -> None:
    """A folder, a zip in any order, a .car, a tar.gz and an archive inside a folder are judged alike."""
    plain = _findings(lintmdb, ESTATE)
    assert len(plain) > 10
    nested = tmp_path / "nested"
    nested.mkdir()
    shapes = [
        _zip(ESTATE, tmp_path / "a.zip"),
        _zip(ESTATE, tmp_path / "b.zip", reverse=True),
        _zip(ESTATE, tmp_path / "c.car"),
        _zip(ESTATE, nested / "d").parent,
    ]
    with tarfile.open(tmp_path / "e.tar.gz", "w:gz") as archive:
        archive.add(ESTATE, arcname=".")
    shapes.append(tmp_path / "e.tar.gz")
    for shape in shapes:
        assert _findings(lintmdb, shape) == plain, shape


def test_parts_of_a_profile(lintmdb: Run, tmp_path: Path) -> None:
    """A profile, config/, cells/ and a cell's own folder show the same cell."""
    profile = tmp_path / "AppSrv01"
    shutil.copytree(ESTATE / "was", profile / "config")
    shutil.copytree(profile / "config" / "cells" / "ZCELL", profile / "config" / "temp" / "cells" / "GHOST")
    template = profile / "config" / "templates" / "servertypes" / "APPLICATION_SERVER" / "servers" / "default"
    template.mkdir(parents=True)
    shutil.copy(ESTATE / "was/cells/ZCELL/nodes/znode/servers/zserver/server.xml", template)
    mq = ESTATE / "mq"
    whole = _findings(lintmdb, profile, mq)
    assert whole == _findings(lintmdb, profile / "config", mq)
    assert whole == _findings(lintmdb, profile / "config" / "cells", mq)
    assert whole == _findings(lintmdb, ESTATE)
    cell = lintmdb("inventory", profile / "config" / "cells" / "ZCELL").stdout
    assert "cell ZCELL" in cell
    inventory = lintmdb("inventory", profile).stdout
    assert "GHOST" not in inventory
    assert "is next to a repository and contains no cell configuration, or only a copy of it" in inventory


COPIES = (
    "wstemp/92668751/workspace/cells",
    "temp/node/server/cells",
    "config.bak/cells",
    "config.old/cells",
    "config/backup/cells",
    "config/temp/download/cells",
)


@pytest.mark.parametrize("zipped", [False, True])
def test_copies_of_a_repository_are_no_second_cell(lintmdb: Run, tmp_path: Path, *, zipped: bool) -> None:
    """Workspaces of the console and backups lie beside the repository that they were copied from."""
    profile = tmp_path / "exports" / "AppSrv01"
    shutil.copytree(ESTATE / "was", profile / "config")
    for copy in COPIES:
        target = profile / copy / "ZCELL"
        shutil.copytree(ESTATE / "was" / "cells" / "ZCELL", target)
        (target / "variables.xml").write_text("<broken")
    start = _zip(tmp_path / "exports", tmp_path / "a.zip") if zipped else tmp_path / "exports"
    assert _findings(lintmdb, start, ESTATE / "mq") == _findings(lintmdb, ESTATE)


def test_a_copy_that_is_named_is_read(lintmdb: Run, tmp_path: Path) -> None:
    """What somebody asks for is read, wherever it lies."""
    profile = tmp_path / "AppSrv01"
    shutil.copytree(ESTATE / "was", profile / "config")
    shutil.copytree(ESTATE / "was", profile / "config.bak")
    assert _findings(lintmdb, profile / "config.bak", ESTATE / "mq") == _findings(lintmdb, ESTATE)


def test_a_single_file_is_recognised_by_content(lintmdb: Run, tmp_path: Path) -> None:
    """A server.xml and a resources.xml under any name are read."""
    shutil.copy(FIXTURES / "loose-files" / "server.xml", tmp_path / "one.bak")
    shutil.copy(FIXTURES / "loose-files" / "resources.xml", tmp_path / "two")
    result = lintmdb("inventory", tmp_path / "one.bak", tmp_path / "two")
    assert "1 listener port" in result.stdout
    assert "1 connection factory" in result.stdout


def test_given_twice_counts_once(lintmdb: Run) -> None:
    """The same path given twice is read once."""
    assert _findings(lintmdb, ESTATE, ESTATE / "mq") == _findings(lintmdb, ESTATE)


def test_order_of_arguments_changes_nothing(lintmdb: Run) -> None:
    """The report is the same bytes whatever the order of the inputs."""
    parts = [ESTATE / "was", ESTATE / "mq" / "QM1.mqsc", ESTATE / "mq" / "QM2.mqsc", ESTATE / "mq" / "ZQM1.txt"]
    forwards = lintmdb("check", *parts, "--format", "json").stdout
    assert lintmdb("check", *reversed(parts), "--format", "json").stdout == forwards


def test_unwanted_members_are_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an archive of 1,600 members only those that a reader wants are inflated."""
    file = tmp_path / "backup.zip"
    with zipfile.ZipFile(file, "w") as archive:
        for member in sorted((ESTATE / "was").rglob("*")):
            if member.is_file():
                archive.write(member, member.relative_to(ESTATE / "was").as_posix())
        for number in range(1600):
            archive.writestr(f"templates/servertypes/t{number}/server.xml", "<process:Server/>")
            archive.writestr(f"cells/PRODCELL/applications/A.ear/deployments/A/a.war/page{number}.jsp", "x")
    opened: list[str] = []
    original = zipfile.ZipFile.open

    def counting(self: zipfile.ZipFile, name: Any, *args: Any, **options: Any) -> Any:
        opened.append(name.filename)
        return original(self, name, *args, **options)

    monkeypatch.setattr(zipfile.ZipFile, "open", counting)
    found = discover([file])
    for entry in found.files:
        entry.read()
    assert len(found.files) == len(opened) > 30
    assert all(wanted(f"{file}!/{name}") for name in opened)


def test_links_in_archives_are_not_followed(tmp_path: Path) -> None:
    """A symbolic link in a tar is no member."""
    file = tmp_path / "a.tar"
    with tarfile.open(file, "w") as archive:
        info = tarfile.TarInfo("cells/C/cell.xml")
        info.type = tarfile.SYMTYPE
        info.linkname = "/etc/passwd"
        archive.addfile(info)
    assert discover([file]).files == []


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"DEFINE QLOCAL(A) BOTHRESH(3)\n", "mqsc"),
        (b"\xef\xbb\xbf* comment\r\nalter qmgr deadq(X)\r\n", "mqsc"),
        (b"define ql(a) +\n  bothresh(3)\n", "mqsc"),
        (b"# Readme\n\nDEFINE the queue first, then ALTER it.\n", None),
        (b"AMQ8409I: Display Queue details.\n   QUEUE(A)   TYPE(QLOCAL)\n", "transcript"),
        (b"apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    DEFINE QLOCAL(A)\n", "kubernetes"),
        (b'<?xml version="1.0"?>\n<server description="liberty"/>', "liberty"),
        (b'<server xmlns="urn:jboss:domain:20.0"><profile/></server>', None),
        (b"<html><body>cells</body></html>", None),
        (b'<project xmlns="http://maven.apache.org/POM/4.0.0"/>', None),
        (b'<process:Server xmlns:process="http://www.ibm.com/websphere/appserver/schemas/5.0/process.xmi"/>', "was"),
        (b"com.ibm.websphere.baseProductVersion=9.0.5.1\n", "was"),
        (b"", None),
        (b"\x00\x01\x02", None),
    ],
)
def test_recognition(head: bytes, kind: str | None) -> None:
    """A file's first bytes decide, and what is not wanted has a reason."""
    found, reason = recognise(head)
    assert found == kind
    assert bool(reason) == (kind is None)


def test_the_whole_corpus_is_read(lintmdb: Run, corpus: Path) -> None:
    """Every public file is read or passed over with a reason, and nothing fails."""
    result = lintmdb("inventory", corpus)
    assert (result.returncode, result.stderr) == (0, "")
    assert "cell websphere80ndCell01" in result.stdout
    assert "cell websphere90ndCell01" in result.stdout
    told = result.stdout.partition("not read, or not resolved")[2].splitlines()
    assert [Path(line.strip().partition(":")[0]).name for line in told if ".xml:" in line] == [
        "057_liberty-cics-server.xml"  # placeholders such as <path> make it no XML
    ]


def test_what_cannot_be_listed_or_opened_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that refuses, a file that refuses, and a path that is gone are told by name; the rest is read."""
    for name in ("closed", "open"):
        (tmp_path / name).mkdir()
    (tmp_path / "open" / "QM1.mqsc").write_text("DEFINE QLOCAL('Q') BOTHRESH(3)\n")
    (tmp_path / "open" / "secret.mqsc").write_text("DEFINE QLOCAL('Q') BOTHRESH(3)\n")
    scandir: Any = os.scandir
    open_: Any = open

    def refuse_folder(path: str) -> Any:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    def refuse_file(path: str, *arguments: Any, **options: Any) -> Any:
        if str(path).endswith("secret.mqsc"):
            raise PermissionError(13, "Permission denied")
        return open_(path, *arguments, **options)

    monkeypatch.setattr("lintmdb.exports.discovery.os.scandir", refuse_folder)
    monkeypatch.setattr("builtins.open", refuse_file)
    found = discover([tmp_path])
    assert [Path(entry.path).name for entry in found.files] == ["QM1.mqsc"]
    assert {(Path(problem.path).name, problem.text) for problem in found.problems} == {
        ("closed", "cannot be read: Permission denied"),
        ("secret.mqsc", "cannot be read: Permission denied"),
    }


def test_folders_are_followed_to_a_depth(tmp_path: Path) -> None:
    """A tree that is deeper is named, not followed for ever."""
    deep = tmp_path.joinpath(*["d"] * (MAX_DEPTH + 2))
    deep.mkdir(parents=True)
    (problem,) = discover([tmp_path]).problems
    assert "is nested deeper than" in problem.text


@pytest.mark.parametrize(
    ("place", "told", "step", "packed_step"),
    [
        ("PRODCELL", "/PRODCELL", "exports/cells/PRODCELL, and name ", "Pack it as cells/PRODCELL"),
        ("cells", "/cells", "exports/cells/CELL, and name ", "Pack it as cells/CELL"),
        ("", "exports", "/cells/exports, and name ", "Pack it as cells/CELL"),
    ],
)
def test_a_cell_without_its_folder_in_cells_is_refused(
    place: str, told: str, step: str, packed_step: str, tmp_path: Path
) -> None:
    """Files whose scopes nothing tells would be judged as if every server saw all of them."""
    exports = tmp_path / "exports"
    shutil.copytree(FIXTURES / "estate" / "was" / "cells" / "PRODCELL", exports / place)
    (tmp_path / "QM1.mqsc").write_text("DEFINE QLOCAL('Q')\n")
    shutil.make_archive(str(tmp_path / "packed"), "zip", exports)
    for path, ending, next_step in ((exports, told, step), (tmp_path / "packed.zip", place or "zip", packed_step)):
        found = discover([path, tmp_path / "QM1.mqsc"])
        assert [file.kind for file in found.files] == ["mqsc"]
        (problem,) = found.problems
        assert problem.kind == "unreadable"
        assert problem.path.endswith(ending)
        assert next_step in problem.next_step


def test_the_contents_of_a_cell_in_the_working_folder_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless the working folder is the cell's own: then its path says what they are."""
    shutil.copytree(FIXTURES / "clean" / "was" / "cells", tmp_path / "cells")
    shutil.copytree(tmp_path / "cells" / "C1", tmp_path / "C1")
    other = tmp_path / "QM1.mqsc"
    other.write_text("DEFINE QLOCAL('Q')\n")
    monkeypatch.chdir(tmp_path / "C1")
    found = discover([".", other])
    assert [file.kind for file in found.files] == ["mqsc"]
    assert [problem.path for problem in found.problems] == ["."]
    monkeypatch.chdir(tmp_path / "cells" / "C1")
    assert discover(["."]).problems == []


def test_an_archive_in_an_archive_is_told(tmp_path: Path) -> None:
    """It is not opened; what else the outer one holds is read."""
    inner = tmp_path / "WebSphereConfig.zip"
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("cells/C1/resources.xml", "<x/>")
    with zipfile.ZipFile(tmp_path / "mail.zip", "w") as archive:
        archive.write(inner, "WebSphereConfig.zip")
        archive.writestr("QM1.mqsc", "DEFINE QLOCAL('Q')\n")
    found = discover([tmp_path / "mail.zip"])
    assert [file.kind for file in found.files] == ["mqsc"]
    assert "is an archive in an archive" in str(found.passed_over)


def test_an_overlay_alone_says_what_its_base_is(tmp_path: Path) -> None:
    """A named folder that has only a kustomization of a folder above it; with that folder it is read."""
    base, overlay = tmp_path / "base", tmp_path / "overlays" / "prod"
    for folder, text in (
        (base, "configMapGenerator:\n  - name: x\n    files: [a.mqsc]\n"),
        (overlay, "kind: Kustomization\nresources:\n  - ../../base\n"),
    ):
        folder.mkdir(parents=True)
        (folder / "kustomization.yaml").write_text(text)
    (base / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    (alone,) = discover([overlay]).unread
    assert "its kustomization is made of ../../base, which was not given: name that, too" in alone.reason
    assert discover([overlay, base]).unread == []
