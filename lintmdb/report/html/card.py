"""A card: what a flow's messages meet, as a drawing, a story, the lines that decide it, and the findings with fixes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lintmdb.delivery.wording import Line
from lintmdb.engine.findings import Finding, FlowHead, Undecided
from lintmdb.engine.flow_rows import JudgedRows
from lintmdb.model.origins import Origin
from lintmdb.report.headline_fates import HeadlineFate, fate_words
from lintmdb.report.html.facets import Facets
from lintmdb.report.html.markup import Child, Markup, clipped, element, escaped, joined
from lintmdb.report.html.path import Drawings
from lintmdb.report.html.traces import Stories, Story, stories_on
from lintmdb.report.path import hops_of
from lintmdb.report.setting_value import value_span
from lintmdb.report.step_places import step_place
from lintmdb.report.subjects import subject_text
from lintmdb.report.terminal import counted_words
from lintmdb.report.text import headline
from lintmdb.rules.rule import SEVERITIES

_TEXT = 240
_MESSAGE = 700
_FIX = 4000


class Card(NamedTuple):
    """All that a card shows. A finding about no flow has neither head nor fate."""

    findings: list[Finding]
    head: FlowHead | None = None
    fate: HeadlineFate | None = None
    undecided: tuple[Undecided, ...] = ()

    @property
    def rank(self) -> tuple[int, int, int]:
        """Worst first: by severity, by fate, by the number of findings."""
        worst = min(SEVERITIES.index(finding.rule.severity) for finding in self.findings)
        return worst, self.fate.rank if self.fate else len(SEVERITIES), -len(self.findings)


def card_markup(card: Card, facets: Facets, stories: Stories, drawings: Drawings) -> Markup:
    """The card as an article. Its id is that of its first finding, with a prefix."""
    findings = sorted(card.findings, key=lambda f: (SEVERITIES.index(f.rule.severity), f.rule.id, f.fingerprint))
    letters = _letters(findings)
    anchor = f"card-{findings[0].fingerprint}"
    told = stories_on(card.fate, findings)
    return element(
        "article",
        _head(card, findings),
        drawings.path(hops_of(card.head, card.fate.outcome), anchor) if card.head and card.fate else None,
        _proof(card, told, letters, anchor, stories, findings),
        *(joined(("\n", _finding(finding, letters, facets))) for finding in findings),
        _not_judged(card.undecided),
        class_=f"card f {facets.of_card(findings, card.head, card.fate)}",
        id=anchor,
    )


def _head(card: Card, findings: Sequence[Finding]) -> Markup:
    if card.head is None:
        return element("h3", subject_text(findings[0].subject))
    path = joined(map(_hop, headline(card.head).split(" <- ")), " ← ")
    fate = card.fate
    pill = None
    if fate is not None:
        kind = "e" if fate.group.bad else "u" if fate.group.key == "unknown" else "ok"
        pill = element("p", "Poison message: ", element("b", fate_words(fate.outcome), class_=kind), class_="fate")
    name = card.head.subject.cell
    cell = element("span", f" cell {clipped(name, 120)}", class_="cell") if name else None
    return joined((element("h3", path, cell), pill))


def _hop(text: str) -> Child:
    """One stop of a headline; names in a script that runs from right to left may not turn the arrows around."""
    text = clipped(text, 300)
    return text if text.isascii() else element("span", text, class_="hop")


def _letters(findings: Sequence[Finding]) -> dict[Origin, str]:
    """The lines that decide, each with the letter that a finding or a step calls it by."""
    letters: dict[Origin, str] = {}
    for finding in findings:
        for place in (finding.location, *finding.related):
            if place is not None and place not in letters:
                letters[place] = _letter(len(letters))
    return letters


def _letter(number: int) -> str:
    return (_letter(number // 26 - 1) if number >= 26 else "") + chr(ord("a") + number % 26)


def _proof(
    card: Card,
    told: Sequence[Story],
    letters: Mapping[Origin, str],
    anchor: str,
    stories: Stories,
    findings: Sequence[Finding],
) -> Markup | None:
    rows = card.head.rows if card.head else findings[0].rows
    by_place: dict[tuple[str, int], str] = {}
    for place, letter in letters.items():
        if place.path:
            by_place.setdefault((place.path, place.line), letter)

    def mark(line: Line) -> Child:
        return _mark(line, rows, by_place)

    parts = [stories.fold(story, anchor, mark, opened=number == 0) for number, story in enumerate(told)]
    if not letters and not parts:
        return None
    lines = element("ol", *map(_line, letters), class_="lines")
    return element(
        "div",
        element("div", element("h4", "What happens"), *parts) if parts else None,
        element("div", element("h4", "Lines that decide"), lines) if letters else None,
        class_="proof",
    )


def _mark(line: Line, rows: JudgedRows, by_place: Mapping[tuple[str, int], str]) -> Child:
    """The letter of the line that a step is about."""
    place = step_place(line, rows)
    letter = by_place.get((place.path, place.line)) if place is not None else None
    return element("b", letter, class_="at") if letter else None


def _line(place: Origin) -> Markup:
    path = place.path if len(place.path) <= _TEXT else "…" + place.path[1 - _TEXT :]
    where = f"{path}:{place.line}" if place.line else path
    return element(
        "li",
        _setting(place),
        " ",
        element("span", where, class_="path") if path else None,
    )


def _setting(place: Origin) -> Markup:
    text = clipped(place.text, _TEXT)
    span = value_span(place, text)
    if span is None or span[0] == span[1]:
        return escaped(text)
    start, end = span
    return joined((text[:start], element("mark", text[start:end]), text[end:]))


def _finding(finding: Finding, letters: Mapping[Origin, str], facets: Facets) -> Markup:
    rule = finding.rule
    message = clipped(finding.message, _MESSAGE)
    places = [letters[place] for place in (finding.location, *finding.related) if place is not None]
    shared = f" {finding.flows:,} flows share this." if finding.flows > 1 else None
    rests = joined((" Rests on ", element("b", ", ".join(places), class_="at"), "."))
    label = f"{rule.id} on {clipped(finding.subject.name or 'this', 80)}"
    return element(
        "section",
        element(
            "h4",
            element("span", rule.severity, class_=f"sev {rule.severity[0]}"),
            " ",
            element("a", rule.id, href=f"#{finding.fingerprint}", aria_label=label),
            " ",
            rule.title,
        ),
        element("p", message, "" if message.endswith(".") else ".", shared, rests if places else None),
        element("pre", clipped(finding.fix, _FIX)),
        class_=f"finding f {facets.of_finding(finding)}",
        id=finding.fingerprint,
    )


def _not_judged(undecided: Sequence[Undecided]) -> Markup | None:
    if not undecided:
        return None
    rules = ", ".join(sorted({entry.rule.id for entry in undecided}))
    return element("p", f"Not judged here ({counted_words(len(undecided), 'verdict')}): {rules}.", class_="more")
