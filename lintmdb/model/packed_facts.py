"""Facts as bytes, for another process: origins stay packed until somebody asks for one."""

from __future__ import annotations

import dataclasses
import functools
import marshal
import operator
import pickle
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, cast

from lintmdb.model.facts import Facts
from lintmdb.model.origins import InlineSuppression, Located, Origin
from lintmdb.model.relations import RELATIONS, Row

_Place: TypeAlias = tuple[int, int, int, str, bool]
"""An origin, with the number of its path."""
_Table: TypeAlias = tuple[list[tuple[object, ...]], list[bytes]]
"""The values of rows, and the origins of each row; these are none where rows of a relation have none."""


def pack_facts(facts: Facts) -> bytes:
    """All that facts hold, the origins of each row packed apart."""
    paths: dict[str, int] = {}
    tables = {name: _packed_rows(name, rows, paths) for name, rows in facts.rows.items() if rows}
    return pickle.dumps((tables, list(paths), facts.inline_suppressions), pickle.HIGHEST_PROTOCOL)


def unpack_facts(data: bytes) -> Facts:
    """The facts again. ``data`` must come from ``pack_facts`` of this program, as loading it can run code."""
    tables, paths, comments = cast("tuple[dict[str, _Table], list[str], list[InlineSuppression]]", pickle.loads(data))
    facts = Facts(inline_suppressions=comments)
    for name, (values, origins) in tables.items():
        make, names = cast("Callable[..., Row]", RELATIONS[name]), _fields(name)
        if not origins:
            facts.rows[name] = [make(**dict(zip(names, row, strict=True))) for row in values]
            continue
        for row, packed in zip(values, origins, strict=True):
            own = PackedOrigins(packed, paths)
            facts.rows[name].append(make(**dict(zip(names, row, strict=True)), origins=own))
    return facts


def _packed_rows(name: str, rows: list[Any], paths: dict[str, int]) -> _Table:
    several = operator.attrgetter(*_fields(name))  # every relation has several
    values = cast("list[tuple[object, ...]]", list(map(several, rows)))
    packed = [_packed_origins(row.origins, paths) for row in rows] if hasattr(rows[0], "origins") else []
    return values, packed


@functools.cache
def _fields(name: str) -> tuple[str, ...]:
    return tuple(entry.name for entry in dataclasses.fields(RELATIONS[name]) if entry.name != "origins")


def _packed_origins(origins: Mapping[str, Located], paths: dict[str, int]) -> bytes:
    places: dict[str, _Place] = {}
    known: dict[int, tuple[Located, _Place]] = {}  # columns of one row often share their place, which has to stay
    for column, located in origins.items():
        found = known.get(id(located))
        if found is None:
            path, *rest = located if isinstance(located, Origin) else located.resolve()
            found = known[id(located)] = located, cast("_Place", (paths.setdefault(path, len(paths)), *rest))
        places[column] = found[1]
    return marshal.dumps(places)


class PackedOrigins(Mapping[str, Located]):
    """Where the columns of a row were read, unpacked on demand: a dump has far more rows than findings."""

    __slots__ = ("_packed", "_paths")

    def __init__(self, packed: bytes, paths: list[str]) -> None:
        self._packed = packed
        self._paths = paths

    def _places(self) -> dict[str, _Place]:
        return marshal.loads(self._packed)

    def __getitem__(self, column: str) -> Origin:
        path, line, place, text, default = self._places()[column]
        return Origin(self._paths[path], line, place, text, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places())

    def __len__(self) -> int:
        return len(self._places())
