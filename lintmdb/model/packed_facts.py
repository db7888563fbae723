"""Facts as bytes, for another process: the values of rows, and apart from them their origins, which few ask for."""

from __future__ import annotations

import dataclasses
import functools
import marshal
import operator
import pickle
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, cast

from lintmdb.model.columns import PLACES
from lintmdb.model.facts import Facts
from lintmdb.model.origins import InlineSuppression, Located, Origin
from lintmdb.model.relations import RELATIONS, Row

_Place: TypeAlias = tuple[str, int, int, str, bool]
"""An origin."""
_Values: TypeAlias = list[list[object]]
"""The values of all rows of a relation, column by column, as rows are built of them."""


def pack_values(facts: Facts) -> bytes:
    """All that facts hold, without the origins of rows."""
    tables = {name: _values(name, rows) for name, rows in facts.rows.items() if rows}
    return pickle.dumps((tables, facts.inline_suppressions), pickle.HIGHEST_PROTOCOL)


def pack_origins(facts: Facts) -> bytes:
    """The origins of all rows, those of each row apart."""
    tables = {
        name: [_packed_origins(row.origins) for row in rows]
        for name, rows in facts.rows.items()
        if rows and hasattr(rows[0], "origins")
    }
    return marshal.dumps(tables)


def unpack_facts(packed_values: bytes, origins: Callable[[], bytes]) -> Facts:
    """The facts again. ``origins`` gives the bytes of origins when the first is asked for. ``packed_values`` must come
    from ``pack_values`` of this program, as loading it can run code.
    """
    tables, comments = cast("tuple[dict[str, _Values], list[InlineSuppression]]", pickle.loads(packed_values))
    facts = Facts(inline_suppressions=comments)
    packed = _Origins(origins)
    for name, values in tables.items():
        make, names = cast("Callable[..., Row]", RELATIONS[name]), _fields(name)
        if "origins" not in RELATIONS[name].__dataclass_fields__:
            facts.rows[name] = [make(**dict(zip(names, row, strict=True))) for row in zip(*values, strict=True)]
            continue
        facts.rows[name] = _made(name, values)
        for number, row in enumerate(facts.rows[name]):
            row.origins = PackedOrigins(packed, name, number)
    return facts


def _made(name: str, values: _Values) -> list[Any]:
    """Rows without origins, filled column by column: to call their class takes more than twice as long."""
    relation = RELATIONS[name]
    rows: list[Any] = [object.__new__(relation) for _ in values[0]]
    for field, column in zip(_fields(name), values, strict=True):
        put = cast("Callable[[object, object], None]", getattr(relation, field).__set__)
        deque(map(put, rows, column), maxlen=0)
    return rows


def _values(name: str, rows: list[Row]) -> _Values:
    return [list(map(operator.attrgetter(field), rows)) for field in _fields(name)]


@functools.cache
def _fields(name: str) -> tuple[str, ...]:
    return tuple(entry.name for entry in dataclasses.fields(RELATIONS[name]) if entry.name not in PLACES)


def _packed_origins(origins: Mapping[str, Located]) -> bytes:
    # Marshal takes plain tuples alone, and writes what several of them share once.
    return marshal.dumps(
        {
            column: tuple(located if isinstance(located, Origin) else located.resolve())
            for column, located in origins.items()
        }
    )


class _Origins:
    """The origins of all rows, loaded when the first is asked for."""

    def __init__(self, packed: Callable[[], bytes]) -> None:
        self._packed = packed

    @functools.cached_property
    def loaded(self) -> dict[str, list[bytes]]:
        """The origins of rows by relation."""
        return marshal.loads(self._packed())


class PackedOrigins(Mapping[str, Located]):
    """Where the columns of a row were read, unpacked on demand: a dump has far more rows than findings."""

    __slots__ = ("_number", "_relation", "_source")

    def __init__(self, source: _Origins, relation: str, number: int) -> None:
        self._source = source
        self._relation = relation
        self._number = number

    def _places(self) -> dict[str, _Place]:
        return marshal.loads(self._source.loaded[self._relation][self._number])

    def __getitem__(self, column: str) -> Origin:
        return Origin(*self._places()[column])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places())

    def __len__(self) -> int:
        return len(self._places())
