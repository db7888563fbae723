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
from lintmdb.settings.owners import Read


class Setback(NamedTuple):
    """What becomes of messages on a flow before and after a repair that leaves one worse off."""

    head: FlowHead
    before: tuple[Told, ...]
    after: tuple[Told, ...]
    unless_allowed: bool = False
    """It does so only if the user may not put messages on the backout queue, which no export shows."""


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
    denied = find_denied(rows.value, look_up)
    return Setback(head, *denied, unless_allowed=True) if denied is not None else None


def find_denied(before: Read, after: Read) -> tuple[tuple[Told, ...], tuple[Told, ...]] | None:
    """What becomes of messages before and after a change, where they fare worse if the user lacks those rights to put
    messages on the backout queue that no export shows; None where they do not, and where no record names the user:
    every report says of such a user that it depends on its rights whether messages are moved.
    """
    if not after("authority.user") or after("authority.source_get") is None:
        return None
    was, now = (tuple(trace_values(Values(_denying(read)), None)) for read in (before, after))
    return (was, now) if is_worse(_harms(was), _harms(now)) else None


def _denying(read: Read) -> Read:
    def look_up(name: str) -> Value:
        value = read(name)
        return False if value is None and name in _MOVES else value

    return look_up


_MOVES = ("authority.put", "authority.passall")
"""The rights by which a message is moved to the backout queue."""


def _names(asked: Iterable[Asked]) -> Iterable[str]:
    for each in asked:
        yield from (each,) if isinstance(each, str) else each


def _harms(stories: Iterable[Told]) -> frozenset[float]:
    return frozenset(told.outcome.harm for told in stories if told.workload.poison)
