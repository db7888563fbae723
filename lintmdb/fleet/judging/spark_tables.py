"""The tables of an audit by Spark: its views judged, and the verdicts presented and written by its executors."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyspark import StorageLevel, TaskContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from lintmdb.fleet.arrow import Batch, Table, collected, mapped, pa
from lintmdb.fleet.judging.findings import present
from lintmdb.fleet.judging.judge import judge
from lintmdb.fleet.judging.notices import notices_table, told_notices
from lintmdb.fleet.judging.tables import COUNTS, ORDER, SCHEMAS, count_files, write_file
from lintmdb.fleet.judging.unread import judge_unread
from lintmdb.fleet.judging.written import Wanted, Written


def write_tables(
    spark: SparkSession, folder: Path, wanted: Wanted, views: Callable[[], object], *, repeats: bool
) -> Written:
    """Judge what the views hold, and write all tables of an audit into a folder; ``views`` makes the views again."""
    rules, left_out = wanted.rules, wanted.left_out
    scratch = folder.with_name(f"{folder.name}.scratch")
    bases = ["flow", *(base for base in ("binding", "problem") if any(rule.base == base for rule in rules))]
    judged = [judge(spark, base, rules, scratch, repeats=repeats) for base in bases]
    presented = _union([present(spark, verdicts, left_out, repeats=repeats) for verdicts in judged]).persist(
        StorageLevel.DISK_ONLY
    )
    told, clear, unread = presented, [verdicts.clear for verdicts in judged], 0
    try:
        if wanted.all_queues:
            presented.count()  # before other views take the place of those that it is made of
            more = judge_unread(spark, judged[0], scratch / "unread", left_out, views, repeats=repeats)
            told, unread = _union([presented, *more.presented]), more.objects
            clear += more.clear
        for table, (condition, *shown) in _PRESENTED.items():
            _write(told.where(condition).select(*shown), folder, table)
        _write(_inventory(spark), folder, "inventory")
        _write(_quarantine(spark), folder, "quarantine")
        notices = notices_table(spark, wanted.roots)
        _write(notices, folder, "notices")
        _write(_by_cell_and_rule(spark, folder, clear), folder, "summary")
        used: set[int] = set()
        if left_out is not None:
            used = {row[0] for row in told.selectExpr("EXPLODE(used)").distinct().collect()}
        return Written(judged[0].judged.count(), used, told_notices(notices), unread)
    finally:
        presented.unpersist()
        shutil.rmtree(scratch, ignore_errors=True)


_PRESENTED = {
    "findings": ("finding IS NOT NULL AND suppression IS NULL", "finding.*"),
    "suppressed": ("suppression IS NOT NULL", "finding.*", "suppression"),
    "undecided": ("undecided IS NOT NULL", "undecided.*"),
}
"""Which rows that show verdicts each table has, and what of them."""


def _union(frames: Sequence[DataFrame]) -> DataFrame:
    whole = frames[0]
    for frame in frames[1:]:
        whole = whole.unionAll(frame)
    return whole


def _write(table: DataFrame, folder: Path, name: str) -> None:
    """Write a table as ``tables.write_rows`` does."""
    order = ORDER[name]
    files = count_files(table.count())
    share = sf.expr(f"CAST(CRC32(ENCODE(COALESCE({order[0]}, ''), 'UTF-8')) % {files} AS INT)")
    sorted_ = table.repartitionById(files, share).sortWithinPartitions(*order)
    collected(mapped(sorted_, _FileWriter(name, str(folder / name)), "rows BIGINT"), dict[str, object])


@dataclass(frozen=True, slots=True)
class _FileWriter:
    """What an executor runs over the rows of one file."""

    table: str
    folder: str

    def __call__(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        context = TaskContext.get()
        assert context is not None
        found = list(batches)
        schema = SCHEMAS[self.table]
        rows: Table = pa.Table.from_batches(found).cast(schema) if found else schema.empty_table()
        write_file(Path(self.folder), context.partitionId(), rows.combine_chunks())
        yield pa.RecordBatch.from_pydict({"rows": [rows.num_rows]})


def _inventory(spark: SparkSession) -> DataFrame:
    return spark.sql(
        """
        SELECT path, export.kind, export.name, complete, level, CAST(files AS INT) AS files, digest.export,
               FROM_JSON(objects, 'MAP<STRING, INT>') AS objects
        FROM export LEFT JOIN digest ON export.part = digest.part
        """
    )


def _quarantine(spark: SparkSession) -> DataFrame:
    return spark.sql(
        """
        SELECT path, text AS reason, CAST(line AS INT) AS line, CAST(`column` AS INT) AS column, next_step
        FROM problem WHERE kind = 'unreadable'
        """
    )


def _by_cell_and_rule(spark: SparkSession, folder: Path, clear: Sequence[DataFrame]) -> DataFrame:
    parts = [_counting("clear", rows, "clear") for rows in clear]
    for table, name in (("findings", "hazards"), ("undecided", "undecided"), ("suppressed", "suppressed")):
        parts.append(_counting(name, spark.read.parquet(str(folder / table)), "1"))
    whole = _union(parts).groupBy("cell", "rule")
    sums = whole.agg(*(sf.sum(name).cast("bigint").alias(name) for name in COUNTS))
    return sums.where(f"{' + '.join(COUNTS)} > 0")


def _counting(name: str, rows: DataFrame, each: str) -> DataFrame:
    counts = (f"{each if count == name else '0'} AS {count}" for count in COUNTS)
    return rows.selectExpr("cell", "rule", *counts)
