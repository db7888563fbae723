"""The fleet audit: reading against a bare process pool, judging by rows, skew, an incremental audit, and Spark.

``python benchmarks/fleet.py [--quick] [reading] [judging] [skew] [incremental] [spark]``; without names all of them.
Each measurement runs in a process of its own. Spark makes the facts of a large fleet, and judges them in the part
``spark``, in a session of ``local[2]``; all else runs as ``fleet audit`` does on one machine.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from fleet_exports import bodies, write_export, write_exports
from measure import installed, say, wall

if TYPE_CHECKING:
    from collections.abc import Generator

    from pyspark.sql import SparkSession

    from lintmdb.fleet.facts.unit_reader import Task
    from lintmdb.fleet.facts.workers import Workers

PARTS = ("reading", "judging", "skew", "incremental", "spark")
MASTER = "local[2]"
WORKERS = 2


@dataclass(frozen=True, slots=True)
class Scale:
    """How much of everything."""

    exports: int
    runs: int
    flows: tuple[int, int]
    shared_cells: int
    hot_cells: int


FULL = Scale(20_000, 3, (100_000, 1_000_000), 1000, 1000)
QUICK = Scale(2_000, 2, (10_000, 50_000), 100, 100)


def main() -> None:
    """Run the parts that are named, one after the other."""
    quick = "--quick" in sys.argv
    names = [name for name in sys.argv[1:] if name in PARTS] or list(PARTS)
    if os.environ.get("LINTMDB_BENCHMARK_PART"):
        with tempfile.TemporaryDirectory() as folder:
            _MEASURES[names[0]](QUICK if quick else FULL, Path(folder))
        return
    for name in names:
        environment = {**os.environ, "LINTMDB_BENCHMARK_PART": name}
        command = [sys.executable, __file__, name, *(["--quick"] if quick else [])]
        subprocess.run(command, env=environment, check=False)


def _session() -> SparkSession:
    from lintmdb.fleet.session import audit_session, open_session

    return audit_session(open_session(MASTER))


# -- reading


def reading(scale: Scale, folder: Path) -> None:
    """Reading, resolving and keeping facts, here and through Spark, against a pool that reads and resolves the same.

    The pool calls the same functions up to rows of facts and drops them; an audit goes on to write them as Parquet.
    """
    from lintmdb.fleet.facts.spark_workers import SparkWorkers
    from lintmdb.fleet.facts.store import Store
    from lintmdb.fleet.facts.unit_reader import UnitReader, build_task
    from lintmdb.fleet.facts.units import list_units
    from lintmdb.fleet.facts.workers import LocalWorkers

    size = write_exports(folder / "exports", scale.exports)
    start = time.perf_counter()
    units = list_units([str(folder / "exports")]).units
    listing = time.perf_counter() - start
    tasks = [build_task(number, unit) for number, unit in enumerate(units)]
    spark = _session()
    stored = iter(range(1000))

    def read(workers: Workers) -> None:
        generation = folder / f"facts{next(stored)}"
        workers.write_facts(tasks, UnitReader(), Store(folder), generation)

    here, by_spark = LocalWorkers(), SparkWorkers(spark)
    read(by_spark)  # the JVM and its workers have started then
    pool, own, facts = _in_turn([lambda: _pool(tasks), lambda: read(here), lambda: read(by_spark)], scale.runs)
    print(
        f"reading: {len(units)} exports, {size / 1e6:.0f} MB on disk, {len(units) / pool:.0f} a second by a bare pool"
    )
    say("  throughput of this computer, facts written as Parquet, to that of a bare pool", pool / own, "at least 0.95")
    say("  the same through Spark", pool / facts, "at least 0.85")
    say("  listing to reading by the pool", listing / pool, "below 0.1")


def _in_turn(jobs: Sequence[Callable[[], object]], runs: int) -> list[float]:
    """Median seconds of jobs that run in turn."""
    seconds: list[list[float]] = [[] for _ in jobs]
    for _ in range(runs):
        for place, job in enumerate(jobs):
            start = time.perf_counter()
            job()
            seconds[place].append(time.perf_counter() - start)
    return [statistics.median(entry) for entry in seconds]


def _pool(tasks: Sequence[Task]) -> None:
    pieces = [tasks[start : start + 50] for start in range(0, len(tasks), 50)]
    with ProcessPoolExecutor(WORKERS, initializer=_settle) as pool:
        for rows in pool.map(_count, pieces):
            assert rows


def _settle() -> None:
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)  # as the workers of Spark do


def _count(tasks: Sequence[Task]) -> int:
    from lintmdb.fleet.facts.unit_reader import UnitReader

    reader = UnitReader()
    return sum(len(rows) for task in tasks for _, _, rows in reader.table(task))


# -- judging


def judging(scale: Scale, folder: Path) -> None:
    """From facts to counted verdicts, for two sizes; the whole audit; and a fleet with observations."""
    from fleet_facts import make_facts

    gc.disable()  # as the command does
    seconds: dict[int, float] = {}
    for flows in scale.flows:
        made = make_facts(_session(), folder / str(flows), flows)
        runs = [_judge(made, folder) for _ in range(scale.runs)]
        seconds[flows] = statistics.median(run[0] for run in runs)
        print(f"judging {flows} flows, {2 * flows} queues")
        say("  million rule evaluations a second", runs[0][1] / seconds[flows] / 1e6, "at least 6")
        whole = statistics.median(_whole(None, made) for _ in range(scale.runs))
        say("  the whole audit after reading, to judging alone", whole / seconds[flows], "at most 2.0")
        say("  million flows a minute, in that audit", flows / whole * 60 / 1e6, "none")
    print(f"  peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GiB")
    small, large = scale.flows
    say("time to a linear growth", seconds[large] / seconds[small] / (large / small), "at most 1.15")
    made = make_facts(_session(), folder / "observed", small, observed=True)
    known, _ = _judge(made, folder)
    say("with observations to without", known / seconds[small], "none")


def _judge(made: Any, folder: Path) -> tuple[float, int]:
    """Seconds from facts to counted verdicts, and evaluations."""
    from lintmdb.fleet.database import database
    from lintmdb.fleet.judging.columnar.judge import judge, make_views
    from lintmdb.fleet.judging.job import Job
    from lintmdb.rules.loading import load_rules

    store, collected = made
    rules = load_rules()
    with database(folder / "spill") as connection:
        start = time.perf_counter()
        connection.execute("SET preserve_insertion_order = false")
        make_views(connection, Job(store, collected, [], folder, rules))
        judged = judge(connection, "flow", rules, repeats=False, apart=False)
        counts = connection.execute(f"SELECT rule, verdict, COUNT(*) FROM {judged.chosen} GROUP BY ALL").fetchall()
        clear = connection.execute(f"SELECT rule, SUM(number) FROM {judged.clear} GROUP BY ALL").fetchall()
        seconds = time.perf_counter() - start
    assert counts
    assert clear
    return seconds, judged.rows * len(judged.rules)


def _whole(spark: SparkSession | None, made: Any) -> float:
    """Seconds of an audit that has its facts: verdicts, tables, history, summary and page."""
    from lintmdb.fleet import audit
    from lintmdb.rules.loading import load_rules

    store, collected = made
    request = audit.Request([], store.folder, load_rules())
    with patch.object(audit, "collect", return_value=collected):
        start = time.perf_counter()
        made_audit = audit.run_audit(spark, request)
        seconds = time.perf_counter() - start
    shutil.rmtree(made_audit.folder)
    return seconds


# -- the same by Spark


def spark(scale: Scale, folder: Path) -> None:
    """Judging and the whole audit by Spark, to those of this computer."""
    from fleet_facts import make_facts

    from lintmdb.fleet import spark_engine

    session = _session()
    for flows in scale.flows:
        made = make_facts(session, folder / str(flows), flows)
        first, *others = [_judge_by_spark(session, made, folder) for _ in range(scale.runs)]
        seconds = statistics.median(run[0] for run in others)
        here = statistics.median(_judge(made, folder)[0] for _ in range(scale.runs))
        print(f"judging {flows} flows by Spark")
        say("  million rule evaluations a second", first[1] / seconds / 1e6, "none")
        say("  time of judging to that of this computer", seconds / here, "none")
        say("  the same while the JVM still compiles, the first time", first[0] / here, "none")
        print(f"  peak memory of the driver's JVM and its workers: {max(run[2] for run in others) / 2**30:.1f} GiB")
        with patch.object(spark_engine, "MOST_ROWS", -1):
            whole = _whole(session, made)
        say("  the whole audit after reading, to that of this computer", whole / _whole(None, made), "none")


def _judge_by_spark(spark: SparkSession, made: Any, folder: Path) -> tuple[float, int, int]:
    """Seconds from facts to counted verdicts, evaluations, and peak memory in bytes."""
    from lintmdb.fleet.facts.views import make_views
    from lintmdb.fleet.judging.judge import judge
    from lintmdb.fleet.session import size_queries
    from lintmdb.rules.loading import load_rules

    store, collected = made
    scratch = folder / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    rules = load_rules()
    with _peak_memory() as peak:
        start = time.perf_counter()
        size_queries(spark, sum(part.rows for part in collected.live))
        make_views(spark, store, collected, [])
        verdicts = judge(spark, "flow", rules, scratch, repeats=False)
        counts = verdicts.chosen.groupBy("rule", "verdict").count().collect()
        clear = verdicts.clear.groupBy("rule").sum("clear").collect()
        seconds = time.perf_counter() - start
    assert counts
    assert clear
    flows = verdicts.judged.count()
    shutil.rmtree(scratch)
    return seconds, flows * len(verdicts.rules), peak[0]


@contextmanager
def _peak_memory() -> Generator[list[int]]:
    """The largest sum of resident memory of all processes below this one, sampled."""
    peak = [0]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.2):
            peak[0] = max(peak[0], _resident_below(os.getpid()))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        done.set()
        thread.join()


def _resident_below(root: int) -> int:
    total = 0
    for process, _ in _below(root):
        with suppress(OSError, IndexError):
            pages = Path(f"/proc/{process}/statm").read_text().split()
            total += (int(pages[1]) - int(pages[2])) * os.sysconf("SC_PAGE_SIZE")  # forked workers share the rest
    return total


def _below(root: int) -> Iterator[tuple[int, float]]:
    """The processes that one has started, directly or through others, and the seconds of processor time of each."""
    found: dict[int, list[tuple[int, float]]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            continue
        seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        found.setdefault(int(fields[1]), []).append((int(entry.parent.name), seconds))
    pending = [(*child, "") for child in found.get(root, ())]
    while pending:
        process, seconds, above = pending.pop()
        try:
            program = Path(f"/proc/{process}/exe").readlink().name
        except OSError:
            continue
        if program == above == "java":  # about to become the program that a JVM starts, and one memory with it
            continue
        pending += [(*child, program) for child in found.get(process, ())]
        yield process, seconds


# -- skew


def skew(scale: Scale, folder: Path) -> None:
    """The same number of flows, even and uneven: the time of judging, and Spark's longest task against the median."""
    from fleet_facts import Shape, make_facts

    session = _session()
    flows = scale.flows[0] * 2
    shapes = {
        "even": Shape(),
        f"one queue manager with {scale.shared_cells * 200} queues": Shape(scale.shared_cells),
        f"one queue with {scale.hot_cells * 100} consumers": Shape(scale.shared_cells, scale.hot_cells),
    }
    even = even_by_spark = 0.0
    for name, shape in shapes.items():
        made = make_facts(session, folder / str(len(list(folder.iterdir()))), flows, shape=shape)
        here = statistics.median(_judge(made, folder)[0] for _ in range(scale.runs))
        _judge_by_spark(session, made, folder)
        before = _last_stage(session)
        seconds, _, _ = _judge_by_spark(session, made, folder)
        longest, median = _tasks_since(session, before)
        even, even_by_spark = even or here, even_by_spark or seconds
        print(f"skew: {name}, {flows} flows in all")
        say("  time of judging to that of an even fleet", here / even, "at most 1.5")
        say("  the same by Spark", seconds / even_by_spark, "at most 1.5")
        say("  Spark's longest task to the median task of its stage", longest / median, "none")
        say("  Spark's longest task to all of judging", longest / seconds, "at most 0.3")


def _last_stage(spark: SparkSession) -> int:
    return max((int(stage.stageId()) for stage in _stages(spark)), default=-1)


def _stages(spark: SparkSession) -> list[Any]:
    """What the JVM knows of each stage; there is no way to it from Python but this one."""
    context: Any = spark.sparkContext
    listed = context._jsc.sc().statusStore().stageList(None, False, False, context._gateway.new_array(
        context._jvm.double, 0), context._jvm.java.util.ArrayList())  # fmt: skip
    return [listed.apply(place) for place in range(listed.size())]


def _tasks_since(spark: SparkSession, stage: int) -> tuple[float, float]:
    """Seconds of the longest task since a stage, and of the median task of its stage."""
    context: Any = spark.sparkContext
    longest, median = 0.0, 0.0
    for entry in _stages(spark):
        if entry.stageId() <= stage:
            continue
        tasks = context._jsc.sc().statusStore().taskList(entry.stageId(), entry.attemptId(), 100_000)
        found = [tasks.apply(place).duration() for place in range(tasks.size())]
        seconds = sorted(one.get() / 1000 for one in found if one.isDefined())
        if seconds and seconds[-1] > longest:
            longest, median = seconds[-1], statistics.median(seconds)
    return longest, max(median, 0.001)


# -- an incremental audit


def incremental(scale: Scale, folder: Path) -> None:
    """Processor time of an audit after nothing has changed, and after one export in a hundred has, to that of a full
    audit. Each audit is a command of an installed lintmdb; what it starts counts.
    """
    exports, out = folder / "exports", folder / "fleet"
    write_exports(exports, scale.exports)
    cells, dumps = bodies()
    command = [*installed(folder / "lintmdb"), "-m", "lintmdb", "fleet", "audit", exports, "--out", out]
    command += ["--fail-on", "never"]

    def audit(*, read: int) -> float:
        seconds = _cpu_of_all([*command, "--incremental"])
        newest = max((out / "audits").iterdir(), key=lambda path: int(path.name.rpartition("-")[2]))
        told = json.loads((newest / "summary.json").read_text())["incremental"]
        assert told["read"] == read, told
        assert (told["judged"] > told["as_before"]) == (read == scale.exports), told
        return seconds

    full = audit(read=scale.exports)
    same: list[float] = []
    changed: list[float] = []
    for turn in range(scale.runs):
        same.append(audit(read=0))
        for number in range(turn, scale.exports, 100):
            write_export(exports, number, cells[1:] + cells[:1], dumps[1:] + dumps[:1])
        changed.append(audit(read=scale.exports // 100))
    print(f"incremental: {scale.exports} exports, a full audit takes {full:.0f} s of processors")
    say("  nothing has changed, to a full audit", statistics.median(same) / full, "at most 0.05")
    say("  one export in a hundred has changed, to a full audit", statistics.median(changed) / full, "at most 0.08")


def _cpu_of_all(command: Sequence[str | Path]) -> float:
    """Seconds of processor time of a command and of all that it starts, sampled: Spark's workers and its JVM leave
    nobody to ask.
    """
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    seconds: dict[int, float] = {}
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(wall, command)
        while wait([running], 0.05).not_done or [*_below(os.getpid())]:
            seconds |= dict(_below(os.getpid()))
    return sum(seconds.values())


_SET_CHILD_SUBREAPER = 36
"""Of prctl: processes whose parent has ended become children of this one."""


_MEASURES: dict[str, Callable[[Scale, Path], None]] = {
    "reading": reading,
    "judging": judging,
    "skew": skew,
    "incremental": incremental,
    "spark": spark,
}

if __name__ == "__main__":
    main()
