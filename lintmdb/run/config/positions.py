"""Where keys and values stand in a TOML file: tomllib gives values without lines, and errors need lines."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lintmdb.json_types import Place

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"[ \t]*")
_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SCALAR = re.compile(r"[^,\]}#\r\n]*")
_ESCAPE = re.compile(r'\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([btnfre"\\]))')
_SHORT = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b", '"': '"', "\\": "\\"}


def positions(text: str) -> dict[Place, int]:
    """The line (from 1) of each table, key and list entry of a text that tomllib has accepted."""
    return _Finder(text).run()


def find_line(lines: Mapping[Place, int], place: Place) -> int:
    """The line of a place or of the nearest place around it; 0 where nothing is known."""
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 0)


class _Finder:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.counted = 0
        self.lines: dict[Place, int] = {}
        self.entries: dict[Place, int] = {}

    def run(self) -> dict[Place, int]:
        table: Place = ()
        while True:
            self._skip(_GAP)
            if self.at >= len(self.text):
                return self.lines
            if self.text.startswith("[[", self.at):
                self.at += 2
                table = self._inside(self._keys())
                number = self.entries.get(table, -1) + 1
                self.entries[table] = number
                self.lines.setdefault(table, self._row())
                table = (*table, number)
                self.lines[table] = self._row()
                self.at += 2
            elif self.text[self.at] == "[":
                self.at += 1
                table = self._inside(self._keys())
                self._note(table)
                self.at += 1
            else:
                self._pair(table)

    def _inside(self, keys: Place) -> Place:
        """A header's path with the numbers of the list entries that it lies in."""
        place: Place = ()
        for number, key in enumerate(keys):
            place = (*place, key)
            if place in self.entries and number < len(keys) - 1:
                place = (*place, self.entries[place])
        return place

    def _note(self, place: Place) -> None:
        for length in range(1, len(place) + 1):
            self.lines.setdefault(place[:length], self._row())

    def _pair(self, table: Place) -> None:
        place = (*table, *self._keys())
        for length in range(len(table) + 1, len(place) + 1):
            self.lines.setdefault(place[:length], self._row())
        self.at += 1  # the equals sign
        self._skip(_BLANK)
        self._value(place)

    def _keys(self) -> Place:
        """A key with its dots; the position is then behind it and behind blanks."""
        keys: list[str] = []
        while True:
            self._skip(_BLANK)
            char = self.text[self.at]
            if char in "\"'":
                keys.append(self._string())
            else:
                match = _BARE.match(self.text, self.at)
                assert match is not None
                keys.append(match.group())
                self.at = match.end()
            self._skip(_BLANK)
            if self.text[self.at : self.at + 1] != ".":
                return tuple(keys)
            self.at += 1

    def _value(self, place: Place) -> None:
        char = self.text[self.at]
        if char in "\"'":
            self._string()
        elif char == "[":
            self._list(place)
        elif char == "{":
            self._inline(place)
        else:
            self._skip(_SCALAR)

    def _list(self, place: Place) -> None:
        self.at += 1
        number = 0
        while True:
            self._skip(_GAP)
            if self.text[self.at] == "]":
                self.at += 1
                return
            self.lines[(*place, number)] = self._row()
            self._value((*place, number))
            number += 1
            self._skip(_GAP)
            if self.text[self.at] == ",":
                self.at += 1

    def _inline(self, place: Place) -> None:
        self.at += 1
        while True:
            self._skip(_GAP)
            if self.text[self.at] == "}":
                self.at += 1
                return
            self._pair(place)
            self._skip(_GAP)
            if self.text[self.at] == ",":
                self.at += 1

    def _string(self) -> str:
        """Pass over a string; gives its content as a key has it (on one line)."""
        quote = self.text[self.at]
        whole = quote * 3
        if self.text.startswith(whole, self.at):
            self.at += 3
            while not self.text.startswith(whole, self.at):
                self.at += 2 if quote == '"' and self.text[self.at] == "\\" else 1
            # Up to two quotes may stand in front of the three that close.
            while self.text.startswith(whole, self.at + 1):
                self.at += 1
            self.at += 3
            return ""
        start = self.at = self.at + 1
        while self.text[self.at] != quote:
            self.at += 2 if quote == '"' and self.text[self.at] == "\\" else 1
        content = self.text[start : self.at]
        self.at += 1
        return _ESCAPE.sub(_unescape, content) if quote == '"' else content

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()

    def _row(self) -> int:
        self.line += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        return self.line


def _unescape(match: re.Match[str]) -> str:
    digits = match.group(1) or match.group(2)
    return chr(int(digits, 16)) if digits else _SHORT[match.group(3)]
