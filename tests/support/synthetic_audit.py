"""Audit folders of any size, made of the judged scenarios: what fixtures find, spread over many cells."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as _pyarrow
import pyarrow.parquet as _parquet

from lintmdb.engine.findings import Finding, Judgement
from lintmdb.fleet.judging.deciding_values import deciding_words
from lintmdb.fleet.stored_values import stored_value
from lintmdb.model.columns import Value
from lintmdb.report.json_report import finding_json
from lintmdb.report.subjects import headline
from lintmdb.rules.rule import SEVERITIES
from lintmdb.run.estate import Estate
from tests.support.scenario import run_scenario
from tests.support.scenario_folders import scenario_folder, scenario_names

pa: Any = _pyarrow
pq: Any = _parquet

Rows = list[dict[str, Any]]

_TEXT, _INT, _LONG, _FLAG = pa.string(), pa.int32(), pa.int64(), pa.bool_()
_SUBJECT = pa.struct(
    [
        (name, _TEXT)
        for name in (
            *("kind", "name", "cell", "cluster", "node", "server", "application", "module", "bean"),
            *("queue_manager", "queue", "bus", "detail"),
        )
    ]
)
_STEP = pa.struct(
    [("step", _INT), ("actor", _TEXT), ("event", _TEXT), ("text", _TEXT), ("state", pa.map_(_TEXT, _LONG))]
)
_RELATED = pa.struct([("path", _TEXT), ("line", _INT), ("message", _TEXT), ("default", _FLAG)])


def _schema(texts: str, **others: Any) -> Any:
    return pa.schema([*((name, _TEXT) for name in texts.split()), *others.items()])


SCHEMAS: dict[str, Any] = {
    "findings": _schema(
        "rule name severity confidence message cause fix fingerprint cell environment queue_manager headline",
        subject=_SUBJECT,
        values=pa.map_(_TEXT, pa.struct([("text", _TEXT), ("number", _LONG), ("flag", _FLAG)])),
        location=pa.struct([("path", _TEXT), ("line", _INT), ("column", _INT)]),
        related=pa.list_(_RELATED),
        trace=pa.list_(_STEP),
        flows=_LONG,
    ),
    "undecided": _schema(
        "rule severity needs need_kind need_target need_command cell queue_manager",
        subject=_SUBJECT,
        missing=pa.list_(_TEXT),
    ),
    "inventory": _schema("path kind name level export", complete=_FLAG, files=_INT, objects=pa.map_(_TEXT, _INT)),
    "quarantine": _schema("path reason next_step", line=_INT, column=_INT),
    "notices": _schema("kind path text next_step", line=_INT),
    "summary": _schema("cell rule", hazards=_LONG, undecided=_LONG, clear=_LONG),
}

SCHEMAS["suppressed"] = SCHEMAS["findings"].append(
    pa.field(
        "suppression",
        pa.struct([*((name, _TEXT) for name in ("kind", "path", "reason", "expires", "owner")), ("line", _INT)]),
    )
)


def write_audit(folder: Path, tables: Mapping[str, Any], **summary: Any) -> Path:
    """An audit folder of the given tables, as lists of rows or Arrow tables; a table that is not given is empty.

    There is no table ``suppressed`` or ``notices`` unless it is given: older versions wrote none.
    """
    for name, schema in SCHEMAS.items():
        if name in ("suppressed", "notices") and name not in tables:
            continue
        table = tables.get(name, [])
        (folder / name).mkdir(parents=True)
        table = pa.Table.from_pylist(table, schema) if isinstance(table, list) else table.cast(schema)
        pq.write_table(table, folder / name / "part-00000.zstd.parquet", row_group_size=20_000)
        (folder / name / "_SUCCESS").touch()
    document = {
        "schema": "lintmdb-fleet/1",
        "id": "20310407-081500-3f9c",
        "started": "2031-04-07T08:15:00+00:00",
        "finished": "2031-04-07T08:41:12+00:00",
        "tool": {"name": "lintmdb", "version": "0.1.0"},
        "rules": 79,
        "exports": {"cells": 1, "queue_managers": 1, "quarantined": 0},
        "endpoints": 1,
        "flows": 1,
        "hazards": dict.fromkeys(SEVERITIES, 0),
        "undecided": 0,
        "clear": 0,
        "inputs": ["exports/cells", "exports/mq/*.mqsc"],
        "incremental": {"read": 3, "kept": 0, "gone": 0},
    } | summary
    (folder / "summary.json").write_text(json.dumps(document), "utf-8")
    (folder / "_COMPLETE").touch()
    return folder


def finding(**fields: Any) -> dict[str, Any]:
    """A row of findings; what is not given is plain."""
    subject = dict.fromkeys(SCHEMAS["findings"].field("subject").type.names) | {"kind": "queue", "name": "ORDERS.IN"}
    row: dict[str, Any] = {
        "rule": "MDB101",
        "name": "no-backout-threshold",
        "severity": "error",
        "confidence": "high",
        "message": "ORDERS.IN has no backout threshold",
        "subject": subject | fields.pop("subject", {}),
        **_values(json.loads(fields.pop("values", '{"queue.backout_threshold": 0, "queue.backout_queue": ""}'))),
        "location": None,
        "related": [],
        "trace": [],
        "fix": "ALTER QLOCAL('ORDERS.IN') BOTHRESH(3)",
        "flows": 1,
        "cell": "C1",
        "queue_manager": "QM1",
        "headline": "ORDERS.IN at QM1 -> OrdersLP (listener port, node1/server1) -> OrderBean (Orders/orders.jar)",
    }
    row.update(fields)
    row.setdefault(
        "fingerprint", hashlib.sha256(json.dumps(row, sort_keys=True, default=str).encode()).hexdigest()[:32]
    )
    return row


def _values(values: Mapping[str, Value], columns: Sequence[str] = ()) -> dict[str, Any]:
    return {
        "values": [(name, stored_value(value)) for name, value in values.items()],
        "cause": deciding_words(values, columns),
    }


def undecided(**fields: Any) -> dict[str, Any]:
    """A row of undecided; what is not given is plain."""
    row: dict[str, Any] = {"rule": "MDB101", "severity": "error", "cell": "C1", "queue_manager": "QM1"}
    row["subject"] = dict.fromkeys(SCHEMAS["findings"].field("subject").type.names)
    row["missing"] = []
    return row | fields


def notice(kind: str, path: str) -> dict[str, Any]:
    """A row of notices."""
    return {"kind": kind, "path": path, "line": None, "text": f"is {kind}", "next_step": None}


@cache
def _judged() -> tuple[Rows, Rows, list[tuple[str, str]]]:
    """Findings, undecided rows, and clear rule ids with the cells, of all scenarios that need no options."""
    findings: Rows = []
    undecided: Rows = []
    clear: list[tuple[str, str]] = []
    for folder in map(scenario_folder, scenario_names()):
        observations = {"observations": "observations.yaml"} if (folder / "observations.yaml").exists() else {}
        outcome = run_scenario(folder, observations)
        judgement = outcome.judgement
        findings += ({**row, "fingerprint": None} for row in _finding_rows(judgement.findings, judgement))
        undecided += ({**row, "cell": row["subject"]["cell"] or "C1"} for row in _undecided_rows(judgement))
        clear += [(rule, subject.cell or "C1") for rule, subject in judgement.clear_subjects]
    return findings, undecided, clear


def _finding_rows(findings: Sequence[Finding], judgement: Judgement) -> Iterator[dict[str, Any]]:
    """Rows of findings, as an audit writes them."""
    heads = [headline(head) for head in judgement.flows]
    names = ("rule", "name", "severity", "confidence", "message", "location", "related", "fingerprint")
    for found in findings:
        row = finding_json(found)
        flow = judgement.flows[found.flow].subject if found.flow is not None else found.subject
        yield {name: row[name] for name in names} | {
            "subject": found.subject._asdict(),
            **_values(found.values, found.rule.hazard.columns),
            "trace": [step | {"state": list(step["state"].items())} for step in row["trace"]],
            "fix": found.fix,
            "flows": found.flows,
            "cell": flow.cell,
            "queue_manager": flow.queue_manager,
            "headline": heads[found.flow] if found.flow is not None else None,
        }


def _undecided_rows(judgement: Judgement) -> Iterator[dict[str, Any]]:
    """Rows of undecided verdicts, as an audit writes them."""
    for entry in judgement.undecided:
        flow = judgement.flows[entry.flow].subject if entry.flow is not None else entry.subject
        yield {
            "rule": entry.rule.id,
            "severity": entry.rule.severity,
            "subject": entry.subject._asdict(),
            "missing": list(entry.missing),
            "needs": entry.need.text,
            "need_kind": entry.need.kind,
            "need_target": entry.need.target,
            "need_command": entry.need.command,
            "cell": flow.cell,
            "queue_manager": flow.queue_manager,
        }


def write_judged_audit(folder: Path, judgement: Judgement, estate: Estate) -> Path:
    """The audit folder of one estate, as ``fleet audit`` writes it but for the numbers in its summary."""
    # An audit counts a clear verdict under the cell of the first flow; any of that subject does here.
    cells = {head.subject.queue_manager: head.subject.cell for head in judgement.flows}
    clear = Counter(
        (subject.cell or cells.get(subject.queue_manager), rule) for rule, subject in judgement.clear_subjects
    )
    problems = [row for row in estate.facts.rows["problem"] if row.kind == "unreadable"]
    return write_audit(
        folder,
        {
            "findings": list(_finding_rows(judgement.findings, judgement)),
            "suppressed": list(_finding_rows([entry.finding for entry in judgement.suppressed], judgement)),
            "undecided": list(_undecided_rows(judgement)),
            "inventory": [
                {"path": row.path, "kind": row.kind, "name": row.name, "complete": row.complete, "objects": []}
                for row in estate.facts.rows["export"]
            ],
            "quarantine": [{"path": row.path, "reason": row.text, "next_step": row.next_step} for row in problems],
            "summary": [{"cell": cell, "rule": rule, "clear": count} for (cell, rule), count in clear.items()],
        },
    )


_PLACES = ("PROD", "TEST", "DR", "EU", "US", "APAC", "BATCH", "PAY", "LOGISTICS", "CLAIMS", "RETAIL", "ARCHIVE")
_REASONS = (
    ("the archive's directory is damaged", "Export the cell again with backupConfig"),
    ("server.xml is not well-formed XML: mismatched tag", "Export the file again"),
    ("the archive unpacks to more than 2 GB", "Raise the limit, or give the cell's folder"),
    ("the reader ended on this unit twice", "Look at the file, or give it to the makers of lintmdb"),
)


def synthetic_audit(folder: Path, cells: int, findings: int, *, seed: int = 7) -> Path:
    """An audit of many cells: a few are bad, most are like each other."""
    chance = random.Random(seed)
    templates, open_rows, clear = _judged()
    names = [f"{chance.choice(_PLACES)}CELL{number:04d}" for number in range(cells)]
    managers = [f"QM{number}" for number in range(1, max(cells // 3, 2))]
    weights = [1 / (1 + number) ** 0.55 for number in range(cells)]
    liked = [1 / (1 + number) for number in range(len(templates))]
    order = chance.sample(range(len(templates)), len(templates))
    picks = [order[pick] for pick in chance.choices(range(len(templates)), liked, k=findings)]
    places = chance.choices(range(cells), weights, k=findings)
    found = _spread(templates, SCHEMAS["findings"], picks, places, names, managers)
    count = findings // 2
    open_picks, open_places = (
        chance.choices(range(len(open_rows)), k=count),
        chance.choices(range(cells), weights, k=count),
    )
    undecided = _spread(open_rows, SCHEMAS["undecided"], open_picks, open_places, names, managers)
    counts = _summary(found, undecided, clear, names, chance)
    units = [_unit(chance, names[number % cells], number) for number in range(max(cells // 40, 3))]
    severities: Counter[str] = Counter(found["severity"].to_pylist())
    return write_audit(
        folder,
        {
            "findings": found,
            "undecided": undecided,
            "inventory": _inventory(names, managers),
            "quarantine": units,
            "summary": counts,
        },
        exports={"cells": cells, "queue_managers": len(managers), "quarantined": len(units)},
        flows=cells * 12,
        endpoints=cells * 10,
        clear=sum(row["clear"] for row in counts),
        undecided=count,
        hazards={severity: severities[severity] for severity in SEVERITIES},
        incremental={"read": cells // 50, "kept": cells - cells // 50, "gone": 2},
    )


def _spread(
    templates: Rows,
    schema: Any,
    picks: Sequence[int],
    places: Sequence[int],
    names: Sequence[str],
    managers: Sequence[str],
) -> Any:
    """Template rows at many places: Arrow repeats what is long, only names are written anew."""
    table = pa.Table.from_pylist(templates, schema).take(pa.array(picks))
    columns = {name: table[name] for name in table.column_names}
    at = [managers[place % len(managers)] for place in places]
    columns["cell"] = pa.array([names[place] for place in places], _TEXT)
    columns["queue_manager"] = pa.array(
        [at[row] if templates[pick]["queue_manager"] else None for row, pick in enumerate(picks)], _TEXT
    )
    for name in ("headline", "message", "fix", "needs", "need_target", "need_command"):
        if name in columns:
            old = [(templates[pick][name], templates[pick]["queue_manager"] or "QM1") for pick in picks]
            new = [text and _renamed(text, manager, at[row], row) for row, (text, manager) in enumerate(old)]
            columns[name] = pa.array(new, _TEXT)
    if "fingerprint" in columns:
        columns["fingerprint"] = pa.array([f"{row:032x}" for row in range(len(picks))], _TEXT)
    return pa.table(columns, schema=schema)


_TRADES = ("Order", "Claim", "Payment", "Invoice", "Shipment", "Policy", "Refund", "Ledger", "Parcel")


def _renamed(text: str, old_manager: str, manager: str, row: int) -> str:
    trade = _TRADES[row * 7 % len(_TRADES)]
    text = text.replace(old_manager, manager).replace("server1", f"server{row % 4 + 1}")
    return text.replace("ORDER", trade.upper()).replace("Order", trade)


def _summary(
    found: Any, undecided: Any, clear: list[tuple[str, str]], names: Sequence[str], chance: random.Random
) -> Rows:
    counts: dict[tuple[str, str], list[int]] = {}
    for place, table in enumerate((found, undecided)):
        for key in zip(table["cell"].to_pylist(), table["rule"].to_pylist(), strict=True):
            counts.setdefault(key, [0, 0, 0])[place] += 1
    rules = sorted({rule for rule, _ in clear})
    for name in names:
        for rule in chance.sample(rules, len(rules) * 2 // 3):
            counts.setdefault((name, rule), [0, 0, 0])[2] += chance.randint(1, 15)
    return [
        {"cell": cell, "rule": rule, "hazards": hazards, "undecided": open_, "clear": clear_count}
        for (cell, rule), (hazards, open_, clear_count) in sorted(counts.items())
    ]


def _inventory(names: Sequence[str], managers: Sequence[str]) -> Rows:
    plain = {"level": "9.0.5.11", "files": 40, "export": "0" * 64, "objects": [("endpoint", 10)]}
    return [
        plain | {"path": f"exports/{name}.zip", "kind": kind, "name": name, "complete": number % 9 > 0}
        for kind, held in (("cell", names), ("queue_manager", managers))
        for number, name in enumerate(held)
    ]


def _unit(chance: random.Random, name: str, number: int) -> dict[str, Any]:
    reason, next_step = _REASONS[number % len(_REASONS)]
    line = chance.randint(1, 900) if "XML" in reason else None
    path = f"exports/cells/{name}.{number}.zip"
    return {"path": path, "reason": reason, "next_step": next_step, "line": line, "column": line and 7}
