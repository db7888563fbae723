"""The values of one flow, by name. A state machine that needs one that is not known ends the run undecided."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")


class UnknownValueError(Exception):
    """A machine needs a value that no export holds."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class _Known(dict[str, object]):
    """The values that a run has looked up: each one once."""

    __slots__ = ("_look_up",)

    def __init__(self, look_up: Callable[[str], object]) -> None:
        self._look_up = look_up

    def __missing__(self, name: str) -> object:
        value = self[name] = self._look_up(name)
        return value


class Values:
    """Values by ``alias.column``. ``look_up`` returns None for what is not known.

    ``integer``, ``boolean`` and ``text`` raise UnknownValueError for a value that is not known; the others do not.
    """

    __slots__ = ("_known",)

    def __init__(self, look_up: Callable[[str], object]) -> None:
        self._known = _Known(look_up)

    def maybe(self, name: str) -> object:
        """The value, None where it is not known."""
        return self._known[name]

    def maybe_integer(self, name: str) -> int | None:
        """A number, None where it is not known."""
        value = self._known[name]
        return value if isinstance(value, int) else None

    def maybe_text(self, name: str, otherwise: str) -> str:
        """A word or a name; ``otherwise`` where it is blank or not known."""
        value = self._known[name]
        return value if value and isinstance(value, str) else otherwise

    def integer(self, name: str) -> int:
        """A number."""
        return self._typed(name, int)

    def boolean(self, name: str) -> bool:
        """A switch."""
        return self._typed(name, bool)

    def text(self, name: str) -> str:
        """A word or a name."""
        return self._typed(name, str)

    def _typed(self, name: str, kind: type[_T]) -> _T:
        value = self._known[name]
        if not isinstance(value, kind):
            raise UnknownValueError(name)
        return value
