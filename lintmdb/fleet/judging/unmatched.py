"""Observations that match nothing in a fleet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lintmdb.engine.findings import Notice
from lintmdb.fleet.arrow_rows import distinct, is_among
from lintmdb.fleet.facts.collect import Collected
from lintmdb.fleet.facts.store import Store
from lintmdb.resolve.observations import Observations
from lintmdb.run.unmatched_observations import unmatched_among


def find_unmatched(store: Store, collected: Collected, observed: Observations) -> list[Notice]:
    """What ``check`` says of them."""
    live = is_among("part", (part.part for part in collected.live))

    def values(relation: str, columns: Sequence[str]) -> Iterable[tuple[str | None, ...]]:
        return {row for folder in store.folders(collected.state, relation) for row in distinct(folder, columns, live)}

    return list(unmatched_among(values, observed))
