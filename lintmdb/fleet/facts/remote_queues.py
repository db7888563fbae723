"""The facts of a fleet that tell what becomes of messages for remote queues: the few rows that some of them lead to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from lintmdb.fleet.arrow import compute
from lintmdb.fleet.arrow_rows import is_among, rows_among
from lintmdb.fleet.facts.encoding import STORED
from lintmdb.fleet.facts.loading import StoredOrigins
from lintmdb.fleet.facts.store import PartInfo, State, Store
from lintmdb.model.facts import Facts
from lintmdb.model.relations import PutTarget, Row

Among: TypeAlias = Mapping[str, Collection[str]]
"""Rows in which one of some columns has one of its values."""
Ask: TypeAlias = Callable[[str, Sequence[str], Sequence[Among]], Iterable[dict[str, object]]]
"""What gives some columns of those rows of a relation for which all of several ``Among`` hold."""

READ: Mapping[str, tuple[str, ...]] = {
    "put_target": (
        *("queue_manager", "name", "remote_queue", "remote_queue_manager", "transmission_queue"),
        *("transmission_max_bytes", "takes_puts", "leads_to", "may_be_in", "environment", "origins"),
    ),
    "forwarding": (
        *("queue_manager", "name", "type", "resolution", "put_enabled", "target", "remote_queue"),
        *("remote_queue_manager", "transmission_queue", "reachable", "environment", "origins"),
    ),
    "queue_manager": ("name", "max_message_bytes", "lists_queues", "ambiguous", "dead_letter_queue", "environment"),
    "queue_name": (
        *("queue_manager", "name", "type", "leads_to_kind", "local_queue", "cluster"),
        *("environment", "origins"),
    ),
    "queue": (
        *("queue_manager", "name", "backout_threshold", "backout_queue", "poison_queue", "longest_message_bytes"),
        *("max_depth", "put_enabled", "get_enabled", "environment"),
    ),
    "endpoint": ("id", "kind", "name", "queue_manager", "queue", "other_queue_manager", "environment"),
}
"""What ``remote_queue_notices`` reads of each relation."""


def load_remote_queues(store: Store, state: State, parts: Sequence[PartInfo]) -> Facts:
    """What ``remote_queue_notices`` needs, of some parts."""
    numbers = [part.part for part in parts]
    among_parts = is_among("part", numbers)

    def read(relation: str, columns: Sequence[str], among: Sequence[Among]) -> list[dict[str, object]]:
        return rows_among(store.folders(state, relation), columns, among_parts, among)

    remote = (compute.field("remote_queue") != "") | compute.field("may_be_in").is_valid()
    ways = rows_among(store.folders(state, "put_target"), READ["put_target"], remote, [{"part": numbers}])
    return find_remote_queues(ways, read)


def find_remote_queues(ways: Iterable[dict[str, object]], ask: Ask) -> Facts:
    """What ``remote_queue_notices`` needs. ``ways`` are the rows of ``put_target`` that name a remote queue, or
    one that a cluster may have.
    """
    facts = Facts()

    def add(relation: str, *among: Among) -> None:
        facts.rows[relation] = [_row(relation, values) for values in ask(relation, READ[relation], among)]

    facts.rows["put_target"] = [_row("put_target", values) for values in ways]
    targets = facts.rows["put_target"]
    if not targets:
        return facts
    in_cluster = {row.leads_to for row in targets if row.may_be_in}
    if in_cluster:
        add("queue_name", {"name": _texts(in_cluster)}, {"cluster": _texts(_clusters(targets))})
    instances = list(facts.rows["queue_name"])
    managers = {row.queue_manager for row in (*targets, *instances)}
    names: set[str] = set()
    known = 0
    while True:
        hops = [*targets, *facts.rows["forwarding"]]
        managers |= _texts(name for row in hops for name in (row.remote_queue_manager, row.transmission_queue))
        names |= _texts(name for row in hops for name in (row.remote_queue, row.remote_queue_manager))
        names |= _texts(row.target for row in facts.rows["forwarding"])
        if len(managers) + len(names) == known:
            break
        known = len(managers) + len(names)
        add("forwarding", {"queue_manager": managers}, {"name": names})
    at_them: Among = {"queue_manager": managers}
    add("queue_manager", {"name": managers})
    add("queue", at_them, {"name": names, "poison_queue": {row.name for row in targets}})
    held = names | {row.name for row in facts.rows["queue"]}
    add("queue_name", at_them, {"name": held, "local_queue": held})
    add("endpoint", at_them, {"queue": {row.name for row in facts.rows["queue_name"]}})
    facts.rows["queue_name"] += instances
    return facts


def _clusters(targets: Iterable[PutTarget]) -> Iterator[str]:
    for row in targets:
        yield from (row.may_be_in or "").split()


def _row(relation: str, values: Mapping[str, object]) -> Row:
    build = cast("Callable[..., Row]", STORED[relation])
    if "origins" in values:
        values = {**values, "origins": StoredOrigins(cast("str | None", values["origins"]))}
    return build(**values)


def _texts(values: Iterable[str | None]) -> set[str]:
    return {value for value in values if value}
