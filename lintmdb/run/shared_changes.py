"""Changes of what a queue-sharing group has in common: a command that one queue manager of the group runs on an object
in the shared repository (QSGDISP SHARED or GROUP, z/OS) changes that object for all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from lintmdb.exports.mq import Command, MqscFile
from lintmdb.model.environment_names import key_of
from lintmdb.resolve.mq.dispositions import disposition_of, in_repository, place_of, sharing_group_of
from lintmdb.resolve.mq.objects import ObjectKey, object_key
from lintmdb.run.overlay import Overlay
from lintmdb.run.script_groups import ScriptGroup


def spread(overlay: Overlay, groups: Iterable[ScriptGroup]) -> Overlay:
    """An overlay in which each queue manager also has the changes that others make to objects which it shares with
    them. All members of a queue-sharing group run these in one order, so that they end with the same objects.
    """
    if not any(_changes_shared(script) for scripts in overlay.scripts.values() for script in scripts):
        return overlay
    together: dict[tuple[str | None, str], list[ScriptGroup]] = {}
    for group in groups:
        if name := sharing_group_of(group.scripts):
            together.setdefault((group.environment, name), []).append(group)
    scripts = dict(overlay.scripts)
    for members in together.values():
        if len(members) > 1:
            scripts |= _of_members(members, overlay.scripts)
    return replace(overlay, scripts=scripts)


def _of_members(
    members: Sequence[ScriptGroup], scripts: Mapping[str, Sequence[MqscFile]]
) -> dict[str, Sequence[MqscFile]]:
    keys = [key_of(member.environment, member.name) for member in members]
    known = {key: _objects(member.scripts) | _lent(member) for key, member in zip(keys, members, strict=True)}
    anywhere = frozenset[ObjectKey]().union(*known.values())
    found: dict[str, Sequence[MqscFile]] = {}
    for key in keys:
        made = [
            part
            for other in keys
            for script in scripts.get(other, ())
            if (part := _part(script, own=other == key, known=known[key], anywhere=anywhere)).commands or other == key
        ]
        if made:
            found[key] = made
    return found


def _part(script: MqscFile, *, own: bool, known: frozenset[ObjectKey], anywhere: frozenset[ObjectKey]) -> MqscFile:
    """What a queue manager runs of a script of changes: its own script, without what is about a shared object that its
    exports leave out and those of another member show; of another member's the commands about shared objects.
    """

    def runs(command: Command) -> bool:
        if not _is_shared(command):
            return own
        place = _place(command)
        return place in known or (own and place not in anywhere) or command.verb == "DEFINE"

    kept = [command for command in script.commands if runs(command)]
    if own:
        return script if len(kept) == len(script.commands) else replace(script, commands=kept)
    # What is to be said of the file, the queue manager that it is for says.
    return replace(script, commands=kept, problems=[], lost_inline_suppressions=[], told_elsewhere=True)


def _changes_shared(script: MqscFile) -> bool:
    return any(map(_is_shared, script.commands))


def _is_shared(command: Command) -> bool:
    return bool(command.name) and command.verb != "DISPLAY" and in_repository(place_of(command))


def _place(command: Command) -> ObjectKey:
    """The object that a command is about: a definition of the group by the copy that a queue manager has."""
    return object_key(command.noun, command.name) if disposition_of(command) == "GROUP" else place_of(command)


def _lent(member: ScriptGroup) -> frozenset[ObjectKey]:
    """The shared queues that a queue manager has because other members show them."""
    return frozenset(member.lent.queues)


def _objects(scripts: Iterable[MqscFile]) -> frozenset[ObjectKey]:
    """The objects that the exports of a queue manager show, whether or not a script deletes them again."""
    return frozenset(_place(command) for script in scripts for command in script.commands if command.name)
