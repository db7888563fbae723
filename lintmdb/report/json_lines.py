"""JSON text with one entry a line, written while the entries are made: all of them at once take more room than the
text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, cast

_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


class Entries(NamedTuple):
    """A list, one entry a line, each as plain values."""

    values: Iterable[object]


class Members(NamedTuple):
    """An object whose members stand in groups, one group a line."""

    groups: Iterable[Mapping[str, object]]
    indent: int = 1
    """How many blanks precede each line, in addition to those of what surrounds the object."""


def json_text(document: object) -> str:
    """A document as text with a line end. Its dicts and lists may hold ``Entries`` and ``Members`` at any depth."""
    return "".join([*_pieces(document, 0), "\n"])


def _pieces(value: object, depth: int) -> Iterator[str]:
    match value:
        case Entries(values):
            margin = "\n" + " " * (depth + 1)
            lead = f"[{margin}"
            for entry in values:
                yield lead
                yield _encode(entry)
                lead = f",{margin}"
            yield "[]" if lead.startswith("[") else "\n" + " " * depth + "]"
        case Members(groups, indent):
            margin = "\n" + " " * (depth + indent)
            yield "{"
            for number, group in enumerate(groups):
                yield f",{margin}" if number else margin
                yield from _members(group, depth + indent)
            yield "\n" + " " * depth + "}"
        case dict():
            yield "{"
            yield from _members(cast("Mapping[str, object]", value), depth)
            yield "}"
        case list():
            yield "["
            for number, entry in enumerate(cast("list[object]", value)):
                if number:
                    yield ", "
                yield from _pieces(entry, depth)
            yield "]"
        case _:
            yield _encode(value)


def _members(members: Mapping[str, object], depth: int) -> Iterator[str]:
    for number, (key, value) in enumerate(members.items()):
        yield f"{', ' if number else ''}{_encode(key)}: "
        yield from _pieces(value, depth)
