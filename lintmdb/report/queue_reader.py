"""Who is taken to read the queues that no endpoint reads: what becomes of their messages is then up to the queues."""

from __future__ import annotations

from collections.abc import Iterable

from lintmdb.engine.findings import FlowHead


def reader_words(queues: Iterable[FlowHead]) -> str:
    """The client that reads some queues: one that may do everything where no observation names its user."""
    user = next((head.rows.user for head in queues if head.rows.user is not None), None)
    rights = "has every right" if user is None else f"connects as {user}"
    return f"a JMS client that never gives up and {rights}"
