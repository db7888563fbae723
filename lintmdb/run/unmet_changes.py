"""What a change names and no flow meets: nothing judges it, and whoever asks about the change has to know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import fields, is_dataclass

from lintmdb.engine.findings import FlowHead
from lintmdb.exports.mq import Command, MqscFile
from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.authorities import Entity
from lintmdb.resolve.mq.authority_commands import command_entities
from lintmdb.run.overlay import Overlay

_BACKOUT = ("BOTHRESH", "BOQNAME")


def unmet_queues(changes: Overlay, flows: Iterable[FlowHead]) -> Iterator[Problem]:
    """The backout attributes that scripts of a change set on queues that no flow names."""
    commands = [entry for entry in _commands(changes, "QLOCAL") if _sets_backout(entry[2])]
    met = _names(flows if commands else ())
    for manager, script, command in commands:
        if command.name not in met.get(manager, ()):
            yield _unread_queue(script, command)


def unmet_users(changes: Overlay, flows: Iterable[FlowHead]) -> Iterator[Problem]:
    """The users and groups whose authorities a change sets, and which differ in case alone from those of endpoints."""
    commands = list(_commands(changes, "AUTHREC"))
    met = _entities(flows if commands else ())
    for manager, script, command in commands:
        known = met.get(manager, set())
        for kind, name in command_entities(command):
            meant = sorted(other for of, other in known if of == kind and other.upper() == name.upper())
            if meant and name not in meant:
                yield _other_user(script, command, kind, name, meant[0])


def _commands(changes: Overlay, noun: str) -> Iterator[tuple[str, MqscFile, Command]]:
    for manager, scripts in changes.scripts.items():
        for script in scripts:
            yield from ((manager, script, command) for command in script.commands if command.noun == noun)


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


def _entities(flows: Iterable[FlowHead]) -> Mapping[str, Set[Entity]]:
    """The users of flows and their groups by ``key_of`` the flows' queue manager."""
    found: dict[str, set[Entity]] = {}
    for head in flows:
        here = found.setdefault(key_of(head.subject.environment, head.rows.endpoint.queue_manager or ""), set())
        if head.rows.user:
            here.add(("principal", head.rows.user))
        if head.rows.authority is not None and head.rows.authority.group:
            here.add(("group", head.rows.authority.group))
    return found


def _other_user(script: MqscFile, command: Command, kind: str, name: str, meant: str) -> Problem:
    whose = "the user of an endpoint" if kind == "principal" else "a group with which an endpoint reads"
    return Problem(
        kind="unjudged_change",
        path=script.path,
        line=command.line,
        column=command.column,
        text=f"{kind.upper()}({name}) is not {meant}, {whose}: case matters (except on Windows), and a name without "
        "quotes is taken in upper case",
        next_step=f"Write {kind.upper()}('{meant}') if that is meant",
        object=name,
    )


def _unread_queue(script: MqscFile, command: Command) -> Problem:
    return Problem(
        kind="unjudged_change",
        path=script.path,
        line=command.line,
        column=command.column,
        text=f"no endpoint in the exports reads {command.name}, so {command.verb} {command.noun} is not judged",
        next_step="Judge queues by themselves with --all-queues",
        object=f"{command.noun} {command.name}",
    )
