"""What a card is called: its id, and its headline in the direction in which messages go."""

from __future__ import annotations

from lintmdb.engine.findings import FlowHead, Subject, compute_fingerprint
from lintmdb.report.html.visible_text import clipped
from lintmdb.report.subjects import flow_stops

_NAME = 300


def card_anchor(subject: Subject, kind: str = "flow") -> str:
    """The id of a card: the same on every page about the same flow, or about the same thing of another kind."""
    return f"{kind}-{compute_fingerprint(kind, subject)[:12]}"


def title_stops(head: FlowHead) -> tuple[str, ...]:
    """The stops of a flow: its queue, its endpoint, its bean."""
    return tuple(clipped(stop, _NAME) for stop in flow_stops(head))
