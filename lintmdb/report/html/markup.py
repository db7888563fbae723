"""HTML that cannot be broken by what exports say: every text is escaped unless it was made here."""

from __future__ import annotations

import html
from collections.abc import Iterable

from lintmdb.report.html.visible_text import clipped, visible

__all__ = ["Child", "Markup", "clipped", "element", "escaped", "joined", "visible"]

_VOID = frozenset({"meta", "path", "rect"})
"""Elements without content; closed, because those of SVG would hold what follows them."""


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


Child = str | int | None
"""A string is escaped, Markup is not; None is left out."""


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
