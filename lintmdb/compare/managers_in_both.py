"""The queue managers that two states have, each as it was and as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from lintmdb.model.environment_names import key_of
from lintmdb.resolve.mq.script import Definitions, run_scripts
from lintmdb.run.estate import Estate
from lintmdb.run.running_order import running_order
from lintmdb.run.script_groups import ScriptGroup

_Asked = TypeVar("_Asked")


def managers_in_both(
    before: Estate, after: Estate, asked: Mapping[str, _Asked]
) -> Iterator[tuple[ScriptGroup, ScriptGroup, _Asked]]:
    """The scripts of each queue manager in both states, and what ``asked`` has for its key; without an entry there, a
    queue manager is left out.
    """
    former = {key_of(group.environment, group.name): group for group in before.groups}
    for group in after.groups:
        key = key_of(group.environment, group.name)
        if key in former and key in asked:
            yield former[key], group, asked[key]


def definitions_of(group: ScriptGroup) -> Definitions:
    """What its scripts make of a queue manager."""
    return run_scripts(group.name, running_order(group.scripts)[0], lent=group.lent)
