"""HTML that cannot be broken by what exports say: every text is escaped unless it was made here."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable

_VOID = frozenset({"meta", "path", "rect"})
"""Elements without content; closed, because those of SVG would hold what follows them."""
_KEPT = "\n "
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Child = str | int | None
"""A string is escaped, Markup is not; None is left out."""


def visible(text: str) -> str:
    """Text with control, format and unassigned characters spelled out: they may neither hide nor reorder anything."""
    if text.isprintable():
        return text
    return "".join(
        char if char in _KEPT or unicodedata.category(char) not in _HIDDEN else _spelled(char) for char in text
    )


def _spelled(char: str) -> str:
    return f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}"


def escaped(child: Child) -> Markup:
    """A child as HTML; numbers get thousands separators."""
    if child is None:
        return Markup("")
    if isinstance(child, Markup):
        return child
    text = f"{child:,}" if isinstance(child, int) else visible(child)
    return Markup(html.escape(text, quote=False))


def joined(children: Iterable[Child], between: str = "") -> Markup:
    """Children one after the other."""
    return Markup(html.escape(between).join(map(escaped, children)))


def element(tag: str, *children: Child, **attributes: str | int | None) -> Markup:
    """One element. ``class_`` stands for class, other underscores for hyphens; an attribute of None is left out."""
    head = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{html.escape(visible(str(value)), quote=True)}"'
        for name, value in attributes.items()
        if value is not None
    )
    if tag in _VOID:
        return Markup(f"<{tag}{head}/>")
    return Markup(f"<{tag}{head}>{joined(children)}</{tag}>")


def clipped(text: str | None, limit: int) -> str:
    """At most ``limit`` characters; what is left out is marked."""
    text = text or ""
    return text if len(text) <= limit else text[: limit - 1] + "…"
