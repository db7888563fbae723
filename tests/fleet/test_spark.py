"""Audits by Spark say what audits by this process say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lintmdb.errors import RuleError
from lintmdb.resolve.observations import Observations
from lintmdb.rules.conditions import check_condition
from tests.support.scenario import RULES
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.audit import Request, run_audit
from lintmdb.fleet.facts.collect import live_parts
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.judging.judge import try_rules
from lintmdb.fleet.session import audit_session
from tests.support.fleet_estate import (
    COLLIDING,
    assert_same,
    assert_same_files,
    audit_by_spark,
    told_by_audit,
    told_by_check,
    write_all_fixtures,
    write_colliding,
    write_sharing,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OBSERVED = Observations(on_message_ms=15_000)


def test_spark_and_this_process_leave_the_same_bytes(spark: SparkSession, tmp_path: Path) -> None:
    """And say what check says, where nothing is told twice, so that the join and the subjects take shorter ways.

    Names that hash alike stay apart, and beans that share an endpoint are one subject.
    """
    for one, other in zip(*COLLIDING, strict=True):
        assert spark.sql(f"SELECT hash('{one}') = hash('{other}')").first() == (True,)
    write_all_fixtures(tmp_path / "exports")
    write_colliding(tmp_path / "exports" / "colliding")
    write_sharing(tmp_path / "exports" / "sharing")
    # The rows that rules see are the same for each; test_parity.py has all of them.
    rules = RULES[::5]
    request = Request([str(tmp_path / "exports")], tmp_path / "out", rules, OBSERVED, differing=True)
    audit = audit_by_spark(spark, request)
    state = Store(tmp_path / "out").current()
    assert state is not None
    assert not any(part.repeats for part in live_parts(state))
    assert_same(told_by_audit(audit.folder), told_by_check([tmp_path / "exports"], OBSERVED, rules))
    assert_same_files(run_audit(None, request).folder, audit.folder)


def test_a_rule_that_overflows_is_named(spark: SparkSession) -> None:
    """It fails before anything is judged, and the error names the rule."""
    time = "endpoint.non_asf_timeout_ms"
    rule = replace(RULES[0], id="SITE001", hazard=check_condition(f"{time} * {time} * {time} > 5", typed=False))
    with pytest.raises(RuleError, match="SITE001 cannot be judged by Spark"):
        try_rules(audit_session(spark), [RULES[1], rule])
