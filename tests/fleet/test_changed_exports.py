"""Incremental audits of exports in every form: what changed is read again, and the tables are those of all exports."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from tests.support.scenario_folders import scenario_folder, scenario_names
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.audit import run_audit
from lintmdb.fleet.facts.units import list_units
from tests.support.fleet_estate import copy_renamed, told_by_audit
from tests.support.fleet_parity import assert_same_tables, estate_of, request_of, write_exports

_CHANGED = ("backout-loop", "clean", "poison-burst", "stop-3-sessions-5-bothresh-5")


def test_an_audit_of_what_changed_says_what_a_full_one_says(tmp_path: Path) -> None:
    """A few of some hundred exports are new, other, or gone; nothing else is read again."""
    exports = tmp_path / "exports"
    write_exports(exports, sorted({*scenario_names()[::4], *_CHANGED}), range(40))
    request = request_of(exports, tmp_path / "out", incremental=True)
    full = run_audit(None, request)
    kept = len(list_units([str(exports)]).units)
    assert kept >= 200
    first = next(exports.glob("0-*-stop-3-sessions-5-bothresh-5"))
    dump = next(first.rglob("*.mqsc"))  # a second dump tells of the same queue manager: now they differ
    dump.write_bytes(dump.read_bytes().replace(b"BOTHRESH(5)", b"BOTHRESH(6)"))
    packed = next(exports.glob("1-*-poison-burst")) / "was.zip"
    _change_member(packed, "resources.xml", b'"5"', b'"6"')
    next(exports.glob("2-*-clean.tar.gz")).unlink()
    shutil.rmtree(next(exports.glob("3-*-backout-loop")) / "was")
    copy_renamed(scenario_folder("backout-shallow"), exports / "new", "_new")
    audit = run_audit(None, request)
    changes = audit.summary["incremental"]
    assert (changes["read"], changes["gone"], changes["kept"]) == (4, 2, kept - 4)
    assert_same_tables(audit.folder, estate_of(exports))
    before, after = (
        Counter(json.dumps(row, sort_keys=True) for row in told_by_audit(folder).findings)
        for folder in (full.folder, audit.folder)
    )
    assert 0 < sum((before - after).values()) < 20  # what was told of the others stays, to the letter
    assert 0 < sum((after - before).values()) < 20


def _change_member(archive: Path, name: str, old: bytes, new: bytes) -> None:
    with zipfile.ZipFile(archive) as source:
        members = {entry: source.read(entry) for entry in source.namelist()}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for entry, data in members.items():
            target.writestr(entry, data.replace(old, new) if entry.endswith(name) else data)
