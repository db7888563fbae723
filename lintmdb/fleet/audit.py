"""One audit: inputs to facts, facts to verdicts, verdicts to tables."""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

from py4j.protocol import Py4JError
from pyspark import StorageLevel
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from lintmdb.errors import LintmdbError
from lintmdb.exports.discovery import shown_path
from lintmdb.fleet.arrow import compute, dataset
from lintmdb.fleet.errors import short_reason
from lintmdb.fleet.facts.collect import Collected, collect, facts_key
from lintmdb.fleet.facts.remote import list_remote, shown_uri
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.facts.unit_reader import UnitReader
from lintmdb.fleet.facts.units import Inputs, expanded, is_uri, list_units, listing_digest
from lintmdb.fleet.facts.views import make_views
from lintmdb.fleet.judging.findings import present
from lintmdb.fleet.judging.judge import judge, try_rules
from lintmdb.fleet.judging.suppressed import SuppressionKeys, SuppressionRun, plan_suppression, read_inline_suppressions
from lintmdb.fleet.judging.unread import judge_unread
from lintmdb.fleet.notices import notices_table, told_notices
from lintmdb.fleet.page.report import write_report
from lintmdb.fleet.session import audit_session, size_queries
from lintmdb.fleet.summary import NoticeRecord, Summary, read_summary, write_summary
from lintmdb.report.json_report import notice_json
from lintmdb.resolve.observations import Observations
from lintmdb.rules.rule import SEVERITIES, Rule
from lintmdb.run.config.choice import Choice
from lintmdb.run.estate import names_by_shown_path
from lintmdb.run.suppression import today
from lintmdb.version import __version__

Progress = Callable[[str], None]
"""Called with the name of each stage as it begins."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to audit, and by what."""

    inputs: Sequence[str]
    out: Path
    rules: Sequence[Rule]
    observed: Observations = field(default_factory=Observations)
    queue_managers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Path to queue manager, as ``--queue-manager`` gives them."""
    incremental: bool = False
    choice: Choice | None = None
    """Where it is given, findings that it suppresses, or that comments in exports allow, do not count."""
    suppressions: bool = True
    """Whether suppressions and comments act."""
    baseline: Path | None = None
    all_queues: bool = False
    """Judge queues and queue managers that no endpoint leads to, too."""
    unless_done: bool = False
    """Return the last audit, and make no other, where it rests on the very same exports and rules."""


@dataclass(frozen=True, slots=True)
class Audit:
    """A complete audit: its folder and what ``summary.json`` says."""

    folder: Path
    summary: Summary
    made: bool = True
    """False for one that was there already."""


def _silent(_: str) -> None:
    pass


def run_audit(spark: SparkSession, request: Request, progress: Progress = _silent) -> Audit:
    """Audit a fleet. Raises LintmdbError for inputs that are not there, rules that do not run, and a folder in use."""
    try:
        return _run(spark, request, progress)
    except (PySparkException, Py4JError, OSError) as error:
        raise LintmdbError(f"the audit failed: {short_reason(error)}", next_step=_LEFT) from error


_LEFT = "The last complete audit is as it was; -v shows what Spark says"


def _run(spark: SparkSession, request: Request, progress: Progress) -> Audit:
    started = datetime.now(UTC)
    own = audit_session(spark)
    try:
        return _audit(own, request, progress, started)
    except KeyboardInterrupt:
        with suppress(PySparkException, Py4JError):
            own.interruptAll()  # a session that stays would go on with it
        raise


def _audit(own: SparkSession, request: Request, progress: Progress, started: datetime) -> Audit:
    try_rules(own, request.rules)
    store = Store(request.out.absolute())
    with store.locked():
        if not request.unless_done:  # a watch lists again and again
            progress("listing exports")
        given = [*request.inputs, *request.queue_managers]
        uris = [entry for entry in given if is_uri(entry)]
        remote = list_remote(own, uris) if uris else None
        found = list_units([entry for entry in given if not is_uri(entry)], remote.files if remote else ())
        reader = UnitReader(request.observed, _names(request.queue_managers))
        basis = _basis(request, reader, found)
        if request.unless_done and (last := _last(store)) is not None and last.summary.get("basis") == basis:
            return last
        progress(f"reading {len(found.units)} exports")
        collected = collect(own, store, found.units, reader, remote, incremental=request.incremental)
        size_queries(own, sum(part.rows for part in collected.live))
        make_views(own, store, collected, found.problems)
        name, folder = store.new_audit()
        out = _plan_suppression(request, store, collected)
        progress(f"judging {sum(part.endpoints for part in collected.live)} endpoints by {len(request.rules)} rules")
        told = out.told if out is not None and not out.told.says_nothing else None
        repeats = any(part.repeats for part in collected.live)
        restore = partial(make_views, own, store, collected, found.problems) if request.all_queues else None
        written = write_tables(own, folder, request.rules, told, repeats=repeats, unread=restore)
        summary = _summary(name, started, request, collected, written.flows, folder)
        if request.all_queues:
            summary["unread_queues"] = written.unread
        reading = notices_table(own, _roots(request.inputs)).persist()
        _write(reading, folder, "notices", reading.count())
        notices = [*(out.notices(written.used) if out is not None else ()), *told_notices(reading)]
        reading.unpersist()
        summary["notices"] = [cast("NoticeRecord", notice_json(notice)) for notice in notices]
        summary["basis"] = basis
        write_summary(folder, summary)
        _report(folder)
        store.finish(name, folder)
        return Audit(request.out / "audits" / name, summary)


def _names(queue_managers: Mapping[str, str]) -> dict[str, str]:
    """Queue managers by shown path."""
    names = names_by_shown_path({path: name for path, name in queue_managers.items() if not is_uri(path)})
    return names | {shown_uri(path): name for path, name in queue_managers.items() if is_uri(path)}


def _roots(inputs: Sequence[str]) -> list[str]:
    """The inputs as they are shown, those that a pattern finds one by one."""
    return [
        shown_uri(path) if is_uri(path) else shown_path(Path(path))
        for entry in inputs
        for path in ([entry] if is_uri(entry) else expanded(entry))
    ]


def _plan_suppression(request: Request, store: Store, collected: Collected) -> SuppressionRun | None:
    if request.choice is None:
        return None
    comments = read_inline_suppressions(store, collected)
    return plan_suppression(request.choice, request.baseline, comments, suppressions=request.suppressions)


def _basis(request: Request, reader: UnitReader, found: Inputs) -> str:
    """A hash of all that an audit rests on: exports as listed, rules, observations, and this version."""
    digest = hashlib.sha256(facts_key(reader.observed, reader.named).encode())
    for rule in request.rules:
        digest.update(repr((rule.id, rule.severity, rule.message, rule.when.text, rule.hazard.text)).encode())
    digest.update(_decided(request).encode("utf-8", "surrogateescape"))
    digest.update(b"all queues" if request.all_queues else b"")
    digest.update(listing_digest(found.units).encode())
    digest.update(repr(found.problems).encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _decided(request: Request) -> str:
    """What decides which findings count, beside the exports themselves."""
    if request.choice is None:
        return ""
    acting = [
        (repr(suppression), sorted(rules), suppression.has_expired(today()))
        for suppression, rules in request.choice.suppressions
    ]
    baseline = hashlib.sha256(request.baseline.read_bytes()).hexdigest() if request.baseline is not None else ""
    return repr((request.suppressions, acting, sorted(request.choice.locks), baseline))


def _last(store: Store) -> Audit | None:
    """The last complete audit, where its summary can be read."""
    for folder in store.complete_audits()[-1:]:
        try:
            return Audit(folder, read_summary(folder), made=False)
        except (OSError, ValueError):
            return None
    return None


def _report(folder: Path) -> None:
    """Write report.html from the tables."""
    write_report(folder)


class Written(NamedTuple):
    """What the tables of an audit do not say themselves."""

    flows: int
    used: set[int]
    """The numbers of what of LeftOut is about some verdict."""
    unread: int = 0
    """How many queues and queue managers without an endpoint were judged."""


def write_tables(
    spark: SparkSession,
    folder: Path,
    rules: Sequence[Rule],
    left_out: SuppressionKeys | None = None,
    *,
    repeats: bool,
    unread: Callable[[], object] | None = None,
) -> Written:
    """Judge what the views hold, and write all tables of an audit into a folder. With ``unread``, which makes the views
    again, queues and queue managers that no endpoint leads to are judged, too.
    """
    if left_out is not None and left_out.says_nothing:
        left_out = None
    scratch = folder.with_name(f"{folder.name}.scratch")
    bases = ["flow", *(base for base in ("binding", "problem") if any(rule.base == base for rule in rules))]
    judged = [judge(spark, base, rules, scratch, repeats=repeats) for base in bases]
    presented = _union([present(spark, verdicts, left_out, repeats=repeats) for verdicts in judged]).persist(
        StorageLevel.DISK_ONLY
    )
    clear = [verdicts.clear for verdicts in judged]
    try:
        verdicts, exports, problems = (
            rows.count() for rows in (presented, spark.table("export"), spark.table("problem"))
        )
        told, objects = presented, 0
        if unread is not None:
            more = judge_unread(spark, judged[0], scratch / "unread", left_out, unread, repeats=repeats)
            told, objects = _union([presented, *more.presented]), more.objects
            clear += more.clear
        for table, (condition, *shown) in _PRESENTED.items():
            _write(told.where(condition).select(*shown), folder, table, verdicts)
        _write(_inventory(spark), folder, "inventory", exports)
        _write(_quarantine(spark), folder, "quarantine", problems)
        _write(_by_cell_and_rule(spark, folder, clear), folder, "summary", exports)
        used: set[int] = set()
        if left_out is not None:
            used = {row[0] for row in told.selectExpr("EXPLODE(used)").distinct().collect()}
        return Written(judged[0].judged.count(), used, objects)
    finally:
        presented.unpersist()
        shutil.rmtree(scratch, ignore_errors=True)


_PRESENTED = {
    "findings": ("finding IS NOT NULL AND suppression IS NULL", "finding.*"),
    "suppressed": ("suppression IS NOT NULL", "finding.*", "suppression"),
    "undecided": ("undecided IS NOT NULL", "undecided.*"),
}
"""Which rows that show verdicts each table has, and what of them."""
_ORDER = {
    "findings": ("cell", "severity", "rule", "fingerprint"),
    "suppressed": ("cell", "severity", "rule", "fingerprint"),
    "undecided": ("cell", "rule", "subject"),
    "inventory": ("kind", "name", "path"),
    "quarantine": ("path", "line", "column", "reason"),
    "notices": ("path", "line", "kind", "text"),
    "summary": ("cell", "rule"),
}
"""By what each file of a table is sorted; the rows of one cell, kind or path stand together in one file."""


def _union(frames: Sequence[DataFrame]) -> DataFrame:
    whole = frames[0]
    for frame in frames[1:]:
        whole = whole.unionAll(frame)
    return whole


def _write(table: DataFrame, folder: Path, name: str, rows: int) -> None:
    """Write a table whose files are each sorted, with the rows of a cell or path together in one of them.

    ``rows`` is about how many there are. The number of files is said here and not found out by Spark at work, so that
    the same rows stand in the same order in every run.
    """
    order = _ORDER[name]
    files = 1 + min(rows // _FILE_ROWS, _MOST_FILES)
    table.repartition(files, order[0]).sortWithinPartitions(*order).write.parquet(str(folder / name))


_FILE_ROWS = 50_000
_MOST_FILES = 999


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
    sums = whole.agg(*(sf.sum(name).cast("bigint").alias(name) for name in _COUNTS))
    return sums.where(f"{' + '.join(_COUNTS)} > 0")


_COUNTS = ("hazards", "undecided", "clear", "suppressed")


def _counting(name: str, rows: DataFrame, each: str) -> DataFrame:
    counts = (f"{each if count == name else '0'} AS {count}" for count in _COUNTS)
    return rows.selectExpr("cell", "rule", *counts)


def _summary(name: str, started: datetime, request: Request, collected: Collected, flows: int, folder: Path) -> Summary:
    severities = _counts(folder / "findings", "severity")
    kinds = _counts(folder / "inventory", "kind")
    sums = dataset.dataset(folder / "summary", format="parquet").to_table(columns=["undecided", "clear", "suppressed"])
    return {
        "schema": "lintmdb-fleet/1",
        "id": name,
        "started": _time(started),
        "finished": _time(datetime.now(UTC)),
        "tool": {"name": "lintmdb", "version": __version__},
        "rules": len(request.rules),
        "exports": {
            "cells": kinds["cell"],
            "queue_managers": kinds["queue_manager"],
            "quarantined": sum(_counts(folder / "quarantine", "path").values()),
        },
        "endpoints": sum(part.endpoints for part in collected.live),
        "flows": flows,
        "hazards": {severity: severities[severity] for severity in SEVERITIES},
        "undecided": compute.sum(sums["undecided"]).as_py() or 0,
        "clear": compute.sum(sums["clear"]).as_py() or 0,
        "suppressed": compute.sum(sums["suppressed"]).as_py() or 0,
        "inputs": [str(entry) for entry in request.inputs],
        "incremental": {"read": collected.read, "kept": collected.kept, "gone": collected.gone},
    }


def _counts(table: Path, column: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for batch in dataset.dataset(table, format="parquet").to_batches(columns=[column]):
        counts.update(batch.column(column).to_pylist())
    return counts


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
