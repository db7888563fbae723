"""Property names that differ from an effective name only by blanks or case, or by a slip of the hand.

WebSphere looks a property up by its exact name, so a misspelt property has no effect.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping

from lintmdb.model.origins import Origin
from lintmdb.model.relations import Problem
from lintmdb.suggestions import is_slip


@functools.lru_cache(maxsize=8)  # one set of names a reader
def _folded(acting: frozenset[str]) -> Mapping[str, str]:
    return {name.lower(): name for name in sorted(acting)}


def intended_name(written: str, acting: frozenset[str]) -> str | None:
    """The name in ``acting`` that a written name resembles; None if it resembles none, or is one itself."""
    return None if written in acting else _folded(acting).get(written.strip().lower())


def _slipped_name(written: str, acting: frozenset[str]) -> str | None:
    """The only name in ``acting`` that one slip of the hand, or other separators, turn into a written name."""
    bare = _bare(written)
    found = [name for name in acting if bare == _bare(name) or is_slip(bare, _bare(name))]
    return found[0] if len(found) == 1 and written not in acting else None


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def find_misspelt(
    owner: str, written: Iterable[tuple[str, Origin]], acting: frozenset[str], *, all_known: bool = False
) -> list[Problem]:
    """A ``misspelt_property`` problem for each name that only blanks or case keep from taking effect; or a slip of the
    hand, where ``acting`` has all names that take effect (``all_known``).

    ``written`` has the names as the file spells them, with their places; ``owner`` says in messages what has them.
    """
    found: list[Problem] = []
    for name, origin in written:
        meant, by = intended_name(name, acting), ""
        if meant is not None:
            by = "case" if name.strip() == name else "blanks" if name.strip() == meant else "blanks and case"
        elif all_known:
            meant, by = _slipped_name(name, acting), "its spelling"
        if meant is None:
            continue
        found.append(
            Problem(
                kind="misspelt_property",
                path=origin.path,
                line=origin.line,
                column=origin.column,
                text=f'The property "{name}" of {owner} differs from {meant} by {by}, so it has no effect',
                next_step=f"Rename it to {meant}, or remove it",
                object=f"{owner} {meant}",
            )
        )
    return found
