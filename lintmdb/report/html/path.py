"""The path of a flow as an inline drawing; where the stops stand is said by the style sheet. On a long page a path that
differs from one above only in its names is told in words: a browser opens ten thousand drawings slowly.
"""

from __future__ import annotations

from collections.abc import Sequence

from lintmdb.report.html.markup import Child, Markup, element
from lintmdb.report.path import Hop, State

_NAME = 22
_LONG_NAME = 28
_DETAIL = 30
_WORDS: dict[State, str] = {
    "sound": "",
    "blank": "blank",
    "broken": "broken",
    "unknown": "not known",
    "idle": "never used",
}


_MOST = 300
"""So many paths are drawn, whether they are alike or not."""


class Drawings:
    """Draws paths, and remembers on which card each was drawn first."""

    def __init__(self) -> None:
        self._count = 0
        self._drawn: dict[tuple[tuple[str, ...], ...], str] = {}

    def path(self, hops: Sequence[Hop], anchor: str) -> Markup:
        """The path of the card ``anchor``: one box a hop with an arrow in front of each but the first; blank and broken
        ones are drawn as such.
        """
        said = f"Path: {'; '.join(map(_said, hops))}"
        first = self._drawn.setdefault(tuple((hop.kind, hop.state, hop.detail, hop.end) for hop in hops), anchor)
        if self._count >= _MOST and first != anchor:
            return element("p", f"{said}. ", element("a", "Drawn here", href=f"#{first}"), ", with other names.")
        self._count += 1
        boxes = [_box(hop, number) for number, hop in enumerate(hops)]
        return element("svg", *boxes, class_=f"flow n{len(hops)}", role="img", aria_label=said)


def _said(hop: Hop) -> str:
    parts = (hop.name, hop.detail or _WORDS[hop.state], f"the message {hop.end}" if hop.end else "")
    return f"{hop.kind} " + ", ".join(part for part in parts if part)


def _box(hop: Hop, number: int) -> Markup:
    drawn: list[Child] = []
    if number:
        cross = "M-28 26l12 14m0-14-12 14" if hop.state in ("blank", "broken") else ""
        drawn.append(element("path", d=f"M-38 33h30m-7-6 7 6-7 6{cross}", class_="to"))
    drawn.append(element("rect"))
    drawn.append(element("text", hop.kind, class_="k"))
    if hop.end:
        drawn.append(element("text", hop.end, class_="end"))
    small = "n s" if len(hop.name) > _NAME else "n"
    drawn.append(element("text", _middle(hop.name, _LONG_NAME) or "(none)", class_=small))
    if hop.detail:
        drawn.append(element("text", _middle(hop.detail, _DETAIL), class_="d"))
    return element("g", *drawn, class_=f"h{number} {hop.state}" + (" last" if hop.end else ""))


def _middle(text: str, limit: int) -> str:
    """At most ``limit`` characters: both ends of a long name say more than its middle."""
    if len(text) <= limit:
        return text
    half = (limit - 1) // 2
    return f"{text[: limit - 1 - half]}…{text[-half:]}"
