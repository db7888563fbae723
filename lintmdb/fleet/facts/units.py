"""Units: what is read at a time. One archive, one cell's tree, the folder of Liberty servers, all YAML files
together, or one other file.

A manifest of Kubernetes names others, which may be in any file, and a kustomization names files of its folder.
"""

from __future__ import annotations

import functools
import glob
import hashlib
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from lintmdb.errors import LintmdbError
from lintmdb.exports.archives import printable
from lintmdb.exports.discovery import Listed, cell_folder, in_cell, list_files
from lintmdb.exports.liberty import RUNTIME_ENVIRONMENT, SERVER_FILE, is_companion, server_folder
from lintmdb.exports.linked_files import linked_files
from lintmdb.exports.was import wanted
from lintmdb.exports.was.unpacked import application_folders, folder_of, installed_in, packed_beside
from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import Problem
from lintmdb.run.environments import NONE, Environments


@dataclass
class Unit:
    """One export as it is listed: its files, and a stamp that changes when one of them does."""

    path: str
    """As shown to people: of an archive or file itself, of a tree the cell's folder."""
    files: list[Listed]
    environment: str | None = None

    @property
    def key(self) -> str:
        """Its path, among those of all environments."""
        return key_of(self.environment, self.path)

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)

    @functools.cached_property
    def stamp(self) -> str:
        """A hash of names, lengths, times of change and the environment."""
        text = "\n".join(f"{f.shown}\x1f{f.size}\x1f{f.modified_ns}\x1f{f.named:d}" for f in self.files)
        text += f"\n{self.environment}" if self.environment else ""
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]


class Inputs(NamedTuple):
    """All units below the inputs, sorted by path, and what could not be listed."""

    units: list[Unit]
    problems: list[Problem]


def is_uri(path: str) -> bool:
    """Whether a path names a file system (``hdfs://...``, ``file:///...``), and Spark is to list and read it."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", path) is not None


def shown_uri(path: str) -> str:
    """A URI as people see it: ``file:/a`` is ``file:///a``, and a password is left out."""
    scheme, _, rest = path.partition(":")
    rest = _PASSWORD.sub(r"\1", rest) if rest.startswith("//") else f"//{rest}"
    return printable(f"{scheme}:{rest}")


_PASSWORD = re.compile(r"\A(//[^/@:]*):[^/@]*(?=@)")


def list_units(inputs: Sequence[str], remote: Sequence[Listed] = (), environments: Environments = NONE) -> Inputs:
    """The units below folders, files and globs of this computer, and those of ``remote`` files. What is in several
    environments is several units.

    Raises LintmdbError for an input that is not there, or is in several environments.
    """
    for entry in inputs:
        if is_uri(entry):
            raise LintmdbError(
                f"{entry} is on another file system, which only fleet audit reads",
                next_step="Name a folder of this machine",
            )
    listing = list_files([path for entry in inputs for path in expanded(entry)])
    # Executors have working directories of their own.
    files = (
        file if os.path.isabs(file.file) else file._replace(file=os.path.abspath(file.file)) for file in listing.files
    )
    groups: dict[str | None, list[Listed]] = {}
    for file in (*files, *remote):
        groups.setdefault(environments.of(file.shown), []).append(file)
    units = [unit for environment, group in groups.items() for unit in group_units(group, environment)]
    problems = [replace(problem, environment=environments.of(problem.path)) for problem in listing.problems]
    return Inputs(sorted(units, key=lambda unit: (unit.path, unit.environment or "")), problems)


def listing_digest(units: Iterable[Unit]) -> str:
    """A hash of which units there are and of their stamps, in any order."""
    lines = sorted(f"{unit.key}\x1f{unit.stamp}" for unit in units)
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def expanded(entry: str) -> list[str]:
    """An input, or what a pattern finds. Raises LintmdbError for a pattern that finds nothing."""
    if os.path.lexists(entry) or not glob.has_magic(entry):
        return [entry]
    found = sorted(glob.glob(entry, recursive=True))
    if not found:
        raise LintmdbError(f"{entry} matches nothing", next_step="Name exports: folders, archives or globs")
    return found


def _server_unit(path: str, folders: frozenset[str], file: str) -> str:
    """The nearest folder with a server.xml above a file that such a server may read; for any other file itself.

    ``path`` is the file, or the folder of the unpacked application that it is part of.
    """
    beside = f"{path.removesuffix(RUNTIME_ENVIRONMENT)}usr"
    if path.endswith(RUNTIME_ENVIRONMENT) and beside in folders:
        return beside
    if path == file and not (path.lower().endswith((".xml", ".ear", ".war", ".jar")) or is_companion(path)):
        return path
    folder = path.rpartition("/")[0]
    while folder:
        if folder in folders:
            return folder
        folder = folder.rpartition("/")[0]
    return path


class _Deploying(NamedTuple):
    """The cells that deploy an application, by the name of its EAR file."""

    cells: Mapping[str, Collection[str]]
    lacking: Mapping[str, Collection[str]]
    """Those that do not hold the file."""

    def taking(self, path: str) -> Collection[str]:
        """The cells that an EAR file, or the folder of an unpacked one, is read with."""
        name, installed = path.rpartition("/")[2], installed_in(f"{path}/")
        if installed is None:
            return self.lacking.get(name, ())
        return [cell for cell in self.cells.get(name, ()) if cell.rpartition("/")[2] == installed]


def _deploying_cells(inside: Sequence[tuple[Listed, str]]) -> _Deploying:
    """What files in cells say, each given with the folder of its cell."""
    deploying: dict[str, set[str]] = {}
    for file, cell in inside:
        parts = file.shown[len(cell) + 1 :].split("/", 3)
        if parts[0] == "applications" and parts[2:3] == ["deployments"]:
            deploying.setdefault(parts[1], set()).add(cell)
    lacking = {name: set(cells) for name, cells in deploying.items()}
    for file, cell in inside if lacking else ():
        above, _, name = file.shown.rpartition("/")
        if name in lacking and above.endswith(f"/applications/{name}"):
            lacking[name].discard(cell)
    return _Deploying(deploying, lacking)


def _folder_of(paths: Collection[str]) -> str:
    """What a unit of some files is called: their folder, or the file itself where it is alone."""
    if not paths:
        return ""
    try:
        return os.path.commonpath(paths) or "."
    except ValueError:  # some are absolute, and some below the working directory
        return min(paths)


def group_units(files: Iterable[Listed], environment: str | None = None) -> list[Unit]:
    """Files of one environment as units: a cell's tree is one, with the EAR files of its applications; so is the folder
    of Liberty servers; all files that may name each other are one; any other file is one alone.
    """
    units: dict[str, Unit] = {}
    inside: list[tuple[Listed, str]] = []
    outside: list[Listed] = []
    for file in files:
        if in_cell(file.shown):
            inside.append((file, cell_folder(file.shown)))
        else:
            outside.append(file)
    folders = frozenset(server_folder(file.shown) for file in outside if file.shown.rpartition("/")[2] == SERVER_FILE)
    applications = _deploying_cells(inside)
    shown = {file.shown for file in outside}
    unpacked = application_folders(shown)
    named_together = linked_files(file.shown for file in outside if not is_uri(file.file))
    together = _folder_of(named_together)

    def add(key: str, file: Listed) -> None:
        unit = units.get(key)
        if unit is None:
            units[key] = Unit(key, [file], environment)
        else:
            unit.files.append(file)

    for file, cell in inside:
        if file.named or wanted(file.shown):  # no reader wants the others
            add(cell, file)
    for file in outside:
        path = folder_of(file.shown, unpacked) or file.shown
        path = (packed_beside(path, shown) if path in unpacked else None) or path
        cells = applications.taking(path)
        for cell in cells:
            add(cell, file)
        if not cells:
            add(together if file.shown in named_together else _server_unit(path, folders, file.shown), file)
    for unit in units.values():
        unit.files.sort(key=lambda file: file.shown)
    return [units[key] for key in sorted(units)]
