"""Writes facts to disk: each task writes Parquet files of its own, and only those of completed tasks count.

Facts do not pass through Spark. Its rows of all relations would be some hundred columns wide, most of them empty, and
would cost as much as a tenth of all reading.
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from pyspark.sql import DataFrame

from lintmdb.errors import LintmdbError
from lintmdb.fleet.arrow import Batch, ParquetWriter, collected, mapped, pa, parquet
from lintmdb.fleet.facts.encoding import arrow_schema
from lintmdb.fleet.facts.unit_reader import Task, UnitReader

_ATTEMPTS = "attempts"
_ROW_GROUP_BYTES = 1 << 25
"""Of Arrow's memory; as Parquet it is a small part of that."""


@dataclass(frozen=True, slots=True)
class FactsWriter:
    """What an executor runs over batches that hold tasks: writes their facts below the folder of a generation.

    A task that dies leaves files that it never reported as complete. So does the second of two attempts at one task.
    """

    reader: UnitReader
    read_tasks: Callable[[Iterator[Batch]], Iterator[Task]]
    generation: str

    def __call__(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        """The files that are complete now (``_COMPLETE``). Raises LintmdbError where they cannot be written."""
        attempt = uuid.uuid4().hex
        files = _Files(Path(self.generation) / _ATTEMPTS / attempt)
        for relation, batch in self.reader.read(self.read_tasks(batches)):
            files.add(relation, batch)
        relations = files.close()
        yield pa.RecordBatch.from_pydict({"attempt": [attempt] * len(relations), "relation": relations}, _COMPLETE)


class CompleteFile(TypedDict):
    """The row of a file that an executor completed."""

    attempt: str
    relation: str


_COMPLETE = pa.schema([("attempt", pa.string()), ("relation", pa.string())])


class _Files:
    """One Parquet file a relation."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writers: dict[str, ParquetWriter] = {}
        self._waiting: dict[str, list[Batch]] = {}

    def add(self, relation: str, batch: Batch) -> None:
        """Keep a batch until there are enough for one row group."""
        waiting = self._waiting.setdefault(relation, [])
        waiting.append(batch)
        if sum(kept.nbytes for kept in waiting) >= _ROW_GROUP_BYTES:
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


def write_facts(rows: DataFrame, writer: FactsWriter) -> None:
    """Read the tasks in rows, and put their facts into a generation (``relation=R/*.parquet``), which may hold some.

    Raises LintmdbError where a file that an executor wrote is not to be seen here.
    """
    complete = mapped(rows, writer, "attempt string, relation string")
    generation = Path(writer.generation)
    for file in collected(complete, CompleteFile):
        attempt, relation = file["attempt"], file["relation"]
        folder = generation / f"relation={relation}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (generation / _ATTEMPTS / attempt / f"{relation}.parquet").rename(folder / f"{attempt}.parquet")
        except FileNotFoundError:
            raise LintmdbError(
                "what Spark's executors wrote here is not here",
                path=writer.generation,
                next_step="Name a folder that this process, Spark's driver and its executors see by the same path",
            ) from None
    shutil.rmtree(generation / _ATTEMPTS, ignore_errors=True)
