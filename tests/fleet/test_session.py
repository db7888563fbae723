"""How a session is set for an audit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.session import audit_session, interpreted, planned_once, size_queries

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ADAPTIVE = "spark.sql.adaptive.enabled"
_PARTITIONS = "spark.sql.shuffle.partitions"
_FACTORY = "spark.sql.codegen.factoryMode"


def test_planning_once_leaves_the_settings(spark: SparkSession) -> None:
    """Inside there are fewer tasks and no adaptive execution."""
    own = audit_session(spark)
    size_queries(own, 100_000_000)
    assert own.conf.get(_PARTITIONS) == "1000"
    with planned_once(own):
        assert own.conf.get(_ADAPTIVE) == "false"
        assert own.conf.get(_PARTITIONS) == "200"
    assert (own.conf.get(_ADAPTIVE), own.conf.get(_PARTITIONS)) == ("true", "1000")


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
