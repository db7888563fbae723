"""The data source of the notebook: relations of exports that Spark reads directly."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lintmdb.model.columns import columns
from lintmdb.model.relations import RELATIONS
from lintmdb.resolve.observations import Observations
from tests.support.project import FIXTURES, ROOT
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet import register
from lintmdb.run.estate import read_estate

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_the_data_source_gives_the_rows_of_check(spark: SparkSession) -> None:
    """Every relation of the estate is what check resolves, unknown values included."""
    register(spark)
    facts = read_estate([FIXTURES / "all-families"], Observations(on_message_ms=15_000)).facts.rows
    for relation in ("endpoint", "bean", "queue", "server", "export"):
        reader = spark.read.format("lintmdb").option("relation", relation).option("onMessage", "15s")
        rows = reader.load(str(FIXTURES / "all-families"))
        names = [column.name for column in columns(RELATIONS[relation])]
        assert rows.columns == names
        expected = [tuple(getattr(row, name) for name in names) for row in facts[relation]]
        assert sorted(repr(tuple(row[name] for name in names)) for row in rows.collect()) == sorted(map(repr, expected))


def test_the_data_source_tells_what_is_wrong(spark: SparkSession, tmp_path: Path) -> None:
    """An unknown relation is named; what cannot be read is a row of problem and stops nothing."""
    register(spark)
    with pytest.raises(Exception, match="Did you mean queue"):
        spark.read.format("lintmdb").option("relation", "queu").load(str(tmp_path))
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 and nothing that follows")
    (tmp_path / "QM1.mqsc").write_text("DEFINE QLOCAL('Q') BOTHRESH(3)\n")
    problems = spark.read.format("lintmdb").option("relation", "problem").load(str(tmp_path)).collect()
    assert {(row["kind"], Path(row["path"]).name) for row in problems} == {
        ("unreadable", "broken.zip"),
        ("guessed_name", "QM1.mqsc"),
    }
    queues = spark.read.format("lintmdb").option("relation", "queue").load([str(tmp_path), str(tmp_path / "QM1.mqsc")])
    assert [row["name"] for row in queues.collect()] == ["Q"]


def test_the_notebook_of_the_docs_runs(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python block of docs/fleet.md runs as it stands, where the fixtures are."""
    (tmp_path / "fixtures").symlink_to(FIXTURES, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "fleet.md").read_text(), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {"spark": spark}
    exec(compile(block, "docs/fleet.md", "exec"), names)
    assert [row["queue"] for row in names["never_moved"].collect()] == ["CLAIMS.AUDIT", "LETTERS.IN", "STOCK.IN"]


_SCRIPT = """
import sys
from pyspark.sql import SparkSession
from lintmdb.fleet import register

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
register(spark)
print("read", [row.name for row in spark.read.format("lintmdb").load(sys.argv[1]).collect()], flush=True)
"""


def test_workers_that_run_another_python_get_the_package(tmp_path: Path) -> None:
    """A plain script, whose Spark starts the python3 of the path, in which lintmdb is not installed."""
    own, base = sysconfig.get_paths()["purelib"], getattr(sys, "_base_executable", sys.executable)
    python = tmp_path / "bin" / "python3"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nPYTHONPATH="$PYTHONPATH:{own}" exec "{base}" "$@"\n')  # without the .pth files there
    python.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYSPARK", "PYTHON"))}
    environment |= {
        "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1",
    }
    without = subprocess.run(
        [python, "-c", "import pyarrow, lintmdb"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "No module named 'lintmdb'" in without.stderr
    script = tmp_path / "script.py"
    script.write_text(f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{_SCRIPT}")
    command = [sys.executable, "-P", script, FIXTURES / "stop-5-bothresh-1"]
    result = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert "read ['OrdersAS']" in result.stdout, result.stderr[-2000:]
