"""Changes without which the others of a plan do harm: who makes only some of them is told.

A retry count that is raised stops a listener port no more, and in non-ASF mode its messages then go round while the
queue is idle: the receive timeout has to go with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lintmdb.delivery.fate import Fate
from lintmdb.plan.evaluation import FlowFate, FlowKey
from lintmdb.plan.part import judge_without
from lintmdb.plan.policy import Policy
from lintmdb.plan.search import Solution
from lintmdb.plan.trial import Trial
from lintmdb.settings.afterwards import opens
from lintmdb.settings.changes import Assignment, Change


class Tied(NamedTuple):
    """What becomes of some poison message if a change is not made and all others are."""

    fate: Fate
    words: str
    worse: bool
    """Whether that is worse than before all changes, or another fate that is bad, too."""


_MOST_CHANGES = 60
"""Plans with more changes are made as a whole, and each change would be judged."""


def note_spare(solutions: Sequence[Solution], tied: Mapping[Change, Tied]) -> None:
    """Note with each queue that takes messages again that the others do no harm without that, where this was judged:
    somebody closed the queue, maybe on purpose.
    """
    if sum(len(solution.changes) for solution in solutions) > _MOST_CHANGES:
        return
    for solution in solutions:
        solution.changes = tuple(
            [
                change._replace(spare=True) if opens(change) and not _harmful_without(change, tied) else change
                for change in solution.changes
            ]
        )


def _harmful_without(change: Change, tied: Mapping[Change, Tied]) -> bool:
    return change in tied and tied[change].worse


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
            Tied(now.fate, now.words, now.harm < was.harm)
            for key, now in outcome.fates.items()
            if now.harm < (was := trial.fates[key]).harm or (now.fate.group.bad and now.fate is not was.fate)
            if now != after[key]
        ]
        if found:
            tied[change] = min(found, key=lambda each: (not each.worse, each.fate.group.harm))
    return tied
