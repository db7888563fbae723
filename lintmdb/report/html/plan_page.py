"""A plan as one HTML file: what to change, each flow before and after, what stays, and the proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lintmdb.engine.findings import Finding, FlowHead
from lintmdb.plan.owner_choices import choices_by_condition
from lintmdb.plan.planned import Plan
from lintmdb.report.change_reasons import why_words
from lintmdb.report.changes import place_words
from lintmdb.report.elsewhere import LEFT, by_heading, notice_place, notice_sentences
from lintmdb.report.flow_repairs import FlowRepair, advice_on
from lintmdb.report.headline_fates import HeadlineFate
from lintmdb.report.html.card import fate_kind
from lintmdb.report.html.document import build_document, read_style
from lintmdb.report.html.drawings import Drawing, draw
from lintmdb.report.html.estate_name import name_of_flows
from lintmdb.report.html.overview import OverviewRow, build_overview, flow_row, short_words, thing_row
from lintmdb.report.html.page import STYLE
from lintmdb.report.html.repair import ShownChange, show_change
from lintmdb.report.html.script_blocks import OwnerBlock, OwnerChoice, owner_blocks
from lintmdb.report.html.templates import page_environment
from lintmdb.report.html.titles import card_anchor, title_stops
from lintmdb.report.html.visible_text import clipped
from lintmdb.report.path import build_path
from lintmdb.report.plan_parts import (
    SPARING,
    ChangedFlow,
    all_cautions,
    changed_flows,
    changed_queues,
    keep_option,
    sparing_scripts,
)
from lintmdb.report.plan_text import proof_lines, summary_words
from lintmdb.report.queue_reader import reader_words
from lintmdb.report.still_bad import AlikeBad, group_bad, still_bad_flows, still_bad_queues
from lintmdb.report.subjects import ARROW, subject_text
from lintmdb.version import __version__

_TEXT = 700
_NAME = 300
PLAN_STYLE = STYLE.with_name("plan.css")


class FlowState(NamedTuple):
    """A flow before or after the changes."""

    when: str
    fate: str
    fate_kind: str
    group: str
    """The key of the group of its fate, which colours the drawing."""
    drawing: Drawing | None
    """None of a queue by itself."""


class PlannedFlow(NamedTuple):
    """A flow, or a queue that no endpoint reads, on which something changes."""

    anchor: str
    stops: tuple[str, ...]
    states: tuple[FlowState, FlowState]
    changes: tuple[ShownChange, ...]
    gone: str
    advice: tuple[str, ...] = ()
    """What becomes of the longest messages, and what may end a fate that is still bad."""


class SameFate(NamedTuple):
    """What stays bad on flows, or on queues that no endpoint reads."""

    title: str
    words: str
    notes: tuple[str, ...]


class LeftFinding(NamedTuple):
    """A finding that no setting repairs."""

    severity: str
    rule: str
    title: str
    subject: str
    message: str
    advice: str


def render_plan_html(plan: Plan) -> str:
    """The page as text; the same plan gives the same text."""
    owners = [_with_choices(block, plan) for block in owner_blocks(plan.changes, why_words(plan), plan.order)]
    changed, queues = changed_flows(plan), changed_queues(plan)
    bad_flows = still_bad_flows(plan)
    bad = group_bad(bad_flows, [flow.number for flow in changed])
    bad_queues = group_bad(still_bad_queues(plan), [queue.number for queue in queues])
    flows = [
        *(_flow(flow, bad_flows[flow.number].advice if flow.number in bad_flows else ()) for flow in changed),
        *map(_queue, queues),
    ]
    found = [finding for finding in plan.before.judgement.findings if finding.flow is not None]
    left = [_left(finding) for finding in plan.left]
    rows = [_row(flow, [finding for finding in found if finding.flow == flow.number]) for flow in changed]
    rows += [_queue_row(queue, [f for f in found if f.subject == queue.before.subject]) for queue in queues]
    noun = "flow" if changed or bad or not (queues or bad_queues) else "queue"
    stays = [*(_same(alike, "flow") for alike in bad), *(_same(alike, "queue") for alike in bad_queues)]
    optional = (
        ("flows", f"{noun.capitalize()}s", flows or stays),
        ("changes", "Changes", owners),
        ("left", "What stays", left),
        ("elsewhere", LEFT, plan.elsewhere),
    )
    sections = [(anchor, name) for anchor, name, shown in optional if shown] + [("proof", "Proof")]
    return (
        page_environment()
        .get_template("plan.html.j2")
        .render(
            document=build_document(
                "Plan", read_style(STYLE, PLAN_STYLE), sections, f"Written by lintmdb {__version__}."
            ),
            estate=name_of_flows(plan.before.judgement.flows),
            summary=summary_words(plan),
            owners=owners,
            flows=flows,
            noun=noun,
            stays=stays,
            by_themselves=bool(queues or bad_queues),
            reader=reader_words(plan.before.judgement.unread),
            overview=build_overview(rows, (finding.rule for finding in found), "Before → after"),
            same=len(plan.before.judgement.message_flows) - len(changed) - sum(alike.size for alike in bad),
            same_queues=len(plan.before.judgement.unread) - len(queues) - sum(alike.size for alike in bad_queues),
            left=left,
            elsewhere=[
                (heading, [(clipped(notice_sentences(entry), _TEXT), notice_place(entry)) for entry in found])
                for heading, found in by_heading(plan.elsewhere, LEFT)
            ],
            proof=list(proof_lines(plan, all_names=True)),
            granting=[script.text for script in sparing_scripts(plan)],
            granting_heading=SPARING,
        )
    )


def _with_choices(block: OwnerBlock, plan: Plan) -> OwnerBlock:
    """The changes of an owner with what only that owner can decide."""
    own = [change for change in plan.changes if clipped(place_words(change.target), _NAME) == block.name]
    choices = [
        OwnerChoice(
            choose_if,
            tuple((show_change(change), keep_option(one)) for one in instead for change in one.changes),
            tuple(all_cautions(instead)),
        )
        for choose_if, instead in choices_by_condition(plan, own)
    ]
    return block._replace(choices=tuple(choices))


def _flow(flow: ChangedFlow, advice: Sequence[str]) -> PlannedFlow:
    return PlannedFlow(
        card_anchor(flow.before.subject),
        title_stops(flow.before),
        (flow_state("Before", flow.before, flow.fate_before), flow_state("After", flow.after, flow.fate_after)),
        tuple(map(show_change, flow.changes)),
        ", ".join(flow.gone),
        (*_remarks(flow), *(clipped(text, _TEXT) for text in advice)),
    )


def _same(alike: AlikeBad, noun: str) -> SameFate:
    notes = (*alike.like_it(noun), *(clipped(text, _TEXT) for text in alike.first.advice))
    ended = tuple(text if text.endswith(".") else f"{text}." for text in notes)
    return SameFate(clipped(alike.title, _NAME), alike.words, ended)


def _queue(queue: ChangedFlow) -> PlannedFlow:
    return PlannedFlow(
        card_anchor(queue.before.subject, "thing"),
        (clipped(subject_text(queue.before.subject), _NAME),),
        (_state("Before", queue.fate_before, None), _state("After", queue.fate_after, None)),
        tuple(map(show_change, queue.changes)),
        ", ".join(queue.gone),
        tuple(_remarks(queue)),
    )


def _remarks(flow: ChangedFlow) -> Iterator[str]:
    """What becomes of some messages, where that is something else; what is gone stands on the card anyway."""
    if flow.another_fate:
        until_now = [f"Before: {flow.meanwhile}{ARROW}{flow.fates[1]}."] if flow.meanwhile else []
        yield from (clipped(text.replace(ARROW, " → "), _TEXT) for text in (*until_now, *flow.remarks))


def _queue_row(queue: ChangedFlow, findings: Sequence[Finding]) -> OverviewRow:
    subject = queue.before.subject
    row = thing_row(card_anchor(subject, "thing"), subject, queue.fate_before, findings, FlowRepair(queue.changes))
    return row._replace(fate=_before_and_after(queue))


def _row(flow: ChangedFlow, findings: Sequence[Finding]) -> OverviewRow:
    """The row of a flow: its findings are those before the changes."""
    row = flow_row(card_anchor(flow.before.subject), flow.before, flow.fate_before, findings, FlowRepair(flow.changes))
    return row._replace(fate=_before_and_after(flow))


def _before_and_after(flow: ChangedFlow) -> str:
    before, after = (short_words(fate) for fate in (flow.fate_before, flow.fate_after))
    return before if before == after else f"{before} → {after}"


def flow_state(when: str, head: FlowHead, fate: HeadlineFate) -> FlowState:
    """A flow at one time: its fate and its path."""
    return _state(when, fate, draw(build_path(head, *fate.outcomes), fate.outcomes))


def _state(when: str, fate: HeadlineFate, drawing: Drawing | None) -> FlowState:
    return FlowState(when, fate.words, fate_kind(fate.group), fate.group.key, drawing)


def _left(finding: Finding) -> LeftFinding:
    rule = finding.rule
    return LeftFinding(
        rule.severity,
        rule.id,
        rule.title,
        clipped(subject_text(finding.subject), _NAME),
        clipped(finding.message, _TEXT),
        clipped(_sentences(advice_on(finding)), _TEXT),
    )


def _sentences(texts: Sequence[str]) -> str:
    return " ".join(texts)
