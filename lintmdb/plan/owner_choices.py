"""What the owners may want instead of changes that are offered: other ends of the same findings, which depend on
something that no export shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeGuard

from lintmdb.engine.findings import Finding
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.engine.repairs import Choice, find_alternatives, find_owner_choices
from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import Queue
from lintmdb.plan.choices import Changes
from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.exported_values import by_slot, restored, with_exported_values
from lintmdb.plan.naming import named_thing
from lintmdb.plan.planned import Plan
from lintmdb.plan.record_places import RecordPlaces
from lintmdb.run.descriptions import Descriptions
from lintmdb.settings.actions import MOVE_RIGHTS
from lintmdb.settings.changes import Assignment, Change, ChangeSet, Definition, Slot, Target, slots
from lintmdb.settings.kinds import listed_names


class Instead(NamedTuple):
    """What the owners may want instead of some changes of a plan."""

    changes: Changes
    kept: Sequence[Change]
    """Those of the plan that are left out then."""
    keep: str
    """What --keep of ``lintmdb plan`` takes to plan it so: ``queue PAY.IN at QM1: BOTHRESH``."""
    evidence: str = ""
    """What speaks for it, as a sentence."""


def owner_choices(findings: Iterable[Finding], made: Sequence[Change]) -> tuple[tuple[Choice, str], ...]:
    """What the owners may want instead of changes that are offered, each once and with what --keep of ``lintmdb plan``
    takes to plan it so; blank where it takes nothing for that.
    """
    own = _Made(made)
    return tuple(
        (choice, next(map(_keep, own.kept(choice, ends)), "")) for choice, ends in _choices_instead(findings, made)
    )


def with_description(choice: Choice, descriptions: Descriptions) -> str:
    """The evidence for a choice, with what DESCR says of the queue that it names."""
    described = descriptions.find(choice.place)
    return f"{choice.evidence} DESCR: {described}" if described else choice.evidence


def _who_may_move(choice: Choice, records: RecordPlaces | None) -> str:
    """Who may move messages to the queue that a choice names, as a sentence; blank for nobody."""
    named = [c for c in choice.changes if isinstance(c, Assignment) and c.attribute in ("BOQNAME", "DEADQ", "TARGET")]
    if records is None or choice.place is None or len(named) != 1:
        return ""
    who = records.who_has(named[0].target.place_key, named[0].new, MOVE_RIGHTS)
    have = "has" if len(who) == 1 else "have"
    return f"By the records, {listed_names(who)} {have} put and passall there." if who else ""


def _other_ways(choice: Choice, records: RecordPlaces | None) -> str:
    """The transmission queues that are there, where a choice defines one, as a sentence; blank for none."""
    new = next((c for c in choice.changes if isinstance(c, Definition) and ("USAGE", "XMITQ") in c.attributes), None)
    there = records.transmission_queues(new.target.place_key) if records is not None and new is not None else []
    if new is None or not there:
        return ""
    noun, are = ("queue", "is") if len(there) == 1 else ("queues", "are")
    return f"The transmission {noun} {listed_names(there)} {are} there: look whether XMITQ is misspelt."


def condition_of(findings: Iterable[Finding], changes: Changes) -> str:
    """When the owners may want changes that end some findings; blank where that is no question for them."""
    return next(
        (
            choice.choose_if
            for finding in findings
            for choice in find_owner_choices(finding.rule, finding.rows)
            if choice.changes == changes
        ),
        "",
    )


def _choices_instead(findings: Iterable[Finding], made: Iterable[Change]) -> list[tuple[Choice, Changes]]:
    """The same, each with the changes that end its finding now."""
    offered = ChangeSet(made)
    choices = [
        (choice, first)
        for finding in findings
        if (first := next(iter(find_alternatives(finding.rule, finding.rows)), ())) and offered.makes(first)
        for choice in find_owner_choices(finding.rule, finding.rows)
        if not offered.makes(choice.changes)
    ]
    once = list({choice.changes: (choice, first) for choice, first in reversed(choices)}.values())[::-1]
    return _fitting_all(once)


def _fitting_all(choices: Sequence[tuple[Choice, Changes]]) -> list[tuple[Choice, Changes]]:
    """The same without those that give one attribute of an object a number that is too small, or too large, for another
    flow: of several the one that goes furthest from what the attribute has now.
    """
    furthest: dict[object, int] = {}
    for choice, _ in choices:
        for way, distance in _distances(choice):
            furthest[way] = max(distance, furthest.get(way, 0))
    return [
        (choice, first)
        for choice, first in choices
        if all(distance == furthest[way] for way, distance in _distances(choice))
    ]


def _distances(choice: Choice) -> Iterator[tuple[object, int]]:
    """How far a choice moves an attribute and which way, where it is a number and all that the choice changes."""
    if len(choice.changes) != 1 or not isinstance(change := choice.changes[0], Assignment):
        return
    if change.old is None or not (_NUMBER.match(change.old) and _NUMBER.match(change.new)):
        return
    distance = int(change.new) - int(change.old)
    for place in slots(change):
        yield (place, distance > 0), abs(distance)


_NUMBER = re.compile(r"-?\d{1,18}\Z", re.ASCII)


def choices_by_condition(plan: Plan, made: Sequence[Change]) -> list[tuple[str, list[Instead]]]:
    """The decisions that only people can make on some changes of a plan: each condition with what it applies to."""
    found: dict[str, list[Instead]] = {}
    shown = set[Change]()
    planned, own = by_slot(plan.changes), _Made(made)
    prevented = (finding for reason in plan.reasons.values() for finding in reason.findings)
    for choice, ends in _choices_instead([*plan.before.judgement.findings, *prevented], plan.changes):
        changes = tuple(_raised(restored(choice.changes, planned), plan.raised_choices))
        kept = own.kept(choice._replace(changes=changes), ends)
        if kept and not shown.issuperset(changes):
            shown.update(changes)
            more = _who_may_move(choice, plan.records) or _other_ways(choice, plan.records)
            evidence = with_description(choice, plan.descriptions)
            evidence = f"{evidence.rstrip('.')}. {more}".removeprefix(". ") if more else evidence
            found.setdefault(choice.choose_if, []).append(Instead(changes, kept, _keep(kept[0]), evidence))
    for choose_if, instead in _other_cuts(plan, made):
        found.setdefault(choose_if, []).append(instead)
    return list(found.items())


def raise_choices(plan: Plan, evaluator: Evaluator) -> dict[Slot, str]:
    """The numbers that choices take beside the changes of a plan, where these ask for higher ones than the exports do:
    a limit for the BOTHRESH that the plan sets.
    """
    raised: dict[Slot, str] = {}
    for _, group in choices_by_condition(plan, plan.changes):
        chosen = [change for instead in group for change in instead.changes]
        wanted = {place: change.new for change in chosen if _is_number(change) for place in slots(change)}
        kept = {change for instead in group for change in instead.kept}
        made = ChangeSet(change for change in plan.changes if change not in kept)
        if not wanted or not made.changes or not made.add(chosen):
            continue
        for finding in evaluator.judge(made.changes).judgement.findings:
            # What a plan with that choice repairs, or does not take for harmless.
            new = finding.rule.severity != "info" and not plan.before.had(finding)
            for changes in find_alternatives(finding.rule, finding.rows) if new or plan.policy.repairs(finding) else ():
                for change in filter(_is_number, changes):
                    for place in slots(change):
                        if int(change.new) > int(raised.get(place, wanted.get(place, change.new))):
                            raised[place] = change.new
    return raised


def _raised(changes: Changes, raised: Mapping[Slot, str]) -> Iterator[Change]:
    for change in changes:
        higher = {raised.get(place, "") for place in slots(change)}
        new = next(iter(higher)) if len(higher) == 1 else ""
        yield change._replace(new=new) if new and isinstance(change, Assignment) else change


def _is_number(change: Change) -> TypeGuard[Assignment]:
    return isinstance(change, Assignment) and _NUMBER.match(change.new) is not None


def _other_cuts(plan: Plan, made: Sequence[Change]) -> Iterator[tuple[str, Instead]]:
    """Where else a circle of backout queues can be cut that a plan cuts at one queue (MDB106)."""
    circles: dict[tuple[str | None, str, str], dict[str, Finding]] = {}
    for finding in plan.before.judgement.findings:
        queue = _queue_of(finding) if finding.rule.id == _CIRCLE else None
        if queue is not None and queue.backout_circle is not None:
            circle = queue.environment, queue.queue_manager, queue.backout_circle
            circles.setdefault(circle, {})[queue.name] = finding
    for (environment, manager, _), found in circles.items():
        place = key_of(environment, manager)
        cuts = [c for c in made if _names_backout_queue(c) and c.target.name in found and c.target.place_key == place]
        if len(cuts) != 1 or not isinstance(cut := cuts[0], Assignment):
            continue
        kept = [c for c in made if c is cut or (isinstance(c, Definition) and c.target.name == cut.new)]
        several = False
        for name, finding in found.items():
            ends = next(iter(find_alternatives(finding.rule, finding.rows)), ()) if name != cut.target.name else ()
            if ends:
                choose_if = f"poison messages of {cut.target.name} are still to be moved to {cut.old}"
                described = plan.descriptions.of_queue(_queue_of(found.get(cut.old or "")))
                evidence = f"DESCR of {cut.old}: {described}. " if described else ""
                evidence += (
                    f"With the change above, no poison message of {cut.target.name} gets to {cut.old} any more. With"
                    f" this one, a program that puts messages of {cut.old} back to {cut.target.name} goes on doing so"
                )
                if several:
                    evidence = "In place of the cut above: one is enough"
                several = True
                yield choose_if, Instead(with_exported_values(ends, plan.changes), kept, _keep(cut), evidence)


def _queue_of(finding: Finding | None) -> Queue | None:
    """The queue that a finding is about."""
    return finding.rows.queue if finding is not None and isinstance(finding.rows, FlowRows) else None


_CIRCLE = "MDB106"


def _names_backout_queue(change: Change) -> bool:
    return isinstance(change, Assignment) and change.setting == "queue.backout_queue"


class _Made:
    """Changes by what each of them alters, and by what is defined."""

    def __init__(self, made: Iterable[Change]) -> None:
        self._order: dict[Change, int] = {}
        self._by_slot: dict[Slot, list[Change]] = {}
        self._by_target: dict[Target, list[Change]] = {}
        for number, change in enumerate(made):
            self._order.setdefault(change, number)
            self._by_target.setdefault(change.target, []).append(change)
            for place in slots(change) if isinstance(change, Assignment) else ():
                self._by_slot.setdefault(place, []).append(change)

    def kept(self, choice: Choice, ends: Changes) -> list[Change]:
        """Those that a plan leaves out if it makes a choice instead of what ends a finding now, in their order."""
        # What the choice sets to another value cannot be kept: Liberty has both answers in one attribute.
        ended_by = {place for change in ends for place in slots(change)}
        ended_by -= {place for change in choice.changes for place in slots(change)}
        found = {change for place in ended_by for change in self._by_slot.get(place, ())}
        for change in ends:
            if isinstance(change, Definition):
                found.update(self._by_target.get(change.target, ()))
        return sorted(found, key=self._order.__getitem__)


def _keep(change: Change) -> str:
    attribute = f": {change.attribute}" if isinstance(change, Assignment) else ""
    return f"{named_thing(change.target)}{attribute}"
