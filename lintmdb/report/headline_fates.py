"""What becomes of a poison message on each flow, in the groups that a reader counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lintmdb.delivery.fate import Fate, FateGroup
from lintmdb.delivery.outcome import Outcome
from lintmdb.delivery.wording import IF_ALLOWED, WHILE_IDLE, is_idle_loop, target_words
from lintmdb.engine.alike_traces import trace_alike
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.traces import Told, reader_has_every_right, trace_flow
from lintmdb.report.terminal import safe

GROUPS = tuple(FateGroup)
"""The worst first."""
_MANY = 1000
"""Failed deliveries of one message that a reader of a summary has to know of."""


@dataclass(slots=True)
class HeadlineFate:
    """A flow's fate on one poison message, and its stories: that of the message, and that of a late one where a
    receive has a timeout. Where persistent and non-persistent messages differ, a message has two stories.
    """

    alike: tuple[Told, ...]
    """The same as ``stories``, but for names: they may be those of a flow that is alike."""
    head: FlowHead | None = None
    """The flow; None where ``alike`` has its own names."""
    has_every_right: bool = False
    """Whether it is a queue whose reader nobody names, who is taken to have every right."""

    @property
    def stories(self) -> tuple[Told, ...]:
        """Its stories, which are run when somebody wants to read one: a long report counts most flows."""
        if self.head is not None:
            self.alike, self.head = tuple(trace_flow(self.head, None)), None
        return self.alike

    @property
    def poison(self) -> tuple[Told, ...]:
        """The stories of the poison message, the worse first."""
        return _of_poison(self.stories)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What becomes of the poison message, the worse first."""
        return tuple(told.outcome for told in self.poison)

    @property
    def fates(self) -> tuple[Fate, ...]:
        """The fates of the poison message, the worse first."""
        return tuple([told.outcome.fate for told in _of_poison(self.alike)])

    @property
    def words(self) -> str:
        """What becomes of the poison message: ``discarded (non-persistent), delivery is blocked (persistent)``."""
        return ", ".join(self._words(told, fate_words(told.outcome)) for told in self.poison)

    @property
    def kinds_words(self) -> str:
        """The same in words, without names: ``lost (non-persistent), moved to the backout queue (persistent)``."""
        return ", ".join(self._words(told, told.outcome.fate.headline) for told in _of_poison(self.alike))

    def _words(self, told: Told, fate: str) -> str:
        """A fate of one kind of message, with what it rests on."""
        condition = f" {IF_ALLOWED}" if self.rests_on_rights(told) else WHILE_IDLE * is_idle_loop(told.outcome)
        return fate + condition + (f" ({told.kind})" if told.kind else "")

    @property
    def group(self) -> FateGroup:
        """The group of its fate, of the worse one where there are two."""
        return self.alike[0].outcome.fate.group

    @property
    def kind(self) -> str:
        """The kind of message that alone has a fate of this group; blank where every message has one, or may have."""
        worse, *others = _of_poison(self.alike)
        shared = (self.group, FateGroup.UNKNOWN)
        return "" if any(told.outcome.fate.group in shared for told in others) else worse.kind

    def rests_on_rights(self, told: Told) -> bool:
        """Whether it is a story in which a user moves the message aside of whom no export shows that it may."""
        return told.outcome.moved_if_allowed and not self.has_every_right

    @property
    def moved_if_allowed(self) -> bool:
        """Whether each message is moved aside if a user may move it of whom no export shows that."""
        return not self.kind and self.group is FateGroup.MOVED and self.rests_on_rights(self.alike[0])

    @property
    def may_be_refused(self) -> bool:
        """Whether some message is moved aside if a user may move it of whom no export shows that, be it one that nobody
        names.
        """
        return any(told.outcome.moved_if_allowed for told in self.poison)

    @property
    def rank(self) -> int:
        """0 is worst."""
        return self.group.rank


def _of_poison(stories: Iterable[Told]) -> tuple[Told, ...]:
    return tuple([told for told in stories if told.workload.poison])


def headline_fates(flows: Sequence[FlowHead]) -> list[HeadlineFate]:
    """The fate of each flow, in their order."""
    return [
        HeadlineFate(alike, head, reader_has_every_right(head))
        for alike, head in zip(trace_alike(flows), flows, strict=True)
    ]


def counted_groups(fates: Sequence[HeadlineFate]) -> list[tuple[FateGroup, int]]:
    """How many flows each group has, the worst group first."""
    counts = Counter(fate.group for fate in fates)
    return [(group, counts[group]) for group in GROUPS]


def most_deliveries(fates: Iterable[HeadlineFate]) -> int:
    """After how many failed deliveries a message is moved to another queue at worst; 0 where that is no more than
    anybody wants.
    """
    told = [story.outcome for fate in fates for story in _of_poison(fate.alike)]
    most = max((outcome.deliveries for outcome in told if outcome.fate.group is FateGroup.MOVED), default=0)
    return most if most >= _MANY else 0


def fate_words(outcome: Outcome) -> str:
    """A fate in a few words, with the queue that it leads to."""
    moved = outcome.fate.group is FateGroup.MOVED
    if not moved or not outcome.target:
        return outcome.fate.headline
    return f"{outcome.fate.headline} {target_words(outcome, safe(outcome.target), safe(outcome.otherwise))}"
