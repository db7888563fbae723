"""Queues of a change that no flow meets: nothing judges them, and whoever asks about the change has to know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from lintmdb.engine.findings import FlowHead
from lintmdb.exports.mq import Command, MqscFile
from lintmdb.model.relations import Problem
from lintmdb.run.overlay import Overlay

_BACKOUT = ("BOTHRESH", "BOQNAME")


def unmet_queues(changes: Overlay, flows: Iterable[FlowHead]) -> Iterator[Problem]:
    """The backout attributes that scripts of a change set on queues that no flow names."""
    commands = [
        (script, command)
        for scripts in changes.scripts.values()
        for script in scripts
        for command in script.commands
        if command.noun == "QLOCAL" and _sets_backout(command)
    ]
    met = _names(flows) if commands else frozenset[str]()
    for script, command in commands:
        if command.name not in met:
            yield _problem(script, command)


def _sets_backout(command: Command) -> bool:
    of = {parameter.keyword: (parameter.value or "").strip(" '") for parameter, _ in command.parameters}
    return command.verb in ("DEFINE", "ALTER") and any(of.get(keyword, "") not in ("", "0") for keyword in _BACKOUT)


def _names(flows: Iterable[FlowHead]) -> frozenset[str]:
    """Every text that the rows of flows hold, names of queues among them."""
    return frozenset(
        value
        for head in flows
        for row in head.rows
        if is_dataclass(row)
        for column in fields(row)
        if isinstance(value := getattr(row, column.name), str)
    )


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
