"""plan.json: the changes of a plan with their old and new values, what they answer, and what is found before and
after. ``plan verify`` and ``--change`` read it again.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, NotRequired, TypedDict, cast

from lintmdb.delivery.fate import Fate
from lintmdb.engine.findings import Finding, FlowHead, NoticeEntry, Subject
from lintmdb.engine.repairs import find_alternatives, is_left_to_owners
from lintmdb.errors import LintmdbError
from lintmdb.exports.discovery import shown_path
from lintmdb.exports.mq.rest.json_text import JsonError, JsonText
from lintmdb.model.origins import Origin
from lintmdb.plan.companions import find_causes
from lintmdb.plan.evaluation import flow_key
from lintmdb.plan.owner_choices import choices_by_condition
from lintmdb.plan.planned import Plan, queue_fates
from lintmdb.plan.script_order import Place, place_of
from lintmdb.plan.scripts import PURPOSES, Script, plan_scripts
from lintmdb.plan.search import Solution
from lintmdb.settings.afterwards import afterwards
from lintmdb.settings.change_entries import ChangeEntry, change_entry, read_change
from lintmdb.settings.changes import Change, Slot, slots
from lintmdb.version import __version__

FORMAT = 1
"""The number of the format; a reader takes no other."""


class PlannedChange(ChangeEntry):
    """A change of a plan."""

    rules: Sequence[str]
    """Ids of the rules that it answers."""
    prevents: NotRequired[Sequence[str]]
    """Ids of the rules that would find something with all other changes and without this one, where it answers none."""
    once: NotRequired[Sequence[int]]
    """The changes that would lead to it, by their places among ``changes``, from 0 on."""
    newly_moved: NotRequired[bool]
    """True where it grants rights on a queue that messages are newly moved to, and without it nothing would be found
    and no fate be worse.
    """
    owner: NotRequired[str]
    """Of the queue manager or the cell, as the policy names them."""


class FlowNames(TypedDict):
    """What a flow is called."""

    endpoint: str | None
    bean: str | None
    environment: str | None
    cell: str | None
    cluster: str | None
    server: str | None
    queue_manager: str | None
    queue: str | None


class FlowEntry(FlowNames):
    """A flow, and what becomes of a poison message on it."""

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
    """What only people can decide: other changes that end the same findings, for a reason that no export shows."""

    choose_if: str
    """When they may want them, as the end of a sentence."""
    instead_of: Sequence[int]
    """The changes that are left out then, by their places among ``changes``, from 0 on."""
    changes: Sequence[ChangeEntry]
    keep: str
    """What --keep of ``lintmdb plan`` takes to plan it so."""


class StepEntry(TypedDict):
    """A script, in the order in which the scripts are run; they are undone in the reverse order."""

    product: str
    environment: str | None
    place: str
    """The queue manager or the cell."""
    script: str
    """Its path below the folder of the plan."""
    check: NotRequired[str]
    """The path of the script to run before it, which shows the values that it depends on."""
    undo: str
    """The path of the script that undoes it."""
    delete: NotRequired[str]
    """The path of the script to run after that one, once readers are restarted. It deletes queues and rights."""
    after: Sequence[int]
    """The steps that have to be done before it, by their places, from 0 on."""
    notes: Sequence[str]
    """What to do and to know once it has run, as sentences: restarts, and rights that people have to look at."""
    worse: Sequence[FlowEntry]
    """The flows that it leaves worse off than they were before it; no order avoids that, or none that was tried."""


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
    only_queues: NotRequired[Sequence[str]]
    """The queues whose findings were to be gone, as --queue named them."""
    changes: Sequence[PlannedChange]
    steps: Sequence[StepEntry]
    choices: Sequence[ChoiceEntry]
    flows: Sequence[FlowEntry]
    queues: Sequence[QueueEntry]
    """Blank where only queues that an endpoint reads are judged."""
    gone: Sequence[FindingEntry]
    left: Sequence[FindingEntry]
    notices: Sequence[NoticeEntry]
    """Of the state after all changes."""
    searches: Sequence[SearchEntry]


def plan_document(plan: Plan) -> PlanDocument:
    """A plan as the plain values of plan.json."""
    answered = answered_rules(plan)
    before = plan.before.judgement
    gone = [finding for finding in before.findings if not plan.after.has(finding)]
    document: PlanDocument = {
        "format": FORMAT,
        "lintmdb": __version__,
        "severity": plan.policy.severity,
        "changes": [_change(plan, change, answered[change]) for change in plan.changes],
        "steps": _steps(plan),
        "choices": _choices(plan),
        "flows": [
            _flow(head, plan.fates_before[key], plan.fates_after[key])
            for head in before.message_flows
            for key in (flow_key(head),)
        ],
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
        "notices": [notice.as_dict() for notice in plan.elsewhere],
        "searches": [_search(len(component.flows), solution) for component, solution in plan.components],
    }
    if plan.policy.queues:
        document["only_queues"] = list(map(str, plan.policy.queues))
    return document


def merge_documents(documents: Sequence[PlanDocument]) -> PlanDocument:
    """The plans of exports that share nothing, made by one policy, as one; there is at least one of them."""
    counts = list(itertools.accumulate((len(document["changes"]) for document in documents), initial=0))
    steps = itertools.accumulate((len(document["steps"]) for document in documents), initial=0)
    return {
        **documents[0],
        "changes": [
            _moved(entry, made)
            for document, made in zip(documents, counts, strict=False)
            for entry in document["changes"]
        ],
        "steps": [
            {**entry, "after": [made + number for number in entry["after"]]}
            for document, made in zip(documents, steps, strict=False)
            for entry in document["steps"]
        ],
        "choices": [
            {**entry, "instead_of": [made + number for number in entry["instead_of"]]}
            for document, made in zip(documents, counts, strict=False)
            for entry in document["choices"]
        ],
        "flows": [entry for document in documents for entry in document["flows"]],
        "queues": [entry for document in documents for entry in document["queues"]],
        "gone": [entry for document in documents for entry in document["gone"]],
        "left": [entry for document in documents for entry in document["left"]],
        "notices": [entry for document in documents for entry in document["notices"]],
        "searches": [entry for document in documents for entry in document["searches"]],
    }


def _moved(entry: PlannedChange, made: int) -> PlannedChange:
    """A change after so many others."""
    return {**entry, "once": [made + number for number in entry["once"]]} if "once" in entry else entry


def answered_rules(plan: Plan) -> dict[Change, list[str]]:
    """The rules that each change answers: those of the findings before of which it is part of an alternative, but for
    findings that stay because only the owners can choose what ends them. What no alternative of its own has ended is
    answered by what changes a value that its rule reads.
    """
    made = {place for change in plan.changes for place in slots(change)}
    wanted: dict[Slot, set[str]] = {}
    for finding in plan.before.judgement.findings:
        stays = plan.after.has(finding)
        if stays and is_left_to_owners(finding.rule, finding.rows):
            continue
        offered = {
            place
            for changes in find_alternatives(finding.rule, finding.rows)
            for change in changes
            for place in slots(change)
        }
        if not stays and made.isdisjoint(offered):
            causes = [c for c in find_causes(finding, plan.changes) if c not in plan.reasons]
            offered = {place for change in causes for place in slots(change)}
        for place in offered:
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


def _steps(plan: Plan) -> list[StepEntry]:
    heads = {flow_key(head): head for head in plan.before.judgement.flows}
    numbers = {place: number for number, place in enumerate(plan.order.places)}
    made: dict[Place, list[Change]] = {}
    for change in plan.changes:
        made.setdefault(place_of(change), []).append(change)
    paths = script_paths(plan_scripts(plan.changes))
    return [
        {
            "product": target.product,
            "environment": target.environment or None,
            "place": target.place,
            **paths[place],
            "after": [numbers[other] for other in plan.order.after.get(place, ())],
            "notes": [f"{sentence}." for sentence in afterwards(made[place], all_names=True)],
            "worse": [
                _flow(heads[setback.flow], setback.before, setback.after)
                for setback in plan.order.setbacks
                if setback.place == place
            ],
        }
        for place in plan.order.places
        for target in (made[place][0].target,)
    ]


class StepPaths(TypedDict):
    """The scripts of a step."""

    script: str
    check: NotRequired[str]
    undo: str
    delete: NotRequired[str]


def script_paths(scripts: Iterable[Script]) -> dict[Place, StepPaths]:
    """The paths of the scripts of each step, as a ``StepEntry`` has them."""
    found: dict[Place, dict[str, str]] = {}
    for script in sorted(scripts, key=lambda script: PURPOSES.index(script.purpose)):
        key = "script" if script.purpose == "make" else script.purpose
        found.setdefault(script.owner, {})[key] = script.path
    return cast("dict[Place, StepPaths]", found)


def _flow(head: FlowHead, before: Fate, after: Fate) -> FlowEntry:
    return {**flow_names(head.subject), "before": before.value, "after": after.value}


def flow_names(subject: Subject) -> FlowNames:
    """What the flow of a subject is called."""
    return {
        "endpoint": subject.name,
        "bean": subject.bean,
        "environment": subject.environment,
        "cell": subject.cell,
        "cluster": subject.cluster,
        "server": subject.server,
        "queue_manager": subject.queue_manager,
        "queue": subject.queue,
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
    reason = plan.reasons.get(change)
    if reason is not None and reason.findings:
        numbers = {place: number for number, made in enumerate(plan.changes) for place in slots(made)}
        entry["prevents"] = reason.rules
        entry["once"] = [numbers[slots(cause)[0]] for cause in reason.once]
    if reason is not None and reason.newly_moved:
        entry["newly_moved"] = True
    if owner := plan.policy.owner(change.target):
        entry["owner"] = owner
    return entry


def render_plan_json(plan: Plan) -> str:
    """plan.json as text."""
    return render_document(plan_document(plan))


def render_document(document: PlanDocument) -> str:
    """The values of plan.json as text."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


class KeptPlan(NamedTuple):
    """What a plan.json says of the plan that it was written for."""

    changes: Sequence[Change]
    flows: Sequence[KeptFlow]
    steps: Sequence[StepEntry]
    """None in a file of an older lintmdb."""


class KeptFlow(NamedTuple):
    """A flow, and its fate before the plan."""

    entry: FlowEntry
    before: Fate


def read_changes(file: Path) -> list[Change]:
    """The changes of a plan.json, each with its place there. Raises LintmdbError for a file that is none, with what to
    do.
    """
    return list(read_plan(file).changes)


def read_plan(file: Path) -> KeptPlan:
    """A plan.json, its changes with their places there. Raises LintmdbError for a file that is none."""
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
    kept = cast("PlanDocument", document)
    try:
        changes = [read_change(entry) for entry in kept["changes"]]
        places = _places(text, shown_path(file), len(changes))
        return KeptPlan(
            [change._replace(new_origin=place) for change, place in zip(changes, places, strict=True)],
            [KeptFlow(entry, Fate(entry["before"])) for entry in kept.get("flows", ())],
            kept.get("steps", ()),
        )
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
