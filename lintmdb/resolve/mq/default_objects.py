"""What objects of a dump leave out where the default object was edited.

A dump without ``-a`` shows only attributes that differ from a default. IBM does not say which one: that of the
product, or that of the queue manager's own SYSTEM.DEFAULT object. Where the two differ, an attribute that is not there
is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lintmdb.resolve.mq.objects import DEFAULT_OBJECTS, MqObject, ObjectKey, object_key

_OWN = frozenset({"QSGDISP"})
"""Attributes that DEFINE never copies."""


def hide_edited_defaults(
    objects: Mapping[ObjectKey, MqObject], supplied: Mapping[str, str]
) -> Mapping[ObjectKey, MqObject]:
    """The objects, of which those of a dump hide what an edited default object of that dump may have given them."""
    edited: dict[str, frozenset[str]] = {}
    for noun, name in DEFAULT_OBJECTS.items():
        default = objects.get(object_key(noun, name))
        if default is not None and default.noun == noun and default.file.dump is not None:
            edited[noun] = _edited(default, supplied)
    if not any(edited.values()):
        return objects
    return {key: _hidden(target, edited.get(target.noun, frozenset())) for key, target in objects.items()}


def _edited(default: MqObject, supplied: Mapping[str, str]) -> frozenset[str]:
    """The attributes of a default object that are not as IBM supplies them, as far as that can be told."""
    return frozenset(
        keyword
        for keyword, value in default.values.items()
        if keyword not in _OWN and value.text.strip().upper() != supplied.get(keyword, "").upper()
    )


def _hidden(target: MqObject, edited: frozenset[str]) -> MqObject:
    left_out = edited - target.values.keys()
    if not left_out or target.file.dump is None or target.name == DEFAULT_OBJECTS.get(target.noun):
        return target
    return replace(target, hidden=left_out)
