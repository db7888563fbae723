"""Audits by Spark say what audits by this process say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lintmdb.errors import RuleError
from lintmdb.model.origins import Origin
from lintmdb.resolve.observations import EndpointObservation, QueueObservation
from lintmdb.rules.conditions import check_condition
from tests.support.scenario import RULES
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.audit import Request, run_audit
from lintmdb.fleet.facts.collect import live_parts
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.judging import tables
from lintmdb.fleet.judging.judge import try_rules
from lintmdb.fleet.session import audit_session
from lintmdb.run.estate import read_estate
from tests.laws.laws import OBSERVED
from tests.support.fleet_estate import (
    COLLIDING,
    assert_same,
    assert_same_files,
    audit_by_spark,
    told_by_audit,
    told_of,
    write_all_fixtures,
    write_colliding,
    write_sharing,
    write_unread,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ALONE = ("MDB102", "MDB103", "MDB104", "MDB105", "MDB108", "MDB109")
"""Rules with findings on queues that no endpoint leads to."""
_OF_USERS = ("MDB113", "MDB127", "MDB135")
"""Rules that ask what the reader of a queue may do."""
_READ_BY_A_USER = replace(
    OBSERVED,
    user=EndpointObservation(user="mqapp"),
    users_at=(("QM1", EndpointObservation(user="mqother")),),
    queues=(QueueObservation("ORDERS*", "QM*", "mqreader", Origin("", 0, 0, "")),),
    users={"mqapp": frozenset({"mqusers"}), "mqreader": frozenset()},
)
_FEW = [rule for number, rule in enumerate(RULES) if number % 5 == 0 or rule.id in (*_ALONE, *_OF_USERS)]
"""The rows that rules see are the same for each; ``test_parity`` has all of them."""


def test_spark_and_this_process_leave_the_same_bytes(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And say what check says, where nothing is told twice, so that the join and the subjects take shorter ways.

    Names that hash alike stay apart, and beans that share an endpoint are one subject. Queues and queue managers that
    no endpoint leads to are judged, too. Tables have several files, and this process reads the exports anew.
    """
    for one, other in zip(*COLLIDING, strict=True):
        assert spark.sql(f"SELECT hash('{one}') = hash('{other}')").first() == (True,)
    exports = tmp_path / "exports"
    write_all_fixtures(exports)
    write_colliding(exports / "colliding")
    write_sharing(exports / "sharing")
    (exports / "broken.zip").write_bytes(b"PK\x03\x04 and nothing that follows")
    environments = write_unread(exports / "unread")
    monkeypatch.setattr(tables, "_FILE_ROWS", 100)
    request = Request(
        [str(exports)],
        tmp_path / "out",
        _FEW,
        _READ_BY_A_USER,
        environments=environments,
        differing=True,
        all_queues=True,
    )
    audit = audit_by_spark(spark, request)
    state = Store(tmp_path / "out").current()
    assert state is not None
    assert not any(part.repeats for part in live_parts(state))
    told = told_by_audit(audit.folder)
    facts = read_estate([exports], _READ_BY_A_USER, environments=environments).facts
    assert_same(told, told_of(facts, _FEW, all_queues=True))
    assert {row["rule"] for row in told.findings if row["cell"] is None} >= {*_ALONE, "MDB113"}
    assert_same_files(run_audit(None, request).folder, audit.folder)
    for name in ("findings", "inventory", "summary", "undecided"):
        assert len(list((audit.folder / name).glob("part-*.parquet"))) > 1, name


def test_a_rule_that_overflows_is_named(spark: SparkSession) -> None:
    """It fails before anything is judged, and the error names the rule."""
    time = "endpoint.non_asf_timeout_ms"
    rule = replace(RULES[0], id="SITE001", hazard=check_condition(f"{time} * {time} * {time} > 5", typed=False))
    with pytest.raises(RuleError, match="SITE001 cannot be judged by Spark"):
        try_rules(audit_session(spark), [RULES[1], rule])
