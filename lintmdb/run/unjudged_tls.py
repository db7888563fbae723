"""What a change does to TLS on channels of endpoints: clients may not get in afterwards, and no rule judges that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from lintmdb.engine.findings import FlowHead
from lintmdb.exports.mq import Command, MqscFile
from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.objects import MqObject, command_key, object_key
from lintmdb.resolve.mq.script import run_scripts
from lintmdb.run.overlay import Overlay
from lintmdb.run.running_order import running_order
from lintmdb.run.script_groups import ScriptGroup

_DEFAULTS = {"SSLCIPH": "", "SSLCAUTH": "REQUIRED", "SSLPEER": "", "CERTLABL": ""}
"""The attributes that decide whether a client and a channel agree on TLS, and the defaults of IBM MQ."""


def unjudged_tls(changes: Overlay, flows: Iterable[FlowHead], groups: Iterable[ScriptGroup]) -> Iterator[Problem]:
    """The commands of a change that give a channel of an endpoint other TLS settings."""
    changed = {
        key: {command.name for script in scripts for command in script.commands if command.noun == "CHANNEL"}
        for key, scripts in changes.scripts.items()
    }
    if not any(changed.values()):
        return
    used = _channels(flows)
    for group in groups:
        key = key_of(group.environment, group.name)
        names = changed.get(key, set()) & used.get(key, set())
        if names:
            yield from _of_group(group, changes.scripts[key], names)


def _channels(flows: Iterable[FlowHead]) -> Mapping[str, Set[str]]:
    """The channels of endpoints by ``key_of`` their queue manager."""
    found: dict[str, set[str]] = {}
    for head in flows:
        if head.rows.endpoint.channel:
            key = key_of(head.subject.environment, head.rows.endpoint.queue_manager or "")
            found.setdefault(key, set()).add(head.rows.endpoint.channel)
    return found


def _of_group(group: ScriptGroup, scripts: Iterable[MqscFile], names: Set[str]) -> Iterator[Problem]:
    order = running_order(group.scripts)[0]
    before = run_scripts(group.name, order, lent=group.lent)
    after = run_scripts(group.name, order, list(scripts), lent=group.lent)
    for name in sorted(names):
        key = object_key("CHANNEL", name)
        old, new = before.objects.get(key), after.objects.get(key)
        if old is None or new is None:  # MDB604 judges a channel that does not exist
            continue
        differing = _differing(_settings(old), _settings(new))
        if differing:
            yield _problem(group.name, *_last(scripts, name, differing), differing)


def _settings(channel: MqObject) -> dict[str, str | None]:
    """The TLS settings of a channel; None for one that is not known."""
    found: dict[str, str | None] = {}
    for keyword, default in _DEFAULTS.items():
        value = channel.values.get(keyword)
        if value is None:
            found[keyword] = None if channel.unset == "unknown" or keyword in channel.hidden else default
        else:
            found[keyword] = None if value.parameter.template else value.text.strip()
    return found


def _differing(old: Mapping[str, str | None], new: Mapping[str, str | None]) -> list[str]:
    """The settings that a change alters; without TLS before and after nothing but SSLCIPH counts."""
    if old["SSLCIPH"] == "" == new["SSLCIPH"]:
        return []
    return [keyword for keyword in _DEFAULTS if old[keyword] != new[keyword]]


def _last(scripts: Iterable[MqscFile], name: str, keywords: Iterable[str]) -> tuple[MqscFile, Command]:
    """The last command of a change that sets one of some attributes of a channel, or else the last about it."""
    about = [
        (script, command)
        for script in scripts
        for command in script.commands
        if command_key(command) == object_key("CHANNEL", name)
    ]
    setting = [
        (script, command)
        for script, command in about
        if any(parameter.keyword in keywords for parameter, _ in command.parameters)
    ]
    return (setting or about)[-1]


def _problem(queue_manager: str, script: MqscFile, command: Command, keywords: Iterable[str]) -> Problem:
    shown = f"{command.verb} CHANNEL({command.name}) changes {' and '.join(keywords)}"
    return Problem(
        kind="unjudged_change",
        path=script.path,
        line=command.line,
        column=command.column,
        text=f"{shown} of a channel that endpoints use, and lintmdb does not judge TLS: clients that do not fit cannot "
        "connect",
        next_step="Make sure that the TLS settings of the clients fit",
        queue_manager=queue_manager,
        object=f"CHANNEL {command.name}",
    )
