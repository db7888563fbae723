"""What stands for exports on the command line: ``-`` for standard input, ``@FILE`` for a list of paths."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from lintmdb.errors import LintmdbError

if TYPE_CHECKING:
    from lintmdb.exports.discovery import StandardInput

STANDARD_INPUT = Path("-")


def listed(exports: Iterable[Path] | None) -> list[Path]:
    """The exports, with the paths of a list in its place; ``@-`` is a list on standard input.

    A file or folder whose own name begins with ``@`` is itself. Raises LintmdbError with the list's file and line.
    """
    paths: list[Path] = []
    if {STANDARD_INPUT, Path("@-")} <= set(exports or ()):
        raise LintmdbError("- and @- both name standard input", next_step="Write the list to a file")
    for entry in exports or ():
        name = str(entry)
        if name.startswith("@") and not os.path.lexists(entry):
            paths.extend(_lines(name[1:]))
        else:
            paths.append(entry)
    return paths


def _lines(name: str) -> list[Path]:
    try:
        data = _standard_input().read() if name == "-" else Path(name).read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise LintmdbError(
            f"the list cannot be read: {error.strerror}", path=name, next_step="Name a file of paths: @FILE"
        ) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise LintmdbError("the list is not UTF-8", path=name, line=line, next_step="Save it as UTF-8") from error
    paths: list[Path] = []
    for number, line in enumerate(text.splitlines(), 1):
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        if "\0" in entry or not os.path.lexists(entry):
            raise LintmdbError(
                f"{entry!r} does not exist",
                path=name,
                line=number,
                next_step="Write one path a line, as seen from the working directory",
            )
        paths.append(Path(entry))
    if not paths:
        raise LintmdbError("the list contains no export", path=name, next_step="Write one path a line")
    return paths


def _standard_input() -> BinaryIO:
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]  closed by the caller: <&-
        raise LintmdbError("standard input is closed", next_step="Pipe an export into it, or name a file")
    return sys.stdin.buffer


@contextmanager
def spooled(
    exports: Sequence[Path] | None, queue_managers: Iterable[str], name: str | None
) -> Generator[StandardInput | None]:
    """Standard input as a file, for as long as the block lasts; None where no ``-`` is named.

    ``name`` is what its findings show instead of ``-``. Raises LintmdbError.
    """
    wanted = STANDARD_INPUT in (exports or ()) or "-" in queue_managers
    if not wanted:
        if name is not None:
            raise LintmdbError("--stdin-name names standard input", next_step="Also name - as an EXPORT")
        yield None
        return
    import shutil
    import tempfile

    from lintmdb.exports.discovery import StandardInput

    shown = (name or "-").replace("\\", "/")
    # Windows removes no file that is still open, as an archive is until its last member is let go: the copy is emptied.
    with tempfile.TemporaryDirectory(prefix="lintmdb-", ignore_cleanup_errors=True) as folder:
        # A file that a single gzip member is named after: what is shown is the name that was given.
        file = Path(folder) / (shown.rpartition("/")[2] or "-")
        try:
            with file.open("wb") as target:
                shutil.copyfileobj(_standard_input(), target, 1 << 20)
        except OSError as error:
            raise LintmdbError(f"standard input cannot be read: {error.strerror or error}") from error
        try:
            yield StandardInput(file, shown)
        finally:
            file.write_bytes(b"")
