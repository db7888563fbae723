"""Spark's executors as those who read the exports of a fleet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from lintmdb.fleet.arrow import Batch, collected, mapped, pa
from lintmdb.fleet.facts.encoding import spark_schema
from lintmdb.fleet.facts.remote import RemoteFiles, fetched, spooled
from lintmdb.fleet.facts.store import State, Store
from lintmdb.fleet.facts.unit_reader import Task, UnitReader, assign_slots, read_tasks, tasks_table
from lintmdb.fleet.facts.units import is_uri
from lintmdb.fleet.facts.writing import CompleteFile, FactsWriter, publish
from lintmdb.fleet.session import count_cores
from lintmdb.fleet.spark_frames import to_frame
from lintmdb.run.processes import settle_memory


@dataclass(frozen=True, slots=True)
class SparkWorkers:
    """The executors of a session; ``remote`` has the files that Spark fetches."""

    spark: SparkSession
    remote: RemoteFiles | None = None

    def write_facts(self, tasks: Sequence[Task], reader: UnitReader, store: Store, generation: Path) -> None:
        """As ``Workers`` says."""
        writer = FactsWriter(reader, str(generation))
        local = [task for task in tasks if not _is_distant(task)]
        distant = [task for task in tasks if _is_distant(task)]
        if local:
            self._write_local(local, writer)
        if distant:
            assert self.remote is not None
            rows = fetched(self.spark, self.remote, distant, count_cores(self.spark))
            write_facts(rows, ExecutorWriter(writer, spooled))
            told = {row["unit"] for row in store.parts_of(generation)}
            silent = [task for task in distant if task.number not in told]
            if silent:  # what was listed and not fetched becomes a problem, as for a local file
                self._write_local(silent, writer)

    def copy_facts(self, store: Store, state: State, relation: str, folders: Sequence[str], target: Path) -> None:
        """As ``Workers`` says."""
        wanted = pa.table({"part": pa.array([part.part for part in state.parts], pa.int64())})
        kept = sf.broadcast(to_frame(self.spark, wanted))
        rows = self.spark.read.schema(spark_schema(relation)).parquet(*folders).join(kept, "part", "left_semi")
        rows.write.parquet(str(target))

    def _write_local(self, tasks: Sequence[Task], writer: FactsWriter) -> None:
        rows = partitioned(self.spark, tasks, count_cores(self.spark))
        write_facts(rows, ExecutorWriter(writer, read_tasks))


def _is_distant(task: Task) -> bool:
    return any(is_uri(file.file) for file in task.files)


def partitioned(spark: SparkSession, tasks: Sequence[Task], cores: int) -> DataFrame:
    """Tasks (``tasks_table``) in as many partitions as there is work for, equal in bytes."""
    slots = assign_slots(tasks, cores)
    plan = to_frame(spark, tasks_table(tasks, slots))
    return plan.repartitionById(max(slots, default=0) + 1, sf.col("slot"))


def prepare_executor() -> bool:
    """Prepare a worker of Spark for reading, and return whether one has died on the same tasks before."""
    settle_memory()
    context = TaskContext.get()
    return context is not None and context.attemptNumber() > 0


@dataclass(frozen=True, slots=True)
class ExecutorWriter:
    """What an executor runs over batches that hold tasks."""

    writer: FactsWriter
    read_tasks: Callable[[Iterator[Batch]], Iterator[Task]]

    def __call__(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        """The files that are complete now, as CompleteFile. Raises LintmdbError where they cannot be written."""
        files = self.writer.write(self.read_tasks(batches), isolated=prepare_executor())
        yield pa.RecordBatch.from_pylist(files, _COMPLETE)


_COMPLETE = pa.schema([("attempt", pa.string()), ("relation", pa.string())])


def write_facts(rows: DataFrame, writer: ExecutorWriter) -> None:
    """Read the tasks in rows, and put their facts into a generation."""
    complete = mapped(rows, writer, "attempt string, relation string")
    publish(Path(writer.writer.generation), collected(complete, CompleteFile))
