"""The report of an audit: one HTML file that needs no network and no script, rolled up so that it stays readable."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from lintmdb.atomic_write import write_atomically
from lintmdb.errors import LintmdbError
from lintmdb.fleet.audit_tables import batches, counted, rolled_up, rows
from lintmdb.fleet.known_rules import known_rules
from lintmdb.fleet.page.causes import cause_items, repeating_causes
from lintmdb.fleet.page.flows import flow_items, worst_flows
from lintmdb.fleet.page.heat_map import SHADES, Heat, heat_of, heat_table, rule_table
from lintmdb.fleet.page.masthead import masthead, tool_of
from lintmdb.fleet.page.missing import (
    OpenNeeds,
    Quarantined,
    incomplete_exports,
    need_rows,
    open_needs,
    quarantine_rows,
    quarantined,
)
from lintmdb.fleet.page.reading import glossary, what_was_given
from lintmdb.report.html.document import html_page, style_of
from lintmdb.report.html.markup import Child, Markup, clipped, element
from lintmdb.report.terminal import counted_words
from lintmdb.rules.rule import SEVERITIES

STYLE = Path(__file__).with_name("report.css")
_SECTION_BYTES = 350_000
"""What is left out of a list beyond this is counted: hostile names may not blow up the page."""

_SECTIONS = (
    ("heat", "Cells and rules"),
    ("causes", "Causes that repeat"),
    ("flows", "Worst flows"),
    ("open", "Not judged"),
    ("quarantine", "Quarantine"),
    ("reading", "How to read this"),
)


def write_report(audit: Path) -> Path:
    """Write ``report.html`` into the folder of an audit and return its path; an older one is replaced at once.

    Raises LintmdbError where the folder holds no audit, or where it cannot be read or written.
    """
    summary = _summary(audit)
    page = render_report(audit, summary)
    target = audit / "report.html"
    try:
        write_atomically(target, page.encode())
    except OSError as error:
        raise LintmdbError(
            f"the report cannot be written: {error.strerror}",
            path=str(target),
            next_step="Make room, or check the folder",
        ) from error
    return target


def _summary(audit: Path) -> Mapping[str, Any]:
    file = audit / "summary.json"
    try:
        held: Any = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise LintmdbError(
            f"{audit} holds no audit", path=str(file), next_step="Name the folder of a complete audit"
        ) from error
    if not isinstance(held, dict) or cast("Mapping[str, Any]", held).get("schema") != "lintmdb-fleet/1":
        raise LintmdbError(
            "this is no summary of an audit that this version reads",
            path=str(file),
            next_step="Run lintmdb fleet audit again",
        )
    return cast("Mapping[str, Any]", held)


def render_report(audit: Path, summary: Mapping[str, Any]) -> str:
    """The page as text; the same audit gives the same text."""
    heads = known_rules(audit)
    heat = heat_of(audit, heads)
    causes, cause_count = repeating_causes(audit, heads)
    flows, flow_count = worst_flows(audit)
    needs = open_needs(audit)
    units, unit_count = quarantined(audit)
    hazards = _hazards(audit)
    main = element(
        "main",
        masthead(summary, hazards, needs, unit_count),
        _heat_section(heat),
        _list_section(
            "causes",
            "What the same rule and the same deciding values find again and again: one decision mends many flows. "
            "Biggest first; what is only for information comes last.",
            cause_items(causes),
            cause_count,
            "cause",
            "No finding, no cause.",
        ),
        _list_section(
            "flows",
            "A flow is a bean, its endpoint and the queue that it reads. Those with most errors come first. "
            "A finding about a shared queue stands under the first flow that shows it.",
            flow_items(flows, heads),
            flow_count,
            "flow with findings",
            "No flow has a finding.",
        ),
        _open_section(audit, needs),
        _quarantine_section(units, unit_count),
        _section("reading", None, glossary(), what_was_given(summary)),
        id="main",
    )
    return _page(summary, main)


def _page(summary: Mapping[str, Any], main: Markup) -> str:
    style = style_of(STYLE)
    footer = f"Written by {tool_of(summary)}. Schema {summary.get('schema')}."
    return html_page(f"Fleet audit {clipped(str(summary.get('id', '')), 80)}", style, _SECTIONS, main, footer)


def _hazards(audit: Path) -> dict[str, int]:
    found = rolled_up(map(counted, batches(audit, "findings", ["severity"])), ["severity"], {"rows": "sum"})
    counts = {row["severity"]: row["rows"] for row in rows(found)}
    return {severity: counts.get(severity, 0) for severity in SEVERITIES}


def _section(anchor: str, intro: Child, *children: Child) -> Markup:
    heading = element("h2", dict(_SECTIONS)[anchor], id=anchor)
    return element("section", heading, element("p", intro, class_="intro") if intro else None, *children)


def _heat_section(heat: Heat) -> Markup:
    if not heat.rules:
        return _section("heat", "No rule has a hazard or an undecided verdict.")
    scale = [element("span", element("span", "0", class_="ok"), " clear", class_="key")]
    for letter, name in (("e", "error"), ("w", "warning"), ("i", "info")):
        ramp = element("span", *(element("span", class_=f"{letter}{n}") for n in range(1, SHADES + 1)), class_="ramp")
        scale.append(element("span", ramp, f" {name}", class_="key"))
    scale.append(element("span", element("span", "?2", class_="open"), " undecided", class_="key"))
    scale.append(element("span", element("span", "–", class_="na"), " not concerned", class_="key"))
    intro = (
        "Each number counts hazards; the stronger the colour, the larger their share in all that the rule judged there."
    )
    return _section("heat", intro, element("p", *scale, class_="legend"), heat_table(heat), rule_table(heat))


def _list_section(anchor: str, intro: str, items: Iterable[Markup], count: int, noun: str, empty: str) -> Markup:
    shown = _within(items)
    if not shown:
        return _section(anchor, empty)
    left = count - len(shown)
    first, _, rest = noun.partition(" ")
    more = f"and {counted_words(left, f'more {noun}', f'more {first}s {rest}'.rstrip())}, in the table findings"
    return _section(
        anchor, intro, element("ol", *shown, class_="cards"), element("p", more, class_="more") if left else None
    )


def _within(items: Iterable[Markup]) -> list[Markup]:
    """The first items that fit into a section."""
    kept: list[Markup] = []
    size = 0
    for item in items:
        size += len(item.encode())
        if kept and size > _SECTION_BYTES:
            break
        kept.append(item)
    return kept


def _open_section(audit: Path, needs: OpenNeeds) -> Markup:
    gaps = [
        f"{entry.incomplete:,} of {counted_words(entry.exports, entry.kind.replace('_', ' ') + ' export')}"
        for entry in incomplete_exports(audit)
        if entry.incomplete
    ]
    partial = element("p", f"Not complete: {' and '.join(gaps)}.") if gaps else None
    if not needs.verdicts:
        return _section("open", "Every verdict is settled.", partial)
    intro = (
        f"{counted_words(needs.verdicts, 'verdict')} undecided: a value is in none of the exports given. "
        "Each line is one thing to give; those that settle most come first."
    )
    shown = _within(need_rows(needs.shown))
    left = needs.needs - len(shown)
    open_left = needs.verdicts - sum(need.verdicts for need in needs.shown[: len(shown)])
    more = f"and {left:,} more to give, for {counted_words(open_left, 'verdict')}, in the table undecided"
    head = (
        element("th", "Verdicts", scope="col", class_="n"),
        element("th", "What settles them", scope="col"),
        element("th", "Rules", scope="col", class_="n"),
        element("th", "Cells", scope="col", class_="n"),
    )
    table = _plain_table("What settles undecided verdicts", head, shown)
    return _section("open", intro, partial, table, element("p", more, class_="more") if left else None)


def _quarantine_section(units: list[Quarantined], count: int) -> Markup:
    if not count:
        return _section("quarantine", "Everything that was given could be read.")
    shown = _within(quarantine_rows(units))
    head = [element("th", name, scope="col") for name in ("Export", "Why it was not read", "Next step")]
    left = count - len(shown)
    more = element("p", f"and {left:,} more, in the table quarantine", class_="more") if left else None
    intro = f"{counted_words(count, 'unit')} could not be read and went unjudged. The rest of the audit is whole."
    return _section("quarantine", intro, _plain_table("Units that were not read", head, shown), more)


def _plain_table(caption: str, head: Iterable[Markup], body: Iterable[Markup]) -> Markup:
    table = element(
        "table",
        element("caption", caption, class_="unseen"),
        element("thead", element("tr", *head)),
        element("tbody", *body),
        class_="plain",
    )
    return element("div", table, class_="scroll", role="region", aria_label=caption, tabindex="0")
