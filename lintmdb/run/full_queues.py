"""Queues that poison messages are moved to, and that were full when they were exported: none gets there then.

How full a queue is changes by the minute, so no verdict rests on it. But a reader has to know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from lintmdb.delivery.workload import Workload
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.exports.mq import MqscFile
from lintmdb.model.environment_names import key_of
from lintmdb.model.facts import Facts
from lintmdb.model.origins import ChangeOrigin, resolved
from lintmdb.model.relations import Problem, PutTarget
from lintmdb.model.word_lists import listed
from lintmdb.run.queue_status import shown_status

FULL_QUEUE = "full_queue"
_NAMED = 3


class Depth(NamedTuple):
    """How many messages a queue had, and where that is shown."""

    path: str
    line: int
    messages: int


def full_queues(scripts: Iterable[MqscFile], facts: Facts) -> Iterator[Problem]:
    """A problem for each local queue of one queue manager that poison messages are moved to and that was full: that of
    the last export that shows how many messages it had. A message that finds its backout queue full is moved to the
    dead-letter queue.
    """
    shown = {
        name: Depth(path, status.line, status.messages)
        for name, (path, status) in shown_status(scripts).items()
        if status.messages is not None
    }
    if not shown:
        return
    full: dict[str, PutTarget] = {}
    for target in facts.rows["put_target"]:
        depth = shown.get(target.local_queue or "")
        if depth is not None and target.max_depth and depth.messages >= target.max_depth:
            full[target.name] = target
    dead_letter = next((manager.dead_letter_queue or "" for manager in facts.rows["queue_manager"]), "")
    moved_from: dict[str, set[str]] = {}
    for queue in facts.rows["queue"] if full else ():
        names = {queue.backout_queue, queue.poison_queue} if queue.backout_threshold else set[str | None]()
        for name in {*names, *[dead_letter for name in names if name in full]}:
            if name in full:
                moved_from.setdefault(full[name].local_queue or "", set()).add(queue.name)
    last = full[dead_letter].local_queue if dead_letter in full else None
    for name, target in {target.local_queue or "": target for target in full.values()}.items():
        if name in moved_from:
            options = ["--backout-full"] * (name != last) + ["--dead-letter-full"] * (last is not None)
            waiting = {queue: shown[queue].messages for queue in moved_from[name] if queue in shown}
            yield _told(target, shown[name], sorted(moved_from[name]), options, waiting)


def workload_while_full(rows: FlowRows, full: Set[tuple[str, str]]) -> Workload | None:
    """A poison message while the queues are full that it may be moved to and that were so when they were exported, each
    with the key of its queue manager; None where they had room.
    """
    backout, dead_letter = (
        target is not None and (key_of(target.environment, target.queue_manager), target.local_queue or "") in full
        for target in (rows.backout, rows.dead_letter)
    )
    return Workload(backout_full=backout, dead_letter_full=dead_letter) if backout or dead_letter else None


def _full(target: PutTarget, depth: Depth) -> str:
    place = target.origins.get("max_depth")
    limit = f"MAXDEPTH({target.max_depth})"
    if place is not None and isinstance(resolved(place), ChangeOrigin):
        return f"had {depth.messages} messages when it was exported, and {limit} of the changes makes no room"
    return f"was full when it was exported, with {depth.messages} messages and {limit}"


def _told(
    target: PutTarget, depth: Depth, queues: list[str], options: Sequence[str], waiting: Mapping[str, int]
) -> Problem:
    """``waiting`` is how many messages the queues had that messages are moved from."""
    name = target.local_queue or ""
    more = f" and {len(queues) - _NAMED} more" if len(queues) > _NAMED else ""
    moved = f"{', '.join(queues[:_NAMED])}{more}" if more else listed(queues)
    most = sorted(waiting.items(), key=lambda entry: (-entry[1], entry[0]))[:_NAMED]
    # Who may use the dead-letter queue, and how it is emptied, is no matter of one application.
    planned = ", as lintmdb plan does where MDB109 fires and that makes room" if "--backout-full" in options else ""
    held = "".join(f". {queue} had {messages} messages then" for queue, messages in most if messages)
    return Problem(
        kind=FULL_QUEUE,
        path=depth.path,
        line=depth.line,
        text=(
            f"{name} of queue manager {target.queue_manager} {_full(target, depth)}. Until it has room, no poison "
            f"message of {moved} can be moved there{held}"
        ),
        next_step=(
            f"Take messages off {name}, or raise its MAXDEPTH{planned}; lintmdb trace {' '.join(options)} shows what"
            " becomes of a poison message until then"
        ),
        queue_manager=target.queue_manager,
        object=name,
    )
