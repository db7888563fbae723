"""Companion changes: they answer nothing that is found now, and keep the changes beside them from doing harm.

Why one is there is found out by judging its component without it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lintmdb.delivery.fate import Fate
from lintmdb.engine.earlier_values import settings_behind
from lintmdb.engine.findings import Finding
from lintmdb.engine.flow_rows import read_value
from lintmdb.engine.repairs import find_alternatives
from lintmdb.plan.evaluation import FlowFate, FlowKey, State
from lintmdb.plan.newly_moved import moved_places
from lintmdb.plan.part import Outcome, judge_without
from lintmdb.plan.policy import Policy
from lintmdb.plan.search import Solution
from lintmdb.plan.trial import Trial
from lintmdb.settings.changes import Assignment, Change, Grant, Target, slots
from lintmdb.settings.registry import SETTINGS


class Reason(NamedTuple):
    """What a companion change prevents."""

    findings: tuple[Finding, ...]
    """What would be found with all other changes, and without this one."""
    once: tuple[Assignment, ...]
    """Those of the other changes that lead to it."""
    fate: Fate | None = None
    """The worst of the fates that would be worse, where nothing would be found."""
    newly_moved: bool = False
    """It grants rights on a queue that messages are newly moved to, and without it nothing would be found and no fate
    be worse, as where no export shows whether the rights are there.
    """

    @property
    def rules(self) -> list[str]:
        """The ids of the rules that would find something."""
        return sorted({finding.rule.id for finding in self.findings})


def find_reasons(
    trial: Trial, policy: Policy, solutions: Sequence[Solution], after: State, fates: Mapping[FlowKey, FlowFate]
) -> dict[Change, Reason]:
    """Why each companion change is part of a plan; ``after`` is the estate with all changes, ``fates`` those of then.
    A change whose absence nothing shows has no reason, unless it grants rights on a queue that messages are newly moved
    to.
    """
    answered = {
        place
        for finding in trial.before.judgement.findings
        for changes in find_alternatives(finding.rule, finding.rows)
        for change in changes
        for place in slots(change)
    }
    waiting = {
        number: own
        for number, solution in enumerate(solutions)
        if (own := [change for change in solution.changes if answered.isdisjoint(slots(change))])
    }
    if not waiting:
        return {}
    alone = Trial(trial.evaluator, trial.before, trial.fates, trial.components)
    made = {number: solutions[number].changes for number in waiting}
    reasons: dict[Change, Reason] = {}
    for change, others, outcome in judge_without(alone, policy, made, waiting):
        reason = _reason(outcome, others, policy, after, fates)
        if reason is not None:
            reasons[change] = reason
    unshown = [change for own in waiting.values() for change in own if change not in reasons]
    if any(isinstance(change, Grant) for change in unshown):
        moved = moved_places(trial, after)
        granted = [c for c in unshown if isinstance(c, Grant) and (c.target.place_key, c.target.name) in moved]
        reasons |= dict.fromkeys(granted, Reason((), (), newly_moved=True))
    return reasons


def _reason(
    outcome: Outcome, others: Sequence[Change], policy: Policy, after: State, fates: Mapping[FlowKey, FlowFate]
) -> Reason | None:
    new = [finding for finding in outcome.findings if not after.had(finding)]
    found = [finding for finding in new if policy.wants_gone(finding.rule.severity)]
    worse = [now for key, now in outcome.fates.items() if now.harm < fates[key].harm]
    if worse and not found:
        return Reason((), (), min(worse, key=lambda now: now.harm).fate)
    found = found or new
    causes = dict.fromkeys(change for finding in found for change in find_causes(finding, others))
    return Reason(tuple(found), tuple(causes)) if found else None


def find_causes(finding: Finding, changes: Sequence[Change]) -> list[Assignment]:
    """Those of some changes that make what the rule of a finding reads another value, at the objects of its flow."""
    read, behind = functools.partial(read_value, finding.rows), settings_behind(finding.rule.columns)
    return [
        change
        for change in changes
        if isinstance(change, Assignment)
        and change.setting in behind
        and any(_has(setting.owner(read), change) for setting in SETTINGS[change.setting])
    ]


def _has(owner: Target | None, change: Assignment) -> bool:
    """Whether a change is made to an object; that of a whole cluster is made to each member."""
    return owner is not None and not set(slots(change)).isdisjoint(slots(change._replace(target=owner)))
