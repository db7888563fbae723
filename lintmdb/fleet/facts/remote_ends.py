"""What other queue managers do to messages for remote queues, filled in in the rows of a fleet as ``check`` does it.

The rows of a queue manager are stored as its own export tells them, so that a change of one export leaves the rows of
others as they are. This comes in where rows are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lintmdb.fleet.arrow import Table, pa
from lintmdb.fleet.arrow_rows import is_among, rows_among
from lintmdb.fleet.facts.remote_queues import load_remote_queues
from lintmdb.fleet.facts.store import PartInfo, State, Store
from lintmdb.run.remote_queues import RemoteEnd, find_remote_ends

_VALUES: Mapping[str, Mapping[str, str]] = {
    "put_target": {
        "fails_elsewhere": "remote_end.value IS NOT NULL OR stored.fails_elsewhere",
        "unreachable_because": "COALESCE(remote_end.value, stored.unreachable_because)",
        "in_cluster_elsewhere": "remote_end.in_cluster",
    },
    "queue": {"backout_loops": "TRUE", "backout_circle": "remote_end.value", "backout_circle_queues": "1"},
}
"""What ``join_remote_queues`` fills in, by relation and column, in SQL; ``remote_end`` is a row of ``end_table``."""
RELATIONS = frozenset(_VALUES)
"""The relations in whose rows something is filled in."""


def load_remote_ends(store: Store, state: State, parts: Sequence[PartInfo]) -> frozenset[RemoteEnd]:
    """The remote queues of some parts to which messages are moved in vain."""
    return frozenset(find_remote_ends(load_remote_queues(store, state, parts)))


def end_table(relation: str, ends: Iterable[RemoteEnd], former: Iterable[RemoteEnd] = (), mark: str = "") -> Table:
    """The ends that concern rows of a relation, by environment, queue_manager and name, each with a ``value``, or with
    the queue managers that have the queue ``in_cluster``; those of
    ``former`` parts are in environments that begin with ``mark``.
    """
    rows: dict[tuple[str | None, str, str], tuple[str | None, str | None]] = {}
    for before, some in ((False, ends), (True, former)):
        for end in sorted(some, key=_order):
            name, value = (end.name, end.fails_because) if relation == "put_target" else (end.comes_back_to,) * 2
            environment = mark + (end.environment or "") if before else end.environment
            in_cluster = end.in_cluster if relation == "put_target" else ""
            if value or in_cluster:
                rows[environment, end.queue_manager, name] = (value or None, in_cluster or None)
    names = ("environment", "queue_manager", "name", "value", "in_cluster")
    columns = zip(*((*key, *values) for key, values in rows.items()), strict=True) if rows else ((),) * len(names)
    return pa.table([pa.array(column, pa.string()) for column in columns], [*names])


def filled_in(relation: str) -> dict[str, str]:
    """The columns that are filled in, in SQL: of a row ``stored`` and its row of ``end_table``, ``remote_end``."""
    return {
        column: f"IF(remote_end.name IS NULL, stored.{column}, {value})" for column, value in _VALUES[relation].items()
    }


def is_end_of(equal: str) -> str:
    """The condition on which a row of ``end_table`` is that of a stored row, in SQL with the operator by which NULL
    equals NULL.
    """
    same = " AND ".join(f"remote_end.{name} = stored.{name}" for name in ("queue_manager", "name"))
    return f"{same} AND remote_end.environment {equal} stored.environment"


def parts_of_ends(
    store: Store, state: State, parts: Sequence[PartInfo], ends: Iterable[RemoteEnd]
) -> Iterator[PartInfo]:
    """The parts whose rows some ends are filled in in, which only these decide."""
    managers = {end.queue_manager for end in ends}
    if not managers:
        return
    by_number = {part.part: part for part in parts}
    rows = rows_among(
        store.folders(state, "put_target"), ("part",), is_among("part", by_number), [{"queue_manager": managers}]
    )
    yield from (by_number[number] for number in sorted({int(str(row["part"])) for row in rows}))


def _order(end: RemoteEnd) -> tuple[str, str, str]:
    return (end.environment or "", end.queue_manager, end.name)
