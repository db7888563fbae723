"""The order in which the scripts of a plan are run.

Each queue manager and each cell has a script of its own, and until the last one has run the estate is in a state that
is neither the one before the plan nor the one after it. So these states are judged, too: no script may leave a flow
with a worse fate than it had before that script. Queue managers come first, because an endpoint that no longer stops
needs a queue that moves the message. Where that order does harm, others are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise, permutations
from typing import NamedTuple, TypeAlias

from lintmdb.delivery.fate import Fate
from lintmdb.plan.evaluation import FlowFate, FlowKey
from lintmdb.plan.part import judge_apart, take_part
from lintmdb.plan.policy import Policy
from lintmdb.plan.search import Solution
from lintmdb.plan.trial import Trial
from lintmdb.settings.changes import Change, Grant, Product

Place: TypeAlias = tuple[Product, str]
"""A product, and the queue manager or the cell among those of all environments."""

_MOST_PERMUTED = 4
"""Of so many scripts that depend on each other every order is tried."""
_MOST_MOVES = 6
"""Of more, so many scripts that do harm are tried as the first and as the last one."""


class Setback(NamedTuple):
    """A flow that a script leaves worse off than it was before that script."""

    place: Place
    """Whose script it is."""
    flow: FlowKey
    before: Fate
    after: Fate
    longest: bool = False
    """Only a message that is as long as the queue allows fares worse."""


@dataclass(frozen=True, slots=True)
class ScriptOrder:
    """In which order the scripts are run; they are undone in the reverse order."""

    places: tuple[Place, ...] = ()
    """Whose script is first, second ..."""
    after: Mapping[Place, tuple[Place, ...]] = field(default_factory=dict[Place, tuple[Place, ...]])
    """Whose scripts have to run before: those on which flows depend as well. A script without any has no entry."""
    setbacks: tuple[Setback, ...] = ()
    """None where each script leaves every flow at least as well off as it was."""
    exhaustive: bool = True
    """Whether every order was tried, where each has setbacks."""
    numbered: bool = True
    """Whether the place in the order says something: in a fleet most scripts have nothing to do with each other."""

    @property
    def counts(self) -> bool:
        """Whether people have to keep to the order, so that steps are numbered."""
        return self.numbered and bool(self.after)

    def only(self, wanted: Collection[Place]) -> ScriptOrder:
        """The order of some of the scripts."""
        after = {
            place: kept
            for place, before in self.after.items()
            if place in wanted and (kept := tuple([other for other in before if other in wanted]))
        }
        setbacks = tuple([setback for setback in self.setbacks if setback.place in wanted])
        return replace(self, places=tuple([p for p in self.places if p in wanted]), after=after, setbacks=setbacks)


class Worse(NamedTuple):
    """A fate that is worse than it was, and the one that it was."""

    before: Fate
    after: Fate
    longest: bool = False
    """It is that of a message as long as the queue allows, and others fare no worse."""


def find_worse(was: FlowFate, now: FlowFate, at_last: FlowFate | None = None) -> Worse | None:
    """What fares worse on a flow than it did. The longest message does not count where it fares as badly at last, with
    all changes: no order of the scripts spares it that.
    """
    if now.harm < was.harm:
        return Worse(was.fate, now.fate)
    if now.longest_harm < was.longest_harm and (at_last is None or now.longest_harm < at_last.longest_harm):
        return Worse(was.longest, now.longest, longest=True)
    return None


def place_of(change: Change) -> Place:
    """Whose script makes a change."""
    return change.target.product, change.target.place_key


def order_scripts(
    trial: Trial, policy: Policy, solutions: Sequence[Solution], after: Mapping[FlowKey, FlowFate]
) -> ScriptOrder:
    """The order of the scripts that make the changes of all components; ``after`` has the fates with all of them."""
    found = {place_of(change) for solution in solutions for change in solution.changes}
    order = sorted(found, key=lambda place: (place[0] != "mq", place[1]))
    shared = {number: own for number, each in enumerate(solutions) if len(own := _places(each)) > 1}
    if not shared:
        return ScriptOrder(tuple(order))
    between = _Between(trial, policy, solutions, shared, after)
    setbacks, exhaustive = between.setbacks(order), True
    for group in _groups(shared.values()):
        if any(setback.place in group for setback in setbacks):
            exhaustive = exhaustive and len(group) <= _MOST_PERMUTED
            order = _improve(between, order, group)
    setbacks = between.setbacks(order)
    needed: set[tuple[Place, Place]] = set()
    for group in _groups(shared.values()):
        own = [place for place in order if place in group]
        tied = {pair for places in shared.values() if group.issuperset(places) for pair in permutations(places, 2)}
        harmful = any(setback.place in group for setback in setbacks)
        needed |= tied.intersection(combinations(own, 2)) if harmful else needed_pairs(own, tied, between.harm)
        needed |= _after_unproven(solutions, shared).intersection(tied, combinations(own, 2))
    waits = {place: before for place in order if (before := tuple([o for o in order if (o, place) in needed]))}
    return ScriptOrder(tuple(order), waits, tuple(setbacks), exhaustive)


def _after_unproven(solutions: Sequence[Solution], shared: Mapping[int, Sequence[Place]]) -> set[tuple[Place, Place]]:
    """The pairs of places of which the first one grants rights that somebody may have already, for messages that are
    moved because of the second one: the model takes such rights for granted, so that no judged state tells.
    """
    return {
        (first, then)
        for number, places in shared.items()
        for first in {place_of(c) for c in solutions[number].changes if isinstance(c, Grant) and c.unproven}
        for then in places
        if then != first
    }


def needed_pairs(
    order: Sequence[Place], tied: Collection[tuple[Place, Place]], harm: Callable[[Sequence[Place]], object]
) -> set[tuple[Place, Place]]:
    """The pairs of places of which the first one has to be before the second: those of the ``tied`` ones that stand so
    in every order that does no more ``harm`` than the given one. Where these pairs allow an order that does more, or
    where there are too many orders to try, they are as in the given one.
    """
    given = {*combinations(order, 2)}
    if len(order) > _MOST_PERMUTED:
        return given.intersection(tied)
    orders = {each: {*combinations(each, 2)} for each in permutations(order)}
    least = harm(order)
    harmless = {each for each in orders if harm(each) == least}
    needed = given.intersection(*(orders[each] for each in harmless))
    allowed = {each for each, pairs in orders.items() if pairs >= needed}
    return (needed if allowed == harmless else given).intersection(tied)


def merge_orders(orders: Iterable[ScriptOrder]) -> ScriptOrder:
    """The orders of plans that share nothing as one."""
    every = list(orders)
    return ScriptOrder(
        tuple(place for order in every for place in order.places),
        {place: before for order in every for place, before in order.after.items()},
        tuple(setback for order in every for setback in order.setbacks),
        all(order.exhaustive for order in every),
        numbered=False,
    )


def _places(solution: Solution) -> list[Place]:
    """Whose scripts make the changes of a component, in the order of the changes."""
    return list(dict.fromkeys(map(place_of, solution.changes)))


def _groups(shared: Iterable[Sequence[Place]]) -> list[set[Place]]:
    """The places that components tie together, directly or by others."""
    groups: list[set[Place]] = []
    for places in shared:
        touched = [group for group in groups if not group.isdisjoint(places)]
        groups = [group for group in groups if group not in touched]
        groups.append(set(places).union(*touched))
    return groups


def _improve(between: _Between, order: Sequence[Place], group: set[Place]) -> list[Place]:
    """The order with the scripts of a group where they do the least harm, and the others where they were."""
    own = [place for place in order if place in group]
    if len(own) <= _MOST_PERMUTED:
        best = min(permutations(own), key=between.harm)  # the first one of several, which is nearest to the given one
        return _put(order, best)
    for _ in range(_MOST_MOVES):
        harmful = list(dict.fromkeys(setback.place for setback in between.setbacks(own)))
        moved = [made for place in harmful for made in _moves(own, place)]
        best = min([own, *moved], key=between.harm)
        if best is own:
            break
        own = best
    return _put(order, own)


def _moves(order: Sequence[Place], place: Place) -> Iterable[list[Place]]:
    rest = [other for other in order if other != place]
    return [place, *rest], [*rest, place]


def _put(order: Sequence[Place], own: Iterable[Place]) -> list[Place]:
    """The order with some of its places in another order among themselves."""
    chosen = list(own)
    turn = iter(chosen)
    return [next(turn) if place in chosen else place for place in order]


class _Between:
    """Judges what components are when some of their scripts have run, each state once."""

    def __init__(
        self,
        trial: Trial,
        policy: Policy,
        solutions: Sequence[Solution],
        shared: Mapping[int, Sequence[Place]],
        after: Mapping[FlowKey, FlowFate],
    ) -> None:
        self._solutions = solutions
        self._shared = shared
        self._after = after
        # No tick: what a search may judge is no concern of its proof.
        self._trial = Trial(trial.evaluator, trial.before, trial.fates, trial.components)
        first: dict[tuple[int, tuple[int, ...]], int] = {}
        self._like: dict[int, int] = {}
        """Components of one shape, whose changes are made by as many scripts, are judged once."""
        for number, places in shared.items():
            solution = solutions[number]
            pattern = tuple([places.index(place_of(change)) for change in solution.changes])
            like = number if solution.like is None else solution.like
            self._like[number] = first.setdefault((like, pattern), number)
        self._part = take_part(self._trial, sorted(first.values()), policy)
        self._known: dict[tuple[int, frozenset[int]], Sequence[FlowFate]] = {}
        """The fates of a component's flows by the places whose scripts have run, numbered in its own order."""

    def harm(self, order: Sequence[Place]) -> tuple[int, int]:
        """On how many flows a script leads to something worse than before the plan, and than before the script."""
        found = self._worse(order)
        fates = self._trial.fates
        return sum(find_worse(fates[each.flow], now) is not None for each, now in found), len(found)

    def setbacks(self, order: Sequence[Place]) -> list[Setback]:
        """The flows that some script leaves worse off, if scripts run in an order; components of other places are left
        out.
        """
        return [setback for setback, _ in self._worse(order)]

    def _worse(self, order: Sequence[Place]) -> list[tuple[Setback, FlowFate]]:
        """The same, each with the fate that the script leads to."""
        numbers = {place: number for number, place in enumerate(order)}
        runs = {
            number: sorted(range(len(places)), key=lambda index, own=places: numbers[own[index]])
            for number, places in self._shared.items()
            if numbers.keys() >= set(places)
        }
        self._judge(runs)
        found: list[tuple[Setback, FlowFate]] = []
        for number, run in runs.items():
            flows, places = self._trial.components[number].flows, self._shared[number]
            states = [
                [self._trial.fates[flow] for flow in flows],
                *(self._known[self._like[number], frozenset(run[:count])] for count in range(1, len(run))),
                [self._after[flow] for flow in flows],
            ]
            for index, (former, later) in zip(run, pairwise(states), strict=True):
                found += [
                    (Setback(places[index], flow, *worse), is_now)
                    for flow, was, is_now in zip(flows, former, later, strict=True)
                    if (worse := find_worse(was, is_now, self._after[flow])) is not None
                ]
        return sorted(found, key=lambda each: (numbers[each[0].place], each[0].after.group.rank))

    def _judge(self, runs: Mapping[int, Sequence[int]]) -> None:
        """Judge the states on the way that are not known, one of each component in each round."""
        waiting: dict[int, list[frozenset[int]]] = {}
        for number, run in runs.items():
            like = self._like[number]
            sets = [frozenset(run[:count]) for count in range(1, len(run))]
            known = waiting.setdefault(like, [])
            known += [done for done in sets if (like, done) not in self._known and done not in known]
        for turn in range(max(map(len, waiting.values()), default=0)):
            now = {number: sets[turn] for number, sets in waiting.items() if turn < len(sets)}
            asked = {
                number: tuple(
                    [
                        change
                        for change in self._solutions[number].changes
                        if self._shared[number].index(place_of(change)) in done
                    ]
                )
                for number, done in now.items()
            }
            for number, outcome in judge_apart(self._trial, self._part, asked).items():
                flows = self._trial.components[number].flows
                self._known[number, now[number]] = [outcome.fates.get(flow, self._trial.fates[flow]) for flow in flows]
