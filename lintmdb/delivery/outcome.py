"""The result of a run of a state machine: a fate, and the steps that lead to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from lintmdb.delivery.fate import Fate, FateGroup

Actor = Literal[
    "application", "bean", "endpoint", "transaction service", "MQ client", "queue manager", "messaging engine",
    "operator",
]  # fmt: skip


Fact = str | int | None
"""One particular of a step: a name, a number, or a time in milliseconds (``_ms``) that may not be known."""


class Step(NamedTuple):
    """One step of a run."""

    actor: Actor
    event: str
    """What happens: a key of the wording."""
    facts: Mapping[str, Fact]
    """The particulars that the words of the event name."""
    state: Mapping[str, int]
    """The counters after the step."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one run. The watched message is the first one of the workload."""

    fate: Fate
    steps: tuple[Step, ...] = ()
    deliveries: int = 0
    """How often the endpoint gave the watched message to the bean."""
    moved: int = 0
    """How many messages were moved aside (not counting moves that were undone)."""
    left: int = 0
    """How many messages are still on the queue."""
    timed_out: bool = False
    """A transaction timeout rolled the watched message back."""
    healthy_rolled_back: bool = False
    """A message that the bean can process was rolled back."""
    target: str = ""
    """Where the watched message was moved to."""
    persistence_matters: bool = False
    """Messages of the other persistence may have another fate."""
    missing: tuple[str, ...] = ()
    """``alias.column`` of what an undecided run needs."""

    @property
    def harm(self) -> float:
        """How much harm it does, the less the worse: as that of its fate, but a message that comes back as long as no
        other message arrives does less than one that stops or blocks delivery.
        """
        if self.fate is Fate.LOOPS and any(step.event == "receive_ends_empty" for step in self.steps):
            return FateGroup.BLOCKED.rank + 0.5
        return self.fate.group.harm

    @property
    def moved_if_allowed(self) -> bool:
        """Whether the message is moved aside by a user of whom no export shows that it may put messages there."""
        rests = any(step.facts.get("rights") for step in self.steps)
        return rests and self.fate.group is FateGroup.MOVED and not self.otherwise

    @property
    def on_transmission_queue(self) -> bool:
        """Whether the message is moved to a transmission queue, which only a channel reads."""
        return self.fate.group is FateGroup.MOVED and any(step.facts.get("transmission") for step in self.steps)

    @property
    def otherwise(self) -> str:
        """The dead-letter queue that a message goes to if its user may not put it on the backout queue, where no export
        shows whether it may, and where nothing else depends on that; blank elsewhere.
        """
        if self.fate.group is not FateGroup.MOVED:
            return ""
        return next((str(step.facts["otherwise"]) for step in self.steps if step.facts.get("otherwise")), "")

    @property
    def shut_out(self) -> bool:
        """Whether the endpoint receives no message at all."""
        return self.fate is Fate.BLOCKED and not self.deliveries


class Story:
    """Collects the steps of a run, and holds what applies to more than one of them.

    ``at_ms`` is the clock of machines in which time matters, ``sequential_failures`` the counter of an endpoint that
    has one.
    """

    __slots__ = ("at_ms", "sequential_failures", "steps")

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.at_ms: int | None = None
        self.sequential_failures: int | None = None

    def add(self, actor: Actor, event: str, state: Mapping[str, int] | None = None, **facts: Fact) -> None:
        """Append a step."""
        if self.sequential_failures is not None:
            state = {**(state or {}), "sequential_failures": self.sequential_failures}
        if self.at_ms is not None:
            state = {**(state or {}), "at_ms": self.at_ms}
        self.steps.append(Step(actor, event, facts, state or {}))
