"""`plan` against `check` on cells whose flows are built from templates, and on cells in which all values differ."""

from __future__ import annotations

import random
import re
import tempfile
from pathlib import Path

from generate import write_cell
from measure import cpu, installed, say

_STOPS = (*[("false", 0)] * 7, ("true", 0), ("true", 3), ("true", 6))
"""Most endpoints have nothing to repair; half of the generator's queues name no backout queue."""


def main() -> None:
    """Measure 500, 2,500 and 5,000 flows."""
    with tempfile.TemporaryDirectory() as folder:
        lintmdb = [*installed(Path(folder) / "site"), "-m", "lintmdb"]
        for name in ("templates", "all values differ"):
            times: dict[int, float] = {}
            for flows in (500, 2500, 5000):
                inputs = _write(Path(folder) / f"{name} {flows}", flows, differ=name != "templates")
                check = min(cpu([*lintmdb, "check", *inputs]) for _ in range(2))
                times[flows] = cpu([*lintmdb, "plan", *inputs])
                say(f"{name}, {flows} flows: plan to check", times[flows] / check, "at most 3")
            say(f"{name}: ten times the flows", times[5000] / times[500], "at most 11")


def _write(folder: Path, flows: int, *, differ: bool) -> tuple[Path, Path]:
    """A cell most of whose flows are right; with ``differ`` each queue has a depth of its own."""
    cell, dump = write_cell(folder, flows, stops=_STOPS, thresholds=(3, 3, 3, 5))
    if differ:
        draw = random.Random(flows)
        text = dump.read_text("utf-8")
        dump.write_text(re.sub(r"MAXDEPTH\(5000\)", lambda _: f"MAXDEPTH({draw.randrange(5000, 900000)})", text))
    return cell, dump


if __name__ == "__main__":
    main()
