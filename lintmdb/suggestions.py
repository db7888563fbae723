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


_MOST_NAMES = 10
