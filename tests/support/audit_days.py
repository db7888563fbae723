"""Audits made of rows, one a day, with the history that they hand on."""

from __future__ import annotations

import json
import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.history import write_history
from lintmdb.fleet.summary import Summary
from tests.support.synthetic_audit import finding, write_audit

START = datetime(2026, 1, 1)


def queue_findings(*names: str) -> list[dict[str, Any]]:
    """Rows of findings about queues of these names, which are their fingerprints, too."""
    return [
        finding(subject={"name": name, "queue": name, "queue_manager": "QM1"}, fingerprint=name, cell="C1")
        for name in names
    ]


class Days:
    """Audits made of rows, one a day."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder)
        self.number = 0

    def audit(self, *names: str, history: bool = True, **tables: Any) -> Path:
        """An audit with findings of these names; its exports are those of cell C1 and QM1 unless tables say more."""
        self.number += 1
        day = START + timedelta(days=self.number)
        given = [
            {"path": f"exports/{name}", "kind": kind, "name": name, "complete": True, "files": 1, "export": name}
            for kind, name in (("cell", "C1"), ("queue_manager", "QM1"))
        ]
        with self.store.locked():
            name, folder = self.store.new_audit()
            name = f"{day:%Y%m%dT%H%M%SZ}-{self.number}"
            rows = {"findings": queue_findings(*names), "inventory": given, **tables}
            moment = f"{day:%Y-%m-%dT%H:%M:%SZ}"
            shutil.rmtree(folder)
            write_audit(
                folder, rows, id=name, started=moment, finished=moment, hazards={"error": len(rows["findings"])}
            )
            if history:
                write_history(self.store, folder, _summary(folder))
            return self.store.finish(name, folder)


def _summary(folder: Path) -> Summary:
    return json.loads((folder / "summary.json").read_text("utf-8"))
