"""A page that lintmdb wrote, read as a tree, and the contrast of its colours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "path", "rect", "input"}
_COLOUR = re.compile(r"--([\w-]+): (#[0-9a-f]{6})")
_ROOT = re.compile(r"(?m)^(\s*):root \{(.*?)\}", re.DOTALL)


@dataclass
class Node:
    """An element of the page."""

    tag: str
    attributes: dict[str, str]
    children: list[Node | str] = field(default_factory=list["Node | str"])

    @property
    def text(self) -> str:
        """All text inside."""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def find(self, tag: str, **attributes: str) -> Iterator[Node]:
        """The elements inside with a tag and these attributes."""
        for child in self.children:
            if isinstance(child, Node):
                if child.tag == tag and all(child.attributes.get(k.rstrip("_")) == v for k, v in attributes.items()):
                    yield child
                yield from child.find(tag, **attributes)

    def all(self) -> Iterator[Node]:
        """Every element inside, in the order of the page."""
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child.all()


class Page(HTMLParser):
    """The page as a tree; a tag that is not closed, or closed twice, fails the test."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("", {})
        self._open = [self.root]
        self.feed(text)
        self.close()
        assert len(self._open) == 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element, unless it is one that has no content."""
        node = Node(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(node)
        if tag not in VOID:
            self._open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Refuse ``<p/>``, which HTML reads as ``<p>``."""
        assert tag in VOID
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """Close the element that was opened last, and no other."""
        assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        """Keep text in its place between elements."""
        self._open[-1].children.append(data)


def colours_of(style: str, scheme: str) -> dict[str, str]:
    """The colours that a style sheet names, in the light or the dark scheme."""
    colours: dict[str, str] = {}
    for indent, names in _ROOT.findall(style):
        if not indent or scheme == "dark":
            colours |= dict(_COLOUR.findall(names))
    return colours


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG, from 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
