"""Property names that differ from an effective name only by blanks or case.

WebSphere looks a property up by its exact name, so a misspelt property has no effect.
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
    """The name in ``acting`` that a written name resembles; None if it resembles none, or is one itself."""
    return None if written in acting else _folded(acting).get(written.strip().lower())


def find_misspelt(owner: str, written: Iterable[tuple[str, Origin]], acting: frozenset[str]) -> list[Problem]:
    """A ``misspelt_property`` problem for each name that only blanks or case keep from taking effect.

    ``written`` has the names as the file spells them, with their places; ``owner`` says in messages what has them.
    """
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
                text=f'The property "{name}" of {owner} differs from {meant} by {difference}, so it has no effect',
                next_step=f"Rename it to {meant}, or remove it",
                object=f"{owner} {meant}",
            )
        )
    return found
