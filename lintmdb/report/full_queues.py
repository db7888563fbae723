"""What becomes of a poison message while the queues are full that it is moved to, for flows of which they were full
when they were exported.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.workload import Workload
from lintmdb.engine.findings import FlowHead, Notice
from lintmdb.engine.traces import trace_flow
from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import PutTarget
from lintmdb.model.word_lists import listed
from lintmdb.report.headline_fates import HeadlineFate, headline_fates
from lintmdb.report.subjects import ARROW, short_name
from lintmdb.run.full_queues import FULL_QUEUE, workload_while_full
from lintmdb.settings.kinds import listed_names

if TYPE_CHECKING:
    from lintmdb.compare.estates import Side


class FullQueues:
    """The queues that were full when they were exported, as notices tell."""

    def __init__(self, notices: Iterable[Notice] = (), places: Iterable[tuple[str, str]] = ()) -> None:
        """``places`` are others, by the key of the queue manager and the name, be it that no notice is about them."""
        self._places = frozenset(places) | frozenset(
            (key_of(notice.environment, notice.queue_manager or ""), notice.object or "")
            for notice in notices
            if notice.kind == FULL_QUEUE
        )

    def find(self, head: FlowHead, fates: Iterable[Fate]) -> list[str]:
        """The queues that were full: that which messages of a flow are moved to with some fates, and after it the
        dead-letter queue, which takes what a full backout queue does not. None where the first had room.
        """
        found: dict[str, None] = {}
        both = {
            Fate.BACKOUT_QUEUE: (head.rows.backout, head.rows.dead_letter),
            Fate.DEAD_LETTER_QUEUE: (head.rows.dead_letter,),
        }
        for fate in dict.fromkeys(fates) if self._places else ():
            first, *then = map(self._full, both.get(fate, (None,)))
            if first:
                found.update(dict.fromkeys((first, *filter(None, then))))
        return list(found)

    def _full(self, target: PutTarget | None) -> str:
        """The queue that keeps the messages, where it was full; otherwise blank."""
        name = target.local_queue if target is not None else None
        full = target is not None and (key_of(target.environment, target.queue_manager), name) in self._places
        return name or "" if full else ""

    def workload(self, head: FlowHead) -> Workload | None:
        """A poison message while the queues are full that were so; None where none was."""
        return workload_while_full(head.rows, self._places) if self._places else None

    def fate_meanwhile(self, head: FlowHead) -> HeadlineFate | None:
        """What becomes of a poison message until the queues have room; None where none was full. That may rest on
        rights on the dead-letter queue, so it is said where nobody knows them, also of a reader whom nobody names.
        """
        workload = self.workload(head)
        return HeadlineFate(tuple(trace_flow(head, workload))) if workload is not None else None

    def words_meanwhile(self, head: FlowHead) -> str:
        """``discarded while A.BO is full``; blank where the queues had room."""
        fate = self.fate_meanwhile(head)
        queues = self.find(head, (told.outcome.fate for told in trace_flow(head, None) if told.workload.poison))
        return (
            f"{fate.words} while {listed(queues)} {'is' if len(queues) == 1 else 'are'} full" if fate and queues else ""
        )


def notes_on_room(before: Side, after: Side) -> list[str]:
    """What becomes of messages whose backout queue was full in the earlier state alone, as sentences that name the
    flows and queues.
    """
    former, full = FullQueues(before.judgement.notices), FullQueues(after.judgement.notices)
    then = {after.known_as(head.subject): head for head in (*after.judgement.flows, *after.judgement.unread)}
    found: dict[str, list[str]] = {}
    for head in (*before.judgement.flows, *before.judgement.unread):
        was, later = former.words_meanwhile(head), then.get(before.known_as(head.subject))
        if was and later is not None and full.workload(later) is None and _has_room(head, later, after):
            found.setdefault(f"{was}{ARROW}{headline_fates([later])[0].words}", []).append(short_name(head.subject))
    notes = [f"Full before, with room now: {listed_names(names)}: {words}." for words, names in found.items()]
    more = len(notes) - _MOST_NOTES
    return [*notes[:_MOST_NOTES], *([f"Full before, with room now: {more} more backout queues."] if more > 0 else [])]


_MOST_NOTES = 6


def _has_room(before: FlowHead, after: FlowHead, side: Side) -> bool:
    """Whether messages are moved to the same queue as before, and an export shows that it has room."""
    was, now = before.rows.backout or before.rows.dead_letter, after.rows.backout or after.rows.dead_letter
    if was is None or now is None or was.local_queue != now.local_queue or not now.max_depth:
        return False
    if not after.rows.value("queue.backout_threshold"):
        return False
    shown = side.estate.queue_status.get((key_of(now.environment, now.queue_manager), now.local_queue or ""))
    return shown is not None and shown.status.messages is not None and shown.status.messages < now.max_depth


def were_full(queues: Sequence[str]) -> str:
    """What the exports show of queues, as the beginning of a sentence."""
    return f"{listed(queues)} {'was full when it was' if len(queues) == 1 else 'were full when they were'} exported"
