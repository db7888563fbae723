"""What a plan is: the changes, and the estate before and after them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lintmdb.delivery.fate import Fate
from lintmdb.engine.findings import Finding, Notice, Subject
from lintmdb.plan.companions import Reason
from lintmdb.plan.components import Component
from lintmdb.plan.evaluation import Difference, FlowKey, State, flow_fate
from lintmdb.plan.policy import Policy
from lintmdb.plan.record_places import RecordPlaces
from lintmdb.plan.script_order import ScriptOrder, Worse
from lintmdb.plan.search import Solution
from lintmdb.plan.tied_changes import Tied
from lintmdb.run.descriptions import Descriptions
from lintmdb.run.possible_readers import PossibleReader
from lintmdb.settings.changes import Change, Slot


class Withheld(NamedTuple):
    """What the preferred repairs of the findings that stay would lead to."""

    worse: Difference
    after: State


@dataclass(frozen=True, slots=True)
class Plan:
    """What to change, and what was and will be found."""

    changes: tuple[Change, ...]
    before: State
    after: State
    fates_before: Mapping[FlowKey, Fate]
    fates_after: Mapping[FlowKey, Fate]
    """Of the same flows: where members of a cluster differ afterwards, the worst of their fates."""
    components: Sequence[tuple[Component, Solution]]
    policy: Policy
    withheld: Withheld | None = None
    """Where findings stay whose repairs do harm."""
    reasons: Mapping[Change, Reason] = field(default_factory=dict[Change, Reason])
    """Why changes are made that answer nothing that is found before."""
    order: ScriptOrder = field(default_factory=ScriptOrder)
    """In which order its scripts are run."""
    worse_if_longest: Mapping[FlowKey, Worse] = field(default_factory=dict[FlowKey, Worse])
    """The flows on which a message that is as long as the queue allows fares worse after all changes than before."""
    elsewhere: Sequence[Notice] = ()
    """What no rule judges and no change of the plan repairs: what other queue managers do to messages that are moved
    there."""
    tied: Mapping[Change, Tied] = field(default_factory=dict[Change, Tied])
    """The changes without which the others do harm, or lead to another bad fate."""
    elsewhere_before: Sequence[Notice] = ()
    """The same without the changes."""
    descriptions: Descriptions = field(default_factory=Descriptions, compare=False)
    """What DESCR says of objects of the exports."""
    records: RecordPlaces | None = field(default=None, compare=False)
    """The authority records of the exports."""
    raised_choices: Mapping[Slot, str] = field(default_factory=dict[Slot, str])
    """The numbers that choices of the owners take with the changes, where these are higher than without them."""

    readers: Callable[[], Sequence[PossibleReader]] = field(default=tuple, compare=False)
    """Gives those who may read, with the changes, the queues that no endpoint reads and whose reader nobody names."""

    readers_before: Callable[[], Sequence[PossibleReader]] = field(default=tuple, compare=False)
    """The same without the changes."""

    @property
    def left(self) -> list[Finding]:
        """Findings of the wanted severity that stay after all changes."""
        return [finding for finding in self.after.judgement.findings if self.policy.repairs(finding)]

    @property
    def states(self) -> int:
        """How many sets of changes were judged in all components."""
        return sum(solution.states for _, solution in self.components)


class QueueFates(NamedTuple):
    """What a queue that no endpoint reads makes of a poison message of a JMS client that never gives up."""

    subject: Subject
    before: Fate
    after: Fate


def queue_fates(plan: Plan) -> list[QueueFates]:
    """The fates on all queues that no endpoint reads, before and after the changes."""
    later = {head.subject: flow_fate(head) for head in plan.after.judgement.unread}
    return [
        QueueFates(head.subject, fate := flow_fate(head), later.get(head.subject, fate))
        for head in plan.before.judgement.unread
    ]
