"""Phrases that differ in numbers alone as one: ``12 sessions`` and ``15 sessions`` are ``12 to 15 sessions``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(r"(?<![\w.])[1-9]\d*(?![\w.])")
"""A whole number by itself, and no part of a name or a version. 0 often switches something off: it stays apart."""


def merge_numbers(phrases: Iterable[str]) -> dict[str, str]:
    """For each phrase the one that stands for all that differ from it in numbers alone."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for phrase in dict.fromkeys(phrases):
        alike.setdefault(tuple(_NUMBER.split(phrase)), []).append(phrase)
    return {phrase: _merged(parts, members) for parts, members in alike.items() for phrase in members}


def _merged(parts: Sequence[str], members: Sequence[str]) -> str:
    columns = zip(*(map(int, _NUMBER.findall(member)) for member in members), strict=True)
    ranges = [_range(column) for column in columns]
    return "".join(text for pair in zip(parts, [*ranges, ""], strict=True) for text in pair)


def _range(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"
