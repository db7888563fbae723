"""A plan asks for no right that its own final state does not need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lintmdb.model.environment_names import key_of
from lintmdb.model.origins import Origin
from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.planner import Plan, make_plan
from lintmdb.plan.policy import Policy
from lintmdb.resolve.observations import EndpointObservation, Observations, QueueObservation
from lintmdb.run.all_queues import is_reader
from lintmdb.run.estate import read_exports
from lintmdb.settings.changes import Grant
from tests.laws.laws import seeds
from tests.support.random_estates.estates import build_estate
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow

_STRANGER = Observations(15_000, user=EndpointObservation(user="newuser"), users={"newuser": frozenset({"newgroup"})})
"""The user has no record anywhere."""
_NEWCOMER = replace(_STRANGER, queues=(QueueObservation("*", None, "newuser", Origin("", 0, 0, "")),))
"""The same, said to read each queue that no endpoint reads, so that plans grant it all that it needs."""
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
    for seed in seeds(8):
        build_estate(seed).write(tmp_path / str(seed))
        exports = read_exports([tmp_path / str(seed)])
        plan = make_plan(Evaluator(exports, _NEWCOMER, RULES, all_queues=True), Policy(most_states=20))
        grants += sum(isinstance(change, Grant) for change in plan.changes)
        needless += _needless(plan)
    assert grants > 24
    assert needless == []


def _of_others(plan: Plan) -> Iterator[str]:
    """The rights that a plan grants the stranger on queues that no endpoint uses."""
    used: set[tuple[str, str | None]] = set()
    for head in (*plan.before.judgement.message_flows, *plan.after.judgement.message_flows):
        rows = head.rows
        manager = key_of(rows.endpoint.environment, rows.endpoint.queue_manager or "")
        used.add((manager, rows.endpoint.queue))
        used |= {(manager, rows.queue.backout_queue)} if rows.queue is not None else set()
        used |= {(manager, rows.queue_manager.dead_letter_queue)} if rows.queue_manager is not None else set()
    for change in plan.changes:
        if not isinstance(change, Grant) or change.user != "newuser" or change.target.kind != "QUEUE":
            continue
        if (change.target.place_key, change.target.name) not in used:
            yield f"{change.target.name} at {change.target.place}: {change.rights}"


def test_a_plan_grants_nothing_on_a_queue_to_who_is_named_for_all_queues(tmp_path: Path) -> None:
    """That observations name a user for every queue manager is no reason to let it read a queue of others, or their
    backout queues.
    """
    asked, granted = 0, list[str]()
    for seed in seeds(8):
        build_estate(seed).write(tmp_path / str(seed))
        exports = read_exports([tmp_path / str(seed)])
        plan = make_plan(Evaluator(exports, _STRANGER, RULES, all_queues=True), Policy(most_states=20))
        judgement = plan.after.judgement
        left = [entry for entry in judgement.findings if entry.rule.id == "MDB127" and entry.flow is not None]
        asked += sum(is_reader(judgement.flows[entry.flow or 0].rows.endpoint) for entry in left)
        granted += _of_others(plan)
    assert granted == []
    assert asked > 12
