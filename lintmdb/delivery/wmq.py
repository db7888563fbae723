"""Delivery from IBM MQ, whatever the mode: rounds of deliveries until the queue is empty, the endpoint stays stopped,
or a state comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.input_queue import MAX_ZOS_COUNT, InputQueue
from lintmdb.delivery.interpretations import Interpretation
from lintmdb.delivery.leaps import Leaps, Position
from lintmdb.delivery.message import Message
from lintmdb.delivery.outcome import Story
from lintmdb.delivery.stop import PortStop, SpecStop
from lintmdb.delivery.values import UnknownValueError, Values
from lintmdb.delivery.workload import Workload


@dataclass(slots=True)
class Run:
    """One run: what it is given, and what changes."""

    values: Values
    workload: Workload
    interpretation: Interpretation
    story: Story
    queue: InputQueue
    stop: PortStop | SpecStop
    stopped: bool = False
    restarted: bool = False
    """The queue manager was restarted in this round: the sessions lose what they have in hand."""
    healthy_rolled_back: bool = False

    @property
    def in_transaction(self) -> bool:
        """The container's transaction takes the message. An attribute that only an annotation could give counts as
        the default, Required.
        """
        return self.values.maybe("bean.transaction") in (None, "required")

    def give(self, message: Message) -> bool:
        """The bean gets a message; whether it returns without an exception."""
        message.deliveries += 1
        count = {"backout_count": message.count}
        self.story.add("endpoint", "delivered", count, message=message.name, endpoint=self.stop.name)
        if message.failures_left == 0:
            return True
        if message.failures_left is not None:
            message.failures_left -= 1
        self.story.add("bean", "fails", count, message=message.name)
        return False

    def commit(self, message: Message) -> None:
        """The message is processed and gone."""
        message.fate = Fate.ROLLED_BACK if message.timed_out else Fate.PROCESSED
        self.queue.messages.remove(message)
        self.stop.processed()
        self.story.add("endpoint", "processed", {"backout_count": message.count}, message=message.name)

    def lose(self, message: Message) -> None:
        """The message was taken for good before the bean failed."""
        message.fate = Fate.LOST
        self.queue.messages.remove(message)
        self.story.add("queue manager", "lost", {"backout_count": message.count}, message=message.name)

    def roll_back(self, unit: Sequence[Message], failed: Message, moved: Sequence[Message] = ()) -> None:
        """A unit of work is rolled back because of one of its messages, with the moves that it holds; the endpoint
        decides whether to stop.
        """
        self.healthy_rolled_back = self.healthy_rolled_back or any(message.healthy for message in unit)
        for message in unit:
            self.queue.roll_back(message)
        self.queue.undo(moved)
        if not self.stopped:
            self.stopped = self.stop.failed(failed)
        self.restarted = self.queue.count_failure() or self.restarted

    def time_out(self, message: Message, timeout_ms: int, elapsed_ms: int) -> None:
        """The transaction ends before the bean does."""
        message.timed_out = True
        count = {"backout_count": message.count}
        facts = {"timeout_ms": timeout_ms, "elapsed_ms": elapsed_ms}
        self.story.add("transaction service", "times_out", count, message=message.name, **facts)


def run_rounds(run: Run, deliver_round: Callable[[Run, int], Fate | None]) -> Fate:
    """Deliver round by round; in each, every session that can takes a unit of work."""
    sessions = run.workload.sessions or run.values.integer("endpoint.max_sessions")
    if sessions == 0:
        run.story.add("endpoint", "no_sessions", endpoint=run.stop.name)
        return Fate.BLOCKED
    starts_left = run.workload.started_again
    horizon = _horizon(run)
    seen: set[object] = set()
    leaps = Leaps(_boundaries(run))
    left = len(run.queue.messages)
    while run.queue.messages:
        if len(run.queue.messages) != left:
            # With one message less no earlier state comes back.
            left = len(run.queue.messages)
            seen.clear()
            run.queue.touched.clear()
        state = run.queue.state(horizon), run.stop.state()
        if state in seen:
            first = run.queue.messages[0]
            run.story.add("endpoint", "loops", {"backout_count": first.count}, message=first.name)
            return Fate.LOOPS
        seen.add(state)
        if leaps.is_due():
            _leap(run, leaps, starts_left)
        run.restarted = False
        ended = deliver_round(run, sessions)
        if ended is not None:
            return ended
        if run.stopped:
            if starts_left == 0:
                break
            starts_left = None if starts_left is None else starts_left - 1
            run.stopped = False
            run.story.add("operator", "starts_again", endpoint=run.stop.name)
    if run.stopped and run.queue.watched.fate is not Fate.LOST:
        return Fate.STOPPED
    return run.queue.watched.fate or Fate.PROCESSED


def _horizon(run: Run) -> int:
    """Where a message has reached BOTHRESH it is never delivered again, so that higher backout counts are all the same;
    without BOTHRESH those above the stop limit are.
    """
    try:
        threshold = run.queue.threshold()
    except UnknownValueError:
        threshold = 0  # asked for again as soon as it matters
    return threshold or run.stop.horizon


def _boundaries(run: Run) -> Iterator[int]:
    """The numbers at which a backout count or a counter of failures makes a difference."""
    for name in ("queue.backout_threshold", "endpoint.failure_threshold"):
        boundary = run.values.maybe_integer(name)
        if boundary is not None:
            yield boundary
    if run.values.maybe("queue_manager.platform") in (None, "zos"):
        yield MAX_ZOS_COUNT


def _leap(run: Run, leaps: Leaps, starts_left: int | None) -> None:
    """Leave out the rounds that are like those before."""
    messages = tuple(run.queue.messages)
    counts = [message.count for message in messages]
    deliveries = [message.deliveries for message in messages]
    fixed = (tuple(message.failures_left for message in messages), run.queue.position(), starts_left)
    free = (*deliveries, run.queue.failures, run.story.at_ms or 0)
    rounds, bounded, added = leaps.find(Position(messages, fixed, (*counts, run.stop.failures), free))
    if not rounds:
        return
    for message, count, delivered in zip(messages, bounded, added, strict=False):
        message.count += rounds * count
        message.deliveries += rounds * delivered
    run.stop.failures += rounds * bounded[-1]
    run.queue.failures += rounds * added[-2]
    if run.story.at_ms is not None:
        run.story.at_ms += rounds * added[-1]
    run.story.add("endpoint", "goes_on_alike", {"backout_count": messages[0].count}, count=rounds)
