"""Subscriptions of endpoints that the earlier of two states allows and the later one does not: no rule judges them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintmdb.engine.findings import FlowHead
from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.script import run_scripts
from lintmdb.run.estate import Estate
from lintmdb.run.running_order import running_order
from lintmdb.run.script_groups import ScriptGroup
from lintmdb.run.unjudged_subscriptions import stopped_subscriptions, subscribing_flows


def changed_subscriptions(before: Estate, after: Estate, flows: Sequence[FlowHead]) -> Iterator[Problem]:
    """What keeps flows of the later state from subscribing that let them in the earlier one. Changes on top of the
    exports are left out: they have notices of their own.
    """
    subscribing = subscribing_flows(flows)
    former = {key_of(group.environment, group.name): group for group in before.groups}
    for group in after.groups:
        key = key_of(group.environment, group.name)
        known = former.get(key)
        if known is not None and key in subscribing and _written(known) != _written(group):
            former_state, state = (
                run_scripts(each.name, running_order(each.scripts)[0], lent=each.lent) for each in (known, group)
            )
            yield from stopped_subscriptions(former_state, state, subscribing[key])


def _written(group: ScriptGroup) -> list[tuple[object, ...]]:
    """What the scripts of a queue manager say about topics and rights on them, in their order."""
    return [
        (command.verb, command.noun, command.name, *((p.keyword, p.value) for p, _ in command.parameters))
        for script in group.scripts
        for command in script.commands
        if command.noun == "TOPIC" or (command.noun == "AUTHREC" and command.value("OBJTYPE").upper() == "TOPIC")
    ]
