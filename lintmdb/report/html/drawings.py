"""The path of a flow as an inline drawing; the style sheet places its stops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from lintmdb.delivery.outcome import Outcome
from lintmdb.report.path import Hop, State, Way

_NAME = 22
_LONG_NAME = 28
_DETAIL = 30
_WORDS: Mapping[State, str] = MappingProxyType(
    {"sound": "", "blank": "blank", "broken": "broken", "unknown": "not known", "idle": "never used"}
)
_WAYS: Mapping[Way, str] = MappingProxyType(
    {
        "taken": "",
        "tried": "a move there fails",
        "never": "it never gets there",
        "unknown": "whether it gets there is not known",
    }
)
_LABELS: Mapping[Way, str] = MappingProxyType({"taken": "", "tried": "fails", "never": "never", "unknown": "not known"})


class Box(NamedTuple):
    """One stop of a drawn path."""

    kind: str
    name: str
    is_long: bool
    """Whether the name needs the smaller type."""
    detail: str
    state: State
    end: str
    """What becomes of the poison message, where that is here."""
    way: str
    """How the poison message gets here; blank for the first stop."""
    label: str
    """Of the arrow that leads here."""


class Drawing(NamedTuple):
    """A path in words, and its boxes."""

    description: str
    boxes: tuple[Box, ...]
    returned: str
    """The label of the arrow by which the message comes back to the first stop; blank where it does not."""
    loops: bool
    """Whether it comes back for ever."""


def draw(hops: Sequence[Hop], outcomes: Sequence[Outcome]) -> Drawing:
    """The drawing of a path, and of how the poison message goes along it."""
    description = f"Path: {'; '.join(map(_in_words, hops))}"
    deliveries = max((outcome.deliveries for outcome in outcomes), default=0)
    loops = any("loops" in hop.end for hop in hops)
    again = bool(deliveries) and any(_comes_back(outcome) for outcome in outcomes)
    boxes = tuple(_box(hop, deliveries) for hop in hops)
    return Drawing(description, boxes, ("again and again" if loops else "rolled back") if again else "", loops)


def _comes_back(outcome: Outcome) -> bool:
    return outcome.fate.value not in ("lost", "processed")


def _in_words(hop: Hop) -> str:
    way = _WAYS[hop.way] if hop.way else ""
    parts = (hop.name, hop.detail or _WORDS[hop.state], f"the message {hop.end}" if hop.end else "", way)
    return f"{hop.kind} " + ", ".join(part for part in parts if part)


def _box(hop: Hop, deliveries: int) -> Box:
    name = _shortened(hop.name, _LONG_NAME) or "(none)"
    label = _LABELS[hop.way] if hop.way else ""
    return Box(
        hop.kind, name, len(hop.name) > _NAME, _shortened(hop.detail, _DETAIL), hop.state, hop.end, hop.way or "", label
    )


def _shortened(text: str, limit: int) -> str:
    """At most ``limit`` characters: both ends of a long name say more than its middle."""
    if len(text) <= limit:
        return text
    half = (limit - 1) // 2
    return f"{text[: limit - 1 - half]}…{text[-half:]}"
