"""``authority`` rows: what users may do with the queues that their messages are moved to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lintmdb.model.origins import Located
from lintmdb.model.relations import Authority, Queue, QueueManager
from lintmdb.resolve.mq.authorities import ADMINISTRATORS, RIGHTS, Authorities, Entity, has_right

_DEAD_LETTER_RIGHTS = ("put", "passall")

Identities = Mapping[str, frozenset[str] | None]
"""Users that connect, and their groups; None where the groups are not known."""
_Rights = Mapping[Entity, frozenset[str]]


class _Target(NamedTuple):
    """A queue that messages of an input queue are moved to."""

    rights: _Rights
    """What each entity may do with it."""
    origin: Located | None
    """The attribute that names it."""
    columns: Mapping[str, str]
    """The right that each column of the row asks for."""


def authority_rows(
    authorities: Authorities, queues: Iterable[Queue], manager: QueueManager, identities: Identities
) -> Iterator[Authority]:
    """A row for each local queue whose messages are moved aside, and each user of whom a right is known."""
    # The records prove nothing about a user that has none of its own and whose groups are not known.
    everywhere = {*identities, *({ADMINISTRATORS} & authorities.principals)}
    dead_letter = _dead_letter_target(authorities, manager)
    for queue in queues:
        targets = _targets(authorities, queue, dead_letter)
        if not targets:
            continue
        on_input = authorities.rights_on(queue.name)
        backout_rights: _Rights = targets[0].rights if queue.backout_queue else {}
        recorded = {name for kind, name in (*backout_rights, *on_input) if kind == "principal"}
        for user in sorted(everywhere | recorded):
            row = _authority_row(queue, user, identities.get(user), targets, on_input)
            if row is not None:
                yield row


def _targets(authorities: Authorities, queue: Queue, dead_letter: _Target | None) -> Sequence[_Target]:
    """The queues that messages of an input queue are moved to: its backout queue, then the dead-letter queue."""
    targets: list[_Target] = []
    if queue.backout_queue:
        rights = authorities.rights_on(queue.backout_queue)
        targets.append(_Target(rights, queue.origins.get("backout_queue"), {right: right for right in RIGHTS}))
    # Without a threshold no message is ever moved.
    if dead_letter is not None and queue.backout_threshold:
        targets.append(dead_letter)
    return targets


def _dead_letter_target(authorities: Authorities, manager: QueueManager) -> _Target | None:
    if not manager.dead_letter_queue:
        return None
    columns = {f"dead_letter_{right}": right for right in _DEAD_LETTER_RIGHTS}
    return _Target(authorities.rights_on(manager.dead_letter_queue), manager.origins.get("dead_letter_queue"), columns)


def _authority_row(
    queue: Queue, user: str, groups: frozenset[str] | None, targets: Iterable[_Target], on_input: _Rights
) -> Authority | None:
    """What one user may do; None instead of a row in which nothing is known."""
    held: dict[str, bool | None] = {}
    origins: dict[str, Located] = {}
    for target in targets:
        for column, right in target.columns.items():
            held[column] = has_right(user, groups, right, target.rights, on_input)
            # The attribute that names the queue explains a known right. An unknown one has another cause: the groups.
            if held[column] is not None and target.origin is not None:
                origins[column] = target.origin
    if all(right is None for right in held.values()):
        return None
    return Authority(queue_manager=queue.queue_manager, queue=queue.name, user=user, **held, origins=origins)
