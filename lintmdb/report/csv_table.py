"""A table in CSV for spreadsheets: one row for each finding, each undecided verdict and whatever else fails the run.

A cell that a spreadsheet would take for a formula begins with an apostrophe: names come from exports, where others
write them.
"""

from __future__ import annotations

import csv
import io

from lintmdb.engine.findings import SUBJECT_KEYS, Finding, FlowHead, Judgement, Subject, Undecided, without
from lintmdb.report.blockers import Blocker, find_blockers
from lintmdb.report.changes import fix_with_put_back
from lintmdb.report.headline_fates import headline_fates
from lintmdb.report.places import find_places
from lintmdb.report.terminal import safe
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate

COLUMNS: tuple[str, ...] = (
    "verdict",
    "rule",
    "rule_name",
    "severity",
    "confidence",
    "message",
    *SUBJECT_KEYS,
    "path",
    "line",
    "column",
    "flows",
    "missing",
    "fix",
    "fingerprint",
    "fate",
)
_GATE = Gate()
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def render_csv(judgement: Judgement, estate: Estate, gate: Gate = _GATE) -> str:
    """The table with its header line; fields as in RFC 4180, lines end in a line feed."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for blocker in find_blockers(judgement, estate, gate):
        if blocker.kind != "undecided":  # each verdict has its own row
            writer.writerow(_defused(_blocker(blocker)))
    fates = _Fates(judgement)
    for finding in judgement.findings:
        row = _finding(finding, judgement, estate) | {"fate": fates.of(finding.flow, finding.subject)}
        writer.writerow(_defused(row))
    for entry in judgement.undecided:
        writer.writerow(_defused(_undecided(entry) | {"fate": fates.of(entry.flow, entry.subject)}))
    return out.getvalue()


class _Fates:
    """What becomes of a poison message on the flow that a verdict is about, or on a queue that no endpoint reads."""

    def __init__(self, judgement: Judgement) -> None:
        self._flows = judgement.flows
        self._queues = {head.subject: head for head in judgement.unread}
        self._words: dict[FlowHead, str] = {}

    def of(self, flow: int | None, subject: Subject) -> str:
        """In a few words; blank where a verdict is about neither."""
        head = self._flows[flow] if flow is not None else self._queues.get(subject)
        if head is None:
            return ""
        if head not in self._words:
            self._words[head] = headline_fates([head])[0].words
        return self._words[head]


def _blocker(blocker: Blocker) -> dict[str, object]:
    return {
        "verdict": blocker.kind,
        "rule_name": blocker.title,
        "severity": "error",
        "message": blocker.text,
        "path": blocker.place.path,
        "line": blocker.place.line or None,
        "column": blocker.place.column or None,
        "fix": blocker.next_step,
        "fingerprint": blocker.fingerprint,
    }


def _finding(finding: Finding, judgement: Judgement, estate: Estate) -> dict[str, object]:
    place = find_places(finding, judgement, estate).primary
    return {
        "verdict": "hazard",
        "rule": finding.rule.id,
        "rule_name": finding.rule.name,
        "severity": finding.rule.severity,
        "confidence": finding.rule.confidence,
        "message": finding.message,
        **finding.subject.as_dict(),
        "path": place.path,
        "line": place.line or None,
        "column": place.column or None,
        "flows": finding.flows,
        "fix": fix_with_put_back(finding),
        "fingerprint": finding.fingerprint,
    }


def _undecided(entry: Undecided) -> dict[str, object]:
    return {
        "verdict": "undecided",
        "rule": entry.rule.id,
        "rule_name": entry.rule.name,
        "severity": entry.rule.severity,
        "confidence": entry.rule.confidence,
        "message": f"undecided {without(entry.need.text)}",
        **entry.subject.as_dict(),
        "missing": " ".join(entry.missing),
    }


def _defused(row: dict[str, object]) -> dict[str, object]:
    return {key: _cell(value) if isinstance(value, str) else value for key, value in row.items()}


def _cell(text: str) -> str:
    shown = "\n".join(map(safe, text.split("\n")))
    return f"'{shown}" if shown.startswith(_FORMULA) else shown
