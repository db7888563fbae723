"""Run the state machine that fits a flow."""

from __future__ import annotations

from dataclasses import replace

from lintmdb.delivery.asf import asf_round
from lintmdb.delivery.bus import BusDelivery
from lintmdb.delivery.fate import Fate
from lintmdb.delivery.input_queue import InputQueue
from lintmdb.delivery.interpretations import STRICT, Interpretation
from lintmdb.delivery.message import build_messages
from lintmdb.delivery.non_asf import in_non_asf_mode, non_asf_round
from lintmdb.delivery.opening import is_shut_out
from lintmdb.delivery.outcome import Outcome, Story
from lintmdb.delivery.stop import build_stop
from lintmdb.delivery.values import UnknownValueError, Values
from lintmdb.delivery.wmq import Run, run_rounds
from lintmdb.delivery.workload import Workload


def run_flow(values: Values, workload: Workload, interpretation: Interpretation = STRICT) -> Outcome:
    """What happens to the messages of a workload on one flow.

    Never raises for a missing value: the fate is then undecided, and the outcome names what is missing.
    """
    story = Story()
    try:
        provider = values.text("endpoint.provider")
        if provider == "sib":
            return _on_bus(values, workload, interpretation, story)
        if provider == "wmq":
            return _on_mq(values, workload, interpretation, story)
    except UnknownValueError as unknown:
        if unknown.name == "endpoint.max_sessions" and _is_one_message(workload):
            return run_flow(values, replace(workload, sessions=1), interpretation)
        return _undecided(story, unknown.name, *_missing_behind(values, workload, interpretation, unknown.name))
    story.add("endpoint", "not_modelled", endpoint=values.shown("endpoint.name", "the endpoint"))
    return Outcome(Fate.UNDECIDED, tuple(story.steps))


def _is_one_message(workload: Workload) -> bool:
    """Whether no message is ever on its way beside another one: then any number of sessions does the same."""
    alone = workload.poison == 1 and not workload.healthy_between and not workload.traffic
    return workload.sessions is None and alone


def _missing_behind(
    values: Values, workload: Workload, interpretation: Interpretation, missing: str
) -> tuple[str, ...]:
    """What is missing even if it were known how many sessions there are: every run asks for that first."""
    if missing != "endpoint.max_sessions" or workload.sessions is not None:
        return ()
    return run_flow(values, replace(workload, sessions=1), interpretation).missing


def _undecided(story: Story, missing: str, *behind: str) -> Outcome:
    story.add("endpoint", "undecided", missing=missing)
    # Where the run ended, persistence may have made a difference.
    return Outcome(Fate.UNDECIDED, tuple(story.steps), persistence_matters=True, missing=(missing, *behind))


def _on_bus(values: Values, workload: Workload, interpretation: Interpretation, story: Story) -> Outcome:
    if _does_not_fit(values, story):
        return Outcome(Fate.BLOCKED, tuple(story.steps), left=len(build_messages(workload, persistent=True)))
    _begin(values, story)
    _say_when_it_arrives(workload, story)
    if workload.backout_full:
        story.add("messaging engine", "bus_without_backout_queue")
    delivery = BusDelivery(values, workload, interpretation, story)
    if values.maybe("destination.receive_allowed") is False:
        name = values.shown("destination.name", "the destination")
        story.add("messaging engine", "bus_receive_disallowed", destination=name)
        return Outcome(Fate.BLOCKED, tuple(story.steps), left=len(build_messages(workload, persistent=True)))
    fate = delivery.run()
    watched = delivery.watched
    return Outcome(
        fate,
        tuple(story.steps),
        deliveries=watched.deliveries,
        moved=delivery.moved,
        left=len(delivery.messages),
        timed_out=watched.timed_out,
        healthy_rolled_back=delivery.healthy_rolled_back,
        target=watched.target,
    )


def _on_mq(values: Values, workload: Workload, interpretation: Interpretation, story: Story) -> Outcome:
    if _does_not_fit(values, story):
        return Outcome(Fate.BLOCKED, tuple(story.steps), left=len(build_messages(workload, persistent=True)))
    _begin(values, story)
    queue = InputQueue(values, workload, interpretation, story)
    if is_shut_out(values, interpretation, story):
        return Outcome(Fate.BLOCKED, tuple(story.steps))
    if workload.backout_full and queue.sends_on():
        story.add("queue manager", "backout_queue_elsewhere")
    if values.maybe("queue_name.name_clash") is True:
        story.add("queue manager", "name_clash", queue=queue.name)
        return Outcome(Fate.BLOCKED, tuple(story.steps), left=len(queue.messages))
    if values.maybe("endpoint.other_queue_manager") and values.text("endpoint.queue_resolution") == "elsewhere":
        other = values.shown("endpoint.other_queue_manager", "")
        manager = values.shown("endpoint.queue_manager", "its queue manager")
        story.add("queue manager", "queue_elsewhere", queue=queue.name, other=other, queue_manager=manager)
        return Outcome(Fate.BLOCKED, tuple(story.steps), left=len(queue.messages))
    if values.maybe("queue_name.get_enabled") is False:
        story.add("queue manager", "get_disabled", queue=values.shown("queue_name.get_disabled_by", queue.name))
        return Outcome(Fate.BLOCKED, tuple(story.steps), left=len(queue.messages))
    run = Run(values, workload, interpretation, story, queue, build_stop(values, interpretation, story))
    receives = in_non_asf_mode(values, interpretation)
    if not receives:
        _say_when_it_arrives(workload, story)
    fate = run_rounds(run, non_asf_round if receives else asf_round)
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
        persistence_matters=queue.persistence_matters,
    )


def _does_not_fit(values: Values, story: Story) -> bool:
    """Whether the destination is not what the endpoint is made for, so that it cannot start."""
    if values.maybe("endpoint.destination_type") != "mismatch":
        return False
    name = values.shown("endpoint.name", "the endpoint")
    asked = values.shown("endpoint.destination_asked", "another destination")
    found = values.shown("endpoint.destination_found", "one of another kind")
    story.add("endpoint", "destination_does_not_fit", endpoint=name, asked=asked, found=found)
    return True


def _say_when_it_arrives(workload: Workload, story: Story) -> None:
    if workload.arrives_after_ms:
        story.add("endpoint", "arrival_does_not_matter", after_ms=workload.arrives_after_ms)


def _begin(values: Values, story: Story) -> None:
    if values.maybe("endpoint.initial_state") == "stopped":
        story.add("operator", "starts_first", endpoint=values.shown("endpoint.name", "the endpoint"))
