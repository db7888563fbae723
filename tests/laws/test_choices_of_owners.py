"""What a plan says that the owners may want instead is what it plans if they ask for it."""

from __future__ import annotations

import pytest

from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.owner_choices import choices_by_condition
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy, parse_keep
from lintmdb.settings.changes import Assignment, slots
from tests.laws.laws import OBSERVED, read_exports_of, seeds
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow


def test_the_option_that_a_plan_prints_leads_to_the_numbers_beside_it() -> None:
    """To the last one: a limit that was right for the exports may be too low for what else is changed."""
    compared, other = 0, list[str]()
    for seed in seeds(12):
        evaluator = Evaluator(read_exports_of((seed,)), OBSERVED, RULES)
        plan = make_plan(evaluator, Policy())
        for _, group in choices_by_condition(plan, plan.changes):
            asked = make_plan(evaluator, Policy(keep=[parse_keep(instead.keep) for instead in group]))
            made = {place: c.new for c in asked.changes if isinstance(c, Assignment) for place in slots(c)}
            for change in (change for instead in group for change in instead.changes):
                if isinstance(change, Assignment) and change.new.isdecimal():
                    compared += 1
                    planned = {made.get(place, change.new) for place in slots(change)}
                    other += [f"{seed} {change.target.name}: {change.new}, {planned}"] * (planned != {change.new})
    assert compared > 1
    assert other == []
