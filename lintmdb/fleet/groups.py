"""Things that belong together, directly or by others: whatever is judged or planned as one."""

from __future__ import annotations

from collections.abc import Hashable


class Groups:
    """Things that belong together, directly or by others."""

    def __init__(self) -> None:
        self._parents: dict[Hashable, Hashable] = {}

    def root(self, thing: Hashable) -> Hashable:
        """What stands for all that belong together."""
        path: list[Hashable] = []
        while (parent := self._parents.get(thing, thing)) != thing:
            path.append(thing)
            thing = parent
        for passed in path:
            self._parents[passed] = thing
        return thing

    def join(self, one: Hashable, other: Hashable) -> None:
        """Make two belong together."""
        self._parents[self.root(one)] = self.root(other)
