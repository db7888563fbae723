"""The JSON report, version 1: what other programs rely on. ``report.schema.json`` is its schema."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from lintmdb.delivery.wording import Line
from lintmdb.engine.findings import Finding, Judgement, Notice, Suppressed, Undecided
from lintmdb.model.origins import Origin
from lintmdb.model.relations import Problem
from lintmdb.rules.rule import SEVERITIES
from lintmdb.run.estate import Estate
from lintmdb.version import __version__


def json_document(judgement: Judgement, estate: Estate) -> dict[str, Any]:
    """The report as a document of plain values, in the order in which it is written."""
    return {
        key: list(cast("Iterator[Any]", value)) if isinstance(value, Iterator) else value
        for key, value in _document(judgement, estate).items()
    }


def _document(judgement: Judgement, estate: Estate) -> dict[str, Any]:
    """The same; long lists are made while they are read: all entries at once take much more room than the text."""
    hazards = Counter(finding.rule.severity for finding in judgement.findings)
    return {
        "schema": "lintmdb/1",
        "tool": {"name": "lintmdb", "version": __version__},
        "inputs": _inputs(estate),
        "findings": map(finding_json, judgement.findings),
        "undecided": map(undecided_json, judgement.undecided),
        "suppressed": map(suppressed_entry, judgement.suppressed),
        "notices": map(notice_json, judgement.notices),
        "summary": {
            "endpoints": judgement.endpoints,
            "hazards": {severity: hazards.get(severity, 0) for severity in SEVERITIES},
            "undecided": len(judgement.undecided),
            "clear": judgement.clear,
            "suppressed": len(judgement.suppressed),
        },
    }


def render_json(judgement: Judgement, estate: Estate) -> str:
    """The report as text: one line a top-level value, and one line each input, finding and undecided verdict."""
    return render_document(_document(judgement, estate))


def render_document(document: Mapping[str, Any]) -> str:
    """A report's document as text; a list in it may be an iterator."""
    encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
    pieces: list[str] = []
    lead = "{\n"
    for key, value in document.items():
        pieces.append(f"{lead} {encode(key)}: ")
        lead = ",\n"
        if isinstance(value, list | Iterator):
            pieces += _list_pieces(map(encode, cast("Iterable[Any]", value)))
        else:
            pieces.append(encode(value))
    return "".join([*pieces, "\n}\n"])


def _list_pieces(entries: Iterable[str]) -> Iterator[str]:
    """The text of a list, one entry a line, in pieces; they are many and large, and joined once."""
    lead = "[\n  "
    for entry in entries:
        yield lead
        yield entry
        lead = ",\n  "
    yield "[]" if lead.startswith("[") else "\n ]"


def _inputs(estate: Estate) -> list[dict[str, Any]]:
    objects: dict[str, Counter[str]] = {}
    for table, rows in estate.facts.rows.items():
        if table in ("export", "problem", "queue_name", "put_target", "authority"):
            continue
        for row in rows:
            origin = row.origins.get("name")
            if origin is not None:
                objects.setdefault(origin.path, Counter())[table] += 1
    problems: dict[str, list[Problem]] = {}
    for problem in estate.facts.rows["problem"]:
        problems.setdefault(problem.path, []).append(problem)
    entries: list[dict[str, Any]] = [
        {
            "path": entry.path,
            "kind": entry.kind,
            "sha256": entry.sha256,
            "objects": dict(sorted(objects.get(entry.path, Counter()).items())),
            "problems": [_problem(problem) for problem in problems.pop(entry.path, [])],
        }
        for entry in estate.inputs
    ]
    # Files that could not even be opened have problems and no digest.
    for path, rest in sorted(problems.items()):
        entries.append(
            {"path": path, "kind": None, "sha256": None, "objects": {}, "problems": [_problem(p) for p in rest]}
        )
    return entries


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "kind": problem.kind,
        "line": problem.line or None,
        "column": problem.column or None,
        "text": problem.text,
        "next_step": problem.next_step or None,
    }


def finding_json(finding: Finding) -> dict[str, Any]:
    """A finding as the reports hold it."""
    rule = finding.rule
    return {
        "rule": rule.id,
        "name": rule.name,
        "severity": rule.severity,
        "confidence": rule.confidence,
        "verdict": "hazard",
        "message": finding.message,
        "subject": finding.subject.as_dict(),
        "values": dict(finding.values),
        "location": _location(finding.location),
        "related": [_related(origin) for origin in finding.related],
        "trace": steps(finding.trace),
        "fix": finding.fix,
        "fingerprint": finding.fingerprint,
    }


def suppressed_entry(entry: Suppressed) -> dict[str, Any]:
    """A finding that does not count, with the decision that it does not."""
    return {**finding_json(entry.finding), "suppression": suppression_json(entry)}


def suppression_json(entry: Suppressed) -> dict[str, Any]:
    """The decision that a finding does not count."""
    return {
        "kind": entry.kind,
        "path": entry.path,
        "line": entry.line or None,
        "reason": entry.reason,
        "expires": entry.expires,
        "owner": entry.owner,
    }


def notice_json(notice: Notice) -> dict[str, Any]:
    """Something that is out of date, as the reports hold it."""
    return {
        "kind": notice.kind,
        "path": notice.path,
        "line": notice.line or None,
        "text": notice.text,
        "next_step": notice.next_step or None,
    }


def steps(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """The lines of a told story as numbered steps."""
    return [
        {"step": number, "actor": line.actor, "event": line.event, "text": line.text, "state": dict(line.state)}
        for number, line in enumerate(lines, 1)
    ]


def _location(origin: Origin | None) -> dict[str, Any] | None:
    if origin is None:
        return None
    return {"path": origin.path, "line": origin.line or None, "column": origin.column or None}


def _related(origin: Origin) -> dict[str, Any]:
    entry: dict[str, Any] = {"path": origin.path, "line": origin.line or None, "message": origin.text}
    if origin.default:
        entry["default"] = True
    return entry


def undecided_json(entry: Undecided) -> dict[str, Any]:
    """An undecided verdict of the report."""
    return {
        "rule": entry.rule.id,
        "subject": entry.subject.as_dict(),
        "missing": list(entry.missing),
        "needs": entry.need.text,
    }
