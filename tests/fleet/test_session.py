"""How a session is set for a fleet's size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.session import SMALL_ROWS, audit_session, interpreted, planned_once, size_queries

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ADAPTIVE = "spark.sql.adaptive.enabled"
_FACTORY = "spark.sql.codegen.factoryMode"


def test_a_small_fleet_is_judged_without_generated_code(spark: SparkSession) -> None:
    """Planning once changes nothing of that, and a large fleet in the same session gets its code back."""
    own = audit_session(spark)
    generated = own.conf.get(_FACTORY)
    threshold = own.conf.get("spark.sql.autoBroadcastJoinThreshold")
    size_queries(own, SMALL_ROWS)
    with planned_once(own):
        assert own.conf.get("spark.sql.shuffle.partitions") == "1"
    assert (own.conf.get(_ADAPTIVE), own.conf.get(_FACTORY)) == ("false", "NO_CODEGEN")
    assert own.conf.get("spark.sql.codegen.wholeStage") == "false"
    size_queries(own, SMALL_ROWS + 1)
    with planned_once(own):
        assert own.conf.get(_ADAPTIVE) == "false"
    assert (own.conf.get(_ADAPTIVE), own.conf.get(_FACTORY)) == ("true", generated)
    assert own.conf.get("spark.sql.codegen.wholeStage") == "true"
    assert own.conf.get("spark.sql.autoBroadcastJoinThreshold") == threshold


def test_a_few_rows_need_no_generated_code(spark: SparkSession) -> None:
    """After an error, too, the session is as it was."""
    own = audit_session(spark)
    generated = own.conf.get(_FACTORY)
    seen: list[str | None] = []

    def fail() -> None:
        with interpreted(own):
            seen.append(own.conf.get(_FACTORY))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert seen == ["NO_CODEGEN"]
    assert own.conf.get(_FACTORY) == generated != "NO_CODEGEN"
