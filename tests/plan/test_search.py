"""The search: held against all sets of changes that some order of alternatives leads to."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintmdb.delivery.fate import Fate
from lintmdb.engine.findings import Finding
from lintmdb.plan.choices import Changes, find_choices
from lintmdb.plan.components import Component, split
from lintmdb.plan.evaluation import Evaluator, FlowFate, FlowKey, State, flow_key, weighed_fate, worse
from lintmdb.plan.owner_choices import choices_by_condition
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import ASSUMED, Cost, Policy, parse_keep, price
from lintmdb.plan.search import Weight
from lintmdb.resolve.observations import Observations
from lintmdb.rules.rule import severity_rank
from lintmdb.run.estate import read_exports
from lintmdb.settings.changes import Assignment, Change, merge
from tests.laws.laws import seeds
from tests.support.dumps import ENDED
from tests.support.random_estates.estates import build_estate
from tests.support.scenario import RULES, scenario_evaluator
from tests.support.variant import Variant

_POLICY = Policy()
_NAMES = ["backout-inert", "bus-limit-acts-as-one", "late-message-stops-specification", "put-disabled-backout"]
_MOST_SETS = 60
"""Components that lead to more sets of changes are left out: each set judges an estate."""


def _sets(judging: Evaluator, before: State, component: Component, policy: Policy) -> list[tuple[Weight, Cost]] | None:
    """What is left and what it costs, for each set of changes that does no harm; None where there are too many."""
    fates = {flow_key(head): weighed_fate(head) for head in before.judgement.flows}
    own = set(component.flows)
    found: list[tuple[Weight, Cost]] = []
    seen: set[frozenset[Change]] = {frozenset()}
    waiting: list[tuple[Changes, int]] = [((), 0)]
    while waiting:
        changes, assumed = waiting.pop()
        state = judging.judge(changes) if changes else before
        if not _harms(before, state, fates, own):
            left = find_choices(_findings(state, own), policy)
            ranks = [severity_rank(choice.finding.rule.severity) for choice in left]
            found.append((tuple(ranks.count(rank) for rank in range(3)), price(changes, assumed, policy)))
        for choice in find_choices(_findings(state, own), policy):
            for place, alternative in choice.alternatives:
                merged = merge(changes, alternative, raising=True)
                if merged is not None and frozenset(merged) not in seen:
                    seen.add(frozenset(merged))
                    waiting.append((merged, assumed + place // ASSUMED * ASSUMED))
        if len(seen) > _MOST_SETS:
            return None
    return found


def _findings(state: State, own: set[FlowKey]) -> list[Finding]:
    heads = state.judgement.flows
    return [f for f in state.judgement.findings if f.flow is not None and flow_key(heads[f.flow]) in own]


def _harms(before: State, after: State, fates: dict[FlowKey, FlowFate], own: set[FlowKey]) -> bool:
    """Whether something is worse on the component's own flows."""
    difference = worse(before, after, fates, own)
    heads = after.judgement.flows
    new = {flow_key(heads[f.flow]) for f in difference.findings if f.flow is not None}
    lost = set(difference.undecided)
    new |= {
        flow_key(heads[entry.flow])
        for entry in after.judgement.undecided
        if entry.flow is not None and (entry.rule.id, entry.subject) in lost
    }
    return bool((new | set(difference.fates)) & own)


def _compare(judging: Evaluator, policy: Policy = _POLICY) -> int:
    """Hold each small component's solution against all sets; how many components that were."""
    plan = make_plan(judging, policy)
    compared = 0
    components = split(plan.before.judgement)
    for component, (planned, solution) in zip(components, plan.components, strict=True):
        assert component.flows == planned.flows
        if not find_choices(component.findings, policy):
            continue
        found = _sets(judging, plan.before, component, policy)
        if found is None:
            continue
        compared += 1
        best = min((weight, cost[:4]) for weight, cost in found)
        assert (solution.weight, solution.cost[:4]) == best, component.flows
    return compared


@pytest.mark.parametrize("name", _NAMES)
def test_no_set_of_changes_is_cheaper(name: str) -> None:
    """In scenarios, no set leaves less, and none that leaves as little costs less."""
    assert _compare(scenario_evaluator(name))


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(12))
def test_no_set_of_changes_is_cheaper_in_random_estates(seed: int, tmp_path: Path) -> None:
    """The same in random estates, a few components in each; in every other one, findings of the severity info are
    repaired, too.
    """
    build_estate(seed).write(tmp_path)
    policy = Policy(severity="info") if seed % 2 else _POLICY
    _compare(Evaluator(read_exports([tmp_path]), Observations(), RULES), policy)


def test_the_demo_takes_few_sets() -> None:
    """Seven flows with nine findings are planned with a handful of sets."""
    plan = make_plan(scenario_evaluator("estate"), _POLICY)
    assert 0 < plan.states < 40
    assert all(solution.complete for _, solution in plan.components)


_CLOSED_CIRCLE = f"""* Queue manager name: QM9
* Queue manager command level: (930/930)
* Command issued: dmpmqcfg -m QM9 -a
{ENDED}ALTER QMGR DEADQ('QM9.DLQ') MAXMSGL(104857600) FORCE
DEFINE QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') REPLACE
DEFINE QLOCAL('QM9.DLQ') MAXMSGL(104857600) MAXDEPTH(999999999) REPLACE
DEFINE QLOCAL('B.Q') BOTHRESH(3) BOQNAME('C.Q') PUT(DISABLED) REPLACE
DEFINE QLOCAL('C.Q') BOTHRESH(3) BOQNAME('B.Q') REPLACE
"""


@pytest.mark.parametrize("others", [2, 30])
def test_a_circle_that_a_closed_queue_interrupts_is_opened_and_ended(others: int, tmp_path: Path) -> None:
    """To let the closed queue take messages closes the circle, which a backout queue of its own ends; with few findings
    and with more than are searched in full.
    """
    file = tmp_path / "QM9.mqsc"
    readers = (f"DEFINE QLOCAL('IN{n}') BOTHRESH(3) BOQNAME('B.Q') REPLACE\n" for n in range(others))
    file.write_text(_CLOSED_CIRCLE + "".join(readers))
    plan = make_plan(Evaluator(read_exports([file]), Observations(), RULES, all_queues=True), _POLICY)
    assert len(plan.before.judgement.findings) == others + 1
    assert not plan.after.judgement.findings
    assert len(plan.changes) == 3


_TWO_IN_A_CIRCLE = f"""* Queue manager name: QM9
* Queue manager platform: UNIX
* Command issued: dmpmqcfg -m QM9 -a
{ENDED}ALTER QMGR DEADQ(DEAD) MAXMSGL(104857600) FORCE
DEFINE QLOCAL(DEAD) MAXMSGL(4194304)
DEFINE QLOCAL(FIRST) BOTHRESH(3) BOQNAME(SECOND) HARDENBO
DEFINE QLOCAL(SECOND) BOTHRESH(3) BOQNAME(FIRST) HARDENBO
DEFINE QLOCAL(LOST.IN) BOTHRESH(3) BOQNAME(MISSING) MAXMSGL(4194304)
DEFINE QLOCAL(FAR.IN) BOTHRESH(3) BOQNAME(FAR.BO) MAXMSGL(4194304)
DEFINE QREMOTE(FAR.BO) RNAME(BO) RQMNAME(QM2) XMITQ(QM2)
DEFINE QLOCAL(QM2) USAGE(XMITQ) MAXMSGL(4194304)
"""


def test_two_queues_that_back_out_to_each_other_are_parted_once(tmp_path: Path) -> None:
    """One backout queue ends the circle, whatever else is found: here that a transmission queue is too small."""
    (tmp_path / "QM9.mqsc").write_text(_TWO_IN_A_CIRCLE)
    plan = make_plan(Evaluator(read_exports([tmp_path]), Observations(), RULES, all_queues=True), _POLICY)
    assert sorted({finding.rule.id for finding in plan.before.judgement.findings}) == [
        "MDB105",
        "MDB106",
        "MDB108",
        "MDB115",
    ]
    # MAXMSGL of the transmission queue is for its owners to raise, with the channel and the queue at the other end.
    assert {finding.rule.id for finding in plan.left} == {"MDB108"}
    assert len(plan.changes) == 3


@pytest.mark.parametrize(("others", "limit"), [(0, 0), (30, 0), (0, 2)])
def test_a_threshold_that_is_raised_raises_the_limit_of_its_readers(others: int, limit: int, tmp_path: Path) -> None:
    """A limit for BOTHRESH(1) is too low once BOTHRESH is 3; with few findings, and with more than are searched in
    full.
    """
    variant = Variant(tmp_path, "stop-5-bothresh-1")
    resources = "was/cells/C1/nodes/node1/servers/server1/resources.xml"
    variant.edit(resources, "was_failureDeliveryCount=&quot;5", f"was_failureDeliveryCount=&quot;{limit}")
    if others:
        dump = variant.folder / "mq" / "QM1.mqsc"
        queues = [f"DEFINE QLOCAL('IN{n}') BOTHRESH(1) BOQNAME('ORDERS.BACKOUT') REPLACE\n" for n in range(others)]
        dump.write_text(dump.read_text() + "".join(queues))
    stop = parse_keep("activation specification OrdersAS at server node1/server1: stopEndpointIfDeliveryFails")
    judging = Evaluator(read_exports([variant.folder]), Observations(), RULES, all_queues=bool(others))
    plan = make_plan(judging, Policy(severity="info", keep=[stop]))
    made = {(c.target.name, c.attribute): c.new for c in plan.changes if isinstance(c, Assignment)}
    assert made["ORDERS.IN", "BOTHRESH"] == "3"
    assert made["OrdersAS", "failureDeliveryCount"] == "7"  # two sessions, three times each, and one
    assert not plan.left
    free = make_plan(judging, Policy(severity="info"))
    ((_, (instead,)),) = choices_by_condition(free, free.changes)
    assert [change.new for change in instead.changes if isinstance(change, Assignment)] == ["7"]


def test_queues_of_one_name_at_two_queue_managers_are_two_flows(tmp_path: Path) -> None:
    """Each has its own fate and its own part of the plan."""
    for name, threshold in (("QM1", 0), ("QM2", 3)):
        (tmp_path / f"{name}.mqsc").write_text(
            f"DEFINE QLOCAL('A.IN') BOTHRESH({threshold}) BOQNAME('A.BO')\nDEFINE QLOCAL('A.BO') MAXMSGL(104857600)\n"
        )
    plan = make_plan(Evaluator(read_exports([tmp_path]), Observations(), RULES, all_queues=True), _POLICY)
    of_a_queue = [key for key in plan.fates_before if "A.IN" in key]
    assert [plan.fates_before[key] for key in of_a_queue] == [Fate.LOOPS, Fate.BACKOUT_QUEUE]
    assert [len(component.flows) for component, _ in plan.components] == [1] * len(plan.fates_before)
    assert {change.target.place for change in plan.changes} == {"QM1"}
