"""Finds the exports under the given paths, by content and not by name.

Inside a configuration repository (``.../cells/CELL/...``) WebSphere's fixed file names decide instead, so lintmdb
neither opens nor inflates files that it does not need. Folders such as ``templates`` next to ``cells`` are skipped:
they would yield servers that do not exist. Symbolic links below a named folder are not followed: they lead outside it,
or to a file that the search finds anyway. Devices and pipes are never opened.
"""

from __future__ import annotations

import os
import stat
from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from lintmdb.errors import LintmdbError, UnreadableError
from lintmdb.exports.archives import Member, archive_kind, members, printable
from lintmdb.exports.liberty import companion_folder, is_companion, looks_like_liberty, shared_environments
from lintmdb.exports.mq import FormatName, format_of, is_about_mq, looks_like_ebcdic_mqsc, quotes_yaml
from lintmdb.exports.mq.client_table import looks_like_client_table
from lintmdb.exports.mq.dump_end import leading_message
from lintmdb.exports.mq.ebcdic import from_ebcdic, is_ebcdic
from lintmdb.exports.mq.env_files import looks_like_env_file
from lintmdb.exports.mq.kustomized_files import (
    base_of,
    is_kustomization,
    kustomized_folders,
    lies_in,
    may_be_part,
    mentions_mq,
)
from lintmdb.exports.mq.shell.typed import typed_commands
from lintmdb.exports.text import unmarked_utf16, utf16_words
from lintmdb.exports.was import is_application, looks_like_was, may_be_script, script_form, wanted
from lintmdb.exports.was.application_files import SUFFIXES
from lintmdb.exports.was.unpacked import application_folders, folder_of, lying_here, needed, packed, packed_beside
from lintmdb.model.relations import Problem

HEAD = 8192
MAX_DEPTH = 100
_LONGEST_SCRIPT = 1 << 22
REPOSITORY_SIBLINGS = frozenset({"templates", "temp", "backup", "xforms", "waspolicies", "bundlecache", ".repository"})
"""Folders next to ``cells`` that hold no cell configuration, or only a copy of it."""
PROFILE_SIBLINGS = frozenset({"wstemp", "temp", "config.bak", "config.old"})
"""Folders next to a profile's ``config`` that may hold copies of it: workspaces of the console, and backups."""
_BESIDE = "is next to a repository and contains no cell configuration, or only a copy of it"
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

Kind = Literal["was", "liberty", "ccdt", "kustomize"] | FormatName
"""What a file is; ``kustomize`` is one that counts only where a kustomization names it."""
NOT_AN_EXPORT = "is not an export"
"""The beginning of the reason for skipping a file that is not configuration at all."""


_PLANNED = (
    b"planned by lintmdb",
    b"Undoes the changes of the plan for ",
    b"Undoes the changes of a plan, for ",
    b"* Rights that would spare messages a worse fate while a",
    b"* Changes that are no step of the plan, because no",
    b"## lintmdb plan: ",
)
"""What the first lines of scripts and pages of ``lintmdb plan`` say."""


class Found(NamedTuple):
    """A file to read: its shown path, its kind, its size in bytes, and a function that reads all of it."""

    path: str
    kind: Kind
    size: int
    read: Callable[[], bytes]
    doubt: str = ""
    """Why the file does not look like MQSC although the user says that it is; otherwise ''."""


class StandardInput(NamedTuple):
    """A copy of standard input, which the path ``-`` stands for, and its shown path."""

    file: Path
    shown: str


_Sized: TypeAlias = tuple[int, Callable[[], bytes]]
"""The size of a file in bytes, and a function that reads all of it."""


class _Companion(NamedTuple):
    """A file that counts only beside another one; otherwise it is passed over."""

    found: Found
    group: str
    reason: str


class Listed(NamedTuple):
    """A regular file in a listing, not opened yet. ``size`` is in bytes."""

    file: str
    """The path that opens it."""
    shown: str
    """The path that reports show."""
    size: int
    modified_ns: int
    group: str
    """The shown path of its folder; files that are passed over are counted by it."""
    named: bool
    """The user named this file, not just a folder above it."""


@dataclass(frozen=True, slots=True)
class Listing:
    """All regular files below some paths, each once, and the paths that could not be listed."""

    files: list[Listed]
    passed_over: list[PassedOver]
    problems: list[Problem]


class PassedOver(NamedTuple):
    """What lintmdb did not read, and why. ``files`` counts the files below ``path`` that share the reason."""

    path: str
    reason: str
    files: int = 1


_PLANNED_SCRIPT = "is written by lintmdb plan: a change, and no export"
_PLANNED_COPY = f"{_PLANNED_SCRIPT} (if it has been run, name the file to read it as one)"


def _is_planned(head: bytes, shown: str) -> bool:
    """Whether a file is a script of a plan. What lies in ``configDropins`` has been applied to its server."""
    return "configDropins" not in shown and any(words in head[:200] for words in _PLANNED)


@dataclass(slots=True)
class Discovery:
    """The result of a search; each list is sorted by path."""

    files: list[Found] = field(default_factory=list[Found])
    passed_over: list[PassedOver] = field(default_factory=list[PassedOver])
    problems: list[Problem] = field(default_factory=list[Problem])
    unread: list[PassedOver] = field(default_factory=list[PassedOver])
    """The files and folders that the user named and that contain nothing to read."""


def discover(
    paths: Sequence[Path | str], stdin: StandardInput | None = None, scripts: Container[str] = ()
) -> Discovery:
    """Find the exports in files, folders and archives. Raises LintmdbError for a path that does not exist.

    ``scripts`` has the shown paths of files to read as MQSC whatever they contain.
    """
    search = _Search(stdin, scripts)
    search.files(search.listed(paths))
    found = search.result()
    told = [f"{entry.path}/" for entry in (*found.problems, *found.unread)]
    fruitless = fruitless_folders(paths, [*(file.path for file in found.files), *told])
    fruitless = (_of_plan(_with_base(folder, search.bases), found.passed_over) for folder in fruitless)
    found.unread = sorted([*found.unread, *fruitless])
    return found


def fruitless_folders(paths: Iterable[Path | str], known: Iterable[str]) -> Iterator[PassedOver]:
    """The folders that the user named and below which nothing is known: no shown path of ``known`` is inside."""
    ordered = sorted(known)

    def is_known(shown: str) -> bool:
        if shown == ".":
            return not all(map(os.path.isabs, ordered))
        inside = f"{shown.rstrip('/')}/"
        return "".join(ordered[bisect_left(ordered, inside) :][:1]).startswith(inside)

    for path in {Path(path) for path in paths}:
        shown = shown_path(path)
        if path.is_dir() and not is_known(shown):
            yield PassedOver(shown, "is a folder without an export that lintmdb recognises")


def _with_base(folder: PassedOver, bases: Mapping[str, str]) -> PassedOver:
    """Why a folder holds no export, where its kustomization is made of a folder that was not given."""
    inside = "" if folder.path == "." else f"{folder.path.rstrip('/')}/"
    base = next((base for path, base in sorted(bases.items()) if path.startswith(inside)), "")
    if not base:
        return folder
    why = f"its kustomization is made of {base}, which was not given"
    return folder._replace(reason=f"{folder.reason}: {why}: name that, too, or give what kubectl kustomize prints")


def _of_plan(folder: PassedOver, passed_over: Iterable[PassedOver]) -> PassedOver:
    """Why a folder holds no export, where it holds scripts of a plan."""
    inside = f"{folder.path.rstrip('/')}/"
    if not any(
        entry.reason.startswith(_PLANNED_SCRIPT) and f"{entry.path}/".startswith(inside) for entry in passed_over
    ):
        return folder
    return folder._replace(reason="holds scripts that lintmdb plan has written: name each file to read it as an export")


def list_files(paths: Sequence[Path | str]) -> Listing:
    """The first half of ``discover``, which opens no file. Raises LintmdbError for a path that does not exist."""
    search = _Search()
    files = list(search.listed(paths))
    rest = search.result()
    unread = [Problem(kind="not_read", path=path, text=f"was not read: it {reason}") for path, reason, _ in rest.unread]
    return Listing(files, rest.passed_over, [*rest.problems, *unread])


def discover_listed(files: Iterable[Listed], scripts: Container[str] = ()) -> Discovery:
    """The second half of ``discover``: pick the exports among the listed files and the members of archives."""
    search = _Search(scripts=scripts)
    files = list(files)
    search.named.update(file.shown for file in files if file.named)
    search.files(files)
    return search.result()


class _Search:
    def __init__(self, stdin: StandardInput | None = None, scripts: Container[str] = ()) -> None:
        self.stdin = stdin
        self.scripts = scripts
        self.named: set[str] = set()
        self.unread: dict[str, str] = {}
        self.found: dict[str, Found] = {}
        self.reasons: dict[tuple[str, str], int] = {}
        self.alone: dict[tuple[str, str], str] = {}
        self.problems: dict[str, Problem] = {}
        self.companions: list[_Companion] = []
        self.parts: list[_Companion] = []
        self.bases: dict[str, str] = {}
        """What kustomizations that are passed over are made of, by their paths."""

    def result(self) -> Discovery:
        self._pick_companions()
        self._pick_parts()
        files = [self.found[path] for path in sorted(self.found)]
        passed = sorted(
            PassedOver(self.alone.get((path, reason), path) if count == 1 else path, reason, count)
            for (path, reason), count in self.reasons.items()
        )
        unread = [PassedOver(path, reason) for path, reason in sorted(self.unread.items())]
        return Discovery(files, passed, [self.problems[path] for path in sorted(self.problems)], unread)

    def listed(self, paths: Sequence[Path | str]) -> Iterator[Listed]:
        """The regular files below the paths, each once."""
        shown: set[str] = set()
        # Collect all names first: the walk of a folder may reach a named file before its own turn.
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
        """The file that ``-`` stands for, if there is standard input."""
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
            self._pass_once(shown_path(start), "is not a regular file")
            self._refuse(shown_path(start), "is not a regular file")

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
                        self._pass_once(shown, "is not a regular file")
                except OSError as error:
                    self._problem(shown, f"cannot be read: {error.strerror}")

    def files(self, listed: Iterable[Listed]) -> None:
        """Decide which of all listed files to read."""
        listed = list(listed)
        readers = {
            file.shown: (file.size, partial(_read_file, file.file, file.shown))
            for file in listed
            if file.shown not in self.scripts and not in_cell(file.shown)
        }
        bare = bare_cells(file.shown for file in listed)
        for folder in bare:
            self._problem(folder or ".", _BARE, _way_out(folder))
        readers = {path: sized for path, sized in readers.items() if not lies_in(path, bare)}
        taken = self._unpacked(readers)
        for file in listed:
            if file.shown not in taken and not lies_in(file.shown, bare):
                self.file(file)

    def _unpacked(self, files: Mapping[str, _Sized]) -> Set[str]:
        """Take the files of unpacked applications, one by one or for all of them, and return their paths."""
        members: dict[str, dict[str, _Sized]] = {}
        here = lying_here(files) if "." in self.named else frozenset[str]()
        if here:
            members["."] = {f"./{path}": files[path] for path in here}
        folders = application_folders(files.keys() - here)
        for path, sized in files.items() if folders else ():
            folder = folder_of(path, folders) if path not in here else None
            if folder is not None:
                members.setdefault(folder, {})[path] = sized
        for folder, inside in members.items():
            if (beside := packed_beside(folder, files)) is not None:
                self.reasons[(folder, f"is unpacked from {beside}")] = len(inside)
                continue
            wanted = {path[len(folder) + 1 :]: sized for path, sized in inside.items() if needed(path)}
            readers = {path: read for path, (_, read) in wanted.items()}
            size = sum(size for size, _ in wanted.values())
            self.found[f"{folder}/"] = Found(f"{folder}/", "was", size, partial(packed, readers))
        return {path for inside in members.values() for path in inside} | here

    def file(self, listed: Listed) -> None:
        """Decide whether to read one listed file."""
        file, shown, size, group, named = listed.file, listed.shown, listed.size, listed.group, listed.named
        if in_cell(shown) and not named and shown not in self.scripts:
            if wanted(shown):
                self.found[shown] = Found(shown, "was", size, partial(_read_file, file, shown))
            else:
                self._pass(cell_folder(shown), _UNNEEDED)
                self._refuse(shown, "is a repository file that lintmdb does not need")
            return
        try:
            with open(file, "rb") as stream:
                head = stream.read(HEAD)
        except OSError as error:
            self._problem(shown, f"cannot be read: {error.strerror}")
            return
        kind = archive_kind(head)
        if kind is None and _claims_archive(shown) and shown not in self.scripts and recognise(head)[0] is None:
            self._problem(shown, _no_archive(head), "Make or copy it again")
            return
        if kind == "zip" and self._application(Path(file), shown, named=named):
            self.found[shown] = Found(shown, "was", size, partial(_read_file, file, shown))
            return
        if kind is not None and not file.lower().endswith(_BINARY):
            met = len(self.found) + len(self.problems)
            self._archive(Path(file), shown, kind)
            if len(self.found) + len(self.problems) == met:
                self._refuse(shown, "is an archive that contains no export")
            return
        self._sniffed(shown, head, size, partial(_read_file, file, shown), shown if named else group, named=named)

    def _application(self, file: Path, shown: str, *, named: bool) -> bool:
        """Whether a zip archive is an application or a module with enterprise beans."""
        try:
            names = [member.name for member in members(file, shown, "zip")]
        except UnreadableError:
            return file.name.lower().endswith(".ear")  # its reader says what is wrong
        if not file.name.lower().endswith(SUFFIXES) and application_folders(names):
            return False  # unpacked ones lie in it
        return is_application(names, ear=file.name.lower().endswith(".ear"), named=named)

    def _sniffed(
        self, shown: str, head: bytes, size: int, read: Callable[[], bytes], group: str, *, named: bool
    ) -> None:
        """Decide by content whether to read a file or member."""
        if not named and shown not in self.scripts and _is_planned(head, shown):
            in_its_folder = any((parent / "plan.json").is_file() for parent in Path(shown).parents)
            self._pass(group, _PLANNED_SCRIPT if in_its_folder else _PLANNED_COPY, shown)
            return
        kind, reason = recognise(head, shown)
        if kind is None and is_ebcdic(head) and (format_of(from_ebcdic(head, size)) or shown in self.scripts):
            head, read = from_ebcdic(head, size), partial(_converted, read)
            kind, reason = recognise(head, shown)
        longer = kind is None and len(head) == HEAD and size <= _LONGEST_SCRIPT
        if longer and may_be_script(head, shown) and self._creates_later(read, shown):
            kind, reason = "was", ""
        if kind == "was" and in_cell(shown) and not wanted(shown):
            kind, reason = None, "is a repository file that lintmdb does not need"
        try:
            if kind is not None and kind not in ("was", "liberty", "ccdt", "kustomize") and not is_about_mq(kind, read):
                kind, reason = None, f"{NOT_AN_EXPORT} of a queue manager"
        except UnreadableError as error:
            self.problems[error.path or shown] = _unreadable(error, shown)
            return
        self._tell_typed(kind, head, size, read, shown)
        if kind is not None and (kind != "was" or shown not in self.scripts):
            self.found[shown] = Found(shown, kind, size, read)
        elif reason.startswith(_OTHER_ENCODINGS):
            step = "" if "iconv" in reason else "Convert it: iconv -f IBM-1047 -t UTF-8"
            self._problem(shown, reason, step)
        elif shown in self.scripts and head.strip():
            self.found[shown] = Found(shown, "mqsc", size, read, reason or "contains no MQSC command")
        elif reason.startswith(NOT_AN_EXPORT) and _may_be_part(shown, head) and b"\0" not in head:
            part = Found(shown, "kustomize", size, read)
            self.parts.append(_Companion(part, shown if named else group, reason))
        elif reason.startswith(NOT_AN_EXPORT) and is_companion(shown) and b"\0" not in head:
            self.companions.append(_Companion(Found(shown, "liberty", size, read), shown if named else group, reason))
        else:
            in_folder = reason.startswith(NOT_AN_EXPORT) and not named and not _is_called_mqsc(shown)
            self._pass(group if in_folder else shown, reason, shown)
            self._refuse(shown, reason)

    def _tell_typed(self, kind: Kind | None, head: bytes, size: int, read: Callable[[], bytes], shown: str) -> None:
        """Tell of commands in notes or a script that nothing gives to a queue manager."""
        if kind not in (None, "shell") or b"runmqsc" not in head or size > _LONGEST_SCRIPT:
            return
        try:
            data = read() if len(head) == HEAD else head
        except UnreadableError:
            return  # its reader says so
        if typed := typed_commands(data.decode("utf-8", "replace"), shown):
            self.problems.setdefault(shown, typed)

    @staticmethod
    def _creates_later(read: Callable[[], bytes], shown: str) -> bool:
        """Whether a long file is a script for wsadmin whose first lines do not say so."""
        try:
            return script_form(read(), shown) is not None
        except UnreadableError:
            return False

    def _pick_companions(self) -> None:
        """Take the files that set variables of a Liberty server if its server.xml lies next to them, or it shares them
        with others.
        """
        servers = (path for path, found in self.found.items() if found.kind == "liberty") if self.companions else ()
        shared = {environment for path in servers for environment in shared_environments(path)}
        for found, group, reason in self.companions:
            folder = companion_folder(found.path)
            beside = self.found.get(f"{folder}/server.xml" if folder else "server.xml")
            if (beside is not None and beside.kind == "liberty") or found.path in shared:
                self.found[found.path] = found
            else:
                self._pass(group, reason, found.path)
                self._refuse(found.path, reason)
        self.companions = []

    def _pick_parts(self) -> None:
        """Take the files that kustomizations may name, where some manifest or kustomization is about queue managers."""
        manifests = {path for path, found in self.found.items() if found.kind == "kubernetes"}
        about_mq = bool(manifests) or any(
            is_kustomization(found.path) and mentions_mq(found.read()) for found, _, _ in self.parts
        )
        folders = kustomized_folders([*manifests, *(found.path for found, _, _ in self.parts)]) if about_mq else ()
        for found, group, reason in self.parts:
            if lies_in(found.path, folders):
                self.found[found.path] = found
            else:
                if is_kustomization(found.path) and (base := base_of(found.read())):
                    self.bases[found.path] = base
                self._pass(group, reason, found.path)
                self._refuse(found.path, reason)
        self.parts = []

    def _archive(self, file: Path, shown: str, kind: Literal["zip", "tar", "gzip"]) -> None:
        try:
            inside = list(members(file, shown, kind))
            single = kind == "gzip" and len(inside) == 1 and inside[0].name == file.name.removesuffix(".gz")
            if not inside or (single and not inside[0].read(1)):
                self._problem(shown, "is an empty archive", "Make or copy it again")
                return
            roots = repository_roots(member.name for member in inside)
            places = {member.name: shown if single else f"{shown}!/{member.name}" for member in inside}
            bare = bare_cells(member.name for member in inside)
            for folder in bare:
                self._problem(f"{shown}!/{folder}" if folder else shown, _BARE, f"Pack it as {_place_for(folder)}")
            inside = [member for member in inside if not lies_in(member.name, bare)]
            taken = self._unpacked(
                {
                    places[member.name]: (member.size, partial(member.read, None))
                    for member in inside
                    if not in_cell(f"/{member.name}") and not lies_beside(member.name, roots)
                }
            )
            for member in inside:
                place = places[member.name]
                if place in taken:
                    continue
                if lies_beside(member.name, roots):
                    self._pass(shown, _BESIDE, place)
                else:
                    self._member(member, place, shown, repository=bool(roots))
        except UnreadableError as error:
            self.problems[error.path or shown] = _unreadable(error, shown)

    def _member(self, member: Member, place: str, archive: str, *, repository: bool) -> None:
        if in_cell(f"/{member.name}"):
            if wanted(place):
                self.found[place] = Found(place, "was", member.size, partial(member.read, None))
            else:
                self._pass(archive, _UNNEEDED, place)
            return
        if repository and not _plausible(member.name):
            self._pass(archive, _BESIDE, place)
            return
        ear = member.name.lower().endswith(".ear")
        if member.name.lower().endswith(_BINARY) and not ear:
            self._pass(archive, "is binary, judging by its name", place)
            return
        try:
            head = member.read(HEAD)
        except UnreadableError as error:
            self.problems[error.path or place] = _unreadable(error, place)
            return
        if ear and archive_kind(head) == "zip":
            self.found[place] = Found(place, "was", member.size, partial(member.read, None))
            return
        if archive_kind(head) is not None and _claims_archive(member.name):
            self._pass(place, "is an archive in an archive, which is not opened: unpack it")
            return
        self._sniffed(place, head, member.size, partial(member.read, None), archive, named=False)

    def _pass(self, path: str, reason: str, file: str = "") -> None:
        """Count a file below a folder; ``file`` is what one that is alone there is called."""
        self.reasons[(path, reason)] = self.reasons.get((path, reason), 0) + 1
        self.alone.setdefault((path, reason), file or path)

    def _pass_once(self, path: str, reason: str) -> None:
        """Count a single path once, even if the search reaches it again."""
        self.reasons[(path, reason)] = 1

    def _refuse(self, shown: str, reason: str) -> None:
        """Record why a file is not read, if the user named it."""
        if shown in self.named:
            self.unread.setdefault(shown, reason)  # for a compressed file the first reason is that of its content

    def _problem(self, path: str, text: str, next_step: str = "Check the path and its permissions") -> None:
        self.problems[path] = Problem(kind="unreadable", path=path, text=text, next_step=next_step)


def is_missed(entry: PassedOver) -> bool:
    """Whether a file that was passed over was most likely meant to be read: it is called like a script of MQSC, holds
    nothing but what a command of IBM MQ failed with, or is a script of a plan that lies beside exports.
    """
    if entry.reason.startswith(_MESSAGE) or entry.reason == _PLANNED_COPY:
        return True
    return _is_called_mqsc(entry.path) and (entry.reason.startswith(NOT_AN_EXPORT) or entry.reason == _EMPTY)


def _may_be_part(path: str, head: bytes) -> bool:
    """Whether a file may be part of a kustomization, by its name or because it has lines for keys of an object."""
    plain = not is_companion(path) and not _is_called_mqsc(path)
    return may_be_part(path) or (plain and looks_like_env_file(head))


def _is_called_mqsc(path: str) -> bool:
    return path.lower().endswith((".mqsc", ".mqs"))


_UNNEEDED = "lintmdb does not need these files of a repository"
_OTHER_ENCODINGS = ("is MQSC in EBCDIC", "is text in UTF-16")
"""How the reasons begin not to read an export that is in an encoding that lintmdb does not read."""
_EMPTY = "is empty"
_MESSAGE = "holds a message of IBM MQ and no definitions"
_ARCHIVES = (".zip", ".car", ".tar", ".tgz", ".tar.gz", ".gz")


def _claims_archive(path: str) -> bool:
    """Whether a file has the name of an archive. If it does not begin like one, it is broken."""
    return path.lower().endswith(_ARCHIVES)


def _no_archive(head: bytes) -> str:
    return "has the name of an archive but does not begin like one" if head.strip() else "is an empty archive"


def recognise(head: bytes, path: str = "") -> tuple[Kind | None, str]:
    """The kind of a file by its first bytes, and ''; or None and the reason not to read it. The path, where it is
    known, tells only which files merely quote YAML.
    """
    if not head.strip():
        return None, _EMPTY
    if looks_like_was(head) is not None:
        return "was", ""
    if looks_like_liberty(head):
        return "liberty", ""
    mq = format_of(head, path)
    if mq is not None:
        return mq, ""
    if looks_like_client_table(head):
        return "ccdt", ""
    if looks_like_ebcdic_mqsc(head):
        return None, "is MQSC in EBCDIC, with bytes between that are no text"
    if message := leading_message(head):
        return None, f"{_MESSAGE} ({message})"
    if is_ebcdic(head):
        return None, f"{NOT_AN_EXPORT}: it is text in EBCDIC"
    if encoding := unmarked_utf16(head):
        is_export = recognise(head.decode(encoding, "ignore").encode())[0] is not None
        return None, utf16_words(encoding) if is_export else f"{NOT_AN_EXPORT}: it is text in {encoding}"
    if b"\0" in head:
        return None, f"{NOT_AN_EXPORT}: it is not text"
    if quotes_yaml(head):
        return None, f"{NOT_AN_EXPORT}: it may quote a manifest, but is not YAML itself"
    return None, f"{NOT_AN_EXPORT} that lintmdb recognises"


def _read_file(file: str, shown: str) -> bytes:
    try:
        with open(file, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise UnreadableError(
            f"cannot be read: {error.strerror}", path=shown, next_step="Check the path and its permissions"
        ) from None


def _converted(read: Callable[[], bytes]) -> bytes:
    data = read()
    return from_ebcdic(data, len(data))


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
    """The folders that contain ``cells``, judging by the paths of some files; '' is the top."""
    slashed = (f"/{path}" for path in paths)
    return frozenset(path[: path.index("/cells/")].removeprefix("/") for path in slashed if in_cell(path))


def bare_cells(paths: Iterable[str]) -> frozenset[str]:
    """The folders that hold what belongs into ``cells/CELL``, by which the scopes of files are known; '' is the top."""
    paths = list(paths)
    loose = (f"/{path}" for path in paths if path.endswith("cell.xml") and not in_cell(f"/{path}"))
    folders = {path.removesuffix("/cell.xml")[1:] for path in loose if path.endswith("/cell.xml")}
    beginnings = {folder: f"{folder}/nodes/" if folder else "nodes/" for folder in folders}
    return frozenset(folder for folder, nodes in beginnings.items() if any(path.startswith(nodes) for path in paths))


_BARE = "holds a cell, but its path does not end in cells/CELL, so that nothing says which scope its files have"


def _way_out(bare: str) -> str:
    """What to do about such a folder on disk."""
    place = _place_for(bare)
    return f"Move what it holds to {place}, and name {place.rpartition('/cells/')[0] or 'the folder that has cells'}"


def _place_for(bare: str) -> str:
    """Where the files of a cell in some folder belong."""
    above, _, name = bare.rpartition("/")
    cells = bare if name == "cells" else f"{above}/cells" if above else "cells"
    return f"{cells}/{name if name not in ('', 'cells') else 'CELL'}"


def lies_beside(path: str, roots: Container[str]) -> bool:
    """Whether a file lies in a skipped folder next to the ``cells`` or the ``config`` of one of the repositories.

    ``roots`` comes from ``repository_roots``.
    """
    parts = path.split("/")
    for place, part in enumerate(parts[:-1]):
        above = "/".join(parts[:place])
        if part in REPOSITORY_SIBLINGS and above in roots:
            return True
        if part in PROFILE_SIBLINGS and (f"{above}/config" if above else "config") in roots:
            return True
    return False


def in_cell(path: str) -> bool:
    """Whether a path lies in a cell's folder (``.../cells/CELL/...``), and not in what an EAR brings along."""
    path = path.partition("META-INF/ibmconfig/")[0]
    before, found, after = path.rpartition("/cells/")
    del before
    return bool(found or path.startswith("cells/")) and "/" in (after if found else path[len("cells/") :])


def cell_folder(path: str) -> str:
    """The folder of the cell that contains the path. Only for a path that is ``in_cell``."""
    path = path.partition("META-INF/ibmconfig/")[0]
    start = path.rfind("/cells/") + 1 if "/cells/" in path else 0
    parts = path[start:].split("/")
    return path[:start] + "/".join(parts[:2])


def _plausible(name: str) -> bool:
    """Whether an archive member outside ``cells`` may be an export of a queue manager, judging by its suffix."""
    suffix = name.rpartition(".")[2].lower()
    return suffix in ("mqsc", "mqs", "txt", "tst", "out", "cfg", "log", "json", "yaml", "yml", "sh")


def shown_path(path: Path) -> str:
    """The path that reports show, with ``/``: relative if it lies below the working directory, otherwise absolute.

    A path inside a cell keeps the cell's name: it is absolute if the working directory is inside the cell.
    """
    absolute = Path(os.path.abspath(path))
    try:
        relative = absolute.relative_to(Path.cwd())
    except ValueError:
        return printable(absolute.as_posix())
    if "cells" in absolute.parts and "cells" not in relative.parts:
        return printable(absolute.as_posix())
    return printable(relative.as_posix())
