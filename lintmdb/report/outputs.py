"""Where reports go: standard output or files, chosen by ``--format FORMAT[=PATH]`` and by the environment.

A file is written under a temporary name and then moved into place, so that a report is complete or absent.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lintmdb.atomic_write import write_atomically
from lintmdb.errors import LintmdbError


class Output(NamedTuple):
    """One report to write; without a path it goes to standard output."""

    kind: str
    path: Path | None = None


def parse_outputs(entries: Sequence[str], known: Collection[str]) -> list[Output]:
    """The reports that ``FORMAT[=PATH]`` entries ask for; text where there are none.

    ``github`` on standard output brings the text report with it: its commands are never instead. Raises LintmdbError
    for a format that is not known, a path that is a folder, and two reports for one place.
    """
    outputs = [_output(entry, known) for entry in entries or ["text"]]
    if Output("github") in outputs and Output("text") not in outputs:
        outputs.insert(outputs.index(Output("github")), Output("text"))
    outputs.sort(key=lambda output: output == Output("github"))  # annotations come last
    if len({output.kind for output in outputs if output.path is None} - {"github"}) > 1:
        raise LintmdbError(
            "two formats would both go to standard output",
            next_step="Write one of them to a file: --format json=report.json",
        )
    if len(outputs) != len({output.path or output.kind for output in outputs}):
        raise LintmdbError("two reports would be written to the same place", next_step="Write each to a separate file")
    return outputs


def _output(entry: str, known: Collection[str]) -> Output:
    kind, separator, name = entry.partition("=")
    if kind not in known:
        *most, last = known
        raise LintmdbError(f"--format {kind!r} is not known", next_step=f"The formats are {', '.join(most)} and {last}")
    if separator and not name:
        raise LintmdbError(f"--format {entry} names no file", next_step=f"Write --format {kind}=PATH")
    path = Path(name) if name else None
    if path is not None and path.is_dir():
        raise LintmdbError("is a folder", path=name, next_step=f"Name a file in it: --format {kind}=PATH")
    return Output(kind, path)


def with_annotations(outputs: list[Output], environment: Mapping[str, str]) -> list[Output]:
    """In a GitHub workflow the annotations too, where the text report goes to the log anyway."""
    asked = any(output.kind == "github" for output in outputs)
    if environment.get("GITHUB_ACTIONS") != "true" or asked or Output("text") not in outputs:
        return outputs
    return [*outputs, Output("github")]


def summary_file(outputs: Collection[Output], environment: Mapping[str, str]) -> Path | None:
    """The file that a GitHub workflow shows as the summary of the step; None where there are no annotations."""
    name = environment.get("GITHUB_STEP_SUMMARY")
    return Path(name) if name and any(output.kind == "github" for output in outputs) else None


def write(text: str, path: Path | None) -> None:
    """Write a report. Raises LintmdbError where it cannot be written; then no part of it is left behind."""
    data = text.encode("utf-8", "backslashreplace")
    if path is None:
        _to_standard_output(data)
        return
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a device or a pipe
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path.resolve(), data)
    except (FileExistsError, NotADirectoryError) as error:
        raise LintmdbError("cannot be written, because its folder is a file", path=str(path)) from error
    except OSError as error:
        raise LintmdbError(f"cannot be written: {error.strerror or error}", path=str(path)) from error


def append(text: str, path: Path) -> None:
    """Add a report to a file that others write to as well."""
    try:
        with path.open("ab") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise LintmdbError(f"cannot be written: {error.strerror or error}", path=str(path)) from error


def _to_standard_output(data: bytes) -> None:
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        if sys.platform == "win32" and error.errno == errno.EINVAL:  # how Windows says that nobody reads the pipe
            raise BrokenPipeError(errno.EPIPE, "nobody reads the pipe") from error
        # What is still in the buffer would be tried again, and complained of, when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise LintmdbError(f"standard output cannot be written: {error.strerror or error}") from error
