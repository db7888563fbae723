"""Leaves out rounds of deliveries that are all alike, because BOTHRESH and limits of endpoints go up to 999999999.

What happens in a round depends on the numbers of a run only where one of them meets a boundary, such as BOTHRESH. As
long as every round adds the same to each of them, and none is near a boundary, the next round does the same again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lintmdb.delivery.message import Message

FULL_ROUNDS = 200
"""So many rounds are told in full before any are left out."""


class Position(NamedTuple):
    """Where a run stands before a round."""

    messages: tuple[Message, ...]
    fixed: tuple[object, ...]
    """What has to be the same before each round."""
    bounded: tuple[int, ...]
    """The numbers that meet boundaries; those of the messages first."""
    free: tuple[int, ...]
    """The numbers that only count."""


class Leaps:
    """Watches the rounds of one run. ``boundaries`` are the numbers that make a difference when one is reached."""

    def __init__(self, boundaries: Iterable[int]) -> None:
        self._boundaries = tuple(boundaries)
        self._rounds = 0
        self._last: list[Position] = []

    def is_due(self) -> bool:
        """Count a round; whether its position is asked for."""
        self._rounds += 1
        return self._rounds > FULL_ROUNDS

    def find(self, position: Position) -> tuple[int, Sequence[int], Sequence[int]]:
        """How many of the next rounds are like the last two, and what each adds to the bounded and the free numbers."""
        self._last = [*self._last[-2:], position]
        if len(self._last) < 3:
            return 0, (), ()
        first, second, third = self._last
        steps, before = _steps(second, third), _steps(first, second)
        if steps is None or steps != before:
            return 0, (), ()
        bounded, free = steps
        count = min(
            (
                self._free_rounds(number, step)
                for number, step in zip(position.bounded, bounded, strict=True)
                if step != 0
            ),
            default=0,
        )
        if count > 0:
            self._last.clear()
        return max(count, 0), bounded, free

    def _free_rounds(self, number: int, step: int) -> int:
        """The rounds for which a number stays away from every boundary; 0 where it is near one or never meets one."""
        if step < 0:
            return 0
        near = 2 * step + 2
        if any(abs(boundary - number) <= near for boundary in self._boundaries):
            return 0
        ahead = [boundary for boundary in self._boundaries if boundary > number]
        # Beyond all boundaries a run ends by itself: a state comes back.
        return (min(ahead) - number - near) // step if ahead else 0


def _steps(before: Position, after: Position) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """What a round added to each number; None where it changed more than numbers."""
    if before.fixed != after.fixed or len(before.messages) != len(after.messages):
        return None
    if any(old is not new for old, new in zip(before.messages, after.messages, strict=True)):
        return None
    return (
        tuple([new - old for old, new in zip(before.bounded, after.bounded, strict=True)]),
        tuple([new - old for old, new in zip(before.free, after.free, strict=True)]),
    )
