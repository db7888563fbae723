"""The documents of a plan are forwarded, so they name everything; the terminal cuts long lists."""

from __future__ import annotations

import html
import re
from pathlib import Path

from tests.support.command import Run

_DUMP = """\
* Script generated on 2026-11-23   at 06.10.02
* Queue manager name: QM1
* Queue manager platform: UNIX
* Queue manager command level: (930/930)
* Command issued: dmpmqcfg -m QM1 -a
ALTER QMGR DEADQ(' ') FORCE
{queues}* Script ended on 2026-11-23   at 06.10.04
"""


def _plan(lintmdb: Run, folder: Path, *options: str) -> tuple[str, ...]:
    queues = "".join(f"DEFINE QLOCAL('Q{number}') BOTHRESH(3) REPLACE\n" for number in range(15))
    (folder / "QM1.mqsc").write_text(_DUMP.format(queues=queues), "utf-8")
    out = folder / "plan"
    text = lintmdb("plan", folder / "QM1.mqsc", "--all-queues", *options, "--out", out).stdout
    pages = [html.unescape((out / name).read_text("utf-8")).replace("\\", "") for name in ("plan.md", "plan.html")]
    return " ".join(text.split()), *pages


def test_what_to_restart_is_named_in_full(lintmdb: Run, tmp_path: Path) -> None:
    """As in the scripts: whoever gets the document has nothing else."""
    text, *pages = _plan(lintmdb, tmp_path)
    assert re.search(r"Restart what reads (Q\d+, ){3}Q\d+ and 11 more\.", text)
    for page in pages:
        told = re.search(r"Restart what reads ([^.]*)\.", page)
        assert told is not None
        assert set(re.split(r", | and ", told[1])) == {f"Q{number}" for number in range(15)}
        assert not re.search(r"and \d+ more", page)


def test_what_stays_as_bad_is_named_in_full(lintmdb: Run, tmp_path: Path) -> None:
    """Queues with the same fate stand together."""
    text, *pages = _plan(lintmdb, tmp_path, "--only", "was")
    assert re.search(r"The same on 14 more queues: .* and 2 more", text)
    for page in pages:
        (named,) = set(re.findall(r"The same on 14 more queues: ([^.<\n]*)", page))
        assert named.count("at QM1") == 14
