"""The path of a flow as an inline drawing; where the stops stand is said by the style sheet."""

from __future__ import annotations

from collections.abc import Sequence

from lintmdb.report.hops import Hop, State
from lintmdb.report.markup import Child, Markup, element

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


def path_drawing(hops: Sequence[Hop]) -> Markup:
    """One box a hop with an arrow in front of each but the first; blank and broken ones are drawn as such."""
    said = "; ".join(map(_said, hops))
    boxes = [_box(hop, number) for number, hop in enumerate(hops)]
    return element("svg", element("title", f"Path: {said}"), *boxes, class_=f"flow n{len(hops)}", role="img")


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
