"""Plans raise capacity where they can: no saving is worth fewer sessions, threads or connections."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintmdb.engine.findings import Finding
from lintmdb.engine.repairs import find_alternatives
from lintmdb.plan.evaluation import Evaluator, flow_key, weighed_fate, worse
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy, parse_keep
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_exports
from lintmdb.settings.capacity import CAPACITIES, lowers_capacity
from lintmdb.settings.changes import Assignment, Change, merge, slots
from lintmdb.settings.registry import SETTINGS
from tests.laws.laws import OBSERVED, seeds
from tests.support.command import Run
from tests.support.random_estates.estates import build_estate
from tests.support.scenario import RULES, scenario_evaluator
from tests.support.scenario_folders import scenario_folder, scenario_names


def test_the_session_pool_grows_although_another_server_object_changes_anyway() -> None:
    """Lowering Maximum sessions of a port that changes anyway would save a restart."""
    plan = make_plan(scenario_evaluator("listener-port-batches"), Policy())
    changed = {change.setting: change.new for change in plan.changes if isinstance(change, Assignment)}
    assert "endpoint.max_batch" in changed
    assert changed["endpoint.session_pool_max"] == "15"
    assert "endpoint.max_sessions" not in changed


def test_fewer_sessions_are_offered_with_their_condition(lintmdb: Run) -> None:
    """And planned where the policy keeps the pool, as the option says."""
    folder = scenario_folder("listener-port-batches")
    text = lintmdb("plan", folder).stdout
    assert "Or, if the queue never needs more sessions at once than the pool has:\n" in text
    keep = "session pool QM1CF at server node1/server1: maxConnections"
    assert f"Maximum sessions 15 -> 10\n    --keep '{keep}'" in text
    assert "Maximum sessions 15 -> 10  MDB602" in lintmdb("plan", folder, "--keep", keep).stdout
    plan = make_plan(scenario_evaluator("listener-port-batches"), Policy(keep=[parse_keep(keep)]))
    assert any(map(lowers_capacity, plan.changes))


def test_capacities_are_settings() -> None:
    """Each is a name of the registry."""
    assert set(SETTINGS) >= CAPACITIES


_RANDOM = [pytest.param(seed, marks=pytest.mark.slow) for seed in seeds(20)]


@pytest.mark.parametrize("name", [*scenario_names(), *_RANDOM])
def test_no_plan_lowers_a_capacity_where_a_finding_can_be_ended_without(name: str | int, tmp_path: Path) -> None:
    """Unless what would end it instead does harm or leaves something."""
    if isinstance(name, str):
        judging = scenario_evaluator(name)
    else:
        build_estate(name).write(tmp_path)
        judging = Evaluator(read_exports([tmp_path]), OBSERVED if name % 2 else Observations(), RULES)
    plan = make_plan(judging, Policy(most_states=40))
    for change in filter(lowers_capacity, plan.changes):
        for finding in plan.before.judgement.findings:
            for instead in _instead(finding, change):
                others = tuple([other for other in plan.changes if other is not change])
                assert _does_less(judging, plan, merge(others, instead)), (finding.rule.id, change)


def _instead(finding: Finding, change: Change) -> list[tuple[Change, ...]]:
    """What ends a finding without lowering a capacity, where a change that lowers one is offered, too."""
    offered = find_alternatives(finding.rule, finding.rows)
    own = set(slots(change))
    if not any(own.intersection(slots(other)) for changes in offered for other in changes):
        return []
    return [changes for changes in offered if not any(map(lowers_capacity, changes))]


def _does_less(judging: Evaluator, plan: Plan, changes: tuple[Change, ...] | None) -> bool:
    if changes is None:
        return True
    after = judging.judge(changes)
    left = sum(plan.policy.wants_gone(finding.rule.severity) for finding in after.judgement.findings)
    fates = {flow_key(head): weighed_fate(head) for head in plan.before.judgement.flows}
    return left > len(plan.left) or not worse(plan.before, after, fates, set(fates)).nothing
