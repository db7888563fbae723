"""Files that are replaced as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacement(path: Path) -> Generator[Path]:
    """Yield a path in the same folder to write to; it replaces ``path``, and keeps its mode, when the block ends.

    When the block fails, ``path`` stays as it was and the new file is removed. Raises OSError.
    """
    part = path.with_name(f".lintmdb-{os.getpid()}.part")
    try:
        part.unlink(missing_ok=True)  # a process with the same number was killed here
        yield part
        if path.exists():
            part.chmod(path.stat().st_mode & 0o7777)
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file as a whole. Raises OSError; then the old file stays as it was."""
    with replacement(path) as part, part.open("xb") as file:
        file.write(data)
