"""diff of two states: new commands of kept scripts that a queue manager refuses because of what its dump shows."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.support.command import Run
from tests.support.project import FIXTURES

_Keep: TypeAlias = Callable[[Path, str], None]
_QUEUE = "DEFINE QLOCAL('ORDERS.IN') BOTHRESH(3) BOQNAME('ORDERS.IN.BOQ') DESCR('Orders')"
_MANIFEST = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: mqsc
data:
  queues.mqsc: |
    {}
---
apiVersion: mq.ibm.com/v1beta1
kind: QueueManager
metadata:
  name: qm1
spec:
  queueManager:
    name: QM1
    mqsc:
    - configMap:
        name: mqsc
        items: [queues.mqsc]
"""


@pytest.fixture
def states(tmp_path: Path) -> tuple[Path, Path]:
    """Two states without a difference."""
    before, after = (shutil.copytree(FIXTURES / "clean", tmp_path / name) for name in ("before", "after"))
    return before, after


def _keep(state: Path, commands: str) -> None:
    (state / "mq/queues.mqsc").write_text(f"* Queue manager name: QM1\n{commands}\n")


def _keep_in_manifest(state: Path, commands: str) -> None:
    (state / "mq/queues.yaml").write_text(_MANIFEST.format(commands.replace("\n", "\n    ")))


def _refused(lintmdb: Run, states: tuple[Path, Path]) -> list[str]:
    """What is refused in the later state, as a report and, without one for people, a notice say."""
    result = lintmdb("diff", *states, "--format", "json")
    entries = json.loads(result.stdout)["refused"]
    assert result.returncode == (4 if entries else 0)
    assert result.stderr.count("would be refused") == len(entries)
    return [entry["text"].partition(" would be refused by QM1: ")[2] for entry in entries]


@pytest.mark.parametrize("keep", [_keep, _keep_in_manifest])
def test_a_definition_that_was_there_before_has_run(lintmdb: Run, states: tuple[Path, Path], keep: _Keep) -> None:
    """It created the object that the dump shows; moved to other lines, or with the dump given later, it stays that."""
    before, after = states
    for state in states:
        keep(state, _QUEUE)
    assert _refused(lintmdb, states) == []
    keep(after, f"DEFINE QLOCAL('PLAIN')\n{_QUEUE}")
    assert _refused(lintmdb, states) == []
    (before / "mq/QM1.mqsc").unlink()
    assert _refused(lintmdb, states) == []


@pytest.mark.parametrize("keep", [_keep, _keep_in_manifest])
@pytest.mark.parametrize(
    "former",
    ["DEFINE QLOCAL('PLAIN')", f"{_QUEUE} REPLACE", _QUEUE.replace("(3)", "(5)"), _QUEUE.replace("Orders", "Sales")],
)
def test_a_definition_that_is_new_is_refused(lintmdb: Run, states: tuple[Path, Path], keep: _Keep, former: str) -> None:
    """One that was not there, lost REPLACE, or sets other values, be they such that no rule reads."""
    before, after = states
    keep(before, former)
    keep(after, _QUEUE)
    assert _refused(lintmdb, states) == ["it exists already"]


def test_an_object_that_came_with_its_dump_may_be_what_the_script_created(
    lintmdb: Run, states: tuple[Path, Path]
) -> None:
    """The pull request that adds the script was run, and the queue manager exported again."""
    _, after = states
    _keep(after, "DEFINE QLOCAL('NEW.IN')")
    dump = after / "mq/QM1.mqsc"
    dump.write_text(dump.read_text() + "DEFINE QLOCAL('NEW.IN') REPLACE\n")
    assert _refused(lintmdb, states) == []


def test_what_is_meant_to_do_nothing_or_comes_after_a_deletion_is_not_refused(
    lintmdb: Run, states: tuple[Path, Path]
) -> None:
    """NOREPLACE says that an object that is there stays."""
    _keep(states[1], f"{_QUEUE} NOREPLACE\nDELETE QLOCAL('ORDERS.BACKOUT')\nDEFINE QLOCAL('ORDERS.BACKOUT')")
    assert _refused(lintmdb, states) == []


def test_alter_of_another_type_is_refused(lintmdb: Run, states: tuple[Path, Path]) -> None:
    """The dump shows what type the queue has."""
    _keep(states[1], "ALTER QALIAS('ORDERS.IN') TARGET('OTHER')")
    assert _refused(lintmdb, states) == ["ORDERS.IN is a QLOCAL"]


@pytest.mark.parametrize("form", ["whole state", "change"])
def test_a_refused_alter_makes_no_queue(lintmdb: Run, tmp_path: Path, form: str) -> None:
    """A script that alters what the dump lacks leaves BOQNAME without a queue, as a change does."""
    for name, more in (
        ("before", ""),
        ("after", "ALTER QLOCAL(NO.SUCH) MAXDEPTH(9)\nALTER QLOCAL(UNREAD) BOTHRESH(2)\n"),
    ):
        script = tmp_path / name / "QM1.mqsc"
        script.parent.mkdir()
        queue = "NO.SUCH" if more else "ORDERS.BACKOUT"
        script.write_text(f"* Queue manager name: QM1\n{more}ALTER QLOCAL(ORDERS.IN) BOQNAME({queue})\n")
    before = ("diff", FIXTURES / "clean", "--before", "before/QM1.mqsc")
    states = ("--after", FIXTURES / "clean", "--after", "after/QM1.mqsc")
    after = states if form == "whole state" else ("--change", "after/QM1.mqsc")
    run = lintmdb(*before, *after, "--on-message", "5s", cwd=tmp_path)
    assert run.returncode == 1
    assert "new: queue ORDERS.IN at QM1\n  error   MDB105 " in run.stdout
    assert run.stdout.count(" 0 newly undecided") == 1
    assert "refused: after/QM1.mqsc:2: ALTER QLOCAL(NO.SUCH) would be refused" in run.stdout
    assert "new queue" not in run.stderr
