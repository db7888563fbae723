"""What a card is called: its id, and its headline in the direction in which messages go."""

from __future__ import annotations

from lintmdb.engine.findings import FlowHead, Subject, compute_fingerprint
from lintmdb.report.html.visible_text import clipped
from lintmdb.report.text import headline

_NAME = 300


def card_anchor(subject: Subject, kind: str = "flow") -> str:
    """The id of a card: the same on every page about the same flow, or about the same thing of another kind."""
    return f"{kind}-{compute_fingerprint(kind, subject)[:12]}"


def title_stops(head: FlowHead) -> tuple[str, ...]:
    """The stops of a flow: its queue, its endpoint, its bean."""
    return split_headline(headline(head))


def split_headline(text: str) -> tuple[str, ...]:
    """The stops of a headline, whichever way its arrows point."""
    stops = text.split(" -> ")
    if len(stops) == 1:
        stops = text.split(" <- ")[::-1]
    return tuple(clipped(stop, _NAME) for stop in stops)
