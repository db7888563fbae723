"""One configuration file, read and checked: ``config.schema.json`` says what it may hold."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from lintmdb.errors import LintmdbError, SeveralErrors
from lintmdb.json_types import JsonObject, JsonValue, Place, read_json_object
from lintmdb.run.config.positions import find_line, positions
from lintmdb.schema_check import find_problems

SCHEMA = Path(__file__).resolve().parent / "config.schema.json"
_MAX_BYTES = 1 << 20
_POSITION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")
TomlValue: TypeAlias = (
    "bool | int | float | str | datetime.date | datetime.time | list[TomlValue] | dict[str, TomlValue] | None"
)


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings of one file as plain values, each with its line."""

    file: Path
    path: str
    """The file as messages name it: relative to the working directory."""
    values: JsonObject
    lines: Mapping[Place, int]
    prefix: Place = ()
    """Where in the file the settings stand: ``("tool", "lintmdb")`` in pyproject.toml."""

    def line(self, *place: str | int) -> int:
        """The line of a setting, or of what it lies in."""
        return find_line(self.lines, (*self.prefix, *place))

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
        document: Mapping[str, TomlValue] = tomllib.loads(text)
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
    configuration = Configuration(
        file,
        path,
        {key: _plain(value, key in _SPELT_OTHERWISE) for key, value in document.items()},
        _canonical_places(positions(text), prefix),
        prefix,
    )
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


def _as_table(value: TomlValue) -> Mapping[str, TomlValue]:
    return value if isinstance(value, dict) else {}


_SPELT_OTHERWISE = ("observations", "suppressions")
"""Settings whose keys the program spells with underscores, ``on_message``; a file may spell them ``on-message`` too."""
_TABLES = {(name,) for name in _SPELT_OTHERWISE}
_KEYS = {"on-message": "on_message", "queue-manager": "queue_manager", "queue-managers": "queue_managers"}


def _canonical_places(lines: Mapping[Place, int], prefix: Place) -> dict[Place, int]:
    """The places of a file under the spelling of the program."""
    depth = len(prefix)
    return {_canonical(place) if place[depth : depth + 1] in _TABLES else place: line for place, line in lines.items()}


def _canonical(place: Place) -> Place:
    return tuple(_KEYS.get(str(part), part) for part in place)


def _plain(value: TomlValue, canonical: bool = False) -> JsonValue:
    """Dates and times as text, because JSON Schema knows none; ``canonical`` keys have the spelling of the program."""
    if isinstance(value, dict):
        return {_KEYS.get(key, key) if canonical else key: _plain(entry, canonical) for key, entry in value.items()}
    if isinstance(value, list):
        return [_plain(entry, canonical) for entry in value]
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return value


def _check(configuration: Configuration) -> None:
    """Raise all errors of a file."""
    problems = find_problems(
        configuration.values, read_json_object(SCHEMA), lambda place: configuration.line(*place), "a setting"
    )
    if problems:
        raise SeveralErrors(
            [configuration.error(problem.text, *problem.place, next_step=problem.next_step) for problem in problems]
        )
