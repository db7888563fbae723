"""Why a queue manager refuses a command about an object: the objects that it has, and those that it lacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lintmdb.exports.mq import Command
from lintmdb.resolve.mq.dispositions import (
    disposition_of,
    group_place,
    private_place,
    repository_only,
    shown_disposition,
)
from lintmdb.resolve.mq.objects import QUEUE_TYPES, MqObject, ObjectKey, command_key

_SUPPLIED = "SYSTEM."
"""How the names of IBM's own objects begin, which a queue manager has from the start and people take out of dumps."""


class Refusal(NamedTuple):
    """Why a queue manager refuses a command."""

    reason: str
    next_step: str
    if_complete: bool = False
    """Only if the scripts hold every object: it is the lack of one."""


def find_refusal(
    objects: Mapping[ObjectKey, MqObject], key: ObjectKey, command: Command, *, is_change: bool
) -> Refusal | None:
    """Why a queue manager with some objects refuses DEFINE, ALTER or DELETE of the one at a key; None where it does
    not. ``is_change`` says that all objects were there before, whatever the order in which exports list them.
    """
    existing = objects.get(key)
    if existing is None and (is_change or command.verb != "DEFINE"):
        existing = _behind_a_copy(objects, key)
    if existing is not None and existing.noun != command.noun and command.verb == "DEFINE":
        return Refusal(f"{command.name} exists as a {existing.noun}", "Choose another name, or DELETE that one first")
    if existing is not None and existing.noun != command.noun:
        return Refusal(f"{command.name} is a {existing.noun}", f"Name the object as it is: {existing.noun}")
    if command.verb == "DEFINE":
        # DEFINE without REPLACE leaves an existing object as it is. It does define one that was only altered so far.
        if existing is not None and existing.defined and not _replaces(command):
            return Refusal("it exists already", _how_to_replace(command))
        replaced = _other_channel_type(existing, command) if existing is not None else None
        if replaced is not None:
            reason = f"{command.name} is a channel of type {replaced}, and REPLACE does not change the type"
            return Refusal(reason, f"DELETE it first, or keep CHLTYPE({replaced})")
        return _without_model(objects, command) or (_of_result(objects, None, command) if is_change else None)
    if disposition := repository_only(objects, key):
        return Refusal("without QSGDISP it is about a private object", f"Add QSGDISP({disposition})")
    if existing is None:
        return _without_object(command)
    if (misplaced := _other_disposition(existing, command)) is not None:
        return misplaced
    other = _other_channel_type(existing, command) if command.verb == "ALTER" else None
    if other is not None:
        return Refusal(f"{command.name} is a channel of type {other}", f"Name it as it is: CHLTYPE({other})")
    return _of_result(objects, existing, command) if is_change and command.verb == "ALTER" else None


def _how_to_replace(command: Command) -> str:
    if command.rest_at:
        return f"Line {command.rest_at} may be the rest of it, with REPLACE: end the line above that in +"
    return "Write REPLACE, or use ALTER"


def _of_result(objects: Mapping[ObjectKey, MqObject], existing: MqObject | None, command: Command) -> Refusal | None:
    """Why DEFINE, or ALTER of an existing object, is refused for the values that the object would have."""
    if command.noun == "TOPIC" and command.verb == "DEFINE":
        return _same_topic_string(objects, command)
    if command.noun not in QUEUE_TYPES:
        return None
    # IBM MQ "DEFINE queues": only one of the resultant values of CLUSTER and CLUSNL can be nonblank.
    values = {keyword: _resultant(existing, command, keyword) for keyword in ("CLUSTER", "CLUSNL")}
    if not all(values.values()) or not any(p.keyword in values and p.value for p, _ in command.parameters):
        return None
    both = " and ".join(f"{keyword}({value})" for keyword, value in values.items())
    return Refusal(f"it would have both {both}, and only one may be nonblank", "Set the other one to ' '")


def _resultant(existing: MqObject | None, command: Command, keyword: str) -> str:
    """The value of an attribute after a command; blank where it has none, or that is not known."""
    given = next((p for p, _ in command.parameters if p.keyword == keyword), None)
    if given is not None:
        return "" if given.template else (given.value or "").strip()
    known = existing.values.get(keyword) if existing is not None else None
    return "" if known is None or known.parameter.template else known.text.strip()


def _same_topic_string(objects: Mapping[ObjectKey, MqObject], command: Command) -> Refusal | None:
    """Why DEFINE of a topic object is refused whose topic string another one has (MQRCCF_TOPICSTR_ALREADY_EXISTS)."""
    string = _resultant(None, command, "TOPICSTR")
    for (space, name), known in objects.items():
        value = known.values.get("TOPICSTR") if space == "TOPIC" and name != command.name else None
        if string and value is not None and not value.parameter.template and value.text.strip() == string:
            step = f"ALTER TOPIC({name}), or DELETE it first"
            return Refusal(f"TOPIC({name}) has the topic string {string}", step)
    return None


def _behind_a_copy(objects: Mapping[ObjectKey, MqObject], key: ObjectKey) -> MqObject | None:
    """The copy that a queue manager has of the group definition at a key: the definition is there, though exports that
    list what an open finds do not show it.
    """
    private = private_place(key)
    copy = objects.get(private) if key == group_place(private) else None
    return copy if copy is not None and shown_disposition(copy) == "COPY" else None


def _other_disposition(existing: MqObject, command: Command) -> Refusal | None:
    """Why ALTER or DELETE is refused of an object of another disposition: without QSGDISP, or with QSGDISP(QMGR), it is
    not about a copy of a group definition (IBM MQ "ALTER queues", the parameter QSGDISP).
    """
    shown, named = shown_disposition(existing), disposition_of(command) or "QMGR"
    if (shown, named) == ("COPY", "QMGR"):
        step = "Add QSGDISP(GROUP) to change the definition and every copy, or QSGDISP(COPY) to change this one"
        reason = (
            f"{command.name} is a copy of a group definition, and without another QSGDISP it is about QSGDISP(QMGR)"
        )
        return Refusal(reason, step)
    if (shown, named) == ("QMGR", "COPY"):
        return Refusal(f"{command.name} is no copy of a group definition", "Leave out QSGDISP(COPY)")
    return None


def parameter_word(command: Command, keyword: str) -> str | None:
    """The value of a parameter in upper case; None without any."""
    return next((p.value.upper() for p, _ in command.parameters if p.keyword == keyword and p.value), None)


def _replaces(command: Command) -> bool:
    return any(parameter.keyword == "REPLACE" for parameter, _ in command.parameters)


def _without_model(objects: Mapping[ObjectKey, MqObject], command: Command) -> Refusal | None:
    """Why a DEFINE is refused that copies an object which is not there."""
    like = next((p for p, _ in command.parameters if p.keyword == "LIKE"), None)
    name = like.value if like is not None and not like.template else None
    if not name or name.startswith(_SUPPLIED):
        return None
    key = (command_key(command)[0], name)
    model = objects.get(key) or objects.get(group_place(key))
    if model is not None and model.noun != command.noun:
        return Refusal(f"{name} in LIKE is a {model.noun}", f"Name a {command.noun} in LIKE")
    if model is not None:
        return None
    return Refusal(f"{name} in LIKE does not exist there", "Correct the name in LIKE", if_complete=True)


def _without_object(command: Command) -> Refusal | None:
    """Why ALTER or DELETE of an object is refused that is not there."""
    if command.name.startswith(_SUPPLIED) or (
        command.verb == "DELETE" and parameter_word(command, "IGNSTATE") == "YES"
    ):
        return None
    step = "Correct the name" if command.verb == "DELETE" else "DEFINE it, or correct the name"
    return Refusal("it does not exist there", step, if_complete=True)


def _other_channel_type(existing: MqObject, command: Command) -> str | None:
    """The type of a channel, where a command names another; None where both agree or one is not known."""
    known = existing.values.get("CHLTYPE") if command.noun == "CHANNEL" else None
    named = parameter_word(command, "CHLTYPE")
    if known is None or known.parameter.template or named is None or known.text.upper() == named:
        return None
    return known.text.upper()
