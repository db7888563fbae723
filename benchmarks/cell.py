"""One large cell: `check` against the least that any reader must do with the same bytes, and how it grows."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from generate import write_cell
from measure import BASELINE, installed, interleaved, say, size_of


def main() -> None:
    """Measure 500 and 5,000 flows."""
    with tempfile.TemporaryDirectory() as folder:
        times: dict[int, float] = {}
        check = [*installed(Path(folder) / "site"), "-m", "lintmdb", "check"]
        for flows in (500, 5000):
            inputs = write_cell(Path(folder) / str(flows), flows)
            size = size_of(*inputs)
            least = [sys.executable, BASELINE, *inputs]
            (text, memory), (base, _) = interleaved([[*check, *inputs], least], 7)
            (as_json, _), (again, _) = interleaved([[*check, *inputs, "--format", "json"], least], 3)
            times[flows] = text
            print(f"{flows} flows, {size / 1e6:.0f} MB")
            say("  check, text, to expat without handlers and a line split", text / base, "at most 4 at 5,000 flows")
            say("  check, JSON with all stories and digests, to the same", as_json / again, "none")
            say("  peak memory to 8 times the bytes plus 60 MB", memory / (8 * size + 60e6), "at most 1")
        say("ten times the flows", times[5000] / times[500], "at most 11")


if __name__ == "__main__":
    main()
