"""Reading lines that mean nothing by themselves: they are joined as continuation marks ask, then read as a whole."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from lintmdb.exports.mq.collector import Collector
from lintmdb.exports.mq.commands import Parameter
from lintmdb.exports.mq.lines import BLANKS, MARKS, PARAMETER, SEPARATORS, holds_template, read_parameter, record_text
from lintmdb.exports.mq.vocabulary import ACTIVE_VERBS, END_WORDS, NEEDED, NOUNS, VERBS

MAX_LINE = 1 << 20
"""Characters of a line; a longer one is not MQSC."""
_COMMENTS = ("#", "//", "/*", "--", "*")
"""How comments of other languages begin, and those of MQSC that are not in column 1."""


class Joined(NamedTuple):
    """Physical lines as one text."""

    text: str
    starts: Sequence[int]
    """The offset at which each physical line begins."""
    places: Sequence[tuple[int, int]]
    """The line and column of each of these offsets."""

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset."""
        index = bisect_right(self.starts, offset) - 1
        number, column = self.places[index]
        return number, column + offset - self.starts[index]


def read_joined(lines: Sequence[str], first: int, collector: Collector) -> bool:
    """Read the commands of physical lines, the first of which has the number ``first``; True where END is one."""
    for number, line in enumerate(lines, first):
        if len(line) > MAX_LINE and line[:1] != "*":
            text = f"a line of {len(line)} characters is not MQSC and is skipped"
            collector.problem(number, 1, text, "not_understood")
            collector.file.lost_commands += 1
            return False
    return read_commands(join_lines(lines, first), collector)


def read_commands(joined: Joined, collector: Collector) -> bool:
    """Read the commands of joined lines; True where END is one."""
    position, ended = 0, False
    while position < len(joined.text) and not ended:
        position, ended = _read_command(joined, position, collector)
    return ended


def join_lines(lines: Sequence[str], first: int) -> Joined:
    """Lines without comments and continuation marks, as one text."""
    pieces: list[str] = []
    starts: list[int] = []
    places: list[tuple[int, int]] = []
    length = 0
    mark = ""
    for number, line in enumerate(lines, first):
        if line[:1] == "*" or (mark and not line.strip(BLANKS)):
            continue
        text = record_text(line)
        column = 1
        if mark == "+":
            column = len(text) - len(text.lstrip(BLANKS)) + 1
            text = text.lstrip(BLANKS)
        mark = text[-1:] if text[-1:] in MARKS else ""
        if mark:
            text = text[:-1]
        starts.append(length)
        places.append((number, column))
        pieces.append(text)
        length += len(text)
    return Joined("".join(pieces), starts, places)


def _read_command(joined: Joined, position: int, collector: Collector) -> tuple[int, bool]:
    """Read the command at an offset; the result is the offset of the next one, and whether the command is END."""
    text = joined.text
    parameters: list[tuple[Parameter, int]] = []
    count = 0
    while match := PARAMETER.match(text, position):
        line, column = joined.place(match.start(1))
        parameter = read_parameter(match, column)
        if not parameters or parameter.keyword in NEEDED or parameter.keyword in NOUNS:
            parameters.append((parameter, line))
        count += 1
        position = match.end()
    separators = SEPARATORS.match(text, position)
    position = separators.end() if separators is not None else position
    if position < len(text) and text[position] != ";":
        return _skip_broken(joined, position, parameters, collector), False
    if parameters:
        (head, line), *rest = parameters
        if count == 1 and head.value is None and head.keyword in END_WORDS:
            return position + 1, True
        if not collector.add(head, rest, line):
            collector.no_command(line, head)
    return position + 1, False


def _skip_broken(
    joined: Joined, position: int, parameters: Sequence[tuple[Parameter, int]], collector: Collector
) -> int:
    """Note text that is not a parameter; the result is the offset where reading can go on."""
    text = joined.text
    line, column = joined.place(position)
    end = text.find(";", position)
    rest = text[position : end if end >= 0 else len(text)]
    command = _begun([parameter for parameter, _ in parameters])
    if command and not _of_other_product(parameters):
        collector.file.lost_commands += 1
    elif parameters and parameters[0][0].keyword not in VERBS:
        collector.lose([parameter for parameter, _ in parameters], parameters[0][1])
    quoted = rest.count("'") % 2 or rest.count('"') % 2
    if holds_template(rest[:200]):
        collector.template(line)
    else:
        why = "a quote is never closed" if quoted else _foreign(rest[0])
        told = f"{command} cannot be parsed: {why}" if command else why
        step = "A comment begins with * in column 1" if rest.startswith(_COMMENTS) else "Correct the line"
        collector.problem(line, column, told, "not_understood", f"{step}. The other lines are read")
    # Behind an open quote a semicolon may be text.
    return len(text) if quoted or end < 0 else end + 1


def _foreign(character: str) -> str:
    """What is wrong with a text that begins with a character."""
    if character.isascii():
        return "this text is not MQSC"
    name = unicodedata.name(character, "").lower()
    return (
        f"this is no blank but U+{ord(character):04X} ({name})"
        if character.isspace()
        else (f"U+{ord(character):04X} ({name}) is not MQSC")
    )


def _begun(parameters: Sequence[Parameter]) -> str:
    """Verb and object of a command that changes the configuration, as far as it was read; blank for any other text.

    Nothing else of the text is shown anywhere: it may be a password.
    """
    verb = VERBS.get(parameters[0].keyword) if parameters else None
    if verb not in ACTIVE_VERBS:
        return ""
    target = next((parameter for parameter in parameters[1:] if parameter.keyword in NOUNS), None)
    if target is None:
        return verb
    noun = NOUNS[target.keyword]
    return f"{verb} {noun}({target.value})" if target.value else f"{verb} {noun}"


def _of_other_product(parameters: Sequence[tuple[Parameter, int]]) -> bool:
    """Whether a command is about a kind of object that MQ does not have: ``DEFINE MQCONN(...)`` of CICS."""
    return len(parameters) < 2
