"""A script as people keep it: its lines with everything that belongs to them, so that an edit leaves all else byte for
byte as it was: line ends, the encoding, blanks, comments, and columns 73 to 80 of records.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from lintmdb.errors import LintmdbError
from lintmdb.exports.mq.decoding import COMMAND_COLUMNS, are_records, with_line_ends
from lintmdb.exports.mq.joined import Joined, join_lines
from lintmdb.exports.mq.lines import MARKS, PARAMETER, record_text

_MARKS_OF_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_RECORD = 80
_WIDTH = 72
_INDENT = 3
_INSTEAD = "Run the script that --out DIR writes instead"
_QUOTED = re.compile(r"('[^']*')")


class Place(NamedTuple):
    """A line and a column of a script, both from 1."""

    line: int
    column: int


class Span(NamedTuple):
    """A parameter of a command, as a script has it."""

    keyword: str
    """As written."""
    start: Place
    end: Place
    """Behind its last character."""
    value: Sequence[tuple[Place, int]]
    """The pieces of the value without the blanks around it, each with its length: several where lines are joined inside
    it; none for a keyword without a value.
    """
    quote: str
    """The quotation mark around the value; blank without one."""


@dataclass(slots=True)
class _Line:
    code: str
    """What the reader of commands sees, without trailing blanks."""
    tail: str
    """What follows it: blanks, and columns 73 to 80 of a record."""
    end: str
    columns: int = 0
    """How many columns the code may take; 0 where there is no limit."""

    def text(self) -> str:
        return f"{self.code}{self.tail}{self.end}"

    def take(self, code: str) -> None:
        """Other code, behind which a record's columns 73 to 80 stay in their place."""
        if self.columns:
            beyond = f"{self.code}{self.tail}"[self.columns :]
            self.tail = " " * (self.columns - len(code)) + beyond
        self.code = code


class ScriptText:
    """A script that can be edited. Lines are numbered as the reader of MQSC numbers them, as long as edits go from the
    end of the script to its beginning.
    """

    def __init__(self, data: bytes, path: str) -> None:
        """Raises LintmdbError for a script that could not be written back byte for byte."""
        self.path = path
        self._mark = next((m for m in (*_MARKS_OF_UTF16, codecs.BOM_UTF8) if data.startswith(m)), b"")
        body = data[len(self._mark) :]
        try:
            self._encoding, text = _decoded(body, _MARKS_OF_UTF16.get(self._mark, ""))
        except UnicodeDecodeError as error:
            reason = "is not in one encoding, so that it could not be written back as it is"
            raise LintmdbError(reason, path=path, next_step=_INSTEAD) from error
        self._records = are_records(with_line_ends(text))
        self._lines = [self._line(line, end) for line, end in _physical_lines(text)]
        if self.data() != data:
            raise LintmdbError("could not be written back as it is", path=path, next_step=_INSTEAD)

    def _line(self, text: str, end: str) -> _Line:
        body = text.rstrip()
        numbered = self._records or len(record_text(text)) < len(body)
        code = body[:COMMAND_COLUMNS].rstrip() if numbered else body
        return _Line(code, text[len(code) :], end, COMMAND_COLUMNS if numbered else 0)

    def data(self) -> bytes:
        """The script as bytes. Raises LintmdbError where its encoding lacks a character."""
        try:
            return self._mark + "".join(line.text() for line in self._lines).encode(self._encoding)
        except UnicodeEncodeError as error:
            raise LintmdbError(
                f"has no {error.object[error.start]!r}: its encoding is {self._encoding}",
                path=self.path,
                next_step=_INSTEAD,
            ) from error

    def lines(self) -> list[str]:
        """The lines as text, each with a line feed at its end where it has any line end."""
        ended = self._records and not any(line.end for line in self._lines)
        texts = [f"{line.code}{line.tail}" + ("\n" if line.end or ended else "") for line in self._lines]
        return [text for text in texts if text]  # no text stands behind the last line end

    def cut(self, number: int) -> bytes:
        """The script up to a line, without that line."""
        return self._mark + "".join(line.text() for line in self._lines[: number - 1]).encode(self._encoding)

    def parameters(self, place: Place) -> list[Span]:
        """The parameters of the command that begins at a place, its verb first."""
        joined = join_lines(self._command_lines(place.line), place.line)
        position, spans = place.column - 1, list[Span]()
        while match := PARAMETER.match(joined.text, position):
            spans.append(_span(joined, match))
            position = match.end()
        return spans

    def _command_lines(self, first: int) -> list[str]:
        """The physical lines of a command, and those that stand on them with it."""
        found: list[str] = []
        for line in self._lines[first - 1 :]:
            found.append(line.code)
            comment = line.code[:1] == "*" or (len(found) > 1 and not line.code.strip())
            if not comment and line.code[-1:] not in MARKS:
                break
        return found

    def replace_value(self, span: Span, value: str) -> None:
        """Another value of a parameter, in place of the old one."""
        (first, length), *others = span.value
        for place, size in reversed(others):
            line = self._lines[place.line - 1]
            line.take(line.code[: place.column - 1] + line.code[place.column - 1 + size :])
        self._splice(first, length, value, span.start)

    def replace_keyword(self, span: Span, keyword: str) -> None:
        """Another keyword in the place of one without a value. Raises LintmdbError for one that two lines share."""
        if span.end.line != span.start.line:
            text = f"the keyword {span.keyword} is split over two lines"
            raise LintmdbError(text, path=self.path, line=span.start.line, next_step=_INSTEAD)
        self._splice(span.start, len(span.keyword), keyword, span.start)

    def _splice(self, place: Place, length: int, text: str, keyword: Place) -> None:
        line = self._lines[place.line - 1]
        start = place.column - 1
        code = line.code[:start] + text + line.code[start + length :]
        if not line.columns or len(code) <= line.columns:
            line.take(code)
            return
        if keyword.line != place.line:
            raise self._too_long(place.line)
        self._break(place.line, code[: keyword.column - 1], code[keyword.column - 1 :])

    def insert(self, command: Place, anchor: Span, words: Sequence[str]) -> None:
        """Further attributes behind a parameter of the command that begins at a place, in the style of its lines."""
        line = self._lines[anchor.end.line - 1]
        before, after = line.code[: anchor.end.column - 1], line.code[anchor.end.column - 1 :]
        joined = f"{before} {' '.join(words)}{after}"
        limit = line.columns or max(_WIDTH, *(len(each.code) for each in self._lines))
        spread = anchor.end.line > command.line
        if not spread and len(joined) <= limit:
            line.take(joined)
            return
        indent = before[: len(before) - len(before.lstrip())] if spread else " " * _INDENT
        *others, last = words
        for code in reversed([*(f"{indent}{word} +" for word in others), f"{indent}{last}{after}"]):
            self._add_line(anchor.end.line, code)
        self._take(anchor.end.line, f"{before} +")

    def _break(self, number: int, before: str, after: str) -> None:
        """A line as two: what does not fit goes on in a line below."""
        if not before.strip():
            raise self._too_long(number)
        self._add_line(number, f"{' ' * _INDENT}{after}")
        self._take(number, f"{before.rstrip()} +")

    def _take(self, number: int, code: str) -> None:
        line = self._lines[number - 1]
        if line.columns and len(code) > line.columns:
            raise self._too_long(number)
        line.take(code)

    def _add_line(self, after: int, code: str) -> None:
        """A new line behind another, as long as its neighbours where these are records."""
        above = self._lines[after - 1]
        columns = above.columns
        if columns and len(code) > columns:
            raise self._too_long(after)
        tail = " " * (_RECORD - len(code)) if columns else ""
        end = above.end or self._line_end()
        self._lines.insert(after, _Line(code, tail, above.end, columns))
        above.end = end

    def append(self, commands: Sequence[str], before: int | None) -> None:
        """Lines of commands at the end of the script, or in front of a line."""
        end, columns = self._line_end(), COMMAND_COLUMNS if self._records else 0
        lines = [_Line(code, " " * (_RECORD - len(code)) if columns else "", end, columns) for code in commands]
        if columns and any(len(code) > columns for code in commands):
            raise self._too_long(len(self._lines))
        if before is not None:
            self._lines[before - 1 : before - 1] = lines
            return
        if self._lines and not self._lines[-1].code and not self._lines[-1].tail:
            self._lines.pop()  # the empty text behind the last line end
        if self._lines:
            self._lines[-1].end = end
        self._lines += lines

    def _line_end(self) -> str:
        """What ends most lines."""
        ends = [line.end for line in self._lines if line.end]
        if not ends:
            return "" if self._records else "\n"
        return max(sorted(set(ends)), key=ends.count)

    def _too_long(self, line: int) -> LintmdbError:
        text = f"the change does not fit into columns 1 to {COMMAND_COLUMNS}"
        return LintmdbError(text, path=self.path, line=line, next_step=_INSTEAD)


def _decoded(data: bytes, encoding: str) -> tuple[str, str]:
    """The encoding and the text of a script, as ``decoding.decode`` takes them. Raises UnicodeDecodeError."""
    if encoding:
        return encoding, data.decode(encoding)
    try:
        return "utf-8", data.decode("utf-8")
    except UnicodeDecodeError:
        encoding = "cp1252" if b"\n" in data else "latin-1"
        return encoding, data.decode(encoding)


def _physical_lines(text: str) -> Iterator[tuple[str, str]]:
    """Lines and their ends; the text after the last line end is the last line."""
    end = next((end for end in ("\n", "\x85", "\r") if end in text), "")
    if not end:
        lines = with_line_ends(text).split("\n")
        yield from ((line, "") for line in lines)
        return
    *whole, last = text.split(end)
    for line in whole:
        crlf = end == "\n" and line.endswith("\r")
        yield (line[:-1], "\r\n") if crlf else (line, end)
    yield last, ""


def _span(joined: Joined, match: re.Match[str]) -> Span:
    keyword, value = match.group(1), match.group(3)
    start, end = joined.place(match.start(1)), joined.place(match.end() - 1)
    pieces: list[tuple[Place, int]] = []
    quote = ""
    if match.group(2) is not None:
        inner = value.strip()
        first = match.start(3) + len(value) - len(value.lstrip())
        quote = inner[:1] if inner[:1] in ("'", '"') else ""
        pieces = list(_pieces(joined, first, first + len(inner)))
    return Span(keyword, Place(*start), Place(end[0], end[1] + 1), pieces, quote)


def _pieces(joined: Joined, start: int, end: int) -> Iterator[tuple[Place, int]]:
    """The parts of a stretch of joined text on each physical line."""
    bounds = [start, *(offset for offset in joined.starts if start < offset < end), end]
    for one, other in pairwise(bounds):
        yield Place(*joined.place(one)), other - one


def lowered(word: str) -> str:
    """A word of MQSC in lower case, but for what is quoted."""
    return "".join(part if part.startswith("'") else part.lower() for part in _QUOTED.split(word))
