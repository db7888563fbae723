"""What is put on the queue, and what happens around it: the input of a run in addition to the flow's values.

The named workloads are the situations that rules predict something about (``predicts`` in a rule).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from lintmdb.delivery.values import Values


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """Messages in their order on the queue, and events from outside."""

    poison: int = 1
    """How many messages the bean cannot process."""
    failures: int | None = None
    """How often the bean fails on each of them before it succeeds; None is for ever."""
    failed_before: int = 0
    """How often each of them has failed at other readers of the queue: its backout count when it gets here."""
    healthy_between: int = 0
    """How many messages that the bean can process follow each poison message (all messages if ``poison`` is 0)."""
    traffic: bool = False
    """In non-ASF mode a healthy message arrives whenever a receive call finds nothing but poison."""
    arrives_after_ms: int = 0
    """How long after a receive begins the first message arrives; acts in non-ASF mode."""
    on_message_ms: int | None = None
    """How long onMessage takes for a healthy message; None is the bean's own observed time."""
    sessions: int | None = None
    """Number of sessions; None takes the endpoint's."""
    restarts_after: tuple[int, ...] = ()
    """Failures before each restart of the queue manager or messaging engine, counted from the one before."""
    started_again: int | None = 0
    """How often an operator starts a stopped endpoint again; None is always."""
    persistent: bool | None = True
    """None takes the queue's default persistence."""
    longest: bool = False
    """Messages are as long as the queue allows."""
    discardable: bool = False
    """Messages carry the report option to discard what cannot be delivered (MQRO_DISCARD_MSG)."""
    backout_full: bool = False
    """The backout queue is full. One at another queue manager takes nothing from the reader, full or not."""
    dead_letter_full: bool = False
    """The dead-letter queue is full, and so is a backout queue that is the same queue."""


def _poison(values: Values) -> Workload:
    """Poison on a queue that is in use: in non-ASF mode a move is committed only with a healthy message."""
    non_asf = values.maybe("endpoint.non_asf_timeout_ms") and values.maybe("server.platform") != "zos"
    return Workload(traffic=True, on_message_ms=0) if non_asf else Workload()


def _poison_restarted(values: Values) -> Workload:
    return replace(_poison(values), started_again=None)


def _poison_alone(_: Values) -> Workload:
    return Workload(started_again=None)


def _longest_poison(values: Values) -> Workload:
    return replace(_poison_restarted(values), longest=True)


def _default_persistence(values: Values) -> Workload:
    return replace(_poison(values), persistent=None)


def _burst(values: Values) -> Workload:
    return replace(_poison(values), poison=max(values.integer("endpoint.max_sessions"), 1))


def _two_in_a_row(values: Values) -> Workload:
    return replace(_poison(values), poison=2)


def _sequence(values: Values) -> Workload:
    return replace(_poison(values), poison=max(sequential_limit(values), 1))


def _passing_failure(values: Values) -> Workload:
    return replace(_poison_restarted(values), failures=1)


def _restart(values: Values) -> Workload:
    return replace(_poison_restarted(values), restarts_after=(1,))


def _among_healthy(_: Values) -> Workload:
    return Workload(healthy_between=1, on_message_ms=0)


def _late(values: Values) -> Workload:
    return _healthy(values.integer("endpoint.non_asf_timeout_ms"))


def _late_restarted(values: Values) -> Workload:
    return _healthy(values.integer("endpoint.non_asf_timeout_ms"), started_again=None)


def _late_instant(values: Values) -> Workload:
    return _healthy(values.integer("endpoint.non_asf_timeout_ms"), 0)


def _late_slower(values: Values) -> Workload:
    """onMessage takes longer by the margin that a thin timeout leaves out: five seconds or a tenth of the timeout."""
    timeout = values.integer("server.effective_timeout_ms")
    if timeout == 0:
        return _late(values)
    margin = max(5000, -(-timeout // 10)) - 1
    return _healthy(values.integer("endpoint.non_asf_timeout_ms"), values.integer("bean.on_message_ms") + margin)


def _slow(values: Values) -> Workload:
    return _healthy(0, values.integer("bean.on_message_ms"))


def _healthy(after: int, on_message: int | None = None, started_again: int | None = 0) -> Workload:
    return Workload(
        poison=0, healthy_between=1, arrives_after_ms=after, on_message_ms=on_message, started_again=started_again
    )


def sequential_limit(values: Values) -> int:
    """How many sequential failing messages stop a bus endpoint; 0 is no limit.

    Strict message order and a missing exception destination leave no limit but 1 (CWSIV0906, CWSIV0907).
    """
    limit = values.maybe_integer("endpoint.sequential_failure_threshold") or 0
    if not limit:
        return 0
    blocks = values.text("destination.exception_destination") == "none"
    return 1 if blocks or values.maybe("destination.strict_order") else limit


WORKLOADS: Mapping[str, Callable[[Values], Workload]] = MappingProxyType(
    {
        "poison": _poison,
        "poison_restarted": _poison_restarted,
        "poison_alone": _poison_alone,
        "longest_poison": _longest_poison,
        "default_persistence": _default_persistence,
        "burst": _burst,
        "two_in_a_row": _two_in_a_row,
        "sequence": _sequence,
        "passing_failure": _passing_failure,
        "restart": _restart,
        "among_healthy": _among_healthy,
        "late": _late,
        "late_restarted": _late_restarted,
        "late_instant": _late_instant,
        "late_slower": _late_slower,
        "slow": _slow,
    }
)
"""Name to a function of the flow's values: a burst is as large as the endpoint has sessions."""
