"""Hostile and broken input: one clear message, no traceback, and the healthy export beside it is still judged."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.project import FIXTURES, ROOT
from tests.support.scenario_folders import scenario_folder

HEALTHY = FIXTURES / "backout-inert"
SECRET = "do-not-read-me-7731"

Spoil = Callable[[Path], Path]


def _not_well_formed(folder: Path) -> Path:
    file = folder / "was" / "cells" / "C1" / "resources.xml"
    file.write_text("<xmi:XMI>\n  <a></b>\n</xmi:XMI>")
    return file


def _entity_bomb(folder: Path) -> Path:
    file = folder / "was" / "cells" / "C1" / "resources.xml"
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">\n' for n in range(1, 12))
    file.write_text(f'<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY a0 "ha">\n{entities}]>\n<x>&a11;</x>')
    return file


def _external_entity(folder: Path) -> Path:
    target = folder / "secret.txt"
    target.write_text(SECRET)
    file = folder / "was" / "cells" / "C1" / "resources.xml"
    file.write_text(f'<!DOCTYPE x [<!ENTITY s SYSTEM "file://{target}">]>\n<x>&s;</x>')
    return file


def _deep(folder: Path) -> Path:
    file = folder / "was" / "cells" / "C1" / "resources.xml"
    file.write_text("<a>" * 200_000 + "</a>" * 200_000)
    return file


def _empty(folder: Path) -> Path:
    file = folder / "was" / "cells" / "C1" / "resources.xml"
    file.write_text("")
    return file


def _junk(folder: Path) -> Path:
    file = folder / "was" / "cells" / "C1" / "variables.xml"
    file.write_bytes(bytes(range(256)) * 400)
    return file


def _unknown_encoding(folder: Path) -> Path:
    file = folder / "was" / "cells" / "C1" / "variables.xml"
    file.write_bytes(b'<?xml version="1.0" encoding="IBM-1047"?><a/>')
    return file


def _zip_bomb(folder: Path) -> Path:
    file = folder / "bomb.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("cells/B/cell.xml", b"<a>" + b" " * 60_000_000 + b"</a>")
    return file


def _outside_member(folder: Path) -> Path:
    file = folder / "outside.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("../cells/B/cell.xml", "<a/>")
    return file


def _truncated_zip(folder: Path) -> Path:
    file = folder / "cut.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("cells/B/cell.xml", "<a/>" * 1000)
    file.write_bytes(file.read_bytes()[:-40])
    return file


def _truncated_tar(folder: Path) -> Path:
    file = folder / "cut.tar.gz"
    with tarfile.open(file, "w:gz") as archive:
        info = tarfile.TarInfo("cells/B/cell.xml")
        data = os.urandom(50_000)
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    file.write_bytes(file.read_bytes()[:20_000])
    return file


def _ebcdic(folder: Path) -> Path:
    file = folder / "zos.txt"
    record = "DEFINE NOREPLACE QLOCAL('A.B') BOTHRESH(3)".encode("cp037")
    file.write_bytes((len(record) + 4).to_bytes(2, "big") + b"\0\0" + record)
    return file


def _cut_dump(folder: Path) -> Path:
    file = folder / "mq" / "QM8.mqsc"
    file.write_text("* Queue manager name: QM8\nDEFINE QLOCAL('A') +\n   BOTHRESH(3) +\n")
    return file


SPOILS: list[Spoil] = [
    _not_well_formed,
    _entity_bomb,
    _external_entity,
    _deep,
    _empty,
    _junk,
    _unknown_encoding,
    _zip_bomb,
    _outside_member,
    _truncated_zip,
    _truncated_tar,
    _ebcdic,
    _cut_dump,
]


@pytest.mark.slow
@pytest.mark.parametrize("spoil", SPOILS, ids=lambda spoil: spoil.__name__.strip("_"))
def test_broken_input_is_one_finding(lintmdb: Run, tmp_path: Path, spoil: Spoil) -> None:
    """A file that cannot be read is one MDB901 with its path and a next step; everything else is judged as before."""
    folder = tmp_path / "export"
    shutil.copytree(HEALTHY, folder)
    file = spoil(folder)
    result = lintmdb("check", folder, "--format", "json")
    assert "Traceback" not in result.stderr
    document = json.loads(result.stdout)
    unreadable = [f for f in document["findings"] if f["rule"] == "MDB901"]
    assert len(unreadable) == 1
    assert unreadable[0]["location"]["path"].startswith(str(file))
    assert "MDB104" in {f["rule"] for f in document["findings"]}
    assert SECRET not in result.stdout + result.stderr
    assert result.returncode == 1


def test_doctype_with_external_id_is_accepted(lintmdb: Run) -> None:
    """An EJB 2.0 descriptor with a DOCTYPE is read, and its DTD is never loaded."""
    document = json.loads(lintmdb("check", scenario_folder("was5-wrapper"), "--format", "json").stdout)
    assert {entry["subject"]["bean"] for entry in document["undecided"]} >= {"OrderBean"}


def test_unbalanced_quote_is_counted_and_the_rest_read(lintmdb: Run, tmp_path: Path) -> None:
    """A quote that is never closed costs its own command and no other."""
    script = tmp_path / "QM1.mqsc"
    script.write_text("DEFINE QLOCAL('A\nDEFINE QLOCAL(ORDERS.IN) BOTHRESH(0) BOQNAME('X')\n")
    assert "MDB104" in lintmdb("check", "fixtures/incomplete-mq", script).stdout
    assert "QM1.mqsc:1:" in lintmdb("inventory", script).stdout


@pytest.mark.slow
def test_a_line_of_100_mb_is_passed_over(lintmdb: Run, tmp_path: Path) -> None:
    """A single line of 100 MB is not understood, and the command after it is."""
    script = tmp_path / "QM1.mqsc"
    with script.open("w") as stream:
        stream.write("DEFINE QLOCAL(ORDERS.IN) BOTHRESH(0) BOQNAME('X')\nALTER QLOCAL(B) DESCR('")
        stream.write("x" * 100_000_000)
        stream.write("')\nDEFINE QLOCAL(LAST)\n")
    result = lintmdb("inventory", script)
    assert "2 local queues" in result.stdout
    assert "is not MQSC" in result.stdout


def test_binary_junk_named_mqsc_is_passed_over(lintmdb: Run, tmp_path: Path) -> None:
    """A binary file is no export, whatever it is called."""
    (tmp_path / "QM1.mqsc").write_bytes(os.urandom(100_000))
    result = lintmdb("check", tmp_path)
    assert result.returncode == 3
    assert "Traceback" not in result.stderr


def test_folder_loop_ends(lintmdb: Run, tmp_path: Path) -> None:
    """A symbolic link back to its own folder is reported and not followed."""
    shutil.copytree(HEALTHY, tmp_path / "export")
    (tmp_path / "export" / "again").symlink_to(tmp_path / "export", target_is_directory=True)
    result = lintmdb("inventory", tmp_path / "export")
    assert "is a symbolic link to a folder, which is not followed" in result.stdout
    assert result.stdout.count("cell C1") == 1


def test_pipe_is_never_opened(lintmdb: Run, tmp_path: Path) -> None:
    """A FIFO in a folder is passed over: opening it would wait for ever."""
    shutil.copytree(HEALTHY, tmp_path / "export")
    os.mkfifo(tmp_path / "export" / "pipe.mqsc")
    result = lintmdb("inventory", tmp_path / "export")
    assert "pipe.mqsc: is not a regular file" in result.stdout


def test_unreadable_permissions_are_reported(lintmdb: Run, tmp_path: Path) -> None:
    """A file without read permission is one finding with its path."""
    folder = tmp_path / "export"
    shutil.copytree(HEALTHY, folder)
    file = folder / "was" / "cells" / "C1" / "security.xml"
    file.chmod(0)
    if os.access(file, os.R_OK):
        pytest.skip("this user reads everything")
    result = lintmdb("check", folder, "--format", "json")
    assert "security.xml cannot be read" in result.stdout


def test_rules_of_25000_brackets_are_refused(lintmdb: Run, tmp_path: Path) -> None:
    """Deep YAML that crashes the C loader is one clear error."""
    (tmp_path / "deep.yaml").write_text("[" * 25_000)
    result = lintmdb("rules", "check", tmp_path)
    assert result.returncode == 2
    assert "nested deeper than" in result.stderr


def test_rule_folder_of_hostile_text_is_refused(lintmdb: Run, tmp_path: Path) -> None:
    """A rule whose condition is more than a condition is refused with file, line and column."""
    lintmdb("rules", "new", "hostile", "--dir", tmp_path)
    file = tmp_path / "hostile.yaml"
    file.write_text(file.read_text().replace("queue.backout_threshold > 5", "load_extension('x') = 1"))
    result = lintmdb("check", "fixtures/clean", "--rules", tmp_path)
    assert result.returncode == 2
    assert f"{file}:9:1: 'load_extension' is not allowed in a condition" in result.stderr


@pytest.mark.parametrize("broken", [False, True])
def test_a_password_never_leaves_the_reader(lintmdb: Run, tmp_path: Path, broken: bool) -> None:
    """No output holds a password, not even when security.xml is broken on that very line."""
    folder = tmp_path / "export"
    shutil.copytree(FIXTURES / "stop-5-bothresh-1", folder)
    file = folder / "was" / "cells" / "C1" / "security.xml"
    text = file.read_text()
    assert "{xor}KzosKw==" in text
    if broken:
        file.write_text(text.replace('description=""/>', 'description=""<'))
    for arguments in (("check", folder), ("check", folder, "--format", "json"), ("inventory", folder)):
        result = lintmdb(*arguments)
        assert "KzosKw" not in result.stdout + result.stderr
        assert "security.xml" in result.stdout or not broken


@pytest.mark.slow
def test_closed_pipe_is_quiet() -> None:
    """A reader that stops early, as head does, causes no traceback."""
    command = f"{sys.executable} -m lintmdb check fixtures/all-families | head -1"
    result = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "Traceback" not in result.stderr
