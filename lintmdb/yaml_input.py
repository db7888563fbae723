"""YAML that people wrote: rules, observations, expectations.

Duplicate keys are errors, ``no`` and ``on`` stay strings, and one event pass in front of the loader limits depth,
aliases and size: the C loader crashes the interpreter on deep nesting.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from lintmdb.errors import LintmdbError

MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 50

_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _StrictLoader(_Loader):
    """Booleans only for ``true`` and ``false``; a key given twice is an error."""


def _mapping(loader: Any, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: set[Any] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node)
        if not isinstance(key, str | int):
            raise yaml.constructor.ConstructorError(None, None, "a key is not a plain word", key_node.start_mark)
        if key in seen:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} is given twice", key_node.start_mark)
        seen.add(key)
    return {loader.construct_object(k): loader.construct_object(v, deep=True) for k, v in node.value}


def _boolean(loader: Any, node: yaml.ScalarNode) -> bool | str:
    word = node.value.lower()
    return word == "true" if word in ("true", "false") else node.value


def _plain(loader: Any, node: yaml.ScalarNode) -> str:
    return node.value


_StrictLoader.add_constructor("tag:yaml.org,2002:map", _mapping)
_StrictLoader.add_constructor("tag:yaml.org,2002:bool", _boolean)
_StrictLoader.add_constructor("tag:yaml.org,2002:timestamp", _plain)


def read_yaml(file: Path) -> tuple[Any, dict[tuple[str, ...], int]]:
    """The document of a file and the line of each top-level key's value. Raises LintmdbError."""
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


def parse_yaml(text: str, path: str) -> tuple[Any, dict[tuple[str, ...], int]]:
    """One YAML document and the line of each top-level key's value. Raises LintmdbError with line and column."""
    try:
        lines = _scan(text, path)
        return yaml.load(text, _StrictLoader), lines
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


def _scan(text: str, path: str) -> dict[tuple[str, ...], int]:
    """Limit depth and aliases in one pass of events; note where the values of top-level keys start."""
    depth = 0
    key: str | None = None
    lines: dict[tuple[str, ...], int] = {}
    for event in yaml.parse(text, _Loader):
        row: int = event.start_mark.line + 1  # type: ignore[union-attr]
        if isinstance(event, yaml.AliasEvent):
            raise LintmdbError("uses a YAML alias", path=path, line=row, next_step="Write the value out")
        if isinstance(event, yaml.CollectionStartEvent):
            if depth == 1 and key is not None:
                lines[(key,)] = row
                key = None
            depth += 1
            if depth > MAX_DEPTH:
                raise LintmdbError(f"is nested deeper than {MAX_DEPTH} levels", path=path, line=row)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.ScalarEvent) and depth == 1:
            if key is None:
                key = event.value
            else:
                # The text of a folded or literal block starts on the line below its sign.
                lines[(key,)] = row + (1 if event.style in ("|", ">") else 0)
                key = None
    return lines


def validate(
    document: Any,
    schema: Mapping[str, Any],
    path: str,
    lines: Mapping[tuple[str, ...], int],
    error_type: type[LintmdbError] = LintmdbError,
) -> None:
    """Check a document against a JSON Schema; raise one error that names the first offending place."""
    import jsonschema

    validator: Any = jsonschema.Draft202012Validator(schema)
    errors = sorted(validator.iter_errors(document), key=lambda e: [str(p) for p in e.absolute_path])
    if not errors:
        return
    first = errors[0]
    place = ".".join(str(p) for p in first.absolute_path)
    line = lines.get((str(first.absolute_path[0]),), 0) if first.absolute_path else 1
    text = first.message if len(first.message) < 300 else first.message[:300] + " ..."
    raise error_type(f"{place}: {text}" if place else text, path=path, line=line)
