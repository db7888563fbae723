"""Traces of many flows. Most go one of a few ways through the state machines: each way is run once, and of every other
flow only asked what decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lintmdb.delivery.values import Asked, LookUp, Values, find_answer
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.traces import Told, trace_values

Stories = tuple[Told, ...]


def trace_alike(heads: Iterable[FlowHead]) -> Iterator[Stories]:
    """What ``trace_flow`` tells of each flow without a workload, with the names of the first flow that goes its way."""
    start = _Point()
    for head in heads:
        stories = start.find(head.rows.value)
        if stories is None:
            values = Values(head.rows.value)
            stories = tuple(trace_values(values, None))
            start.remember(values, stories)
        yield stories


@dataclass(slots=True)
class _Point:
    """A point on the way of some flows."""

    asked: Asked = ""
    """What is asked there; blank at the end of a way."""
    ways: dict[object, _Point] = field(default_factory=dict["object", "_Point"])
    """Where each answer leads."""
    stories: Stories | None = None

    def find(self, look_up: LookUp) -> Stories | None:
        """The stories at the end of a flow's way, if a flow has gone it."""
        point: _Point | None = self
        while point is not None and point.asked:
            point = point.ways.get(find_answer(look_up, point.asked))
        return point.stories if point is not None else None

    def remember(self, values: Values, stories: Stories) -> None:
        """Keep the stories of a flow for others that go its way."""
        point = self
        for asked, answer in values.decisions.items():
            point.asked = asked
            point = point.ways.setdefault(answer, _Point())
        point.stories = stories
