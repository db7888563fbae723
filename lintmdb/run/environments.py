"""Environments: which exports belong to dev, test or prod. Nothing joins across environments."""

from __future__ import annotations

import functools
import glob
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from lintmdb.errors import LintmdbError
from lintmdb.exports.discovery import shown_path
from lintmdb.exports.mq.kustomized_files import KUSTOMIZATIONS
from lintmdb.model.columns import columns
from lintmdb.model.environment_names import key_of
from lintmdb.model.facts import Facts
from lintmdb.model.relations import RELATIONS

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
"""How the address of a file on another machine begins."""
_MEMBER = "!/"
"""Between an archive and its member."""
_NOT_NAMES = ("", ".", "..")
"""What may stand behind the last slash of a path and is no file's own name."""


@dataclass(frozen=True)
class Environments:
    """The environment of each export, by its path."""

    folders: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """The environments of a shown path."""
    patterns: Sequence[tuple[str, str]] = ()
    """Shown paths with wildcards, and the environment of each."""

    def __bool__(self) -> bool:
        return bool(self.folders or self.patterns)

    @property
    def names(self) -> tuple[str, ...]:
        """All environments, sorted."""
        found = {name for names in self.folders.values() for name in names}
        return tuple(sorted(found | {name for _, name in self.patterns}))

    @property
    def entries(self) -> list[tuple[str, str]]:
        """The name and the path of each, a path that may hold wildcards."""
        named = [(name, path) for path, names in self.folders.items() for name in sorted(names)]
        return [*named, *((name, pattern) for pattern, name in self.patterns)]

    def roots(self, name: str) -> list[str]:
        """The paths of an environment, without those that have wildcards."""
        return [path for path, names in self.folders.items() if name in names]

    def of(self, path: str) -> str | None:
        """The environment of a shown path: that of the longest path that names it or a folder above it. Raises
        LintmdbError where two environments name the same path.
        """
        if not self:
            return None
        outer, _, _ = path.partition(_MEMBER)
        return self._of_file(outer) or self._of_linked(outer)

    def _of_linked(self, path: str) -> str | None:
        """The environment of a path that leads through links, and of one that a link of an environment leads to."""
        if _ADDRESS.match(path):
            return None
        above, slash, name = path.rpartition("/")
        folder = above if slash else "."
        if folder not in self._followed:
            self._followed[folder] = _real(folder or "/")
        known = self._folders_followed
        found = known._of_file(f"{self._followed[folder].rstrip('/')}/{name}")
        if found or not (os.path.islink(path) or name in _NOT_NAMES):  # else it is where its folder is
            return found
        return known._of_file(_real(path))

    @functools.cached_property
    def _followed(self) -> dict[str, str]:
        return {}

    @functools.cached_property
    def _folders_followed(self) -> Environments:
        """The same with the real paths of the folders."""
        folders: dict[str, frozenset[str]] = {}
        for path, names in self.folders.items():
            real = path if _ADDRESS.match(path) else _real(path)
            folders[real] = folders.get(real, frozenset()) | names
        return Environments(folders, self.patterns)

    def _of_file(self, path: str) -> str | None:
        found = self._named(path)
        if found:
            return _only(found, path)
        above, slash, _ = path.rpartition("/")
        return self._of_folder(above) if slash else self._of_folder("" if path.startswith("/") else ".")

    @functools.cached_property
    def _known(self) -> dict[str, str | None]:
        return {}

    def _of_folder(self, folder: str) -> str | None:
        if folder not in self._known:
            found = self._named(folder or "/")
            above, slash, _ = folder.rpartition("/")
            outer = above if slash else "." if folder and folder != "." else None
            if found:
                self._known[folder] = _only(found, folder or "/")
            else:
                self._known[folder] = self._of_folder(outer) if outer is not None else None
        return self._known[folder]

    def _named(self, path: str) -> frozenset[str]:
        """The environments that name this very path."""
        found = self.folders.get(path, frozenset())
        return found | {name for pattern, name in self.patterns if _fits(pattern, path)}


NONE = Environments()


def _fits(pattern: str, path: str) -> bool:
    """Whether a path is what a pattern means, whose wildcards stay within one folder's name."""
    wanted, given = pattern.split("/"), path.split("/")
    return len(wanted) == len(given) and all(map(fnmatchcase, given, wanted))


def _only(found: frozenset[str], path: str) -> str:
    if len(found) > 1:
        names = ", ".join(sorted(found))
        step = "Name each path in one of them"
        if any((folder / name).is_file() for folder in (Path(path), Path(path).parent) for name in KUSTOMIZATIONS):
            step = (
                "Render each overlay with kubectl kustomize, and name what it prints in the environment of the overlay"
            )
        raise LintmdbError(f"{path} is in several environments: {names}", next_step=step)
    return next(iter(found))


def build_environments(entries: Iterable[tuple[str, str]]) -> Environments:
    """The environments of names and paths; a path may hold wildcards. Raises LintmdbError."""
    folders: dict[str, frozenset[str]] = {}
    patterns: dict[tuple[str, str], None] = {}
    for name, path in entries:
        check_name(name)
        shown = _shown(path)
        if glob.has_magic(path) and not Path(path).exists():
            if "**" in path:
                raise LintmdbError(f"{path} of environment {name} has **", next_step="Write * for each folder")
            patterns[shown, name] = None
        else:
            folders[shown] = folders.get(shown, frozenset()) | {name}
    environments = Environments(folders, tuple(patterns))
    for path, names in folders.items():
        _only(names, path)
    return environments


def _shown(path: str) -> str:
    return path.rstrip("/") if _ADDRESS.match(path) else shown_path(Path(path))


def _real(path: str) -> str:
    """Where a path leads, as paths are shown."""
    return shown_path(Path(os.path.realpath(path)))


def check_name(name: str) -> None:
    """Raises LintmdbError for what cannot be the name of an environment."""
    if not _NAME.match(name):
        raise LintmdbError(
            f"{name!r} is no name of an environment", next_step="Use letters, digits, dots, hyphens and underscores"
        )


def parse_environments(options: Iterable[str]) -> list[tuple[str, str]]:
    """``NAME=PATH`` entries as names and paths. Raises LintmdbError."""
    found: list[tuple[str, str]] = []
    for entry in options:
        name, _, path = entry.partition("=")
        if not name or not path:
            raise LintmdbError(
                f"--environment {entry!r} is not NAME=PATH", next_step="Write --environment prod=exports/prod"
            )
        check_name(name)
        found.append((name, path))
    return found


def split_environment(given: Path, known: Sequence[str], option: str) -> tuple[str | None, Path]:
    """The environment that a path of an option is for, as in ``prod=deploy.mqsc``, None without one, and the path.
    ``known`` are the environments that there are. Raises LintmdbError for one that is none of them.
    """
    name, equals, rest = str(given).partition("=")
    if equals and rest and name in known:
        return name, Path(rest)
    if equals and rest and not given.exists() and Path(rest).exists():
        step = f"The environments are {', '.join(known)}" if known else "Name it: --environment NAME=PATH"
        raise LintmdbError(f"{option} {given}: there is no environment {name}", next_step=step)
    return None, given


def put_in(facts: Facts, environment: str | None) -> Facts:
    """Facts whose rows know their environment. Their ids, which stand for themselves alone, are unique among all."""
    if environment is None:
        return facts
    placed = Facts(inline_suppressions=[each._replace(environment=environment) for each in facts.inline_suppressions])
    for table, rows in facts.rows.items():
        ids = [column.name for column in columns(RELATIONS[table]) if column.id_of]
        for row in rows:
            own = {name: key_of(environment, value) for name in ids if (value := getattr(row, name)) is not None}
            placed.rows[table].append(replace(row, environment=environment, **own))
    return placed
