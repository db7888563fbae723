"""What a relation declares about its columns.

A column is a field of a row class. Its type is the field's annotation, and all else that lintmdb knows about it is a
``Column`` inside that annotation::

    backout_threshold: Annotated[int | None, Column(mqsc="BOTHRESH")] = None
"""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple, TypeAlias

Value: TypeAlias = str | int | bool | None
"""The value of a column; None where it is not known."""

_NOWHERE: Mapping[str, tuple[Value, ...]] = types.MappingProxyType({})


class Column(NamedTuple):
    """A column of a relation. ``columns`` reads the first three from the field; a declaration names what it knows."""

    name: str = ""
    type: Literal["text", "integer", "boolean"] = "text"
    values: tuple[str, ...] = ()
    """The only values that it takes; blank where any will do."""

    # -- what it is to its relation

    key: bool = False
    """The join finds a row by it, together with the other columns of the key."""
    identity: bool = False
    """One of the columns that identify the object to a reader."""
    id_of: str = ""
    """The relation whose row's id it holds; an id exists in memory alone and means nothing to a reader."""
    selects: bool = False
    """It says which flows a rule is about, and explains no finding."""

    # -- where its values come from

    computed: bool = False
    """``flow.sql`` computes it; no row has it before the join."""
    derived: bool = False
    """Computed from other columns: where one of those was read is not where a value is missing."""
    sums: bool = False
    """It adds up the values of many objects, so it may grow beyond what one of them holds."""
    moot_where: Mapping[str, tuple[Value, ...]] = _NOWHERE
    """Values of other columns, as ``alias.column``, under any of which this one decides nothing."""
    serves: str = ""
    """A rule that reads that column, too, reads this one for its sake alone: where that one is moot, so is this."""

    # -- what people call it

    words: str = ""
    """A noun that follows "the"; without one, the name of the column in words."""
    source: str = ""
    """Where an export holds it, if not in the file that holds its object."""
    label: str | None = None
    """What precedes its value in a list of settings; None for its name in words."""
    mqsc: str = ""
    """The keyword in MQSC that it is read from."""
    switch: tuple[str, str] | None = None
    """What follows the keyword for off and for on, as in ``PUT(DISABLED)``; None for a pair as NOSHARE and SHARE."""
    longest: int | None = None
    """The most characters that its product allows."""

    @property
    def noun(self) -> str:
        """The column as an administrator calls it."""
        return self.words or self.name.removesuffix("_ms").replace("_", " ")

    @property
    def keywords(self) -> tuple[str, ...]:
        """The keywords in MQSC that set it; a switch may have two, as in SHARE and NOSHARE."""
        if not self.mqsc:
            return ()
        pair = self.type == "boolean" and self.switch is None and not self.derived
        return (self.mqsc, f"NO{self.mqsc}") if pair else (self.mqsc,)


class Alias(NamedTuple):
    """A word of rule authors for a relation, in one of the places that it has in a flow."""

    relation: str
    words: str
    """A noun for the object."""
    label: str = ""
    """What precedes a column's name in a list of settings."""
    mqsc: str = ""
    """What precedes a keyword of MQSC there."""
    standalone: bool = False
    """Its rows are judged by themselves; those of all other aliases meet in a flow."""


PLACES = frozenset({"origins", "changed_at"})
"""The fields of rows that say where values were read: no rule may ask for them."""


@functools.cache
def columns(relation: type) -> tuple[Column, ...]:
    """The columns of a relation, in the order of its fields."""
    hints: Mapping[str, object] = typing.get_type_hints(relation, include_extras=True)
    return tuple(_column(name, hint) for name, hint in hints.items() if name not in PLACES)


@functools.cache
def mqsc_keywords(relation: type) -> Mapping[str, str]:
    """The keyword of MQSC behind each column that has one."""
    return types.MappingProxyType({column.name: column.mqsc for column in columns(relation) if column.mqsc})


def _column(name: str, hint: object) -> Column:
    declared = Column()
    if typing.get_origin(hint) is Annotated:
        hint, declared = typing.get_args(hint)
    known = [part for part in typing.get_args(hint) or (hint,) if part is not types.NoneType]
    if typing.get_origin(hint) is Literal:
        known = [hint]
    for part in known:
        if typing.get_origin(part) is Literal:
            return declared._replace(name=name, type="text", values=typing.get_args(part))
        if part is bool:
            return declared._replace(name=name, type="boolean")
        if part is int:
            return declared._replace(name=name, type="integer")
    return declared._replace(name=name)
