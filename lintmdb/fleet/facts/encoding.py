"""Encodes the rows of relations as Arrow batches, and their origins as text, and decodes them.

A row knows its part (one cell or queue manager as one unit describes it) and its place in it.
"""

from __future__ import annotations

import functools
import operator
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lintmdb.fleet.arrow import Array, Batch, DataType, Schema, pa
from lintmdb.model.columns import Column, Value, columns
from lintmdb.model.facts import Facts
from lintmdb.model.origins import InlineSuppression, Located, Origin, resolved, without_value
from lintmdb.model.relations import RELATIONS, Row

STORED: dict[str, type[Row]] = {
    name: relation for name, relation in RELATIONS.items() if not all(column.computed for column in columns(relation))
}
"""The relations that exports fill; the join computes the others."""
PART = "part"
"""The table of parts, beside the relations: one row a part, with what the manifest keeps of it."""
PART_COLUMNS = (
    Column("unit", "integer"),
    Column("export", "text"),
    Column("environment", "text"),
    Column("kind", "text"),
    Column("name", "text"),
    Column("root", "text"),
    Column("endpoints", "integer"),
    Column("beans", "integer"),
    Column("rows", "integer"),
    Column("repeats", "boolean"),
)
INLINE_SUPPRESSION = "allowance"
"""The table of comments that allow a rule, beside the relations: no rule may ask for it."""
INLINE_SUPPRESSION_COLUMNS = tuple(
    Column(name, "integer" if name == "line" else "text") for name in InlineSuppression._fields
)
_TYPES = {"text": "string", "integer": "bigint", "boolean": "boolean"}
_DUCKDB_TYPES = {"text": "VARCHAR", "integer": "BIGINT", "boolean": "BOOLEAN"}
_ARROW: dict[str, DataType] = {"text": pa.string(), "integer": pa.int64(), "boolean": pa.bool_()}
_FIELD, _ENTRY, _SAME, _ESCAPE = "\x1f", "\x1e", "\x1d", "\x1c"
_ESCAPED = {_ESCAPE: f"{_ESCAPE}0", _FIELD: f"{_ESCAPE}1", _ENTRY: f"{_ESCAPE}2"}
"""How a text of an origin writes the characters that have a meaning here; the escape itself comes first."""

FLUSH_ROWS = 16384
LISTING = -1
"""The part of problems that were met while listing."""


@functools.cache
def stored_columns(relation: str) -> tuple[Column, ...]:
    """The columns of a relation as they are stored, without those that say where a row belongs."""
    if relation == PART:
        return PART_COLUMNS
    if relation == INLINE_SUPPRESSION:
        return INLINE_SUPPRESSION_COLUMNS
    own = columns(STORED[relation])
    if not has_origins(relation):
        return (*own, _OBJECTS) if relation == "export" else own
    added = (_ADDED[relation].column,) if relation in _ADDED else ()
    return (*own, Column("origins"), _UNUSABLE, *added)


def has_origins(relation: str) -> bool:
    """Whether rows of a relation have origins."""
    return "origins" in STORED[relation].__dataclass_fields__


def spark_schema(relation: str) -> str:
    """The schema of one relation's folder, as Spark's DDL."""
    return "part bigint, row bigint, " + ", ".join(f"`{c.name}` {_TYPES[c.type]}" for c in stored_columns(relation))


def duckdb_columns(relation: str) -> dict[str, str]:
    """The columns of one relation's folder with their types, as DuckDB writes them."""
    own = {column.name: _DUCKDB_TYPES[column.type] for column in stored_columns(relation)}
    return {"part": "BIGINT", "row": "BIGINT", **own}


@functools.cache
def arrow_schema(relation: str) -> Schema:
    """The schema of one relation's batches."""
    return pa.schema(
        [("part", pa.int64()), ("row", pa.int64())]
        + [(column.name, _ARROW[column.type]) for column in stored_columns(relation)]
    )


def arrow_types(relation: str) -> dict[str, DataType]:
    """The type of each stored column of a relation."""
    return {column.name: _ARROW[column.type] for column in stored_columns(relation)}


class Batches:
    """Gathers rows into Arrow batches of some ten thousand rows, each with the name of its relation."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[list[int], list[int], list[tuple[object, ...]]]] = {}
        self._count = 0

    def add(self, part: int, relation: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Add rows of a relation, as tuples in the order of its stored columns."""
        if not rows:
            return
        parts, numbers, kept = self._rows.setdefault(relation, ([], [], []))
        parts.extend([part] * len(rows))
        numbers.extend(range(len(rows)))
        kept.extend(rows)
        self._count += len(rows)

    def full(self) -> Iterator[tuple[str, Batch]]:
        """The batches, once there is enough for them."""
        if self._count >= FLUSH_ROWS:
            yield from self.flush()

    def flush(self) -> Iterator[tuple[str, Batch]]:
        """Whatever there is, as batches."""
        for relation, (parts, numbers, rows) in self._rows.items():
            for start in range(0, len(rows), 4 * FLUSH_ROWS):
                end = start + 4 * FLUSH_ROWS
                yield relation, _batch(relation, parts[start:end], numbers[start:end], rows[start:end])
        self._rows.clear()
        self._count = 0


def _batch(relation: str, parts: list[int], numbers: list[int], rows: list[tuple[object, ...]]) -> Batch:
    values = zip(stored_columns(relation), zip(*rows, strict=True), strict=True)
    arrays: list[Array] = [pa.array(parts, pa.int64()), pa.array(numbers, pa.int64())]
    arrays.extend(_array(column_values, _ARROW[column.type]) for column, column_values in values)
    return pa.RecordBatch.from_arrays(arrays, schema=arrow_schema(relation))


def _array(values: Sequence[object], kind: DataType) -> Array:
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        clean = [v.encode("utf-8", "backslashreplace").decode() if isinstance(v, str) else v for v in values]
        return pa.array(clean, kind)


def to_tuples(facts: Facts, relation: str) -> list[tuple[object, ...]]:
    """The rows of a relation as tuples in the order of its stored columns, origins in their compact form.

    Those of ``export`` lack their ``objects``, which are not part of the facts.
    """
    rows = facts.rows[relation]
    if not rows:
        return []
    values = map(_getter(relation), rows)
    if not has_origins(relation):
        return list(values)
    more: list[Iterable[Value]] = [
        [encode_origins(row.origins) for row in rows],
        [" ".join(without_value(row, row.origins)) for row in rows],
    ]
    if relation in _ADDED:
        more.append(_ADDED[relation].read(facts))
    return [(*row, *rest) for row, *rest in zip(values, *more, strict=True)]


def _count_beans(facts: Facts) -> list[Value]:
    beans = Counter(bean.endpoint_id for bean in facts.rows["bean"])
    return [beans[endpoint.id] for endpoint in facts.rows["endpoint"]]


def _find_queue_managers(facts: Facts) -> list[Value]:
    managers = {endpoint.id: endpoint.queue_manager for endpoint in facts.rows["endpoint"]}
    return [managers.get(bean.endpoint_id) for bean in facts.rows["bean"]]


class _Added(NamedTuple):
    """A column that is stored of a relation beside its own, and its values in the order of the rows."""

    column: Column
    read: Callable[[Facts], list[Value]]


_ADDED = {
    "endpoint": _Added(Column("beans", "integer"), _count_beans),
    "bean": _Added(Column("queue_manager"), _find_queue_managers),
}
"""How many beans an endpoint has, and the queue manager of a bean's endpoint."""
_UNUSABLE = Column("unusable")
"""The names that ``without_value`` gives."""
_OBJECTS = Column("objects")
"""How many objects of each kind an export holds; facts do not tell."""


@functools.cache
def _getter(relation: str) -> operator.attrgetter[tuple[object, ...]]:
    return operator.attrgetter(*(column.name for column in columns(STORED[relation])))


def repeats(facts: Facts) -> bool:
    """Whether the join finds two rows where it looks for one, as in a cell that two exports show differently, or two
    flows have one subject.
    """
    for relation in STORED:
        rows = facts.rows[relation]
        names = _unique_columns(relation)
        if names and len(rows) > 1 and len(set(map(operator.attrgetter(*names), rows))) != len(rows):
            return True
    return len({row.id for row in facts.rows["endpoint"]}) != len(facts.rows["endpoint"])


@functools.cache
def _unique_columns(relation: str) -> tuple[str, ...]:
    """The columns in which no two rows of a relation may be the same within one part."""
    # An endpoint has no key, as the join starts there, and the key of a bean finds all beans of its endpoint.
    subjects = relation in ("endpoint", "bean")
    return tuple(c.name for c in columns(STORED[relation]) if c.key or (subjects and c.identity))


def encode_origins(origins: Mapping[str, Located]) -> str:
    """Origins as one text: an entry a column, its fields separated by a control character.

    A path is written where it changes, and lines count from the entry before: objects that a tool writes alike have
    nearly the same text, which compresses well.
    """
    entries: list[str] = []
    path, line = "", 0
    for column, located in origins.items():
        place, number, position, text, default = resolved(located)
        shown = _SAME if place == path else place
        flag = "=" if default else ""
        entry = f"{column}{_FIELD}{shown}{_FIELD}{number - line}{_FIELD}{position}{_FIELD}{flag}{_FIELD}{text}"
        if entry.count(_FIELD) != 5 or _ENTRY in entry or _ESCAPE in entry:
            fields = (column, shown, str(number - line), str(position), flag, text)
            entry = _FIELD.join(map(_escape, fields))
        path, line = place, number
        entries.append(entry)
    return _ENTRY.join(entries)


def _escape(field: str) -> str:
    for character, written in _ESCAPED.items():
        field = field.replace(character, written)
    return field


def _unescape(field: str) -> str:
    for character, written in reversed(_ESCAPED.items()):
        field = field.replace(written, character)
    return field


def may_have_origin(text: str | None, column: str) -> bool:
    """Whether the origins of a row in their compact form can have that of a column; False is certain."""
    return text is not None and f"{column}{_FIELD}" in text


def decode_origins(text: str | None, wanted: Container[str] | None = None) -> dict[str, Located]:
    """The origins of a row from their compact form, or those of the columns that are wanted."""
    origins: dict[str, Located] = {}
    path, line = "", 0
    escaped = text is not None and _ESCAPE in text
    for entry in text.split(_ENTRY) if text else ():
        fields = entry.split(_FIELD)
        column, place, number, position, default, written = map(_unescape, fields) if escaped else fields
        if place != _SAME:
            path = place
        line += int(number)
        if wanted is None or column in wanted:
            origins[column] = Origin(path, line, int(position), written, bool(default))
    return origins
