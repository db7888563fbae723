"""Observations that are about nothing that was read: one file may serve several exports, but a slip looks the same."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fnmatch import fnmatchcase

from lintmdb.engine.findings import Notice
from lintmdb.model.facts import Facts
from lintmdb.model.origins import Origin
from lintmdb.resolve.observations import Observations
from lintmdb.suggestions import closest, is_slip


def unmatched_observations(facts: Facts, observed: Observations) -> Iterator[Notice]:
    """A notice for each entry that matches nothing, with the nearest name. Groups of a user that nothing names are told
    where one slip makes a user of it that something names.
    """
    endpoints = {
        name
        for row in facts.rows["endpoint"]
        for name in (row.name, row.server and f"{row.server}/{row.name}", row.cluster and f"{row.cluster}/{row.name}")
        if name
    }
    beans = {
        name
        for row in facts.rows["bean"]
        if row.name
        for name in (row.name, f"{row.module}/{row.name}", f"{row.application}/{row.module}/{row.name}")
    }
    queues = {queue.name: queue.queue_manager for queue in facts.rows["queue"]}
    for name, (_, origin) in observed.beans.items():
        if name not in beans:
            yield _notice(origin, f"no bean is called {name}", closest(name, beans))
    for name, seen in observed.endpoints.items():
        if name in endpoints or seen.origin is None:
            continue
        if name in queues:
            step = "Name the user of its queue manager under queue_managers, or as user"
            yield _notice(seen.origin, f"no endpoint is called {name}: it is a queue of {queues[name]}", step=step)
        else:
            yield _notice(seen.origin, f"no endpoint is called {name}", closest(name, endpoints))
    yield from _queue_managers(facts, observed)
    yield from _users(facts, observed)


def _queue_managers(facts: Facts, observed: Observations) -> Iterator[Notice]:
    places = {(row.environment, row.name) for row in facts.rows["queue_manager"]}
    places |= {(row.environment, row.queue_manager) for row in facts.rows["endpoint"] if row.queue_manager}
    names = {name for environment, own in places for name in (own, environment and f"{environment}/{own}") if name}
    for pattern, seen in observed.users_at:
        if seen.origin is not None and not any(fnmatchcase(name, pattern) for name in names):
            yield _notice(seen.origin, f"no queue manager is called {pattern}", closest(pattern, names))


def _users(facts: Facts, observed: Observations) -> Iterator[Notice]:
    named = {row.user for row in facts.rows["endpoint"] if row.user}
    named |= {row.observed_user for row in facts.rows["queue_manager"] if row.observed_user}
    for user in observed.users:
        near = _slipped(user, named) if user not in named else ""
        if near:
            yield _notice(Origin(observed.path, 0, 0, ""), f"nothing names user {user}", near)


def _slipped(user: str, named: Collection[str]) -> str:
    return next((name for name in sorted(named) if is_slip(user, name)), "")


def _notice(origin: Origin, text: str, near: str = "", *, step: str = "") -> Notice:
    return Notice(
        "unmatched_observation",
        origin.path,
        origin.line,
        f"{text}, so what was observed of it has no effect",
        step or (f"Did you mean {near}?" if near else ""),
    )
