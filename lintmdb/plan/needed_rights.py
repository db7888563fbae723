"""The rights that the final state of a plan needs. A search joins repairs one after the other, and a later one can end
what a right was for: a queue that was its own backout queue gets another one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from lintmdb.engine.findings import FlowHead
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.model.environment_names import key_of
from lintmdb.plan.choices import Changes
from lintmdb.plan.evaluation import State
from lintmdb.plan.search import Solution
from lintmdb.plan.things import known_users
from lintmdb.settings.actions import BACKOUT_RIGHTS, BEHIND_RIGHTS, MOVE_RIGHTS, SOURCE_RIGHTS
from lintmdb.settings.changes import Change, Grant


class _Opened(NamedTuple):
    """A queue that a user or a group opens."""

    manager: str
    """The key of the queue manager."""
    queue: str
    user: str


def find_needless(solutions: Sequence[Solution], after: State) -> dict[int, Changes]:
    """The changes of the solutions that grant what ``after`` does not need, by number, each without these rights."""
    granting = {
        number: solution.changes
        for number, solution in enumerate(solutions)
        if any(isinstance(change, Grant) for change in solution.changes)
    }
    if not granting:
        return {}
    needed = _needed(after.judgement.flows)
    trimmed = {number: tuple(_trim(changes, needed)) for number, changes in granting.items()}
    return {number: changes for number, changes in trimmed.items() if changes != granting[number]}


def _trim(changes: Changes, needed: Mapping[_Opened, Set[str]]) -> Iterator[Change]:
    for change in changes:
        if not isinstance(change, Grant) or change.target.kind != "QUEUE":
            yield change
            continue
        wanted = needed[_Opened(change.target.place_key, change.target.name, change.user)]
        if wanted & set(change.rights) - set(change.kept):
            yield change._replace(rights=tuple([r for r in change.rights if r in wanted or r in change.kept]))


def _needed(flows: Iterable[FlowHead]) -> Mapping[_Opened, Set[str]]:
    needed: defaultdict[_Opened, set[str]] = defaultdict(set)
    for head in flows:
        manager = key_of(head.rows.endpoint.environment, head.rows.endpoint.queue_manager or "")
        for queue, rights in _roles(head.rows):
            for user in known_users(head.rows):
                needed[_Opened(manager, queue, user)].update(rights)
    return needed


def _roles(rows: FlowRows) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names of queues that a flow opens, and what it may do there."""
    yield rows.endpoint.queue or "", SOURCE_RIGHTS
    if rows.queue is not None:
        yield rows.queue.name, BEHIND_RIGHTS
        yield rows.queue.backout_queue or "", BACKOUT_RIGHTS
    if rows.queue_manager is not None:
        yield rows.queue_manager.dead_letter_queue or "", MOVE_RIGHTS
