"""Input that nobody would write: the reader takes it in, says what is wrong, and reads what is left."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.errors import UnreadableError
from lintmdb.exports.mq import looks_like_ebcdic_mqsc, read_mqsc
from lintmdb.exports.mq.sniff import looks_like_mqsc
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager
from tests.support.growth import assert_in_proportion

GOOD = b"\nDEFINE QLOCAL(GOOD) BOTHRESH(1)\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "junk",
    [
        b"DEFINE QLOCAL(A) " + b"x" * 500_000,
        b"'" * 500_000,
        b"(" * 500_000,
        b"A(" * 50_000,
        b"DEFINE A(((('((\n" * 20_000,
        b"lorem ipsum dolor's sit (\n" * 20_000,
        b"* Queue manager name: x QMNAME(\n" * 20_000,
        b"*" + b" " * 1_000_000 + b"QMNAME",
        bytes(range(1, 256)) * 400,
        b"\x1a\r\n\t \xa0\xff\xfe",
        b"DEFINE QLOCAL(A) DESCR('never closed)",
        b"DEFINE QLOCAL(A) DESCR(never closed",
    ],
)
def test_what_stands_before_a_command_does_not_hide_it(junk: bytes) -> None:
    """Junk of any shape is passed over, and the command behind it is read."""
    file = read_mqsc(junk + GOOD, "x")
    assert [(c.name, [p.text for p, _ in c.parameters]) for c in file.commands if c.name == "GOOD"] == [
        ("GOOD", ["BOTHRESH(1)"])
    ]


def test_problems_are_limited() -> None:
    """A file of nothing but junk is reported by its first thousand lines."""
    assert len(read_mqsc(b"what is this?\n" * 5000, "x").problems) == 1000


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", [b"DEF QL(A); -\n", b"DEFINE QLOCAL(A) DESCR('x +\n", b"+\n", b"a1 +\n", b"BOTHRESH(1) +\n"]
)
def test_a_command_that_never_ends_is_given_up(line: bytes) -> None:
    """Tens of thousands of continued lines are no command: one problem, and reading goes on behind them."""
    file = read_mqsc(b"DEFINE QLOCAL(FIRST) +\n" + line * 100_000 + b"\n REPLACE" + GOOD, "x")
    assert [c.name for c in file.commands] == ["GOOD"]
    assert [p.kind for p in file.problems] == ["not_understood"]
    assert file.lost_commands == 1


def test_many_commands_on_one_line() -> None:
    """Each semicolon of a long line ends a command."""
    file = read_mqsc(b"DEF QL(A) BOTHRESH(1);" * 20_000, "x")
    assert (len(file.commands), file.problems) == (20_000, [])
    assert file.commands[-1].column == 19_999 * 22 + 1


@pytest.mark.slow
def test_a_long_chain_of_backout_queues() -> None:
    """A chain as long as a queue manager is followed to its end, and back where it is a circle, in a time that grows
    with its length.
    """

    def follow(length: int) -> None:
        text = "".join(f"DEFINE QLOCAL(Q{n}) BOTHRESH(1) BOQNAME(Q{(n + 1) % length})\n" for n in range(length))
        rows = resolve_queue_manager("QM1", [read_mqsc(text.encode(), "x")]).rows["queue"]
        assert [row.backout_loops for row in rows] == [True] * length

    assert_in_proportion(follow, 1_500)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Bytes are read, or refused as no text; nothing else happens."""
    looks_like_mqsc(data)
    looks_like_ebcdic_mqsc(data)
    with contextlib.suppress(UnreadableError):
        resolve_queue_manager("QM1", [read_mqsc(data, "x")])


WORDS = st.sampled_from(
    [
        "DEFINE",
        "ALTER",
        "DELETE",
        "SET",
        "QMGR",
        "CHANNEL(C)",
        "QLOCAL(A)",
        "QLOCAL(B)",
        "QALIAS(A)",
        "TARGET(A)",
        "TARGET(B)",
        "BOQNAME(A)",
        "BOQNAME(B)",
        "BOTHRESH(x)",
        "LIKE(A)",
        "LIKE(B)",
        "REPLACE",
        "DEADQ(A)",
        "AUTHREC",
        "PROFILE(**)",
        "OBJTYPE(QUEUE)",
        "PRINCIPAL(u)",
        "AUTHADD(ALL)",
        ";",
        "'",
        "(",
        "+\n",
        "-\n",
        "\n",
        "\n",
        "\n* c\n",
    ]
)


@settings(max_examples=500, deadline=None)
@given(st.lists(WORDS, max_size=40))
def test_any_script_resolves(words: list[str]) -> None:
    """Words of MQSC in any order lead to relations, never to an exception."""
    resolve_queue_manager("QM1", [read_mqsc(" ".join(words).encode(), "x")], identities={"u": None, "v": frozenset()})


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(-1, 6), min_size=1, max_size=7))
def test_a_loop_is_a_chain_that_comes_back(chain: list[int]) -> None:
    """Following BOQNAME from a queue for as many steps as there are queues either meets it again or does not."""
    text = "".join(
        f"DEFINE QLOCAL(Q{n}) BOTHRESH(1) BOQNAME({f'Q{to}' if to >= 0 else ''})\n" for n, to in enumerate(chain)
    )
    rows = resolve_queue_manager("QM1", [read_mqsc(text.encode(), "x")]).rows["queue"]
    for row in rows:
        start = position = int(row.name[1:])
        expected: bool | None = False
        for _ in chain:
            position = chain[position]
            if position < 0 or position == start:
                expected = position == start
                break
            if position >= len(chain):
                expected = None  # not defined here: it may be anything
                break
        assert row.backout_loops is expected, (chain, row.name)


@pytest.mark.parametrize(
    ("start", "queues", "authorities", "channels"),
    [("041", 4, 4, 2), ("046", 4, 3, 2), ("120", 40, 0, 0), ("127", 15, 64, 2), ("151", 0, 28, 1), ("192", 4, 2, 0)],
)
def test_counts_of_public_files(corpus: Path, start: str, queues: int, authorities: int, channels: int) -> None:
    """The reader finds as many definitions as a search for their first words does."""
    (path,) = (corpus / "mq").glob(f"{start}_*")
    commands = [(c.verb, c.noun) for c in read_mqsc(path.read_bytes(), path.name).commands]
    assert commands.count(("DEFINE", "QLOCAL")) == queues
    assert commands.count(("SET", "AUTHREC")) == authorities
    assert commands.count(("DEFINE", "CHANNEL")) == channels


@pytest.mark.parametrize("end", ["BOQNAME('A.B", "BOTHRESH(50", 'BOQNAME("A.B', "DESCR('no (end"])
def test_a_file_that_stops_inside_a_value_is_cut_off(end: str) -> None:
    """Where it says whose it is; a script that somebody types may just lack a parenthesis."""
    text = f"* Queue manager name: QM1\nDEFINE QLOCAL('B')\nDEFINE QLOCAL('A') +\n   {end}"
    (problem,) = read_mqsc(text.encode(), "QM1.mqsc").problems
    assert (problem.kind, problem.line, problem.next_step) == ("unreadable", 3, "Export it again")
    assert problem.text == "the last command ends in the middle: the file is cut off"
    (problem,) = read_mqsc(text.partition("\n")[2].encode(), "QM1.mqsc").problems
    assert problem.kind == "not_understood"
    whole = text.removesuffix(end) + "GET(ENABLED)"
    assert not read_mqsc(whole.encode(), "QM1.mqsc").problems


def test_a_noun_that_only_display_takes_is_pointed_out() -> None:
    """Nothing that a script seems to define is left out without a word."""
    file = read_mqsc(b"DEFINE QUEUE(A) QTYPE(QLOCAL) BOTHRESH(0)\nDISPLAY QUEUE(A)\n", "QM1.mqsc")
    (problem,) = file.problems
    assert (problem.kind, problem.line) == ("not_understood", 1)
    assert problem.text == "there is no command DEFINE QUEUE"


def test_an_attribute_twice_on_one_line_needs_no_mark() -> None:
    """The advice is about what is there: two attributes, or a line that goes on by mistake."""
    steps = [
        read_mqsc(f"DEFINE QLOCAL(A) BOTHRESH(3){between}BOTHRESH(0)\n".encode(), "QM1.mqsc").problems[0].next_step
        for between in (" ", " +\n")
    ]
    assert steps == ["Remove one of them", "Look for an extra continuation mark"]
