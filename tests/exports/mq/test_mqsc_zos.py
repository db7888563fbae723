"""MQSC from z/OS: decks of CSQUTIL MAKEDEF as they arrive, with what stands around the commands."""

from __future__ import annotations

import pytest

from lintmdb.exports.mq import read_mqsc
from lintmdb.exports.mq.display import looks_like_transcript
from lintmdb.exports.mq.sniff import looks_like_mqsc

QUEUE = ("DEFINE NOREPLACE -", " QLOCAL('A.IN') -", " BOTHRESH(3) -", " BOQNAME('A.BO')")
CICS = (
    "DEFINE MQCONN(CONN1) GROUP(G1)",
    "       DESCRIPTION(THE REGION'S)",
    "       MQNAME(CSQ4) INITQNAME(A.INITQ)",
    "DEFINE MQCONN(CONN2) GROUP(G1)",
    "       MQNAME(CSQ4)",
)
LISTING = (
    "1CSQU000I CSQUTIL IBM MQ for z/OS V9.2.0",
    " CSQU001I CSQUTIL Queue Manager Utility - 2026-01-01 10:00:00 -",
    "0COMMAND DDNAME(CSQUCMD) MAKEDEF(CSQUDEF)",
    " CSQU127I Executing COMMAND using input from CSQUCMD data set",
    " CSQU055I Target queue manager is CSQ4",
    " CSQN205I   COUNT=       3, RETURN=00000000, REASON=00000000",
)


def _text(*lines: str) -> bytes:
    return "\n".join((*lines, "")).encode()


def _threshold(data: bytes) -> str | None:
    (command,) = read_mqsc(data, "deck.txt").commands
    assert (command.verb, command.noun, command.name) == ("DEFINE", "QLOCAL", "A.IN")
    return {parameter.keyword: parameter.value for parameter, _ in command.parameters}.get("BOTHRESH")


@pytest.mark.parametrize("above", [CICS, LISTING, (*LISTING, *CICS)], ids=["cics", "listing", "both"])
def test_what_stands_above_a_deck(above: tuple[str, ...]) -> None:
    """Commands of CICS and lines of the job's listing neither hide the commands of MQ nor are lost commands."""
    data = _text(*above, *QUEUE)
    assert looks_like_mqsc(data)
    assert not looks_like_transcript(data)
    assert _threshold(data) == "3"
    assert read_mqsc(data, "deck.txt").lost_commands == 0


def test_the_listing_names_the_queue_manager() -> None:
    """CSQUTIL says which queue manager answers; a deck has no header of its own."""
    assert read_mqsc(_text(*LISTING, *QUEUE), "deck.txt").queue_manager == "CSQ4"
    assert read_mqsc(_text(*QUEUE), "deck.txt").queue_manager is None


def test_answers_below_a_listing_are_no_deck() -> None:
    """What DISPLAY answered is another format, under the same listing."""
    answers = _text(*LISTING, "DISPLAY QUEUE(*) BOTHRESH", " CSQM401I CSQ4 QUEUE(A.IN) TYPE(QLOCAL) BOTHRESH(3)")
    assert looks_like_transcript(answers)
    assert not looks_like_mqsc(answers)


@pytest.mark.parametrize("mark", ["MQS{:05d}", "{:08d}", "A1@#${:03d}", "remark {:d}", "BOTHRESH", "        "])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_columns_73_to_80_are_no_part_of_a_command(mark: str, ends: str) -> None:
    """CSQUTIL ignores them, whatever they hold."""
    records = [f"{line:<72}{mark.format(number)}" for number, line in enumerate(QUEUE)]
    data = ends.join((*records, "")).encode()
    assert looks_like_mqsc(data)
    assert _threshold(data) == "3"


def test_records_without_line_ends_and_with_names() -> None:
    """A binary copy of a deck has no line ends; names in its last columns do not hide that."""
    data = "".join(f"{line:<72}MQS{number:05d}" for number, line in enumerate((*QUEUE, "* end"))).encode()
    assert looks_like_mqsc(data)
    assert _threshold(data) == "3"


def test_long_lines_of_other_systems_are_kept() -> None:
    """A line that is as long as a record by chance keeps its end."""
    description = "X" * 20
    lines = (
        "DEFINE QLOCAL('A.IN') +",
        f" DESCR('{description}') MAXDEPTH(5000) PUT(ENABLED) TRIGGER BOTHRESH(3)",
    )
    assert 72 < len(lines[1]) <= 80
    assert _threshold(_text(*lines)) == "3"
    assert _threshold(_text(lines[0], lines[1] + " +", " BOQNAME('A.BO')")) == "3"


SECRET = "hunter2"


@pytest.mark.parametrize(
    "text",
    [
        f"{SECRET}\n",
        f"{SECRET}(ON)\n",
        f"apikey {SECRET} +\n more\n",
        f"{SECRET} {SECRET} {SECRET}'\n",
        f"DEFINE QLOCAL(A) BOTHRESH(1) '{SECRET}\n",
        f"ALTER QMGR DEADQ(X) ){SECRET}\n",
        f"ALTER CHANNEL(A) CHLTYPE(SDR) PASSWORD('{SECRET}\n",
        f"SET {SECRET} =\n",
    ],
)
def test_a_line_that_is_not_understood_is_not_repeated(text: str) -> None:
    """It may hold a password: a problem names the verb and the object, and nothing else of the line."""
    file = read_mqsc(f"DEFINE QLOCAL(B)\n{text}".encode(), "QM1.mqsc")
    assert file.problems
    assert not any(SECRET in problem.text or SECRET in problem.next_step for problem in file.problems)


def test_a_refused_command_says_what_it_is() -> None:
    """The problem of a command that the queue manager refuses names its verb and object, and the cause."""
    (problem,) = read_mqsc(b"DEFINE QLOCAL('A.IN') BOTHRESH(1) BOTHRESH(2)\n", "QM1.mqsc").problems
    assert problem.text == "DEFINE QLOCAL(A.IN) is refused because BOTHRESH occurs again inside the command"
