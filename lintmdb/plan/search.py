"""The search in one component: the cheapest set of changes that leaves nothing to repair and makes nothing worse."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from lintmdb.engine.findings import Finding
from lintmdb.engine.repairs import find_alternatives
from lintmdb.plan.policy import FREE, Cost, Policy, price
from lintmdb.rules.rule import severity_rank
from lintmdb.settings.changes import Change, merge

Changes: TypeAlias = tuple[Change, ...]


class Tried(NamedTuple):
    """What judging says of one set of changes."""

    findings: Sequence[Finding]
    """All findings of the component that are left."""
    harmless: bool
    """Nothing became worse."""


class _Open(NamedTuple):
    """A set of changes that may be tried, in the order in which that happens."""

    cost: Cost
    order: int
    changes: Changes
    preference: int


@dataclass(slots=True)
class Solution:
    """What a search found."""

    changes: Changes = ()
    cost: Cost = FREE
    complete: bool = False
    """Nothing is left that an allowed repair could take away."""
    left: Sequence[Finding] = ()
    """Findings of the wanted severity that are left."""
    states: int = 0
    """How many sets of changes were judged."""


@dataclass(slots=True)
class Search:
    """A search that asks for one set of changes at a time, so that the components of an estate are judged together.

    Sets are tried from the cheapest to the dearest, and a set grows by one alternative of one finding that it leaves:
    the first set that leaves nothing to repair and makes nothing worse is the cheapest one. A first guess, the
    preferred alternative for every finding, bounds the cost from above.
    """

    policy: Policy
    solution: Solution = field(default_factory=Solution)
    _open: list[_Open] = field(default_factory=list[_Open])
    _seen: set[frozenset[Change]] = field(default_factory=set[frozenset[Change]])
    _orders: int = 0

    def start(self, findings: Sequence[Finding]) -> None:
        """Begin with what was found without any change."""
        self.solution.left = self._wanted(findings)
        self.solution.complete = not self._repairable(findings)
        if not self.solution.complete:
            self._seen.add(frozenset())
            self._grow((), 0, findings)
            self._add(self._guess(findings), len(findings))

    def next(self) -> Changes | None:
        """The changes to judge next; None where the search is over."""
        while self._open and self.solution.states < self.policy.most_states:
            best = self._open[0]
            if self.solution.complete and best.cost >= self.solution.cost:
                return None
            return best.changes
        return None

    def tell(self, tried: Tried) -> None:
        """What judging says of the changes that ``next`` gave."""
        node = heapq.heappop(self._open)
        self.solution.states += 1
        repairable = self._repairable(tried.findings)
        if tried.harmless and self._is_better(tried.findings, complete=not repairable, cost=node.cost):
            left = self._wanted(tried.findings)
            self.solution = Solution(node.changes, node.cost, not repairable, left, self.solution.states)
        self._grow(node.changes, node.preference, tried.findings)

    def _is_better(self, findings: Sequence[Finding], *, complete: bool, cost: Cost) -> bool:
        if complete != self.solution.complete:
            return complete
        if complete:
            return cost < self.solution.cost
        return (_weight(self._wanted(findings)), cost) < (_weight(self.solution.left), self.solution.cost)

    def _grow(self, changes: Changes, preference: int, findings: Sequence[Finding]) -> None:
        for finding in self._repairable(findings):
            for place, alternative in self._allowed(finding):
                merged = merge(changes, alternative)
                if merged is not None:
                    self._add(merged, preference + place)

    def _guess(self, findings: Iterable[Finding]) -> Changes:
        """The preferred alternative for every finding, as far as they go together."""
        changes: Changes = ()
        for finding in self._repairable(findings):
            for _, alternative in self._allowed(finding):
                merged = merge(changes, alternative)
                if merged is not None:
                    changes = merged
                    break
        return changes

    def _add(self, changes: Changes, preference: int) -> None:
        key = frozenset(changes)
        if key not in self._seen:
            self._seen.add(key)
            self._orders += 1
            heapq.heappush(self._open, _Open(price(changes, preference), self._orders, changes, preference))

    def _wanted(self, findings: Iterable[Finding]) -> list[Finding]:
        return [finding for finding in findings if self.policy.wants_gone(finding.rule.severity)]

    def _repairable(self, findings: Iterable[Finding]) -> list[Finding]:
        return [finding for finding in self._wanted(findings) if self._allowed(finding)]

    def _allowed(self, finding: Finding) -> list[tuple[int, Changes]]:
        found = find_alternatives(finding.rule, finding.rows)
        return [(place, changes) for place, changes in enumerate(found) if self.policy.allows(changes)]


def _weight(findings: Sequence[Finding]) -> tuple[int, ...]:
    """How bad what is left is: the number of errors, then of warnings, then of the rest."""
    ranks = [severity_rank(finding.rule.severity) for finding in findings]
    return tuple(ranks.count(rank) for rank in range(3))
