"""Who reads the exports of a fleet: processes of this computer, or Spark's executors (``spark_workers``)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Protocol

from lintmdb.fleet.arrow import compute, dataset, pa, parquet
from lintmdb.fleet.facts.store import State, Store
from lintmdb.fleet.facts.unit_reader import Task, UnitReader, assign_slots
from lintmdb.fleet.facts.writing import CompleteFile, FactsWriter, publish
from lintmdb.run.processes import ProcessDiedError, Started


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
        for number, folder in enumerate(folders):
            wanted = compute.field("part").isin(parts)
            table = dataset.dataset(folder, format="parquet").to_table(filter=wanted)
            if table.num_rows:  # a folder without a file has no columns
                target.mkdir(parents=True, exist_ok=True)
                parquet.write_table(table, target / f"part-{number:05}.parquet", compression="zstd")


_WORTH_A_POOL = 16 << 20
"""Bytes of exports: for less, starting a process costs as much as it saves."""


def _in_processes(writer: FactsWriter, shares: Sequence[Sequence[Task]]) -> list[CompleteFile]:
    """The files of all shares, each read by a process. Where one dies, this process reads its share again, each task of
    it in a process of its own.
    """
    complete: list[CompleteFile] = []
    with ExitStack() as stack:
        work = partial(_write, writer)
        running = [(share, stack.enter_context(Started(work, share))) for share in shares]
        for share, process in running:
            try:
                (written,) = process.results()
            except ProcessDiedError:
                written = writer.write(iter(share), isolated=True)
            complete += written
    return complete


def _write(writer: FactsWriter, share: Sequence[Task]) -> list[list[CompleteFile]]:
    return [writer.write(iter(share))]
