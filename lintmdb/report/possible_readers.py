"""Who may read queues by the records of the dumps, and what becomes of a poison message with the rights of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from lintmdb.compare.estates import Comparison, Side
from lintmdb.engine.findings import FlowHead, Subject
from lintmdb.engine.traces import reader_has_every_right
from lintmdb.model.environment_names import key_of
from lintmdb.plan.planned import Plan
from lintmdb.plan.worse_readers import newly_worse
from lintmdb.report.headline_fates import HeadlineFate
from lintmdb.report.queue_reader import reader_words
from lintmdb.report.subjects import subject_text
from lintmdb.report.terminal import Style, plural, safe, wrap
from lintmdb.run.possible_readers import PossibleReader, Worse
from lintmdb.settings.kinds import MOST_NAMES, listed_names

_SHOWN = 12


def readers_in_a_sentence(readers: Sequence[PossibleReader]) -> str:
    """Whose rights make the most difference, as ``not named. With the rights of paylib, who may read 19 queues, ...``;
    blank where messages fare worse with the rights of none.
    """
    worse = [reader for reader in readers if reader.worse]
    if not worse:
        return ""
    reader = max(worse, key=lambda reader: len(reader.worse or ()))
    whose = f"{reader.words}, {'which' if reader.is_group else 'who'} may read {plural(len(reader.queues), 'queue')}"
    others = f", and with those of {plural(len(worse) - 1, 'other', 'others')} on some, too" if len(worse) > 1 else ""
    fares = f"messages fare worse on {len(reader.worse or ())}{others}"
    return f"not named. With the rights of {whose}, {fares} (see the end)"


def reader_lines(
    readers: Sequence[PossibleReader], queues: Iterable[FlowHead], style: Style, *, every: bool
) -> Iterator[str]:
    """A line for each of them, and below it where messages fare worse with its rights; without ``every`` the first of
    many. Of ``queues``, which no endpoint reads, it also names the queue managers whose records are not known.
    """
    if not readers:
        return
    yield style.paint("bold", f"Who may read the queues by the records of the dumps: {len(readers)}")
    for reader in readers if every else readers[:_SHOWN]:
        told = f"{reader.words} may read {plural(len(reader.queues), 'queue')}"
        if reader.worse:
            told += f", and a poison message fares worse on {len(reader.worse)}"
        elif reader.worse is not None and not reader.open:
            told += ": by these records, no message fares worse than above"
        if reader.open:
            why = "what else its members may do" if reader.is_group else f"the groups of {reader.name}"
            told += f"{';' if reader.worse else ':'} on {len(reader.open)} that depends on {why}"
        yield from (f"  {line}" for line in wrap(safe(told), style.width - 2))
        worse = _by_fate(reader.worse or ())
        for fate, names in worse.items():
            count = f" on {len(names)}" if len(worse) > 1 else ""
            shown = listed_names(names, None if every else MOST_NAMES)
            first, *rest = wrap(safe(f"{fate}{count}: {shown}"), style.width - 6)
            yield f"    {first}"
            yield from (f"      {line}" for line in rest)
    managers = (head.rows.queue_manager for head in queues if reader_has_every_right(head))
    unknown = [each.name for each in managers if each is not None and each.lists_authorities is not True]
    if unknown and readers:
        names = listed_names(list(dict.fromkeys(unknown)))
        told = f"No export has all authority records of {names}: who may read there is not known"
        yield from (f"  {line}" for line in wrap(safe(told), style.width - 2))
    if not every and len(readers) > _SHOWN:
        yield f"  and {plural(len(readers) - _SHOWN, 'more', 'more')} (-v names them)"
    yield "  DISPLAY QSTATUS(*) TYPE(HANDLE) INPUT USERID shows who reads now"
    name = "Name who reads with --observations FILE, and everything above is judged with those rights."
    several = "If several users read one queue, run with a file for each of them" if len(readers) > 1 else ""
    yield from (f"  {line}" for line in wrap(f"{name} {several}".rstrip(" ."), style.width - 2))


def newly_worse_words(plan: Plan) -> Iterator[str]:
    """On which queues messages fare worse with all changes than before, with the rights of a reader."""
    found: dict[str, list[str]] = {}
    noted = {
        (change.target.place_key, lack.source, lack.who)
        for change in plan.changes
        for lack in change.may_lack
        if lack.worse
    }
    for reader, queue in newly_worse(plan.before, plan.readers_before, plan.readers):
        if (key_of(queue.environment, queue.queue_manager or ""), queue.name, reader.words) in noted:
            continue  # its place in the plan says so
        found.setdefault(reader.words, []).append(_short(queue))
    for words, names in found.items():
        yield f"With the rights of {words}, messages fare worse then than before: {listed_names(names)}."


def rights_on(readers: Iterable[PossibleReader], queue: Subject) -> Iterator[str]:
    """What becomes of messages on one queue with the rights of each reader with whose rights they fare worse."""
    for reader in readers:
        for fate in _by_fate(entry for entry in reader.worse or () if entry.queue == queue):
            yield f"With the rights of {reader.words}, who may read it by the records: {fate}."


def _short(subject: Subject) -> str:
    return subject_text(subject).removeprefix("queue ")


def notes_on_readers(comparison: Comparison, after: Side) -> list[str]:
    """What the fates of new and changed queues take for granted, as sentences: every right of a reader that nobody
    names. Those who may read them by the records are told where a message fares worse with their rights.
    """
    heads = [head for head, _ in comparison.added_queues] + [change.head for change in comparison.fates]
    queues = {head.subject for head in heads if head.subject.kind == "queue" and reader_has_every_right(head)}
    if not queues:
        return []
    client = reader_words(head for head in heads if head.subject.kind == "queue")
    notes = [f"Queues that no endpoint reads are judged for {client}."]
    notes += rights_words(after.readers(), queues)
    if len(notes) > 1:
        notes.append("Name who reads with --observations FILE, and the gate judges those rights.")
    return notes


def rights_words(
    readers: Iterable[PossibleReader], queues: Collection[Subject], most: int | None = MOST_NAMES
) -> Iterator[str]:
    """What becomes of messages on some queues with the rights of each reader with whose rights they fare worse; no more
    than ``most`` of them are named.
    """
    for reader in readers:
        worse = _by_fate(entry for entry in reader.worse or () if entry.queue in queues)
        told = "; ".join(f"{fate} ({listed_names(names, most)})" for fate, names in worse.items())
        if told:
            yield f"With the rights of {reader.words}, who may read by the records of the dumps: {told}."


def _by_fate(worse: Iterable[Worse]) -> dict[str, list[str]]:
    """The names of queues by what becomes of a message there, and which rights are missing for another end."""
    found: dict[str, list[str]] = {}
    for entry in worse:
        lacking = f", for want of {entry.lacks}" if entry.lacks else ""
        lacking += ", while a queue is full that was full when it was exported" if entry.while_full else ""
        found.setdefault(f"{HeadlineFate(entry.stories).words}{lacking}", []).append(_short(entry.queue))
    return found
