"""Several queue managers in one file, as ``cat QM1.mqsc QM2.mqsc`` makes it: the part of each."""

from __future__ import annotations

from collections.abc import Iterator

from lintmdb.exports.mq.commands import MqscFile
from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.embedded import EmbeddedText, read_embedded
from lintmdb.exports.mq.header import FIRST_LINES, named_manager
from lintmdb.exports.mq.lines import MARKS, record_text
from lintmdb.exports.mq.reader import read_text

_MENTIONED = ("Queue manager name", "QMNAME", "CSQU055I")


def read_parts(data: bytes, path: str) -> list[MqscFile]:
    """The commands of one file, those of each queue manager by themselves. Raises UnreadableError only for what is not
    text.
    """
    text = decode(data, path)
    starts = [0, *_further_parts(text)]
    if len(starts) == 1:
        return [read_text(text, path)]
    ends = [*starts[1:], len(text)]
    line = 1
    files: list[MqscFile] = []
    for start, end in zip(starts, ends, strict=True):
        files.append(read_embedded(EmbeddedText(text[start:end], block=(line, 1)), path))
        line += text.count("\n", start, end)
    return files


def _further_parts(text: str) -> Iterator[int]:
    """Where the parts of further queue managers begin: at the comments that name one below commands of another."""
    part, name = 0, ""
    known = begin = 0  # a line that names a queue manager, and the first of the comments around it
    for start in _mentions(text):
        named = named_manager(_line(text, start))
        if named is None or named.name == name:
            continue
        above = _comments_above(text, start, known)
        begin, known = begin if above == known else above, start
        if begin > part and name:
            # dmpmqcfg shows attributes that no command can set as comments among the others; its header may follow a
            # dump that is cut off.
            if not named.heads_dump and record_text(_line(text, _line_above(text, begin)))[-1:] in MARKS:
                continue
            yield begin
            part = begin
        name = named.name


def _mentions(text: str) -> list[int]:
    """Where the lines begin that may name a queue manager."""
    found: set[int] = set()
    start = 0
    for _ in range(FIRST_LINES):
        found.add(start)
        start = text.find("\n", start) + 1
        if not start:
            break
    for words in _MENTIONED:
        place = text.find(words)
        while place >= 0:
            found.add(text.rfind("\n", 0, place) + 1)
            end = text.find("\n", place)
            place = text.find(words, end) if end >= 0 else -1
    return sorted(found)


def _comments_above(text: str, start: int, known: int) -> int:
    """Where the comments begin that a line belongs to, looking no further up than a known place."""
    while start > known:
        above = _line_above(text, start)
        line = _line(text, above)
        if line.strip() and line[:1] != "*":
            break
        start = above
    return start


def _line_above(text: str, start: int) -> int:
    return text.rfind("\n", 0, start - 1) + 1


def _line(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)]
