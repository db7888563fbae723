"""Dumps of a queue manager: what their headers promise, and where they are broken."""

from __future__ import annotations

import pytest

from lintmdb.exports.mq import MqscFile, read_mqsc

HEAD = "* Queue manager name: QM1\n* Queue manager platform: UNIX\n"


def read(text: str) -> MqscFile:
    """Read script text."""
    return read_mqsc(text.encode(), "QM1.mqsc")


@pytest.mark.parametrize(
    ("options", "objects", "attributes"),
    [
        ("-m QM1", True, False),
        ("-m QM1 -a", True, True),
        ("-mQM1 -az", True, True),
        ("-za -m QM1", True, True),
        ("-m QM1 -xobject -tall -n'*'", True, False),
        ("-m QM1 -c -t all -a", True, True),
        ("-m QM1 -t queue -a", False, True),
        ("-m QM1 -tqueue", False, False),
        ("-mQM1 -nAPP.*", False, False),
        ('-m QM1 -n "APP.*"', False, False),
        ("-m QM1 -xauthrec", False, False),
        ("-m QM1 -x chlauth -a", False, True),
        ("-m -a", True, True),
    ],
)
def test_options_tell_what_a_dump_holds(options: str, objects: bool, attributes: bool) -> None:
    """An option counts alone or joined with its value, and flags count one by one or joined."""
    file = read(f"{HEAD}* Command issued: dmpmqcfg {options}\nALTER QMGR +\n   FORCE\n")
    assert file.dump == "dmpmqcfg"
    assert (file.covers_objects, file.all_attributes) == (objects, attributes)


@pytest.mark.parametrize(
    "remark", ["* Queue manager name: QM1\n", "* taken over from saveqmgr\n", "* Command issued: by hand\n"]
)
def test_a_remark_does_not_make_a_script_a_whole_dump(remark: str) -> None:
    """Only the command line of dmpmqcfg or saveqmgr's own header says that everything is there."""
    assert not read(remark + "DEFINE QLOCAL(A)\n").covers_objects


@pytest.mark.parametrize("head", ["* saveqmgr MS03\n* QMNAME(QM1)\n", "* QMNAME(QM1)\n* made by SaveQMgr\n"])
def test_saveqmgr_is_told_by_its_name_and_its_queue_manager(head: str) -> None:
    """The tool's name and a commented QMNAME, in either order, are the header of a whole dump."""
    file = read(head + "ALTER  QMGR +\n       DEADQ('X')\n")
    assert (file.dump, file.covers_objects, file.all_attributes) == ("saveqmgr", True, True)
    assert file.queue_manager == "QM1"


def test_a_header_may_stand_behind_a_long_notice() -> None:
    """Header lines count wherever they stand."""
    file = read("* notice\n" * 100 + HEAD + "* Command issued: dmpmqcfg -m QM1\n")
    assert (file.queue_manager, file.platform, file.covers_objects) == ("QM1", "UNIX", True)


@pytest.mark.parametrize(
    "end",
    [
        "   DESCR('cut of",
        "   BOTHR",
        "   BOTHRESH(3)",
        "   BOTHRESH(3) +",
        "   BOTHRESH(3) +\n*  ALTDATE(2026-0",
        "   BOQNAME(",
    ],
)
def test_a_cut_dump_is_truncated(end: str) -> None:
    """A dump that stops inside a command is one unreadable problem at the command, wherever in a line it stops."""
    file = read(f"{HEAD}* Command issued: dmpmqcfg -m QM1\nDEFINE QLOCAL('A') +\n{end}")
    assert file.truncated
    assert [(p.kind, p.line) for p in file.problems] == [("unreadable", 4)]


@pytest.mark.parametrize("end", ["   REPLACE", "   REPLACE\n", "   BOTHRESH(3) +\n   REPLACE\n* the end"])
def test_a_dump_without_a_last_line_end_is_whole(end: str) -> None:
    """A dump whose last command is finished is not cut."""
    file = read(f"{HEAD}* Command issued: dmpmqcfg -m QM1\nDEFINE QLOCAL('A') +\n{end}")
    assert (file.truncated, file.problems) == (False, [])
    assert not read(f"{HEAD}* Command issued: dmpmqcfg -m QM1\nSET AUTHREC +\n   AUTHADD(GET)").truncated


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("DEFINE QLOCAL(A) BOTHRESH(1) BOTHRESH(2)\n", 1, 30),
        ("DEFINE QLOCAL(A) HARDENBO NOHARDENBO\n", 1, 27),
        ("DEFINE QLOCAL(A) +\n  BOTHRESH(1) +\nDEFINE QLOCAL(B)\n", 3, 8),
        ("DEFINE QLOCAL(A) +\n  BOTHRESH(1) +\nDEFINE CHANNEL(B) CHLTYPE(SVRCONN)\n", 3, 8),
    ],
)
def test_a_command_that_runs_into_the_next_defines_nothing(text: str, line: int, column: int) -> None:
    """A parameter that is repeated or negated, or a second object, is refused by the queue manager and reported."""
    file = read(text + "DEFINE QLOCAL(C)\n")
    assert [c.name for c in file.commands] == ["C"]
    assert [(p.kind, p.line, p.column) for p in file.problems] == [("not_understood", line, column)]
    assert file.lost_commands == 1


def test_a_process_is_an_attribute_of_a_queue() -> None:
    """PROCESS names an object too, and is allowed in a definition of a queue."""
    file = read("DEFINE QLOCAL(A) PROCESS('P') BOTHRESH(1)\n")
    assert (len(file.commands), file.problems) == (1, [])


def test_reading_goes_on_behind_the_semicolon() -> None:
    """What is not understood ends at its semicolon, unless a quote is open there."""
    assert [c.name for c in read("DEF QL(A) [x]; DEF QL(B)").commands] == ["B"]
    assert read("DEF QL(A) 'x; DEF QL(B)").commands == []


@pytest.mark.parametrize(
    ("line", "date"),
    [
        ("* Script generated on 2026-03-06   at 09.14.02 ", "2026-03-06"),
        ("* Script generated on 6 March", None),
        ("* Generated by hand on 2026-03-06", None),
    ],
)
def test_the_header_has_the_date_of_the_dump(line: str, date: str | None) -> None:
    """dmpmqcfg writes it as a date of ISO 8601; nothing else is taken for one."""
    assert read(f"{line}\n{HEAD}ALTER QMGR +\n   FORCE\n").exported_on == date
