"""A comparison as Markdown, for a comment on a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lintmdb.compare.estates import Comparison, Side
from lintmdb.engine.findings import Finding, Subject, without
from lintmdb.report.changes import MOST_ENDS, other_ends
from lintmdb.report.difference import refusal_words, regrouped_words, rerouted_words, suppressed_words, title_words
from lintmdb.report.difference_parts import (
    alike_findings,
    alike_flows,
    alike_resolved,
    alike_undecided,
    mark_fate,
    same_findings_words,
    same_words,
    told_gone,
)
from lintmdb.report.markdown import TEMPLATES, escaped, finding_row
from lintmdb.report.markdown_templates import Verbatim, markdown_environment
from lintmdb.report.subjects import headline, short_name, subject_text, subjects_text
from lintmdb.run.gate import Verdict, refusal_verb

MAX_CHARACTERS = 60_000
"""GitHub takes 65,536 in a comment; the rest is for those who put something around it."""

_NAMES = 1000
"""How many characters the names of what is alike take in one row."""


class Section(NamedTuple):
    """A part of the comment: a heading, the head of a table where it is one, and its rows."""

    heading: str
    head: Verbatim
    rows: tuple[Verbatim, ...]


def render_difference_markdown(
    comparison: Comparison, after: Side, limit: int = MAX_CHARACTERS, verdict: Verdict | None = None
) -> str:
    """The comment in at most ``limit`` characters: the gate, fates and new findings come first, the worst first,
    and what does not fit is counted.
    """
    sections = [Section(heading, Verbatim(head), rows) for heading, head, rows in _sections(comparison, after) if rows]
    summary = title_words(comparison)
    room = limit - 500 - len(summary) - sum(len(section.heading) + len(section.head) + 12 for section in sections)
    kept: list[Section] = []
    left_out = 0
    for section in sections:
        rows: list[Verbatim] = []
        for row in section.rows:
            room -= len(row) + 1
            if room >= 0:
                rows.append(row)
        left_out += len(section.rows) - len(rows)
        if rows:
            kept.append(section._replace(rows=tuple(rows)))
    gate = f"The gate {verdict.text}." if verdict is not None else ""
    return _part("difference", summary=summary, gate=gate, sections=kept, left_out=left_out)


def _part(name: str, **values: object) -> Verbatim:
    return Verbatim(markdown_environment(TEMPLATES, escaped).get_template(f"{name}.md.j2").render(values))


def _sections(comparison: Comparison, after: Side) -> Iterator[tuple[str, str, tuple[Verbatim, ...]]]:
    yield (
        f"Changes that would be {refusal_verb(comparison.refused)}",
        "",
        _bullets([refusal_words(problem) for problem in comparison.refused]),
    )
    yield "Not judged", "", _bullets([refusal_words(problem) for problem in comparison.unjudged])
    yield "Another fate", "| flow | message | before | after |\n|---|---|---|---|", tuple(_fates(comparison))
    yield (
        "New findings",
        "| severity | rule | finding | about | place |\n|---|---|---|---|---|",
        tuple(_finding([entry.finding for entry in group], after) for group in alike_findings(comparison)),
    )
    yield "New but suppressed", "", _bullets([*suppressed_words(comparison)])
    yield "Another source", "", _bullets([*rerouted_words(comparison)])
    yield "Not to be judged any more", "", _bullets(_undecided(comparison))
    yield "Flows", "", _bullets(_flows(comparison))
    queues = [f"new: {headline(head)}: {fate}" for head, fate in comparison.added_queues]
    queues += [f"gone: {headline(head)}" for head in comparison.removed_queues]
    yield "Queues", "", _bullets([*queues, *comparison.notes])
    resolved = [
        f"{group[0].rule.id} {group[0].rule.title}: {_listed([finding.subject for finding in group])}"
        for group in alike_resolved(comparison)
    ]
    yield "Resolved", "", _bullets(resolved)
    lost, replaced = told_gone(comparison, _listed)
    yield "Gone with their queues or flows", "", _bullets(lost)
    yield "Replaced", "", _bullets(replaced)


def _listed(subjects: Sequence[Subject]) -> str:
    return subject_text(subjects[0]) if len(subjects) == 1 else subjects_text(subjects)


def _fates(comparison: Comparison) -> Iterator[Verbatim]:
    """A row for each message of a flow; flows that differ in names alone share their rows."""
    for flow, *others in alike_flows(comparison):
        names = _some(", ".join(short_name(other.head.subject) for other in others))
        who = headline(flow.head) + (f". {same_words(flow, others)}: {names}" if others else "")
        for change in flow.changes:
            after = f"{change.after}{mark_fate(change)}"
            yield Verbatim(f"| {' | '.join(map(escaped, (who, change.workload, change.before, after)))} |")


def _some(names: str) -> str:
    """As many of the names, which a count comes before, as a row of a table has room for."""
    return names if len(names) <= _NAMES else f"{names[:_NAMES].rpartition(', ')[0]} ..."


def _finding(alike: Sequence[Finding], after: Side) -> Verbatim:
    """The row of a finding, and of those that differ in names alone."""
    row = finding_row(alike[0], after.judgement, after.estate)
    for place, end in enumerate(other_ends(alike[0])[:MOST_ENDS]):
        word = "Or" if place or alike[0].put_back else "Repair"
        row = row._replace(message=f"{row.message}. {word}: {end}")
    if len(alike) > 1:
        row = row._replace(subject=f"{row.subject}. {_some(same_findings_words(alike[0], alike[1:]))}")
    return Verbatim(_part("finding", finding=row).rstrip("\n"))


def _bullets(texts: Sequence[str]) -> tuple[Verbatim, ...]:
    return tuple(Verbatim(f"- {escaped(text)}") for text in texts)


def _undecided(comparison: Comparison) -> list[str]:
    lost = [
        f"{group[0].rule.id} {group[0].rule.title}, {without(group[0].needs)}: "
        + _listed([entry.subject for entry in group])
        for group in alike_undecided(comparison)
    ]
    rest = Counter(entry.needs for entry in comparison.undecided if entry.before != "hazard")
    ranked = sorted(rest.items(), key=lambda pair: (-pair[1], pair[0]))
    return lost + [f"{count} {'check' if count == 1 else 'checks'} {without(needs)}" for needs, count in ranked]


def _flows(comparison: Comparison) -> list[str]:
    return [
        *(f"not seen {without(needs)}: {headline(head)}" for head, needs in comparison.unseen),
        *(f"new: {headline(head)}" for head in comparison.added),
        *(f"moved: {headline(old)} is now {headline(new)}" for old, new in comparison.migrated),
        *(f"gone: {headline(head)}" for head in comparison.removed),
        *regrouped_words(comparison.regrouped),
        *(f"cluster {name}: {before} -> {after} members" for name, before, after in comparison.resized),
        *(f"{old.rule.id} renamed: {old.subject.name} -> {new.subject.name}" for old, new in comparison.moved),
    ]
