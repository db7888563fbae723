"""The scripts that lintmdb prints for administrators, run with stand-ins for MQ's commands."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lintmdb.collect import collecting_script
from lintmdb.errors import LintmdbError
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.support.project import FIXTURES, ROOT

_DSPMQ = """#!/bin/sh
echo 'QMNAME(QM1)   STATUS(Running)'
echo 'QMNAME(QM/BAD)   STATUS(Running)'
echo 'QMNAME(QM3)   STATUS(Ended normally)'
"""
_DMPMQCFG = """#!/bin/sh
[ "$2" = QM1 ] || { echo 'AMQ8118E: no such queue manager' >&2; exit 20; }
[ "$1 $3" = '-m -a' ] || exit 30
cat "$DUMP"
printf "DEFINE CHANNEL('C') CHLTYPE(SDR) +\\n   CONNAME('h') +\\n   PASSWORD('it''s a s3cret') +\\n   XMITQ('X')\\n"
"""


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """A folder with dspmq and dmpmqcfg."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in (("dspmq", _DSPMQ), ("dmpmqcfg", _DMPMQCFG)):
        (folder / name).write_text(text, "ascii")
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.skipif(shutil.which("sh") is None, reason="no sh")
def test_the_shell_script_exports_every_running_queue_manager(tmp_path: Path, commands: Path) -> None:
    """What lintmdb reads is the dump, without the password; the manifest says what is missing, and the script fails."""
    dump = FIXTURES / "clean" / "mq" / "QM1.mqsc"
    environment = {**os.environ, "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}", "DUMP": str(dump)}
    script = collecting_script("mq", "it's here")
    ended = subprocess.run(
        ["sh"], input=script, cwd=tmp_path, env=environment, text=True, capture_output=True, check=False, timeout=60
    )
    assert ended.returncode == 1
    out = tmp_path / "it's here"
    assert sorted(file.name for file in out.iterdir()) == ["MANIFEST.txt", "QM1.mqsc", "QM_BAD.mqsc.log"]
    text = (out / "QM1.mqsc").read_text("utf-8")
    assert text.startswith(dump.read_text("utf-8"))
    assert "s3cret" not in text
    assert "PASSWORD('') +" in text
    manifest = (out / "MANIFEST.txt").read_text("utf-8")
    assert "QM3: not exported: Ended normally" in manifest
    assert "QM/BAD: not exported" in manifest
    assert "date: 20" in manifest
    assert (out / "QM1.mqsc").stat().st_mode & 0o077 == 0
    estate = read_estate([out], Observations())
    assert [export.name for export in estate.facts.rows["export"]] == ["QM1"]
    assert [entry.path for entry in estate.inputs if entry.kind == "mqsc"] == [
        next(entry.path for entry in estate.inputs if entry.path.endswith("QM1.mqsc"))
    ]


def test_a_host_without_mq_is_told(tmp_path: Path) -> None:
    """One line, and a failure."""
    (tmp_path / "dspmq").write_text("#!/bin/sh\nexit 127\n", "ascii")
    (tmp_path / "dspmq").chmod(0o755)
    ended = subprocess.run(
        ["sh"],
        input=collecting_script("mq"),
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        text=True,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert ended.returncode == 1
    assert "is IBM MQ in PATH?" in ended.stderr


def test_the_page_about_exports_has_the_job() -> None:
    """The documentation shows what `lintmdb collect zos` prints."""
    assert f"```text\n{collecting_script('zos')}```" in (ROOT / "docs" / "exporting.md").read_text("utf-8")


def test_a_job_writes_to_the_data_set_that_is_named() -> None:
    """And to nothing that is no data set."""
    assert "DSN=A.B1.C," in collecting_script("zos", "A.B1.C")
    for name in ("a.b", "A..B", "TOOLONGNAME", "A,B", "A.B\n//X", "A." * 22 + "A"):
        with pytest.raises(LintmdbError, match="is no name of a data set"):
            collecting_script("zos", name)
