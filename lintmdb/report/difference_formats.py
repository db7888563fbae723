"""The formats of `lintmdb diff`. Those that list findings are written as `check` writes them, of what is new alone."""

from __future__ import annotations

from lintmdb.compare.estates import Comparison, Side
from lintmdb.report.difference_verdict import verdict
from lintmdb.report.flow_repairs import UNPLANNED
from lintmdb.report.formats import FORMATS
from lintmdb.run.gate import Gate

DIFFERENCE_FORMATS = ("text", "json", "markdown", "sarif", "html", "github", "junit")
"""What ``--format`` of `diff` may be, in the order in which they are listed. GitLab compares two reports of `check`
itself: of one with what is new alone it would say that everything else is fixed.
"""


def render_difference_as(kind: str, comparison: Comparison, before: Side, after: Side, gate: Gate) -> str:
    """The comparison in one of the formats but text; ``gate`` says what fails the run."""
    match kind:
        case "json":
            from lintmdb.report.difference import render_difference_json

            return render_difference_json(comparison)
        case "markdown":
            from lintmdb.report.difference_markdown import render_difference_markdown

            return render_difference_markdown(comparison, after, verdict=verdict(gate, comparison, before, after))
        case "html":
            from lintmdb.report.html.difference_page import render_difference_html

            return render_difference_html(comparison, before, after)
        case _:
            from lintmdb.report.difference_parts import new_estate, new_judgement

            estate = new_estate(comparison, before, after)
            return FORMATS[kind].render(new_judgement(comparison, after), estate, UNPLANNED, gate)
