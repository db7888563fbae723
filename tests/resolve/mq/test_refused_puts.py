"""Why a queue that poison messages go to takes or keeps none, in the words of messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintmdb.exports.mq import read_mqsc
from lintmdb.model.origins import LazyOrigin
from lintmdb.model.relations import PutTarget
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager
from tests.support.command import Run

_HEAD = """* Queue manager name: QM1
* Queue manager platform: UNIX
* Command issued: dmpmqcfg -m QM1 -a
ALTER QMGR DEADQ('DEAD') DEFXMITQ(' ') MAXMSGL(4194304) FORCE
DEFINE QLOCAL('Q') BOTHRESH(3) BOQNAME('BO') REPLACE
* Script ended on 2026-03-06   at 09.14.05
"""


def _targets(commands: str) -> dict[str, PutTarget]:
    facts = resolve_queue_manager("QM1", [read_mqsc((_HEAD + commands).encode(), "QM1.mqsc")])
    return {row.name: row for row in facts.rows["put_target"]}


@pytest.mark.parametrize(
    ("commands", "why", "line"),
    [
        ("DEFINE QLOCAL('BO') PUT(DISABLED) REPLACE", "has PUT(DISABLED)", "PUT(DISABLED)"),
        ("DEFINE QLOCAL('BO') MAXDEPTH(0) REPLACE", "has MAXDEPTH(0)", "MAXDEPTH(0)"),
        (
            "DEFINE QALIAS('BO') TARGET('B') REPLACE\nDEFINE QLOCAL('B') PUT(DISABLED) REPLACE",
            "leads to B, which has PUT(DISABLED)",
            "PUT(DISABLED)",
        ),
        (
            "DEFINE QALIAS('BO') TARGET('B') PUT(DISABLED) REPLACE\nDEFINE QLOCAL('B') MAXDEPTH(0) REPLACE",
            "has PUT(DISABLED)",
            "PUT(DISABLED)",
        ),
        (
            "DEFINE QLOCAL('BO') STREAMQ('S') STRMQOS(MUSTDUP) REPLACE",
            "has STRMQOS(MUSTDUP), and its stream queue S is not defined",
            "STREAMQ('S')",
        ),
        (
            "DEFINE QLOCAL('BO') STREAMQ('S') STRMQOS(MUSTDUP) REPLACE\nDEFINE QLOCAL('S') PUT(DISABLED) REPLACE",
            "has STRMQOS(MUSTDUP), and its stream queue S takes no copies",
            "STREAMQ('S')",
        ),
        ("DEFINE QLOCAL('BO') STREAMQ('S') STRMQOS(BESTEF) REPLACE", None, None),
        ("DEFINE QREMOTE('BO') PUT(DISABLED) RNAME('R') RQMNAME('QM2') REPLACE", "has PUT(DISABLED)", "PUT(DISABLED)"),
    ],
)
def test_what_refuses_every_put(commands: str, why: str | None, line: str | None) -> None:
    """The one attribute is named, with the object that has it where that is another one, and its line is evidence."""
    target = _targets(commands)["BO"]
    origin = target.origins.get("takes_puts")
    assert target.refused_because == why
    assert (target.takes_puts is False) is (why is not None)
    place = origin.resolve() if isinstance(origin, LazyOrigin) else origin
    assert (place.text if place is not None else None) == line


@pytest.mark.parametrize(
    ("attributes", "more", "why"),
    [
        ("RNAME(' ') RQMNAME('QM2')", "", "its RNAME is blank"),
        ("RNAME('R') RQMNAME(' ')", "", "its RQMNAME is blank"),
        ("RNAME('R') RQMNAME('QM1')", "", "its RQMNAME(QM1) is its own queue manager"),
        ("RNAME('R') RQMNAME('QM2')", "", "no transmission queue leads to queue manager QM2"),
        ("RNAME('R') RQMNAME('QM2') XMITQ('X')", "", "its transmission queue X is not defined"),
        (
            "RNAME('R') RQMNAME('QM2') XMITQ('X')",
            "DEFINE QALIAS('X') TARGET('Q') REPLACE",
            "its transmission queue X is not a local queue",
        ),
        (
            "RNAME('R') RQMNAME('QM2')",
            "DEFINE QLOCAL('QM2') USAGE(NORMAL) REPLACE",
            "its transmission queue QM2 has USAGE(NORMAL)",
        ),
        (
            "RNAME('R') RQMNAME('QM2')",
            "DEFINE QLOCAL('QM2') USAGE(XMITQ) PUT(DISABLED) REPLACE",
            "its transmission queue QM2 has PUT(DISABLED)",
        ),
        (
            "RNAME('R') RQMNAME('QM2')",
            "DEFINE QLOCAL('QM2') USAGE(XMITQ) PUT(ENABLED) MAXDEPTH(0) REPLACE",
            "its transmission queue QM2 has MAXDEPTH(0)",
        ),
        ("RNAME('R') RQMNAME('QM2')", "DEFINE QLOCAL('QM2') USAGE(XMITQ) PUT(ENABLED) MAXDEPTH(9) REPLACE", None),
    ],
)
def test_why_no_message_gets_to_a_remote_queue(attributes: str, more: str, why: str | None) -> None:
    """The one reason is named."""
    target = _targets(f"DEFINE QREMOTE('BO') PUT(ENABLED) {attributes} REPLACE\n{more}")["BO"]
    assert target.unreachable_because == why
    assert (target.reachable is False) is (why is not None)
    assert ("takes_puts" in target.origins) is (why is not None)


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("DEFINE QLOCAL('DEAD') MAXDEPTH(0) USAGE(NORMAL)", "the local queue DEAD with MAXDEPTH(0)"),
        ("DEFINE QLOCAL('DEAD') MAXDEPTH(5) USAGE(XMITQ)", "the transmission queue DEAD"),
        ("DEFINE QMODEL('DEAD') USAGE(NORMAL)", "the model queue DEAD"),
        ("DEFINE QREMOTE('DEAD') RNAME('R') RQMNAME('QM2')", "the remote queue DEAD"),
        ("DEFINE QALIAS('DEAD') TARGTYPE(TOPIC) TARGET('T')\nDEFINE TOPIC('T') TOPICSTR('t')", "the topic T"),
        ("DEFINE QALIAS('DEAD') TARGET('A')\nDEFINE QALIAS('A') TARGET('Q')", "the alias A"),
        ("DEFINE QLOCAL('DEAD') MAXDEPTH(5) USAGE(NORMAL)", None),
    ],
)
def test_what_keeps_no_message(command: str, what: str | None) -> None:
    """The kind of object is named, and the attribute where only that is wrong."""
    assert _targets(f"{command}\n")["DEAD"].no_keeper == what


def test_the_line_that_makes_a_dead_letter_queue_unusable_is_evidence(lintmdb: Run, tmp_path: Path) -> None:
    """A queue that takes nothing is not too small, and one that is not defined is called that."""
    dump = tmp_path / "QM1.mqsc"
    dump.write_text(_HEAD.replace("'BO'", "' '") + "DEFINE QLOCAL('DEAD') PUT(DISABLED) REPLACE\n")
    lines = [" ".join(line.split()) for line in lintmdb("check", dump, "--all-queues").stdout.splitlines()]
    assert any(line.startswith("MQ DEAD PUT DISABLED") for line in lines[: lines.index("queue manager QM1")])
    assert not any("MDB115" in line for line in lines)
    dump.write_text(_HEAD.replace("'BO'", "'GONE'"))
    lines = [" ".join(line.split()) for line in lintmdb("check", dump, "--all-queues").stdout.splitlines()]
    assert any(line.startswith("MQ QM1 DEADQ DEAD (not defined)") for line in lines)
    assert any(line.startswith("MQ Q BOQNAME GONE (not defined)") for line in lines)


def test_a_backout_queue_whose_stream_queue_is_missing_is_an_error(lintmdb: Run, tmp_path: Path) -> None:
    """As one with PUT(DISABLED): it refuses every message. The option gives up the copies."""
    dump = tmp_path / "QM1.mqsc"
    dump.write_text(
        _HEAD + "DEFINE QLOCAL('BO') STREAMQ('S') STRMQOS(MUSTDUP) REPLACE\nDEFINE QLOCAL('DEAD') REPLACE\n"
    )
    shown = " ".join(lintmdb("check", dump, "--all-queues").stdout.split())
    assert "MQ BO STREAMQ S" in shown
    assert "error MDB107 The backout queue takes no messages" in shown
    assert "option QM1 BO STRMQOS MUSTDUP -> BESTEF" in shown
