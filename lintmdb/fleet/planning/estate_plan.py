"""The plan of exports that are planned together, as the rows of an audit's tables."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from lintmdb.delivery.fate import Fate
from lintmdb.engine.findings import FlowHead
from lintmdb.model.environment_names import name_in
from lintmdb.plan.choices import find_choices
from lintmdb.plan.components import Component
from lintmdb.plan.document import PlanDocument, answered_rules, merge_documents, plan_document
from lintmdb.plan.evaluation import Evaluator, flow_key
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy, restarted
from lintmdb.plan.script_order import ScriptOrder, merge_orders
from lintmdb.plan.search import Solution
from lintmdb.plan.shape import find_shape
from lintmdb.plan.steps import Effect, Step, find_effects, is_safe, steps_of
from lintmdb.report.changes import change_words, object_words
from lintmdb.settings.afterwards import acts_words
from lintmdb.settings.change_entries import change_kind
from lintmdb.settings.changes import Assignment, Change, Slot, slots

TableRow = dict[str, object]


@dataclass(frozen=True, slots=True)
class EstatePlan:
    """The plan of some exports."""

    document: PlanDocument
    """What plan.json says: of flows those on which something changes, of searches those that tried something."""
    changes: Sequence[Change]
    steps: Sequence[Step]
    """The step of each change."""
    change_rows: Sequence[TableRow]
    """The row of each in ``plan_change``, without its wave and its script."""
    component_rows: Sequence[TableRow]
    """Rows of ``plan``: components with findings to end, or with changes."""
    order: ScriptOrder
    """In which order the scripts that depend on each other are run."""
    size: int
    """How many components there are in all."""
    effects: Mapping[Effect, int]
    """How many components have each."""
    safe_before: int
    """On how many flows a poison message does no harm."""
    safe_after: int


def plan_estate(evaluator: Evaluator, policy: Policy) -> EstatePlan:
    """The plan of exports; its components are numbered from 0 on."""
    plan = make_plan(evaluator, policy)
    return EstatePlan(
        _document(plan),
        plan.changes,
        steps_of(plan.changes, policy),
        _change_rows(plan),
        _component_rows(plan),
        plan.order,
        len(plan.components),
        Counter(find_effects(plan, evaluator).values()),
        _count_safe(plan.fates_before.values()),
        _count_safe(plan.fates_after.values()),
    )


def _document(plan: Plan) -> PlanDocument:
    document = plan_document(plan)
    flows = [entry for entry in document["flows"] if entry["before"] != entry["after"]]
    queues = [entry for entry in document["queues"] if entry["before"] != entry["after"]]
    return {
        **document,
        "flows": flows,
        "queues": queues,
        "searches": [entry for entry in document["searches"] if entry["states"]],
    }


def merge_plans(plans: Sequence[EstatePlan]) -> EstatePlan:
    """The plans of exports that share nothing as one, the components of each numbered after those before."""
    if len(plans) == 1:
        return replace(plans[0], order=merge_orders([plans[0].order]))
    effects: Counter[Effect] = Counter()
    components: list[TableRow] = []
    changes: list[TableRow] = []
    size = 0
    for plan in plans:
        effects.update(plan.effects)
        components += [_numbered(row, size, None) for row in plan.component_rows]
        made = len(changes)
        changes += [_numbered(row, size, made) for row in plan.change_rows]
        size += plan.size
    return EstatePlan(
        merge_documents([plan.document for plan in plans]),
        [change for plan in plans for change in plan.changes],
        [step for plan in plans for step in plan.steps],
        changes,
        components,
        merge_orders(plan.order for plan in plans),
        size,
        effects,
        sum(plan.safe_before for plan in plans),
        sum(plan.safe_after for plan in plans),
    )


def _count_safe(fates: Iterable[Fate]) -> int:
    return sum(map(is_safe, fates))


def _component_rows(plan: Plan) -> list[TableRow]:
    heads = {flow_key(head): head for head in plan.before.judgement.flows}
    shapes: dict[int, str] = {}
    rows: list[TableRow] = []
    for number, (component, solution) in enumerate(plan.components):
        wanted = [finding for finding in component.findings if plan.policy.repairs(finding)]
        if not wanted and not solution.changes:
            continue
        like = number if solution.like is None else solution.like
        if like not in shapes:
            first = plan.components[like][0]
            shapes[like] = _shape_text([heads[key] for key in first.flows], first, plan.policy)
        endpoints = [heads[key].rows.endpoint for key in component.flows]
        rows.append(
            {
                "component": number,
                "shape": shapes[like],
                "cells": sorted({name_in(each.environment, each.cell) for each in endpoints if each.cell}),
                "queue_managers": sorted(
                    {name_in(each.environment, each.queue_manager) for each in endpoints if each.queue_manager}
                ),
                "flows": len(component.flows),
                "safe_before": _count_safe(plan.fates_before[key] for key in component.flows),
                "safe_after": _count_safe(plan.fates_after[key] for key in component.flows),
                "findings": len(wanted),
                "left": sum(map(plan.after.has, wanted)),
                **_cost_columns(solution, plan.policy),
            }
        )
    return rows


def _shape_text(heads: Sequence[FlowHead], component: Component, policy: Policy) -> str:
    """A text that is the same for components that are equal but for names, in every audit."""
    shape = find_shape(heads, find_choices(component.findings, policy))
    return hashlib.sha256(repr(shape.key).encode("utf-8", "surrogateescape")).hexdigest()[:12]


def _cost_columns(solution: Solution, policy: Policy) -> TableRow:
    owners = {policy.owner(change.target) for change in solution.changes} - {""}
    return {
        "changes": len(solution.changes),
        "owners": sorted(owners),
        "restarts": len({*map(restarted, solution.changes)} - {None}),
        "states": solution.states,
        "complete": solution.complete,
    }


def _change_rows(plan: Plan) -> list[TableRow]:
    of_component: dict[Slot, int] = {
        place: number
        for number, (_, solution) in enumerate(plan.components)
        for change in solution.changes
        for place in slots(change)
    }
    rules = answered_rules(plan)
    return [
        {
            "place": change.target.place,
            "environment": change.target.environment or None,
            "product": change.target.product,
            "component": of_component[slots(change)[0]],
            "number": number,
            **_values(change),
            "text": " ".join(filter(None, (object_words(change.target), change_words(change)))),
            "rules": rules[change],
            "owner": plan.policy.owner(change.target) or None,
            "acts": acts_words(change),
            "restarts": restarted(change) is not None,
        }
        for number, change in enumerate(plan.changes)
    ]


def _values(change: Change) -> TableRow:
    target = change.target
    row: TableRow = {"change": change_kind(change), "kind": target.kind, "name": target.name, "path": target.path}
    if isinstance(change, Assignment):
        row |= {"setting": change.setting, "attribute": change.attribute, "old": change.old, "new": change.new}
    return row


def _numbered(row: TableRow, components: int, changes: int | None) -> TableRow:
    """A row of a plan after others with so many components and changes."""
    moved = {**row, "component": cast("int", row["component"]) + components}
    return moved if changes is None else moved | {"number": changes + cast("int", row["number"])}
