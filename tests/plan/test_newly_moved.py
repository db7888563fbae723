"""Rights on queues that a plan newly moves messages to, whichever rule's repair the plan chose."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Run

_DUMP = """* Queue manager name: QMS
* Queue manager platform: UNIX
* Queue manager command level: (930/930)
* Command issued: dmpmqcfg -m QMS -a
ALTER QMGR DEADQ('DLQ') MAXMSGL(4194304) CHLAUTH(ENABLED)
DEFINE QLOCAL('DLQ') MAXMSGL(4194304) REPLACE
DEFINE QLOCAL('A.IN') BOTHRESH({threshold}) BOQNAME('A.BO') MAXMSGL(100000) HARDENBO REPLACE
DEFINE QLOCAL('A.BO') {stream} MAXMSGL(100000) PUT(ENABLED) REPLACE
{records}
* Script ended on 2026-11-02   at 07.02.12
"""
_CLOSED = "STREAMQ('A.COPY') STRMQOS(MUSTDUP)"
_READS = "SET AUTHREC PROFILE('A.**') GROUP('wasgrp') OBJTYPE(QUEUE) AUTHADD(BROWSE,GET,INQ,PUT)"
_NOTE = "Each user whose messages are moved to A.BO needs put and passall there"


def _plan(lintmdb: Run, folder: Path, *, threshold: int = 3, stream: str = "", records: str = "") -> str:
    dump = folder / "QMS.mqsc"
    dump.write_text(_DUMP.format(threshold=threshold, stream=stream, records=records))
    return " ".join(lintmdb("plan", dump, "--all-queues").stdout.split())


def test_the_group_that_reads_the_queue_gets_its_rights(lintmdb: Run, tmp_path: Path) -> None:
    """MDB131 ends with STRMQOS alone, as MDB107 does with the grant beside it: the plan has both."""
    text = _plan(lintmdb, tmp_path, stream=_CLOSED, records=_READS)
    assert "A.BO STRMQOS MUSTDUP -> BESTEF MDB107 MDB131" in text
    assert "A.BO group wasgrp gets passall, setall, and keeps browse, get, inq, put" in text
    assert _NOTE not in text


@pytest.mark.parametrize(("threshold", "stream"), [(3, _CLOSED), (0, "")])
def test_where_nobody_is_known_to_read_the_plan_says_who_needs_rights(
    lintmdb: Run, tmp_path: Path, threshold: int, stream: str
) -> None:
    """The queue begins to take messages, or messages begin to be moved."""
    assert _NOTE in _plan(lintmdb, tmp_path, threshold=threshold, stream=stream)


def test_a_queue_that_messages_are_moved_to_already_needs_no_note(lintmdb: Run, tmp_path: Path) -> None:
    """With STRMQOS(BESTEF) a stream queue that may fill up no longer stops the move, which goes on as before."""
    records = "DEFINE QLOCAL('A.COPY') MAXMSGL(100000) REPLACE"
    text = _plan(lintmdb, tmp_path, stream=_CLOSED, records=records)
    assert "A.BO STRMQOS MUSTDUP -> BESTEF MDB131" in text
    assert _NOTE not in text
