"""Two audits of one folder, for what is done with audits."""

from __future__ import annotations

import shutil
from pathlib import Path

from lintmdb.fleet.audit import Audit, Request, run_audit
from tests.support.fleet_estate import copy_renamed
from tests.support.project import FIXTURES
from tests.support.scenario import RULES

FEW = [rule for rule in RULES if rule.id in ("MDB101", "MDB104", "MDB302", "MDB401", "MDB901")]
"""Rules enough to tell audits apart; all of them would take several times as long."""
STOPPING = FIXTURES / "stop-3-sessions-5-bothresh-5"


def _threshold(folder: Path, value: int) -> None:
    dump = next(folder.rglob("*.mqsc"))
    dump.write_bytes(dump.read_bytes().replace(b"BOTHRESH(5)", f"BOTHRESH({value})".encode()))


class History:
    """Two audits of one folder: A is repaired, B now loops, the queue manager of C is no longer exported."""

    def __init__(self, folder: Path) -> None:
        self.exports, self.out = folder / "exports", folder / "out"
        for name in "abc":
            copy_renamed(STOPPING, self.exports / name, f"_{name}")
        request = Request([str(self.exports)], self.out, FEW, incremental=True)
        self.old: Audit = run_audit(None, request)
        _threshold(self.exports / "a", 2)
        _threshold(self.exports / "b", 0)
        shutil.rmtree(self.exports / "c" / "mq")
        (self.exports / "broken.zip").write_bytes(b"PK\x03\x04 and nothing that follows")
        self.new: Audit = run_audit(None, request)
