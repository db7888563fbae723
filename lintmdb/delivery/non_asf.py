"""A round of deliveries in non-ASF mode: each session begins a transaction and then waits in a receive call.

The MQ client moves a poison message inside that transaction, so a rollback undoes the move. Sources: WebSphere
"Message processing in ASF mode and non-ASF mode"; IBM MQ "Handling poison messages in IBM MQ classes for JMS"
(synchronous receive).
"""

from __future__ import annotations

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.interpretations import Interpretation
from lintmdb.delivery.message import Message
from lintmdb.delivery.values import Values
from lintmdb.delivery.wmq import Run


def in_non_asf_mode(values: Values, interpretation: Interpretation) -> bool:
    """Whether the endpoint runs in non-ASF mode. Raises UnknownValueError.

    z/OS has no such mode: a receive timeout has no effect there, unless ``interpretation`` says that it has.
    """
    if values.integer("endpoint.non_asf_timeout_ms") == 0:
        return False
    return interpretation.zos_non_asf == "effective" or values.text("server.platform") != "zos"


def non_asf_round(run: Run, sessions: int) -> Fate | None:
    """Let each session make one receive while messages wait; times are in milliseconds.

    A fate if delivery is blocked or loops, otherwise None. Raises UnknownValueError for a setting that is not known.
    """
    if run.values.maybe("endpoint.destination_type") == "topic":
        sessions = 1  # in this mode a subscription has only one session
    receive_ms = run.values.integer("endpoint.non_asf_timeout_ms")
    started = run.story.at_ms or 0
    arrival = 0
    if run.story.at_ms is None:
        arrival = run.workload.arrives_after_ms
        empty = max(-(-arrival // receive_ms) - 1, 0)
        if empty:
            started = empty * receive_ms
            arrival -= started
            run.story.at_ms = started
            run.story.add("endpoint", "waits_in_vain", count=empty, receive_ms=receive_ms)
    ended = started
    waiting = list(run.queue.messages)
    stopped = run.stopped
    for _ in range(sessions):
        if not waiting:
            break
        if run.stopped and not stopped:
            stopped = True
            run.story.add("endpoint", "goes_on_elsewhere")
        run.story.at_ms = started
        fate = _session(run, waiting, arrival, receive_ms)
        if fate is not None:
            return fate
        ended = max(ended, run.story.at_ms)
        if run.restarted:
            break
    run.story.at_ms = ended
    return None


def _session(run: Run, waiting: list[Message], arrival: int, receive_ms: int) -> Fate | None:
    """One transaction of a session: poison is moved, then comes one message or an empty receive."""
    story = run.story
    start = story.at_ms or 0
    timeout = run.values.maybe_integer("server.effective_timeout_ms")
    story.add("transaction service", "begins", timeout_ms=timeout, receive_ms=receive_ms)
    moved: list[Message] = []
    while waiting:
        message = waiting.pop(0)
        if not run.queue.is_poison(message):
            break
        fate = run.queue.dispose(message)
        if fate in (Fate.BLOCKED, Fate.LOOPS):
            return fate
        moved.append(message)
    else:
        if run.workload.traffic:
            message = run.queue.arrive()
            story.add("application", "comes", {"backout_count": 0}, message=message.name)
            _deliver(run, message, moved, 0)
            return None
        story.at_ms = start + receive_ms
        if run.interpretation.empty_receive == "rollback":
            story.add("endpoint", "receive_ends_empty", receive_ms=receive_ms)
            run.queue.undo(moved)
        else:
            story.add("endpoint", "receive_commits_empty", receive_ms=receive_ms)
        return None
    story.at_ms = start + arrival
    if arrival:
        count = {"backout_count": message.count}
        story.add("application", "arrives", count, message=message.name, after_ms=arrival, receive_ms=receive_ms)
    _deliver(run, message, moved, arrival)
    return None


def _deliver(run: Run, message: Message, moved: list[Message], arrival: int) -> None:
    acknowledged = _acknowledged_first(run)
    if acknowledged:
        run.story.add("endpoint", "acknowledges_first", {"backout_count": message.count}, message=message.name)
    returns = run.give(message)
    if acknowledged:
        if returns:
            run.commit(message)
        else:
            run.lose(message)
        return
    if returns and not _runs_out_of_time(run, message, arrival):
        run.commit(message)
        return
    outside = not returns and run.values.maybe("bean.transaction") == "not_supported"
    if outside and not run.queue.is_persistent(message):
        run.lose(message)  # as in ASF mode, MQ delivers it outside syncpoint
        return
    run.roll_back([message], message, moved)


def _acknowledged_first(run: Run) -> bool:
    """Whether the endpoint takes the message off the queue for good before the bean sees it."""
    values = run.values
    if values.text("endpoint.kind") == "activation_spec":
        return not values.boolean("endpoint.non_asf_rollback_enabled")
    if values.maybe("endpoint.non_asf_bmt_rollback_enabled") is True or values.text("bean.transaction") != "bean":
        return False
    return not values.boolean("endpoint.non_asf_bmt_rollback_enabled")


def _runs_out_of_time(run: Run, message: Message, arrival: int) -> bool:
    duration: int | None = run.workload.on_message_ms
    if duration is None:
        duration = run.values.maybe_integer("bean.on_message_ms")
    if not duration and arrival == 0:
        return False  # the workload sets no times
    timeout = run.values.integer("server.effective_timeout_ms")
    if timeout == 0:
        return False
    if duration is None:
        # A message that arrived too late runs out of time however fast the bean is.
        duration = 0 if run.interpretation.is_late(arrival, timeout) else run.values.integer("bean.on_message_ms")
    run.story.at_ms = (run.story.at_ms or 0) + duration
    if not run.interpretation.is_late(arrival + duration, timeout):
        return False
    run.time_out(message, timeout, arrival + duration)
    return True
