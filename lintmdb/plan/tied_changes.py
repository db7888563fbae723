"""Changes without which the others of a plan do harm, for whoever makes only some of them.

A retry count that is raised stops a listener port no more, and in non-ASF mode its messages then go round while the
queue is idle: the receive timeout has to go with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from lintmdb.delivery.fate import Fate
from lintmdb.engine.setbacks import find_denied
from lintmdb.engine.traces import reader_has_every_right, trace_flow
from lintmdb.plan.evaluation import FlowFate, FlowKey, flow_key, weighed_fate, worst_later
from lintmdb.plan.part import judge_without
from lintmdb.plan.policy import Policy
from lintmdb.plan.search import Solution
from lintmdb.plan.trial import Trial, merge_all
from lintmdb.run.full_queues import workload_while_full
from lintmdb.settings.afterwards import opens
from lintmdb.settings.changes import Assignment, Change


class Tied(NamedTuple):
    """What becomes of some poison message if a change is not made and all others are."""

    fate: Fate
    words: str
    worse: bool
    """Whether that is worse than before all changes."""
    better: bool
    """Whether it is better, and bad nevertheless."""


_MOST_CHANGES = 60
"""Plans with more changes are made as a whole, and each change would be judged."""


def note_spare(
    trial: Trial,
    policy: Policy,
    solutions: Sequence[Solution],
    tied: Mapping[Change, Tied],
    after: Mapping[FlowKey, FlowFate],
) -> None:
    """Note with each queue that takes messages again, and that somebody closed, maybe on purpose, that the others do no
    harm without that, where judging all of these left out shows it; ``after`` has the fates with all changes.
    """
    opening = {change for solution in solutions for change in solution.changes if opens(change)}
    others = sum(len(solution.changes) for solution in solutions) - len(opening)
    if len(opening) > 1 and others + len(opening) > _MOST_CHANGES:  # then no one of them was judged by itself
        return
    if not opening or not others or any(tied[change].worse for change in opening & tied.keys()):
        return
    if _does_harm_without(trial, policy, solutions, opening, after):
        return
    for solution in solutions:
        solution.changes = tuple(
            [change._replace(spare=True) if opens(change) else change for change in solution.changes]
        )


def _does_harm_without(
    trial: Trial,
    policy: Policy,
    solutions: Sequence[Solution],
    left_out: Set[Change],
    with_all: Mapping[FlowKey, FlowFate],
) -> bool:
    """Whether some message may fare worse than before with all changes but some: one of any length, one whose reader
    lacks rights that no export shows, or one that finds a queue full that was full when it was exported.
    """
    changes = merge_all(solution.changes for solution in solutions)
    after = trial.evaluator.judge([change for change in changes if change not in left_out])
    former = {flow_key(head): head for head in trial.before.judgement.flows}
    for key, head in worst_later(trial.before, after).items():
        now, was = weighed_fate(head), trial.fates[key]
        if now.harm < was.harm or now.longest_harm < was.longest_harm:
            return True
        if now in (was, with_all[key]):
            continue
        workload = workload_while_full(head.rows, policy.full.keys())
        meanwhile = trace_flow(head, workload)[0].outcome.harm if workload is not None else was.harm
        denied = find_denied(former[key].rows.value, head.rows.value)
        if meanwhile < was.harm or denied is not None or reader_has_every_right(head):
            return True
    return False


def find_tied(
    trial: Trial, policy: Policy, solutions: Sequence[Solution], after: Mapping[FlowKey, FlowFate]
) -> dict[Change, Tied]:
    """The changes of attributes without which the others lead some poison message from one bad fate to another, or to
    a worse one, each with the worst fate then. What is so with all changes, too (``after``), is no matter of one.
    """
    if sum(len(solution.changes) for solution in solutions) > _MOST_CHANGES:
        return {}
    waiting = {
        number: [change for change in solution.changes if isinstance(change, Assignment)]
        for number, solution in enumerate(solutions)
        if len(solution.changes) > 1
    }
    if not any(waiting.values()):
        return {}
    alone = Trial(trial.evaluator, trial.before, trial.fates, trial.components)
    made = {number: solutions[number].changes for number in waiting}
    tied: dict[Change, Tied] = {}
    for change, _, outcome in judge_without(alone, policy, made, waiting):
        found = [
            Tied(now.fate, now.words, now.harm < was.harm, now.harm > was.harm)
            for key, now in outcome.fates.items()
            if now.harm < (was := trial.fates[key]).harm or (now.fate.group.bad and now.fate is not was.fate)
            if now != after[key]
        ]
        if found:
            tied[change] = min(found, key=lambda each: (not each.worse, each.fate.group.harm))
    return tied
