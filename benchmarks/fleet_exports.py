"""Many small exports: archives of cells, exploded cells and dumps, a few bodies under names of their own."""

from __future__ import annotations

import io
import random
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import generate

FLOWS = 2
_KINDS = ("archive", "dump", "archive", "dump", "tree")
_BODIES = 8


def write_exports(folder: Path, count: int) -> int:
    """So many exports, about 30 KB each before they are packed; gives the bytes on disk."""
    cells, dumps = _bodies()
    size = 0
    for number in range(count):
        size += write_export(folder, number, cells, dumps)
    return size


def write_export(folder: Path, number: int, cells: Sequence[dict[str, bytes]], dumps: Sequence[bytes]) -> int:
    """One export, whose name and contents follow from its number."""
    kind = _KINDS[number % len(_KINDS)]
    place = folder / kind / f"{number // 1000:03}"
    manager = f"Q{number // len(_KINDS):06}".encode()
    body = cells[number % _BODIES]
    if kind == "dump":
        return _write(place / f"Q{number:06}.mqsc", dumps[number % _BODIES].replace(b"QM1", f"Q{number:06}".encode()))
    files = {
        name.replace("BENCH", f"C{number:06}"): text.replace(b"BENCH", f"C{number:06}".encode()).replace(
            b"QM1", manager
        )
        for name, text in body.items()
    }
    if kind == "tree":
        return sum(_write(place / f"{number}" / name, text) for name, text in files.items())
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return _write(place / f"C{number:06}.zip", packed.getvalue())


def bodies() -> tuple[list[dict[str, bytes]], list[bytes]]:
    """What exports are made of: the files of some cells, and some dumps."""
    return _bodies()


def _bodies() -> tuple[list[dict[str, bytes]], list[bytes]]:
    cells: list[dict[str, bytes]] = []
    dumps: list[bytes] = []
    before = generate.CHANNELS, generate.TEMPLATE_PROPERTIES
    generate.CHANNELS, generate.TEMPLATE_PROPERTIES = 2, 4
    try:
        with tempfile.TemporaryDirectory() as name:
            for seed in range(_BODIES):
                root = Path(name) / str(seed)
                was, _ = generate.write_cell(root, FLOWS, seed)
                files = sorted(file for file in was.rglob("*") if file.is_file())
                cells.append({file.relative_to(was).as_posix(): file.read_bytes() for file in files})
                dump = generate.queue_manager_dump([f"F{n:05}" for n in range(10)], random.Random(seed))
                dumps.append("".join(dump).encode())
    finally:
        generate.CHANNELS, generate.TEMPLATE_PROPERTIES = before
    return cells, dumps


def _write(path: Path, data: bytes) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.write_bytes(data)
