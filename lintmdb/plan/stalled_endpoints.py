"""Endpoints that may have ceased to receive messages for good before a plan is carried out: its changes let their
messages be delivered, but somebody has to start them again.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from lintmdb.delivery.fate import Fate
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.flow_rows import read_value
from lintmdb.engine.traces import trace_flow
from lintmdb.model.environment_names import key_of
from lintmdb.plan.evaluation import State, flow_key, worst_later
from lintmdb.plan.script_order import ScriptOrder, place_of
from lintmdb.plan.search import Solution
from lintmdb.plan.things import Thing, changed_things, things
from lintmdb.plan.trial import Trial
from lintmdb.settings.changes import Stalled
from lintmdb.settings.kinds import restarted_servers, servers_in
from lintmdb.settings.owners import queue_manager, read_text


def note_restarts(trial: Trial, solutions: Sequence[Solution], after: State) -> None:
    """Note with each change of the solutions which endpoints, whose messages it is about, may have to be started again.
    Only the fates of before count: why a change is made, and what else is, does not matter to a consumer that is
    blocked.
    """
    if not any(solution.changes for solution in solutions):
        return
    former = {flow_key(head): head for head in trial.before.judgement.flows}
    later = worst_later(trial.before, after)
    for number, solution in enumerate(solutions):
        revived: dict[Thing, dict[Stalled, None]] = {}
        for key in trial.components[number].flows if solution.changes else ():
            if stalled := list(_stalled(former[key])):
                for thing in {*things(former[key].rows), *things(later.get(key, former[key]).rows)}:
                    revived.setdefault(thing, {}).update(dict.fromkeys(stalled))
        if revived:
            solution.changes = tuple(
                [
                    change._replace(
                        revives=tuple({s: None for thing in changed_things(change) for s in revived.get(thing, ())})
                    )
                    for change in solution.changes
                ]
            )


def note_later_restarts(solutions: Sequence[Solution], order: ScriptOrder) -> None:
    """Note with each change which of the endpoints that may have to be started again a later script restarts."""
    numbers = {place: number for number, place in enumerate(order.places)}
    last: dict[tuple[str, str], tuple[int, str]] = {}
    for change in (change for solution in solutions for change in solution.changes):
        for server in restarted_servers(change):
            last[change.target.place_key, server] = numbers[place_of(change)], change.target.shown_place

    def noted(stalled: Stalled, number: int) -> Stalled:
        found = [last.get((stalled.cell, server)) for server in servers_in(stalled.servers)]
        later = {cell for entry in found if entry is not None and entry[0] > number for cell in (entry[1],)}
        return stalled._replace(later=later.pop()) if later and all(entry is not None for entry in found) else stalled

    for solution in solutions if last else ():
        solution.changes = tuple(
            [
                change._replace(revives=tuple([noted(each, numbers[place_of(change)]) for each in change.revives]))
                if change.revives
                else change
                for change in solution.changes
            ]
        )


def _stalled(head: FlowHead) -> Iterator[Stalled]:
    """The endpoint of a flow as what a poison message stops or blocks. A bus tries again by itself, and a queue manager
    that is judged by itself (``--all-queues``) is none of the endpoints that read its queues.
    """
    if head.subject.kind == "queue_manager":
        return
    read = functools.partial(read_value, head.rows)
    manager = queue_manager(read)
    name = read_text(read, "queue.name") or read_text(read, "endpoint.queue")
    queue = "" if read("endpoint.destination_type") == "topic" else name
    fates = dict.fromkeys(told.outcome.fate for told in trace_flow(head, None) if told.workload.poison)
    for fate in fates:
        if fate is Fate.STOPPED or (fate is Fate.BLOCKED and manager is not None):
            place = manager.place_key if manager is not None else ""
            cell = key_of(read_text(read, "endpoint.environment"), read_text(read, "endpoint.cell"))
            servers = read_text(read, "server.config_paths")
            yield Stalled(place, queue, read_text(read, "endpoint.name"), fate is Fate.STOPPED, cell, servers)
