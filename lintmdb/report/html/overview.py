"""The overview of a page: a row a flow, the worst fate first, each with a link to its card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from lintmdb.delivery.fate import FateGroup
from lintmdb.engine.findings import Finding, FlowHead, Subject
from lintmdb.report.changes import change_words, object_words
from lintmdb.report.flow_repairs import FlowRepair
from lintmdb.report.headline_fates import GROUPS, HeadlineFate
from lintmdb.report.html.visible_text import clipped
from lintmdb.report.subjects import place_text
from lintmdb.report.terminal import counted_words
from lintmdb.rules.rule import SEVERITIES, Rule, Severity
from lintmdb.settings.changes import Change

CHUNK = 100
"""So many rows are one body of the table: a browser lays out only those on the screen."""
_NAME = 120
_CHANGE = 160
NO_FLOW = "none"
"""The key of the group of things that are part of no flow."""
FATE_WORDS: Mapping[FateGroup, str] = MappingProxyType(
    {
        FateGroup.LOST: "lost",
        FateGroup.LOOPS: "loops",
        FateGroup.STOPS: "stops",
        FateGroup.BLOCKED: "blocked",
        FateGroup.ASTRAY: "astray",
        FateGroup.UNKNOWN: "not known",
        FateGroup.MOVED: "moved aside",
        FateGroup.PROCESSED: "processed",
    }
)
"""The groups of fates as a column of a table shows them."""


@dataclass(frozen=True, slots=True)
class RowFindings:
    """The findings of one severity in a row."""

    severity: Severity
    count: int
    rules: str
    """Their ids, parted by blanks."""

    @property
    def words(self) -> str:
        """``2 errors``."""
        return counted_findings(self.severity, self.count)


class OverviewRow(NamedTuple):
    """A flow in one line. A text is blank where it is not known."""

    anchor: str
    """The id of its card."""
    group: str
    """The key of the group of its fate, or NO_FLOW."""
    weight: int
    """By which rows are sorted by their findings: the more, the worse."""
    fate: str
    queue: str
    queue_manager: str
    endpoint: str
    place: str
    """The server or cluster of the endpoint."""
    bean: str
    application: str
    cell: str
    findings: tuple[RowFindings, ...]
    change: str
    more: int
    """How many more changes there are."""


@dataclass(frozen=True, slots=True)
class OverviewGroup:
    """The flows of one fate."""

    key: str
    label: str
    count: int
    chunks: tuple[tuple[OverviewRow, ...], ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry of a list to choose from."""

    value: str
    text: str
    count: int


@dataclass(frozen=True, slots=True)
class Overview:
    """The rows in groups, the worst first, and what they can be chosen by."""

    groups: tuple[OverviewGroup, ...]
    count: int
    fates: tuple[Choice, ...]
    severities: tuple[Choice, ...]
    rules: tuple[Choice, ...]
    cells: tuple[Choice, ...]
    """None of them where there is one cell."""
    fate_label: str = "Poison message"
    has_endpoints: bool = True
    """Some row has an endpoint, its place, a bean or an application."""

    @property
    def is_long(self) -> bool:
        """Whether a browser lays out the rows only where they are on the screen."""
        return self.count > CHUNK


def build_overview(rows: Sequence[OverviewRow], rules: Iterable[Rule], fate_label: str = "Poison message") -> Overview:
    """The overview of rows that come in their order; ``rules`` are those of their findings."""
    by_group: dict[str, list[OverviewRow]] = {}
    for row in rows:
        by_group.setdefault(row.group, []).append(row)
    labels = {group.key: FATE_WORDS[group].capitalize() for group in GROUPS} | {NO_FLOW: "About no flow"}
    groups = tuple(
        OverviewGroup(
            key, labels[key], len(own), tuple(tuple(own[at : at + CHUNK]) for at in range(0, len(own), CHUNK))
        )
        for key, own in by_group.items()
    )
    names = {rule.id: rule.name for rule in rules}
    per_rule = Counter(rule for row in rows for entry in row.findings for rule in entry.rules.split())
    per_severity = Counter(entry.severity for row in rows for entry in row.findings)
    cells = Counter(row.cell for row in rows if row.cell)
    return Overview(
        groups,
        len(rows),
        tuple(Choice(group.key, group.label, group.count) for group in groups),
        tuple(Choice(severity, severity, per_severity[severity]) for severity in SEVERITIES if per_severity[severity]),
        tuple(Choice(rule, f"{rule} {names[rule]}", count) for rule, count in sorted(per_rule.items())),
        tuple(Choice(cell, cell, count) for cell, count in sorted(cells.items())) if len(cells) > 1 else (),
        fate_label,
        any(row.endpoint or row.place or row.bean or row.application for row in rows),
    )


def flow_row(
    anchor: str, head: FlowHead, fate: HeadlineFate, findings: Sequence[Finding], repair: FlowRepair
) -> OverviewRow:
    """The row of a flow."""
    row = _row(anchor, fate.group.key, short_words(fate), head.subject, findings, repair)
    rows = head.rows
    destination = rows.destination.name if rows.destination else None
    topic = f"topic {head.topic}" if head.topic else None
    queue = head.subject.queue or rows.endpoint.queue or topic or destination or rows.endpoint.destination_jndi
    return row._replace(queue=clipped(queue, _NAME))


def short_words(fate: HeadlineFate) -> str:
    """What becomes of a poison message, as a column has it: ``lost or blocked``, ``moved aside if allowed``."""
    return " or ".join(
        dict.fromkeys(
            FATE_WORDS[told.outcome.fate.group] + (" if allowed" if fate.rests_on_rights(told) else "")
            for told in fate.poison
        )
    )


def thing_row(
    anchor: str, subject: Subject, fate: HeadlineFate | None, findings: Sequence[Finding], repair: FlowRepair
) -> OverviewRow:
    """The row of something that is part of no flow; a queue has a fate."""
    group, words = (fate.group.key, short_words(fate)) if fate else (NO_FLOW, "")
    row = _row(anchor, group, words, subject, findings, repair)
    named = (row.queue, row.endpoint, row.bean, row.queue_manager)
    return row if any(named) else row._replace(queue=clipped(subject.name, _NAME))


def _row(
    anchor: str, group: str, fate: str, subject: Subject, findings: Sequence[Finding], repair: FlowRepair
) -> OverviewRow:
    changes = shown_changes(repair)
    own_queue = subject.name if subject.kind == "queue" else None
    endpoint = subject.name if subject.kind in ("listener_port", "activation_spec") else None
    return OverviewRow(
        anchor,
        group,
        weight(findings),
        fate,
        clipped(subject.queue or own_queue, _NAME),
        clipped(subject.queue_manager, _NAME),
        clipped(endpoint, _NAME),
        clipped(place_text(subject), _NAME),
        clipped(subject.bean, _NAME),
        clipped("/".join(part for part in (subject.application, subject.module) if part), _NAME),
        clipped(subject.cell, _NAME),
        row_findings(findings),
        _change(changes[0]) if changes else "no setting repairs it" if findings else "",
        max(len(changes) - 1, 0),
    )


def _change(change: Change) -> str:
    return clipped(f"{object_words(change.target)} {change_words(change)}".strip(), _CHANGE)


def shown_changes(repair: FlowRepair) -> list[Change]:
    """The changes that a row and its card show."""
    return list(dict.fromkeys([*repair.changes, *(change for option in repair.options for change in option.changes)]))


def row_findings(findings: Sequence[Finding]) -> tuple[RowFindings, ...]:
    """The findings of a row, the gravest first."""
    found: list[RowFindings] = []
    for severity in SEVERITIES:
        own = [finding.rule.id for finding in findings if finding.rule.severity == severity]
        if own:
            found.append(RowFindings(severity, len(own), " ".join(sorted(set(own)))))
    return tuple(found)


def weight(findings: Iterable[Finding]) -> int:
    """The weight of findings: any number of one severity is less than one of the next."""
    counts = Counter(finding.rule.severity for finding in findings)
    total = 0
    for severity in SEVERITIES:
        total = 1000 * total + min(counts[severity], 999)
    return total


def counted_findings(severity: str, count: int) -> str:
    """``2 errors``, ``1 info``."""
    return f"{count:,} info" if severity == "info" else counted_words(count, severity)
