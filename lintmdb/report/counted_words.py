"""Numbers in sentences: 1 flow, 1,204 flows."""

from __future__ import annotations


def counted_words(count: int, one: str, more: str = "") -> str:
    """A number and what it counts: 1 flow, 1,204 flows."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"
