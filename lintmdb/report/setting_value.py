"""The position of the value in a setting as it is written: ``BOTHRESH(5)``, ``maxRetries="3"``."""

from __future__ import annotations

import re

from lintmdb.model.origins import Origin

_VALUE = re.compile(r"""=\s*"(?P<quoted>[^"]*)"|\((?P<mqsc>.*)\)\s*\Z""", re.DOTALL)


def value_span(place: Origin, text: str) -> tuple[int, int] | None:
    """First and last-plus-one position of the value in a place's text; None for a default, which is in no file."""
    match = _VALUE.search(text) if not place.default else None
    if match is None:
        return None
    return match.span(match.lastgroup or 0)
