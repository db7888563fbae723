"""What the delivery traces cost: a cell in which every flow is flagged, with and without them, and single stories."""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generate import write_cell
from measure import interleaved, lintmdb, say

from lintmdb.delivery.run import run_flow
from lintmdb.delivery.values import Values
from lintmdb.delivery.wording import tell
from lintmdb.delivery.workload import Workload
from lintmdb.report.rule_pages.explanation import ORDINARY

FLOWS = 5000
SINGLE_MS = 5.0


def main() -> None:
    """Measure a cell of 5,000 flagged flows, then the slowest stories with counts up to 100."""
    with tempfile.TemporaryDirectory() as folder:
        inputs = write_cell(Path(folder), FLOWS, stops=(("true", 0), ("true", 3)), thresholds=(3, 5))
        plain, traced = lintmdb("check", *inputs), lintmdb("check", "-v", *inputs)
        found = subprocess.run(list(map(str, [*plain, "--format", "json"])), capture_output=True, check=False).stdout
        subjects = [finding["subject"] for finding in json.loads(found)["findings"] if finding["trace"]]
        flagged = len({subject["name"] for subject in subjects if subject["kind"] == "activation_spec"})
        (slow, _), (quick, _) = interleaved([traced, plain], 3)
        print(f"{flagged} of {FLOWS} flows are flagged")
        say("check with traces to check without", slow / quick, "at most 2")
    for title, changed, workload in _longest():
        say(f"one trace, {title}, to {SINGLE_MS:.0f} ms", _milliseconds(changed, workload) / SINGLE_MS, "at most 1")


def _longest() -> list[tuple[str, Mapping[str, Any], Workload]]:
    hundred = {"queue.backout_threshold": 100, "endpoint.max_sessions": 100}
    stops = {**hundred, "endpoint.stop_on_failure": True, "endpoint.failure_threshold": 100}
    return [
        ("one message, threshold 100", hundred, Workload()),
        ("three messages, threshold 100", hundred, Workload(poison=3)),
        ("a burst of 100 in 100 sessions that stops at 100", stops, Workload(poison=100)),
        ("one message that loops", {"queue.backout_threshold": 0}, Workload()),
    ]


def _milliseconds(changed: Mapping[str, Any], workload: Workload) -> float:
    """The median time of one run told in words."""
    values = {**ORDINARY, "endpoint.kind": "activation_spec", "endpoint.name": "OrdersAS", **changed}
    times: list[float] = []
    for _ in range(101):
        start = time.perf_counter()
        tell(run_flow(Values(values.get), workload).steps)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


if __name__ == "__main__":
    main()
