"""The tables of an audit without Spark: the facts in this process, judged as ``check`` judges them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict

from lintmdb.engine.findings import Judgement, Undecided
from lintmdb.engine.judge import judge
from lintmdb.fleet.arrow import dataset
from lintmdb.fleet.facts.collect import Collected
from lintmdb.fleet.facts.loading import load_facts
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.judging.job import Job, Written, first_notices
from lintmdb.fleet.judging.suppressed import SuppressionKeys
from lintmdb.fleet.judging.tables import COUNTS, Shown, finding_row, suppressed_row, undecided_row, write_rows
from lintmdb.model.facts import Facts
from lintmdb.run.all_queues import judge_all_queues
from lintmdb.run.join_notices import join_notices
from lintmdb.run.owners import Owners
from lintmdb.run.reading_notices import reading_notices

_Table = list[dict[str, object]]


def write_tables(job: Job) -> Written:
    """Judge facts, and write all tables of an audit."""
    facts = load_facts(job.store, job.collected, job.listing)
    facts.add(*join_notices(facts, job.roots))
    judgement = judge(facts, job.rules)
    if job.all_queues:
        judge_all_queues(judgement, facts, job.rules)
    notices = reading_notices(facts.rows["problem"])
    findings, suppressed, undecided, used = _verdict_rows(judgement, job.left_out, job.owners)
    tables: dict[str, _Table] = {
        "findings": findings,
        "suppressed": suppressed,
        "undecided": undecided,
        "inventory": _inventory(job.store, job.collected),
        "quarantine": _quarantine(facts),
        "notices": [asdict(notice) for notice in notices],
    }
    tables["summary"] = _by_cell_and_rule(judgement, tables)
    for name, rows in tables.items():
        write_rows(job.folder, name, rows)
    return Written(len(judgement.flows), used, judgement.unread_queues, first_notices(notices))


def _verdict_rows(
    judgement: Judgement, left_out: SuppressionKeys | None, owners: Owners
) -> tuple[_Table, _Table, _Table, set[int]]:
    findings: _Table = []
    suppressed: _Table = []
    used: set[int] = set()
    for finding in judgement.findings:
        decided, numbers = left_out.of_finding(finding) if left_out is not None else (None, [])
        used.update(numbers)
        shown = Shown(finding.rows)
        if decided is None:
            findings.append(finding_row(finding, shown, owners))
        else:
            suppressed.append(suppressed_row(decided, shown, owners))
    if left_out is not None:
        for entry in judgement.undecided:
            used.update(left_out.of_undecided(entry.rule.id, entry.subject))
    undecided = [undecided_row(entry, *_place(entry, judgement), owners) for entry in judgement.undecided]
    return findings, suppressed, undecided, used


def _place(entry: Undecided, judgement: Judgement) -> tuple[str | None, str | None]:
    """The cell and queue manager that an undecided verdict counts under."""
    if entry.flow is None:
        return entry.subject.cell, entry.subject.queue_manager
    shown = Shown(judgement.flows[entry.flow].rows)
    return shown.cell, shown.queue_manager


_INVENTORY = ("path", "kind", "name", "complete", "level", "files", "environment")


def _inventory(store: Store, collected: Collected) -> _Table:
    exports = {part.part: part.export for part in collected.live}
    rows: _Table = []
    for folder in store.folders(collected.state, "export"):
        for row in dataset.dataset(folder, format="parquet").to_table().to_pylist():
            if row["part"] in exports:
                kept = {name: row[name] for name in _INVENTORY}
                objects = list(json.loads(row["objects"]).items())
                rows.append({**kept, "export": exports[row["part"]], "objects": objects})
    return rows


def _quarantine(facts: Facts) -> _Table:
    return [
        {
            "path": row.path,
            "reason": row.text,
            "line": row.line,
            "column": row.column,
            "next_step": row.next_step,
            "environment": row.environment,
        }
        for row in facts.rows["problem"]
        if row.kind == "unreadable"
    ]


def _by_cell_and_rule(judgement: Judgement, tables: Mapping[str, _Table]) -> _Table:
    """How many verdicts of each kind a rule has in a cell."""
    counts: dict[tuple[object, object, object], Counter[str]] = {}
    for table, name in (("findings", "hazards"), ("undecided", "undecided"), ("suppressed", "suppressed")):
        for row in tables[table]:
            counts.setdefault((row["environment"], row["cell"], row["rule"]), Counter())[name] += 1
    for rule, subject in judgement.clear_subjects:
        cell = judgement.cells.get(subject, subject.cell)
        counts.setdefault((subject.environment, cell, rule), Counter())["clear"] += 1
    return [
        {"environment": environment, "cell": cell, "rule": rule, **{name: numbers[name] for name in COUNTS}}
        for (environment, cell, rule), numbers in counts.items()
    ]
