"""The report as one HTML file: no network, and readable by eye, by ear, on paper and without its script.

The modules of this package collect what the page shows, as data; ``report.html.j2`` and its parts hold all markup. What
exports say is text that others write, so the templates' environment escapes every piece of it (``templates``).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lintmdb.engine.findings import Finding, Judgement, Subject, Undecided
from lintmdb.report.fate_sentences import surroundings_of
from lintmdb.report.flow_repairs import UNPLANNED, Repairs
from lintmdb.report.headline_fates import HeadlineFate, headline_fates
from lintmdb.report.html import packs
from lintmdb.report.html.card import Card, CardBuilder, CardContent, CardFlow, CardQueue
from lintmdb.report.html.document import build_document, read_style
from lintmdb.report.html.flow_stories import Stories
from lintmdb.report.html.left_out import build_left_out
from lintmdb.report.html.masthead import build_masthead
from lintmdb.report.html.not_judged import build_not_judged
from lintmdb.report.html.overview import OverviewRow, build_overview, flow_row, thing_row
from lintmdb.report.html.rule_notes import rule_notes
from lintmdb.report.html.script_blocks import OwnerBlock, owner_blocks
from lintmdb.report.html.templates import macro, page_environment
from lintmdb.report.html.worst import worst_flows
from lintmdb.report.queue_reader import reader_words
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate
from lintmdb.version import __version__

STYLE = Path(__file__).with_name("report.css")
_SECTIONS = (
    ("worst", "Worst {}s"),
    ("flows", "All {}s"),
    ("open", "Not judged"),
    ("changes", "Changes"),
    ("left-out", "Left out"),
)


def render_html(
    judgement: Judgement,
    estate: Estate,
    gate: Gate = Gate(),  # noqa: B008
    repairs: Repairs = UNPLANNED,
) -> str:
    """The page as text; the same verdicts give the same text. ``gate`` says what fails the run, ``repairs`` what the
    cards show as changes.
    """
    environment = page_environment()
    fates = headline_fates(judgement.flows)
    builder = CardBuilder(Stories(environment), repairs, surroundings_of(judgement, estate))
    unread = headline_fates(judgement.unread)
    contents = sorted([*_flow_cards(judgement, fates), *_loose_cards(judgement, unread)], key=lambda card: card.rank)
    cards = [builder.build(content) for content in contents]
    rows = [_row(content, card, repairs) for content, card in zip(contents, cards, strict=True)]
    left_out = build_left_out(judgement)
    owners = _owners(repairs)
    worst = worst_flows(zip(rows, cards, strict=True))
    optional = {"worst": worst, "flows": rows, "changes": owners, "left-out": left_out}
    noun = "queue" if unread and not fates else "flow"
    sections = [(anchor, name.format(noun)) for anchor, name in _SECTIONS if optional.get(anchor, True)]
    plain = packs.count_plain(len(cards))
    article = macro(environment, "card.html.j2", "article")
    return environment.get_template("report.html.j2").render(
        document=build_document("Poison messages", read_style(STYLE), sections, f"Written by lintmdb {__version__}."),
        noun=noun,
        unread=bool(unread),
        reader=reader_words(judgement.unread),
        masthead=build_masthead(judgement, estate, gate, fates, unread),
        worst=worst,
        not_judged=build_not_judged(judgement, estate),
        overview=build_overview(rows, (finding.rule for finding in judgement.findings)),
        cards=cards[:plain],
        packs=packs.pack_cards(map(article, cards[plain:])),
        packed=len(cards) - plain,
        pack_size=packs.SIZE,
        owners=owners,
        rules=rule_notes(judgement.findings),
        left_out=left_out,
    )


def _flow_cards(judgement: Judgement, fates: Sequence[HeadlineFate]) -> list[CardContent]:
    """One card for each flow."""
    findings: dict[int, list[Finding]] = {}
    for finding in judgement.findings:
        if finding.flow is not None:
            findings.setdefault(finding.flow, []).append(finding)
    undecided: dict[int, list[Undecided]] = {}
    for entry in judgement.undecided:
        if entry.flow is not None:
            undecided.setdefault(entry.flow, []).append(entry)
    return [
        CardContent(findings.get(number, []), CardFlow(head, fates[number], tuple(undecided.get(number, ()))), number)
        for number, head in enumerate(judgement.flows)
    ]


def _loose_cards(judgement: Judgement, fates: Sequence[HeadlineFate]) -> list[CardContent]:
    """One card for each thing that has findings and is part of no flow, and for each queue that no endpoint reads."""
    queues = {head.subject: CardQueue(head, fate) for head, fate in zip(judgement.unread, fates, strict=True)}
    findings: dict[Subject, list[Finding]] = {subject: [] for subject in queues}
    for finding in judgement.findings:
        if finding.flow is None:
            findings.setdefault(finding.subject, []).append(finding)
    return [CardContent(own, queue=queues.get(subject)) for subject, own in findings.items()]


def _row(content: CardContent, card: Card, repairs: Repairs) -> OverviewRow:
    repair = repairs.of(content.number, content.findings)
    if content.flow is None:
        return thing_row(card.anchor, content.subject, content.fate, content.findings, repair)
    return flow_row(card.anchor, content.flow.head, content.flow.fate, content.findings, repair)


def _owners(repairs: Repairs) -> list[OwnerBlock]:
    """The changes of the plan; none where each change was chosen for itself, since those may not go together."""
    if not repairs.planned:
        return []
    changes = (change for repair in repairs.flows.values() for change in repair.changes)
    return owner_blocks(changes, {}, repairs.order)
