"""Exports in which every rule fires: the fleet says of them what ``check`` says, by Spark and without, and in pieces.

The exports are the scenarios under many names: exploded trees, archives, dumps in several files, and queue managers
that several cells use and several dumps tell about; one scenario under names that are meant to do harm; and five
hundred random estates.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.random_estates.draw import Draw
from tests.support.random_estates.estates import build_estate
from tests.support.random_estates.omissions import leave_out
from tests.support.scenario import RULES
from tests.support.scenario_folders import scenario_folder
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.audit import Audit, Request, run_audit
from lintmdb.fleet.facts.units import list_units
from lintmdb.fleet.judging.notices import COLUMNS
from lintmdb.resolve.observations import Observations
from lintmdb.run.environments import Environments, build_environments
from lintmdb.run.estate import Estate, read_estate
from lintmdb.run.reading_notices import reading_notices
from tests.laws.laws import OBSERVED as OBSERVED_IN_ESTATES
from tests.laws.laws import write_estates
from tests.support.fleet_estate import OBSERVED as OBSERVED_IN_VARIANTS
from tests.support.fleet_estate import (
    assert_same,
    assert_same_files,
    audit_by_spark,
    copy_renamed,
    table,
    told_by_audit,
    told_of,
    write_hostile,
    write_variants,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Run:
    """The exports, the folder of the audits, and the full audit."""

    exports: Path
    out: Path
    audit: Audit


OBSERVED = Observations(15_000, beans={**OBSERVED_IN_VARIANTS.beans, **OBSERVED_IN_ESTATES.beans})
ESTATES = "estates"


@pytest.fixture(scope="module")
def run(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """All exports, and one audit of them by Spark. The last test changes some."""
    folder = tmp_path_factory.mktemp("parity")
    exports = folder / "exports"
    write_variants(exports)
    write_hostile(exports / "hostile", folder / "scratch")
    write_estates(exports / ESTATES, range(500))
    for seed in range(0, 500, 10):  # the same cells and queue managers in another environment
        leave_out(Draw(f"prod {seed}"), build_estate(seed))[1].write(exports / "prod")
    request = _request(exports, folder / "out")
    return Run(exports, request.out, audit_by_spark(spark, request, compiled=True))


def _request(exports: Path, out: Path, *, incremental: bool = False) -> Request:
    return Request(
        [str(exports)],
        out,
        RULES,
        OBSERVED,
        incremental=incremental,
        environments=_environments(exports),
        differing=True,
    )


def _environments(exports: Path) -> Environments:
    return build_environments([("prod", str(exports / "prod"))])


def _estate(exports: Path) -> Estate:
    return read_estate([exports], OBSERVED, environments=_environments(exports))


def _assert_same_tables(audit: Path, estate: Estate) -> None:
    """Findings, undecided verdicts and clear ones, what could not be read, and what was."""
    assert_same(told_by_audit(audit), told_of(estate.facts))
    problems = [row for row in estate.facts.rows["problem"] if row.kind == "unreadable"]
    quarantine = [(row["path"], row["reason"], row["line"], row["column"]) for row in table(audit, "quarantine")]
    assert sorted(quarantine) == sorted((p.path, p.text, p.line, p.column) for p in problems)
    notices = [tuple(row[name] for name in COLUMNS) for row in table(audit, "notices")]
    told = [(n.kind, n.path, n.line, n.text, n.next_step) for n in reading_notices(estate.facts.rows["problem"])]
    assert sorted(notices) == sorted(told)
    names = ("path", "kind", "name", "environment", "complete", "level")
    inventory = [tuple(row[name] for name in names) for row in _inventory(audit)]
    told = [tuple(getattr(row, name) for name in names) for row in estate.facts.rows["export"]]
    assert Counter(inventory) == Counter(told)


def _inventory(audit: Path) -> list[dict[str, Any]]:
    return table(audit, "inventory")


def test_every_rule_fires_and_the_fleet_says_what_check_says(run: Run) -> None:
    """Every field of every finding and undecided verdict of some thousand exports, fingerprints included."""
    assert len(list_units([str(run.exports)]).units) >= 1000
    findings = table(run.audit.folder, "findings")
    in_estates = {row["name"] for row in _inventory(run.audit.folder) if f"/{ESTATES}/" in row["path"]}
    every = {rule.id for rule in RULES}
    of_liberty = {rule for rule in every if "MDB320" <= rule <= "MDB339"}  # of which no random estate has a server
    for there, meant in ((True, every - of_liberty), (False, every)):
        fired = {row["rule"] for row in findings if ((row["cell"] or row["queue_manager"]) in in_estates) is there}
        assert meant - fired == set(), there
    assert {"error", "warning", "info"} == {finding["severity"] for finding in findings}
    assert {None, "prod"} == {finding["environment"] for finding in findings}
    _assert_same_tables(run.audit.folder, _estate(run.exports))


def test_spark_and_this_process_leave_the_same_bytes(run: Run) -> None:
    """Where some exports tell twice what others tell, too. The facts are there; nothing is read again."""
    request = _request(run.exports, run.out, incremental=True)
    audit = run_audit(None, request)
    assert audit.summary["incremental"]["read"] == 0
    assert_same_files(audit.folder, run.audit.folder)


def test_an_audit_of_what_changed_says_what_a_full_one_says(run: Run) -> None:
    """One export in a hundred is new, other, or gone; nothing else is read again."""
    kept = len(list_units([str(run.exports)]).units)
    first = next(run.exports.glob("0-*-stop-3-sessions-5-bothresh-5"))
    dump = next(first.rglob("*.mqsc"))  # a second dump tells of the same queue manager: now they differ
    dump.write_bytes(dump.read_bytes().replace(b"BOTHRESH(5)", b"BOTHRESH(6)"))
    packed = next(run.exports.glob("1-*-poison-burst")) / "was.zip"
    _change_member(packed, "resources.xml", b'"5"', b'"6"')
    next(run.exports.glob("2-*-clean.tar.gz")).unlink()
    shutil.rmtree(next(run.exports.glob("3-*-backout-loop")) / "was")
    copy_renamed(scenario_folder("backout-shallow"), run.exports / "new", "_new")
    request = _request(run.exports, run.out, incremental=True)
    audit = run_audit(None, request)  # tests/fleet/facts/test_store.py has Spark over what is left of several audits
    changes = audit.summary["incremental"]
    assert (changes["read"], changes["gone"], changes["kept"]) == (4, 2, kept - 4)
    _assert_same_tables(audit.folder, _estate(run.exports))
    before, after = (
        Counter(json.dumps(row, sort_keys=True) for row in told_by_audit(folder).findings)
        for folder in (run.audit.folder, audit.folder)
    )
    assert 0 < sum((before - after).values()) < 20  # what was told of the others stays, to the letter
    assert 0 < sum((after - before).values()) < 20


def _change_member(archive: Path, name: str, old: bytes, new: bytes) -> None:
    with zipfile.ZipFile(archive) as source:
        members = {entry: source.read(entry) for entry in source.namelist()}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for entry, data in members.items():
            target.writestr(entry, data.replace(old, new) if entry.endswith(name) else data)
