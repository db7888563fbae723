"""A plan says of each value that it changes what the exports have, whatever its search tried on the way."""

from __future__ import annotations

import pytest

from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.plan.verify import Verified, verify
from tests.laws.laws import OBSERVED, read_exports_of, seeds
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow


def test_a_plan_is_still_open_at_its_own_exports() -> None:
    """``plan verify`` finds the old value of each change, and no change that is done or overtaken."""
    verified = list[Verified]()
    for seed in seeds(16):
        exports = read_exports_of((seed,))
        plan = make_plan(Evaluator(exports, OBSERVED, RULES), Policy(most_states=20))
        verified += verify(plan.changes, exports)
    assert len(verified) > 50
    assert [found for found in verified if found.progress in ("done", "drifted")] == []
