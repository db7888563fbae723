"""TLS settings that differ between two states, on the connections of endpoints: no rule judges them, as in a change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from lintmdb.compare.managers_in_both import definitions_of, managers_in_both
from lintmdb.engine.findings import FlowHead
from lintmdb.exports.mq.commands import is_export
from lintmdb.exports.mq.vocabulary import NOTICED
from lintmdb.exports.was.objects import CellConfig, Settings
from lintmdb.exports.was.resources import TLS_PROPERTIES
from lintmdb.model.environment_names import key_of
from lintmdb.model.origins import Origin, Setting
from lintmdb.model.relations import Problem
from lintmdb.model.word_lists import listed
from lintmdb.resolve.mq.objects import MqObject, object_key
from lintmdb.run.estate import Estate
from lintmdb.run.overlay import find_settings
from lintmdb.run.script_groups import ScriptGroup
from lintmdb.run.unjudged_tls import (
    NOT_JUDGED,
    STEP,
    channel_settings,
    channels_of,
    differing_settings,
    manager_settings,
    use_tls,
)
from lintmdb.settings import owners
from lintmdb.settings.changes import Target

_KEYWORDS = NOTICED | {"SSLCIPH", "SSLPEER", "LIKE"}
_HOLDERS = (owners.specification("wmq", "mq_specification"), owners.factory("connection_factory"))
"""What of a flow has the TLS settings of its connection to IBM MQ."""


def changed_tls(before: Estate, after: Estate, flows: Sequence[FlowHead]) -> Iterator[Problem]:
    """The channels and queue managers, activation specifications and connection factories of flows of the later state
    that have other TLS settings than in the earlier one. What only one of the states shows does not count, unless a
    script that people keep sets it. Changes on top of the exports are left out: they have notices of their own.
    """
    for old, new, used in managers_in_both(before, after, channels_of(flows)):
        if _written(old, used) != _written(new, used):
            yield from _of_manager(old, new, used)
    yield from _of_cells(before.cells, after.cells, flows)


def _written(group: ScriptGroup, names: Set[str]) -> list[tuple[object, ...]]:
    """What the scripts of a queue manager say about TLS of some channels and of itself, in their order."""
    return [
        (command.verb, command.noun, command.name, *said)
        for script in group.scripts
        for command in script.commands
        if command.noun == "QMGR" or (command.noun == "CHANNEL" and command.name in names)
        if (said := [(p.keyword, p.value) for p, _ in command.parameters if p.keyword in _KEYWORDS])
        or command.noun == "CHANNEL"
    ]


def _of_manager(before: ScriptGroup, after: ScriptGroup, names: Set[str]) -> Iterator[Problem]:
    one, other = definitions_of(before), definitions_of(after)
    for name in sorted(names):
        key = object_key("CHANNEL", name)
        old, new = one.objects.get(key), other.objects.get(key)
        if old is None or new is None:  # MDB604 judges a channel that does not exist
            continue
        was, now = channel_settings(old), channel_settings(new)
        found = [each for each in differing_settings(was, now) if _counts(was[each], now[each], new, each)]
        if found:
            yield _problem(_place(new, found), f"CHANNEL({name})", found, after.name)
    was, now = manager_settings(one.manager), manager_settings(other.manager)
    found = [each for each in now if was[each] != now[each] and _counts(was[each], now[each], other.manager, each)]
    if found and use_tls(other, names):
        yield _problem(_place(other.manager, found), f"queue manager {after.name}", found, after.name)


def _counts(old: str | None, new: str | None, target: MqObject, keyword: str) -> bool:
    value = target.values.get(keyword)
    return new is not None and (old is not None or (value is not None and not is_export(value.file)))


def _place(target: MqObject, keywords: Sequence[str]) -> Origin:
    """Where an object has the first of some settings, or else where it is defined."""
    return next((target.values[each].origin for each in keywords if each in target.values), target.definition())


def _of_cells(
    before: Sequence[Sequence[CellConfig]], after: Sequence[Sequence[CellConfig]], flows: Iterable[FlowHead]
) -> Iterator[Problem]:
    former = {key_of(cells[0].environment, cells[0].name or ""): cells for cells in before if cells}
    latter = {key_of(cells[0].environment, cells[0].name or ""): cells for cells in after if cells}
    targets: dict[Target, None] = {}
    for head in flows:
        targets.update((target, None) for owner in _HOLDERS if (target := owner(head.rows.value)) is not None)
    for target in targets:
        old = _tls(former.get(target.place_key, ()), target)
        new = _tls(latter.get(target.place_key, ()), target)
        if old is None or new is None:
            continue
        found = [name for name in TLS_PROPERTIES if _text(old, name) != _text(new, name)]
        if found:
            place = next(_origin(settings[name]) for settings in (new, old) for name in found if name in settings)
            noun = "connection factory" if target.kind == "connection_factory" else "activation specification"
            yield _problem(place, f"{noun} {target.name}", found, None)


def _tls(cells: Iterable[CellConfig], target: Target) -> Settings | None:
    """The settings of an object in the one whole export of a cell that has it."""
    found = [settings for cell in cells if cell.rooted for settings in find_settings(cell, target)]
    return found[0] if found else None


def _text(settings: Settings, name: str) -> str:
    return settings[name].value.strip() if name in settings else ""


def _origin(setting: Setting) -> Origin:
    return setting.origin if isinstance(setting.origin, Origin) else setting.origin.resolve()


def _problem(place: Origin, shown: str, names: Sequence[str], queue_manager: str | None) -> Problem:
    return Problem(
        kind="unjudged_change",
        path=place.path,
        line=place.line,
        column=place.column,
        text=f"{shown} has another {listed(names)} than before, and {NOT_JUDGED}",
        next_step=STEP,
        queue_manager=queue_manager,
        object=shown,
    )
