"""Queue-sharing groups of z/OS, the queues of a dump whose default object was edited, and what takes a put."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest

from lintmdb.exports.mq import read_mqsc
from lintmdb.model.facts import Facts
from lintmdb.model.relations import PutTarget, Queue, QueueName
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager
from tests.support.dumps import WHOLE

UNIX = f"* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1\n{WHOLE}"
MVS = f"* Queue manager name: QM1\n* Queue manager platform: MVS\n* Command issued: dmpmqcfg -m QM1 -a\n{WHOLE}"
SHARED = "DEFINE QLOCAL(S) QSGDISP(SHARED) CFSTRUCT(APP1)"


def facts(*lines: str, header: str = "") -> Facts:
    """The relations of one queue manager from the lines of one script."""
    text = header + "\n".join(lines) + "\n"
    return resolve_queue_manager("QM1", [read_mqsc(text.encode(), "q.mqsc")])


def queue(found: Facts, name: str = "A") -> Queue:
    """The row of a local queue."""
    return next(row for row in found.rows["queue"] if row.name == name)


def name_of(found: Facts, name: str = "A") -> QueueName:
    """The row of a name that can be opened."""
    return next(row for row in found.rows["queue_name"] if row.name == name)


def target(found: Facts, name: str = "B") -> PutTarget:
    """The row of a queue that messages are moved to."""
    return next(row for row in found.rows["put_target"] if row.name == name)


def orders(*lines: str) -> Iterator[tuple[str, ...]]:
    """Lines in every order."""
    yield from permutations(lines)


@pytest.mark.parametrize("private", ["COPY", "QMGR"])
def test_an_open_finds_the_private_object_and_not_the_group_definition(private: str) -> None:
    """Whatever the order of the commands, and whether they replace or not."""
    for replace in ("", " REPLACE"):
        group = f"DEFINE QLOCAL(A) QSGDISP(GROUP) BOTHRESH(3){replace}"
        for lines in orders(group, f"DEFINE QLOCAL(A) QSGDISP({private}) BOTHRESH(5){replace}"):
            found = queue(facts(*lines))
            assert (found.backout_threshold, found.shared_disposition) == (5, False)
            assert not name_of(facts(*lines)).name_clash


def test_a_group_definition_alone_stands_for_its_copy() -> None:
    """The queue manager makes the copy when the definition is made."""
    found = queue(facts("DEFINE QLOCAL(A) QSGDISP(GROUP) BOTHRESH(3)"))
    assert (found.backout_threshold, found.command_disposition) == (3, "GROUP")


def test_a_command_without_qsgdisp_does_not_reach_the_shared_repository() -> None:
    """ALTER and DELETE are about a private object then, and the queue manager refuses them where there is none."""
    shared = "DEFINE QLOCAL(A) QSGDISP(SHARED) BOTHRESH(3)"
    assert queue(facts(shared, "ALTER QLOCAL(A) BOTHRESH(5)")).backout_threshold == 3
    assert queue(facts(shared, "DELETE QLOCAL(A)")).backout_threshold == 3
    altered = facts(shared, "ALTER QLOCAL(A) QSGDISP(SHARED) BOTHRESH(5)")
    assert (queue(altered).backout_threshold, name_of(altered).name_clash) == (5, None)
    assert not facts(shared, "DELETE QLOCAL(A) QSGDISP(SHARED)").rows["queue"]


def test_altering_the_group_definition_alters_the_copy() -> None:
    """The queue manager makes its copy again."""
    both = ("DEFINE QLOCAL(A) QSGDISP(COPY) BOTHRESH(3)", "DEFINE QLOCAL(A) QSGDISP(GROUP) BOTHRESH(3)")
    found = queue(facts(*both, "ALTER QLOCAL(A) QSGDISP(GROUP) BOTHRESH(5)"))
    assert (found.backout_threshold, found.command_disposition) == (5, "GROUP")


@pytest.mark.parametrize(
    ("change", "after"),
    [
        ("ALTER QLOCAL(A) QSGDISP(GROUP) BOTHRESH(5)", (5, 100, True)),
        ("DEFINE QLOCAL(A) QSGDISP(GROUP) REPLACE BOTHRESH(5) MAXDEPTH(200)", (5, 200, True)),
        ("ALTER QLOCAL(A) QSGDISP(COPY) BOTHRESH(5)", (5, 900, False)),
        ("ALTER QLOCAL(B) QSGDISP(GROUP) BOTHRESH(5)", (3, 900, False)),
    ],
)
def test_a_changed_group_definition_overwrites_a_copy(change: str, after: tuple[int, int, bool]) -> None:
    """The queue manager makes the whole copy again: what somebody has altered in the copy alone is lost."""
    scripts = [
        "DEFINE QLOCAL(A) QSGDISP(COPY) BOTHRESH(3) MAXDEPTH(900)",
        "DEFINE QLOCAL(A) QSGDISP(GROUP) BOTHRESH(3) MAXDEPTH(100)",
        "DEFINE QLOCAL(B) QSGDISP(COPY)",
        "DEFINE QLOCAL(B) QSGDISP(GROUP)",
    ]
    dump, changes = (read_mqsc("\n".join(lines).encode(), "QM1.mqsc") for lines in (scripts, [change]))
    found = resolve_queue_manager("QM1", [dump], changes=[changes])
    queue = next(row for row in found.rows["queue"] if row.name == "A")
    told = [problem.text for problem in found.rows["problem"] if problem.kind == "overwritten_copy"]
    assert (queue.backout_threshold, queue.max_depth, bool(told)) == after
    assert all("the copy at QM1 again" in text and "MAXDEPTH(900) becomes MAXDEPTH(" in text for text in told)


def test_a_copy_goes_with_its_group_definition() -> None:
    """DELETE of the definition deletes the copies, and a private queue of that name stays."""
    for private, left in (("COPY", []), ("QMGR", ["A"])):
        both = (f"DEFINE QLOCAL(A) QSGDISP({private})", "DEFINE QLOCAL(A) QSGDISP(GROUP)")
        rows = facts(*both, "DELETE QLOCAL(A) QSGDISP(GROUP)").rows["queue"]
        assert [row.name for row in rows] == left


def test_a_private_and_a_shared_queue_of_one_name_clash() -> None:
    """So do aliases that lead there, and names of backout and dead-letter queues."""
    shared, private = "DEFINE QLOCAL(B) QSGDISP(SHARED)", "DEFINE QLOCAL(B) QSGDISP(QMGR)"
    alias, reader = "DEFINE QALIAS(A1) TARGET(B)", "DEFINE QLOCAL(A) BOTHRESH(1) BOQNAME(B)"
    for lines in orders(shared, private, alias, reader):
        found = facts(*lines, header=MVS)
        assert name_of(found, "B").name_clash
        assert name_of(found, "A1").name_clash
        assert not name_of(found, "A").name_clash
        assert (target(found).name_clash, target(found).takes_puts) == (True, False)


def test_a_z_os_dump_without_shared_queues_proves_nothing_missing() -> None:
    """QSGDISP(LIVE), the default of an inquiry, leaves shared queues out."""
    reader = "DEFINE QLOCAL(A) BOTHRESH(1) BOQNAME(GONE)"
    unproven, proven = facts(reader, header=MVS), facts(reader, SHARED, header=MVS)
    assert queue(unproven).backout_resolution is None
    assert queue(proven).backout_resolution == "not_defined"
    assert [next(iter(f.rows["queue_manager"])).lists_queues for f in (unproven, proven)] == [False, True]
    assert name_of(unproven).name_clash is None
    assert name_of(proven).name_clash is False
    assert queue(facts(reader, header=UNIX)).backout_resolution == "not_defined"


@pytest.mark.parametrize(
    ("groups", "proven"),
    [
        (("QSGNAME( )",), True),
        (("QSGNAME('')",), True),
        (("QSGNAME(QSG1)",), False),
        (("QSGNAME( )", "QSGNAME(QSG1)"), False),
    ],
)
def test_a_queue_manager_in_no_queue_sharing_group_has_no_shared_queues(groups: tuple[str, ...], proven: bool) -> None:
    """A blank QSGNAME, which a dump says in a comment, settles what a dump without shared queues leaves open."""
    files = [
        read_mqsc(f"{MVS}ALTER QMGR +\n*  {group} +\n   DEADQ(D)\n{line}\n".encode(), f"{number}.mqsc")
        for number, (group, line) in enumerate(zip(groups, ("DEFINE QLOCAL(A) BOQNAME(GONE)", ""), strict=False))
    ]
    found = resolve_queue_manager("QM1", files)
    assert name_of(found).name_clash is (False if proven else None)
    assert queue(found).backout_resolution == ("not_defined" if proven else None)


def test_what_an_edited_default_object_may_have_given_is_unknown() -> None:
    """In a dump without -a a queue leaves out its defaults, IBM's or the queue manager's own, in whatever order."""
    edited = "DEFINE QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) BOTHRESH(5) MAXDEPTH(100) PUT(ENABLED)"
    for lines in orders(edited, "DEFINE QLOCAL(A)", "DEFINE QLOCAL(B) BOTHRESH(2)"):
        found = facts(*lines, header=UNIX)
        assert (queue(found).backout_threshold, queue(found).max_depth, queue(found).default_depth) == (None,) * 3
        assert queue(found).put_enabled
        assert queue(found, "B").backout_threshold == 2
        assert queue(found, "SYSTEM.DEFAULT.LOCAL.QUEUE").backout_threshold == 5
        assert "backout_threshold" not in dict(queue(found).origins.items())
        assert "backout_threshold" not in queue(found).origins


def test_a_default_object_as_ibm_supplies_it_hides_nothing() -> None:
    """Its values are those that a queue leaves out, whichever default that was."""
    found = facts("DEFINE QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) BOTHRESH(0) HARDENBO", "DEFINE QLOCAL(A)", header=UNIX)
    assert (queue(found).backout_threshold, queue(found).harden_backout) == (0, True)


@pytest.mark.parametrize(
    ("attributes", "takes"),
    [
        ("", True),
        ("MAXDEPTH(0)", False),
        ("MAXDEPTH(1)", True),
        ("PUT(DISABLED)", False),
        ("MAXDEPTH('{{ d }}')", None),
        ("MAXDEPTH(0) PUT('{{ p }}')", False),
    ],
)
def test_a_queue_of_no_depth_takes_no_puts(attributes: str, takes: bool | None) -> None:
    """MAXDEPTH(0) refuses a message as PUT(DISABLED) does."""
    found = facts("DEFINE QLOCAL(A) BOQNAME(B)", f"DEFINE QLOCAL(B) {attributes}", header=UNIX)
    assert target(found).takes_puts is takes


def test_the_object_that_refuses_puts_is_named() -> None:
    """It may be an alias on the way, which another command alters."""
    alias = "DEFINE QALIAS(B) TARGET(C) PUT(DISABLED)"
    found = target(facts("DEFINE QLOCAL(A) BOQNAME(B)", alias, "DEFINE QLOCAL(C)"))
    assert (found.put_disabled_by, found.put_disabled_type, found.takes_puts) == ("B", "QALIAS", False)
    closed = name_of(facts("DEFINE QALIAS(A) TARGET(C)", "DEFINE QLOCAL(C) GET(DISABLED)"))
    assert (closed.get_disabled_by, closed.get_disabled_type) == ("C", "QLOCAL")


@pytest.mark.parametrize(
    ("alias", "local", "cap_ms"),
    [
        ("", "", 0),
        ("", "CAPEXPRY(NOLIMIT)", 0),
        ("", "CAPEXPRY(600)", 60_000),
        ("CAPEXPRY(100)", "CAPEXPRY(600)", 10_000),
        ("CUSTOM('CAPEXPRY(100)')", "", 10_000),
        ("", "CUSTOM('X(1) CAPEXPRY(100)') CAPEXPRY(600)", 10_000),
        ("", "CAPEXPRY('{{ cap }}')", None),
        ("CAPEXPRY(100)", "CAPEXPRY('{{ cap }}')", 10_000),
    ],
)
def test_the_lowest_cap_on_the_way_limits_the_expiry(alias: str, local: str, cap_ms: int | None) -> None:
    """CAPEXPRY counts tenths of a second; before 9.3.1 it stands in CUSTOM, which takes precedence."""
    lines = ("DEFINE QLOCAL(A) BOQNAME(B)", f"DEFINE QALIAS(B) TARGET(C) {alias}", f"DEFINE QLOCAL(C) {local}")
    assert target(facts(*lines)).expiry_cap_ms == cap_ms


def test_streams_triggers_and_clusters_of_a_backout_queue() -> None:
    """A stream queue acts with MUSTDUP alone, a trigger unless its type is NONE, a cluster at the alias too."""

    def read(attributes: str) -> tuple[bool | None, bool | None, bool | None]:
        found = target(facts("DEFINE QLOCAL(A) BOQNAME(B)", f"DEFINE QLOCAL(B) {attributes}"))
        return found.stream_required, found.triggered, found.advertised

    assert read("") == (False, False, False)
    assert read("STREAMQ(C) STRMQOS(MUSTDUP) TRIGGER CLUSTER(X)") == (True, True, True)
    assert read("STREAMQ(C) STRMQOS(BESTEF) TRIGGER TRIGTYPE(NONE) CLUSNL(X)") == (False, False, True)
    assert read("STREAMQ(' ') STRMQOS(MUSTDUP) NOTRIGGER CLUSTER(' ')") == (False, False, False)
    assert read("STREAMQ(C) STRMQOS('{{ q }}') CLUSTER('{{ c }}')") == (None, False, None)


def test_a_name_that_differs_in_case_only_is_pointed_out() -> None:
    """A typing error, most likely."""
    found = facts("DEFINE QLOCAL(A) BOQNAME('orders.bo')", "DEFINE QLOCAL(ORDERS.BO)", header=UNIX)
    assert target(found, "orders.bo").other_case == "ORDERS.BO"
    assert target(facts("DEFINE QLOCAL(A) BOQNAME(B)", "DEFINE QLOCAL(B)")).other_case is None


@pytest.mark.parametrize(
    ("missing", "near"),
    [
        ("CARD.BACKUOT", "CARD.BACKOUT"),
        ("CARD.BACKOT", "CARD.BACKOUT"),
        ("CARDS.BACKOUT", "CARD.BACKOUT"),
        ("CARD_BACKOUT", "CARD.BACKOUT"),
        ("CARD.TUOKCAB", None),
        ("STOCK.BO3", None),
        ("Q", None),
    ],
)
def test_a_name_that_is_one_slip_away_is_pointed_out(missing: str, near: str | None) -> None:
    """But not where two names are, or where the difference is a number."""
    queues = [f"DEFINE QLOCAL({name})" for name in ("CARD.BACKOUT", "STOCK.BO1", "STOCK.BO2", "STOCK.BO4", "R", "S")]
    found = facts(f"DEFINE QLOCAL(A) BOQNAME('{missing}')", *queues, header=UNIX)
    assert target(found, missing).near_name == near


@pytest.mark.parametrize(
    ("missing", "near"),
    [
        ("CARD.BACKOUT", "CARD.BO"),
        ("CARD.BACKOUT.QUEUE", "CARD.BO"),
        ("CARD.ERRORS", None),
        ("STOCK.BACKOUT", None),
        ("BACKOUT", None),
    ],
)
def test_another_word_for_backout_queue_is_pointed_out(missing: str, near: str | None) -> None:
    """But not where two queues have one, or where the name says nothing of what it is for."""
    queues = [f"DEFINE QLOCAL({name})" for name in ("CARD.BO", "STOCK.BO", "STOCK.BOQ", "BO")]
    found = facts(f"DEFINE QLOCAL(A) BOQNAME('{missing}')", *queues, header=UNIX)
    assert target(found, missing).near_name == near


@pytest.mark.parametrize(
    ("missing", "near"),
    [
        ("CARD.IN.BACKOUT", "CARD.BO"),
        ("STOCK.BACKOUT", "STOCK.REQ.BOQ"),
        ("CARD.OUT.BACKOUT", None),
        ("LOAN.IN.BACKOUT", "LOAN.IN.BO"),
        ("FEES.BACKOUT", None),
    ],
)
def test_the_name_of_the_input_queue_may_be_cut_short(missing: str, near: str | None) -> None:
    """Names that have it in full come first; of several none is meant."""
    names = ("CARD.BO", "STOCK.REQ.BOQ", "LOAN.BO", "LOAN.IN.BO", "FEES.IN.BO", "FEES.REQ.BO")
    queues = [f"DEFINE QLOCAL({name})" for name in names]
    found = facts(f"DEFINE QLOCAL(A) BOQNAME('{missing}')", *queues, header=UNIX)
    assert target(found, missing).near_name == near


@pytest.mark.parametrize(
    "other",
    [
        "DEFINE QLOCAL(SH.IN) BOQNAME(SH.IN.BO)",
        "ALTER QLOCAL(SH.IN.BO) BOTHRESH(3) BOQNAME(SH.IN.BO2)",
    ],
)
def test_a_queue_with_a_task_of_its_own_is_no_misspelt_backout_queue(other: str) -> None:
    """It is the backout queue of another queue, or has a backout queue itself, as queues that applications read do."""
    lines = ("DEFINE QLOCAL(SP.IN) BOQNAME(SP.IN.BO)", "DEFINE QLOCAL(SH.IN.BO)")
    assert target(facts(*lines, header=UNIX), "SP.IN.BO").near_name == "SH.IN.BO"
    assert target(facts(*lines, other, header=UNIX), "SP.IN.BO").near_name is None


@pytest.mark.parametrize(
    ("line", "header", "longest"),
    [
        ("ALTER QMGR MAXMSGL(32768)", UNIX, 32_768),
        ("ALTER QMGR DEADQ(D)", UNIX, 4_194_304),
        ("ALTER QMGR DEADQ(D)", MVS, 104_857_600),
        ("ALTER QMGR DEADQ(D)", "", None),
    ],
)
def test_the_longest_message_of_a_queue_manager(line: str, header: str, longest: int | None) -> None:
    """A dump leaves out IBM's default, a script may leave out more, and on z/OS the value is fixed."""
    assert next(iter(facts(line, header=header).rows["queue_manager"])).max_message_bytes == longest
