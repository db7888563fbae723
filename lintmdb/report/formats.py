"""The formats of a report: one table for the command line, its help and its errors.

Each renderer gives a whole document from the same verdicts, and is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from lintmdb.engine.findings import Judgement
from lintmdb.report.flow_repairs import UNPLANNED, Repairs
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate

_GATE = Gate()


class Render(Protocol):
    """Makes a document; ``repairs`` are what it says of changes, in the formats that people read, and ``gate`` what
    fails the run.
    """

    def __call__(self, judgement: Judgement, estate: Estate, repairs: Repairs = ..., gate: Gate = ..., /) -> str:
        """The document as text."""
        ...


class Format(NamedTuple):
    """A format: what it is for, and what writes it."""

    says: str
    render: Render


def _text(judgement: Judgement, estate: Estate, repairs: Repairs = UNPLANNED, gate: Gate = _GATE) -> str:
    from lintmdb.report.terminal import Style
    from lintmdb.report.text import render_text

    return "\n".join(render_text(judgement, estate, gate, Style(), repairs)) + "\n"


def _json(judgement: Judgement, estate: Estate, _: Repairs = UNPLANNED, gate: Gate = _GATE) -> str:
    from lintmdb.report.json_report import render_json

    return render_json(judgement, estate)


def _sarif(judgement: Judgement, estate: Estate, _: Repairs = UNPLANNED, gate: Gate = _GATE) -> str:
    from lintmdb.report.sarif import render_sarif

    return render_sarif(judgement, estate, gate=gate)


def _junit(judgement: Judgement, estate: Estate, _: Repairs = UNPLANNED, gate: Gate = _GATE) -> str:
    from lintmdb.report.junit import render_junit

    return render_junit(judgement, estate, gate)


def _github(judgement: Judgement, estate: Estate, _: Repairs = UNPLANNED, gate: Gate = _GATE) -> str:
    from lintmdb.report.github import render_github

    return render_github(judgement, estate, gate)


def _gitlab(judgement: Judgement, estate: Estate, _: Repairs = UNPLANNED, gate: Gate = _GATE) -> str:
    from lintmdb.report.gitlab import render_gitlab

    return render_gitlab(judgement, estate, gate)


def _markdown(judgement: Judgement, estate: Estate, repairs: Repairs = UNPLANNED, gate: Gate = _GATE) -> str:
    from lintmdb.report.markdown import render_markdown

    return render_markdown(judgement, estate, repairs, gate)


def _csv(judgement: Judgement, estate: Estate, _: Repairs = UNPLANNED, gate: Gate = _GATE) -> str:
    from lintmdb.report.csv_table import render_csv

    return render_csv(judgement, estate, gate)


def _html(judgement: Judgement, estate: Estate, repairs: Repairs = UNPLANNED, gate: Gate = _GATE) -> str:
    from lintmdb.report.html.page import render_html

    return render_html(judgement, estate, gate, repairs)


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "text": Format("for people at a terminal", _text),
        "json": Format("everything, for programs", _json),
        "sarif": Format("SARIF 2.1.0, for code scanning", _sarif),
        "junit": Format("JUnit XML, for test reports", _junit),
        "github": Format("annotations in a GitHub workflow, in addition to text", _github),
        "gitlab": Format("GitLab Code Quality", _gitlab),
        "markdown": Format("for summaries and comments", _markdown),
        "csv": Format("for spreadsheets", _csv),
        "html": Format("a page to look at, in one file", _html),
    }
)
"""Name to format, in the order in which they are listed."""
FOR_PEOPLE = frozenset({"text", "markdown", "html"})
"""Formats that say which changes of a plan repair each flow."""
