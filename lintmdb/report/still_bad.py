"""Flows, and queues that no endpoint reads, on which a poison message is still lost, loops, blocks delivery, stops the
endpoint or goes astray with the changes of a plan.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lintmdb.delivery.values import Values
from lintmdb.delivery.workload import Workload
from lintmdb.engine.findings import Finding, FlowHead, Subject
from lintmdb.engine.repairs import find_alternatives, is_left_to_owners
from lintmdb.engine.traces import trace_values
from lintmdb.plan.evaluation import FlowKey, flow_key, worst_later
from lintmdb.plan.planned import Plan
from lintmdb.plan.policy import Policy
from lintmdb.report.flow_repairs import advice_on
from lintmdb.report.headline_fates import HeadlineFate, headline_fates
from lintmdb.report.subjects import headline, short_name
from lintmdb.report.terminal import plural

_MOST_NAMES = 12
_FEW = 12


class StillBad(NamedTuple):
    """A flow or a queue, with the changes."""

    head: FlowHead
    fate: HeadlineFate
    advice: tuple[str, ...]
    """What may end it though this plan changes nothing for it: ``info MDB702 Use container-managed ...``."""


class AlikeBad(NamedTuple):
    """Those that share a bad fate and advice."""

    words: str
    """The fate: ``lost (non-persistent), moved to the backout queue (persistent)``."""
    first: StillBad
    others: Sequence[StillBad]

    @property
    def title(self) -> str:
        """The first of them."""
        return headline(self.first.head)

    @property
    def size(self) -> int:
        """How many there are."""
        return 1 + len(self.others)

    def notes(self, noun: str) -> list[str]:
        """The names of the others, of which there may be too many for a terminal, and the advice, in sentences."""
        return [*self.like_it(noun, _MOST_NAMES), *self.first.advice]

    def like_it(self, noun: str, most: int | None = None) -> list[str]:
        """The names of the others in one sentence: all of them, or so many at most; none where there are no others."""
        names = [self._name(other.head) for other in self.others]
        more = f" and {len(names) - most} more" if most is not None and len(names) > most else ""
        return [f"The same on {plural(len(names), f'more {noun}')}: {', '.join(names[:most])}{more}"] if names else []

    def _name(self, other: FlowHead) -> str:
        """The name of another one, with its queue where that is another one, too."""
        queue, name = other.subject.queue, short_name(other.subject)
        own = other.subject.kind == "queue" or queue in (None, self.first.head.subject.queue)
        return name if own else f"{name} ({queue})"


def still_bad_flows(plan: Plan) -> dict[int, StillBad]:
    """The flows by their numbers."""
    later = worst_later(plan.before, plan.after)
    return _find(plan, [later.get(flow_key(head), head) for head in plan.before.judgement.message_flows])


def still_bad_queues(plan: Plan) -> dict[int, StillBad]:
    """The queues that no endpoint reads by their numbers."""
    later = {head.subject: head for head in plan.after.judgement.unread}
    return _find(plan, [later.get(head.subject, head) for head in plan.before.judgement.unread])


def group_bad(bad: Mapping[int, StillBad], told: Collection[int]) -> list[AlikeBad]:
    """Those with the same fate and advice together, the worst first, without those that are told by themselves. Where
    there are few, those of one endpoint and one queue alone: what one of them is advised is meant for all.
    """
    left = [each for number, each in bad.items() if number not in told]
    readers: dict[tuple[object, ...], list[StillBad]] = {}
    for each in left:
        about = each.head.subject
        readers.setdefault((each.fate.kinds_words, about.queue_manager, about.queue, about.name), []).append(each)
    if len(readers) <= _FEW:
        groups = [sorted(own, key=lambda each: not each.advice) for own in readers.values()]
    else:
        alike: dict[tuple[str, tuple[str, ...]], list[StillBad]] = {}
        for each in left:
            alike.setdefault((each.fate.kinds_words, each.advice), []).append(each)
        groups = [*alike.values()]
    told_together = [AlikeBad(first.fate.kinds_words, first, others) for first, *others in groups]
    return sorted(told_together, key=lambda group: group.first.fate.rank)


def _find(plan: Plan, heads: Sequence[FlowHead]) -> dict[int, StillBad]:
    found: dict[FlowKey, list[Finding]] = {}
    for finding in plan.after.judgement.findings:
        if finding.flow is not None and not plan.policy.wants_gone(finding.rule.severity):
            found.setdefault(flow_key(plan.after.judgement.flows[finding.flow]), []).append(finding)
    touched = _touched(plan) if plan.policy.queues else frozenset[Subject]()
    return {
        number: StillBad(head, fate, tuple(_advice(head, found.get(flow_key(head), ()), plan.policy)))
        for number, (head, fate) in enumerate(zip(heads, headline_fates(heads), strict=True))
        if fate.group.bad and (plan.policy.is_about(head.rows) or head.subject in touched)
    }


def _touched(plan: Plan) -> frozenset[Subject]:
    """The flows and queues on which the changes end a finding, be they none that the plan is for."""
    before = plan.before.judgement
    ended = [finding for finding in before.findings if not plan.after.has(finding)]
    flows = [before.flows[finding.flow].subject for finding in ended if finding.flow is not None]
    return frozenset((*(finding.subject for finding in ended), *flows))


def _advice(head: FlowHead, findings: Iterable[Finding], policy: Policy) -> Iterator[str]:
    """What no setting repairs, and what a plan of a lower severity would, of findings whose hazard is about nothing but
    what decides the fate.
    """
    for finding in findings:
        rule = finding.rule
        if not set(rule.hazard.columns) <= _deciding(head):
            continue
        if not rule.repairs:
            yield f"{rule.severity} {rule.id} {' '.join(advice_on(finding))}"
        elif is_left_to_owners(rule, finding.rows):
            continue
        elif any(map(policy.allows, find_alternatives(rule, finding.rows))):
            yield f"{rule.severity} {rule.id} {rule.title}. --severity {rule.severity} plans a change for it"


def _deciding(head: FlowHead) -> set[str]:
    """The columns that decide what becomes of a poison message."""
    values = Values(head.rows.value)
    trace_values(values, Workload())
    return {asked for asked in values.decisions if isinstance(asked, str)}
