"""Repairs: each alternative of each finding, made by itself, ends that finding in every scenario of the fixtures."""

from __future__ import annotations

from functools import cache

import pytest

from lintmdb.engine.findings import Finding
from lintmdb.engine.repairs import Alternative, find_alternatives, find_owner_choices
from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.owner_choices import choices_by_condition
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy, parse_keep
from tests.support.scenario import scenario_evaluator, subject_name
from tests.support.scenario_folders import scenario_names

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
