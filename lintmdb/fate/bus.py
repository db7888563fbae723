"""Delivery from a service integration bus destination (default messaging provider).

Sources: the Open Liberty messaging runtime (ConsumerDispatcher, ExceptionDestinationHandlerImpl, SibRaListener), which
carries the traditional product's code; "Queue destination settings".
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lintmdb.fate.message import Message, messages_of
from lintmdb.fate.outcome import Fate, Story
from lintmdb.fate.values import Values
from lintmdb.fate.workload import Workload, sequential_limit


@dataclass(slots=True)
class BusDelivery:
    """One run on the bus."""

    values: Values
    workload: Workload
    story: Story
    messages: list[Message] = field(default_factory=list[Message])
    sequential: int = 0
    failures: int = 0
    moved: int = 0
    stopped: bool = False
    healthy_rolled_back: bool = False

    def run(self) -> Fate:
        """Deliver until the destination is empty, blocked, or the endpoint stays stopped."""
        self.messages = messages_of(self.workload, persistent=True)
        watched = self.watched = self.messages[0]
        starts_left = self.workload.started_again
        restarts = list(self.workload.restarts_after)
        seen: set[object] = set()
        while self.messages:
            state = (tuple((m.name, m.count, m.failures_left) for m in self.messages), self.sequential, len(restarts))
            if state in seen:
                self.story.add("endpoint", "loops", message=self.messages[0].name)
                return Fate.LOOPS
            seen.add(state)
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

    @property
    def _endpoint(self) -> str:
        return self.values.maybe("endpoint.name") or "the activation specification"

    def _round(self) -> Fate | None:
        """The sessions take the batches at the head of the destination."""
        sessions = self.workload.sessions or self.values.integer("endpoint.max_sessions")
        size: int = self.values.maybe("endpoint.max_batch") or 1
        if self.values.maybe("destination.strict_order"):
            sessions = size = 1  # CWSIV1101: strict order leaves one session and one message
        batches: list[list[Message]] = []
        for message in self.messages[: sessions * size]:
            if not batches or len(batches[-1]) == size:
                batches.append([])
            batches[-1].append(message)
        for batch in batches:
            fate = self._deliver(batch)
            if fate is not None:
                return fate
        return None

    def _deliver(self, batch: list[Message]) -> Fate | None:
        for message in batch:
            message.deliveries += 1
            state = {"redelivered": message.count}
            self.story.add("endpoint", "delivered", state, message=message.name, endpoint=self._endpoint)
            if message.failures_left != 0:
                if message.failures_left is not None:
                    message.failures_left -= 1
                self.story.add("bean", "fails", state, message=message.name)
                return self._roll_back(batch)
        for message in batch:
            message.fate = Fate.PROCESSED
            self.messages.remove(message)
            self.story.add("endpoint", "processed", message=message.name)
        self.sequential = 0
        return None

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
        count = message.count + 1
        self.story.add("messaging engine", "bus_returned", {"redelivered": count}, message=message.name, count=count)
        self._watch_sequence(count, limit)
        if count >= limit:
            return self._give_up(message, count, limit)
        message.count = count
        return None

    def _watch_sequence(self, count: int, limit: int) -> None:
        """Sequential failures: a message counts once, one delivery before the engine would move it."""
        threshold = sequential_limit(self.values)
        if threshold == 0 or limit == 0:
            return
        if limit > 1 and count != limit - 1:
            return
        self.sequential += 1
        state = {"redelivered": count, "sequential_failures": self.sequential}
        facts = {"endpoint": self._endpoint, "failures": self.sequential, "limit": threshold}
        if self.sequential >= threshold:
            self.story.add("endpoint", "bus_stops", state, **facts)
            self.stopped, self.sequential = True, 0
        else:
            self.story.add("endpoint", "bus_goes_on", state, **facts)

    def _exception(self) -> str:
        return self.values.text("destination.exception_destination")

    def _give_up(self, message: Message, count: int, limit: int) -> Fate | None:
        """The engine has delivered the message often enough; a fate where that ends the run."""
        values, state = self.values, {"redelivered": count}
        name: str = values.maybe("destination.name") or "the destination"
        facts = {"message": message.name, "count": count, "limit": limit, "destination": name}
        if values.maybe("destination.discards_poison"):
            self._remove(message, Fate.DISCARDED, "")
            self.story.add("messaging engine", "bus_discards", state, **facts)
            return None
        if self._exception() == "none":
            wait = values.integer("destination.effective_blocked_retry_ms")
            message.fate = Fate.BLOCKED if wait else Fate.LOOPS
            event = "bus_blocks" if wait else "bus_spins"
            self.story.add("messaging engine", event, state, wait_ms=wait, **facts)
            return message.fate
        target: str = values.maybe("destination.exception_destination_name") or ""
        if self._exception() == "named" and values.maybe("destination.exception_resolution") == "not_defined":
            self.story.add("messaging engine", "bus_put_fails", state, target=target)
            target = ""
        elif self._exception() == "named" and values.maybe("destination.exception_send_allowed") is False:
            self.story.add("messaging engine", "bus_send_disallowed", state, target=target)
            target = ""
        target = target or "_SYSTEM.Exception.Destination"
        self._remove(message, Fate.EXCEPTION_DESTINATION, target)
        self.story.add("messaging engine", "bus_moves", state, target=target, **facts)
        return None

    def _remove(self, message: Message, fate: Fate, target: str) -> None:
        message.fate, message.target = fate, target
        self.moved += 1
        self.messages.remove(message)

    def _restart(self) -> None:
        if self.values.boolean("destination.persist_redelivery_count"):
            self.story.add("messaging engine", "engine_restarts_keeps")
            return
        for message in self.messages:
            message.count = 0
        self.story.add("messaging engine", "engine_restarts_forgets")
