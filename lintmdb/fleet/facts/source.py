"""A Spark data source over exports: ``spark.read.format("lintmdb").load(PATH)`` gives the rows of a relation."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import BooleanType, DataType, LongType, StringType, StructField, StructType

from lintmdb.errors import LintmdbError
from lintmdb.fleet.arrow import Batch, pa
from lintmdb.fleet.facts.encoding import STORED
from lintmdb.fleet.facts.spark_workers import prepare_executor
from lintmdb.fleet.facts.unit_reader import Task, UnitReader, assign_slots, build_task
from lintmdb.fleet.facts.units import list_units
from lintmdb.fleet.session import ship
from lintmdb.fleet.spark_frames import to_frame
from lintmdb.model.columns import columns
from lintmdb.model.relations import RELATIONS
from lintmdb.resolve.observations import Observations, read_observations

_TYPES: Mapping[str, DataType] = {"text": StringType(), "integer": LongType(), "boolean": BooleanType()}


def register_source(spark: SparkSession) -> None:
    """Make the data source known to a session, unless it is, and lintmdb to its executors."""
    ship(spark)
    # Spark asks the session that made the last DataFrame from Python's values whether there is such a source.
    to_frame(spark, pa.table({"nothing": pa.array([], pa.int64())}))
    try:
        spark.dataSource.register(RelationSource)
    except AnalysisException as error:
        if error.getCondition() != "DATA_SOURCE_ALREADY_EXISTS":
            raise


class RelationSource(DataSource):
    """The rows of one relation, as the exports below a path tell them.

    Options: ``path`` (a folder, file or glob; what ``load`` is given), ``relation`` (``endpoint`` without it),
    ``observations`` (a file) and ``onMessage`` (``15s``) as for ``check``, ``partitions`` (at least so many tasks).
    """

    @classmethod
    def name(cls) -> str:
        """What ``format`` is given."""
        return "lintmdb"

    def schema(self) -> StructType:
        """The columns of the relation. Raises LintmdbError for one that there is not."""
        return relation_schema(self._relation())

    def reader(self, schema: StructType) -> DataSourceReader:
        """Reads the columns of ``schema``."""
        paths = json.loads(self.options["paths"]) if "paths" in self.options else [self.options.get("path", "")]
        if not all(paths):
            raise LintmdbError("no path is given", next_step='Write spark.read.format("lintmdb").load(PATH)')
        file = self.options.get("observations")
        observed = read_observations(Path(file) if file else None, self.options.get("onMessage"))
        count = int(self.options.get("partitions") or os.cpu_count() or 1)
        return RelationReader(self._relation(), schema.names, paths, observed, count)

    def _relation(self) -> str:
        name = self.options.get("relation") or "endpoint"
        if name not in STORED:
            close = difflib.get_close_matches(name, STORED, 1)
            hint = f"Did you mean {close[0]}?" if close else f"The relations are {', '.join(STORED)}"
            raise LintmdbError(f"there is no relation {name!r}", next_step=hint)
        return name


def relation_schema(relation: str) -> StructType:
    """The columns of a relation as Spark types; only those that are never NULL where its key is known are not
    nullable, which is none: every value may be unknown.
    """
    return StructType([StructField(column.name, _TYPES[column.type]) for column in columns(RELATIONS[relation])])


class Units(InputPartition):
    """The units that one task reads."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        super().__init__(tuple(tasks))
        self.tasks = tuple(tasks)


class RelationReader(DataSourceReader):
    """Lists units where the query is planned, and reads each of them once, in executors."""

    def __init__(
        self, relation: str, names: Sequence[str], paths: Sequence[str], observed: Observations, partitions: int
    ) -> None:
        self._relation = relation
        self._names = list(names)
        self._paths = list(paths)
        self._reader = UnitReader(observed, relations=frozenset([relation]))
        self._count = partitions

    def partitions(self) -> Sequence[InputPartition]:
        """Whole units, in partitions of equal weight."""
        units = list_units(self._paths).units
        tasks = [build_task(number, unit) for number, unit in enumerate(units)]
        groups: dict[int, list[Task]] = {}
        for task, slot in zip(tasks, assign_slots(tasks, self._count), strict=True):
            groups.setdefault(slot, []).append(task)
        return [Units(groups[slot]) for slot in sorted(groups)]

    def read(self, partition: InputPartition) -> Iterator[Batch]:
        """The relation's rows as Arrow batches. What cannot be read has rows in the relation ``problem`` alone."""
        assert isinstance(partition, Units)
        for relation, batch in self._reader.read(iter(partition.tasks), isolated=prepare_executor()):
            if relation == self._relation:
                yield batch.select(self._names)
