"""What would end a finding: the repairs of its rule, with the values of its flow, as changes of objects."""

from __future__ import annotations

import functools
from typing import TypeAlias

from lintmdb.engine.flow_rows import JudgedRows, find_origin, read_value
from lintmdb.model.columns import Value
from lintmdb.model.origins import Origin
from lintmdb.rules.conditions import Condition, find_column
from lintmdb.rules.repairs import Repair, evaluate
from lintmdb.rules.rule import Rule
from lintmdb.settings.actions import ACTIONS
from lintmdb.settings.changes import PLANNED, Assignment, Change, Target, merge
from lintmdb.settings.kinds import KINDS
from lintmdb.settings.owners import Read
from lintmdb.settings.registry import SETTINGS

Alternative: TypeAlias = tuple[Change, ...]
"""Changes that end a finding together."""


def find_alternatives(rule: Rule, rows: JudgedRows) -> tuple[Alternative, ...]:
    """The ways to end a finding, the preferred one first. A repair is left out where its condition does not hold, or is
    not known to, and where the exports do not tell which object it would change.
    """
    if not rule.repairs:
        return ()
    read = functools.partial(read_value, rows)
    found = [_changes(repair, rows, read) for repair in rule.repairs if _is_offered(repair, read)]
    return tuple(dict.fromkeys([changes for changes in found if changes]))


def _is_offered(repair: Repair, read: Read) -> bool:
    return repair.condition is None or evaluate(repair.condition, read) == 1


def _changes(repair: Repair, rows: JudgedRows, read: Read) -> Alternative | None:
    """All changes of a repair; None where one of them cannot be made, or where nothing would change."""
    parts = [ACTIONS[name](read) for name in repair.actions]
    parts += [_assign(name, value, rows, read) for name, value in repair.assignments]
    merged: Alternative | None = ()
    for part in parts:
        merged = merge(merged, part) if merged is not None and part is not None else None
    return merged


def _assign(name: str, value: Condition | str, rows: JudgedRows, read: Read) -> Alternative | None:
    """The assignment of a value to a setting, at the object that has it on this flow."""
    wanted: Value = value if isinstance(value, str) else evaluate(value, read)
    if wanted is not None and find_column(name).type == "boolean":
        wanted = bool(wanted)
    for setting in SETTINGS[name]:
        target = setting.owner(read)
        new = setting.spell(wanted)
        if target is None or new is None:
            continue
        origin = find_origin(rows, name)
        if origin is not None and _is_overridden(target, origin, rows):
            return None
        unset = origin is not None and origin.default and setting.default == ""
        old = "" if unset else setting.spell(read(name))
        if old == new:
            return ()
        return (Assignment(target, name, setting.attribute, new, old, origin),)
    return None


def _is_overridden(target: Target, origin: Origin, rows: JudgedRows) -> bool:
    """Whether a value comes from a file that wins over the object's own, so that no change of the object acts."""
    column = KINDS[target.kind].read_beside
    place = find_origin(rows, column) if column and origin.path != PLANNED else None
    return place is not None and place.path != origin.path
