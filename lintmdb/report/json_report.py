"""The JSON report, version 1: what other programs rely on. ``report.schema.json`` is its schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypedDict, cast

from lintmdb.delivery.wording import Line
from lintmdb.engine.findings import Finding, Judgement, Subject, Suppressed, Undecided
from lintmdb.engine.repairs import find_alternatives
from lintmdb.model.origins import Origin
from lintmdb.model.relations import Problem
from lintmdb.report.entries import (
    FateEntry,
    FindingEntry,
    HazardEntry,
    InputEntry,
    LocationEntry,
    ProblemEntry,
    QueueEntry,
    RelatedEntry,
    ReportDocument,
    StepEntry,
    SubjectEntry,
    SuppressedEntry,
    SuppressionEntry,
    UndecidedEntry,
    UnsetQueueEntry,
)
from lintmdb.report.headline_fates import HeadlineFate, headline_fates
from lintmdb.report.json_lines import Entries, Members, json_text
from lintmdb.report.unset_queues import find_unset_queues
from lintmdb.rules.rule import SEVERITIES
from lintmdb.run.estate import Estate
from lintmdb.settings.change_entries import change_entry
from lintmdb.version import __version__


def json_document(judgement: Judgement, estate: Estate) -> ReportDocument:
    """The report as a document of plain values, in the order in which it is written."""
    document = _document(judgement, estate)
    document["findings"] = list(document["findings"])
    document["undecided"] = list(document["undecided"])
    document["suppressed"] = list(document["suppressed"])
    document["notices"] = list(document["notices"])
    if "queues" in document:
        document["queues"] = list(document["queues"])
    if "unset_queues" in document:
        document["unset_queues"] = list(document["unset_queues"])
    return document


def _document(judgement: Judgement, estate: Estate) -> ReportDocument:
    """The document with iterators for its long lists, so that their entries are never in memory all at once."""
    hazards = Counter(finding.rule.severity for finding in judgement.findings)
    return {
        "schema": "lintmdb/1",
        "tool": {"name": "lintmdb", "version": __version__},
        "inputs": _inputs(estate),
        "findings": (finding_json(finding) for finding in judgement.findings),
        "undecided": map(undecided_json, judgement.undecided),
        "suppressed": (suppressed_entry(entry) for entry in judgement.suppressed),
        "notices": (notice.as_dict() for notice in judgement.notices),
        **_queues(judgement),
        "summary": {
            "endpoints": judgement.endpoints,
            "hazards": {severity: hazards.get(severity, 0) for severity in SEVERITIES},
            "undecided": len(judgement.undecided),
            "clear": judgement.clear,
            "suppressed": len(judgement.suppressed),
        },
    }


class _Queues(TypedDict, total=False):
    queues: Iterable[QueueEntry]
    unset_queues: Iterable[UnsetQueueEntry]


def _queues(judgement: Judgement) -> _Queues:
    """The queues that no endpoint reads, the worst fate first, and those that nothing judges; nothing where nobody
    asked for them.
    """
    if not judgement.all_queues:
        return {}
    told = zip(judgement.unread, headline_fates(judgement.unread), strict=True)
    worst_first = sorted(told, key=lambda pair: pair[1].rank)
    return {
        "queues": ({"subject": _subject(head.subject), "fates": _fates(fate)} for head, fate in worst_first),
        "unset_queues": (
            {"subject": _subject(queue.subject), "location": location_json(queue.origin)}
            for queue in find_unset_queues(judgement)
        ),
    }


def _fates(fate: HeadlineFate) -> list[FateEntry]:
    return [
        {
            "persistent": told.persistent,
            "fate": told.outcome.fate.value,
            "target": told.outcome.target or None,
            "deliveries": told.outcome.deliveries,
            "if_user_may_put": fate.rests_on_rights(told),
            "otherwise": told.outcome.otherwise or None,
            "missing": list(told.outcome.missing),
        }
        for told in fate.poison
    ]


def render_json(judgement: Judgement, estate: Estate) -> str:
    """The report as text: one line a top-level value, and one line each input, finding and undecided verdict."""
    return render_document(_document(judgement, estate))


def render_document(document: ReportDocument) -> str:
    """The document of a report as text."""
    return json_text(Members({key: _in_lines(value)} for key, value in document.items()))


def _in_lines(value: object) -> object:
    if isinstance(value, list | Iterator):
        return Entries(cast("Iterable[object]", value))
    return value


def _inputs(estate: Estate) -> list[InputEntry]:
    objects = _objects(estate)
    problems: dict[str, list[Problem]] = {}
    for problem in estate.facts.rows["problem"]:
        problems.setdefault(problem.path, []).append(problem)
    entries: list[InputEntry] = [
        {
            "path": entry.path,
            "kind": entry.kind,
            "sha256": entry.sha256,
            "objects": dict(sorted(objects.get(entry.path, Counter()).items())),
            "problems": [problem_json(problem) for problem in problems.pop(entry.path, [])],
        }
        for entry in estate.inputs
    ]
    # Files that could not even be opened have problems and no digest.
    for path, rest in sorted(problems.items()):
        entries.append(
            {"path": path, "kind": None, "sha256": None, "objects": {}, "problems": [problem_json(p) for p in rest]}
        )
    return entries


_NOT_COUNTED = ("export", "problem", "put_target", "forwarding", "cluster_member", "authority", "topic")


def _objects(estate: Estate) -> dict[str, Counter[str]]:
    """How many objects of each kind each file defines."""
    objects: dict[str, Counter[str]] = {}
    for table, rows in estate.facts.rows.items():
        if table in _NOT_COUNTED:
            continue
        for row in rows:
            origin = row.origins.get("name")
            kind = f"{row.type}_queue" if table == "queue_name" else table
            if origin is not None and kind not in ("local_queue", "model_queue"):  # these are rows of ``queue``
                objects.setdefault(origin.path, Counter())[kind] += 1
    for path, counts in estate.script_objects.items():
        objects.setdefault(path, Counter()).update(counts)
    return objects


def problem_json(problem: Problem) -> ProblemEntry:
    """A problem as the reports hold it."""
    return {
        "kind": problem.kind,
        "line": problem.line or None,
        "column": problem.column or None,
        "text": problem.text,
        "next_step": problem.next_step or None,
    }


def finding_json(finding: Finding) -> FindingEntry:
    """A finding as the reports hold it."""
    alternatives = find_alternatives(finding.rule, finding.rows)
    entry: FindingEntry = {
        **hazard_json(finding),
        "changes": [list(map(change_entry, changes)) for changes in alternatives],
    }
    if finding.put_back:
        entry["put_back"] = list(map(change_entry, finding.put_back))
    return entry


def hazard_json(finding: Finding) -> HazardEntry:
    """A finding as the reports hold it, without its changes as data."""
    rule = finding.rule
    return {
        "rule": rule.id,
        "name": rule.name,
        "severity": rule.severity,
        "confidence": rule.confidence,
        "verdict": "hazard",
        "message": finding.message,
        "subject": _subject(finding.subject),
        "values": dict(finding.values),
        "location": location_json(finding.location),
        "related": [related_json(origin) for origin in finding.related],
        "trace": steps(finding.trace),
        "fix": finding.fix,
        "fingerprint": finding.fingerprint,
    }


def suppressed_entry(entry: Suppressed) -> SuppressedEntry:
    """A finding that does not count, with the decision that it does not."""
    return {**finding_json(entry.finding), "suppression": suppression_json(entry)}


def suppression_json(entry: Suppressed) -> SuppressionEntry:
    """The decision that a finding does not count."""
    return {
        "kind": entry.kind,
        "path": entry.path,
        "line": entry.line or None,
        "reason": entry.reason,
        "expires": entry.expires,
        "owner": entry.owner,
    }


def steps(lines: Sequence[Line]) -> list[StepEntry]:
    """The lines of a trace as numbered steps."""
    return [
        {"step": number, "actor": line.actor, "event": line.event, "text": line.text, "state": dict(line.state)}
        for number, line in enumerate(lines, 1)
    ]


def _subject(subject: Subject) -> SubjectEntry:
    return cast("SubjectEntry", subject.as_dict())


def location_json(origin: Origin | None) -> LocationEntry | None:
    """The place that a finding points at, as the reports hold it."""
    if origin is None:
        return None
    return {"path": origin.path, "line": origin.line or None, "column": origin.column or None}


def related_json(origin: Origin) -> RelatedEntry:
    """Another place of a finding, as the reports hold it."""
    entry: RelatedEntry = {"path": origin.path, "line": origin.line or None, "message": origin.text}
    if origin.default:
        entry["default"] = True
    return entry


def undecided_json(entry: Undecided) -> UndecidedEntry:
    """An undecided verdict of the report."""
    return {
        "rule": entry.rule.id,
        "subject": _subject(entry.subject),
        "missing": list(entry.missing),
        "needs": entry.need.text,
    }
