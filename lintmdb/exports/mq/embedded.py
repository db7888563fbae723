"""MQSC that another file contains, such as a manifest or a shell script: its commands, with the positions that they
have in that file.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from lintmdb.exports.mq.commands import Command, MqscFile, Parameter, PassedOver, StructureCommand, Written
from lintmdb.exports.mq.reader import read_text
from lintmdb.exports.mq.written import written_parameters
from lintmdb.model.origins import InlineSuppression
from lintmdb.model.relations import Problem

_VARIABLE = re.compile(r"\$\w|%\w+%")
"""A variable of a shell or of Windows commands."""


class Stretch(NamedTuple):
    """Characters of an embedded text that stand next to each other on one line of the file around it."""

    start: int
    """The offset of the first of them in the embedded text."""
    line: int
    column: int
    """The position of the first of them in the file: line and column, both from 1."""
    encoded: bool = False
    """The file has them in another form, such as base64, so that all of them are where the first one is."""


class EmbeddedText:
    """A text as it runs, and the position of each of its characters in the file that contains it.

    Most texts are whole lines of the file, all of them indented alike: a block. Then positions are sums, and the
    stretches are made when somebody asks for them.
    """

    __slots__ = ("_line_starts", "_starts", "_stretches", "block", "text")

    def __init__(
        self, text: str, stretches: Sequence[Stretch] | None = None, block: tuple[int, int] | None = None
    ) -> None:
        self.text = text
        self.block = block
        """The line of the first character, and the column of the first one of each line, both from 1. None where lines
        are elsewhere.
        """
        self._stretches = stretches
        self._starts: list[int] | None = None
        self._line_starts: list[int] | None = None

    @property
    def stretches(self) -> Sequence[Stretch]:
        """Sorted by offset; the first one starts at 0."""
        if self._stretches is None:
            line, column = self.block or (1, 1)
            self._stretches = [Stretch(start, line + number, column) for number, start in enumerate(self.line_starts)]
        return self._stretches

    @property
    def starts(self) -> list[int]:
        """The offsets of the stretches."""
        if self._starts is None:
            self._starts = self.line_starts if self.block else [stretch.start for stretch in self.stretches]
        return self._starts

    @property
    def line_starts(self) -> list[int]:
        """The offsets of the lines."""
        if self._line_starts is None:
            lengths = map(len, self.text.split("\n"))
            self._line_starts = list(accumulate((length + 1 for length in lengths), initial=0))[:-1]
        return self._line_starts

    def place(self, line: int, column: int) -> tuple[int, int]:
        """The line and column in the file for those in the text, all from 1. A position that the text does not have
        is taken for the nearest one that it has.
        """
        if self.block is not None:
            line = min(max(line, 1), self.text.count("\n") + 1)
            return self.block[0] + line - 1, self.block[1] + max(column, 1) - 1
        starts = self.line_starts
        line = min(max(line, 1), len(starts))
        return self.place_of(starts[line - 1] + max(column, 1) - 1)

    def stretch_at(self, offset: int) -> int:
        """The index of the stretch that has an offset."""
        return max(bisect_right(self.starts, offset) - 1, 0)

    def place_of(self, offset: int) -> tuple[int, int]:
        """The line and column in the file for an offset in the text."""
        index = self.stretch_at(offset)
        if self.block is not None:
            return self.block[0] + index, self.block[1] + offset - self.line_starts[index]
        stretch = self.stretches[index]
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

    __slots__ = ("_length", "_parts", "_pieces", "_source")

    def __init__(self, source: EmbeddedText) -> None:
        self._source = source
        self._pieces: list[str] = []
        self._parts: list[tuple[int, int, int]] = []
        """Where each piece begins and ends in the source (-1: it stands for something), and where it is in the text."""
        self._length = 0

    def copy(self, start: int, end: int) -> None:
        """Add the characters between two offsets of the source."""
        if start < end:
            self._pieces.append(self._source.text[start:end])
            self._parts.append((start, end, self._length))
            self._length += end - start

    def _copied(self, start: int, end: int, at: int) -> Iterator[Stretch]:
        """The stretches of a part of the source that begins at an offset of the new text."""
        source, shift = self._source, at - start
        index = source.stretch_at(start)
        if source.block is not None:
            yield Stretch(at, *source.place_of(start))
            for number in range(index + 1, bisect_left(source.line_starts, end)):
                yield Stretch(source.line_starts[number] + shift, source.block[0] + number, source.block[1])
            return
        stretches = source.stretches
        yield Stretch(at, *source.place_of(start), encoded=stretches[index].encoded)
        for offset, line, column, encoded in stretches[index + 1 : bisect_left(source.starts, end)]:
            yield Stretch(offset + shift, line, column, encoded)

    def insert(self, text: str, offset: int) -> None:
        """Add a text that stands for what begins at an offset of the source."""
        if text:
            self._pieces.append(text)
            self._parts.append((offset, -1, self._length))
            self._length += len(text)

    def build(self, offset: int) -> EmbeddedText:
        """The text; an empty one is where an offset of the source is."""
        if not self._parts:
            return EmbeddedText("", [Stretch(0, *self._source.place_of(offset))])
        text = "".join(self._pieces)
        block = self._block()
        if block is not None:
            return EmbeddedText(text, block=block)
        stretches: list[Stretch] = []
        for start, end, at in self._parts:
            if end < 0:
                stretches.append(Stretch(at, *self._source.place_of(start), encoded=True))
            else:
                stretches += self._copied(start, end, at)
        return EmbeddedText(text, stretches)

    def _block(self) -> tuple[int, int] | None:
        """The place of the text where it is a block: one part of a block, from the beginning of a line."""
        (start, end, _), source = self._parts[0], self._source
        if source.block is None or len(self._parts) > 1 or end < 0:
            return None
        if start and source.text[start - 1] != "\n":
            return None
        return source.place_of(start)[0], source.block[1]


def whole_text(text: str) -> EmbeddedText:
    """All of a file as an embedded text."""
    return EmbeddedText(text, block=(1, 1))


def joined_texts(parts: Sequence[EmbeddedText], between: str = "\n") -> EmbeddedText:
    """Texts that run one after the other, by default each on lines of its own."""
    if len(parts) == 1:
        return parts[0]
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
    written = _written(file, embedded)
    if embedded.block is not None:
        file.commands[:] = _shifted_commands(file.commands, *embedded.block)
    else:
        file.commands[:] = [_moved_command(command, embedded) for command in file.commands]
    if written:
        file.commands[:] = [command._replace(written=own) for command, own in zip(file.commands, written, strict=True)]
    file.structures[:] = [_moved_structure(structure, embedded) for structure in file.structures]
    file.platform_line = embedded.place(file.platform_line, 1)[0]
    _move_status(file, embedded)
    file.problems[:] = [_moved_problem(problem, embedded) for problem in file.problems]
    file.lost_inline_suppressions[:] = _moved_comments(file.lost_inline_suppressions, embedded)
    return file


def _move_status(file: MqscFile, embedded: EmbeddedText) -> None:
    for name, status in file.queue_status.items():
        file.queue_status[name] = status._replace(line=embedded.place(status.line, 1)[0])


def move(file: MqscFile, embedded: EmbeddedText) -> None:
    """Give a file that was read from an embedded text the positions that it has in the file around that."""
    file.commands[:] = [
        _moved_command(command, embedded)._replace(
            written=command.written and tuple([_moved_written(each, embedded) for each in command.written])
        )
        for command in file.commands
    ]
    file.passed_over[:] = [
        PassedOver(
            verb,
            *embedded.place(line, column),
            written and tuple([_moved_written(each, embedded) for each in written]),
        )
        for verb, line, column, written in file.passed_over
    ]
    if file.asked is not None:
        places = [embedded.place(asked.line, asked.column) for asked in file.asked]
        file.asked = tuple(
            asked._replace(line=line, column=column) for asked, (line, column) in zip(file.asked, places, strict=True)
        )
    file.structures[:] = [_moved_structure(structure, embedded) for structure in file.structures]
    file.platform_line = embedded.place(file.platform_line, 1)[0]
    _move_status(file, embedded)
    file.problems[:] = [_moved_problem(problem, embedded) for problem in file.problems]
    file.lost_inline_suppressions[:] = _moved_comments(file.lost_inline_suppressions, embedded)


def _written(file: MqscFile, embedded: EmbeddedText) -> list[tuple[Written, ...]]:
    """The parameters of each command of a script that was just read, as they are written, and of those that are passed
    over, which are moved; nothing for a dump, which nobody runs as it is.
    """
    if file.dump is not None:
        return []
    lines = embedded.text.split("\n")

    def written(line: int, column: int) -> tuple[Written, ...]:
        return tuple([_moved_written(each, embedded) for each in written_parameters(lines, line, column)])

    file.passed_over[:] = [
        PassedOver(verb, *embedded.place(line, column), written(line, column))
        for verb, line, column, _ in file.passed_over
    ]
    return [written(command.line, command.column) for command in file.commands]


def _moved_structure(structure: StructureCommand, embedded: EmbeddedText) -> StructureCommand:
    line, column = embedded.place(structure.line, structure.column)
    level = structure.level
    if level is not None:
        level = level._replace(column=embedded.place(structure.line, level.column)[1])
    return structure._replace(level=level, line=line, column=column)


def _moved_written(written: Written, embedded: EmbeddedText) -> Written:
    line, column = embedded.place(written.line, written.column)
    template = written.template or _VARIABLE.search(written.value or "") is not None
    return written._replace(line=line, column=column, template=template)


def _shifted_commands(commands: Sequence[Command], line: int, column: int) -> list[Command]:
    """Commands of a block. Lines of a dump share their parameters, so that each is shifted once."""
    down, right = line - 1, column - 1
    known: dict[int, Parameter] = {}
    shifted: list[Command] = []
    for command in commands:
        parameters: list[tuple[Parameter, int]] = []
        for parameter, number in command.parameters:
            moved = known.get(id(parameter)) if right else parameter
            if moved is None:
                keyword, value, text, at, template = parameter
                moved = known[id(parameter)] = Parameter(keyword, value, text, at + right, template)
            parameters.append((moved, number + down))
        verb, noun, name, _, number, at, comments, shows_all, doubtful, cut, rest_at, control, written = command
        if comments:
            comments = tuple(comment._replace(line=comment.line + down) for comment in comments)
        flags = (shows_all, doubtful, cut, rest_at and rest_at + down, control, written)
        shifted.append(Command(verb, noun, name, tuple(parameters), number + down, at + right, comments, *flags))
    return shifted


def shift_columns(file: MqscFile, width: int) -> None:
    """Move everything in a file to the right."""
    file.commands[:] = _shifted_commands(file.commands, 1, 1 + width)
    file.problems[:] = [replace(problem, column=problem.column + width) for problem in file.problems]


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
    _doubt(file, lambda command: command.line in lines)


def doubt(file: MqscFile) -> None:
    """The same for all commands of a file."""
    _doubt(file, lambda _: True)


def _doubt(file: MqscFile, doubted_command: Callable[[Command], bool]) -> None:
    kept: list[Command] = []
    for command in file.commands:
        if not doubted_command(command):
            kept.append(command)
        elif command.verb == "DELETE":
            file.lost_commands += 1
        else:
            doubted = ((parameter._replace(template=True), line) for parameter, line in command.parameters)
            kept.append(command._replace(parameters=tuple(doubted), doubtful=True))
    file.commands[:] = kept


def _moved_command(command: Command, embedded: EmbeddedText) -> Command:
    line, column = embedded.place(command.line, command.column)
    return command._replace(
        parameters=tuple(_moved_parameters(command.parameters, embedded)),
        line=line,
        column=column,
        rest_at=command.rest_at and embedded.place(command.rest_at, 1)[0],
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
