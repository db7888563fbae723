"""Puts to the queues of endpoints that succeed in the earlier of two states and fail in the later one: no rule judges
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from lintmdb.compare.managers_in_both import definitions_of, managers_in_both
from lintmdb.engine.findings import FlowHead
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.objects import QUEUE_TYPES
from lintmdb.run.estate import Estate
from lintmdb.run.script_groups import ScriptGroup
from lintmdb.run.unjudged_puts import queues_of, stopped_puts

_KEYWORDS = frozenset({"LIKE", "PUT", "STREAMQ", "STRMQOS"})


def changed_puts(before: Estate, after: Estate, flows: Sequence[FlowHead]) -> Iterator[Problem]:
    """What lets puts to the queues of flows of the later state fail that did not in the earlier one. Changes on top of
    the exports are left out: they have notices of their own.
    """
    for old, new, queues in managers_in_both(before, after, queues_of(flows)):
        if _refusing(old) != _refusing(new):
            yield from stopped_puts(definitions_of(old), definitions_of(new), queues)


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
