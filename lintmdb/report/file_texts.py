"""The text of the files that findings point into: what a region covers, and the hash of its line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from lintmdb.errors import UnreadableError
from lintmdb.exports.text import decode_export
from lintmdb.model.origins import Origin
from lintmdb.report.line_hash import line_hashes

_MEMBER = re.compile(r'"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[^\s,}\]]*)|\{')
"""A member of a JSON object, or where an object begins."""
_LINE_END = re.compile(r"\r\n|\r|\n")


class Region(NamedTuple):
    """A part of one line; 1-based, the end column exclusive, in characters (Unicode code points)."""

    line: int
    column: int
    end_column: int


class FileTexts:
    """Reads each file once, and keeps only the lines that were asked for."""

    def __init__(self, sources: Mapping[str, Callable[[], bytes]], places: Iterable[Origin]) -> None:
        wanted: dict[str, set[int]] = {}
        for place in places:
            wanted.setdefault(place.path, set()).add(place.line or 1)
        self._lines: dict[tuple[str, int], str] = {}
        self._hashes: dict[tuple[str, int], str] = {}
        for path in sorted(wanted):
            read = sources.get(path)
            if read is None:
                continue
            try:
                text = decode_export(read())
            except UnreadableError:
                continue
            lines = _LINE_END.split(text)
            for number in wanted[path]:
                if number <= len(lines):
                    self._lines[path, number] = lines[number - 1]
            for number, value in line_hashes(text, wanted[path]).items():
                self._hashes[path, number] = value

    def hash(self, place: Origin) -> str | None:
        """GitHub's hash of the place's line; None where the file cannot be read or has no such line."""
        return self._hashes.get((place.path, place.line or 1))

    def region(self, place: Origin) -> Region:
        """What the place covers: its text if the line contains it literally, of JSON the member, else the rest of the
        line.

        Without the file it is as long as the text. A file without a place is shown at its first line.
        """
        line, column = place.line or 1, place.column or 1
        text = place.text.partition("\n")[0]
        here = self._lines.get((place.path, line))
        if here is None:
            return Region(line, column, column + max(len(text), 1) if place.column else column + 1)
        rest = here[column - 1 :]
        member = _MEMBER.match(rest) if place.path.endswith(".json") else None
        end = member.end() if member is not None else len(rest.rstrip())
        length = len(text) if text and rest.startswith(text) else end
        return Region(line, column, column + max(length, 1))
