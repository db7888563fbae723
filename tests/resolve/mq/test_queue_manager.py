"""A queue manager: scripts run in order, defaults, references, authorities."""

from __future__ import annotations

from typing import Any

import pytest

from lintmdb.exports.mq import read_mqsc
from lintmdb.exports.mq.shell.scripts import read_shell
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Authority, PutTarget, Queue, QueueManager, QueueName, Topic
from lintmdb.resolve.mq.authorities import Authorities, expand_rights
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager
from tests.support.dumps import WHOLE

DUMP = f"* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n{WHOLE}"


TO_B = "DEFINE QLOCAL(A) BOTHRESH(1) BOQNAME(B)"
TO_ALIAS = "DEFINE QLOCAL(A) BOTHRESH(1) BOQNAME(X)\nDEFINE QALIAS(X) TARGET(B)"


def facts(*texts: str, **options: Any) -> Facts:
    """The relations of one queue manager from script texts."""
    files = [read_mqsc(text.encode(), f"{n}.mqsc") for n, text in enumerate(texts)]
    return resolve_queue_manager("QM1", files, **options)


def queue(text: str, name: str = "A") -> Queue:
    """One queue's row."""
    return next(row for row in facts(text).rows["queue"] if row.name == name)


def manager(text: str) -> QueueManager:
    """The queue manager's row."""
    return facts(text).rows["queue_manager"][0]


def test_define_alter_delete_run_in_order() -> None:
    """ALTER merges, DELETE removes, DEFINE REPLACE starts again, DEFINE of an existing object changes nothing."""
    assert queue("DEFINE QLOCAL(A) BOTHRESH(3)\nALTER QLOCAL(A) BOQNAME(B)").backout_threshold == 3
    assert queue("DEFINE QLOCAL(A) BOTHRESH(3)\nDEFINE QLOCAL(A) BOTHRESH(5)").backout_threshold == 3
    assert queue("DEFINE QLOCAL(A) BOTHRESH(3)\nDEFINE QLOCAL(A) REPLACE").backout_threshold == 0
    assert facts("DEFINE QLOCAL(A)\nDELETE QLOCAL(A)").rows["queue"] == []


def test_values_come_from_like_and_from_the_default_queue() -> None:
    """Unset values come from LIKE, else from the default queue of the same input, else from IBM; each says so."""
    assert queue("DEFINE QLOCAL(B) BOTHRESH(7)\nDEFINE QLOCAL(A) LIKE(B)").backout_threshold == 7
    altered = queue("ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) BOTHRESH(4)\nDEFINE QLOCAL(A)")
    assert altered.backout_threshold == 4
    assert altered.origins["backout_threshold"].line == 1
    default = queue("* c\nDEFINE QLOCAL(A)")
    assert (default.backout_threshold, default.backout_queue) == (0, "")
    assert default.origins["backout_threshold"].default
    assert default.origins["backout_threshold"].line == 2
    assert queue("DEFINE QLOCAL(A) LIKE(ELSEWHERE)").backout_threshold is None
    assert queue("ALTER QLOCAL(A) BOQNAME(B)").backout_threshold is None


@pytest.mark.parametrize(
    ("text", "platform", "harden", "depth"),
    [
        (DUMP + "DEFINE QLOCAL(A)", "distributed", True, 5000),
        ("DEFINE QLOCAL(A) STGCLASS(X)", "zos", False, 999999999),
        ("DEFINE QLOCAL(A) NPMCLASS(HIGH)", "distributed", True, 5000),
        ("DEFINE QLOCAL(A)", None, None, None),
        ("ALTER QMGR +\n*  PLATFORM(MVS) +\n FORCE\nDEFINE QLOCAL(A)", "zos", False, 999999999),
    ],
)
def test_defaults_depend_on_the_platform(
    text: str, platform: str | None, harden: bool | None, depth: int | None
) -> None:
    """HARDENBO and MAXDEPTH default by platform, and are unknown where nothing tells the platform."""
    assert manager(text).platform == platform
    assert (queue(text).harden_backout, queue(text).max_depth) == (harden, depth)


def test_out_of_range_is_unknown_and_reported() -> None:
    """A number that the product refuses is treated as unknown."""
    found = facts("DEFINE QLOCAL(A) BOTHRESH(1000000000) MAXMSGL(ABC)")
    assert found.rows["queue"][0].backout_threshold is None
    assert [(p.kind, p.line, p.column) for p in found.rows["problem"]] == [
        ("value_out_of_range", 1, 18),
        ("value_out_of_range", 1, 39),
    ]
    outside, word = (p.text for p in found.rows["problem"])
    assert outside.startswith("BOTHRESH of A is outside 0 to 999999999 (")
    assert word.startswith("MAXMSGL of A is not a whole number from 0 to 104857600 (")
    (digits,) = facts("DEFINE QLOCAL(A) BOTHRESH(0x3)").rows["problem"]
    assert digits.text.startswith("BOTHRESH of A is not a whole number from 0 to 999999999 (BOTHRESH(0x3)), so")


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        (DUMP + "DEFINE QLOCAL(A)\n", True),
        ("DEFINE QLOCAL(A)\n", False),
        (DUMP + "DEFINE QLOCAL(A) +\n", False),
        ("ALTER QMGR DEADQ(D)\nDEFINE QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) QSGDISP(QMGR) BOTHRESH(0)\n", True),
        ("DEFINE QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) QSGDISP(QMGR) BOTHRESH(0)\n", False),
        ("* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1 -n A*\nDEFINE QLOCAL(A)\n", False),
    ],
)
def test_only_a_whole_dump_is_complete(text: str, complete: bool) -> None:
    """What a whole dump does not define does not exist; a script or a cut dump leaves it open."""
    assert manager(text).complete is complete


@pytest.mark.parametrize(
    ("text", "resolution"),
    [
        ("DEFINE QLOCAL(A) BOQNAME(' ')", "not_set"),
        ("DEFINE QLOCAL(A) BOQNAME(B)\nDEFINE QLOCAL(B)", "resolved"),
        ("DEFINE QLOCAL(A) BOQNAME(B)\nDEFINE QALIAS(B) TARGET(C)\nDEFINE QLOCAL(C)", "resolved"),
        ("DEFINE QLOCAL(A) BOQNAME(B)\nDEFINE QALIAS(B) TARGQ(C)\nDEFINE QREMOTE(C) RNAME(X) RQMNAME(Y)", "remote"),
        ("DEFINE QLOCAL(A) BOQNAME(B)", None),
        (DUMP + "DEFINE QLOCAL(A) BOQNAME(B)", "not_defined"),
        (DUMP + "DEFINE QLOCAL(A) BOQNAME(SYSTEM.DEAD.LETTER.QUEUE)", "resolved"),
        (DUMP + "DEFINE QLOCAL(A) BOQNAME(B)\nDEFINE QALIAS(B) TARGET(C)", "dangling"),
        (DUMP + "DEFINE QLOCAL(A) BOQNAME(B)\nDEFINE QALIAS(B) TARGET(T) TARGTYPE(TOPIC)", "dangling"),
        (DUMP + "DEFINE QLOCAL(A) BOQNAME(B)\nDEFINE QALIAS(B) TARGET(A) TARGTYPE(TOPIC)", "dangling"),
        (DUMP + "DEFINE QLOCAL(A) BOQNAME(B)\nDEFINE QALIAS(B) TARGTYPE(TOPIC)", "dangling"),
        (
            DUMP
            + "DEFINE QLOCAL(A) BOQNAME(B)\nDEFINE QALIAS(B) TARGET(T) TARGTYPE(TOPIC)\nDEFINE TOPIC(T) TOPICSTR(t)",
            "topic",
        ),
        (DUMP + "DEFINE QLOCAL(A) BOQNAME(B)\nDEFINE QALIAS(B) TARGET(SYSTEM.BASE.TOPIC) TARGTYPE(TOPIC)", "topic"),
        ("DEFINE QLOCAL(A) BOQNAME(B)\nDEFINE QALIAS(B) TARGET(T) TARGTYPE(TOPIC)", "topic"),
        (DUMP + "DEFINE QLOCAL(A) BOQNAME(B)\nDEFINE QALIAS(B) TARGET(B)", "wrong_base"),
        (DUMP + "DEFINE QLOCAL(A) BOQNAME(B)\nDEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR)", None),
    ],
)
def test_backout_queue_resolution(text: str, resolution: str | None) -> None:
    """BOQNAME is followed through aliases; what cannot be told stays unknown."""
    assert queue(text).backout_resolution == resolution


@pytest.mark.parametrize(
    ("text", "loops", "queues"),
    [
        ("DEFINE QLOCAL(A) BOTHRESH(1) BOQNAME(A)", True, 1),
        (f"{TO_B}\nDEFINE QLOCAL(B) BOTHRESH(1) BOQNAME(C)\nDEFINE QLOCAL(C) BOTHRESH(1) BOQNAME(A)", True, 3),
        (f"{TO_ALIAS}\nDEFINE QLOCAL(B) BOTHRESH(1) BOQNAME(A)", True, 2),
        (f"{TO_B}\nDEFINE QLOCAL(B)", False, None),
        (f"{TO_B}\nDEFINE QLOCAL(B) BOTHRESH(1) BOQNAME(B)", False, None),
        (TO_B, None, None),
        (DUMP + TO_B, False, None),
        ("DEFINE QLOCAL(A) BOQNAME(A)", False, None),
        ("DEFINE QLOCAL(A) BOTHRESH(1) GET(DISABLED) BOQNAME(A)", False, None),
        ("DEFINE QLOCAL(A) BOTHRESH(1) PUT(DISABLED) BOQNAME(A)", False, None),
        (f"{TO_B}\nDEFINE QLOCAL(B) BOQNAME(A)", False, None),
        (f"{TO_B}\nDEFINE QLOCAL(B) BOTHRESH(1) GET(DISABLED) BOQNAME(A)", False, None),
        (f"{TO_ALIAS} PUT(DISABLED)\nDEFINE QLOCAL(B) BOTHRESH(1) BOQNAME(A)", False, None),
        ("ALTER QLOCAL(A) BOQNAME(A)", None, 1),
        (f"{TO_B.replace('1', '{{ n }}')}\nDEFINE QLOCAL(B)", False, None),
        (f"{TO_B.replace('1', '{{ n }}')}\nDEFINE QLOCAL(B) BOTHRESH(1) BOQNAME(A)", None, 2),
        (f"{TO_B}\nDEFINE QLOCAL(B) BOTHRESH(1) BOQNAME(C)\nDEFINE QLOCAL(C) LIKE(GONE)", None, None),
        ("DEFINE QMODEL(A) BOTHRESH(1) BOQNAME(A)", False, None),
        (f"{TO_B}\nDEFINE QREMOTE(B) RNAME(A) RQMNAME(QM1) XMITQ(X)", False, None),
        (f"{TO_B}\nDEFINE QLOCAL(B) STREAMQ(A)", True, 1),
        (f"{TO_B}\nDEFINE QLOCAL(B) STREAMQ(A) STRMQOS(MUSTDUP)", True, 1),
        (f"{TO_ALIAS}\nDEFINE QLOCAL(B) STREAMQ(AGAIN)\nDEFINE QALIAS(AGAIN) TARGET(A)", True, 1),
        (f"{TO_B}\nDEFINE QLOCAL(B) STREAMQ(A) BOTHRESH(1) BOQNAME(A)", True, 2),
        (f"{TO_B}\nDEFINE QLOCAL(B) STREAMQ(C)\nDEFINE QLOCAL(C) STREAMQ(A)", False, None),
        (f"{TO_B} PUT(DISABLED)\nDEFINE QLOCAL(B) STREAMQ(A)", False, None),
        (f"{TO_B}\nDEFINE QLOCAL(B) STREAMQ(A) PUT(DISABLED)", False, None),
        (f"{TO_B}\nDEFINE QLOCAL(B) STREAMQ(A) MAXDEPTH(0)", False, None),
        ("DEFINE QLOCAL(A) BOQNAME(B)\nDEFINE QLOCAL(B) STREAMQ(A)", False, None),
    ],
)
def test_backout_chains(text: str, loops: bool | None, queues: int | None) -> None:
    """A chain loops that comes back over queues which take messages, give them and move them on."""
    found = queue(text)
    assert (found.backout_loops, found.backout_circle_queues) == (loops, queues)
    assert found.backout_circle == ("A" if queues else None)


@pytest.mark.parametrize("command", ["DELETE QLOCAL(A)", "ALTER QLOCAL(A) BOTHRESH(2)", "DEFINE QLOCAL(A) REPLACE"])
def test_a_command_for_another_type_changes_nothing(command: str) -> None:
    """The queue manager refuses a command whose noun is not the type of the object that has the name."""
    rows = facts(f"DEFINE QALIAS(A) TARGET(B)\nDEFINE QLOCAL(B)\n{command}").rows
    assert [(row.name, row.type, row.local_queue) for row in rows["queue_name"]] == [
        ("A", "alias", "B"),
        ("B", "local", "B"),
    ]


def told(*texts: str) -> list[tuple[str, int, str]]:
    """The commands that scripts hold in vain: file, line and reason."""
    problems = facts(*texts).rows["problem"]
    return [(row.path, row.line, row.text) for row in problems if row.kind == "not_understood"]


@pytest.mark.parametrize(
    ("script", "line", "says"),
    [
        ("DEFINE QLOCAL(A) BOTHRESH(3)\nDEFINE QLOCAL(A)", 2, "DEFINE QLOCAL(A) would be refused by QM1: it exists"),
        ("DEFINE QLOCAL(A)\nDEFINE QALIAS(A) TARGET(B)", 2, "refused by QM1: A exists as a QLOCAL (line 1)"),
        ("DEFINE CHANNEL(C) CHLTYPE(SVRCONN)\nALTER CHANNEL(C) CHLTYPE(SDR)", 2, "C is a channel of type SVRCONN"),
        ("DEFINE CHANNEL(C) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(C) CHLTYPE(SDR) REPLACE", 2, "REPLACE does not change"),
        ("\nALTER QLOCAL(A) BOTHRESH(3)\nDEFINE QLOCAL(A)", 2, "its DEFINE stands below it, on line 3"),
        ("\nALTER QLOCAL(A) BOTHRESH(3)\nDEFINE QLOCAL(A) REPLACE", 2, "its DEFINE stands below it, on line 3"),
    ],
)
def test_what_the_lines_above_make_impossible_is_pointed_out(script: str, line: int, says: str) -> None:
    """A script that runs on an empty queue manager does not do what these lines say."""
    ((_, found, text),) = told(script)
    assert (found, says in text) == (line, True), text


@pytest.mark.parametrize(
    "scripts",
    [
        ("DEFINE QLOCAL(A) REPLACE\nDEFINE QLOCAL(A) REPLACE",),
        ("DEFINE QLOCAL(A)\nDELETE QLOCAL(A)\nDEFINE QLOCAL(A)",),
        ("DEFINE QLOCAL(A)\nDEFINE QLOCAL(A) NOREPLACE",),
        ("DEFINE QLOCAL(A)", "DEFINE QLOCAL(A)"),
        ("DEFINE CHANNEL(C) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(C) CHLTYPE(CLNTCONN)",),
        ("DEFINE CHANNEL(C) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(C) CHLTYPE(SVRCONN) REPLACE",),
        ("ALTER QLOCAL(A) BOTHRESH(3)",),
        ("ALTER QLOCAL(A) BOTHRESH(3)", "DEFINE QLOCAL(A)"),
        ("DELETE QLOCAL(A)\nDEFINE QLOCAL(A)",),
        ("ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) BOTHRESH(3)\nDEFINE QLOCAL(A)",),
        (DUMP + "DEFINE QLOCAL(A)\nDEFINE QLOCAL(A)",),
        (DUMP + "DEFINE QLOCAL(A) REPLACE\n", "DEFINE QLOCAL(A)\nDELETE QLOCAL(B)"),
        ("DEFINE QLOCAL(A) QSGDISP(GROUP)\nDEFINE QLOCAL(A) QSGDISP(COPY)",),
    ],
)
def test_what_may_well_run_is_not_pointed_out(scripts: tuple[str, ...]) -> None:
    """Which file runs first is not known, nor what the queue manager has; and some commands are meant like this."""
    assert told(*scripts) == []


def test_an_object_that_a_complete_dump_lacks_cannot_be_altered() -> None:
    """The dump shows what the script finds."""
    ((path, line, text),) = told(DUMP + "DEFINE QLOCAL(A) REPLACE\n", "\nALTER QLOCAL(B) BOTHRESH(3)")
    assert (path, line) == ("1.mqsc", 2)
    assert text == "ALTER QLOCAL(B) would be refused by QM1: it does not exist there"


@pytest.mark.parametrize(
    ("scripts", "there"),
    [
        ((DUMP, "ALTER QLOCAL(B) BOTHRESH(3)\nALTER QLOCAL(B) MAXDEPTH(3)"), False),
        ((DUMP, "ALTER QLOCAL(B) BOTHRESH(3)\nDEFINE QLOCAL(B)"), True),
        ((DUMP, "ALTER QLOCAL(B) BOTHRESH(3)", "DEFINE QLOCAL(B)"), True),
        ((DUMP, "DEFINE QLOCAL(B)", "ALTER QLOCAL(B) BOTHRESH(3)"), True),
        (("ALTER QLOCAL(B) BOTHRESH(3)",), True),
    ],
)
def test_an_alter_that_is_refused_makes_no_object(scripts: tuple[str, ...], there: bool) -> None:
    """Where no complete dump says what there is, something else may have defined it."""
    files = [read_mqsc(text.encode(), f"{number}.mqsc") for number, text in enumerate(scripts)]
    names = [row.name for row in resolve_queue_manager("QM1", files).rows["queue"]]
    assert ("B" in names) is there


def test_a_definition_under_a_condition_leaves_everything_open() -> None:
    """Where it does not run, another one has the last word."""
    script = b"if x; then\n echo 'DEF QL(A)' | runmqsc QM1\nelse\n echo 'DEF QL(A) BOTHRESH(3)' | runmqsc QM1\nfi\n"
    rows = resolve_queue_manager("QM1", read_shell(script, "x.sh")).rows
    assert [row.backout_threshold for row in rows["queue"]] == [None]
    assert {row.kind for row in rows["problem"]} == {"template"}


@pytest.mark.parametrize(
    ("text", "threshold", "backout"),
    [
        ("DEFINE QLOCAL(A) LIKE(GONE)\nDEFINE QLOCAL(A) BOTHRESH(2)", None, None),
        ("DEFINE QLOCAL(A) LIKE(GONE)\nDEFINE QLOCAL(A) BOTHRESH(2) REPLACE", 2, ""),
        ("DEFINE QLOCAL(A) LIKE(GONE) BOTHRESH(2)", 2, None),
        ("DEFINE QLOCAL(B) LIKE(GONE) BOTHRESH(2)\nDEFINE QLOCAL(A) LIKE(B) BOQNAME(C)", 2, "C"),
        ("DEFINE QLOCAL(A) LIKE(SYSTEM.DEFAULT.LOCAL.QUEUE) BOTHRESH(2)", 2, ""),
        ("ALTER QLOCAL(A) BOTHRESH(5)\nALTER QLOCAL(A) BOTHRESH(6)", 6, None),
        ("ALTER QLOCAL(A) BOTHRESH(5)\nDEFINE QLOCAL(A) BOTHRESH(6)", 6, ""),
        ("ALTER QLOCAL(A) BOTHRESH(5)\nDELETE QLOCAL(A)\nDEFINE QLOCAL(A)", 0, ""),
        ("DEFINE QLOCAL(A) LIKE(B)\nDEFINE QLOCAL(B) BOTHRESH(7)", None, None),
        ("DEFINE QLOCAL(A) BOTHRESH({{ t }})", None, ""),
        ("DEFINE QLOCAL(A) BOTHRESH(3)\nALTER QLOCAL(A) BOTHRESH(${T})", None, ""),
    ],
)
def test_what_is_not_told_stays_unknown(text: str, threshold: int | None, backout: str | None) -> None:
    """Values of an object that is altered or copied from elsewhere, and template text, are unknown, never defaults."""
    row = queue(text)
    assert (row.backout_threshold, row.backout_queue) == (threshold, backout)


def test_the_default_queue_counts_from_where_it_is_changed() -> None:
    """A queue takes the defaults of the moment of its own definition."""
    text = "DEFINE QLOCAL(A)\nALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) BOTHRESH(4)\nDEFINE QLOCAL(B)\n"
    text += "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) BOTHRESH(5)"
    assert (queue(text, "A").backout_threshold, queue(text, "B").backout_threshold) == (0, 4)


def test_a_dump_without_all_attributes_leaves_out_defaults() -> None:
    """dmpmqcfg without -a leaves out what is IBM's default, and so does what lintmdb reads; with -a nothing is."""
    short = DUMP.replace(" -a", "") + "DEFINE QLOCAL('A') +\n   BOTHRESH(3) +\n   REPLACE\n"
    row = queue(short)
    assert (row.backout_threshold, row.backout_queue, row.harden_backout) == (3, "", True)
    assert row.origins["backout_queue"].default
    full = queue(DUMP + "DEFINE QLOCAL('A') +\n   BOQNAME(' ') +\n   BOTHRESH(3) +\n   HARDENBO +\n   REPLACE\n")
    assert full == row
    assert not full.origins["backout_queue"].default


_SAVED = """\
* This file generated by SAVEQMGR V6.1.3.1 on 2010-05-03 at 10.00.00 hours.
*
* QMNAME (QM1) +
* CMDLEVEL ({}) +
ALTER  QMGR +
       DESCR(' ') +
       FORCE
DEFINE QLOCAL ('A') +
       BOQNAME('B') +
       REPLACE
"""


@pytest.mark.parametrize(
    ("level", "behind", "complete"),
    [
        (600, "", False),
        (600, "DEFINE CHANNEL ('C') CHLTYPE(SVRCONN) REPLACE\n", False),
        (600, "DEFINE NAMELIST ('N') +\n       REPLACE\n", True),
        (600, "** (Skipping SYSTEM Namelists) **\n", True),
        (701, "DEFINE PROCESS ('P') REPLACE\n** (Skipping SYSTEM Topic objects) **\n", False),
        (701, "DEFINE TOPIC ('T') TOPICSTR('a') REPLACE\n", False),
        (701, "DEFINE SUB ('S') TOPICSTR('a') REPLACE\n", True),
        (701, "** (Skipping SYSTEM Subscription objects) **\n", True),
        (701, "* === > Processing Aborted, output file may be incomplete\nDEFINE SUB ('S') REPLACE\n", False),
        (701, "* ==>>> Ignoring 'damaged object' PCF error messsage\nDEFINE SUB ('S') REPLACE\n", False),
    ],
)
def test_a_saveqmgr_dump_that_is_cut_is_not_complete(level: int, behind: str, complete: bool) -> None:
    """What it writes last shows that the rest is there: what a cut one lacks may exist."""
    text = _SAVED.format(level) + behind
    assert (manager(text).complete, queue(text).backout_resolution) == (complete, "not_defined" if complete else None)


def test_saveqmgr_is_a_whole_dump() -> None:
    """A saveqmgr file tells its queue manager, blank DEADQ included, in its own layout."""
    text = "* saveqmgr MS03 6.0\n* QMNAME(QM1)\n* PLATFORM(UNIX)\n* CMDLEVEL(600)\nALTER  QMGR +\n       DESCR(' ')\n"
    text += (
        "DEFINE QLOCAL ('A') +\n       BOQNAME('B') +\n       BOTHRESH(3)\nDEFINE NAMELIST ('N') +\n       REPLACE\n"
    )
    row = manager(text)
    assert (row.complete, row.platform, row.dead_letter_queue) == (True, "distributed", "")
    assert queue(text).backout_resolution == "not_defined"


@pytest.mark.parametrize(
    "broken", ["DEFINE QLOCAL(B) DESCR(((", "DEFINE QLOCAL(B) +\n   DESCR('cut he", "DEFINE QLOCAL(B) +\n"]
)
def test_a_dump_with_an_unread_definition_is_not_complete(broken: str) -> None:
    """What a dump defines and lintmdb could not read may exist: nothing is called undefined, and DEADQ is open."""
    found = facts(DUMP + "DEFINE QLOCAL(A) BOQNAME(C)\nSET AUTHREC PROFILE(C) OBJTYPE(QUEUE) GROUP(g)\n" + broken)
    (row,) = found.rows["queue_manager"]
    assert (row.complete, row.dead_letter_queue) == (False, None)
    assert found.rows["queue"][0].backout_resolution is None
    assert {row.user for row in found.rows["authority"]} <= {"mqm"}
    assert [p.kind for p in found.rows["problem"]] in (["not_understood"], ["unreadable"])
    assert found.rows["export"][0].complete is False


def test_makedef_decks() -> None:
    """A MAKEDEF deck is whole if it holds the default objects with all attributes, and those of the queue manager."""

    def deck(*lines: str) -> str:
        return "".join(f"{line:<71}-\n" for line in lines[:-1]) + f"{lines[-1]}\n"

    default = deck("ALTER QMGR", " DEADQ('DEAD')")
    default += deck("DEFINE NOREPLACE", " QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE')", " QSGDISP(QMGR)", " BOTHRESH(0)")
    mine = deck("DEFINE NOREPLACE", " QLOCAL('A')", " STGCLASS('X')", " BOQNAME('B')", " NOHARDENBO")
    whole = manager(default + mine)
    assert (whole.complete, whole.platform, whole.dead_letter_queue) == (True, "zos", "DEAD")
    shared = deck("DEFINE NOREPLACE", " QLOCAL('S')", " QSGDISP(SHARED)")
    assert queue(default + mine).backout_resolution is None  # MAKEDEF may have left out shared queues
    assert queue(default + mine + shared).backout_resolution == "not_defined"
    assert not manager(mine).complete
    assert not manager(default + mine + "DEFINE QLOCAL('B') (((\n").complete


@pytest.mark.parametrize(
    ("text", "resolution", "local"),
    [
        ("DEFINE QALIAS(N) TARGET(A1)\nDEFINE QALIAS(A1) TARGET(Q)\nDEFINE QLOCAL(Q)", "wrong_base", None),
        ("DEFINE QALIAS(N) TARGQ(Q)\nDEFINE QLOCAL(Q)", "resolved", "Q"),
        ("DEFINE QALIAS(N) TARGET(N)", "wrong_base", None),
        ("DEFINE QALIAS(N) TARGET(M)\nDEFINE QMODEL(M)", "wrong_base", None),
        ("DEFINE QALIAS(N) TARGET(SYSTEM.DEFAULT.MODEL.QUEUE)", "wrong_base", None),
        ("DEFINE QALIAS(N) TARGET(SYSTEM.DEFAULT.LOCAL.QUEUE)", "resolved", None),
        ("DEFINE QALIAS(N) TARGET(Q) TARGTYPE(TOPIC)\nDEFINE QLOCAL(Q)", "dangling", None),
        ("DEFINE QALIAS(N) TARGET('{{ q }}')\nDEFINE QLOCAL(Q)", None, None),
        ("DEFINE QALIAS(N)", "dangling", None),
        ("DEFINE QALIAS(N) TARGET(' ')", "dangling", None),
        ("DEFINE QALIAS(N) LIKE(ELSEWHERE)", None, None),
        ("DEFINE QALIAS(N) TARGET(GONE)", "dangling", None),
        ("DEFINE QALIAS(N) TARGET(GONE)\nDEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR)", "dangling", None),
        ("DEFINE QALIAS(N) TARGET(R)\nDEFINE QREMOTE(R) RNAME(Q) RQMNAME(QM2)", "remote", None),
        ("DEFINE QALIAS(N) TARGET(GONE)\nALTER QALIAS(N) TARGQ(Q)\nDEFINE QLOCAL(Q)", "resolved", "Q"),
        ("DEFINE QALIAS(N) TARGQ(GONE)\nALTER QALIAS(N) TARGET(Q)\nDEFINE QLOCAL(Q)", "resolved", "Q"),
        ("DEFINE QLOCAL(N)\nDELETE QLOCAL(N)", "not_defined", None),
        ("DEFINE QREMOTE(N) RNAME(Q) RQMNAME(QM2)\nDEFINE QLOCAL(Q)", "remote", None),
        ("DEFINE QREMOTE(N) RNAME(' ') RQMNAME(QM2)", "remote", None),
        ("DEFINE QMODEL(N)", "model", None),
    ],
)
def test_names_lead_to_queues(text: str, resolution: str | None, local: str | None) -> None:
    """An alias is followed once; what else a name is, its resolution says."""
    row = next(row for row in facts(DUMP + text).rows["queue_name"] if row.name == "N")
    assert (row.resolution, row.local_queue) == (resolution, local)


def test_long_chains_end() -> None:
    """A chain of backout queues is followed to its end; every queue of a circle loops, one before it does not."""
    chain = "".join(f"DEFINE QLOCAL(Q{n}) BOTHRESH(1) BOQNAME(Q{n + 1})\n" for n in range(50))
    rows = {
        row.name: row.backout_loops
        for row in facts(chain + "DEFINE QLOCAL(Q50) BOTHRESH(1) BOQNAME(Q48)").rows["queue"]
    }
    assert {name for name, loops in rows.items() if loops} == {"Q48", "Q49", "Q50"}
    assert {loops for name, loops in rows.items() if name not in {"Q48", "Q49", "Q50"}} == {False}
    ending = {row.name: row.backout_loops for row in facts(chain).rows["queue"]}
    assert set(ending.values()) == {None}


def test_what_a_threshold_would_send_round() -> None:
    """A queue without one ends a chain; whether the chain would come back is known before somebody sets it."""
    chain = "DEFINE QLOCAL(A) BOTHRESH(0) BOQNAME(B)\nDEFINE QLOCAL(B) BOTHRESH(1) BOQNAME(C)\n"
    rest = "DEFINE QLOCAL(D) BOTHRESH(0) BOQNAME(B)\nDEFINE QLOCAL(E) BOTHRESH(0) BOQNAME(E)\n"
    for end, loops in (("BOTHRESH(1) BOQNAME(A)", {"A", "E"}), ("BOTHRESH(0) BOQNAME(A)", {"E"})):
        rows = facts(f"{chain}DEFINE QLOCAL(C) {end}\n{rest}").rows["queue"]
        assert {row.name for row in rows if row.backout_would_loop} == loops
        assert not any(row.backout_loops for row in rows)


@pytest.mark.parametrize(
    ("value", "number"), [("0", 0), ("999999999", 999999999), ("1000000000", None), ("-1", None), ("", None)]
)
def test_the_range_of_bothresh(value: str, number: int | None) -> None:
    """BOTHRESH is 0 to 999999999; anything else is unknown and reported at its place with the object's name."""
    found = facts(f"DEFINE QLOCAL(A) +\n   BOTHRESH({value})")
    assert found.rows["queue"][0].backout_threshold == number
    reported = [(p.kind, p.line, p.column, p.object) for p in found.rows["problem"]]
    assert reported == ([("value_out_of_range", 2, 4, "QLOCAL A BOTHRESH")] if number is None else [])


@pytest.mark.parametrize(
    ("text", "platform"),
    [
        ("* Queue manager platform: z/OS\n", "zos"),
        ("* Queue manager platform: MVS\n", "zos"),
        ("* Queue manager platform: WINDOWSNT\n", "distributed"),
        ("SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP(g) AUTHADD(PUT)", "distributed"),
        ("DEFINE QLOCAL(A) DISTL(NO)", "distributed"),
        ("DEFINE QLOCAL(A) CFSTRUCT(X)", "zos"),
        ("DEFINE QLOCAL(A) INDXTYPE(NONE)", "zos"),
        ("DEFINE QLOCAL(A) MAXDEPTH(5)", None),
    ],
)
def test_platform(text: str, platform: str | None) -> None:
    """The platform is that of the header, else that of parameters which only one platform has, else unknown."""
    assert manager(text).platform == platform


def test_put_is_allowed_only_along_the_whole_way() -> None:
    """An alias with PUT(DISABLED) closes the way to an open queue."""
    text = "DEFINE QLOCAL(A) BOQNAME(X)\nDEFINE QALIAS(X) TARGET(B) PUT(DISABLED)\nDEFINE QLOCAL(B) MAXMSGL(10)"
    (target,) = facts(text).rows["put_target"]
    assert isinstance(target, PutTarget)
    assert (target.name, target.type, target.local_queue) == ("X", "alias", "B")
    assert (target.put_enabled, target.max_message_bytes) == (False, 10)


def test_dead_letter_queue() -> None:
    """DEADQ that a whole dump leaves out is blank; in a script it is not known."""
    assert manager(DUMP + "DEFINE QLOCAL(A)").dead_letter_resolution == "not_set"
    assert manager("DEFINE QLOCAL(A)").dead_letter_resolution is None
    assert manager("ALTER QMGR DEADQ(' ')").dead_letter_resolution == "not_set"
    assert manager("ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)").dead_letter_resolution == "resolved"
    assert manager(DUMP + "ALTER QMGR DEADQ(GONE)").dead_letter_resolution == "not_defined"
    assert manager("ALTER QMGR DEADQ(GONE)").dead_letter_resolution is None
    assert manager("ALTER QMGR DEADQ('{{ d }}')").dead_letter_queue is None
    assert manager("ALTER QMGR DEADQ(B)\nALTER QMGR DEADQ('')\nDEFINE QLOCAL(B)").dead_letter_queue == ""
    assert manager(DUMP + "DEFINE QLOCAL(A)").origins["dead_letter_queue"].default
    only_queues = DUMP.replace("-a", "-t queue -a")
    assert manager(only_queues + "DEFINE QLOCAL(A)").dead_letter_queue is None


def test_several_files_are_one_queue_manager() -> None:
    """Files run in the order given; a later ALTER wins."""
    rows = facts("DEFINE QLOCAL(A) BOTHRESH(1)", "ALTER QLOCAL(A) BOTHRESH(2)").rows
    assert rows["queue"][0].backout_threshold == 2
    assert rows["queue"][0].origins["backout_threshold"].path == "1.mqsc"
    assert rows["export"][0].files == 2


def test_order_of_independent_objects_changes_nothing() -> None:
    """The relations do not depend on the order of definitions that do not touch each other."""
    lines = ["DEFINE QLOCAL(A) BOQNAME(B)", "DEFINE QLOCAL(B)", "DEFINE QALIAS(C) TARGET(A)", "ALTER QMGR DEADQ(B)"]
    forwards, backwards = facts("\n".join(lines)), facts("\n".join(reversed(lines)))
    assert forwards.rows["queue"] == backwards.rows["queue"]
    assert forwards.rows["queue_name"] == backwards.rows["queue_name"]


def _right(text: str, right: str, user: str = "app", groups: frozenset[str] | None = None) -> bool | None:
    found = facts(f"{DUMP}DEFINE QLOCAL(A) BOQNAME(A.BO)\nDEFINE QLOCAL(A.BO)\n{text}", identities={user: groups})
    row = next((row for row in found.rows["authority"] if row.user == user and row.queue == "A"), None)
    assert row is None or isinstance(row, Authority)
    return getattr(row, right) if row else None


def _grant(profile: str, rights: str, who: str = "PRINCIPAL('app')", verb: str = "AUTHADD") -> str:
    return f"SET AUTHREC PROFILE('{profile}') OBJTYPE(QUEUE) {who} {verb}({rights})\n"


def test_most_specific_profile_wins() -> None:
    """Only the most specific profile counts, even if a wider one grants more, and a carve-out takes all away."""
    reads = _grant("A", "GET")
    assert _right(reads + _grant("**", "PASSALL"), "passall") is True
    assert _right(reads + _grant("**", "PASSALL") + _grant("A.*", "PUT"), "passall") is False
    assert _right(reads + _grant("A.*", "PASSALL") + _grant("A.BO", "NONE"), "passall") is False
    assert _right(reads + _grant("A.BO", "ALLMQI"), "setall") is True
    assert _right(reads + _grant("A.BO", "ALL") + _grant("A.BO", "PASSALL", verb="AUTHRMV"), "passall") is False
    assert _right(reads + _grant("A.B?", "PASSALL") + _grant("A.*", "PUT"), "passall") is True


def test_an_unknown_group_leaves_the_answer_open() -> None:
    """Without known groups a right is missing only if nobody but the administrators has it."""
    reads = _grant("A", "GET") + _grant("A.BO", "PUT")
    assert _right(reads, "passall") is False
    assert _right(reads + _grant("A.BO", "PASSALL", "GROUP('mqm')"), "passall") is False
    staff = reads + _grant("A.BO", "PASSALL", "GROUP('staff')")
    assert _right(staff, "passall") is None
    assert _right(staff, "passall", groups=frozenset({"staff"})) is True
    assert _right(staff, "passall", groups=frozenset({"other"})) is False
    assert _right(_grant("A.BO", "PUT"), "passall") is None
    assert _right(staff, "passall", user="mqm") is True


def test_no_authority_records_no_answer() -> None:
    """A dump without authority records says nothing about rights, and z/OS keeps them in RACF."""
    assert _right("", "put") is None
    assert facts("DEFINE QLOCAL(A) STGCLASS(X) BOQNAME(B)").rows["authority"] == []


def test_generic_profiles() -> None:
    """? is one character, * one part of a name, ** any number of parts."""
    matches = {
        "A.**": ["A", "A.B", "A.B.C"],
        "A.*": ["A.B"],
        "**.C": ["C", "B.C", "A.B.C"],
        "A.**.C": ["A.C", "A.B.C", "A.B.B.C"],
        "A.?": ["A.B"],
        "**": ["A", "A.B.C"],
    }
    names = ["A", "C", "A.B", "A.C", "B.C", "A.B.C", "A.B.B.C", "AB.C.D"]
    for profile, some in matches.items():
        authorities = Authorities()
        authorities.change(profile, ("principal", "u"), expand_rights("GET"), frozenset())
        hits = {name for name in names if authorities.rights_on(name)}
        assert set(some) <= hits, profile
    authorities = Authorities()
    authorities.change("A.*", ("principal", "u"), expand_rights("GET"), frozenset())
    assert not authorities.rights_on("A.B.C")
    assert not authorities.rights_on("AB.C.D")


def test_what_is_always_there_is_not_known_by_its_name() -> None:
    """Only the default object of a type is as IBM supplies it; other queues that always exist keep their values."""
    assert queue("DEFINE QLOCAL(A) LIKE(SYSTEM.DEFAULT.LOCAL.QUEUE)").backout_threshold == 0
    assert queue("DEFINE QLOCAL(A) LIKE(SYSTEM.DEAD.LETTER.QUEUE)").backout_threshold is None
    assert queue("DEFINE QLOCAL(A) LIKE(SYSTEM.DEFAULT.MODEL.QUEUE)").backout_threshold is None
    name = "SYSTEM.DEAD.LETTER.QUEUE"
    altered = queue(f"ALTER QLOCAL({name}) MAXMSGL(9)\nALTER QMGR DEADQ({name})", name)
    assert (altered.max_message_bytes, altered.backout_threshold, altered.backout_queue) == (9, None, None)


def test_a_right_that_is_not_known_has_no_place() -> None:
    """BOQNAME is where a known right is shown; where groups decide there is nothing to point at, or no row at all."""
    text = "DEFINE QLOCAL(A) BOQNAME(A.BO)\nDEFINE QLOCAL(A.BO)\n" + _grant("A.BO", "PUT", "PRINCIPAL('u')")
    rows = facts(text, identities={"v": None}).rows["authority"]
    (row,) = (row for row in rows if row.user != "mqm" and row.queue == "A")
    assert (row.user, row.put, row.passall) == ("u", True, None)
    assert sorted(row.origins) == ["put"]


@pytest.mark.parametrize(
    ("text", "shareable", "opens"),
    [
        (DUMP + "DEFINE QLOCAL(A)", True, "shared"),
        ("DEFINE QLOCAL(A) STGCLASS(X)", False, "exclusive"),
        ("DEFINE QLOCAL(A)", None, None),
        ("DEFINE QLOCAL(A) NOSHARE DEFSOPT(EXCL)", False, "exclusive"),
        ("DEFINE QLOCAL(A) STGCLASS(X) SHARE DEFSOPT(SHARED)", True, "shared"),
        ("DEFINE QLOCAL(A) DEFSOPT('{{ o }}')", None, None),
        ("DEFINE QLOCAL(B) NOSHARE\nDEFINE QLOCAL(A) LIKE(B) DEFSOPT(SHARED)", False, "shared"),
        (DUMP + "DEFINE QMODEL(A)", None, None),
        (DUMP + "DEFINE QMODEL(A) SHARE DEFSOPT(EXCL)", True, "exclusive"),
    ],
)
def test_sharing_defaults_depend_on_the_platform(text: str, shareable: bool | None, opens: str | None) -> None:
    """IBM supplies SHARE and DEFSOPT(SHARED), on z/OS NOSHARE and DEFSOPT(EXCL), and for model queues neither."""
    row = queue(text)
    assert (row.shareable, row.default_open) == (shareable, opens)


@pytest.mark.parametrize(
    ("text", "transmission", "model"),
    [
        ("DEFINE QLOCAL(B)", False, False),
        ("DEFINE QLOCAL(B) USAGE(XMITQ)", True, False),
        ("DEFINE QLOCAL(B) LIKE(ELSEWHERE)", None, False),
        ("DEFINE QMODEL(B)", False, True),
        ("DEFINE QALIAS(B) TARGET(C)\nDEFINE QLOCAL(C) USAGE(XMITQ)", True, False),
        ("DEFINE QALIAS(B) TARGET(C)\nDEFINE QMODEL(C)", False, True),
        ("DEFINE QALIAS(B) TARGET(C)", None, None),
        ("DEFINE QREMOTE(B) RNAME(X) RQMNAME(Y)", False, False),
        ("", None, None),
    ],
)
def test_what_kind_of_queue_a_backout_name_leads_to(text: str, transmission: bool | None, model: bool | None) -> None:
    """Transmission and model queues are recognised behind aliases too; a remote definition is neither."""
    (target,) = facts(f"DEFINE QLOCAL(A) BOQNAME(B)\n{text}").rows["put_target"]
    assert isinstance(target, PutTarget)
    assert (target.transmission, target.model) == (transmission, model)


@pytest.mark.parametrize(
    ("text", "enabled", "line"),
    [
        ("DEFINE QLOCAL(N)", True, 1),
        ("DEFINE QLOCAL(N) GET(DISABLED)", False, 1),
        ("DEFINE QALIAS(N) TARGET(Q)\nDEFINE QLOCAL(Q)", True, 1),
        ("DEFINE QALIAS(N) TARGET(Q)\nDEFINE QLOCAL(Q) GET(DISABLED)", False, 2),
        ("DEFINE QALIAS(N) TARGET(Q) GET(DISABLED)\nDEFINE QLOCAL(Q)", False, 1),
        ("DEFINE QALIAS(N) TARGET(Q) GET(DISABLED)", False, 1),
        ("DEFINE QALIAS(N) TARGET(Q)", None, 1),
        ("DEFINE QLOCAL(N) LIKE(ELSEWHERE)", None, None),
    ],
)
def test_get_is_allowed_only_along_the_whole_way(text: str, enabled: bool | None, line: int | None) -> None:
    """An alias with GET(DISABLED) closes the way from an open queue, and the place is that of the object that does."""
    row = next(row for row in facts(text).rows["queue_name"] if row.name == "N")
    assert isinstance(row, QueueName)
    origin = row.origins.get("get_enabled")
    assert (row.get_enabled, origin.line if origin else None) == (enabled, line)
    assert row.origins["name"].line == 1


def _topics(text: str) -> dict[str, tuple[str | None, str | None, bool | None]]:
    rows: list[Topic] = facts(text).rows["topic"]
    return {row.topic_string: (row.durable_model, row.nondurable_model, row.covers_below) for row in rows}


SUPPLIED = ("SYSTEM.DURABLE.MODEL.QUEUE", "SYSTEM.NDURABLE.MODEL.QUEUE")


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("", {"": (*SUPPLIED, True)}),
        ("DEFINE TOPIC(SYSTEM.BASE.TOPIC) TOPICSTR('') MDURMDL(D)", {"": ("D", SUPPLIED[1], True)}),
        (
            "DEFINE TOPIC(T) TOPICSTR('a') MDURMDL(D)\nDEFINE TOPIC(U) TOPICSTR('a/b/c') MNDURMDL(N)",
            {"": (*SUPPLIED, True), "a": ("D", SUPPLIED[1], True), "a/b/c": ("D", "N", True)},
        ),
        (
            "DEFINE TOPIC(SYSTEM.DEFAULT.TOPIC) TOPICSTR('') MNDURMDL(N)\nDEFINE TOPIC(T) TOPICSTR('a/')",
            {"": (*SUPPLIED, True), "a": (SUPPLIED[0], None, True)},  # its own blank, or that of the default object
        ),
        (
            "DEFINE TOPIC(T) TOPICSTR('{{ s }}')\nDEFINE TOPIC(U) TOPICSTR('a') MDURMDL(D)",
            {"": (None, None, None), "a": ("D", None, None)},
        ),
        (
            "DEFINE TOPIC(T) TOPICSTR('a') MDURMDL('{{ m }}') MNDURMDL(N)\nDEFINE TOPIC(U) TOPICSTR('a/b')",
            {"": (*SUPPLIED, True), "a": (None, "N", True), "a/b": (None, "N", True)},
        ),
        (
            "DEFINE TOPIC(T) TOPICSTR('a') MDURMDL(D)\nDELETE TOPIC(T)",
            {"": (*SUPPLIED, True)},
        ),
        (
            "DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR)\nDEFINE TOPIC(T) TOPICSTR('a') MDURMDL(D)",
            {"": (None, None, None), "a": ("D", None, None)},
        ),
    ],
)
def test_topics_inherit_along_the_tree(
    text: str, topics: dict[str, tuple[str | None, str | None, bool | None]]
) -> None:
    """A blank model queue is that of the point above, up to what IBM supplies; a cluster may add points in between."""
    assert _topics(DUMP + text) == topics


def test_neighbours_in_the_alphabet_are_not_above() -> None:
    """Only whole levels make a point lie above another, also where other characters sort in front of the slash."""
    text = "DEFINE TOPIC(T{}) TOPICSTR('{}') MDURMDL({})\n"
    named = {"a": "A", "a b": "B", "a/b": "' '", "a b/c": "' '", "ab": "' '", "/a": "' '"}
    found = _topics(DUMP + "".join(text.format(n, *item) for n, item in enumerate(named.items())))
    expected = {"a": "A", "a b": "B", "a/b": "A", "a b/c": "B", "ab": SUPPLIED[0], "/a": SUPPLIED[0], "": SUPPLIED[0]}
    assert {string: durable for string, (durable, _, _) in found.items()} == expected


@pytest.mark.parametrize(
    ("text", "defaults"),
    [
        ("DEFINE QLOCAL(B)", (True, True)),
        ("DEFINE QLOCAL(B) MAXDEPTH(5000)", (True, False)),
        ("DEFINE QLOCAL(B) LIKE(GONE)", (True, None)),
        ("", (True, None)),
    ],
)
def test_depths_that_are_left_to_the_default(text: str, defaults: tuple[bool | None, bool | None]) -> None:
    """Two queues that both leave MAXDEPTH out have the same depth, also where nothing tells the platform."""
    rows = facts(f"DEFINE QLOCAL(A) BOQNAME(B)\n{text}").rows
    assert (rows["queue"][0].default_depth, rows["put_target"][0].default_depth) == defaults


def test_a_script_tells_only_the_topics_that_it_defines() -> None:
    """Without a whole export nothing is inherited: another topic object may stand in between."""
    text = "DEFINE TOPIC(T) TOPICSTR('a') MDURMDL(D)\nALTER TOPIC(SYSTEM.BASE.TOPIC) MNDURMDL(N)"
    assert _topics(text) == {"": (None, "N", None), "a": ("D", None, None)}
    assert facts(text).rows["topic"][1].origins["durable_model"].text == "MDURMDL(D)"


@pytest.mark.parametrize(
    ("text", "durable", "nondurable"),
    [
        ("DEFINE QMODEL(M) DEFTYPE(PERMDYN)", "usable", "usable"),
        ("DEFINE QMODEL(M) DEFTYPE(SHAREDYN)", "usable", "usable"),
        ("DEFINE QMODEL(M) DEFTYPE(TEMPDYN)", "for temporary queues", "usable"),
        ("DEFINE QMODEL(M)", "for temporary queues", "usable"),
        ("DEFINE QMODEL(M) LIKE(GONE)", None, "usable"),
        ("DEFINE QLOCAL(M)", "not a model queue", "not a model queue"),
        ("DEFINE QMODEL(M) DEFTYPE(PERMDYN)\nDELETE QMODEL(M)", "not defined", "not defined"),
        ("", "not defined", "not defined"),
    ],
)
def test_a_queue_is_made_after_a_model_queue(text: str, durable: str | None, nondurable: str | None) -> None:
    """DEFTYPE(TEMPDYN), the default of a model queue, serves a subscription only if it is not durable (2522)."""
    topic = "DEFINE TOPIC(T) TOPICSTR('a') MDURMDL(M) MNDURMDL(M)"
    row = facts(f"{text}\n{topic}").rows["topic"][1]
    if not text:  # a script does not show what others define
        assert (row.durable_model_state, row.nondurable_model_state) == (None, None)
        row = facts(f"{DUMP}{topic}").rows["topic"][1]
    assert (row.durable_model_state, row.nondurable_model_state) == (durable, nondurable)


@pytest.mark.parametrize(("text", "state"), [("", None), ("DEFINE QMODEL(SYSTEM.DEFAULT.MODEL.QUEUE)", "not defined")])
def test_a_dump_without_system_objects_does_not_lack_the_supplied_model_queues(text: str, state: str | None) -> None:
    """People remove SYSTEM objects from dumps. Where one model queue of IBM is there, the others were not removed."""
    row = facts(f"{DUMP}{text}\n").rows["topic"][0]
    assert (row.durable_model_state, row.nondurable_model_state) == (state, state)


@pytest.mark.parametrize(
    ("subscription", "shown"),
    [
        ("DEFINE SUB('JMS:QM1:shop:orders') TOPICSTR('a/b') DESTCLAS(MANAGED)", True),
        ("DEFINE SUB('JMS:QM1:shop:orders') TOPICOBJ(T) TOPICSTR('b')", True),
        ("DEFINE SUB('JMS:QM1:shop:orders') TOPICOBJ(GONE) TOPICSTR('b')", True),
        ("DEFINE SUB('JMS:QM1:shop:orders') TOPICSTR('${TOPIC}')", True),
        ("DEFINE SUB('JMS:QM1:shop:orders') TOPICSTR('ab')", False),
        ("DEFINE SUB('FORWARD') TOPICSTR('a') DEST(Q) DESTCLAS(PROVIDED)", False),
        ("DEFINE SUB('SYSTEM.DEFAULT.SUB') TOPICSTR('')", False),
        ("DEFINE SUB('JMS:QM1:shop:orders') TOPICSTR('a')\nDELETE SUB('JMS:QM1:shop:orders')", False),
        ("", False),
    ],
)
def test_a_dump_shows_durable_subscriptions(subscription: str, shown: bool) -> None:
    """dmpmqcfg writes the durable subscriptions of applications: one to a topic may be that of an endpoint."""
    row = facts(f"{DUMP}DEFINE TOPIC(T) TOPICSTR('a')\n{subscription}\n").rows["topic"][1]
    assert row.topic_string == "a"
    assert row.durable_subscriptions is (None if shown else False)


@pytest.mark.parametrize(
    ("command", "covers"),
    [
        ("dmpmqcfg -m QM1 -a", True),
        ("dmpmqcfg -m QM1 -x all -t all -a", True),
        ("dmpmqcfg -m QM1 -x object -a", False),
        ("dmpmqcfg -m QM1 -t topic -a", False),
        ("dmpmqcfg -m QM1 -n 'APP.*' -a", False),
    ],
)
def test_what_does_not_hold_subscriptions_does_not_prove_that_there_are_none(command: str, *, covers: bool) -> None:
    """dmpmqcfg leaves them out where an option asks for objects, for one kind, or for some names."""
    row = facts(f"{DUMP.replace('dmpmqcfg -m QM1 -a', command)}DEFINE TOPIC(T) TOPICSTR('a')\n").rows["topic"][-1]
    assert row.topic_string == "a"
    assert row.durable_subscriptions is (False if covers else None)
    assert facts("DEFINE TOPIC(T) TOPICSTR('a')\n").rows["topic"][-1].durable_subscriptions is None


@pytest.mark.parametrize(("scope", "threshold"), [("' '", 3), ("*", 3), ("QM1", 3), ("QM2", 0), ("qm2", 0)])
def test_a_command_for_another_queue_manager_is_not_run(scope: str, threshold: int) -> None:
    """CMDSCOPE of another queue manager of the group leaves this one as it is; blank, its own name and * do not."""
    text = f"DEFINE QLOCAL(A) STGCLASS(X)\nALTER QLOCAL(A) BOTHRESH(3) CMDSCOPE({scope})"
    assert queue(text).backout_threshold == threshold
