"""A plan asks for no right that its own final state does not need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lintmdb.delivery.fate import Fate
from lintmdb.engine.readers import is_reader
from lintmdb.engine.repairs import find_alternatives
from lintmdb.engine.traces import trace_flow
from lintmdb.model.environment_names import key_of
from lintmdb.model.origins import Origin
from lintmdb.plan.evaluation import Evaluator, flow_key, worst_later
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.resolve.observations import EndpointObservation, Observations, QueueObservation
from lintmdb.run.estate import read_exports
from lintmdb.settings.changes import Assignment, Definition, Grant
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


def _left_out(plan: Plan) -> Iterator[str]:
    """The backout queues that messages are newly moved to, and of whose rights the plan says nothing."""
    told = {
        (change.target.place_key, name)
        for change in plan.changes
        if isinstance(change, Grant | Definition)
        for name in (change.target.name, *([change.opened_as] if isinstance(change, Definition) else ()))
    }
    assigned = [change for change in plan.changes if isinstance(change, Assignment)]
    named = {name for change in assigned for name in (*change.moves_to, *(held.queue for held in change.held_there))}
    former = {flow_key(head): head for head in plan.before.judgement.flows}
    for key, head in worst_later(plan.before, plan.after).items():
        value, queue = head.rows.value, trace_flow(head, None)[0].outcome.target
        before, now = plan.fates_before[key], plan.fates_after[key]
        if now is not Fate.BACKOUT_QUEUE or (before is now and former[key].rows.value("queue.backout_queue") == queue):
            continue
        place = key_of(head.rows.endpoint.environment, head.rows.endpoint.queue_manager or ""), queue
        may_move = value("authority.put") is True and value("authority.passall") is True
        if not may_move and place not in told and queue not in named:
            yield f"{'/'.join(key)}: {before} -> {now} {queue}"


@pytest.mark.parametrize("observed", [Observations(15_000), _STRANGER, _NEWCOMER])
def test_whichever_change_moves_messages_to_a_queue_the_plan_says_who_needs_rights(
    tmp_path: Path, observed: Observations
) -> None:
    """With a grant, with a new queue or in a note; and the plan brings no finding about rights that it could grant."""
    plans, left_out, new = 0, list[str](), list[str]()
    for seed in seeds(8):
        build_estate(seed).write(tmp_path / str(seed))
        exports = read_exports([tmp_path / str(seed)])
        plan = make_plan(Evaluator(exports, observed, RULES), Policy(most_states=20))
        plans += bool(plan.changes)
        left_out += _left_out(plan)
        new += [
            finding.message
            for finding in plan.after.judgement.findings
            if finding.rule.id == "MDB119"
            and not plan.before.had(finding)
            and find_alternatives(finding.rule, finding.rows)
        ]
    assert plans > 5
    assert left_out == []
    assert new == []


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
