"""Which files under the given paths are exports, by what they hold and not by what they are called.

Inside a configuration repository (``.../cells/CELL/...``) the product's own fixed names decide, so that what no
reader wants is neither opened nor inflated; ``templates`` and ``temp`` beside ``cells`` would even be read as servers
that do not exist. Symbolic links below a named folder are not followed: they lead outside it, or to what is found
anyway. Devices and pipes are never opened.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from lintmdb.errors import LintmdbError, UnreadableError
from lintmdb.exports.archives import Member, archive_kind, members, printable
from lintmdb.exports.mq import looks_like_display, looks_like_ebcdic_mqsc, looks_like_mqsc
from lintmdb.exports.was import looks_like_was, wanted
from lintmdb.model.relations import Problem

HEAD = 8192
MAX_DEPTH = 100
REPOSITORY_SIBLINGS = frozenset({"templates", "temp", "backup", "xforms", "waspolicies", "bundlecache", ".repository"})
"""Folders beside ``cells`` that hold no configuration of a cell, or a copy of it."""
PROFILE_SIBLINGS = frozenset({"wstemp", "temp", "config.bak", "config.old"})
"""Folders beside the ``config`` of a profile that may hold copies of it: workspaces of the console, and backups."""
_BESIDE = "is beside a repository and holds no configuration of a cell, or a copy of it"
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
    doubt: str = ""
    """Why it does not look like MQSC, where the user says that it is."""


class StandardInput(NamedTuple):
    """What stood on standard input, which the path ``-`` names."""

    file: Path
    shown: str


class Listed(NamedTuple):
    """A regular file as a listing shows it, not opened yet."""

    file: str
    """Where it can be opened."""
    shown: str
    """Its path as people see it."""
    size: int
    modified_ns: int
    group: str
    """What it is counted under if it is passed over: the shown path of its folder."""
    named: bool
    """The user named this very file."""


@dataclass(frozen=True, slots=True)
class Listing:
    """All regular files below some paths, each once, and what could not be listed."""

    files: list[Listed]
    passed_over: list[PassedOver]
    problems: list[Problem]


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
    unread: list[PassedOver] = field(default_factory=list[PassedOver])
    """Files that the user named, and that hold nothing to read."""


def discover(
    paths: Sequence[Path | str], stdin: StandardInput | None = None, scripts: Container[str] = ()
) -> Discovery:
    """Find exports in files, folders and archives. Raises LintmdbError for a path that does not exist.

    ``scripts`` are shown paths of files that are MQSC whatever they look like.
    """
    search = _Search(stdin, scripts)
    for file in search.listed(paths):
        search.file(file)
    return search.result()


def list_files(paths: Sequence[Path | str]) -> Listing:
    """The first half of ``discover``, which opens no file. Raises LintmdbError for a path that does not exist."""
    search = _Search()
    files = list(search.listed(paths))
    rest = search.result()
    return Listing(files, rest.passed_over, rest.problems)


def discover_listed(files: Iterable[Listed], scripts: Container[str] = ()) -> Discovery:
    """The second half of ``discover``: which of the listed files are exports, and the members of archives."""
    search = _Search(scripts=scripts)
    for file in files:
        search.file(file)
    return search.result()


class _Search:
    def __init__(self, stdin: StandardInput | None = None, scripts: Container[str] = ()) -> None:
        self.stdin = stdin
        self.scripts = scripts
        self.named: set[str] = set()
        self.unread: dict[str, str] = {}
        self.found: dict[str, Found] = {}
        self.reasons: dict[tuple[str, str], int] = {}
        self.problems: dict[str, Problem] = {}

    def result(self) -> Discovery:
        files = [self.found[path] for path in sorted(self.found)]
        passed = [PassedOver(path, reason, count) for (path, reason), count in sorted(self.reasons.items())]
        unread = [PassedOver(path, reason) for path, reason in sorted(self.unread.items())]
        return Discovery(files, passed, [self.problems[path] for path in sorted(self.problems)], unread)

    def listed(self, paths: Sequence[Path | str]) -> Iterator[Listed]:
        """The regular files below paths, each once."""
        shown: set[str] = set()
        # All of them first: a file may be met below a folder before its own turn comes.
        self.named.update(self._named(Path(path)) for path in paths)
        for path in paths:
            start = Path(path)
            files = self._standard_input(start)
            if files is None and not os.path.lexists(start):
                raise LintmdbError(f"{path} does not exist", next_step="Name exports: files, folders or archives")
            for file in self._below(start) if files is None else files:
                if file.shown not in shown:
                    shown.add(file.shown)
                    yield file

    def _named(self, start: Path) -> str:
        return printable(self.stdin.shown) if self.stdin is not None and str(start) == "-" else shown_path(start)

    def _standard_input(self, start: Path) -> list[Listed] | None:
        """The one file that ``-`` stands for, where standard input was given."""
        if self.stdin is None or str(start) != "-":
            return None
        about, shown = self.stdin.file.stat(), printable(self.stdin.shown)
        return [Listed(str(self.stdin.file), shown, about.st_size, about.st_mtime_ns, shown, True)]

    def _below(self, start: Path) -> Iterator[Listed]:
        try:
            kind = start.stat()
        except OSError as error:
            self._problem(shown_path(start), f"cannot be read: {error.strerror}")
            return
        if stat.S_ISDIR(kind.st_mode):
            yield from self._walk(start)
        elif stat.S_ISREG(kind.st_mode):
            group = shown_path(start.parent)
            yield Listed(str(start), shown_path(start), kind.st_size, kind.st_mtime_ns, group, True)
        else:
            self._pass_once(shown_path(start), "is no regular file")
            self._refuse(shown_path(start), "is no regular file")

    def _walk(self, start: Path) -> Iterator[Listed]:
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
            profile = any(entry.name == "config" and os.path.isdir(f"{entry.path}/cells") for entry in entries)
            beside = {*(REPOSITORY_SIBLINGS if repository else ()), *(PROFILE_SIBLINGS if profile else ())}
            for entry in entries:
                shown = prefix + printable(entry.name)
                try:
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name in beside:
                            self._pass_once(shown, _BESIDE)
                        elif depth >= MAX_DEPTH:
                            self._problem(shown, f"is nested deeper than {MAX_DEPTH} folders")
                        else:
                            pending.append((entry.path, shown, depth + 1))
                    elif entry.is_symlink():
                        kind = " to a folder" if entry.is_dir() else ""
                        self._pass_once(shown, f"is a symbolic link{kind}, which is not followed")
                    elif entry.is_file():
                        about = entry.stat()
                        yield Listed(entry.path, shown, about.st_size, about.st_mtime_ns, group, False)
                    else:
                        self._pass_once(shown, "is no regular file")
                except OSError as error:
                    self._problem(shown, f"cannot be read: {error.strerror}")

    def file(self, listed: Listed) -> None:
        """Decide about one listed file."""
        file, shown, size, group, named = listed.file, listed.shown, listed.size, listed.group, listed.named
        if in_cell(shown) and not named and shown not in self.scripts:
            if wanted(shown):
                self.found[shown] = Found(shown, "was", size, partial(_read_file, file, shown))
            else:
                self._pass(cell_folder(shown), "no reader wants these files of a repository")
                self._refuse(shown, "is a file of a repository that no reader wants")
            return
        try:
            with open(file, "rb") as stream:
                head = stream.read(HEAD)
        except OSError as error:
            self._problem(shown, f"cannot be read: {error.strerror}")
            return
        kind = archive_kind(head)
        if kind is not None and not file.lower().endswith(_BINARY):
            met = len(self.found) + len(self.problems)
            self._archive(Path(file), shown, kind)
            if len(self.found) + len(self.problems) == met:
                self._refuse(shown, "is an archive that holds no export")
            return
        self._sniffed(shown, head, size, partial(_read_file, file, shown), shown if named else group, named=named)

    def _sniffed(
        self, shown: str, head: bytes, size: int, read: Callable[[], bytes], group: str, *, named: bool
    ) -> None:
        """Decide by content."""
        kind, reason = recognise(head)
        if kind == "mqsc" or (kind is not None and shown not in self.scripts):
            self.found[shown] = Found(shown, kind, size, read)
        elif reason.startswith("is MQSC in EBCDIC"):
            self._problem(shown, reason, "Convert it: iconv -f IBM-1047 -t UTF-8")
        elif shown in self.scripts and head.strip():
            self.found[shown] = Found(shown, "mqsc", size, read, reason or "holds no MQSC command")
        else:
            self._pass(shown if named or not reason.startswith("is no export") else group, reason)
            self._refuse(shown, reason)

    def _archive(self, file: Path, shown: str, kind: Literal["zip", "tar", "gzip"]) -> None:
        try:
            inside = list(members(file, shown, kind))
            single = kind == "gzip" and len(inside) == 1 and inside[0].name == file.name.removesuffix(".gz")
            roots = repository_roots(member.name for member in inside)
            for member in inside:
                place = shown if single else f"{shown}!/{member.name}"
                if lies_beside(member.name, roots):
                    self._pass(shown, _BESIDE)
                else:
                    self._member(member, place, shown, repository=bool(roots))
        except UnreadableError as error:
            self.problems[error.path or shown] = _unreadable(error, shown)

    def _member(self, member: Member, place: str, archive: str, *, repository: bool) -> None:
        if in_cell(f"/{member.name}"):
            if wanted(place):
                self.found[place] = Found(place, "was", member.size, partial(member.read, None))
            else:
                self._pass(archive, "no reader wants these members of a repository")
            return
        if repository and not _plausible(member.name):
            self._pass(archive, _BESIDE)
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

    def _refuse(self, shown: str, reason: str) -> None:
        """Record a file that the user named and that no reader takes."""
        if shown in self.named:
            self.unread.setdefault(shown, reason)  # the first is of what the file holds, where that is one member

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


def repository_roots(paths: Iterable[str]) -> frozenset[str]:
    """The folders that hold the ``cells`` of some files; '' is the top."""
    slashed = (f"/{path}" for path in paths)
    return frozenset(path[: path.index("/cells/")].removeprefix("/") for path in slashed if in_cell(path))


def lies_beside(path: str, roots: Container[str]) -> bool:
    """Whether a file lies in a folder beside the ``cells``, or the ``config``, of one of the repositories."""
    parts = path.split("/")
    for place, part in enumerate(parts[:-1]):
        above = "/".join(parts[:place])
        if part in REPOSITORY_SIBLINGS and above in roots:
            return True
        if part in PROFILE_SIBLINGS and (f"{above}/config" if above else "config") in roots:
            return True
    return False


def in_cell(path: str) -> bool:
    """Whether a path lies in the tree of a cell (``.../cells/CELL/...``)."""
    before, found, after = path.rpartition("/cells/")
    del before
    return bool(found or path.startswith("cells/")) and "/" in (after if found else path[len("cells/") :])


def cell_folder(path: str) -> str:
    """The folder of the cell that a path in a cell lies in."""
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
