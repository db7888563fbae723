"""Queues with backout attributes that are new in the later state and that nothing judges, as in a change."""

from __future__ import annotations

from collections.abc import Iterator

from lintmdb.engine.findings import Judgement
from lintmdb.model.environment_names import key_of
from lintmdb.model.origins import ChangeOrigin, LazyOrigin, Origin
from lintmdb.model.relations import Problem, Queue
from lintmdb.run.all_queues import has_backout_attributes
from lintmdb.run.estate import Estate
from lintmdb.run.unmet_changes import UNREAD_QUEUE_STEP, names_in_flows, sharing_managers

_BACKOUT = ("backout_threshold", "backout_queue")


def unjudged_queues(before: Estate, after: Estate, judgement: Judgement) -> Iterator[Problem]:
    """The queues of ``after`` that have backout attributes which ``before`` lacks or has other values of, and that no
    flow of ``judgement`` names. Queues of a change on top of the exports are left out: it has notices of its own.

    A queue that is new to a dump counts where the earlier state has all queues of the queue manager: a dump that is
    given for the first time changes none of them. Queues of scripts that may be part of another queue manager are left
    out, too: the notice about the scripts says why.
    """
    if judgement.all_queues:
        return
    former = {(row.environment, row.queue_manager, row.name): row for row in before.facts.rows["queue"]}
    listing = {key_of(row.environment, row.name) for row in before.facts.rows["queue_manager"] if row.lists_queues}
    apart = {(group.environment, group.name) for group in after.groups if group.is_apart}
    found: list[tuple[Queue, Problem]] = []
    for queue in after.facts.rows["queue"]:
        if (queue.environment, queue.queue_manager) in apart:
            continue
        known = former.get((queue.environment, queue.queue_manager, queue.name))
        place = _new_attribute(queue, known)
        if place is None or isinstance(place, ChangeOrigin):
            continue
        if known is not None:
            found.append((queue, _unread(queue, place, "its changed backout attributes are")))
        elif place.path in after.kept_scripts or key_of(queue.environment, queue.queue_manager) in listing:
            found.append((queue, _unread(queue, place, "this new queue is")))
    if not found:
        return
    met, sharing = names_in_flows(judgement.flows), sharing_managers(after.facts)
    for queue, problem in found:
        manager = key_of(queue.environment, queue.queue_manager)
        concerned = sharing.get(manager, (manager,)) if queue.shared_disposition else (manager,)
        if not any(queue.name in met.get(key, ()) for key in concerned):
            yield problem


def _new_attribute(queue: Queue, known: Queue | None) -> Origin | None:
    """Where a local queue has a backout attribute that it did not have before; None where it has none."""
    if queue.type != "local" or not (has_backout_attributes(queue) or (known and has_backout_attributes(known))):
        return None
    for column in _BACKOUT:
        value = getattr(queue, column)
        if known is None:
            differs = bool(value)
        else:
            differs = None not in (value, was := getattr(known, column)) and value != was
        if differs:
            origin = queue.origins.get(column)
            return origin.resolve() if isinstance(origin, LazyOrigin) else origin
    return None


def _unread(queue: Queue, place: Origin, what: str) -> Problem:
    return Problem(
        kind="unjudged_change",
        path=place.path,
        line=place.line,
        column=place.column,
        text=f"no endpoint in the exports reads or leads to {queue.name}, so {what} not judged",
        next_step=UNREAD_QUEUE_STEP,
        object=f"QLOCAL {queue.name}",
    )
