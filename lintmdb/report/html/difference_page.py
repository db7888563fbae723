"""A comparison of two states as one HTML file: each flow with another fate before and after, and what is new."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lintmdb.compare.estates import Comparison, Side
from lintmdb.compare.fate_changes import FateChange
from lintmdb.engine.findings import Finding, Subject, without
from lintmdb.report.changes import put_back_words
from lintmdb.report.difference import refusal_words, regrouped_words, rerouted_words, suppressed_words, title_words
from lintmdb.report.difference_parts import (
    alike_findings,
    alike_flows,
    alike_resolved,
    same_findings_words,
    same_words,
    told_gone,
)
from lintmdb.report.html.document import build_document, read_style
from lintmdb.report.html.estate_name import estate_name
from lintmdb.report.html.page import STYLE
from lintmdb.report.html.plan_page import PLAN_STYLE, FlowState, flow_state
from lintmdb.report.html.templates import page_environment
from lintmdb.report.html.titles import card_anchor, title_stops
from lintmdb.report.html.visible_text import clipped
from lintmdb.report.subjects import ARROW, headline, subject_text, subjects_text
from lintmdb.run.gate import refusal_verb
from lintmdb.version import __version__

_TEXT = 700
_NAME = 300
_MOST = 500
"""A list ends after so many, and counts the rest."""


class ShownFate(NamedTuple):
    """What becomes of one kind of message, before and after."""

    workload: str
    before: str
    after: str
    worse: bool


class OtherFlow(NamedTuple):
    """A flow that differs as another one does."""

    anchor: str
    stops: tuple[str, ...]


class ShownFlow(NamedTuple):
    """A flow whose messages have another fate, and those with the same fates before and after."""

    anchor: str
    stops: tuple[str, ...]
    states: tuple[FlowState, FlowState]
    fates: tuple[ShownFate, ...]
    others: tuple[OtherFlow, ...]
    same: str
    """How many others there are, in words."""


class ShownFinding(NamedTuple):
    """A new finding, with those that differ in names alone."""

    severity: str
    rule: str
    title: str
    subject: str
    message: str
    place: str
    note: str
    put_back: str
    """The values that were there before and that end it; blank for nothing."""
    others: str
    """What else it is said of; blank for nothing."""


class ShownResolved(NamedTuple):
    """Findings of one rule that are resolved."""

    rule: str
    title: str
    subjects: str


class Others(NamedTuple):
    """What else differs, as sentences, and how many more there are."""

    name: str
    anchor: str
    texts: tuple[str, ...]
    left_out: int


def render_difference_html(comparison: Comparison, before: Side, after: Side) -> str:
    """The page as text; the same comparison gives the same text."""
    flows = [
        ShownFlow(
            card_anchor(flow.head.subject),
            title_stops(flow.head),
            (flow_state("Before", flow.former, flow.before), flow_state("After", flow.head, flow.after)),
            tuple(map(_fate, flow.changes)),
            tuple(OtherFlow(card_anchor(other.head.subject), title_stops(other.head)) for other in others),
            same_words(flow, others),
        )
        for flow, *others in alike_flows(comparison)
    ]
    new = [
        _finding(finding, "undecided before" if known == "undecided" else "", [other.finding for other in others])
        for (finding, known), *others in alike_findings(comparison)
    ]
    resolved = [
        ShownResolved(group[0].rule.id, group[0].rule.title, _listed([finding.subject for finding in group]))
        for group in alike_resolved(comparison)
    ]
    others = [part for part in _others(comparison) if part.texts]
    optional = (("flows", "Another fate", flows), ("new", "New findings", new), ("resolved", "Resolved", resolved))
    sections = [(anchor, name) for anchor, name, shown in optional if shown]
    sections += [(part.anchor, part.name) for part in others]
    return (
        page_environment()
        .get_template("difference.html.j2")
        .render(
            document=build_document(
                "Diff", read_style(STYLE, PLAN_STYLE), sections, f"Written by lintmdb {__version__}."
            ),
            estate=estate_name(after.estate),
            roots=(", ".join(before.roots), ", ".join(after.roots)),
            summary=title_words(comparison),
            flows=flows[:_MOST],
            new=new[:_MOST],
            resolved=resolved[:_MOST],
            left_out=[max(len(shown) - _MOST, 0) for shown in (flows, new, resolved)],
            others=others,
        )
    )


def _fate(change: FateChange) -> ShownFate:
    workload, before, after = (clipped(text, _TEXT) for text in change[1:4])
    return ShownFate(workload, before, after, change.worse)


def _listed(subjects: Sequence[Subject]) -> str:
    text = subject_text(subjects[0]) if len(subjects) == 1 else subjects_text(subjects)
    return text.replace(ARROW, " → ")


def _finding(finding: Finding, note: str, others: Sequence[Finding]) -> ShownFinding:
    place = finding.location
    where = "" if place is None or not place.path else f"{place.path}:{place.line}" if place.line else place.path
    return ShownFinding(
        finding.rule.severity,
        finding.rule.id,
        finding.rule.title,
        clipped(_listed([finding.subject]), _NAME),
        clipped(finding.message, _TEXT),
        clipped(where, _NAME),
        note,
        clipped(put_back_words(finding.put_back).replace(ARROW, " → "), _TEXT),
        f"{same_findings_words(finding, others).replace(ARROW, ' → ')}." if others else "",
    )


def _others(comparison: Comparison) -> list[Others]:
    undecided = [
        f"{entry.rule.id} {subject_text(entry.subject)}, {without(entry.needs)}" for entry in comparison.undecided
    ]
    flows = [f"Not seen {without(needs)}: {headline(head)}" for head, needs in comparison.unseen]
    flows += [f"New: {headline(head)}" for head in comparison.added]
    flows += [f"Moved: {headline(old)} is now {headline(new)}" for old, new in comparison.migrated]
    flows += [f"Gone: {headline(head)}" for head in comparison.removed]
    flows += [f"{text[0].upper()}{text[1:]}" for text in regrouped_words(comparison.regrouped)]
    flows += [f"Cluster {name}: {old} → {new} members" for name, old, new in comparison.resized]
    queues = [f"New: {headline(head)}: {fate}" for head, fate in comparison.added_queues]
    queues += [f"Gone: {headline(head)}" for head in comparison.removed_queues]
    lost, replaced = told_gone(comparison, _listed)
    renamed = [f"{old.rule.id}: {old.subject.name} → {new.subject.name}" for old, new in comparison.moved]
    parts = (
        (
            f"Changes that would be {refusal_verb(comparison.refused)}",
            "refused",
            [refusal_words(problem) for problem in comparison.refused],
        ),
        ("Not judged", "unjudged", [refusal_words(problem) for problem in comparison.unjudged]),
        ("New but suppressed", "suppressed", [*suppressed_words(comparison)]),
        ("Another source", "sources", [*rerouted_words(comparison)]),
        ("Newly undecided", "undecided", undecided),
        ("New, gone and regrouped flows" if any(comparison.regrouped) else "New and gone flows", "others", flows),
        ("New and gone queues", "queues", queues),
        ("Gone with their queues or flows", "gone", lost),
        ("Replaced", "replaced", replaced),
        ("Renamed", "renamed", renamed),
    )
    return [
        Others(name, anchor, tuple(clipped(text, _TEXT) for text in texts[:_MOST]), max(len(texts) - _MOST, 0))
        for name, anchor, texts in parts
    ]
