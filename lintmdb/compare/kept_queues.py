"""Durable subscriptions that keep the queue that they have: what a model queue becomes does not reach it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintmdb.engine.findings import FlowHead, Notice
from lintmdb.engine.flow_rows import find_origin

_COLUMNS = ("backout_threshold", "backout_queue")


def kept_queues(before: Iterable[FlowHead], after: Iterable[FlowHead]) -> Iterator[Notice]:
    """A notice for each flow with a durable subscription whose queue would now be made with other backout attributes.
    The verdicts of the later state are about a subscription that is made then.
    """
    former = {head.subject: head for head in before}
    told: set[str] = set()
    for head in after:
        known = former.get(head.subject)
        old, new = known.rows.queue if known is not None else None, head.rows.queue
        if head.topic is None or old is None or new is None or not _is_durable(head):
            continue
        differing = [column for column in _COLUMNS if getattr(old, column) != getattr(new, column)]
        if not differing or head.rows.endpoint.id in told:
            continue
        told.add(head.rows.endpoint.id)
        place = find_origin(head.rows, f"queue.{differing[0]}") or head.origin
        path, line = (place.path, place.line) if place is not None else ("", 0)
        text = (
            f"an existing durable subscription of {head.rows.endpoint.name} to {head.topic} keeps the queue that it "
            f"has, with the values that model queue {old.name} had"
        )
        step = (
            "DISPLAY SUB(*) TOPICSTR DEST shows that queue. Alter it, too, or delete the subscription and let the "
            "endpoint make it again"
        )
        yield Notice("kept_queue", path, line, text, step, head.subject.environment)


def _is_durable(head: FlowHead) -> bool:
    durable, bean = head.rows.endpoint.subscription_durable, head.rows.bean
    return bool(bean.subscription_durable if durable is None and bean is not None else durable)
