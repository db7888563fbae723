"""The values of one flow, by name. A state machine that needs one that is not known ends the run undecided.

Values remember which of them were asked for to decide something. Two flows that give the same answers to all that a
run has asked have the same fate, whatever they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar

_T = TypeVar("_T")
LookUp: TypeAlias = Callable[[str], object]
"""The value of ``alias.column``; None where it is not known."""
Asked: TypeAlias = str | tuple[str, str]
"""A value that decides something, or two names of which it decides whether they are equal."""


def find_answer(look_up: LookUp, asked: Asked) -> object:
    """What a flow answers."""
    if isinstance(asked, str):
        return look_up(asked)
    one, other = map(look_up, asked)
    return one is not None and one == other


class UnknownValueError(Exception):
    """A machine needs a value that no export holds."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class _Known(dict[Asked, object]):
    """The answers that a run has had: each one once."""

    __slots__ = ("_look_up",)

    def __init__(self, look_up: LookUp) -> None:
        self._look_up = look_up

    def __missing__(self, asked: Asked) -> object:
        value = self[asked] = find_answer(self._look_up, asked)
        return value


class Values:
    """Values by ``alias.column``. ``look_up`` returns None for what is not known.

    ``integer``, ``boolean`` and ``text`` raise UnknownValueError for a value that is not known; the others do not.
    """

    __slots__ = ("_known", "_look_up")

    def __init__(self, look_up: LookUp) -> None:
        self._look_up = look_up
        self._known = _Known(look_up)

    @property
    def decisions(self) -> Mapping[Asked, object]:
        """What was asked so far, in its order, and the answers."""
        return self._known

    def maybe(self, name: str) -> object:
        """The value, None where it is not known."""
        return self._known[name]

    def maybe_integer(self, name: str) -> int | None:
        """A number, None where it is not known."""
        value = self._known[name]
        return value if isinstance(value, int) else None

    def shown(self, name: str, otherwise: str) -> str:
        """A word or a name for the story; ``otherwise`` where it is blank or not known. No fate may depend on it."""
        value = self._look_up(name)
        return value if value and isinstance(value, str) else otherwise

    def are_equal(self, one: str, other: str) -> bool:
        """Whether two names are known and equal."""
        return self._known[one, other] is True

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
