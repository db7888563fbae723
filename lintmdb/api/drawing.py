"""Results as pages, and as parts of a notebook.

A notebook shows a page in a frame: its style then stays in it, and what exports say can neither run nor load anything.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lintmdb.engine.findings import Judgement
from lintmdb.plan.policy import Policy
from lintmdb.report.excerpt import excerpt, worst_flows
from lintmdb.report.flow_repairs import Repairs, find_repairs
from lintmdb.resolve.observations import Observations
from lintmdb.rules.rule import Rule
from lintmdb.run.gate import Gate
from lintmdb.run.judging import Judged

MOST_CARDS = 20
"""So many flows are shown in a notebook, which keeps what it shows in its file."""
_HEIGHT = 640
_MOST = 3_000_000
_ARTICLE = re.compile(r"<article\b.*?</article>", re.DOTALL)
_BODY = re.compile(r"(<body[^>]*>).*(</body>)", re.DOTALL)


@dataclass(frozen=True)
class Run:
    """What the page of a run is drawn from."""

    judged: Judged
    gate: Gate
    observed: Observations
    rules: Sequence[Rule]
    policy: Policy

    @functools.cached_property
    def repairs(self) -> Repairs:
        """What repairs the flows: found when it is first shown, since that judges the estate many times."""
        return find_repairs(self.judged, self.observed, self.rules, self.policy)


def draw_page(run: Run) -> str:
    """The page of a run."""
    return _page(run, run.judged.judgement, run.repairs)


def draw_cards(run: Run, fingerprint: str | None = None) -> str:
    """The cards of the worst flows, or that of the flow of one finding, for a notebook."""
    judgement = run.judged.judgement
    if fingerprint is not None:
        found = next(finding for finding in judgement.findings if finding.fingerprint == fingerprint)
        if found.flow is None:
            return framed(_card(_page(run, _alone(judgement, fingerprint), run.repairs)))
        return framed(_card(_page(run, *excerpt(judgement, run.repairs, [found.flow]))))
    flows = worst_flows(judgement, MOST_CARDS + 1)
    if len(flows) <= MOST_CARDS and len(judgement.flows) <= 10 * MOST_CARDS:
        return framed(draw_page(run))
    shown = flows[:MOST_CARDS]
    note = f"The {len(shown)} worst of {len(judgement.flows):,} flows. to_html() gives the page of all."
    return f"<p>{note}</p>{framed(_page(run, *excerpt(judgement, run.repairs, shown)))}"


def framed(page: str) -> str:
    """A page as a part of a notebook."""
    if len(page) > _MOST:
        return f"<p>The page has {len(page) / 1e6:.0f} MB, too much for a notebook. to_html() gives it.</p>"
    # In a frame without an address of its own, links within the page need a base. The page's own policy allows none,
    # and counts from where it stands.
    own = page.replace("<head>", '<head><base href="about:srcdoc">', 1)
    style = f"width: 100%; height: {_HEIGHT}px; border: 0; resize: vertical; overflow: auto"
    return f'<iframe sandbox="" title="lintmdb" style="{style}" srcdoc="{html.escape(own)}"></iframe>'


def preformatted(lines: Iterable[str]) -> str:
    """Lines of a report as a part of a notebook."""
    text = html.escape("\n".join(lines))
    return f'<pre style="white-space: pre-wrap">{text}</pre>'


def _alone(judgement: Judgement, fingerprint: str) -> Judgement:
    """One finding about no flow, alone."""
    return Judgement(
        findings=[finding for finding in judgement.findings if finding.fingerprint == fingerprint],
        rules=judgement.rules,
        endpoints=judgement.endpoints,
    )


def _card(page: str) -> str:
    """A page of one card with that card alone: what the page says around it is about a run."""
    card = _ARTICLE.search(page)
    return page if card is None else _BODY.sub(lambda body: f"{body[1]}<main>{card[0]}</main>{body[2]}", page, count=1)


def _page(run: Run, judgement: Judgement, repairs: Repairs) -> str:
    from lintmdb.report.html.page import render_html

    return render_html(judgement, run.judged.estate, run.gate, repairs)
