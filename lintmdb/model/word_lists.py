"""Lists of words as a sentence has them."""

from __future__ import annotations

from collections.abc import Sequence


def listed(words: Sequence[str]) -> str:
    """``A``, ``A and B``, ``A, B and C``; blank without any."""
    *most, last = words or ("",)
    return f"{', '.join(most)} and {last}" if most else last
