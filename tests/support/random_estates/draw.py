"""Weighted choices of one random generator."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

_T = TypeVar("_T")


class Draw:
    """Draws from one seed. Asked in the same order, it gives the same answers."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(seed)

    def chance(self, probability: float) -> bool:
        """True with a probability."""
        return self.random.random() < probability

    def one(self, values: Sequence[_T]) -> _T:
        """One of some values, all alike."""
        return values[self.random.randrange(len(values))]

    def weighted(self, weights: Mapping[_T, float]) -> _T:
        """One of the keys, by its weight."""
        return self.random.choices(tuple(weights), tuple(weights.values()))[0]

    def some(self, values: Iterable[_T], probability: float) -> list[_T]:
        """Each of some values with a probability, in their order."""
        return [value for value in values if self.chance(probability)]

    def shuffled(self, values: Iterable[_T]) -> list[_T]:
        """The values in another order."""
        found = list(values)
        self.random.shuffle(found)
        return found
