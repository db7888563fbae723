"""A plan for an estate: its components, searched in rounds so that each round judges the estate once, and the proof."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lintmdb.engine.findings import Notice
from lintmdb.model.environment_names import key_of
from lintmdb.plan.choices import Changes, Names, find_choices
from lintmdb.plan.cluster_members import name_members
from lintmdb.plan.companions import find_reasons
from lintmdb.plan.components import split
from lintmdb.plan.evaluation import (
    Evaluator,
    State,
    flow_key,
    weighed_fate,
    worse,
    worst_later,
)
from lintmdb.plan.needed_rights import find_needless
from lintmdb.plan.newly_moved import find_grants, note_rights
from lintmdb.plan.owner_choices import raise_choices
from lintmdb.plan.planned import Plan, Withheld
from lintmdb.plan.policy import Policy
from lintmdb.plan.record_places import RecordPlaces
from lintmdb.plan.script_order import find_worse, order_scripts
from lintmdb.plan.search import Solution, weigh
from lintmdb.plan.solving import run_searches, solve_alike
from lintmdb.plan.stalled_endpoints import note_later_restarts, note_restarts
from lintmdb.plan.tied_changes import find_tied, note_spare
from lintmdb.plan.trial import Trial, merge_all
from lintmdb.plan.worse_readers import note_worse_readers
from lintmdb.settings.changes import folded, merge


def make_plan(
    evaluator: Evaluator,
    policy: Policy,
    tick: Callable[[int], None] | None = None,
    *,
    with_readers: bool = False,
) -> Plan:
    """The plan for an estate. ``tick`` is called with the number of each round. ``with_readers`` its changes know on
    which queues messages fare worse with the rights of those who may read: that takes a judgement for each of them.
    """
    policy = replace(policy, full=evaluator.were_full())
    before = evaluator.judge(())
    fates = {flow_key(head): weighed_fate(head) for head in before.judgement.flows}
    components = split(before.judgement)
    trial = Trial(evaluator, before, fates, components, tick)
    solutions = solve_alike(trial, policy)
    after = _settle_rights(trial, policy, solutions, _prove(trial, policy, solutions))
    note_rights(trial, policy, solutions, after)
    readers_before = functools.cache(functools.partial(evaluator.possible_readers, (), before))
    made = merge_all(solution.changes for solution in solutions)
    readers = functools.cache(functools.partial(evaluator.possible_readers, made, after))
    if with_readers:
        note_worse_readers(solutions, before, readers_before, readers)
    note_restarts(trial, solutions, after)
    for solution in solutions:
        solution.changes = name_members(folded(solution.changes), evaluator.unchanged())
    fates_after = fates | {key: weighed_fate(head) for key, head in worst_later(before, after).items()}
    order = order_scripts(trial, policy, solutions, fates_after)
    note_later_restarts(solutions, order)
    tied = find_tied(trial, policy, solutions, fates_after)
    note_spare(trial, policy, solutions, tied, fates_after)
    changes = merge_all(solution.changes for solution in solutions)
    plan = Plan(
        changes,
        before,
        after,
        {key: each.fate for key, each in fates.items()},
        {key: each.fate for key, each in fates_after.items()},
        list(zip(components, solutions, strict=True)),
        policy,
        _judge_withheld(trial, policy, solutions, after),
        find_reasons(trial, policy, solutions, after, fates_after),
        order,
        {key: worse for key, was in fates.items() if (worse := find_worse(was, fates_after[key])) and worse.longest},
        [*_on_queues(evaluator.told_elsewhere(changes), after, policy)],
        tied,
        [*_on_queues(evaluator.told_elsewhere(()), after, policy)],
        evaluator.descriptions,
        RecordPlaces(evaluator.exports),
        readers=readers,
        readers_before=readers_before,
    )
    return replace(plan, raised_choices=raise_choices(plan, evaluator))


def _on_queues(notices: Iterable[Notice], after: State, policy: Policy) -> Iterator[Notice]:
    """The notices about queues that messages are moved to from the queues that a plan is for."""
    if not policy.queues:
        yield from notices
        return
    names: set[tuple[str, str | None]] = set()
    for head in (*after.judgement.flows, *after.judgement.unread):
        for target in (head.rows.backout, head.rows.dead_letter) if policy.is_about(head.rows) else ():
            if target is not None:
                place = key_of(target.environment, target.queue_manager)
                names |= {(place, target.name), (place, target.local_queue)}
    for notice in notices:
        if (key_of(notice.environment, notice.queue_manager or ""), notice.object) in names:
            yield notice


def _judge_withheld(trial: Trial, policy: Policy, solutions: Sequence[Solution], after: State) -> Withheld | None:
    """What becomes worse with the preferred repairs of what stays; None where no repair was refused for its harm."""
    numbers = [number for number, solution in enumerate(solutions) if not solution.complete]
    if not numbers:
        return None
    changes = merge_all(solution.changes for solution in solutions)
    for choice in find_choices(after.judgement.findings, policy):
        _, preferred = choice.alternatives[0]
        changes = merge(changes, preferred) or changes
    later = trial.evaluator.judge(changes)
    touched = {key for number in numbers for key in trial.components[number].flows}
    return Withheld(worse(trial.before, later, trial.fates, touched), later)


def _prove(trial: Trial, policy: Policy, solutions: list[Solution]) -> State:
    """Judge all changes together. A component that comes out worse than its search said is searched again, with the
    changes of all others made; one that still does gives its changes up.
    """
    after, wrong = _check(trial, policy, solutions)
    if wrong:
        others = merge_all(solution.changes for number, solution in enumerate(solutions) if number not in wrong)
        for number, solution in run_searches(trial, policy, sorted(wrong), others).items():
            solutions[number] = solution
        after, wrong = _check(trial, policy, solutions)
    while wrong:
        for number in wrong:
            weight = weigh(find_choices(trial.components[number].findings, policy))
            solutions[number] = Solution(weight=weight, states=solutions[number].states)
        after, wrong = _check(trial, policy, solutions)
    return after


def _settle_rights(trial: Trial, policy: Policy, solutions: Sequence[Solution], after: State) -> State:
    """Add the grants on queues that messages are newly moved to, and drop the rights that nothing needs any more, each
    where it does no harm; the estate with that.
    """
    after = _replace(trial, policy, solutions, after, find_grants(trial, policy, solutions, after))
    return _replace(trial, policy, solutions, after, find_needless(solutions, after))


def _replace(
    trial: Trial, policy: Policy, solutions: Sequence[Solution], after: State, replaced: Mapping[int, Changes]
) -> State:
    """Give solutions, by their numbers, other changes, where these do no harm; the estate with what is chosen."""
    if not replaced:
        return after
    former = {number: solutions[number].changes for number in replaced}
    for number, changes in replaced.items():
        solutions[number].changes = changes
    later, wrong = _check(trial, policy, solutions)
    if not wrong:
        return later
    for number, changes in former.items():
        solutions[number].changes = changes
    return after


def _check(trial: Trial, policy: Policy, solutions: Sequence[Solution]) -> tuple[State, set[int]]:
    """The estate with all changes, and the components that change something and are worse than their solutions say."""
    asked = {number: solution.changes for number, solution in enumerate(solutions) if solution.changes}
    if not asked:
        return trial.before, set()
    after, tried = trial.judge(asked)
    wrong: set[int] = set()
    for number, found in tried.items():
        left = find_choices(found.findings, policy, Names(trial.components[number].findings))
        if found.harmed or weigh(left) > solutions[number].weight:
            wrong.add(number)
    return after, wrong
