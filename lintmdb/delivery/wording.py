"""The steps of a run in words."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from lintmdb.delivery.fate import Fate, FateGroup
from lintmdb.delivery.outcome import Actor, Fact, Outcome, Step
from lintmdb.delivery.workload import Workload
from lintmdb.model.columns import columns
from lintmdb.model.relations import ALIASES, RELATIONS

_TEXTS: Mapping[str, str] = {
    # both providers
    "starts_first": "{endpoint} does not start with its server, so somebody starts it",
    "starts_again": "somebody starts {endpoint} again",
    "delivered": "{endpoint} passes {message} to the bean",
    "fails": "the bean throws an exception on {message}",
    "processed": "{message} is processed and committed",
    "loops": "the state is the same as before, so this repeats for ever, with {message} first on the queue",
    "goes_on_alike": "the same happens {count} times more",
    "no_sessions": "{endpoint} has no session, so nothing is delivered",
    "not_modelled": "{endpoint} reads from a generic JMS provider, for which lintmdb has no model of delivery",
    "undecided": "what happens here depends on {missing}",
    # a queue that no endpoint of the exports reads
    "client_delivered": "the client gets {message}",
    "client_fails": "the client fails to process {message}",
    "client_spec_ignores": "the client does not give up, so it goes on",
    # IBM MQ
    "returned": "{message} is rolled back to {queue} with BackoutCount {count}",
    "restarted_shared": "the queue manager restarts; the shared queue keeps its messages and their counts",
    "restarted_keeps": "the queue manager restarts; the backout counts survive",
    "restarted_forgets": "the queue manager restarts; without HARDENBO the backout counts start from 0 again",
    "restart_drops": "the queue manager restarts, and {message} is gone: it was not persistent",
    "is_poison": "BackoutCount {count} of {message} has reached BOTHRESH({threshold}) of {queue}: it is poison",
    "inquiry_refused": "User {user} lacks inq authority on {queue}, so the client cannot look up BOTHRESH there and "
    "moves nothing",
    "no_backout_queue": "BOQNAME of {queue} is blank",
    "no_dead_letter_queue": "the queue manager has no dead-letter queue",
    "put_fails": "the put to {target} fails: {why}",
    Fate.BACKOUT_QUEUE.value: "{message} is moved to the backout queue {target}{onwards}{rights}",
    Fate.DEAD_LETTER_QUEUE.value: "{message} is moved to the dead-letter queue {target}{onwards}{rights}",
    Fate.ASTRAY.value: "{message} is moved to {target} and goes on to another queue manager, where at most a "
    "dead-letter queue keeps it",
    Fate.DISCARDED.value: "{message} {why}, so it is discarded",
    "blocked": "{message} is persistent and no queue takes it, so delivery from {queue} stops",
    "moved_in_a_circle": "{message} is moved to {target}, from where it comes back to {queue} with a new BackoutCount",
    "queue_not_readable": "{queue} at {queue_manager} {why}, so nothing can be read",
    "channel_not_defined": "{channel} is not defined at {queue_manager}, so {endpoint} cannot connect",
    "channel_blocked": "{endpoint} may not use {channel} because of {record}, so it cannot connect",
    "password_missing": "{authentication} asks clients for a password and {endpoint} gives none, so it cannot connect",
    "no_instances": "{channel} has MAXINST(0), which refuses every client, so {endpoint} cannot connect",
    "no_client_instances": "{channel} has MAXINSTC(0), which refuses every client, so {endpoint} cannot connect",
    "connect_refused": "User {user} may not connect to {queue_manager}",
    "subscription_refused": "no application may subscribe to {topic} at {queue_manager} (2503), so nothing arrives",
    "durable_subscription_refused": "no application may make a durable subscription to {topic} at {queue_manager} "
    "(2436), so nothing arrives",
    "durable_queue_not_made": "no queue can be made for a durable subscription of {endpoint} to {topic} (2522): model "
    "queue {queue} is {why}, so nothing arrives",
    "subscription_queue_not_made": "no queue can be made for the subscription of {endpoint} to {topic} (2522): model "
    "queue {queue} is {why}, so nothing arrives",
    "open_refused": "User {user} lacks {rights} authority on {queue}, so nothing is delivered",
    "destination_does_not_fit": (
        "{endpoint} asks for a destination of another kind ({asked}) than it names ({found}), so it cannot start"
    ),
    "queue_elsewhere": "{queue} belongs to {other} and cannot be read at {queue_manager}, so nothing is delivered",
    "name_clash": "both a private and a shared queue are called {queue}, so it cannot be opened",
    "get_disabled": "GET is disabled on {queue}, so nothing is delivered",
    "lost": "{message} was taken outside the bean's transaction and is gone",
    # stop checks
    "port_goes_on": "BackoutCount {count} is below maxRetries {limit}, so {endpoint} goes on",
    "port_stops": "BackoutCount {count} has reached maxRetries {limit}, so {endpoint} stops",
    "port_stops_at_once": "with maxRetries 0 {endpoint} stops at the first rollback",
    "spec_ignores": "{endpoint} does not stop after failures, so it goes on",
    "spec_goes_on": "{endpoint} has counted {failures} of {limit} sequential failures, so it goes on",
    "spec_stops_at_once": "{endpoint} stops at the first failed delivery, because its failure limit is 0",
    "spec_stops": "{endpoint} has counted {failures} sequential failures and its limit is {limit}, so it stops",
    "liberty_goes_on": "{endpoint} bears {limit} sequential failures and this is number {failures}, so it goes on",
    "liberty_pauses": "{endpoint} bears {limit} sequential failures and this is number {failures}, so it pauses",
    "goes_on_elsewhere": "what other sessions have taken already is still delivered",
    # time
    "begins": "a transaction begins (timeout {timeout_ms}) and a receive call waits for up to {receive_ms}",
    "waits_in_vain": "receive calls of {receive_ms} end without a message, {count} in a row",
    "comes": "{message} arrives before the receive call ends",
    "arrives": "{message} arrives {after_ms} after the receive call began",
    "arrival_does_not_matter": "no receive call waits in a transaction here, so a message that arrives after "
    "{after_ms} is like any other",
    "bus_without_backout_queue": "a bus has no backout queues, so a full one does not matter",
    "backout_queue_elsewhere": "the backout queue is at another queue manager, and messages leave for it, full or not",
    "times_out": "{message} would be done {elapsed_ms} after its transaction began, but the transaction times out "
    "after {timeout_ms}, so it is rolled back",
    "receive_ends_empty": "the receive ends after {receive_ms} without a message and its transaction is rolled back",
    "receive_commits_empty": "the receive ends after {receive_ms} without a message and its transaction is committed",
    "acknowledges_first": "{message} is acknowledged before the bean gets it",
    # service integration bus
    "bus_returned": "{message} is rolled back after failed delivery {count}",
    "bus_goes_on": "{endpoint} has counted {failures} of {limit} sequential failing messages, so it goes on",
    "bus_stops": "{endpoint} has counted {failures} sequential failing messages, which is its limit, so it stops",
    "bus_discards": "{message} has failed {count} times (maximum {limit}) and is discarded {why}",
    "bus_blocks": "{message} has failed {count} times (maximum {limit}) and {destination} has no exception "
    "destination, so delivery waits for {wait_ms} and then the same message is delivered again, for ever",
    "bus_blocks_resumed": "{message} has failed {count} times (maximum {limit}) and {destination} has no exception "
    "destination, so the same message is delivered again each time that {endpoint} is resumed",
    "bus_waits": "{message} has failed {count} times (maximum {limit}) and {destination} has no exception destination, "
    "so delivery waits for {wait_ms}",
    "bus_spins": "{message} has failed {count} times (maximum {limit}) and {destination} has no exception destination, "
    "so the same message is delivered again at once, for ever",
    "bus_receive_disallowed": "receiving from {destination} is not allowed, so nothing is delivered",
    "bus_send_disallowed": "sending to the exception destination {target} is not allowed",
    "bus_put_fails": "the exception destination {target} is not defined on the bus",
    "bus_moves": "{message} has failed {count} times (maximum {limit}) and is moved to {target}",
    "bus_moves_in_a_circle": "{message} has failed {count} times (maximum {limit}) and is moved to {target}, from "
    "where it comes back to {destination} with a new count",
    "engine_restarts_keeps": "the messaging engine restarts; the redelivery counts survive",
    "engine_restarts_forgets": "the messaging engine restarts; the redelivery counts start from 0 again",
    "engine_restart_drops": "the messaging engine restarts, and {message} is gone: it was not persistent",
}

HEADLINES: Mapping[Fate, str] = MappingProxyType({fate: fate.headline for fate in Fate})
"""Each fate in a few words."""
WHILE_IDLE = " while no other message arrives"
"""What limits ``is_idle_loop``."""
IF_ALLOWED = "if its user has put and passall there"
"""What a move takes for granted where no export shows the rights of the endpoint's user."""


def is_idle_loop(outcome: Outcome) -> bool:
    """Whether a message goes round only as long as no other one arrives, with which its move is committed (MDB413)."""
    return outcome.fate is Fate.LOOPS and any(step.event == "receive_ends_empty" for step in outcome.steps)


def outcome_words(outcome: Outcome) -> str:
    """What becomes of a message in a few words, with the queue that it is moved to, or that it comes back from."""
    if is_idle_loop(outcome):
        return f"{HEADLINES[outcome.fate]}{WHILE_IDLE}"
    before_target = {FateGroup.MOVED: " ", FateGroup.LOOPS: " by way of "}.get(outcome.fate.group)
    if not outcome.target or before_target is None:
        return HEADLINES[outcome.fate]
    return f"{HEADLINES[outcome.fate]}{before_target}{target_words(outcome, outcome.target, outcome.otherwise)}"


def target_words(outcome: Outcome, target: str, otherwise: str) -> str:
    """The queue that a message is moved to, with what a reader has to know of it. Both names are as they are shown."""
    transmission = " (a transmission queue)" if outcome.on_transmission_queue else ""
    return f"{target}{transmission}{otherwise_words(otherwise, target)}"


def otherwise_words(name: str, target: str) -> str:
    """Where else than to ``target`` a message goes by the rights of its user; blank without a name."""
    return f", or to the dead-letter queue {name} if its user lacks put or passall on {target}" if name else ""


def persistence(*, persistent: bool) -> str:
    """The kind of message, before its noun."""
    return "persistent" if persistent else "non-persistent"


def titled(workload: Workload, kind: str = "") -> str:
    """What a workload puts on the queue; ``kind`` is that of ``persistence``, blank where it makes no difference."""
    healthy = workload.healthy_between
    kind = f"{kind} " if kind else ""
    if workload.poison == 0:
        text = f"one {kind}healthy message" if healthy == 1 else f"{healthy} {kind}healthy messages"
    else:
        text = f"one {kind}poison message" if workload.poison == 1 else f"{workload.poison} {kind}poison messages"
        if healthy:
            text += f" with {healthy} healthy behind {'it' if workload.poison == 1 else 'each'}"
    if workload.failures is not None:
        text += f" that fails {'once' if workload.failures == 1 else f'{workload.failures} times'}"
    if workload.sessions is not None:
        text += f", {workload.sessions} session{'' if workload.sessions == 1 else 's'}"
    if workload.restarts_after:
        first, *more = workload.restarts_after
        text += f", a restart after {first} failure{'' if first == 1 else 's'}"
        text += "".join(f", another after {count} more" for count in more)
    if workload.started_again:
        text += ", started again " + ("once" if workload.started_again == 1 else f"{workload.started_again} times")
    if workload.discardable:
        text += ", which may be discarded"
    full = ["the backout queue"] * workload.backout_full + ["the dead-letter queue"] * workload.dead_letter_full
    if full:
        text += f", while {' and '.join(full)} {'is' if len(full) == 1 else 'are'} full"
    if workload.longest:
        text += ", as long as its queue allows"
    if workload.traffic:
        text += ", with healthy messages arriving now and then"
    if workload.arrives_after_ms:
        text += f", arriving {duration(workload.arrives_after_ms)} after a receive call began"
    return text


class Line(NamedTuple):
    """One line of a story: a step in words, or several steps that repeat."""

    actor: Actor
    event: str
    text: str
    state: Mapping[str, int]


def tell(steps: Sequence[Step], *, fold: bool = True, by_client: bool = False) -> list[Line]:
    """The steps in words. With ``fold``, what comes more than three times in a row is told twice, counted, and told
    for the last time. With ``by_client``, no endpoint reads the queue, but some client without a bean.
    """
    if by_client:
        return [_of_client(line) for line in tell(list(map(_as_client, steps)), fold=fold)]
    if not fold:
        return [_line(step) for step in steps]
    lines: list[Line] = []
    events = [step.event for step in steps]
    position = 0
    while len(steps) - position >= _REPEATED * _SHORTEST_CYCLE:
        length, times = _cycle(events, position)
        lines += [_line(step) for step in steps[position : position + (2 * length if times else 1)]]
        position += 2 * length if times else 1
        if times:
            skipped = steps[position : position + length * (times - 3)]
            lines.append(_folded(skipped, times - 3))
            position += len(skipped)
    return lines + [_line(step) for step in steps[position:]]


def _as_client(step: Step) -> Step:
    """A step of an endpoint or a bean as one of whoever reads the queue, where that is put in other words."""
    event = f"{_OF_CLIENT}{step.event}"
    actor: Actor = "MQ client" if step.actor in ("endpoint", "bean") else step.actor
    return step._replace(actor=actor, event=event if event in _TEXTS else step.event)


def _of_client(line: Line) -> Line:
    """A line for programs, to which a step is the same whoever takes it."""
    return line._replace(event=line.event.removeprefix(_OF_CLIENT))


_OF_CLIENT = "client_"


def _folded(skipped: Sequence[Step], times: int) -> Line:
    messages = {step.facts["message"] for step in skipped if "message" in step.facts}
    text = f"The same again, {times} times" if times > 1 else "The same again, once"
    if len(messages) > 1:
        text += ", with the next message each time" if len(messages) == times else ", one message after the other"
    return Line(skipped[-1].actor, "repeated", text, skipped[-1].state)


_SHORTEST_CYCLE, _LONGEST_CYCLE = 2, 12
_REPEATED = 4
"""So often a series must come to be folded."""


def _cycle(events: Sequence[str], start: int) -> tuple[int, int]:
    """The shortest series of events at ``start`` that stands there more than three times, and how often; or 0, 0."""
    longest = min(_LONGEST_CYCLE, (len(events) - start) // _REPEATED)
    for length in range(_SHORTEST_CYCLE, longest + 1):
        if events[start] != events[start + length]:
            continue
        series = events[start : start + length]
        following = start + length
        while events[following : following + length] == series:
            following += length
        times = (following - start) // length
        if times >= _REPEATED:
            return length, times
    return 0, 0


def _line(step: Step) -> Line:
    facts = step.facts
    template, timed = _template(step.event, facts.get("count") == 1, facts.get("failures") == 1)
    if step.event == "undecided":
        facts = {**facts, "missing": _in_words(str(facts["missing"]))}
    text = template.format_map({name: _shown(name, value) for name, value in facts.items()} if timed else facts)
    # The names of endpoints, queues and destinations keep their letters.
    if text.startswith("the ") or not template.startswith("{") or template.startswith("{message}"):
        text = text[0].upper() + text[1:]
    return Line(step.actor, step.event, text, step.state)


@functools.cache
def _in_words(name: str) -> str:
    """A value that is not known, asked for as ``alias.column``, as an administrator calls it. That of ``BOQNAME`` may
    be known, and not whether there is such a queue.
    """
    alias, _, wanted = name.partition(".")
    known = ALIASES.get(alias)
    column = next((each for each in columns(RELATIONS[known.relation]) if each.name == wanted), None) if known else None
    if known is None or column is None:
        return f"{name}, which no export contains"
    if column.mqsc and wanted.endswith("_resolution"):
        return f"whether the queue exists that {column.mqsc} of the {known.words} names, which no export shows"
    return f"{column.mqsc or f'the {column.noun}'} of the {known.words}, which no export contains"


@functools.cache
def _template(event: str, once: bool, one_failure: bool) -> tuple[str, bool]:
    """The words for an event whose count or failures may be 1, and whether they tell a time."""
    template = _TEXTS[event]
    if once:
        template = template.replace("{count} times", "once")
    if one_failure:
        template = template.replace("{failures} sequential failures", "{failures} sequential failure")
        template = template.replace("{failures} sequential failing messages", "{failures} sequential failing message")
    return template, "_ms}" in template


def _shown(name: str, value: Fact) -> Fact:
    if not name.endswith("_ms"):
        return value
    if not isinstance(value, int):
        return "unknown"
    return "none" if name == "timeout_ms" and value == 0 else duration(value)


def duration(milliseconds: int) -> str:
    """A time as people write it: seconds where they are whole."""
    if milliseconds >= 1000 and milliseconds % 1000 == 0:
        return f"{milliseconds // 1000} s"
    return f"{milliseconds} ms"


def events() -> Iterator[str]:
    """Every event that has words."""
    return iter(_TEXTS)
