"""What would end a finding: the repairs of its rule, with the values of its flow, as changes of objects."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from lintmdb.engine.evidence import deciding_columns, find_commands
from lintmdb.engine.flow_rows import FlowRows, JudgedRows, find_origin, read_value
from lintmdb.model.columns import Value
from lintmdb.model.origins import ChangeOrigin, Origin
from lintmdb.rules.conditions import Condition, find_column
from lintmdb.rules.repairs import Repair, evaluate
from lintmdb.rules.rule import Rule
from lintmdb.settings.actions import ACTIONS, OBSTACLES
from lintmdb.settings.changes import Assignment, Change, Definition, Grant, Target, merge
from lintmdb.settings.kinds import KINDS
from lintmdb.settings.owners import Read, cluster_servers, transmission_channels
from lintmdb.settings.registry import PAUSES, SETTINGS, Setting

Alternative: TypeAlias = tuple[Change, ...]
"""Changes that end a finding together."""


Located: TypeAlias = Callable[[str], Origin | None]
"""Where the value of ``alias.column`` was read."""


def find_alternatives(rule: Rule, rows: JudgedRows) -> tuple[Alternative, ...]:
    """The ways to end a finding, the preferred one first. A repair is left out where its condition does not hold, or is
    not known to, and where the exports do not tell which object it would change.
    """
    if not rule.repairs:
        return ()
    return apply_repairs(rule.repairs, _reader(rows), functools.partial(find_origin, rows))


def _reader(rows: JudgedRows) -> Read:
    """What gives the values of a flow. A queue is not known where the destination names another queue manager than the
    one that the endpoint connects to, although that may have a queue of the same name.
    """
    read = functools.partial(read_value, rows)
    if not isinstance(rows, FlowRows) or not rows.endpoint.other_queue_manager or rows.queue_resolution == "resolved":
        return read
    return lambda name: None if name.partition(".")[0] in _OF_QUEUE else read(name)


_OF_QUEUE = frozenset(("queue", "queue_name", "backout"))


class Choice(NamedTuple):
    """Another way to end a finding, which its owners may want instead of the preferred one."""

    changes: Alternative
    choose_if: str
    """When they may want it: ``the endpoint must still stop ...``."""


def find_owner_choices(rule: Rule, rows: JudgedRows) -> tuple[Choice, ...]:
    """The alternatives to the preferred one that are a decision of the owners, as the rule says."""
    if not any(repair.choose_if for repair in rule.repairs):
        return ()
    read, locate = _reader(rows), functools.partial(find_origin, rows)
    return tuple(
        [
            Choice(changes, repair.choose_if)
            for repair in rule.repairs
            if repair.choose_if
            for changes in apply_repairs([repair], read, locate)
        ]
    )


def find_return(rule: Rule, rows: FlowRows, former: FlowRows) -> Alternative:
    """The changes that give a rule the values back that it had in an earlier state of the flow, so that its verdict is
    what it was; none where they were not known, or where not all that differs is an attribute or follows from one.
    """
    read = _reader(rows)
    differing = [name for name in rule.columns if rows.value(name) != former.value(name)]
    found: Alternative = ()
    for name in dict.fromkeys(_attribute_behind(name, rows, former) for name in differing):
        was = former.value(name)
        if name not in SETTINGS or was is None or was == rows.value(name):
            return ()
        made = _assigned(name, was, read, functools.partial(find_origin, rows))
        if not made:
            return ()
        found += made
    return found


def find_differing(rule: Rule, rows: FlowRows, former: FlowRows) -> frozenset[Origin]:
    """Where the values that decide and that differ from those of an earlier state of the flow were read. Those of an
    object that another name leads to now are at that name.
    """
    names: dict[str, None] = {}
    for name in deciding_columns(rule, rows):
        if rows.value(name) != former.value(name):
            naming = _RETURNS.get(name.partition(".")[0], name)
            names[naming if rows.value(naming) != former.value(naming) else name] = None
    found = [find_origin(rows, name) for name in names]
    return frozenset([*filter(None, found), *(place for name in names for place in find_commands(rows, name))])


def _attribute_behind(name: str, rows: FlowRows, former: FlowRows) -> str:
    """The attribute that a column follows from: its own, or where its object is another one, the one that names it."""
    if name in _RETURNS:
        return _RETURNS[name]
    naming = _RETURNS.get(name.partition(".")[0])
    if naming is None or (name in SETTINGS and rows.value(naming) == former.value(naming)):
        return name
    return naming


_RETURNS = {
    "queue.default_depth": "queue.max_depth",
    "backout.default_depth": "backout.max_depth",
    "queue.backout_resolution": "queue.backout_queue",
    "backout": "queue.backout_queue",
    "queue_manager.dead_letter_resolution": "queue_manager.dead_letter_queue",
    "dead_letter": "queue_manager.dead_letter_queue",
}
"""The attribute that what a name leads to follows from, by the column or by the alias of what it leads to."""


def is_left_to_owners(rule: Rule, rows: JudgedRows) -> bool:
    """Whether only the owners can choose among all that the rule offers on a flow, so that no plan makes any of it."""
    if not any(repair.choose_if for repair in rule.repairs):
        return False
    read = _reader(rows)
    offered = [repair for repair in rule.repairs if _is_offered(repair, read)]
    return bool(offered) and all(repair.choose_if for repair in offered)


def apply_repairs(repairs: Iterable[Repair], read: Read, locate: Located) -> tuple[Alternative, ...]:
    """The changes that repairs make on the values that ``read`` gives, those of each repair together."""
    found = [_changes(repair, read, locate) for repair in repairs if _is_offered(repair, read)]
    return tuple(dict.fromkeys([changes for changes in found if changes]))


def _is_offered(repair: Repair, read: Read) -> bool:
    return repair.condition is None or evaluate(repair.condition, read) == 1


def _changes(repair: Repair, read: Read, locate: Located) -> Alternative | None:
    """All changes of a repair; None where one of them cannot be made, or where nothing would change."""
    parts = [ACTIONS[name](read) for name in repair.actions]
    parts += [_assign(name, value, read, locate) for name, value in repair.assignments]
    merged: Alternative | None = ()
    for part in parts:
        merged = merge(merged, part) if merged is not None and part is not None else None
    if merged is None or read("queue_manager.platform") != "zos":
        return merged
    return tuple([change if isinstance(change, Grant) else _on_zos(change) for change in merged])


def _on_zos(change: Assignment | Definition) -> Change:
    return change._replace(on_zos=True) if change.target.product == "mq" else change


def _assign(name: str, value: Condition | str, read: Read, locate: Located) -> Alternative | None:
    """The assignment of a value to a setting, at the object that has it on this flow."""
    wanted: Value = value if isinstance(value, str) else evaluate(value, read)
    if wanted is not None and find_column(name).type == "boolean":
        wanted = bool(wanted)
    return _assigned(name, wanted, read, locate)


def _assigned(name: str, wanted: Value, read: Read, locate: Located) -> Alternative | None:
    for setting in SETTINGS[name]:
        target = setting.owner(read)
        new = setting.spell(wanted)
        if target is None or new is None:
            continue
        origin = locate(name)
        if origin is not None and _is_overridden(target, origin, locate):
            return None
        old = read_old_value(setting, target, read(name), origin)
        if new in (old, setting.spell(read(name))):
            return ()
        servers, channels = cluster_servers(target, read), transmission_channels(name, read)
        return (Assignment(target, name, setting.attribute, new, old, origin, servers=servers, channels=channels),)
    return None


def read_old_value(setting: Setting, target: Target, value: Value, origin: Origin | None) -> str | None:
    """What the object has now, as its file spells it."""
    word = isinstance(value, str) and setting.spelled and value not in setting.spelled
    if origin is None:
        return None if word else setting.spell(value)
    if word:  # the name of an exception destination, for which the column only says that there is one
        written = _WRITTEN.search(origin.text)
        return written.group(1) if written else None
    if setting.words == PAUSES and not origin.default:  # the column says whether it pauses, not after how many failures
        written = _WRITTEN.search(origin.text)
        return written.group(1) if written else None
    elsewhere = target.product == "was" and setting.kept_as.lower() not in origin.text.lower()
    if (origin.default or elsewhere) and setting.default == "":
        return ""  # another attribute of the object says it, or none
    variable = _VARIABLE.search(origin.text) if target.product == "was" else None
    return variable.group(1) if variable else setting.spell(value)


_WRITTEN = re.compile(r'="([^"]*)"\Z')
_VARIABLE = re.compile(r"""="([^"]*\$[({][^"]*)"\Z""")
"""A value of WebSphere that a variable is part of, as its file has it."""


def find_obstacles(rule: Rule, rows: JudgedRows) -> tuple[str, ...]:
    """Why the repairs of a rule would change nothing on a flow: where the values are that win over its objects' own,
    and what has to be known first.
    """
    read, locate = functools.partial(read_value, rows), functools.partial(find_origin, rows)
    offered = [repair for repair in rule.repairs if _is_offered(repair, read)]
    names = dict.fromkeys(name for repair in offered for name, _ in repair.assignments)
    asked = [OBSTACLES[name](read) for repair in offered for name in repair.actions if name in OBSTACLES]
    places = [(setting.owner(read), locate(name)) for name in names for setting in SETTINGS[name]]
    overridden = dict.fromkeys(
        f"{origin.path} has {origin.text}, which overrides {target.name}, so change it there"
        for target, origin in places
        if target is not None and origin is not None and _is_overridden(target, origin, locate)
    )
    return (*overridden, *(text for text in asked if text))


_OF_BEANS = ("/ejb-jar.xml", ".class")
"""How the files end that say what a bean declares."""


def _is_overridden(target: Target, origin: Origin, locate: Located) -> bool:
    """Whether a value comes from a file that wins over the object's own, so that no change of the object acts."""
    if target.kind == "liberty_specification":  # any of its own files may say a value, and its bean before them
        return origin.path.endswith(_OF_BEANS)
    column = KINDS[target.kind].read_beside
    place = locate(column) if column and not isinstance(origin, ChangeOrigin) else None
    return place is not None and place.path != origin.path
