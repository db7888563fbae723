"""Names that are one slip of the hand apart: a letter too many, too few or wrong, or two that changed places; and names
that differ in the word for backout queue or dead-letter queue, or in how they call the input queue: ``ORDERS.IN.BOQ``
and ``ORDERS.BACKOUT``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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


_WORDS = (
    frozenset({"BO", "BOQ", "BQ", "BKO", "BKOUT", "BACKOUT", "BACKOUTQ", "BACKOUT.QUEUE", "BO.QUEUE", "BACKOUT.Q"}),
    frozenset(
        {
            "DLQ",
            "DEADQ",
            "DEAD",
            "DEAD.QUEUE",
            "DEAD.Q",
            "DEAD.LETTER",
            "DEAD.LETTER.QUEUE",
            "DEADLETTER",
            "DEADLETTERQ",
        }
    ),
)
"""How the names of backout queues and of dead-letter queues end, after the name of what they are for."""
Purpose: TypeAlias = tuple[int, str]
"""The place in _WORDS, and what the queue is for."""


def index_purposes(names: Iterable[str]) -> Mapping[Purpose, Sequence[str]]:
    """Names of backout queues and dead-letter queues by what they are for."""
    found: dict[Purpose, list[str]] = {}
    for name in names:
        if purpose := _find_purpose(name):
            found.setdefault(purpose, []).append(name)
    return found


def find_other_word(name: str, index: Mapping[Purpose, Sequence[str]]) -> str | None:
    """The only indexed name with another word for the same; None where there are several."""
    purpose = _find_purpose(name)
    if purpose is None:
        return None
    kind, whose = purpose
    for meant in ((whose,), _other_names(whose)):
        found = [each for base in meant for each in index.get((kind, base), ())]
        if found:
            return found[0] if len(found) == 1 and found[0] != name else None
    return None


_INPUT = ("IN", "INPUT", "REQ", "REQUEST", "QUEUE", "Q")
"""How the names of input queues end, which those of their backout queues may leave out."""


def _other_names(name: str) -> tuple[str, ...]:
    """What the name of a backout queue may call an input queue, beside its name: ``ORDERS`` of ``ORDERS.IN``."""
    before, _, last = name.rpartition(".")
    return (before,) if before and last.upper() in _INPUT else tuple(f"{name}.{word}" for word in _INPUT)


def _find_purpose(name: str) -> Purpose | None:
    """What a queue is for, by its name; None where the name is not like that of either kind."""
    parts = name.split(".")
    for count in range(1, len(parts)):
        last = ".".join(parts[count:]).upper()
        for number, words in enumerate(_WORDS):
            if last in words:
                return number, ".".join(parts[:count])
    return None
