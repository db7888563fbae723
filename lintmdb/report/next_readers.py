"""What the others do with a poison message that has stopped one reader of its queue: the members of the same cluster,
or endpoints that count failures as it does. Each counts from zero, while the message keeps its backout count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.workload import Workload
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.traces import Told, trace_flow

_Place: TypeAlias = tuple[str, str, str]


_MOST_FLOWS, _MOST_READERS = 8, 40
"""Of more than these, nobody follows a message from one to the next."""


class NextReaders:
    """The flows of a report by the queues that they read."""

    def __init__(self, heads: Iterable[FlowHead] = ()) -> None:
        self._heads: dict[_Place, list[FlowHead]] = {}
        for head in heads:
            if (place := _place(head)) is not None:
                self._heads.setdefault(place, []).append(head)

    def follow(self, head: FlowHead, told: Told) -> tuple[int, Sequence[Told]] | None:
        """How many of the others the message stops, too, and what becomes of it then: nothing new where it stops them
        all. None where that is not known: where another one counts failures in another way, has another user, takes
        only some messages, or does not start by itself. Which of them is next does not matter then.
        """
        place = _place(head)
        flows = self._heads.get(place, []) if place is not None else []
        consumers, readers = head.rows.consumers, sum(map(_members, flows))
        if consumers is None or (consumers.endpoints or 1) != len(flows):
            return None
        if len(flows) > _MOST_FLOWS or readers > _MOST_READERS or len({_user(flow) for flow in flows}) > 1:
            return None
        if any(_is_particular(flow) for flow in flows) or _alike(flows, told.workload, told) is None:
            return None
        failed = told.outcome.deliveries
        for stopped in range(readers - 1):
            found = _alike(flows, replace(told.workload, failed_before=failed), told)
            if not found or any(each.outcome.fate is Fate.UNDECIDED for each in found):
                return None
            if not any(each.outcome.fate is Fate.STOPPED for each in found):
                return stopped, found
            failed += found[0].outcome.deliveries
        return readers - 1, ()


def has_other_readers(head: FlowHead) -> bool:
    """Whether another endpoint or another member of its cluster reads the queue of a flow, too."""
    consumers = head.rows.consumers
    return _members(head) > 1 or (consumers is not None and (consumers.endpoints or 1) > 1)


def _place(head: FlowHead) -> _Place | None:
    queue = head.rows.queue
    if queue is None or head.rows.endpoint.destination_type != "queue":
        return None
    return head.subject.environment or "", queue.queue_manager, queue.name


def _members(head: FlowHead) -> int:
    """How many servers read by one flow: those of a cluster that is judged as one."""
    server = head.rows.server
    return (server.member_count or 1) if head.subject.cluster and server is not None else 1


def _user(head: FlowHead) -> str | None:
    return head.rows.authority.user if head.rows.authority is not None else None


def _is_particular(head: FlowHead) -> bool:
    """Whether a flow does not get every message that another one leaves."""
    bean = head.rows.bean
    selects = head.rows.endpoint.selects or (bean is not None and bean.selects)
    return bool(selects) or head.rows.endpoint.initial_state == "stopped"


def _alike(flows: Sequence[FlowHead], workload: Workload, told: Told) -> Sequence[Told] | None:
    """What becomes of a message on each of some flows; None where they differ."""
    kinds = [
        [each for each in trace_flow(flow, workload) if told.persistent in (None, each.persistent)] for flow in flows
    ]
    ends = {
        tuple((e.outcome.fate, e.outcome.deliveries, e.outcome.target, e.outcome.otherwise) for e in kind)
        for kind in kinds
    }
    return kinds[0] if len(ends) == 1 else None
