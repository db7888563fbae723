"""A standalone cluster of a master and two workers, whose Python has no lintmdb, says what ``check`` says."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from lintmdb.fleet.facts.store import Store
from tests.engines.conftest import SPARK_HOME, Audit, Cluster, Fleet, Process
from tests.support.project import FIXTURES, ROOT

_SCRIPT = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from pyspark.sql import SparkSession
from lintmdb.fleet import register

spark = SparkSession.builder.master(sys.argv[1]).config("spark.ui.enabled", "false").getOrCreate()
register(spark)
print("read", [row.name for row in spark.read.format("lintmdb").load(sys.argv[2]).collect()], flush=True)
"""


def test_an_audit_says_what_check_says(cluster: Cluster, fleet: Fleet, audit: Audit, tmp_path: Path) -> None:
    """Executors get the package and the rules from the driver."""
    result = audit(fleet.exports, tmp_path / "out", "--master", cluster.master)
    assert result.returncode == 0, result.stderr
    fleet.holds(tmp_path / "out")


def test_an_executor_that_is_killed_loses_nothing(cluster: Cluster, fleet: Fleet, audit: Audit, tmp_path: Path) -> None:
    """Once while it reads, and once while it judges: another one does its tasks again."""

    def kill(_: Process) -> None:
        cluster.kill_an_executor()

    at = dict.fromkeys(("reading", "judging"), kill)
    result = audit(fleet.exports, tmp_path / "out", "--master", cluster.master, at=at)
    assert result.returncode == 0, result.stderr
    fleet.holds(tmp_path / "out")


def test_after_a_driver_that_is_killed_the_next_audit_is_right(
    cluster: Cluster, fleet: Fleet, audit: Audit, tmp_path: Path
) -> None:
    """What it left is no audit, and facts that it wrote are not taken twice."""
    out = tmp_path / "out"
    at = {"judging": Process.kill}
    assert audit(fleet.exports, out, "--master", cluster.master, at=at).returncode == -signal.SIGKILL
    assert Store(out).complete_audits() == []
    result = audit(fleet.exports, out, "--master", cluster.master, "--incremental")
    assert result.returncode == 0, result.stderr
    fleet.holds(out)


def test_an_audit_is_submitted(cluster: Cluster, fleet: Fleet, audit: Audit, tmp_path: Path) -> None:
    """By ``spark-submit``, which says where it runs."""
    submit = (SPARK_HOME / "bin" / "spark-submit", "--master", cluster.master, "--conf", "spark.log.level=ERROR")
    result = audit(fleet.exports, tmp_path / "out", command=submit)
    assert result.returncode == 0, result.stderr
    fleet.holds(tmp_path / "out")


def test_the_data_source_works_in_a_plain_script(
    cluster: Cluster, environment: Mapping[str, str], tmp_path: Path
) -> None:
    """``register`` ships what executors need."""
    script = tmp_path / "script.py"
    script.write_text(_SCRIPT)
    command = [sys.executable, "-P", script, cluster.master, FIXTURES / "stop-5-bothresh-1"]
    result = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert "read ['OrdersAS']" in result.stdout, result.stderr[-2000:]
