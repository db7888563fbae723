"""The head of the report: what was audited, when, and how much of what was found."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from lintmdb.fleet.page.missing import OpenNeeds
from lintmdb.report.html.markup import Child, Markup, clipped, element, joined
from lintmdb.report.terminal import counted_words


def summary_number(summary: Mapping[str, Any], *path: str) -> int:
    """A number of summary.json; 0 where it is absent."""
    held: Any = summary
    for name in path:
        held = cast("Mapping[str, Any]", held).get(name) if isinstance(held, dict) else None
    return held if isinstance(held, int) else 0


def masthead(summary: Mapping[str, Any], hazards: Mapping[str, int], needs: OpenNeeds, units: int) -> Markup:
    """The headline, the numbers as tiles, and a bar of the severities."""
    found = sum(hazards.values())
    cells, managers = summary_number(summary, "exports", "cells"), summary_number(summary, "exports", "queue_managers")
    flows, rules = summary_number(summary, "flows"), summary_number(summary, "rules")
    basis = (
        f"{counted_words(rules, 'rule')} judged {counted_words(flows, 'flow')} in {counted_words(cells, 'cell')} "
        f"and {counted_words(managers, 'queue manager')}."
    )
    title = f"{counted_words(found, 'hazard')} in {counted_words(flows, 'flow')}" if found else "No hazard found"
    tiles: list[tuple[str, int, str | None]] = [
        ("errors", hazards["error"], "e"),
        ("warnings", hazards["warning"], "w"),
        ("info", hazards["info"], "i"),
        ("undecided", needs.verdicts, "u"),
        ("clear", summary_number(summary, "clear"), None),
        ("cells", cells, None),
        ("queue managers", managers, None),
        ("flows", flows, None),
        ("in quarantine", units, "q" if units else None),
    ]
    if left_out := summary_number(summary, "suppressed"):
        tiles.append(("left out", left_out, None))
    entries = [element("div", element("dt", name), element("dd", count), class_=style) for name, count, style in tiles]
    return element(
        "header",
        element(
            "p", "Fleet audit ", element("span", clipped(str(summary.get("id", "")), 80), class_="id"), class_="eyebrow"
        ),
        element("h1", title),
        element("p", basis, " ", _when(summary), class_="lead"),
        element("dl", *entries, class_="tiles"),
        _proportions(hazards),
    )


def _when(summary: Mapping[str, Any]) -> Markup | None:
    started, finished = (_moment(summary.get(name)) for name in ("started", "finished"))
    if finished is None:
        return None
    text = f"{finished:%Y-%m-%d %H:%M}{' UTC' if finished.utcoffset() is not None and not finished.utcoffset() else ''}"
    when = element("time", text, datetime=finished.isoformat())
    try:
        seconds = int((finished - started).total_seconds()) if started else 0
    except TypeError:  # one has a time zone, the other has none
        seconds = 0
    took = f", after {_span(seconds)}" if seconds > 0 else ""
    return joined(("Finished ", when, took, "."))


def _moment(value: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(str(value))
    except ValueError:
        return None


def _span(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = [f"{count} {unit}" for count, unit in ((hours, "h"), (minutes, "min"), (rest, "s")) if count]
    return " ".join(parts[:2])


def _proportions(hazards: Mapping[str, int]) -> Markup | None:
    """A bar of the severities; its numbers stand in the tiles."""
    found = sum(hazards.values())
    if not found:
        return None
    bars: list[Child] = []
    at = 0.0
    for severity, count in hazards.items():
        width = 100 * count / found
        bars.append(element("rect", x=f"{at:.2f}%", width=f"{width:.2f}%", height="8", class_=f"bar {severity[0]}"))
        at += width
    return element("svg", *bars, class_="proportions", width="100%", height="8", aria_hidden="true", focusable="false")


def tool_of(summary: Mapping[str, Any]) -> str:
    """The program that made the audit, with its version."""
    tool: Any = summary.get("tool")
    if isinstance(tool, dict):
        known = cast("Mapping[str, Any]", tool)
        return f"{known.get('name', 'lintmdb')} {known.get('version', '')}".strip()
    return clipped(str(tool or "lintmdb"), 80)
