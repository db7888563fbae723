"""A round of deliveries in ASF mode: the sessions take the messages at the head of the queue.

The MQ client looks at a message's backout count when it meets the message again, and moves poison outside the unit of
work. Source: IBM MQ "Handling poison messages in IBM MQ classes for JMS", seen for connection consumers.
"""

from __future__ import annotations

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.message import Message
from lintmdb.delivery.wmq import Run


def asf_round(run: Run, sessions: int) -> Fate | None:
    """One unit of work a session; a fate where the run ends."""
    units: list[list[Message]] = []
    size = _batch_size(run)
    for message in list(run.queue.messages):
        if run.queue.is_poison(message):
            fate = run.queue.dispose(message)
            if fate in (Fate.BLOCKED, Fate.LOOPS):
                return fate
            continue
        if not units or len(units[-1]) == size:
            if len(units) == sessions:
                break
            units.append([])
        units[-1].append(message)
    # All of these are dispatched: a stop in between keeps none of them back.
    for number, unit in enumerate(units, start=1):
        stopped = run.stopped
        _deliver(run, unit)
        if run.restarted:
            break
        if run.stopped and not stopped and number < len(units):
            run.story.add("endpoint", "goes_on_elsewhere")
    return None


def _batch_size(run: Run) -> int:
    """maxMessages of a listener port: so many messages share a transaction."""
    if run.values.text("endpoint.kind") != "listener_port":
        return 1
    size = run.values.maybe_integer("endpoint.max_batch")
    return size or 1


def _deliver(run: Run, unit: list[Message]) -> None:
    elapsed = 0  # the messages of a batch share the time of one transaction
    for message in list(unit):
        if not run.give(message):
            if not run.in_transaction and not run.queue.is_persistent(message):
                # Without a transaction MQ takes a non-persistent message outside syncpoint.
                run.lose(message)
                unit.remove(message)
                continue
            run.roll_back(unit, message)
            return
        elapsed += _duration(run)
        if _runs_out_of_time(run, message, elapsed):
            run.roll_back(unit, message)
            return
    for message in unit:
        run.commit(message)


def _duration(run: Run) -> int:
    duration = run.workload.on_message_ms
    if duration is None:
        duration = run.values.maybe_integer("bean.on_message_ms")
    return duration or 0


def _runs_out_of_time(run: Run, message: Message, elapsed: int) -> bool:
    if not elapsed or run.values.maybe("bean.transaction") not in (None, "required"):
        return False
    timeout = run.values.integer("bean.transaction_timeout_ms")
    if not run.interpretation.is_late(elapsed, timeout) or run.values.text("bean.transaction") != "required":
        return False
    run.time_out(message, timeout, elapsed)
    return True
