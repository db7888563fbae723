"""Who is taken to read the queues that no endpoint reads: what becomes of their messages is then up to the queues."""

from __future__ import annotations

from collections.abc import Iterable

from lintmdb.engine.findings import FlowHead


def reader_words(queues: Iterable[FlowHead]) -> str:
    """The client that reads some queues: one that may do everything where no observation names its user."""
    users = {head.rows.user for head in queues if head.rows.endpoint.queue is not None}
    known = sorted(user for user in users if user is not None)
    rights = [f"connects as {' or '.join(known)}"] if known else []
    if None in users or not known:
        rights.append("has every right")
    return f"a JMS client that never gives up and {' or '.join(rights)}"
