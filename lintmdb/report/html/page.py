"""The report as one HTML file: no network, no script, and readable by eye, by ear and on paper.

The modules of this package collect what the page shows, as data; ``report.html.j2`` and its parts hold all markup. What
exports say is text that others write, so the templates' environment escapes every piece of it (``templates``).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lintmdb.engine.findings import Finding, Judgement, Undecided
from lintmdb.report.flow_repairs import UNPLANNED, Repairs
from lintmdb.report.headline_fates import HeadlineFate, headline_fates
from lintmdb.report.html.card import CardBuilder, CardContent, CardFlow
from lintmdb.report.html.document import build_document, read_style
from lintmdb.report.html.facets import Facets
from lintmdb.report.html.flow_stories import Stories
from lintmdb.report.html.left_out import build_left_out
from lintmdb.report.html.masthead import build_masthead
from lintmdb.report.html.not_judged import build_not_judged
from lintmdb.report.html.other_flows import build_other_flows
from lintmdb.report.html.templates import page_environment
from lintmdb.run.estate import Estate
from lintmdb.run.gate import Gate
from lintmdb.version import __version__

STYLE = Path(__file__).with_name("report.css")
_SECTIONS = (
    ("open", "Not judged"),
    ("flows", "Flows with findings"),
    ("loose", "Findings about no flow"),
    ("others", "Other flows"),
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
    facets = Facets(judgement.findings, judgement.flows, fates)
    builder = CardBuilder(facets, Stories(environment), repairs)
    cards = [builder.build(content) for content in _flow_cards(judgement, fates)]
    loose = [builder.build(content) for content in _loose_cards(judgement)]
    others = build_other_flows(judgement, fates)
    left_out = build_left_out(judgement)
    optional = {"loose": loose, "others": others.count, "left-out": left_out}
    sections = [(anchor, name) for anchor, name in _SECTIONS if optional.get(anchor, True)]
    style = read_style(STYLE) + environment.get_template("facets.css.j2").render(facets=facets)
    return environment.get_template("report.html.j2").render(
        document=build_document("Poison messages", style, sections, f"Written by lintmdb {__version__}."),
        masthead=build_masthead(judgement, estate, gate, fates),
        not_judged=build_not_judged(judgement, estate),
        facets=facets,
        cards=cards,
        loose=loose,
        others=others,
        left_out=left_out,
    )


def _flow_cards(judgement: Judgement, fates: Sequence[HeadlineFate]) -> list[CardContent]:
    """One card for each flow with findings, the worst first."""
    findings: dict[int, list[Finding]] = {}
    for finding in judgement.findings:
        if finding.flow is not None:
            findings.setdefault(finding.flow, []).append(finding)
    undecided: dict[int, list[Undecided]] = {}
    for entry in judgement.undecided:
        if entry.flow is not None:
            undecided.setdefault(entry.flow, []).append(entry)
    cards = [
        CardContent(found, CardFlow(judgement.flows[flow], fates[flow], tuple(undecided.get(flow, ()))))
        for flow, found in sorted(findings.items())
    ]
    return sorted(cards, key=lambda card: card.rank)


def _loose_cards(judgement: Judgement) -> list[CardContent]:
    """One card for each thing that has findings and is part of no flow, the worst first."""
    findings: dict[object, list[Finding]] = {}
    for finding in judgement.findings:
        if finding.flow is None:
            findings.setdefault(finding.subject, []).append(finding)
    return sorted(map(CardContent, findings.values()), key=lambda card: card.rank)
