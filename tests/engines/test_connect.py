"""Audits and the data source through Spark Connect, whose server and workers have no lintmdb."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.engines.conftest import HOST, SPARK_HOME, Audit, Fleet, answers, free_port, running, wait_for
from tests.support.project import FIXTURES, ROOT

if importlib.util.find_spec("grpc") is None:
    pytest.skip("Spark Connect needs grpcio", allow_module_level=True)

_SCRIPT = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from pyspark.sql import SparkSession
from lintmdb.fleet import register

spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
register(spark)
print("read", [row.name for row in spark.read.format("lintmdb").load(sys.argv[2]).collect()], flush=True)
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, environment: Mapping[str, str]) -> Iterator[str]:
    """The address of a server."""
    folder, port = tmp_path_factory.mktemp("server"), free_port()
    command = [SPARK_HOME / "sbin" / "start-connect-server.sh", "--wait", "--master", "local[2]"]
    command += [
        "--conf",
        f"spark.connect.grpc.binding.port={port}",
        "--conf",
        f"spark.connect.grpc.binding.address={HOST}",
    ]
    with running(command, folder / "server.log", environment):
        wait_for(lambda: answers(port), "server")
        yield f"sc://{HOST}:{port}"


def test_an_audit_says_what_check_says(server: str, fleet: Fleet, audit: Audit, tmp_path: Path) -> None:
    """The client sends the package to the server."""
    result = audit(fleet.exports, tmp_path / "out", "--remote", server)
    assert result.returncode == 0, result.stderr
    fleet.holds(tmp_path / "out")


def test_the_data_source_works_in_a_plain_script(server: str, environment: Mapping[str, str], tmp_path: Path) -> None:
    """``register`` ships what the server and its workers need."""
    script = tmp_path / "script.py"
    script.write_text(_SCRIPT)
    result = subprocess.run(
        [sys.executable, "-P", script, server, FIXTURES / "stop-5-bothresh-1"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "read ['OrdersAS']" in result.stdout, result.stderr[-2000:]
