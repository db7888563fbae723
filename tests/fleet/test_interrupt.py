"""Ctrl-C in the midst of an audit, and executors that are not in this process: each in a Spark of its own."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.command import clean_environment
from tests.support.project import FIXTURES, ROOT
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.audit import Request, run_audit
from lintmdb.fleet.facts.store import Store
from tests.support.scenario import RULES

pytestmark = pytest.mark.fleet
FEW = [rule for rule in RULES if rule.id == "MDB104"]


def _environment(**more: str) -> Mapping[str, str]:
    return {**clean_environment(), "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1", **more}


_JUDGED_BY_SPARK = """
from lintmdb.cli.app import run
from lintmdb.fleet import spark_engine

spark_engine.MOST_ROWS = -1
raise SystemExit(run())
"""


def test_ctrl_c_leaves_the_last_complete_audit(tmp_path: Path) -> None:
    """The job is cancelled, one line says so, the exit code is that of a program that was stopped."""
    out = tmp_path / "out"
    before = run_audit(None, Request([str(FIXTURES / "all-families")], out, FEW))
    kept = {file: file.read_bytes() for file in before.folder.rglob("*") if file.is_file()}
    command = [sys.executable, "-c", _JUDGED_BY_SPARK, "fleet", "audit", str(FIXTURES / "all-families")]
    command += ["--out", str(out), "--master", "local[2]"]
    lines: list[str] = []
    with subprocess.Popen(command, cwd=ROOT, env=_environment(), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            lines.append(line)
            if "judging" in line:
                process.send_signal(signal.SIGINT)
    assert process.returncode == 130
    assert lines[-1] == "lintmdb: stopped; the last complete audit is unchanged\n"
    assert len(lines) == 5, "nothing but the stages: no complaint of any library"
    assert Store(out).complete_audits() == [before.folder]
    assert {file: file.read_bytes() for file in before.folder.rglob("*") if file.is_file()} == kept
    assert sorted(path.name for path in (out / "audits").iterdir()) == [before.folder.name]
    assert not (out / "tmp").exists()


_CLUSTER = """
import sys
from pathlib import Path

def where(batches):
    import pyarrow
    import lintmdb.fleet.judging.findings
    for _ in batches:
        yield pyarrow.RecordBatch.from_pydict({"file": [lintmdb.__file__]})

from lintmdb.fleet.facts.collect import collect
from lintmdb.fleet.facts.spark_workers import SparkWorkers
from lintmdb.fleet.facts.unit_reader import UnitReader
from lintmdb.fleet.session import audit_session, close_session, open_session
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.facts.units import list_units

spark = open_session("local-cluster[1,1,1024]")
store = Store(Path(sys.argv[2]))
with store.locked():
    workers = SparkWorkers(audit_session(spark))
    done = collect(workers, store, list_units(sys.argv[1:2]).units, UnitReader(), incremental=False)
print(sorted(part.name for part in done.live if part.kind in ("cell", "queue_manager")))
print({row[0] for row in spark.range(2).mapInArrow(where, "file string").collect()})
close_session(spark)
"""


def test_executors_get_the_package_from_this_process(tmp_path: Path) -> None:
    """Those of a cluster have no lintmdb on their path but what is shipped to them, and read exports with it.

    The locale is one that cannot write the name of the folder.
    """
    site = tmp_path / "site"
    shutil.copytree(ROOT / "lintmdb", site / "lintmdb", ignore=shutil.ignore_patterns("__pycache__"))
    command = [
        sys.executable,
        "-P",
        "-c",
        _CLUSTER,
        str(FIXTURES / "all-families"),
        str(tmp_path / "sortie-d\u00e9p\u00f4t"),
    ]
    environment = _environment(PYTHONPATH=str(site), TMPDIR=str(tmp_path), LC_ALL="C")
    result = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert result.returncode == 0, result.stderr[-2000:]
    parts, files = result.stdout.splitlines()
    assert parts == "['PRODCELL', 'QM1', 'QM2', 'ZCELL', 'ZQM1']"
    assert files == "{'./lintmdb.zip/lintmdb/__init__.py'}"
    assert not list(tmp_path.glob("lintmdb-*")), "the archive is removed"
