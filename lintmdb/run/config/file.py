"""One configuration file, read and checked: ``config.schema.json`` says what it may hold."""

from __future__ import annotations

import datetime
import difflib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from lintmdb.errors import LintmdbError
from lintmdb.run.config.positions import Place, line_of, positions

SCHEMA = Path(__file__).resolve().parent / "config.schema.json"
_MAX_BYTES = 1 << 20
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_POSITION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings of one file as plain values, each with its line."""

    file: Path
    path: str
    """The file as messages name it: relative to the working directory."""
    values: Mapping[str, Any]
    lines: Mapping[Place, int]
    prefix: Place = ()
    """Where in the file the settings stand: ``("tool", "lintmdb")`` in pyproject.toml."""

    def line(self, *place: str | int) -> int:
        """The line of a setting, or of what it lies in."""
        return line_of(self.lines, (*self.prefix, *place))

    def error(self, text: str, *place: str | int, next_step: str = "") -> LintmdbError:
        """An error at a setting."""
        return LintmdbError(text, path=self.path, line=self.line(*place), next_step=next_step)

    def beside(self, text: str) -> Path:
        """A path of the file: relative ones start at the file's folder. Given relative to the working directory."""
        if os.path.isabs(text):
            return Path(text)
        target = self.file.parent / text
        try:
            return Path(os.path.relpath(target))
        except ValueError:  # another drive
            return target


def read_configuration(file: Path, *, required: bool = True) -> Configuration | None:
    """The settings of a file; None for a pyproject.toml that has none, which is an error where it is ``required``.

    Raises LintmdbError with file and line.
    """
    path = shown(file)
    try:
        with file.open("rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
    except OSError as error:
        raise LintmdbError(f"cannot be read: {error.strerror}", path=path) from error
    table = file.name == "pyproject.toml"
    if table and not required and b"lintmdb" not in data:
        return None
    if len(data) > _MAX_BYTES:
        raise LintmdbError(f"is larger than {_MAX_BYTES} bytes", path=path)
    import tomllib

    try:
        text = data.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
        document: dict[str, Any] = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise LintmdbError("is not UTF-8 text", path=path, next_step="Save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(str(error), path) from error
    except RecursionError as error:
        raise LintmdbError("is nested too deep", path=path) from error
    prefix: Place = ()
    if table:
        prefix = ("tool", "lintmdb")
        found = _as_table(_as_table(document.get("tool")).get("lintmdb"))
        if not found and "lintmdb" not in _as_table(document.get("tool")):
            if required:
                raise LintmdbError("has no table [tool.lintmdb]", path=path)
            return None
        document = found
    configuration = Configuration(file, path, cast("dict[str, Any]", _plain(document)), positions(text), prefix)
    _check(configuration)
    return configuration


def shown(file: Path) -> str:
    """A path as messages name it."""
    try:
        return Path(os.path.relpath(file)).as_posix()
    except ValueError:
        return file.as_posix()


def _not_toml(text: str, path: str) -> LintmdbError:
    match = _POSITION.search(text)
    line, column = (int(match.group(1) or 0), int(match.group(2) or 0)) if match else (0, 0)
    what = _POSITION.sub("" if line else " at its end", text)
    return LintmdbError(f"is not valid TOML: {what}", path=path, line=line, column=column)


def _as_table(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _plain(value: Any) -> Any:
    """Dates and times as text: JSON Schema knows none."""
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_plain(entry) for entry in cast("list[Any]", value)]
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return value


def _check(configuration: Configuration) -> None:
    """Raise the first error of a file: unknown keys before wrong values, each in the order of lines."""
    schema = json.loads(SCHEMA.read_text("utf-8"))
    unknown = sorted(
        _unknown_keys(configuration.values, schema, schema, ()), key=lambda found: configuration.line(*found[0])
    )
    for place, known in unknown:
        key = str(place[-1])
        close = difflib.get_close_matches(key.replace("_", "-"), known, 1) or difflib.get_close_matches(key, known, 1)
        hint = f"Did you mean {close[0]}?" if close else f"Known here: {', '.join(sorted(known))}"
        raise configuration.error(f"{dotted(place)} is not a setting", *place, next_step=hint)
    import jsonschema

    validator: Any = jsonschema.Draft202012Validator(schema)
    errors = sorted(
        validator.iter_errors(configuration.values), key=lambda error: configuration.line(*error.absolute_path)
    )
    if errors:
        place = tuple(errors[0].absolute_path)
        text = _in_words(errors[0])
        raise configuration.error(f"{dotted(place)}: {text}" if place else text, *place)


def _in_words(error: Any) -> str:
    value = repr(error.instance)
    value = value if len(value) < 80 else value[:80] + " ..."
    keyword: str = error.validator
    if keyword == "pattern" and error.schema.get("pattern") == "\\S":
        return "is blank"
    if keyword == "pattern":
        return f"{value} is not {_FORMS.get(error.schema['pattern'], 'in the form that is needed')}"
    if keyword in ("minLength", "minProperties"):
        return "is empty"
    if keyword == "type":
        kinds: list[str] = [error.validator_value] if isinstance(error.validator_value, str) else error.validator_value
        return f"{value} is not {' or '.join(_KINDS[kind] for kind in kinds)}"
    if keyword == "enum":
        return f"{value} is none of {', '.join(error.validator_value)}"
    return str(error.message)


_KINDS = {
    "string": "a string",
    "object": "a table",
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
}
_FORMS = {
    r"^\d{4}-\d{2}-\d{2}$": "a date such as 2027-06-30",
    r"^\s*\d+(\.\d+)?\s*(ms|s|m|min)?\s*$": "a duration such as 15s, 1500ms or 2m",
    r"^(minimal|recommended|strict)(@\d+\.\d+(\.\d+)?)?$": "minimal, recommended or strict, with or without a version "
    "(recommended@0.1)",
}


def _unknown_keys(
    value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], place: Place
) -> Iterator[tuple[Place, list[str]]]:
    """Each key that the schema does not know, with those that it knows in its place."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        schema = cast("Mapping[str, Any]", root["$defs"][name])
    if isinstance(value, dict):
        known = cast("Mapping[str, Mapping[str, Any]]", schema.get("properties", {}))
        for key, entry in cast("dict[str, Any]", value).items():
            if key in known:
                yield from _unknown_keys(entry, known[key], root, (*place, key))
            elif schema.get("additionalProperties") is False:
                yield (*place, key), list(known)
    elif isinstance(value, list) and "items" in schema:
        for number, entry in enumerate(cast("list[Any]", value)):
            yield from _unknown_keys(entry, schema["items"], root, (*place, number))


def dotted(place: Place) -> str:
    """A place as people write it: ``suppressions.2.expires``, entries counted from 1."""
    return ".".join(str(part + 1) if isinstance(part, int) else _key(part) for part in place)


def _key(word: str) -> str:
    return word if _BARE.fullmatch(word) else json.dumps(word, ensure_ascii=False)
