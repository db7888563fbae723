"""What names environments, to paste: options of a command, or the line of lintmdb.toml. Either has all of them, because
options replace what the file says, and a line the one before.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence

Folders = Mapping[str, Sequence[str]]
"""The paths of each environment."""


def gather(entries: Iterable[tuple[str, str]]) -> Folders:
    """Names of environments and paths as the paths of each, in their order; a path that comes twice counts once."""
    folders: dict[str, dict[str, None]] = {}
    for name, path in entries:
        folders.setdefault(name, {})[path] = None
    return {name: list(paths) for name, paths in sorted(folders.items())}


def as_options(folders: Folders) -> str:
    """``--environment dev=exports/dev --environment prod=exports/prod``."""
    entries = [f"{name}={path}" for name, paths in folders.items() for path in paths]
    return " ".join(f"--environment {shlex.quote(entry)}" for entry in entries)


def as_setting(folders: Folders) -> str:
    """``environments = { dev = "exports/dev", prod = ["exports/prod", "more"] }``."""
    entries = ", ".join(f"{_key(name)} = {_paths(paths)}" for name, paths in folders.items())
    return f"environments = {{ {entries} }}"


def _paths(paths: Sequence[str]) -> str:
    return _text(paths[0]) if len(paths) == 1 else f"[{', '.join(map(_text, paths))}]"


def _key(name: str) -> str:
    return _text(name) if "." in name else name


def _text(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
