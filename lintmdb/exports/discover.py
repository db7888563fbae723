"""Which files under the given paths are exports, by what they hold and not by what they are called.

Inside a configuration repository (``.../cells/CELL/...``) the product's own fixed names decide, so that what no
reader wants is neither opened nor inflated; ``templates`` and ``temp`` beside ``cells`` would even be read as servers
that do not exist. Symbolic links below a named folder are not followed: they lead outside it, or to what is found
anyway. Devices and pipes are never opened.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from lintmdb.errors import LintmdbError, UnreadableError
from lintmdb.exports.archives import Member, archive_kind, members, printable
from lintmdb.exports.mq import looks_like_display, looks_like_ebcdic_mqsc, looks_like_mqsc
from lintmdb.exports.was import looks_like_was, wanted
from lintmdb.model import Problem

HEAD = 8192
MAX_DEPTH = 100
_REPOSITORY_SIBLINGS = frozenset({"templates", "temp", "xforms", "waspolicies", "bundlecache", ".repository"})
_BINARY = (
    ".jar",
    ".class",
    ".war",
    ".ear",
    ".rar",
    ".so",
    ".dll",
    ".exe",
    ".png",
    ".gif",
    ".jpg",
    ".jks",
    ".p12",
    ".kdb",
)

Kind = Literal["was", "mqsc"]


class Found(NamedTuple):
    """A file that a reader wants."""

    path: str
    kind: Kind
    size: int
    read: Callable[[], bytes]


class PassedOver(NamedTuple):
    """What was not read, and why; ``files`` files below ``path`` share the reason."""

    path: str
    reason: str
    files: int = 1


@dataclass(slots=True)
class Discovery:
    """All that was found, sorted by path."""

    files: list[Found] = field(default_factory=list[Found])
    passed_over: list[PassedOver] = field(default_factory=list[PassedOver])
    problems: list[Problem] = field(default_factory=list[Problem])


def discover(paths: Sequence[Path | str]) -> Discovery:
    """Find exports in files, folders and archives. Raises LintmdbError for a path that does not exist."""
    search = _Search()
    for path in paths:
        start = Path(path)
        if not os.path.lexists(start):
            raise LintmdbError(f"{path} does not exist", next_step="Name exports: files, folders or archives")
        search.path(start)
    return search.result()


class _Search:
    def __init__(self) -> None:
        self.found: dict[str, Found] = {}
        self.reasons: dict[tuple[str, str], int] = {}
        self.problems: dict[str, Problem] = {}
        self.seen: set[str] = set()

    def result(self) -> Discovery:
        files = [self.found[path] for path in sorted(self.found)]
        passed = [PassedOver(path, reason, count) for (path, reason), count in sorted(self.reasons.items())]
        return Discovery(files, passed, [self.problems[path] for path in sorted(self.problems)])

    def path(self, start: Path) -> None:
        try:
            kind = start.stat()
        except OSError as error:
            self._problem(shown_path(start), f"cannot be read: {error.strerror}")
            return
        if stat.S_ISDIR(kind.st_mode):
            self._folder(start)
        elif stat.S_ISREG(kind.st_mode):
            self._file(str(start), shown_path(start), kind.st_size, shown_path(start.parent), named=True)
        else:
            self._pass_once(shown_path(start), "is no regular file")

    def _folder(self, start: Path) -> None:
        for file, shown, size, group in self._walk(start):
            if size < 0:
                self._pass_once(shown, "is no regular file")
            else:
                self._file(file, shown, size, group, named=False)

    def _walk(self, start: Path) -> Iterator[tuple[str, str, int, str]]:
        """Files below a folder: path, shown path, size (-1 for what is no file), and the shown path of its folder."""
        pending = [(str(start), shown_path(start), 0)]
        while pending:
            folder, group, depth = pending.pop()
            prefix = "" if group == "." else group.rstrip("/") + "/"
            try:
                with os.scandir(folder) as scan:
                    entries = sorted(scan, key=lambda entry: entry.name)
            except OSError as error:
                self._problem(group, f"cannot be read: {error.strerror}")
                continue
            repository = any(entry.name == "cells" and entry.is_dir() for entry in entries)
            for entry in entries:
                shown = prefix + printable(entry.name)
                try:
                    if entry.is_dir(follow_symlinks=False):
                        if repository and entry.name in _REPOSITORY_SIBLINGS:
                            self._pass_once(shown, "is beside cells and holds no configuration of a cell")
                        elif depth >= MAX_DEPTH:
                            self._problem(shown, f"is nested deeper than {MAX_DEPTH} folders")
                        else:
                            pending.append((entry.path, shown, depth + 1))
                    elif entry.is_symlink():
                        kind = " to a folder" if entry.is_dir() else ""
                        self._pass_once(shown, f"is a symbolic link{kind}, which is not followed")
                    elif entry.is_file():
                        yield entry.path, shown, entry.stat().st_size, group
                    else:
                        yield entry.path, shown, -1, group
                except OSError as error:
                    self._problem(shown, f"cannot be read: {error.strerror}")

    def _file(self, file: str, shown: str, size: int, group: str, *, named: bool) -> None:
        if shown in self.seen:
            return
        self.seen.add(shown)
        in_cell = _in_cell(shown)
        if in_cell and not named:
            if wanted(shown):
                self.found[shown] = Found(shown, "was", size, partial(_read_file, file, shown))
            else:
                self._pass(_cell_folder(shown), "no reader wants these files of a repository")
            return
        try:
            with open(file, "rb") as stream:
                head = stream.read(HEAD)
        except OSError as error:
            self._problem(shown, f"cannot be read: {error.strerror}")
            return
        kind = archive_kind(head)
        if kind is not None and not file.lower().endswith(_BINARY):
            self._archive(Path(file), shown, kind)
            return
        self._sniffed(shown, head, size, partial(_read_file, file, shown), shown if named else group, named=named)

    def _sniffed(
        self, shown: str, head: bytes, size: int, read: Callable[[], bytes], group: str, *, named: bool
    ) -> None:
        """Decide by content."""
        kind, reason = recognise(head)
        if kind is not None:
            self.found[shown] = Found(shown, kind, size, read)
        elif reason.startswith("is MQSC in EBCDIC"):
            self._problem(shown, reason, "Convert it: iconv -f IBM-1047 -t UTF-8")
        elif named or not reason.startswith("is no export"):
            self._pass(shown, reason)
        else:
            self._pass(group, reason)

    def _archive(self, file: Path, shown: str, kind: Literal["zip", "tar", "gzip"]) -> None:
        try:
            inside = list(members(file, shown, kind))
            single = kind == "gzip" and len(inside) == 1 and inside[0].name == file.name.removesuffix(".gz")
            repository = any(_in_cell(f"/{member.name}") for member in inside)
            for member in inside:
                place = shown if single else f"{shown}!/{member.name}"
                self._member(member, place, shown, repository=repository)
        except UnreadableError as error:
            self.problems[error.path or shown] = _unreadable(error, shown)

    def _member(self, member: Member, place: str, archive: str, *, repository: bool) -> None:
        if _in_cell(f"/{member.name}"):
            if wanted(place):
                self.found[place] = Found(place, "was", member.size, partial(member.read, None))
            else:
                self._pass(archive, "no reader wants these members of a repository")
            return
        top = member.name.partition("/")[0]
        if repository and (top in _REPOSITORY_SIBLINGS or not _plausible(member.name)):
            self._pass(archive, "is beside cells and holds no configuration of a cell")
            return
        if member.name.lower().endswith(_BINARY):
            self._pass(archive, "is binary, by its name")
            return
        try:
            head = member.read(HEAD)
        except UnreadableError as error:
            self.problems[error.path or place] = _unreadable(error, place)
            return
        self._sniffed(place, head, member.size, partial(member.read, None), archive, named=False)

    def _pass(self, path: str, reason: str) -> None:
        self.reasons[(path, reason)] = self.reasons.get((path, reason), 0) + 1

    def _pass_once(self, path: str, reason: str) -> None:
        """For what stands for itself: met again, it is the same one."""
        self.reasons[(path, reason)] = 1

    def _problem(self, path: str, text: str, next_step: str = "Check the path and its permissions") -> None:
        self.problems[path] = Problem(kind="unreadable", path=path, text=text, next_step=next_step)


def recognise(head: bytes) -> tuple[Kind | None, str]:
    """The kind of a file by its first bytes; where no reader wants it, why."""
    if not head.strip():
        return None, "is empty"
    was = looks_like_was(head)
    if was == "liberty":
        return None, "is a Liberty server.xml, which is not supported yet"
    if was is not None:
        return "was", ""
    if looks_like_mqsc(head):
        return "mqsc", ""
    if looks_like_ebcdic_mqsc(head):
        return None, "is MQSC in EBCDIC"
    if looks_like_display(head):
        return None, "is output of DISPLAY commands, which is not supported yet; give dmpmqcfg -a"
    if b"\0" in head:
        return None, "is no export: it is not text"
    return None, "is no export that lintmdb knows"


def _read_file(file: str, shown: str) -> bytes:
    try:
        with open(file, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise UnreadableError(
            f"cannot be read: {error.strerror}", path=shown, next_step="Check the path and its permissions"
        ) from None


def _unreadable(error: UnreadableError, shown: str) -> Problem:
    return Problem(
        kind="unreadable",
        path=error.path or shown,
        line=error.line,
        column=error.column,
        text=error.text,
        next_step=error.next_step,
    )


def _in_cell(path: str) -> bool:
    before, found, after = path.rpartition("/cells/")
    del before
    return bool(found or path.startswith("cells/")) and "/" in (after if found else path[len("cells/") :])


def _cell_folder(path: str) -> str:
    start = path.rfind("/cells/") + 1 if "/cells/" in path else 0
    parts = path[start:].split("/")
    return path[:start] + "/".join(parts[:2])


def _plausible(name: str) -> bool:
    """Whether a member beside ``cells`` may be an MQSC dump that somebody put into the archive."""
    return name.rpartition(".")[2].lower() in ("mqsc", "mqs", "txt", "tst", "out", "cfg")


def shown_path(path: Path) -> str:
    """A path as people see it: relative to the working directory where it lies below it, with ``/``.

    A path inside a cell shows the cell even if the user stands in it.
    """
    absolute = Path(os.path.abspath(path))
    try:
        relative = absolute.relative_to(Path.cwd())
    except ValueError:
        return printable(absolute.as_posix())
    if "cells" in absolute.parts and "cells" not in relative.parts:
        return printable(absolute.as_posix())
    return printable(relative.as_posix())
