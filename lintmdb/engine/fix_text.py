"""The fix of a finding as text: the changes of its repairs in the products' own languages, and the rule's advice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintmdb.engine.repairs import Alternative
from lintmdb.settings.afterwards import afterwards, who_needs_rights
from lintmdb.settings.changes import Assignment, Change, Definition, Grant, Target
from lintmdb.settings.kinds import console_path
from lintmdb.settings.liberty import OVERRIDES, drop_in, is_liberty
from lintmdb.settings.mqsc import alter_command, mqsc_command
from lintmdb.settings.registry import find_setting
from lintmdb.settings.wsadmin import wsadmin_commands

_NOT_ENOUGH = (
    "The exports do not contain everything that a repair needs. Export the whole queue manager and the whole cell."
)


def fix_lines(alternatives: Sequence[Alternative], obstacles: Sequence[str], advice: str) -> list[str]:
    """The alternatives, the preferred one first, what stands in the way of others, and the advice.

    MQSC stands as it is, commands for wsadmin behind ``wsadmin:``, a place in the console as a path; other lines are
    for people.
    """
    lines: list[str] = []
    for number, changes in enumerate(alternatives):
        lines += ["or:"] if number else []
        lines += _alternative(changes)
    lines += obstacles
    if advice:
        lines += advice.split("\n")
    return lines or [_NOT_ENOUGH]


def _alternative(changes: Alternative) -> Iterator[str]:
    altered: dict[Target, list[Assignment]] = {}
    for change in changes:
        if isinstance(change, Assignment) and change.target.product == "mq":
            altered.setdefault(change.target, []).append(change)
        else:
            yield from change_lines(change)
    yield from map(alter_command, altered.values())
    granted = {change.target.name for change in changes if isinstance(change, Grant)}
    for change in changes:
        if isinstance(change, Definition) and (name := change.opened_as or change.target.name) in granted:
            yield f"{who_needs_rights([name])}."
    yield from (f"{sentence}." for sentence in afterwards(changes))


def change_lines(change: Change) -> list[str]:
    """One change in its product's language, without what has to be done before it acts."""
    if not isinstance(change, Assignment) or change.target.product == "mq":
        return [mqsc_command(change)]
    if is_liberty(change.target):
        return [console_line(change), *(f"{OVERRIDES}: {line}" for line in drop_in([change]))]
    return [console_line(change), *(f"wsadmin: {command}" for command in wsadmin_commands(change))]


def console_line(change: Assignment) -> str:
    """Where the console of WebSphere shows an attribute, and what to enter there."""
    setting = find_setting(change)
    label = setting.label or change.attribute
    where = console_path(change.target)
    if setting.label and setting.words:
        return f"{where}: {'select' if change.new == setting.words[1] else 'clear'} {label}"
    if not (setting.label or change.new):
        return f"{where}: remove {label}"
    return f"{where}: {label} = {setting.console.get(change.new, change.new or '(none)')}"
