"""Guesses at names of queue managers that nothing in a fleet confirms: a strict gate fails for them, as in check."""

from __future__ import annotations

from collections.abc import Iterator

from lintmdb.fleet.arrow import compute
from lintmdb.fleet.arrow_rows import distinct, is_among
from lintmdb.fleet.facts.collect import Collected
from lintmdb.fleet.facts.store import Store
from lintmdb.model.environment_names import name_in

_NAMING = (
    ("endpoint", "queue_manager"),
    ("endpoint", "other_queue_manager"),
    ("put_target", "remote_queue_manager"),
)
"""The columns that name queue managers."""


def find_guessed(store: Store, collected: Collected) -> list[str]:
    """The guessed names of queue managers that no endpoint and no remote backout queue names, as ``name_in`` gives
    them.
    """
    live = is_among("part", (part.part for part in collected.live))

    def read(relation: str, column: str, wanted: object) -> Iterator[tuple[str | None, str | None]]:
        for folder in store.folders(collected.state, relation):
            yield from distinct(folder, ("environment", column), wanted)

    guessed = {*read("queue_manager", "name", live & compute.field("name_guessed"))}
    if not guessed:
        return []
    told = guessed & {*read("problem", "queue_manager", live & (compute.field("kind") == "guessed_name"))}
    if not told:
        return []
    names = [name for _, name in told]
    named = {
        entry
        for relation, column in _NAMING
        for entry in read(relation, column, live & compute.field(column).isin(names))
    }
    return sorted(name_in(environment, name or "") for environment, name in told - named)
