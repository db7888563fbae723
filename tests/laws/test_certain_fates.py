"""A fate is decided where it is the same whatever the queues are that messages are moved to, and only there."""

from __future__ import annotations

import typing
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pytest

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.run import run_flow
from lintmdb.delivery.values import Values
from lintmdb.delivery.workload import Workload
from lintmdb.model.relations import Resolution
from tests.laws.laws import batches, read_batch
from tests.support.judged_flows import JudgedFlow, judge_flows

pytestmark = pytest.mark.slow

_ESTATES = 150
_RESOLUTIONS = tuple(name for name in typing.get_args(Resolution) if name not in ("not_set", "ambiguous"))
_ANSWERS: Mapping[str, Sequence[object]] = {
    "queue.backout_resolution": _RESOLUTIONS,
    "queue_manager.dead_letter_resolution": [name for name in _RESOLUTIONS if name != "remote"],
    "backout.takes_puts": (True, False),
    "dead_letter.takes_puts": (True, False),
}
"""What a name that is set may lead to, and whether that takes messages."""
_RIGHTS = ("authority.put", "authority.dead_letter_passall")
_WORKLOADS = (Workload(), Workload(persistent=False), Workload(started_again=None))


def _fate(flow: JudgedFlow, workload: Workload, known: Mapping[str, object]) -> Fate:
    return run_flow(Values(lambda name: known[name] if name in known else flow.rows.value(name)), workload).fate


def _uncertain(flow: JudgedFlow, unknown: str, tried: Counter[str]) -> Iterator[str]:
    """Where it is not known what ``unknown`` is, and the fate is decided although it depends on that, or not decided
    although it does not.
    """
    for rights in ({}, dict.fromkeys(_RIGHTS, False)):
        for workload in _WORKLOADS:
            fate = _fate(flow, workload, {**rights, unknown: None})
            answers = {_fate(flow, workload, {**rights, unknown: answer}) for answer in _ANSWERS[unknown]}
            if fate is Fate.UNDECIDED:
                tried["undecided"] += 1
                told = len(answers) > 1 or Fate.UNDECIDED in answers
            else:
                tried["decided"] += 1
                told = answers <= {fate, Fate.UNDECIDED}
            if not told:
                yield f"{unknown}: {fate.value} for {', '.join(sorted(answers))}: {flow.name}"


def _moves_in_transactions(flow: JudgedFlow) -> bool:
    """Whether a move is rolled back with the receive that holds it, so that the message loops whether a queue takes it
    or not; the model asks for the queue all the same.
    """
    return flow.rows.value("endpoint.non_asf_timeout_ms") != 0


def test_a_fate_is_decided_where_it_is_the_same_for_every_answer() -> None:
    """Who may not put messages on a backout queue need not know whether a cluster has it."""
    broken, tried = list[str](), Counter[str]()
    for batch in batches(_ESTATES):
        for flow in judge_flows(read_batch(batch), ()):
            if not flow.rows.value("queue.backout_queue") or _moves_in_transactions(flow):
                continue
            for unknown in _ANSWERS:
                if "dead_letter" not in unknown or flow.rows.value("queue_manager.dead_letter_queue"):
                    broken += _uncertain(flow, unknown, tried)
    assert min(tried["decided"], tried["undecided"]) > 300
    assert broken == []
