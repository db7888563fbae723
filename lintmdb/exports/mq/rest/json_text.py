"""JSON that keeps where each value is written: a report names the line and column of a setting."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

_MAX_DEPTH = 50
_BLANK = re.compile(r"[ \t\r\n]*+")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\.)*"')
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][+-]?\d++)?")
_LONGEST_NUMBER = 400
_ESCAPE = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|.)")
_WORDS: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}


class Node(NamedTuple):
    """A value, and the offset at which it begins; ``key`` is where its name does, for a member of an object."""

    value: Value
    start: int
    key: int

    def members(self) -> Mapping[str, Node]:
        """The members of an object; none of anything else."""
        return self.value if isinstance(self.value, dict) else {}

    def items(self) -> Sequence[Node]:
        """The items of a list; none of anything else."""
        return self.value if isinstance(self.value, list) else ()


Value: TypeAlias = "dict[str, Node] | list[Node] | str | int | float | bool | None"


class JsonError(Exception):
    """Text that is no JSON: what is wrong, and the offset of it."""

    def __init__(self, text: str, offset: int) -> None:
        super().__init__(text)
        self.text = text
        self.offset = offset


class JsonText:
    """One text with JSON documents in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset, from 1."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def documents(self) -> Iterator[Node]:
        """The documents of the text, one behind the other. Raises JsonError."""
        at = self._skip(0)
        while at < len(self.text):
            node, at = self._value(at, at, 0)
            yield node
            at = self._skip(at)

    def offset_in(self, node: Node, index: int) -> int:
        """The offset of a character of a string."""
        raw_end = node.start + 1 + index
        if "\\" not in self.text[node.start : raw_end + 1]:
            return raw_end
        at, left = node.start + 1, index
        while left > 0:
            match = _ESCAPE.match(self.text, at)
            at = match.end() if match else at + 1
            left -= 1
        return at

    def _skip(self, at: int) -> int:
        match = _BLANK.match(self.text, at)
        return match.end() if match else at

    def _value(self, at: int, key: int, depth: int) -> tuple[Node, int]:
        char = self.text[at : at + 1]
        if char in ("{", "["):
            if depth >= _MAX_DEPTH:
                raise JsonError(f"is nested deeper than {_MAX_DEPTH} levels", at)
            return self._object(at, key, depth) if char == "{" else self._list(at, key, depth)
        if char == '"':
            value, end = self._string(at)
            return Node(value, at, key), end
        for word, constant in _WORDS.items():
            if self.text.startswith(word, at):
                return Node(constant, at, key), at + len(word)
        match = _NUMBER.match(self.text, at)
        if match is None or len(match.group()) > _LONGEST_NUMBER:
            raise JsonError("is not JSON", at) if char else JsonError("ends in the middle: it is cut off", at)
        number = match.group()
        return Node(int(number) if number.lstrip("-").isdigit() else float(number), at, key), match.end()

    def _string(self, at: int) -> tuple[str, int]:
        match = _STRING.match(self.text, at)
        if match is None:
            cut = '"' not in self.text[at + 1 :]
            raise JsonError("ends in the middle: it is cut off" if cut else "is not JSON", at)
        raw = match.group()
        if "\\" not in raw:
            return raw[1:-1], match.end()
        try:
            return str(json.loads(raw)), match.end()
        except ValueError:
            raise JsonError("is not JSON", at) from None

    def _object(self, at: int, key: int, depth: int) -> tuple[Node, int]:
        members: dict[str, Node] = {}
        start, at = at, self._skip(at + 1)
        while not self.text.startswith("}", at):
            if members:
                at = self._skip(self._expect(",", at))
            name_at = at
            name, at = self._string(at)
            at = self._skip(self._expect(":", self._skip(at)))
            node, at = self._value(at, name_at, depth + 1)
            if name in members:
                raise JsonError("has the same name twice in one object", name_at)
            members[name] = node
            at = self._skip(at)
        return Node(members, start, key), at + 1

    def _list(self, at: int, key: int, depth: int) -> tuple[Node, int]:
        items: list[Node] = []
        start, at = at, self._skip(at + 1)
        while not self.text.startswith("]", at):
            if items:
                at = self._skip(self._expect(",", at))
            node, at = self._value(at, at, depth + 1)
            items.append(node)
            at = self._skip(at)
        return Node(items, start, key), at + 1

    def _expect(self, char: str, at: int) -> int:
        if self.text.startswith(char, at):
            return at + 1
        raise JsonError("is not JSON" if at < len(self.text) else "ends in the middle: it is cut off", at)
