"""Shapes: components that are equal but for the names of their objects are searched once.

A shape holds all values of a component's flows, what is found on them and what would end it, with numbers in order of
appearance in the place of names. Sums over many objects are left out: they differ from server to server. What is found
because of them, and what would end it, is not.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from lintmdb.engine.findings import FlowHead
from lintmdb.engine.flow_rows import FlowRows, find_origin
from lintmdb.engine.repairs import read_old_value
from lintmdb.model.columns import columns
from lintmdb.model.relations import Row
from lintmdb.plan.choices import Changes, Choice
from lintmdb.settings.changes import Assignment, Change, Grant, Slot, slot
from lintmdb.settings.owners import cluster_servers
from lintmdb.settings.registry import SETTINGS

_VALUES = frozenset(
    (
        *("was_version", "missing_files", "get_disabled_type", "put_disabled_type", "expiry_capped_type"),
        *(
            "connect_held",
            "source_held",
            "behind_held",
            "backout_held",
            "new_backout_held",
            "near_backout_held",
            "near_backout_lacks",
        ),
        *("dead_letter_held", "new_dead_letter_held"),
        *("reader_backout_held", "reader_new_backout_held", "reader_new_dead_letter_held"),
    )
)
"""Columns of text that name nothing."""
_SUMS: Mapping[str, None] = dict.fromkeys(
    (
        "channel_instances",
        "channel_instances_all",
        "channel_instances_total",
        "channel_instances_client",
        "conversations",
    )
)
"""Computed values of a flow that add up many."""
_PARTS = re.compile(r"([/: ]+)")
"""What separates the names in a containment path."""
_Text: TypeAlias = int | str | tuple[int | str, ...]


class Shape(NamedTuple):
    """A component without its names, and the names."""

    key: Hashable
    numbers: dict[str, int]
    """The names by their order of appearance."""


def find_shape(heads: Iterable[FlowHead], choices: Iterable[Choice]) -> Shape:
    """The shape of a component's flows and findings."""
    numbers: dict[str, int] = {}
    flows = tuple([_flow(head.rows, numbers) for head in heads])
    found = tuple(
        [
            (choice.key[0], place, tuple([_change(change, numbers) for change in changes]))
            for choice in choices
            for place, changes in choice.alternatives
        ]
    )
    return Shape((flows, found), numbers)


def find_names(heads: Iterable[FlowHead]) -> frozenset[str]:
    """All names that flows show."""
    numbers: dict[str, int] = {}
    for head in heads:
        _flow(head.rows, numbers)
    return frozenset(numbers)


def _flow(rows: FlowRows, numbers: dict[str, int]) -> Hashable:
    shown: list[Hashable] = []
    for part in rows._replace(user=None, **_SUMS):
        if isinstance(part, Row):
            read, named = _columns(type(part))
            values = list(read(part))
            for place in named:
                values[place] = _numbered(values[place], numbers)
            shown.append((type(part).__name__, *values))
        else:
            shown.append(part)
    return (*shown, _numbered(rows.user, numbers))


def _numbered(name: str | None, numbers: dict[str, int]) -> Hashable:
    return ("name", numbers.setdefault(name, len(numbers))) if name else name


@functools.cache
def _columns(relation: type[Row]) -> tuple[Callable[[Row], tuple[Any, ...]], tuple[int, ...]]:
    """What reads the values of a row, and the places of names among them."""
    known = [column for column in columns(relation) if not column.sums]
    named = [n for n, c in enumerate(known) if c.type == "text" and not c.values and c.name not in _VALUES]
    return operator.attrgetter(*[column.name for column in known]), tuple(named)


def _change(change: Change, numbers: dict[str, int]) -> Hashable:
    others = tuple([_text(part, numbers) for part in change.target.shared_with.split(" ")])
    target = (*[_text(part, numbers) for part in change.target._replace(shared_with="")], *others)
    if isinstance(change, Assignment):
        old = None if change.old is None else _text(change.old, numbers)
        return target, change.setting, change.attribute, _text(change.new, numbers), old
    if isinstance(change, Grant):
        return (
            target,
            _text(change.user, numbers),
            change.rights,
            change.had,
            change.recorded,
            change.group,
            change.kept,
        )
    return target, change.attributes


def _text(text: str, numbers: dict[str, int]) -> _Text:
    """A text with numbers for the names in it."""
    known = numbers.get(text)
    if known is not None:
        return known
    return tuple([numbers.get(part, part) for part in _PARTS.split(text)]) if ":" in text else text


def translate(
    changes: Changes, one: Shape, other: Shape, heads: Sequence[FlowHead], choices: Sequence[Choice]
) -> Changes:
    """The changes of a component as those of another one with the same key; ``heads`` and ``choices`` are the other's,
    and say what its objects have now.
    """
    names = list(other.numbers)
    own: dict[Slot, Change] = {
        slot(change): change for choice in choices for _, changes in choice.alternatives for change in changes
    }

    def rename(text: str) -> str:
        found = _text(text, one.numbers)
        parts = found if isinstance(found, tuple) else (found,)
        return "".join([names[part] if isinstance(part, int) else part for part in parts])

    return tuple([_renamed(change, rename, own, heads) for change in changes])


def _renamed(
    change: Change, rename: Callable[[str], str], own: dict[Slot, Change], heads: Sequence[FlowHead]
) -> Change:
    """A change made to the object of another name."""
    old = change.target
    target = old._replace(
        place=rename(old.place),
        name=rename(old.name),
        path=rename(old.path),
        environment=rename(old.environment),
        shared_with=" ".join(map(rename, old.shared_with.split(" "))),
    )
    if isinstance(change, Grant):
        return change._replace(target=target, user=rename(change.user))
    if not isinstance(change, Assignment):
        return change._replace(target=target)
    renamed = change._replace(target=target, new=rename(change.new))
    known = own.get(slot(renamed))
    if isinstance(known, Assignment):
        return renamed._replace(old=known.old, origin=known.origin, servers=known.servers)
    for head in heads:
        rows = head.rows
        for setting in SETTINGS[change.setting]:
            if setting.attribute == change.attribute and setting.owner(rows.value) == target:
                origin = find_origin(rows, change.setting)
                value = read_old_value(setting, target, rows.value(change.setting), origin)
                servers = cluster_servers(target, rows.value)
                return renamed._replace(old=value, origin=origin, servers=servers)
    return renamed
