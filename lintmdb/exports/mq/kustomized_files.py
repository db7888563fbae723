"""The files that kustomizations may name, judging by their names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from lintmdb.exports.mq.kubernetes import is_about_queue_managers

_BASE = re.compile(rb"^[ \t]*-[ \t]+[\"']?((?:\.\./)+[\w./-]+)", re.M)
KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")


def is_kustomization(path: str) -> bool:
    """Whether a file has the name of a kustomization."""
    return path.rpartition("/")[2] in KUSTOMIZATIONS


def may_be_part(path: str) -> bool:
    """Whether a file may be a kustomization, or a patch or manifest that one names."""
    return is_kustomization(path) or path.lower().endswith((".yaml", ".yml", ".json"))


def kustomized_folders(paths: Iterable[str]) -> frozenset[str]:
    """The folders that have a kustomization."""
    parted = (path.rpartition("/") for path in paths)
    return frozenset(folder for folder, _, name in parted if name in KUSTOMIZATIONS)


def mentions_mq(data: bytes) -> bool:
    """Whether a kustomization, or a patch that one names, may be about a queue manager."""
    text = data.lower()
    return any(word in text for word in (b"mqsc", b"mq.ibm.com", b"queuemanager")) or is_about_queue_managers(data)


def base_of(data: bytes) -> str:
    """The first folder above its own that a kustomization is made of; blank without any."""
    found = _BASE.search(data)
    return found[1].decode() if found is not None else ""


def lies_in(path: str, folders: Collection[str]) -> bool:
    """Whether a file lies in one of some folders, or below it."""
    relative = not path.startswith("/")
    while folders and path:
        path = path.rpartition("/")[0]
        if path in folders and (path or relative):
            return True
    return False
