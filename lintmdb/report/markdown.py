"""Markdown: for the summary of a pipeline's run, a comment on a merge request, or a page of a wiki."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from lintmdb.engine.findings import Finding, Judgement
from lintmdb.engine.open_ends import OpenEnd, open_ends
from lintmdb.model.origins import Origin
from lintmdb.report.places import places_of, worst_first
from lintmdb.report.subjects import subject_text
from lintmdb.report.terminal import safe
from lintmdb.report.text import left_out_text
from lintmdb.rules.rule import SEVERITIES
from lintmdb.run.estate import Estate

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&$!])")
_LINKS = re.compile(r"(?i)(:)(?=//)|(?<=www)(\.)")
_RUNS = re.compile(r"`+")
MAX_SUMMARY_BYTES = 1_000_000
"""GitHub drops a step's summary that is larger than 1 MiB."""
_FIXES = 50


def render_markdown(judgement: Judgement, estate: Estate) -> str:
    """The whole report: counts, a table of the findings with the worst first, what is undecided, and the fixes."""
    return _document(judgement, estate, None)


def render_summary(judgement: Judgement, estate: Estate) -> str:
    """The same for ``$GITHUB_STEP_SUMMARY``: as many findings as its limit allows."""
    return _document(judgement, estate, MAX_SUMMARY_BYTES)


def _document(judgement: Judgement, estate: Estate, limit: int | None) -> str:
    ranked = worst_first(judgement.findings)
    head = [*_head(judgement, estate), *_undecided(open_ends(judgement.undecided))]
    room = None if limit is None else limit - sum(len(line.encode()) + 1 for line in head)
    table = list(_table(ranked, judgement, estate))
    shown = _fitting(table, room)
    left_out = len(table) - len(shown)
    lines = list(_head(judgement, estate))
    if shown:
        lines += ["", "| severity | rule | finding | about | place |", "|---|---|---|---|---|", *shown]
    if left_out:
        lines += ["", f"{left_out} more findings do not fit here."]
    lines += _undecided(open_ends(judgement.undecided))
    fixes = list(_fixes(ranked[:_FIXES] if limit is not None else ranked))
    if fixes and not left_out and (room is None or sum(len(line.encode()) + 1 for line in (*shown, *fixes)) < room):
        lines += ["", "### Fixes", *fixes]
    return "\n".join(lines) + "\n"


def _fitting(lines: Sequence[str], room: int | None) -> list[str]:
    if room is None:
        return list(lines)
    shown: list[str] = []
    for line in lines:
        room -= len(line.encode()) + 1
        if room < 0:
            break
        shown.append(line)
    return shown


def _head(judgement: Judgement, estate: Estate) -> Iterator[str]:
    counts = Counter(finding.rule.severity for finding in judgement.findings)
    parts = [_plural(counts[severity], severity) for severity in SEVERITIES if counts[severity]]
    if not judgement.endpoints and not judgement.findings:
        found = "nothing to judge"
    else:
        found = ", ".join(parts) or "no findings"
    yield f"## lintmdb: {found}"
    yield ""
    yield (
        f"{_plural(judgement.clear, 'check')} clear in {_plural(len(judgement.flows), 'flow')}, "
        f"{len(judgement.undecided)} undecided, {_plural(len(estate.inputs), 'file')} read."
        + (f" {escaped(left_out)}." if (left_out := left_out_text(judgement)) else "")
    )


def _table(findings: Sequence[Finding], judgement: Judgement, estate: Estate) -> Iterator[str]:
    for finding in findings:
        rule = finding.rule
        cells = (
            rule.severity,
            f"{escaped(rule.id)} {escaped(rule.name)}",
            escaped(finding.message),
            escaped(subject_text(finding.subject)),
            _place(places_of(finding, judgement, estate).primary),
        )
        yield f"| {' | '.join(cells)} |"


def _place(origin: Origin) -> str:
    return escaped(f"{origin.path}:{origin.line}" if origin.line else origin.path)


def _undecided(ends: Sequence[OpenEnd]) -> list[str]:
    if not ends:
        return []
    return ["", "### Undecided", "", *(f"- {escaped(end.sentence)}" for end in ends)]


def _fixes(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        lines = [safe(line) for line in finding.fix.split("\n")]
        longest = max((len(run) for line in lines for run in _RUNS.findall(line)), default=0)
        fence = "`" * max(3, longest + 1)
        yield ""
        yield f"{escaped(finding.rule.id)}: {escaped(subject_text(finding.subject))}"
        yield ""
        yield f"{fence}text"
        yield from lines
        yield fence


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 or word == "info" else f"{count} {word}s"


def escaped(text: str) -> str:
    """Text that is shown as it is: no markup, no HTML, no link, no mention of a person."""
    text = _SPECIAL.sub(r"\\\1", safe(text))
    text = _LINKS.sub(r"\\\g<0>", text)
    # A word joiner: GitHub looks for names of people in what was already rendered, where no backslash helps.
    return text.replace("@", "@\u2060")
