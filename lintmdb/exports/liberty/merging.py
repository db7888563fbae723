"""The elements of several configuration files as one configuration, as Liberty merges them.

Elements of one name and id are one element, and so are all elements of a name that has one instance: the attribute
that is read last wins, and children add up. Names of attributes are matched whatever their case.

A file that is included and was not given may set anything of the elements that can be merged with its own. What later
files set is known all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from lintmdb.exports.was.objects import NOT_TOLD
from lintmdb.exports.xml import Document, Element
from lintmdb.model.origins import Origin, Setting

Conflict = Literal["merge", "replace", "ignore"]
"""What becomes of an element of an included file that another file has too (``onConflict``)."""
_SINGLE = frozenset({"transaction", "messagingEngine", "wmqJmsClient", "featureManager"})
_SINGLE_CHILDREN = frozenset({"authData"})
_UNNAMED = "\0"
"""How the keys of elements without an id begin: none is merged with another."""
NAMES = frozenset({"id", "name", "jndiname", "location"})
"""Attributes that say which thing an element is. A missing file is not expected to give them other values."""


@dataclass(slots=True)
class Merged:
    """An element of the configuration."""

    tag: str
    id: str
    origin: Origin
    attributes: dict[str, Setting] = field(default_factory=dict[str, Setting])
    """By name in small letters, unexpanded."""
    children: list[Merged] = field(default_factory=list["Merged"])
    text: str = ""
    keyed: dict[tuple[str, str], Merged] = field(default_factory=dict[tuple[str, str], "Merged"])
    """The children that others of the same name, or of the same name and id, are merged into."""
    open: bool = False
    """A file that was not given may set attributes that are not here."""

    def value(self, name: str) -> str:
        """An attribute as written; blank where there is none."""
        setting = self.attributes.get(name.lower())
        return setting.value if setting is not None else ""

    def all(self, tag: str) -> Iterator[Merged]:
        """The children of a name."""
        return (child for child in self.children if child.tag == tag)


class Configuration:
    """The configuration of one server, as far as it has been read."""

    def __init__(self) -> None:
        self._elements: dict[tuple[str, str], Merged] = {}
        self._unnamed = 0
        self._missing: Origin | None = None
        """Where a file is included that was not given, if one is."""

    def add(
        self, document: Document, element: Element, conflict: Conflict, earlier: frozenset[tuple[str, str]]
    ) -> None:
        """Merge one element of a file. ``earlier`` are the keys of the elements before the file that includes it."""
        key = self._key(element)
        if key in earlier and conflict == "ignore":
            return
        if key in earlier and conflict == "replace":
            self._elements.pop(key, None)
        known = self._elements.get(key)
        if known is None:
            known = self._elements[key] = _new(document, element)
            known.open = self._missing is not None and not key[1].startswith(_UNNAMED)
        _merge(known, document, element)

    def miss(self, conflict: Conflict, place: Origin) -> None:
        """Go on as if a file that was not given were read here: it may set anything of the elements that it can name.

        With ``ignore`` it sets nothing of the elements that are there already.
        """
        self._missing = place._replace(text="")
        if conflict != "ignore":
            for (_, name), element in self._elements.items():
                if not name.startswith(_UNNAMED):
                    _forget(element, replaced=conflict == "replace")

    def single(self, tag: str) -> Merged | None:
        """The element of a name that has one instance; an empty one where only a missing file can have it."""
        found = self._elements.get((tag, ""))
        if found is None and self._missing is not None:
            return Merged(tag, "", self._missing, open=True)
        return found

    def keys(self) -> frozenset[tuple[str, str]]:
        """What names the elements so far."""
        return frozenset(self._elements)

    def all(self, *tags: str) -> list[Merged]:
        """The elements of some names, in the order in which they were first read."""
        return [element for element in self._elements.values() if element.tag in tags]

    def _key(self, element: Element) -> tuple[str, str]:
        if element.tag in _SINGLE:
            return element.tag, ""
        name = _attribute(element, "id")
        if not name:
            self._unnamed += 1
            name = f"{_UNNAMED}{self._unnamed}"
        return element.tag, name


def _attribute(element: Element, name: str) -> str:
    return next((value for key, value in element.attributes.items() if key.lower() == name), "").strip()


def _new(document: Document, element: Element) -> Merged:
    name = _attribute(element, "id")
    shown = f'<{element.tag} id="{name}">' if name else f"<{element.tag}>"
    return Merged(element.tag, name, document.origin(element, shown))


def _forget(element: Merged, *, replaced: bool) -> None:
    """Take every value of an element for unknown, and those of the children that others are merged into; of all where
    the element may be ``replaced``.
    """
    element.open = True
    untold = Setting(NOT_TOLD, element.origin._replace(text=""))
    element.attributes = {name: s if name in NAMES else untold for name, s in element.attributes.items()}
    for child in element.children if replaced else element.keyed.values():
        _forget(child, replaced=replaced)


def _merge(known: Merged, document: Document, element: Element) -> None:
    for name, value in element.attributes.items():
        known.attributes[name.lower()] = Setting(value, document.attribute_origin(element, name))
    known.text = element.text or known.text
    for child in element.children:
        key = _child_key(child)
        same = known.keyed.get(key) if key is not None else None
        if same is None:
            same = _new(document, child)
            same.open = known.open and key is not None
            known.children.append(same)
            if key is not None:
                known.keyed[key] = same
        _merge(same, document, child)


def _child_key(child: Element) -> tuple[str, str] | None:
    """What makes children of one element the same one; None for a child that is always another."""
    if child.tag in _SINGLE_CHILDREN or child.tag.startswith("properties"):
        return child.tag, ""
    name = _attribute(child, "id")
    return (child.tag, name) if name else None
