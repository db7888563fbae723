"""A plan asks for no right that its own final state does not need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from lintmdb.model.environment_names import key_of
from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.planner import Plan, make_plan
from lintmdb.plan.policy import Policy
from lintmdb.resolve.observations import EndpointObservation, Observations
from lintmdb.run.estate import read_exports
from lintmdb.settings.changes import Grant
from tests.laws.laws import seeds
from tests.support.random_estates.estates import build_estate
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow

_NEWCOMER = Observations(15_000, user=EndpointObservation(user="newuser"), users={"newuser": frozenset({"newgroup"})})
"""The user has no record anywhere, so that plans grant it all that it needs."""
_READS, _MOVES = {"GET", "BROWSE", "INQ"}, {"PUT", "PASSALL"}


def _needless(plan: Plan) -> Iterator[str]:
    """What the grants of a plan add where the user opens no queue of that name for it."""
    needed: defaultdict[tuple[str, str | None], set[str]] = defaultdict(set)
    for rows in (head.rows for head in plan.after.judgement.flows):
        manager = key_of(rows.endpoint.environment, rows.endpoint.queue_manager or "")
        needed[manager, rows.endpoint.queue] |= _READS
        if rows.queue is not None:
            needed[manager, rows.queue.backout_queue] |= _MOVES | {"GET", "INQ", "SETALL"}
        if rows.queue_manager is not None:
            needed[manager, rows.queue_manager.dead_letter_queue] |= _MOVES
    for change in plan.changes:
        if isinstance(change, Grant) and change.target.kind == "QUEUE":
            more = {*change.rights} - {*change.kept} - needed[change.target.place_key, change.target.name]
            if more:
                yield f"{change.target.name}: {sorted(more)}"


def test_a_plan_grants_what_its_final_state_needs(tmp_path: Path) -> None:
    """A repair that another one makes pointless leaves no right behind: a backout queue that is one no more."""
    grants, needless = 0, list[str]()
    for seed in seeds(12):
        build_estate(seed).write(tmp_path / str(seed))
        exports = read_exports([tmp_path / str(seed)])
        plan = make_plan(Evaluator(exports, _NEWCOMER, RULES, all_queues=True), Policy(most_states=20))
        grants += sum(isinstance(change, Grant) for change in plan.changes)
        needless += _needless(plan)
    assert grants > 24
    assert needless == []
