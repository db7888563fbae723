"""Copies of group definitions (QSGDISP GROUP, z/OS). A command about the definition makes the copy of each queue
manager again, whatever somebody has altered in it (IBM MQ "Managing group objects").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from lintmdb.exports.mq import Command, MqscFile
from lintmdb.model.relations import Problem
from lintmdb.model.word_lists import listed
from lintmdb.resolve.mq.dispositions import disposition_of, drifted_keywords, group_place, shown_disposition
from lintmdb.resolve.mq.objects import MqObject, ObjectKey, object_key

_MOST = 3
"""How many attributes a notice names."""


def find_copy(objects: Mapping[ObjectKey, MqObject], command: Command) -> MqObject | None:
    """The copy that a queue manager has of the group definition which a command is about."""
    copy = objects.get(object_key(command.noun, command.name))
    return copy if copy is not None and shown_disposition(copy) == "COPY" else None


def made_again(copy: MqObject, definition: MqObject) -> MqObject:
    """A copy as its definition makes it. What no script shows of the definition stays as it is."""
    disposition = copy.values["QSGDISP"]
    if definition.unset == "unknown":
        return replace(copy, values={**copy.values, **definition.values, "QSGDISP": disposition})
    values = {**definition.values, "QSGDISP": disposition}
    return replace(copy, values=values, unset=definition.unset, hidden=definition.hidden)


class Drift(NamedTuple):
    """A group definition, and a copy that somebody has altered since it was made of it."""

    definition: MqObject
    copy: MqObject


def find_drift(objects: Mapping[ObjectKey, MqObject], command: Command) -> Drift | None:
    """What a command about a group definition finds at a queue manager; None where the copy is as it was made."""
    definition = objects.get(group_place(object_key(command.noun, command.name)))
    copy = find_copy(objects, command) if disposition_of(command) == "GROUP" and definition is not None else None
    if definition is None or copy is None or not any(drifted_keywords(copy, definition)):
        return None
    return Drift(definition, copy)


def overwritten_copy(
    queue_manager: str, file: MqscFile, command: Command, drift: Drift, remade: MqObject | None
) -> Problem | None:
    """A notice about a command that takes back what somebody has altered in the copy of a queue manager; None where it
    takes back nothing, or deletes the copy.
    """
    if remade is None:
        return None
    definition, copy = drift
    lost = [
        keyword
        for keyword in sorted(drifted_keywords(copy, definition))
        if keyword not in remade.values or remade.values[keyword].text != copy.values[keyword].text
    ]
    if not lost:
        return None
    own = [copy.values[keyword].parameter.text for keyword in lost]
    becomes = [f"{old} becomes {_written(remade, keyword)}" for old, keyword in zip(own, lost, strict=True)]
    shown = listed(becomes if len(lost) <= _MOST else [*becomes[:_MOST], f"{len(lost) - _MOST} more"])
    return Problem(
        kind="overwritten_copy",
        path=file.path,
        line=command.line,
        column=command.column,
        text=f"{command.verb} {command.noun}({command.name}) QSGDISP(GROUP) makes the copy at {queue_manager} again, "
        f"which differs from the group definition: {shown}",
        next_step=f"If that copy is to stay as it is, run at {queue_manager} afterwards: ALTER {command.noun}"
        f"('{command.name}') QSGDISP(COPY) {' '.join(own)}",
        queue_manager=queue_manager,
        object=f"{command.noun} {command.name}",
    )


def _written(target: MqObject, keyword: str) -> str:
    value = target.values.get(keyword)
    return "the default" if value is None else value.parameter.text
