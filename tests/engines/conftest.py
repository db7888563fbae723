"""Sparks as they run in production, of several processes on this machine. ``make test-engines`` runs these tests."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.command import clean_environment
from tests.support.project import FIXTURES, ROOT
from tests.support.scenario import RULES
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

import pyspark

from lintmdb.fleet.facts.store import Store
from lintmdb.resolve.observations import Observations
from tests.support.fleet_estate import SMALL, Told, assert_same, copy_renamed, told_by_audit, told_by_check

SPARK_HOME = Path(pyspark.__file__).parent
HOST = "127.0.0.1"
OBSERVED = Observations(on_message_ms=15_000)
FEW = [rule for number, rule in enumerate(RULES) if number % 8 == 0 or rule.id == "MDB302"]
"""The rows that rules see are the same for each; ``tests/fleet/test_parity.py`` has all of them."""
_SELECTED = ",".join(rule.id for rule in FEW)
_SECONDS = 90
"""How long a process may take to do what is waited for."""
_JUDGED_BY_SPARK = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from lintmdb.cli.app import run
from lintmdb.fleet import session, spark_engine

spark_engine.MOST_ROWS = -1  # Spark judges, however few rows there are
session._SETTINGS.update({SMALL!r})
raise SystemExit(run())
"""


@dataclass(frozen=True)
class Fleet:
    """Exports, and what ``check`` says of them."""

    exports: Path
    told: Told

    def holds(self, out: Path) -> None:
        """Assert that the last audit of a folder says the same."""
        assert_same(told_by_audit(Store(out).complete_audits()[-1]), self.told)


@pytest.fixture(scope="session")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Fleet:
    """The scenario with findings of most families, many times."""
    exports = tmp_path_factory.mktemp("exports") / "exports"
    for number in range(20):
        copy_renamed(FIXTURES / "all-families", exports / str(number), f"_{number}")
    return Fleet(exports, told_by_check([exports], OBSERVED, FEW))


@pytest.fixture(scope="session")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that runs the command."""
    file = tmp_path_factory.mktemp("script") / "lintmdb-fleet.py"
    file.write_text(_JUDGED_BY_SPARK)
    return file


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of all processes: workers run a Python that has all packages of this one but lintmdb."""
    own, base = sysconfig.get_paths()["purelib"], getattr(sys, "_base_executable", sys.executable)
    python = tmp_path_factory.mktemp("bin") / "python3"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="$PYTHONPATH:{own}" exec "{base}" "$@"\n')  # without the .pth files there
    python.chmod(0o755)
    kept = {name: value for name, value in clean_environment().items() if not name.startswith(("PYSPARK", "PYTHON"))}
    without = subprocess.run(
        [python, "-c", "import pyarrow, lintmdb"],
        env=kept,
        cwd=python.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "No module named 'lintmdb'" in without.stderr
    return kept | {
        "PYSPARK_PYTHON": str(python),
        "SPARK_HOME": str(SPARK_HOME),
        "SPARK_LOCAL_IP": HOST,
        "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1",
    }


Process = subprocess.Popen[str]
Act = Callable[[Process], object]
Audit = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def audit(script: Path, environment: Mapping[str, str]) -> Audit:
    """Run ``fleet audit`` in a process of its own. ``at`` maps the name of a stage to what happens when it begins."""

    def run(
        exports: Path | str,
        out: Path,
        *arguments: str,
        command: Sequence[str | Path] = (sys.executable, "-P"),
        at: Mapping[str, Act] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        whole = [*command, script, "fleet", "audit", str(exports), "--out", str(out), "--on-message", "15s"]
        whole += ["--fail-on", "never", "--select", _SELECTED, *arguments]
        lines: list[str] = []
        with subprocess.Popen(
            whole, cwd=out.parent, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stderr is not None
            for line in process.stderr:
                lines.append(line)
                for stage, act in (at or {}).items():
                    if f" s  {stage}" in line:
                        act(process)
        return subprocess.CompletedProcess(whole, process.returncode, "", "".join(lines))

    return run


def free_port() -> int:
    """A port of this machine that nobody listens to."""
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        return int(taken.getsockname()[1])


def wait_for(there: Callable[[], bool], what: str) -> None:
    """Wait until something is there."""
    end = time.monotonic() + _SECONDS
    while not there():
        assert time.monotonic() < end, f"no {what} after {_SECONDS} s"
        time.sleep(0.1)


def answers(port: int) -> bool:
    """Whether somebody listens to a port."""
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True


@contextmanager
def running(command: Sequence[str | Path], log: Path, environment: Mapping[str, str]) -> Generator[int]:
    """A process with all that it starts, until the block ends; its number."""
    with (
        log.open("wb") as output,
        subprocess.Popen(command, env=environment, stdout=output, stderr=output, start_new_session=True) as process,
    ):
        try:
            yield process.pid
        finally:
            os.killpg(process.pid, signal.SIGKILL)


@dataclass(frozen=True)
class Cluster:
    """A standalone cluster: its address, and the processes of its workers."""

    master: str
    workers: Sequence[int]

    def kill_an_executor(self) -> None:
        """As where the machine lacks memory."""
        found = [process for worker in self.workers for process in _executors(worker)]
        os.kill(found[0], signal.SIGKILL)


def _executors(worker: int) -> Iterator[int]:
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1])
            if parent == worker and b"CoarseGrainedExecutorBackend" in (entry / "cmdline").read_bytes():
                yield int(entry.name)
        except OSError:
            continue


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, environment: Mapping[str, str]) -> Iterator[Cluster]:
    """A master and two workers, each with a folder of its own."""
    folder = tmp_path_factory.mktemp("cluster")
    port = free_port()
    java = SPARK_HOME / "bin" / "spark-class"
    deploy = "org.apache.spark.deploy"
    with ExitStack() as stack:
        master = [java, f"{deploy}.master.Master", "--host", HOST, "--port", str(port), "--webui-port", "0"]
        stack.enter_context(running(master, folder / "master.log", environment))
        wait_for(lambda: answers(port), "master")
        workers: list[int] = []
        for name in ("one", "two"):
            log = folder / f"{name}.log"
            worker = [java, f"{deploy}.worker.Worker", "--cores", "1", "--memory", "2g", "--webui-port", "0"]
            worker += ["--work-dir", folder / name, f"spark://{HOST}:{port}"]
            workers.append(stack.enter_context(running(worker, log, environment)))
            wait_for(lambda log=log: "Successfully registered with master" in log.read_text(), "worker")
        yield Cluster(f"spark://{HOST}:{port}", workers)
