"""The instructions of a Dockerfile, with their here-documents and the stages of the build that they belong to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lintmdb.exports.mq.embedded import EmbeddedText, TextBuilder

_INSTRUCTION = re.compile(r"[ \t]*([A-Za-z]+)(?=[ \t])")
_ESCAPED = re.compile(r"\\[ \t]*\r?\Z")
COMMENT = re.compile(r"[ \t]*(?:#.*)?\r?\Z")
"""A line between those of an instruction that is no part of it."""
_DOCUMENT = re.compile(r"(?<!<)<<(-?)([\"']?)([A-Za-z_][\w.]*)\2")
_WITH_DOCUMENTS = frozenset({"RUN", "COPY", "ADD"})
_FROM = re.compile(r"(?:[ \t]+--\S+)*[ \t]+(\S+)(?:[ \t]+AS[ \t]+(\S+))?", re.I)


class Document(NamedTuple):
    """A here-document: the word that ends it, and where its text begins and ends in the Dockerfile."""

    word: str
    start: int
    end: int
    quoted: bool


class Instruction(NamedTuple):
    """One instruction, without line ends that are escaped."""

    name: str
    arguments: EmbeddedText
    shell: EmbeddedText
    """The arguments with the here-documents below them, as a shell reads them."""
    documents: Sequence[Document]
    first: int
    """The number of its first line, from 0."""
    below: int
    """That of the line behind its arguments, where its here-documents begin."""
    end: int
    """That of the line behind these."""


class Stage(NamedTuple):
    """One stage of a build."""

    name: str
    base: str
    """The image or the other stage that it begins with."""
    line: int
    instructions: list[Instruction]


def stages(source: EmbeddedText) -> list[Stage]:
    """The stages of a Dockerfile; the last one is the image, unless the build names another."""
    found: list[Stage] = []
    for instruction in instructions(source):
        if instruction.name == "FROM" and (begun := _FROM.match(instruction.arguments.text)) is not None:
            found.append(Stage((begun[2] or "").lower(), begun[1].lower(), instruction.first + 1, []))
        elif found:
            found[-1].instructions.append(instruction)
    return found


def instructions(source: EmbeddedText) -> Iterator[Instruction]:
    """The instructions of a Dockerfile, in its order."""
    lines, starts = source.text.split("\n"), [*source.line_starts, len(source.text)]
    number = 0
    while number < len(lines):
        begun = _INSTRUCTION.match(lines[number])
        if begun is None:
            number += 1
            continue
        first = number
        pieces, number = _pieces(lines, starts, number, begun.end())
        arguments = assembled(source, pieces)
        documents: list[Document] = []
        below = number
        for tabs, quote, word in _DOCUMENT.findall(arguments.text) if begun[1].upper() in _WITH_DOCUMENTS else ():
            stop = number = min(number, len(lines))
            while stop < len(lines) and (lines[stop].lstrip("\t") if tabs else lines[stop]).rstrip("\r") != word:
                stop += 1
            documents.append(Document(word, starts[number], starts[stop], bool(quote)))
            number = stop + 1
        end = starts[min(number, len(lines))]
        shell = assembled(source, [*pieces, (starts[below], end)], "\n") if documents else arguments
        yield Instruction(begun[1].upper(), arguments, shell, documents, first, below, number)


def _pieces(lines: Sequence[str], starts: Sequence[int], number: int, at: int) -> tuple[list[tuple[int, int]], int]:
    """Where the parts of an instruction begin and end, behind its name, and the number of the line below it. Comments
    between its lines are no part of it.
    """
    pieces: list[tuple[int, int]] = []
    while number < len(lines):
        line = lines[number]
        escaped = _ESCAPED.search(line)
        stop = escaped.start() if escaped is not None else len(line.rstrip("\r"))
        pieces.append((starts[number] + at, starts[number] + stop))
        at, number = 0, number + 1
        if escaped is None:
            break
        while number < len(lines) - 1 and COMMENT.match(lines[number]):
            number += 1
    return pieces, number


def assembled(source: EmbeddedText, pieces: Sequence[tuple[int, int]], before_last: str = "") -> EmbeddedText:
    """Pieces of a Dockerfile as one text."""
    builder = TextBuilder(source)
    for place, (start, end) in enumerate(pieces):
        if place == len(pieces) - 1:
            builder.insert(before_last, start)
        builder.copy(start, end)
    return builder.build(pieces[0][0])
