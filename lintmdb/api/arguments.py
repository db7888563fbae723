"""What callers pass, checked as the command line checks it.

The command line can only pass text. A program can pass anything, and what is not checked here would change the meaning
of a run or fail far from the call.
"""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TypeAlias, cast

from lintmdb.errors import ArgumentTypeError, LintmdbError
from lintmdb.resolve.observations import parse_duration
from lintmdb.run.environments import check_name

AnyPath: TypeAlias = str | os.PathLike[str]
Duration: TypeAlias = str | float | timedelta
"""Text such as ``15s``, ``1500ms`` or ``2m``, a number of seconds, or a timedelta."""


def known_options(given: Mapping[str, object], known: Collection[str], call: str) -> None:
    """Raise ArgumentTypeError for an option that a call does not have."""
    for name in given:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f"Did you mean {close[0]}?" if close else f"They are {', '.join(sorted(known))}"
            raise ArgumentTypeError(f"{call} has no option {name}", next_step=hint)


def one_path(value: object, name: str) -> Path:
    """One path."""
    path = os.fspath(cast("AnyPath", value)) if isinstance(value, str | os.PathLike) else value
    if not isinstance(path, str):
        raise ArgumentTypeError(f"{name}: a path is text or a pathlib.Path, not {type_words(path)}")
    if "\0" in path:
        raise LintmdbError(f"{name}: {path!r} is not a path")
    return Path(path)


def maybe_path(value: object, name: str) -> Path | None:
    """One path, or None."""
    return None if value is None else one_path(value, name)


def paths(value: object, name: str) -> list[Path]:
    """A sequence of paths."""
    return [one_path(entry, name) for entry in sequence(value, name, "paths")]


def path_or_paths(value: object, name: str) -> list[Path]:
    """One path or a sequence of them."""
    is_one = isinstance(value, str | os.PathLike)
    return [one_path(cast("object", value), name)] if is_one else paths(value, name)


def words(value: object, name: str) -> list[str]:
    """A sequence of ids, names or prefixes of rules."""
    found: list[str] = []
    for word in sequence(value, name, "ids, names or prefixes"):
        if not isinstance(word, str):
            raise ArgumentTypeError(f"{name}: an id, name or prefix of a rule is text, not {type_words(word)}")
        found.append(word)
    return found


def texts(value: object, name: str, example: str) -> list[str]:
    """One text or a sequence of them."""
    entries = [value] if isinstance(value, str) else sequence(value, name, "texts")
    return [needed_text(entry, name, example) for entry in entries]


def sequence(value: object, name: str, of: str) -> list[object]:
    """The entries of a value that is not a single text or path."""
    if isinstance(value, str | os.PathLike):
        raise ArgumentTypeError(f"{name} is a sequence of {of}, not one text or path")
    if isinstance(value, bytes | bytearray | Mapping) or not isinstance(value, Iterable):
        raise ArgumentTypeError(f"{name} is a sequence of {of}, not {type_words(cast('object', value))}")
    return list(cast("Iterable[object]", value))


def needed_text(value: object, name: str, example: str) -> str:
    """Text that is not empty."""
    if not isinstance(value, str):
        raise ArgumentTypeError(f"{name} is text such as {example!r}, not {type_words(value)}")
    if value == "":
        raise LintmdbError(f"{name} is empty", next_step=f"Leave it out, or write text such as {example!r}")
    return value


def text(value: object, name: str, example: str) -> str | None:
    """Text that is not empty, or None."""
    return None if value is None else needed_text(value, name, example)


def choice(value: object, name: str, known: Sequence[str]) -> str | None:
    """One of some words, or None."""
    word = text(value, name, known[0])
    if word is not None and word not in known:
        raise LintmdbError(f"{name} is {word!r}", next_step=f"Write {', '.join(known[:-1])} or {known[-1]}")
    return word


def flag(value: object, name: str) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise ArgumentTypeError(f"{name} is True or False, not {type_words(value)}")
    return value


def whole(value: object, name: str, least: int, most: int) -> int:
    """A whole number in a range."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ArgumentTypeError(f"{name} is a whole number, not {type_words(value)}")
    if not least <= value <= most:
        raise LintmdbError(f"{name} is {value}", next_step=f"Write a number from {least} to {most}")
    return value


def maybe_whole(value: object, name: str, least: int, most: int) -> int | None:
    """A whole number in a range, or None."""
    return None if value is None else whole(value, name, least, most)


def milliseconds(value: object, name: str) -> int | None:
    """The milliseconds of a duration, or None."""
    if value is None:
        return None
    if isinstance(value, timedelta):
        return _milliseconds_of(value.total_seconds(), value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _milliseconds_of(value, value)
    if not isinstance(value, str):
        raise ArgumentTypeError(
            f"{name} is text such as '15s', a number of seconds or a timedelta, not {type_words(value)}"
        )
    return parse_duration(needed_text(value, name, "15s"))


def _milliseconds_of(seconds: float, shown: object) -> int:
    if not math.isfinite(seconds) or seconds < 0:
        raise LintmdbError(
            f"{shown!r} is not a duration",
            next_step="Write '15s', a number of seconds from 0, or a timedelta",
        )
    return parse_duration(f"{round(seconds * 1000)}ms")


def queue_managers(value: object, name: str = "queue_managers") -> dict[str, str]:
    """The names of queue managers by the paths of their MQSC, from a mapping of a name to one path or several."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ArgumentTypeError(f"{name} maps a name to paths, and is {type_words(value)}")
    found: dict[str, str] = {}
    for manager, files in cast("Mapping[object, object]", value).items():
        queue_manager = needed_text(manager, name, "QM1")
        found.update((str(file), queue_manager) for file in path_or_paths(files, name))
    return found


def environments(value: object) -> list[str]:
    """``NAME=PATH`` for each path of each environment, from a mapping of a name to one path or several."""
    if value is None:
        return []
    if not isinstance(value, Mapping):
        raise ArgumentTypeError(f"environments maps a name to paths, and is {type_words(value)}")
    found: list[str] = []
    for name, folders in cast("Mapping[object, object]", value).items():
        environment = needed_text(name, "environments", "prod")
        check_name(environment)
        found += [f"{environment}={path}" for path in path_or_paths(folders, "environments")]
    return found


def pairs(value: object, name: str) -> list[tuple[str, str]]:
    """A mapping of texts to texts, as pairs."""
    if value is None:
        return []
    if not isinstance(value, Mapping):
        raise ArgumentTypeError(f"{name} is a mapping of texts to texts, not {type_words(value)}")
    entries = cast("Mapping[object, object]", value)
    return [(needed_text(key, name, "backout"), needed_text(word, name, "exceeded")) for key, word in entries.items()]


def type_words(value: object) -> str:
    """What a value is, for a message."""
    return "None" if value is None else f"of type {type(value).__name__}"
