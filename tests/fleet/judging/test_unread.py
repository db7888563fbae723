"""Notices and queues without an endpoint: the fleet says of them what ``check`` says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.scenario import RULES
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.audit import Request, run_audit
from lintmdb.fleet.judging.notices import COLUMNS
from lintmdb.run.environments import build_environments
from lintmdb.run.estate import read_estate
from lintmdb.run.reading_notices import reading_notices
from tests.laws.laws import OBSERVED
from tests.support.fleet_estate import (
    assert_same,
    assert_same_files,
    audit_by_spark,
    copy_renamed,
    table,
    told_by_audit,
    told_of,
)
from tests.support.random_estates.estates import build_estate
from tests.support.scenario_folders import scenario_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ALONE = """\
* Queue manager name: LONE
DEFINE QLOCAL('A.IN') BOTHRESH(3) BOQNAME('NOPE') REPLACE
DEFINE QLOCAL('B.IN') BOTHRESH(0) BOQNAME('A.IN') REPLACE
NO COMMAND
NOR THIS
"""
_ENDPOINT_OF_A_TOPIC = 16
"""The seed of an estate with an endpoint that names a queue and reads none."""


def test_the_fleet_judges_what_no_endpoint_leads_to(spark: SparkSession, tmp_path: Path) -> None:
    """Queues and queue managers alone, beside those with endpoints; and each notice about reading."""
    exports = tmp_path / "exports"
    for seed in (_ENDPOINT_OF_A_TOPIC, 5):
        build_estate(seed).write(exports)
    (exports / "alone").mkdir()
    (exports / "alone" / "LONE.mqsc").write_text(_ALONE)
    (exports / "alone" / "GUESSED.mqsc").write_text("DEFINE QLOCAL('A.IN') BOTHRESH(3) BOQNAME('NOPE') REPLACE\n")
    # Two environments, of which one reads from the other's queue manager.
    copy_renamed(scenario_folder("clean"), exports / "prod", "_P")
    copy_renamed(scenario_folder("clean"), exports / "test", "_T", "_P")
    for dump in (exports / "test").rglob("*.mqsc"):
        dump.unlink()
    copy_renamed(scenario_folder("backout-inert"), exports / "test" / "own", "_T2")
    # An environment that is named has the same names, and reads from none of these.
    build_estate(5).write(exports / "named")
    (exports / "named" / "LONE.mqsc").write_text(_ALONE.replace("BOTHRESH(0)", "BOTHRESH(2)"))
    environments = build_environments([("named", str(exports / "named"))])
    request = Request(
        [str(exports)],
        tmp_path / "out",
        RULES,
        OBSERVED,
        all_queues=True,
        incremental=True,
        environments=environments,
    )
    local = run_audit(None, request)
    facts = read_estate([exports], OBSERVED, environments=environments).facts
    told = told_by_audit(local.folder)
    assert_same(told, told_of(facts, all_queues=True))
    assert {"LONE"} <= {row["queue_manager"] for row in table(local.folder, "findings")}
    notices = [(n.kind, n.path, n.line, n.text, n.next_step) for n in reading_notices(facts.rows["problem"])]
    assert {kind for kind, *_ in notices} >= {"refused_command", "guessed_name", "joined_across_folders"}
    assert sorted(tuple(row[name] for name in COLUMNS) for row in table(local.folder, "notices")) == sorted(notices)
    shown = local.summary.get("notices", ())
    assert sorted((n["kind"], n["path"]) for n in shown) == sorted((kind, path) for kind, path, *_ in notices)
    # Spark plans and compiles each rule, so it judges only those with a finding where there is no endpoint.
    found = sorted({row["rule"] for row in told.findings if row["cell"] is None})[:6]
    assert len(found) == 6
    few = replace(request, rules=[rule for rule in RULES if rule.id in found])
    assert_same_files(run_audit(None, few).folder, audit_by_spark(spark, few).folder)
