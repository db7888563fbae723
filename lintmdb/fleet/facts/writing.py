"""Writes facts to disk: each worker writes Parquet files of its own, and only those of completed workers count.

Facts do not pass through Spark. Its rows of all relations would be some hundred columns wide, most of them empty, and
would cost as much as a tenth of all reading.
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from lintmdb.errors import LintmdbError
from lintmdb.fleet.arrow import Batch, ParquetWriter, pa, parquet
from lintmdb.fleet.facts.encoding import arrow_schema
from lintmdb.fleet.facts.unit_reader import Task, UnitReader

_ATTEMPTS = "attempts"
_ROW_GROUP_BYTES = 1 << 25
"""Of Arrow's memory; as Parquet it is a small part of that."""


class CompleteFile(TypedDict):
    """A file that a worker completed."""

    attempt: str
    relation: str


@dataclass(frozen=True, slots=True)
class FactsWriter:
    """What a worker does: writes the facts of tasks below the folder of a generation.

    A worker that dies leaves files that it never reported as complete. So does the second of two attempts at one task.
    """

    reader: UnitReader
    generation: str

    def write(self, tasks: Iterator[Task], *, isolated: bool = False) -> list[CompleteFile]:
        """The files that are complete now. Raises LintmdbError where they cannot be written."""
        attempt = uuid.uuid4().hex
        files = _Files(Path(self.generation) / _ATTEMPTS / attempt)
        for relation, batch in self.reader.read(tasks, isolated=isolated):
            files.add(relation, batch)
        return [{"attempt": attempt, "relation": relation} for relation in files.close()]


class _Files:
    """One Parquet file a relation."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writers: dict[str, ParquetWriter] = {}
        self._waiting: dict[str, list[Batch]] = {}
        self._bytes: Counter[str] = Counter()

    def add(self, relation: str, batch: Batch) -> None:
        """Keep a batch until there are enough for one row group."""
        self._waiting.setdefault(relation, []).append(batch)
        self._bytes[relation] += batch.nbytes
        if self._bytes[relation] >= _ROW_GROUP_BYTES:
            self._write(relation)

    def close(self) -> list[str]:
        """Complete the files and return the relations that have one."""
        for relation in list(self._waiting):
            self._write(relation)
        for writer in self._writers.values():
            with _write_errors_named(self._folder.parents[1]):
                writer.close()
        return list(self._writers)

    def _write(self, relation: str) -> None:
        schema = arrow_schema(relation)
        group = pa.Table.from_batches(self._waiting.pop(relation), schema)
        del self._bytes[relation]
        with _write_errors_named(self._folder.parents[1]):
            if relation not in self._writers:
                self._folder.mkdir(parents=True, exist_ok=True)
                file = self._folder / f"{relation}.parquet"
                self._writers[relation] = parquet.ParquetWriter(file, schema, compression="zstd")
            self._writers[relation].write_table(group)


@contextmanager
def _write_errors_named(generation: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise LintmdbError(f"cannot be written: {reason}", path=str(generation)) from None


def publish(generation: Path, complete: Iterable[CompleteFile]) -> None:
    """Put complete files into a generation (``relation=R/*.parquet``), which may hold some.

    Raises LintmdbError where a file that a worker wrote is not to be seen here.
    """
    for file in complete:
        attempt, relation = file["attempt"], file["relation"]
        folder = generation / f"relation={relation}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (generation / _ATTEMPTS / attempt / f"{relation}.parquet").rename(folder / f"{attempt}.parquet")
        except FileNotFoundError:
            raise LintmdbError(
                "what Spark's executors wrote here is not here",
                path=str(generation),
                next_step="Name a folder that this process, Spark's driver and its executors see by the same path",
            ) from None
    shutil.rmtree(generation / _ATTEMPTS, ignore_errors=True)
