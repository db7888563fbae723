"""The attributes of an element with their variables filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from lintmdb.exports.liberty.merging import NAMES, Merged
from lintmdb.exports.was.objects import NOT_TOLD
from lintmdb.model.origins import Setting

Expand: TypeAlias = Callable[[str], str]
"""Fills in the variables of a text; a reference that leads nowhere stays in it."""


@dataclass(frozen=True, slots=True)
class Attributes:
    """The attributes of an element, by name in small letters; a blank one counts as set."""

    written: Mapping[str, Setting]
    untold: Setting | None = None
    """What an attribute is that no file here sets, where a missing file may set it."""

    def get(self, name: str, default: Setting | None = None) -> Setting | None:
        """An attribute, or its default where no file sets it; NOT_TOLD where a missing file may set it."""
        name = name.lower()
        untold = None if name in NAMES else self.untold
        return self.written.get(name) or untold or default

    def says(self, *names: str) -> bool:
        """Whether a file here says the value of one of these attributes."""
        settings = (self.written.get(name.lower()) for name in names)
        return any(s is not None and s.value.strip() not in ("", NOT_TOLD) for s in settings)


def expanded(element: Merged | None, expand: Expand) -> Attributes:
    """The attributes of an element; none where there is no element."""
    if element is None:
        return Attributes({})
    written = {name: Setting(expand(s.value), s.origin) for name, s in element.attributes.items()}
    return Attributes(written, Setting(NOT_TOLD, element.origin._replace(text="")) if element.open else None)
