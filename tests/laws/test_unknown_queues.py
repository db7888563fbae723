"""No repair lets an endpoint whose queue is not known go on where it stops now: its messages might loop for ever."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lintmdb.engine.findings import Judgement
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.engine.judge import judge
from lintmdb.engine.repairs import find_alternatives, find_owner_choices
from lintmdb.settings.changes import Assignment
from tests.laws.laws import batches, read_batch
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow

_STOPS = ("endpoint.stop_on_failure", "endpoint.failure_threshold")


def _has_unknown_queue(rows: FlowRows) -> bool:
    endpoint = rows.endpoint
    mq_queue = endpoint.provider == "wmq" and endpoint.destination_type == "queue"
    return mq_queue and rows.queue_resolution not in ("resolved", "ambiguous")


def _changed_stops(judgement: Judgement, asked: list[str]) -> Iterator[str]:
    for finding in judgement.findings:
        rows = finding.rows
        if not isinstance(rows, FlowRows) or not _has_unknown_queue(rows):
            continue
        asked.append(finding.rule.id)
        offered = [*find_alternatives(finding.rule, rows)]
        offered += [choice.changes for choice in find_owner_choices(finding.rule, rows)]
        for change in (change for changes in offered for change in changes):
            if isinstance(change, Assignment) and change.setting in _STOPS:
                yield f"{finding.rule.id} {change.target.place} {change.target.name} {change.attribute}"


def test_an_endpoint_with_an_unknown_queue_goes_on_stopping() -> None:
    """Also where the queue manager that it connects to has a queue of that name, which is another one."""
    asked, changed = list[str](), list[str]()
    for batch in batches(200):
        changed += _changed_stops(judge(read_batch(batch), RULES), asked)
    assert len(asked) > 100
    assert changed == []
