"""What becomes of a poison message on a flow, as a sentence that an administrator would say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.input_queue import DEAD_LETTER_HEADER_BYTES
from lintmdb.delivery.values import Values
from lintmdb.delivery.wording import IF_ALLOWED, is_idle_loop, otherwise_words, tell
from lintmdb.delivery.workload import Workload
from lintmdb.engine.channel_limits import if_it_passes
from lintmdb.engine.findings import FlowHead, Judgement, without
from lintmdb.engine.missing_inputs import find_need
from lintmdb.engine.other_readings import other_reading_of_stop
from lintmdb.engine.traces import Told, reader_has_every_right, trace_flow
from lintmdb.model.columns import Value
from lintmdb.model.environment_names import key_of
from lintmdb.report.full_queues import FullQueues, were_full
from lintmdb.report.headline_fates import HeadlineFate
from lintmdb.report.if_undefined import fate_if_undefined
from lintmdb.report.next_readers import NextReaders, has_other_readers
from lintmdb.report.queue_status import messages_words, status_of, status_words
from lintmdb.run.descriptions import Descriptions
from lintmdb.run.estate import Estate
from lintmdb.run.queue_status import ShownStatus

_CLAUSES: Mapping[Fate, str] = MappingProxyType(
    {
        Fate.PROCESSED: "is processed",
        Fate.BACKOUT_QUEUE: "is moved to the backout queue {target}{after}",
        Fate.DEAD_LETTER_QUEUE: "is moved to the dead-letter queue {target}{after}",
        Fate.EXCEPTION_DESTINATION: "is moved to the exception destination {target}{after}",
        Fate.ASTRAY: "goes astray{after}: {target} sends it to another queue manager, where at most a "
        "dead-letter queue keeps it",
        Fate.DISCARDED: "is discarded{after}",
        Fate.STOPPED: "stops {endpoint}{after}, and {alone}",
        Fate.LOOPS: "is delivered again and again, without end",
        Fate.BLOCKED: "blocks delivery{after}, and every message behind it waits",
        Fate.ROLLED_BACK: "is rolled back by the transaction timeout and processed later",
        Fate.LOST: "is lost",
    }
)
"""What follows "A poison message"."""
_LATE: Mapping[Fate, str] = MappingProxyType(
    {
        Fate.BACKOUT_QUEUE: "is taken for poison and moved to the backout queue {target}",
        Fate.DEAD_LETTER_QUEUE: "is taken for poison and moved to the dead-letter queue {target}",
        Fate.LOOPS: "is rolled back again and again, without end",
        Fate.STOPPED: "stops {endpoint}",
    }
)
"""The same of a healthy message that arrives late, where it differs."""


class Surroundings(NamedTuple):
    """What a report knows beside a flow."""

    readers: NextReaders
    full: FullQueues
    descriptions: Descriptions
    status: Mapping[tuple[str, str], ShownStatus] = MappingProxyType({})
    """As in ``Estate``."""


def surroundings_of(judgement: Judgement, estate: Estate) -> Surroundings:
    """Those of the flows of a judgement."""
    return Surroundings(
        NextReaders(judgement.flows), FullQueues(judgement.notices), Descriptions(estate.sources), estate.queue_status
    )


_NOTHING = Surroundings(NextReaders(), FullQueues(), Descriptions())


def fate_sentences(head: FlowHead, fate: HeadlineFate, around: Surroundings = _NOTHING) -> list[str]:
    """What becomes of the poison message, of one too long for where it should be moved, and of a healthy one that
    arrives late where that goes wrong.
    """
    decided = [told for told in fate.poison if told.outcome.fate is not Fate.UNDECIDED]
    if decided and not decided[0].outcome.deliveries:
        sentences = [_undelivered(decided[0])]
    else:
        sentences = [f"{_told(head, fate, decided)}{_next(head, fate, decided, around)}"] if decided else []
        sentences[-1:] = [f"{text}{_default_persistence(head, decided)}" for text in sentences[-1:]]
        sentences += _while_full(head, decided, around)
        if text := other_reading_words(Values(head.rows.value)):
            sentences.append(text)
    for told in fate.poison:
        if told.outcome.fate is Fate.UNDECIDED:
            sentences.append(_undecided(head, told))
    sentences += _longest(head, fate, decided)
    late = [told for told in fate.stories if not told.workload.poison]
    return sentences + [
        f"A healthy message that arrives at the end of a receive {_late_clause(head, fate, told)}."
        for told in late
        if told.outcome.fate not in (Fate.PROCESSED, Fate.UNDECIDED)
    ]


def other_reading_words(values: Values) -> str:
    """What becomes of a poison message by another reading of IBM's documents, as a sentence; blank where that makes no
    difference.
    """
    other = other_reading_of_stop(values)
    if other is None:
        return ""
    fate = HeadlineFate(other.stories).words
    return (
        "IBM's documents disagree on a limit that is met exactly. By the other reading, only a failure beyond it stops"
        f" the endpoint: {fate} ({other.option} of lintmdb trace shows that)."
    )


def status_sentence(head: FlowHead, around: Surroundings) -> str:
    """What was going on at the queue of a flow when it was exported, where that is shown, and how many messages its
    backout queue had; blank where no export shows.
    """
    shown = status_of(head.rows.queue, around.status)
    texts = [f"{status_words(shown)} ({shown.path}:{shown.status.line})"] if shown is not None else []
    target = head.rows.backout
    moved = (
        around.status.get((key_of(target.environment, target.queue_manager), target.local_queue or ""))
        if target
        else None
    )
    if target is not None and moved is not None and moved.status.messages:
        texts.append(f"{messages_words(moved)} on {target.local_queue} ({moved.path}:{moved.status.line})")
    return f"When exported: {'; '.join(texts)}." if texts else ""


def tells_longest(head: FlowHead, fate: HeadlineFate) -> bool:
    """Whether the longest message has a sentence of its own."""
    return bool(_longest(head, fate, [told for told in fate.poison if told.outcome.fate is not Fate.UNDECIDED]))


def _told(head: FlowHead, fate: HeadlineFate, kinds: Sequence[Told], which: str = "") -> str:
    """What becomes of a message: ``A non-persistent poison message is discarded; a persistent one blocks delivery``."""
    subjects = (f"A {_message(told)}{which}" if told is kinds[0] else f"a {told.kind} one" for told in kinds)
    clauses = [f"{subject} {_clause(head, fate, told)}" for subject, told in zip(subjects, kinds, strict=True)]
    return f"{'; '.join(clauses)}."


def _longest(head: FlowHead, fate: HeadlineFate, usual: Sequence[Told]) -> list[str]:
    """What becomes of the longest message, where others are moved to a queue that is too short for it (MDB108, MDB115).
    A kind of message that has the same fate at every length is left out.
    """
    length = head.rows.value("queue.longest_message_bytes")
    if not length or all(told.outcome.fate not in _MOVED for told in usual):
        return []
    longest = trace_flow(head, Workload(longest=True))
    if any(told.outcome.fate is Fate.UNDECIDED for told in longest):
        return []
    at_any_length = {(told.kind, _ending(told)) for told in usual}
    differing = [told for told in longest if (told.kind, _ending(told)) not in at_any_length]
    if {_ending(told) for told in differing} <= {_ending(told) for told in usual if not told.kind}:
        return []
    which = f" of {length} bytes, the longest that {head.rows.value('queue.name')} takes,"
    passes = if_it_passes(head).removeprefix(", ")
    text = _told(head, fate, differing, f"{which} {passes}," if passes else which)
    return [f"{text}{_takes(head, usual, length)}"]


def _takes(head: FlowHead, usual: Sequence[Told], length: Value) -> str:
    """Up to which length the queue takes messages that they are usually moved to, as a sentence; blank where that is
    not what decides.
    """
    texts = dict[str, None]()
    for told in usual:
        on_backout = told.outcome.fate is Fate.BACKOUT_QUEUE
        target = head.rows.backout if on_backout else head.rows.dead_letter
        if told.outcome.fate in _MOVED and target is not None and target.local_queue and target.max_message_bytes:
            limit = target.max_message_bytes - (0 if on_backout else DEAD_LETTER_HEADER_BYTES)
            if isinstance(length, int) and limit < length:
                texts[f" {target.local_queue} takes those of up to {limit} bytes."] = None
    return "".join(texts)


def _ending(told: Told) -> tuple[Fate, str]:
    """The fate, and the dead-letter queue to which a message goes otherwise."""
    return told.outcome.fate, told.outcome.otherwise


_MOVED = (Fate.BACKOUT_QUEUE, Fate.DEAD_LETTER_QUEUE)


def _undecided(head: FlowHead, told: Told) -> str:
    missing, value = told.outcome.missing, head.rows.value
    if "backout.local_queue" in missing and value("queue.backout_resolution") == "topic":
        published = f"A {_message(told)} is published on topic {value('backout.leads_to')}"
        return f"{published}. Whether any queue keeps it depends on who subscribes (DISPLAY SUB)."
    need = find_need(missing, head.rows, head.subject)
    otherwise = fate_if_undefined(head)
    if_not = f" If no cluster has {otherwise.queue}: {otherwise.fate.words}." if otherwise is not None else ""
    return f"What becomes of a {_message(told)} is not decided {without(need.text)}.{if_not}"


def _message(told: Told) -> str:
    return f"{told.kind} poison message" if told.kind else "poison message"


def _undelivered(told: Told) -> str:
    """Why nothing reaches the bean: the last step of the story."""
    text = tell(told.outcome.steps)[-1].text
    return f"{text}." if "nothing" in text else f"{text}. Nothing is delivered."


_MOVED_IN_VAIN = "goes to the backout queue and comes back, again and again, as long as no other message arrives"
"""The same where an idle receive undoes the move (MDB413)."""


def _clause(head: FlowHead, fate: HeadlineFate, told: Told, after: str | None = None) -> str:
    if is_idle_loop(told.outcome):
        return _MOVED_IN_VAIN
    clause = _CLAUSES[told.outcome.fate].format(
        target=told.outcome.target + _only_for_a_channel(head, told),
        endpoint=head.subject.name,
        after=_after(told.outcome.deliveries) if after is None else after,
        alone=_until_started(head),
    )
    clause += otherwise_words(told.outcome.otherwise, told.outcome.target)
    return f"{clause}, {IF_ALLOWED}" if fate.rests_on_rights(told) else clause


def _only_for_a_channel(head: FlowHead, told: Told) -> str:
    """What a reader has to know of a queue that takes the message and is none to keep it (MDB111, MDB134)."""
    alias = {Fate.BACKOUT_QUEUE: "backout", Fate.DEAD_LETTER_QUEUE: "dead_letter"}.get(told.outcome.fate)
    if alias is None or head.rows.value(f"{alias}.transmission") is not True:
        return ""
    return ", a transmission queue, which only a channel reads,"


def _until_started(head: FlowHead) -> str:
    """Who still reads the queue of an endpoint that has stopped: nobody, or other endpoints."""
    consumers, server = head.rows.consumers, head.rows.server
    others = (consumers.endpoints or 1) - 1 if consumers is not None else 0
    shared = head.subject.cluster and head.rows.endpoint.destination_type == "queue"
    if shared and server is not None and (server.member_count or 1) > 1:
        # Each member counts failures for itself; the model follows one of them.
        alone = "that member of the cluster receives nothing until somebody starts it there again"
        return f"{alone}; {'another member gets' if not others else 'another reader gets'} the message next"
    if consumers is None or not others:
        return "nothing is delivered until somebody starts it again"
    readers = "another endpoint reads" if others == 1 else f"{others} other endpoints read"
    next_one = "it" if others == 1 else "one of them"
    return (
        f"it receives nothing until somebody starts it again; {readers} {head.rows.value('queue.name')}, too, and"
        f" {next_one} gets the message next"
    )


def _default_persistence(head: FlowHead, decided: Sequence[Told]) -> str:
    """Which of two kinds of messages programs put that leave it to the queue; blank where they fare alike."""
    queue = head.rows.queue
    if len(decided) < 2 or queue is None or queue.default_persistence is None:
        return ""
    return f" {queue.name} has DEFPSIST({'YES' if queue.default_persistence else 'NO'})."


def _while_full(head: FlowHead, decided: Sequence[Told], around: Surroundings) -> list[str]:
    """What becomes of the message until a queue has room that was full when it was exported."""
    full = around.full.find(head, (told.outcome.fate for told in decided))
    meanwhile = around.full.fate_meanwhile(head) if full else None
    if meanwhile is None:
        return []
    kinds = [told for told in meanwhile.poison if told.outcome.fate is not Fate.UNDECIDED]
    usual = {(told.kind, told.outcome.fate) for told in decided}
    if not kinds or {(told.kind, told.outcome.fate) for told in kinds} <= usual:
        return [f"{were_full(full)}."]
    told = _told(head, meanwhile, kinds)
    until = f"Until {'it has' if len(full) == 1 else 'they have'} room"
    unnamed = reader_has_every_right(head) and any(each.outcome.moved_if_allowed for each in kinds)
    name = " Name that user with --observations to have its rights judged." if unnamed else ""
    return [f"{were_full(full)}. {until}: {told[:1].lower()}{told[1:]}{name}"]


def _next(head: FlowHead, fate: HeadlineFate, decided: Sequence[Told], around: Surroundings) -> str:
    """What the other readers of the queue do with a message that has stopped one, as a sentence; blank where there are
    none, or where nobody knows.
    """
    told = decided[0]
    followed = around.readers.follow(head, told) if told.outcome.fate is Fate.STOPPED and len(decided) == 1 else None
    if followed is None:
        return ""
    stopped, ends = followed
    if not ends:
        return " The same happens there, so in the end nobody reads the queue." * (stopped > 0)
    first = f" {'One more stops' if stopped == 1 else f'{stopped} more stop'}, too. Then" if stopped else " There"
    text = f"{first} {_ends(head, fate, ends)}."
    if full := around.full.find(head, (each.outcome.fate for each in ends)):
        text += f" {were_full(full)}."
        workload = around.full.workload(head)
        stops = trace_flow(head, workload) if workload is not None else []
        meanwhile = around.readers.follow(head, stops[0]) if stops else None
        if meanwhile is not None and meanwhile[1]:
            text += f" Until {'it has' if len(full) == 1 else 'they have'} room, {_ends(head, fate, meanwhile[1])}."
    return text


def after_stop(head: FlowHead, told: Told, readers: NextReaders) -> str:
    """Who gets a message next that has stopped an endpoint, and what becomes of it there, in sentences; blank where
    nobody else reads the queue, and where a restart is part of the story.
    """
    alone = told.outcome.fate is not Fate.STOPPED or not has_other_readers(head)
    if alone or told.workload.poison != 1 or told.workload.restarts_after or told.workload.started_again != 0:
        return ""
    text = _until_started(head)
    around = Surroundings(readers, FullQueues(), Descriptions())
    return f"{text[:1].upper()}{text[1:]}.{_next(head, HeadlineFate((told,)), [told], around)}"


def _ends(head: FlowHead, fate: HeadlineFate, ends: Sequence[Told]) -> str:
    kinds = [f"{f'a {each.kind} one' if each.kind else 'it'} {_clause(head, fate, each, after='')}" for each in ends]
    return "; ".join(kinds)


def _late_clause(head: FlowHead, fate: HeadlineFate, told: Told) -> str:
    clause = _LATE.get(told.outcome.fate)
    if clause is None:
        return _clause(head, fate, told)
    return clause.format(target=told.outcome.target, endpoint=head.subject.name)


def _after(deliveries: int) -> str:
    return " at its first failure" if deliveries == 1 else f" after {deliveries} failed deliveries"
