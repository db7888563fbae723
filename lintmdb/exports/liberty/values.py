"""The attributes of an element with their variables filled in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from lintmdb.exports.liberty.merging import Merged
from lintmdb.model.origins import Setting

Expand: TypeAlias = Callable[[str], str]
"""Fills in the variables of a text; a reference that leads nowhere stays in it."""


def expanded(element: Merged, expand: Expand) -> dict[str, Setting]:
    """The attributes by name in small letters; a blank one counts as set."""
    return {name: Setting(expand(s.value), s.origin) for name, s in element.attributes.items()}
