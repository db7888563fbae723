"""Endpoints that somebody has to start again because of a plan: those that may have ceased to receive messages for good
before it is carried out, and those that have a queue open of which it changes what clients cache.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.workload import Workload
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.flow_rows import read_value
from lintmdb.engine.traces import trace_flow
from lintmdb.model.environment_names import key_of
from lintmdb.plan.evaluation import State, flow_key, worst_later
from lintmdb.plan.script_order import ScriptOrder, place_of
from lintmdb.plan.search import Solution
from lintmdb.plan.things import Thing, changed_things, things
from lintmdb.plan.trial import Trial
from lintmdb.run.full_queues import workload_while_full
from lintmdb.settings.changes import Assignment, Change, Stalled
from lintmdb.settings.kinds import restarted_servers, restarts_readers, servers_in
from lintmdb.settings.liberty import is_liberty
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
    full = trial.evaluator.full_queues(())
    full_then = trial.evaluator.full_queues(change for solution in solutions for change in solution.changes)
    for number, solution in enumerate(solutions):
        revived: dict[Thing, dict[Stalled, None]] = {}
        for key in trial.components[number].flows if solution.changes else ():
            stalled = list(_stalled(former[key], full))
            # What is not mended stops again.
            if stalled and (key not in later or _fates(later[key], full_then) != _fates(former[key], full)):
                for thing in {*things(former[key].rows), *things(later.get(key, former[key]).rows)}:
                    revived.setdefault(thing, {}).update(dict.fromkeys(stalled))
        if any(isinstance(change, Assignment) and restarts_readers(change) for change in solution.changes):
            solution.changes = with_readers(solution.changes, [former[key] for key in trial.components[number].flows])
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
    """Note with each change which of the endpoints that have to be started again a later script restarts."""
    numbers = {place: number for number, place in enumerate(order.places)}
    last: dict[tuple[str, str], tuple[int, str]] = {}
    scripts = {
        change.target.place_key: (numbers[place_of(change)], change.target.shown_place)
        for solution in solutions
        for change in solution.changes
        if change.target.product == "was" and not is_liberty(change.target)
    }
    for change in (change for solution in solutions for change in solution.changes):
        for server in restarted_servers(change):
            last[change.target.place_key, server] = numbers[place_of(change)], change.target.shown_place

    for change in (change for solution in solutions for change in solution.changes):
        for reader in change.readers if isinstance(change, Assignment) else ():
            script = scripts.get(reader.cell)
            if script is not None and script[0] > numbers[place_of(change)]:  # which names their restart, too
                for server in servers_in(reader.servers):
                    last.setdefault((reader.cell, server), script)

    def noted(stalled: Stalled, number: int) -> Stalled:
        found = [last.get((stalled.cell, server)) for server in servers_in(stalled.servers)]
        later = {cell for entry in found if entry is not None and entry[0] > number for cell in (entry[1],)}
        return stalled._replace(later=later.pop()) if later and all(entry is not None for entry in found) else stalled

    def with_later(change: Change) -> Change:
        number = numbers[place_of(change)]
        if change.revives:
            change = change._replace(revives=tuple([noted(each, number) for each in change.revives]))
        if isinstance(change, Assignment) and change.readers:
            change = change._replace(readers=tuple([noted(each, number) for each in change.readers]))
        return change

    for solution in solutions if last else ():
        solution.changes = tuple(map(with_later, solution.changes))


_KINDS = ("QLOCAL", "CHANNEL")
"""Objects that endpoints have open, so that they see a change only when they open them again."""


def with_readers(changes: Iterable[Change], heads: Iterable[FlowHead]) -> tuple[Change, ...]:
    """The changes with the endpoints of some flows that have the objects open, and see a change only after that."""
    readers = _readers(heads)
    return tuple([_with_readers(change, readers) for change in changes])


def _with_readers(change: Change, readers: Mapping[tuple[str, str, str], Mapping[Stalled, None]]) -> Change:
    if not isinstance(change, Assignment) or change.target.kind not in _KINDS or not restarts_readers(change):
        return change
    places = [change.target._replace(place=member).place_key for member in change.target.members]
    found = (readers.get((place, change.target.kind, change.target.name), {}) for place in places)
    return change._replace(readers=tuple({reader: None for each in found for reader in each}))


def _readers(heads: Iterable[FlowHead]) -> dict[tuple[str, str, str], dict[Stalled, None]]:
    """The endpoints that have each queue or channel open, by its queue manager, its kind and its name."""
    found: dict[tuple[str, str, str], dict[Stalled, None]] = {}
    for head in heads:
        if head.subject.kind in ("queue", "queue_manager"):
            continue
        reader = _as_read(head, stops=False)
        for kind, name in (("QLOCAL", reader.queue), ("CHANNEL", head.rows.endpoint.channel)):
            if name:
                found.setdefault((reader.place, kind, name), {})[reader] = None
    return found


def _stalled(head: FlowHead, full: Set[tuple[str, str]]) -> Iterator[Stalled]:
    """The endpoint of a flow as what a poison message stops or blocks, be it only the longest one, or one for which the
    queues that it is moved to had no room (``full``), even if that takes a user who may not put it on another. A bus
    tries again by itself, and a queue manager by itself (``--all-queues``) is none of the endpoints that read its
    queues.
    """
    if head.subject.kind != "queue_manager":
        yield from stalled_by(head, _fates(head, full))


def _fates(head: FlowHead, full: Set[tuple[str, str]]) -> tuple[Fate, ...]:
    """What becomes of a poison message, of the longest one, and of one while the queues are full that were so."""
    stories = [*trace_flow(head, None), *trace_flow(head, Workload(longest=True))]
    fates = [told.outcome.fate for told in stories if told.workload.poison]
    if (workload := workload_while_full(head.rows, full)) is not None:
        told = [story.outcome for story in trace_flow(head, workload)]
        fates += [Fate.BLOCKED if outcome.moved_if_allowed else outcome.fate for outcome in told]
    return tuple(fates)


def stalled_by(head: FlowHead, fates: Iterable[Fate]) -> tuple[Stalled, ...]:
    """The endpoint of a flow as what some fates of its messages stop or block."""
    has_manager = queue_manager(functools.partial(read_value, head.rows)) is not None
    stops = [fate is Fate.STOPPED for fate in fates if fate is Fate.STOPPED or (fate is Fate.BLOCKED and has_manager)]
    return tuple([_as_read(head, stops=each) for each in dict.fromkeys(stops)])


def _as_read(head: FlowHead, *, stops: bool) -> Stalled:
    """The endpoint of a flow with the queue that it reads, and where it runs."""
    read = functools.partial(read_value, head.rows)
    manager = queue_manager(read)
    name = read_text(read, "queue.name") or read_text(read, "endpoint.queue")
    queue = "" if read("endpoint.destination_type") == "topic" else name
    cell = key_of(read_text(read, "endpoint.environment"), read_text(read, "endpoint.cell"))
    servers = read_text(read, "server.config_paths")
    place = manager.place_key if manager is not None else ""
    return Stalled(place, queue, read_text(read, "endpoint.name"), stops, cell, servers)
