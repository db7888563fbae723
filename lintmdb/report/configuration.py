"""What `lintmdb config show` prints: one line a setting, with its source."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from lintmdb.json_types import JsonValue, Place
from lintmdb.run.config.choice import Choice
from lintmdb.run.config.settings import Settings
from lintmdb.schema_check import dotted

_WIDTH = 56


def render_settings(settings: Settings, choice: Choice, on_message: str | None) -> Iterator[str]:
    """The lines, without line ends."""
    for key, value in settings.values.items():
        for place, entry in _leaves(cast("JsonValue", value), (key,)):
            source = settings.sources.get(".".join(map(str, place[:2]))) or settings.sources[key]
            where = source.text
            if source.path and settings.file is not None:
                where = f"{source.path}:{settings.file.line(*place)}"
            yield _line(dotted(place), entry, where)
    if on_message is not None:
        yield _line("on-message", on_message, "--on-message")
    file = settings.file.path if settings.file is not None else ""
    for lock in settings.locked:
        if lock.path != file:
            yield _line("locked", lock.word, f"{lock.path}:{lock.line}")
    yield f"{len(choice.rules)} of {len(choice.known)} rules run"


def _line(name: str, value: JsonValue, where: str) -> str:
    text = f"{name} = {json.dumps(value, ensure_ascii=False) if value is not None else 'none'}"
    return f"{text:<{_WIDTH}}  # {where}"


def _leaves(value: JsonValue, place: Place) -> Iterator[tuple[Place, JsonValue]]:
    """Values that are no tables; a list of plain values is one."""
    if isinstance(value, dict) and value:
        for key, entry in value.items():
            yield from _leaves(entry, (*place, key))
    elif isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
        for number, entry in enumerate(value):
            yield from _leaves(entry, (*place, number))
    else:
        yield place, value
