"""What other queue managers do to messages for remote queues, filled in in the rows of a fleet as ``check`` does it.

The rows of a queue manager are stored as its own export tells them, so that a change of one export leaves the rows of
others as they are. This comes in where rows are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lintmdb.fleet.arrow import Table, pa
from lintmdb.fleet.arrow_rows import is_among, rows_among
from lintmdb.fleet.facts.encoding import arrow_types, encode_origins
from lintmdb.fleet.facts.remote_queues import load_remote_queues
from lintmdb.fleet.facts.store import PartInfo, State, Store
from lintmdb.model.columns import Value
from lintmdb.run.remote_queues import FILLED_IN, RemoteEnd, find_remote_ends

RELATIONS = frozenset(FILLED_IN)
"""The relations in whose rows something is filled in."""


def load_remote_ends(store: Store, state: State, parts: Sequence[PartInfo]) -> frozenset[RemoteEnd]:
    """What is filled in in the rows of some parts."""
    return frozenset(find_remote_ends(load_remote_queues(store, state, parts)))


def end_table(relation: str, ends: Iterable[RemoteEnd], former: Iterable[RemoteEnd] = (), mark: str = "") -> Table:
    """The ends in rows of a relation, by environment, queue_manager and name, each with what is filled in; those of
    ``former`` parts are in environments that begin with ``mark``.
    """
    rows: dict[tuple[str | None, str, str], tuple[Value, ...]] = {}
    for before, some in ((False, ends), (True, former)):
        for end in sorted((end for end in some if end.relation == relation), key=_order):
            environment = mark + (end.environment or "") if before else end.environment
            rows[environment, end.queue_manager, end.name] = (
                *end.values,
                encode_origins(dict(end.origins)),
                " ".join(end.without_value),
            )
    types = arrow_types(relation)
    names = (*_KEY, *_filled_in(relation))
    columns = zip(*((*key, *values) for key, values in rows.items()), strict=True) if rows else ((),) * len(names)
    arrays = [pa.array(column, types[name]) for name, column in zip(names, columns, strict=True)]
    return pa.table(arrays, [*names])


def filled_in(relation: str) -> dict[str, str]:
    """The columns that are filled in, in SQL: of a row ``stored`` and its row of ``end_table``, ``remote_end``."""
    return {
        column: f"IF(remote_end.name IS NULL, stored.{column}, remote_end.{column})" for column in _filled_in(relation)
    }


def _filled_in(relation: str) -> tuple[str, ...]:
    return (*FILLED_IN[relation], "origins", "unusable")


_KEY = ("environment", "queue_manager", "name")


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
