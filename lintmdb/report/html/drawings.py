"""The path of a flow as an inline drawing; the style sheet places its stops.

On a long page a path that differs from an earlier one only in its names becomes a sentence with a link to that drawing:
a browser opens ten thousand drawings slowly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from lintmdb.report.path import Hop, State

_NAME = 22
_LONG_NAME = 28
_DETAIL = 30
_MOST = 300
"""So many paths are drawn, whether they are alike or not."""
_WORDS: Mapping[State, str] = MappingProxyType(
    {"sound": "", "blank": "blank", "broken": "broken", "unknown": "not known", "idle": "never used"}
)


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


class Drawing(NamedTuple):
    """A path in words, and its boxes or the card that has the same ones."""

    description: str
    boxes: tuple[Box, ...]
    drawn_on: str = ""
    """The id of the card that shows this path with other names; then there are no boxes."""


class Drawings:
    """Draws paths, and remembers on which card each was drawn first."""

    def __init__(self) -> None:
        self._count = 0
        self._drawn: dict[tuple[tuple[str, ...], ...], str] = {}

    def draw(self, hops: Sequence[Hop], anchor: str) -> Drawing:
        """The path on the card ``anchor``."""
        description = f"Path: {'; '.join(map(_in_words, hops))}"
        first = self._drawn.setdefault(tuple((hop.kind, hop.state, hop.detail, hop.end) for hop in hops), anchor)
        if self._count >= _MOST and first != anchor:
            return Drawing(description, (), first)
        self._count += 1
        return Drawing(description, tuple(map(_box, hops)))


def _in_words(hop: Hop) -> str:
    parts = (hop.name, hop.detail or _WORDS[hop.state], f"the message {hop.end}" if hop.end else "")
    return f"{hop.kind} " + ", ".join(part for part in parts if part)


def _box(hop: Hop) -> Box:
    name = _shortened(hop.name, _LONG_NAME) or "(none)"
    return Box(hop.kind, name, len(hop.name) > _NAME, _shortened(hop.detail, _DETAIL), hop.state, hop.end)


def _shortened(text: str, limit: int) -> str:
    """At most ``limit`` characters: both ends of a long name say more than its middle."""
    if len(text) <= limit:
        return text
    half = (limit - 1) // 2
    return f"{text[: limit - 1 - half]}…{text[-half:]}"
