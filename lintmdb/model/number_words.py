"""What is wrong with a value that should be a number, in words."""

from __future__ import annotations

import re

_WHOLE = re.compile(r"\s*[+-]?\d+\s*\Z", re.ASCII)


def number_fault(text: str, low: int, high: int) -> str:
    """What a value is that is no number from ``low`` to ``high``: ``outside 0 to 9``, ``not a whole number from 0 to
    9``.
    """
    return f"{'outside' if _WHOLE.match(text) else 'not a whole number from'} {low} to {high}"
