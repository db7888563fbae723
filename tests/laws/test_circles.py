"""A message goes round a circle of backout queues exactly where each queue of the circle has a reader.

The join knows this by what the queues of a circle have in common; here it is walked from queue to queue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pytest

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.run import run_flow
from lintmdb.delivery.workload import Workload
from lintmdb.engine.flow_rows import FlowRows
from tests.laws.laws import read_batch, seeds
from tests.support.fixture_facts import read_fixtures
from tests.support.judged_flows import JudgedFlow, judge_flows
from tests.support.random_estates.estates import has_circle
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow

_BATCH = 50

_Readers = Mapping[tuple[str, str], FlowRows]
"""A flow that reads a queue, by queue manager and queue."""


def _readers(flows: Sequence[JudgedFlow]) -> _Readers:
    return {
        (flow.rows.queue.queue_manager, flow.rows.queue.name): flow.rows
        for flow in flows
        if flow.rows.queue is not None and flow.rows.endpoint.destination_type == "queue"
    }


def _circle(flow: JudgedFlow, readers: _Readers) -> list[str]:
    """The queues that a message passes until it is back on the queue of a flow; none where it stays somewhere."""
    passed: list[str] = []
    rows: FlowRows | None = flow.rows
    while rows is not None and rows.queue is not None and rows.queue.name not in passed:
        passed.append(rows.queue.name)
        if not rows.queue.backout_threshold or rows.backout is None or rows.backout.local_queue is None:
            return []
        if not (rows.queue.get_enabled and rows.backout.put_enabled):
            return []
        rows = readers.get((rows.queue.queue_manager, rows.backout.local_queue))
    if rows is None or rows.queue is None or rows.queue.name != passed[0]:
        return []
    return passed


def _untrue(flows: Sequence[JudgedFlow], lengths: set[int]) -> Iterator[str]:
    """Flows of which the model shows a circle that does not close, or does not show one that does."""
    readers = _readers(flows)
    for flow in flows:
        queue = flow.rows.queue
        if queue is None or flow.rows.endpoint.destination_type != "queue":
            continue
        if queue.backout_resolution == "remote":  # its circle leads through another queue manager
            continue
        outcome = run_flow(flow.values, Workload())
        moved = outcome.fate in (Fate.LOOPS, Fate.BACKOUT_QUEUE) and outcome.target == queue.backout_queue
        if not outcome.target or not moved:
            continue
        circle = _circle(flow, readers)
        lengths.add(len(circle))
        if (outcome.fate is Fate.LOOPS) != bool(circle):
            yield f"{outcome.fate.value} from {queue.name} over {circle}: {flow.name}"


def test_a_circle_is_told_where_each_queue_of_it_is_read() -> None:
    """Over the fixtures, and over random estates, in which circles of one, two and more queues are met."""
    lengths: set[int] = set()
    untrue = [broken for _, facts in read_fixtures() for broken in _untrue(judge_flows(facts, RULES), lengths)]
    circles = [seed for seed in seeds(500) if has_circle(seed)]
    for start in range(0, len(circles), _BATCH):
        facts = read_batch(tuple(circles[start : start + _BATCH]))
        untrue += _untrue(judge_flows(facts, RULES), lengths)
    assert not untrue, untrue
    assert lengths >= {0, 1, 2}
    assert max(lengths) > 2
