"""Delivery from a service integration bus destination (default messaging provider).

Sources: the Open Liberty messaging runtime (ConsumerDispatcher, ExceptionDestinationHandlerImpl, SibRaListener), which
carries the traditional product's code; "Queue destination settings"; "Message reliability levels".

Not modelled: failingMessageDelay (``endpoint.failing_message_delay_ms``), which hides a failed message for a while, so
that those behind it overtake. It changes when and in which order messages are delivered, not how often each may fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.interpretations import Interpretation
from lintmdb.delivery.leaps import Leaps, Position
from lintmdb.delivery.message import Message, build_messages
from lintmdb.delivery.outcome import Fact, Story
from lintmdb.delivery.values import Values
from lintmdb.delivery.workload import Workload, sequential_limit

SYSTEM_EXCEPTION_DESTINATION = "_SYSTEM.Exception.Destination"
"""Its name; in traditional WebSphere that of the messaging engine follows, after a dot."""


@dataclass(slots=True)
class BusDelivery:
    """One run on the bus."""

    values: Values
    workload: Workload
    interpretation: Interpretation
    story: Story
    messages: list[Message] = field(default_factory=list[Message])
    failures: int = 0
    moved: int = 0
    stopped: bool = False
    healthy_rolled_back: bool = False

    def run(self) -> Fate:
        """Deliver until the destination is empty, blocked, or the endpoint stays stopped."""
        self.messages = build_messages(self.workload, persistent=True)
        watched = self.watched = self.messages[0]
        self._sessions = self.workload.sessions or self.values.integer("endpoint.max_sessions")
        if self._sessions == 0:
            self.story.add("endpoint", "no_sessions", endpoint=self._endpoint)
            return Fate.BLOCKED
        if self.values.maybe("endpoint.sequential_failure_threshold"):
            self.story.sequential_failures = 0
        starts_left = self.workload.started_again
        restarts = list(self.workload.restarts_after)
        seen: set[object] = set()
        leaps = Leaps([self.values.maybe_integer("destination.max_failed_deliveries") or 0])
        left = len(self.messages)
        while self.messages:
            if len(self.messages) != left:
                # With one message less no earlier state comes back.
                left = len(self.messages)
                seen.clear()
                self._touched.clear()
            changed = tuple((m.order, m.count, m.failures_left) for m in self._touched.values())
            state = (changed, self.story.sequential_failures, len(restarts))
            if state in seen:
                first = self.messages[0]
                self.story.add("endpoint", "loops", {"redelivered": first.count}, message=first.name)
                return Fate.LOOPS
            seen.add(state)
            if leaps.is_due() and not restarts:
                self._leap(leaps)
            fate = self._round()
            if fate is not None:
                return fate
            if restarts and self.failures >= restarts[0]:
                self.failures -= restarts.pop(0)
                self._restart()
            if self.stopped:
                if starts_left == 0:
                    return Fate.STOPPED
                starts_left = None if starts_left is None else starts_left - 1
                self.stopped = False
                self.story.add("operator", "starts_again", endpoint=self._endpoint)
        return watched.fate or Fate.PROCESSED

    watched: Message = field(init=False)
    _sessions: int = 0
    _touched: dict[int, Message] = field(default_factory=dict[int, Message])
    """Messages that have failed since one left the destination, by their order."""

    @property
    def _endpoint(self) -> str:
        return self.values.shown("endpoint.name", "the activation specification")

    def _leap(self, leaps: Leaps) -> None:
        """Leave out the rounds that are like those before."""
        messages = tuple(self.messages)
        fixed = (tuple(message.failures_left for message in messages), self.story.sequential_failures, self.moved)
        counts, deliveries = [m.count for m in messages], [m.deliveries for m in messages]
        rounds, bounded, added = leaps.find(Position(messages, fixed, (*counts,), (*deliveries, self.failures)))
        if not rounds:
            return
        for message, count, delivered in zip(messages, bounded, added, strict=False):
            message.count += rounds * count
            message.deliveries += rounds * delivered
        self.failures += rounds * added[-1]
        self.story.add("endpoint", "goes_on_alike", {"redelivered": messages[0].count}, count=rounds)

    def _round(self) -> Fate | None:
        """The sessions take the batches at the head of the destination."""
        sessions = self._sessions
        size = self.values.maybe_integer("endpoint.max_batch") or 1
        if self.values.maybe("destination.strict_order"):
            sessions = size = 1  # CWSIV1101: strict order leaves one session and one message
        batches: list[list[Message]] = []
        for message in self.messages[: sessions * size]:
            if not batches or len(batches[-1]) == size:
                batches.append([])
            batches[-1].append(message)
        for number, batch in enumerate(batches, start=1):
            stopped = self.stopped
            fate = self._deliver(batch)
            if fate is not None:
                return fate
            if self.stopped and not stopped and number < len(batches):
                self.story.add("endpoint", "goes_on_elsewhere")
        return None

    def _deliver(self, batch: list[Message]) -> Fate | None:
        elapsed = 0  # the messages of a batch share the time of one transaction
        for message in batch:
            message.deliveries += 1
            state = {"redelivered": message.count}
            self.story.add("endpoint", "delivered", state, message=message.name, endpoint=self._endpoint)
            if message.failures_left != 0:
                if message.failures_left is not None:
                    message.failures_left -= 1
                self.story.add("bean", "fails", state, message=message.name)
                return self._roll_back(batch)
            elapsed += self._duration()
            if self._runs_out_of_time(message, elapsed):
                return self._roll_back(batch)
        if self.story.sequential_failures:
            self.story.sequential_failures = 0
        for message in batch:
            message.fate = Fate.ROLLED_BACK if message.timed_out else Fate.PROCESSED
            self.messages.remove(message)
            self.story.add("endpoint", "processed", {"redelivered": message.count}, message=message.name)
        return None

    def _duration(self) -> int:
        duration = self.workload.on_message_ms
        if duration is None:
            duration = self.values.maybe_integer("bean.on_message_ms")
        return duration or 0

    def _runs_out_of_time(self, message: Message, elapsed_ms: int) -> bool:
        """The container's transaction ends before the bean does: the message is rolled back, a failed delivery."""
        if not elapsed_ms or self.values.maybe("bean.transaction") not in (None, "required"):
            return False
        timeout = self.values.integer("bean.transaction_timeout_ms")
        if not self.interpretation.is_late(elapsed_ms, timeout) or self.values.text("bean.transaction") != "required":
            return False
        message.timed_out = True
        state = {"redelivered": message.count}
        facts = {"timeout_ms": timeout, "elapsed_ms": elapsed_ms}
        self.story.add("transaction service", "times_out", state, message=message.name, **facts)
        return True

    def _roll_back(self, batch: list[Message]) -> Fate | None:
        self.failures += 1
        self.healthy_rolled_back = self.healthy_rolled_back or any(message.healthy for message in batch)
        for message in batch:
            fate = self._count(message)
            if fate is not None:
                return fate
        return None

    def _count(self, message: Message) -> Fate | None:
        limit = self.values.integer("destination.max_failed_deliveries")
        self._touched[message.order] = message
        count = message.count + 1
        self.story.add("messaging engine", "bus_returned", {"redelivered": count}, message=message.name, count=count)
        most = limit + 1 if self.interpretation.bus_limit == "exceeded" else limit
        if limit:
            self._watch_sequence(count, most)
        if count >= most:
            return self._give_up(message, count, limit)
        message.count = count
        return None

    def _watch_sequence(self, count: int, limit: int) -> None:
        """Sequential failures: a message counts once, one delivery before the engine would move it."""
        threshold = sequential_limit(self.values)
        if threshold == 0:
            return
        if limit > 1 and count != limit - 1:
            return
        failures = self.story.sequential_failures = (self.story.sequential_failures or 0) + 1
        state = {"redelivered": count}
        facts = {"endpoint": self._endpoint, "failures": failures, "limit": threshold}
        if failures >= threshold:
            self.story.add("endpoint", "bus_stops", state, **facts)
            self.stopped = True
            self.story.sequential_failures = 0
        else:
            self.story.add("endpoint", "bus_goes_on", state, **facts)

    def _exception(self) -> str:
        return self.values.text("destination.exception_destination")

    def _give_up(self, message: Message, count: int, limit: int) -> Fate | None:
        """The engine has delivered the message often enough; a fate where that ends the run."""
        values, state = self.values, {"redelivered": count}
        name = values.shown("destination.name", "the destination")
        facts = {"message": message.name, "count": count, "limit": limit, "destination": name}
        if values.maybe("destination.discards_poison") or self.workload.discardable:
            self._remove(message, Fate.DISCARDED, "")
            why = "because it asks for that" if self.workload.discardable else "because of its reliability"
            self.story.add("messaging engine", "bus_discards", state, why=why, **facts)
            return None
        if self._exception() == "none":
            wait = values.integer("destination.effective_blocked_retry_ms")
            if self.interpretation.bus_blocked == "moved":
                self.story.add("messaging engine", "bus_waits", state, wait_ms=wait, **facts)
                return self._move(message, "", state, facts)
            message.fate = Fate.BLOCKED if wait else Fate.LOOPS
            if self.stopped:
                self.story.add("messaging engine", "bus_blocks_resumed", state, endpoint=self._endpoint, **facts)
            else:
                self.story.add("messaging engine", "bus_blocks" if wait else "bus_spins", state, wait_ms=wait, **facts)
            return message.fate
        target = values.shown("destination.exception_destination_name", "")
        if self._exception() == "named" and values.maybe("destination.exception_resolution") == "not_defined":
            self.story.add("messaging engine", "bus_put_fails", state, target=target)
            target = ""
        elif self._exception() == "named" and values.maybe("destination.exception_send_allowed") is False:
            self.story.add("messaging engine", "bus_send_disallowed", state, target=target)
            target = ""
        elif self._exception() == "named" and values.maybe("destination.exception_loops"):
            message.fate = Fate.LOOPS
            self.story.add("messaging engine", "bus_moves_in_a_circle", state, target=target, **facts)
            return Fate.LOOPS
        return self._move(message, target, state, facts)

    def _move(self, message: Message, target: str, state: dict[str, int], facts: Mapping[str, Fact]) -> None:
        system = self.values.shown("destination.system_exception_destination", SYSTEM_EXCEPTION_DESTINATION)
        target = target or system
        self._remove(message, Fate.EXCEPTION_DESTINATION, target)
        self.story.add("messaging engine", "bus_moves", state, target=target, **facts)

    def _remove(self, message: Message, fate: Fate, target: str) -> None:
        message.fate, message.target = fate, target
        self.moved += 1
        self.messages.remove(message)

    def _restart(self) -> None:
        if self.values.text("destination.reliability").endswith("_nonpersistent"):
            for message in self.messages:
                message.fate = Fate.LOST
                state = {"redelivered": message.count}
                self.story.add("messaging engine", "engine_restart_drops", state, message=message.name)
            self.messages.clear()
            return
        if self.values.boolean("destination.persist_redelivery_count"):
            self.story.add("messaging engine", "engine_restarts_keeps")
            return
        for message in self.messages:
            message.count = 0
        self.story.add("messaging engine", "engine_restarts_forgets")
