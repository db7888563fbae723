"""How cheap a set of changes can still become: a cost that no set below it in the search undercuts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from lintmdb.plan.choices import Changes
from lintmdb.plan.policy import ASSUMED, Cost, Policy, restarted
from lintmdb.settings.capacity import reductions
from lintmdb.settings.changes import Change, slots

_T = TypeVar("_T", bound=Hashable)


class Way(NamedTuple):
    """An alternative of some finding."""

    place: int
    """Its place among the repairs of its rule."""
    changes: Changes


Ways: TypeAlias = Sequence[Way]
"""All that may end one finding: one of them has to be taken."""


def lowest_cost(changes: Changes, preference: int, needs: Iterable[Ways], policy: Policy) -> Cost:
    """A lower bound of the cost of all sets that contain ``changes`` and one way of each of ``needs``.

    What every way of a need has in common is counted for it. Of needs whose ways share no attribute, each asks for
    changes of its own.
    """
    needs = list(needs)
    owners, restarts = _forced(changes, needs, policy.who_agrees), _forced(changes, needs, restarted) - {None}
    have = {place for change in changes for place in slots(change)}
    taken = set(have)
    count, places = len(changes), preference
    for ways in sorted(needs, key=len):
        # A change of a whole cluster takes the place of one of its members, so only what is all new adds to the number.
        added = [[own for change in way.changes if have.isdisjoint(own := slots(change))] for way in ways]
        every = {place for way in ways for change in way.changes for place in slots(change)} - have
        if taken.isdisjoint(every):
            taken |= every
            count += min(map(len, added))
            places += min(way.place for way in ways)
    assumptions, places = divmod(places, ASSUMED)
    return Cost(reductions(changes), assumptions, len(owners), len(restarts), count, places)


def _forced(changes: Changes, needs: Iterable[Ways], key: Callable[[Change], _T]) -> set[_T]:
    """The keys of changes that have been chosen, and of those that no choice avoids."""
    keys = set(map(key, changes))
    for ways in needs:
        first, *others = [set(map(key, way.changes)) for way in ways]
        keys |= first.intersection(*others)
    return keys
