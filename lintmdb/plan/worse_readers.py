"""Queues on which messages fare worse with all changes of a plan than before, with the rights of those who may read
them by the records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from lintmdb.engine.findings import Subject
from lintmdb.engine.traces import trace_flow
from lintmdb.model.environment_names import key_of
from lintmdb.plan.evaluation import State
from lintmdb.plan.search import Solution
from lintmdb.run.possible_readers import PossibleReader
from lintmdb.settings.changes import Change

Readers: TypeAlias = Callable[[], Sequence[PossibleReader]]


def newly_worse(before: State, readers_before: Readers, readers: Readers) -> Iterator[tuple[PossibleReader, Subject]]:
    """Each reader, with each queue on which messages fare worse then with its rights."""
    every = {head.subject: head for head in before.judgement.unread}
    former = {
        (reader.name, reader.is_group, entry.queue): entry.stories
        for reader in readers_before()
        for entry in reader.worse or ()
    }
    for reader in readers():
        for entry in reader.worse or ():
            head = every.get(entry.queue)
            was = former.get((reader.name, reader.is_group, entry.queue)) or (trace_flow(head, None) if head else ())
            poison = [told.outcome.harm for told in was if told.workload.poison]
            if poison and min(told.outcome.harm for told in entry.stories) < min(poison):
                yield reader, entry.queue


def note_worse_readers(solutions: Sequence[Solution], before: State, readers_before: Readers, readers: Readers) -> None:
    """Note with those who may lack rights where messages fare worse for that."""
    if not any(change.may_lack for solution in solutions for change in solution.changes):
        return
    found = {
        (key_of(queue.environment, queue.queue_manager or ""), queue.name, reader.words)
        for reader, queue in newly_worse(before, readers_before, readers)
    }

    def noted(change: Change) -> Change:
        place = change.target.place_key
        return change._replace(
            may_lack=tuple([lack._replace(worse=(place, lack.source, lack.who) in found) for lack in change.may_lack])
        )

    for solution in solutions if found else ():
        solution.changes = tuple([noted(change) if change.may_lack else change for change in solution.changes])
