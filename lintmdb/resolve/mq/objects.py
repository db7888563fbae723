"""MQ objects: the attributes that scripts set on them, and where each value was read."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from lintmdb.exports.mq import Command, MqscFile, Parameter
from lintmdb.exports.mq.attribute_values import HIGHEST_INTEGER
from lintmdb.model.number_words import number_fault
from lintmdb.model.origins import Located, Origin
from lintmdb.model.relations import Problem

QueueType = Literal["local", "alias", "remote", "model"]
QUEUE_TYPES: Mapping[str, QueueType] = {"QLOCAL": "local", "QALIAS": "alias", "QREMOTE": "remote", "QMODEL": "model"}
"""The nouns that share one name space, and what each type of queue is called."""
DEFAULT_OBJECTS: Mapping[str, str] = {
    "QLOCAL": "SYSTEM.DEFAULT.LOCAL.QUEUE",
    "QMODEL": "SYSTEM.DEFAULT.MODEL.QUEUE",
    "QALIAS": "SYSTEM.DEFAULT.ALIAS.QUEUE",
    "QREMOTE": "SYSTEM.DEFAULT.REMOTE.QUEUE",
    "CHANNEL": "SYSTEM.DEF.SVRCONN",
    "TOPIC": "SYSTEM.DEFAULT.TOPIC",
}
"""The object from which DEFINE copies what it does not set, by noun."""
PREDEFINED = frozenset({"SYSTEM.DEAD.LETTER.QUEUE", *DEFAULT_OBJECTS.values()})
"""Objects that every queue manager has from the start."""

ObjectKey = tuple[str, str]
"""The name space of an object and its name there."""


_CLIENT_CHANNEL = {("CHLTYPE", "CLNTCONN"), ("CHLTABLE", "CLNTTBL")}


def command_key(command: Command) -> ObjectKey:
    """Where a queue manager keeps the object of a command. The client's end of a channel, which may have the name of
    the queue manager's end, is not among the channels.
    """
    client = command.noun == "CHANNEL" and any(
        p.value and (p.keyword, p.value.upper()) in _CLIENT_CHANNEL for p, _ in command.parameters
    )
    return object_key("CLNTCONN" if client else command.noun, command.name)


def object_key(noun: str, name: str) -> ObjectKey:
    """Where a queue manager keeps an object: queues of all types share one name space."""
    return ("Q" if noun in QUEUE_TYPES else noun, name)


class Value(NamedTuple):
    """One attribute as a script sets it. Its Origin is built only when a report shows it."""

    text: str
    """Of an attribute without parentheses, such as NOHARDENBO: ``yes`` or ``no``."""
    file: MqscFile
    parameter: Parameter
    line: int

    @property
    def origin(self) -> Origin:
        """Where a script sets it."""
        parameter = self.parameter
        return self.file.place(self.line, parameter.column, parameter.text)


class CopiedValue(Value):
    """One attribute that a DEFINE of a change copies from another object and does not name itself; ``parameter`` and
    ``line`` are those of what makes it do so, and ``text`` of the parameter says whose value it is.
    """

    __slots__ = ()

    @property
    def origin(self) -> Origin:
        """Where the change copies it, marked like a default: an edit of that place would not set the attribute."""
        return self.file.place(self.line, self.parameter.column, self.parameter.text, default=True)


def not_set(keyword: str, value: str, whose: str) -> str:
    """What is shown for an attribute that an object leaves out: ``BOTHRESH not set: 0 is IBM MQ's default``."""
    shown = {"yes": keyword, "no": f"NO{keyword}"}.get(value, value.strip() or "blank")
    return f"{keyword} not set: {shown} is {whose}"


@dataclass(frozen=TYPE_CHECKING, unsafe_hash=True, slots=True)
class MqObject:
    """One object as far as the scripts define it. It is frozen where types are checked: a dump has thousands, and at
    run time that would be half of what it costs to make one.
    """

    noun: str
    name: str
    file: MqscFile
    line: int
    column: int
    values: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """By keyword."""
    unset: Literal["default", "unknown"] = "default"
    """What attributes without a value have: IBM's default, or a value that the scripts do not show, because they alter
    an object that they do not define or copy one that they do not hold.
    """
    hidden: frozenset[str] = frozenset()
    """Attributes without a value that the default object may have given, or IBM: the scripts do not tell which."""
    defined: bool = True
    """False for an object that the scripts alter and never define: a later DEFINE may create it."""
    drifted: bool = False
    """A copy of a group definition (z/OS) that has other values than this one."""

    def origin(self, text: str, *, default: bool = False) -> Origin:
        """The position of the definition, with some text to show for it."""
        return self.file.place(self.line, self.column, text, default=default)

    def definition(self) -> Origin:
        """The definition itself, as ``QLOCAL(NAME)``."""
        return self.origin(f"{self.noun}({self.name})")


def omits(target: MqObject, keyword: str) -> bool | None:
    """Whether an object leaves an attribute to the product's default; None where that is not known."""
    if keyword in target.values:
        return False
    return True if target.unset == "default" and keyword not in target.hidden else None


class ObjectOrigins(Mapping[str, Located]):
    """Where the columns of an object's row were read, built on demand: a dump has far more rows than findings."""

    __slots__ = ("_columns", "_supplied", "_target")

    def __init__(self, target: MqObject, columns: Mapping[str, str], supplied: Mapping[str, str]) -> None:
        self._target = target
        self._columns = columns
        self._supplied = supplied

    def __getitem__(self, column: str) -> Origin:
        target = self._target
        if column == "name":
            return target.definition()
        keyword = self._columns[column]
        found = target.values.get(keyword)
        if found is not None:
            return found.origin
        if not self._is_default(keyword):
            raise KeyError(column)
        return target.origin(not_set(keyword, self._supplied[keyword], "IBM MQ's default"), default=True)

    def _is_default(self, keyword: str) -> bool:
        """Whether an attribute without a value has IBM's default."""
        target = self._target
        return target.unset == "default" and keyword in self._supplied and keyword not in target.hidden

    def __contains__(self, column: object) -> bool:
        """As of any mapping, without working out the place."""
        keyword = self._columns.get(column) if isinstance(column, str) else None
        known = keyword is not None and (keyword in self._target.values or self._is_default(keyword))
        return known or column == "name"

    def __iter__(self) -> Iterator[str]:
        return (column for column in ("name", *self._columns) if column in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def items(self) -> ItemsView[str, Located]:
        """As of any mapping, with one look-up for each column: the fleet stores the origins of every queue."""
        return _Items(self)

    def pairs(self) -> Iterator[tuple[str, Origin]]:
        """The columns that have an origin, and their origins."""
        yield "name", self["name"]
        values = self._target.values
        for column, keyword in self._columns.items():
            found = values.get(keyword)
            if found is not None:
                yield column, found.origin
            elif self._is_default(keyword):
                yield column, self[column]


class _Items(ItemsView[str, Located]):
    __slots__ = ("_origins",)

    def __init__(self, origins: ObjectOrigins) -> None:
        super().__init__(origins)
        self._origins = origins

    def __iter__(self) -> Iterator[tuple[str, Located]]:
        return self._origins.pairs()


@dataclass(frozen=True, slots=True)
class AttributeReader:
    """Reads attributes of one queue manager's objects as typed values, IBM's defaults included."""

    queue_manager: str
    supplied: Mapping[str, str]
    """IBM's defaults on the platform of the queue manager, by keyword."""
    problems: list[Problem]
    """Collects a Problem for each value outside its range."""

    def text(self, target: MqObject, keyword: str) -> str | None:
        """An attribute as text; None where it is not known."""
        found = target.values.get(keyword)
        if found is not None:
            return None if found.parameter.template else found.text.strip()
        if target.unset == "unknown" or keyword in target.hidden:
            return None
        return self.supplied.get(keyword)

    def flag(self, target: MqObject, keyword: str, true: str, false: str) -> bool | None:
        """An attribute with two values, in upper case; None where it has neither or is not known."""
        value = self.text(target, keyword)
        if value is None:
            return None
        if value != true and value != false:  # nearly all are in upper case already
            value = value.upper()
        return True if value == true else False if value == false else None

    def integer(self, target: MqObject, keyword: str, high: int = HIGHEST_INTEGER) -> int | None:
        """An attribute from 0 to ``high``; None where it is not known, or a Problem because it is out of range."""
        value = self.text(target, keyword)
        if value is None:
            return None
        number = int(value) if value.isascii() and value.isdigit() and len(value) < 12 else high + 1
        if number <= high:
            return number
        origin = self.origins(target, {keyword: keyword})[keyword]
        fault = number_fault(value, 0, high)
        self.problems.append(
            Problem(
                kind="value_out_of_range",
                path=origin.path,
                line=origin.line,
                column=origin.column,
                text=f"{keyword} of {target.name} is {fault} ({origin.text}), so it is treated as unknown",
                next_step="Correct it, or export again",
                queue_manager=self.queue_manager,
                object=f"{target.noun} {target.name} {keyword}",
            )
        )
        return None

    def origins(self, target: MqObject, columns: Mapping[str, str]) -> ObjectOrigins:
        """The origins of a row, whose ``columns`` name the keyword that each comes from."""
        return ObjectOrigins(target, columns, self.supplied)
