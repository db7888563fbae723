"""Rules about delivery against the model of delivery, over every small configuration, and all rules against mutants."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from lintmdb.rules.loading import load_rules
from lintmdb.rules.rule import Rule
from tests.support.delivery_grid import grids
from tests.support.grid import Grid, forget_readings
from tests.support.mutations import noticed
from tests.support.rule_comparison import concerns, delivery_rules, disagreements, has_frame

pytestmark = pytest.mark.slow
GRIDS = grids()
RULES = delivery_rules()


@pytest.fixture(scope="module", autouse=True)
def _grids_end_here() -> Iterator[None]:
    """What is known of millions of configurations does not outlive this file: each later walk of the collector of
    cycles, of which pytest makes two at the end, would take seconds.
    """
    yield
    GRIDS.clear()
    forget_readings()


def _grids_of(rule: Rule) -> list[Grid]:
    return [grid for grid in GRIDS if concerns(grid, rule)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule_is_a_hazard_exactly_where_the_model_shows_the_fate(rule: Rule) -> None:
    """Verdict and fate agree on every configuration, but for the difference that the rule itself declares."""
    for grid in _grids_of(rule):
        first = next(disagreements(rule, grid), None)
        assert first is None, first


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rules_about_a_queue_share_one_frame(rule: Rule) -> None:
    """Rules that read a queue or bus destination judge a flow only where there is one."""
    assert has_frame(rule, rule.when)


def test_more_than_100000_configurations_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """The comparison is exhaustive over small values, and every rule has configurations on both sides."""
    compared = 0
    for rule in RULES:
        grids_of_rule = _grids_of(rule)
        assert grids_of_rule, rule.id
        compared += sum(len(grid.configs) for grid in grids_of_rule)
    with capsys.disabled():
        sys.stdout.write(f"\n{compared} configurations compared for {len(RULES)} rules\n")
    assert compared > 100_000


EQUIVALENT = {
    "MDB420 when: without endpoint.kind IN ('listener_port', 'activation_spec') AND": "an endpoint is one of the two",
}
"""Mutants that say the same as the rule, and why."""


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.id)
def test_no_mutant_of_a_rule_survives(rule: Rule) -> None:
    """Any comparison, constant, column or term that is changed makes rule and model disagree, or changes the verdict of
    an example or of a fixture.
    """
    count = noticed(rule, _grids_of(rule) if rule.predicts is not None else ())
    assert count.grid or rule.predicts is None, rule.id
    assert [name for name in count.survivors if name not in EQUIVALENT] == []
