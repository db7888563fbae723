"""Names for queues that a repair defines: derived from a name that is there, and taken by no other queue."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Collection

BACKOUT_NAME = "{queue}.BACKOUT"
"""How a backout queue is called where a team does not say how."""
DEAD_LETTER_NAME = "{queue_manager}.DEAD"
"""The same of dead-letter queues."""
_LONGEST_NAME = 48
_RESERVED = "SYSTEM."
"""Names that begin so are the product's own."""


def free_name(
    name: str, pattern: str, taken: Collection[str], named: str = "", is_meant: Callable[[str], bool] | None = None
) -> str:
    """The name that a pattern with ``{queue}`` or ``{queue_manager}`` makes of another, and that no queue has:
    ``A.BACKOUT``, or with a number behind it, ``A.BACKOUT.2``.

    Names that differ in case only count as one, so that nobody takes one for the other. ``taken`` is in upper case, and
    ``named`` is one more name that is taken, and so is each that ``is_meant`` to be a queue that nobody sees here.
    """
    base = name.removeprefix(_RESERVED) or name
    before, _, after = pattern.partition("{queue_manager}" if "{queue_manager}" in pattern else "{queue}")
    for number in itertools.count(1):
        found = _extended(before, base, after if number == 1 else f"{after}.{number}")
        if found.upper() in taken or found.upper() == named.upper():
            continue
        if is_meant is None or not is_meant(found):
            return found
    raise AssertionError


def _extended(before: str, name: str, after: str) -> str:
    """A name between two texts, cut to what MQ allows; two names that are cut stay two."""
    room = _LONGEST_NAME - len(before) - len(after)
    if len(name) <= room:
        return before + name + after
    mark = f".{zlib.crc32(name.encode()) & 0xFFFF:04X}"
    return before + name[: room - len(mark)] + mark + after
