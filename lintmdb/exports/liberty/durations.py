"""Durations as Liberty writes them: ``2m``, ``1m30s``, ``500ms``, or a bare number of some unit."""

from __future__ import annotations

import re

_PART = re.compile(r"(\d{1,19})\s*(ms|[dhms])\s*", re.IGNORECASE | re.ASCII)
_WHOLE = re.compile(rf"\s*(?:{_PART.pattern})+\Z", re.IGNORECASE | re.ASCII)
_MILLISECONDS = {"d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1}


def plain_number(text: str, unit_ms: int) -> str:
    """A duration as a number of units, as the product rounds it: down. A text that is none stays as it is."""
    if not _WHOLE.match(text):
        return text
    total = sum(int(number) * _MILLISECONDS[unit.lower()] for number, unit in _PART.findall(text))
    return str(total // unit_ms)
