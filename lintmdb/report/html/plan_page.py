"""A plan as one HTML file: what to change, each flow before and after, what stays, and the proof."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lintmdb.engine.findings import Finding, FlowHead
from lintmdb.plan.planner import Plan
from lintmdb.report.flow_repairs import advice_on
from lintmdb.report.headline_fates import HeadlineFate
from lintmdb.report.html.card import fate_kind
from lintmdb.report.html.document import build_document, read_style
from lintmdb.report.html.drawings import Drawing, Drawings
from lintmdb.report.html.page import STYLE
from lintmdb.report.html.repair import ShownChange, show_change
from lintmdb.report.html.templates import page_environment
from lintmdb.report.html.visible_text import clipped
from lintmdb.report.path import build_path
from lintmdb.report.plan_parts import ChangedFlow, OwnerChanges, changed_flows, changes_by_owner
from lintmdb.report.plan_text import proof_lines, summary_words
from lintmdb.report.subjects import flow_stops, subject_text
from lintmdb.version import __version__

_TEXT = 700
_NAME = 300
PLAN_STYLE = STYLE.with_name("plan.css")


class Owner(NamedTuple):
    """What an owner has to do."""

    name: str
    changes: tuple[tuple[ShownChange, str], ...]
    acts: tuple[str, ...]
    scripts: str


class FlowState(NamedTuple):
    """A flow before or after the changes."""

    when: str
    fate: str
    fate_kind: str
    group: str
    """The key of the group of its fate, which colours the drawing."""
    drawing: Drawing


class PlannedFlow(NamedTuple):
    """A flow on which something changes."""

    anchor: str
    stops: tuple[str, ...]
    states: tuple[FlowState, FlowState]
    changes: tuple[ShownChange, ...]
    gone: str


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
    environment = page_environment()
    drawings = Drawings()
    owners = [_owner(owner) for owner in changes_by_owner(plan)]
    flows = [_flow(flow, drawings) for flow in changed_flows(plan)]
    left = [_left(finding) for finding in plan.left]
    optional = (("changes", "Changes", owners), ("flows", "Flows", flows), ("left", "What stays", left))
    sections = [(anchor, name) for anchor, name, shown in optional if shown] + [("proof", "Proof")]
    return environment.get_template("plan.html.j2").render(
        document=build_document("Plan", read_style(STYLE, PLAN_STYLE), sections, f"Written by lintmdb {__version__}."),
        summary=summary_words(plan),
        owners=owners,
        flows=flows,
        same=len(plan.before.judgement.flows) - len(flows),
        left=left,
        proof=list(proof_lines(plan)),
    )


def _owner(part: OwnerChanges) -> Owner:
    changes = tuple((show_change(change), rules) for change, rules in part.changes)
    acts = tuple(clipped(sentence, _TEXT) for sentence in part.acts)
    return Owner(clipped(part.owner, _NAME), changes, acts, ", ".join(part.scripts))


def _flow(flow: ChangedFlow, drawings: Drawings) -> PlannedFlow:
    anchor = f"flow-{flow.number}"
    return PlannedFlow(
        anchor,
        tuple(clipped(stop, _NAME) for stop in flow_stops(flow.before)),
        (
            _state("Before", flow.before, flow.fate_before, drawings, anchor),
            _state("After", flow.after, flow.fate_after, drawings, anchor),
        ),
        tuple(map(show_change, flow.changes)),
        ", ".join(flow.gone),
    )


def _state(when: str, head: FlowHead, fate: HeadlineFate, drawings: Drawings, anchor: str) -> FlowState:
    drawing = drawings.draw(build_path(head, *fate.outcomes), anchor)
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
