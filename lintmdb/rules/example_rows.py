"""The rows of a rule's examples: those that all examples share, and what each example says instead.

Under a verdict, an example is a name and its differences from the shared rows: ``queue.backout_threshold: 3`` sets one
column, ``queue: {...}`` replaces the whole row; null makes the column or the row unknown.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from lintmdb.errors import RuleError
from lintmdb.model.columns import Value
from lintmdb.rules.conditions import VOCABULARY

Row: TypeAlias = Mapping[str, Value]
Rows: TypeAlias = Mapping[str, Row]
Differences: TypeAlias = Mapping[str, Row | Value]
"""By ``alias`` or ``alias.column``."""
Examples: TypeAlias = Mapping[str, Differences] | Sequence[Mapping[str, Row | Value]]
"""The examples under one verdict: by name, or as a list whose entries hold their ``name``."""

SHARED = "shared"


def examples_by_verdict(document: Mapping[str, Examples]) -> Iterator[tuple[str, list[tuple[str, Rows]]]]:
    """The ``examples`` of a rule file: for each verdict the names and complete rows."""
    shared = _shared(document)
    for verdict, examples in _verdicts(document):
        yield verdict, [(name, merge_rows(shared, differences)) for name, differences in _named(examples)]


def merge_rows(shared: Rows, differences: Differences) -> Rows:
    """The complete rows of one example. Replaced rows follow the shared ones, in the example's order."""
    rows: dict[str, dict[str, Value]] = {alias: dict(row) for alias, row in shared.items() if alias not in differences}
    for key, value in differences.items():
        alias, dot, column = key.partition(".")
        if isinstance(value, Mapping):
            rows[alias] = dict(value)
        elif value is None:
            rows.get(alias, {}).pop(column, None)
        elif dot:
            rows.setdefault(alias, {})[column] = value
    return rows


def check_example_rows(document: Mapping[str, Examples], path: str, line: int) -> None:
    """Raise RuleError for an alias or column that no relation has, and for a row or value in the other's place.

    ``line`` is where the examples start in ``path``.
    """
    said: list[tuple[str, Differences]] = [(SHARED, _shared(document))]
    for verdict, examples in _verdicts(document):
        said += [(f"example {name!r} under {verdict}", differences) for name, differences in _named(examples)]
    for where, differences in said:
        for problem, next_step in _problems(differences):
            raise RuleError(f"{where}: {problem}", path=path, line=line, next_step=next_step)


def _problems(differences: Differences) -> Iterator[tuple[str, str]]:
    for key, value in differences.items():
        alias, dot, column = key.partition(".")
        if alias not in VOCABULARY:
            yield f"there is no relation {alias!r}", _nearest(alias, VOCABULARY)
        elif dot and alias in differences:
            yield f"{alias} and {key} are both there", f"Write {column} into the row of {alias}"
        elif dot and isinstance(value, Mapping):
            yield f"{key} is a row", "Name one value after alias.column"
        elif not dot and not isinstance(value, Mapping | None):
            yield f"{key} is {value!r}, not a row", f"Write {key}.column: value, or {key}: {{column: value}}"
        else:
            columns = [column] if dot else list(value) if isinstance(value, Mapping) else []
            for name in columns:
                if name not in VOCABULARY[alias]:
                    yield f"{alias} has no column {name!r}", _nearest(name, VOCABULARY[alias])


def _nearest(word: str, words: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, words, 1)
    return f"Did you mean {close[0]}?" if close else f"There are {', '.join(words)}"


def _shared(document: Mapping[str, Examples]) -> Rows:
    return cast("Rows", document.get(SHARED, {}))


def _verdicts(document: Mapping[str, Examples]) -> Iterator[tuple[str, Examples]]:
    return ((verdict, examples) for verdict, examples in document.items() if verdict != SHARED)


def _named(examples: Examples) -> Iterator[tuple[str, Differences]]:
    if isinstance(examples, Mapping):
        yield from examples.items()
        return
    for entry in examples:
        yield str(entry["name"]), {key: value for key, value in entry.items() if key != "name"}
