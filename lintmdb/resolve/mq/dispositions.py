"""Queue-sharing groups of IBM MQ for z/OS: objects of one name that differ in disposition (QSGDISP).

A private object (QMGR, COPY) is on a page set of its queue manager. The shared repository holds shared queues (SHARED)
and definitions from which each queue manager makes a copy (GROUP): an open finds the copy, never the definition. A
queue that is both private and shared cannot be opened: that fails with 2343 (IBM MQ "Queue name resolution").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from lintmdb.exports.mq import Command, MqscFile
from lintmdb.model.relations import CommandDisposition
from lintmdb.resolve.mq.objects import AttributeReader, MqObject, ObjectKey, command_key

_SHARED, _GROUP = "SHARED ", "GROUP "
"""In front of the name space of objects that are in the shared repository."""


class Opened(NamedTuple):
    """What an open finds."""

    objects: Mapping[ObjectKey, MqObject]
    clashes: frozenset[str]
    """Queues that are both private and shared."""


def sharing_group_of(files: Iterable[MqscFile]) -> str | None:
    """QSGNAME of the queue manager of some files; blank where it is in no group, None where no file says it."""
    return next((file.sharing_group for file in files if file.sharing_group is not None), None)


def disposition_of(command: Command) -> str:
    """QSGDISP of a command; blank where it says none."""
    return command.value("QSGDISP").strip().upper()


def shown_disposition(target: MqObject) -> str:
    """QSGDISP of an object; blank where no export shows it."""
    value = target.values.get("QSGDISP")
    return value.text.strip().upper() if value is not None else ""


def place_of(command: Command) -> ObjectKey:
    """Where a queue manager keeps the object of a command. Without QSGDISP a command is about a private object."""
    space, name = command_key(command)
    return {"SHARED": _SHARED, "GROUP": _GROUP}.get(disposition_of(command), "") + space, name


def in_repository(key: ObjectKey) -> bool:
    """Whether a place is in the shared repository."""
    return " " in key[0]


def is_shared(key: ObjectKey) -> bool:
    """Whether a place is that of a shared queue."""
    return key[0].startswith(_SHARED)


def group_place(key: ObjectKey) -> ObjectKey:
    """The place of the group definition from which a private object is copied."""
    return _GROUP + key[0], key[1]


def private_place(key: ObjectKey) -> ObjectKey:
    """The place of the private object that has the name of an object at a place."""
    return key[0].removeprefix(_SHARED).removeprefix(_GROUP), key[1]


def repository_only(objects: Mapping[ObjectKey, MqObject], key: ObjectKey) -> str:
    """The QSGDISP of what the repository holds under a name whose private place is empty; blank where it is not."""
    if key in objects:
        return ""
    if (_SHARED + key[0], key[1]) in objects:
        return "SHARED"
    return "GROUP" if group_place(key) in objects else ""


def find_opened(objects: Mapping[ObjectKey, MqObject]) -> Opened:
    """The object behind each name: the private one, else the shared one, else the copy that the group definition
    gives.
    """
    repository = [key for key in objects if in_repository(key)]
    if not repository:
        return Opened(objects, frozenset())
    opened = {
        key: replace(target, drifted=True) if _has_drifted(target, objects.get(group_place(key))) else target
        for key, target in objects.items()
        if not in_repository(key)
    }
    clashes: set[str] = set()
    for prefix in (_SHARED, _GROUP):
        for key in repository:
            private = (key[0].removeprefix(prefix), key[1])
            if not key[0].startswith(prefix):
                continue
            if prefix == _SHARED and private in opened:
                clashes.add(key[1])
            opened.setdefault(private, objects[key])
    return Opened(opened, frozenset(clashes))


def drifted_keywords(copy: MqObject, definition: MqObject) -> Iterator[str]:
    """The attributes that somebody has altered in a copy since it was made of a group definition."""
    for keyword, value in definition.values.items():
        if keyword not in _OWN_OF_A_COPY and keyword in copy.values and copy.values[keyword].text != value.text:
            yield keyword


_OWN_OF_A_COPY = frozenset({"QSGDISP", "ALTDATE", "ALTTIME", "CRDATE", "CRTIME"})
"""What a copy does not have from the group definition."""


def _has_drifted(copy: MqObject, definition: MqObject | None) -> bool:
    return definition is not None and any(drifted_keywords(copy, definition))


def command_disposition(read: AttributeReader, target: MqObject) -> CommandDisposition | None:
    """The QSGDISP that a command must say to reach an object; None where it needs none. A copy is altered by way of
    the group definition, from which the queue manager then makes it again, unless the copy differs: other members may
    be right as they are.
    """
    disposition = read.text(target, "QSGDISP")
    if not disposition:
        return None
    copied: CommandDisposition = "COPY" if target.drifted else "GROUP"
    places: Mapping[str, CommandDisposition] = {"SHARED": "SHARED", "GROUP": "GROUP", "COPY": copied}
    return places.get(disposition.upper())
