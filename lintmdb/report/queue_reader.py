"""Who is taken to read the queues that no endpoint reads: what becomes of their messages is then up to the queues."""

from __future__ import annotations

from collections.abc import Iterable

from lintmdb.engine.findings import FlowHead


def reader_words(queues: Iterable[FlowHead]) -> str:
    """The client that reads some queues: one that may do everything where no observation names its user."""
    users = {head.rows.user for head in queues if head.rows.endpoint.queue is not None}
    known = sorted(user for user in users if user is not None)
    client = "a JMS client that never gives up and"
    if not known:
        return f"{client} has every right"
    if len(known) == 1:
        return f"{client} connects as {known[0]}{' or as an unknown user with every right' if None in users else ''}"
    others = ["or an unknown one with every right"] if None in users else []
    return f"{client} connects as the user named for the queue ({', '.join([*known, *others])})"
