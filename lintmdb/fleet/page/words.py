"""Words that several parts of the report use."""

from __future__ import annotations

from lintmdb.engine.subjects import kind_words

_PATH_CHARACTERS = 240


def count_kind(kind: str | None, count: int) -> str:
    """What a kind of subject is called, for one or for more."""
    words = kind_words(kind or "object")
    return words if count == 1 else f"{words}s"


def place_words(path: str, *numbers: int | None) -> str:
    """The end of a path, which says more than its start, with those of line and column that are known."""
    end = path if len(path) <= _PATH_CHARACTERS else "…" + path[1 - _PATH_CHARACTERS :]
    return ":".join([end, *(str(number) for number in numbers if number)])
