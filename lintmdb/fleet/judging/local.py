"""Verdicts on some facts in this process, judged as ``check`` judges them, as rows of the tables of an audit."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import NamedTuple, cast

from lintmdb.engine.findings import Judgement, Notice, Undecided
from lintmdb.engine.judge import judge
from lintmdb.fleet.arrow import compute, dataset, pa
from lintmdb.fleet.facts.collect import Collected
from lintmdb.fleet.facts.store import PartInfo, Store
from lintmdb.fleet.judging.job import Job
from lintmdb.fleet.judging.presenting import Presented, TableRows
from lintmdb.fleet.judging.tables import COUNTS, Shown
from lintmdb.model.facts import Facts
from lintmdb.rules.rule import Rule
from lintmdb.run.all_queues import judge_all_queues
from lintmdb.run.reading_notices import reading_notices

CountKey = tuple[str | None, str | None, str]
"""An environment, a cell and a rule."""
COUNTED = {"findings": "hazards", "undecided": "undecided", "suppressed": "suppressed"}
"""Tables of verdicts, and the column of ``summary`` that counts their rows."""


def judge_facts(job: Job, facts: Facts, rules: Sequence[Rule]) -> Judgement:
    """The verdicts of some rules on facts, and on queues without an endpoint where a job asks for them."""
    judgement = judge(facts, rules)
    if job.all_queues:
        judge_all_queues(judgement, facts, rules)
    return judgement


class Told(NamedTuple):
    """What tables say of a judgement."""

    verdicts: Mapping[str, TableRows]
    """The tables findings, suppressed and undecided."""
    reading: Mapping[str, TableRows]
    """The tables of what could not be read, and of what a reader has to know."""
    notices: Sequence[Notice]
    used: set[int]
    """The numbers of what of SuppressionKeys is about some verdict."""


def tell(job: Job, judgement: Judgement, facts: Facts) -> Told:
    """What the tables of an audit say of a judgement, and of problems."""
    presented = Presented(job.left_out, job.owners)
    for finding in judgement.findings:
        presented.add_finding(finding)
    for entry in judgement.undecided:
        presented.add_undecided(entry, *_place(entry, judgement))
    reading, notices = tell_reading(facts)
    return Told(presented.tables, reading, notices, presented.used)


def tell_reading(facts: Facts) -> tuple[Mapping[str, TableRows], Sequence[Notice]]:
    """What the tables of an audit say of problems, and the notices among that."""
    notices = reading_notices(facts.rows["problem"])
    return {"quarantine": _quarantine(facts), "notices": [asdict(notice) for notice in notices]}, notices


def _place(entry: Undecided, judgement: Judgement) -> tuple[str | None, str | None]:
    """The cell and queue manager that an undecided verdict counts under."""
    if entry.flow is None:
        return entry.subject.cell, entry.subject.queue_manager
    shown = Shown(judgement.flows[entry.flow].rows)
    return shown.cell, shown.queue_manager


_INVENTORY = ("path", "kind", "name", "complete", "level", "files", "environment")


def read_inventory(store: Store, collected: Collected, parts: Sequence[PartInfo]) -> TableRows:
    """The rows of the table of exports about some parts."""
    exports = {part.part: part.export for part in parts}
    wanted = compute.field("part").isin(pa.array(list(exports), pa.int64()))
    rows: TableRows = []
    for folder in store.folders(collected.state, "export"):
        for row in dataset.dataset(folder, format="parquet").to_table(filter=wanted).to_pylist():
            kept = {name: row[name] for name in _INVENTORY}
            objects = list(json.loads(row["objects"]).items())
            rows.append({**kept, "export": exports[row["part"]], "objects": objects})
    return rows


def _quarantine(facts: Facts) -> TableRows:
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


def count_verdicts(judgement: Judgement, verdicts: Mapping[str, TableRows]) -> dict[CountKey, Counter[str]]:
    """How many verdicts of each kind a rule has in a cell."""
    counts: dict[CountKey, Counter[str]] = {}
    for table, name in COUNTED.items():
        for row in verdicts[table]:
            key = cast("CountKey", (row["environment"], row["cell"], row["rule"]))
            counts.setdefault(key, Counter())[name] += 1
    for rule, subject in judgement.clear_subjects:
        cell = judgement.cells.get(subject, subject.cell)
        counts.setdefault((subject.environment, cell, rule), Counter())["clear"] += 1
    return counts


def count_row(key: CountKey, counts: Mapping[str, int]) -> dict[str, object]:
    """A row of ``summary``."""
    environment, cell, rule = key
    return {"environment": environment, "cell": cell, "rule": rule, **{name: counts[name] for name in COUNTS}}
