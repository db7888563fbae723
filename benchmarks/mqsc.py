"""Reading a 100 MB ``dmpmqcfg -a`` dump: speed against expat without handlers, and peak memory."""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from generate import queue_manager_dump, write_cell
from measure import BASELINE, interleaved, say

BYTES = 100_000_000
# As the command line does it: what is read stays, so that looking for garbage only costs time.
READ = """\
import gc, pathlib, sys
from lintmdb.exports.mq import read_mqsc
gc.disable()
read_mqsc(pathlib.Path(sys.argv[1]).read_bytes(), "QM1.mqsc")
"""


def main() -> None:
    """Measure a dump in which every queue has its records, and one of authority records alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        flows = [f"APP{n:06}.ORDERS" for n in range(BYTES // 2500)]
        dump = _write(folder / "QM1.mqsc", queue_manager_dump(flows, random.Random(1)))
        authorities = _write(folder / "QM2.mqsc", _authorities())
        markup = _markup(folder)
        commands = [[sys.executable, "-c", READ, file] for file in (dump, authorities)]
        *read, (base, _) = interleaved([*commands, [sys.executable, BASELINE, markup]], 3)
        expat = markup.stat().st_size / base
        for what, file, (seconds, memory) in zip(("dump", "authority records"), (dump, authorities), read, strict=True):
            size = file.stat().st_size
            print(f"{what}, {size / 1e6:.0f} MB")
            say("  bytes a second to those of expat without handlers", size / seconds / expat, "at least 0.25")
            say("  peak memory to 8 times the bytes plus 60 MB", memory / (8 * size + 60e6), "at most 1")


def _write(path: Path, pieces: Iterable[str]) -> Path:
    """Write pieces until the file is as large as wanted."""
    size = 0
    with path.open("w", encoding="utf-8") as file:
        for piece in pieces:
            size += file.write(piece)
            if size >= BYTES:
                break
    return path


def _authorities() -> Iterable[str]:
    yield "* Queue manager name: QM2\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM2 -x authrec -a\n"
    for number in range(BYTES // 100):
        yield (
            f"SET AUTHREC +\n   PROFILE('APP{number // 5:06}.ORDERS.IN') +\n   GROUP('team{number % 40}') +\n"
            "   OBJTYPE(QUEUE) +\n   AUTHADD(BROWSE,GET,INQ,PUT,PASSALL)\n"
        )


def _markup(folder: Path) -> Path:
    """One document of 100 MB: the resources of a generated cell, again and again."""
    cell = write_cell(folder / "cell", 200)
    resources = max((file for path in cell for file in path.rglob("resources.xml")), key=lambda f: f.stat().st_size)
    text = resources.read_text("utf-8").partition("?>\n")[2] or resources.read_text("utf-8")
    whole = folder / "resources.xml"
    with whole.open("w", encoding="utf-8") as file:
        file.write("<all>\n")
        for _ in range(BYTES // len(text)):
            file.write(text)
        file.write("</all>\n")
    return whole


if __name__ == "__main__":
    main()
