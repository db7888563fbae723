"""The evidence of a verdict: the columns that decide it, and where their values were read."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from lintmdb.engine.flow_rows import FlowRows, JudgedRows, find_origin, read_value
from lintmdb.model.columns import Value
from lintmdb.model.origins import ChangeOrigin, Origin
from lintmdb.model.relations import ALIASES, CELL_RELATIONS, Problem
from lintmdb.rules.conditions import find_column
from lintmdb.rules.rule import Rule


def deciding_columns(rule: Rule, rows: JudgedRows) -> tuple[str, ...]:
    """The columns of a rule that decide on these rows: all of its hazard, and of the rest those that are not moot."""
    if not isinstance(rows, FlowRows):
        return rule.columns
    switches = _switches(rule.columns)
    if not switches:
        return rule.columns
    return _without_moot(rule.columns, rule.hazard.columns, tuple([(name, rows.value(name)) for name in switches]))


@functools.cache
def _switches(columns: tuple[str, ...]) -> tuple[str, ...]:
    """Those columns of a rule that can make others of it moot."""
    switches = {switch for name in columns for switch in find_column(name).moot_where}
    return tuple(name for name in columns if name in switches)


@functools.lru_cache(maxsize=4096)  # a rule has a handful of answers, and is asked for every verdict
def _without_moot(
    columns: tuple[str, ...], hazard: tuple[str, ...], switches: tuple[tuple[str, Value], ...]
) -> tuple[str, ...]:
    def moot(name: str, asking: str = "") -> bool:
        column = find_column(name)
        if any(value in column.moot_where.get(switch, ()) for switch, value in switches if switch != asking):
            return True
        return column.serves in columns and moot(column.serves, asking=name)

    return tuple(name for name in columns if name in hazard or not moot(name))


@functools.lru_cache(maxsize=4096)
def _explaining(deciding: tuple[str, ...]) -> tuple[str, ...]:
    """Without the columns that only say which flows a rule is about."""
    return tuple(name for name in deciding if not find_column(name).selects)


_RESOLVED = {
    "queue.backout_resolution": "backout.leads_to_kind",
    "queue_manager.dead_letter_resolution": "dead_letter.leads_to_kind",
    "endpoint.queue_resolution": "queue_name.leads_to_kind",
    "endpoint.channel_resolution": "channel.defined",
}
"""The column whose place is the command that deletes what a name leads to, by the column that says what became of the
name.
"""


_BEHIND: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "channel_access": ("channel_access.removed_record",),
        "authority": ("channel_access.effective_user", "channel_access.removed_record"),
    }
)
"""The columns whose places say who a client is for the queue manager, by the alias of what depends on that."""


def find_commands(rows: JudgedRows, name: str) -> list[Origin]:
    """The commands behind the value of a column that are not its own place: the one that deletes the queue or channel
    to which a name leads, those that set the user whose rights count, and the one that removes the record that would
    decide.
    """
    names = (_RESOLVED[name],) if name in _RESOLVED else _BEHIND.get(name.partition(".")[0], ())
    if names and read_value(rows, "endpoint.user_observed") is True:
        names = tuple(each for each in names if each != "channel_access.effective_user")
    return [origin for origin in (find_origin(rows, each) for each in names) if origin is not None]


def _rewired(deciding: tuple[str, ...], rows: FlowRows) -> Iterator[Origin]:
    """Where a change leads the endpoint to another queue manager or queue, for what is read of either."""
    relations = {ALIASES[name.partition(".")[0]].relation for name in deciding}
    if relations.issubset(CELL_RELATIONS) and not _RESOLVED.keys() & {*deciding}:
        return
    for name in ("endpoint.queue_manager", "endpoint.queue", "endpoint.destination_jndi"):
        origin = find_origin(rows, name)
        if isinstance(origin, ChangeOrigin):
            yield origin


def find_places(deciding: tuple[str, ...], rows: JudgedRows) -> list[Origin]:
    """Where the values that decide were read, those of the hazard first; a finding about MQ alone adds who consumes
    the queue.
    """
    if isinstance(rows, Problem):
        return [Origin(rows.path, rows.line, rows.column, rows.text)]
    places: dict[Origin, None] = {}
    about_cell = False
    for name in _explaining(deciding):
        origin = find_origin(rows, name)
        if origin is not None:
            places[origin] = None
            about_cell = about_cell or ALIASES[name.partition(".")[0]].relation in CELL_RELATIONS
        places |= dict.fromkeys(find_commands(rows, name))
    if isinstance(rows, FlowRows):
        places |= dict.fromkeys(_rewired(deciding, rows))
    if not about_cell and isinstance(rows, FlowRows) and (origin := find_origin(rows, "endpoint.name")):
        places[origin] = None
    return list(places)
