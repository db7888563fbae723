"""The Spark session of a run: the active one, a remote one, or a new one on this computer."""

from __future__ import annotations

import functools
import importlib.util
import locale
import logging
import os
import re
import shutil
import signal
import socket
import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from lintmdb.errors import LintmdbError
from lintmdb.fleet.errors import short_reason

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from lintmdb.fleet.progress import Stages

PACKAGE = Path(__file__).resolve().parent.parent
_SETTINGS = {
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.ansi.enabled": "true",
    # The JVM never compiles longer methods (in bytes of bytecode), and then Spark is faster without generated code.
    "spark.sql.codegen.hugeMethodLimit": "8000",
    # Rows that are together by queue manager are so for every join by queue manager and name; see ``views``.
    "spark.sql.requireAllClusterKeysForCoPartition": "false",
    # The views count rows and hint at what is small enough to broadcast.
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.adaptive.autoBroadcastJoinThreshold": "32MB",
    # A packed column stays packed until a rule reads it; see ``narrow``.
    "spark.sql.optimizer.nestedSchemaPruning.enabled": "false",
    # A task writes into several folders at a time, so that rows need no sorting by folder before they are written.
    "spark.sql.maxConcurrentOutputFileWriters": "32",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.legacy.parquet.nanosAsLong": "false",
    "spark.sql.caseSensitive": "false",
    # A rule may hold the text '${env:HOME}'; it means just that.
    "spark.sql.variable.substitute": "false",
}
"""Set in the audit's own session: what its plans rely on."""
_INSTALL = "pip install lintmdb[fleet] brings it; it needs Java 17"


def require_spark() -> None:
    """Raise LintmdbError where pyspark or what it needs is not installed."""
    for package in ("pyspark", "pyarrow", "pandas", "duckdb"):  # mapInArrow insists on pandas
        if importlib.util.find_spec(package) is None:
            raise LintmdbError(f"the fleet part needs {package}", next_step=_INSTALL)


def has_session() -> bool:
    """Whether there is a session already, which is somebody else's to end."""
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession() is not None


def open_session(master: str | None = None, remote: str | None = None, *, verbose: bool = False) -> SparkSession:
    """The active session, or SPARK_REMOTE's or ``remote``'s, or spark-submit's, or a new one on this computer.

    Raises LintmdbError where there is no pyspark, no Java, or nobody answers.
    """
    require_spark()
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if not verbose:  # these loggers print each error with its stack before the caller can handle it
        for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    active = SparkSession.getActiveSession()
    if active is not None and master is None and remote is None:
        return active
    builder = SparkSession.Builder().appName("lintmdb fleet")
    address = remote or (None if master else os.environ.get("SPARK_REMOTE"))
    try:
        if address:
            _require_answer(address)
            with _silence(not verbose), _names_in_utf8():  # of a server that starts here, as for local[2]
                return builder.remote(address).getOrCreate()
        if "PYSPARK_GATEWAY_PORT" not in os.environ:  # spark-submit has set master and memory already
            _require_java()
            builder = builder.master(_with_retries(master or "local[*]"))
            builder = builder.config("spark.ui.enabled", "false").config("spark.driver.memory", _memory())
            # An audit waits for its slowest task, never for a pause of the collector.
            builder = builder.config("spark.driver.extraJavaOptions", "-XX:+UseParallelGC")
            builder = builder.config("spark.log.level", "WARN" if verbose else "ERROR")
            builder = builder.config("spark.ui.showConsoleProgress", "false")
            # One audit runs several hundred pieces of generated code; the default keeps a hundred.
            builder = builder.config("spark.sql.codegen.cache.maxEntries", "2000")
            # Every hash table of every task takes a page at least, and one stage of an audit holds ten of them.
            builder = builder.config("spark.buffer.pageSize", "4m")
            if _is_local(master or "local"):
                builder = builder.config("spark.executorEnv.PYTHONPATH", _python_path())
            with _silence(not verbose), _names_in_utf8():
                return builder.getOrCreate()
        return builder.getOrCreate()
    except LintmdbError:
        raise
    except Exception as error:
        raise LintmdbError(
            f"Spark does not start: {short_reason(error)}", next_step="Run it again with -v to see why"
        ) from error


def _require_answer(address: str) -> None:
    """Fail within seconds where no server answers; the client of Spark Connect itself tries for ten minutes."""
    match = re.match(r"sc://(\[[^\]]*\]|[^:/;]+)(?::(\d+))?", address)
    if match is None:  # a server that starts here, as for local[2]
        return
    host, port = match[1].strip("[]"), int(match[2] or 15002)
    try:
        socket.create_connection((host, port), timeout=_ANSWER_SECONDS).close()
    except OSError as error:
        raise LintmdbError(
            f"nobody answers at {host}:{port}: {error.strerror or error}",
            next_step="Start a Spark Connect server there, or leave out --remote and SPARK_REMOTE",
        ) from error


_ANSWER_SECONDS = 20.0


@contextmanager
def interruptible() -> Generator[None]:
    """Ctrl-C raises KeyboardInterrupt here, and nothing else.

    Spark's own handler calls the JVM in the middle of another call to it, which ends in pages of errors.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> NoReturn:
        logging.disable(logging.CRITICAL)  # libraries would log the interrupt on its way up
        raise KeyboardInterrupt

    disabled = logging.root.manager.disable
    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        logging.disable(disabled)


@contextmanager
def _silence(silent: bool) -> Generator[None]:
    """Discard standard error while Spark starts: Spark and the JVM write log lines there that do not concern users."""
    if not silent:
        yield
        return
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


@contextmanager
def _names_in_utf8() -> Generator[None]:
    """Start the JVM in a UTF-8 locale: in any other, it ignores files whose names the locale cannot encode."""
    before = os.environ.get("LC_ALL")
    if locale.nl_langinfo(locale.CODESET) != "UTF-8":
        os.environ["LC_ALL"] = "C.UTF-8"
    try:
        yield
    finally:
        os.environ.pop("LC_ALL", None)
        if before is not None:
            os.environ["LC_ALL"] = before


def _with_retries(master: str) -> str:
    """A local master that allows four attempts at a task; by default it allows one."""
    match = re.fullmatch(r"local(?:\[(\*|\d+)\])?", master)
    return f"local[{match.group(1) or '1'},4]" if match else master


def _require_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if not (home and (Path(home) / "bin" / "java").exists()) and shutil.which("java") is None:
        raise LintmdbError("the fleet part needs Java 17 or later", next_step="Install it, or set JAVA_HOME")


def _memory() -> str:
    """A quarter of this computer's memory, between 1 and 4 GB: a local master runs everything but Python in the driver.

    A million flows need less; what does not fit in memory is spilled to disk.
    """
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return f"{min(max(total // (4 << 20), 1024), 4096)}m"


def _python_path() -> str:
    return os.pathsep.join(part for part in (str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")) if part)


def close_session(spark: SparkSession) -> None:
    """End a session, and remove what was made for it."""
    spark.stop()
    if _archive.cache_info().currsize:
        shutil.rmtree(_archive().parent, ignore_errors=True)
        _archive.cache_clear()


def audit_session(spark: SparkSession) -> SparkSession:
    """A new session in the same Spark application, with its own views and settings; executors can import lintmdb."""
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)  # it would print each error with its stack
    # Before 4.3 Spark Connect had no sessions beside a session: there the one that is given is used.
    own = spark.newSession() if hasattr(spark, "newSession") else spark
    for name, value in _SETTINGS.items():
        own.conf.set(name, value)
    ship(own)
    return own


_INTERPRETED = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
"""Evaluate expressions as they stand, without Java code that is generated and compiled for them first."""


@contextmanager
def interpreted(spark: SparkSession) -> Generator[None]:
    """Run queries over a few rows without generated code, which takes longer to compile than they take to run."""
    before = {name: spark.conf.get(name) for name in _INTERPRETED}
    try:
        _set(spark, _INTERPRETED)
        yield
    finally:
        _set(spark, before)


def _set(spark: SparkSession, settings: Mapping[str, str | None]) -> None:
    for name, value in settings.items():
        if value is not None:
            spark.conf.set(name, value)


def size_queries(spark: SparkSession, rows: int) -> None:
    """Set the number of shuffle partitions for queries over so many rows of facts.

    Adaptive execution merges small partitions, but each costs a little. Several per core remain, so that no core waits
    long for the last one.
    """
    cores = count_cores(spark)
    spark.conf.set("spark.sql.shuffle.partitions", str(max(cores, min(rows // 100_000, 4000))))
    if not is_remote(spark):  # whose client warns each time of an old name, which has no new one
        spark.conf.set("spark.sql.adaptive.coalescePartitions.minPartitionNum", str(4 * cores))


@contextmanager
def planned_once(spark: SparkSession) -> Generator[None]:
    """Plan queries once, with as many shuffle partitions as there should be tasks.

    Adaptive execution plans the rest of a query again after each stage. For a join of twenty small relations, whose
    sizes the hints of the views state anyway, planning takes longer than the stages. Code is generated for wide rows
    too, because every field of a packed column counts towards the limit.
    """
    partitions = int(spark.conf.get("spark.sql.shuffle.partitions") or 0)
    adaptive = spark.conf.get("spark.sql.adaptive.enabled") or "true"
    tasks = max(min(partitions, 4 * count_cores(spark)), partitions // 5)
    try:
        spark.conf.set("spark.sql.adaptive.enabled", "false")
        spark.conf.set("spark.sql.codegen.maxFields", "2000")
        spark.conf.set("spark.sql.shuffle.partitions", str(tasks))
        yield
    finally:
        spark.conf.unset("spark.sql.codegen.maxFields")
        spark.conf.set("spark.sql.adaptive.enabled", adaptive)
        spark.conf.set("spark.sql.shuffle.partitions", str(partitions))


def is_remote(spark: SparkSession) -> bool:
    """Whether it is a session of Spark Connect."""
    return type(spark).__module__.startswith("pyspark.sql.connect")


def ship(spark: SparkSession) -> None:
    """Send the package to executors on other computers, and to workers here that run another Python."""
    if is_remote(spark):
        spark.addArtifacts(str(_archive()), pyfile=True)
    elif not _is_local(str(spark.sparkContext.master)) or not _is_this_python(str(spark.sparkContext.pythonExec)):
        spark.sparkContext.addPyFile(str(_archive()))


def _is_this_python(command: str) -> bool:
    """Whether workers on this computer, which Spark starts by this command, find the package where it is."""
    found = shutil.which(command)
    return found is not None and os.path.abspath(found) == os.path.abspath(sys.executable)  # a link is another Python


def _is_local(master: str) -> bool:
    """Whether executors are in this very process; those of ``local-cluster`` are not."""
    return re.match(r"local(\[|\Z)", master) is not None


@functools.cache
def _archive() -> Path:
    """The package as a zip that Python imports from; rules and observations travel with each job.

    It stays until ``close_session``: executors fetch it when they start.
    """
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="lintmdb-"))
    return Path(shutil.make_archive(str(folder / "lintmdb"), "zip", PACKAGE.parent, PACKAGE.name))


def count_cores(spark: SparkSession) -> int:
    """How many tasks run at a time."""
    if is_remote(spark):
        return int(spark.conf.get("spark.default.parallelism", "16") or 16)
    return int(spark.sparkContext.defaultParallelism)


@contextmanager
def spark_session(
    master: str | None, remote: str | None, *, verbose: bool, stages: Stages | None = None
) -> Generator[SparkSession]:
    """The session of a command, which ends with the block unless it was there before."""
    ours = not has_session()
    spark = open_session(master, remote, verbose=verbose)
    try:
        if stages is not None:
            stages.watch(spark)
        yield spark
    finally:
        if stages is not None:
            stages.end()
        if ours:
            close_session(spark)
