"""The step at which a story ends because a value is not known."""

from __future__ import annotations

import pytest

from lintmdb.delivery.outcome import Step
from lintmdb.delivery.wording import tell


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("queue.backout_threshold", "BOTHRESH of the queue"),
        ("backout.put_enabled", "PUT of the backout queue"),
        ("endpoint.failure_threshold", "the failure limit of the endpoint"),
        ("another", "another"),
    ],
)
def test_a_value_that_is_missing_has_the_name_that_administrators_know(name: str, words: str) -> None:
    """Not the name of the column."""
    (line,) = tell([Step("endpoint", "undecided", {"missing": name}, {})])
    assert line.text == f"What happens here depends on {words}, which no export contains"


def test_what_boqname_says_may_be_known() -> None:
    """And not whether there is such a queue."""
    (line,) = tell([Step("endpoint", "undecided", {"missing": "queue.backout_resolution"}, {})])
    told = "whether the queue exists that BOQNAME of the queue names, which no export shows"
    assert line.text == f"What happens here depends on {told}"
