"""YAML of any tool as nodes with positions.

Documents are parsed one at a time, so that a broken one does not hide the others. Template actions (``{{ ... }}``) are
covered while the structure is parsed; a scalar shows them as they are written. An alias is the node that it names,
which is never copied.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from lintmdb.exports.mq.embedded import EmbeddedText
from lintmdb.exports.mq.yaml_scalars import Region, cover_actions, scalar_text

if TYPE_CHECKING:
    import yaml

MAX_DEPTH = 100
_DOCUMENT = re.compile(r"^(?:---|\.\.\.)(?=[ \t\r]|$)", re.M)
_CONTENT = re.compile(r"^(?!%)[^\S\n]*\S", re.M)
_MARKS = ("---", "...")
_TEMPLATE = re.compile(r"\{\{|\{%")
_BLOCK = re.compile(r"\{[{%]-?\s*(if|range|with|for|end)\w*\b")
_OTHER_BREAKS = re.compile("[\x85\u2028\u2029\r]")


@dataclass(slots=True)
class Scalar:
    """A scalar."""

    region: Region
    templates: bool
    """The document has template actions, which the parser did not see."""

    @property
    def line(self) -> int:
        """Where it begins, from 1."""
        return self.region.first_line + self.region.start[0]

    @property
    def column(self) -> int:
        """Where it begins, from 1."""
        return self.region.start[1] + 1

    @classmethod
    def of(cls, value: str, near: Node | None = None) -> Scalar:
        """A scalar that no file has; its place is that of the first one of another node."""
        place = first_scalar(near)
        region = place.region if place is not None else Region((), 1, (0, 0), (0, 0), "", "")
        return cls(region._replace(value=value, style=""), templates=False)

    @property
    def path(self) -> str:
        """The file that it is in, where its documents were read with one."""
        return self.region.path

    @property
    def is_null(self) -> bool:
        """Whether it is no value at all."""
        return not self.region.style and self.region.value in ("", "~", "null", "Null", "NULL")

    @property
    def value(self) -> str:
        """Its text, with the template actions in it as they are written."""
        return self.text().text if self.templates else self.region.value

    def text(self) -> EmbeddedText:
        """Its text with positions."""
        return scalar_text(self.region)


@dataclass(slots=True)
class Sequenced:
    """A sequence."""

    items: list[Node] = field(default_factory=list["Node"])


@dataclass(slots=True)
class Mapped:
    """A mapping, in the order of the file."""

    entries: list[tuple[str, Node]] = field(default_factory=list[tuple[str, "Node"]])

    def get(self, *keys: str) -> Node | None:
        """What stands below some keys."""
        node: Node | None = self
        for key in keys:
            if not isinstance(node, Mapped):
                return None
            node = next((value for name, value in node.entries if name == key), None)
        return node

    def text(self, *keys: str) -> str:
        """The scalar below some keys; blank where there is none."""
        node = self.get(*keys)
        return node.value if isinstance(node, Scalar) else ""

    def items(self, *keys: str) -> Sequence[Node]:
        """The items of the sequence below some keys; none where there is none."""
        node = self.get(*keys)
        return node.items if isinstance(node, Sequenced) else ()

    def mappings(self, *keys: str) -> Sequence[Mapped]:
        """Those items of the sequence below some keys that are mappings."""
        return [item for item in self.items(*keys) if isinstance(item, Mapped)]

    def scalars(self, *keys: str) -> Sequence[tuple[str, Scalar]]:
        """The keys and scalars of the mapping below some keys."""
        node = self.get(*keys)
        return (
            [(key, value) for key, value in node.entries if isinstance(value, Scalar)]
            if isinstance(node, Mapped)
            else ()
        )


Node: TypeAlias = Scalar | Sequenced | Mapped


def first_scalar(node: Node | None) -> Scalar | None:
    """The first scalar of a node; None where it has none."""
    pending: list[Node | None] = [node]
    while pending:
        first = pending.pop()
        if isinstance(first, Scalar):
            return first
        if isinstance(first, Sequenced):
            pending += reversed(first.items)
        elif isinstance(first, Mapped):
            pending += [value for _, value in reversed(first.entries)]
    return None


class YamlError(Exception):
    """Why a document cannot be read, and where."""

    def __init__(self, text: str, line: int, column: int) -> None:
        super().__init__(text)
        self.text = text
        self.line = line
        self.column = column


class Document(NamedTuple):
    """One document of a file, not parsed yet."""

    text: str
    first_line: int
    """The number of its first line."""
    path: str = ""
    """The file that it is in, for nodes that are put together with those of other files."""

    def root(self) -> Node | None:
        """The root node; None for an empty document. Raises YamlError."""
        return _Builder(self).root()

    def template_line(self) -> int:
        """The line of the first template action; 0 without one."""
        found = _TEMPLATE.search(self.text)
        return self.first_line + self.text.count("\n", 0, found.start()) if found is not None else 0

    def conditional_lines(self) -> frozenset[int]:
        """The lines that a template renders under a condition or several times, if at all."""
        lines: set[int] = set()
        depth = 0
        for number, line in enumerate(self.text.split("\n"), self.first_line):
            if depth:
                lines.add(number)
            for action in _BLOCK.finditer(line):
                depth = max(depth + (-1 if action[1].startswith("end") else 1), 0)
        return frozenset(lines)


def documents(text: str, path: str = "") -> Iterator[Document]:
    """The documents of a file."""
    start, line = 0, 1
    several = text.startswith(_MARKS) or any(f"\n{mark}" in text for mark in _MARKS)
    for mark in _DOCUMENT.finditer(text) if several else ():
        if _has_content(text[start : mark.start()]):
            yield Document(text[start : mark.start()], line, path)
        line += text.count("\n", start, mark.start())
        start = mark.start()
    if _has_content(text[start:]):
        yield Document(text[start:], line, path)


def _has_content(text: str) -> bool:
    """Whether a piece of a file has more than blanks and directives, which belong to the document behind them."""
    return _CONTENT.search(text) is not None


@dataclass(slots=True)
class _Open:
    """A collection under construction; in a mapping ``key`` waits for its value."""

    node: Sequenced | Mapped
    key: str | None = None
    keys: set[str] = field(default_factory=set[str])


class _Builder:
    """Builds nodes from the parser's events, which take no stack however deep a document is nested."""

    def __init__(self, document: Document) -> None:
        self._lines = document.text.replace("\r\n", "\n").split("\n")
        self._first = document.first_line
        self._path = document.path
        self._templates = document.template_line() > 0
        self._open: list[_Open] = []
        self._anchors: dict[str, Node] = {}
        self._root: Node | None = None

    def root(self) -> Node | None:
        """The root node. Raises YamlError."""
        import yaml

        lines = map(cover_actions, self._lines) if self._templates else self._lines
        covered = _OTHER_BREAKS.sub(" ", "\n".join(lines)).removeprefix("...")
        try:
            for event in yaml.parse(covered, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
                self._take(event)
        except yaml.MarkedYAMLError as error:
            raise self._problem(f"is not valid YAML: {error.problem or error.context}", error.problem_mark) from error
        except yaml.YAMLError as error:
            raise self._problem("is not valid YAML: it has a character that YAML forbids", None) from error
        return self._root

    def _problem(self, text: str, mark: object) -> YamlError:
        line, column = _place(mark)
        last = next(n for n in range(len(self._lines) - 1, -1, -1) if n == 0 or self._lines[n].strip())
        if line > last:  # the parser places the end of a document on a line of its own
            line, column = last, len(self._lines[last])
        return YamlError(text, self._first + line, column + 1)

    def _take(self, event: yaml.Event) -> None:
        kind = type(event).__name__
        if kind == "ScalarEvent":
            self._add(self._scalar(event), event)
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            if len(self._open) >= MAX_DEPTH:
                raise self._problem(f"is nested deeper than {MAX_DEPTH} levels", event.start_mark)
            node = Mapped() if kind == "MappingStartEvent" else Sequenced()
            self._add(node, event)
            self._open.append(_Open(node))
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._open.pop()
        elif kind == "AliasEvent":
            known = self._anchors.get(getattr(event, "anchor", ""))
            if known is None:
                raise self._problem("is not valid YAML: an alias names no anchor", event.start_mark)
            self._add(known, event)

    def _scalar(self, event: yaml.Event) -> Scalar:
        return Scalar(
            Region(
                self._lines,
                self._first,
                _place(event.start_mark),
                _place(event.end_mark),
                getattr(event, "style", None) or "",
                getattr(event, "value", ""),
                self._path,
            ),
            self._templates,
        )

    def _add(self, node: Node, event: yaml.Event) -> None:
        """Put a node where the document has it."""
        anchor = getattr(event, "anchor", None)
        if anchor:
            self._anchors[anchor] = node
        if not self._open:
            self._root = node
            return
        around = self._open[-1]
        if isinstance(around.node, Sequenced):
            around.node.items.append(node)
        elif around.key is None:
            around.key = self._key(node, around, event)
        else:
            around.node.entries.append((around.key, node))
            around.key = None

    def _key(self, node: Node, around: _Open, event: yaml.Event) -> str:
        """The text of a key. A key that is no scalar is taken in, and nobody asks for it."""
        if not isinstance(node, Scalar):
            return ""
        key = node.value
        if key in around.keys and key != "<<":
            raise self._problem("gives a key twice", event.start_mark)
        around.keys.add(key)
        return key


def _place(mark: object) -> tuple[int, int]:
    """The line and column of a mark, from 0; the parsers have several types of marks."""
    return getattr(mark, "line", 0), getattr(mark, "column", 0)
