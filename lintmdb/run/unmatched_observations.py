"""Observations that are about nothing that was read: one file may serve several exports, but a slip looks the same."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase

from lintmdb.engine.findings import Notice
from lintmdb.model.facts import Facts
from lintmdb.model.origins import Origin
from lintmdb.resolve.observations import Observations
from lintmdb.suggestions import closest, is_slip, some_names

_MOST = 3
"""More entries of one kind that match nothing are about other exports: one notice is enough."""


def unmatched_observations(facts: Facts, observed: Observations) -> Iterator[Notice]:
    """A notice for each entry that matches nothing, with the nearest name; one for many that no slip explains. Groups
    of a user that nothing names are told where one slip makes a user of it that something names.
    """
    if observed.beans:
        yield from _beans(facts, observed)
    if observed.endpoints:
        yield from _endpoints(facts, observed)
    if observed.users_at:
        yield from _queue_managers(facts, observed)
    if observed.queues:
        yield from _queues(facts, observed)
    if observed.users:
        yield from _users(facts, observed)


def _beans(facts: Facts, observed: Observations) -> Iterator[Notice]:
    known = {
        name
        for row in facts.rows["bean"]
        if row.name
        for name in (row.name, f"{row.module}/{row.name}", f"{row.application}/{row.module}/{row.name}")
    }
    yield from _unknown("bean", [(name, at) for name, (_, at) in observed.beans.items() if name not in known], known)


def _endpoints(facts: Facts, observed: Observations) -> Iterator[Notice]:
    known = {
        name
        for row in facts.rows["endpoint"]
        for name in (row.name, row.server and f"{row.server}/{row.name}", row.cluster and f"{row.cluster}/{row.name}")
        if name
    }
    queues = {queue.name: queue.queue_manager for queue in facts.rows["queue"]}
    unknown = [(name, seen.origin) for name, seen in observed.endpoints.items() if name not in known and seen.origin]
    for name, origin in unknown:
        if name in queues:
            step = "Name its user under queues"
            yield _notice(origin, f"no endpoint is called {name}: it is a queue of {queues[name]}", step)
    yield from _unknown("endpoint", [entry for entry in unknown if entry[0] not in queues], known)


def _queue_managers(facts: Facts, observed: Observations) -> Iterator[Notice]:
    places = {(row.environment, row.name) for row in facts.rows["queue_manager"]}
    places |= {(row.environment, row.queue_manager) for row in facts.rows["endpoint"] if row.queue_manager}
    names = {name for environment, own in places for name in (own, environment and f"{environment}/{own}") if name}
    unknown = [
        (pattern, seen.origin)
        for pattern, seen in observed.users_at
        if seen.origin and not any(fnmatchcase(name, pattern) for name in names)
    ]
    yield from _unknown("queue manager", unknown, names)


def _queues(facts: Facts, observed: Observations) -> Iterator[Notice]:
    rows = [row for row in facts.rows["queue"] if row.type == "local"]
    unknown = [
        (seen.words, seen.origin)
        for seen in observed.queues
        if not any(seen.fits(row.name, row.queue_manager, row.environment) for row in rows)
    ]
    known = {row.name for row in rows}
    known |= {f"{row.name} at {row.queue_manager}" for row in rows}
    yield from _unknown("local queue", unknown, known)


def _users(facts: Facts, observed: Observations) -> Iterator[Notice]:
    named = {row.user for row in facts.rows["endpoint"] if row.user}
    named |= {row.observed_user for row in facts.rows["queue_manager"] if row.observed_user}
    named |= {row.observed_user for row in facts.rows["queue"] if row.observed_user}
    for user in observed.users:
        if user not in named and (near := _slipped(user, named)):
            yield _notice(Origin(observed.path, 0, 0, ""), f"nothing names user {user}", _meant(near))


def _unknown(noun: str, entries: Sequence[tuple[str, Origin]], known: Collection[str]) -> Iterator[Notice]:
    """What to say of entries whose names nothing has."""
    few = len(entries) <= _MOST
    alone = [(name, at) for name, at in entries if few or _slipped(name, known)]
    for name, origin in alone:
        near = _slipped(name, known) or closest(name, known)
        yield _notice(origin, f"no {noun} is called {name}", _meant(near))
    others = [entry for entry in entries if entry not in alone]
    if others:
        names = some_names([name for name, _ in others])
        yield _notice(others[0][1], f"{len(others)} entries name no {noun} ({names})", one=False)


def _slipped(name: str, known: Collection[str]) -> str:
    return next((other for other in sorted(known) if is_slip(name, other)), "")


def _meant(name: str) -> str:
    return f"Did you mean {name}?" if name else ""


def _notice(origin: Origin, text: str, step: str = "", *, one: bool = True) -> Notice:
    effect = f"so what was observed of {'it' if one else 'them'} has no effect"
    return Notice("unmatched_observation", origin.path, origin.line, f"{text}, {effect}", step)
