"""The search in one component: the cheapest set of changes that leaves nothing to repair and makes nothing worse.

A set of changes leaves findings. Whatever set goes on from there has to end each of them, so the search takes one of
them, the one that the fewest alternatives could end, and goes on with each of these alternatives, or without ending
it. Sets are judged in the order of the least that any set below them costs (``bounds``), so the first one that is done
is the cheapest. Before that a dive takes the preferred alternatives at once: a cost that others have to undercut, and
all that is tried where findings are many.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from lintmdb.engine.findings import Finding
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.plan.bounds import Way, Ways, lowest_cost
from lintmdb.plan.choices import Changes, Choice, FindingKey, Names, find_choices
from lintmdb.plan.dive import Dive
from lintmdb.plan.policy import FREE, Cost, Policy, price
from lintmdb.plan.pruning import Pruning, start_pruning
from lintmdb.plan.things import changed_things, things
from lintmdb.rules.rule import severity_rank
from lintmdb.settings.changes import Change, merge

Weight: TypeAlias = tuple[int, ...]
"""How many errors, warnings and others are left that a repair could have ended."""
_NOTHING: Weight = (0, 0, 0)
_MOST_CHOICES = 24
"""With more findings to repair than these, only the dive is tried."""
_FEW_CHOICES, _MOST_DIVES = 6, 10
"""With few findings the search is soon at its end, and the dive tries one set; else it tries some more."""


class Tried(NamedTuple):
    """What judging says of one set of changes."""

    findings: Sequence[Finding]
    """All findings of the component that are left."""
    harmed: Sequence[FlowRows] = ()
    """The flows on which something became worse."""
    flows: Sequence[FlowRows] = ()
    """All flows of the component, with the changes."""


@dataclass(slots=True)
class Solution:
    """What a search found."""

    changes: Changes = ()
    cost: Cost = FREE
    weight: Weight = _NOTHING
    """Of what is left."""
    states: int = 0
    """How many sets of changes were judged."""
    bounded: bool = False
    """The search ended because it had tried as many sets as it may, or because findings are too many to try all."""
    like: int | None = None
    """The number of the component that was searched in the place of this one, whose shape is the same."""

    @property
    def complete(self) -> bool:
        """Nothing is left that an allowed repair could take away."""
        return self.weight == _NOTHING


class _Node(NamedTuple):
    """A set of changes, in the order in which sets are tried."""

    weight: Weight
    """Of the findings that are given up."""
    bound: Cost
    """No complete set below it costs less."""
    order: int
    changes: Changes
    preference: int
    given_up: frozenset[FindingKey]


class _Judged(NamedTuple):
    """What is left to do about a set of changes."""

    choices: Sequence[Choice]
    harmed: Sequence[FlowRows]


@dataclass(slots=True)
class Search:
    """A search that asks for one set of changes at a time, so that the components of an estate are judged together."""

    policy: Policy
    others: Changes = ()
    """The changes of other components, with which its own are judged."""
    solution: Solution = field(default_factory=Solution)
    _dive: Dive = field(default_factory=Dive)
    _open: list[_Node] = field(default_factory=list[_Node])
    _known: dict[frozenset[Change], _Judged] = field(default_factory=dict[frozenset[Change], _Judged])
    _asked: Changes = ()
    _orders: int = 0
    _wanted: Sequence[Choice] = ()
    _names: Names = field(default_factory=Names)
    _best: tuple[int, Sequence[FlowRows]] = (0, ())
    """Of the solution: how far its alternatives are from the preferred ones, and the flows with its changes."""
    _pruning: Pruning | None = None

    def start(self, findings: Sequence[Finding]) -> None:
        """Begin with what was found without any change."""
        self._names = Names(findings)
        choices = self._wanted = find_choices(findings, self.policy)
        self.solution.weight = weigh(choices)
        if not choices:
            return
        self._known[frozenset()] = _Judged(choices, ())
        self._dive.start(choices, 1 if len(choices) <= _FEW_CHOICES else _MOST_DIVES)
        if len(choices) <= _MOST_CHOICES:
            self._push((), 0, choices, {})
        else:
            self.solution.bounded = True

    def next(self) -> Changes | None:
        """The changes to judge next; None where the search is over."""
        if self._pruning is None:
            asked = self._next_searched()
            if asked is not None:
                return asked
            found = self.solution
            self._pruning = start_pruning(found.changes, self._wanted, self._best[1], every=found.bounded)
        while (rest := self._pruning.next()) == ():  # what is found without any change is known
            self._pruning.tell(None)
        self._asked = rest or ()
        return rest

    def _next_searched(self) -> Changes | None:
        while self._has_more():
            self._asked = self._open[0].changes if self._dive.changes is None else self._dive.changes
            if self.solution.states >= self.policy.most_states:
                self.solution.bounded = True
                return None
            known = self._known.get(frozenset(self._asked))
            if known is None:
                return self._asked
            self._reprice()
            self._visit(known)
        return None

    def _reprice(self) -> None:
        """Where another way led to the solution, by alternatives that are preferred to those of the first, it costs
        less.
        """
        found, preference = self.solution, self._preference
        if set(self._asked) == set(found.changes):
            found.cost = min(found.cost, price(found.changes, preference, self.policy))
            self._best = min(self._best[0], preference), self._best[1]

    @property
    def _preference(self) -> int:
        """Of what was asked for."""
        return self._open[0].preference if self._dive.changes is None else self._dive.preference

    def tell(self, tried: Tried) -> None:
        """What judging says of the changes that ``next`` gave."""
        self.solution.states += 1
        made = (*self.others, *self._asked)
        judged = _Judged(find_choices(tried.findings, self.policy, self._names, made), tried.harmed)
        if self._pruning is not None:
            better = self._improves(judged, self._best[0], tried)
            self._pruning.tell(self._asked if better else None)
            return
        self._known[frozenset(self._asked)] = judged
        self._improves(judged, self._preference, tried)
        self._visit(judged)

    def _improves(self, judged: _Judged, preference: int, tried: Tried) -> bool:
        """Take what was asked for as the solution where it is better than the one so far."""
        found, weight, cost = self.solution, weigh(judged.choices), price(self._asked, preference, self.policy)
        if judged.harmed or (weight, cost) >= (found.weight, found.cost):
            return False
        found.changes, found.cost, found.weight = self._asked, cost, weight
        self._best = preference, tried.flows
        return True

    def _has_more(self) -> bool:
        if self._dive.changes is not None:
            return True
        found = self.solution
        return bool(self._open) and self._open[0][:2] < (found.weight, found.cost)

    def _visit(self, judged: _Judged) -> None:
        if self._dive.changes is not None:
            self._dive.go_on(judged.choices, judged.harmed)
        else:
            self._grow(heapq.heappop(self._open), judged)

    def _grow(self, node: _Node, judged: _Judged) -> None:
        """Add the sets that go on from a set."""
        choices = [choice for choice in judged.choices if not choice.keys <= node.given_up]
        given_up = {choice.key: choice for choice in judged.choices if choice.keys <= node.given_up}
        if not choices or _stays_harmed(judged):
            return
        offered = _offers(judged.choices)
        ways = {choice.key: _ways(choice, offered, node.changes) for choice in choices}
        chosen = min(choices, key=lambda choice: len(ways[choice.key]))
        for way in ways[chosen.key]:
            merged = merge(node.changes, way.changes, raising=True)
            if merged is not None and len(merged) and set(merged) != set(node.changes):
                others = [c for c in choices if c is not chosen and not c.may_end_by(way.changes)]
                self._push(merged, node.preference + way.place, others, given_up, offered)
        others = [choice for choice in choices if choice is not chosen]
        self._push(node.changes, node.preference, others, {**given_up, chosen.key: chosen}, offered)

    def _push(
        self,
        changes: Changes,
        preference: int,
        choices: Iterable[Choice],
        given_up: dict[FindingKey, Choice],
        offered: Ways = (),
    ) -> None:
        """Add a set to those that may be tried; ``choices`` are left whatever judging says of it."""
        needs: list[Ways] = []
        for choice in choices if offered else ():
            ways = _ways(choice, offered, changes)
            if ways:
                needs.append(ways)
            else:
                given_up = {**given_up, choice.key: choice}
        self._orders += 1
        bound = lowest_cost(changes, preference, needs, self.policy)
        names = frozenset[FindingKey]().union(*[choice.keys for choice in given_up.values()])
        node = _Node(weigh(given_up.values()), bound, self._orders, changes, preference, names)
        heapq.heappush(self._open, node)


def _offers(choices: Iterable[Choice]) -> list[Way]:
    """All alternatives of some findings, those that several share once."""
    offered: dict[frozenset[Change], Way] = {}
    for choice in choices:
        for place, changes in choice.alternatives:
            known = offered.get(frozenset(changes))
            if known is None or place < known.place:
                offered[frozenset(changes)] = Way(place, changes)
    return list(offered.values())


def _ways(choice: Choice, offered: Iterable[Way], changes: Changes) -> list[Way]:
    """What may end a finding after some changes. Only where nothing else may, a number that they give to a setting is
    raised: a threshold of the queue that grows asks for a higher limit of its readers.
    """
    ways = [way for way in offered if choice.may_end_by(way.changes)]
    fitting = [way for way in ways if merge(changes, way.changes) is not None]
    return fitting or [way for way in ways if merge(changes, way.changes, raising=True) is not None]


def _stays_harmed(judged: _Judged) -> bool:
    """Whether some flow is worse off and no alternative of what is left touches it."""
    changed = {
        thing
        for choice in judged.choices
        for _, changes in choice.alternatives
        for change in changes
        for thing in changed_things(change)
    }
    return any(changed.isdisjoint(things(rows)) for rows in judged.harmed)


def weigh(choices: Iterable[Choice]) -> Weight:
    """How bad it is to leave some findings. Those of the members of a cluster weigh as much as that of the cluster
    did which they go on with, and the other way round.
    """
    ranks = {key: severity_rank(choice.finding.rule.severity) for choice in choices for key in choice.keys}
    weights = list(ranks.values())
    return tuple(weights.count(rank) for rank in range(3))
