"""Names that are one slip of the hand apart: a letter too many, too few or wrong, or two that changed places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from lintmdb.suggestions import is_slip

Index: TypeAlias = dict[tuple[int, str, str], list[str]]
"""Names by their length and one half of them; the other half is blank."""


def index_names(names: Iterable[str]) -> Index:
    """An index for ``find_near``, which looks at few names then: a slip leaves one half of a name as it is."""
    index: Index = {}
    for name in names:
        half = len(name) // 2
        index.setdefault((len(name), name[:half], ""), []).append(name)
        index.setdefault((len(name), "", name[half:]), []).append(name)
    return index


def find_near(name: str, index: Index) -> str | None:
    """The only indexed name that one slip turns into this one; None where there are several.

    Digits count things, so names that differ in a digit differ on purpose. A difference in case alone is no slip.
    """
    found = find_all_near(name, index)
    return found.pop() if len(found) == 1 else None


def find_all_near(name: str, index: Index) -> set[str]:
    """The indexed names that one slip turns into this one."""
    return {candidate for candidate in _candidates(name, index) if is_slip(name, candidate)}


def _candidates(name: str, index: Index) -> Iterator[str]:
    for length in (len(name) - 1, len(name), len(name) + 1):
        half = length // 2
        yield from index.get((length, name[:half], ""), ())
        yield from index.get((length, "", name[len(name) - (length - half) :]), ())
