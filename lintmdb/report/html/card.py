"""A card: what a flow's messages meet, as a drawing, a story, the lines that decide it, the findings, and what repairs
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from lintmdb.delivery.wording import Line
from lintmdb.engine.findings import Finding, FlowHead, Subject, Undecided
from lintmdb.model.origins import Origin
from lintmdb.report.changes import put_back_words
from lintmdb.report.fate_sentences import Surroundings, fate_sentences, status_sentence
from lintmdb.report.flow_repairs import Repairs, Teller
from lintmdb.report.headline_fates import GROUPS, FateGroup, HeadlineFate
from lintmdb.report.html.drawings import Drawing, draw
from lintmdb.report.html.flow_stories import Stories, stories_on
from lintmdb.report.html.repair import ShownRepair, show_repair
from lintmdb.report.html.titles import card_anchor, title_stops
from lintmdb.report.html.visible_text import clipped
from lintmdb.report.path import build_path
from lintmdb.report.setting_value import value_span
from lintmdb.report.step_places import step_place
from lintmdb.report.subjects import subject_text
from lintmdb.rules.rule import SEVERITIES, severity_rank

_TEXT = 240
_MESSAGE = 700
_SENTENCE = 600


class CardFlow(NamedTuple):
    """The flow that a card is about."""

    head: FlowHead
    fate: HeadlineFate
    undecided: tuple[Undecided, ...]


class CardQueue(NamedTuple):
    """The queue without an endpoint that a card is about, and what it makes of a message of a client that never gives
    up.
    """

    head: FlowHead
    fate: HeadlineFate


class CardContent(NamedTuple):
    """All that a card is drawn from: findings, and the flow or the queue that they are about, if any."""

    findings: list[Finding]
    """May be empty where there is a flow or a queue."""
    flow: CardFlow | None = None
    number: int | None = None
    """Of the flow."""
    queue: CardQueue | None = None

    @property
    def subject(self) -> Subject:
        """What the card is about."""
        about = self.flow or self.queue
        return about.head.subject if about else self.findings[0].subject

    @property
    def fate(self) -> HeadlineFate | None:
        """What becomes of a poison message; None on a card about something else."""
        about = self.flow or self.queue
        return about.fate if about else None

    def sentences(self, around: Surroundings) -> tuple[str, ...]:
        """The same in sentences, as every report tells it; ``around`` is what the page knows beside."""
        about = self.flow or self.queue
        told = fate_sentences(about.head, about.fate, around) if about else ()
        status = (status_sentence(about.head, around),) if about else ()
        return tuple(clipped(text, _SENTENCE) for text in (*told, *filter(None, status)))

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """Worst first: by fate, by severity, by the number of findings; what is part of no flow comes last."""
        worst = min((severity_rank(finding.rule.severity) for finding in self.findings), default=len(SEVERITIES))
        fate = self.fate.rank if self.fate else len(GROUPS)
        return fate, worst, -len(self.findings), self.number or 0


class FlowTitle(NamedTuple):
    """A flow's headline in parts, and its path."""

    stops: tuple[str, ...]
    cell: str
    drawing: Drawing


class DecidingLine(NamedTuple):
    """A line of an export that decides, parted where its value begins and ends."""

    before: str
    value: str
    after: str
    place: str


class ShownFinding(NamedTuple):
    """A finding as its card shows it."""

    fingerprint: str
    severity: str
    rule: str
    link_label: str
    title: str
    message: str
    flows: int
    letters: str
    """Those of the lines that it rests on, parted by commas."""
    put_back: str
    """The values that were there before a change and that end it; blank for nothing."""


class Card(NamedTuple):
    """All that ``card.html.j2`` shows."""

    anchor: str
    """Its id: the same in every report on the same flow."""
    group: str
    """The key of the group of its fate, which colours the drawing; blank where it is about no flow."""
    flow: FlowTitle | None
    subject: str
    """What a card about no flow is about."""
    fate: str
    """In a few words; blank where the card is about neither a flow nor a queue."""
    becomes: tuple[str, ...]
    """The fate in sentences."""
    fate_kind: str
    """``e`` for a bad fate, ``u`` for an unknown one, ``ok`` for another."""
    stories: tuple[Markup, ...]
    lines: tuple[DecidingLine, ...]
    findings: tuple[ShownFinding, ...]
    repair: ShownRepair
    undecided_count: int
    undecided_rules: str


class CardBuilder:
    """Builds the cards of a page in their order, because a card can refer to an earlier one."""

    def __init__(self, stories: Stories, repairs: Repairs, around: Surroundings) -> None:
        self._stories = stories
        self._around = around
        self._repairs = repairs
        self._teller = Teller()
        self._anchors: dict[str, int] = {}
        self._cards: dict[int, tuple[str, str]] = {}
        """Id and name of each card, by the number of its flow; below zero for those about no flow."""

    def build(self, content: CardContent) -> Card:
        """The next card of the page."""
        findings = sorted(content.findings, key=lambda f: (severity_rank(f.rule.severity), f.rule.id, f.fingerprint))
        letters = _letters(findings)
        flow, subject, fate = content.flow, content.subject, content.fate
        anchor = self._anchor(subject, "flow" if flow else "thing")
        undecided = flow.undecided if flow else ()
        return Card(
            anchor,
            fate.group.key if fate else "",
            self._title(flow) if flow else None,
            "" if flow else clipped(subject_text(subject), 300),
            fate.words if fate else "",
            content.sentences(self._around),
            fate_kind(fate.group) if fate else "",
            self._render_stories(findings, flow, letters),
            tuple(map(_deciding_line, letters)),
            tuple(self._finding(finding, letters) for finding in findings),
            self._repair(content, findings, anchor),
            len(undecided),
            ", ".join(sorted({entry.rule.id for entry in undecided})),
        )

    def _anchor(self, subject: Subject, kind: str) -> str:
        """An id that no other card has: exports that contradict each other can hold one flow twice."""
        anchor = card_anchor(subject, kind)
        number = self._anchors[anchor] = self._anchors.get(anchor, 0) + 1
        return anchor if number == 1 else f"{anchor}-{number}"

    def _title(self, flow: CardFlow) -> FlowTitle:
        return FlowTitle(
            title_stops(flow.head),
            clipped(flow.head.subject.cell, 120),
            draw(build_path(flow.head, *flow.fate.outcomes), flow.fate.outcomes),
        )

    def _render_stories(
        self, findings: Sequence[Finding], flow: CardFlow | None, letters: Mapping[Origin, str]
    ) -> tuple[Markup, ...]:
        if not flow and not findings:
            return ()
        rows = flow.head.rows if flow else findings[0].rows
        by_place: dict[tuple[str, int], str] = {}
        for place, letter in letters.items():
            if place.path:
                by_place.setdefault((place.path, place.line), letter)

        def letter_of(line: Line) -> str | None:
            place = step_place(line, rows)
            return by_place.get((place.path, place.line)) if place is not None else None

        stories = stories_on(flow.fate if flow else None, findings)
        return tuple(
            self._stories.render(story, letter_of, is_open=number == 0) for number, story in enumerate(stories)
        )

    def _repair(self, content: CardContent, findings: Sequence[Finding], anchor: str) -> ShownRepair:
        number = -1 - len(self._cards) if content.number is None else content.number
        self._cards[number] = (anchor, clipped(content.subject.name, 80) or "an earlier card")
        return show_repair(self._repairs.of(content.number, findings), findings, number, self._teller, self._cards)

    def _finding(self, finding: Finding, letters: Mapping[Origin, str]) -> ShownFinding:
        rule = finding.rule
        return ShownFinding(
            finding.fingerprint,
            rule.severity,
            rule.id,
            f"Link to {rule.id} on {clipped(finding.subject.name or 'this', 80)}",
            rule.title,
            clipped(finding.message, _MESSAGE),
            finding.flows,
            ", ".join(letters[place] for place in (finding.location, *finding.related) if place is not None),
            clipped(put_back_words(finding.put_back), _MESSAGE),
        )


def fate_kind(group: FateGroup) -> str:
    """``e`` for a bad fate, ``u`` for an unknown one, ``ok`` for another."""
    return "e" if group.bad else "u" if group.key == "unknown" else "ok"


def _letters(findings: Sequence[Finding]) -> dict[Origin, str]:
    """The lines that decide, each with the letter by which a finding or a step refers to it."""
    letters: dict[Origin, str] = {}
    for finding in findings:
        for place in (finding.location, *finding.related):
            if place is not None and place not in letters:
                letters[place] = _letter(len(letters))
    return letters


def _letter(number: int) -> str:
    return (_letter(number // 26 - 1) if number >= 26 else "") + chr(ord("a") + number % 26)


def _deciding_line(place: Origin) -> DecidingLine:
    path = place.path if len(place.path) <= _TEXT else "…" + place.path[1 - _TEXT :]
    where = f"{path}:{place.line}" if place.line else path
    text = clipped(place.text, _TEXT)
    start, end = value_span(place, text) or (0, 0)
    return DecidingLine(text[:start], text[start:end], text[end:], where)
