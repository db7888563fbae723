"""What was going on at queues when they were exported, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import Queue
from lintmdb.report.terminal import plural
from lintmdb.run.queue_status import ShownStatus

_DAY, _HOUR, _MINUTE = 86_400, 3_600, 60


def status_of(queue: Queue | None, known: Mapping[tuple[str, str], ShownStatus]) -> ShownStatus | None:
    """What the exports show of a queue, where they show how many messages it had or who read it."""
    shown = known.get((key_of(queue.environment, queue.queue_manager), queue.name)) if queue is not None else None
    if shown is None or (shown.status.messages is None and shown.status.readers is None):
        return None
    return shown


def status_words(shown: ShownStatus) -> str:
    """``914 messages, the oldest 40 days old; 8 handles open for input; work not committed``."""
    return "; ".join(_parts(shown))


def _readers_words(shown: ShownStatus) -> str:
    """How many handles were open for input; blank where that is not shown."""
    readers = shown.status.readers
    if readers is None:
        return ""
    return f"{plural(readers, 'handle')} open for input" if readers else "not open for input"


def messages_words(shown: ShownStatus) -> str:
    """``914 messages, the oldest 40 days old``."""
    status = shown.status
    if not status.messages:
        return "no messages"
    oldest = f", the oldest {_age(status.oldest_seconds)} old" if status.oldest_seconds else ""
    return f"{plural(status.messages, 'message')}{oldest}"


def _parts(shown: ShownStatus) -> Iterator[str]:
    status = shown.status
    if status.messages is not None:
        yield messages_words(shown)
    if words := _readers_words(shown):
        yield words
    if status.uncommitted:
        yield "work not committed"


def _age(seconds: int) -> str:
    for unit, noun in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        if seconds >= unit:
            return plural(seconds // unit, noun)
    return plural(seconds, "second")
