"""diff of two states: queues with new backout attributes that no endpoint reads are judged by nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.project import FIXTURES

_BROKEN = "DEFINE QLOCAL('NEW.IN') BOTHRESH(3) BOQNAME('NO.SUCH.BOQ') REPLACE\n"
_READS = "no endpoint in the exports reads or leads to NEW.IN, so"


@pytest.fixture
def states(tmp_path: Path) -> tuple[Path, Path]:
    """Two states without a difference."""
    before, after = (shutil.copytree(FIXTURES / "clean", tmp_path / name) for name in ("before", "after"))
    return before, after


def _append(state: Path, text: str) -> None:
    dump = state / "mq/QM1.mqsc"
    dump.write_text(dump.read_text() + text)


def _unjudged(lintmdb: Run, states: tuple[Path, Path], *options: str) -> list[tuple[str, int, str]]:
    """The kind, line and text of what is not judged, which the notices and a strict gate agree with."""
    result = lintmdb("diff", *states, "--strict", "--format", "json", *options)
    entries = json.loads(result.stdout)["unjudged"]
    assert result.returncode == (4 if entries else 0)
    assert result.stderr.count("no endpoint in the exports reads or leads to") == len(entries)
    assert lintmdb("diff", *states, *options).returncode == 0
    return [(entry["kind"], entry["line"], entry["text"]) for entry in entries]


def test_a_new_queue_of_a_script_is_told_once(lintmdb: Run, states: tuple[Path, Path]) -> None:
    """In a folder of the later state as in a change, and not where both states have the script."""
    before, after = states
    (after / "mq/new.mqsc").write_text(f"* Queue manager name: QM1\n{_BROKEN}DEFINE QLOCAL('PLAIN')\n")
    assert _unjudged(lintmdb, states) == [("unjudged_change", 2, f"{_READS} this new queue is not judged")]
    shutil.copy(after / "mq/new.mqsc", before / "mq/new.mqsc")
    assert _unjudged(lintmdb, states) == []


def test_a_change_on_top_is_told_with_the_change_alone(lintmdb: Run, states: tuple[Path, Path]) -> None:
    """In the words for its command, also where an option says it."""
    before, after = states
    change = before.parent / "change.mqsc"
    change.write_text(f"* Queue manager name: QM1\n{_BROKEN}")
    told = _unjudged(lintmdb, states, "--change", str(change))
    assert told == [("unjudged_change", 2, f"{_READS} DEFINE QLOCAL is not judged")]
    _append(before, _BROKEN)
    _append(after, _BROKEN)
    told = _unjudged(lintmdb, states, "--set", "queue NEW.IN at QM1: BOTHRESH=9")
    assert told == [("unjudged_change", 1, f"{_READS} ALTER QLOCAL is not judged")]


def test_a_shared_queue_is_read_where_another_member_of_its_group_reads_it(lintmdb: Run, tmp_path: Path) -> None:
    """Its definition is the same at every member."""
    shutil.copytree(FIXTURES / "clean" / "was", tmp_path / "was")
    queue = "DEFINE QLOCAL('ORDERS.IN') QSGDISP(SHARED) CFSTRUCT(CF) BOTHRESH({}) BOQNAME('ORDERS.BO')\n"
    for name, threshold in (("a", 3), ("b", 5)):
        (tmp_path / name).mkdir()
        for manager in ("QM1", "QM2"):
            text = f"* QMNAME({manager})\n* PLATFORM(MVS)\n* QSGNAME(QSG1)\n{queue.format(threshold)}"
            (tmp_path / name / f"{manager}.mqsc").write_text(text)
    sides = ("--before", str(tmp_path / "was"), "--after", str(tmp_path / "was"))
    assert _unjudged(lintmdb, (tmp_path / "a", tmp_path / "b"), *sides) == []


def test_all_queues_judges_the_new_queue(lintmdb: Run, states: tuple[Path, Path]) -> None:
    """And there is nothing left to tell."""
    _append(states[1], _BROKEN)
    result = lintmdb("diff", *states, "--all-queues")
    assert "MDB105" in result.stdout
    assert "not judged" not in result.stdout + result.stderr
    assert result.returncode == 1


def test_in_a_dump_that_was_exported_again_only_what_differs_is_told(lintmdb: Run, states: tuple[Path, Path]) -> None:
    """A queue that is new to it, then other backout attributes of that queue, and none that stay as they were."""
    before, after = states
    _append(after, _BROKEN)
    assert [text for _, _, text in _unjudged(lintmdb, states)] == [f"{_READS} this new queue is not judged"]
    _append(before, _BROKEN)
    assert _unjudged(lintmdb, states) == []
    _append(after, "ALTER QLOCAL('NEW.IN') BOTHRESH(0)\n")
    told = [text for _, _, text in _unjudged(lintmdb, states)]
    assert told == [f"{_READS} its changed backout attributes are not judged"]


def test_a_dump_that_is_given_for_the_first_time_has_no_new_queue(lintmdb: Run, states: tuple[Path, Path]) -> None:
    """Nothing says that its queues were not there before; a script of a new queue manager does define new ones."""
    _, after = states
    dump = (after / "mq/QM1.mqsc").read_text()
    (after / "mq/QM2.mqsc").write_text(dump.replace("QM1", "QM2") + _BROKEN)
    assert _unjudged(lintmdb, states) == []
    (after / "mq/QM2.mqsc").write_text(f"* Queue manager name: QM2\n{_BROKEN}")
    assert [text for _, _, text in _unjudged(lintmdb, states)] == [f"{_READS} this new queue is not judged"]
