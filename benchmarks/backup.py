"""A backup archive of 1,600 members: reading what lintmdb wants of it, against inflating every member."""

from __future__ import annotations

import random
import sys
import tempfile
import zipfile
from pathlib import Path

from generate import write_cell
from measure import interleaved, say

MEMBERS = 1600
READ_ALL = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nfor n in z.namelist():\n    z.read(n)\n"
READ_WANTED = (
    "import sys\nfrom lintmdb.exports.discovery import discover\n"
    "for f in discover([sys.argv[1]]).files:\n    f.read()\n"
)


def main() -> None:
    """Measure both in processes of their own."""
    draw = random.Random(3)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cell, _ = write_cell(folder, 50)
        archive = folder / "WebSphereConfig.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
            files = [file for file in sorted(cell.rglob("*")) if file.is_file()]
            for file in files:
                zipped.write(file, file.relative_to(cell).as_posix())
            for number in range(MEMBERS - len(files)):
                text = "".join(f"<entry id='{draw.randrange(10**9)}' value='{draw.random()}'/>\n" for _ in range(1200))
                zipped.writestr(f"templates/servertypes/type{number}/servers/server/server.xml", text)
        commands: list[list[str | Path]] = [[sys.executable, "-c", code, archive] for code in (READ_WANTED, READ_ALL)]
        (wanted, _), (all_members, _) = interleaved(commands, 5)
        print(f"{MEMBERS} members, {len(files)} of them wanted and inflated")
        say("  reading what is wanted to inflating every member", wanted / all_members, "below 1")


if __name__ == "__main__":
    main()
