"""Queues that poison messages are moved to, and that were full when they were exported: none gets there then.

How full a queue is changes by the minute, so no verdict rests on it. But a reader has to know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintmdb.exports.mq import MqscFile
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Problem
from lintmdb.model.word_lists import listed

FULL_QUEUE = "full_queue"
_NAMED = 3


def full_queues(scripts: Iterable[MqscFile], facts: Facts) -> Iterator[Problem]:
    """A problem for each local queue of one queue manager that poison messages are moved to and that was full: that of
    the last export that shows how many messages it had.
    """
    shown = {name: (file.path, depth) for file in scripts for name, depth in file.depths.items()}
    if not shown:
        return
    moved_from: dict[str, list[str]] = {}
    for queue in facts.rows["queue"]:
        for target in dict.fromkeys((queue.backout_queue, queue.poison_queue)) if queue.backout_threshold else ():
            moved_from.setdefault(target or "", []).append(queue.name)
    told: set[str] = set()
    for target in facts.rows["put_target"]:
        name, most, queues = target.local_queue or "", target.max_depth, moved_from.get(target.name)
        if name in told or name not in shown or not queues or not most:
            continue
        path, depth = shown[name]
        if depth.messages >= most:
            told.add(name)
            yield _told(name, most, path, depth.messages, depth.line, target.queue_manager, sorted(set(queues)))


def _told(name: str, most: int, path: str, messages: int, line: int, manager: str, queues: list[str]) -> Problem:
    more = f" and {len(queues) - _NAMED} more" if len(queues) > _NAMED else ""
    moved = f"{', '.join(queues[:_NAMED])}{more}" if more else listed(queues)
    return Problem(
        kind=FULL_QUEUE,
        path=path,
        line=line,
        text=(
            f"{name} of queue manager {manager} was full when it was exported, with {messages} messages and "
            f"MAXDEPTH({most}). Until it has room, no poison message of {moved} can be moved there"
        ),
        next_step=(
            f"Take messages off {name}, or raise its MAXDEPTH; lintmdb trace --backout-full shows what becomes of a "
            "poison message until then"
        ),
        queue_manager=manager,
        object=name,
    )
