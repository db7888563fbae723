"""What z/OS shows of DISPLAY: CSQUTIL and CSQOREXX listings, the console and the system log."""

from __future__ import annotations

import pytest

from lintmdb.exports.mq import Listing, MqscFile, read_mqsc
from lintmdb.exports.mq.display import looks_like_transcript, read_transcript
from lintmdb.model.columns import mqsc_keywords
from lintmdb.model.relations import Queue
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager
from tests.support.project import FIXTURES
from tests.support.scenario_folders import OVERLAYS

NAME, VALUE = "A.IN".ljust(48), "A.BACKOUT".ljust(48)
OBJECT = f"QUEUE({NAME}) TYPE(QLOCAL  ) QSGDISP(QMGR    ) BOTHRESH(         3) BOQNAME({VALUE}) NOHARDENBO SHARE  "
COMPLETE = "CSQ9022I +CSQ1 CSQMDRTS ' DISPLAY QLOCAL' NORMAL COMPLETION"
COUNT = "CSQN205I   COUNT=       3, RETURN=00000000, REASON=00000000"


def read(*lines: str) -> list[MqscFile]:
    """The queue managers of a listing."""
    data = ("\n".join(lines) + "\n").encode()
    assert looks_like_transcript(data)
    return list(read_transcript(data, "csq.txt"))


def check(file: MqscFile) -> None:
    """The queue is read as z/OS shows it."""
    assert file.problems == []
    (row,) = resolve_queue_manager("CSQ1", [file]).rows["queue"]
    assert (row.name, row.backout_threshold, row.backout_queue) == ("A.IN", 3, "A.BACKOUT")
    assert (row.harden_backout, row.shareable, row.shared_disposition, row.max_depth) == (False, True, False, None)


def _wrapped(text: str, width: int) -> list[str]:
    return [text[start : start + width] for start in range(0, len(text), width)]


@pytest.mark.parametrize("prefix", ["+CSQ1", "CSQ1", "]CSQ1", ")CSQ1"])
def test_an_object_in_one_message(prefix: str) -> None:
    """As the command server answers programs; the prefix names the queue manager."""
    (file,) = read(COUNT, f"CSQM401I {prefix} {OBJECT}", COMPLETE)
    check(file)
    assert (file.queue_manager, file.platform) == ("CSQ1", "z/OS")
    assert file.listings == []


@pytest.mark.parametrize("width", [40, 57, 66, 79, 80, 101, 120, 121, 131])
def test_a_message_on_several_lines(width: int) -> None:
    """A listing breaks its lines anywhere, in words and in values."""
    first, *rest = _wrapped(f"CSQM401I +CSQ1 {OBJECT}", width)
    (file,) = read(
        "1CSQU000I CSQUTIL IBM MQ for z/OS V9.3.0",
        " CSQU055I Target queue manager is CSQ1",
        " DISPLAY QLOCAL(A*) BOTHRESH BOQNAME -",
        "   HARDENBO SHARE",
        f"0{COUNT}",
        f" {first}",
        *(f" {line}" for line in rest),
        f" {COMPLETE}",
    )
    check(file)
    assert file.queue_manager == "CSQ1"
    assert file.listings == [Listing("QLOCAL", "A*")]
    (command,) = file.commands
    found = next((line, p.column) for p, line in command.parameters if p.keyword == "BOTHRESH")
    at = f"CSQM401I +CSQ1 {OBJECT}".index("BOTHRESH")
    assert found == (6 + at // width, at % width + 2)


def test_the_console() -> None:
    """One attribute a line, between two messages."""
    lines = ["QUEUE(A.IN)", "TYPE(QLOCAL)", "QSGDISP(QMGR)", "BOTHRESH(3)", "BOQNAME(A.BACKOUT)", "NOHARDENBO", "SHARE"]
    (file,) = read(
        "+CSQ1 DISPLAY QLOCAL(*) BOTHRESH", "CSQM201I +CSQ1 CSQMDRTC DISPLAY QLOCAL DETAILS", *lines,
        "END QLOCAL DETAILS", COMPLETE,
    )  # fmt: skip
    check(file)
    assert file.listings == [Listing("QLOCAL", "*")]
    assert file.commands[0].parameters[1][1] == 6


def test_the_system_log() -> None:
    """The same with what the log has in front of each line."""
    stamp = "M 4000000 SYS1     26112 10:00:00.12 STC01234 00000090  "
    lines = ["QUEUE(A.IN)", "TYPE(QLOCAL)", "QSGDISP(QMGR)", "BOTHRESH(3)", "BOQNAME(A.BACKOUT)", "NOHARDENBO", "SHARE"]
    (file,) = read(
        f"{stamp}CSQM201I +CSQ1 CSQMDRTC DISPLAY QLOCAL DETAILS",
        *(f"D         455 00000090  {line}" for line in lines),
        "E         455 00000090  END QLOCAL DETAILS",
        f"{stamp}{COMPLETE}",
    )
    check(file)
    (command,) = file.commands
    assert (command.line, command.column) == (2, 25)


def test_commands_and_their_outcomes() -> None:
    """A definition counts if it ended normally."""
    (file,) = read(
        " DEFINE QLOCAL(A) BOTHRESH(5)", " CSQN205I   COUNT=       2, RETURN=00000000, REASON=00000000",
        " CSQ9022I +CSQ1 CSQMMSGP ' DEFINE QLOCAL' NORMAL COMPLETION",
        " ALTER QLOCAL(A) BOTHRESH(7)", " CSQM125I +CSQ1 CSQMUQLC QLOCAL (A) QSGDISP(QMGR) WAS NOT FOUND",
        " CSQ9023E +CSQ1 CSQMUQLC ' ALTER QLOCAL' ABNORMAL COMPLETION",
    )  # fmt: skip
    (row,) = resolve_queue_manager("CSQ1", [file]).rows["queue"]
    assert (row.backout_threshold, row.backout_queue) == (5, "")
    assert file.problems == []


def test_several_queue_managers_of_a_console() -> None:
    """The prefix tells which of them answers."""
    other = f"CSQM401I +CSQ2 {OBJECT}"
    files = read(
        f"CSQM401I +CSQ1 {OBJECT}",
        COMPLETE,
        other,
        COMPLETE.replace("CSQ1", "CSQ2"),
        f"CSQM401I +CSQ1 {OBJECT}",
        COMPLETE,
    )
    assert [(file.queue_manager, len(file.commands)) for file in files] == [("CSQ1", 2), ("CSQ2", 1)]


@pytest.mark.parametrize(
    ("manager", "listed"),
    [("QMNAME(CSQ1) QSGNAME(    )", True), ("QMNAME(CSQ1) QSGNAME(QSG1)", False), ("QMNAME(CSQ1)", False)],
)
def test_shared_queues_may_be_left_out(manager: str, listed: bool) -> None:
    """A list of all queues names what is not defined only where there are no shared queues to leave out."""
    (file,) = read(
        " DISPLAY QUEUE(*)", f" CSQM401I +CSQ1 {OBJECT}", f" {COMPLETE}",
        " DISPLAY QMGR", f" CSQM409I +CSQ1 {manager}", f" {COMPLETE}",
    )  # fmt: skip
    assert resolve_queue_manager("CSQ1", [file]).rows["queue_manager"][0].lists_queues is listed


def test_what_is_cut_off_is_lost() -> None:
    """An object without its end is not used, and says so."""
    (file,) = read(f"CSQM401I +CSQ1 {OBJECT}", "CSQM401I +CSQ1 QUEUE(B) TYPE(QLOCAL) BOTHRESH(")
    assert [command.name for command in file.commands] == ["A.IN"]
    assert (file.lost_commands, [problem.line for problem in file.problems]) == (1, [2])


def test_a_listing_says_what_a_deck_says() -> None:
    """The queues of MAKEDEF and those of DISPLAY QUEUE(*) ALL have the same attributes."""
    deck = read_mqsc((FIXTURES / "zos-not-hardened/mq/QM1.txt").read_bytes(), "QM1.txt")
    listing = OVERLAYS / "zos-command-listing/mq/QM1.out"
    shown = read_transcript(listing.read_bytes(), "QM1.out")
    decked, listed = (
        {row.name: row for row in resolve_queue_manager("QM1", files).rows["queue"]} for files in ([deck], shown)
    )
    del decked["SYSTEM.DEFAULT.LOCAL.QUEUE"]
    assert decked.keys() == listed.keys()
    for column in mqsc_keywords(Queue):
        of_deck, of_listing = ({name: getattr(row, column) for name, row in rows.items()} for rows in (decked, listed))
        assert of_listing == of_deck, column
