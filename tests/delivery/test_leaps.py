"""Rounds that are left out because they are like those before: nothing but the story is shorter."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from lintmdb.delivery import leaps
from lintmdb.delivery.interpretations import Interpretation
from lintmdb.delivery.outcome import Fate, Outcome
from lintmdb.delivery.run import run_flow
from lintmdb.delivery.values import Values
from lintmdb.delivery.workload import Workload
from tests.delivery.test_fate import bus, port, spec, story

_LIMITS = (0, 1, 11, 29)
_WORKLOADS = (
    Workload(),
    Workload(started_again=None),
    Workload(poison=3),
    Workload(poison=3, healthy_between=1, started_again=None),
    Workload(failures=20, started_again=None),
    Workload(restarts_after=(15,), started_again=None),
)
_READINGS = (Interpretation(), Interpretation(spec_stop="exceed", port_stop="equal", backout="exceeded"))


def _mq_flows() -> Iterator[Values]:
    for build, limit, threshold, sessions in itertools.product((spec, port), _LIMITS, _LIMITS, (1, 2)):
        more = {"endpoint__max_sessions": sessions, "queue__harden_backout": False}
        yield build(limit, threshold, **more)
        yield build(limit, threshold, queue_manager__platform="zos", queue__shared_disposition=False, **more)
    for limit, threshold in itertools.product((0, 29, 300), repeat=2):
        shared = {"queue__harden_backout": True, "queue__shared_disposition": False}
        yield spec(limit, threshold, queue_manager__platform="zos", **shared)
        yield spec(limit, threshold, queue_manager__platform=None, **shared)
    for threshold in _LIMITS:
        yield spec(0, threshold, endpoint__stop_on_failure=False)
        yield spec(threshold, 12, endpoint__runtime="liberty")
        timeouts = {"endpoint__non_asf_timeout_ms": 1000, "server__effective_timeout_ms": 5000}
        yield port(35, threshold, server__platform="distributed", bean__on_message_ms=10, **timeouts)


def _bus_flows() -> Iterator[Values]:
    for limit, stop, sessions in itertools.product(_LIMITS, (0, 1, 3), (1, 2)):
        yield bus(
            destination__max_failed_deliveries=limit,
            endpoint__sequential_failure_threshold=stop,
            endpoint__max_sessions=sessions,
        )


def _result(outcome: Outcome) -> tuple[object, ...]:
    parts = (outcome.fate, outcome.deliveries, outcome.moved, outcome.left, outcome.target, outcome.missing)
    return (*parts, outcome.timed_out, outcome.healthy_rolled_back, outcome.persistence_matters, outcome.steps[-1])


@pytest.mark.slow
def test_a_run_with_leaps_ends_like_one_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over a grid of thresholds, limits, sessions, platforms, workloads and readings of the documents."""
    leapt = 0
    for values in (*_mq_flows(), *_bus_flows()):
        for workload, reading in itertools.product(_WORKLOADS, _READINGS):
            monkeypatch.setattr(leaps, "FULL_ROUNDS", 10**9)
            full = run_flow(values, workload, reading)
            monkeypatch.setattr(leaps, "FULL_ROUNDS", 4)
            short = run_flow(values, workload, reading)
            assert _result(short) == _result(full), (workload, reading)
            leapt += "goes_on_alike" in story(short)
    assert leapt > 100


@pytest.mark.parametrize(
    ("values", "fate", "deliveries"),
    [
        (spec(0, 999_999_999, endpoint__stop_on_failure=False), Fate.BACKOUT_QUEUE, 999_999_999),
        (spec(2_147_483_647, 999_999_999), Fate.BACKOUT_QUEUE, 999_999_999),
        (spec(500_000_000, 999_999_999), Fate.STOPPED, 500_000_000),
        (spec(2_147_483_647, 0), Fate.STOPPED, 2_147_483_647),
        (port(2_147_483_647, 0), Fate.STOPPED, 2_147_483_647),
        (bus(destination__max_failed_deliveries=2_147_483_647), Fate.EXCEPTION_DESTINATION, 2_147_483_647),
    ],
)
def test_the_largest_limits_take_no_time(values: Values, fate: Fate, deliveries: int) -> None:
    """A limit that stands for "never" is legal, and a run over it ends after some hundred rounds."""
    outcome = run_flow(values, Workload())
    assert (outcome.fate, outcome.deliveries) == (fate, deliveries)
    assert len(outcome.steps) < 2000
    assert story(outcome).count("goes_on_alike") == 1
