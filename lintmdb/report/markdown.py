"""Markdown: for the summary of a pipeline's run, a comment on a merge request, or a page of a wiki."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from lintmdb.engine.findings import Finding, Judgement, Notice, Subject
from lintmdb.engine.need_groups import group_by_need
from lintmdb.report.blockers import find_blockers, refused_commands, unjudged_changes
from lintmdb.report.cases import build_cases
from lintmdb.report.changes import put_back_words
from lintmdb.report.elsewhere import by_heading, notice_place, notice_sentences, notices_elsewhere
from lintmdb.report.flow_repairs import UNPLANNED, FlowRepair, Repairs, Teller
from lintmdb.report.headline_fates import headline_fates
from lintmdb.report.markdown_templates import Verbatim, markdown_environment
from lintmdb.report.places import find_places
from lintmdb.report.queue_reader import reader_words
from lintmdb.report.repair_text import closing_line, repair_lines
from lintmdb.report.run_headline import gate_sentence, headline_words
from lintmdb.report.shortfalls import missing_exports
from lintmdb.report.subjects import headline, subject_text
from lintmdb.report.terminal import Style, plural, safe
from lintmdb.report.text_summary import fates_in_a_sentence, suppressed_text
from lintmdb.rules.rule import severity_rank
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&$!])")
_LINKS = re.compile(r"(?i)(:)(?=//)|(?<=www)(\.)")
_RUNS = re.compile(r"`+")
TEMPLATES = Path(__file__).with_name("templates")
MAX_SUMMARY_BYTES = 1_000_000
"""GitHub drops a step's summary that is larger than 1 MiB."""
_BLOCKS = 50
_GATE = Gate()


class Summary(NamedTuple):
    """The counts of a run in words; ``left_out`` is blank where every finding counts."""

    found: str
    gate: str
    blockers: tuple[str, ...]
    """What fails the run besides its findings and what is undecided, the commands that would be refused, and what of a
    change is not judged.
    """
    more_blockers: int
    basis: str
    missing: tuple[str, ...]
    """Exports that are not there."""
    fates: tuple[str, ...]
    """What becomes of a poison message on the flows, and on the queues that no endpoint reads."""
    left_out: str


class FindingRow(NamedTuple):
    """A row of the table of findings."""

    severity: str
    rule: str
    name: str
    message: str
    subject: str
    place: str


class ChangeBlock(NamedTuple):
    """What repairs a flow, and a fence that is longer than any run of backticks in it."""

    title: str
    fence: str
    lines: tuple[str, ...]


def render_markdown(judgement: Judgement, estate: Estate, repairs: Repairs = UNPLANNED, gate: Gate = _GATE) -> str:
    """The whole report: counts, a table of the findings with the worst first, what is undecided, and the changes."""
    return _render(judgement, estate, repairs, gate, None)


def render_summary(judgement: Judgement, estate: Estate, repairs: Repairs = UNPLANNED, gate: Gate = _GATE) -> str:
    """The same for ``$GITHUB_STEP_SUMMARY``: as many findings as its limit allows."""
    return _render(judgement, estate, repairs, gate, MAX_SUMMARY_BYTES)


def _render(judgement: Judgement, estate: Estate, repairs: Repairs, gate: Gate, limit: int | None) -> str:
    """The report in at most ``limit`` bytes: changes are left out first, then the findings that matter least."""
    told = _in_text_order(judgement)
    ranked = sorted(told, key=lambda finding: severity_rank(finding.rule.severity))
    summary = _part("summary", summary=_summary(judgement, estate, gate))
    undecided = _part("undecided", undecided=[end.sentence for end in group_by_need(judgement.undecided)])
    notices = notices_elsewhere(judgement.notices)
    elsewhere = "".join(
        _part("elsewhere", heading=heading, notices=notice_rows(found[:_BLOCKS]), more=len(found[_BLOCKS:]))
        for heading, found in by_heading(notices)
    )
    room = None if limit is None else limit - _size(summary) - _size(elsewhere) - _size(undecided)
    rows = [_part("finding", finding=finding_row(finding, judgement, estate)) for finding in ranked]
    shown = rows[: _fitting(rows, room)]
    blocks, closing = _changes(judgement, told, repairs)
    changes = _part("changes", blocks=blocks if limit is None else blocks[:_BLOCKS], closing=closing)
    if len(shown) < len(rows) or (room is not None and sum(map(_size, shown)) + _size(changes) >= room):
        changes = Verbatim()
    return _part(
        "report",
        summary=summary,
        rows=shown,
        left_out=len(rows) - len(shown),
        elsewhere=elsewhere,
        undecided=undecided,
        changes=changes,
    )


def notice_rows(notices: Iterable[Notice]) -> list[str]:
    """Notices as the entries of a list."""
    return [f"{notice_place(notice)}: {notice_sentences(notice)}" for notice in notices]


def _in_text_order(judgement: Judgement) -> list[Finding]:
    """The findings in the order of the text report: those of the worst fate come first."""
    cases = build_cases(judgement, headline_fates(judgement.flows), headline_fates(judgement.unread))
    return [finding for case in cases for finding in case.findings]


def _part(name: str, **values: object) -> Verbatim:
    return Verbatim(markdown_environment(TEMPLATES, escaped).get_template(f"{name}.md.j2").render(values))


def _size(text: str) -> int:
    return len(text.encode())


def _fitting(rows: Sequence[str], room: int | None) -> int:
    """How many rows there is room for."""
    if room is None:
        return len(rows)
    return sum(1 for size in accumulate(map(_size, rows)) if size <= room)


def _summary(judgement: Judgement, estate: Estate, gate: Gate) -> Summary:
    found = [
        *find_blockers(judgement, estate, gate),
        *refused_commands(estate),
        *unjudged_changes(estate, gate),
    ]
    blockers = [entry for entry in dict.fromkeys(found) if entry.kind != "undecided"]
    where = f" in {plural(len(judgement.flows), 'flow')}" if judgement.flows or not judgement.unread_queues else ""
    return Summary(
        headline_words(judgement, estate, gate),
        gate_sentence(judgement, estate, gate),
        tuple(f"{entry.title}, {entry.where}: {entry.message}" for entry in blockers[:_BLOCKS]),
        len(blockers[_BLOCKS:]),
        f"{plural(judgement.clear, 'check')} clear{where}, "
        f"{len(judgement.undecided)} undecided, {plural(len(estate.inputs), 'file')} read.",
        tuple(f"{label}: {text}." for label, text in missing_exports(judgement, estate)),
        tuple(_fates(judgement)),
        suppressed_text(judgement),
    )


def _fates(judgement: Judgement) -> Iterator[str]:
    if flows := headline_fates(judgement.flows):
        yield f"{plural(len(flows), 'flow')}: {fates_in_a_sentence(flows)}."
    if queues := headline_fates(judgement.unread):
        whose = f"for {reader_words(judgement.unread)}, "
        yield f"{plural(len(queues), 'queue')} that no endpoint reads: {whose}{fates_in_a_sentence(queues)}."


def finding_row(finding: Finding, judgement: Judgement, estate: Estate) -> FindingRow:
    """A finding as a row of the table."""
    rule = finding.rule
    place = find_places(finding, judgement, estate).primary
    back = put_back_words(finding.put_back)
    return FindingRow(
        rule.severity,
        rule.id,
        rule.name,
        f"{finding.message}. Put back: {back}" if back else finding.message,
        subject_text(finding.subject),
        f"{place.path}:{place.line}" if place.line else place.path,
    )


def _changes(judgement: Judgement, ordered: Sequence[Finding], repairs: Repairs) -> tuple[list[ChangeBlock], str]:
    """What repairs each flow, in the order of the findings, and what the end says of all changes."""
    groups: dict[int | Subject, list[Finding]] = {}
    for finding in ordered:
        groups.setdefault(finding.subject if finding.flow is None else finding.flow, []).append(finding)
    teller, style, names, told = Teller(), Style(), dict[int, str](), list[FlowRepair]()
    blocks: list[ChangeBlock] = []
    for place, (about, findings) in enumerate(groups.items()):
        names[place] = findings[0].subject.name or ""
        told.append(repairs.of(findings[0].flow, findings))
        back = dict.fromkeys(f"  put back: {words}" for each in findings if (words := put_back_words(each.put_back)))
        lines = (*back, *repair_lines(told[-1], findings, place, names, teller, style, commands=False))
        title = headline(judgement.flows[about]) if isinstance(about, int) else subject_text(about)
        if lines:
            blocks.append(ChangeBlock(title, _fence(lines), lines))
    return blocks, closing_line(told, planned=repairs.planned)


def _fence(lines: Sequence[str]) -> str:
    longest = max((len(run) for line in lines for run in _RUNS.findall(line)), default=0)
    return "`" * max(3, longest + 1)


def escaped(text: str) -> str:
    """Text that is shown as it is: no markup, no HTML, no link, no mention of a person."""
    text = _SPECIAL.sub(r"\\\1", safe(text))
    text = _LINKS.sub(r"\\\g<0>", text)
    # A word joiner: GitHub looks for names of people in what was already rendered, where no backslash helps.
    return text.replace("@", "@\u2060")
