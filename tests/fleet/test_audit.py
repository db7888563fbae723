"""The fleet audit says what ``check`` says, whatever the exports hold and however often it runs."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import zipfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lintmdb.errors import LintmdbError
from lintmdb.resolve.observations import Observations
from tests.support.project import FIXTURES
from tests.support.scenario import RULES
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.cli.app import app
from lintmdb.cli.fleet import exit_code, summary_lines
from lintmdb.fleet.arrow import records
from lintmdb.fleet.audit import Audit, Request, run_audit
from lintmdb.fleet.facts import unit_reader
from lintmdb.fleet.facts.encoding import arrow_schema, decode_origins, encode_origins, may_have_origin
from lintmdb.fleet.facts.store import COMPLETE, Store
from lintmdb.fleet.facts.unit_reader import Task, UnitReader
from lintmdb.fleet.facts.units import list_units
from lintmdb.model.origins import Origin
from lintmdb.run.gate import Gate
from tests.support.fleet_estate import (
    assert_same,
    copy_renamed,
    table,
    told_by_audit,
    told_by_check,
    write_all_fixtures,
    write_colliding,
)

if TYPE_CHECKING:
    pass

OBSERVED = Observations(on_message_ms=15_000)


@dataclass(frozen=True)
class Fleet:
    """A fleet of all scenarios and of what scenarios lack, with its full audit."""

    folder: Path
    out: Path
    audit: Audit


def _script(path: Path, name: str, threshold: int) -> None:
    path.write_text(f"* Queue manager name: {name}\nALTER QLOCAL('ORDERS.IN') BOTHRESH({threshold})\n")


@pytest.fixture(scope="session")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Fleet:
    """The fleet is written once; tests that change it come last."""
    folder = tmp_path_factory.mktemp("fleet") / "exports"
    write_all_fixtures(folder)
    write_colliding(folder / "colliding")
    stopping = FIXTURES / "stop-3-sessions-5-bothresh-5"
    for copy in ("a", "b"):  # the same cell and queue manager twice, with equal values
        copy_renamed(stopping, folder / "same" / copy, "_same")
    for copy in ("a", "b"):  # and with different ones
        copy_renamed(stopping, folder / "other" / copy, "_other")
    for file in (folder / "other" / "b").rglob("*"):
        if file.name in ("resources.xml", "server.xml"):
            file.write_bytes(file.read_bytes().replace(b'"3"', b'"4"').replace(b'"120"', b'"60"'))
        if file.suffix == ".mqsc":
            file.write_bytes(file.read_bytes().replace(b"BOTHRESH(5)", b"BOTHRESH(7)"))
    copy_renamed(stopping, folder / "script", "_script")  # a dump, and a script that runs after it
    dump = next((folder / "script").rglob("*.mqsc"))
    _script(folder / "script" / "later.mqsc", dump.stem, 1)
    copy_renamed(stopping, folder / "zipped", "_zipped")
    with zipfile.ZipFile(folder / "backup.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted((folder / "zipped" / "was").rglob("*.*")):
            archive.write(file, file.relative_to(folder / "zipped" / "was"))
    shutil.rmtree(folder / "zipped" / "was")
    (folder / "broken.zip").write_bytes(b"PK\x03\x04 and nothing that follows")
    out = folder.parent / "out"
    return Fleet(folder, out, run_audit(None, Request([str(folder)], out, RULES, OBSERVED, differing=True)))


def test_the_audit_says_what_check_says(fleet: Fleet) -> None:
    """Findings, undecided verdicts and counts of clear ones are equal in every field."""
    told = told_by_audit(fleet.audit.folder)
    assert_same(told, told_by_check([fleet.folder], OBSERVED))
    fired = {finding["rule"] for finding in told.findings}
    assert {rule.id for rule in RULES} - fired <= {"MDB416"}, (
        "a rule that nothing in the fleet shows"
    )  # needs a minute and a half


def test_a_damaged_archive_is_in_quarantine(fleet: Fleet) -> None:
    """It has a row with path and reason, and a finding; the others are judged."""
    rows = {Path(row["path"]).name: row for row in table(fleet.audit.folder, "quarantine")}
    assert "damaged archive" in rows["broken.zip"]["reason"]
    assert fleet.audit.summary["exports"]["quarantined"] == len(table(fleet.audit.folder, "quarantine"))


def test_the_inventory_counts_objects(fleet: Fleet) -> None:
    """Each cell and queue manager has a row with its objects."""
    rows = table(fleet.audit.folder, "inventory")
    cell = next(row for row in rows if row["path"].endswith("backup.zip!/cells/C1_zipped"))
    assert (cell["kind"], cell["name"]) == ("cell", "C1_zipped")
    assert dict(cell["objects"])["activation specifications"] == 1
    assert fleet.audit.summary["exports"]["cells"] == sum(row["kind"] == "cell" for row in rows)


def test_the_summary_adds_up(fleet: Fleet) -> None:
    """The table by cell and rule and summary.json count the same hazards and undecided verdicts."""
    rows = table(fleet.audit.folder, "summary")
    summary = fleet.audit.summary
    assert sum(row["hazards"] for row in rows) == sum(summary["hazards"].values())
    assert sum(row["undecided"] for row in rows) == summary["undecided"] == len(table(fleet.audit.folder, "undecided"))
    assert json.loads((fleet.audit.folder / "summary.json").read_text()) == summary
    assert len(rows) == len({(row["cell"], row["rule"]) for row in rows})
    assert exit_code(summary, Gate("never")) == 0
    assert exit_code(summary, Gate("never", strict=True)) == 4
    assert exit_code(summary, Gate("error", strict=True)) == 1
    assert any("quarantine" in line for line in summary_lines(summary, fleet.audit.folder))


def test_a_second_audit_at_once_is_refused(fleet: Fleet) -> None:
    """It ends with one clear line, and the complete audit stays."""
    with (
        Store(fleet.out).locked(),
        pytest.raises(LintmdbError, match="another audit is writing here"),
    ):
        run_audit(None, Request([str(fleet.folder)], fleet.out, [], differing=True))
    assert [path.name for path in Store(fleet.out).complete_audits()] == [fleet.audit.folder.name]
    assert (fleet.audit.folder / COMPLETE).exists()


def _task(path: Path) -> Task:
    (unit,) = list_units([str(path)]).units
    return unit_reader.build_task(1, unit)


def _problems(reader: Any, task: Task) -> list[str]:
    rows = [row for _, relation, rows in reader(task) if relation == "problem" for row in rows]
    return [str(row[4]) for row in rows]


def test_a_file_that_vanishes_is_a_problem(tmp_path: Path) -> None:
    """Between listing and reading a file may go: that is a row of the quarantine."""
    file = tmp_path / "QM1.mqsc"
    _script(file, "QM1", 3)
    task = _task(file)
    file.unlink()
    assert _problems(UnitReader().table, task) == ["cannot be read: No such file or directory"]


def test_a_queue_manager_decides_over_what_a_file_looks_like(tmp_path: Path) -> None:
    """As for ``check``: what --queue-manager names is read as MQSC."""
    file = tmp_path / "deck.txt"
    file.write_text("[deck]\nof=CSQ4\nkind=queues\n\nDEFINE QLOCAL('Q') BOTHRESH(0)\n")

    def managers(named: dict[str, str]) -> list[str]:
        told = UnitReader(named=named).table(_task(file))
        return [str(row[0]) for _, relation, rows in told if relation == "queue_manager" for row in rows]

    assert managers({}) == []
    assert managers({str(file): "CSQ4"}) == ["CSQ4"]


def test_a_file_that_is_too_large_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not even opened."""
    file = tmp_path / "QM1.mqsc"
    _script(file, "QM1", 3)
    monkeypatch.setattr(unit_reader, "MAX_FILE_BYTES", 10)
    assert _problems(UnitReader().table, _task(file)) == [f"has {file.stat().st_size} bytes, more than 10"]


def test_a_unit_that_takes_too_long_is_a_problem(tmp_path: Path) -> None:
    """Its time runs out and the next unit is read."""
    file = tmp_path / "QM1.mqsc"
    file.write_text("".join(f"DEFINE QLOCAL('Q{n}') BOTHRESH({n})\n" for n in range(50_000)))
    gc.disable()  # the alarm would interrupt destructors of Spark's objects in this process
    try:
        assert _problems(UnitReader(seconds=0.01).table, _task(file)) == ["takes longer than 0.01 s to read"]
    finally:
        gc.enable()


def test_a_reader_that_dies_is_a_problem(tmp_path: Path) -> None:
    """On the second attempt a unit is read in a process of its own, whose death is a row of the quarantine."""
    file = tmp_path / "QM1.mqsc"
    _script(file, "QM1", 3)

    def killed(_: Task) -> unit_reader.TaskRows:
        os.kill(os.getpid(), signal.SIGKILL)
        return []

    assert _problems(partial(unit_reader.in_child, killed), _task(file)) == [
        "ends the process that reads it (signal 9)"
    ]
    assert unit_reader.in_child(UnitReader().table, _task(file)) == UnitReader().table(_task(file))


def test_batches_hold_what_was_read(tmp_path: Path) -> None:
    """The reader gives one batch a relation, with the part and place of each row."""
    for number in range(3):
        _script(tmp_path / f"QM{number}.mqsc", f"QM{number}", number)
    tasks = [unit_reader.build_task(number, unit) for number, unit in enumerate(list_units([str(tmp_path)]).units)]
    given = unit_reader.tasks_table(tasks, [0, 0, 0]).to_batches()
    batches = list(UnitReader().read(unit_reader.read_tasks(iter(given))))
    rows = [row for relation, batch in batches for row in records(batch, dict[str, Any]) if relation == "queue"]
    assert [(row["queue_manager"], row["name"], row["backout_threshold"]) for row in rows] == [
        (f"QM{number}", "ORDERS.IN", number) for number in range(3)
    ]
    assert len({row["part"] for row in rows}) == 3
    assert all(batch.schema == arrow_schema(relation) for relation, batch in batches)


def test_origins_survive() -> None:
    """Their compact form gives them back, and separators in a text do no harm."""
    origins = {
        "name": Origin("a/b.xml", 3, 7, 'name="x"'),
        "max_sessions": Origin("a/b.xml", 2, 1, "maxSessions not set: 1 is WebSphere's default", True),
    }
    origins["on_message_ms"] = Origin("", 0, 0, "--on-message 15s")
    assert decode_origins(encode_origins(origins)) == origins
    last = [*origins][-1]
    assert decode_origins(encode_origins(origins), {last}) == {last: origins[last]}, "it counts from those before it"
    hostile = {"name": Origin("a", 1, 1, "x\x1ey\x1fz")}
    assert decode_origins(encode_origins(hostile)) == hostile
    assert all(may_have_origin(encode_origins(hostile), column) for column in hostile)
    assert not may_have_origin(encode_origins(origins), "none")
    assert not may_have_origin(None, "none")


def test_units_are_archives_trees_and_files(fleet: Fleet) -> None:
    """A cell's tree is one unit; so is an archive, and so is any other file."""
    paths = [Path(unit.path) for unit in list_units([str(fleet.folder)]).units]
    assert fleet.folder / "backup.zip" in paths
    assert [path for path in paths if path.name == "C1_script" and path.parent.name == "cells"]
    assert not [path for path in paths if path.name == "resources.xml" and "cells" in path.parts]
    with pytest.raises(LintmdbError, match="matches nothing"):
        list_units([str(fleet.folder / "*.tgz")])


def test_an_incremental_audit_says_what_a_full_one_says(fleet: Fleet, capsys: pytest.CaptureFixture[str]) -> None:
    """Only new and changed exports are read, what is gone is dropped, and the verdicts are those of ``check``."""
    shutil.rmtree(fleet.folder / "other" / "b")  # of two that differ one is left
    (fleet.folder / "script" / "later.mqsc").unlink()
    dump = next((fleet.folder / "script").rglob("*.mqsc"))
    dump.write_bytes(dump.read_bytes().replace(b"BOTHRESH(5)", b"BOTHRESH(6)"))
    (fleet.folder / "broken.zip").unlink()
    copy_renamed(FIXTURES / "backout-loop", fleet.folder / "new", "_new")
    arguments = ["fleet", "audit", str(fleet.folder), "--out", str(fleet.out), "--incremental", "--on-message", "15s"]
    assert app(arguments, standalone_mode=False) == 1
    audits = Store(fleet.out).complete_audits()
    assert len(audits) == 2
    assert (audits[0] / COMPLETE).exists()
    changes = json.loads((audits[1] / "summary.json").read_text())["incremental"]
    assert (changes["read"], changes["gone"]) == (3, 4)
    assert changes["kept"] > 100
    assert_same(told_by_audit(audits[1]), told_by_check([fleet.folder], OBSERVED))
    told = capsys.readouterr()
    assert f"tables: {audits[1]}" in told.out
    assert "lintmdb:" in told.err
