"""Members of a cluster: changes that make them unequal, or equal, repair no less and bring up nothing new."""

from __future__ import annotations

import functools
import itertools
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

import pytest

from lintmdb.compare.estates import Side, compare
from lintmdb.engine.findings import Finding
from lintmdb.engine.repairs import find_alternatives
from lintmdb.plan.choices import Changes
from lintmdb.plan.evaluation import Evaluator, flow_key, weighed_fate, worse
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.report.flow_repairs import planned_repairs
from lintmdb.report.plan_text import proof_lines
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import Estate, read_exports, resolve_exports
from lintmdb.run.overlay import overlay_of
from lintmdb.settings.changes import Assignment, Definition, Grant, slots
from tests.laws.laws import seeds
from tests.support.random_estates.estates import build_estate, with_equal_members
from tests.support.scenario import RULES
from tests.support.scenario_folders import scenario_folder

_Named: TypeAlias = tuple[str, tuple[str, ...]]
_MOST_ALTERNATIVES = 12


def _unequal_members(folder: Path, *, dead_letter: bool) -> Evaluator:
    """A cluster of two. OrdersAS is defined once for it; RefundAS for the cell, and in another way for the first node.
    The threads of both members are too few.
    """
    shutil.copytree(scenario_folder("mixed-version-cluster"), folder)
    cell = folder / "was" / "cells" / "C1"
    specification = cell / "clusters" / "Shop" / "resources.xml"
    text = specification.read_text()
    depth = 'name="maxPoolDepth" type="int" value="{}"'
    refund = text.replace("Orders", "Refund").replace("ORDERS", "REFUND").replace(depth.format(1), depth.format(2))
    refund = refund.replace("Count=&quot;4&quot;", "Count=&quot;0&quot;")
    stops, goes_on = "Fails=&quot;true&quot;", "Fails=&quot;false&quot;"
    (cell / "nodes" / "node1" / "resources.xml").write_text(refund)
    (cell / "resources.xml").write_text(refund.replace(stops, goes_on))
    text = text.replace("Count=&quot;4&quot;", "Count=&quot;3&quot;")
    specification.write_text(text.replace(depth.format(1), depth.format(4)))
    version = (cell / "nodes" / "node2" / "node-metadata.properties").read_text()
    (cell / "nodes" / "node1" / "node-metadata.properties").write_text(version)
    for file in cell.glob("nodes/*/servers/*/server.xml"):
        pool = 'maximumSize="{}" name="WMQJCAResourceAdapter"'
        file.write_text(file.read_text().replace(pool.format(50), pool.format(4)))
    for file in cell.rglob("META-INF/*.xml"):
        bound = file.read_text()
        for element in ("message-driven", "container-transaction"):
            for found in re.findall(rf" *<{element}.*?</{element}>\n", bound, re.DOTALL):
                bound = bound.replace(found, found + found.replace("Order", "Refund").replace("Refunds", "Refund"))
        file.write_text(bound)
    manager = folder / "mq" / "QM1.mqsc"
    script = manager.read_text()
    for name in ("ORDERS.IN", "ORDERS.BACKOUT"):
        (queue,) = re.findall(rf"DEFINE QLOCAL\('{name}'\).*?REPLACE\n", script, re.DOTALL)
        script = script.replace("BOTHRESH(3)", "BOTHRESH(5)") + queue.replace("ORDERS", "REFUND")
    if not dead_letter:
        script = re.sub(r"DEFINE QLOCAL\('QM1\.DEAD'\).*?REPLACE\n", "", script, flags=re.DOTALL)
    manager.write_text(script)
    return Evaluator(read_exports([folder]), Observations(), RULES)


@pytest.mark.parametrize("dead_letter", [True, False])
def test_what_is_found_of_unequal_members_is_repaired(dead_letter: bool, tmp_path: Path) -> None:
    """The whole cluster gets its repair, whatever the plan changes on the way, and each flow shows it."""
    plan = make_plan(_unequal_members(tmp_path / "estate", dead_letter=dead_letter), Policy())
    found = {finding.rule.id for finding in plan.before.judgement.findings}
    assert found - {"MDB114"} == {"MDB301", "MDB302", "MDB307"}
    assert ("MDB114" in found) is not dead_letter
    assert [(finding.rule.id, finding.subject.name) for finding in plan.left] == []
    repairs = planned_repairs(plan, plan.before.judgement)
    for number, repair in repairs.flows.items():
        assert repair.changes, plan.before.judgement.flows[number].subject
        assert not repair.options


@functools.cache
def _planned(seed: int) -> tuple[Evaluator, Plan]:
    """An estate in which members of a cluster are alike, but for what is defined for one of them, and its plan."""
    with tempfile.TemporaryDirectory() as folder:
        with_equal_members(build_estate(seed)).write(Path(folder))
        judging = Evaluator(read_exports([Path(folder)]), Observations(), RULES)
    return judging, make_plan(judging, Policy(most_states=40))


def _resolved(judging: Evaluator, changes: Changes) -> Estate:
    """The estate with changes."""
    return resolve_exports(judging.exports, judging.observed, overlay_of(changes))


def _compared(before: Side, after: Side) -> tuple[set[_Named], set[_Named]]:
    """What ``diff`` calls new, and what it calls resolved or not to be judged any more."""
    found = compare(before, after)
    lost = {(entry.rule.id, entry.subject.identity()) for entry in found.undecided if entry.before == "hazard"}
    return _named(entry.finding for entry in found.new), _named(found.resolved) | lost


def _named(findings: Iterable[Finding]) -> set[_Named]:
    return {(finding.rule.id, finding.subject.identity()) for finding in findings}


@pytest.mark.parametrize("seed", seeds(30))
def test_what_is_new_and_gone_is_what_diff_calls_so(seed: int) -> None:
    """Of the plan, and of each alternative for a finding by itself, which often makes members unequal."""
    judging, plan = _planned(seed)
    alternatives = [found for f in plan.before.judgement.findings for found in find_alternatives(f.rule, f.rows)]
    before = Side(_resolved(judging, ()), plan.before.judgement, ())
    planned = _resolved(judging, plan.changes)
    made = [(plan.changes, planned)]
    made += [(changes, _resolved(judging, changes)) for changes in alternatives[:_MOST_ALTERNATIVES]]
    for changes, estate in made:
        after = judging.judge(changes)
        new = [finding for finding in after.judgement.findings if not plan.before.had(finding)]
        gone = [finding for finding in plan.before.judgement.findings if not after.has(finding)]
        assert (_named(new), _named(gone)) == _compared(before, Side(estate, after.judgement, ())), changes
    # Further down stands what the options of the findings that stay would lead to.
    of_plan = itertools.takewhile(lambda line: "With the options of what stays" not in line, proof_lines(plan))
    told = [line for line in of_plan if line.startswith("  new:")]
    assert len(told) == len(_compared(before, Side(planned, plan.after.judgement, ()))[0]) * bool(plan.changes)


def test_each_member_is_changed_once(tmp_path: Path) -> None:
    """What repairs the whole cluster repairs its members, of which other flows are judged one by one."""
    plan = make_plan(_unequal_members(tmp_path / "estate", dead_letter=True), Policy())
    made = [(change.target.kind, change.target.name, len(slots(change))) for change in plan.changes]
    assert sorted(made) == [
        ("mq_specification", "OrdersAS", 1),
        ("mq_specification", "RefundAS", 1),
        ("thread_pool", "WMQJCAResourceAdapter", 2),
    ]


@pytest.mark.parametrize("seed", seeds(30))
def test_nothing_is_changed_twice(seed: int) -> None:
    """No two changes of a plan set one attribute of one object, not even that of one member and of its cluster."""
    _, plan = _planned(seed)
    places = [place for change in plan.changes for place in slots(change)]
    assert len(places) == len(set(places))


@pytest.mark.parametrize("seed", seeds(30))
def test_no_change_can_be_left_out(seed: int) -> None:
    """Without any one change, something that the plan ends is still found, or something is worse. Rights on a new queue
    may end nothing that is certain, and a queue has to be there for what is set of it.
    """
    judging, plan = _planned(seed)
    ended = [f for f in plan.before.judgement.findings if not plan.after.has(f)]
    wanted = [finding for finding in ended if plan.policy.wants_gone(finding.rule.severity)]
    searched = [solution.changes for _, solution in plan.components if not solution.bounded]
    set_of = {change.target for change in plan.changes if isinstance(change, Assignment)}
    for change in (change for changes in searched for change in changes if not isinstance(change, Grant)):
        if isinstance(change, Definition) and change.target in set_of:
            continue
        without = judging.judge(other for other in plan.changes if other != change)
        fates = {flow_key(head): weighed_fate(head) for head in plan.before.judgement.flows}
        harm = worse(plan.before, without, fates, set(fates))
        assert any(map(without.has, wanted)) or not harm.nothing, change


@pytest.mark.parametrize("seed", seeds(30))
def test_each_flow_shows_what_repairs_it(seed: int) -> None:
    """A flow on which something ends shows changes of the plan; for all that is left it shows an option or advice."""
    _, plan = _planned(seed)
    repairs = planned_repairs(plan, plan.before.judgement)
    for number in range(len(plan.before.judgement.flows)):
        findings = [finding for finding in plan.before.judgement.findings if finding.flow == number]
        shown = repairs.of(number, findings)
        gone = [finding for finding in findings if not plan.after.has(finding)]
        assert bool(shown.changes) >= bool(gone)
        assert set(shown.changes) <= set(plan.changes)
        left = [*(option.finding for option in shown.options), *shown.advised]
        assert _named(left) == _named(findings) - _named(gone)
