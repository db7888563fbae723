"""What other queue managers do to messages, where a reader of findings or of a plan sees it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.dumps import WHOLE

_TOLD = "FAR.BO of queue manager QM1 leads to A.BO at QM2"
_STEP = "Raise MAXMSGL of A.BO at QM2"


@pytest.fixture
def exports(tmp_path: Path) -> Path:
    """Two queue managers, the second of which takes only short messages, as only its owner can change."""
    near = (
        "ALTER QMGR MAXMSGL(104857600)",
        "DEFINE QLOCAL(QM2) USAGE(XMITQ) MAXMSGL(104857600)",
        "DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(FAR.BO) MAXMSGL(4194304)",
        "DEFINE QREMOTE(FAR.BO) RNAME(A.BO) RQMNAME(QM2)",
    )
    for name, lines in (("QM1", near), ("QM2", ("ALTER QMGR MAXMSGL(32768)", "DEFINE QLOCAL(A.BO) MAXMSGL(1000)"))):
        head = (f"* Queue manager name: {name}", f"* Command issued: dmpmqcfg -m {name} -a")
        (tmp_path / f"{name}.mqsc").write_text("\n".join((*head, *lines, WHOLE)))
    return tmp_path


@pytest.mark.parametrize(("command", "times"), [("check", 0), ("plan", 1)])
def test_the_text_tells_it_once(command: str, times: int, exports: Path, lintmdb: Run) -> None:
    """It is there for those who keep only standard output, and it appears once: a finding tells it, or the notice."""
    run = lintmdb(command, exports, "--all-queues")
    text = " ".join(run.stdout.split())
    assert text.count(_TOLD) == times
    assert text.count("QM2 A.BO MAXMSGL 1000 -> 4194304") == 1
    assert _TOLD not in run.stderr
    if command == "check":
        assert (
            " ".join(lintmdb(command, exports, "--all-queues", "--ignore", "MDB108").stdout.split()).count(_TOLD) == 1
        )


@pytest.mark.parametrize("command", ["check", "plan"])
@pytest.mark.parametrize("kind", ["markdown", "html", "json"])
def test_every_document_for_people_and_programs_has_it(command: str, kind: str, exports: Path, lintmdb: Run) -> None:
    """With what to do about it; standard error tells it as well, as no text does."""
    run = lintmdb(command, exports, "--all-queues", "--format", kind)
    assert _TOLD in run.stdout
    assert _STEP in run.stdout
    assert _TOLD in run.stderr


def test_an_inventory_does_not_count_it_among_what_was_not_read(exports: Path, lintmdb: Run) -> None:
    """All of it was read, and nothing guessed."""
    shown = lintmdb("inventory", exports).stdout
    assert "not read, guessed or assumed" not in shown
    assert f"\nat other queue managers: 1\n  {exports}/QM1.mqsc:6: {_TOLD}" in shown


def test_a_part_of_the_text_leaves_it_to_standard_error(exports: Path, lintmdb: Run) -> None:
    """The summary and the list of findings do not have it."""
    run = lintmdb("check", exports, "--all-queues", "--summary")
    assert _TOLD not in run.stdout
    assert _TOLD in run.stderr


def test_a_plan_tells_what_is_so_after_its_changes(exports: Path, lintmdb: Run) -> None:
    """The plan gives QM2 a dead-letter queue, so the message is not lost then."""
    run = lintmdb("plan", exports, "--all-queues", "--format", "json")
    (notice,) = json.loads(run.stdout)["notices"]
    assert notice["kind"] == "closed_remote_queue"
    assert "ends on the dead-letter queue QM2.DEAD of QM2 or stops its channel" in notice["text"]
