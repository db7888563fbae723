"""Documents that people write, checked against a JSON Schema: the first error, in words."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, cast

from lintmdb.json_types import JsonObject, JsonValue, Place

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_MAX_SHOWN = 80
_KINDS = {
    "string": "a string",
    "object": "a table",
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "null": "null",
}
_FORMS = {
    r"^\d{4}-\d{2}-\d{2}$": "a date such as 2027-06-30",
    r"^\s*\d+(\.\d+)?\s*(ms|s|m|min)?\s*$": "a duration such as 15s, 1500ms or 2m",
    r"^(minimal|recommended|strict)(@\d+\.\d+(\.\d+)?)?$": "minimal, recommended or strict, with or without a version "
    "(recommended@0.1)",
}
"""What a pattern asks for."""


class SchemaProblem(NamedTuple):
    """The first thing in a document that its schema does not allow."""

    place: Place
    text: str
    next_step: str = ""


class _Error(Protocol):
    """What is used of an error of jsonschema."""

    @property
    def absolute_path(self) -> Iterable[str | int]: ...
    @property
    def instance(self) -> JsonValue: ...
    @property
    def message(self) -> str: ...
    @property
    def validator(self) -> str: ...
    @property
    def validator_value(self) -> object: ...


class _Validator(Protocol):
    def iter_errors(self, instance: JsonValue) -> Iterable[_Error]: ...


def first_problem(
    document: JsonValue, schema: JsonObject, line: Callable[[Place], int], noun: str = "a setting"
) -> SchemaProblem | None:
    """The first thing that is wrong with a document; None where nothing is."""
    return next(iter(find_problems(document, schema, line, noun)), None)


def find_problems(
    document: JsonValue, schema: JsonObject, line: Callable[[Place], int], noun: str = "a setting"
) -> list[SchemaProblem]:
    """What is wrong with a document. Unknown keys come before wrong values, each in the order of lines. ``noun`` is
    what a key of the document is.
    """
    problems: list[SchemaProblem] = []
    misspelt: set[Place] = set()
    for place, known in sorted(_unknown_keys(document, schema, schema, ()), key=lambda found: line(found[0])):
        misspelt.add(place[:-1])
        key = str(place[-1])
        close = difflib.get_close_matches(key.replace("_", "-"), known, 1) or difflib.get_close_matches(key, known, 1)
        hint = f"Did you mean {close[0]}?" if close else f"Known here: {', '.join(sorted(known))}"
        problems.append(SchemaProblem(place, f"{dotted(place)} is not {noun}", hint))
    for error in sorted(_errors(document, schema), key=lambda error: line(tuple(error.absolute_path))):
        place = tuple(error.absolute_path)
        if error.validator == "additionalProperties":
            continue  # an unknown key, which is told above
        if error.validator in ("required", "anyOf") and place in misspelt:
            continue  # the key that is missing is the one that is misspelt
        text = _in_words(error)
        problems.append(SchemaProblem(place, f"{dotted(place)}: {text}" if place else text))
    return problems


def _errors(document: JsonValue, schema: JsonObject) -> Iterator[_Error]:
    """The errors that jsonschema finds; of alternatives (anyOf) that of the one that the document comes nearest to."""
    from jsonschema import Draft202012Validator, exceptions

    # Their types are incomplete.
    validator = cast("_Validator", Draft202012Validator(schema))
    best_match = cast("Callable[[Iterable[_Error]], _Error]", exceptions.best_match)  # pyright: ignore[reportUnknownMemberType]
    for error in validator.iter_errors(document):
        yield best_match([error])


def _in_words(error: _Error) -> str:
    value = "null" if error.instance is None else repr(error.instance)
    value = value if len(value) < _MAX_SHOWN else value[:_MAX_SHOWN] + " ..."
    expected = error.validator_value
    match error.validator:
        case "pattern" if expected == "\\S":
            return "is blank"
        case "pattern":
            return f"{value} is not {_FORMS.get(str(expected), 'in the form that is needed')}"
        case "minLength" | "minProperties":
            return "is empty"
        case "type":
            kinds = [expected] if isinstance(expected, str) else cast("Sequence[str]", expected)
            return f"{value} is not {' or '.join(_KINDS[kind] for kind in kinds)}"
        case "enum":
            return f"{value} is none of {', '.join(map(str, cast('Sequence[JsonValue]', expected)))}"
        case _:
            return error.message if len(error.message) < 300 else error.message[:300] + " ..."


def _unknown_keys(
    value: JsonValue, schema: JsonObject, root: JsonObject, place: Place
) -> Iterator[tuple[Place, list[str]]]:
    """Each key that the schema does not know, with those that it knows in its place."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        schema = _table(_table(root["$defs"])[name])
    if isinstance(value, Mapping):
        known = _table(schema.get("properties"))
        for key, entry in value.items():
            if key in known:
                yield from _unknown_keys(entry, _table(known[key]), root, (*place, key))
            elif schema.get("additionalProperties") is False and "patternProperties" not in schema:
                yield (*place, key), list(known)
    elif isinstance(value, list) and "items" in schema:
        for number, entry in enumerate(value):
            yield from _unknown_keys(entry, _table(schema["items"]), root, (*place, number))


def _table(value: JsonValue) -> JsonObject:
    return value if isinstance(value, Mapping) else {}


def dotted(place: Place) -> str:
    """A place as people write it: ``suppressions.2.expires``, entries counted from 1."""
    return ".".join(str(part + 1) if isinstance(part, int) else _key(str(part)) for part in place)


def _key(word: str) -> str:
    return word if _BARE.fullmatch(word) else json.dumps(word, ensure_ascii=False)
