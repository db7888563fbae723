"""MQSC inside other files: the same commands, with positions of the file around them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lintmdb.exports.mq import read_mqsc
from lintmdb.exports.mq.embedded import EmbeddedText, Stretch, embedded_lines, joined_texts, read_embedded

SCRIPT = """\
* lintmdb: allow MDB101 a test queue
DEFINE QLOCAL(A) +
       BOTHRESH(3) BOQNAME(B)
what is this
ALTER QMGR DEADQ(DLQ)
"""


def test_positions_are_those_of_the_host() -> None:
    """Every position moves by the lines and columns in front of the text."""
    lines = ((text, 11 + number, 5) for number, text in enumerate(SCRIPT.split("\n")))
    file = read_embedded(embedded_lines(lines), "cm.yaml")
    define, alter = file.commands
    assert (define.line, define.column, define.name) == (12, 5, "A")
    assert [(p.text, line, p.column) for p, line in define.parameters] == [
        ("BOTHRESH(3)", 13, 12),
        ("BOQNAME(B)", 13, 24),
    ]
    assert (define.inline_suppressions[0].line, define.inline_suppressions[0].path) == (11, "cm.yaml")
    assert [(p.text, line, p.column) for p, line in alter.parameters] == [("DEADQ(DLQ)", 15, 16)]
    assert [(problem.line, problem.column) for problem in file.problems] == [(14, 5)]


def test_stretches_of_one_line() -> None:
    """Where an escape of the host takes more columns than its character, what follows it moves."""
    #        "DEF QL(A)\n  DEF QL(B)" in columns 3 to 24 of line 7
    text = EmbeddedText("DEF QL(A)\n  DEF QL(B)", [Stretch(0, 7, 4), Stretch(10, 7, 15)])
    assert [(command.line, command.column) for command in read_embedded(text, "x").commands] == [(7, 4), (7, 17)]


def test_texts_run_one_after_the_other() -> None:
    """Joined texts keep the place of each."""
    one, two = embedded_lines([("DEF QL(A)", 3, 5)]), embedded_lines([("", 8, 1), ("DEF QL(B)", 9, 2)])
    file = read_embedded(joined_texts([one, two]), "x")
    assert [(command.name, command.line, command.column) for command in file.commands] == [("A", 3, 5), ("B", 9, 2)]


@given(st.text(alphabet="DEF QLOCAL(A)+-;'*\n\t ", max_size=120), st.integers(1, 50), st.integers(1, 20))
def test_an_embedded_script_is_the_script(text: str, line: int, column: int) -> None:
    """The law: whatever the text, the commands are those of a file of its own, moved."""
    alone = read_mqsc(text.encode(), "x")
    inside = read_embedded(embedded_lines((each, line + n, column) for n, each in enumerate(text.split("\n"))), "x")
    assert [(c.verb, c.noun, c.name, c.line + line - 1, c.column + column - 1) for c in alone.commands] == [
        (c.verb, c.noun, c.name, c.line, c.column) for c in inside.commands
    ]
    assert [
        [(p.keyword, p.value, p.text, number + line - 1, p.column + column - 1) for p, number in c.parameters]
        for c in alone.commands
    ] == [[(p.keyword, p.value, p.text, number, p.column) for p, number in c.parameters] for c in inside.commands]
    assert [problem.text for problem in alone.problems] == [problem.text for problem in inside.problems]
