"""YAML that people wrote: rules, observations, expectations.

Duplicate keys are errors, and ``no`` and ``on`` stay strings. One pass over the events in front of the loader limits
depth and aliases: the C loader crashes the interpreter on deep nesting.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

import yaml

from lintmdb.errors import LintmdbError
from lintmdb.json_types import JsonObject, JsonValue
from lintmdb.schema_check import first_problem

if TYPE_CHECKING:
    from yaml import SafeLoader as _Loader
else:
    _Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 50


class _Constructor(Protocol):
    """What is used of a loader, whose own types are incomplete."""

    def get_single_node(self) -> yaml.Node | None: ...
    def construct_document(self, node: yaml.Node) -> JsonValue: ...
    def construct_object(self, node: yaml.Node, deep: bool = False) -> JsonValue: ...
    def dispose(self) -> None: ...


class _StrictLoader(_Loader):
    """Booleans only for ``true`` and ``false``; a key given twice is an error."""


def _mapping(loader: _Constructor, node: yaml.MappingNode) -> dict[str | int, JsonValue]:
    document: dict[str | int, JsonValue] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node)
        if not isinstance(key, str | int):
            raise yaml.constructor.ConstructorError(None, None, "a key is not a plain word", key_node.start_mark)
        if key in document:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} is given twice", key_node.start_mark)
        document[key] = loader.construct_object(value_node, deep=True)
    return document


def _boolean(loader: _Constructor, node: yaml.ScalarNode) -> bool | str:
    word = node.value.lower()
    return word == "true" if word in ("true", "false") else node.value


def _plain(loader: _Constructor, node: yaml.ScalarNode) -> str:
    return node.value


_StrictLoader.add_constructor("tag:yaml.org,2002:map", _mapping)
_StrictLoader.add_constructor("tag:yaml.org,2002:bool", _boolean)
_StrictLoader.add_constructor("tag:yaml.org,2002:timestamp", _plain)


class Lines(NamedTuple):
    """Where the values of a document stand."""

    root: yaml.Node | None = None

    def line(self, *place: str | int) -> int:
        """The line of a value, or of the nearest value around it; the first for the document as a whole."""
        node, line = self.root, 1
        for part in place:
            node = _child(node, part)
            if node is None:
                break
            # The text of a folded or literal block starts on the line below its sign.
            below = isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")
            line = node.start_mark.line + (2 if below else 1)
        return line


def _child(node: yaml.Node | None, part: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == str(part)), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int):
        return node.value[part] if part < len(node.value) else None
    return None


def read_yaml(file: Path) -> tuple[JsonValue, Lines]:
    """The document of a file and the lines of its values. Raises LintmdbError."""
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise LintmdbError(f"cannot be read: {error.strerror}", path=str(file)) from error
    if len(data) > MAX_BYTES:
        raise LintmdbError(f"is larger than {MAX_BYTES} bytes", path=str(file), next_step="Split it")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LintmdbError("is not UTF-8 text", path=str(file), next_step="Save it as UTF-8") from error
    return parse_yaml(text, str(file))


def parse_yaml(text: str, path: str) -> tuple[JsonValue, Lines]:
    """One YAML document and the lines of its values. Raises LintmdbError with line and column."""
    try:
        _check_limits(text, path)
        loader = cast("_Constructor", _StrictLoader(text))
        try:
            root = loader.get_single_node()
            document = loader.construct_document(root) if root is not None else None
        finally:
            loader.dispose()
        return document, Lines(root)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise LintmdbError(
            f"is not valid YAML: {error.problem or error.context}",
            path=path,
            line=mark.line + 1 if mark else 0,
            column=mark.column + 1 if mark else 0,
        ) from error
    except (yaml.YAMLError, ValueError) as error:
        raise LintmdbError(f"is not valid YAML: {' '.join(str(error).split())}", path=path) from error


def _check_limits(text: str, path: str) -> None:
    """Raise LintmdbError for an alias and for nesting that is too deep, before the loader sees either."""
    depth = 0
    for event in yaml.parse(text, _Loader):
        if isinstance(event, yaml.AliasEvent):
            raise LintmdbError("uses a YAML alias", path=path, line=_line(event), next_step="Write the value out")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise LintmdbError(f"is nested deeper than {MAX_DEPTH} levels", path=path, line=_line(event))
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark is not None else 0


def validate(
    document: JsonValue,
    schema: JsonObject,
    path: str,
    lines: Lines,
    noun: str,
    error_type: type[LintmdbError] = LintmdbError,
) -> None:
    """Raise the first error of a document that does not fit its schema. ``noun`` is what one of its keys is."""
    problem = first_problem(document, schema, lambda place: lines.line(*place), noun)
    if problem is not None:
        line = lines.line(*problem.place)
        raise error_type(problem.text, path=path, line=line, next_step=problem.next_step)
