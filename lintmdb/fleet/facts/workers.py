"""Who reads the exports of a fleet: processes of this computer, or Spark's executors (``spark_workers``)."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol, cast

from lintmdb.errors import LintmdbError
from lintmdb.fleet.arrow import compute, dataset, pa, parquet
from lintmdb.fleet.facts.store import State, Store
from lintmdb.fleet.facts.unit_reader import Task, UnitReader, assign_slots
from lintmdb.fleet.facts.writing import CompleteFile, FactsWriter, publish
from lintmdb.run.processes import settle_memory


class Workers(Protocol):
    """Those who read exports and rewrite facts."""

    def write_facts(self, tasks: Sequence[Task], reader: UnitReader, store: Store, generation: Path) -> None:
        """Read tasks into the folder of a new generation. Raises LintmdbError where it cannot be written."""
        ...

    def copy_facts(self, store: Store, state: State, relation: str, folders: Sequence[str], target: Path) -> None:
        """Copy the rows of a relation that belong to the parts of a state."""
        ...


class LocalWorkers:
    """Processes of this computer, or this process alone for little."""

    def write_facts(self, tasks: Sequence[Task], reader: UnitReader, store: Store, generation: Path) -> None:
        """As ``Workers`` says."""
        writer = FactsWriter(reader, str(generation))
        cores = os.cpu_count() or 1
        if cores == 1 or sum(task.weight for task in tasks) < _WORTH_A_POOL:
            publish(generation, writer.write(iter(tasks)))
            return
        shares: dict[int, list[Task]] = {}
        for task, slot in zip(tasks, assign_slots(tasks, cores), strict=True):
            shares.setdefault(slot % cores, []).append(task)
        publish(generation, _in_processes(writer, list(shares.values())))

    def copy_facts(self, store: Store, state: State, relation: str, folders: Sequence[str], target: Path) -> None:
        """As ``Workers`` says."""
        parts = pa.array([part.part for part in state.parts], pa.int64())
        target.mkdir(parents=True)
        for number, folder in enumerate(folders):
            wanted = compute.field("part").isin(parts)
            table = dataset.dataset(folder, format="parquet").to_table(filter=wanted)
            if table.num_rows:
                parquet.write_table(table, target / f"part-{number:05}.parquet", compression="zstd")


_WORTH_A_POOL = 8 << 20
"""Bytes of exports: for less, starting a process costs as much as it saves."""


def _in_processes(writer: FactsWriter, shares: Sequence[Sequence[Task]]) -> list[CompleteFile]:
    """The files of all shares, each read by a process. Where one dies, this process reads its share again, each task of
    it in a process of its own.
    """
    running: list[tuple[Sequence[Task], subprocess.Popen[bytes]]] = []
    complete: list[CompleteFile] = []
    try:
        for share in shares:
            # Not by multiprocessing, which would run the script that called us in each process again.
            process = subprocess.Popen(_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment())
            running.append((share, process))
        for share, process in running:
            _send(process, (writer, share))
        for share, process in running:
            answer = process.communicate()[0]
            if process.returncode:
                complete += writer.write(iter(share), isolated=True)
            else:
                complete += _receive(answer)
    finally:
        for _, process in running:
            if process.returncode is None:  # this process was interrupted, or failed
                process.kill()
                process.communicate()
    return complete


_COMMAND = (sys.executable, "-c", "from lintmdb.fleet.facts.workers import serve; serve()")


def _environment() -> dict[str, str]:
    """That of this process, with the place that it imports lintmdb from."""
    own = str(Path(__file__).resolve().parents[3])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (own, os.environ.get("PYTHONPATH"))))}


def _send(process: subprocess.Popen[bytes], work: tuple[FactsWriter, Sequence[Task]]) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError):  # it has died, and its share is read again
        process.stdin.write(pickle.dumps(work, pickle.HIGHEST_PROTOCOL))
        process.stdin.close()
    process.stdin = None


def _receive(answer: bytes) -> list[CompleteFile]:
    found = cast("list[CompleteFile] | LintmdbError", pickle.loads(answer))
    if isinstance(found, LintmdbError):
        raise found
    return found


def serve() -> None:
    """What such a process does: its share comes on standard input, and what it wrote goes to standard output."""
    settle_memory()
    writer, share = cast("tuple[FactsWriter, Sequence[Task]]", pickle.load(sys.stdin.buffer))
    try:
        answer: list[CompleteFile] | LintmdbError = writer.write(iter(share))
    except LintmdbError as error:
        answer = error
    sys.stdout.buffer.write(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))
