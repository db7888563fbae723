"""Processes of this computer that read exports: what they write, and what becomes of those that die."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.support.fleet_estate import copy_renamed
from tests.support.project import FIXTURES
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.errors import LintmdbError
from lintmdb.fleet.arrow import read_rows
from lintmdb.fleet.facts import workers
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.facts.unit_reader import Task, TaskRows, UnitReader, build_task
from lintmdb.fleet.facts.units import list_units


class FragileReader(UnitReader):
    """A reader that dies of some units, in whichever process it is."""

    __slots__ = ()

    def table(self, task: Task) -> TaskRows:
        """As of any reader, if it lives."""
        if "deadly" in task.path:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().table(task)


def _tasks(exports: Path) -> list[Task]:
    return [build_task(number, unit) for number, unit in enumerate(list_units([str(exports)]).units)]


def _read(exports: Path, generation: Path, reader: UnitReader) -> dict[str, list[dict[str, Any]]]:
    workers.LocalWorkers().write_facts(_tasks(exports), reader, Store(generation.parent), generation)
    return {
        relation: sorted(
            (
                {name: value for name, value in row.items() if name != "part"}
                for folder in generation.glob(f"relation={relation}")
                for row in read_rows(folder, dict[str, Any])
            ),
            key=repr,
        )
        for relation in ("endpoint", "queue", "problem")
    }


def test_processes_write_what_this_process_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However exports are dealt out. A process that dies costs its own export, and no other."""
    for name in ("clean", "backout-loop"):
        copy_renamed(FIXTURES / name, tmp_path / "in" / name, f"_{name}")
    (tmp_path / "in" / "deadly.mqsc").write_text("* Queue manager name: DEADLY\nDEFINE QLOCAL('Q')\n")
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    alone = _read(tmp_path / "in", tmp_path / "out" / "alone", UnitReader())
    monkeypatch.setattr(workers, "_WORTH_A_POOL", 0)
    assert _read(tmp_path / "in", tmp_path / "out" / "several", UnitReader()) == alone
    spoilt = _read(tmp_path / "in", tmp_path / "out" / "spoilt", FragileReader())
    assert spoilt["endpoint"] == alone["endpoint"]
    assert spoilt["queue"] == [row for row in alone["queue"] if row["queue_manager"] != "DEADLY"]
    new = [row["text"] for row in spoilt["problem"] if row not in alone["problem"]]
    assert new == ["ends the process that reads it (signal 9)"]


def test_a_process_says_where_it_cannot_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, as this process would."""
    copy_renamed(FIXTURES / "clean", tmp_path / "in", "_1")
    monkeypatch.setattr(workers, "_WORTH_A_POOL", 0)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    (tmp_path / "file").touch()
    with pytest.raises(LintmdbError, match="file/g: cannot be written: Not a directory"):
        workers.LocalWorkers().write_facts(
            _tasks(tmp_path / "in"), UnitReader(), Store(tmp_path), tmp_path / "file" / "g"
        )
