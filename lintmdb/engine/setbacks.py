"""Repairs that leave a message worse off where nothing else is repaired, by the model of delivery: an endpoint that
does not stop any more loses the messages that no queue takes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lintmdb.delivery.values import Asked, Values
from lintmdb.engine.findings import Finding, FlowHead
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.engine.judge import build_subject
from lintmdb.engine.readers import as_delivered, is_reader
from lintmdb.engine.repairs import preferred_values
from lintmdb.engine.replacements import is_worse
from lintmdb.engine.traces import Told, trace_values
from lintmdb.model.columns import Value


class Setback(NamedTuple):
    """What becomes of messages on a flow before and after a repair that leaves one worse off."""

    head: FlowHead
    before: tuple[Told, ...]
    after: tuple[Told, ...]
    unless_allowed: bool = False
    """It does so only if the user may not put messages on the backout queue, which no export tells."""


def find_setback(finding: Finding) -> Setback | None:
    """What the preferred repair of a finding does to a poison message on its flow; None where it does no harm there, or
    where it does more than to change attributes and to grant rights, which the model does not foresee.
    """
    rows = finding.rows
    if not isinstance(rows, FlowRows) or not (new := preferred_values(finding.rule, rows)):
        return None
    by_itself = is_reader(rows.endpoint)
    rows = as_delivered(rows) if by_itself else rows
    values = Values(rows.value)
    before = tuple(trace_values(values, None))
    if new.keys().isdisjoint(_names(values.decisions)):
        return None

    def look_up(name: str) -> Value:
        return new[name] if name in new else rows.value(name)

    after = tuple(trace_values(Values(look_up), None))
    head = FlowHead(build_subject("queue" if by_itself else "flow", rows), rows)
    if is_worse(_harms(before), _harms(after)):
        return Setback(head, before, after)
    # If no record names the user, every report says already that it depends on rights whether messages are moved.
    if not rows.value("authority.user") or rows.value("authority.source_get") is None:
        return None
    denied = {name: False for name in _MOVES if look_up(name) is None}
    after = tuple(trace_values(Values(lambda name: denied[name] if name in denied else look_up(name)), None))
    return Setback(head, before, after, unless_allowed=True) if is_worse(_harms(before), _harms(after)) else None


_MOVES = ("authority.put", "authority.passall")
"""The rights by which a message is moved to the backout queue."""


def _names(asked: Iterable[Asked]) -> Iterable[str]:
    for each in asked:
        yield from (each,) if isinstance(each, str) else each


def _harms(stories: Iterable[Told]) -> frozenset[float]:
    return frozenset(told.outcome.harm for told in stories if told.workload.poison)
