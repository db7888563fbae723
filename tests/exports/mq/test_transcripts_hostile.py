"""Transcripts that nobody would keep: read to their end, with few and clear problems."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.errors import UnreadableError
from lintmdb.exports.mq.display import read_transcript
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager

BANNER = b"Starting MQSC for queue manager QM1.\n"
GOOD = b"\n     9 : dis q(GOOD)\nAMQ8409I: Display Queue details.\n   QUEUE(GOOD)   TYPE(QLOCAL)   BOTHRESH(1)\n"
HEAD = b"AMQ8409I: Display Queue details.\n"
ZOS = (
    b"CSQM401I +CSQ1 QUEUE(GOOD) TYPE(QLOCAL) BOTHRESH(1)\nCSQ9022I +CSQ1 CSQMDRTS ' DISPLAY QUEUE' NORMAL COMPLETION\n"
)


def _good(data: bytes) -> int:
    return sum(
        1
        for file in read_transcript(data, "x")
        for command in file.commands
        if command.name == "GOOD" and any(p.text == "BOTHRESH(1)" for p, _ in command.parameters)
    )


JUNK = [
    HEAD + b"   QUEUE(A" + b"(" * 200_000,
    HEAD + b"   QUEUE(A)  " + b"X" * 2_000_000,
    HEAD + b"   " + b"A(1) " * 100_000,
    HEAD + b"   DESCR(" + b") A(" * 100_000 + b")",
    HEAD + b"   QUEUE(A\n" * 20_000,
    HEAD * 50_000,
    b"     1 : dis q(*) +\n" + b"       : all +\n" * 50_000,
    b"     1 : " + b"((((" * 100_000,
    b"     1 : define ql(A) descr('" + b"x" * 100_000,
    b"lorem ipsum\n" * 20_000,
    bytes(range(1, 256)) * 400,
    b"\x1a\r\n\t \xa0\xff\xfe",
    b"Starting MQSC for queue manager \n" * 1000,
]


@pytest.mark.slow
@pytest.mark.parametrize("junk", JUNK, ids=range(len(JUNK)))
def test_what_stands_above_an_answer_does_not_hide_it(junk: bytes) -> None:
    """Junk of any shape is passed over, and the answer behind it is read."""
    assert _good(BANNER + junk + GOOD) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "junk",
    [
        b"CSQM401I +CSQ1 QUEUE(A" + b"(" * 200_000,
        b"CSQM401I +CSQ1 QUEUE(A) " + b"X" * 2_000_000,
        b"CSQM401I +CSQ1 " + b"A(1) " * 100_000,
        b"CSQM401I +CSQ1 DESCR(" + b") A(" * 100_000 + b")",
        b"CSQM401I +CSQ1 QUEUE(A)\n" + b"B(\n" * 50_000,
        b" DISPLAY QUEUE(*) -\n" * 50_000,
        b"N " + b". " * 100_000 + b"DISPLAY",
        b"CSQ9022I" * 50_000,
    ],
)
def test_the_same_on_zos(junk: bytes) -> None:
    """Junk of any shape is passed over, and the answer behind it is read."""
    assert _good(junk + b"\n" + ZOS) == 1


def test_problems_are_limited_and_tell_nothing() -> None:
    """A thousand problems are enough, and none repeats what it is about."""
    (file,) = read_transcript(BANNER + (HEAD + b"   QUEUE(A)  TYPE(QLOCAL)  hunter2\n") * 3000 + GOOD, "x")
    assert len(file.problems) == 1000
    assert (file.lost_commands, len(file.commands)) == (3000, 1)
    assert not any("hunter2" in problem.text for problem in file.problems)


def test_an_attribute_twice() -> None:
    """Which of two values counts is not known, so the object is not used."""
    (file,) = read_transcript(BANNER + HEAD + b"   QUEUE(A)  TYPE(QLOCAL)  BOTHRESH(1)  BOTHRESH(2)\n", "x")
    assert (file.commands, file.lost_commands) == ([], 1)
    (problem,) = file.problems
    assert (problem.line, problem.column) == (3, 41)
    assert problem.text == "an answer shows BOTHRESH twice, so it is not used"


def test_no_text() -> None:
    """Bytes that are no text are an error with a next step."""
    with pytest.raises(UnreadableError) as caught:
        read_transcript(BANNER + b"\0\1", "x")
    assert caught.value.next_step


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 700), st.binary(max_size=40), st.booleans())
def test_any_damage_is_read(at: int, damage: bytes, zos: bool) -> None:
    """Bytes put in anywhere are never more than a problem, and what is read can be resolved."""
    text = ZOS * 3 if zos else BANNER + GOOD * 5
    with contextlib.suppress(UnreadableError):
        files = read_transcript(text[:at] + damage + text[at:], "x")
        for file in files:
            resolve_queue_manager("QM1", [file])


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [*GOOD.splitlines(keepends=True), *ZOS.splitlines(keepends=True), HEAD, b"\n", b"  )\n", b"   DESCR(a\n"]
        )
    )
)
def test_lines_in_any_order(lines: list[bytes]) -> None:
    """Whatever follows what, each position lies in the file."""
    for file in read_transcript(BANNER + b"".join(lines), "x"):
        for command in file.commands:
            assert 1 <= command.line <= len(lines) + 8
        resolve_queue_manager("QM1", [file])
