"""Reads units, from tasks to Arrow batches of facts. Bad input never ends the job."""

from __future__ import annotations

import heapq
import os
import pickle
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NoReturn, TypedDict, cast

from lintmdb.exports.discovery import Listed
from lintmdb.fleet.arrow import Batch, Table, pa, records
from lintmdb.fleet.facts.encoding import INLINE_SUPPRESSION, PART, STORED, Batches, repeats, to_tuples
from lintmdb.fleet.facts.parts import Part, chosen, failed_part, read_parts
from lintmdb.fleet.facts.units import Unit, is_uri
from lintmdb.resolve.observations import Observations

MAX_FILE_BYTES = 1 << 30
"""A file that is no archive and larger than this is not read."""
MAX_ARCHIVE_BYTES = 1 << 34
MAX_REMOTE_BYTES = 1 << 29
"""The same for any file that Spark has to fetch, which keeps it in memory as a whole."""
SECONDS = 600.0
"""How long one unit may take."""
PART_BITS = 24
"""Parts are numbered by their unit and their place in it."""
_PARTITION_BYTES = 1 << 26
_PARTITION_UNITS = 4096
_ROUNDS = 4
"""So many partitions for each core at least, where there is enough to read: weights are estimates, and the last
partition of all is read by one core while the others wait."""
_LEAST_UNITS = 50
_OPENING_BYTES = 1 << 15  # what it costs to open one more file, in bytes read
_ARCHIVES = (".zip", ".car", ".tar", ".gz", ".tgz")

TaskRows = list[tuple[int, str, list[tuple[object, ...]]]]
"""The rows of one task: for each part and relation the rows as tuples."""


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to read: a unit, or (with ``only``) what several units tell about one cell or queue manager."""

    number: int
    path: str
    files: Sequence[Listed]
    only: tuple[str, str] | None = None
    environment: str | None = None

    @property
    def weight(self) -> int:
        """About how long it takes, in bytes."""
        return sum(file.size + _OPENING_BYTES for file in self.files)


def build_task(number: int, unit: Unit) -> Task:
    """The task of reading one unit."""
    return Task(number, unit.path, unit.files, environment=unit.environment)


@dataclass(frozen=True, slots=True)
class UnitReader:
    """Reads tasks. Raises nothing for what it reads."""

    observed: Observations = field(default_factory=Observations)
    named: Mapping[str, str] = field(default_factory=dict[str, str])
    seconds: float = SECONDS
    relations: frozenset[str] | None = None
    """What to give of what is read; None is everything."""

    def read(self, tasks: Iterator[Task], *, isolated: bool = False) -> Iterator[tuple[str, Batch]]:
        """Batches of facts, each with its relation; the files of a task are not needed any more when the next is
        asked for. ``isolated`` tasks are read in a process each, because a worker died on one of them.
        """
        facts = Batches()
        read = in_child if isolated else _directly
        for task in tasks:
            for part, relation, rows in read(self.table, task):
                facts.add(part, relation, rows)
            yield from facts.full()
        yield from facts.flush()

    def table(self, task: Task) -> TaskRows:
        """All rows of one task."""
        try:
            reason = _too_large(task)
            if reason:
                return _failure(task, reason, "Provide the export itself")
            with _limit(self.seconds):
                parts, digest = read_parts(task.files, self.observed, self.named, task.environment)
                return _rows(task, chosen(parts, task.only), digest, self.relations)
        except _TimeIsUpError:
            return _failure(task, f"takes longer than {self.seconds:g} s to read", "Check it alone with lintmdb check")
        except MemoryError:
            return _failure(task, "needs more memory than there is", "Provide the export itself")
        except Exception as error:  # the job must go on, whatever this one unit does
            return _failure(task, f"cannot be read: {type(error).__name__}: {error}", "Report it with the export")


def _rows(task: Task, parts: Sequence[Part], digest: str, wanted: frozenset[str] | None = None) -> TaskRows:
    if len(parts) >= 1 << PART_BITS:
        return _failure(task, f"holds {len(parts)} cells and queue managers", "Provide them one by one")
    table: TaskRows = []
    for place, part in enumerate(parts):
        number = (task.number << PART_BITS) + place
        rows = part.facts.rows
        about = (
            task.number,
            digest,
            task.environment,
            part.kind,
            part.name,
            part.root,
            len(rows["endpoint"]),
            len(rows["bean"]),
        )
        size = sum(len(rows[relation]) for relation in STORED)
        table.append((number, PART, [(*about, size, repeats(part.facts))]))
        for relation in STORED if wanted is None else wanted:
            tuples = to_tuples(part.facts, relation)
            if relation == "export":
                tuples = [(*row, objects) for row, objects in zip(tuples, part.export_rows(), strict=True)]
            if tuples:
                table.append((number, relation, tuples))
        if part.facts.inline_suppressions and wanted is None:
            table.append((number, INLINE_SUPPRESSION, list(part.facts.inline_suppressions)))
    return table


def _failure(task: Task, text: str, next_step: str) -> TaskRows:
    return _rows(task, [failed_part(task.path, text, next_step, task.environment)], "")


def _too_large(task: Task) -> str:
    for file in task.files:
        archive = file.file.lower().endswith(_ARCHIVES)
        limit = MAX_ARCHIVE_BYTES if archive else MAX_FILE_BYTES
        if is_uri(file.file):
            limit = MAX_REMOTE_BYTES
        if file.size > limit:
            return f"has {file.size} bytes, more than {limit}"
    return ""


class _TimeIsUpError(BaseException):
    """Not an Exception, so that no reader takes it for a fault of the file."""


@contextmanager
def _limit(seconds: float) -> Generator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> NoReturn:
        raise _TimeIsUpError

    before = signal.signal(signal.SIGALRM, stop)
    # Again and again: what is raised inside a destructor is lost.
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _directly(read: Callable[[Task], TaskRows], task: Task) -> TaskRows:
    return read(task)


def in_child(read: Callable[[Task], TaskRows], task: Task) -> TaskRows:
    """The rows of a task, read in a forked process; only if that dies twice is the task a row of the quarantine.

    Once it may be the victim of another, as where memory runs out.
    """
    rows, _ = _forked(read, task)
    how = ""
    if rows is None:
        rows, how = _forked(read, task)
    if rows is None:
        return _failure(task, f"ends the process that reads it ({how})", "Report it with the export")
    return rows


def _forked(read: Callable[[Task], TaskRows], task: Task) -> tuple[TaskRows | None, str]:
    """What a forked process reads, or None and how it ended."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(source)
        code = 1
        try:
            with os.fdopen(sink, "wb") as stream:
                pickle.dump(read(task), stream, pickle.HIGHEST_PROTOCOL)
            code = 0
        finally:
            os._exit(code)
    os.close(sink)
    with os.fdopen(source, "rb") as stream:
        data = stream.read()
    _, status = os.waitpid(child, 0)
    if status == 0:
        return cast("TaskRows", pickle.loads(data)), ""
    signalled = os.WIFSIGNALED(status)
    return None, f"signal {os.WTERMSIG(status)}" if signalled else f"exit code {os.WEXITSTATUS(status)}"


class FileRow(TypedDict):
    """A file of a task."""

    file: bytes
    shown: str
    size: int
    modified: int
    """Nanoseconds since 1970."""
    group: str
    named: bool


class TaskRow(TypedDict):
    """A row of ``tasks_table``."""

    number: int
    path: str
    kind: str | None
    """Kind and name of what alone is to be read; None for everything."""
    name: str | None
    environment: str | None
    files: list[FileRow] | None


def task_of_row(row: TaskRow) -> Task:
    """A task from a row of ``tasks_table``."""
    files = [
        Listed(os.fsdecode(f["file"]), f["shown"], f["size"], f["modified"], f["group"], f["named"])
        for f in row["files"] or ()
    ]
    only = (row["kind"], row["name"] or "") if row["kind"] is not None else None
    return Task(row["number"], row["path"], files, only, row["environment"])


def read_tasks(batches: Iterator[Batch]) -> Iterator[Task]:
    """The tasks of batches of ``tasks_table``."""
    return (task_of_row(row) for batch in batches for row in records(batch, TaskRow))


def assign_slots(tasks: Sequence[Task], cores: int) -> list[int]:
    """A partition for each task: the heaviest first, each into the lightest partition."""
    total = sum(task.weight for task in tasks)
    rounds = min(_ROUNDS, len(tasks) // (_LEAST_UNITS * cores))
    wanted = max(1, rounds, total // (_PARTITION_BYTES * cores), len(tasks) // (_PARTITION_UNITS * cores)) * cores
    loads = [(0, slot) for slot in range(min(max(len(tasks), 1), wanted))]
    slots = [0] * len(tasks)
    for index in sorted(range(len(tasks)), key=lambda index: (-tasks[index].weight, index)):
        load, slot = heapq.heappop(loads)
        slots[index] = slot
        heapq.heappush(loads, (load + tasks[index].weight, slot))
    return slots


def tasks_table(tasks: Sequence[Task], slots: Sequence[int]) -> Table:
    """Tasks and the partition of each as an Arrow table."""
    files = [file for task in tasks for file in task.files]
    listed = {
        "file": pa.array([os.fsencode(file.file) for file in files], pa.binary()),  # names of files need be no text
        "shown": pa.array([file.shown for file in files], pa.string()),
        "size": pa.array([file.size for file in files], pa.int64()),
        "modified": pa.array([file.modified_ns for file in files], pa.int64()),
        "group": pa.array([file.group for file in files], pa.string()),
        "named": pa.array([file.named for file in files], pa.bool_()),
    }
    offsets = pa.array([0, *accumulate(len(task.files) for task in tasks)], pa.int32())
    columns = {
        "number": pa.array([task.number for task in tasks], pa.int64()),
        "path": pa.array([task.path for task in tasks], pa.string()),
        "kind": pa.array([task.only[0] if task.only else None for task in tasks], pa.string()),
        "name": pa.array([task.only[1] if task.only else None for task in tasks], pa.string()),
        "environment": pa.array([task.environment for task in tasks], pa.string()),
        "files": pa.ListArray.from_arrays(offsets, pa.StructArray.from_arrays(list(listed.values()), list(listed))),
        "slot": pa.array(slots, pa.int32()),
    }
    return pa.table(columns)
