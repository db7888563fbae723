"""Subscriptions of endpoints that the earlier of two states allows and the later one does not: no rule judges them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintmdb.compare.managers_in_both import definitions_of, managers_in_both
from lintmdb.engine.findings import FlowHead
from lintmdb.model.relations import Problem
from lintmdb.run.estate import Estate
from lintmdb.run.script_groups import ScriptGroup
from lintmdb.run.unjudged_subscriptions import stopped_subscriptions, subscribing_flows


def changed_subscriptions(before: Estate, after: Estate, flows: Sequence[FlowHead]) -> Iterator[Problem]:
    """What keeps flows of the later state from subscribing that let them in the earlier one. Changes on top of the
    exports are left out: they have notices of their own.
    """
    for old, new, subscribing in managers_in_both(before, after, subscribing_flows(flows)):
        if _written(old) != _written(new):
            yield from stopped_subscriptions(definitions_of(old), definitions_of(new), subscribing)


def _written(group: ScriptGroup) -> list[tuple[object, ...]]:
    """What the scripts of a queue manager say about topics and rights on them, in their order."""
    return [
        (command.verb, command.noun, command.name, *((p.keyword, p.value) for p, _ in command.parameters))
        for script in group.scripts
        for command in script.commands
        if command.noun == "TOPIC" or (command.noun == "AUTHREC" and command.value("OBJTYPE").upper() == "TOPIC")
    ]
