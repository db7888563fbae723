"""Random estates are what they say: the same for the same seed, readable, and hostile enough."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest

from lintmdb.model.relations import Resolution
from lintmdb.run.estate import Estate, resolve_exports
from tests.laws.laws import OBSERVED, batches, read_exports_of
from tests.support.judged_flows import judge_flows
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.estates import build_estate
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow


def _texts(seed: int) -> dict[str, str]:
    return {path: block.text for path, block in build_estate(seed).files.items()}


@pytest.fixture(scope="module")
def estates() -> list[Estate]:
    """Enough estates to meet everything."""
    return [resolve_exports(read_exports_of(batch), OBSERVED) for batch in batches(150)]


def test_a_seed_always_gives_the_same_estate() -> None:
    """Two builds of a seed are equal to the letter; another seed gives another estate."""
    assert _texts(5) == _texts(5)
    assert _texts(5) != _texts(6)


def test_parts_in_another_order_are_the_same_parts() -> None:
    """Shuffling keeps every part of a file."""
    shuffled = 0
    for block in build_estate(7).files.values():
        other = block.shuffled(Draw(1)).text
        assert Counter(other.splitlines()) == Counter(block.text.splitlines())
        shuffled += other != block.text
    assert shuffled > 5


def test_every_file_is_read(estates: list[Estate]) -> None:
    """Nothing is passed over or not understood: what the estates hold is in the products' formats."""
    assert [entry for estate in estates for entry in estate.passed_over] == []
    problems = [problem for estate in estates for problem in estate.facts.rows["problem"]]
    odd = [problem for problem in problems if problem.kind in ("not_understood", "template")]
    assert [problem for problem in odd if "useMetadataFromBinaries" not in problem.text] == []


def test_estates_hold_every_kind_of_flow(estates: list[Estate]) -> None:
    """Both providers, both kinds of endpoint, queues and topics, every resolution of a name, and most rules."""
    flows = [flow.rows for estate in estates for flow in judge_flows(estate.facts, RULES)]
    assert {rows.endpoint.kind for rows in flows} == {"listener_port", "activation_spec"}
    assert {"wmq", "sib"} <= {rows.endpoint.provider for rows in flows}
    assert {"queue", "topic"} <= {rows.endpoint.destination_type for rows in flows}
    assert set(get_args(Resolution)) <= {rows.queue_resolution for rows in flows}
