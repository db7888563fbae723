"""A dump that is cut off says less than the whole one, and nothing else."""

from __future__ import annotations

import pytest

from lintmdb.exports.mq import read_mqsc
from lintmdb.model.facts import Facts
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager

_HEADER = "* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Queue manager command level: (930/930)\n"
_DUMP = (
    _HEADER
    + "* Command issued: dmpmqcfg -m QM1 -a\n"
    + "ALTER QMGR +\n   DEADQ('DLQ') +\n   MAXMSGL(8388608) +\n   FORCE\n"
    + "DEFINE QLOCAL('DLQ') +\n   MAXDEPTH(9999) +\n   MAXMSGL(8388780) +\n   PUT(ENABLED) +\n   REPLACE\n"
    + "DEFINE QLOCAL('ORDERS') +\n   ACCTQ(QMGR) +\n*  ALTDATE(2026-03-06) +\n   BOQNAME('ORDERS.BO') +\n"
    + "   BOTHRESH(5) +\n   GET(DISABLED) +\n   HARDENBO +\n   MAXMSGL(1048576) +\n   NOSHARE +\n   REPLACE\n"
)
_SCRIPT = (
    _HEADER
    + "DEFINE QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') BOTHRESH(7) REPLACE\n"
    + "ALTER QMGR DEADQ('DLQ')\nDEFINE QLOCAL('DLQ') +\n   MAXDEPTH(9999)\n"
    + "DEFINE QLOCAL('ORDERS') +\n   BOQNAME('ORDERS.BO') +\n   MAXMSGL(1048576) +\n   BOTHRESH(5) +\n   NOSHARE\n"
)


_COLUMNS = (
    *("backout_threshold", "backout_queue", "max_message_bytes", "get_enabled", "put_enabled", "max_depth"),
    *("shareable", "harden_backout"),
)


def _facts(text: str) -> Facts:
    return resolve_queue_manager("QM1", [read_mqsc(text.encode(), "q.mqsc")])


@pytest.mark.parametrize("text", [_DUMP, _SCRIPT])
def test_a_cut_dump_says_nothing_that_the_whole_one_denies(text: str) -> None:
    """Cut behind each continued line and inside each line of its last command: a value is that of the whole dump, or
    unknown, and never a default.
    """
    whole = {row.name: row for row in _facts(text).rows["queue"]}
    start = text.index("+\n", text.rfind("DEFINE"))
    cuts = 0
    for end in range(start, len(text)):
        part = text[:end]
        if not read_mqsc(part.encode(), "q.mqsc").truncated:
            continue
        cuts += 1
        for row in _facts(part).rows["queue"]:
            for column in _COLUMNS:
                known = getattr(row, column)
                assert known is None or known == getattr(whole[row.name], column), (part[start:], column)
    assert cuts > 20
