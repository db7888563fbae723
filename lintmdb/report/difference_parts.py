"""What the reports of a comparison share: the flows whose messages have another fate, and the new findings, both with
the worst first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from lintmdb.compare.estates import Comparison, Gone, NewFinding, NewlyUndecided, Side, new_problems
from lintmdb.compare.fate_changes import FateChange
from lintmdb.engine.findings import Finding, FlowHead, Judgement, Need, Subject, Undecided
from lintmdb.model.relations import Problem
from lintmdb.report.cases import finding_likeness
from lintmdb.report.changes import own_values_words
from lintmdb.report.headline_fates import HeadlineFate, headline_fates
from lintmdb.report.subjects import subjects_text
from lintmdb.report.terminal import plural
from lintmdb.rules.rule import severity_rank
from lintmdb.run.estate import Estate

_T = TypeVar("_T")


class ChangedFlow(NamedTuple):
    """A flow whose messages have another fate."""

    head: FlowHead
    former: FlowHead
    before: HeadlineFate
    after: HeadlineFate
    changes: tuple[FateChange, ...]
    """One for each workload whose fate changes."""


def changed_flows(comparison: Comparison) -> list[ChangedFlow]:
    """The flows with another fate: those that fare worse first, then the worst fate now, then the one that changed most
    of those that fare worse, and the worst fate before of the others.
    """
    by_head: dict[int, list[FateChange]] = {}
    for change in comparison.fates:
        by_head.setdefault(id(change.head), []).append(change)
    flows: list[ChangedFlow] = []
    for changes in by_head.values():
        head, former = changes[0].head, changes[0].former or changes[0].head
        before, after = headline_fates([former, head])
        flows.append(ChangedFlow(head, former, before, after, tuple(changes)))
    return sorted(flows, key=_worst_first)


def _worst_first(flow: ChangedFlow) -> tuple[bool, int, int]:
    worse = any(change.worse for change in flow.changes)
    return not worse, flow.after.rank, -flow.before.rank if worse else flow.before.rank


def count_fates(comparison: Comparison) -> Iterator[tuple[int, str]]:
    """How many flows have another fate, and how many queues that no endpoint reads, where there are any."""
    subjects = {change.head.subject for change in comparison.fates}
    queues = sum(subject.kind == "queue" for subject in subjects)
    about_queues = bool(queues) or comparison.queues_only
    if len(subjects) > queues or not about_queues:
        yield len(subjects) - queues, "flow"
    if about_queues:
        yield queues, "queue"


def new_findings(comparison: Comparison) -> list[NewFinding]:
    """The new findings, the most severe first."""
    return sorted(comparison.new, key=lambda entry: severity_rank(entry.finding.rule.severity))


def alike_flows(comparison: Comparison) -> list[list[ChangedFlow]]:
    """The flows with another fate, those with the same fates before and after together, whatever the queues are called
    that messages are moved to.
    """
    return _grouped(changed_flows(comparison), lambda flow: (flow.head.subject.kind == "queue", _nameless(flow)))


def _nameless(flow: ChangedFlow) -> tuple[tuple[str, ...], ...]:
    """What changes, in words without the queues that messages are moved to."""
    stories = (*flow.before.stories, *flow.after.stories)
    targets = {told.outcome.target for told in stories if told.outcome.target}
    longest_first = "|".join(re.escape(target) for target in sorted(targets, key=len, reverse=True))
    pattern = re.compile(rf"(?<= )(?:{longest_first})(?!\S)" if targets else r"(?!)")
    return tuple((*(pattern.sub("", text) for text in change[1:4]), mark_fate(change)) for change in flow.changes)


def same_words(first: ChangedFlow, others: Sequence[ChangedFlow]) -> str:
    """How many flows are like the first: ``The same on 2 more flows``, with their own queues where those differ."""
    told = [change[1:4] for change in first.changes]
    own = any([change[1:4] for change in other.changes] != told for other in others)
    whose = "its own" if len(others) == 1 else "their own"
    noun = "more queue" if first.head.subject.kind == "queue" else "more flow"
    return f"The same on {plural(len(others), noun)}" + (f", with queues of {whose}" if own else "")


def alike_findings(comparison: Comparison) -> list[list[NewFinding]]:
    """The new findings, together where they differ in names alone and rest on the same files of changes."""

    def likeness(entry: NewFinding) -> tuple[object, ...]:
        finding = entry.finding
        if isinstance(finding.rows, Problem):
            return (id(finding),)
        paths = (place.path for place in (finding.location, *finding.related) if place is not None)
        changed = tuple([path for path in paths if path in comparison.changed_by])
        return entry.before == "undecided", finding.subject.kind, finding_likeness(finding), changed

    return _grouped(new_findings(comparison), likeness)


def alike_resolved(comparison: Comparison) -> list[list[Finding]]:
    """The resolved findings, without those that went with their object, by rule and by what kind of object they are
    about.
    """
    left = [finding for finding in comparison.resolved if id(finding) not in comparison.gone]
    return _grouped(left, lambda finding: (finding.rule.id, finding.subject.kind))


def alike_gone(comparison: Comparison) -> list[tuple[Gone, list[Finding]]]:
    """The findings that are no longer there and that nobody repaired, by why, by rule and by what kind of object they
    are about.
    """
    found = [finding for finding in comparison.resolved if id(finding) in comparison.gone]

    def likeness(finding: Finding) -> Hashable:
        reason, by = comparison.gone[id(finding)]
        return reason, by and by.id, finding.rule.id, finding.subject.kind

    return [(comparison.gone[id(group[0])], group) for group in _grouped(found, likeness)]


def count_gone(comparison: Comparison) -> tuple[int, int]:
    """How many findings went with their queue or flow, and how many ended with something as bad."""
    lost = sum(gone.reason in ("queue", "flow") for gone in comparison.gone.values())
    return lost, len(comparison.gone) - lost


def gone_words(gone: Gone) -> str:
    """Why a finding is no longer there."""
    match gone.reason:
        case "finding":
            return f"replaced by {gone.by.id if gone.by is not None else 'another one'}"
        case "fate":
            return "gone with a worse fate"
        case _:
            return f"gone with the {gone.reason}"


def same_findings_words(first: Finding, others: Sequence[Finding]) -> str:
    """What else a finding is said of: ``The same on 2 more queues at QM1: PAY.IN, STOCK.IN``."""
    names = subjects_text([other.subject for other in others], more=True)
    return f"The same on {names}{own_values_words([first], [[other] for other in others])}"


def told_gone(comparison: Comparison, listed: Callable[[Sequence[Subject]], str]) -> tuple[list[str], list[str]]:
    """What went with its queue or flow, and what was replaced, a line for each rule; ``listed`` names subjects."""
    lost: list[str] = []
    replaced: list[str] = []
    for gone, group in alike_gone(comparison):
        rule = group[0].rule
        text = f"{rule.id} {rule.title}: {listed([finding.subject for finding in group])}"
        if gone.reason in ("queue", "flow"):
            lost.append(text)
        else:
            replaced.append(f"{gone_words(gone)}: {text}")
    return lost, replaced


def alike_undecided(comparison: Comparison) -> list[list[NewlyUndecided]]:
    """The findings that cannot be decided any more, by rule and by what they need."""
    lost = [entry for entry in comparison.undecided if entry.before == "hazard"]
    return _grouped(lost, lambda entry: (entry.rule.id, entry.subject.kind, entry.needs))


def _grouped(entries: Iterable[_T], likeness: Callable[[_T], Hashable]) -> list[list[_T]]:
    groups: dict[Hashable, list[_T]] = {}
    for entry in entries:
        groups.setdefault(likeness(entry), []).append(entry)
    return list(groups.values())


def new_estate(comparison: Comparison, before: Side, after: Side) -> Estate:
    """The later estate with the problems that can fail the comparison alone."""
    rows = after.estate.facts.rows
    problems = dict.fromkeys([*new_problems(before, after), *comparison.refused, *comparison.unjudged])
    facts = replace(after.estate.facts, rows={**rows, "problem": list(problems)})
    return replace(after.estate, facts=facts)


def new_judgement(comparison: Comparison, after: Side) -> Judgement:
    """The later judgement with its new findings and what is newly undecided alone."""
    known = {(entry.rule.id, entry.subject): entry for entry in after.judgement.undecided}
    open_ones = [
        known.get((entry.rule.id, entry.subject))
        or Undecided(entry.rule, entry.subject, (), Need(entry.needs, "value", entry.needs), None)
        for entry in comparison.undecided
    ]
    return replace(
        after.judgement,
        findings=[entry.finding for entry in comparison.new],
        undecided=open_ones,
        unseen=comparison.unseen,
        worse=_without_finding(comparison, comparison.worse),
        worse_longest=_without_finding(comparison, comparison.worse_longest),
        suppressed=[],
        judged=[],
        clear=0,
    )


def _without_finding(comparison: Comparison, worse: Iterable[FateChange]) -> list[tuple[FlowHead, str]]:
    return [(fate.head, fate_words(fate)) for fate in comparison.without_finding(worse)]


def fate_words(change: FateChange) -> str:
    """``one poison message: the endpoint stops -> loops for ever (worse)``."""
    return f"{change.workload}: {change.before} -> {change.after}{mark_fate(change)}"


def mark_fate(change: FateChange) -> str:
    """What follows a fate that is worse or better than before; blank behind another one."""
    if not change.worse and change.denied:
        return f" (otherwise {change.denied}: worse)"
    if not change.worse:
        return " (better)" if change.better else ""
    return " (worse, but its new error is suppressed)" if change.suppressed else " (worse)"
