"""How undecided verdicts are told whose flows differ in names alone: worked out once, and filled in by DuckDB.

The rows of one flow get names that are only marks, and the functions of ``check`` say of them what they say of any
flow. Wherever a mark appears in the result, the name of another flow of the same shape belongs there. A function that
looks into a name, instead of passing it on, ends the attempt: its flows are told one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple, NoReturn, cast

from lintmdb.engine.findings import Subject
from lintmdb.engine.flow_rows import FlowRows, JudgedRows, read_value
from lintmdb.engine.judge import build_subject, build_undecided
from lintmdb.fleet.judging.tables import Shown, undecided_row
from lintmdb.model.columns import Column, columns
from lintmdb.model.origins import Located
from lintmdb.model.relations import ALIASES, RELATIONS, Row
from lintmdb.rules.rule import Rule

EQUAL_NAMES: Mapping[str, Sequence[tuple[str, str]]] = MappingProxyType({"endpoint": (("name", "queue"),)})
"""Names of one row that may be compared: whether they are equal is part of the row's shape."""
TEXTS = (*Subject._fields, "needs", "need_kind", "need_target", "need_command", "at_queue_manager")
"""The texts of a recipe: the fields of the subject, and columns of ``undecided``."""
IN_PARTS = ("needs", "need_target", "need_command")
"""Those that may have names in them; the others are a name, or plain."""
MOST_NAMES = 3
"""So many names stand in one text at most."""
Text = tuple[str, ...] | None
"""A text: plain and the name of a column (``endpoint.name``) by turns, plain at both ends; None where it is NULL."""


def is_name(column: Column) -> bool:
    """Whether the values of a column are names, of which rules and needs say no more than that they are there."""
    return column.type == "text" and not column.values


class Recipe(NamedTuple):
    """How the verdicts of one rule on the flows of one shape are told."""

    missing: tuple[str, ...]
    texts: tuple[Text, ...]
    """In the order of TEXTS."""

    @property
    def names(self) -> set[str]:
        """The columns whose values it shows."""
        return {name for text in self.texts if text is not None for name in text[1::2]}

    def filled(self, rows: JudgedRows) -> tuple[tuple[str, ...], list[str | None]]:
        """What is missing, and the texts, as they are for the rows of one flow."""
        return self.missing, [None if text is None else _fill(text, rows) for text in self.texts]


def make_recipe(rule: Rule, rows: JudgedRows, other: JudgedRows, marked: JudgedRows) -> Recipe | None:
    """The recipe of an undecided verdict on flows of one shape, of which two are given; None where there is none.
    ``marked`` is what ``mark_names`` makes of the first.
    """
    try:
        row = _told(rule, marked)
    except LookedIntoError:
        return None
    texts = tuple(None if text is None else _parsed(text) for text in row[1])
    if not all(map(_fits, TEXTS, texts)):
        return None
    recipe = Recipe(row[0], texts)
    alike = all(recipe.filled(each) == _told(rule, each) for each in (rows, other))
    return recipe if alike else None


def _fits(name: str, text: Text) -> bool:
    if text is None or name in IN_PARTS:
        return text is None or len(text) <= 2 * MOST_NAMES + 1
    return len(text) == 1 or (len(text) == 2 + 1 and not text[0] and not text[2])


def _told(rule: Rule, rows: JudgedRows) -> tuple[tuple[str, ...], list[str | None]]:
    """What the table says of an undecided verdict: what is missing, and TEXTS."""
    shown = Shown(rows)
    entry = build_undecided(rule, build_subject(rule.subject, rows), rows, None)
    row = undecided_row(entry, shown.cell, shown.queue_manager)
    known = {**cast("dict[str, object]", row["subject"]), **row}
    known["at_queue_manager"] = row["queue_manager"]
    subject = cast("dict[str, str | None]", row["subject"])
    texts = [subject[name] if name in subject else cast("str | None", known[name]) for name in TEXTS]
    return entry.missing, [None if text is None else "".join((text,)) for text in texts]


def _fill(text: Sequence[str], rows: JudgedRows) -> str:
    names = [str(read_value(rows, part)) if place % 2 else part for place, part in enumerate(text)]
    return "".join(names)


class LookedIntoError(Exception):
    """What is said depends on what a name is."""


class _Name(str):
    """A name in a row: a mark that says which, in place of the name itself."""

    __slots__ = ("column", "value")
    column: str
    value: str

    @classmethod
    def of(cls, column: str, value: str) -> _Name:
        """The mark of the name in a column."""
        name = cls(f"{OPEN}{column}{CLOSE}")
        name.column, name.value = column, value
        return name

    def __eq__(self, other: object) -> bool:
        if other is None:
            return False
        comparable = isinstance(other, _Name) and _are_comparable(self.column, other.column)
        return self.value == cast("_Name", other).value if comparable else _look_into()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        _look_into()


OPEN, CLOSE = "\ue000", "\ue001"
_MARK = re.compile(f"{OPEN}([a-z_.]+){CLOSE}")


def _look_into(*_: object, **__: object) -> NoReturn:
    raise LookedIntoError


def _forbid() -> None:
    """Let all methods of a name fail that depend on what it is. What only passes it on stays."""
    passed_on = {"__str__", "__format__", "__add__", "__len__", "__eq__", "__ne__", "__hash__"}
    for method in {*dir(str)} - {*dir(object)} - passed_on | {"__lt__", "__le__", "__gt__", "__ge__"}:
        setattr(_Name, method, _look_into)


_forbid()


def _are_comparable(column: str, other: str) -> bool:
    """Whether the shape of a flow says if the names in two columns are equal."""
    alias = column.partition(".")[0]
    pairs = ({f"{alias}.{one}", f"{alias}.{two}"} for one, two in EQUAL_NAMES.get(alias, ()))
    return column == other or {column, other} in pairs


def _parsed(text: str) -> tuple[str, ...]:
    return tuple(_MARK.split(text))


def mark_names(rows: JudgedRows) -> JudgedRows:
    """The same rows with marks in place of names."""
    if not isinstance(rows, FlowRows):
        return cast("JudgedRows", _marked_row(rows, type(rows).__name__.lower()))
    changed: dict[str, object] = {}
    for alias in FlowRows._fields:
        value = getattr(rows, alias)
        if alias in ALIASES:
            changed[alias] = None if value is None else _marked_row(value, alias)
        elif isinstance(value, str) and is_name(_COMPUTED[alias]):
            changed[alias] = _mark(f"endpoint.{alias}", value)
    return rows._replace(**changed)


_COMPUTED = {column.name: column for column in columns(RELATIONS["endpoint"]) if column.computed}


def _marked_row(row: Row, alias: str) -> Row:
    names = [column.name for column in columns(type(row)) if is_name(column)]
    marks = {name: _mark(f"{alias}.{name}", value) for name in names if (value := getattr(row, name))}
    return cast("Callable[..., Row]", replace)(row, **marks, origins=_Origins(row))


class _Origins(Mapping[str, Located]):
    """The places of a row's values. Those of a shape have no place for the same unknown values; a place itself is that
    of one row.
    """

    def __init__(self, row: Row) -> None:
        self._row = row
        self._origins = getattr(row, "origins", {})

    def __getitem__(self, column: str) -> Located:
        if column in self._origins or getattr(self._row, column, None) is not None:
            _look_into()
        raise KeyError(column)

    def __contains__(self, column: object) -> bool:
        if getattr(self._row, str(column), None) is not None:
            _look_into()
        return column in self._origins

    def __iter__(self) -> Iterator[str]:
        _look_into()

    def __len__(self) -> int:
        _look_into()


def _mark(column: str, value: str) -> str:
    """The mark of a name; what is blank stays so."""
    return _Name.of(column, value) if value else value
