"""What a user may have meant by a name that nothing has."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


def closest(word: str, names: Iterable[str]) -> str:
    """The name that a user may have meant by a word; blank where none is near. Case counts least."""
    by_letters = {name.casefold(): name for name in sorted(names, reverse=True)}
    close = difflib.get_close_matches(word.casefold(), by_letters, 1)
    return by_letters[close[0]] if close else ""


def some_names(names: Sequence[str]) -> str:
    """The first names of a list, and how many more there are."""
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def is_slip(one: str, other: str) -> bool:
    """Whether one slip of the hand turns a name into another: a letter too many, too few or wrong, or two that changed
    places. Digits count things, and a difference in case alone is no slip.
    """
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(one), len(other)) - start and one[-1 - end] == other[-1 - end]:
        end += 1
    left, right = one[start : len(one) - end], other[start : len(other) - end]
    changed = left + right
    if left.upper() == right.upper() or any(character.isdigit() for character in changed):
        return False
    return max(len(left), len(right)) == 1 or (len(left) == 2 and left == right[::-1])


_MOST_NAMES = 10
