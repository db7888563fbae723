"""MQSC that another file contains, such as a manifest or a shell script: its commands, with the positions that they
have in that file.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import NamedTuple

from lintmdb.exports.mq.commands import Command, MqscFile, Parameter
from lintmdb.exports.mq.reader import read_text
from lintmdb.model.origins import InlineSuppression
from lintmdb.model.relations import Problem


class Stretch(NamedTuple):
    """Characters of an embedded text that stand next to each other on one line of the file around it."""

    start: int
    """The offset of the first of them in the embedded text."""
    line: int
    column: int
    """The position of the first of them in the file: line and column, both from 1."""
    encoded: bool = False
    """The file has them in another form, such as base64, so that all of them are where the first one is."""


@dataclass(slots=True)
class EmbeddedText:
    """A text as it runs, and the position of each of its characters in the file that contains it."""

    text: str
    stretches: Sequence[Stretch]
    """Sorted by offset; the first one starts at 0."""
    starts: list[int] = field(default_factory=list[int])
    """The offsets of the stretches."""
    _line_starts: list[int] = field(default_factory=list[int])

    def __post_init__(self) -> None:
        self.starts = [stretch.start for stretch in self.stretches]
        self._line_starts = [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))][:-1]

    def place(self, line: int, column: int) -> tuple[int, int]:
        """The line and column in the file for those in the text, all from 1. A position that the text does not have
        is taken for the nearest one that it has.
        """
        line = min(max(line, 1), len(self._line_starts))
        return self.place_of(self._line_starts[line - 1] + max(column, 1) - 1)

    def stretch_at(self, offset: int) -> int:
        """The index of the stretch that has an offset."""
        return max(bisect_right(self.starts, offset) - 1, 0)

    def place_of(self, offset: int) -> tuple[int, int]:
        """The line and column in the file for an offset in the text."""
        stretch = self.stretches[self.stretch_at(offset)]
        return stretch.line, stretch.column + (0 if stretch.encoded else offset - stretch.start)


def embedded_lines(lines: Iterable[tuple[str, int, int]]) -> EmbeddedText:
    """A text of whole lines, each with the line and column of the file where it begins."""
    texts: list[str] = []
    stretches: list[Stretch] = []
    offset = 0
    for text, line, column in lines:
        stretches.append(Stretch(offset, line, column))
        texts.append(text)
        offset += len(text) + 1
    return EmbeddedText("\n".join(texts), stretches or [Stretch(0, 1, 1)])


class TextBuilder:
    """Builds a text of parts of another one, and of what stands for a part of it."""

    __slots__ = ("_length", "_pieces", "_source", "_stretches")

    def __init__(self, source: EmbeddedText) -> None:
        self._source = source
        self._pieces: list[str] = []
        self._stretches: list[Stretch] = []
        self._length = 0

    def copy(self, start: int, end: int) -> None:
        """Add the characters between two offsets of the source."""
        if start >= end:
            return
        source, shift = self._source, self._length - start
        index = source.stretch_at(start)
        first = source.stretches[index]
        self._stretches.append(Stretch(self._length, *source.place_of(start), encoded=first.encoded))
        last = bisect_left(source.starts, end)
        self._stretches += [
            Stretch(offset + shift, line, column, encoded)
            for offset, line, column, encoded in source.stretches[index + 1 : last]
        ]
        self._pieces.append(source.text[start:end])
        self._length += end - start

    def insert(self, text: str, offset: int) -> None:
        """Add a text that stands for what begins at an offset of the source."""
        if text:
            self._stretches.append(Stretch(self._length, *self._source.place_of(offset), encoded=True))
            self._pieces.append(text)
            self._length += len(text)

    def build(self, offset: int) -> EmbeddedText:
        """The text; an empty one is where an offset of the source is."""
        return EmbeddedText("".join(self._pieces), self._stretches or [Stretch(0, *self._source.place_of(offset))])


def whole_text(text: str) -> EmbeddedText:
    """All of a file as an embedded text."""
    return embedded_lines((line, number, 1) for number, line in enumerate(text.split("\n"), 1))


def joined_texts(parts: Sequence[EmbeddedText], between: str = "\n") -> EmbeddedText:
    """Texts that run one after the other, by default each on lines of its own."""
    stretches: list[Stretch] = []
    offset = 0
    for part in parts:
        stretches += (stretch._replace(start=offset + stretch.start) for stretch in part.stretches)
        offset += len(part.text) + len(between)
    return EmbeddedText(between.join(part.text for part in parts), stretches or [Stretch(0, 1, 1)])


def read_embedded(embedded: EmbeddedText, path: str) -> MqscFile:
    """The commands of MQSC inside the file ``path``, with positions in that file."""
    file = read_text(embedded.text, path)
    file.embedded = True
    file.commands[:] = [_moved_command(command, embedded) for command in file.commands]
    file.platform_line = embedded.place(file.platform_line, 1)[0]
    file.problems[:] = [_moved_problem(problem, embedded) for problem in file.problems]
    file.lost_inline_suppressions[:] = _moved_comments(file.lost_inline_suppressions, embedded)
    return file


def one_template_problem(files: Sequence[MqscFile], problems: Iterable[Problem], step: str) -> None:
    """Keep one problem for all templates and variables in a file, and for commands that may not run; ``problems`` are
    more of them. The scripts of the file share it, as each of them has values that depend on it.
    """
    found = list(problems)
    for file in files:
        found += (problem for problem in file.problems if problem.kind == "template")
        file.problems[:] = [problem for problem in file.problems if problem.kind != "template"]
        found += (
            _template(file.path, line)
            for command in file.commands
            for parameter, line in command.parameters
            if parameter.template
        )
    if found and files:
        first = min(found, key=lambda problem: problem.line)
        for file in files:
            file.problems.append(replace(first, next_step=step))


def _template(path: str, line: int) -> Problem:
    text = "contains values that are filled in or decided elsewhere, so they are unknown"
    return Problem(kind="template", path=path, line=line, column=1, text=text)


def doubt_lines(file: MqscFile, lines: Container[int]) -> None:
    """Make unknown what the commands on some lines of the host set: nobody knows whether they run. What such a command
    deletes may be there or not, so that a file with one is not complete.
    """
    kept: list[Command] = []
    for command in file.commands:
        if command.line not in lines:
            kept.append(command)
        elif command.verb == "DELETE":
            file.lost_commands += 1
        else:
            doubted = ((parameter._replace(template=True), line) for parameter, line in command.parameters)
            kept.append(command._replace(parameters=tuple(doubted)))
    file.commands[:] = kept


def _moved_command(command: Command, embedded: EmbeddedText) -> Command:
    line, column = embedded.place(command.line, command.column)
    return command._replace(
        parameters=tuple(_moved_parameters(command.parameters, embedded)),
        line=line,
        column=column,
        inline_suppressions=tuple(_moved_comments(command.inline_suppressions, embedded)),
    )


def _moved_parameters(
    parameters: Iterable[tuple[Parameter, int]], embedded: EmbeddedText
) -> Iterator[tuple[Parameter, int]]:
    for parameter, number in parameters:
        line, column = embedded.place(number, parameter.column)
        if column != parameter.column:
            keyword, value, text, _, template = parameter
            parameter = Parameter(keyword, value, text, column, template)
        yield parameter, line


def _moved_comments(comments: Iterable[InlineSuppression], embedded: EmbeddedText) -> list[InlineSuppression]:
    return [comment._replace(line=embedded.place(comment.line, 1)[0]) for comment in comments]


def _moved_problem(problem: Problem, embedded: EmbeddedText) -> Problem:
    line, column = embedded.place(problem.line, problem.column)
    return replace(problem, line=line, column=column)
