"""How findings are told whose flows differ in names alone: worked out for one flow, and filled in for the others.

The rows of one flow get marks in place of names, and the functions of ``check`` say of them what they say of any flow.
Wherever a mark appears in the result, the name of another flow belongs there whose names are alike: equal where these
are equal, of the same characters, and between the same plain text. Of origins only that counts which was asked of them.
A function that looks into a name, instead of passing it on, ends the attempt: its flows are told one by one.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, NoReturn, TypeAlias, cast

from lintmdb.engine.evidence import find_places
from lintmdb.engine.findings import Finding
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.engine.judge import build_subject
from lintmdb.fleet.judging.columnar.recipes import LookedIntoError, is_name
from lintmdb.fleet.judging.tables import Shown, told_row
from lintmdb.model.columns import Column, columns
from lintmdb.model.origins import ExportOrigins, Located, Origin
from lintmdb.model.relations import ALIASES, RELATIONS, Row
from lintmdb.rules.rule import Rule

Told = dict[str, Any]
"""What ``tables.told_row`` says."""
Places = list[Origin]


class Place(NamedTuple):
    """An origin that was asked for, and what was seen of it; None where that was not asked."""

    alias: str
    column: str
    there: bool
    default: bool | None = None
    text: str | None = None
    paths: tuple[tuple[str, str, bool], ...] = ()
    """Other places, and whether they are in the same file."""

    def is_alike(self, origins: Mapping[str, Mapping[str, Located]]) -> bool:
        """Whether the origin of another flow has what was seen of this one."""
        origin = origins[self.alias].get(self.column)
        if origin is None or not self.there:
            return origin is None and not self.there
        others = [(origins[alias].get(column), same) for alias, column, same in self.paths]
        as_seen = all(other is not None and (other.path == origin.path) is same for other, same in others)
        return as_seen and self.default in (None, origin.default) and self.text in (None, origin.text)


class Template(NamedTuple):
    """How the findings of one rule are told on flows of one shape and with names that are alike."""

    names: tuple[str, ...]
    """The columns with names that it reads."""
    pattern: tuple[str, ...]
    """The names of a flow with marks in them."""
    origins: tuple[Place, ...]
    places: tuple[tuple[str, str], ...]
    """Alias and column of the places that a finding has."""
    row: _Record
    """The row, with marks in place of names."""

    @property
    def asked(self) -> set[tuple[str, str]]:
        """Alias and column of all origins that it asks."""
        others = {(alias, column) for place in self.origins for alias, column, _ in place.paths}
        return {*((place.alias, place.column) for place in self.origins), *others, *self.places}

    def fill(self, names: Sequence[str], origins: Mapping[str, Mapping[str, Located]]) -> tuple[Told, Places] | None:
        """The row of a flow with these names and, by alias, these origins, and its places; None for one that is not
        alike.
        """
        pattern, own = find_pattern(self.names, names)
        if pattern != self.pattern or not all(place.is_alike(origins) for place in self.origins):
            return None
        return self.row.filled(own), [
            *dict.fromkeys(cast("Origin", origins[alias][column]) for alias, column in self.places)
        ]

    def fill_rows(self, rows: FlowRows) -> tuple[Told, Places] | None:
        """The same of a flow that is given by its rows."""
        aliases = {alias for alias, _ in self.asked}
        origins = {alias: row.origins for alias in aliases if (row := getattr(rows, alias)) is not None}
        return self.fill([str(rows.value(name)) for name in self.names], origins)


def make_templates(rule: Rule, *flows: FlowRows) -> list[Template]:
    """Templates of a hazard that flows of one shape show: each flow is like one of them, or there is none for it."""
    made: list[Template] = []
    told: list[tuple[FlowRows, tuple[Told, Places]]] = []
    for rows in flows:
        known = tell(rule, rows) if made else None
        if known is None or all(template.fill_rows(rows) != known for template in made):
            template, seen = _make_template(rule, rows)
            known = known or seen or tell(rule, rows)
            if template is not None:
                made.append(template)
        told.append((rows, known))
    return [t for t in made if all(t.fill_rows(rows) in (None, known) for rows, known in told)]


def _make_template(rule: Rule, rows: FlowRows) -> tuple[Template | None, tuple[Told, Places] | None]:
    """A template of the hazard that a flow shows, where there is one, and what it says of this flow."""
    asked = _Asked()
    try:
        seen = tell(rule, asked.wrapped(rows))
        names = sorted(asked.names)
        pattern, _ = find_pattern(names, [asked.names[name] for name in names])
        marked = _Asked(dict(zip(names, pattern, strict=True)))
        told, places = tell(rule, marked.wrapped(rows))
    except Exception:  # a name was looked into, or a mark led to what no name leads to
        return None, None
    origins = [
        Place(alias, column, False) if place is None else place.seen()
        for (alias, column), place in marked.places.items()
    ]
    shown = tuple((place.alias, place.name) for place in cast("list[_Place]", places))
    return Template(tuple(names), pattern, tuple(origins), shown, _marked_record(told)), seen


def tell(rule: Rule, rows: FlowRows) -> tuple[Told, Places]:
    """The row of a hazard that a flow shows, and its places."""
    finding = Finding(rule, build_subject(rule.subject, rows), rows, None)
    return told_row(finding, Shown(rows)), find_places(rule, rows)


# -- rows with marks


class _Text(NamedTuple):
    """A text with marks."""

    form: str
    """It has ``%s`` for each name."""
    pick: itemgetter[Any]
    """Takes these names from all of them."""

    def filled(self, names: Sequence[str]) -> str:
        """With names in place of marks."""
        return self.form % self.pick(names)


class _Record(NamedTuple):
    """A dictionary with marks in some values, which are None in ``plain``: a mark cannot go to another process. The
    others are the same object in each that is filled in.
    """

    plain: dict[str, Any]
    marked: tuple[tuple[str, _Marked], ...]

    def filled(self, names: Sequence[str]) -> dict[str, Any]:
        """With names in place of marks."""
        return self.plain | {key: value.filled(names) for key, value in self.marked}


class _Items(NamedTuple):
    """A list, or a tuple, with marks in some items."""

    plain: Sequence[object]
    marked: tuple[tuple[int, _Marked], ...]

    def filled(self, names: Sequence[str]) -> Sequence[object]:
        """With names in place of marks."""
        items = [*self.plain]
        for place, item in self.marked:
            items[place] = item.filled(names)
        return tuple(items) if isinstance(self.plain, tuple) else items


_Marked: TypeAlias = _Text | _Record | _Items


def _find_marks(value: object) -> _Marked | None:
    """A value with its marks found; None for one without any."""
    if isinstance(value, str):
        plain, numbers = (parts := _MARK.split(value))[::2], parts[1::2]
        form = "%s".join(part.replace("%", "%%") for part in plain)
        return _Text(form, itemgetter(*map(int, numbers))) if numbers else None
    if isinstance(value, dict):
        record = _marked_record(cast("dict[str, Any]", value))
        return record if record.marked else None
    if isinstance(value, list | tuple):
        items = cast("Sequence[object]", value)
        marked = {place: found for place, item in enumerate(items) if (found := _find_marks(item)) is not None}
        plain = [None if place in marked else item for place, item in enumerate(items)]
        return _Items(tuple(plain) if isinstance(value, tuple) else plain, (*marked.items(),)) if marked else None
    return None


def _marked_record(value: dict[str, Any]) -> _Record:
    marked = {key: found for key, item in value.items() if (found := _find_marks(item)) is not None}
    return _Record(value | dict.fromkeys(marked), (*marked.items(),))


# -- names


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.%-]*")
_LAST = re.compile(_NAME.pattern + r"\Z")
"""What differs from name to name: all of ``QM1``, and the end of ``jms/orders`` and ``liberty:shop``."""
_PLAIN = re.compile(r"[A-Z0-9]+\Z")
_KEPT = 10_000
"""So many names are known at a time: the flows of one cell share most of theirs."""
_MARK = re.compile(r"[zZ]Q([0-9]+)\.?QZ")
_VALUES = (
    value for alias in ALIASES.values() for column in columns(RELATIONS[alias.relation]) for value in column.values
)
_WORDS = frozenset(("the", *_VALUES))
"""Texts that have a meaning, and are no names. A sentence that begins with "the" gets a capital letter."""
NAMES = frozenset(
    (
        "account", "application", "backout_queue", "bean", "bus", "cell", "channel", "cluster", "coupling_structure",
        "dead_letter_queue", "durable_model", "effective_user", "end_queue", "end_queue_manager",
        "environment", "exception_destination_name",
        "expiry_capped_by", "first_endpoint", "free_backout_name", "free_dead_letter_name", "get_disabled_by",
        "group", "leads_to", "local_queue", "mca_user", "module", "name", "near_name", "node",
        "nondurable_model", "other_case", "other_queue_manager", "poison_queue", "put_disabled_by", "queue",
        "queue_manager", "reader_group", "remote_queue", "remote_queue_manager", "server", "sharing_group",
        "stream_queue", "target_bus", "target_name", "transmission_queue", "user",
    )
)  # fmt: skip
"""Columns that hold the name of one object. The texts of others are plain but for such names in them."""


def find_pattern(columns: Sequence[str], texts: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """The texts of columns with marks in place of names, and these names."""
    numbers: dict[str, int] = {}
    for column, text in zip(columns, texts, strict=True):
        if _holds_names(column) and (last := _find_last(text)):
            numbers.setdefault(last, len(numbers))

    def mark(found: re.Match[str]) -> str:
        name = found.group()
        return name if name not in numbers else _mark(numbers[name], name)

    pattern = [_mark(numbers[text], text) if text in numbers else _NAME.sub(mark, text) for text in texts]
    return tuple(pattern), list(numbers)


@functools.cache
def _holds_names(column: str) -> bool:
    return column.partition(".")[2] in NAMES


@functools.lru_cache(_KEPT)
def _find_last(text: str) -> str:
    """The name that a text ends with; blank where it is none."""
    last = _LAST.search(text)
    return "" if last is None or last.group() in _WORDS else last.group()


@functools.lru_cache(_KEPT)
def _mark(number: int, name: str) -> str:
    """A mark of the characters that the name has: those of MQSC that need no quotation marks, or others."""
    return f"ZQ{number}QZ" if _PLAIN.match(name) else f"zQ{number}.QZ"


class Mark(str):
    """A mark in a row. It may be passed on, and compared with others; what looks at its letters fails."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str) and not isinstance(other, Mark) and is_like_name(other):
            _look_into()
        return str.__eq__(self, cast("str", other)) is True

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return str.__hash__(self)

    def __bool__(self) -> bool:
        return True


def is_like_name(text: str) -> bool:
    """Whether a text can be that of a mark."""
    return text not in _WORDS and _NAME.fullmatch(text) is not None


def _look_into(*_: object, **__: object) -> NoReturn:
    raise LookedIntoError


def _guarded(method: Callable[..., object]) -> Callable[..., object]:
    """A method for which names are alike where it is asked about characters that no name has."""

    def guarded(name: str, *arguments: object) -> object:
        first = arguments[0] if arguments else " "
        characters = map(chr, cast("dict[int, str]", first)) if isinstance(first, dict) else cast("str", first)
        strange = [_NAME.fullmatch(f"A{character}") is None for character in characters]
        alike = any(strange) if method.__name__ in _AS_A_WHOLE else all(strange)
        found = method(name, *arguments) if alike else _look_into()
        return name if isinstance(found, str) and str.__eq__(found, name) else found

    return guarded


_AS_A_WHOLE = frozenset(
    ("startswith", "endswith", "__contains__", "replace", "split", "partition", "rpartition", "removeprefix",
     "removesuffix")
)  # fmt: skip
"""Methods that ask for a text as a whole, of which one character is in no name."""


def _guard() -> None:
    alike = {"__str__", "__format__", "__add__", "isascii", "isprintable", "isspace", *vars(Mark)}
    asked = {"strip", "lstrip", "rstrip", "translate", *_AS_A_WHOLE}
    for method in {*dir(str)} - {*dir(object)} - alike | {"__lt__", "__le__", "__gt__", "__ge__"}:
        setattr(Mark, method, _guarded(getattr(str, method)) if method in asked else _look_into)


_guard()


# -- rows


class _Asked:
    """What functions ask of the rows of a flow; with marks, which they get in place of names."""

    def __init__(self, marks: Mapping[str, str] | None = None) -> None:
        self.names: dict[str, str] = {}
        self.places: dict[tuple[str, str], _Place | None] = {}
        self._marks = marks

    def wrapped(self, rows: FlowRows) -> FlowRows:
        """The rows of a flow that note what is asked of them."""
        changed: dict[str, object] = {}
        for alias, value in zip(FlowRows._fields, rows, strict=True):
            if alias in ALIASES:
                changed[alias] = None if value is None else _Row(self, alias, cast("Row", value))
            elif isinstance(value, str) and is_name(_COMPUTED[alias]):
                changed[alias] = self.name(f"endpoint.{alias}", value)
        return rows._replace(**changed)

    def name(self, column: str, value: str) -> str:
        """What a function gets for a name."""
        if not value:
            return value
        self.names[column] = value
        if self._marks is None:
            return value
        if column not in self._marks:
            raise LookedIntoError
        mark = self._marks[column]
        return Mark(mark) if _MARK.fullmatch(mark) else mark

    def place(self, alias: str, column: str, found: Located | None) -> Located | None:
        """What a function gets for an origin."""
        if self._marks is None:
            return found
        if (alias, column) not in self.places:
            self.places[alias, column] = None if found is None else _Place(alias, column, cast("Origin", found))
        return cast("Located | None", self.places[alias, column])


class _Row:
    """A row that notes what is asked of it."""

    __slots__ = ("_alias", "_asked", "_row", "origins")

    def __init__(self, asked: _Asked, alias: str, row: Row) -> None:
        self._asked, self._alias, self._row = asked, alias, row
        self.origins = _Origins(asked, alias, row)

    def __getattr__(self, name: str) -> object:
        value = getattr(self._row, name)
        named = isinstance(value, str) and is_name(_declared(self._alias)[name])
        return self._asked.name(f"{self._alias}.{name}", value) if named else value


@functools.cache
def _declared(alias: str) -> Mapping[str, Column]:
    return {column.name: column for column in columns(RELATIONS[ALIASES[alias].relation])}


_COMPUTED = {name: column for name, column in _declared("endpoint").items() if column.computed}


class _Origins(ExportOrigins):
    """The origins of a row that notes which are asked for."""

    __slots__ = ("_alias", "_asked", "_origins")

    def __init__(self, asked: _Asked, alias: str, row: Row) -> None:
        self._asked, self._alias = asked, alias
        self._origins: Mapping[str, Located] = getattr(row, "origins", {})

    def __getitem__(self, column: str) -> Located:
        found = self._asked.place(self._alias, column, self._origins.get(column))
        if found is None:
            raise KeyError(column)
        return found

    def __iter__(self) -> Iterator[str]:
        _look_into()

    def __len__(self) -> int:
        _look_into()


class _Place:
    """An origin that notes what is asked of it. Where it is differs from flow to flow."""

    def __init__(self, alias: str, name: str, origin: Origin) -> None:
        self.alias, self.name = alias, name
        self.paths: dict[tuple[str, str], bool] = {}
        self._default: bool | None = None
        self._text: str | None = None
        self.origin = origin

    def seen(self) -> Place:
        """What was seen of it."""
        paths = tuple((*place, same) for place, same in self.paths.items())
        return Place(self.alias, self.name, True, self._default, self._text, paths)

    @property
    def default(self) -> bool:
        """As in Origin."""
        self._default = self.origin.default
        return self._default

    @property
    def text(self) -> str:
        """As in Origin."""
        self._text = self.origin.text
        return self._text

    @property
    def path(self) -> _Path:
        """As in Origin."""
        return _Path(self)

    @property
    def line(self) -> int:
        """As in Origin."""
        _look_into()

    column = line


class _Path:
    """The path of an origin, which differs from flow to flow, but may be compared with another of them."""

    def __init__(self, place: _Place) -> None:
        self._place = place

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Path):
            _look_into()
        one, two = self._place, other._place
        same = one.origin.path == two.origin.path
        one.paths[two.alias, two.name] = same
        return same

    def __hash__(self) -> int:
        _look_into()

    def __str__(self) -> str:
        _look_into()
