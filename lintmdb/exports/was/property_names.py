"""Names of properties that differ from one that acts by blanks or case alone.

WebSphere finds a property by its exact name: under any other nothing is set.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping

from lintmdb.model.origins import Origin
from lintmdb.model.relations import Problem


@functools.lru_cache(maxsize=8)  # one set of names a reader
def _folded(acting: frozenset[str]) -> Mapping[str, str]:
    return {name.lower(): name for name in sorted(acting)}


def intended_name(written: str, acting: frozenset[str]) -> str | None:
    """The name that was meant; None for a name that acts, and for one that resembles none."""
    return None if written in acting else _folded(acting).get(written.strip().lower())


def find_misspelt(owner: str, written: Iterable[tuple[str, Origin]], acting: frozenset[str]) -> list[Problem]:
    """A problem for each name that acts only without its blanks, or in another case."""
    found: list[Problem] = []
    for name, origin in written:
        meant = intended_name(name, acting)
        if meant is None:
            continue
        difference = "case" if name.strip() == name else "blanks" if name.strip() == meant else "blanks and case"
        found.append(
            Problem(
                kind="misspelt_property",
                path=origin.path,
                line=origin.line,
                column=origin.column,
                text=f'the property "{name}" of {owner} differs from {meant} by {difference}, it has no effect',
                next_step=f"Rename it to {meant}, or remove it",
                object=f"{owner} {meant}",
            )
        )
    return found
