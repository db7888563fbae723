"""What the tables of an audit say of the exports that were read, and of what could not be read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields

from lintmdb.engine.findings import Notice
from lintmdb.fleet.arrow import compute, dataset, pa
from lintmdb.fleet.facts.collect import Collected
from lintmdb.fleet.facts.store import PartInfo, Store
from lintmdb.fleet.judging.presenting import TableRows
from lintmdb.model.facts import Facts
from lintmdb.run.reading_notices import reading_notices


def tell_reading(facts: Facts) -> tuple[Mapping[str, TableRows], Sequence[Notice]]:
    """What the tables of an audit say of problems, and the notices among that."""
    notices = reading_notices(facts.rows["problem"])
    return {"quarantine": _quarantine(facts), "notices": [_notice_row(notice) for notice in notices]}, notices


_NOTICE = tuple(field.name for field in fields(Notice))


def _notice_row(notice: Notice) -> dict[str, object]:
    return {name: getattr(notice, name) for name in _NOTICE}


_INVENTORY = ("path", "kind", "name", "complete", "level", "files", "environment")


def read_inventory(store: Store, collected: Collected, parts: Sequence[PartInfo]) -> TableRows:
    """The rows of the table of exports about some parts."""
    exports = {part.part: part.export for part in parts}
    wanted = compute.field("part").isin(pa.array(list(exports), pa.int64()))
    rows: TableRows = []
    for folder in store.folders(collected.state, "export"):
        for row in dataset.dataset(folder, format="parquet").to_table(filter=wanted).to_pylist():
            kept = {name: row[name] for name in _INVENTORY}
            objects = list(json.loads(row["objects"]).items())
            rows.append({**kept, "export": exports[row["part"]], "objects": objects})
    return rows


def _quarantine(facts: Facts) -> TableRows:
    return [
        {
            "path": row.path,
            "reason": row.text,
            "line": row.line,
            "column": row.column,
            "next_step": row.next_step,
            "environment": row.environment,
        }
        for row in facts.rows["problem"]
        if row.kind == "unreadable"
    ]
