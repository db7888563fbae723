"""The worst flows of an audit: those with most and gravest findings, each with its findings and their traces."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypedDict, cast

from lintmdb.delivery.outcome import Actor
from lintmdb.delivery.wording import Line
from lintmdb.fleet.audit_queries import query_table
from lintmdb.fleet.audit_tables import (
    batches,
    first_rows,
    is_one_of,
    read_records,
)
from lintmdb.fleet.known_rules import KnownRules, RuleHead
from lintmdb.fleet.page.words import place_words
from lintmdb.report.html.story import StoryList, story_list
from lintmdb.report.terminal import counted_severities
from lintmdb.rules.rule import SEVERITIES, severity_rank

FLOWS_SHOWN = 30
FLOWS_LISTED = 5_000
FINDINGS_SHOWN = 12
STEPS_SHOWN = 40
RELATED_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting that a finding rests on, and where an export has it; blank where none does."""

    text: str
    place: str


@dataclass(frozen=True, slots=True)
class FlowFinding:
    """One finding of a flow."""

    rule: RuleHead
    severity: str
    message: str
    fix: str
    """Blank where there is none."""
    flows: int
    """How many flows share it."""
    place: str
    """Path and line of its subject; blank where no export has it."""
    settings: tuple[Setting, ...]
    """The first RELATED_SHOWN."""
    other_settings: int
    steps: int
    """Of its whole trace; 0 without one."""
    trace: StoryList | None
    """None without a trace, and where an earlier finding of the flow has the same."""
    same_trace_as: RuleHead | None
    """The rule of that earlier finding."""


@dataclass(frozen=True, slots=True)
class WorstFlow:
    """A flow with the gravest of its findings."""

    headline: str
    cell: str
    """Blank where it is not known."""
    counts: Mapping[str, int]
    """How many findings of each severity it has in all."""
    findings: tuple[FlowFinding, ...]

    @property
    def anchor(self) -> str:
        """Its id on the page, the same in the next audit."""
        return f"flow-{hashlib.sha256(f'{self.cell} {self.headline}'.encode()).hexdigest()[:12]}"

    @property
    def other_findings(self) -> int:
        """How many findings are not in ``findings``."""
        return sum(self.counts.values()) - len(self.findings)


class FlowLine(NamedTuple):
    """A flow with findings in one line."""

    headline: str
    cell: str
    """Blank where it is not known."""
    counts: str
    """``2 errors, 1 warning``."""
    anchor: str
    """Of the flow on the page; blank where it has only this line."""


@dataclass(frozen=True, slots=True)
class WorstFlows:
    """The worst flows, and how many flows have findings in all."""

    shown: tuple[WorstFlow, ...] = ()
    count: int = 0
    listed: tuple[FlowLine, ...] = ()
    """The first FLOWS_LISTED flows in the same order, to be searched."""


class _FlowRow(TypedDict):
    headline: str
    cell: str | None
    error: int
    warning: int
    info: int


class _Place(TypedDict):
    path: str | None
    line: int | None


class _Related(_Place):
    message: str | None


class _Step(TypedDict):
    actor: str | None
    text: str | None
    state: list[tuple[str, int]] | None


class _FindingRow(TypedDict):
    headline: str
    cell: str | None
    rule: str
    severity: str | None
    message: str | None
    fix: str | None
    flows: int | None
    fingerprint: str | None
    location: _Place | None
    related: list[_Related] | None
    trace: list[_Step] | None


_FLOWS = f"""
SELECT headline, cell, {", ".join(f"COUNT(*) FILTER (severity = '{name}') AS {name}" for name in SEVERITIES)}
FROM rows WHERE headline <> '' GROUP BY headline, cell
"""


def read_worst_flows(audit: Path, rules: KnownRules) -> WorstFlows:
    """The flows of an audit with most errors, then with most warnings, then with most other findings."""
    counts = query_table(audit, "findings", _FLOWS, named=True)
    if counts is None:
        return WorstFlows()
    order = [*(f"-{severity}" for severity in SEVERITIES), "cell", "headline"]
    worst = read_records(first_rows(counts, order, FLOWS_SHOWN), _FlowRow)
    findings: dict[tuple[str, str | None], list[_FindingRow]] = {(row["headline"], row["cell"]): [] for row in worst}
    headlines = is_one_of("headline", (headline for headline, _ in findings))
    for table in batches(audit, "findings", tuple(_FindingRow.__annotations__), where=headlines, named=True):
        for row in read_records(table, _FindingRow):
            if (flow := (row["headline"], row["cell"])) in findings:
                findings[flow].append(row)
    shown = tuple(_build_flow(row, findings[row["headline"], row["cell"]], rules) for row in worst)
    anchors = {(flow.headline, flow.cell): flow.anchor for flow in shown}
    lines = read_records(first_rows(counts, order, FLOWS_LISTED), _FlowRow)
    return WorstFlows(shown, counts.num_rows, tuple([_build_line_of_flow(row, anchors) for row in lines]))


def _build_line_of_flow(row: _FlowRow, anchors: Mapping[tuple[str, str], str]) -> FlowLine:
    headline, cell = row["headline"], row["cell"] or ""
    counts = counted_severities({"error": row["error"], "warning": row["warning"], "info": row["info"]})
    return FlowLine(headline, cell, counts, anchors.get((headline, cell), ""))


def _build_flow(row: _FlowRow, findings: Iterable[_FindingRow], rules: KnownRules) -> WorstFlow:
    earlier: dict[tuple[str, ...], RuleHead] = {}
    return WorstFlow(
        headline=row["headline"],
        cell=row["cell"] or "",
        counts={"error": row["error"], "warning": row["warning"], "info": row["info"]},
        findings=tuple(
            _build_finding(finding, rules.head(finding["rule"]), earlier)
            for finding in sorted(findings, key=_gravest_first)[:FINDINGS_SHOWN]
        ),
    )


def _gravest_first(row: _FindingRow) -> tuple[int, str, str]:
    return severity_rank(str(row["severity"])), row["rule"], str(row["fingerprint"])


def _build_finding(row: _FindingRow, rule: RuleHead, earlier: dict[tuple[str, ...], RuleHead]) -> FlowFinding:
    """One finding. ``earlier`` are the rules of the flow's traces so far, by their texts; a new trace is added."""
    lines = [_build_line(step) for step in row["trace"] or ()]
    texts = tuple(line.text for line in lines)
    same = earlier.get(texts)
    if lines and same is None:
        earlier[texts] = rule
    related: Sequence[_Related] = row["related"] or ()
    return FlowFinding(
        rule=rule,
        severity=row["severity"] or "",
        message=row["message"] or "",
        fix=row["fix"] or "",
        flows=row["flows"] or 1,
        place=_describe_place(row["location"]),
        settings=tuple(Setting(place["message"] or "", _describe_place(place)) for place in related[:RELATED_SHOWN]),
        other_settings=max(len(related) - RELATED_SHOWN, 0),
        steps=len(lines),
        trace=story_list(lines, STEPS_SHOWN) if lines and same is None else None,
        same_trace_as=same,
    )


def _build_line(step: _Step) -> Line:
    return Line(cast("Actor", step["actor"] or ""), "", str(step["text"]), dict(step["state"] or ()))


def _describe_place(place: _Place | None) -> str:
    return place_words(place["path"], place["line"]) if place and place["path"] else ""
