"""What a run of a state machine leaves: a fate, and the numbered steps that lead to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, NamedTuple

Actor = Literal[
    "application", "bean", "endpoint", "transaction service", "MQ client", "queue manager", "messaging engine",
    "operator",
]  # fmt: skip


class Fate(StrEnum):
    """What becomes of the message that a run watches."""

    PROCESSED = "processed"
    BACKOUT_QUEUE = "moved_to_backout_queue"
    DEAD_LETTER_QUEUE = "moved_to_dead_letter_queue"
    EXCEPTION_DESTINATION = "moved_to_exception_destination"
    DISCARDED = "discarded"
    STOPPED = "endpoint_stopped"
    LOOPS = "loops_forever"
    BLOCKED = "delivery_blocked"
    ROLLED_BACK = "rolled_back_by_timeout"
    LOST = "lost"
    UNDECIDED = "undecided"


class Step(NamedTuple):
    """One step: who acts, what happens (``event``, a key of the wording), its particulars, the counters after it."""

    actor: Actor
    event: str
    facts: Mapping[str, Any]
    state: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one run. The watched message is the first one of the workload."""

    fate: Fate
    steps: tuple[Step, ...] = ()
    deliveries: int = 0
    """How often the watched message was given to the bean."""
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
    missing: tuple[str, ...] = ()
    """``alias.column`` of what an undecided run needs."""


class Story:
    """Collects the steps of a run. What stands for more than one step is kept here: ``at_ms``, the clock of machines in
    which time matters, and ``sequential_failures``, the counter of an endpoint that has one.
    """

    __slots__ = ("at_ms", "sequential_failures", "steps")

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.at_ms: int | None = None
        self.sequential_failures: int | None = None

    def add(self, actor: Actor, event: str, state: Mapping[str, int] | None = None, **facts: Any) -> None:
        """Append a step."""
        if self.sequential_failures is not None:
            state = {**(state or {}), "sequential_failures": self.sequential_failures}
        if self.at_ms is not None:
            state = {**(state or {}), "at_ms": self.at_ms}
        self.steps.append(Step(actor, event, facts, state or {}))
