"""Traces of many flows. Most go one of a few ways through the state machines: each way is run once, and of every other
flow only asked what decides.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from lintmdb.delivery.values import Asked, Values, find_answer
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.flow_rows import FlowRows, value_reader
from lintmdb.engine.traces import Told, trace_values

Stories = tuple[Told, ...]


def trace_alike(heads: Iterable[FlowHead]) -> Iterator[Stories]:
    """What ``trace_flow`` tells of each flow without a workload, with the names of the first flow that goes its way."""
    start = _Point()
    for head in heads:
        stories = start.find(head.rows)
        if stories is None:
            values = Values(head.rows.value)
            stories = tuple(trace_values(values, None))
            start.remember(values, stories)
        yield stories


@dataclass(slots=True)
class _Point:
    """A point on the way of some flows."""

    answer: Callable[[FlowRows], object] | None = None
    """What a flow answers to what is asked there; None at the end of a way."""
    ways: dict[object, _Point] = field(default_factory=dict["object", "_Point"])
    """Where each answer leads."""
    stories: Stories | None = None

    def find(self, rows: FlowRows) -> Stories | None:
        """The stories at the end of a flow's way, if a flow has gone it."""
        point: _Point | None = self
        while point is not None and point.answer is not None:
            point = point.ways.get(point.answer(rows))
        return point.stories if point is not None else None

    def remember(self, values: Values, stories: Stories) -> None:
        """Keep the stories of a flow for others that go its way."""
        point = self
        for asked, answer in values.decisions.items():
            point.answer = _answer_to(asked)
            point = point.ways.setdefault(answer, _Point())
        point.stories = stories


@functools.lru_cache(maxsize=1024)
def _answer_to(asked: Asked) -> Callable[[FlowRows], object]:
    return value_reader(asked) if isinstance(asked, str) else lambda rows: find_answer(rows.value, asked)
