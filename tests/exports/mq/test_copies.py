"""Dumps and transcripts as they get copied: in binary from z/OS, and quoted in mails."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lintmdb.exports.discovery import discover
from lintmdb.exports.mq import MqscFile, read_mqsc
from lintmdb.exports.mq.display import looks_like_transcript, read_transcript
from lintmdb.exports.mq.display.quoting import unquoted
from lintmdb.exports.mq.ebcdic import from_ebcdic, is_ebcdic
from tests.laws.test_display import DUMPED
from tests.support.display_text import transcript
from tests.support.scenario import expected, run_scenario
from tests.support.scenario_folders import scenario_folder
from tests.support.variant import Variant

TEXT = transcript(read_mqsc((scenario_folder("clean") / "mq/QM1.mqsc").read_bytes(), "QM1.mqsc"))
Encode = Callable[[str], bytes]


def _nel(text: str) -> bytes:
    return text.replace("\n", "\x85").encode("cp037")


def _records(text: str) -> bytes:
    return "".join(f"{line:<80}" for line in text.splitlines()).encode("cp500")


ENCODINGS: list[Encode] = [
    _nel, lambda text: text.encode("cp037"), lambda text: text.replace("\n", "\r\n").encode("cp500"),
]  # fmt: skip


def _copied(tmp_path: Path, encode: Encode, text: str | None = None) -> tuple[object, ...]:
    variant = Variant(tmp_path, "clean")
    file = variant.folder / "mq/QM1.mqsc"
    file.write_bytes(encode(file.read_text("utf-8") if text is None else text))
    outcome = variant.run()
    return outcome.hazard, outcome.clear, outcome.undecided


@pytest.mark.parametrize("encode", ENCODINGS)
def test_a_binary_copy_says_what_the_dump_says(encode: Encode, tmp_path: Path) -> None:
    """Whatever ends its lines; and so does one of a transcript."""
    outcome = run_scenario(scenario_folder("clean"), expected(scenario_folder("clean")).get("options"))
    assert _copied(tmp_path / "dump", encode) == (outcome.hazard, outcome.clear, outcome.undecided)
    assert _copied(tmp_path / "shown", encode, TEXT) == (outcome.hazard, outcome.clear, outcome.undecided)


@pytest.mark.parametrize("encode", [_nel, _records, *ENCODINGS[1:]])
def test_lines_and_columns_are_those_of_the_records(encode: Encode, tmp_path: Path) -> None:
    """A record is a line."""
    text = "* a deck\nDEFINE QLOCAL('A') -\n  REPLACE BOTHRESH(3) -\n  BOQNAME('B')\nDEFINE QLOCAL('B') REPLACE\n" * 30
    (tmp_path / "deck").write_bytes(encode(text))
    (found,) = discover([tmp_path]).files
    file = read_mqsc(found.read(), found.path)
    assert [(c.name, c.line, c.column) for c in file.commands[:2]] == [("A", 2, 1), ("B", 5, 1)]
    assert [line for _, line in file.commands[0].parameters] == [2, 3, 3, 4][-len(file.commands[0].parameters) :]
    assert len(file.commands) == 60


@pytest.mark.parametrize(
    "data",
    [
        b"", b"DEFINE QLOCAL(A)\n", "Größe: für Äpfel und Öl\n".encode("latin-1") * 50, bytes(range(256)) * 30,
        b"\x40" * 500, "привет мир\n".encode() * 100, "日本語のテキスト\n".encode("shift-jis") * 100, b"\0" * 100,
    ],
)  # fmt: skip
def test_other_text_is_not_ebcdic(data: bytes) -> None:
    """Nor are bytes of any value."""
    assert not is_ebcdic(data)


def test_ebcdic_that_is_no_export_is_told(tmp_path: Path) -> None:
    """A letter is passed over with what it is, and a deck with lengths between its records is a problem."""
    (tmp_path / "letter").write_bytes(("Dear all, nothing is known about the weather.\n" * 30).encode("cp037"))
    lines = [f"DEFINE QLOCAL(A{number}) BOTHRESH(3)".encode("cp037") for number in range(30)]
    records = b"".join((len(line) + 4).to_bytes(2, "big") + b"\0\0" + line for line in lines)
    (tmp_path / "varying").write_bytes(records)
    found = discover([tmp_path])
    assert [entry.reason for entry in found.passed_over] == ["is not an export: it is text in EBCDIC"]
    ((path, text),) = [(Path(problem.path).name, problem.text) for problem in found.problems]
    assert (path, text[:18]) == ("varying", "is MQSC in EBCDIC,")
    assert found.files == []


def test_brackets_of_code_page_1047() -> None:
    """They are where 037 has letters that no command has."""
    assert from_ebcdic(b"\xad\xbd\x15", 3) == b"[]\n"


def _places(file: MqscFile) -> list[tuple[str, str, int, int]]:
    return [(c.name, p.keyword, line, p.column) for c in file.commands for p, line in c.parameters]


@pytest.mark.parametrize("mark", ["> ", "| ", ">", "> > ", ">> ", "|  "])
@pytest.mark.parametrize("around", ["", "Hello,\n\nsee below:\n", "> My question was:\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "  \n"])
def test_a_quoted_transcript(mark: str, around: str, end: str) -> None:
    """It says what it says without marks, and places are those in the mail."""
    if around.startswith(">"):
        around = around.replace("> ", mark)
    quoted = around.replace("\n", end) + "".join(f"{mark}{line}".rstrip() + end for line in TEXT.splitlines())
    quoted += "" if around.startswith(mark) else f"{end}Best regards{end}"
    assert looks_like_transcript(quoted.encode()[:8192])
    (plain,), (file,) = read_transcript(TEXT.encode(), "x"), read_transcript(quoted.encode(), "x")
    down = around.count("\n")
    width = len(mark)
    assert _places(file) == [(name, word, line + down, at + width) for name, word, line, at in _places(plain)]
    assert len(file.listings) == len(plain.listings) > 0
    assert (file.lost_commands, file.truncated) == (0, False)


def test_a_line_that_a_mail_program_broke_is_not_guessed() -> None:
    """Where a line in the middle has no mark, nothing is read."""
    lines = [f"> {line}" for line in TEXT.splitlines()]
    broken = [*lines[:20], "wrapped words", *lines[20:]]
    assert unquoted("\n".join(broken)) == ("\n".join(broken), 0)
    assert not looks_like_transcript("\n".join(broken).encode()[:8192])


BLANKS: list[Callable[[str], str]] = [
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace("\n", " \t \n"),
    lambda text: re.sub(r"\) {2,}", ")\t", text),
    lambda text: text.replace("   ", "\xa0\xa0\xa0"),
    lambda text: text.replace("   ", "\t"),
]


@pytest.mark.parametrize("change", BLANKS)
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_blanks_of_all_kinds(change: Callable[[str], str], encoding: str, tmp_path: Path) -> None:
    """What browsers and editors make of blanks means nothing."""
    assert "clean" in DUMPED
    plain = run_scenario(scenario_folder("clean"), expected(scenario_folder("clean")).get("options"))
    changed = change(TEXT)
    assert looks_like_transcript(changed.encode(encoding)[:8192])
    got = _copied(tmp_path, lambda text: text.encode(encoding), changed)
    assert got == (plain.hazard, plain.clear, plain.undecided)


@pytest.mark.parametrize("length", [80, 133])
def test_records_of_one_length_are_lines(length: int) -> None:
    """Also where only the beginning of the file is at hand."""
    data = "".join(f"{line:<{length}}" for line in ("DEFINE QLOCAL(A)", "DEFINE QLOCAL(B)", "END")).encode("cp037")
    lines = from_ebcdic(data[: 2 * length], len(data)).decode().splitlines()
    assert lines == [f"{'DEFINE QLOCAL(A)':<{length}}", f"{'DEFINE QLOCAL(B)':<{length}}"]
