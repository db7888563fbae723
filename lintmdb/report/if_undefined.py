"""What becomes of a poison message if no cluster has the backout queue that may be in one, and what would mend that."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import NamedTuple

from lintmdb.delivery.fate import FateGroup
from lintmdb.delivery.values import Values
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.flow_rows import FlowRows, find_origin
from lintmdb.engine.repairs import apply_repairs, reader_of
from lintmdb.engine.traces import reader_has_every_right, trace_values
from lintmdb.model.columns import Value
from lintmdb.plan.choices import Changes
from lintmdb.report.headline_fates import HeadlineFate
from lintmdb.rules.rule import Rule
from lintmdb.settings.actions import grant_near_backout
from lintmdb.settings.changes import Definition, Grant

_RESOLUTION = "queue.backout_resolution"
_UNDEFINED = "MDB105"


class IfUndefined(NamedTuple):
    """The fate on one flow if a queue does not exist."""

    queue: str
    fate: HeadlineFate
    near: str
    """The queue that may be meant by its name; blank for none."""
    rows: FlowRows

    @property
    def words(self) -> str:
        """``if no cluster has A.BQO: discarded (A.BOQ may be meant)``, without names of flows."""
        meant = f" ({self.near} may be meant)" if self.near else ""
        return f"if no cluster has {self.queue}{meant}: {self.fate.words}"

    @property
    def holder(self) -> str:
        """The user of the flow; blank where it is not known."""
        return str(self.rows.value("authority.user") or "")

    @property
    def grants(self) -> tuple[Grant, ...]:
        """What the user may still lack on the queue that may be meant, though it may move messages there already."""
        return grant_near_backout(reader_of(self.rows))

    def repairs(self, rules: Iterable[Rule]) -> tuple[Changes, ...]:
        """What would end it then, as MDB105 does: another name in BOQNAME first, where one may be meant."""
        rule = next((rule for rule in rules if rule.id == _UNDEFINED), None)
        if rule is None:
            return ()
        read = reader_of(self.rows)

        def value(name: str) -> Value:
            return "not_defined" if name == _RESOLUTION else read(name)

        found = apply_repairs(rule.repairs, value, functools.partial(find_origin, self.rows))
        # Not first a queue on which the user is known to lack rights, which nothing here grants.
        lacks = self.rows.value("authority.near_backout_move") is False
        return tuple(sorted(found, key=lambda changes: lacks is not any(isinstance(c, Definition) for c in changes)))


def fate_if_undefined(head: FlowHead) -> IfUndefined | None:
    """None where nobody knows that either, or where the exports tell whether there is such a queue."""
    queue, target = head.rows.queue, head.rows.backout
    if queue is None or target is None or queue.backout_resolution is not None or not target.may_be_in:
        return None

    def value(name: str) -> Value:
        return "not_defined" if name == _RESOLUTION else head.rows.value(name)

    fate = HeadlineFate(tuple(trace_values(Values(value), None)), has_every_right=reader_has_every_right(head))
    if fate.group is FateGroup.UNKNOWN:
        return None
    return IfUndefined(target.leads_to or target.name, fate, target.near_name or "", head.rows)
