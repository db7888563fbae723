"""Elements of WebSphere's XML files."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from html import escape

from tests.support.random_estates.blocks import Block, Part

_SCHEMAS = "http://www.ibm.com/websphere/appserver/schemas"
_NAMESPACES = {
    "applicationserver": "5.0/applicationserver.xmi",
    "applicationserver.ejbcontainer": "5.0/applicationserver.ejbcontainer.xmi",
    "applicationserver.ejbcontainer.messagelistener": "5.0/applicationserver.ejbcontainer.messagelistener.xmi",
    "appdeployment": "5.0/appdeployment.xmi",
    "process": "5.0/process.xmi",
    "resources.j2c": "5.0/resources.j2c.xmi",
    "resources.jms": "5.0/resources.jms.xmi",
    "resources.jms.mqseries": "5.0/resources.jms.mqseries.xmi",
    "security": "5.0/security.xmi",
    "serverindex": "5.0/serverindex.xmi",
    "sibresources": "6.0/sibresources.xmi",
    "threadpoolmanager": "6.0/threadpoolmanager.xmi",
    "topology.cell": "5.0/topology.cell.xmi",
    "topology.cluster": "5.0/topology.cluster.xmi",
    "variables": "5.0/variables.xmi",
}
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


class Identifiers:
    """The ``xmi:id`` of each element of an estate."""

    def __init__(self) -> None:
        self._numbers: Iterator[int] = itertools.count(1)

    def next(self, kind: str) -> str:
        """One that no other element has."""
        return f"{kind}_{next(self._numbers)}"


def element(tag: str, attributes: dict[str, str | None], parts: Iterable[Part] = ()) -> Block:
    """An element with its children; an attribute that is None is left out."""
    written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items() if value is not None)
    children = tuple(parts)
    if not children:
        return Block(f"<{tag}{written}/>\n")
    return Block(f"<{tag}{written}>\n", children, f"</{tag}>\n")


def document(tag: str, attributes: dict[str, str | None], prefixes: Iterable[str], parts: Iterable[Part] = ()) -> Block:
    """A file with one root element."""
    names = {f"xmlns:{prefix}": f"{_SCHEMAS}/{_NAMESPACES[prefix]}" for prefix in prefixes}
    root = element(tag, {"xmi:version": "2.0", "xmlns:xmi": "http://www.omg.org/XMI", **names, **attributes}, parts)
    return Block(_HEAD + root.head, root.parts, root.tail)


def plain_document(tag: str, attributes: dict[str, str | None], parts: Iterable[Part] = ()) -> Block:
    """A file of Java EE, which has no XMI."""
    root = element(tag, attributes, parts)
    return Block(_HEAD + root.head, root.parts, root.tail)


def text_element(tag: str, text: str) -> str:
    """An element that holds a text."""
    return f"<{tag}>{escape(text)}</{tag}>\n"


def fixed(tag: str, parts: Iterable[str | Block], attributes: dict[str, str | None] | None = None) -> Block:
    """An element whose children keep their order."""
    inner = "".join(part if isinstance(part, str) else part.text for part in parts)
    opened = element(tag, attributes or {}, ("",))
    return Block(opened.head + inner + opened.tail)
