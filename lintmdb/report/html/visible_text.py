"""Text of exports as a page may show it: nothing in it is invisible, and none of it is endless."""

from __future__ import annotations

import unicodedata

_KEPT = "\n "
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})


def visible(text: str) -> str:
    """Text with control, format and unassigned characters spelled out: they may neither hide nor reorder anything."""
    if text.isprintable() or text.replace("\n", "").isprintable():
        return text
    return "".join(
        char if char in _KEPT or unicodedata.category(char) not in _HIDDEN else _spelled(char) for char in text
    )


def _spelled(char: str) -> str:
    return f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}"


def clipped(text: str | None, limit: int) -> str:
    """At most ``limit`` characters, the last one an ellipsis where some are left out; blank for None."""
    text = text or ""
    return text if len(text) <= limit else text[: limit - 1] + "…"
