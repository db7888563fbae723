"""Judging changes: the exports with an overlay, resolved and judged by the same code as ``check``."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from lintmdb.compare.identity import Key, identify_loosely
from lintmdb.delivery.fate import Fate
from lintmdb.delivery.wording import WHILE_IDLE
from lintmdb.delivery.workload import Workload
from lintmdb.engine.findings import Finding, FlowHead, Judgement, Notice, Subject, Undecided
from lintmdb.engine.judge import judge
from lintmdb.engine.traces import trace_flow
from lintmdb.model.environment_names import key_of
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Problem
from lintmdb.plan.counterparts import Matched, decided_loosely, later_flows, match_verdicts, pair_flows, record
from lintmdb.resolve.mq.joined_managers import join_queue_managers
from lintmdb.resolve.observations import Observations
from lintmdb.rules.rule import SEVERITIES, Rule, severity_rank
from lintmdb.rules.verdicts import Verdict
from lintmdb.run.all_queues import QueuePlace, judge_all_queues, queues_to_judge
from lintmdb.run.conflicts import refuse_conflicts
from lintmdb.run.descriptions import Descriptions
from lintmdb.run.estate import UnresolvedEstate, cell_facts, queue_manager_facts
from lintmdb.run.full_queues import FULL_QUEUE
from lintmdb.run.overlay import NOTHING, Overlay, overlay_of
from lintmdb.run.possible_readers import PossibleReader, possible_readers
from lintmdb.run.queue_status import shown_status
from lintmdb.run.reading_notices import reading_notices
from lintmdb.run.remote_queues import join_remote_queues, remote_queue_notices
from lintmdb.run.shared_changes import spread
from lintmdb.settings.changes import Change

_NONE = len(SEVERITIES)
"""The rank of no finding at all."""
FlowKey: TypeAlias = tuple[str, ...]
"""The identity of a flow, which no change of a setting touches."""


@dataclass(frozen=True, eq=False)
class State:
    """The estate with some changes."""

    judgement: Judgement
    verdicts: Mapping[tuple[str, tuple[str, ...]], int]
    """Verdict number by rule id and identity of the subject."""

    @functools.cached_property
    def _matched(self) -> Matched:
        return match_verdicts(self.judgement)

    @functools.cached_property
    def _decided_loosely(self) -> frozenset[Key]:
        return decided_loosely(self.judgement)

    def had(self, finding: Finding) -> bool:
        """Whether a finding of a later state goes on with one of this state."""
        return self._shows(finding) or bool(finding.subject.cluster and self._matched.former(record(finding)))

    def has(self, finding: Finding) -> bool:
        """Whether a finding of an earlier state is still there."""
        return self._shows(finding) or bool(finding.subject.cluster and self._matched.later(record(finding)))

    def _shows(self, finding: Finding) -> bool:
        return self.verdicts.get((finding.rule.id, finding.subject.identity())) == int(Verdict.HAZARD)

    def decided(self, rule: Rule, subject: Subject) -> bool:
        """Whether a rule was clear of a subject or a hazard: the subject itself, or its cluster or members."""
        verdict = self.verdicts.get((rule.id, subject.identity()))
        if verdict is not None or subject.cluster is None:
            return verdict is not None and verdict != int(Verdict.UNDECIDED)
        loose = (rule.id, *identify_loosely(subject))
        return loose in self._decided_loosely and loose not in self._matched.loosely_undecided


@dataclass(slots=True)
class Evaluator:
    """Judges exports again and again, with other changes each time; what no change touches is resolved once."""

    exports: UnresolvedEstate
    observed: Observations
    rules: Sequence[Rule]
    all_queues: bool = False
    """Queues that no endpoint reads are judged, too, each as a flow of its own."""
    descriptions: Descriptions = field(default_factory=Descriptions)
    """What DESCR says of objects of the exports."""
    _unchanged: dict[tuple[str, str], Facts] = field(default_factory=dict[tuple[str, str], Facts])
    _queues: frozenset[QueuePlace] | None = None
    """The queues that are judged without changes, and so with them."""
    _last: tuple[tuple[Change, ...], State] | None = None
    """The last changes and what they led to: the changes that a search ends with are often those of the whole plan."""

    def __post_init__(self) -> None:
        self.observed = replace(self.observed, client_tables=tuple(self.exports.client_tables))
        self.descriptions = Descriptions({found.path: found.read for found in self.exports.discovery.files})

    def unchanged(self) -> Facts:
        """What the exports say without changes."""
        return self._facts(NOTHING)

    def refuse_conflicts(self) -> None:
        """Raises LintmdbError where exports of one name in different folders differ."""
        rows = self._facts(NOTHING).rows
        refuse_conflicts(rows["problem"], rows["export"], self.exports.environments)

    def told_elsewhere(self, changes: Iterable[Change]) -> list[Notice]:
        """What a reader has to know, with changes, about messages that are moved to other queue managers, and to queues
        that were full.
        """
        facts = self._facts(overlay_of(changes))
        return reading_notices([*remote_queue_notices(facts), *_full(facts)])

    def full_queues(self, changes: Iterable[Change]) -> Set[tuple[str, str]]:
        """The queues, each with the key of its queue manager, that were full when they were exported, and have no room
        with changes either.
        """
        if not any(script.queue_status for group in self.exports.groups for script in group.scripts):
            return frozenset()
        told = _full(self._facts(overlay_of(changes)))
        return {(key_of(problem.environment, problem.queue_manager or ""), problem.object or "") for problem in told}

    def were_full(self) -> dict[tuple[str, str], int]:
        """The queues that messages can be moved to, by the key of the queue manager and the name, that were full when
        they were exported, whether messages are moved there or not, with how many messages they had.
        """
        held = {
            (key_of(group.environment, group.name), name): shown.status.messages
            for group in self.exports.groups
            for name, shown in shown_status(group.scripts).items()
        }
        full: dict[tuple[str, str], int] = {}
        for target in self._facts(NOTHING).rows["put_target"] if held else ():
            place = key_of(target.environment, target.queue_manager), target.local_queue or ""
            if target.max_depth and (held.get(place) or 0) >= target.max_depth:
                full[place] = held[place] or 0
        return full

    def possible_readers(self, changes: Iterable[Change], state: State) -> list[PossibleReader]:
        """Who may read the queues of a state whose reader nobody names, and how messages fare with their rights."""
        if not state.judgement.unread:
            return []
        overlay = overlay_of(changes)
        names = self._facts(overlay).rows["queue_name"]
        return possible_readers(self.exports, self.observed, state.judgement, names, overlay)

    def judge(self, changes: Iterable[Change]) -> State:
        """The verdicts on the estate with changes."""
        asked = tuple(changes)
        if self._last is None or self._last[0] != asked:
            self._last = asked, self.judge_overlay(overlay_of(asked))
        return self._last[1]

    def judge_overlay(self, overlay: Overlay) -> State:
        """The verdicts on the estate with an overlay."""
        facts = self._facts(overlay)
        judgement = judge(facts, self.rules)
        if self.all_queues:
            if self._queues is None:
                self._queues = queues_to_judge(self._facts(NOTHING))
            judge_all_queues(judgement, facts, self.rules, also=self._queues, as_flows=True)
        return State(judgement, _verdicts(judgement))

    def _facts(self, overlay: Overlay) -> Facts:
        overlay = spread(overlay, self.exports.groups)
        facts = Facts()
        facts.add(*self.exports.discovery.problems, *self.exports.problems)
        for group in self.exports.cells:
            name = key_of(group[0].environment, group[0].name or "")
            changed = name in overlay.assignments
            known = None if changed else self._unchanged.get(("cell", name))
            if known is None:
                applied = overlay if changed else NOTHING
                known = cell_facts([applied.cell(cell) for cell in group], self.observed)
                if not changed:
                    self._unchanged["cell", name] = known
            facts.extend(known)
        for scripts in self.exports.groups:
            name = key_of(scripts.environment, scripts.name)
            changes = overlay.scripts.get(name, ())
            known = None if changes else self._unchanged.get(("queue manager", name))
            if known is None:
                known = queue_manager_facts(scripts, self.observed, changes)
                if not changes:
                    self._unchanged["queue manager", name] = known
            facts.extend(known)
        join_queue_managers(facts)
        join_remote_queues(facts)
        return facts


def _full(facts: Facts) -> Iterator[Problem]:
    yield from (problem for problem in facts.rows["problem"] if problem.kind == FULL_QUEUE)


def _verdicts(judgement: Judgement) -> dict[tuple[str, tuple[str, ...]], int]:
    return {
        (rule.id, subject.identity()): verdict
        for subject, rules, verdicts in judgement.judged
        for rule, verdict in zip(rules, verdicts, strict=True)
        if verdict
    }


def flow_key(head: FlowHead) -> FlowKey:
    """The identity of a flow."""
    return head.subject.identity()


def flow_fate(head: FlowHead) -> Fate:
    """What becomes of one poison message."""
    return trace_flow(head, None)[0].outcome.fate


class FlowFate(NamedTuple):
    """What becomes of one poison message, and of one that is as long as the queue allows."""

    fate: Fate
    harm: float
    """The less the worse."""
    longest: Fate
    longest_harm: float

    @property
    def words(self) -> str:
        """The fate in a few words, with its condition where it ends as soon as another message arrives."""
        idle = self.fate is Fate.LOOPS and self.harm != self.fate.group.harm
        return f"{self.fate.headline}{WHILE_IDLE * idle}"


def weighed_fate(head: FlowHead) -> FlowFate:
    """What becomes of one poison message on a flow, with the harm that this does. Where no export says how long a
    message may be, the longest one counts as any other.
    """
    outcome = longest = trace_flow(head, None)[0].outcome
    if any(step.event == "is_poison" for step in outcome.steps):
        longest = trace_flow(head, Workload(longest=True))[0].outcome
        longest = outcome if longest.fate is Fate.UNDECIDED else longest
    return FlowFate(outcome.fate, outcome.harm, longest.fate, longest.harm)


def worst_later(before: State, after: State) -> dict[FlowKey, FlowHead]:
    """What each flow is in a later state: that of the worst fate where members of its cluster have become unequal."""
    later = later_flows(before.judgement.flows, after.judgement.flows)
    return {
        key: heads[0] if len(heads) == 1 else min(heads, key=lambda head: flow_fate(head).group.rank)
        for key, heads in later.items()
    }


class Difference(NamedTuple):
    """What became worse between two states."""

    findings: tuple[Finding, ...]
    """Findings that were not there, above the severity info."""
    undecided: tuple[tuple[str, Subject], ...]
    """Rule and subject of what was decided and is not any more."""
    fates: tuple[FlowKey, ...]
    """Flows on which a poison message fares worse."""

    @property
    def nothing(self) -> bool:
        """Whether nothing is worse."""
        return not (self.findings or self.undecided or self.fates)


def undecided_now(before: State, after: State) -> list[Undecided]:
    """Verdicts that were clear or a hazard and that nothing in the exports settles any more."""
    return [entry for entry in after.judgement.undecided if before.decided(entry.rule, entry.subject)]


def _ended(before: State, after: State) -> dict[FlowKey, int]:
    """The rank of the worst finding that is gone, for each flow that showed one."""
    heads = before.judgement.flows
    ranks: dict[FlowKey, int] = {}
    for finding in before.judgement.findings:
        if finding.flow is not None and not after.has(finding):
            key = flow_key(heads[finding.flow])
            ranks[key] = min(ranks.get(key, _NONE), severity_rank(finding.rule.severity))
    return ranks


def worse(before: State, after: State, flows: Mapping[FlowKey, FlowFate], touched: set[FlowKey]) -> Difference:
    """What is worse after some changes; ``flows`` has the fates of before, and only ``touched`` ones can differ.

    A verdict that becomes undecided is the price of a repair where that ends something more severe on the same flow: a
    threshold that acts at last brings up whether the queue manager keeps the count.
    """
    ended, heads = _ended(before, after), after.judgement.flows
    findings = [
        finding for finding in after.judgement.findings if finding.rule.severity != "info" and not before.had(finding)
    ]
    pairs = [(head, list(map(flow_key, former))) for head, former in pair_flows(before.judgement.flows, heads)]
    former = {flow_key(head): keys for head, keys in pairs}
    open_now = [
        (entry.rule.id, entry.subject)
        for entry in undecided_now(before, after)
        if entry.rule.severity != "info"
        and (
            entry.flow is None
            or all(
                severity_rank(entry.rule.severity) <= ended.get(key, _NONE)
                for key in former.get(flow_key(heads[entry.flow]), ())
            )
        )
    ]
    fates = [
        flow_key(head)
        for head, keys in pairs
        if any(weighed_fate(head).harm < flows[key].harm for key in keys if key in touched and key in flows)
    ]
    return Difference(tuple(findings), tuple(open_now), tuple(fates))
