"""Repairs: each alternative of each finding, made by itself, ends that finding in every scenario of the fixtures."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from lintmdb.engine.findings import Finding
from lintmdb.engine.repairs import Alternative, find_alternatives, find_owner_choices
from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.owner_choices import choices_by_condition
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy, parse_keep
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_exports
from lintmdb.settings.changes import Assignment
from tests.support.scenario import RULES, scenario_evaluator, subject_name
from tests.support.scenario_folders import scenario_names
from tests.support.variant import Variant

_SAID = {("MDB505", "MDB501")}
"""A rule, and one that finds what the condition of the choice says: order is kept at the price of a blocked queue."""


@cache
def _alternatives(name: str) -> tuple[Evaluator, list[tuple[Finding, Alternative]]]:
    judging = scenario_evaluator(name)
    findings = judging.judge(()).judgement.findings
    return judging, [(f, changes) for f in findings for changes in find_alternatives(f.rule, f.rows)]


@pytest.mark.parametrize("name", scenario_names())
def test_each_alternative_ends_its_finding(name: str) -> None:
    """Made by the same overlay as a plan, an alternative leaves no hazard of its rule on its subject; several flows may
    share the subject, and then what the others ask for is made, too.
    """
    judging, found = _alternatives(name)
    for finding, changes in found:
        shown = f"{finding.rule.id} {subject_name(finding.subject)}: {changes}"
        made = changes
        for _ in range(4):
            left = [
                other
                for other in judging.judge(made).judgement.findings
                if (other.rule.id, other.subject) == (finding.rule.id, finding.subject)
            ]
            if not left:
                break
            more = find_alternatives(left[0].rule, left[0].rows)
            assert more, f"{shown}: nothing is offered for what is left"
            assert set(more[0]) - set(made), f"{shown}: the finding is still there"
            made = (*made, *more[0])
        else:
            pytest.fail(f"{shown}: the finding is still there")


@pytest.mark.parametrize("name", scenario_names())
def test_a_choice_brings_no_finding_of_its_own(name: str) -> None:
    """Reports print a choice below the change that a plan prefers. Whoever takes it at its word, with what ends the
    other findings of the flow, has nothing new to repair.
    """
    judging, _ = _alternatives(name)
    before = judging.judge(())
    wanted = {"error", "warning"}
    for finding in judging.judge(()).judgement.findings:
        for choice in find_owner_choices(finding.rule, finding.rows):
            after = judging.judge(choice.changes)
            new = [
                f"{other.rule.id} {subject_name(other.subject)}"
                for other in after.judgement.findings
                if other.rule.severity in wanted and other.subject == finding.subject and not before.had(other)
                if (finding.rule.id, other.rule.id) not in _SAID
            ]
            assert not new, f"{finding.rule.id} {subject_name(finding.subject)}: {choice.changes}"


@pytest.mark.parametrize("name", scenario_names())
def test_what_asks_for_a_choice_does_not_forbid_it(name: str) -> None:
    """The --keep that a plan prints keeps one of its changes, and none of the choice."""
    judging, _ = _alternatives(name)
    plan = make_plan(judging, Policy(most_states=20))
    for _, alternatives in choices_by_condition(plan, plan.changes):
        for instead in alternatives:
            kept = parse_keep(instead.keep)
            assert any(map(kept.covers, plan.changes))
            assert not any(map(kept.covers, instead.changes))


@pytest.mark.parametrize("thresholds", [(3, 8), (8, 3)])
def test_a_choice_fits_all_flows_of_its_object(tmp_path: Path, thresholds: tuple[int, int]) -> None:
    """Two beans share a specification and read queues with other backout thresholds: there is one choice, for both."""
    variant = Variant(tmp_path, "clean")
    first, second = thresholds
    module = "was/cells/C1/applications/Orders.ear/deployments/Orders/orders.jar/META-INF/"
    letters = "<message-driven><ejb-name>LetterBean</ejb-name></message-driven></enterprise-beans>"
    variant.edit(module + "ejb-jar.xml", "</enterprise-beans>", letters)
    binding = '<jca-adapter activation-spec-binding-name="jms/as/Orders" destination-binding-name="jms/q/Letters"/>'
    bound = f'<message-driven name="LetterBean">{binding}</message-driven></ejb-jar-bnd>'
    variant.edit(module + "ibm-ejb-jar-bnd.xml", "</ejb-jar-bnd>", bound)
    resources = "was/cells/C1/nodes/node1/servers/server1/resources.xml"
    stops = "was_stopEndpointIfDeliveryFails=&quot;{}&quot;,was_failureDeliveryCount=&quot;{}&quot;"
    variant.edit(resources, stops.format("false", 0), stops.format("true", 4))
    queue = (
        '<factories xmi:type="resources.jms.mqseries:MQQueue" name="LettersQ" jndiName="jms/q/Letters" '
        'baseQueueName="LETTERS.IN"/></resources.jms:JMSProvider>'
    )
    variant.edit(resources, "</resources.jms:JMSProvider>", queue)
    dump = variant.folder / "mq/QM1.mqsc"
    queues = (
        f"ALTER QLOCAL('ORDERS.IN') BOTHRESH({first})\n"
        f"DEFINE QLOCAL('LETTERS.IN') BOQNAME('ORDERS.BACKOUT') BOTHRESH({second}) SHARE\n"
    )
    dump.write_text(dump.read_text("utf-8").replace("* Script ended", queues + "* Script ended"), "utf-8")
    judging = Evaluator(read_exports([variant.folder]), Observations(), RULES)
    plan = make_plan(judging, Policy(most_states=20))
    told = [
        (change.attribute, change.new)
        for _, alternatives in choices_by_condition(plan, plan.changes)
        for instead in alternatives
        for change in instead.changes
        if isinstance(change, Assignment)
    ]
    assert told == [("failureDeliveryCount", "81")]
