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
    if not is_worse(_harms(before), _harms(after)):
        return None
    return Setback(FlowHead(build_subject("queue" if by_itself else "flow", rows), rows), before, after)


def _names(asked: Iterable[Asked]) -> Iterable[str]:
    for each in asked:
        yield from (each,) if isinstance(each, str) else each


def _harms(stories: Iterable[Told]) -> frozenset[float]:
    return frozenset(told.outcome.harm for told in stories if told.workload.poison)
