"""The exports of one name that differ, as the facts of a fleet tell them."""

from __future__ import annotations

from typing import TypedDict, cast

from lintmdb.fleet.arrow import compute, dataset
from lintmdb.fleet.facts.collect import Collected
from lintmdb.fleet.facts.store import Store
from lintmdb.model.relations import Export, Problem


class _Row(TypedDict):
    """What is read of a row of ``problem`` or ``export``."""

    part: int
    path: str
    environment: str | None
    queue_manager: str | None
    object: str | None


def read_conflicts(store: Store, collected: Collected) -> tuple[list[Problem], list[Export]]:
    """The conflicts of the facts that count, and all exports where there are any."""
    live = {part.part for part in collected.live}
    kept: list[Problem] = []
    for folder in store.folders(collected.state, "problem"):
        wanted = compute.field("kind") == "conflicting_exports"
        names = ["part", *(name for name in _Row.__annotations__ if name != "part")]
        rows = dataset.dataset(folder, format="parquet").to_table(columns=names, filter=wanted).to_pylist()
        kept += (
            Problem(
                kind="conflicting_exports",
                path=row["path"],
                environment=row["environment"],
                queue_manager=row["queue_manager"],
                object=row["object"],
            )
            for row in cast("list[_Row]", rows)
            if row["part"] in live
        )
    exports: list[Export] = []
    for folder in store.folders(collected.state, "export") if kept else ():
        rows = dataset.dataset(folder, format="parquet").to_table(columns=["part", "path"]).to_pylist()
        paths = (row["path"] for row in cast("list[_Row]", rows) if row["part"] in live)
        exports += (Export(path=path, kind="cell", name=None, complete=False) for path in paths)
    return kept, exports
