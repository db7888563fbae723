"""What would end a finding: the repairs of its rule, with the values of its flow, as changes of objects."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from lintmdb.engine.flow_rows import FlowRows, JudgedRows, find_origin, read_value
from lintmdb.model.columns import Value
from lintmdb.model.origins import ChangeOrigin, Origin
from lintmdb.rules.conditions import Condition, find_column
from lintmdb.rules.repairs import Repair, evaluate
from lintmdb.rules.rule import Rule
from lintmdb.settings.actions import ACTIONS, GRANTED, MEANT, OBSTACLES
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
    return apply_repairs(rule.repairs, reader_of(rows), functools.partial(find_origin, rows))


def reader_of(rows: JudgedRows) -> Read:
    """What gives the values of a flow. A queue is not known where the destination names another queue manager than the
    one that the endpoint connects to, although that may have a queue of the same name.
    """
    read = functools.partial(read_value, rows)
    if not isinstance(rows, FlowRows) or not rows.endpoint.other_queue_manager or rows.queue_resolution == "resolved":
        return read
    return lambda name: None if name.partition(".")[0] in _OF_QUEUE else read(name)


_OF_QUEUE = frozenset(("queue", "queue_name", "backout"))


def preferred_values(rule: Rule, rows: JudgedRows) -> dict[str, Value]:
    """The new values of the columns that the preferred way to end a finding sets, and the rights that it grants; empty
    where it does anything else.
    """
    if not rule.repairs:
        return {}
    read, locate = reader_of(rows), functools.partial(find_origin, rows)
    offered = (repair for repair in rule.repairs if _is_offered(repair, read))
    first = next((repair for repair in offered if _changes(repair, read, locate)), None)
    if first is None or not GRANTED.keys() >= {*first.actions}:
        return {}
    granted: dict[str, Value] = {right: True for action in first.actions for right in GRANTED[action]}
    return granted | {name: _wanted(name, value, read) for name, value in first.assignments}


class Choice(NamedTuple):
    """Another way to end a finding, which its owners may want instead of the preferred one."""

    changes: Alternative
    choose_if: str
    """When they may want it: ``the endpoint must still stop ...``."""
    evidence: str = ""
    """What speaks for it, as a sentence: where another queue is defined that may be meant."""
    place: Origin | None = None
    """Where that is."""


def find_owner_choices(rule: Rule, rows: JudgedRows) -> tuple[Choice, ...]:
    """The alternatives to the preferred one that are a decision of the owners, as the rule says."""
    if not any(repair.choose_if for repair in rule.repairs):
        return ()
    read, locate = reader_of(rows), functools.partial(find_origin, rows)
    return tuple(
        [
            Choice(changes, repair.choose_if, *_evidence(repair, read, locate))
            for repair in rule.repairs
            if repair.choose_if
            for changes in apply_repairs([repair], read, locate)
        ]
    )


def _evidence(repair: Repair, read: Read, locate: Located) -> tuple[str, Origin | None]:
    """What speaks for a repair that names another queue, and where that is defined; or where its number comes from."""
    for name, value in repair.assignments:
        if name == "endpoint.failure_threshold":
            return _why_so_many(_wanted(name, value, read), read), None
    meant = next((MEANT[action] for action in repair.actions if action in MEANT), None)
    place = locate(meant) if meant is not None else None
    if meant is None or place is None:
        return "", None
    where, manager = f"{place.path}:{place.line}", read("queue_manager.name")
    return f"{read(meant)} is defined at {where}. No queue of {manager} names it in BOQNAME.", place


def _why_so_many(limit: Value, read: Read) -> str:
    """Where a limit of failures comes from (docs/delivery.md), and what becomes of messages without one that all fail;
    blank for a limit that has to do with BOTHRESH alone.
    """
    sessions, threshold = read("endpoint.max_sessions"), read("queue.backout_threshold")
    if not (isinstance(sessions, int) and isinstance(threshold, int) and isinstance(limit, int)):
        return ""
    more = limit - threshold * max(sessions, 2)
    if threshold == 0 or more not in (0, 1):
        return ""
    count = f"its {sessions} sessions" if sessions > 2 else "two"
    why = "each of them may hold a poison message" if sessions > 2 else "two poison messages may come in a row"
    failures = f"{threshold} failed deliver{'y' if threshold == 1 else 'ies'}"
    origin = f"That is BOTHRESH times {count}{', and one more' * more}: {why}."
    refused = (read(name) is False for name in ("backout.takes_puts", "authority.put", "authority.passall"))
    if read("queue.backout_resolution") != "resolved" or any(refused):
        return origin
    return (
        f"{origin} An endpoint that goes on moves the messages"
        f" of such a time like poison messages, each after {failures}."
    )


def is_left_to_owners(rule: Rule, rows: JudgedRows) -> bool:
    """Whether only the owners can choose among all that the rule offers on a flow, so that no plan makes any of it."""
    if not any(repair.choose_if for repair in rule.repairs):
        return False
    read = reader_of(rows)
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
    parts += [_assign_value(name, value, read, locate) for name, value in repair.assignments]
    merged: Alternative | None = ()
    for part in parts:
        merged = merge(merged, part) if merged is not None and part is not None else None
    return merged if merged is None else on_platform(merged, read)


def on_platform(changes: Alternative, read: Read) -> Alternative:
    """The changes as the platform of the queue manager spells them."""
    if read("queue_manager.platform") != "zos":
        return changes
    return tuple([change if isinstance(change, Grant) else _on_zos(change) for change in changes])


def _on_zos(change: Assignment | Definition) -> Change:
    return change._replace(on_zos=True) if change.target.product == "mq" else change


def _assign_value(name: str, value: Condition | str, read: Read, locate: Located) -> Alternative | None:
    """What a repair assigns to a setting."""
    return assign(name, _wanted(name, value, read), read, locate)


def _wanted(name: str, value: Condition | str, read: Read) -> Value:
    """The new value of a column."""
    wanted: Value = value if isinstance(value, str) else evaluate(value, read)
    if wanted is not None and find_column(name).type == "boolean":
        wanted = bool(wanted)
    return wanted


def assign(name: str, wanted: Value, read: Read, locate: Located) -> Alternative | None:
    """The assignment of a value to a setting, at the object that has it on this flow: empty where the object has the
    value, None where no change of an object acts.
    """
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
