"""Capacity: the settings that limit how much is processed at a time, so that a lower value costs throughput."""

from __future__ import annotations

from collections.abc import Iterable

from lintmdb.settings.changes import Assignment, Change

CAPACITIES = frozenset(
    {
        "endpoint.max_sessions",
        "endpoint.max_batch",
        "endpoint.session_pool_max",
        "endpoint.connection_pool_max",
        "endpoint.adapter_connections_max",
        "server.listener_threads_max",
        "server.activation_threads_max",
        "server.bus_threads_max",
        "channel.max_instances",
        "channel.max_instances_per_client",
        "backout.max_depth",
        "dead_letter.max_depth",
    }
)
"""By their names in the registry. None of them is ever set to 0, which is no limit for some."""


def lowers_capacity(change: Change) -> bool:
    """Whether less can be processed at a time after a change, as far as the exports tell."""
    if not isinstance(change, Assignment) or change.setting not in CAPACITIES:
        return False
    old = change.old or ""
    return change.new.isdecimal() and old.isdecimal() and int(change.new) < int(old)


def reductions(changes: Iterable[Change]) -> int:
    """How many of the changes lower a capacity."""
    return sum(map(lowers_capacity, changes))
