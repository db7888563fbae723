"""The estates over which laws are tried, and how many of them.

``LINTMDB_LAW_ESTATES=20`` tries twenty times as many.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from lintmdb.model.facts import Facts
from lintmdb.model.origins import Origin
from lintmdb.resolve.observations import Observations, read_observations
from lintmdb.run.estate import read_estate
from tests.support.fleet_estate import inputs_of
from tests.support.random_estates.estates import build_estate
from tests.support.scenario import expected
from tests.support.scenario_folders import scenario_folder, scenario_names

TIMES = int(os.environ.get("LINTMDB_LAW_ESTATES", "1"))
OBSERVED = Observations(
    15_000, beans={f"SlowBean{number}": (200_000, Origin("observed.yaml", 3, 0, "")) for number in range(3)}
)
"""Beans are slow or fast; a run without observations leaves much undecided."""


def seeds(count: int) -> range:
    """So many seeds, times as often as the environment says."""
    return range(count * TIMES)


def batches(count: int, size: int = 50) -> Iterator[range]:
    """The same seeds in pieces that are read together."""
    every = seeds(count)
    return (every[start : start + size] for start in range(0, len(every), size))


def write_estates(folder: Path, of_seeds: Iterable[int]) -> None:
    """Write the estates of some seeds, each into a folder of its own."""
    for seed in of_seeds:
        build_estate(seed).write(folder)


def read_batch(folder: Path, of_seeds: Iterable[int]) -> Facts:
    """What some estates hold, observed where the first seed is even."""
    of_seeds = list(of_seeds)
    write_estates(folder, of_seeds)
    return read_estate([folder], OBSERVED if of_seeds[0] // 50 % 2 == 0 else Observations()).facts


def read_fixtures() -> Iterator[tuple[str, Facts]]:
    """Every fixture with the observations of its expectation."""
    for name in scenario_names():
        folder = scenario_folder(name)
        options: dict[str, str] = expected(folder).get("options") or {}
        file = folder / options["observations"] if "observations" in options else None
        yield name, read_estate(inputs_of(folder), read_observations(file, options.get("on_message"))).facts
