"""TLS on the connections of endpoints: what a change gives a channel or a queue manager. Clients may not get in
afterwards, and no rule judges that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import TypeAlias

from lintmdb.engine.findings import FlowHead
from lintmdb.exports.mq import Command, MqscFile
from lintmdb.model.environment_names import key_of
from lintmdb.model.relations import Problem
from lintmdb.model.word_lists import listed
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.objects import MqObject, command_key, object_key
from lintmdb.resolve.mq.script import run_scripts
from lintmdb.run.overlay import Overlay
from lintmdb.run.running_order import running_order
from lintmdb.run.script_groups import ScriptGroup

_DEFAULTS = {"SSLCIPH": "", "SSLCAUTH": "REQUIRED", "SSLPEER": "", "CERTLABL": ""}
"""The attributes that decide whether a client and a channel agree on TLS, and the defaults of IBM MQ."""
_OF_MANAGER = ("CERTLABL", "CERTVPOL", "SSLCRLNL", "SSLFIPS", "SSLKEYR", "SUITEB")
"""The attributes of a queue manager that decide which certificates and cipher specifications its channels take."""
Settings: TypeAlias = Mapping[str, str | None]
"""TLS settings by keyword; None for one that is not known."""
STEP = "Make sure that the TLS settings of the clients fit"
NOT_JUDGED = "lintmdb does not judge TLS: clients that do not fit cannot connect"


def unjudged_tls(changes: Overlay, flows: Iterable[FlowHead], groups: Iterable[ScriptGroup]) -> Iterator[Problem]:
    """The commands of a change that give a channel of an endpoint, or its queue manager, other TLS settings."""
    concerned = {
        key
        for key, scripts in changes.scripts.items()
        if any(command.noun in ("CHANNEL", "QMGR") for script in scripts for command in script.commands)
    }
    if not concerned:
        return
    used = channels_of(flows)
    for group in groups:
        key = key_of(group.environment, group.name)
        if key in concerned and key in used:
            yield from _of_group(group, changes.scripts[key], used[key])


def channels_of(flows: Iterable[FlowHead]) -> Mapping[str, Set[str]]:
    """The channels of endpoints by ``key_of`` their queue manager."""
    found: dict[str, set[str]] = {}
    for head in flows:
        if head.rows.endpoint.channel:
            key = key_of(head.subject.environment, head.rows.endpoint.queue_manager or "")
            found.setdefault(key, set()).add(head.rows.endpoint.channel)
    return found


def _of_group(group: ScriptGroup, scripts: Sequence[MqscFile], names: Set[str]) -> Iterator[Problem]:
    order = running_order(group.scripts)[0]
    before = run_scripts(group.name, order, lent=group.lent)
    after = run_scripts(group.name, order, scripts, lent=group.lent)
    for name in sorted(names):
        key = object_key("CHANNEL", name)
        old, new = before.objects.get(key), after.objects.get(key)
        if old is None or new is None:  # MDB604 judges a channel that does not exist
            continue
        differing = differing_settings(channel_settings(old), channel_settings(new))
        if differing:
            about = [
                (script, command)
                for script in scripts
                for command in script.commands
                if command_key(command) == object_key("CHANNEL", name)
            ]
            whose = f"CHANNEL({name})", "a channel that endpoints use"
            yield _problem(group.name, *_last(about, differing), differing, whose)
    old_settings, new_settings = manager_settings(before.manager), manager_settings(after.manager)
    differing = [keyword for keyword in _OF_MANAGER if old_settings[keyword] != new_settings[keyword]]
    if differing and use_tls(after, names):
        about = [(script, command) for script in scripts for command in script.commands if command.noun == "QMGR"]
        whose = "QMGR", "a queue manager to which endpoints connect with TLS"
        yield _problem(group.name, *_last(about, differing), differing, whose)


def use_tls(definitions: Definitions, names: Iterable[str]) -> bool:
    """Whether one of some channels has a cipher specification, or may have one."""
    channels = (definitions.objects.get(object_key("CHANNEL", name)) for name in names)
    return any(channel is not None and channel_settings(channel)["SSLCIPH"] != "" for channel in channels)


def channel_settings(channel: MqObject) -> Settings:
    """The TLS settings of a channel."""
    return {keyword: _setting(channel, keyword, default) for keyword, default in _DEFAULTS.items()}


def manager_settings(manager: MqObject) -> Settings:
    """The TLS settings of a queue manager, whose defaults depend on its platform and its name."""
    return {keyword: _setting(manager, keyword, None) for keyword in _OF_MANAGER}


def _setting(target: MqObject, keyword: str, default: str | None) -> str | None:
    value = target.values.get(keyword)
    if value is None:
        return None if target.unset == "unknown" or keyword in target.hidden else default
    return None if value.parameter.template else value.text.strip()


def differing_settings(old: Settings, new: Settings) -> list[str]:
    """The settings of a channel that differ; without TLS before and after nothing but SSLCIPH counts."""
    if old["SSLCIPH"] == "" == new["SSLCIPH"]:
        return []
    return [keyword for keyword in _DEFAULTS if old[keyword] != new[keyword]]


def _last(about: Sequence[tuple[MqscFile, Command]], keywords: Iterable[str]) -> tuple[MqscFile, Command]:
    """The last of some commands that sets one of some attributes, or else the last of all."""
    setting = [
        (script, command)
        for script, command in about
        if any(parameter.keyword in keywords for parameter, _ in command.parameters)
    ]
    return (setting or about)[-1]


def _problem(
    queue_manager: str, script: MqscFile, command: Command, keywords: Sequence[str], whose: tuple[str, str]
) -> Problem:
    shown, what = whose
    return Problem(
        kind="unjudged_change",
        path=script.path,
        line=command.line,
        column=command.column,
        text=f"{command.verb} {shown} changes {listed(keywords)} of {what}, and {NOT_JUDGED}",
        next_step=STEP,
        queue_manager=queue_manager,
        object=f"{command.noun} {command.name}".strip(),
    )
