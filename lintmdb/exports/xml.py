"""XML with positions: the standard library's expat and a small tree of what a reader wants.

Nothing outside the bytes is ever loaded. A DOCTYPE with only an external identifier is normal (EJB 2.0 descriptors);
an internal subset or an entity declaration is refused. Names are matched by local name, because prefixes vary and
some shipped files do not even declare theirs.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator
from xml.parsers import expat

from lintmdb.errors import UnreadableError
from lintmdb.exports.text import declared_encoding, single_byte, utf16_marked
from lintmdb.model.origins import LazyOrigin, Origin, Setting

MAX_BYTES = 1 << 30
MAX_DEPTH = 200
MAX_ELEMENTS = 20_000_000

_ATTRIBUTE = re.compile(rb"""\s+([^\s=/>"']+)\s*=\s*(?:"[^"]*"|'[^']*')""")
_RAW_VALUE = re.compile(rb"""[^\s=]+\s*=\s*("[^"]*"|'[^']*')""")
_TAG = re.compile(rb"<[^\s/>]+")
_PLAIN_VALUE = rb'''"[ !#-%'-;=-~]*+"'''  # printable ASCII that needs no decoding
_UTF8 = frozenset({"", "utf-8", "utf8", "us-ascii", "ascii"})


@functools.lru_cache(maxsize=8)  # one set of names a reader
def _unwanted(properties: frozenset[str]) -> re.Pattern[bytes]:
    """Whole lines that hold a ``resourceProperties`` of another name and nothing else, as WebSphere writes them."""
    start = rb'\n[ \t]*+<resourceProperties xmi:id=%b name="(?!(?:%b)")' % (_PLAIN_VALUE, _in_any_case(properties))
    others = (b"type", b"value", b"description", b"required", b"ignore", b"confidential", b"supportsDynamicUpdates")
    rest = b"".join(rb"(?: %b=%b)?+" % (name, _PLAIN_VALUE) for name in others)
    return re.compile(start + rb'[\w.]*+"' + rest + rb"/>(?=\r?\n)")


def _in_any_case(names: Collection[str]) -> bytes:
    """A pattern for names whatever their case: by first letter, as most lines are of names that begin with no such."""
    by_first: dict[str, list[str]] = {}
    for name in sorted({name.lower() for name in names}):
        by_first.setdefault(name[0], []).append(name)
    parts = [
        f"[{first}{first.upper()}](?i:{'|'.join(re.escape(name[1:]) for name in found)})"
        for first, found in by_first.items()
    ]
    return "|".join(parts).encode()


class Element:
    """One element: local name, attributes as the file names them, children, text, and its place."""

    __slots__ = ("attributes", "children", "column", "line", "offset", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str], offset: int, line: int, column: int) -> None:
        self.tag = tag
        self.attributes = attributes
        self.offset = offset
        self.line = line
        self.column = column
        self.children: list[Element] | tuple[Element, ...] = ()  # most elements have none
        self.text = ""

    def get(self, name: str, default: str = "") -> str:
        """An attribute by its name, with or without a prefix."""
        value = self.attributes.get(name)
        if value is not None:
            return value
        for key, candidate in self.attributes.items():
            if key.rpartition(":")[2] == name:
                return candidate
        return default

    @property
    def type(self) -> str:
        """The local part of ``xmi:type``."""
        value = self.attributes.get("xmi:type")
        if value is None:
            value = next((v for k, v in self.attributes.items() if k.endswith(":type")), "")
        return value.rpartition(":")[2]

    @property
    def id(self) -> str:
        """``xmi:id``, or ``id``."""
        value = self.attributes.get("xmi:id")
        return value if value is not None else self.get("id")

    def all(self, tag: str) -> Iterator[Element]:
        """The children of a local name."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """The first child of a local name."""
        return next(self.all(tag), None)

    def walk(self) -> Iterator[Element]:
        """The element and everything below it, in document order."""
        stack: list[Element] = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))


@functools.lru_cache(maxsize=1024)  # the same few names, for millions of attributes
def _opening(name: str) -> bytes:
    """What precedes an attribute's value."""
    return b' %s="' % name.encode()


class Document:
    """A parsed file: its root, and the position of everything in it."""

    def __init__(self, root: Element, data: bytes, path: str) -> None:
        self.root = root
        self.path = path
        self._data = data
        encoding = declared_encoding(data)
        self._codec = encoding if single_byte(encoding) else "utf-8"
        self._latin = self._codec != "utf-8"
        self._readable = (self._latin or encoding in _UTF8) and not utf16_marked(data)

    def origin(self, element: Element, text: str) -> Origin:
        """Where an element starts."""
        return Origin(self.path, element.line, element.column, text)

    def attribute_origin(self, element: Element, name: str, text: str = "") -> Origin:
        """The position of an attribute in its start tag; if that is unknown, the position of the element.

        ``text`` is what is shown as written; by default the attribute itself.
        """
        data, start = self._data, element.offset
        if self._readable and name in element.attributes:
            # The short way for what nearly all attributes are: after a blank, on the line of the tag, in plain ASCII.
            before = data[start : data.find(_opening(name), start) + 1]
            if before and before.isascii() and b"\n" not in before and b"'" not in before and b">" not in before:
                shown = text or f'{name}="{element.attributes[name]}"'
                return Origin(self.path, element.line, element.column + len(before), shown)
        before = data[start : self._attribute_offset(element, name)]
        line, column = element.line, element.column
        if b"\n" in before:
            line += before.count(b"\n")
            before = before[before.rfind(b"\n") + 1 :]
            column = 1
        column += len(before) if self._latin or before.isascii() else len(before.decode("utf-8", "replace"))
        return Origin(self.path, line, column, text or f'{name}="{element.get(name)}"')

    def setting(self, element: Element, name: str, text: str = "") -> Setting:
        """One attribute, which the element must have, and its place; ``text`` as for ``attribute_origin``."""
        return Setting(element.get(name), LazyOrigin(self.attribute_origin, element, name, text))

    def raw_value(self, element: Element, name: str) -> str:
        """An attribute's value as it is written in the file, with entities; blank if that is unknown."""
        offset = self._attribute_offset(element, name)
        match = _RAW_VALUE.match(self._data, offset) if offset != element.offset else None
        return match.group(1)[1:-1].decode(self._codec, "replace") if match else ""

    def _attribute_offset(self, element: Element, name: str) -> int:
        if not self._readable:
            return element.offset
        wanted = name.encode()
        tag = _TAG.match(self._data, element.offset)
        if tag is None:
            return element.offset
        position = tag.end()
        while match := _ATTRIBUTE.match(self._data, position):
            if match.group(1) == wanted or match.group(1).rpartition(b":")[2] == wanted:
                return match.start(1)
            position = match.end()
        return element.offset

    def settings(self, element: Element, names: Collection[str]) -> dict[str, Setting]:
        """The named attributes that an element has, each with its place."""
        return {
            name: Setting(value, LazyOrigin(self.attribute_origin, element, name))
            for name, value in element.attributes.items()
            if name in names
        }


def parse_xml(
    data: bytes,
    path: str,
    *,
    skip: Collection[str] = frozenset(),
    properties: Collection[str] | None = None,
    text: bool = False,
) -> Document:
    """Parse a file into a tree.

    Elements whose local name is in ``skip`` are left out with all that is below them, and so are
    ``resourceProperties`` whose name is not in ``properties``, whatever its case and blanks. Text is kept only when
    asked for. Raises UnreadableError with line and column.
    """
    if len(data) > MAX_BYTES:
        raise UnreadableError(f"is larger than {MAX_BYTES} bytes", path=path, next_step="Export less at once")
    if not data or data.isspace():
        raise UnreadableError("is empty", path=path, next_step="Export it again")
    # A tool that saved the file again in UTF-16 left the declaration unchanged: the mark is right.
    encoding = "utf-16" if utf16_marked(data) else None
    wanted = None if properties is None else frozenset(properties)
    if wanted is not None:
        # Nine in ten lines of a resources.xml. What is left of them is the line's end, so no other place moves.
        data = _unwanted(wanted).sub(b"\n", data)
    builder = _Builder(path, frozenset(skip), wanted, text, encoding)
    try:
        builder.parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "") or expat.ErrorString(error.code)
        raise UnreadableError(
            f"is not well-formed XML: {reason}",
            path=path,
            line=error.lineno,
            column=error.offset + 1,
            next_step="Export it again, or repair it at this place",
        ) from None
    except (LookupError, ValueError, UnicodeError) as error:
        raise UnreadableError(
            f"is in an encoding that cannot be read: {error}", path=path, line=1, next_step="Convert it to UTF-8"
        ) from None
    finally:
        root = builder.release()
    return Document(root, data, path)


class _Builder:
    def __init__(  # noqa: C901  handlers are closures: expat calls them once for each tag, and attributes cost a third
        self, path: str, skip: frozenset[str], properties: frozenset[str] | None, text: bool, encoding: str | None
    ) -> None:
        self.path = path
        self.top = Element("", {}, 0, 0, 0)
        self.parser = parser = expat.ParserCreate(encoding)
        self.count = 0
        stack = [self.top]
        self.nowhere = nowhere = Element("", {}, 0, 0, 0)
        local: dict[str, str] = {}
        similar = frozenset(name.lower() for name in properties or ())
        skipped = 0

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal skipped
            if name == "resourceProperties" and properties is not None:
                named = attributes.get("name")
                if named not in properties and (named or "").strip().lower() not in similar:
                    stack.append(nowhere)
                    return
            tag = local.get(name)
            if tag is None:
                tag = local[name] = name.rpartition(":")[2]
            if tag in skip:
                skipped = 1
                parser.StartElementHandler = start_skipped
                parser.EndElementHandler = end_skipped
                return
            element = Element(
                tag, attributes, parser.CurrentByteIndex, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
            )
            parent = stack[-1]
            siblings = parent.children
            if isinstance(siblings, list):
                siblings.append(element)
            else:
                parent.children = [element]
            stack.append(element)
            if len(stack) > MAX_DEPTH:
                raise self.error(f"is nested deeper than {MAX_DEPTH} levels")

        def end(name: str) -> None:
            stack.pop()

        def start_skipped(name: str, attributes: dict[str, str]) -> None:
            nonlocal skipped
            skipped += 1
            if skipped > MAX_DEPTH:
                raise self.error(f"is nested deeper than {MAX_DEPTH} levels")

        def end_skipped(name: str) -> None:
            nonlocal skipped
            skipped -= 1
            if not skipped:
                parser.StartElementHandler = start
                parser.EndElementHandler = end

        def characters(content: str) -> None:
            stack[-1].text += content

        def forget() -> None:
            nonlocal parser
            del parser

        self._forget = forget
        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        if text:
            parser.buffer_text = True
            parser.CharacterDataHandler = characters

    def release(self) -> Element:
        """Give the root, and let go of it and of the parser, which holds a copy of the file: the handlers know each
        other, so they and what they know live until the end of the process.
        """
        root = self.top.children[0] if self.top.children else self.top
        self.top.children = self.nowhere.children = ()
        self._forget()
        del self.parser
        return root

    def error(self, text: str) -> UnreadableError:
        parser = self.parser
        return UnreadableError(
            text, path=self.path, line=parser.CurrentLineNumber, column=parser.CurrentColumnNumber + 1
        )

    def _doctype(self, name: str, system_id: str | None, public_id: str | None, has_internal_subset: int) -> None:
        if has_internal_subset:
            raise self.error("has a DOCTYPE with an internal subset, which no WebSphere file has, so it is not read")

    def _entity(self, *_: object) -> None:
        raise self.error("declares an entity, which no WebSphere file does, so it is not read")
