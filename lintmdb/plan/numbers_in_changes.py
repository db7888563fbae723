"""Numbers in a change script that are out of range: the queue manager refuses the command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from lintmdb.exports.mq import Command, MqscFile
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.objects import HIGHEST_INTEGER, LONGEST_MESSAGE_BYTES

_HIGHEST: Mapping[str, int] = MappingProxyType(
    {"BOTHRESH": HIGHEST_INTEGER, "MAXDEPTH": HIGHEST_INTEGER, "MAXMSGL": LONGEST_MESSAGE_BYTES}
)
_QUEUES = ("QLOCAL", "QMODEL")


def refuse_numbers(script: MqscFile, queue_manager: str) -> list[Problem]:
    """The commands on queues with a number that MQSC does not take. They are taken out of the script."""
    problems: list[Problem] = []
    for command in list(script.commands):
        found = list(_wrong(command, script.path, queue_manager))
        problems += found
        if found:
            script.commands.remove(command)
    return problems


def _wrong(command: Command, path: str, queue_manager: str) -> Iterator[Problem]:
    if command.noun not in _QUEUES or command.verb not in ("DEFINE", "ALTER"):
        return
    for parameter, line in command.parameters:
        highest, value = _HIGHEST.get(parameter.keyword), (parameter.value or "").strip()
        if highest is None or parameter.template or not value:
            continue
        if value.isascii() and value.isdigit() and int(value[:20]) <= highest:
            continue
        shown = f"{command.verb} {command.noun}({command.name}) would be refused by {queue_manager}"
        yield Problem(
            kind="refused_change",
            path=path,
            line=line,
            column=parameter.column,
            text=f"{shown}: {parameter.keyword}({value}) is not between 0 and {highest}",
            next_step="Correct the value",
            queue_manager=queue_manager,
            object=f"{command.noun} {command.name}",
        )
