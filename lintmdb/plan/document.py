"""plan.json: the changes of a plan with their old and new values, what they answer, and what is found before and
after. ``plan verify`` and ``--change`` read it again.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from lintmdb.engine.findings import Finding
from lintmdb.engine.repairs import find_alternatives
from lintmdb.errors import LintmdbError
from lintmdb.exports.discovery import shown_path
from lintmdb.exports.mq.rest.json_text import JsonError, JsonText
from lintmdb.model.origins import Origin
from lintmdb.plan.owner_choices import choices_by_condition
from lintmdb.plan.planner import Plan, queue_fates
from lintmdb.plan.search import Solution
from lintmdb.settings.change_entries import ChangeEntry, change_entry, read_change
from lintmdb.settings.changes import Change, Slot, slots
from lintmdb.version import __version__

FORMAT = 1
"""The number of the format; a reader takes no other."""


class PlannedChange(ChangeEntry):
    """A change of a plan."""

    rules: Sequence[str]
    """Ids of the rules that it answers."""
    owner: NotRequired[str]
    """Of the queue manager or the cell, as the policy names them."""


class FlowEntry(TypedDict):
    """A flow, and what becomes of a poison message on it."""

    endpoint: str | None
    bean: str | None
    environment: str | None
    cell: str | None
    cluster: str | None
    server: str | None
    queue_manager: str | None
    queue: str | None
    before: str
    after: str


class QueueEntry(TypedDict):
    """A queue that no endpoint reads, and what it makes of a poison message of a JMS client that never gives up."""

    environment: str | None
    queue_manager: str | None
    queue: str | None
    before: str
    after: str


class FindingEntry(TypedDict):
    """A finding, and why it stays."""

    rule: str
    severity: str
    subject: Mapping[str, str | None]
    message: str
    advice: NotRequired[str]


class ChoiceEntry(TypedDict):
    """What only people can decide: other changes that end the same findings, for a reason that no export tells."""

    choose_if: str
    """When they may want them, as the end of a sentence."""
    instead_of: Sequence[int]
    """The changes that are left out then, by their places among ``changes``, from 0 on."""
    changes: Sequence[ChangeEntry]
    keep: str
    """What --keep of ``lintmdb plan`` takes to plan it so."""


class SearchEntry(TypedDict):
    """What became of the search in one component."""

    flows: int
    states: int
    complete: bool


class PlanDocument(TypedDict):
    """The whole file."""

    format: int
    lintmdb: str
    severity: str
    changes: Sequence[PlannedChange]
    choices: Sequence[ChoiceEntry]
    flows: Sequence[FlowEntry]
    queues: Sequence[QueueEntry]
    """Blank where only queues that an endpoint reads are judged."""
    gone: Sequence[FindingEntry]
    left: Sequence[FindingEntry]
    searches: Sequence[SearchEntry]


def plan_document(plan: Plan) -> PlanDocument:
    """A plan as the plain values of plan.json."""
    answered = answered_rules(plan)
    before = plan.before.judgement
    gone = [finding for finding in before.findings if not plan.after.has(finding)]
    return {
        "format": FORMAT,
        "lintmdb": __version__,
        "severity": plan.policy.severity,
        "changes": [_change(plan, change, answered[change]) for change in plan.changes],
        "choices": _choices(plan),
        "flows": [_flow(plan, number) for number in range(len(before.message_flows))],
        "queues": [
            {
                "environment": fates.subject.environment,
                "queue_manager": fates.subject.queue_manager,
                "queue": fates.subject.name,
                "before": fates.before.value,
                "after": fates.after.value,
            }
            for fates in queue_fates(plan)
        ],
        "gone": [_finding(finding) for finding in gone],
        "left": [{**_finding(finding), "advice": finding.fix} for finding in plan.left],
        "searches": [_search(len(component.flows), solution) for component, solution in plan.components],
    }


def merge_documents(documents: Sequence[PlanDocument]) -> PlanDocument:
    """The plans of exports that share nothing, made by one policy, as one; there is at least one of them."""
    before = itertools.accumulate((len(document["changes"]) for document in documents), initial=0)
    return {
        **documents[0],
        "changes": [entry for document in documents for entry in document["changes"]],
        "choices": [
            {**entry, "instead_of": [made + number for number in entry["instead_of"]]}
            for document, made in zip(documents, before, strict=False)
            for entry in document["choices"]
        ],
        "flows": [entry for document in documents for entry in document["flows"]],
        "queues": [entry for document in documents for entry in document["queues"]],
        "gone": [entry for document in documents for entry in document["gone"]],
        "left": [entry for document in documents for entry in document["left"]],
        "searches": [entry for document in documents for entry in document["searches"]],
    }


def answered_rules(plan: Plan) -> dict[Change, list[str]]:
    """The rules that each change answers: those of the findings before of which it is part of an alternative."""
    wanted: dict[Slot, set[str]] = {}
    for finding in plan.before.judgement.findings:
        for changes in find_alternatives(finding.rule, finding.rows):
            for change in changes:
                for place in slots(change):
                    wanted.setdefault(place, set()).add(finding.rule.id)
    return {
        change: sorted({rule for place in slots(change) for rule in wanted.get(place, ())}) for change in plan.changes
    }


def _choices(plan: Plan) -> list[ChoiceEntry]:
    places = {change: place for place, change in enumerate(plan.changes)}
    return [
        {
            "choose_if": condition,
            "instead_of": [places[change] for change in instead.kept],
            "changes": list(map(change_entry, instead.changes)),
            "keep": instead.keep,
        }
        for condition, alternatives in choices_by_condition(plan, plan.changes)
        for instead in alternatives
    ]


def _search(flows: int, solution: Solution) -> SearchEntry:
    return {"flows": flows, "states": solution.states, "complete": solution.complete}


def _flow(plan: Plan, number: int) -> FlowEntry:
    head = plan.before.judgement.flows[number]
    subject, key = head.subject, head.subject.identity()
    return {
        "endpoint": subject.name,
        "bean": subject.bean,
        "environment": subject.environment,
        "cell": subject.cell,
        "cluster": subject.cluster,
        "server": subject.server,
        "queue_manager": subject.queue_manager,
        "queue": subject.queue,
        "before": plan.fates_before[key].value,
        "after": plan.fates_after[key].value,
    }


def _finding(finding: Finding) -> FindingEntry:
    return {
        "rule": finding.rule.id,
        "severity": finding.rule.severity,
        "subject": finding.subject.as_dict(),
        "message": finding.message,
    }


def _change(plan: Plan, change: Change, rules: Sequence[str]) -> PlannedChange:
    entry: PlannedChange = {**change_entry(change), "rules": rules}
    if owner := plan.policy.owner(change.target):
        entry["owner"] = owner
    return entry


def render_plan_json(plan: Plan) -> str:
    """plan.json as text."""
    return render_document(plan_document(plan))


def render_document(document: PlanDocument) -> str:
    """The values of plan.json as text."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def read_changes(file: Path) -> list[Change]:
    """The changes of a plan.json, each with its place there. Raises LintmdbError for a file that is none, with what to
    do.
    """
    try:
        text = file.read_text("utf-8")
        document = json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not JSON"
        raise LintmdbError(f"cannot be read: {reason}", path=str(file), next_step="Name a plan.json") from error
    if not isinstance(document, dict) or cast("Mapping[str, object]", document).get("format") != FORMAT:
        raise LintmdbError(
            "is not a plan of this version", path=str(file), next_step="Plan again with lintmdb plan --out DIR"
        )
    entries = cast("PlanDocument", document).get("changes")
    try:
        changes = [read_change(entry) for entry in entries]
        places = _places(text, shown_path(file), len(changes))
        return [change._replace(new_origin=place) for change, place in zip(changes, places, strict=True)]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise LintmdbError(
            "is a damaged plan", path=str(file), next_step="Plan again with lintmdb plan --out DIR"
        ) from error


def _places(text: str, path: str, count: int) -> Sequence[Origin | None]:
    """Where each change of a plan.json says its new value, else where it begins; None where that cannot be told."""
    read = JsonText(text)
    try:
        document = next(read.documents())
    except JsonError:  # json.loads takes more than JSON
        return [None] * count
    nodes = document.members()["changes"].items()
    values = [node.members().get("new") for node in nodes]
    offsets = [node.start if value is None else value.key for node, value in zip(nodes, values, strict=True)]
    return [Origin(path, *read.place(offset), "") for offset in offsets]
