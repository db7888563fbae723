"""Paths as hosts of code want them: from the root of the Git work tree, wherever in it lintmdb runs."""

from __future__ import annotations

import functools
import os
import re
from pathlib import Path

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")


def repository_path(shown: str) -> str:
    """A shown path from the root of the work tree that holds the working directory; the path itself where there is no
    such tree, or the file lies outside of it.
    """
    if _URI.match(shown):
        return shown
    folder = os.getcwd()
    root = _work_tree(folder)
    if root is None:
        return shown
    for path in (os.path.join(folder, shown), os.path.realpath(os.path.join(folder, shown))):
        inside = os.path.relpath(path, root) if os.path.splitdrive(path)[0] == os.path.splitdrive(root)[0] else ".."
        if inside.split(os.sep)[0] != os.pardir:
            return Path(inside).as_posix()
    return shown


@functools.lru_cache(maxsize=16)
def _work_tree(folder: str) -> str | None:
    """The root of the Git work tree that a folder is in: a linked one has a file there instead of a folder."""
    return next((str(path) for path in (Path(folder), *Path(folder).parents) if (path / ".git").exists()), None)
