"""The fixtures that tests of several packages use."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.support.command import Run, run_here, run_process
from tests.support.project import FIXTURES, ROOT
from tests.support.scenario import SCENARIOS_OF_FORMATS, Outcome, expected, run_scenario
from tests.support.scenario_folders import scenario_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class SparkTogether(LoadScopeScheduling):
    """Deals tests to processes: one gets all that need Spark, one all that need a browser, and the other tests of a
    file stay together.

    Tests with Spark share one session, and with it the code that Spark has generated and Java has compiled. The other
    tests of a file build on one another, or share what its fixtures read. (The groups of xdist 3.8 have no effect with
    pytest 9.)
    """

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(_SPARK):
            return "spark"
        if nodeid.startswith(_ESTATES):
            return "estates"
        return "browser" if nodeid.startswith(_BROWSER) else nodeid.partition("::")[0]


_BROWSER = "tests/browser/"
_SPARK = (
    "tests/engines/test_windows_users.py",
    "tests/fleet/test_data_source.py",
    "tests/fleet/test_faults.py",
    "tests/fleet/test_parity.py",
    "tests/fleet/test_session.py",
    "tests/fleet/test_spark.py",
    "tests/fleet/facts/test_remote.py",
    "tests/fleet/facts/test_store.py",
    "tests/fleet/judging/test_conditions.py",
)
"""The tests of the fleet that need Spark; the others judge small fleets, which do not."""
_ESTATES = ("tests/laws/test_fates.py", "tests/laws/test_generator.py", "tests/laws/test_leaving_out.py")
"""Laws over the same random estates, which ``read_exports_of`` reads once for all of them."""
_SLOW = (
    "tests/fleet/",
    "tests/laws/",
    "tests/plan/",
    "tests/project/",
    "tests/redact/",
    "tests/run/test_config.py",
    "tests/rules/test_mq_fixes.py",
    "tests/settings/test_wsadmin.py",
)
"""What audits, plans or starts something in most tests; the other slow tests say so themselves."""
_LONG = (
    *_SPARK,
    _BROWSER,
    "tests/rules/test_delivery_rules.py",
    "tests/fleet/test_interrupt.py",
    "tests/plan/",
    "tests/laws/",
    "tests/engine/test_properties.py",
    "tests/fleet/",
    "tests/project/",
    "tests/exports/mq/",
)
"""What runs first, the longest before the others: where something long came last, one process would end on its own."""


# The command runs without the collector of cycles, and its processes with these thresholds (run/processes.py): with
# Python's own, a fifth of the time of most tests would go to walking what is kept anyway.
gc.set_threshold(100_000, 20, 50)


def _work_in_memory() -> None:
    """Put temporary files into memory where there is room: tests write tens of thousands of small ones, and some disks
    take a millisecond for each.
    """
    memory = Path("/dev/shm")
    if "TMPDIR" in os.environ or not os.access(memory, os.W_OK) or shutil.disk_usage(memory).free < _MEMORY_BYTES:
        return
    if os.statvfs(memory).f_flag & os.ST_NOEXEC:  # tests install packages, whose libraries have to be loaded
        return
    os.environ["TMPDIR"] = os.environ["SPARK_LOCAL_DIRS"] = str(memory)
    tempfile.tempdir = None


_MEMORY_BYTES = 4 << 30
_work_in_memory()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> SparkTogether:
    """How ``-n`` deals tests out: in the order of the items. The number of a file's tests says little of its time."""
    config.option.loadscopereorder = False
    return SparkTogether(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs Spark, a browser or seconds, and put what takes long first."""
    for item in items:
        if item.nodeid.startswith(_BROWSER):
            item.add_marker("browser")
        if item.nodeid.startswith(_SLOW):
            item.add_marker("slow")
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker("fleet")
            assert item.nodeid.startswith(_SPARK), f"{item.nodeid} needs Spark: move it, or add its file to _SPARK"
    items.sort(key=_rank)


def pytest_collection_finish() -> None:
    """Spare the collector of cycles modules and tests, which live until the end: pytest has it walk everything twice.

    The exit frees them, or some extension modules would complain.
    """
    gc.freeze()
    atexit.register(gc.unfreeze)


def _rank(item: pytest.Item) -> int:
    return next((rank for rank, start in enumerate(_LONG) if item.nodeid.startswith(start)), len(_LONG))


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
    """The scenario with findings of most families."""
    return run_scenario(FIXTURES / "all-families", {"on_message": "15s"})


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """One session for all tests, whose machine does not spend its time on compiling what runs once."""
    from lintmdb.fleet.session import open_session

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m")
        session = open_session("local[2]")
    yield session
    session.stop()


@pytest.fixture
def lintmdb() -> Run:
    """Run the command in this process, by default in the project's root."""
    return run_here


@pytest.fixture
def lintmdb_process() -> Run:
    """Run the command in a process of its own, for what Python does around it: streams, encodings, the exit."""
    return run_process
