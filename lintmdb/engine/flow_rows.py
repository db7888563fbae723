"""The rows that a rule is judged on: those that meet in one flow, or one binding or problem alone."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

from lintmdb.model.columns import Value, columns
from lintmdb.model.origins import LazyOrigin, Origin
from lintmdb.model.relations import (
    Authority,
    Bean,
    Binding,
    Channel,
    ChannelAccess,
    Consumers,
    Destination,
    Endpoint,
    Export,
    Problem,
    PutTarget,
    Queue,
    QueueManager,
    QueueName,
    Resolution,
    Row,
    Server,
    Topic,
)

COMPUTED = tuple(column.name for column in columns(Endpoint) if column.computed)
"""Columns of ``endpoint`` that ``flow.sql`` computes, so that the rows of ``endpoint`` lack them."""
_COMPUTED_NAMES = frozenset(f"endpoint.{name}" for name in COMPUTED)


class FlowRows(NamedTuple):
    """The rows of one flow by alias, None where nothing joined, and the computed columns of its endpoint."""

    endpoint: Endpoint
    server: Server | None = None
    bean: Bean | None = None
    queue_name: QueueName | None = None
    queue: Queue | None = None
    topic: Topic | None = None
    backout: PutTarget | None = None
    dead_letter: PutTarget | None = None
    queue_manager: QueueManager | None = None
    channel: Channel | None = None
    channel_access: ChannelAccess | None = None
    authority: Authority | None = None
    destination: Destination | None = None
    consumers: Consumers | None = None
    backout_consumers: Consumers | None = None
    user: str | None = None
    queue_resolution: Resolution | None = None
    backout_circle_read: bool | None = None
    channel_resolution: Resolution | None = None
    conversations: int | None = None
    channel_instances: int | None = None
    channel_instances_all: int | None = None
    channel_instances_total: int | None = None
    channel_instances_client: int | None = None

    def value(self, name: str) -> Value:
        """The value of ``alias.column``; None where it is not known."""
        place, column = _place(name)
        row: Any = None if place is None else self[place]
        return row if row is None or not column else getattr(row, column)


@functools.lru_cache(maxsize=1024)  # a few hundred columns, each asked for by thousands of verdicts
def _place(name: str) -> tuple[int | None, str]:
    """Which field of ``FlowRows`` holds ``alias.column``, and the attribute of that row; blank for the field itself."""
    return (FlowRows._fields.index(name.partition(".")[2]), "") if name in _COMPUTED_NAMES else _row_place(name)


@functools.lru_cache(maxsize=1024)
def _row_place(name: str) -> tuple[int | None, str]:
    """Which field of ``FlowRows`` holds the row of ``alias.column``, and the column."""
    alias, _, column = name.partition(".")
    return (FlowRows._fields.index(alias) if alias in FlowRows._fields else None), column


def value_reader(name: str) -> Callable[[FlowRows], Value]:
    """What gives the value of ``alias.column``, for whoever asks many flows for it."""
    place, column = _place(name)
    if place is None:
        return lambda rows: None
    if place == 0 and column:
        return operator.attrgetter(name)  # every flow has an endpoint

    def read(rows: FlowRows) -> Value:
        row: Any = rows[place]
        return row if row is None or not column else getattr(row, column)

    return read


JudgedRows: TypeAlias = FlowRows | Binding | Problem
"""What one verdict is about: the rows of a flow, or a row that is judged by itself."""


def find_row(rows: JudgedRows, alias: str) -> Row | None:
    """The row of an alias, if there is one."""
    if isinstance(rows, FlowRows):
        return getattr(rows, alias, None)
    return rows if alias == ("binding" if isinstance(rows, Binding) else "problem") else None


def read_value(rows: JudgedRows, name: str) -> Value:
    """The value of ``alias.column``; None where it is not known."""
    if isinstance(rows, FlowRows):
        return rows.value(name)
    alias, _, column = name.partition(".")
    row = find_row(rows, alias)
    return None if row is None else getattr(row, column)


def unknown_columns(names: Iterable[str], rows: JudgedRows) -> tuple[str, ...]:
    """Those of some ``alias.column`` whose values are not known."""
    if not isinstance(rows, FlowRows):
        return tuple([name for name in names if read_value(rows, name) is None])
    unknown: list[str] = []
    for name, place, column in _places(tuple(names)):
        row: Any = None if place is None else rows[place]
        if row is None or (column and getattr(row, column) is None):
            unknown.append(name)
    return tuple(unknown)


def known_values(names: Iterable[str], rows: JudgedRows) -> dict[str, Value]:
    """The values of some ``alias.column`` that are known, in their order."""
    if not isinstance(rows, FlowRows):
        return {name: value for name in names if (value := read_value(rows, name)) is not None}
    known: dict[str, Value] = {}
    for name, place, column in _places(tuple(names)):
        row: Any = None if place is None else rows[place]
        value: Value = getattr(row, column) if row is not None and column else row
        if value is not None:
            known[name] = value
    return known


@functools.lru_cache(maxsize=1024)  # those of a rule, asked for by thousands of verdicts
def _places(names: tuple[str, ...]) -> tuple[tuple[str, int | None, str], ...]:
    """Some ``alias.column``, each with what ``_place`` gives of it."""
    return tuple([(name, *_place(name)) for name in names])


def find_origin(rows: JudgedRows, name: str) -> Origin | None:
    """Where the value of ``alias.column`` was read, if it was read anywhere."""
    place, column = _row_place(name)
    if isinstance(rows, FlowRows):
        row: Any = None if place is None else rows[place]
    else:
        row = find_row(rows, name.partition(".")[0])
    # A problem has no origins: it is itself a place.
    located = None if row is None or isinstance(row, _PLACES) else row.origins.get(column)
    return located.resolve() if isinstance(located, LazyOrigin) else located


def first_origin(rows: FlowRows, names: tuple[str, ...]) -> Origin | None:
    """Where the first of some ``alias.column`` was read that was read anywhere."""
    for name, place, column in _places(names):
        row: Any = None if place is None else rows[place]
        if row is not None and column in row.origins:
            return find_origin(rows, name)
    return None


def has_origin(rows: FlowRows, name: str) -> bool:
    """Whether ``alias.column`` was read anywhere, whatever is there."""
    place, column = _row_place(name)
    row: Any = None if place is None else rows[place]
    return row is not None and column in row.origins


_PLACES = (Problem, Export)
