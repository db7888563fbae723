"""The worst flows of an audit: those with most and gravest findings, each with its findings and their stories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from pathlib import Path
from typing import Any, cast

from lintmdb.delivery.outcome import Actor
from lintmdb.delivery.wording import Line
from lintmdb.fleet.audit_tables import batches, field, first_rows, pa, pc, replaced, rolled_up, rows
from lintmdb.fleet.known_rules import RuleHead, head_of
from lintmdb.report.html.markup import Child, Markup, clipped, element, joined
from lintmdb.report.html.trace_list import story_list
from lintmdb.report.terminal import counted_words
from lintmdb.rules.rule import SEVERITIES

FLOWS_SHOWN = 30
FINDINGS_SHOWN = 12
STEPS_SHOWN = 40
RELATED_SHOWN = 6


@dataclass(frozen=True, slots=True)
class WorstFlow:
    """A flow, how many findings of each severity it has, and the gravest of them as rows of the table."""

    headline: str
    cell: str | None
    counts: Mapping[str, int]
    findings: list[Mapping[str, Any]] = dataclass_field(default_factory=list[Mapping[str, Any]])


def worst_flows(audit: Path) -> tuple[list[WorstFlow], int]:
    """The worst flows, and how many flows have findings in all."""
    named = field("headline").is_valid() & (field("headline") != "")
    counts = rolled_up(
        map(_severities, batches(audit, "findings", ["headline", "cell", "severity"], where=named)),
        ("headline", "cell"),
        dict.fromkeys(SEVERITIES, "sum"),
    )
    if counts is None:
        return [], 0
    order = [(severity, "descending") for severity in SEVERITIES]
    shown = rows(first_rows(counts, [*order, ("cell", "ascending"), ("headline", "ascending")], FLOWS_SHOWN))
    flows = {
        (row["headline"], row["cell"]): WorstFlow(
            row["headline"], row["cell"], {severity: row[severity] for severity in SEVERITIES}
        )
        for row in shown
    }
    for row in _findings(audit, [headline for headline, _ in flows]):
        if flow := flows.get((row["headline"], row["cell"])):
            flow.findings.append(row)
    for flow in flows.values():
        flow.findings.sort(key=_gravest_first)
        del flow.findings[FINDINGS_SHOWN:]
    return list(flows.values()), counts.num_rows


def _severities(table: Any) -> Any:
    for severity in SEVERITIES:
        table = replaced(table, severity, pc.cast(pc.equal(table["severity"], severity), pa.int64()))
    return table


_COLUMNS = (
    "rule",
    "severity",
    "message",
    "location",
    "related",
    "trace",
    "fix",
    "fingerprint",
    "flows",
    "headline",
    "cell",
)


def _findings(audit: Path, headlines: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    wanted = field("headline").isin(pa.array(headlines, pa.string()))
    for table in batches(audit, "findings", _COLUMNS, where=wanted):
        yield from rows(table)


def _gravest_first(row: Mapping[str, Any]) -> tuple[int, str, str]:
    severity = str(row["severity"])
    rank = SEVERITIES.index(severity) if severity in SEVERITIES else len(SEVERITIES)
    return rank, str(row["rule"]), str(row["fingerprint"])


def flow_items(flows: Sequence[WorstFlow], heads: Mapping[str, RuleHead]) -> Iterator[Markup]:
    """One list item a flow, folded: its findings are inside."""
    for flow in flows:
        told: dict[tuple[str, ...], str] = {}
        findings = [_finding(row, heads, told) for row in flow.findings]
        left = sum(flow.counts.values()) - len(flow.findings)
        more = element("p", f"and {counted_words(left, 'more finding')}", class_="more") if left > 0 else None
        yield element("li", element("details", _summary(flow), *findings, more, class_="fold"))


def _summary(flow: WorstFlow) -> Markup:
    pills = [
        element(
            "span",
            counted_words(count, severity) if severity != "info" else f"{count:,} info",
            class_=f"sev {severity[0]}",
        )
        for severity, count in flow.counts.items()
        if count
    ]
    parts = clipped(flow.headline, 400).split(" <- ")
    arrow = element("span", " ← ", class_="arrow")
    path = joined(
        child
        for number, part in enumerate(parts)
        for child in ((arrow if number else None), element("span", part, class_="hop"))
    )
    cell = element("span", f"cell {clipped(flow.cell, 120)}", class_="rule") if flow.cell else None
    return element(
        "summary",
        element("span", element("strong", path), " ", cell, class_="what"),
        element("span", *pills, class_="pills"),
    )


def _finding(row: Mapping[str, Any], heads: Mapping[str, RuleHead], told: dict[tuple[str, ...], str]) -> Markup:
    rule = head_of(str(row["rule"]), heads)
    title = element(
        "h3",
        element("span", row["severity"], class_=f"sev {rule.letter}"),
        " ",
        clipped(rule.id, 60),
        " ",
        element("span", clipped(rule.title, 160), class_="title"),
    )
    message = clipped(row["message"], 600)
    shared = f" {row['flows']:,} flows share this." if (row["flows"] or 1) > 1 else ""
    fix = clipped(row["fix"], 1500)
    return element(
        "section",
        title,
        element("p", message, "." if message and not message.endswith(".") else "", shared),
        _places(row),
        element("p", "Fix:", class_="lead") if fix else None,
        element("pre", element("code", fix)) if fix else None,
        _story(row, rule.id, told),
        class_="finding",
    )


def _places(row: Mapping[str, Any]) -> Markup | None:
    entries: list[Child] = []
    if row["location"] and row["location"]["path"]:
        entries.append(element("li", _place(row["location"])))
    related = cast("list[Mapping[str, Any]]", row["related"] or [])
    for place in related[:RELATED_SHOWN]:
        setting = element("code", clipped(place["message"], 200), class_="setting")
        entries.append(element("li", setting, " ", _place(place) if place["path"] else None))
    if len(related) > RELATED_SHOWN:
        entries.append(element("li", f"and {len(related) - RELATED_SHOWN} more"))
    return element("ul", *entries, class_="places") if entries else None


def _place(place: Mapping[str, Any]) -> Markup:
    path = str(place["path"])
    # The end of a long path says more than its start.
    path = path if len(path) <= 240 else "…" + path[-239:]
    return element("span", f"{path}:{place['line']}" if place["line"] else path, class_="path")


def _story(row: Mapping[str, Any], rule: str, told: dict[tuple[str, ...], str]) -> Markup | None:
    steps = cast("list[Mapping[str, Any]]", row["trace"] or [])
    if not steps:
        return None
    lines = [
        Line(cast("Actor", step["actor"] or ""), "", str(step["text"]), dict(step["state"] or ())) for step in steps
    ]
    texts = tuple(line.text for line in lines)
    if texts in told:
        place = "above" if told[texts] == rule else f"under {told[texts]}"
        return element("p", f"What happens: the same story as {place}.", class_="more")
    told[texts] = rule
    summary = element("summary", f"What happens, in {counted_words(len(steps), 'step')}")
    return element("details", summary, story_list(lines, STEPS_SHOWN), class_="told")
