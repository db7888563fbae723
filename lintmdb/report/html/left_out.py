"""What does not count, and by whose decision: suppressed findings, those of the baseline, and what is out of date."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from lintmdb.engine.findings import Judgement, Notice, Suppressed
from lintmdb.report.html.visible_text import clipped
from lintmdb.report.subjects import subject_text

_SHOWN = 1000
_KINDS: Mapping[str, str] = MappingProxyType(
    {"configuration": "Suppressed", "comment": "Allowed by a comment", "baseline": "In the baseline"}
)


class LeftOutFinding(NamedTuple):
    """A finding that does not count, and the decision behind that."""

    fingerprint: str
    title: str
    message: str
    decision: str


class OutdatedEntry(NamedTuple):
    """A suppression or an entry of the baseline that is out of date, and what to do about it."""

    text: str
    next_step: str
    place: str


class LeftOut(NamedTuple):
    """The first findings and notices, and how many there are in all."""

    findings: tuple[LeftOutFinding, ...]
    finding_count: int
    notices: tuple[OutdatedEntry, ...]
    notice_count: int
    notices_title: str


def build_left_out(judgement: Judgement) -> LeftOut | None:
    """What a judgement leaves out; None where that is nothing, and no notice exists either."""
    if not judgement.suppressed and not judgement.notices:
        return None
    return LeftOut(
        tuple(map(_finding, judgement.suppressed[:_SHOWN])),
        len(judgement.suppressed),
        tuple(
            OutdatedEntry(clipped(entry.text, 600), clipped(entry.next_step, 300), _place(entry))
            for entry in judgement.notices[:_SHOWN]
        ),
        len(judgement.notices),
        "Out of date" if all(entry.kind in _OUT_OF_DATE for entry in judgement.notices) else "Notices",
    )


_OUT_OF_DATE = ("expired_suppression", "unused_suppression", "invalid_suppression", "stale_baseline_entry")


def _finding(entry: Suppressed) -> LeftOutFinding:
    finding = entry.finding
    until = f", until {entry.expires}" if entry.expires else ""
    owner = f", {clipped(entry.owner, 100)}" if entry.owner else ""
    reason = clipped(entry.reason, 600) if entry.reason else "it was there when the baseline was written"
    return LeftOutFinding(
        finding.fingerprint,
        f"{finding.rule.id} ({finding.rule.severity}) at {clipped(subject_text(finding.subject), 400)}",
        clipped(finding.message, 600),
        f"{_KINDS[entry.kind]}: {reason} ({_place(entry)}{owner}{until})",
    )


def _place(entry: Suppressed | Notice) -> str:
    return clipped(f"{entry.path}:{entry.line}" if entry.line else entry.path, 400)
