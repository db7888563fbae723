"""Names for queues that a repair defines: derived from a name that is there, and taken by no other queue."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Collection

BACKOUT = "BACKOUT"
DEAD_LETTER = "DEAD"
_LONGEST_NAME = 48
_RESERVED = "SYSTEM."
"""Names that begin so are the product's own."""


def free_name(name: str, ending: str, taken: Collection[str]) -> str:
    """A name with an ending that no queue has: ``A.BACKOUT``, or with a number behind it, ``A.BACKOUT.2``.

    Names that differ in case only count as one, so that nobody takes one for the other. ``taken`` is in upper case.
    """
    base = name.removeprefix(_RESERVED) or name
    for number in itertools.count(1):
        found = _extended(base, f".{ending}" if number == 1 else f".{ending}.{number}")
        if found.upper() not in taken:
            return found
    raise AssertionError


def _extended(name: str, ending: str) -> str:
    """A name with an ending, cut to what MQ allows; two names that are cut stay two."""
    room = _LONGEST_NAME - len(ending)
    if len(name) <= room:
        return name + ending
    mark = f".{zlib.crc32(name.encode()) & 0xFFFF:04X}"
    return name[: room - len(mark)] + mark + ending
