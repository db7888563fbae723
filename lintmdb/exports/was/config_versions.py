"""Listings of one configuration object in several files: whether they agree, and what they tell together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from lintmdb.exports.was.config_objects import READ, ConfigObject
from lintmdb.exports.was.resources import PROPERTIES, canonical_name, packed_pairs
from lintmdb.model.origins import Setting

_PACKED = "arbitraryProperties"
_ALL_NAMES = frozenset({"entries", "properties"})
"""Groups whose names are people's own."""
_Values: TypeAlias = dict[tuple[str, str], str]


def agree(one: ConfigObject, other: ConfigObject) -> bool:
    """Whether two listings of an object are one version of it: neither tells what the other denies."""
    here, there = dict(_told(one)), dict(_told(other))
    return all(
        here.get(place, "") == there.get(place, "")
        for place in here.keys() | there.keys()
        if _tells(one, here, *place) and _tells(other, there, *place)
    )


def together(one: ConfigObject, other: ConfigObject) -> ConfigObject:
    """All that two listings of an object tell that agree; the first where both tell it."""
    groups = {name: {**other.groups.get(name, {}), **one.groups.get(name, {})} for name in (*one.groups, *other.groups)}
    return replace(
        one,
        holder=one.holder or other.holder,
        attributes={**other.attributes, **one.attributes},
        unset=one.unset | other.unset,
        groups=groups,
        whole=one.whole | other.whole,
    )


def _tells(entry: ConfigObject, told: _Values, group: str, name: str) -> bool:
    """Whether a listing says of a property what it is, or that it is not set."""
    return (group, name) in told or name in entry.unset or group in entry.whole


def _told(entry: ConfigObject) -> Iterator[tuple[tuple[str, str], str]]:
    """The properties of an object that lintmdb reads, by group and name as the repository's files call them."""
    for group, settings in (("", entry.attributes), *entry.groups.items()):
        for name, value in _unpacked(settings):
            known = canonical_name(name)
            if known in READ or known in PROPERTIES or group in _ALL_NAMES:
                yield (group, known), value.strip()


def _unpacked(settings: dict[str, Setting]) -> Iterator[tuple[str, str]]:
    for name, setting in settings.items():
        if name == _PACKED:
            yield from packed_pairs(setting.value)
        else:
            yield name, setting.value
