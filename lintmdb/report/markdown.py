"""Markdown: for the summary of a pipeline's run, a comment on a merge request, or a page of a wiki."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from lintmdb.engine.findings import Finding, Judgement
from lintmdb.engine.need_groups import group_by_need
from lintmdb.report.markdown_templates import Verbatim, markdown_environment
from lintmdb.report.places import find_places, worst_first
from lintmdb.report.subjects import subject_text
from lintmdb.report.terminal import plural, safe
from lintmdb.report.text import suppressed_text
from lintmdb.rules.rule import SEVERITIES
from lintmdb.run.estate import Estate

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&$!])")
_LINKS = re.compile(r"(?i)(:)(?=//)|(?<=www)(\.)")
_RUNS = re.compile(r"`+")
TEMPLATES = Path(__file__).with_name("templates")
MAX_SUMMARY_BYTES = 1_000_000
"""GitHub drops a step's summary that is larger than 1 MiB."""
_FIXES = 50


class Summary(NamedTuple):
    """The counts of a run in words; ``left_out`` is blank where every finding counts."""

    found: str
    basis: str
    left_out: str


class FindingRow(NamedTuple):
    """A row of the table of findings."""

    severity: str
    rule: str
    name: str
    message: str
    subject: str
    place: str


class Fix(NamedTuple):
    """A finding's fix, and a fence that is longer than any run of backticks in it."""

    rule: str
    subject: str
    fence: str
    lines: tuple[str, ...]


def render_markdown(judgement: Judgement, estate: Estate) -> str:
    """The whole report: counts, a table of the findings with the worst first, what is undecided, and the fixes."""
    return _render(judgement, estate, None)


def render_summary(judgement: Judgement, estate: Estate) -> str:
    """The same for ``$GITHUB_STEP_SUMMARY``: as many findings as its limit allows."""
    return _render(judgement, estate, MAX_SUMMARY_BYTES)


def _render(judgement: Judgement, estate: Estate, limit: int | None) -> str:
    """The report in at most ``limit`` bytes: fixes are left out first, then the findings that matter least."""
    ranked = worst_first(judgement.findings)
    summary = _part("summary", summary=_summary(judgement, estate))
    undecided = _part("undecided", undecided=[end.sentence for end in group_by_need(judgement.undecided)])
    room = None if limit is None else limit - _size(summary) - _size(undecided)
    rows = [_part("finding", finding=_row(finding, judgement, estate)) for finding in ranked]
    shown = rows[: _fitting(rows, room)]
    fixes = _part("fixes", fixes=[_fix(finding) for finding in (ranked if limit is None else ranked[:_FIXES])])
    if len(shown) < len(rows) or (room is not None and sum(map(_size, shown)) + _size(fixes) >= room):
        fixes = Verbatim()
    return _part(
        "report", summary=summary, rows=shown, left_out=len(rows) - len(shown), undecided=undecided, fixes=fixes
    )


def _part(name: str, **values: object) -> Verbatim:
    return Verbatim(markdown_environment(TEMPLATES, escaped).get_template(f"{name}.md.j2").render(values))


def _size(text: str) -> int:
    return len(text.encode())


def _fitting(rows: Sequence[str], room: int | None) -> int:
    """How many rows there is room for."""
    if room is None:
        return len(rows)
    return sum(1 for size in accumulate(map(_size, rows)) if size <= room)


def _summary(judgement: Judgement, estate: Estate) -> Summary:
    counts = Counter(finding.rule.severity for finding in judgement.findings)
    parts = [
        plural(counts[severity], severity, "info" if severity == "info" else "")
        for severity in SEVERITIES
        if counts[severity]
    ]
    if not judgement.endpoints and not judgement.findings:
        found = "nothing to judge"
    else:
        found = ", ".join(parts) or "no findings"
    return Summary(
        found,
        f"{plural(judgement.clear, 'check')} clear in {plural(len(judgement.flows), 'flow')}, "
        f"{len(judgement.undecided)} undecided, {plural(len(estate.inputs), 'file')} read.",
        suppressed_text(judgement),
    )


def _row(finding: Finding, judgement: Judgement, estate: Estate) -> FindingRow:
    rule = finding.rule
    place = find_places(finding, judgement, estate).primary
    return FindingRow(
        rule.severity,
        rule.id,
        rule.name,
        finding.message,
        subject_text(finding.subject),
        f"{place.path}:{place.line}" if place.line else place.path,
    )


def _fix(finding: Finding) -> Fix:
    longest = max(map(len, _RUNS.findall(safe(finding.fix))), default=0)
    fence = "`" * max(3, longest + 1)
    return Fix(finding.rule.id, subject_text(finding.subject), fence, tuple(finding.fix.split("\n")))


def escaped(text: str) -> str:
    """Text that is shown as it is: no markup, no HTML, no link, no mention of a person."""
    text = _SPECIAL.sub(r"\\\1", safe(text))
    text = _LINKS.sub(r"\\\g<0>", text)
    # A word joiner: GitHub looks for names of people in what was already rendered, where no backslash helps.
    return text.replace("@", "@\u2060")
