"""Who may read the queues that no endpoint reads and whose reader nobody names, by the authority records of the dumps,
and on which of these queues a message fares worse with the rights of each.

Without a name every right is taken for granted. To name the reader is for people, but the records say who it can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from lintmdb.delivery.fate import Fate
from lintmdb.engine.findings import FlowHead, Judgement, Subject
from lintmdb.engine.traces import Told, reader_has_every_right, trace_flow
from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import QueueName
from lintmdb.model.word_lists import listed
from lintmdb.resolve.mq.accounts import Entity
from lintmdb.resolve.mq.authorities import AuthorityRecords
from lintmdb.resolve.mq.script import run_scripts
from lintmdb.resolve.observations import EndpointObservation, Observations
from lintmdb.run.all_queues import heads_to_trace
from lintmdb.run.estate import UnresolvedEstate, resolve_exports
from lintmdb.run.full_queues import FULL_QUEUE, workload_while_full
from lintmdb.run.overlay import NOTHING, Overlay
from lintmdb.run.running_order import running_order
from lintmdb.run.script_groups import ScriptGroup

_MOST_JUDGED = 8
"""With the rights of more users and groups than these nothing is judged: each takes as long as to judge the queues."""
_MOST_QUEUES = 4_000
"""So many queues are judged with the rights of all of them, at most."""
_MOVE = ("put", "passall")
_MEMBER = "uid=member"
"""Stands for a user in a group alone, be it one of a directory: it has no record of its own."""

Stories: TypeAlias = tuple[Told, ...]
_Full: TypeAlias = frozenset[tuple[str, str]]


class Worse(NamedTuple):
    """A queue on which a message fares worse with the rights of a reader."""

    queue: Subject
    stories: Stories
    """What becomes of a poison message."""
    lacks: str
    """What the reader is known to lack: ``passall on the backout queue``; blank where that is something else."""
    while_full: bool = False
    """Whether that is so while a queue is full that was so when it was exported."""


class PossibleReader(NamedTuple):
    """A user, or any user in a group, who may get messages from queues by the records."""

    name: str
    is_group: bool
    queues: tuple[Subject, ...]
    worse: tuple[Worse, ...] | None = None
    """Those on which a message fares worse than with every right, be it that it goes to the dead-letter queue instead
    of the backout queue, with what becomes of it now, while the queues are full that were so when they were exported;
    None where nothing was judged with its rights."""
    open: tuple[Subject, ...] = ()
    """Those on which the records do not settle that, as where a group of the user may have more rights."""

    @property
    def words(self) -> str:
        """``paylib``, ``group payapp``."""
        return f"group {self.name}" if self.is_group else self.name


def possible_readers(
    exports: UnresolvedEstate,
    observed: Observations,
    judgement: Judgement,
    names: Iterable[QueueName],
    changes: Overlay = NOTHING,
) -> list[PossibleReader]:
    """Each of them, those of most queues first; ``names`` are those by which queues can be opened."""
    unnamed = {_place(head): head for head in judgement.unread if reader_has_every_right(head)}
    by_manager: dict[str, list[FlowHead]] = {}
    for (manager, _), head in unnamed.items():
        by_manager.setdefault(manager, []).append(head)
    aliases: dict[tuple[str, str], list[str]] = {}
    for name in names:
        if name.type == "alias" and name.local_queue:
            place = key_of(name.environment, name.queue_manager), name.local_queue
            aliases.setdefault(place, []).append(name.name)
    found: dict[Entity, list[FlowHead]] = {}
    for group in exports.groups:
        own = by_manager.get(key_of(group.environment, group.name), ())
        for entity, head in _of_manager(group, changes, own, aliases):
            found.setdefault(entity, []).append(head)
    readers = sorted(found, key=lambda entity: (-len(found[entity]), entity))
    judged = len(readers) <= _MOST_JUDGED and len(readers) * len(judgement.unread) <= _MOST_QUEUES
    full: _Full = frozenset(
        (key_of(notice.environment, notice.queue_manager or ""), notice.object or "")
        for notice in judgement.notices
        if notice.kind == FULL_QUEUE
    )
    told: list[PossibleReader] = []
    for entity in readers:
        reader = PossibleReader(entity[1], entity[0] == "group", tuple([head.subject for head in found[entity]]))
        if judged:
            fates = list(_fates(exports, _as_reader(observed, entity), changes, found[entity], full))
            worse = tuple([fate for fate in fates if isinstance(fate, Worse)])
            reader = reader._replace(worse=worse, open=tuple([fate for fate in fates if isinstance(fate, Subject)]))
        told.append(reader)
    return told


def _place(head: FlowHead) -> tuple[str, str]:
    return key_of(head.subject.environment, head.subject.queue_manager or ""), head.subject.queue or ""


def _of_manager(
    group: ScriptGroup,
    changes: Overlay,
    heads: Sequence[FlowHead],
    aliases: Mapping[tuple[str, str], Sequence[str]],
) -> Iterator[tuple[Entity, FlowHead]]:
    if not heads or group.is_configuration:
        return
    order = next(iter(running_order(group.scripts)))
    added = changes.scripts.get(key_of(group.environment, group.name), ())
    definitions = run_scripts(group.name, order, added, lent=group.lent)
    records = definitions.authority_records
    # On z/OS an external security manager decides, not authority records.
    if definitions.platform == "distributed" and records.queues_complete:
        for head in heads:
            opened = (_place(head)[1], *aliases.get(_place(head), ()))
            entities = dict.fromkeys(entity for name in opened for entity in may_get(records, name))
            yield from ((entity, head) for entity in entities)


def may_get(records: AuthorityRecords, queue: str) -> Iterator[Entity]:
    """Who has a record that lets it get by a name, without administrators."""
    for (kind, name), rights in records.queues.rights_on(queue).items():
        administrators = records.administrators
        known = administrators.have_group(name) if kind == "group" else administrators.have_user(name)
        if "get" in rights and not known:
            yield kind, name


def _as_reader(observed: Observations, entity: Entity) -> Observations:
    """The same observations, where somebody reads every queue whose reader nobody names."""
    kind, name = entity
    groups = frozenset((name,)) if kind == "group" else observed.users.get(name)
    seen = EndpointObservation(user=_MEMBER if kind == "group" else name, groups=groups)
    return replace(observed, users_at=(("*", seen), *observed.users_at))


def _fates(
    exports: UnresolvedEstate, observed: Observations, changes: Overlay, queues: Iterable[FlowHead], full: _Full
) -> Iterator[Worse | Subject]:
    """The queues on which a message fares worse if the user of the observations reads them, with what becomes of it,
    and those on which nobody knows whether it does.
    """
    exports = replace(exports, cells=[])  # whose endpoints read other queues
    heads = heads_to_trace(resolve_exports(exports, observed, changes).facts, all_queues=True)
    later = {head.subject: head for head in heads}
    for before in queues:
        after = later.get(before.subject)
        if after is None:
            continue
        was, stories = _stories(before, full), _stories(after, full)
        if _harm(stories) < _harm(was) or (_end(stories) is Fate.DEAD_LETTER_QUEUE is not _end(was)):
            yield Worse(before.subject, stories, _lacks(after), workload_while_full(after.rows, full) is not None)
        elif any(told.outcome.fate is Fate.UNDECIDED or told.outcome.moved_if_allowed for told in stories):
            yield before.subject


def _stories(head: FlowHead, full: _Full) -> Stories:
    """What becomes of a poison message now."""
    told = trace_flow(head, workload_while_full(head.rows, full))
    return tuple([story for story in told if story.workload.poison])


def _lacks(head: FlowHead) -> str:
    """The rights that a move takes and the reader is known to lack, by the kind of the queue."""
    lacking = (
        (f"the {words} queue", [right for right in _MOVE if head.rows.value(f"authority.{kind}{right}") is False])
        for kind, words in (("", "backout"), ("dead_letter_", "dead-letter"))
    )
    return listed([f"{listed(rights)} on {queue}" for queue, rights in lacking if rights])


def _end(stories: Stories) -> Fate | None:
    """What becomes of every poison message; None where that differs."""
    ends = {story.outcome.fate for story in stories}
    return ends.pop() if len(ends) == 1 else None


def _harm(stories: Stories) -> float:
    """The less the worse."""
    return min((story.outcome.harm for story in stories), default=0)
