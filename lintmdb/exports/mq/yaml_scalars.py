"""The text of a YAML scalar and where each of its characters stands: in block scalars, in quotes, and plain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lintmdb.exports.mq.embedded import EmbeddedText, Stretch

_DOUBLE = re.compile(
    r"\\(?P<code>x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})|\\(?P<char>[^\nxuU])|(?P<cut>\\\n[ \t]*)"
    r"|(?P<fold>[ \t]*(?:\n[ \t]*)+)|[^\\\n \t]+|[ \t]"
)
_SINGLE = re.compile(r"(?P<char>'')|(?P<fold>[ \t]*(?:\n[ \t]*)+)|[^'\n \t]+|[ \t]")
_PLAIN = re.compile(r"(?P<fold>[ \t]*(?:\n[ \t]*)+)|[^\n \t]+|[ \t]")
_PATTERNS = {'"': _DOUBLE, "'": _SINGLE}
_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029", "'": "'",
}  # fmt: skip


class Region(NamedTuple):
    """A scalar as a document has it. Lines and columns count from 0 here, as the parser counts them."""

    lines: Sequence[str]
    """Those of the document."""
    first_line: int
    """The number of the document's first line in its file, from 1."""
    start: tuple[int, int]
    end: tuple[int, int]
    """Behind the last character."""
    style: str
    """``|`` or ``>`` of a block scalar, the quote, or nothing."""
    value: str
    """As the parser gives it."""
    path: str = ""
    """The file, where nodes of several files are put together."""


def scalar_text(region: Region) -> EmbeddedText:
    """The text of a scalar, with positions in its file."""
    if region.style == "|":
        return _literal(region)
    if region.style == ">":
        return _folded(region)
    return _flow(region)


def _literal(region: Region) -> EmbeddedText:
    """Each line of the text is the rest of a line of the file, so that the text is a block."""
    below = region.start[0] + 1
    count = region.value.count("\n")
    indent = _indent(region, region.value.split("\n"))
    written = "\n".join([line[indent:] for line in region.lines[below : below + count]])
    text = region.value
    if written != text.removesuffix("\n"):
        values = text.split("\n")
        text = "\n".join([_rest(region.lines, below + number, indent, value) for number, value in enumerate(values)])
    return EmbeddedText(text, block=(region.first_line + below, indent + 1))


def _rest(lines: Sequence[str], number: int, indent: int, value: str) -> str:
    """A line behind the indentation, as written; its value where the file has no such line, behind the last one."""
    return lines[number][indent:] if number < len(lines) and value.strip() else value


def _indent(region: Region, values: Sequence[str]) -> int:
    """How far a literal block is indented: what the parser has taken off its first line that is not blank."""
    for number, value in enumerate(values, region.start[0] + 1):
        if value.strip() and number < len(region.lines):
            return max(len(region.lines[number]) - len(value), 0)
    return 0


def _folded(region: Region) -> EmbeddedText:
    """The lines of the file in order, wherever the text continues with them."""
    value, cursor = region.value, 0
    pieces: list[str] = []
    stretches = [Stretch(0, region.first_line + region.start[0], region.start[1] + 1)]
    for number in range(region.start[0] + 1, min(region.end[0] + 1, len(region.lines))):
        words = region.lines[number].strip()
        at = value.find(_plain_words(words), cursor) if words else -1
        if at < 0:
            continue
        pieces += (value[cursor:at], words)
        column = len(region.lines[number]) - len(region.lines[number].lstrip())
        stretches.append(Stretch(at, region.first_line + number, column + 1))
        cursor = at + len(words)
    return EmbeddedText("".join([*pieces, value[cursor:]]), stretches)


_ACTION = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}")


def _plain_words(text: str) -> str:
    """Text whose template actions are covered by plain text of the same length, which any parser takes."""
    return _ACTION.sub(lambda action: "T" * len(action[0]), text) if "{" in text else text


def cover_actions(line: str) -> str:
    """A line whose template actions are covered, or nothing where it has nothing else: such lines only steer."""
    if "{{" not in line and "{%" not in line:
        return line
    return _plain_words(line) if _ACTION.sub("", line).strip() else ""


def _flow(region: Region) -> EmbeddedText:
    """A scalar in quotes or plain: escapes and folded line ends are undone, as the parser undoes them."""
    source = _source(region)
    pattern = _PATTERNS.get(region.style, _PLAIN)
    start = (region.first_line + region.start[0], region.start[1] + 1)
    covered = "".join(text for text, _ in _decoded(_plain_words(source), pattern))
    if covered != region.value:
        return EmbeddedText(region.value, [Stretch(0, *start, encoded=True)])
    quoted = 1 if region.style else 0
    return _with_places(list(_decoded(source, pattern)), source, (start[0], start[1] + quoted))


def _source(region: Region) -> str:
    """The characters of a flow scalar between its quotes, as the file has them."""
    (first, left), (last, right) = region.start, region.end
    if first >= len(region.lines):
        return ""  # an empty document: the parser places its value behind the last line
    quoted = 1 if region.style else 0
    if first == last:
        return region.lines[first][left + quoted : right - quoted]
    inner = region.lines[first + 1 : last]
    return "\n".join((region.lines[first][left + quoted :], *inner, region.lines[last][: max(right - quoted, 0)]))


def _decoded(source: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, int]]:
    """The pieces of a text and the offset in its source at which each begins."""
    position = 0
    while match := pattern.match(source, position):
        position = match.end()
        groups = match.groupdict()
        if code := groups.get("code"):
            yield _character(code), match.start()
        elif char := groups.get("char"):
            yield _ESCAPES.get(char[-1], char[-1]), match.start()
        elif (fold := groups.get("fold")) is not None:
            ends = fold.count("\n")
            yield (" " if ends == 1 else "\n" * (ends - 1)), match.start()
        elif groups.get("cut") is None:
            yield match[0], match.start()


def _character(code: str) -> str:
    number = int(code[1:], 16)
    return chr(number) if number <= 0x10FFFF else "\ufffd"


def _with_places(pieces: Sequence[tuple[str, int]], source: str, start: tuple[int, int]) -> EmbeddedText:
    """Pieces of a text that begins at a line and column of the file."""
    line, column = start
    stretches = [Stretch(0, line, column)]
    length = line_start = 0
    shift = 0  # how much further in its source than in the text a character stands
    left = column
    position = 0
    for text, offset in pieces:
        ends = source.count("\n", position, offset)
        if ends:
            line, left = line + ends, 1
            line_start = source.rfind("\n", 0, offset) + 1
        position = offset
        if offset - length != shift or ends:
            shift = offset - length
            stretches.append(Stretch(length, line, left + offset - line_start))
        length += len(text)
    return EmbeddedText("".join(text for text, _ in pieces), stretches)
