"""Where the sources disagree: one switch each. The defaults are the stricter readings, which the rules follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """How to read the documents where they contradict each other."""

    spec_stop: Literal["reach", "exceed"] = "reach"
    """An activation specification stops when its failures reach failureDeliveryCount (its article, APAR IT11393), or
    when they exceed it (message CWWMQ0007W)."""
    port_stop: Literal["at_least", "equal"] = "at_least"
    """A listener port stops when the delivery count is at least maxRetries (its article), or only when it is equal
    (WebSphere 6.1 documentation). They differ after a restart."""
    empty_receive: Literal["rollback", "commit"] = "rollback"
    """What ends the transaction of a receive that times out: rolled back (non-ASF article), or committed."""
    timeout_tie: Literal["late", "in_time"] = "late"
    """Whether a message that completes exactly when its transaction times out is rolled back."""

    def is_late(self, elapsed_ms: int, timeout_ms: int) -> bool:
        """Whether work that completes after ``elapsed_ms`` is rolled back; a timeout of 0 never ends."""
        if timeout_ms == 0:
            return False
        return elapsed_ms > timeout_ms or (elapsed_ms == timeout_ms and self.timeout_tie == "late")


STRICT = Readings()
