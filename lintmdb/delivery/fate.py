"""What becomes of a message: every fate, in words, and in the groups that a reader counts."""

from __future__ import annotations

from enum import Enum, StrEnum


class Meaning(Enum):
    """What a fate means for the application that reads the queue."""

    GOOD = "good"
    """The message is processed, or moved where somebody finds it."""
    BAD = "bad"
    """The message is gone, or the messages behind it wait."""
    UNKNOWN = "unknown"
    """The exports do not settle it."""


class FateGroup(Enum):
    """Fates that a reader counts as one, in the order of a summary: the worst first."""

    LOST = "lost", Meaning.BAD, ("loses it", "lose it"), "is lost"
    LOOPS = "loops", Meaning.BAD, ("loops for ever", "loop for ever"), "loops for ever"
    STOPS = "stops", Meaning.BAD, ("stops", "stop"), "stops the endpoint"
    BLOCKED = "blocked", Meaning.BAD, ("is blocked", "are blocked"), "blocks delivery"
    ASTRAY = "astray", Meaning.BAD, ("goes astray", "go astray"), "goes astray"
    UNKNOWN = "unknown", Meaning.UNKNOWN, ("not known", "not known"), "has a fate that the exports do not settle"
    MOVED = "moved", Meaning.GOOD, ("moves it aside", "move it aside"), "is moved aside"
    PROCESSED = "processed", Meaning.GOOD, ("processes it", "process it"), "is processed"

    def __init__(self, key: str, meaning: Meaning, labels: tuple[str, str], clause: str) -> None:
        self.key = key
        self.meaning = meaning
        self.labels = labels
        """What stands after one flow, and after the number of several."""
        self.clause = clause
        """What the message or the endpoint does, after ``on 3 flows it``."""

    @property
    def bad(self) -> bool:
        """Whether the fates of the group harm the application."""
        return self.meaning is Meaning.BAD

    @property
    def rank(self) -> int:
        """The position in a summary; 0 is worst."""
        return _RANKS[self]

    @property
    def harm(self) -> int:
        """How much harm its fates do, the less the worse: the rank, but what blocks delivery is as bad as a stop."""
        return (FateGroup.STOPS if self is FateGroup.BLOCKED else self).rank


_RANKS = {group: rank for rank, group in enumerate(FateGroup)}


class Fate(StrEnum):
    """What becomes of the message that a run watches."""

    PROCESSED = "processed", FateGroup.PROCESSED, "processed"
    BACKOUT_QUEUE = "moved_to_backout_queue", FateGroup.MOVED, "moved to the backout queue"
    DEAD_LETTER_QUEUE = "moved_to_dead_letter_queue", FateGroup.MOVED, "moved to the dead-letter queue"
    EXCEPTION_DESTINATION = "moved_to_exception_destination", FateGroup.MOVED, "moved to the exception destination"
    DISCARDED = "discarded", FateGroup.LOST, "discarded"
    ASTRAY = "sent_astray", FateGroup.ASTRAY, "goes astray at another queue manager"
    STOPPED = "endpoint_stopped", FateGroup.STOPS, "the endpoint stops"
    LOOPS = "loops_forever", FateGroup.LOOPS, "loops for ever"
    BLOCKED = "delivery_blocked", FateGroup.BLOCKED, "delivery is blocked"
    ROLLED_BACK = (
        "rolled_back_by_timeout",
        FateGroup.PROCESSED,
        "rolled back by the transaction timeout, processed later",
    )
    LOST = "lost", FateGroup.LOST, "lost"
    UNDECIDED = "undecided", FateGroup.UNKNOWN, "undecided"

    group: FateGroup
    headline: str
    """The fate in a few words."""

    def __new__(cls, value: str, group: FateGroup, headline: str) -> Fate:
        """A member whose value is ``value``, as in reports and rules."""
        fate = str.__new__(cls, value)
        fate._value_ = value
        fate.group = group
        fate.headline = headline
        return fate

    @property
    def meaning(self) -> Meaning:
        """Whether it is good or bad for the application."""
        return self.group.meaning
