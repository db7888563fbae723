"""The evidence of a verdict: the columns that decide it, and where their values were read."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from lintmdb.engine.flow_rows import FlowRows, JudgedRows, find_origin, read_value
from lintmdb.model.columns import Value
from lintmdb.model.origins import ChangeOrigin, ExportOrigins, Origin, behind
from lintmdb.model.relations import ALIASES, CELL_RELATIONS, Problem
from lintmdb.rules.conditions import find_column
from lintmdb.rules.rule import Rule
from lintmdb.rules.tokens import tokenize_condition


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


_RESOLVED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "queue.backout_resolution": ("backout.leads_to", "backout.leads_to_kind"),
        "queue_manager.dead_letter_resolution": ("dead_letter.leads_to", "dead_letter.leads_to_kind"),
        "endpoint.queue_resolution": ("queue_name.leads_to", "queue_name.leads_to_kind"),
        "endpoint.channel_resolution": ("channel.defined",),
    }
)
"""The columns whose places are TARGET of an alias, and the command that deletes what a name leads to, by the column
that says what became of the name.
"""


_BEHIND: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "channel_access": ("channel_access.removed_record",),
        "authority": ("channel_access.effective_user", "channel_access.removed_record"),
    }
)
"""The columns whose places say who a client is for the queue manager, by the alias of what depends on that."""


def find_commands(rows: JudgedRows, name: str) -> list[Origin]:
    """The commands behind the value of a column that are not its own place: TARGET of the alias through which a name
    leads to a queue, the one that deletes the queue or channel to which it leads, those that set the user whose rights
    count, and the one that removes the record that would decide.
    """
    names = _RESOLVED.get(name) or _BEHIND.get(name.partition(".")[0], ())
    if names and read_value(rows, "endpoint.user_observed") is True:
        names = tuple(each for each in names if each != "channel_access.effective_user")
    return [origin for origin in (find_origin(rows, each) for each in names) if origin is not None]


_WAY: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "endpoint": ("endpoint.jndi_name",),
        "destination": ("endpoint", "endpoint.destination_id"),
        "queue_name": (
            "queue_manager", "endpoint.queue", "endpoint.destination_jndi", "queue_name.name", "queue_name.resolution",
            "queue_name.type", "queue_name.leads_to", "queue_name.leads_to_kind", "queue_name.local_queue",
        ),
        "topic": (
            "queue_manager", "endpoint.topic", "endpoint.destination_jndi", "topic.name", "topic.durable_model",
            "topic.nondurable_model",
        ),
        "queue": ("queue_name", "topic", "queue.name"),
        "backout": (
            "queue", "queue.backout_queue", "backout.name", "backout.type", "backout.model", "backout.leads_to",
            "backout.leads_to_kind", "backout.local_queue", "backout.remote_queue", "backout.transmission_queue",
        ),
        "queue_manager": ("endpoint", "endpoint.queue_manager"),
        "dead_letter": (
            "queue_manager", "queue_manager.dead_letter_queue", "dead_letter.name", "dead_letter.type",
            "dead_letter.model", "dead_letter.leads_to", "dead_letter.leads_to_kind", "dead_letter.local_queue",
            "dead_letter.remote_queue", "dead_letter.transmission_queue",
        ),
        "channel": ("queue_manager", "endpoint.transport", "endpoint.channel", "channel.name", "channel.defined"),
        "channel_access": ("channel", "endpoint.user", "channel_access.effective_user"),
        "authority": ("channel_access", "queue", "backout", "dead_letter"),
        "backout_consumers": ("backout",),
    }
)  # fmt: skip
"""What leads to the row of an alias: columns whose places say so, and aliases that come before it."""
_TAKES = ("put_enabled", "no_room", "reachable", "stream_queue", "stream_required", "shared_disposition")
_COUNTED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "backout.takes_puts": tuple(f"backout.{name}" for name in _TAKES),
        "dead_letter.takes_puts": tuple(f"dead_letter.{name}" for name in _TAKES),
        "backout.is_dead_letter_queue": ("dead_letter",),
        "endpoint.destination_type": ("endpoint.destination_asked", "endpoint.destination_found"),
    }
)
"""What else a column is worked out from: other columns, and aliases."""


def _changes_behind(deciding: tuple[str, ...], rows: FlowRows) -> Iterator[Origin]:
    """The places of a change behind values that are not in it themselves: what leads to a queue or channel now, and
    what a value is worked out from.
    """
    names = dict.fromkeys(deciding)
    names |= dict.fromkeys(place for name in deciding for place in _RESOLVED.get(name, ()))
    names |= dict.fromkeys(counted for name in deciding for counted in _COUNTED.get(name, ()))
    asked = list(dict.fromkeys(name.partition(".")[0] for name in names))
    for alias in asked:  # grows while it runs
        for name in _WAY.get(alias, ()):
            if "." in name:
                names[name] = None
            elif name not in asked:
                asked.append(name)
    yield from _changes(rows, (name for name in names if "." in name))


def _changes(rows: JudgedRows, names: Iterable[str]) -> Iterator[Origin]:
    """The places of a change among those of some columns, and behind them."""
    for name in names:
        for origin in (find_origin(rows, name), find_origin(rows, behind(name))):
            if isinstance(origin, ChangeOrigin):
                yield origin


def _is_granted(name: str, rows: JudgedRows) -> bool:
    """Whether a column is a right that the user has: what a finding is about is the rights that are lacking."""
    return name.startswith("authority.") and read_value(rows, name) is True


_TRUTHS = ("TRUE", "FALSE")


@functools.cache
def _alternatives(hazard: str, others: tuple[str, ...]) -> Mapping[str, bool]:
    """The switches any one of which makes a hazard (``a.b = TRUE OR c.d = FALSE``), and what each is then, without the
    ``others`` that the rule asks for besides.
    """
    tokens, depth, parts = tokenize_condition(hazard), 0, [list[str]()]
    for token in tokens:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if token.text.upper() == "OR" and not depth:
            parts.append([])
        else:
            parts[-1].append(token.text)
    names = Counter(token.text for token in tokens)
    found = {part[0]: part[2].upper() == "TRUE" for part in parts if len(part) == 3 and part[2].upper() in _TRUTHS}
    alone = {name: on for name, on in found.items() if names[name] == 1 and name not in others}
    return alone if len(parts) > 1 else {}


def find_places(rule: Rule, rows: JudgedRows) -> list[Origin]:
    """Where the values that decide were read, those of the hazard first; a finding about MQ alone adds who consumes
    the queue. Of several switches any one of which is the hazard those count that are.
    """
    alternatives = _alternatives(rule.hazard.text, rule.when.columns)
    other = {name for name, on in alternatives.items() if read_value(rows, name) is (not on)}
    deciding = tuple(name for name in deciding_columns(rule, rows) if name not in other)
    if isinstance(rows, Problem):
        place = Origin(rows.path, rows.line, rows.column, rows.text)
        return [place] if rows.changed_at is None else [place, rows.changed_at]
    places: dict[Origin, None] = {}
    about_cell = False
    changed = not isinstance((rows.endpoint if isinstance(rows, FlowRows) else rows).origins, ExportOrigins)
    for name in _explaining(deciding):
        origin = find_origin(rows, name)
        if origin is not None and not _is_granted(name, rows):
            places[origin] = None
            about_cell = about_cell or ALIASES[name.partition(".")[0]].relation in CELL_RELATIONS
        places |= dict.fromkeys(find_commands(rows, name))
        if changed:
            places |= dict.fromkeys(_changes(rows, (name,)))
    if changed and isinstance(rows, FlowRows) and not any(isinstance(place, ChangeOrigin) for place in places):
        places |= dict.fromkeys(_changes_behind(deciding, rows))
    if not about_cell and isinstance(rows, FlowRows) and (origin := find_origin(rows, "endpoint.name")):
        places[origin] = None
    return list(places)
