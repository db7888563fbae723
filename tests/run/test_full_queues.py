"""Queues that were full when they were exported."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.dumps import WHOLE
from tests.support.project import FIXTURES

_DUMP = """\
* Queue manager name: QM1
* Command issued: dmpmqcfg -m QM1 -a
ALTER QMGR DEADQ('DEAD')
DEFINE QLOCAL('A') BOTHRESH(3) BOQNAME('A.BO')
DEFINE QLOCAL('A.BO') +
*  CURDEPTH({backout}) +
   MAXDEPTH(100)
DEFINE QLOCAL('B') +
*  CURDEPTH(5000) +
   MAXDEPTH(5000)
DEFINE QLOCAL('DEAD') +
*  CURDEPTH({dead}) +
   MAXDEPTH(200)
"""
_ANSWER = """\
Starting MQSC for queue manager QM1.

     1 : DISPLAY QSTATUS(A.BO)
AMQ8450I: Display queue status details.
   QUEUE(A.BO)                             TYPE(QUEUE)
   CURDEPTH({})                            IPPROCS(0)
One MQSC command read.
"""


def _notices(lintmdb: Run, folder: Path, *options: str) -> list[str]:
    report = json.loads(lintmdb("check", "--all-queues", folder, *options, "--format", "json").stdout)
    return [f"{entry['line']} {entry['text']}" for entry in report["notices"] if entry["kind"] == "full_queue"]


@pytest.mark.parametrize(
    ("backout", "dead", "told"),
    [
        (99, 0, []),
        (100, 0, ["6 A.BO of"]),
        (100, 200, ["6 A.BO of", "12 DEAD o"]),
        (0, 200, []),
        (101, 0, ["6 A.BO of"]),
    ],
)
def test_a_full_backout_queue_is_told(lintmdb: Run, tmp_path: Path, backout: int, dead: int, told: list[str]) -> None:
    """What nobody moves poison messages to may be as full as it likes, and so may the dead-letter queue of a queue that
    has a usable backout queue with room.
    """
    (tmp_path / "QM1.mqsc").write_text(_DUMP.format(backout=backout, dead=dead) + WHOLE)
    assert [text[:9] for text in _notices(lintmdb, tmp_path)] == told
    text = " ".join(lintmdb("check", "--all-queues", tmp_path).stdout.split())
    full = "A.BO at QM1 and DEAD at QM1" if len(told) == 2 else "A.BO at QM1"
    assert (f"Full {full} when exported, so that no poison message could be moved there" in text) is bool(told)
    assert ("Until it has room, no poison message of A can be moved there." in text) is bool(told)


def test_a_full_dead_letter_queue_takes_nothing_either(lintmdb: Run, tmp_path: Path) -> None:
    """Neither the flow nor the trace that the notice asks for has a message moved to a queue that is full."""
    dump = _DUMP.replace("BOTHRESH(3)", "BOTHRESH(3) MAXDEPTH(5000)")
    (tmp_path / "QM1.mqsc").write_text(dump.format(backout=100, dead=200) + WHOLE)
    text = " ".join(lintmdb("check", "--all-queues", "-v", tmp_path).stdout.split())
    both = "A.BO and DEAD were full when they were exported. Until they have room: a non-persistent poison message is"
    assert both in text
    assert "lintmdb trace --backout-full --dead-letter-full shows what" in text
    options = ("trace", tmp_path, "--all-queues", "--endpoint", "A", "--backout-full")
    traced = lintmdb(*options, "--dead-letter-full").stdout
    assert "while the backout queue and the dead-letter queue are full: discarded" in traced
    one = dump.replace("BOQNAME('A.BO')", "BOQNAME('DEAD')")
    (tmp_path / "QM1.mqsc").write_text(one.format(backout=0, dead=200) + WHOLE)
    text = " ".join(lintmdb("check", "--all-queues", "-v", tmp_path).stdout.split())
    assert "DEAD was full when it was exported. Until it has room: a non-persistent poison message is" in text
    for option in ("--backout-full", "--dead-letter-full"):
        assert "moved to the dead-letter queue" not in lintmdb(*options[:-1], option).stdout


def test_every_queue_that_leads_to_a_full_one_is_named(lintmdb: Run, tmp_path: Path) -> None:
    """By its own name and by an alias of it."""
    alias = "DEFINE QLOCAL('Z') BOTHRESH(3) BOQNAME('AL')\nDEFINE QALIAS('AL') TARGET('A.BO')\n"
    (tmp_path / "QM1.mqsc").write_text(_DUMP.format(backout=100, dead=0) + alias + WHOLE)
    (told,) = _notices(lintmdb, tmp_path)
    assert "no poison message of A and Z can be moved there" in told


def test_the_dead_letter_queue_counts_where_messages_go_there(lintmdb: Run, tmp_path: Path) -> None:
    """As they do where BOQNAME names no queue."""
    dump = _DUMP.replace(" BOQNAME('A.BO')", "").format(backout=100, dead=200)
    (tmp_path / "QM1.mqsc").write_text(dump + WHOLE)
    (told,) = _notices(lintmdb, tmp_path)
    assert told.startswith("12 DEAD of queue manager QM1 was full when it was exported, with 200 messages")


@pytest.mark.parametrize(("depth", "told"), [(100, True), (99, False)])
def test_an_answer_tells_how_full_a_queue_is(lintmdb: Run, tmp_path: Path, *, depth: int, told: bool) -> None:
    """The state of the queue, beside a dump that does not show it; a change that makes room ends the notice."""
    (tmp_path / "QM1.mqsc").write_text(_DUMP.replace("*  CURDEPTH({backout}) +\n", "").format(dead=0) + WHOLE)
    (tmp_path / "state.txt").write_text(_ANSWER.format(depth))
    assert bool(_notices(lintmdb, tmp_path)) is told
    assert not _notices(lintmdb, tmp_path, "--set", "queue A.BO at QM1: MAXDEPTH=500")
    asked = ("plan", "--all-queues", tmp_path)
    kept = (*asked, "--keep", "queue A.BO at QM1: MAXDEPTH")
    assert ("Full when exported: 1 queue" in lintmdb(*kept).stdout) is told
    for kind in ("markdown", "html"):
        assert ("Full when exported" in lintmdb(*kept, "--format", kind).stdout) is told
    assert ("A.BO  MAXDEPTH 100 -> 5000  MDB109" in lintmdb(*asked).stdout) is told
    assert "MAXDEPTH 100 -> 5000" not in lintmdb(*asked, "--severity", "error").stdout
    assert ("\nfull when exported: 1\n" in lintmdb("inventory", tmp_path).stdout) is told


def test_a_queue_that_messages_cannot_leave_now_comes_first(lintmdb: Run, tmp_path: Path) -> None:
    """A hundred poison messages came there. On the other queue one would fare badly if it came."""
    loops = "DEFINE QLOCAL('Y') DESCR('Loops (so far)') BOTHRESH(0) BOQNAME('A.BO')\n"
    dump = _DUMP.replace("BOTHRESH(3)", "BOTHRESH(3) MAXDEPTH(5000)")
    for backout, first in ((100, "A"), (99, "Y")):
        (tmp_path / "QM1.mqsc").write_text(dump.format(backout=backout, dead=0) + loops + WHOLE)
        told = lintmdb("check", "--all-queues", tmp_path).stdout
        assert next(line for line in told.splitlines() if line.startswith("queue ")) == f"queue {first} at QM1"
        assert "\n  DESCR: Loops (so far)\n" in told


@pytest.mark.parametrize("kind", ["text", "markdown"])
def test_a_difference_says_that_messages_can_be_moved_again(lintmdb: Run, tmp_path: Path, kind: str) -> None:
    """Their fate is the same as that which the earlier state has with room."""
    dump = tmp_path / "QM1.mqsc"
    dump.write_text(_DUMP.format(backout=100, dead=0) + WHOLE)
    asked = ("diff", "--all-queues", dump, "--format", kind, "--set")
    moved = "moved to the dead-letter queue DEAD if its user has put and passall there while A.BO is full"
    told = f"Full before, with room now: queue A at QM1: {moved} -> moved to the backout queue A.BO."
    for depth in (500, 90):
        shown = lintmdb(*asked, f"queue A.BO at QM1: MAXDEPTH={depth}").stdout.replace("\\", "")
        assert (told in " ".join(shown.split())) is (depth == 500)


def test_two_dumps_that_differ_in_depths_alone_are_no_conflict(lintmdb: Run, tmp_path: Path) -> None:
    """A depth is no setting."""
    for name, depth in (("one", 1), ("two", 100)):
        (tmp_path / f"{name}.mqsc").write_text(_DUMP.format(backout=depth, dead=0) + WHOLE)
    assert lintmdb("check", "--all-queues", tmp_path).returncode == 0
    assert len(_notices(lintmdb, tmp_path)) == 1


def test_what_becomes_of_a_message_meanwhile_can_be_traced(lintmdb: Run, tmp_path: Path) -> None:
    """Without an endpoint, too; by the name of the queue alone."""
    (tmp_path / "QM1.mqsc").write_text(_DUMP.format(backout=100, dead=0) + WHOLE)
    told = lintmdb("trace", tmp_path, "--all-queues", "--backout-full", "--endpoint", "A").stdout
    assert "queue A at QM1\n  one poison message, while the backout queue is full: moved to the dead-letter" in told
    assert lintmdb("trace", tmp_path, "--backout-full").returncode == 3
    wrong = lintmdb("trace", tmp_path, "--all-queues", "--endpoint", "NOTHING")
    assert "no endpoint, bean or queue is named 'NOTHING'" in wrong.stderr


def test_a_plan_that_moves_messages_there_says_so_before_its_commands(lintmdb: Run, tmp_path: Path) -> None:
    """In each script that does, and in the one that shows what the changes depend on."""
    dump = _DUMP.replace("BOTHRESH(3)", "BOTHRESH(0) MAXDEPTH(5000)").format(backout=100, dead=0)
    (tmp_path / "QM1.mqsc").write_text(dump + WHOLE)
    out = tmp_path / "plan"
    kept = ("--keep", "queue A.BO at QM1: MAXDEPTH")
    text = " ".join(lintmdb("plan", "--all-queues", tmp_path / "QM1.mqsc", *kept, "--out", out).stdout.split())
    first = "A.BO was full when it was exported. Make room there first: until then no message can be moved to it"
    assert f"First: {first}." in text
    assert "A.BO was full when it was exported." in text.partition("What becomes of a poison message")[2]
    script = (out / "mq/QM1.mqsc").read_text()
    assert script.index("full when it was exported") < script.index("ALTER QLOCAL('A') BOTHRESH(3)")
    assert (
        "DISPLAY QUEUE('A.BO') CURDEPTH MAXDEPTH\n*   expected: CURDEPTH is lower"
        in (out / "check/mq/QM1.mqsc").read_text()
    )
    roomy = lintmdb("plan", "--all-queues", tmp_path / "QM1.mqsc", "--out", out).stdout
    assert "A.BO  MAXDEPTH 100 -> 5000" in roomy
    assert "If delivery has already stopped" not in roomy
    (said,) = [line for line in " ".join(roomy.split()).split("Then: ") if "was full" in line]
    assert said.startswith(
        "A.BO was full when it was exported, and has room with this MAXDEPTH; its messages stay there."
    )
    assert "Make room there first" not in roomy + (out / "mq/QM1.mqsc").read_text()


def test_room_in_a_queue_that_was_full_revives_what_it_has_blocked(lintmdb: Run, tmp_path: Path) -> None:
    """Where no dead-letter queue took the messages meanwhile."""
    dump = _DUMP.replace("DEADQ('DEAD')", "DEADQ(' ')").replace("BOTHRESH(3)", "BOTHRESH(3) MAXDEPTH(5000)")
    (tmp_path / "QM1.mqsc").write_text(dump.format(backout=100, dead=0) + WHOLE)
    options = ("--all-queues", tmp_path, "--severity", "info", "--select", "MDB109")
    told = " ".join(lintmdb("plan", *options).stdout.split())
    assert "A.BO MAXDEPTH 100 -> 5000 MDB109" in told
    assert "Then: If delivery has already stopped, restart what reads A." in told
    (tmp_path / "QM1.mqsc").write_text(dump.format(backout=99, dead=0) + WHOLE)
    assert "restart" not in lintmdb("plan", *options).stdout


def test_a_reader_who_may_have_been_refused_the_other_queue_may_have_to_be_restarted(
    lintmdb: Run, tmp_path: Path
) -> None:
    """Nobody knows whether it may put messages on the dead-letter queue."""
    dump = _DUMP.replace("BOTHRESH(3)", "BOTHRESH(3) MAXDEPTH(5000)").format(backout=100, dead=0)
    (tmp_path / "QM1.mqsc").write_text(
        dump + WHOLE.replace("*", "SET AUTHREC PROFILE('A') OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)\n*", 1)
    )
    told = " ".join(lintmdb("plan", "--all-queues", tmp_path, "--severity", "info").stdout.split())
    assert "A.BO MAXDEPTH 100 -> 5000 MDB109" in told
    assert "Then: If delivery has already stopped, restart what reads A." in told
    shown = " ".join(lintmdb("check", "--all-queues", tmp_path).stdout.split())
    assert "if its user has put and passall there. Name that user with --observations to have its rights" in shown


def test_the_flow_says_what_becomes_of_a_message_meanwhile(lintmdb: Run, tmp_path: Path) -> None:
    """And where that is worse than with room, it counts among the flows that fare so."""
    dump = _DUMP.replace("DEADQ('DEAD')", "DEADQ(' ')").replace("BOTHRESH(3)", "BOTHRESH(3) MAXDEPTH(5000)")
    dump = dump.format(backout=100, dead=0)
    kept = "DEFINE QLOCAL('M.IN') BOTHRESH(0) BOQNAME('A.BO2')\nDEFINE QLOCAL('A.BO2')\n"
    (tmp_path / "QM1.mqsc").write_text(dump + kept + WHOLE)
    shown = lintmdb("check", "--all-queues", tmp_path, "--ignore", "MDB114").stdout
    meanwhile = "A.BO was full when it was exported. Until it has room: a non-persistent poison message is discarded"
    assert meanwhile in " ".join(shown.split())
    titles = [line for line in shown.splitlines() if line.startswith("queue ")]
    assert titles == ["queue A at QM1", "queue M.IN at QM1"]
    page = lintmdb("check", "--all-queues", tmp_path, "--format", "html").stdout
    assert meanwhile in page


def test_only_what_moves_messages_there_is_warned_of_it(lintmdb: Run, tmp_path: Path) -> None:
    """A change for another flow does not wait for room there, although one plan makes both."""
    (tmp_path / "state.txt").write_text(_ANSWER.replace("A.BO", "ORDERS.BACKOUT").format(999999))
    told = lintmdb("check", FIXTURES / "estate", tmp_path, "-v").stdout
    cards = [card for card in told.split("\n\n") if " -> " in card.partition("\n")[0] and "\n  change" in card]
    warned = [card.partition("\n")[0] for card in cards if "Make room there first" in card]
    assert warned
    assert all("ORDERS" in title for title in warned)
    assert len(cards) > len(warned)


def test_rights_on_a_dead_letter_queue_that_is_not_there_spare_nothing(lintmdb: Run, tmp_path: Path) -> None:
    """They are offered where the queue is there."""
    dump = _DUMP.replace("BOTHRESH(3)", "BOTHRESH(0) MAXDEPTH(5000)").format(backout=0, dead=0)
    rights = "SET AUTHREC PROFILE('A') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(BROWSE,GET,INQ)\n"
    rights += "SET AUTHREC PROFILE('A.BO') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT,PASSALL,GET,INQ,SETALL)\n"
    rights += "SET AUTHREC PROFILE('self') OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT,INQ)\n"
    (tmp_path / "o.yaml").write_text(
        "queue_managers: [{queue_manager: QM1, user: app}]\nusers: [{user: app, groups: []}]\n"
    )
    options = ("plan", tmp_path, "--all-queues", "--observations", tmp_path / "o.yaml", "--queue", "A")
    for dead, spared in (("DEAD", True), ("NONE", False)):
        (tmp_path / "QM1.mqsc").write_text(dump.replace("DEADQ('DEAD')", f"DEADQ('{dead}')") + rights + WHOLE)
        told = " ".join(lintmdb(*options).stdout.split())
        assert "Worse than before while the backout queue is full: loops for ever -> discarded" in told
        assert ("unless app gets put and passall on DEAD" in told) is spared
        assert ("which no step grants" in told) is spared


def test_a_plan_that_makes_room_tells_what_it_mends(lintmdb: Run, tmp_path: Path) -> None:
    """The fate of before is that of a message that finds the queue full."""
    dump = _DUMP.replace("DEADQ('DEAD')", "DEADQ(' ')").replace("BOTHRESH(3)", "BOTHRESH(3) MAXDEPTH(5000)")
    (tmp_path / "QM1.mqsc").write_text(dump.format(backout=100, dead=0) + WHOLE)
    asked = ("--all-queues", tmp_path, "--severity", "info", "--select", "MDB109")
    for kind in ("text", "markdown", "html"):
        told = re.sub(r"<[^>]*>|\\", "", html.unescape(lintmdb("plan", *asked, "--format", kind).stdout))
        lost = "discarded (non-persistent), delivery is blocked (persistent) while A.BO is full"
        assert re.search(rf"{re.escape(lost)} *\W+ *moved to the backout queue A.BO", " ".join(told.split())), kind
    (tmp_path / "QM1.mqsc").write_text(dump.format(backout=99, dead=0) + WHOLE)
    assert "while A.BO is full" not in lintmdb("plan", *asked).stdout


def test_how_many_messages_wait_in_front_of_a_full_queue_is_told(lintmdb: Run, tmp_path: Path) -> None:
    """Where an export shows it."""
    dump = _DUMP.replace("BOTHRESH(3)", "BOTHRESH(3) +\n*  CURDEPTH(914) +\n   MAXDEPTH(5000)")
    (tmp_path / "QM1.mqsc").write_text(dump.format(backout=100, dead=0) + WHOLE)
    (told,) = _notices(lintmdb, tmp_path)
    assert told.endswith("no poison message of A can be moved there. A had 914 messages then")


@pytest.mark.parametrize(("depth", "limit", "raised"), [(100, 5000, True), (100, 150, False), (3000, 5000, False)])
def test_a_limit_is_raised_only_where_that_makes_room(
    lintmdb: Run, tmp_path: Path, depth: int, limit: int, *, raised: bool
) -> None:
    """Room for as many messages again as there are."""
    dump = _DUMP.replace("BOTHRESH(3)", f"BOTHRESH(3) MAXDEPTH({limit})").format(backout=depth, dead=0)
    (tmp_path / "QM1.mqsc").write_text(dump + WHOLE)
    plan = lintmdb("plan", "--all-queues", tmp_path / "QM1.mqsc").stdout
    assert (f"A.BO  MAXDEPTH 100 -> {limit}  MDB109" in plan) is raised
    told = " ".join(lintmdb("check", "--all-queues", tmp_path).stdout.split())
    assert f"was full when it was exported, with {depth} messages and MAXDEPTH(100)" in told
    low = " ".join(lintmdb("check", "--all-queues", tmp_path, "--set", "queue A.BO at QM1: MAXDEPTH=50").stdout.split())
    assert f"had {depth} messages when it was exported, and MAXDEPTH(50) of the changes makes no room" in low
