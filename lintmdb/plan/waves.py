"""Waves: the steps of a plan in the order in which they make most flows safe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lintmdb.plan.steps import Effect, Gain, Step


class Wave(NamedTuple):
    """One step, after all waves before it."""

    step: Step
    changes: int
    places: int
    """How many queue managers and cells it changes."""
    gain: Gain
    """What it is good for."""
    so_far: Gain
    """What it and all waves before it are good for; ``worse`` of it is how many flows are worse off then."""


class Work(NamedTuple):
    """What a step asks for."""

    changes: int
    places: int


def rank_waves(effects: Mapping[Effect, int], work: Mapping[Step, Work]) -> list[Wave]:
    """All steps: next comes, of those that leave the fewest flows worse off, the one that makes most flows safe, then
    the one that ends most findings, else the one that most of both wait for. ``effects`` has how many components have
    each.
    """
    by_step: dict[Step, list[Effect]] = {}
    for effect in effects:
        for step in effect.steps:
            by_step.setdefault(step, []).append(effect)
    done: dict[Effect, frozenset[int]] = dict.fromkeys(effects, frozenset[int]())
    scores = {step: _score(step, by_step.get(step, ()), effects, done) for step in work}
    waves: list[Wave] = []
    so_far = Gain(0, 0)
    while scores:
        step = min(scores, key=lambda step: (scores[step].preference, work[step].changes, step))
        score = scores.pop(step)
        gain = Gain(score.flows, score.findings, max(score.worse, 0))
        so_far = Gain(so_far.flows + gain.flows, so_far.findings + gain.findings, so_far.worse + score.worse)
        waves.append(Wave(step, *work[step], gain, so_far))
        touched: set[Step] = set()
        for effect in by_step.get(step, ()):
            done[effect] |= {effect.steps.index(step)}
            touched.update(effect.steps)
        for other in touched & scores.keys():
            scores[other] = _score(other, by_step[other], effects, done)
    return waves


class _Score(NamedTuple):
    """What a step is good for now, and what waits for it, perhaps among others."""

    flows: int
    findings: int
    waiting_flows: int
    waiting_findings: int
    worse: int
    """How many more flows are worse off then."""

    @property
    def preference(self) -> tuple[int, ...]:
        """The better, the lower."""
        return max(self.worse, 0), *(-part for part in self[:-1])


def _score(
    step: Step, effects: Iterable[Effect], counts: Mapping[Effect, int], done: Mapping[Effect, frozenset[int]]
) -> _Score:
    score = [0, 0, 0, 0, 0]
    for effect in effects:
        known = effect.gain(done[effect])
        then = effect.gain(done[effect] | {effect.steps.index(step)})
        whole = effect.whole
        for place, more in enumerate(
            (
                then.flows - known.flows,
                then.findings - known.findings,
                max(whole.flows - known.flows, 0),
                max(whole.findings - known.findings, 0),
                then.worse - known.worse,
            )
        ):
            score[place] += more * counts[effect]
    return _Score(*score)
