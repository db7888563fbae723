"""The forms in which configuration objects are listed one by one, and the cells that the listed objects make up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from lintmdb.exports.was.config_objects import ConfigObject, Listed, add_objects
from lintmdb.exports.was.config_versions import agree, together
from lintmdb.exports.was.objects import CellConfig, Scope
from lintmdb.exports.was.property_exports import looks_like_properties, read_properties
from lintmdb.exports.was.wsadmin_output import looks_like_output, read_output
from lintmdb.exports.was.wsadmin_scripts import looks_like_script, may_be_script, read_script

_Objects: TypeAlias = dict[tuple[str, str, Scope], ConfigObject]
"""Listed objects by type, name and scope."""


class Listing(NamedTuple):
    """One form: whether a file that starts with some bytes has it, and its reader.

    The reader takes all bytes and the shown path, and raises UnreadableError.
    """

    looks_like: Callable[[bytes], bool]
    read: Callable[[bytes, str], Listed]


def _properties(data: bytes, path: str) -> Listed:
    return Listed(read_properties(data, path))


def _output(data: bytes, path: str) -> Listed:
    return Listed(read_output(data, path))


LISTINGS = {
    "properties": Listing(looks_like_properties, _properties),
    "wsadmin script": Listing(looks_like_script, read_script),
    "wsadmin output": Listing(looks_like_output, _output),
}
"""By name, in the order in which they are tried."""


def listing_form(head: bytes) -> str | None:
    """The form of a file that starts with these bytes; None where it has none of them."""
    return next((name for name, form in LISTINGS.items() if form.looks_like(head)), None)


def script_form(data: bytes, path: str) -> str | None:
    """The form of a script that creates objects only behind its first bytes; None for any other file."""
    return "wsadmin script" if may_be_script(data[:8192], path) and looks_like_script(data) else None


def read_listing(form: str, data: bytes, path: str) -> Listed:
    """The objects in one file of a form. Raises UnreadableError."""
    return LISTINGS[form].read(data, path)


def group_objects(objects: Iterable[ConfigObject]) -> dict[str | None, list[ConfigObject]]:
    """Listed objects by the cell that they name; under None those that name none."""
    by_cell: dict[str | None, list[ConfigObject]] = {}
    for entry in objects:
        by_cell.setdefault(entry.cell, []).append(entry)
    return by_cell


def listed_cells(name: str, objects: Iterable[ConfigObject]) -> list[CellConfig]:
    """The parts of one cell that files of listed objects make up together.

    Files that list the same object and agree on it tell it together. Those that do not are versions of it: each is a
    part of its own, and they are compared later.
    """
    files: dict[str, list[ConfigObject]] = {}
    for entry in objects:
        files.setdefault(entry.origin.path, []).append(entry)
    parts: list[_Part] = []
    for path, entries in files.items():
        listed = {(entry.type, entry.name, entry.scope): entry for entry in entries}
        part = next((part for part in parts if part.fits(listed)), None)
        if part is None:
            parts.append(part := _Part())
        part.add(path, listed)
    return [part.cell(name) for part in parts]


@dataclass(slots=True)
class _Part:
    """What files that agree tell of one cell."""

    objects: _Objects = field(default_factory=dict[tuple[str, str, Scope], ConfigObject])
    files: list[str] = field(default_factory=list[str])

    def fits(self, listed: _Objects) -> bool:
        """Whether the objects of another file agree with these where they are the same."""
        return all(agree(self.objects[key], listed[key]) for key in self.objects.keys() & listed.keys())

    def add(self, path: str, listed: _Objects) -> None:
        """Add the objects of a file."""
        self.files.append(path)
        for key, entry in listed.items():
            self.objects[key] = together(self.objects[key], entry) if key in self.objects else entry

    def cell(self, name: str) -> CellConfig:
        """The cell that they make up."""
        cell = CellConfig(root=self.files[0], name=name, rooted=True, listed=True)
        cell.files.update(self.files)
        add_objects(cell, self.objects.values())
        return cell
