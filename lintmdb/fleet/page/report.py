"""The report of an audit: one HTML file that needs no network and no script, rolled up so that it stays readable."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import cast

import jinja2
from markupsafe import Markup

from lintmdb.atomic_write import write_atomically
from lintmdb.errors import LintmdbError
from lintmdb.fleet.page.contents import AuditContents, read_contents
from lintmdb.fleet.page.heat_map import SHADES
from lintmdb.fleet.page.summary import SCHEMA
from lintmdb.report.html.document import build_document, read_style
from lintmdb.report.html.templates import page_environment
from lintmdb.report.html.visible_text import clipped

STYLE = Path(__file__).with_name("report.css")
_TEMPLATES = Path(__file__).with_name("templates")
_SECTION_BYTES = 350_000
"""A list ends where it would grow beyond this, and counts what is left out: hostile names may not blow up the page."""
_SECTIONS = {
    "trend": "Trend",
    "plan": "What to change first",
    "heat": "Cells and rules",
    "causes": "Causes that repeat",
    "flows": "Worst flows",
    "find": "Find a cell or flow",
    "open": "Not judged",
    "quarantine": "Quarantine",
    "notices": "Notices",
    "reading": "How to read this",
}
"""Their names by anchor."""


def write_report(audit: Path) -> Path:
    """Write ``report.html`` into the folder of an audit and return its path; an older one is replaced at once.

    Raises LintmdbError where the folder holds no audit, or where it cannot be read or written.
    """
    page = render_report(read_contents(audit))
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


def render_report(contents: AuditContents) -> str:
    """The page as text; the same contents give the same text."""
    summary = contents.summary
    document = build_document(
        f"Fleet audit {clipped(summary.id, 80)}",
        read_style(STYLE),
        tuple(item for item in _SECTIONS.items() if item[0] not in _absent(contents)),
        f"Written by {summary.tool}. Schema {SCHEMA}.",
    )
    template = _environment().get_template("audit.html.j2")
    return template.render(document=document, sections=_SECTIONS, audit=contents, shades=SHADES)


def _absent(contents: AuditContents) -> set[str]:
    """The sections that an audit has nothing to say in."""
    there = {"trend": contents.trend is not None, "plan": contents.waves is not None, "notices": bool(contents.notices)}
    there["find"] = bool(contents.heat_map.listed or contents.flows.listed)
    return {name for name, shown in there.items() if not shown}


@functools.cache
def _environment() -> jinja2.Environment:
    environment = page_environment(_TEMPLATES)
    filters = cast("dict[str, Callable[..., object]]", environment.filters)
    filters["fitting"] = _fitting
    return environment


def _fitting(items: Iterable[object], render: Callable[..., Markup], *arguments: object) -> list[Markup]:
    """The items of a list as a macro renders them, as many as fit into a section and at least one."""
    kept: list[Markup] = []
    size = 0
    for item in items:
        html = render(item, *arguments)
        size += len(html.encode())
        if kept and size > _SECTION_BYTES:
            break
        kept.append(html)
    return kept
