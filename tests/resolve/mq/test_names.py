"""What names lead to: definitions that are gone, remote queues and their ways, the queue behind DEADQ."""

from __future__ import annotations

import pytest

from lintmdb.exports.mq import read_mqsc
from lintmdb.model.relations import PutTarget, Queue
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager
from tests.support.dumps import WHOLE

DUMP = f"* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n{WHOLE}"
A = "DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(B)\n"
CLUSTER = "\nDEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR)"
REMOTE = "DEFINE QREMOTE(B) RNAME(X) RQMNAME(QM2)"


def _rows(text: str) -> tuple[Queue, PutTarget]:
    """Queue A and what its BOQNAME, B, leads to."""
    found = resolve_queue_manager("QM1", [read_mqsc((A + text).encode(), "a.mqsc")]).rows
    queue = next(row for row in found["queue"] if row.name == "A")
    return queue, next(row for row in found["put_target"] if row.name == "B")


@pytest.mark.parametrize(
    ("text", "resolution"),
    [
        ("DEFINE QLOCAL(B)\nDELETE QLOCAL(B)", "not_defined"),
        ("DEFINE QLOCAL(B)\nDELETE QLOCAL(B)\nDEFINE QLOCAL(B)", "resolved"),
        ("ALTER QLOCAL(B) MAXDEPTH(1)\nDELETE QLOCAL(B)", None),
        ("DELETE QLOCAL(B)", None),
        ("DEFINE QLOCAL(B)\nDELETE QALIAS(B)", "resolved"),
        ("DEFINE QLOCAL(B)\nDELETE QLOCAL(B)" + CLUSTER, None),
        ("DEFINE QALIAS(B) TARGET(C)\nDEFINE QLOCAL(C)\nDELETE QLOCAL(C)", "dangling"),
        ("DEFINE QALIAS(B) TARGET(C)", None),
        (DUMP + "DEFINE QALIAS(B) TARGET(C)" + CLUSTER, None),
        (DUMP + "DEFINE QALIAS(B) TARGET(C)\nDEFINE QALIAS(C) TARGET(A) CLUSTER(X)" + CLUSTER, "wrong_base"),
        ("DEFINE QMODEL(B)", "model"),
    ],
)
def test_what_a_script_shows_of_a_backout_queue(text: str, resolution: str | None) -> None:
    """What is defined and deleted again is gone, without a dump; a cluster may hold what no script defines."""
    assert _rows(text)[0].backout_resolution == resolution


@pytest.mark.parametrize(
    ("text", "reachable", "transmission_queue", "decided_by"),
    [
        (REMOTE + " XMITQ(T)\nDEFINE QLOCAL(T) USAGE(XMITQ)", True, "T", "USAGE(XMITQ)"),
        (DUMP + REMOTE + " XMITQ(T)", False, "T", "XMITQ(T)"),
        (DUMP + REMOTE + " XMITQ(T)" + CLUSTER, False, "T", "XMITQ(T)"),
        (REMOTE + " XMITQ(T)", None, "T", "XMITQ(T)"),
        (REMOTE + " XMITQ(T)\nDEFINE QLOCAL(T)\nDELETE QLOCAL(T)", False, "T", "XMITQ(T)"),
        (REMOTE + " XMITQ(T)\nDEFINE QLOCAL(T) USAGE(XMITQ) PUT(DISABLED)", False, "T", "PUT(DISABLED)"),
        (REMOTE + " XMITQ(T)\nDEFINE QLOCAL(T) USAGE(NORMAL)", False, "T", "USAGE(NORMAL)"),
        (REMOTE + " XMITQ(T)\nDEFINE QALIAS(T) TARGET(A)", False, "T", "XMITQ(T)"),
        (REMOTE + "\nDEFINE QLOCAL(QM2) USAGE(XMITQ)", True, "QM2", "USAGE(XMITQ)"),
        (REMOTE + "\nALTER QMGR DEFXMITQ(T)\nDEFINE QLOCAL(T) USAGE(XMITQ)", None, None, None),
        (DUMP + REMOTE + "\nALTER QMGR DEFXMITQ(T)\nDEFINE QLOCAL(T) USAGE(XMITQ)", True, "T", "USAGE(XMITQ)"),
        (DUMP + REMOTE + "\nALTER QMGR DEFXMITQ(T)", False, "T", "DEFXMITQ(T)"),
        (DUMP + REMOTE, False, "", "RQMNAME(QM2)"),
        (DUMP + REMOTE + CLUSTER, None, None, None),
        (REMOTE, None, None, None),
        (DUMP.replace("UNIX", "MVS") + REMOTE, None, None, None),
        (
            "DEFINE QREMOTE(B) RNAME(A) RQMNAME(QM1) XMITQ(T)\nDEFINE QLOCAL(T) USAGE(XMITQ)",
            False,
            None,
            "RQMNAME(QM1)",
        ),
        ("DEFINE QREMOTE(B) RNAME(A) XMITQ(T)\nDEFINE QLOCAL(T) USAGE(XMITQ)", False, None, "QREMOTE(B)"),
        ("DEFINE QREMOTE(B) RNAME(' ') RQMNAME(QM2) XMITQ(QM2)", False, None, "RNAME(' ')"),
        ("DEFINE QALIAS(B) TARGET(R)\n" + DUMP + REMOTE.replace("(B)", "(R)"), False, "", "RQMNAME(QM2)"),
        ("DEFINE QLOCAL(B)", True, None, None),
        ("DEFINE QALIAS(B) TARGET(T) TARGTYPE(TOPIC)", True, None, None),
        ("", None, None, None),
    ],
)
def test_the_way_to_a_remote_backout_queue(
    text: str, reachable: bool | None, transmission_queue: str | None, decided_by: str | None
) -> None:
    """A remote queue needs a transmission queue that exists and takes messages; the origin is what decides."""
    row = _rows(text)[1]
    assert (row.reachable, row.transmission_queue) == (reachable, transmission_queue)
    origin = row.origins.get("reachable")
    assert (origin.text if origin is not None else None) == decided_by


@pytest.mark.parametrize(
    ("text", "is_dead_letter_queue"),
    [
        ("ALTER QMGR DEADQ(B)", True),
        ("ALTER QMGR DEADQ(D)\nDEFINE QLOCAL(B)\nDEFINE QLOCAL(D)", False),
        ("ALTER QMGR DEADQ(D)\nDEFINE QALIAS(B) TARGET(D)\nDEFINE QLOCAL(D)", True),
        ("ALTER QMGR DEADQ(D)\nDEFINE QALIAS(D) TARGET(B)\nDEFINE QLOCAL(B)", True),
        ("ALTER QMGR DEADQ(D)\nDEFINE QLOCAL(B)", None),
        (DUMP + "ALTER QMGR DEADQ(D)\nDEFINE QLOCAL(B)", False),
        ("ALTER QMGR DEADQ(D)\nDEFINE QALIAS(B) TARGET(SYSTEM.DEAD.LETTER.QUEUE)\nDEFINE QLOCAL(D)", True),
        ("ALTER QMGR DEADQ(' ')\nDEFINE QLOCAL(B)", False),
        ("DEFINE QLOCAL(B)", None),
        ("ALTER QMGR DEADQ(D)\nDEFINE QREMOTE(B) RNAME(D) RQMNAME(QM2)\nDEFINE QLOCAL(D)", False),
    ],
)
def test_a_backout_queue_that_is_the_dead_letter_queue(text: str, is_dead_letter_queue: bool | None) -> None:
    """The queues behind the two names decide, not the names."""
    assert _rows(text)[1].is_dead_letter_queue is is_dead_letter_queue


@pytest.mark.parametrize(
    ("text", "put_enabled", "decided_by"),
    [
        ("DEFINE QALIAS(B) TARGET(C) PUT(ENABLED)", None, None),
        ("DEFINE QALIAS(B) TARGET(C) PUT(DISABLED)", False, "PUT(DISABLED)"),
        ("DEFINE QALIAS(B) TARGET(C) PUT(ENABLED)\nDEFINE QLOCAL(C) PUT('{{ p }}')", None, "PUT('{{ p }}')"),
        ("DEFINE QALIAS(B) TARGET(C) PUT(ENABLED)\nDEFINE QLOCAL(C)", True, "PUT(ENABLED)"),
    ],
)
def test_a_setting_is_to_blame_only_where_it_decides(
    text: str, put_enabled: bool | None, decided_by: str | None
) -> None:
    """Where the target of an alias is missing, nothing is wrong with the PUT of the alias."""
    row = _rows(text)[1]
    origin = row.origins.get("put_enabled")
    assert (row.put_enabled, origin.text if origin is not None else None) == (put_enabled, decided_by)


@pytest.mark.parametrize(
    ("text", "leads_to", "kind"),
    [
        ("DEFINE QLOCAL(B)", "B", "local queue"),
        ("DEFINE QLOCAL(B) USAGE(XMITQ)", "B", "transmission queue"),
        ("DEFINE QALIAS(B) TARGET(A)", "A", "local queue"),
        ("DEFINE QALIAS(B) TARGET(C)\nDEFINE QALIAS(C) TARGET(A)", "C", "alias"),
        ("DEFINE QALIAS(B) TARGET(T) TARGTYPE(TOPIC)", "T", "topic"),
        ("DEFINE QALIAS(B) TARGET(C)", "C", None),
        ("DEFINE QALIAS(B)", "", None),
        ("DEFINE QMODEL(B)", "B", "model queue"),
        (REMOTE, "B", "remote queue"),
        ("", "B", None),
    ],
)
def test_what_a_name_comes_down_to(text: str, leads_to: str, kind: str | None) -> None:
    """Of an alias its target, of any other name the object that has it."""
    row = _rows(text)[1]
    assert (row.leads_to, row.leads_to_kind) == (leads_to, kind)
