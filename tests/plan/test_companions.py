"""Companion changes answer nothing that is found now: plans say what they prevent, and offer what else would."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from lintmdb.plan.document import answered_rules
from lintmdb.plan.evaluation import Evaluator, State
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_exports
from tests.laws.laws import OBSERVED, seeds
from tests.support.command import Run
from tests.support.project import FIXTURES
from tests.support.random_estates.estates import build_estate
from tests.support.scenario import RULES, scenario_evaluator
from tests.support.scenario_folders import scenario_names
from tests.support.variant import Variant

_STOPS = "was_stopEndpointIfDeliveryFails=&quot;{}&quot;,was_failureDeliveryCount=&quot;{}&quot;"


def _stopping(folder: Path) -> Variant:
    """An endpoint that stops after three failures, on a queue whose BOTHRESH(0) moves nothing."""
    resources = "was/cells/PRODCELL/nodes/node2/resources.xml"
    variant = Variant(folder, "estate").edit(resources, _STOPS.format("false", "6"), _STOPS.format("true", "3"))
    file = variant.folder / "mq/QM1.mqsc"
    before, head, after = file.read_text().partition("DEFINE QLOCAL('RETURNS.IN')")
    file.write_text(before + head + after.replace("BOTHRESH(3)", "BOTHRESH(0)", 1))
    return variant


def test_every_form_says_what_a_companion_change_prevents(lintmdb: Run, tmp_path: Path) -> None:
    """And the other way to prevent it, with its condition and the option that asks for it, which does as it says."""
    inputs = (_stopping(tmp_path).folder, "--on-message", "15s")
    out = tmp_path / "plan"
    text = lintmdb("plan", *inputs, "--out", out).stdout
    keep = "activation specification ReturnsAS at node node2: stopEndpointIfDeliveryFails"
    for page in (text, (out / "plan.md").read_text(), (out / "plan.html").read_text()):
        assert "else MDB302 once BOTHRESH is 3" in page
        assert "Or, if the endpoint must still stop when messages fail in a row" in page
        assert keep in page
    document = json.loads((out / "plan.json").read_text())
    (companion,) = (entry for entry in document["changes"] if "prevents" in entry)
    assert (companion["name"], companion["rules"], companion["prevents"]) == ("ReturnsAS", [], ["MDB302"])
    causes = [document["changes"][number] for number in companion["once"]]
    assert [(cause["name"], cause["attribute"], cause["new"]) for cause in causes] == [("RETURNS.IN", "BOTHRESH", "3")]
    kept = lintmdb("plan", *inputs, "--keep", keep).stdout
    assert "activation specification ReturnsAS of node node2\n    Number of sequential delivery failures" in kept


def test_check_says_so_too_and_shows_after_how_many_failures_the_endpoint_stops(lintmdb: Run, tmp_path: Path) -> None:
    """The flow's own finding is about the queue alone, while its headline is about the endpoint."""
    inputs = (_stopping(tmp_path).folder, "--on-message", "15s")
    text = lintmdb("check", *inputs).stdout
    flow = text[text.index("RETURNS.IN at QM1 ->") :].split("\n\n")[0]
    assert "A poison message stops ReturnsAS after 3 failed deliveries" in " ".join(flow.split())
    assert [line.split()[2:4] for line in flow.splitlines() if line.startswith("  WebSphere")] == [
        ["stopEndpointIfDeliveryFails", "true"],
        ["failureDeliveryCount", "3"],
    ]
    assert "true -> false  else MDB302 once BOTHRESH is 3" in flow
    assert "  or      if the endpoint must still stop" in flow
    assert "else MDB302 once BOTHRESH is 3" in lintmdb("check", *inputs, "--format", "html").stdout
    assert "else MDB302 once BOTHRESH is 3" in lintmdb("check", *inputs, "--format", "markdown").stdout


_RANDOM = [pytest.param(seed, marks=pytest.mark.slow) for seed in seeds(8)]


@pytest.mark.parametrize("name", [*scenario_names(), *_RANDOM])
def test_a_reason_is_what_judging_without_the_change_finds(name: str | int, tmp_path: Path) -> None:
    """In the whole estate; and a change without a finding and without a reason prevents no finding."""
    if isinstance(name, str):
        judging = scenario_evaluator(name)
    else:
        build_estate(name).write(tmp_path)
        judging = Evaluator(read_exports([tmp_path]), OBSERVED if name % 2 else Observations(), RULES)
    policy = Policy(most_states=30)
    plan = make_plan(judging, policy)
    answered = answered_rules(plan)
    for change in plan.changes:
        if answered[change]:
            assert change not in plan.reasons
            continue
        without = judging.judge([other for other in plan.changes if other is not change])
        found = {rule for rule, _ in _found(without, policy) - _found(plan.after, policy)}
        assert found == set(plan.reasons[change].rules if change in plan.reasons else ())


def _found(state: State, policy: Policy) -> set[tuple[str, tuple[str, ...]]]:
    return {
        (finding.rule.id, finding.subject.identity())
        for finding in state.judgement.findings
        if finding.flow is not None and policy.wants_gone(finding.rule.severity)
    }


def test_a_change_names_each_finding_that_is_gone_with_it(lintmdb: Run, tmp_path: Path) -> None:
    """A corrected BOQNAME ends MDB115 and MDB125, too, although to correct it is a repair of MDB105 alone."""
    estate = tmp_path / "estate"
    shutil.copytree(FIXTURES / "clean", estate)
    dump = estate / "mq/QM1.mqsc"
    dump.write_text(dump.read_text("utf-8").replace("BOQNAME('ORDERS.BACKOUT')", "BOQNAME('ORDERS.BACKOUTS')"), "utf-8")
    command = ("plan", estate, "--keep", "queue ORDERS.BACKOUTS at QM1", "--format", "json")
    document = json.loads(lintmdb(*command).stdout)
    (change,) = document["changes"]
    assert change["new"] == "ORDERS.BACKOUT"
    assert change["rules"] == sorted(finding["rule"] for finding in document["gone"]) == ["MDB105", "MDB115", "MDB125"]
