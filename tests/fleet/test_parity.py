"""Exports in which every rule fires: the fleet says of them what ``check`` says, by Spark and without.

The exports are the scenarios under many names: exploded trees, archives, dumps in several files, and queue managers
that several cells use and several dumps tell about; one scenario under names that are meant to do harm; and five
hundred random estates.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.scenario import RULES
from tests.support.scenario_folders import scenario_names
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.audit import Audit, run_audit
from lintmdb.fleet.facts.units import list_units
from lintmdb.fleet.judging.columnar import telling, undecided, writing
from tests.support.fleet_estate import assert_same_files, audit_by_spark, table, write_hostile
from tests.support.fleet_parity import ESTATES, assert_same_tables, estate_of, inventory, request_of, write_exports

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from lintmdb.rules.rule import Rule


@dataclass(frozen=True)
class Run:
    """The exports, the folder of the audits, and the full audit."""

    exports: Path
    out: Path
    audit: Audit


@pytest.fixture(scope="module")
def run(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """All exports, and one audit of them by Spark."""
    folder = tmp_path_factory.mktemp("parity")
    exports = folder / "exports"
    write_exports(exports, scenario_names(), range(500))
    write_hostile(exports / "hostile", folder / "scratch")
    request = request_of(exports, folder / "out")
    return Run(exports, request.out, audit_by_spark(spark, request, compiled=True))


def test_every_rule_fires_and_the_fleet_says_what_check_says(run: Run) -> None:
    """Every field of every finding and undecided verdict of some thousand exports, fingerprints included."""
    assert len(list_units([str(run.exports)]).units) >= 1000
    findings = table(run.audit.folder, "findings")
    in_estates = {row["name"] for row in inventory(run.audit.folder) if f"/{ESTATES}/" in row["path"]}
    every = {rule.id for rule in RULES}
    of_liberty = {rule for rule in every if "MDB320" <= rule <= "MDB339"}  # of which no random estate has a server
    for there, meant in ((True, every - of_liberty), (False, every)):
        fired = {row["rule"] for row in findings if ((row["cell"] or row["queue_manager"]) in in_estates) is there}
        assert meant - fired == set(), there
    assert {"error", "warning", "info"} == {finding["severity"] for finding in findings}
    assert {None, "prod"} == {finding["environment"] for finding in findings}
    assert_same_tables(run.audit.folder, estate_of(run.exports))


def test_spark_and_this_process_leave_the_same_bytes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where some exports tell twice what others tell, too, and one file is filled in after another. Facts are there;
    nothing is read again.
    """
    request = request_of(run.exports, run.out, incremental=True)
    for judged in (run.out / "facts").glob("judged-*"):  # without it nobody knows that nothing has changed
        judged.unlink()
    monkeypatch.setattr(writing, "_ROUND_ROWS", 1)
    audit = run_audit(None, request)
    changes = audit.summary["incremental"]
    assert changes["read"] == 0
    assert changes.get("judged") == audit.summary["endpoints"]
    assert len([*(audit.folder / "undecided").iterdir()]) > 1, "there is a file to be written after another"
    assert_same_files(audit.folder, run.audit.folder)


def test_recipes_tell_what_each_flow_by_itself_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Undecided verdicts whose flows differ in names alone are worked out once, and the others by other processes."""
    told: list[str] = []

    def make_none(rule: Rule, *_: object) -> None:
        told.append(rule.id)

    monkeypatch.setattr(undecided, "make_recipe", make_none)
    monkeypatch.setattr(telling, "_WORTH_A_PROCESS", 1)
    for judged in (run.out / "facts").glob("judged-*"):
        judged.unlink()
    audit = run_audit(None, request_of(run.exports, run.out, incremental=True))
    assert told
    assert_same_files(audit.folder, run.audit.folder)
