"""Running MQSC scripts: DEFINE, ALTER, DELETE and SET AUTHREC in order, as the queue manager would run them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from lintmdb.exports.mq import Command, MqscFile, Parameter
from lintmdb.model.origins import InlineSuppression
from lintmdb.resolve.mq.authorities import Authorities, expand_rights
from lintmdb.resolve.mq.completeness import is_complete, is_partial
from lintmdb.resolve.mq.default_objects import hide_edited_defaults
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.dispositions import (
    disposition_of,
    find_opened,
    group_place,
    in_repository,
    is_repository_only,
    place_of,
)
from lintmdb.resolve.mq.objects import (
    DEFAULT_OBJECTS,
    PREDEFINED,
    QUEUE_TYPES,
    AttributeReader,
    MqObject,
    ObjectKey,
    Value,
    object_key,
)
from lintmdb.resolve.mq.platforms import detect_platform, supplied_values

_FLAGS = {
    "HARDENBO": ("HARDENBO", "yes"), "NOHARDENBO": ("HARDENBO", "no"),
    "SHARE": ("SHARE", "yes"), "NOSHARE": ("SHARE", "no"),
    "TRIGGER": ("TRIGGER", "yes"), "NOTRIGGER": ("TRIGGER", "no"),
}  # fmt: skip
# A dump has millions of values, and Value(...) takes three times as long.
_new_value = cast("Callable[[type[Value], tuple[str, MqscFile, Parameter, int]], Value]", tuple[object, ...].__new__)


@dataclass(slots=True)
class _State:
    """A queue manager while its scripts run."""

    manager: MqObject
    authorities: Authorities = field(default_factory=Authorities)
    authorities_known: bool = True
    objects: dict[ObjectKey, MqObject] = field(default_factory=dict[ObjectKey, MqObject])
    inline_suppressions: list[InlineSuppression] = field(default_factory=list[InlineSuppression])


def run_scripts(queue_manager: str, files: Sequence[MqscFile]) -> Definitions:
    """The state that scripts leave at a queue manager; each file runs after the one before it."""
    state = _State(
        MqObject("QMGR", queue_manager, files[0], 1, 1, unset="unknown"),
        authorities_known=not any(is_partial(file) for file in files),
        inline_suppressions=[
            lost._replace(queue_manager=queue_manager) for file in files for lost in file.lost_inline_suppressions
        ],
    )
    problems = [problem for file in files for problem in file.problems]
    has_templates = any(problem.kind == "template" for problem in problems)
    for file in files:
        for command in file.commands:
            if _is_for_another(command, queue_manager):
                continue
            if command.inline_suppressions:
                state.inline_suppressions += (
                    _attached(comment, queue_manager, command) for comment in command.inline_suppressions
                )
            if command.noun == "AUTHREC":
                if has_templates and any(parameter.template for parameter, _ in command.parameters):
                    state.authorities_known = False
                else:
                    _set_authority(state.authorities, command)
            elif command.noun == "QMGR":
                if command.verb == "ALTER":
                    state.manager = _merged(state.manager, file, command)
            elif command.name:
                _change_object(state.objects, file, command)
    platform = detect_platform(files)
    supplied = supplied_values(platform)
    opened = find_opened(hide_edited_defaults(state.objects, supplied))
    complete = is_complete(files, state.objects, platform)
    return Definitions(
        queue_manager=queue_manager,
        files=files,
        platform=platform,
        manager=state.manager,
        objects=opened.objects,
        clashes=opened.clashes,
        authorities=state.authorities if state.authorities_known else None,
        inline_suppressions=state.inline_suppressions,
        attributes=AttributeReader(queue_manager, supplied, problems),
        complete=complete,
        lists_queues=complete and (platform != "zos" or opened.shows_shared),
        clustered=any(_is_cluster_channel(target) for target in state.objects.values()),
    )


def _is_for_another(command: Command, queue_manager: str) -> bool:
    """Whether CMDSCOPE sends a command to another queue manager of the group; an asterisk sends it to all of them."""
    scope = next((p.value for p, _ in command.parameters if p.keyword == "CMDSCOPE" and p.value), None)
    return scope is not None and scope.strip() not in ("", "*", queue_manager)


def _change_object(objects: dict[ObjectKey, MqObject], file: MqscFile, command: Command) -> None:
    """Run one DEFINE, ALTER or DELETE of an object."""
    key = place_of(command)
    existing = objects.get(key)
    if existing is not None and existing.noun != command.noun:
        return  # the queue manager refuses: the object is of another type
    if command.verb != "DEFINE" and is_repository_only(objects, key):
        return  # the queue manager refuses: without QSGDISP the command is about a private object
    if command.verb == "DELETE":
        objects.pop(key, None)
    elif command.verb == "DEFINE":
        # DEFINE without REPLACE leaves an existing object as it is. It does define one that was only altered so far.
        if existing is None or not existing.defined or _replaces(command):
            objects[key] = _defined(objects, file, command)
    elif command.verb == "ALTER":
        objects[key] = _merged(existing or _altered_only(file, command), file, command)
        if in_repository(key) and disposition_of(command) == "GROUP":
            _refresh_copy(objects, file, command)


def _refresh_copy(objects: dict[ObjectKey, MqObject], file: MqscFile, command: Command) -> None:
    """Alter the copy with the group definition: the queue manager makes it again."""
    key = object_key(command.noun, command.name)
    copy = objects.get(key)
    if copy is not None and (found := copy.values.get("QSGDISP")) is not None and found.text.upper() == "COPY":
        altered = _merged(copy, file, command)
        objects[key] = replace(altered, values={**altered.values, "QSGDISP": found})


def _defined(objects: Mapping[ObjectKey, MqObject], file: MqscFile, command: Command) -> MqObject:
    """The object that DEFINE creates: a copy of another, with the attributes that the command sets."""
    inherited, unset = _inherited(objects, file, command)
    values = _with_parameters(inherited, file, command)
    return MqObject(command.noun, command.name, file, command.line, command.column, values, unset)


def _inherited(
    objects: Mapping[ObjectKey, MqObject], file: MqscFile, command: Command
) -> tuple[Mapping[str, Value], Literal["default", "unknown"]]:
    """What DEFINE copies, by LIKE or from the default object: values, and what attributes without a value have."""
    like = next((p.value for p, _ in command.parameters if p.keyword == "LIKE" and p.value), None)
    default = DEFAULT_OBJECTS.get(command.noun, "")
    source = like or default
    if not like and disposition_of(command) == "COPY":
        group = objects.get(group_place(object_key(command.noun, command.name)))
        if group is not None:
            return group.values, group.unset
    if source == command.name or (not like and file.dump is not None):
        return {}, "default"  # the order of a dump says nothing: hide_edited_defaults looks at the default object
    copied = objects.get(object_key(command.noun, source))
    if copied is not None:
        return copied.values, copied.unset
    return {}, "default" if source == default else "unknown"


def _altered_only(file: MqscFile, command: Command) -> MqObject:
    """An object that the scripts alter without defining it."""
    target = MqObject(command.noun, command.name, file, command.line, command.column)
    if command.name == DEFAULT_OBJECTS.get(command.noun):
        return target  # as IBM supplies it
    return replace(target, unset="unknown", defined=command.name in PREDEFINED)


def _merged(target: MqObject, file: MqscFile, command: Command) -> MqObject:
    return replace(target, values=_with_parameters(target.values, file, command))


def _with_parameters(values: Mapping[str, Value], file: MqscFile, command: Command) -> Mapping[str, Value]:
    """Values with those that a command sets in their place."""
    merged = dict(values)
    for parameter, line in command.parameters:
        keyword, value = parameter.keyword, parameter.value
        if keyword in _FLAGS:
            keyword, value = _FLAGS[keyword]
        if value is not None:
            merged[keyword] = _new_value(Value, (value, file, parameter, line))
    return merged


def _replaces(command: Command) -> bool:
    return any(parameter.keyword == "REPLACE" for parameter, _ in command.parameters)


def _is_cluster_channel(target: MqObject) -> bool:
    if target.noun != "CHANNEL" or target.name.startswith("SYSTEM.DEF."):
        return False
    kind = target.values.get("CHLTYPE")
    return kind is not None and kind.text.upper() in ("CLUSRCVR", "CLUSSDR")


def _attached(inline_suppression: InlineSuppression, queue_manager: str, command: Command) -> InlineSuppression:
    """The allowance of a comment above a command, for the object of that command."""
    if command.noun == "QMGR":
        return inline_suppression._replace(queue_manager=queue_manager, kind="queue_manager", name=queue_manager)
    kind = "queue" if command.noun in QUEUE_TYPES else "other"
    return inline_suppression._replace(queue_manager=queue_manager, kind=kind, name=command.name or command.noun)


def _set_authority(authorities: Authorities, command: Command) -> None:
    """Run one SET AUTHREC or DELETE AUTHREC."""
    values = {parameter.keyword: parameter.value or "" for parameter, _ in command.parameters}
    if values.get("OBJTYPE", "").upper() != "QUEUE" or "PROFILE" not in values:
        return
    added, removed = expand_rights(values.get("AUTHADD", "")), expand_rights(values.get("AUTHRMV", ""))
    profile = values["PROFILE"]
    for keyword, kind in (("PRINCIPAL", "principal"), ("GROUP", "group")):
        for name in _entity_names(values.get(keyword, "")):
            if command.verb == "DELETE":
                authorities.remove(profile, (kind, name))
            else:
                authorities.change(profile, (kind, name), added, removed)


@functools.lru_cache(maxsize=1024)  # a dump repeats the same few names thousands of times
def _entity_names(names: str) -> tuple[str, ...]:
    """The names of a PRINCIPAL or GROUP list, without the domain of a Windows user."""
    return tuple(name.strip().strip("'\"").partition("@")[0] for name in names.split(",") if name.strip())
