"""A plan's changes as properties files for ``AdminTask.applyConfigProperties``.

WebSphere accepts the sections and identifiers that its own ``extractConfigProperties`` writes. So a change is written
only where the export of its cell is such a file: with the head of the section that the value was read in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from lintmdb.exports.was.property_exports import looks_like_properties
from lintmdb.exports.was.property_files import (
    HEADERS,
    VARIABLES,
    Property,
    Section,
    decode_lines,
    is_name,
    quoted_value,
    read_property_file,
    variable_lines,
)
from lintmdb.exports.was.resources import packed_pairs
from lintmdb.plan.scripts import Script
from lintmdb.run.estate import UnresolvedEstate
from lintmdb.settings.afterwards import afterwards
from lintmdb.settings.changes import Assignment, Change
from lintmdb.settings.registry import find_setting

_PART = "AttributeInfo"
_PACKED = "arbitraryProperties"


def property_scripts(changes: Iterable[Change], exports: UnresolvedEstate, scripts: Sequence[Script]) -> list[Script]:
    """A properties file beside the script of each cell, and one that undoes it, where the exports have the sections of
    all changes in the cell.
    """
    sources = {found.path: found.read for found in exports.discovery.files}
    files = _Files(sources)
    found: list[Script] = []
    for script in scripts:
        if script.product != "was" or not script.path.endswith(".py"):
            continue
        own = [
            change
            for change in changes
            if isinstance(change, Assignment) and (change.target.product, change.target.place_key) == script.owner
        ]
        text = _text(own, files, script.steps, undoing=script.purpose == "undo")
        if text is not None:
            found.append(script._replace(path=script.path.removesuffix(".py") + ".props", text=text))
    return found


class _Place(NamedTuple):
    """A property in a properties file."""

    head: tuple[str, ...]
    """The lines above the properties of its section."""
    variables: tuple[tuple[str, str], ...]
    """The variables of the file, and the line that gives each its value."""
    object: str
    """The name of the object where its ResourceId has an identifier instead."""
    name: str
    value: str


class _Files:
    """The properties files among the exports, each read once."""

    def __init__(self, sources: Mapping[str, Callable[[], bytes]]) -> None:
        self._sources = sources
        self._known: dict[str, _File | None] = {}

    def place(self, change: Assignment) -> _Place | None:
        """Where the old value of a change was read; None where that is in no properties file."""
        origin = change.origin
        file = None if origin is None or not origin.line else self._file(origin.path)
        if file is None or origin is None:
            return None
        found = file.by_line.get((origin.line, find_setting(change).kept_as if origin.default else ""))
        if found is None:
            return None
        section, entry = found
        value = (change.old or "") if origin.default else entry.value
        called = "" if is_name(section.steps[-1][1]) else section.own_name
        return _Place(_head(file.lines[section.line - 1 : entry.line]), file.variables, called, entry.name, value)

    def _file(self, path: str) -> _File | None:
        if path not in self._known:
            read = self._sources.get(path)
            data = read() if read is not None else b""
            self._known[path] = _read(data, path) if looks_like_properties(data[:8192]) else None
        return self._known[path]


class _File(NamedTuple):
    by_line: Mapping[tuple[int, str], tuple[Section, Property]]
    """Each property by its line; those that are null by the line of their section, and their name."""
    lines: Sequence[str]
    variables: tuple[tuple[str, str], ...]


def _read(data: bytes, path: str) -> _File:
    found: dict[tuple[int, str], tuple[Section, Property]] = {}
    for section in read_property_file(data, path, fill=False):
        if section.steps:
            found.update({(section.line, entry.name): (section, entry) for entry in section.nulls})
            found.update({(entry.line, ""): (section, entry) for entry in section.properties})
    lines = decode_lines(data)
    return _File(found, lines, tuple(variable_lines(lines).items()))


def _head(lines: Sequence[str]) -> tuple[str, ...]:
    named = [(line.partition("=")[0].strip(), line.strip()) for line in lines]
    parts = [line for name, line in named if name == _PART]
    return (*(line for name, line in named if name in HEADERS), *parts[-1:])


def _text(changes: Sequence[Assignment], files: _Files, steps: str, *, undoing: bool) -> str | None:
    """One file with all changes; None where one of them has no place or a value that a line cannot hold, or where a
    variable has two values.
    """
    variables: dict[str, str] = {}
    before: dict[_Place, str] = {}
    after: dict[_Place, str] = {}
    for change in changes:
        place = files.place(change)
        if place is None or change.old is None or not all(map(_fits, (change.old, change.new))):
            return None
        if _with_value(place, place.value, change, change.old) != place.value:
            return None  # the export says the same in other words
        if any(variables.setdefault(name, line) != line for name, line in place.variables):
            return None
        before[place] = place.value
        after[place] = _with_value(place, after.get(place, place.value), change, change.new)
    if undoing:
        before, after = after, before
    what = "Undoes the changes of a plan" if undoing else "Changes planned by lintmdb"
    lines = [
        f"# {what}, for wsadmin:",
        *([f"# {steps}"] if steps else []),
        "# AdminTask.applyConfigProperties('[-propertiesFileName THIS_FILE]'), then AdminConfig.save()",
        "# WebSphere does not compare: look whether each value is still the one behind 'before'.",
        *(f"# {sentence}." for sentence in afterwards(changes, all_names=True)),
    ]
    for head, called in dict.fromkeys((place.head, place.object) for place in after):
        if called:
            lines += ["", *(line for line in head if not line.startswith(_PART)), "", f"name={quoted_value(called)}"]
        lines += ["", *head, ""]
        for place in after:
            if (place.head, place.object) == (head, called):
                name = place.name
                lines += [f"# before: {name}={quoted_value(before[place])}", f"{name}={quoted_value(after[place])}"]
    if variables:
        lines += ["", VARIABLES, *variables.values()]
    return "\n".join([*lines, ""])


def _fits(value: str) -> bool:
    """Whether a line can hold a value; WebSphere puts something else in place of a variable."""
    return value.isprintable() and "!{" not in value


def _with_value(place: _Place, text: str, change: Assignment, value: str) -> str:
    """The text of the property that is an attribute, or into which it is packed, with another value of it."""
    if place.name != _PACKED:
        return value
    names = {change.attribute.lower(), find_setting(change).kept_as.lower()}
    pairs = ((name, value if name.lower() in names else kept) for name, kept in packed_pairs(text))
    return ",".join(f'{name}="{kept}"' for name, kept in pairs)
