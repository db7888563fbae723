"""What `lintmdb fleet history` prints: the totals of each audit, and how old the findings of the last one are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypedDict

from lintmdb.errors import LintmdbError
from lintmdb.fleet.arrow import read_rows
from lintmdb.fleet.audit_tables import batches, pa, read_records
from lintmdb.fleet.history import AUDITS, FINDINGS
from lintmdb.fleet.row_formats import as_table, json_lines
from lintmdb.json_types import JsonObject, JsonValue
from lintmdb.model.environment_names import name_in
from lintmdb.report.terminal import plural, safe
from lintmdb.rules.rule import SEVERITIES, severity_rank
from lintmdb.version import __version__

SHOWN = 20
"""Audits and entries of each list in the text; the JSON document has all."""
STATES = ("new", "returned", "open")
"""The states of findings that an audit has; what has another state is not among its findings."""
_TOTALS = (*SEVERITIES, "undecided", "clear", "suppressed", "flows", "quarantined")


class AuditRow(TypedDict):
    """A row of the table ``audits``; times in UTC."""

    id: str
    started: datetime
    finished: datetime
    error: int
    warning: int
    info: int
    undecided: int
    clear: int
    suppressed: int
    flows: int
    quarantined: int


class SeenFinding(TypedDict):
    """What is read of a row of the table ``history``; times in UTC, the start of audits."""

    fingerprint: str
    state: str
    rule: str
    severity: str
    cell: str | None
    environment: str | None
    owner: str | None
    headline: str | None
    first_seen: datetime
    first_audit: str
    last_seen: datetime
    absent_since: datetime | None
    returned: datetime | None
    returns: int


@dataclass(frozen=True, slots=True)
class History:
    """The history up to one audit."""

    audits: Sequence[AuditRow]
    """The oldest first; the last one is the audit itself."""
    findings: Sequence[SeenFinding]
    """Those of the audit, the oldest first, then the worst."""
    absent: Counter[str]
    """How many findings of audits before it does not have, by state: gone, left_out, not_judged."""

    @property
    def now(self) -> datetime:
        """The start of the audit."""
        return self.audits[-1]["started"]

    def age_days(self, finding: SeenFinding) -> int:
        """For how many whole days a finding has been known."""
        return (self.now - finding["first_seen"]).days

    def in_state(self, state: str) -> list[SeenFinding]:
        """The findings that are new, have returned, or were there in the audit before."""
        return [row for row in self.findings if row["state"] == state]


def read_history(audit: Path) -> History:
    """The history up to an audit. Raises LintmdbError for one of a version that kept none."""
    if not (audit / FINDINGS).is_dir():
        raise LintmdbError(
            "the audit has no history: an older version made it", path=str(audit), next_step="Audit again"
        )
    absent: Counter[str] = Counter()
    findings: list[SeenFinding] = []
    for batch in batches(audit, FINDINGS, tuple(SeenFinding.__annotations__)):
        states: list[str] = batch["state"].to_pylist()
        absent.update(state for state in states if state not in STATES)
        findings += read_records(batch.filter(pa.array([state in STATES for state in states])), SeenFinding)
    findings.sort(key=lambda row: (row["first_seen"], severity_rank(row["severity"]), row["rule"], row["cell"] or ""))
    return History(read_rows(audit / AUDITS, AuditRow), findings, absent)


def history_lines(history: History) -> Iterator[str]:
    """The text, in pieces that end lines."""
    shown = history.audits[-SHOWN:]
    if len(history.audits) > SHOWN:
        yield f"{len(history.audits) - SHOWN} older audits (--format json lists every one)\n"
    names = ("audit", *_TOTALS)
    yield from as_table(names, [[row["id"], *(_totals(row)[name] for name in _TOTALS)] for row in shown])
    yield "\n"
    counts = Counter(row["state"] for row in history.findings)
    absent = (("gone", "gone"), ("left_out", "left out"), ("not_judged", "no longer judged"))
    yield (
        f"{plural(len(history.findings), 'finding')}: {counts['new']} new, {counts['returned']} returned, "
        f"{counts['open']} as before; of earlier findings "
        + ", ".join(f"{history.absent[state]} {words}" for state, words in absent)
        + "\n"
    )
    for state in ("new", "returned"):
        yield from _entries(history, state, history.in_state(state))
    yield from _entries(history, "oldest", [row for row in history.findings if row["state"] != "new"])
    for name in _GROUPED:
        if name in ("rule", "cell") or any(_GROUPED[name](row) for row in history.findings):
            yield from _grouped(history, name)


def _entries(history: History, word: str, rows: Sequence[SeenFinding]) -> Iterator[str]:
    for row in rows[:SHOWN]:
        age = "" if word == "new" else f", first seen {row['first_seen']:%Y-%m-%d} ({_days(history, row)} ago)"
        yield safe(f"{word}: {row['severity']} {row['rule']} {_what(row)}{age}") + "\n"
    if len(rows) > SHOWN:
        yield f"and {len(rows) - SHOWN} more (--format json lists every one)\n"


def _days(history: History, row: SeenFinding) -> str:
    return plural(history.age_days(row), "day")


def _what(row: SeenFinding) -> str:
    cell = row["cell"] and name_in(row["environment"], row["cell"])
    return (row["headline"] or row["fingerprint"]) + (f", cell {cell}" if cell else "")


def _grouped(history: History, name: str) -> Iterator[str]:
    groups = _groups(history, name)
    if groups:
        ranked = sorted(groups, key=lambda entry: (-int(entry["new"]), -int(entry["returned"]), -int(entry["open"])))
        yield "\n"
        columns = (name, *STATES, "oldest_days")
        yield from as_table(
            columns,
            [
                [entry[column] or "(none)" if column == name else entry[column] for column in columns]
                for entry in ranked[:SHOWN]
            ],
        )
        if len(ranked) > SHOWN:
            yield f"and {len(ranked) - SHOWN} more (--format json lists every one)\n"


_GROUPED: Mapping[str, Callable[[SeenFinding], str | None]] = {
    "rule": lambda row: row["rule"],
    "cell": lambda row: name_in(row["environment"], row["cell"] or ""),
    "environment": lambda row: row["environment"],
    "owner": lambda row: row["owner"],
}


def _groups(history: History, name: str) -> list[dict[str, str | int]]:
    """How many findings of each state a rule, a cell, an environment or an owner has, and how many days the oldest has
    been known.
    """
    states: dict[str, Counter[str]] = {}
    ages: dict[str, int] = {}
    for row in history.findings:
        group = _GROUPED[name](row) or ""
        states.setdefault(group, Counter())[row["state"]] += 1
        ages[group] = max(ages.get(group, 0), history.age_days(row))
    return [
        {name: group, **{state: counts[state] for state in STATES}, "oldest_days": ages[group]}
        for group, counts in sorted(states.items())
    ]


def history_json(history: History) -> Iterator[str]:
    """The same as one JSON document, in pieces: one line an entry of a list."""
    document: dict[str, JsonValue] = {
        "schema": "lintmdb-fleet-history/1",
        "tool": {"name": "lintmdb", "version": __version__},
        "audit": history.audits[-1]["id"],
        "audits": [
            {"id": row["id"], "started": _time(row["started"]), "finished": _time(row["finished"]), **_totals(row)}
            for row in history.audits
        ],
        "findings": [_document(history, row) for row in history.findings],
        "absent": {state: history.absent[state] for state in ("gone", "left_out", "not_judged")},
        "by_rule": _groups(history, "rule"),
        "by_cell": _groups(history, "cell"),
        "by_environment": _groups(history, "environment"),
        "by_owner": _groups(history, "owner"),
    }
    return json_lines(document)


def _totals(row: AuditRow) -> dict[str, int]:
    return {
        "error": row["error"],
        "warning": row["warning"],
        "info": row["info"],
        "undecided": row["undecided"],
        "clear": row["clear"],
        "suppressed": row["suppressed"],
        "flows": row["flows"],
        "quarantined": row["quarantined"],
    }


def _document(history: History, row: SeenFinding) -> JsonObject:
    return {
        "fingerprint": row["fingerprint"],
        "state": row["state"],
        "rule": row["rule"],
        "severity": row["severity"],
        "cell": row["cell"],
        "environment": row["environment"],
        "owner": row["owner"],
        "headline": row["headline"],
        "first_seen": _time(row["first_seen"]),
        "first_audit": row["first_audit"],
        "age_days": history.age_days(row),
        "returned": row["returned"] and _time(row["returned"]),
        "returns": row["returns"],
    }


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
