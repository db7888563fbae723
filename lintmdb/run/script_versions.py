"""Whether files of one queue manager contradict each other: what one defines, another defines with other values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from lintmdb.exports.mq import Command, MqscFile
from lintmdb.exports.mq.vocabulary import NOTICED

_QUEUES = frozenset({"QLOCAL", "QALIAS", "QREMOTE", "QMODEL"})
_CHANGES = frozenset({"DEFINE", "ALTER"})
_RECORDS = frozenset({"AUTHREC", "CHLAUTH"})
_Key: TypeAlias = tuple[str, str, str]


class Contradiction(NamedTuple):
    """An object for which two files have different values: of several, the first in the alphabet."""

    shown: str
    """The object: ``QLOCAL(ORDERS.IN)``."""
    one: MqscFile
    other: MqscFile


def contradictions(files: Sequence[MqscFile]) -> list[Contradiction]:
    """For each two neighbouring files that contradict each other, an object that they do it about.

    Commands in another order find the same. A command that may not run contradicts nothing.
    """
    if len(files) < 2:
        return []
    held: dict[_Key, tuple[MqscFile, Mapping[str, str]]] = {}
    found: dict[tuple[str, str], list[Contradiction]] = {}
    for file in files:
        for key, values in _objects(file, certain=True).items():
            known = held.get(key)
            if known is not None and not _take_turns(known[0], file) and _differ(known[1], values):
                pair = (known[0].path, file.path)
                found.setdefault(pair, []).append(Contradiction(_shown(key, values), known[0], file))
            held[key] = (file, values)
    return [min(of_pair, key=lambda contradiction: contradiction.shown) for _, of_pair in sorted(found.items())]


def changes_of_scripts(exports: Sequence[MqscFile], scripts: Sequence[MqscFile]) -> list[Contradiction]:
    """For each script that changes what exports say, an object of it: ``one`` is the export, ``other`` the script.

    Scripts run in their order, so a value counts for the script that sets it last.
    """
    if not scripts:
        return []
    shown: dict[_Key, tuple[MqscFile, Mapping[str, str]]] = {}
    for export in exports:
        shown.update((key, (export, values)) for key, values in _objects(export).items())
    last: dict[_Key, dict[str, tuple[str, MqscFile]]] = {}
    for script in scripts:
        for key, values in _objects(script).items():
            last.setdefault(key, {}).update((keyword, (value, script)) for keyword, value in values.items())
    found: dict[str, list[Contradiction]] = {}
    for key in last.keys() & shown.keys():
        export, former = shown[key]
        for keyword, (value, script) in last[key].items():
            if former.get(keyword, value) != value and not _take_turns(export, script):
                found.setdefault(script.path, []).append(Contradiction(_shown(key, former), export, script))
    return [
        min(of_script, key=lambda change: (change.one.path, change.shown)) for _, of_script in sorted(found.items())
    ]


def _shown(key: _Key, values: Mapping[str, str]) -> str:
    noun = values["noun"]
    return f"{noun}({key[1]})" if key[1] else noun


def _take_turns(one: MqscFile, other: MqscFile) -> bool:
    """Whether something has two scripts run one after the other: the later one then has the last word."""
    return one.turn is not None and other.turn is not None and one.turn[0] == other.turn[0]


def other_commands(file: MqscFile) -> frozenset[tuple[object, ...]]:
    """The commands of a file that are about no queue, channel, topic or the queue manager: authorities and the like."""
    return frozenset(
        (command.verb, command.noun, command.name, *((p.keyword, p.value) for p, _ in command.parameters))
        for command in file.commands
        if command.noun not in _QUEUES and command.noun not in ("QMGR", "CHANNEL", "TOPIC")
    )


def _objects(file: MqscFile, *, certain: bool = False) -> Mapping[_Key, Mapping[str, str]]:
    """The values that a file gives each object explicitly, all of its commands taken together, or those that certainly
    run.
    """
    objects: dict[_Key, dict[str, str]] = {}
    for command in file.commands:
        seen = command.verb == "DISPLAY" and command.noun not in _RECORDS
        if not (command.verb in _CHANGES or seen) or not (command.name or command.noun == "QMGR"):
            continue
        if certain and command.doubtful:
            continue
        family = "Q" if command.noun in _QUEUES else command.noun
        disposition = next((p.value for p, _ in command.parameters if p.keyword == "QSGDISP" and p.value), "")
        name = "" if command.noun == "QMGR" else command.name
        values = objects.setdefault((family, name, disposition), {})
        values["noun"] = command.noun
        values.update(_values(command))
    return objects


def _values(command: Command) -> Iterable[tuple[str, str]]:
    for parameter, _ in command.parameters:
        keyword = parameter.keyword
        if keyword in ("REPLACE", "NOREPLACE", "CMDSCOPE", "LIKE") or keyword in NOTICED:
            continue
        if parameter.value is not None:
            yield keyword, parameter.value.strip()
        else:
            yield keyword.removeprefix("NO"), "no" if keyword.startswith("NO") else "yes"


def _differ(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return any(other.get(keyword, value) != value for keyword, value in one.items())
