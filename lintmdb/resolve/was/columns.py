"""Settings as an export spells them to typed values, each with the place it was read from.

A value that cannot be used (out of range, not a number, an unresolved variable) becomes None and a Problem: nothing
is judged by it.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

from lintmdb.exports.was.objects import NOT_TOLD, Scope
from lintmdb.model.number_words import number_fault
from lintmdb.model.origins import ChangeOrigin, LazyOrigin, Located, Origin, Setting, behind, former, unclear
from lintmdb.model.relations import Problem
from lintmdb.resolve.was.lookup import Variables

_INTEGER = re.compile(r"\s*[+-]?\d{1,19}\s*\Z", re.ASCII)
INT_MAX = 2_147_483_647
LONGEST_MS = INT_MAX * 1000
"""Products of times are no longer than this."""

ColumnValue = str | int | bool | None

_RowT = TypeVar("_RowT")
_UNCHANGED = contextlib.nullcontext()


def _default_origin(place: Located, name: str, value: ColumnValue, whose: str) -> Origin:
    shown = str(value).lower() if isinstance(value, bool) else value
    text = f"{name} not set: {shown} is {whose}'s default"
    kind = ChangeOrigin if isinstance(place, ChangeOrigin) else Origin
    return kind(place.path, place.line, place.column, text, default=True)


@dataclass(slots=True)
class Columns:
    """Values and origins of one row under construction."""

    owner: str
    """The object as people know it (``listener port LP1``), for problems and defaults."""
    definition: Origin
    scope: Scope
    variables: Variables
    problems: list[Problem]
    cell: str | None
    product: str = "WebSphere"
    """Whose the defaults are."""
    values: dict[str, ColumnValue] = field(default_factory=dict[str, ColumnValue])
    origins: dict[str, Located] = field(default_factory=dict[str, Located])
    led_by: ChangeOrigin | None = None
    """The change that leads to the object whose settings are being read."""
    _clashes: dict[Located, Origin] = field(default_factory=dict[Located, Origin])
    """The variable with two values behind settings that refer to it, by their place."""
    _expanded: dict[Located, ChangeOrigin] = field(default_factory=dict[Located, ChangeOrigin])
    """The change of a variable behind settings that refer to it, by their place."""

    def put(self, column: str, value: ColumnValue, origin: Located | None = None) -> None:
        """Set a column."""
        self.values[column] = value
        untold = value is None and isinstance(origin, Origin) and not origin.text
        if origin is not None and not untold:
            self.origins[column] = origin
        change = self.led_by or (self._expanded.get(origin) if self._expanded and origin is not None else None)
        if change is not None:
            self.origins[behind(column)] = change
        if value is None and origin is not None and self._clashes:
            self._note_clash(column, origin)

    def lack(self, column: str, setting: Setting) -> None:
        """Note why a setting that was expanded gives a column no value, without setting the column."""
        if self._clashes and column not in self.origins:
            self._note_clash(column, setting.origin)

    def _note_clash(self, column: str, origin: Located) -> None:
        if origin in self._clashes:
            self.origins[unclear(column)] = self._clashes[origin]

    def behind(self, *names: str) -> contextlib.AbstractContextManager[None]:
        """While settings are read of the object to which the names in some columns lead."""
        for name in names:
            change = self.origins.get(behind(name))
            if isinstance(change, ChangeOrigin):
                return self._led_by(change)
        return _UNCHANGED

    @contextlib.contextmanager
    def _led_by(self, change: ChangeOrigin) -> Generator[None]:
        before = self.led_by
        self.led_by = change
        yield
        self.led_by = before

    def expand(self, setting: Setting, scope: Scope) -> str | None:
        """The text of a setting with its variables filled in; None where one of them is not known."""
        if "$" not in setting.value:  # nearly all: no variable has a part in it
            return None if setting.value == NOT_TOLD else setting.value
        change = self.variables.find_change(setting, scope)
        if change is not None:
            self._expanded[setting.origin] = change
        text = self.variables.expand(setting, scope)
        clash = self.variables.find_clash(setting, scope) if text is None else None
        if clash is not None:
            self._clashes[setting.origin] = clash
        return text

    def default(
        self, column: str, name: str, value: ColumnValue, settings: Mapping[str, Setting] = MappingProxyType({})
    ) -> None:
        """Set a column to a product default, marked as such at the object that leaves the value out, or at the change
        that takes it from its ``settings``.
        """
        gone = settings.get(former(name))
        place = gone.origin if gone is not None else self.definition
        self.put(column, value, LazyOrigin(_default_origin, place, name, value, self.product))

    def number(self, column: str) -> int | None:
        """The number in a column; None where it is not set or not known."""
        value = self.values.get(column)
        return value if isinstance(value, int) else None

    def row(self, relation: Callable[..., _RowT], **more: object) -> _RowT:
        """A row of a relation with these values, and with more that say what the row is about."""
        return relation(**self.values, **more)

    def text(self, settings: Mapping[str, Setting], name: str) -> str | None:
        """The expanded text of a setting; None where it is absent or cannot be expanded."""
        setting = settings.get(name)
        return None if setting is None else self.expand(setting, self.scope)

    def integer(
        self,
        column: str,
        settings: Mapping[str, Setting],
        name: str,
        *,
        default: int | None,
        low: int = 0,
        high: int = INT_MAX,
        scale: int = 1,
    ) -> None:
        """Set a column from an integer setting; ``scale`` converts its unit (1000 for seconds to milliseconds)."""
        setting = settings.get(name)
        if setting is None or not setting.value.strip():
            if default is None:
                self.put(column, None)
            else:
                self.default(column, name, default * scale, settings)
            return
        text = self.expand(setting, self.scope)
        number = int(text) if text is not None and _INTEGER.match(text) else None
        if text is not None and (number is None or not low <= number <= high):
            self.out_of_range(name, setting.origin, number_fault(text, low, high))
            number = None
        self.put(column, None if number is None else number * scale, setting.origin)

    def boolean(self, column: str, settings: Mapping[str, Setting], name: str, *, default: bool | None) -> None:
        """Set a column from a true/false setting."""
        setting = settings.get(name)
        if setting is None or not setting.value.strip():
            if default is None:
                self.put(column, None)
            else:
                self.default(column, name, default, settings)
            return
        text = self.expand(setting, self.scope)
        value = {"true": True, "false": False}.get(text.strip().lower()) if text is not None else None
        if text is not None and value is None:
            self.out_of_range(name, setting.origin, "neither true nor false")
        self.put(column, value, setting.origin)

    def out_of_range(self, name: str, origin: Located, fault: str) -> None:
        """Note a value outside the product's range; ``fault`` says what it is: ``outside 0 to 9``."""
        self.problems.append(
            Problem(
                kind="value_out_of_range",
                path=origin.path,
                line=origin.line,
                column=origin.column,
                text=f"{name} of {self.owner} is {fault} ({origin.text}), so it is treated as unknown",
                next_step="Correct it, or export again",
                cell=self.cell,
                object=f"{self.owner} {name}",
            )
        )

    def unresolved(
        self,
        what: str,
        origin: Located,
        near: str | None = None,
        unseen: Sequence[Scope] = (),
        changed_at: ChangeOrigin | None = None,
    ) -> None:
        """Note a name that nothing in the export resolves. ``near``: the name that may be meant; ``unseen``: the scopes
        that define the name and are not those of a server that uses it; ``changed_at``: the change that makes it so.
        """
        guess = f" (did you mean {near}?)" if near else ""
        places = ", ".join(sorted(scope.words for scope in unseen))
        fault = (
            f"defined only at {places}, which {self.owner} does not see"
            if unseen
            else "not defined anywhere in this export"
        )
        self.problems.append(
            Problem(
                kind="unresolved_name",
                path=origin.path,
                line=origin.line,
                column=origin.column,
                text=f"{what} of {self.owner} is {fault}{guess}",
                next_step="Define it at a scope that the server sees, or correct the name",
                cell=self.cell,
                object=f"{self.owner} {what}",
                changed_at=changed_at,
            )
        )
