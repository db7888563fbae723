"""MQSC: the grammar of script commands, and where each value stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.errors import UnreadableError
from lintmdb.exports.mq import MqscFile, read_mqsc
from lintmdb.exports.mq.sniff import looks_like_mqsc
from lintmdb.resolve.mq.completeness import is_partial


def read(text: str) -> MqscFile:
    """Read script text."""
    return read_mqsc(text.encode(), "QM1.mqsc")


def values(text: str, position: int = 0) -> dict[str, str | None]:
    """Keyword and value of a command's needed parameters."""
    return {p.keyword: p.value for p, _ in read(text).commands[position].parameters}


@pytest.mark.parametrize(
    "text",
    [
        "DEFINE QLOCAL('a.b') BOTHRESH(3) BOQNAME('C')",
        "define ql('a.b') bothresh(3) boqname(c)",
        "DEFINE   QLOCAL ( 'a.b' ),BOTHRESH ( 3 ) , BOQNAME(C);",
        "DEFINE QLOCAL('a.b') +\n   BOTHRESH(3) +\n   BOQNAME('C')",
        "DEFINE QLOCAL('a.b') +  \t\n   BOTHRESH(3) -\n   BOQNAME('C')\n",
        "DEFINE QLOCAL('a.b') BOTHRESH(3) +\n* BOTHRESH(9) +\n   BOQNAME('C')",
        "DEFINE QLOCAL('a.b') BOTHRESH(3) +\n\n   * an indented comment\n   BOQNAME('C')",
        "DEFINE QLOCAL('a.b') BOTH+\n      RESH(3) BOQNAME('C')",
        "DEFINE QLOCAL('a.+\n    b') BOTHRESH(3) BOQNAME('C')",
        "DEFINE QLOCAL('a.-\n*comment in the middle with '\nb') BOTHRESH(3) BOQNAME('C')",
        "DEFINE QLOCAL('a.b') BOTHRESH +\n  (3) BOQNAME('C')",
        "DEFINE QLOCAL('a.b') DESCR('it''s (odd) +') BOTHRESH(3) BOQNAME(C)",
        'DEFINE QLOCAL("a.b") BOTHRESH(3) BOQNAME("C")',
        "DEFINE NOREPLACE QLOCAL('a.b') BOTHRESH(3) BOQNAME('C')",
        "\ufeffDEFINE QLOCAL('a.b') BOTHRESH(3) BOQNAME('C')\r\n",
        "\tDEFINE\tQLOCAL('a.b')\tBOTHRESH(3)\tBOQNAME('C')",
        "* a comment\n** another\nDEFINE QLOCAL('a.b') BOTHRESH(3) BOQNAME('C')\nEND\nDEFINE QLOCAL(LATE)",
    ],
)
def test_one_command_in_any_layout(text: str) -> None:
    """Continuations, comments, quoting, case, synonyms, separators and the noun's place change nothing."""
    file = read(text)
    assert [problem for problem in file.problems if "LATE" not in problem.text] == []
    (command,) = file.commands
    assert (command.verb, command.noun, command.name) == ("DEFINE", "QLOCAL", "a.b")
    found = {p.keyword: p.value for p, _ in command.parameters}
    assert found["BOTHRESH"] == "3"
    assert found["BOQNAME"] == "C"


def test_values_fold_and_quotes_keep() -> None:
    """Unquoted values fold to upper case, quoted ones keep their case and lose doubled quotes and padding."""
    assert values("DEFINE QLOCAL(Abc) BOQNAME(x.y)") == {"BOQNAME": "X.Y"}
    assert values("DEFINE QLOCAL(Abc) BOQNAME('x.y')") == {"BOQNAME": "x.y"}
    assert values("DEFINE QLOCAL(Abc) BOQNAME('it''s')") == {"BOQNAME": "it's"}
    for blank in ("' '", "''", " ", ""):
        assert values(f"DEFINE QLOCAL(A) BOQNAME({blank})") == {"BOQNAME": ""}


def test_several_commands_on_one_line() -> None:
    """A semicolon ends a command, and another may follow on the same line."""
    file = read("DEF QL(A) BOTHRESH(1); DEF QL(B) BOTHRESH(2) ;\nALTER QLOCAL(A) BOTHRESH(4);")
    assert [(c.verb, c.name) for c in file.commands] == [("DEFINE", "A"), ("DEFINE", "B"), ("ALTER", "A")]


def test_positions_are_of_the_physical_line() -> None:
    """Line and column of a parameter are its own, also in a command that has to be joined."""
    text = "* c\nDEFINE QLOCAL(A) DESCR('x+\n  y') BOTHRESH(3) +\n     BOQNAME(B)\n"
    text += "DEF QL(C) BOTHRESH(1); DEF QL(D) BOTHRESH(2)"
    file = read(text)
    places = {(c.name, p.keyword): (line, p.column) for c in file.commands for p, line in c.parameters}
    assert places[("A", "BOTHRESH")] == (3, 7)
    assert places[("A", "BOQNAME")] == (4, 6)
    assert places[("C", "BOTHRESH")] == (5, 11)
    assert places[("D", "BOTHRESH")] == (5, 34)
    assert file.origin(file.commands[0].parameters[0][0], 3).text == "BOTHRESH(3)"


def test_zos_records() -> None:
    """Columns 73 to 80 of a z/OS record are a sequence number, and a minus keeps the blank of the next line."""
    deck = "".join(f"{line:<71}-{number:08}\n" for number, line in enumerate(("DEFINE NOREPLACE", " QLOCAL('A')"), 1))
    deck += f"{' BOTHRESH(5)':<72}00000003\n"
    file = read(deck)
    assert file.problems == []
    assert (file.commands[0].name, values(deck)["BOTHRESH"]) == ("A", "5")


def test_what_is_not_understood_is_counted_and_passed_over() -> None:
    """A line that is no command is a problem with line and column, and everything else is read."""
    file = read("# heading\nDEFINE QLOCAL(A)\n   TEST( )\nFROBNICATE QLOCAL(X) +\n  BOTHRESH(1)\nDEFINE QLOCAL(B)\n")
    assert [c.name for c in file.commands] == ["A", "B"]
    assert [(p.kind, p.line, p.column) for p in file.problems] == [
        ("not_understood", 1, 1),
        ("not_understood", 3, 4),
        ("not_understood", 4, 1),
    ]


@pytest.mark.parametrize(
    ("text", "name", "line", "column"),
    [
        ("DEFINE QLOCAL(A) BOTHRESH(1+\n   23)", "A", 1, 18),
        ("DEFINE QLOCAL(A) BOTHRESH(1-\n23)", "A", 1, 18),
        ("DEFINE QLOCAL(A) BOTH-\nRESH(123)", "A", 1, 18),
        ("DEF+\n  INE QLOCAL(A)+\n BOTHRESH(123)", "A", 3, 2),
        ("DEFINE QLOCAL(A) DESCR('one +\n  two') BOTHRESH(123)", "A", 2, 9),
        ("DEFINE QLOCAL('A-\n  B') BOTHRESH(123)", "A  B", 2, 7),
        ("DEFINE QLOCAL(A) +\n\n\n BOTHRESH(123)", "A", 4, 2),
        ("DEFINE QLOCAL(A) +\n BOQNAME('X+\n* don't (\n  Y') BOTHRESH(123)", "A", 4, 7),
        ("DEFINE QLOCAL(A) DESCR('-\n * text') BOTHRESH(123)", "A", 2, 11),
        ("DEFINE QLOCAL(A) DESC+\n R('x') +\n * a comment\n BOTHRESH(123)", "A", 4, 2),
        ("DEF QL(B);DEF QL(A) BOTHRESH(123)", "A", 1, 21),
        ("DEFINE QLOCAL(A)BOTHRESH(123)", "A", 1, 17),
    ],
)
def test_split_texts_are_joined(text: str, name: str, line: int, column: int) -> None:
    """Keyword, value and quoted text may be split at any place; a position is that of the first character."""
    file = read(text)
    assert file.problems == []
    command = file.commands[-1]
    assert command.name == name
    assert [(p.value, at, p.column) for p, at in command.parameters if p.keyword == "BOTHRESH"] == [
        ("123", line, column)
    ]


@pytest.mark.parametrize("stop", ["END", "end", " END ", "END;", "EXIT", "quit", "DEF QL(B); END", "DEF QL(B) ; END ;"])
def test_nothing_is_read_after_end(stop: str) -> None:
    """END, EXIT and QUIT stop reading, on a line of their own or behind a semicolon; the first command is pointed out
    that stands below them.
    """
    file = read(f"DEFINE QLOCAL(A)\n{stop}\nDEFINE QLOCAL(LATE)\nALTER QMGR DEADQ(X)\n{{ junk\n")
    assert {c.name for c in file.commands} <= {"A", "B"}
    assert [(p.kind, p.line, p.text) for p in file.problems] == [
        (
            "not_understood",
            3,
            "DEFINE QLOCAL(LATE) stands below END, which ends the script, so it and 1 more command are not run",
        )
    ]
    assert read(f"DEFINE QLOCAL(A)\n{stop}\n{{ junk\n").problems == []


def test_a_dump_that_goes_on_below_its_end_is_not_complete() -> None:
    """Two dumps in one file: what the second one defines is not read, and not missing either."""
    dump = "* Command issued: dmpmqcfg -m QM1 -a\nDEFINE QLOCAL('A') REPLACE\n"
    whole, more = read(dump + "END\n"), read(dump + "END\nDEFINE QLOCAL('B') REPLACE\n")
    assert whole.covers_objects
    assert (is_partial(whole), is_partial(more)) == (False, True)


def test_end_inside_a_command_is_part_of_it() -> None:
    """END in a continued command stops nothing, and an END after it still does."""
    file = read("DEF QL(A) +\nEND\nDEF QL(B)\nEND\nDEF QL(C)")
    assert [c.name for c in file.commands] == ["A", "B"]


@pytest.mark.parametrize(("head", "expected"), [("DEFINE REPLACE", "REPLACE"), ("DEFINE CMDSCOPE(' ')", "CMDSCOPE")])
def test_the_noun_may_stand_behind_other_parameters(head: str, expected: str) -> None:
    """On z/OS the noun is found wherever it is, and what stands in front of it is kept."""
    file = read(f"{head} QLOCAL(A) BOTHRESH(1)")
    assert (file.commands[0].noun, file.commands[0].name) == ("QLOCAL", "A")
    assert [p.keyword for p, _ in file.commands[0].parameters] == [expected, "BOTHRESH"]


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("ALT QL(A)", "ALTER QLOCAL(A)"),
        ("DEF QA(A)", "DEFINE QALIAS(A)"),
        ("DEF QR(A)", "DEFINE QREMOTE(A)"),
        ("DEF QM(A)", "DEFINE QMODEL(A)"),
        ("DEF CHL(A)", "DEFINE CHANNEL(A)"),
    ],
)
def test_synonyms(short: str, long: str) -> None:
    """Synonyms of verbs and nouns are exact: they mean the long word, other short forms are no command."""
    (one,), (other,) = read(short).commands, read(long).commands
    assert one[:3] == other[:3]
    assert [p.kind for p in read(short.replace(" ", "I ", 1)).problems] == ["not_understood"]


def _record(text: str, number: int, mark: str = " ") -> str:
    return f"{text:<71}{mark}{number:08}\n"


def test_numbered_records_in_every_shape() -> None:
    """The sequence number is no part of a flag's line, of an empty line, of a split text, or of END."""
    deck = (
        _record("DEFINE", 1, "-")
        + _record(" QLOCAL('A')", 2, "-")
        + _record("", 3)
        + _record(" DEFAULT", 4, "-")
        + _record(" DESCR('one +", 5)
        + _record("   two')", 6, "-")
        + _record("* BOTHRESH(9)", 7, "-")
        + _record(" BOTHRESH(5)", 8)
        + _record("DEFINE QLOCAL('B') ; DEFINE QLOCAL('C')", 9)
        + _record("END", 10)
        + _record("DEFINE QLOCAL('LATE')", 11)
    )
    file = read(deck)
    assert [(problem.line, problem.text[:20]) for problem in file.problems] == [(11, "DEFINE QLOCAL(LATE) ")]
    assert [c.name for c in file.commands] == ["A", "B", "C"]
    assert [(p.value, line, p.column) for p, line in file.commands[0].parameters] == [("5", 8, 2)]


def test_line_ends_and_tabs_change_no_position() -> None:
    """CRLF, tabs, a byte order mark and trailing blanks move no line and no column."""
    for text in (
        "* c\r\nDEFINE QLOCAL(A) + \t\r\n\tBOTHRESH(3)\r\n",
        "\ufeff* c\nDEFINE QLOCAL(A)\t-\n\tBOTHRESH(3)\t;\t\n",
    ):
        file = read(text)
        assert file.problems == []
        assert [(p.value, line, p.column) for p, line in file.commands[0].parameters] == [("3", 3, 2)]


def test_hash_lines_are_reported_and_passed_over() -> None:
    """# starts no comment: each such line is a problem of its own, and the commands around it are read."""
    file = read("# queues\nDEFINE QLOCAL(A)\n  # more\nDEFINE QLOCAL(B)\n")
    assert [c.name for c in file.commands] == ["A", "B"]
    assert [(p.kind, p.line, p.column) for p in file.problems] == [("not_understood", 1, 1), ("not_understood", 3, 3)]


@pytest.mark.parametrize(
    ("text", "column", "lost"),
    [
        ("DEFINE QLOCAL(A) BOTHRESH(3", 26, 1),
        ("DEFINE QLOCAL(A) DESCR('x BOTHRESH(3)", 23, 1),
        ("DEFINE QLOCAL(A) BOTHRESH(3) + * behind the mark", 30, 1),
        ("DISPLAY QLOCAL(A) )", 19, 0),
        ("  (A)", 3, 0),
    ],
)
def test_a_command_that_is_lost_is_counted(text: str, column: int, lost: int) -> None:
    """A command that cannot be read is a problem at its first wrong character; lost definitions are counted."""
    file = read(f"{text}\nDEFINE QLOCAL(B)")
    assert [(p.kind, p.line, p.column) for p in file.problems] == [("not_understood", 1, column)]
    assert [c.name for c in file.commands] == ["B"]
    assert file.lost_commands == lost


def test_a_file_that_ends_in_a_command_is_truncated() -> None:
    """A last command that is to be continued tells that the file is cut off; what it holds is kept."""
    for tail in ("", "\n", "\n* comment\n\n"):
        file = read(f"DEFINE QLOCAL(A) BOTHRESH(2) +{tail}")
        assert file.truncated
        assert [(p.kind, p.line) for p in file.problems] == [("unreadable", 1)]
        assert file.commands[0].name == "A"


def test_commands_of_no_use_are_counted() -> None:
    """Commands that lintmdb has no use for are recognised."""
    file = read("START LISTENER(L)\nSET POLICY(P) SIGNALG(SHA256)\nDEFINE LISTENER(L) TRPTYPE(TCP)\n")
    assert (file.commands, file.problems, file.other_commands) == ([], [], 3)


@pytest.mark.parametrize("value", ["{{ threshold }}", "${THRESHOLD}", "$THRESHOLD"])
def test_template_text_is_unknown_and_reported_once(value: str) -> None:
    """Template text makes a value unknown; it is reported once a file."""
    file = read(f"DEFINE QLOCAL(A) BOTHRESH({value})\nDEFINE QLOCAL(B) BOTHRESH({value})\n")
    assert [p.template for c in file.commands for p, _ in c.parameters] == [True, True]
    assert [p.kind for p in file.problems] == ["template"]


def test_dump_headers() -> None:
    """The header of a dmpmqcfg dump tells queue manager, platform, level, and what it covers."""
    head = "* Queue manager name: QM7 \n* Queue manager platform: UNIX \n* Queue manager command level: (930/922) \n"
    whole = read(head + "* Command issued: dmpmqcfg -m QM7 -t all -x all -o mqsc -a \nALTER QMGR FORCE\n")
    assert (whole.queue_manager, whole.platform, whole.command_level, whole.dump) == ("QM7", "UNIX", 922, "dmpmqcfg")
    assert (whole.covers_objects, whole.all_attributes) == (True, True)
    part = read(head + "* Command issued: dmpmqcfg -m QM7 -n 'APP.*' -x object \n")
    assert (part.covers_objects, part.all_attributes) == (False, False)
    assert not read(head + "* Command issued: dmpmqcfg -m QM7 -x authrec \n").covers_objects


def test_not_text() -> None:
    """Bytes that are no text are one error with a next step."""
    with pytest.raises(UnreadableError, match="NUL"):
        read_mqsc(b"DEFINE QLOCAL(A)\0\0", "x")


def test_other_encodings() -> None:
    """Latin-1 and UTF-16 text is read."""
    assert read_mqsc("DEFINE QLOCAL(A) DESCR('für')".encode("latin-1"), "x").commands[0].name == "A"
    latin = read_mqsc("DEFINE QLOCAL('ÄB') BOTHRESH(2)".encode("latin-1"), "x").commands[0]
    assert (latin.name, latin.parameters[0][0].column) == ("ÄB", 21)
    assert read_mqsc("DEFINE QLOCAL(A)".encode("utf-16"), "x").commands[0].name == "A"


NAME = st.text("ABCDEFGHIJ.abc_", min_size=1, max_size=12)
COMMAND = st.tuples(NAME, st.integers(0, 999999999), NAME, st.text("xyz '()+-*;,", max_size=20))


@st.composite
def printed(draw: st.DrawFn, command: tuple[str, int, str, str]) -> str:
    """A command in a random layout that means the same."""
    name, threshold, backout, description = command
    quoted = description.replace("'", "''")
    pieces = [
        draw(st.sampled_from(["DEFINE", "def", "Def"])),
        f"{draw(st.sampled_from(['QLOCAL', 'ql', 'QL ']))}('{name}')",
        f"{draw(st.sampled_from(['BOTHRESH', 'bothresh']))}{draw(st.sampled_from(['', ' ']))}( {threshold} )",
        f"BOQNAME('{backout}')",
        f"DESCR('{quoted}')",
    ]
    head, rest = pieces[:2], draw(st.permutations(pieces[2:]))
    text = ""
    for piece in [*head, *rest]:
        text += piece
        if piece is not rest[-1]:
            text += draw(st.sampled_from([" ", "  ,", " +\n   ", " - \n ", " +\n* it's a comment +\n  ", " +\n\n\t"]))
    return text + draw(st.sampled_from(["\n", ";\n", " ; \n", "\r\n"]))


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.data(), st.lists(COMMAND, min_size=1, max_size=4))
def test_what_is_printed_is_read_back(data: st.DataObject, commands: list[tuple[str, int, str, str]]) -> None:
    """Commands printed in any layout read back as they were."""
    file = read("".join(data.draw(printed(command)) for command in commands))
    assert file.problems == []
    found = [(c.name, {p.keyword: p.value for p, _ in c.parameters}) for c in file.commands]
    assert found == [(n, {"BOTHRESH": str(t), "BOQNAME": b}) for n, t, b, _ in commands]


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.text("DEFINE QLOCAL('A') +-*\n;(){}$'\"#,BOTHRESH", max_size=200))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    """No text makes the reader raise."""
    read(text)


def test_corpus(corpus: Path) -> None:
    """Every public MQSC file is read without an exception; hand-counted files have the counts of the hand."""
    files = [file for file in sorted((corpus / "mq").iterdir()) if looks_like_mqsc(file.read_bytes()[:8192])]
    assert len(files) > 35
    counts: dict[str, int] = {}
    for file in files:
        read_file = read_mqsc(file.read_bytes(), file.name)
        counts[file.name[:3]] = sum(c.noun == "QLOCAL" and c.verb == "DEFINE" for c in read_file.commands)
    assert counts["045"] == 4
    assert counts["038"] == 1
    assert counts["047"] == 2
    assert counts["067"] == 1


def test_a_line_of_81_characters_is_no_record() -> None:
    """Eight digits in columns 73 to 80 of one line are a value of the command, not a sequence number."""
    text = "DEFINE QLOCAL('Q.0') BOTHRESH(100000000) BOQNAME(';') HARDENBO MAXDEPTH(10000000)"
    assert text[72:80] == "10000000"
    file = read_mqsc(text.encode(), "x")
    assert file.problems == []
    assert [p.value for p, _ in file.commands[0].parameters if p.keyword == "MAXDEPTH"] == ["10000000"]


@pytest.mark.parametrize(
    ("line", "column", "says"),
    [
        ("ALTER QLOCAL(A)\xa0BOTHRESH(3)", 16, "cannot be parsed: this is no blank but U+00A0 (no-break space)"),
        ("\u2003ALTER QLOCAL(A) BOTHRESH(3)", 1, "this is no blank but U+2003 (em space)"),
        ("ALTER QLOCAL(A) \u201cBOTHRESH\u201d(3)", 17, "U+201C (left double quotation mark) is not MQSC"),
        ("ALTER QLOCAL(A) +\xa0\n  BOTHRESH(3)", 17, "ALTER QLOCAL(A) cannot be parsed: this text is not MQSC"),
    ],
)
def test_only_blanks_of_ascii_separate_words(line: str, column: int, says: str) -> None:
    """Any other character is part of a command that is refused, and is named."""
    problems = read_mqsc(f"{line}\n".encode(), "x.mqsc").problems
    assert (problems[0].line, problems[0].column) == (1, column)
    assert says in problems[0].text
    tabs = read_mqsc(line.replace("\xa0", "\t").replace("\u2003", "\t").encode(), "x.mqsc")
    assert ([c.name for c in tabs.commands] == ["A"]) == ("\u201c" not in line)


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("# lower it", "A comment begins with * in column 1. The other lines are read"),
        ("  * lower it", "A comment begins with * in column 1. The other lines are read"),
        (")", "Correct the line. The other lines are read"),
        ("   BOQNAME(B)", "If it belongs to the command above it, end the line above in +"),
        ("HELLO(B)", ""),
    ],
)
def test_what_is_no_command_comes_with_what_may_be_meant(text: str, step: str) -> None:
    """A comment of another language, or the rest of a command whose line above lacks its mark."""
    (problem,) = read_mqsc(f"ALTER QLOCAL(A) BOTHRESH(3)\n{text}\n".encode(), "x.mqsc").problems
    assert (problem.line, problem.next_step) == (2, step)


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (1, "DEFINE QLOCAL({{P}}.0) is not read: its name is filled in elsewhere"),
        (2, "DEFINE QLOCAL({{P}}.0) and 1 more are not read: their names are filled in elsewhere"),
        (5, "DEFINE QLOCAL({{P}}.0) and 4 more are not read: their names are filled in elsewhere"),
    ],
)
def test_names_that_are_filled_in_are_counted(count: int, told: str) -> None:
    """One problem says how many commands are not read."""
    text = "".join(f"DEFINE QLOCAL('{{{{P}}}}.{n}') BOTHRESH(3)\n" for n in range(count))
    problems = [problem for problem in read_mqsc(text.encode(), "x").problems if problem.kind == "undecided_command"]
    assert [(problem.line, problem.text) for problem in problems] == [(1, told)]
