"""Flows that differ in names alone are traced once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from lintmdb.delivery.outcome import Step
from lintmdb.delivery.values import Values
from lintmdb.delivery.workload import Workload
from lintmdb.engine import alike_traces
from lintmdb.engine.alike_traces import trace_alike
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.judge import build_subject
from lintmdb.engine.traces import Told, trace_flow, trace_values
from lintmdb.report.headline_fates import headline_fates
from tests.support.fixture_facts import read_fixtures
from tests.support.judged_flows import judge_flows


@pytest.fixture(scope="module")
def heads() -> list[FlowHead]:
    """The flows of all fixtures."""
    flows = (flow for _, facts in read_fixtures() for flow in judge_flows(facts, ()))
    return [FlowHead(build_subject("flow", flow.rows), flow.rows) for flow in flows]


def _without_names(stories: Sequence[Told]) -> list[Told]:
    return [
        told._replace(outcome=replace(told.outcome, steps=tuple(map(_nameless, told.outcome.steps)), target=""))
        for told in stories
    ]


def _nameless(step: Step) -> Step:
    return step._replace(facts={name: fact for name, fact in step.facts.items() if not isinstance(fact, str)})


def test_what_is_alike_has_the_same_stories_but_for_names(heads: list[FlowHead]) -> None:
    """No fate, no count and no step depends on what a state machine reads for its story alone."""
    for head, stories in zip(heads, trace_alike(heads), strict=True):
        assert _without_names(stories) == _without_names(trace_flow(head, None)), head.subject


def test_each_way_is_run_once(heads: list[FlowHead], monkeypatch: pytest.MonkeyPatch) -> None:
    """A flow whose way is known is only asked what decides: the same again, and some that have other names."""
    runs: list[Values] = []

    def run(values: Values, workload: Workload | None) -> list[Told]:
        runs.append(values)
        return trace_values(values, workload)

    monkeypatch.setattr(alike_traces, "trace_values", run)
    list(trace_alike([*heads, *heads]))
    assert 1 < len(runs) < len(heads)


def test_a_story_that_somebody_reads_has_the_names_of_its_own_flow(heads: list[FlowHead]) -> None:
    """Reports show the stories of few flows, and count the fates of all."""
    for head, fate in zip(heads, headline_fates(heads), strict=True):
        assert fate.stories == tuple(trace_flow(head, None))
