"""Files that may name each other, judging by their names alone, so that whoever reads them has to have them all."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lintmdb.exports.discovery import in_cell

_NAMING_THEIR_FOLDER = frozenset({"kustomization.yaml", "kustomization.yml", "Kustomization", "qm.ini"})
_NAMING_SCRIPTS = re.compile(r"(?:Dockerfile|Containerfile)|(?:docker-)?compose.*\.ya?ml\Z", re.I)
"""Names of files that name scripts below their folder."""
_COPIED = re.compile(r"(?:\A|/)(?:files|templates)/")
"""The folders beside plays and in roles from which Ansible copies files."""


def linked_files(paths: Iterable[str]) -> frozenset[str]:
    """The YAML files among paths, everything in the folders of kustomizations and of the configuration files of queue
    managers, the scripts that a container image runs from ``etc/mqm``, and those in the folders from which the plays
    beside them copy files; nothing inside a cell's tree.
    """
    outside = [path for path in paths if not in_cell(path)]
    images = tuple(f"{folder}/" for folder, name in map(_split, outside) if _NAMING_SCRIPTS.match(name))
    folders = tuple(
        f"{folder}/" for folder, _, name in (path.rpartition("/") for path in outside) if name in _NAMING_THEIR_FOLDER
    )
    plays = {base for path in outside if path.lower().endswith((".yaml", ".yml")) for base in _bases(path)}
    return frozenset(
        path
        for path in outside
        if path.lower().endswith((".yaml", ".yml"))
        or _lies_in(path, folders)
        or "/etc/mqm/" in f"/{path}"
        or (_COPIED.search(path) is not None and _COPIED.split(path, maxsplit=1)[0] in plays)
        or _NAMING_SCRIPTS.match(_split(path)[1])
        or (path.lower().endswith((".mqsc", ".tpl")) and _lies_in(path, images))
    )


def _bases(path: str) -> tuple[str, str]:
    """The role that has a file of tasks, or else its own folder, and that of the play."""
    role = re.sub(r"(?:\A|/)(?:tasks|handlers)(?:/[^/]+)*\Z", "", _split(path)[0])
    return role, re.sub(r"(?:\A|/)roles/[^/]+\Z", "", role)


def _split(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name


def _lies_in(path: str, folders: tuple[str, ...]) -> bool:
    return path.startswith(folders) or "/" in folders  # of the working directory the folder is blank
