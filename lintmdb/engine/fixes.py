"""The fix of a finding: the text of its rule, with the finding's own values.

A line may begin with a condition: ``if {queue.backout_queue} is not set: DEFINE ...``. It is left out where that does
not hold. A command that goes on behind a ``+`` counts as one line. An attribute of a command whose value is not known,
as in ``MAXDEPTH({queue.max_depth})``, is left out too.
"""

from __future__ import annotations

import functools
import re
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from lintmdb.engine.flow_rows import JudgedRows, read_value
from lintmdb.engine.shown import shown
from lintmdb.rules.conditions import find_column

_NAME = r"\{([a-z_]+\.[a-z_]+)\}"
_PLACEHOLDER = re.compile(_NAME + r"(?=([^'{\n]*)')?")
_TEST = re.compile(_NAME + r" is (not )?(\w+)")
_GUARD = re.compile(rf"if ((?:{_NAME} is (?:not )?\w+(?: and )?)+): ")
_KEYWORD = re.compile(r" [A-Z]+\($")
_HASH = 5
"""The characters that tell names apart which are cut: a dot and four digits."""


class _Test(NamedTuple):
    """What has to hold for a line to be there: a value is ``set``, ``true``, or a certain word; or it is not."""

    column: str
    word: str
    wanted: bool

    def holds(self, rows: JudgedRows) -> bool:
        value = read_value(rows, self.column)
        found = value not in (None, "") if self.word == "set" else shown(self.column, value) == self.word
        return found is self.wanted


class _Piece(NamedTuple):
    """A placeholder of a text."""

    before: str
    """The text between it and the placeholder in front of it."""
    name: str
    """``alias.column``; blank at the end of the text."""
    longest: int | None
    """The most characters of a name that the text extends."""
    attribute: bool
    """It is all that stands between the parentheses of a keyword."""


class _Line(NamedTuple):
    """One line of a fix, or one command of several lines."""

    tests: tuple[_Test, ...]
    pieces: tuple[_Piece, ...]


def fill_fix(template: str, rows: JudgedRows) -> str:
    """The text of a fix for one finding, quoted for MQSC and Jython."""
    lines = (_fill(line.pieces, rows) for line in _lines(template) if all(test.holds(rows) for test in line.tests))
    return "\n".join(lines)


def _fill(pieces: tuple[_Piece, ...], rows: JudgedRows) -> str:
    texts: list[str] = []
    dropped = False
    for piece in pieces:
        before = piece.before[1:] if dropped else piece.before
        value = read_value(rows, piece.name) if piece.name else ""
        dropped = piece.attribute and value is None
        if dropped:
            texts.append(_KEYWORD.sub("", before))
        else:
            texts.append(before + (_cut(shown(piece.name, value), piece.longest).replace("'", "''")))
    return "".join(texts)


def _cut(name: str, longest: int | None) -> str:
    """A name that a text extends, cut to what its product allows; two names that are cut stay two."""
    if longest is None or len(name) <= longest:
        return name
    return f"{name[: longest - _HASH]}.{zlib.crc32(name.encode()) & 0xFFFF:04X}"


@functools.lru_cache(maxsize=1024)  # one text a rule, filled in for many findings
def _lines(template: str) -> tuple[_Line, ...]:
    return tuple(_line(text) for text in _commands(template))


def _commands(template: str) -> Iterator[str]:
    """The lines of a text, those of one command together."""
    begun: list[str] = []
    for line in template.split("\n"):
        begun.append(line)
        if not line.endswith(" +"):
            yield "\n".join(begun)
            begun = []
    if begun:
        yield "\n".join(begun)


def _line(text: str) -> _Line:
    guard = _GUARD.match(text)
    if guard is None:
        return _Line((), tuple(_pieces(text)))
    tests = tuple(_Test(column, word, not negated) for column, negated, word in _TEST.findall(guard.group(1)))
    return _Line(tests, tuple(_pieces(text[guard.end() :])))


def _pieces(text: str) -> Iterator[_Piece]:
    position = 0
    for match in _PLACEHOLDER.finditer(text):
        name, added = match.groups()
        before = text[position : match.start()]
        longest = find_column(name).longest if text[: match.start()].endswith("'") and added else None
        attribute = _KEYWORD.search(before) is not None and text[match.end() :].startswith(")")
        yield _Piece(before, name, longest and longest - len(added), attribute)
        position = match.end()
    yield _Piece(text[position:], "", None, attribute=False)
