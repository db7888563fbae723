"""The estates over which laws are tried, and how many of them.

``LINTMDB_LAW_ESTATES=20`` tries twenty times as many.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from lintmdb.model.facts import Facts
from lintmdb.model.origins import Origin
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import UnresolvedEstate, read_exports, resolve_exports
from tests.support.random_estates.estates import build_estate

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


@functools.lru_cache(maxsize=3)  # what one law reads, the next one needs again; conftest.py keeps them together
def read_exports_of(of_seeds: Sequence[int]) -> UnresolvedEstate:
    """What the estates of some seeds (a range or a tuple) hold, before it is resolved."""
    with TemporaryDirectory() as folder:
        write_estates(Path(folder), of_seeds)
        return read_exports([folder])


def read_batch(of_seeds: Sequence[int]) -> Facts:
    """The facts of some estates, observed where the first seed is in an even batch."""
    observed = OBSERVED if of_seeds[0] // 50 % 2 == 0 else Observations()
    return resolve_exports(read_exports_of(of_seeds), observed).facts
