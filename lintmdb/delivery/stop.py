"""When a failed delivery stops the endpoint: listener ports look at the message's count, activation specifications at
a counter of their own.

Sources: "Message listener port settings" (maxRetries), "IBM MQ messaging provider activation specification advanced
properties", APAR IT11393.
"""

from __future__ import annotations

from lintmdb.delivery.interpretations import Interpretation
from lintmdb.delivery.message import Message
from lintmdb.delivery.outcome import Story
from lintmdb.delivery.values import Values


class PortStop:
    """A listener port stops when the delivery count of a message reaches maxRetries; 0 acts like 1."""

    def __init__(self, values: Values, interpretation: Interpretation, story: Story) -> None:
        self._values = values
        self._interpretation = interpretation
        self._story = story
        self.failures = 0
        """Stays 0: the count of each message decides."""
        self.name = values.shown("endpoint.name", "the listener port")

    @property
    def horizon(self) -> int:
        """Backout counts beyond it are all the same to the port."""
        return max(self._values.integer("endpoint.failure_threshold"), 1) + 1

    def state(self) -> int:
        """Nothing is remembered between deliveries."""
        return 0

    def processed(self) -> None:
        """A success changes nothing: the count belongs to the message."""

    def failed(self, message: Message) -> bool:
        """Whether this failure stops the port."""
        limit = self._values.integer("endpoint.failure_threshold")
        count = message.count
        stops = count == max(limit, 1) if self._interpretation.port_stop == "equal" else count >= limit
        event = ("port_stops" if limit else "port_stops_at_once") if stops else "port_goes_on"
        self._story.add("endpoint", event, {"backout_count": count}, endpoint=self.name, count=count, limit=limit)
        return stops


class SpecStop:
    """An activation specification counts sequential failures of all messages; a success sets the counter to zero,
    moving a message aside or pausing the endpoint does not.
    """

    def __init__(self, values: Values, interpretation: Interpretation, story: Story) -> None:
        self._values = values
        self._interpretation = interpretation
        self._story = story
        self.failures = 0
        """In a row."""
        self.name = values.shown("endpoint.name", "the activation specification")
        if values.maybe("endpoint.stop_on_failure"):
            story.sequential_failures = 0

    @property
    def horizon(self) -> int:
        """The counter, not the message's count, decides."""
        return 1

    def state(self) -> int:
        """The counter as far as it matters."""
        if not self._values.boolean("endpoint.stop_on_failure"):
            return 0
        return min(self.failures, self._limit())

    def processed(self) -> None:
        """Any success starts the count again."""
        self.failures = 0
        if self._story.sequential_failures:
            self._story.sequential_failures = 0

    def failed(self, message: Message) -> bool:
        """Whether this failure stops the endpoint."""
        if not self._values.boolean("endpoint.stop_on_failure"):
            self._story.add("endpoint", "spec_ignores", {"backout_count": message.count}, endpoint=self.name)
            return False
        self.failures += 1
        self._story.sequential_failures = self.failures
        limit = self._limit()
        stops = self.failures >= limit
        named = self._values.integer("endpoint.failure_threshold")
        self._story.add(
            "endpoint",
            self._event(named, stops=stops),
            {"backout_count": message.count},
            endpoint=self.name,
            failures=self.failures,
            limit=named,
        )
        return stops

    def _event(self, named: int, *, stops: bool) -> str:
        """What to tell about a failure; ``named`` is the limit as it is set."""
        return ("spec_stops" if named else "spec_stops_at_once") if stops else "spec_goes_on"

    def _limit(self) -> int:
        threshold = self._values.integer("endpoint.failure_threshold")
        return threshold + 1 if self._interpretation.spec_stop == "exceed" else max(threshold, 1)


class LibertyStop(SpecStop):
    """On Liberty the number is how many failures the endpoint bears: it pauses at the next one.

    IBM's page says so (0 pauses at the first failure, 1 at the second), so there is nothing to interpret.
    """

    def _limit(self) -> int:
        return self._values.integer("endpoint.failure_threshold") + 1

    def _event(self, named: int, *, stops: bool) -> str:
        return "liberty_pauses" if stops else "liberty_goes_on"


def build_stop(values: Values, interpretation: Interpretation, story: Story) -> PortStop | SpecStop:
    """The stop check of the flow's endpoint."""
    if values.text("endpoint.kind") == "listener_port":
        return PortStop(values, interpretation, story)
    if values.maybe("endpoint.runtime") == "liberty":
        return LibertyStop(values, interpretation, story)
    return SpecStop(values, interpretation, story)
