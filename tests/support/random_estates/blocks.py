"""A text as a tree of parts that do not depend on each other's order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from tests.support.random_estates.draw import Draw


@dataclass(frozen=True, slots=True)
class Block:
    """A head, parts in any order, and a tail."""

    head: str = ""
    parts: tuple[Part, ...] = ()
    tail: str = ""

    @property
    def text(self) -> str:
        """The whole text."""
        return self.head + "".join(part if isinstance(part, str) else part.text for part in self.parts) + self.tail

    def shuffled(self, draw: Draw) -> Block:
        """The same with all parts in another order, inner parts too."""
        parts = [part if isinstance(part, str) else part.shuffled(draw) for part in self.parts]
        return replace(self, parts=tuple(draw.shuffled(parts)))

    def first_half(self) -> Block:
        """The first half of the parts, and no tail: a file that was cut off."""
        return replace(self, parts=self.parts[: len(self.parts) // 2], tail="")


Part: TypeAlias = "str | Block"
