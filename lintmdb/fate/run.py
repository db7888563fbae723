"""Run the state machine that fits a flow."""

from __future__ import annotations

from lintmdb.fate.asf import asf_round
from lintmdb.fate.bus import BusDelivery
from lintmdb.fate.input_queue import InputQueue
from lintmdb.fate.non_asf import non_asf_round
from lintmdb.fate.outcome import Fate, Outcome, Story
from lintmdb.fate.readings import STRICT, Readings
from lintmdb.fate.stop import stop_of
from lintmdb.fate.values import UnknownValueError, Values
from lintmdb.fate.wmq import Run, run_rounds
from lintmdb.fate.workload import Workload


def run_flow(values: Values, workload: Workload, readings: Readings = STRICT) -> Outcome:
    """What happens to the messages of a workload on one flow.

    Never raises for a missing value: the fate is then undecided, and the outcome names what is missing.
    """
    story = Story()
    try:
        provider = values.text("endpoint.provider")
        if provider == "sib":
            return _on_bus(values, workload, story)
        if provider == "wmq":
            return _on_mq(values, workload, readings, story)
    except UnknownValueError as unknown:
        return _undecided(story, unknown.name)
    return _undecided(story, "endpoint.provider")  # generic JMS providers have rules of their own


def _undecided(story: Story, missing: str) -> Outcome:
    story.add("endpoint", "undecided", missing=missing)
    return Outcome(Fate.UNDECIDED, tuple(story.steps), missing=(missing,))


def _on_bus(values: Values, workload: Workload, story: Story) -> Outcome:
    _begin(values, story)
    delivery = BusDelivery(values, workload, story)
    if values.maybe("destination.receive_allowed") is False:
        name: str = values.maybe("destination.name") or "the destination"
        story.add("messaging engine", "bus_receive_disallowed", destination=name)
        return Outcome(Fate.BLOCKED, tuple(story.steps), left=max(workload.poison, 1))
    fate = delivery.run()
    watched = delivery.watched
    return Outcome(
        fate,
        tuple(story.steps),
        deliveries=watched.deliveries,
        moved=delivery.moved,
        left=len(delivery.messages),
        healthy_rolled_back=delivery.healthy_rolled_back,
        target=watched.target,
    )


def _on_mq(values: Values, workload: Workload, readings: Readings, story: Story) -> Outcome:
    _begin(values, story)
    queue = InputQueue(values, workload, story)
    if values.maybe("queue_name.get_enabled") is False:
        story.add("queue manager", "get_disabled", queue=queue.name)
        return Outcome(Fate.BLOCKED, tuple(story.steps), left=len(queue.messages))
    run = Run(values, workload, readings, story, queue, stop_of(values, readings, story))
    # z/OS has no non-ASF mode, whatever the property says.
    non_asf = values.integer("endpoint.non_asf_timeout_ms") > 0 and values.maybe("server.platform") != "zos"
    fate = run_rounds(run, non_asf_round if non_asf else asf_round)
    watched = queue.watched
    return Outcome(
        fate,
        tuple(story.steps),
        deliveries=watched.deliveries,
        moved=queue.moved,
        left=len(queue.messages),
        timed_out=watched.timed_out,
        healthy_rolled_back=run.healthy_rolled_back,
        target=watched.target,
    )


def _begin(values: Values, story: Story) -> None:
    if values.maybe("endpoint.initial_state") == "stopped":
        story.add("operator", "starts_first", endpoint=values.maybe("endpoint.name") or "the endpoint")
