"""How to interpret the sources where they disagree: one switch for each contradiction.

The defaults are the stricter interpretations, which the rules follow.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args, get_type_hints

from lintmdb.errors import LintmdbError


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpretation:
    """One choice for each point on which the documents contradict each other."""

    spec_stop: Literal["reach", "exceed"] = "reach"
    """An activation specification stops when its failures reach failureDeliveryCount (its article, APAR IT11393), or
    when they exceed it (message CWWMQ0007W)."""
    port_stop: Literal["at_least", "equal"] = "at_least"
    """A listener port stops when the delivery count is at least maxRetries (its article), or only when it is equal
    (WebSphere 6.1 documentation). They differ after a restart."""
    empty_receive: Literal["rollback", "commit"] = "rollback"
    """A receive that times out rolls its transaction back (non-ASF article), or commits it."""
    timeout_tie: Literal["late", "in_time"] = "late"
    """A message that completes exactly when its transaction times out is rolled back, or committed."""
    backout: Literal["reached", "exceeded"] = "reached"
    """A message is poison when its BackoutCount reaches BOTHRESH (MQ documentation), or when it exceeds it (the prose
    of the z/OS article, against its own example)."""
    dead_letter: Literal["as_set", "system"] = "as_set"
    """Where the queue manager names no dead-letter queue there is none (MQ documentation), or messages go to
    SYSTEM.DEAD.LETTER.QUEUE (as the articles say)."""
    zos_non_asf: Literal["ignored", "effective"] = "ignored"
    """On z/OS a receive timeout has no effect (the documentation rules non-ASF mode out), or selects non-ASF mode there
    too (a script of IBM's for z/OS reads it)."""
    bus_limit: Literal["reached", "exceeded"] = "reached"
    """The messaging engine gives a message up when its failures reach Maximum failed deliveries (the runtime's
    source), or when they exceed it."""
    bus_blocked: Literal["delivered_again", "moved"] = "delivered_again"
    """Without an exception destination a message is delivered again after the wait (the runtime's source), or moved
    to the system exception destination then (a translation of the article)."""

    def is_late(self, elapsed_ms: int, timeout_ms: int) -> bool:
        """Whether work that completes after ``elapsed_ms`` is rolled back; a timeout of 0 never ends."""
        if timeout_ms == 0:
            return False
        return elapsed_ms > timeout_ms or (elapsed_ms == timeout_ms and self.timeout_tie == "late")


STRICT = Interpretation()


def choose_interpretation(chosen: Iterable[tuple[str, str]]) -> Interpretation:
    """The strict interpretation, except for pairs of a name and a value.

    Raises LintmdbError for a name or a value that does not exist.
    """
    known = {name: get_args(kind) for name, kind in get_type_hints(Interpretation).items()}
    for name, value in chosen:
        if name not in known:
            raise LintmdbError(
                f"no interpretation is called {name!r}", next_step="They are " + ", ".join(sorted(known))
            )
        if value not in known[name]:
            raise LintmdbError(f"{name} cannot be {value!r}", next_step="It is " + " or ".join(known[name]))
    return replace(STRICT, **dict(chosen))  # pyright: ignore[reportArgumentType]
