"""What the others do with a poison message that has stopped one reader of its queue: the members of the same cluster,
or endpoints that count failures as it does. Each counts from zero, while the message keeps its backout count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from lintmdb.delivery.fate import Fate
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.traces import Told, trace_flow

_Place: TypeAlias = tuple[str, str, str]


class NextReaders:
    """The flows of a report by the queues that they read."""

    def __init__(self, heads: Iterable[FlowHead] = ()) -> None:
        self._heads: dict[_Place, list[FlowHead]] = {}
        for head in heads:
            if (place := _place(head)) is not None:
                self._heads.setdefault(place, []).append(head)

    def follow(self, head: FlowHead, told: Told) -> tuple[int, Sequence[Told]] | None:
        """How many of the others the message stops, too, and what becomes of it then: nothing new where it stops them
        all. None where that is not known, as where another one counts failures in another way.
        """
        place = _place(head)
        others = [other for other in self._heads.get(place, ()) if other is not head] if place is not None else []
        consumers = head.rows.consumers
        if consumers is None or (consumers.endpoints or 1) - 1 != len(others):
            return None
        if not all(_stops_alike(other, told) for other in others):
            return None
        readers = sum(map(_members, (head, *others)))
        failed = told.outcome.deliveries
        for stopped in range(readers - 1):
            workload = replace(told.workload, failed_before=failed)
            found = [each for each in trace_flow(head, workload) if told.persistent in (None, each.persistent)]
            if not found or any(each.outcome.fate is Fate.UNDECIDED for each in found):
                return None
            if not any(each.outcome.fate is Fate.STOPPED for each in found):
                return stopped, found
            failed += found[0].outcome.deliveries
        return readers - 1, ()


def _place(head: FlowHead) -> _Place | None:
    queue = head.rows.queue
    if queue is None or head.rows.endpoint.destination_type != "queue":
        return None
    return head.subject.environment or "", queue.queue_manager, queue.name


def _members(head: FlowHead) -> int:
    """How many servers read by one flow: those of a cluster that is judged as one."""
    server = head.rows.server
    return (server.member_count or 1) if head.subject.cluster and server is not None else 1


def _stops_alike(other: FlowHead, told: Told) -> bool:
    """Whether another flow stops at the same failure of the same message."""
    found = [each for each in trace_flow(other, told.workload) if told.persistent in (None, each.persistent)]
    same = told.outcome.fate, told.outcome.deliveries
    return bool(found) and all((each.outcome.fate, each.outcome.deliveries) == same for each in found)
