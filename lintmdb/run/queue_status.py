"""What was going on at queues when they were exported. It changes by the minute, so no verdict rests on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lintmdb.exports.mq import MqscFile
from lintmdb.exports.mq.commands import QueueStatus


class ShownStatus(NamedTuple):
    """What exports show of a queue, and the last of them that shows it."""

    path: str
    status: QueueStatus


def shown_status(scripts: Iterable[MqscFile]) -> dict[str, ShownStatus]:
    """What the exports of a queue manager show, by queue: each value as the last one has it that shows it."""
    found: dict[str, ShownStatus] = {}
    for file in scripts:
        for name, status in file.queue_status.items():
            before = found[name].status if name in found else status
            if name in found and before.updated(status)._replace(line=before.line) == before:
                continue  # as far as it shows that, of the same moment
            if status.messages is not None:  # of another moment, so what else is known of the messages is, too
                before = before._replace(oldest_seconds=None, uncommitted=None)
            found[name] = ShownStatus(file.path, before.updated(status))
    return found
