"""A backup archive of 1,600 members: how many are inflated, and what that saves against inflating all of them."""

from __future__ import annotations

import sys
import tempfile
import zipfile
from pathlib import Path

from generate import write_cell
from measure import interleaved, lintmdb, say

MEMBERS = 1600
READ_ALL = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nfor n in z.namelist():\n    z.read(n)\n"


def main() -> None:
    """Measure the inventory of the archive against reading each of its members."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cell, _ = write_cell(folder, 50)
        archive = folder / "WebSphereConfig.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
            files = [file for file in sorted(cell.rglob("*")) if file.is_file()]
            for file in files:
                zipped.write(file, file.relative_to(cell).as_posix())
            page = b"<config attribute='value'/>\n" * 4000
            for number in range(MEMBERS - len(files)):
                zipped.writestr(f"templates/servertypes/type{number}/servers/server/server.xml", page)
        (inventory, _), (all_members, _) = interleaved(
            [lintmdb("inventory", archive), [sys.executable, "-c", READ_ALL, archive]], 5
        )
        print(f"{MEMBERS} members, {len(files)} of them wanted")
        say("  share of members inflated", len(files) / MEMBERS, "only the wanted ones; tests assert it")
        say("  inventory to inflating every member", inventory / all_members, "below 1")


if __name__ == "__main__":
    main()
