"""A plan as Markdown: for a change request, or a comment on a merge request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lintmdb.plan.owner_choices import Instead
from lintmdb.plan.planned import Plan
from lintmdb.report.changes import change_words, object_words
from lintmdb.report.elsewhere import LEFT, by_heading
from lintmdb.report.flow_repairs import advice_on
from lintmdb.report.markdown import TEMPLATES, escaped, notice_rows
from lintmdb.report.markdown_templates import markdown_environment
from lintmdb.report.path import Hop, build_path
from lintmdb.report.plan_parts import (
    SPARING,
    all_cautions,
    changed_flows,
    changed_queues,
    changes_by_owner,
    keep_option,
    sparing_scripts,
)
from lintmdb.report.plan_text import proof_lines, queue_heading, summary_words
from lintmdb.report.still_bad import AlikeBad, group_bad, still_bad_flows, still_bad_queues
from lintmdb.report.subjects import headline, subject_text
from lintmdb.report.terminal import plural


class ChangeRow(NamedTuple):
    """A change as a row of its owner's table."""

    thing: str
    words: str
    rules: str


class InsteadRow(NamedTuple):
    """What somebody may want instead of a change, and the option that asks for it."""

    thing: str
    words: str
    option: str


class Owner(NamedTuple):
    """What an owner has to do."""

    name: str
    rows: tuple[ChangeRow, ...]
    acts: tuple[str, ...]
    choices: tuple[tuple[str, tuple[InsteadRow, ...], tuple[str, ...]], ...]
    """What only people can decide: each condition with what they may want instead, and what that does not do."""
    scripts: str


class FlowRow(NamedTuple):
    """A flow before and after."""

    title: str
    before: str
    path_before: str
    after: str
    path_after: str
    advice: tuple[str, ...]
    """What else changes, and what may end a fate that is still bad."""


class SameRow(NamedTuple):
    """What stays bad on flows, or on queues that no endpoint reads."""

    title: str
    words: str
    notes: tuple[str, ...]


class QueueRow(NamedTuple):
    """A queue that no endpoint reads before and after."""

    title: str
    before: str
    after: str


class LeftRow(NamedTuple):
    """A finding that no setting repairs."""

    rule: str
    subject: str
    message: str
    advice: str


def render_plan_markdown(plan: Plan) -> str:
    """The document as text; the same plan gives the same text."""
    owners = [
        Owner(
            f"{part.step}: {part.owner}" if part.step else part.owner,
            tuple(ChangeRow(object_words(c.target), change_words(c), rules) for c, rules in part.changes),
            tuple(part.acts),
            tuple((when, tuple(_instead(instead)), tuple(all_cautions(instead))) for when, instead in part.choices),
            ", ".join(part.scripts),
        )
        for part in changes_by_owner(plan)
    ]
    told, told_queues, bad_flows = changed_flows(plan), changed_queues(plan), still_bad_flows(plan)
    bad = group_bad(bad_flows, [flow.number for flow in told])
    bad_queues = group_bad(still_bad_queues(plan), [queue.number for queue in told_queues])
    flows = [
        FlowRow(
            headline(flow.before),
            flow.fates[0],
            _path(build_path(flow.before, *flow.fate_before.outcomes)),
            flow.fate_after.words,
            _path(build_path(flow.after, *flow.fate_after.outcomes)),
            (*flow.remarks, *(bad_flows[flow.number].advice if flow.number in bad_flows else ())),
        )
        for flow in told
    ]
    queues = [
        QueueRow(
            subject_text(queue.before.subject),
            queue.fates[0],
            ". ".join((queue.fate_after.words, *queue.remarks)),
        )
        for queue in told_queues
    ]
    left = [
        LeftRow(finding.rule.id, subject_text(finding.subject), finding.message, " ".join(advice_on(finding)))
        for finding in plan.left
    ]
    template = markdown_environment(TEMPLATES, escaped).get_template("plan.md.j2")
    before = plan.before.judgement
    return template.render(
        summary=summary_words(plan),
        owners=owners,
        flows=flows,
        bad=[_same(alike, "flow") for alike in bad],
        same=_more(len(before.message_flows) - len(flows) - sum(alike.size for alike in bad), "flow"),
        queues=queues,
        queue_heading=queue_heading(plan),
        bad_queues=[_same(alike, "queue") for alike in bad_queues],
        same_queues=_more(len(before.unread) - len(queues) - sum(alike.size for alike in bad_queues), "queue"),
        left=left,
        elsewhere=[(heading, notice_rows(found)) for heading, found in by_heading(plan.elsewhere, LEFT)],
        proof=list(proof_lines(plan, all_names=True)),
        granting=[script.text.splitlines() for script in sparing_scripts(plan)],
        granting_heading=SPARING,
    )


def _same(alike: AlikeBad, noun: str) -> SameRow:
    return SameRow(alike.title, alike.words, (*alike.like_it(noun), *alike.first.advice))


def _more(count: int, noun: str) -> str:
    """``2 more flows``; blank for none."""
    return plural(count, f"more {noun}") if count else ""


def _instead(alternatives: Sequence[Instead]) -> Iterator[InsteadRow]:
    for one in alternatives:
        for change in one.changes:
            yield InsteadRow(object_words(change.target), change_words(change), keep_option(one))


def _path(hops: list[Hop]) -> str:
    """The stops in one line: ``OrdersAS (stops after 3) > ORDERS.IN (BOTHRESH(5)) > ...``."""
    return " > ".join(_stop(hop) for hop in hops)


def _stop(hop: Hop) -> str:
    detail = ", ".join(part for part in (hop.detail, f"message {hop.end}" if hop.end else "") if part)
    return f"{hop.name or hop.kind}" + (f" ({detail})" if detail else "")
