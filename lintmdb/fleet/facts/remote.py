"""Exports on file systems that Spark reads and this process may not: hdfs, s3a, or file, named by URIs and globs.

Spark lists them and sends their bytes to executors, where each unit lies in a temporary folder while it is read by
the same functions as a unit on local disk.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypedDict

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from lintmdb.errors import LintmdbError
from lintmdb.exports.discovery import Listed, lies_beside, repository_roots
from lintmdb.fleet.arrow import Batch, collected, records
from lintmdb.fleet.errors import short_reason
from lintmdb.fleet.facts.unit_reader import MAX_REMOTE_BYTES, Task, TaskRow, assign_slots, task_of_row, tasks_table
from lintmdb.fleet.facts.units import is_uri, shown_uri
from lintmdb.fleet.spark_frames import to_frame

_KEY = "_metadata.file_path"
"""How Spark itself names a file: it looks at this before it opens any."""


@dataclass(slots=True)
class RemoteFiles:
    """The files below some URIs."""

    inputs: list[str]
    files: list[Listed]
    """Each once, ``file`` being Spark's name for it."""
    repeated: set[str] = field(default_factory=set[str])
    """Names of files that several inputs hold."""


def list_remote(spark: SparkSession, inputs: Sequence[str]) -> RemoteFiles:
    """List the files below URIs and globs of these. Raises LintmdbError for what Spark cannot list.

    Spark ignores names that begin with a dot or an underscore.
    """
    found: dict[str, Listed] = {}
    repeated: set[str] = set()
    for entry in inputs:
        table = _listing(spark, entry)
        for row in table:
            listed = _listed(entry, row)
            if listed.file in found:
                repeated.add(listed.file)
            found[listed.file] = listed
    return RemoteFiles(list(inputs), _without_siblings(list(found.values())), repeated)


class ListedFile(TypedDict):
    """A file as Spark lists it."""

    path: str
    length: int
    modified: int
    """Microseconds since 1970."""
    file: str
    """Spark's own name for it."""


def _listing(spark: SparkSession, entry: str) -> list[ListedFile]:
    try:
        rows = _files(spark, [entry]).select(
            "path", "length", sf.unix_micros("modificationTime").alias("modified"), sf.col(_KEY).alias("file")
        )
        return collected(rows, ListedFile)
    except (PySparkException, Py4JError) as error:
        text = str(error)
        scheme = entry.partition(":")[0]
        if "No FileSystem for scheme" in text or re.search(r"ClassNotFoundException: Class \S*FileSystem", text):
            raise LintmdbError(
                f"this Spark knows no file system {scheme}: {shown_uri(entry)}",
                next_step="Give it the connector (spark.jars.packages), or copy the exports to a folder",
            ) from None
        if "PATH_NOT_FOUND" in text:
            said = "matches nothing" if _is_glob(entry) else "does not exist"
            raise LintmdbError(
                f"{shown_uri(entry)} {said}", next_step="Name exports: folders, archives or globs"
            ) from None
        raise LintmdbError(
            f"{shown_uri(entry)} cannot be listed: {short_reason(error)}", next_step="Check the address"
        ) from error


def _files(spark: SparkSession, inputs: Sequence[str]) -> DataFrame:
    return spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(list(inputs))


def _is_glob(entry: str) -> bool:
    return re.search(r"[*?\[{]", entry) is not None


def _listed(entry: str, row: ListedFile) -> Listed:
    shown = shown_uri(row["path"])
    # A glob of as many names as the path has was made for this file; one of fewer names a folder above it.
    named = shown_uri(entry).rstrip("/").count("/") == shown.count("/")
    group = shown if named else shown.rpartition("/")[0]
    return Listed(row["file"], shown, row["length"], row["modified"] * 1000, group, named)


def _without_siblings(files: list[Listed]) -> list[Listed]:
    """Leaves out what is beside a repository and holds no configuration of a cell, as a local listing does."""
    roots = repository_roots(file.shown for file in files)
    return [file for file in files if file.named or not lies_beside(file.shown, roots)]


# -- reading


def fetched(spark: SparkSession, remote: RemoteFiles, tasks: Sequence[Task], cores: int) -> DataFrame:
    """Tasks with a file that Spark has to fetch, and the contents of their files (``_ROW``).

    A unit of one file is read where Spark reads it; files that belong together are sent to one place first. A task
    whose only file is gone or too large is not among them.
    """
    alone = [task for task in tasks if len(task.files) == 1 and task.files[0].file not in remote.repeated]
    others = [task for task in tasks if not (len(task.files) == 1 and task.files[0].file not in remote.repeated)]
    wanted = {file.file for task in tasks for file in task.files if is_uri(file.file)}
    contents = _contents(spark, remote, wanted)
    frames: list[DataFrame] = []
    if alone:
        plan = to_frame(spark, tasks_table(alone, [0] * len(alone))).withColumn(
            "file", sf.col("files")[0]["file"].cast("string")
        )
        whole = contents.join(sf.broadcast(plan), "file").withColumn("place", sf.lit(0))
        frames.append(whole.select(*_ROW))
    if others:
        slots = assign_slots(others, cores)
        plan = to_frame(spark, tasks_table(others, slots))
        places = plan.select("number", "slot", sf.posexplode("files").alias("place", "listed"))
        places = places.select("number", "slot", "place", sf.col("listed.file").cast("string").alias("file"))
        bodies = contents.join(sf.broadcast(places), "file")
        nothing = {name: plan.schema[name].dataType for name in ("path", "kind", "name", "environment", "files")}
        bodies = bodies.withColumns({name: sf.lit(None).cast(kind) for name, kind in nothing.items()})
        heads = plan.withColumns({"place": sf.lit(-1), "content": sf.lit(None).cast("binary")})
        rows = heads.select("slot", *_ROW).unionAll(bodies.select("slot", *_ROW))
        count = max(slots, default=0) + 1
        frames.append(rows.repartitionById(count, sf.col("slot")).sortWithinPartitions("number", "place").select(*_ROW))
    return frames[0] if len(frames) == 1 else frames[0].unionAll(frames[1])


_ROW = ("number", "path", "kind", "name", "environment", "files", "place", "content")
"""What an executor sees: a row with ``files`` begins a task, one with ``content`` holds the file at ``place``."""


class FetchedRow(TaskRow):
    """A row of ``fetched`` without its content."""

    place: int
    """Of the file in its task, -1 in the row that begins a task of several files."""


def _contents(spark: SparkSession, remote: RemoteFiles, wanted: set[str]) -> DataFrame:
    """The bytes of wanted files that are not too large; others are not opened."""
    spark.conf.set("spark.sql.files.ignoreMissingFiles", "true")
    files = _files(spark, remote.inputs).where(sf.col("length") <= MAX_REMOTE_BYTES)
    if len(wanted) < len(remote.files):
        quoted = ", ".join("'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'" for name in sorted(wanted))
        files = files.where(sf.expr(f"{_KEY} IN ({quoted or 'NULL'})"))
    return files.select(sf.col(_KEY).alias("file"), "content")


def spooled(batches: Iterator[Batch]) -> Iterator[Task]:
    """The tasks of batches of ``fetched``, whose files lie in a temporary folder until the next task is asked for."""
    spool: _Spool | None = None
    try:
        for batch in batches:
            contents = batch.column("content")
            for number, row in enumerate(records(batch.drop_columns(["content"]), FetchedRow)):
                if row["files"] is not None:
                    if spool is not None:
                        yield spool.task()
                        spool.remove()
                    spool = _Spool(task_of_row(row))
                if spool is not None and contents[number].is_valid:
                    spool.add(row["place"], contents[number].as_buffer())
        if spool is not None:
            yield spool.task()
    finally:
        if spool is not None:
            spool.remove()


class _Spool:
    """The files of one task in a temporary folder. A file that was not fetched keeps a name that cannot be opened."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._files = list(task.files)
        self._folder = Path(tempfile.mkdtemp(prefix="lintmdb-"))

    def add(self, place: int, content: memoryview) -> None:
        """Write one file down, under its own name: what an archive is called matters."""
        file = self._files[place]
        spooled = self._folder / str(place) / file.shown.rpartition("/")[2]
        spooled.parent.mkdir(exist_ok=True)
        with spooled.open("wb") as target:
            target.write(content)
        self._files[place] = file._replace(file=str(spooled))

    def task(self) -> Task:
        """The task as its files lie now."""
        return replace(self._task, files=self._files)

    def remove(self) -> None:
        """Remove what was written."""
        shutil.rmtree(self._folder, ignore_errors=True)
