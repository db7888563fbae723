"""One audit: inputs to facts, facts to verdicts, verdicts to tables."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from lintmdb.errors import LintmdbError
from lintmdb.exports.discovery import fruitless_folders, shown_path
from lintmdb.fleet.arrow import compute, dataset
from lintmdb.fleet.engine import Engine, LocalEngine
from lintmdb.fleet.errors import short_reason
from lintmdb.fleet.facts.client_tables import with_client_tables
from lintmdb.fleet.facts.collect import Collected, collect, compacted, facts_key
from lintmdb.fleet.facts.conflicts import read_conflicts
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.facts.unit_reader import UnitReader
from lintmdb.fleet.facts.units import Inputs, expanded, is_uri, list_units, listing_digest, shown_uri
from lintmdb.fleet.history import count_new, write_history
from lintmdb.fleet.judging.guesses import find_guessed
from lintmdb.fleet.judging.job import Job
from lintmdb.fleet.judging.suppressed import SuppressionRun, plan_suppression, read_inline_suppressions
from lintmdb.fleet.judging.tables import SCHEMAS
from lintmdb.fleet.page.report import write_report
from lintmdb.fleet.planning.batches import make_batches, read_names
from lintmdb.fleet.planning.planner import Planner
from lintmdb.fleet.planning.write import copy_plan, write_plan
from lintmdb.fleet.retention import Keep, remove_old_audits
from lintmdb.fleet.summary import PlanRecord, Summary, read_summary, write_summary
from lintmdb.fleet.verdicts import Last, Verdicts, write_verdicts
from lintmdb.model.relations import Problem
from lintmdb.plan.policy import Policy
from lintmdb.report.terminal import plural
from lintmdb.resolve.observations import Observations
from lintmdb.rules.rule import SEVERITIES, Rule
from lintmdb.run.config.choice import Choice
from lintmdb.run.conflicts import refuse_conflicts
from lintmdb.run.environments import NONE, Environments
from lintmdb.run.estate import names_by_shown_path, not_read
from lintmdb.run.owners import NOBODY, Owners
from lintmdb.run.suppression import today
from lintmdb.version import __version__

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Spark: TypeAlias = "SparkSession | None"
"""What audits: a session, or this computer by itself."""
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
    environments: Environments = NONE
    owners: Owners = NOBODY
    differing: bool = False
    """Judge although exports of one name in different folders differ."""
    all_queues: bool = False
    """Judge queues and queue managers that no endpoint leads to, too."""
    unless_done: bool = False
    """Return the last audit, and make no other, where it rests on the very same exports and rules."""
    plan: Policy | None = None
    """What a plan may change, where one is asked for."""
    keep: Keep = field(default_factory=Keep)
    """Which older audits stay once this one is complete: by default all."""

    @property
    def all_inputs(self) -> list[str]:
        """All paths that are read."""
        return [*self.inputs, *self.queue_managers]


@dataclass(frozen=True, slots=True)
class Audit:
    """A complete audit: its folder and what ``summary.json`` says."""

    folder: Path
    summary: Summary
    made: bool = True
    """False for one that was there already."""


def _silent(_: str) -> None:
    pass


def run_audit(spark: Spark, request: Request, progress: Progress = _silent) -> Audit:
    """Audit a fleet with Spark, or without a session by processes of this computer, which leave the same tables.

    Raises LintmdbError for inputs that are not there, exports of one name that differ in different folders, rules that
    do not run, and a folder in use.
    """
    started = datetime.now(UTC)
    engine = _engine(spark)
    try:
        return _audit(engine, request, progress, started)
    except engine.errors as error:
        unchanged = "The last complete audit is unchanged"
        next_step = unchanged if spark is None else f"{unchanged}; -v shows the messages of Spark"
        raise LintmdbError(f"the audit failed: {short_reason(error)}", next_step=next_step) from error
    except KeyboardInterrupt:
        engine.interrupt()
        raise


def _engine(spark: Spark) -> Engine:
    if spark is None:
        return LocalEngine()
    from lintmdb.fleet.spark_engine import SparkEngine

    return SparkEngine(spark)


def _audit(engine: Engine, request: Request, progress: Progress, started: datetime) -> Audit:
    store = Store(request.out.absolute())
    if request.plan is not None:
        _refuse_uris(request.all_inputs)
    with store.locked():
        if not request.unless_done:  # a watch lists again and again
            progress("listing exports")
        given = request.all_inputs
        remote = engine.list_uris([entry for entry in given if is_uri(entry)])
        found = list_units([entry for entry in given if not is_uri(entry)], remote, request.environments)
        reader = UnitReader(with_client_tables(request.observed, found.units), _names(request.queue_managers))
        conditions = _conditions(request, reader)
        basis = _basis(request, conditions, found)
        if request.unless_done and (last := _last(store)) is not None and last.summary.get("basis") == basis:
            return last
        progress(f"reading {len(found.units)} exports")
        collected = collect(engine.workers, store, found.units, reader, incremental=request.incremental)
        if not request.differing:
            refuse_conflicts(*read_conflicts(store, collected), request.environments)
        name, folder = store.new_audit()
        out = _plan_suppression(request, store, collected)
        left_out = out.told if out is not None and not out.told.says_nothing else None
        job = Job(
            store,
            collected,
            [*found.problems, *_fruitless(request, found, collected)],
            folder,
            request.rules,
            left_out,
            roots=_roots(request.inputs),
            owners=request.owners,
            all_queues=request.all_queues,
            observed=request.observed,
        )
        last = _last_alike(store, conditions) if request.incremental else None
        verdicts = write_verdicts(engine, job, out, last, basis, progress)
        summary = _summary(name, started, request, collected, verdicts, folder)
        summary["guessed_names"] = find_guessed(store, collected)
        summary["basis"], summary["conditions"] = basis, conditions
        if request.plan is not None and not _take_plan(store, summary, folder):
            progress("planning changes")
            summary["plan"] = _plan(store, request, request.plan, collected, found, reader, folder)
        write_history(store, folder, summary)
        summary["new"], summary["first"] = count_new(folder), not store.complete_audits()
        write_summary(folder, summary)
        _report(folder)
        compacted(engine.workers, store, collected)
        store.remember(name, collected.live)
        store.finish(name, folder)
        if removed := remove_old_audits(store, request.keep):
            progress(f"removed {plural(len(removed), 'older audit')}")
        return Audit(request.out / "audits" / name, summary)


def _fruitless(request: Request, found: Inputs, collected: Collected) -> list[Problem]:
    """The folders of this computer that the user named and whose files tell nothing."""
    telling = {part.path for part in collected.state.parts if part.rows}
    known = [f"{unit.path}/" for unit in found.units if unit.key in telling]
    known += [f"{problem.path}/" for problem in found.problems]
    folders = [path for entry in request.inputs if not is_uri(entry) for path in expanded(entry)]
    problems = map(not_read, sorted(fruitless_folders(folders, known)))
    return [replace(problem, environment=request.environments.of(problem.path)) for problem in problems]


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


def _refuse_uris(inputs: Sequence[str]) -> None:
    """Raise LintmdbError for an input that only Spark reads: plans are made by processes of this machine."""
    for entry in inputs:
        if is_uri(entry):
            raise LintmdbError(
                f"{entry} is on another file system, and --plan reads exports on this machine",
                next_step="Name a folder, or audit without --plan",
            )


def _plan_suppression(request: Request, store: Store, collected: Collected) -> SuppressionRun | None:
    if request.choice is None:
        return None
    comments = read_inline_suppressions(store, collected)
    return plan_suppression(request.choice, request.baseline, comments, suppressions=request.suppressions)


def _conditions(request: Request, reader: UnitReader) -> str:
    """A hash of all that a verdict rests on beside the exports: rules, observations, decisions, and this version."""
    digest = hashlib.sha256(facts_key(reader.observed, reader.named).encode())
    for rule in sorted(request.rules, key=lambda rule: rule.id):
        told = rule.predicts.shows[0].workload if rule.predicts is not None else None
        texts = (rule.when.text, rule.hazard.text, rule.message, rule.advice, rule.repairs, told)
        digest.update(repr((rule.id, rule.name, rule.severity, rule.confidence, rule.subject, *texts)).encode())
    digest.update(_decided(request).encode("utf-8", "surrogateescape"))
    digest.update(b"all queues" if request.all_queues else b"")
    digest.update(repr(request.owners).encode("utf-8", "surrogateescape") if request.owners else b"")
    digest.update(repr(list(SCHEMAS.items())).encode())
    return digest.hexdigest()


def _basis(request: Request, conditions: str, found: Inputs) -> str:
    """A hash of all that an audit rests on: ``conditions``, the exports as listed, and what a plan may change."""
    digest = hashlib.sha256(conditions.encode())
    if request.plan is not None:
        digest.update(repr(request.plan).encode("utf-8", "surrogateescape"))
    digest.update(listing_digest(found.units).encode())
    digest.update(repr((found.problems, _roots(request.inputs))).encode("utf-8", "surrogateescape"))
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


def _last_alike(store: Store, conditions: str) -> Last | None:
    """The last complete audit, where its verdicts rest on the same conditions."""
    last = _last(store)
    alike = last is not None and last.summary.get("conditions") == conditions
    return Last(last.folder, last.summary) if last is not None and alike else None


def _plan(
    store: Store,
    request: Request,
    policy: Policy,
    collected: Collected,
    found: Inputs,
    reader: UnitReader,
    folder: Path,
) -> PlanRecord:
    planner = Planner(
        reader.observed, reader.named, request.rules, policy, request.environments, all_queues=request.all_queues
    )
    batches = make_batches(found.units, read_names(store, collected), all_queues=request.all_queues)
    return write_plan(batches, planner, folder)


def _take_plan(store: Store, summary: Summary, folder: Path) -> bool:
    """Take the plan of the last audit, and say whether it rests on the very same exports, rules and policy."""
    last = _last(store)
    plan = last.summary.get("plan") if last is not None else None
    if last is None or plan is None or last.summary.get("basis") != summary.get("basis"):
        return False
    summary["plan"] = plan
    copy_plan(last.folder, folder)
    return True


def _report(folder: Path) -> None:
    """Write report.html from the tables."""
    write_report(folder)


def _kinds_by_environment(inventory: Path) -> dict[str, list[str]]:
    rows = dataset.dataset(inventory, format="parquet").to_table(columns=["environment", "kind"]).to_pylist()
    found = {(row["environment"], row["kind"]) for row in rows if row["environment"]}
    return {name: sorted(kind for of, kind in found if of == name) for name, _ in sorted(found)}


def _summary(
    name: str, started: datetime, request: Request, collected: Collected, verdicts: Verdicts, folder: Path
) -> Summary:
    severities = _counts(folder / "findings", "severity")
    kinds = _counts(folder / "inventory", "kind")
    sums = dataset.dataset(folder / "summary", format="parquet").to_table(columns=["undecided", "clear", "suppressed"])
    endpoints = sum(part.endpoints for part in collected.live)
    summary: Summary = {
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
            "environments": _kinds_by_environment(folder / "inventory"),
        },
        "endpoints": endpoints,
        "flows": verdicts.flows,
        "hazards": {severity: severities[severity] for severity in SEVERITIES},
        "undecided": compute.sum(sums["undecided"]).as_py() or 0,
        "clear": compute.sum(sums["clear"]).as_py() or 0,
        "suppressed": compute.sum(sums["suppressed"]).as_py() or 0,
        "inputs": [shown_uri(entry) if is_uri(entry) else str(entry) for entry in request.inputs],
        "incremental": {
            "read": collected.read,
            "kept": collected.kept,
            "gone": collected.gone,
            "judged": verdicts.judged,
            "as_before": endpoints - verdicts.judged,
        },
    }
    if request.all_queues:
        summary["unread_queues"] = verdicts.unread
    summary["notices"] = verdicts.notices
    return summary


def _counts(table: Path, column: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for batch in dataset.dataset(table, format="parquet").to_batches(columns=[column]):
        counts.update(batch.column(column).to_pylist())
    return counts


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
