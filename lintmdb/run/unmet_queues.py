"""Queues of a change that no flow meets: nothing judges them, and whoever asks about the change has to know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import fields, is_dataclass

from lintmdb.engine.findings import FlowHead
from lintmdb.exports.mq import Command, MqscFile
from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import Problem
from lintmdb.run.overlay import Overlay

_BACKOUT = ("BOTHRESH", "BOQNAME")


def unmet_queues(changes: Overlay, flows: Iterable[FlowHead]) -> Iterator[Problem]:
    """The backout attributes that scripts of a change set on queues that no flow names."""
    commands = [
        (manager, script, command)
        for manager, scripts in changes.scripts.items()
        for script in scripts
        for command in script.commands
        if command.noun == "QLOCAL" and _sets_backout(command)
    ]
    met = _names(flows if commands else ())
    for manager, script, command in commands:
        if command.name not in met.get(manager, ()):
            yield _problem(script, command)


def _sets_backout(command: Command) -> bool:
    of = {parameter.keyword: (parameter.value or "").strip(" '") for parameter, _ in command.parameters}
    return command.verb in ("DEFINE", "ALTER") and any(of.get(keyword, "") not in ("", "0") for keyword in _BACKOUT)


def _names(flows: Iterable[FlowHead]) -> Mapping[str, Set[str]]:
    """Every text that the rows of flows hold, names of queues among them, by ``key_of`` the flows' queue manager."""
    found: dict[str, set[str]] = {}
    for head in flows:
        key = key_of(head.subject.environment, head.rows.endpoint.queue_manager or "")
        found.setdefault(key, set()).update(
            value
            for row in head.rows
            if is_dataclass(row)
            for column in fields(row)
            if isinstance(value := getattr(row, column.name), str)
        )
    return found


def _problem(script: MqscFile, command: Command) -> Problem:
    return Problem(
        kind="unjudged_change",
        path=script.path,
        line=command.line,
        column=command.column,
        text=f"no endpoint in the exports reads {command.name}, so {command.verb} {command.noun} is not judged",
        next_step="Judge queues by themselves with --all-queues",
        object=f"{command.noun} {command.name}",
    )
