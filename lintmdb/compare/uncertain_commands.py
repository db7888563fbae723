"""Commands that may not run, or whose values a deployment tool fills in, and that read otherwise in the later state.

What they set is unknown in both states, so that no verdict differs. The difference is told as one that is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from lintmdb.compare.managers_in_both import managers_in_both
from lintmdb.engine.findings import FlowHead
from lintmdb.exports.mq import Command, MqscFile
from lintmdb.exports.mq.commands import is_export
from lintmdb.model.relations import Problem
from lintmdb.run.estate import Estate
from lintmdb.run.script_groups import ScriptGroup
from lintmdb.run.unmet_changes import names_in_flows

_Object: TypeAlias = tuple[str, str]
_Wording: TypeAlias = tuple[str, tuple[tuple[str, str], ...]]
_RECORDS = ("QMGR", "AUTHREC", "CHLAUTH")
"""What concerns every flow of a queue manager."""


def changed_uncertain_commands(before: Estate, after: Estate, flows: Sequence[FlowHead]) -> Iterator[Problem]:
    """The first new command about each object of flows of which both states have commands that are uncertain."""
    for known, group, met in managers_in_both(before, after, names_in_flows(flows)):
        old, new = _uncertain(known), _uncertain(group)
        for target in sorted(old.keys() & new.keys()):
            noun, name = target
            if noun not in _RECORDS and name not in met:
                continue
            added = [place for wording, place in new[target].items() if wording not in old[target]]
            if added:
                yield _problem(group.name, *added[0])


def _uncertain(group: ScriptGroup) -> Mapping[_Object, Mapping[_Wording, tuple[MqscFile, Command]]]:
    found: dict[_Object, dict[_Wording, tuple[MqscFile, Command]]] = {}
    for script in group.scripts:
        for command in () if is_export(script) else script.commands:
            if command.doubtful or any(parameter.template for parameter, _ in command.parameters):
                said = sorted((parameter.keyword, parameter.value or "") for parameter, _ in command.parameters)
                wording = command.verb, tuple(said)
                found.setdefault((command.noun, command.name), {}).setdefault(wording, (script, command))
    return found


def _problem(queue_manager: str, script: MqscFile, command: Command) -> Problem:
    shown = f"{command.verb} {command.noun}" + (f"({command.name})" if command.name else "")
    reason = "it may not run" if command.doubtful else "a deployment tool fills in its values"
    return Problem(
        kind="unjudged_change",
        path=script.path,
        line=command.line,
        column=command.column,
        text=f"{shown} is another one than before and is not judged, because {reason}",
        next_step="Provide the commands as they run",
        queue_manager=queue_manager,
        object=f"{command.noun} {command.name}".strip(),
    )
