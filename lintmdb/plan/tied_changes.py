"""Changes without which the others of a plan do harm: who makes only some of them is told.

A retry count that is raised stops a listener port no more, and in non-ASF mode its messages then go round while the
queue is idle: the receive timeout has to go with it.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from lintmdb.delivery.fate import Fate
from lintmdb.plan.part import judge_without
from lintmdb.plan.policy import Policy
from lintmdb.plan.search import Solution
from lintmdb.plan.trial import Trial
from lintmdb.settings.afterwards import opens
from lintmdb.settings.changes import Assignment, Change

_MOST_CHANGES = 60
"""Plans with more changes are made as a whole, and each change would be judged."""


def note_spare(solutions: Sequence[Solution], tied: Container[Change]) -> None:
    """Note with each queue that takes messages again that the others do no harm without that, where this was judged:
    somebody closed the queue, maybe on purpose.
    """
    if sum(len(solution.changes) for solution in solutions) > _MOST_CHANGES:
        return
    for solution in solutions:
        solution.changes = tuple(
            [
                change._replace(spare=True) if opens(change) and change not in tied else change
                for change in solution.changes
            ]
        )


def find_tied(trial: Trial, policy: Policy, solutions: Sequence[Solution]) -> dict[Change, Fate]:
    """The changes of attributes without which the others lead some poison message from one bad fate to another, or to
    a worse one, each with the worst fate then.
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
    tied: dict[Change, Fate] = {}
    for change, _, outcome in judge_without(alone, policy, made, waiting):
        worse = [
            now
            for key, now in outcome.fates.items()
            if now.harm < trial.fates[key].harm or (now.fate.group.bad and now.fate is not trial.fates[key].fate)
        ]
        if worse:
            tied[change] = min(worse, key=lambda now: now.harm).fate
    return tied
