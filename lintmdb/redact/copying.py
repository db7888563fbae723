"""From exports to a redacted copy: which files are copied, where to, and which cannot be redacted."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from lintmdb.atomic_write import write_atomically
from lintmdb.errors import LintmdbError
from lintmdb.exports.discovery import Discovery, Found, PassedOver, discover
from lintmdb.exports.text import declared_encoding, single_byte
from lintmdb.redact.applications import redact_application
from lintmdb.redact.forms import form_of
from lintmdb.redact.names import Names
from lintmdb.redact.pseudonyms import Pseudonyms


class Refused(NamedTuple):
    """A file that was not copied, and why."""

    path: str
    reason: str


@dataclass(slots=True)
class Copied:
    """What was written, and what was not."""

    files: list[str] = field(default_factory=list[str])
    """The paths below the folder, sorted."""
    refused: list[Refused] = field(default_factory=list[Refused])
    passed_over: list[PassedOver] = field(default_factory=list[PassedOver])
    """What holds nothing that lintmdb reads."""
    words: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    """What each word in the name of a host or user became, in lower case."""


def redact_exports(paths: Sequence[Path], folder: Path, names: Names | None = None) -> Copied:
    """Write a redacted copy of everything that lintmdb reads below ``paths`` to a new or empty folder.

    ``names`` replaces the names of objects, too, also in paths.

    Raises LintmdbError for paths that do not exist and for a folder that cannot take the copy.
    """
    _check_target(paths, folder)
    discovery = discover(paths)
    copied = Copied(passed_over=[*discovery.passed_over])
    copied.refused += [Refused(problem.path, problem.text) for problem in discovery.problems]
    pseudonyms = Pseudonyms(names)
    base = _base(paths)
    for found in discovery.files:
        pseudonyms.meet(_target(found, base))
    # Hosts are known only after all files were read: the first round collects them.
    for _ in _copies(discovery, pseudonyms, [], final=False):
        pass
    for found, data in _copies(discovery, pseudonyms, copied.refused, final=True):
        target = pseudonyms.value("path", _target(found, base))
        _write(folder / target, data)
        copied.files.append(target)
    copied.files.sort()
    copied.words = pseudonyms.words
    return copied


def _copies(
    discovery: Discovery, pseudonyms: Pseudonyms, refused: list[Refused], *, final: bool
) -> Iterator[tuple[Found, bytes]]:
    """The files that can be redacted, each with the bytes of its copy, which is ``final`` once all hosts are known."""
    for found in discovery.files:
        try:
            data = _copy(found, found.read(), pseudonyms, check=final)
        except LintmdbError as error:
            refused.append(Refused(error.path or found.path, error.text))
        else:
            yield found, data


def _copy(found: Found, data: bytes, pseudonyms: Pseudonyms, *, check: bool) -> bytes:
    """The bytes of a copy. Raises LintmdbError for what cannot be read, and for what the copy would say otherwise."""
    if found.kind == "was" and data.startswith(b"PK"):
        return redact_application(data, found.path, pseudonyms)
    encoding, text = _decoded(data)
    if text.encode(encoding) != data:
        raise LintmdbError("is not in one encoding, so that it could not be written back")
    form = form_of(found.kind, found.path, data)
    copy = pseudonyms.sweep(form.redact(text, pseudonyms)).encode(encoding)
    if check and form.agree is not None and not form.agree(data, copy, found.path, pseudonyms):
        text = "would say something else without its secrets"
        raise LintmdbError(f"{text}: {form.advice}" if form.advice else text)
    return copy


def _decoded(data: bytes) -> tuple[str, str]:
    """The encoding that writes a text back byte for byte, and the text."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16-le" if data.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"
        return encoding, data.decode(encoding, "replace")
    declared = declared_encoding(data)
    if single_byte(declared):
        return declared, data.decode(declared, "replace")
    try:
        return "utf-8", data.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1", data.decode("latin-1")


def _check_target(paths: Sequence[Path], folder: Path) -> None:
    """Raises LintmdbError for a folder with something in it, and for one inside the exports."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise LintmdbError("is not an empty folder", path=str(folder), next_step="Name a new folder with --out")
    for path in paths:
        if path.is_dir() and folder.resolve().is_relative_to(path.resolve()):
            text = f"is inside {path}, which is to be redacted"
            raise LintmdbError(text, path=str(folder), next_step="Name a folder elsewhere with --out")


def _base(paths: Sequence[Path]) -> PurePosixPath:
    """The folder that all exports lie in and that stays out of the copy's paths. The name of a cell stays."""
    folders = [Path(os.path.abspath(path)).parent for path in paths]
    try:
        common = PurePosixPath(Path(os.path.commonpath(folders)).as_posix())
    except ValueError as error:
        raise LintmdbError("the exports lie on different drives", next_step="Redact them one by one") from error
    parts = common.parts
    if "cells" in parts:
        return PurePosixPath(*parts[: len(parts) - 1 - parts[::-1].index("cells")])
    return common


def _target(found: Found, base: PurePosixPath) -> str:
    """Where a file goes: an archive becomes a folder of its name."""
    outer, _, inner = found.path.partition("!/")
    absolute = PurePosixPath(Path(os.path.abspath(outer)).as_posix())
    target = absolute.relative_to(base).as_posix()
    if inner:
        return f"{target}/{inner.replace('!/', '/')}"
    return target.removesuffix(".gz")


def _write(target: Path, data: bytes) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, data)
    except OSError as error:
        raise LintmdbError(f"cannot be written: {error.strerror}", path=str(target)) from error
