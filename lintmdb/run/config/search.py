"""Which configuration files count for a working directory."""

from __future__ import annotations

from pathlib import Path

NAMES = ("lintmdb.toml", "pyproject.toml")
"""In a folder that has both with settings, the first counts."""


def candidates(start: Path, home: Path | None) -> list[Path]:
    """The files that may configure a run in ``start``, nearest first.

    The search goes up to the root of the repository (the folder with ``.git``) or to the home folder, whichever comes
    first. Outside both only ``start`` itself counts: what lies in a folder that everybody may write to must not.
    """
    folders = [start, *start.parents]
    last = next((i for i, folder in enumerate(folders) if folder == home or (folder / ".git").exists()), 0)
    return [file for folder in folders[: last + 1] for name in NAMES if (file := folder / name).is_file()]


def home_folder() -> Path | None:
    """The user's home folder, None where there is none."""
    try:
        return Path.home()
    except RuntimeError:
        return None
