"""Whole random estates: cells and the queue managers that they read from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tests.support.random_estates.blocks import Block
from tests.support.random_estates.cells import build_cell
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.queue_managers import QueueManager, build_queue_manager


@dataclass(frozen=True, slots=True)
class RandomEstate:
    """The exports of one estate. Cells and queue managers have names that no other seed's have."""

    name: str
    files: Mapping[str, Block]
    """By path below the folder of the estate."""
    managers: tuple[QueueManager, ...]
    cells: tuple[str, ...]

    def write(self, folder: Path) -> None:
        """Write all files into a folder of the estate's own."""
        write_files(folder / self.name, {path: block.text for path, block in self.files.items()})


def has_circle(seed: int) -> bool:
    """Whether poison goes round some queues of the estate of a seed, if each of them is read."""
    return Draw(f"circle in {seed}").chance(0.15)


def build_estate(seed: int, suffix: str = "") -> RandomEstate:
    """The estate of a seed: one cell or two, one queue manager or two. ``suffix`` makes other names of it."""
    draw = Draw(seed)
    name = f"{seed}{suffix}"
    circle = has_circle(seed)
    letters = "AB"[: draw.one((1, 1, 2))]
    managers = tuple(build_queue_manager(draw, f"QM{letter}{name}", circle=circle) for letter in letters)
    names = [manager.name for manager in managers] + [f"QMX{name}"] * draw.chance(0.1)
    cells = tuple(f"C{letter}{name}" for letter in "AB"[: draw.one((1, 1, 1, 2))])
    files: dict[str, Block] = {}
    for cell in cells:
        for path, block in build_cell(draw, cell, names, circle=circle).items():
            files[f"was/cells/{cell}/{path}"] = block
    if draw.chance(0.03):
        broken = draw.one([path for path in files if path.endswith("resources.xml")])
        files[broken] = files[broken].first_half()
    for manager in managers:
        for path, block in manager.files.items():
            files[f"mq/{path}"] = block
    return RandomEstate(name, files, managers, cells)


def with_equal_members(estate: RandomEstate) -> RandomEstate:
    """The same estate, but the second member of each cluster is configured like the first. Otherwise nearly all members
    differ somewhere, and no cluster is judged as one.
    """
    files = dict(estate.files)
    for path in estate.files:
        cell, found, name = path.partition("/nodes/node1/servers/shop1/")
        for node in ("node1", "node2") if found else ():
            if (other := f"{cell}/nodes/{node}/servers/shop2/{name}") in files:
                files[other] = Block(files[path].text.replace('name="shop1"', 'name="shop2"'))
    return replace(estate, files=files)


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write texts by path below a folder."""
    made: set[Path] = set()
    for path, text in files.items():
        file = folder / path
        if file.parent not in made:
            file.parent.mkdir(parents=True, exist_ok=True)
            made.add(file.parent)
        file.write_text(text, "utf-8")
