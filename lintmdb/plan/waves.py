"""Waves: the steps of a plan in the order in which they make most flows safe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lintmdb.plan.steps import Effect, Step


class Wave(NamedTuple):
    """One step, after all waves before it."""

    step: Step
    changes: int
    places: int
    """How many queue managers and cells it changes."""
    flows: int
    """How many flows become safe by it."""
    so_far: int
    """How many flows have become safe by it and all waves before it."""


class Work(NamedTuple):
    """What a step asks for."""

    changes: int
    places: int


def rank_waves(effects: Mapping[Effect, int], work: Mapping[Step, Work]) -> list[Wave]:
    """All steps: next comes the one that makes most flows safe, else the one that most flows wait for.

    ``effects`` has how many components have each.
    """
    by_step: dict[Step, list[Effect]] = {}
    for effect in effects:
        for step in effect.steps:
            by_step.setdefault(step, []).append(effect)
    done: dict[Effect, frozenset[int]] = dict.fromkeys(effects, frozenset[int]())
    scores = {step: _score(step, by_step.get(step, ()), effects, done) for step in work}
    waves: list[Wave] = []
    so_far = 0
    while scores:
        step = min(scores, key=lambda step: (-scores[step].flows, -scores[step].waiting, work[step].changes, step))
        flows = scores.pop(step).flows
        so_far += flows
        waves.append(Wave(step, *work[step], flows, so_far))
        touched: set[Step] = set()
        for effect in by_step.get(step, ()):
            done[effect] |= {effect.steps.index(step)}
            touched.update(effect.steps)
        for other in touched & scores.keys():
            scores[other] = _score(other, by_step[other], effects, done)
    return waves


class _Score(NamedTuple):
    flows: int
    """How many flows become safe by a step now."""
    waiting: int
    """How many flows wait for it, perhaps among others."""


def _score(
    step: Step, effects: Iterable[Effect], counts: Mapping[Effect, int], done: Mapping[Effect, frozenset[int]]
) -> _Score:
    score: Counter[str] = Counter()
    for effect in effects:
        known = effect.flows(done[effect])
        then = effect.flows(done[effect] | {effect.steps.index(step)})
        score["flows"] += max(then - known, 0) * counts[effect]
        score["waiting"] += (effect.safe[-1][1] - known) * counts[effect]
    return _Score(score["flows"], score["waiting"])
