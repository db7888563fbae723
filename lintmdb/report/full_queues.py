"""What becomes of a poison message while the backout queue is full, for flows whose backout queue was full when it was
exported.
"""

from __future__ import annotations

from collections.abc import Iterable

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.workload import Workload
from lintmdb.engine.findings import FlowHead, Notice
from lintmdb.engine.traces import trace_flow
from lintmdb.report.headline_fates import HeadlineFate
from lintmdb.run.full_queues import FULL_QUEUE

_ALIASES = {Fate.BACKOUT_QUEUE: "backout", Fate.DEAD_LETTER_QUEUE: "dead_letter"}


class FullQueues:
    """The queues that were full when they were exported, as notices tell."""

    def __init__(self, notices: Iterable[Notice] = ()) -> None:
        self._places = {
            (notice.environment, notice.queue_manager, notice.object) for notice in notices if notice.kind == FULL_QUEUE
        }

    def find(self, head: FlowHead, fates: Iterable[Fate]) -> str:
        """The queue among those that messages of a flow are moved to with some fates that was full; blank for none."""
        if not self._places:
            return ""
        for fate in dict.fromkeys(fates):
            target = {"backout": head.rows.backout, "dead_letter": head.rows.dead_letter}.get(_ALIASES.get(fate, ""))
            name = target.local_queue if target is not None else None
            if target is not None and name and (target.environment, target.queue_manager, name) in self._places:
                return name
        return ""


def fate_while_full(head: FlowHead) -> HeadlineFate:
    """What becomes of a poison message while the backout queue is full. That may rest on rights on the dead-letter
    queue, so it is said where nobody knows them, also of a reader whom nobody names.
    """
    return HeadlineFate(tuple(trace_flow(head, Workload(backout_full=True))))
