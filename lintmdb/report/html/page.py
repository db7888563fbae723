"""The report as one HTML file: no network, no script, and readable by eye, by ear and on paper.

What exports say is text that others write, so every piece of it is escaped (``markup``).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lintmdb.engine.findings import Finding, Judgement, Undecided
from lintmdb.report.headline_fates import HeadlineFate, fate_words, headline_fates
from lintmdb.report.html.card import Card, card_markup
from lintmdb.report.html.document import html_page, style_of
from lintmdb.report.html.facets import Facets
from lintmdb.report.html.markup import Markup, clipped, element, joined
from lintmdb.report.html.masthead import masthead, open_section
from lintmdb.report.html.path import Drawings
from lintmdb.report.html.suppressed import left_out_section
from lintmdb.report.html.traces import Stories
from lintmdb.report.terminal import counted_words
from lintmdb.report.text import headline
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate
from lintmdb.version import __version__

STYLE = Path(__file__).with_name("report.css")
_OTHERS = 1000
_SECTIONS = (
    ("open", "Not judged"),
    ("flows", "Flows with findings"),
    ("loose", "Findings about no flow"),
    ("others", "Other flows"),
    ("left-out", "Left out"),
)


def render_html(judgement: Judgement, estate: Estate, gate: Gate = Gate()) -> str:  # noqa: B008
    """The page as text; the same verdicts give the same text. ``gate`` says what fails the run."""
    fates = headline_fates(judgement.flows)
    facets = Facets(judgement.findings, judgement.flows, fates)
    cards, loose = _cards(judgement, fates)
    others = _other_section(judgement, fates)
    left_out = left_out_section(judgement)
    main = element(
        "main",
        masthead(judgement, estate, gate, fates),
        open_section(judgement, estate),
        _card_section(cards, loose, facets),
        others,
        left_out,
        id="main",
    )
    optional = (("loose", loose), ("others", others), ("left-out", left_out))
    absent = {anchor for anchor, held in optional if not held}
    shown = [entry for entry in _SECTIONS if entry[0] not in absent]
    style = style_of(STYLE) + facets.style()
    return html_page("Poison messages", style, shown, main, f"Written by lintmdb {__version__}.")


def _cards(judgement: Judgement, fates: Sequence[HeadlineFate]) -> tuple[list[Card], list[Card]]:
    """One card for each flow with findings, the worst first; and one for each thing that is part of no flow."""
    by_flow: dict[int, list[Finding]] = {}
    loose: dict[object, list[Finding]] = {}
    for finding in judgement.findings:
        if finding.flow is not None:
            by_flow.setdefault(finding.flow, []).append(finding)
        else:
            loose.setdefault(finding.subject, []).append(finding)
    undecided: dict[int, list[Undecided]] = {}
    for entry in judgement.undecided:
        if entry.flow is not None:
            undecided.setdefault(entry.flow, []).append(entry)
    cards = [
        Card(findings, judgement.flows[flow], fates[flow], tuple(undecided.get(flow, ())))
        for flow, findings in sorted(by_flow.items())
    ]
    return sorted(cards, key=lambda card: card.rank), sorted(map(Card, loose.values()), key=lambda card: card.rank)


def _card_section(cards: Sequence[Card], loose: Sequence[Card], facets: Facets) -> Markup:
    heading = element("h2", "Flows with findings", id="flows")
    if not cards and not loose:
        return element("section", heading, element("p", "No flow has a finding.", class_="intro"))
    stories, drawings = Stories(), Drawings()
    intro = (
        "A flow is a bean, its endpoint and the queue that it reads. A finding about a shared queue stands under the "
        "first flow that shows it. Letters name the lines that decide."
    )
    return element(
        "section",
        heading,
        element("p", intro if cards else "No flow has a finding.", class_="intro"),
        facets.markup(),
        element(
            "div",
            *(joined((card_markup(card, facets, stories, drawings), "\n")) for card in cards),
            element("h2", "Findings about no flow", id="loose") if loose else None,
            *(joined((card_markup(card, facets, stories, drawings), "\n")) for card in loose),
            class_="cards",
        ),
        element("p", "Cards shown: ", class_="shown"),
        class_="flows",
    )


def _other_section(judgement: Judgement, fates: Sequence[HeadlineFate]) -> Markup | None:
    """The flows without a card, the worst fate first."""
    with_findings = {finding.flow for finding in judgement.findings}
    others = [number for number in range(len(judgement.flows)) if number not in with_findings]
    if not others:
        return None
    others.sort(key=lambda number: (fates[number].rank, number))
    rows = [
        element(
            "tr",
            element("th", clipped(headline(judgement.flows[number]).replace(" <- ", " ← "), 400), scope="row"),
            element("td", fate_words(fates[number].outcome), class_="e" if fates[number].group.bad else None),
        )
        for number in others[:_OTHERS]
    ]
    left = len(others) - len(rows)
    caption = "Flows without a finding of their own"
    table = element(
        "table",
        element("caption", caption, class_="unseen"),
        element(
            "thead", element("tr", element("th", "Flow", scope="col"), element("th", "Poison message", scope="col"))
        ),
        element("tbody", *rows),
        class_="plain",
    )
    return element(
        "section",
        element("h2", "Other flows", id="others"),
        element("p", f"{caption}: {len(others):,}. A finding that they share stands above.", class_="intro"),
        element("div", table, class_="scroll", role="region", aria_label=caption, tabindex="0"),
        element("p", f"and {counted_words(left, 'more flow')}", class_="more") if left else None,
    )
