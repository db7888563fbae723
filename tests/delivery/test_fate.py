"""The model of delivery: the articles' worked examples step by step, closed forms over small values, and its edges."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from lintmdb.delivery.interpretations import Interpretation
from lintmdb.delivery.outcome import Fate, Outcome
from lintmdb.delivery.run import run_flow
from lintmdb.delivery.values import Values
from lintmdb.delivery.wording import Line, tell, titled
from lintmdb.delivery.workload import WORKLOADS, Workload
from tests.support.delivery_grid import BACKOUT, BUS, DEAD_LETTER, MQ

FLOW = MQ | BACKOUT[0] | DEAD_LETTER[0] | {"endpoint.name": "OrdersEP", "queue.name": "ORDERS.IN"}


def spec(limit: int, threshold: int, **more: Any) -> Values:
    """An activation specification with a limit (failureDeliveryCount) on a queue with a BOTHRESH."""
    return _flow("activation_spec", limit, threshold, {"endpoint.stop_on_failure": True} | more)


def port(retries: int, threshold: int, **more: Any) -> Values:
    """A listener port with maxRetries on a queue with a BOTHRESH."""
    return _flow("listener_port", retries, threshold, more)


def _flow(kind: str, limit: int, threshold: int, more: dict[str, Any]) -> Values:
    own = {"endpoint.kind": kind, "endpoint.failure_threshold": limit, "queue.backout_threshold": threshold}
    return Values((FLOW | own | {name.replace("__", "."): value for name, value in more.items()}).get)


def bus(**more: Any) -> Values:
    """A bus activation specification on a destination with five deliveries and the system exception destination."""
    own = {
        "endpoint.name": "NoticesAS",
        "endpoint.max_sessions": 1,
        "endpoint.max_batch": 1,
        "endpoint.sequential_failure_threshold": 0,
        "destination.max_failed_deliveries": 5,
        "destination.exception_destination": "system",
        "destination.effective_blocked_retry_ms": 5000,
        "destination.persist_redelivery_count": False,
        "destination.reliability": "assured_persistent",
    }
    return Values((BUS | own | {name.replace("__", "."): value for name, value in more.items()}).get)


def story(outcome: Outcome) -> list[str]:
    """The events of a run in order."""
    return [step.event for step in outcome.steps]


def told(outcome: Outcome) -> list[str]:
    """The lines of a run in words."""
    return [line.text for line in tell(outcome.steps)]


def test_default_activation_specification_stops_is_started_and_stops_again() -> None:
    """failureDeliveryCount 0: each start meets the same message and stops at its next failure."""
    outcome = run_flow(spec(0, 0), Workload(started_again=1))
    once = ["delivered", "fails", "returned", "spec_stops_at_once"]
    assert story(outcome) == [*once, "starts_again", *once]
    assert outcome.fate is Fate.STOPPED
    assert [step.state["sequential_failures"] for step in outcome.steps if step.event == "spec_stops_at_once"] == [1, 2]
    assert outcome.left == 1


def test_stop_at_5_with_bothresh_1_moves_after_one_failure() -> None:
    """The message is poison when it is met again, and the endpoint goes on."""
    outcome = run_flow(spec(5, 1), Workload())
    assert story(outcome) == ["delivered", "fails", "returned", "spec_goes_on", "is_poison", "moved_to_backout_queue"]
    assert (outcome.fate, outcome.deliveries, outcome.target) == (Fate.BACKOUT_QUEUE, 1, "BO")


def test_stop_at_3_with_five_sessions_and_bothresh_5_moves_nothing() -> None:
    """Seven poison messages: three failures stop the endpoint, two more sessions were already at work."""
    outcome = run_flow(spec(3, 5, endpoint__max_sessions=5), Workload(poison=7))
    assert outcome.fate is Fate.STOPPED
    assert outcome.moved == 0
    assert outcome.left == 7
    assert story(outcome).count("fails") == 5
    failing = [step.facts["message"] for step in outcome.steps if step.event == "fails"]
    assert failing[story(outcome)[: story(outcome).index("spec_stops")].count("fails") - 1] == "poison message 3"


def test_bus_gives_five_deliveries_and_moves_the_message() -> None:
    """maxFailedDeliveries 5: the fifth rollback moves the message at once."""
    outcome = run_flow(bus(), Workload())
    assert outcome.deliveries == 5
    assert outcome.fate is Fate.EXCEPTION_DESTINATION
    assert outcome.target == "_SYSTEM.Exception.Destination"
    assert story(outcome)[-2:] == ["bus_returned", "bus_moves"]


def test_110_and_15_against_120_seconds() -> None:
    """The article's example: a message at the end of the receive is rolled back although its bean is healthy."""
    values = port(
        0,
        2,
        endpoint__non_asf_timeout_ms=110_000,
        server__effective_timeout_ms=120_000,
        bean__on_message_ms=15_000,
    )
    outcome = run_flow(values, WORKLOADS["late"](values))
    assert story(outcome) == ["begins", "arrives", "delivered", "times_out", "returned", "port_stops_at_once"]
    assert [step.state["at_ms"] for step in outcome.steps] == [0, 110_000, 110_000, 125_000, 125_000, 125_000]
    assert outcome.timed_out
    assert outcome.fate is Fate.STOPPED


def test_late_message_is_redelivered_in_time_where_the_port_goes_on() -> None:
    """With maxRetries 5 and BOTHRESH 2 it is there at the start of the next transaction, and processed."""
    values = port(
        5,
        2,
        endpoint__non_asf_timeout_ms=110_000,
        server__effective_timeout_ms=120_000,
        bean__on_message_ms=15_000,
    )
    outcome = run_flow(values, WORKLOADS["late"](values))
    assert (outcome.fate, outcome.deliveries) == (Fate.ROLLED_BACK, 2)


@pytest.mark.parametrize(("hardened", "deliveries"), [(False, 7), (True, 5)])
def test_zos_restart_after_two_failures(hardened: bool, deliveries: int) -> None:
    """BOTHRESH 5: without HARDENBO the restart forgets two failures, so that there are seven deliveries."""
    values = spec(20, 5, queue_manager__platform="zos", queue__harden_backout=hardened)
    outcome = run_flow(values, Workload(restarts_after=(2,)))
    assert (outcome.fate, outcome.deliveries) == (Fate.BACKOUT_QUEUE, deliveries)


def test_zos_shared_queue_keeps_its_counts() -> None:
    """A restart of one queue manager changes nothing on a shared queue."""
    values = spec(20, 5, queue_manager__platform="zos", queue__harden_backout=False, queue__shared_disposition=True)
    assert run_flow(values, Workload(restarts_after=(2,))).deliveries == 5


def test_listener_port_looks_at_stopping_first_and_at_backout_on_the_next_detection() -> None:
    """maxRetries 3 and BOTHRESH 3: it stops at the third rollback; started again it moves without a delivery."""
    outcome = run_flow(port(3, 3), Workload(started_again=1))
    assert story(outcome)[-5:] == ["returned", "port_stops", "starts_again", "is_poison", "moved_to_backout_queue"]
    assert outcome.deliveries == 3


def test_conflicting_readings_are_switches() -> None:
    """Each switch changes the outcome in the case over which the documents disagree."""
    exceed = Interpretation(spec_stop="exceed")
    assert run_flow(spec(3, 3), Workload()).fate is Fate.STOPPED
    assert run_flow(spec(3, 3), Workload(), exceed).fate is Fate.BACKOUT_QUEUE
    equal = Interpretation(port_stop="equal")
    restarted = Workload(started_again=1)
    assert run_flow(port(2, 5), restarted).fate is Fate.STOPPED
    assert run_flow(port(2, 5), restarted, equal).fate is Fate.BACKOUT_QUEUE
    idle = port(9, 2, endpoint__non_asf_timeout_ms=1000)
    assert run_flow(idle, Workload()).fate is Fate.LOOPS
    assert run_flow(idle, Workload(), Interpretation(empty_receive="commit")).fate is Fate.BACKOUT_QUEUE
    tie = port(9, 2, endpoint__non_asf_timeout_ms=1000, server__effective_timeout_ms=2000, bean__on_message_ms=1000)
    assert run_flow(tie, WORKLOADS["late"](tie)).timed_out
    assert not run_flow(tie, WORKLOADS["late"](tie), Interpretation(timeout_tie="in_time")).timed_out
    assert run_flow(spec(9, 2), Workload()).deliveries == 2
    assert run_flow(spec(9, 2), Workload(), Interpretation(backout="exceeded")).deliveries == 3
    zos = port(9, 2, server__platform="zos", endpoint__non_asf_timeout_ms=1000)
    assert run_flow(zos, Workload()).fate is Fate.BACKOUT_QUEUE
    assert run_flow(zos, Workload(), Interpretation(zos_non_asf="effective")).fate is Fate.LOOPS
    nowhere = spec(9, 2, queue__backout_resolution="not_set", queue_manager__dead_letter_resolution="not_set")
    assert run_flow(nowhere, Workload()).fate is Fate.BLOCKED
    assumed = run_flow(nowhere, Workload(), Interpretation(dead_letter="system"))
    assert (assumed.fate, assumed.target) == (Fate.DEAD_LETTER_QUEUE, "SYSTEM.DEAD.LETTER.QUEUE")


def test_conflicting_readings_of_the_bus_are_switches() -> None:
    """How many failures are enough, and what comes after the wait of a blocked destination."""
    moves = bus()
    assert run_flow(moves, Workload()).deliveries == 5
    assert run_flow(moves, Workload(), Interpretation(bus_limit="exceeded")).deliveries == 6
    blocks = bus(destination__exception_destination="none")
    assert run_flow(blocks, Workload()).fate is Fate.BLOCKED
    assert run_flow(blocks, Workload(), Interpretation(bus_blocked="moved")).fate is Fate.EXCEPTION_DESTINATION


def test_a_message_may_ask_to_be_discarded() -> None:
    """MQRO_DISCARD_MSG stands in for the dead-letter queue, not for the backout queue."""
    asks = Workload(discardable=True)
    assert run_flow(spec(9, 2), asks).fate is Fate.BACKOUT_QUEUE
    blank = spec(9, 2, queue__backout_resolution="not_set")
    assert run_flow(blank, Workload()).fate is Fate.DEAD_LETTER_QUEUE
    outcome = run_flow(blank, asks)
    assert outcome.fate is Fate.DISCARDED
    assert tell(outcome.steps)[-1].text == "The poison message carries MQRO_DISCARD_MSG, so it is discarded"
    assert run_flow(bus(destination__exception_destination="none"), asks).fate is Fate.DISCARDED


def test_a_full_backout_queue_leaves_the_dead_letter_queue() -> None:
    """What is full takes nothing."""
    outcome = run_flow(spec(9, 2), Workload(backout_full=True))
    assert (outcome.fate, "put_fails" in story(outcome)) == (Fate.DEAD_LETTER_QUEUE, True)


@pytest.mark.parametrize(
    "away",
    [
        {"queue__backout_resolution": "remote"},
        {"queue__backout_resolution": "queue", "backout__leads_to_kind": "cluster queue"},
        {"queue__backout_resolution": "alias", "backout__leads_to_kind": "remote queue"},
    ],
)
def test_a_full_backout_queue_at_another_queue_manager_takes_nothing_from_the_reader(away: dict[str, str]) -> None:
    """The reader puts on a transmission queue; what becomes of the message at the other end is not the reader's."""
    outcome = run_flow(spec(9, 2, **away), Workload(backout_full=True))
    assert (outcome.fate, "put_fails" in story(outcome)) == (Fate.BACKOUT_QUEUE, False)
    assert story(outcome)[0] == "backout_queue_elsewhere"


def test_a_bus_has_no_backout_queue_that_may_be_full() -> None:
    """The story says so, instead of passing over what was asked."""
    outcome, plain = (run_flow(bus(), workload) for workload in (Workload(backout_full=True), Workload()))
    assert (outcome.fate, story(outcome)[0]) == (plain.fate, "bus_without_backout_queue")
    assert story(outcome)[1:] == story(plain)


def test_when_a_message_arrives_does_not_matter_without_a_receive_that_waits() -> None:
    """The story says so, instead of passing over what was asked."""
    late = Workload(poison=0, healthy_between=1, arrives_after_ms=110_000)
    for values in (spec(9, 2), port(9, 2), bus()):
        outcome = run_flow(values, late)
        assert (story(outcome)[0], outcome.fate) == ("arrival_does_not_matter", Fate.PROCESSED)
    waits = port(9, 2, endpoint__non_asf_timeout_ms=120_000)
    assert "arrival_does_not_matter" not in story(run_flow(waits, late))


def test_activation_specification_closed_form() -> None:
    """K poison messages in a row stop it where K times BOTHRESH reaches the limit; else all of them are moved."""
    for limit, threshold, poison, sessions in itertools.product(range(7), range(1, 7), range(1, 5), range(1, 7)):
        outcome = run_flow(spec(limit, threshold, endpoint__max_sessions=sessions), Workload(poison=poison))
        if poison * threshold >= max(limit, 1):
            assert outcome.fate is Fate.STOPPED
            assert sessions < poison or outcome.moved == 0
        else:
            assert (outcome.moved, outcome.left) == (poison, 0)


def test_listener_port_closed_form() -> None:
    """One poison message is moved without a stop exactly where 0 < BOTHRESH < maxRetries."""
    for limit, threshold in itertools.product(range(7), range(7)):
        outcome = run_flow(port(limit, threshold), Workload())
        moved = 0 < threshold < limit
        assert outcome.fate is (Fate.BACKOUT_QUEUE if moved else Fate.STOPPED)
        assert outcome.deliveries == (threshold if moved else max(limit, 1))


def test_a_success_starts_the_count_again() -> None:
    """With a healthy message behind each poison message one session never reaches the limit."""
    assert run_flow(spec(5, 2), Workload(poison=4)).fate is Fate.STOPPED
    outcome = run_flow(spec(5, 2), Workload(poison=4, healthy_between=1))
    assert (outcome.moved, outcome.left) == (4, 0)


def test_batches_roll_back_healthy_messages() -> None:
    """maxMessages 2: the healthy message shares the transaction, and in the end the backout queue."""
    outcome = run_flow(port(9, 2, endpoint__max_batch=2), Workload(healthy_between=1))
    assert outcome.healthy_rolled_back
    assert outcome.moved == 2


@pytest.mark.parametrize(
    ("changes", "fate"),
    [
        ({}, Fate.BACKOUT_QUEUE),
        ({"backout.takes_puts": False}, Fate.DEAD_LETTER_QUEUE),
        ({"queue.backout_resolution": "not_set"}, Fate.DEAD_LETTER_QUEUE),
        ({"queue.backout_resolution": "not_set", "queue_manager.dead_letter_resolution": "not_set"}, Fate.BLOCKED),
        ({"queue.backout_loops": True, "endpoint.backout_circle_read": True}, Fate.LOOPS),
        ({"queue.backout_loops": True, "endpoint.backout_circle_read": False}, Fate.BACKOUT_QUEUE),
        ({"queue.backout_resolution": "dangling"}, Fate.DEAD_LETTER_QUEUE),
        ({"queue.backout_resolution": "wrong_base"}, Fate.DEAD_LETTER_QUEUE),
        ({"queue.backout_resolution": "model"}, Fate.DEAD_LETTER_QUEUE),
        ({"queue.backout_resolution": "topic"}, Fate.UNDECIDED),
        ({"queue.backout_resolution": "remote", "backout.reachable": False}, Fate.DEAD_LETTER_QUEUE),
        ({"queue.backout_resolution": "remote", "backout.reachable": None}, Fate.BACKOUT_QUEUE),
        ({"queue_name.get_enabled": False}, Fate.BLOCKED),
        ({"queue_name.name_clash": True}, Fate.BLOCKED),
        ({"queue.backout_resolution": "not_set", "dead_letter.local_queue": "Q", "queue.name": "Q"}, Fate.LOOPS),
        ({"backout.takes_puts": False, "dead_letter.takes_puts": False}, Fate.BLOCKED),
        ({"queue.backout_threshold": 0, "endpoint.stop_on_failure": False}, Fate.LOOPS),
        (
            {"queue.backout_threshold": 300, "queue_manager.platform": "zos", "endpoint.stop_on_failure": False},
            Fate.LOOPS,
        ),
        ({"endpoint.non_asf_timeout_ms": 1000, "endpoint.non_asf_rollback_enabled": False}, Fate.LOST),
        ({"endpoint.provider": "generic"}, Fate.UNDECIDED),
    ],
)
def test_fates_of_one_poison_message(changes: dict[str, Any], fate: Fate) -> None:
    """Each reason leads to its fate."""
    values = dict(FLOW) | {
        "endpoint.kind": "activation_spec",
        "endpoint.stop_on_failure": True,
        "endpoint.failure_threshold": 500,
        "queue.backout_threshold": 3,
    }
    assert run_flow(Values((values | changes).get), Workload()).fate is fate


def test_gets_are_disabled_on_the_object_that_says_so() -> None:
    """The queue behind an alias that is GET(DISABLED) delivers to those who read it by its own name."""
    closed = {"queue_name__get_enabled": False, "queue_name__get_disabled_by": "ORDERS.ALIAS"}
    assert (
        told(run_flow(spec(9, 1, **closed), Workload()))[-1]
        == "GET is disabled on ORDERS.ALIAS, so nothing is delivered"
    )


def test_what_nothing_takes_is_discarded_unless_persistent() -> None:
    """The last resort depends on the message's persistence."""
    values = spec(9, 1, queue__backout_resolution="not_set", queue_manager__dead_letter_resolution="not_set")
    assert run_flow(values, Workload(persistent=False)).fate is Fate.DISCARDED
    assert run_flow(values, Workload(persistent=True)).fate is Fate.BLOCKED


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({"endpoint.failure_threshold": None}, "endpoint.failure_threshold"),
        ({"endpoint.stop_on_failure": None}, "endpoint.stop_on_failure"),
        ({"queue.backout_threshold": None}, "queue.backout_threshold"),
        ({"queue.backout_resolution": None}, "queue.backout_resolution"),
        ({"backout.takes_puts": None}, "backout.takes_puts"),
        ({"endpoint.provider": None}, "endpoint.provider"),
    ],
)
def test_an_unknown_value_that_matters_is_named(changes: dict[str, Any], missing: str) -> None:
    """The fate is undecided, and the outcome says what is missing."""
    outcome = run_flow(spec(5, 2, **{name.replace(".", "__"): value for name, value in changes.items()}), Workload())
    assert outcome.fate is Fate.UNDECIDED
    assert outcome.missing == (missing,)


def test_an_unknown_number_of_sessions_hides_nothing() -> None:
    """A run with several messages asks for it first; what is missing behind it is named, too, and what does not matter
    is not.
    """
    patient = spec(9, 2, endpoint__max_sessions=None, queue__backout_threshold=None)
    assert run_flow(patient, Workload(poison=2)).missing == ("endpoint.max_sessions", "queue.backout_threshold")
    stops_at_once = spec(0, 2, endpoint__max_sessions=None, queue__backout_threshold=None)
    assert run_flow(stops_at_once, Workload(poison=2)).missing == ("endpoint.max_sessions",)


def test_one_message_does_not_depend_on_the_number_of_sessions() -> None:
    """Only one session can have it at a time, so its fate is known, and nothing asks for their number."""
    assert run_flow(spec(0, 2, endpoint__max_sessions=None), Workload()).fate is Fate.STOPPED
    patient = spec(9, 2, endpoint__max_sessions=None)
    assert run_flow(patient, Workload()).fate is run_flow(spec(9, 2), Workload()).fate is Fate.BACKOUT_QUEUE
    unknown = spec(9, 2, endpoint__max_sessions=None, queue__backout_threshold=None)
    assert run_flow(unknown, Workload()).missing == ("queue.backout_threshold",)


def test_an_unknown_value_that_does_not_matter_is_not_asked_for() -> None:
    """An endpoint that stops at the first failure never meets BOTHRESH; a blank threshold never asks for BOQNAME."""
    assert run_flow(spec(0, 0, queue__backout_threshold=None), Workload()).fate is Fate.STOPPED
    values = spec(2, 0, queue__backout_resolution=None, queue_manager__dead_letter_resolution=None)
    assert run_flow(values, Workload()).fate is Fate.STOPPED


@pytest.mark.slow
def test_one_reason_for_which_a_put_fails_is_enough() -> None:
    """A user who may not put messages on a queue need not know whether it is defined, nor whether it takes them."""
    closed = {"queue_manager__dead_letter_resolution": "not_set", "authority__passall": False}
    unknown = spec(5, 2, queue__backout_resolution=None, backout__takes_puts=None, **closed)
    outcome = run_flow(unknown, Workload())
    assert outcome.fate is Fate.BLOCKED
    assert "The put to BO fails: the endpoint's user lacks passall authority there, if it is defined at all" in told(
        outcome
    )
    shut = spec(
        5, 2, queue__backout_resolution=None, backout__takes_puts=False, **{**closed, "authority__passall": None}
    )
    assert run_flow(shut, Workload()).fate is Fate.BLOCKED
    dead = {"queue_manager__dead_letter_resolution": None, "authority__dead_letter_put": False}
    assert run_flow(spec(5, 2, queue__backout_resolution="not_set", **dead), Workload()).fate is Fate.BLOCKED


def test_loops_are_found_by_state() -> None:
    """A loop ends when a state comes back, not after a number of steps; a long way is no loop."""
    loop = run_flow(spec(0, 0, endpoint__stop_on_failure=False), Workload())
    assert loop.fate is Fate.LOOPS
    assert loop.deliveries == 2
    long = run_flow(spec(10_001, 100, endpoint__max_sessions=100), Workload(poison=100))
    assert (long.fate, long.moved) == (Fate.BACKOUT_QUEUE, 100)
    passing = run_flow(spec(0, 0, endpoint__stop_on_failure=False), Workload(failures=50))
    assert (passing.fate, passing.deliveries) == (Fate.PROCESSED, 51)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["activation_spec", "listener_port"])
def test_large_values_take_few_steps(kind: str) -> None:
    """The work grows with the failures that happen, not with what the values could be."""
    for limit, threshold, sessions in itertools.product((1, 50, 100), (0, 1, 50, 100), (1, 100)):
        more = {"endpoint.stop_on_failure": True, "endpoint.max_sessions": sessions}
        outcome = run_flow(_flow(kind, limit, threshold, more), Workload(poison=sessions))
        assert len(outcome.steps) <= 4 * (max(limit, 1) + sessions + 1) * max(sessions, 1) + 2 * sessions


@pytest.mark.parametrize(
    ("changes", "fate", "left"),
    [
        ({"destination.exception_destination": "none"}, Fate.BLOCKED, 1),
        ({"destination.exception_destination": "none", "destination.effective_blocked_retry_ms": 0}, Fate.LOOPS, 1),
        ({"destination.discards_poison": True}, Fate.DISCARDED, 0),
        ({"endpoint.sequential_failure_threshold": 1}, Fate.STOPPED, 1),
        ({"destination.exception_destination": "named"}, Fate.EXCEPTION_DESTINATION, 0),
    ],
)
def test_fates_on_the_bus(changes: dict[str, Any], fate: Fate, left: int) -> None:
    """Each reason leads to its fate; a threshold of one stops before the message is moved."""
    outcome = run_flow(bus(**{name.replace(".", "__"): value for name, value in changes.items()}), Workload())
    assert (outcome.fate, outcome.left) == (fate, left)


def test_bus_restart_forgets_the_count() -> None:
    """Without persistRedeliveryCount two failures before a restart do not count."""
    assert run_flow(bus(), Workload(restarts_after=(2,))).deliveries == 7
    kept = bus(destination__persist_redelivery_count=True)
    assert run_flow(kept, Workload(restarts_after=(2,))).deliveries == 5


def test_what_repeats_is_folded() -> None:
    """A long run is told twice, counted, and told for the last time; unfolded it has every step."""
    outcome = run_flow(spec(60, 50), Workload())
    lines = told(outcome)
    assert lines[8] == "The same again, 47 times"
    assert len(lines) == 15
    unfolded: list[Line] = tell(outcome.steps, fold=False)
    assert len(unfolded) == 4 * 50 + 2
    assert tell(outcome.steps)[-3:] == unfolded[-3:]


def test_workloads_are_titled() -> None:
    """A workload reads as what is on the queue."""
    assert titled(Workload()) == "one poison message"
    assert titled(Workload(longest=True)) == "one poison message, as long as its queue allows"
    assert titled(Workload(poison=3, healthy_between=2)) == "3 poison messages with 2 healthy behind each"
    late = Workload(poison=0, healthy_between=1, arrives_after_ms=110_000)
    assert titled(late) == "one healthy message, arriving 110 s after a receive call began"


def test_two_poison_messages_in_a_row_add_up() -> None:
    """Moving the first one does not reset the endpoint's counter, so the second stops it before it is moved."""
    pair = Workload(poison=2, sessions=1)
    stopped = run_flow(spec(10, 5), pair)
    assert (stopped.fate, stopped.moved, stopped.left) == (Fate.STOPPED, 1, 1)
    assert run_flow(spec(11, 5), pair).moved == 2


def test_a_restart_takes_what_the_sessions_have_in_hand() -> None:
    """Two sessions, non-persistent messages: what is lost at the restart is not delivered any more."""
    workload = Workload(healthy_between=1, persistent=False, restarts_after=(1,))
    outcome = run_flow(spec(9, 5, endpoint__max_sessions=2), workload)
    assert (outcome.fate, outcome.left) == (Fate.LOST, 0)
    assert story(outcome).count("restart_drops") == 2
    assert "processed" not in story(outcome)
    kept = run_flow(spec(9, 5, endpoint__max_sessions=2), Workload(healthy_between=1, restarts_after=(1,)))
    assert (kept.fate, kept.deliveries) == (Fate.BACKOUT_QUEUE, 5)
    receive = port(9, 1, endpoint__non_asf_timeout_ms=1000, endpoint__max_sessions=2)
    assert run_flow(receive, workload).fate is Fate.LOST


@pytest.mark.parametrize("reliability", ["best_effort", "express", "reliable"])
def test_a_restart_of_the_engine_loses_messages_that_are_not_persistent(reliability: str) -> None:
    """Whatever the redelivery counts do."""
    values = bus(destination__reliability=f"{reliability}_nonpersistent", destination__persist_redelivery_count=True)
    outcome = run_flow(values, Workload(restarts_after=(2,)))
    assert (outcome.fate, outcome.deliveries, outcome.left) == (Fate.LOST, 2, 0)
    assert story(outcome)[-1] == "engine_restart_drops"


def test_a_slow_message_on_the_bus_is_rolled_back_and_counts() -> None:
    """Each delivery is a failure, so that a healthy message ends on the exception destination."""
    slow = bus(bean__transaction_timeout_ms=120_000, bean__on_message_ms=120_000)
    outcome = run_flow(slow, WORKLOADS["slow"](slow))
    assert (outcome.fate, outcome.deliveries, outcome.timed_out) == (Fate.EXCEPTION_DESTINATION, 5, True)
    fits = bus(bean__transaction_timeout_ms=120_000, bean__on_message_ms=119_999)
    assert run_flow(fits, WORKLOADS["slow"](fits)).fate is Fate.PROCESSED
    own = bus(bean__transaction_timeout_ms=120_000, bean__on_message_ms=120_000, bean__transaction="bean")
    assert run_flow(own, WORKLOADS["slow"](own)).fate is Fate.PROCESSED


def test_messages_of_a_batch_share_the_time_of_one_transaction() -> None:
    """Five messages of 30 s do not fit into 120 s, four of 29 s do."""
    more = {"bean__transaction_timeout_ms": 120_000, "bean__on_message_ms": 30_000}
    for five in (port(9, 3, endpoint__max_batch=5, **more), bus(endpoint__max_batch=5, **more)):
        outcome = run_flow(five, Workload(poison=0, healthy_between=5))
        assert outcome.healthy_rolled_back
        assert next(step.facts for step in outcome.steps if step.event == "times_out")["elapsed_ms"] == 120_000
    four = port(9, 3, endpoint__max_batch=4, **(more | {"bean__on_message_ms": 29_000}))
    assert not run_flow(four, Workload(poison=0, healthy_between=4)).healthy_rolled_back


@pytest.mark.parametrize("poison", [1, 2, 3, 4])
@pytest.mark.parametrize("sessions", [1, 2, 3])
def test_non_asf_mode_closed_form(poison: int, sessions: int) -> None:
    """An idle queue never lets poison go, a healthy message that comes takes it along."""
    for limit, threshold in itertools.product(range(4), range(4)):
        values = port(limit, threshold, endpoint__non_asf_timeout_ms=1000, endpoint__max_sessions=sessions)
        alone = run_flow(values, Workload(poison=poison, started_again=None))
        assert (alone.fate, alone.moved, alone.left) == (Fate.LOOPS, 0, poison)
        used = run_flow(values, Workload(poison=poison, started_again=None, traffic=True))
        assert used.fate is (Fate.BACKOUT_QUEUE if threshold else Fate.LOOPS)
        assert (used.moved, used.left) == ((poison, 0) if threshold else (0, poison))


def test_zos_has_no_non_asf_mode() -> None:
    """A receive timeout does nothing there; where the platform is not known nobody can tell."""
    values = {"endpoint__non_asf_timeout_ms": 1000, "endpoint__non_asf_rollback_enabled": False}
    assert run_flow(spec(9, 2, server__platform="zos", **values), Workload()).fate is Fate.BACKOUT_QUEUE
    assert run_flow(spec(9, 2, server__platform=None, **values), Workload()).missing == ("server.platform",)


@pytest.mark.parametrize(
    ("values", "missing"),
    [
        (spec(9, 1, endpoint__non_asf_timeout_ms=1000, endpoint__non_asf_rollback_enabled=None), "rollback_enabled"),
        (
            port(
                9,
                1,
                endpoint__non_asf_timeout_ms=1000,
                endpoint__non_asf_bmt_rollback_enabled=None,
                bean__transaction="bean",
            ),
            "bmt_rollback_enabled",
        ),
    ],
)
def test_a_switch_of_non_asf_mode_that_is_not_known_is_asked_for(values: Values, missing: str) -> None:
    """Whether the message comes back depends on it."""
    outcome = run_flow(values, Workload())
    assert outcome.fate is Fate.UNDECIDED
    assert outcome.missing[0].endswith(missing)


def test_what_is_taken_for_granted_is_said() -> None:
    """A move rests on rights that are seldom exported."""
    assert told(run_flow(spec(9, 1), Workload()))[-1] == "The poison message is moved to the backout queue BO"
    unknown = {"authority__passall": None, "authority__dead_letter_put": None}
    assumed = told(run_flow(spec(9, 1, **unknown), Workload()))[-1]
    assert assumed.endswith("backout queue BO (no export shows whether its user has put and passall there)")
    otherwise = told(run_flow(spec(9, 1, authority__passall=None), Workload()))[-1]
    instead = "or to the dead-letter queue DLQ if its user lacks put or passall on BO; no export shows whether it may"
    assert otherwise.endswith(f"backout queue BO ({instead})")


@pytest.mark.parametrize(
    ("column", "attribute"), [("max_instances", "MAXINST"), ("max_instances_per_client", "MAXINSTC")]
)
def test_a_channel_without_instances_refuses_every_client(column: str, attribute: str) -> None:
    """No client gets a connection, while bindings mode needs no channel."""
    closed = {f"channel__{column}": 0, "endpoint__channel": "WAS.SVRCONN"}
    outcome = run_flow(spec(9, 1, **closed), Workload())
    assert (outcome.fate, outcome.deliveries) == (Fate.BLOCKED, 0)
    says = f"WAS.SVRCONN has {attribute}(0), which refuses every client, so OrdersEP cannot connect"
    assert told(outcome) == [says]
    bindings = run_flow(spec(9, 1, **closed, endpoint__transport="bindings"), Workload())
    assert bindings.fate is Fate.BACKOUT_QUEUE


def test_what_has_no_model_or_no_queue_or_no_session_says_so() -> None:
    """One step each, and no delivery."""
    generic = run_flow(port(0, 0, endpoint__provider="generic"), Workload())
    assert (generic.fate, generic.missing, story(generic)) == (Fate.UNDECIDED, (), ["not_modelled"])
    gone = run_flow(spec(5, 2, endpoint__queue_resolution="not_defined"), Workload())
    assert (gone.fate, story(gone)) == (Fate.BLOCKED, ["queue_not_readable"])
    for values in (spec(3, 5, endpoint__max_sessions=0), bus(endpoint__max_sessions=0)):
        outcome = run_flow(values, Workload())
        assert (outcome.fate, story(outcome)) == (Fate.BLOCKED, ["no_sessions"])


def test_steps_carry_both_counters() -> None:
    """The counter of the endpoint stands beside that of the message; a success sets it to zero."""
    steps = run_flow(spec(9, 2), Workload(healthy_between=1)).steps
    for step in steps:
        assert {"backout_count", "sequential_failures"} <= set(step.state), step
    assert steps[-1].event == "processed"
    assert steps[-1].state["sequential_failures"] == 0
    assert [step.state["sequential_failures"] for step in steps if step.event == "spec_goes_on"] == [1, 2]
    on_bus = run_flow(bus(endpoint__sequential_failure_threshold=3), Workload(healthy_between=1)).steps
    assert all({"redelivered", "sequential_failures"} <= set(step.state) for step in on_bus)
    assert all("sequential_failures" not in step.state for step in run_flow(port(9, 2), Workload()).steps)


def test_outside_a_transaction_each_message_of_a_batch_is_on_its_own() -> None:
    """A non-persistent message that fails is gone, and the healthy one behind it is delivered all the same."""
    values = port(9, 2, endpoint__max_batch=2, bean__transaction="not_supported")
    outcome = run_flow(values, Workload(healthy_between=1, persistent=False))
    assert (outcome.fate, outcome.left) == (Fate.LOST, 0)
    assert story(outcome).count("delivered") == 2


def test_names_keep_their_letters_at_the_start_of_a_sentence() -> None:
    """MQ tells upper from lower case, and so does a sentence that begins with a name."""
    values = spec(3, 3, endpoint__queue_resolution="not_defined", queue__name="orders.in", endpoint__queue="orders.in")
    text = told(run_flow(values, Workload()))[0]
    assert text.startswith("orders.in at "), text


def test_an_exception_destination_that_leads_back_makes_the_message_go_round() -> None:
    """The engine puts it there as a new message, and asks nobody where it was."""
    named = {"destination__exception_destination": "named", "destination__exception_destination_name": "Q"}
    outcome = run_flow(bus(**named, destination__exception_loops=True), Workload())
    assert (outcome.fate, story(outcome)[-1]) == (Fate.LOOPS, "bus_moves_in_a_circle")
    assert run_flow(bus(**named, destination__exception_loops=False), Workload()).fate is Fate.EXCEPTION_DESTINATION
