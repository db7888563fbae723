"""The facts of a fleet that tell what becomes of messages for remote queues: the few rows that some of them lead to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeAlias, cast

from lintmdb.fleet.arrow import compute
from lintmdb.fleet.arrow_rows import is_among, rows_among
from lintmdb.fleet.facts.encoding import STORED
from lintmdb.fleet.facts.loading import StoredOrigins
from lintmdb.fleet.facts.store import PartInfo, State, Store
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Row
from lintmdb.run.remote_queues import FILLED_IN

Among: TypeAlias = Mapping[str, Collection[str]]
"""Rows in which one of some columns has one of its values."""
Ask: TypeAlias = Callable[[str, Sequence[str], Sequence[Among]], Iterable[dict[str, object]]]
"""What gives some columns of those rows of a relation for which all of several ``Among`` hold."""

READ: Mapping[str, tuple[str, ...]] = {
    "put_target": (
        *("queue_manager", "name", "type", "leads_to", "local_queue", "name_clash", "not_in_cluster"),
        *("in_no_other_cluster", "at_other_member", "environment", "origins"),
        *FILLED_IN["put_target"],
    ),
    "forwarding": (
        *("queue_manager", "name", "type", "resolution", "put_enabled", "target", "remote_queue"),
        *("remote_queue_manager", "transmission_queue", "reachable", "environment", "origins"),
    ),
    "cluster_member": (
        *("queue_manager", "cluster", "full_repository", "asked", "shown", "reachable", "transmission_queue"),
        *("transmission_max_bytes", "unreachable_because", "environment"),
    ),
    "queue_manager": (
        *("name", "max_message_bytes", "lists_queues", "ambiguous", "dead_letter_queue", "environment", "origins"),
    ),
    "queue_name": (
        *("queue_manager", "name", "type", "leads_to_kind", "local_queue", "clusters"),
        *("environment", "origins"),
    ),
    "queue": (
        *("queue_manager", "name", "backout_threshold", "backout_queue", "longest_message_bytes", "max_message_bytes"),
        *("command_disposition", "max_depth", "put_enabled", "get_enabled", "expiry_cap_ms", "environment", "origins"),
        *FILLED_IN["queue"],
    ),
    "endpoint": ("id", "kind", "name", "queue_manager", "queue", "other_queue_manager", "environment"),
}
"""What ``join_remote_queues`` and ``remote_queue_notices`` read of each relation."""


def load_remote_queues(store: Store, state: State, parts: Sequence[PartInfo]) -> Facts:
    """What ``join_remote_queues`` needs, of some parts."""
    numbers = [part.part for part in parts]
    among_parts = is_among("part", numbers)

    def read(relation: str, columns: Sequence[str], among: Sequence[Among]) -> list[dict[str, object]]:
        return rows_among(store.folders(state, relation), columns, among_parts, among)

    remote = compute.field("remote_queue") != ""
    for column in ("cluster_managers", "may_be_in"):
        remote |= compute.field(column).is_valid()
    ways = rows_among(store.folders(state, "put_target"), READ["put_target"], remote, [{"part": numbers}])
    return find_remote_queues(ways, read)


def find_remote_queues(ways: Iterable[dict[str, object]], ask: Ask) -> Facts:
    """What ``join_remote_queues`` needs. ``ways`` are the rows of ``put_target`` that name a remote queue, or one that
    a cluster has or may have.
    """
    facts = Facts()

    def add(relation: str, *among: Among) -> None:
        facts.rows[relation] = [_row(relation, values) for values in ask(relation, READ[relation], among)]

    facts.rows["put_target"] = [_row("put_target", values) for values in ways]
    targets = facts.rows["put_target"]
    if not targets:
        return facts
    in_cluster = [row for row in targets if row.may_be_in or row.cluster_managers]
    names = _texts(name for row in in_cluster for name in (row.name, row.leads_to))
    managers = {row.queue_manager for row in targets}
    if in_cluster:
        add("queue_name", {"name": _texts(row.leads_to for row in in_cluster)})
        managers |= {row.queue_manager for row in facts.rows["queue_name"] if row.clusters}
        managers |= {manager for row in in_cluster for manager in (row.cluster_managers or "").split()}
    known = 0
    while True:
        hops = [*targets, *facts.rows["forwarding"]]
        managers |= _texts(name for row in hops for name in (row.remote_queue_manager, row.transmission_queue))
        names |= _texts(name for row in hops for name in (row.remote_queue, row.remote_queue_manager))
        names |= _texts(name for row in facts.rows["forwarding"] for name in (row.target, row.transmission_queue))
        if len(managers) + len(names) == known:
            break
        known = len(managers) + len(names)
        add("forwarding", {"queue_manager": managers}, {"name": names})
    at_them: Among = {"queue_manager": managers}
    add("queue_manager", {"name": managers})
    if in_cluster:
        clusters = {cluster for row in in_cluster for cluster in (row.may_be_in or "").split()}
        add("cluster_member", {"queue_manager": managers, "cluster": clusters})
    moved_to = {row.name for row in targets}
    add("queue", at_them, {"name": names, "poison_queue": moved_to, "backout_queue": moved_to})
    if in_cluster:
        _add_chains(facts, ask, at_them)
    held = names | {row.name for row in facts.rows["queue"]}
    add("queue_name", at_them, {"name": held, "local_queue": held})
    add("endpoint", at_them, {"queue": {row.name for row in facts.rows["queue_name"]}})
    return facts


def _add_chains(facts: Facts, ask: Ask, at_them: Among) -> None:
    """Add the queues whose chain of backout queues goes on at those that are there, and what their BOQNAME names."""
    asked: set[str] = set()
    while waiting := {row.name for row in facts.rows["queue"] if row.backout_loops is None} - asked:
        asked |= waiting
        found = list(ask("put_target", READ["put_target"], (at_them, {"local_queue": waiting})))
        more = _unknown(facts, "put_target", found)
        facts.rows["put_target"] += more
        moved_to = {str(values["name"]) for values in found}
        found = ask("queue", READ["queue"], (at_them, {"backout_queue": moved_to}))
        facts.rows["queue"] += _unknown(facts, "queue", found)


def _unknown(facts: Facts, relation: str, found: Iterable[dict[str, object]]) -> list[Row]:
    """The rows among those that were found that are not there yet."""
    known = {(row.environment, row.queue_manager, row.name) for row in facts.rows[relation]}
    return [
        _row(relation, values)
        for values in found
        if (values["environment"], values["queue_manager"], values["name"]) not in known
    ]


def _row(relation: str, values: Mapping[str, object]) -> Row:
    build = cast("Callable[..., Row]", STORED[relation])
    if "origins" in values:
        values = {**values, "origins": StoredOrigins(cast("str | None", values["origins"]))}
    return build(**values)


def _texts(values: Iterable[str | None]) -> set[str]:
    return {value for value in values if value}
