"""Executors that are not in this process, and Ctrl-C in the midst of an audit, in a Spark of their own."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
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


_ON_A_CLUSTER = """
import sys
from pathlib import Path

def where(batches):
    import pyarrow
    import lintmdb.fleet.judging.findings
    for _ in batches:
        yield pyarrow.RecordBatch.from_pydict({"file": [lintmdb.__file__]})

from lintmdb.cli.app import run
from lintmdb.fleet import spark_engine
from lintmdb.fleet.facts.collect import collect
from lintmdb.fleet.facts.spark_workers import SparkWorkers
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.facts.unit_reader import UnitReader
from lintmdb.fleet.facts.units import list_units
from lintmdb.fleet.session import audit_session, close_session, open_session

spark = open_session("local-cluster[1,1,1024]")
store = Store(Path(sys.argv.pop(1)))
with store.locked():
    workers = SparkWorkers(audit_session(spark))
    done = collect(workers, store, list_units(sys.argv[3:4]).units, UnitReader(), incremental=False)
print(sorted(part.name for part in done.live if part.kind in ("cell", "queue_manager")))
print({row[0] for row in spark.range(2).mapInArrow(where, "file string").collect()}, flush=True)

spark_engine.MOST_ROWS = -1
status = run()
close_session(spark)
raise SystemExit(status)
"""


def test_executors_get_the_package_and_ctrl_c_leaves_the_last_complete_audit(tmp_path: Path) -> None:
    """Executors of a cluster have no lintmdb on their path but what is shipped to them, and read exports with it, in a
    locale that cannot write the name of the folder. At Ctrl-C the job is cancelled, one line says so, and the exit code
    is that of a program that was stopped.
    """
    exports, out = str(FIXTURES / "all-families"), tmp_path / "out"
    before = run_audit(None, Request([exports], out, FEW))
    kept = {file: file.read_bytes() for file in before.folder.rglob("*") if file.is_file()}
    site = tmp_path / "site"
    for part in ("lintmdb", "rules"):
        shutil.copytree(ROOT / part, site / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", site)  # beside it, rules are read as in a checkout
    command = [sys.executable, "-P", "-c", _ON_A_CLUSTER, str(tmp_path / "sortie-d\u00e9p\u00f4t")]
    command += ["fleet", "audit", exports, "--out", str(out)]
    environment = {**clean_environment(), "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1"}
    environment |= {"PYTHONPATH": str(site), "TMPDIR": str(tmp_path), "LC_ALL": "C"}
    lines: list[str] = []
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for line in process.stderr:
            lines.append(line)
            if "judging" in line:
                process.send_signal(signal.SIGINT)
        parts, files = process.stdout.read().splitlines()
    assert parts == "['PRODCELL', 'QM1', 'QM2', 'ZCELL', 'ZQM1']"
    assert files == "{'./lintmdb.zip/lintmdb/__init__.py'}"
    assert process.returncode == 130, lines
    assert lines[-1] == "lintmdb: stopped; the last complete audit is unchanged\n"
    assert len(lines) == 4, "nothing but the stages: no complaint of any library"
    assert Store(out).complete_audits() == [before.folder]
    assert {file: file.read_bytes() for file in before.folder.rglob("*") if file.is_file()} == kept
    assert sorted(path.name for path in (out / "audits").iterdir()) == [before.folder.name]
    assert not (out / "tmp").exists()
    assert not list(tmp_path.glob("lintmdb-*")), "the archive is removed"
