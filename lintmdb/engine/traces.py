"""Which flows and which workloads `lintmdb trace` tells about."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import NamedTuple

from lintmdb.delivery.interpretations import STRICT, Interpretation
from lintmdb.delivery.outcome import Outcome
from lintmdb.delivery.run import run_flow
from lintmdb.delivery.values import Values
from lintmdb.delivery.workload import Workload
from lintmdb.engine.findings import FlowHead
from lintmdb.errors import LintmdbError


class Told(NamedTuple):
    """One workload on one flow, and what came of it."""

    workload: Workload
    outcome: Outcome


def select_flows(heads: Sequence[FlowHead], name: str | None) -> list[FlowHead]:
    """The flows whose endpoint or bean has a name, or all. Raises LintmdbError where none has it."""
    if name is None:
        return list(heads)
    found = [head for head in heads if name in (head.subject.name, head.subject.bean)]
    if not found:
        names = sorted({part for head in heads for part in (head.subject.name, head.subject.bean) if part})
        close = difflib.get_close_matches(name, names, 1)
        hint = f"Did you mean {close[0]}?" if close else "The endpoints are " + ", ".join(names[:10])
        raise LintmdbError(f"no endpoint or bean is named {name!r}", next_step=hint)
    return found


def trace_flow(head: FlowHead, workload: Workload | None, interpretation: Interpretation = STRICT) -> list[Told]:
    """The outcome of a workload on a flow; without one, of a poison message, and in non-ASF mode of a healthy
    message that arrives at the end of a receive.
    """
    values = Values(head.rows.value)
    workloads = [workload or Workload()]
    receive = values.maybe_integer("endpoint.non_asf_timeout_ms")
    # z/OS has no non-ASF mode, whatever the property says: no receive waits there.
    if workload is None and receive and values.maybe("server.platform") == "distributed":
        workloads.append(Workload(poison=0, healthy_between=1, arrives_after_ms=receive))
    return [Told(each, run_flow(values, each, interpretation)) for each in workloads]
