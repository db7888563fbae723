"""Names that an open cannot tell apart: a private and a shared queue of one name (reason 2343, z/OS)."""

from __future__ import annotations

from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.names import Path


def name_clash(definitions: Definitions, path: Path) -> bool | None:
    """Whether a name on the way to a queue is both private and shared; None where an export may leave out one of the
    two.
    """
    if definitions.clashes and any(link.name in definitions.clashes for link in path.links):
        return True
    if definitions.platform == "distributed":
        return False
    shown = definitions.lists_queues or (path.links and all(definitions.lists_queue(link.name) for link in path.links))
    return False if shown else None
