"""Puts to the queues of endpoints that succeed in the earlier of two states and fail in the later one: no rule judges
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from lintmdb.engine.findings import FlowHead
from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.objects import QUEUE_TYPES
from lintmdb.resolve.mq.script import run_scripts
from lintmdb.run.estate import Estate
from lintmdb.run.running_order import running_order
from lintmdb.run.script_groups import ScriptGroup
from lintmdb.run.unjudged_puts import queues_of, stopped_puts

_KEYWORDS = frozenset({"LIKE", "PUT", "STREAMQ", "STRMQOS"})


def changed_puts(before: Estate, after: Estate, flows: Sequence[FlowHead]) -> Iterator[Problem]:
    """What lets puts to the queues of flows of the later state fail that did not in the earlier one. Changes on top of
    the exports are left out: they have notices of their own.
    """
    read = queues_of(flows)
    former = {key_of(group.environment, group.name): group for group in before.groups}
    for group in after.groups:
        key = key_of(group.environment, group.name)
        known = former.get(key)
        if known is not None and key in read and _refusing(known) != _refusing(group):
            old, new = (
                run_scripts(each.name, running_order(each.scripts)[0], lent=each.lent) for each in (known, group)
            )
            yield from stopped_puts(old, new, read[key])


def _refusing(group: ScriptGroup) -> Set[tuple[str, ...]]:
    """What the scripts of a queue manager say that may let puts fail, and which queues they delete."""
    return {
        (command.verb, command.name, *(f"{p.keyword}({p.value})" for p in said))
        for script in group.scripts
        for command in script.commands
        if command.noun in QUEUE_TYPES
        if (said := [p for p, _ in command.parameters if p.keyword in _KEYWORDS and _counts(p.keyword, p.value)])
        or command.verb == "DELETE"
    }


def _counts(keyword: str, value: str | None) -> bool:
    word = (value or "").strip().upper()
    return keyword == "LIKE" or word in ("DISABLED", "MUSTDUP") or (keyword == "STREAMQ" and bool(word))
