"""Configuration ids and containment paths, as wsadmin prints and takes them."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from typing import NamedTuple

from lintmdb.exports.was.objects import Scope

_PLACE = re.compile(r"\((cells/[^|()\n]{1,1000})\|[\w.-]{1,100}\.xml#([A-Za-z]\w{0,100}?)_\w{1,100}\)")
_LONGEST_NAME = 200
_CONTAINMENT = re.compile(r"/(?:[A-Za-z]\w*:[^/'\"]*/)+")
_FILLED_IN = re.compile(r"[%${<]")


class ConfigId(NamedTuple):
    """``OrdersAS(cells/C1/nodes/n1|resources.xml#J2CActivationSpec_1183122130078)``."""

    name: str
    path: str
    """``cells/C1/nodes/n1``."""
    type: str


def config_ids(text: str) -> Iterator[ConfigId]:
    """The configuration ids in a text."""
    for match in _PLACE.finditer(text):
        before = text[max(0, match.start() - _LONGEST_NAME) : match.start()]
        name = re.split(r"[\"'\n(){}\[\]=]|\\n", before)[-1].strip()
        yield ConfigId(name, match.group(1), match.group(2))


def first_id(text: str) -> ConfigId | None:
    """The first configuration id in a text."""
    return next(config_ids(text), None)


class Place(NamedTuple):
    """The cell, where it is told, and the scope."""

    cell: str | None
    scope: Scope


def place_of_path(path: str) -> Place:
    """The place of ``cells/C1/nodes/n1/servers/s1``."""
    parts = path.split("/")
    steps = dict(zip(parts[::2], parts[1::2], strict=False))
    application = steps.get("deployments")
    scope = Scope(steps.get("clusters"), steps.get("nodes"), steps.get("servers"))
    return Place(steps.get("cells"), Scope(application=application) if application else scope)


def place_of_containment(text: str) -> Place | None:
    """The place of ``/Cell:C1/Node:n1/Server:s1/``; None for what is no containment path, and for one with a name that
    is filled in (``/Node:%s/``).
    """
    found = _CONTAINMENT.fullmatch(text.strip() if text.strip().endswith("/") else f"{text.strip()}/")
    if found is None or _FILLED_IN.search(text):
        return None
    steps = dict(step.split(":", 1) for step in found.group().strip("/").split("/"))
    application = steps.get("Deployment")
    scope = Scope(steps.get("ServerCluster"), steps.get("Node"), steps.get("Server"))
    return Place(steps.get("Cell") or None, Scope(application=application) if application else scope)


class Lines:
    """Lines and columns of offsets in a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def of(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        line = bisect.bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
