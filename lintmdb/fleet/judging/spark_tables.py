"""The tables of an audit by Spark: its views judged, and the verdicts presented and written by its executors."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from lintmdb.fleet.arrow import Batch, Table, collected, mapped, pa
from lintmdb.fleet.judging.findings import present
from lintmdb.fleet.judging.job import Job, Written
from lintmdb.fleet.judging.judge import count_kept, judge, keep
from lintmdb.fleet.judging.notices import notices_table, told_notices
from lintmdb.fleet.judging.suppressed import SuppressionKeys
from lintmdb.fleet.judging.tables import COUNTS, ORDER, SCHEMAS, count_files, write_file, write_rows
from lintmdb.fleet.judging.unread import judge_unread
from lintmdb.rules.rule import Rule
from lintmdb.run.owners import NOBODY, Owners


def write_job(spark: SparkSession, job: Job) -> Written:
    """Judge what the views hold, and write all tables of an audit."""
    repeats = any(part.repeats for part in job.collected.live)
    told = notices_table(spark, job.roots).persist()
    try:
        _write(told, job.folder, "notices")
        shown = told_notices(told)
    finally:
        told.unpersist()
    written = write_tables(
        spark, job.folder, job.rules, job.left_out, job.owners, repeats=repeats, all_queues=job.all_queues
    )
    return written._replace(notices=shown)


def write_tables(
    spark: SparkSession,
    folder: Path,
    rules: Sequence[Rule],
    left_out: SuppressionKeys | None = None,
    owners: Owners = NOBODY,
    *,
    repeats: bool,
    all_queues: bool = False,
) -> Written:
    """Judge what the views hold, and write the tables about verdicts and exports into a folder. With ``all_queues``
    those queues and queue managers that no endpoint leads to are judged, too.
    """
    scratch = folder.with_name(f"{folder.name}.scratch")
    bases = ["flow", *(base for base in ("binding", "problem") if any(rule.base == base for rule in rules))]
    try:
        judged = [judge(spark, base, rules, scratch, repeats=repeats) for base in bases]
        objects = 0
        if all_queues:
            unread, objects = judge_unread(spark, judged[0], scratch, repeats=repeats)
            judged.append(unread)
        clear = [verdicts.clear for verdicts in judged]
        told = present(spark, judged, scratch, left_out, owners).selectExpr("*", f"{_TABLE} AS table")
        told = keep(spark, told, scratch / "presented", "table")
        for table, shown in _PRESENTED.items():
            rows = count_kept(scratch / "presented", f"table={table}/*.parquet")
            _write(told.where(f"table = '{table}'").select(*shown), folder, table, rows)
        counts = cast("Sequence[int]", spark.sql(_COUNTS).collect()[0])
        _write(spark.sql(_INVENTORY), folder, "inventory", counts[0])
        _write(spark.sql(f"{_QUARANTINE} WHERE {_UNREADABLE}"), folder, "quarantine", counts[1])
        sums = keep(spark, _by_cell_and_rule(spark, folder, clear), scratch / "summary")
        _write(sums, folder, "summary", count_kept(scratch / "summary"))
        used: set[int] = set()
        if left_out is not None:
            used = {row[0] for row in told.selectExpr("EXPLODE(used)").distinct().collect()}
        return Written(judged[0].rows, used, objects, [])
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


_PRESENTED = {
    "findings": ("finding.*",),
    "suppressed": ("finding.*", "suppression"),
    "undecided": ("undecided.*",),
}
"""What each table has of the rows that show verdicts."""
_TABLE = """CASE WHEN undecided IS NOT NULL THEN 'undecided' WHEN suppression IS NULL THEN 'findings'
    ELSE 'suppressed' END"""
"""The table that such a row goes to."""


def _union(frames: Sequence[DataFrame]) -> DataFrame:
    whole = frames[0]
    for frame in frames[1:]:
        whole = whole.unionAll(frame)
    return whole


def _write(table: DataFrame, folder: Path, name: str, rows: int | None = None) -> None:
    """Write a table as ``tables.write_rows`` does; ``rows`` says how many it has, where that is known."""
    order = ORDER[name]
    rows = table.count() if rows is None else rows
    if not rows:  # Spark may run no task for them
        write_rows(folder, name, ())
        return
    files = count_files(rows)
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
        found = [batch for batch in batches if batch.num_rows]
        if found:
            rows: Table = pa.Table.from_batches(found).cast(SCHEMAS[self.table])
            write_file(Path(self.folder), context.partitionId(), rows.combine_chunks())
            yield pa.RecordBatch.from_pydict({"rows": [rows.num_rows]})


_INVENTORY = """
    SELECT path, export.kind, export.name, complete, level, CAST(files AS INT) AS files, digest.export,
           FROM_JSON(objects, 'MAP<STRING, INT>') AS objects, environment
    FROM export LEFT JOIN digest ON export.part = digest.part
    """
_QUARANTINE = """
    SELECT path, text AS reason, CAST(line AS INT) AS line, CAST(`column` AS INT) AS column, next_step, environment
    FROM problem
    """
_UNREADABLE = "kind = 'unreadable'"
_COUNTS = f"""
    SELECT COUNT_IF(exports), COUNT_IF(NOT exports) FROM (
        SELECT TRUE AS exports FROM export UNION ALL SELECT FALSE FROM problem WHERE {_UNREADABLE}
    )
    """
"""How many rows the tables of exports and of what could not be read have: each export has one digest."""


def _by_cell_and_rule(spark: SparkSession, folder: Path, clear: Sequence[DataFrame]) -> DataFrame:
    parts = [_counting("clear", rows, "clear") for rows in clear]
    for table, name in (("findings", "hazards"), ("undecided", "undecided"), ("suppressed", "suppressed")):
        parts.append(_counting(name, spark.read.parquet(str(folder / table)), "1"))
    whole = _union(parts).groupBy("cell", "environment", "rule")
    sums = whole.agg(*(sf.sum(name).cast("bigint").alias(name) for name in COUNTS))
    return sums.where(f"{' + '.join(COUNTS)} > 0")


def _counting(name: str, rows: DataFrame, each: str) -> DataFrame:
    counts = (f"{each if count == name else '0'} AS {count}" for count in COUNTS)
    return rows.selectExpr("cell", "environment", "rule", *counts)
