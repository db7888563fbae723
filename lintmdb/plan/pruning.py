"""Pruning: what a search took on the way and no finding needs any more goes away.

A dive joins alternatives one after the other, so a later one can make an earlier one pointless: messages are allowed on
a backout queue, and then another queue becomes the backout queue. Only such changes are tried, because trying costs as
much as searching; where the search ended early, all others are tried, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lintmdb.engine.flow_rows import FlowRows
from lintmdb.plan.choices import Changes, Choice
from lintmdb.plan.things import changed_things, things
from lintmdb.settings.changes import Change, Definition, Slot, Target, slots

_MOST_TRIED = 24


@dataclass(slots=True)
class Pruning:
    """Asks for sets without some of the changes, one after the other."""

    changes: Changes
    """The smallest set so far."""
    _groups: list[frozenset[Change]] = field(default_factory=list[frozenset[Change]])
    _tried: int = 0
    _needed: list[frozenset[Change]] = field(default_factory=list[frozenset[Change]])
    """Those that could not go while the set was larger."""

    def next(self) -> Changes | None:
        """The set to judge next; None where nothing more can go."""
        while self._groups and self._tried < _MOST_TRIED:
            rest = tuple(change for change in self.changes if change not in self._groups[0])
            if len(rest) < len(self.changes):
                return rest
            self._groups.pop(0)
        return None

    def tell(self, kept: Changes | None) -> None:
        """What ``next`` gave is as good as before (``kept``), or not."""
        self._tried += 1
        group = self._groups.pop(0)
        if kept is not None:
            self.changes = kept
            self._groups += self._needed  # what one of them was needed for may be gone
            self._needed = []
        elif len(group) > 1:
            self._groups[:0] = _parts(group, self.changes)
        else:
            self._needed.append(group)


def start_pruning(
    changes: Changes, wanted: Iterable[Choice], flows: Sequence[FlowRows], *, every: bool = False
) -> Pruning:
    """Begin with the changes that may be needless: ``wanted`` are the findings that the search set out to end, and
    ``flows`` what the flows are with all changes. Where a set holds two alternatives for a finding, either may go; so
    may what ends a finding that a change for what came up later may end, too, and what a server needs for its flows,
    because another change may have lowered what one of them needs. With ``every`` all others may go, too.
    """
    made = {place for change in changes for place in slots(change)}
    wanted = list(wanted)
    first = {place for each in wanted for _, way in each.alternatives for change in way for place in slots(change)}
    later = [change for change in changes if first.isdisjoint(slots(change))]
    asked: set[Slot] = set()
    for choice in (choice for choice in wanted if choice.finding.rule.subject != "server"):
        if choice.may_end_by(later):
            continue
        offered = [{place for change in each for place in slots(change)} for _, each in choice.alternatives]
        whole = [places for places in offered if places <= made]
        asked |= set[Slot].intersection(*whole) if whole else set().union(*offered)
    met = {thing for rows in flows for thing in things(rows)}
    needless = [c for c in changes if asked.isdisjoint(slots(c)) or met.isdisjoint(changed_things(c))]
    groups = [frozenset(needless)] if needless else []
    if every:
        groups += _parts(frozenset(changes).difference(needless), changes)
    return Pruning(changes, groups)


def _parts(group: frozenset[Change], changes: Changes) -> list[frozenset[Change]]:
    """A group by object, or one by one where it is of one object; what is defined comes after what names it."""
    by_target: dict[Target, list[Change]] = {}
    for change in reversed([change for change in changes if change in group]):
        by_target.setdefault(change.target, []).append(change)
    parts = (
        list(by_target.values())
        if len(by_target) > 1
        else [[change] for found in by_target.values() for change in found]
    )
    return [frozenset(part) for part in sorted(parts, key=lambda part: any(isinstance(c, Definition) for c in part))]
