"""Whether work takes a time in proportion to its size."""

from __future__ import annotations

import time
from collections.abc import Callable

_TIMES = 4
_SLACK = 2.5
"""Four times the size may take ten times as long: caches get colder, and the machine is busy. Work whose time grows
with the square of its size takes sixteen times as long.
"""


def assert_in_proportion(work: Callable[[int], object], size: int) -> None:
    """``work`` of four times a size takes no more than ten times the processor time; a second try may show it, too."""
    took = [(_seconds(work, size), _seconds(work, size * _TIMES))]
    if not _is_fair(*took[0]):
        took.append((_seconds(work, size), _seconds(work, size * _TIMES)))
        assert _is_fair(*took[1]), took


def _is_fair(small: float, large: float) -> bool:
    return large < small * _TIMES * _SLACK


def _seconds(work: Callable[[int], object], size: int) -> float:
    start = time.process_time()
    work(size)
    return time.process_time() - start
