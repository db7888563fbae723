"""Observations that are about nothing that was read: one file may serve several exports, but a slip looks the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from lintmdb.engine.findings import Notice
from lintmdb.model.facts import Facts
from lintmdb.model.origins import Origin
from lintmdb.resolve.observations import Observations
from lintmdb.suggestions import closest, is_slip, some_names

_PATTERN = re.compile(r"[*?\[]")
_MATCHED = ("queue manager", "local queue")
"""What entries may name by a pattern."""
_MOST = 3
"""More entries of one kind that match nothing are about other exports: one notice is enough."""


Values = Callable[[str, Sequence[str]], Iterable[tuple[str | None, ...]]]
"""Gives the different values that some columns of a relation have together."""


def unmatched_observations(facts: Facts, observed: Observations) -> Iterator[Notice]:
    """A notice for each entry that matches nothing, with the nearest name; one for many that no slip explains. Groups
    of a user that nothing names are told where one slip makes a user of it that something names.
    """

    def values(relation: str, columns: Sequence[str]) -> Iterable[tuple[str | None, ...]]:
        return {tuple([getattr(row, column) for column in columns]) for row in facts.rows[relation]}

    return unmatched_among(values, observed)


def unmatched_among(values: Values, observed: Observations) -> Iterator[Notice]:
    """The same of facts wherever they are kept."""
    if observed.beans:
        yield from _beans(values, observed)
    if observed.endpoints:
        yield from _endpoints(values, observed)
    if observed.users_at:
        yield from _queue_managers(values, observed)
    if observed.queues:
        yield from _queues(values, observed)
    if observed.users:
        yield from _users(values, observed)


def _beans(values: Values, observed: Observations) -> Iterator[Notice]:
    known = {
        known
        for application, module, name in values("bean", ("application", "module", "name"))
        if name
        for known in (name, f"{module}/{name}", f"{application}/{module}/{name}")
    }
    yield from _unknown("bean", [(name, at) for name, (_, at) in observed.beans.items() if name not in known], known)


def _endpoints(values: Values, observed: Observations) -> Iterator[Notice]:
    known = {
        known
        for name, server, cluster in values("endpoint", ("name", "server", "cluster"))
        for known in (name, server and f"{server}/{name}", cluster and f"{cluster}/{name}")
        if known
    }
    unknown = [(name, seen.origin) for name, seen in observed.endpoints.items() if name not in known and seen.origin]
    owners = values("queue", ("name", "queue_manager")) if unknown else ()
    queues = {name: manager for name, manager in sorted(owners, key=str) if name}
    for name, origin in unknown:
        if name in queues:
            step = "Name its user under queues"
            yield _notice(origin, f"no endpoint is called {name}: it is a queue of {queues[name]}", step)
    yield from _unknown("endpoint", [entry for entry in unknown if entry[0] not in queues], known)


def _queue_managers(values: Values, observed: Observations) -> Iterator[Notice]:
    places = {*values("queue_manager", ("environment", "name")), *values("endpoint", ("environment", "queue_manager"))}
    names = {
        name for environment, own in places if own for name in (own, environment and f"{environment}/{own}") if name
    }
    unknown = [
        (pattern, seen.origin)
        for pattern, seen in observed.users_at
        if seen.origin and not any(fnmatchcase(name, pattern) for name in names)
    ]
    yield from _unknown("queue manager", unknown, names)


def _queues(values: Values, observed: Observations) -> Iterator[Notice]:
    rows = values("queue", ("type", "name", "queue_manager", "environment"))
    local = {(name, manager, environment) for kind, name, manager, environment in rows if kind == "local" and name}
    opened = values("queue_name", ("name", "local_queue", "queue_manager", "environment"))
    aliases = {(name, manager, env) for name, queue, manager, env in opened if name and (queue, manager, env) in local}
    unknown = [
        (seen.words, seen.origin)
        for seen in observed.queues
        if not any(seen.fits(name, manager or "", environment) for name, manager, environment in local | aliases)
    ]
    # The queue manager says nothing about how near two names of queues are.
    yield from _unknown("local queue", unknown, {name for name, *_ in local}, lambda words: words.partition(" at ")[0])


def _users(values: Values, observed: Observations) -> Iterator[Notice]:
    columns = (("endpoint", "user"), ("queue_manager", "observed_user"), ("queue", "observed_user"))
    named = {user for relation, column in columns for (user,) in values(relation, (column,)) if user}
    for user in observed.users:
        if user not in named and (near := _slipped(user, named)):
            yield _notice(Origin(observed.path, 0, 0, ""), f"nothing names user {user}", _meant(near))


def _unknown(
    noun: str,
    entries: Sequence[tuple[str, Origin]],
    known: Collection[str],
    compared: Callable[[str], str] = lambda name: name,
) -> Iterator[Notice]:
    """What to say of entries whose names nothing has; ``compared`` is what of a name is held against the known ones."""
    few = len(entries) <= _MOST
    alone = [(name, at) for name, at in entries if few or _slipped(compared(name), known)]
    for name, origin in alone:
        is_pattern = _PATTERN.search(compared(name)) is not None  # which is near to no name
        near = _slipped(compared(name), known) or ("" if is_pattern else closest(compared(name), known))
        matches = is_pattern and noun in _MATCHED
        text = f"no {noun}'s name matches {name}" if matches else f"no {noun} is called {name}"
        yield _notice(origin, text, _meant(near))
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
