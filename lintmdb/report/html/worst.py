"""The five worst flows of a first screen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lintmdb.report.html.card import Card
from lintmdb.report.html.overview import OverviewRow

MOST = 5


class WorstFlow(NamedTuple):
    """A flow in two lines, with a link to its card."""

    row: OverviewRow
    fate: str
    """In full, with the kinds of message and the queues."""
    stops: tuple[str, ...]
    reason: str
    """What its gravest finding says; blank where it has none."""


def worst_flows(rows: Iterable[tuple[OverviewRow, Card]]) -> list[WorstFlow]:
    """The first flows, or queues by themselves, that do harm or on which something was found."""
    found: list[WorstFlow] = []
    for row, card in rows:
        if len(found) == MOST:
            break
        if card.fate and (card.findings or card.fate_kind == "e"):
            names = (row.queue, row.endpoint, row.bean) if card.flow else (f"{row.queue} at {row.queue_manager}",)
            stops = tuple(name for name in names if name)
            found.append(WorstFlow(row, card.fate, stops, card.findings[0].title if card.findings else ""))
    return found
