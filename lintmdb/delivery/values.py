"""The values of one flow as a state machine asks for them: by name, and an unknown one ends the run undecided."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T")


class UnknownValueError(Exception):
    """A machine needs a value that no export gives."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class _Known(dict[str, Any]):
    """What has been looked up: each value once."""

    __slots__ = ("_look_up",)

    def __init__(self, look_up: Callable[[str], Any]) -> None:
        self._look_up = look_up

    def __missing__(self, name: str) -> Any:
        value = self[name] = self._look_up(name)
        return value


class Values:
    """Values by ``alias.column``. Each method raises UnknownValueError for a value that is not known."""

    __slots__ = ("_known",)

    def __init__(self, look_up: Callable[[str], Any]) -> None:
        self._known = _Known(look_up)

    def maybe(self, name: str) -> Any:
        """The value, None where it is not known."""
        return self._known[name]

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
