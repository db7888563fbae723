"""The scripts that lintmdb prints for administrators, run with stand-ins for MQ's commands."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lintmdb.collect import collecting_script
from lintmdb.engine.judge import judge
from lintmdb.errors import LintmdbError
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.support.jython_2_1 import later_than_2_1
from tests.support.project import FIXTURES, ROOT
from tests.support.scenario import RULES
from tests.support.wsadmin_runs import Result, run_program

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


def test_the_page_about_exports_has_the_scripts() -> None:
    """The documentation shows what `lintmdb collect` prints."""
    page = (ROOT / "docs" / "exporting.md").read_text("utf-8")
    assert f"```text\n{collecting_script('zos')}```" in page
    assert f"```sh\n{collecting_script('mq')}```" in page
    assert f"```text\n{collecting_script('was')}```" in page


def test_a_job_writes_to_the_data_set_that_is_named() -> None:
    """And to nothing that is no data set."""
    assert "DSN=A.B1.C," in collecting_script("zos", "A.B1.C")
    for name in ("a.b", "A..B", "TOOLONGNAME", "A,B", "A.B\n//X", "A." * 22 + "A"):
        with pytest.raises(LintmdbError, match="is no name of a data set"):
            collecting_script("zos", name)


_WSADMIN = """# Stands in for wsadmin: documents are files below a folder, and ids name them.
import os, shutil, sys
ROOT, SCRIPT = sys.argv[1], sys.argv[2]
DOCUMENTS = {'Cell': 'cell.xml', 'Node': 'node.xml', 'Server': 'server.xml', 'ServerCluster': 'cluster.xml',
             'ServerIndex': 'serverindex.xml', 'Security': 'security.xml', 'Deployment': 'deployment.xml',
             'SIBQueue': 'sib-destinations.xml'}
class AdminConfig:
    def list(self, kind):
        if kind not in DOCUMENTS:
            raise ValueError(kind)
        lines = []
        for folder, _, files in os.walk(ROOT):
            place = os.path.relpath(folder, ROOT).replace(os.sep, '/')
            is_node = kind == 'Node' and 'serverindex.xml' in files
            if DOCUMENTS[kind] in files or is_node:
                lines.append('x(%s|%s#%s_1)' % (place, DOCUMENTS[kind], kind))
        return chr(10).join(lines)
    def extract(self, path, target):
        shutil.copyfile(os.path.join(ROOT, path), target)
class AdminControl:
    def getCell(self):
        return 'PRODCELL'
scope = {'AdminConfig': AdminConfig(), 'AdminControl': AdminControl(), '__name__': '__main__'}
exec(compile(open(SCRIPT).read(), SCRIPT, 'exec'), scope)
"""


@pytest.mark.parametrize("name", ["python", pytest.param("jython", marks=pytest.mark.slow)])
def test_the_script_for_wsadmin_copies_what_lintmdb_reads(name: str, tmp_path: Path) -> None:
    """The verdicts on the copy are those on the repository, and there is no password in it."""
    source, out = FIXTURES / "estate" / "was", tmp_path / "out"
    (tmp_path / "wsadmin.py").write_text(_WSADMIN, "ascii")
    (tmp_path / "collect.py").write_text(collecting_script("was", str(out)), "ascii")

    def run() -> Result:
        return run_program(name, tmp_path / "wsadmin.py", [source, tmp_path / "collect.py"], tmp_path)

    ended = run()
    assert ended.code == 0, ended.output
    assert "cell: PRODCELL" in (out / "MANIFEST.txt").read_text("utf-8")
    texts = [file.read_text("utf-8") for file in out.rglob("*.xml")]
    assert not [text for text in texts if "{xor}" in text]
    before, after = (judge(read_estate([folder], Observations()).facts, RULES) for folder in (source, out))
    assert {(f.rule.id, f.subject) for f in after.findings} == {(f.rule.id, f.subject) for f in before.findings}
    assert set(after.clear_subjects) == set(before.clear_subjects)
    again = run()
    assert again.code == 1
    assert "is not empty" in again.output


def test_an_ear_file_is_copied_where_annotations_alone_declare_beans(tmp_path: Path) -> None:
    """As it is. Other applications may be large, and their descriptors were copied."""
    source, out = tmp_path / "was", tmp_path / "out"
    shutil.copytree(FIXTURES / "estate" / "was", source)
    applications = {file.parents[4] for file in source.rglob("ejb-jar.xml")}
    assert len(applications) > 1
    for application in applications:
        path = application / application.name
        path.write_bytes(b"PK\x03\x04\r\n\x00 password='x'")
    bound_alone = min(applications)
    for file in bound_alone.rglob("ejb-jar.xml"):
        file.unlink()
    (tmp_path / "wsadmin.py").write_text(_WSADMIN, "ascii")
    (tmp_path / "collect.py").write_text(collecting_script("was", str(out)), "ascii")
    ended = run_program("python", tmp_path / "wsadmin.py", [source, tmp_path / "collect.py"], tmp_path)
    assert ended.code == 0, ended.output
    ear = bound_alone.relative_to(source) / bound_alone.name
    assert [file.relative_to(out) for file in out.rglob("*.ear") if file.is_file()] == [ear]
    assert (out / ear).read_bytes() == (source / ear).read_bytes()
    assert ear.as_posix() in (out / "MANIFEST.txt").read_text("utf-8").splitlines()


def test_the_script_for_wsadmin_is_jython_2_1() -> None:
    """Which WebSphere 7.0 to 8.5 run, with a library that has these modules."""
    later = later_than_2_1(collecting_script("was", "it's \\ here"))
    assert [text.partition(": ")[2] for text in later] == ["the module os", "the module re", "the module time"]
