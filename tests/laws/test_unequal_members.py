"""Where members of a cluster become alike, or differ, their flows become one, or one becomes several: `diff` still
accounts for each finding, and calls none resolved whose flow fares worse.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from lintmdb.compare.estates import Comparison, Side, compare
from lintmdb.delivery.fate import Fate
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.judge import judge
from lintmdb.engine.traces import trace_flow
from lintmdb.plan.counterparts import later_flows
from lintmdb.run.estate import read_exports, resolve_exports
from tests.laws.laws import OBSERVED, batches
from tests.support.random_estates.estates import build_estate, with_equal_members
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow

_ESTATES = 150


def _side(of_seeds: Sequence[int], *, alike: bool) -> Side:
    with TemporaryDirectory() as folder:
        for seed in of_seeds:
            estate = build_estate(seed)
            (with_equal_members(estate) if alike else estate).write(Path(folder))
        estate = resolve_exports(read_exports([folder]), OBSERVED)
        return Side(estate, judge(estate.facts, RULES), [folder])


def _comparisons() -> Iterator[tuple[Comparison, Side, Side]]:
    for batch in batches(_ESTATES):
        for alike in (True, False):
            before, after = _side(batch, alike=not alike), _side(batch, alike=alike)
            yield compare(before, after), before, after


def _harm(head: FlowHead) -> float | None:
    """What becomes of a poison message, the less the worse; None where that is not known."""
    outcomes = [told.outcome for told in trace_flow(head, None) if told.workload.poison]
    known = all(outcome.fate is not Fate.UNDECIDED for outcome in outcomes)
    return min(outcome.harm for outcome in outcomes) if outcomes and known else None


def _count(side: Side) -> int:
    """How many findings ``diff`` can tell apart: those of two endpoints of one name are one to it."""
    return len({finding.fingerprint for finding in side.judgement.findings})


def test_the_counts_add_up() -> None:
    """Each finding of before is resolved, undecided now, renamed or there still, and each of after new or not."""
    regrouped = 0
    for comparison, before, after in _comparisons():
        lost = sum(entry.before == "hazard" for entry in comparison.undecided)
        ended = len(comparison.resolved) + lost + len(comparison.moved)
        assert _count(before) == ended + comparison.continued
        assert _count(after) == len(comparison.new) + len(comparison.moved) + comparison.unchanged
        regrouped += comparison.continued != comparison.unchanged
        assert any(comparison.regrouped) or comparison.continued == comparison.unchanged
    assert regrouped > 2


def test_no_finding_is_resolved_where_a_message_fares_worse() -> None:
    """Whether its flow is still one of a member, or has become that of the cluster, or several."""
    merged, wrong = 0, list[str]()
    for comparison, before, after in _comparisons():
        heads = before.judgement.flows
        later = later_flows(heads, after.judgement.flows)
        for finding in comparison.resolved:
            if finding.flow is None or id(finding) in comparison.gone:
                continue
            was = _harm(heads[finding.flow])
            for head in later.get(heads[finding.flow].subject.identity(), ()):
                merged += head.subject.is_member != heads[finding.flow].subject.is_member
                now = _harm(head)
                if was is not None and now is not None and now < was:
                    wrong.append(f"{finding.rule.id} {finding.subject}")
    assert merged > 20
    assert wrong == []
