"""Estates with something left out, in ways that what is left shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from tests.support.random_estates.blocks import Block
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.estates import RandomEstate

_Files = Mapping[str, Block]


def leave_out(draw: Draw, estate: RandomEstate) -> tuple[str, RandomEstate]:
    """What is left out, in words, and the rest."""
    kind = draw.weighted({"file": 6, "cell": 1, "queue manager": 2, "half": 3, "filter": 2, "authorities": 1})
    if kind == "file":
        path = draw.one([path for path in estate.files if path.startswith("was/") and not _may_be_absent(estate, path)])
        return path, _without(estate, {path})
    if kind == "cell":
        cell = draw.one(estate.cells)
        return f"cell {cell}", _without(estate, {path for path in estate.files if f"/{cell}/" in path})
    manager = draw.one(estate.managers)
    dump = draw.one([f"mq/{name}" for name in manager.files])
    if kind == "queue manager":
        return f"queue manager {manager.name}", _without(estate, {f"mq/{name}" for name in manager.files})
    if kind == "half":
        return f"half of {dump}", _with(estate, dump, _cut(draw, estate.files[dump]))
    if " -a\n" not in estate.files[dump].head:
        return "nothing", estate  # a script has no header that could show it
    if kind == "filter":
        kept = [part for part in estate.files[dump].parts if isinstance(part, str) and "'ORDERS" in part]
        head = estate.files[dump].head.replace(" -a\n", " -n 'ORDERS*' -a\n")
        return f"{dump} but ORDERS*", _with(estate, dump, Block(head, tuple(kept)))
    kept = [part for part in estate.files[dump].parts if isinstance(part, str) and not part.startswith("SET ")]
    head = re.sub(r"-x \w+ |(?= -a\n)", "", estate.files[dump].head).replace(" -a\n", " -x object -a\n")
    return f"authorities of {dump}", _with(estate, dump, Block(head, tuple(kept)))


def _may_be_absent(estate: RandomEstate, path: str) -> bool:
    """Nothing shows that an application had resources of its own, or a module extensions: few have. Nor does anything
    show that a descriptor overrode an activation specification, where beans can have annotations instead.
    """
    if path.endswith("/ejb-jar.xml") and 'version="2.' not in (text := estate.files[path].text):
        return "<activation-config>" in text
    return "/ibm-ejb-jar-ext." in path or (path.endswith("/resources.xml") and "/deployments/" in path)


def _cut(draw: Draw, dump: Block) -> Block:
    """The first part of a dump, which ends within a command."""
    number = draw.random.randrange(len(dump.parts)) if dump.parts else 0
    kept = [part if isinstance(part, str) else part.text for part in dump.parts[:number]]
    broken = "".join(part if isinstance(part, str) else part.text for part in dump.parts[number : number + 1])
    # The line that a command ends with is missing, and the one before says that more is to come.
    return Block(dump.head, (*kept,), broken.rstrip("\n").rpartition("\n")[0])


def _without(estate: RandomEstate, paths: set[str]) -> RandomEstate:
    return replace(estate, files={path: block for path, block in estate.files.items() if path not in paths})


def _with(estate: RandomEstate, path: str, block: Block) -> RandomEstate:
    return replace(estate, files={**estate.files, path: block})
