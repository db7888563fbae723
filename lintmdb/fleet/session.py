"""The Spark session of a run: one that is there already, a remote one, or one of this machine."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from lintmdb.errors import LintmdbError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PACKAGE = Path(__file__).resolve().parent.parent
_SETTINGS = {
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.ansi.enabled": "true",
    # A method of more bytecodes than this is never compiled by the JVM: Spark's other way is then the faster one.
    "spark.sql.codegen.hugeMethodLimit": "8000",
    # Rows that are together by queue manager are so for every join by queue manager and name; see ``views``.
    "spark.sql.requireAllClusterKeysForCoPartition": "false",
    # What is small is said by the views, which count rows.
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.adaptive.autoBroadcastJoinThreshold": "32MB",
    # A packed column stays packed until a rule reads it; see ``narrow``.
    "spark.sql.optimizer.nestedSchemaPruning.enabled": "false",
    # One writer a relation is open at a time, so that rows need no sorting by relation before they are written.
    "spark.sql.maxConcurrentOutputFileWriters": "32",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.legacy.parquet.nanosAsLong": "false",
    "spark.sql.caseSensitive": "false",
}
"""Set in the audit's own session: what its plans rely on."""
_INSTALL = "pip install lintmdb[fleet] brings it; it needs Java 17"


def require_spark() -> None:
    """Raise LintmdbError where pyspark or what it needs is not installed."""
    for package in ("pyspark", "pyarrow", "pandas"):  # mapInArrow insists on pandas
        if importlib.util.find_spec(package) is None:
            raise LintmdbError(f"the fleet part needs {package}", next_step=_INSTALL)


def has_session() -> bool:
    """Whether there is a session already, which is somebody else's to end."""
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession() is not None


def open_session(master: str | None = None, remote: str | None = None, *, verbose: bool = False) -> SparkSession:
    """The active session, or SPARK_REMOTE's or ``remote``'s, or spark-submit's, or a new one on this machine.

    Raises LintmdbError where there is no pyspark, no Java, or nobody answers.
    """
    require_spark()
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    active = SparkSession.getActiveSession()
    if active is not None and master is None and remote is None:
        return active
    builder = SparkSession.Builder().appName("lintmdb fleet")
    address = remote or (None if master else os.environ.get("SPARK_REMOTE"))
    try:
        if address:
            return builder.remote(address).getOrCreate()
        if "PYSPARK_GATEWAY_PORT" not in os.environ:  # spark-submit has set master and memory already
            _require_java()
            builder = builder.master(_with_retries(master or "local[*]"))
            builder = builder.config("spark.ui.enabled", "false").config("spark.driver.memory", _memory())
            builder = builder.config("spark.log.level", "WARN" if verbose else "ERROR")
            builder = builder.config("spark.ui.showConsoleProgress", "false")
            # One audit runs several hundred pieces of generated code; the default keeps a hundred.
            builder = builder.config("spark.sql.codegen.cache.maxEntries", "2000")
            # Every hash table of every task takes a page at least, and one stage of an audit holds ten of them.
            builder = builder.config("spark.buffer.pageSize", "4m")
            builder = builder.config("spark.executorEnv.PYTHONPATH", _python_path())
            with _silence(not verbose):
                return builder.getOrCreate()
        return builder.getOrCreate()
    except Exception as error:
        text = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise LintmdbError(f"Spark does not start: {text}", next_step="Run it again with -v to see why") from error


@contextmanager
def _silence(silent: bool) -> Generator[None]:
    """Start a process whose standard error nobody reads: Spark's chatter goes there, and so does the machine's."""
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


def _with_retries(master: str) -> str:
    """Spark on one machine gives up a task at its first failure unless the master says otherwise."""
    match = re.fullmatch(r"local(?:\[(\*|\d+)\])?", master)
    return f"local[{match.group(1) or '1'},4]" if match else master


def _require_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if not (home and (Path(home) / "bin" / "java").exists()) and shutil.which("java") is None:
        raise LintmdbError("the fleet part needs Java 17 or later", next_step="Install it, or set JAVA_HOME")


def _memory() -> str:
    """A quarter of this machine's memory, between 1 and 4 GB: on one machine everything but Python is in the driver.

    A million flows need less; what does not fit in memory is spilled to disk.
    """
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return f"{min(max(total // (4 << 20), 1024), 4096)}m"


def _python_path() -> str:
    return os.pathsep.join(part for part in (str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")) if part)


def audit_session(spark: SparkSession) -> SparkSession:
    """A session of our own beside a session: views and settings stay ours; executors can import lintmdb."""
    own = spark.newSession()
    for name, value in _SETTINGS.items():
        own.conf.set(name, value)
    ship(own)
    return own


def size_shuffles(spark: SparkSession, rows: int) -> None:
    """As many shuffle partitions as rows call for: adaptive execution joins small ones, yet each costs a little."""
    spark.conf.set("spark.sql.shuffle.partitions", str(max(cores_of(spark), min(rows // 100_000, 4000))))


def is_remote(spark: SparkSession) -> bool:
    """Whether it is a session of Spark Connect."""
    return type(spark).__module__.startswith("pyspark.sql.connect")


def ship(spark: SparkSession) -> None:
    """Send the package to executors that are not on this machine."""
    if is_remote(spark):
        spark.addArtifacts(str(_archive()), pyfile=True)
    elif not str(spark.sparkContext.master).startswith("local"):
        spark.sparkContext.addPyFile(str(_archive()))


def _archive() -> Path:
    """The package with the rules as a zip that Python imports from."""
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="lintmdb-"))
    return Path(shutil.make_archive(str(folder / "lintmdb"), "zip", PACKAGE.parent, PACKAGE.name))


def cores_of(spark: SparkSession) -> int:
    """How many tasks run at a time."""
    if is_remote(spark):
        return int(spark.conf.get("spark.default.parallelism", "16") or 16)
    return int(spark.sparkContext.defaultParallelism)
