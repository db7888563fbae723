"""What all tests share: where fixtures and the shared corpus are, and a command line that runs in-process."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scenario import SCENARIOS_OF_FORMATS, Outcome, expected, run_scenario
from scenario_folders import FIXTURES, scenario_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = ROOT / "tests" / "schemas"


def clean_environment() -> dict[str, str]:
    """The environment without what a workflow's runner puts there: it is not to change what these tests see."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}


def read_schema(name: str) -> dict[str, Any]:
    """A JSON Schema that other programs hold reports against."""
    return json.loads((SCHEMAS / name).read_text())


Run = Callable[..., "subprocess.CompletedProcess[str]"]


def no_fleet() -> str:
    """Why the tests of the fleet cannot run here; empty where they can."""
    missing = [name for name in ("pyspark", "pyarrow", "pandas") if importlib.util.find_spec(name) is None]
    if missing:
        return f"the fleet needs {', '.join(missing)}"
    return "" if shutil.which("java") or os.environ.get("JAVA_HOME") else "the fleet needs Java 17"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The shared corpus of real public files; tests that need it are skipped where it is absent."""
    folder = ROOT.parent / "shared" / "corpus"
    if not folder.is_dir():
        pytest.skip("the shared corpus is not here")
    return folder


@pytest.fixture(scope="module", params=SCENARIOS_OF_FORMATS)
def outcome(request: pytest.FixtureRequest) -> Outcome:
    """Some scenarios, judged by all rules."""
    folder = scenario_folder(request.param)
    return run_scenario(folder, expected(folder).get("options"))


@pytest.fixture(scope="module")
def estate() -> Outcome:
    """The bundled estate, with findings of most families."""
    return run_scenario(FIXTURES / "estate", {"on_message": "15s"})


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """One session for all tests, whose machine does not spend its time on compiling what runs once."""
    from lintmdb.fleet.session import open_session

    before = os.environ.get("JDK_JAVA_OPTIONS")
    os.environ["JDK_JAVA_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m"
    session = open_session("local[2]")
    if before is None:
        del os.environ["JDK_JAVA_OPTIONS"]
    else:
        os.environ["JDK_JAVA_OPTIONS"] = before
    yield session
    session.stop()


@pytest.fixture
def lintmdb(tmp_path: Path) -> Run:
    """Runs the command in a process of its own, from the project's root."""

    def run(
        *arguments: str | Path, cwd: Path = ROOT, stdin: str | None = None, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "lintmdb", *map(str, arguments)]
        return subprocess.run(
            command,
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=120,
            input=stdin,
            check=False,
            env={**clean_environment(), **(env or {})},
        )

    return run
