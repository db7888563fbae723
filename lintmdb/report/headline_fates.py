"""What becomes of a poison message on each flow, in the groups that a reader counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from lintmdb.delivery.outcome import Fate, Outcome
from lintmdb.delivery.wording import HEADLINES
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.traces import Told, stories_of
from lintmdb.report.terminal import safe


class FateGroup(NamedTuple):
    """Fates that a reader counts as one."""

    key: str
    label: str
    """As the heading of a number."""
    clause: str
    """What the message or the endpoint does, after ``on 3 flows it``."""
    fates: tuple[Fate, ...]
    bad: bool = False


GROUPS: tuple[FateGroup, ...] = (
    FateGroup("lost", "lose it", "is lost", (Fate.LOST, Fate.DISCARDED), bad=True),
    FateGroup("loops", "loop for ever", "loops for ever", (Fate.LOOPS,), bad=True),
    FateGroup("stops", "stop", "stops the endpoint", (Fate.STOPPED,), bad=True),
    FateGroup("blocked", "are blocked", "blocks delivery", (Fate.BLOCKED,), bad=True),
    FateGroup("unknown", "not known", "has a fate that the exports do not settle", (Fate.UNDECIDED,)),
    FateGroup(
        "moved",
        "move it aside",
        "is moved aside",
        (Fate.BACKOUT_QUEUE, Fate.DEAD_LETTER_QUEUE, Fate.EXCEPTION_DESTINATION),
    ),
    FateGroup("processed", "process it", "is processed", (Fate.PROCESSED, Fate.ROLLED_BACK)),
)
"""The worst first."""
_OF_FATE: Mapping[Fate, FateGroup] = MappingProxyType({fate: group for group in GROUPS for fate in group.fates})
_RANK = {group.key: number for number, group in enumerate(GROUPS)}


class HeadlineFate(NamedTuple):
    """A flow's fate on one poison message, and its stories: that of the message, and that of a late one where a
    receive has a timeout.
    """

    stories: tuple[Told, ...]

    @property
    def outcome(self) -> Outcome:
        """What becomes of the poison message."""
        return self.stories[0].outcome

    @property
    def group(self) -> FateGroup:
        """The group of its fate."""
        return _OF_FATE[self.outcome.fate]

    @property
    def rank(self) -> int:
        """0 is worst."""
        return _RANK[self.group.key]


def headline_fates(flows: Iterable[FlowHead]) -> list[HeadlineFate]:
    """The fate of each flow, in their order."""
    return [HeadlineFate(tuple(stories_of(head, None))) for head in flows]


def counted_groups(fates: Sequence[HeadlineFate]) -> list[tuple[FateGroup, int]]:
    """How many flows each group has, the worst group first."""
    counts = Counter(fate.group.key for fate in fates)
    return [(group, counts[group.key]) for group in GROUPS]


def fate_words(outcome: Outcome) -> str:
    """A fate in a few words, with the queue that it leads to."""
    moved = outcome.fate in _OF_FATE and _OF_FATE[outcome.fate].key == "moved"
    return HEADLINES[outcome.fate] + (f" {safe(outcome.target)}" if moved and outcome.target else "")
