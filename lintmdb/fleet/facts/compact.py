"""Facts rewritten into one generation, once many small ones or dead rows have gathered in incremental audits."""

from __future__ import annotations

from lintmdb.fleet.facts.encoding import INLINE_SUPPRESSION, PART, STORED
from lintmdb.fleet.facts.store import State, Store
from lintmdb.fleet.facts.workers import Workers

MAX_GENERATIONS = 24
"""Each adds a file or more to every relation, which every later audit opens."""


def needs_compacting(state: State) -> bool:
    """Whether most stored rows are of parts that are gone, or generations are too many."""
    wanted = sum(part.rows for part in state.parts)
    return len(state.generations) > MAX_GENERATIONS or state.stored_rows > 2 * wanted


def compact(workers: Workers, store: Store, state: State) -> None:
    """Copy the parts of a state into one new generation. The old ones stay until the state is saved."""
    sources = {relation: store.folders(state, relation) for relation in (*STORED, PART, INLINE_SUPPRESSION)}
    state.generations.clear()
    target = store.add_generation(state)
    for relation, folders in sources.items():
        if folders:
            workers.copy_facts(store, state, relation, folders, target / f"relation={relation}")
    state.stored_rows = sum(part.rows for part in state.parts)
