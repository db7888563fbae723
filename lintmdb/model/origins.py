"""Where values were read: the proof behind every finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple


class Origin(NamedTuple):
    """Where one value was read.

    ``text`` is the setting as written (``BOTHRESH(5)``, ``maxRetries="3"``). For a product default ``default`` is
    true, ``text`` says whose default it is, and the position is that of the object that leaves the value out.
    ``line`` and ``column`` are 1-based; both are 0 where a file has no positions.
    """

    path: str
    line: int
    column: int
    text: str
    default: bool = False


class ChangeOrigin(Origin):
    """Where a change says the value that an object would have; ``text`` is spelled like that of an export."""

    __slots__ = ()


def behind(column: str) -> str:
    """The key of a row's origins beside that of a column: the change because of which the column has its value, where
    the change is not what says the value.
    """
    return f"{column} by change"


def beyond(column: str) -> str:
    """The key of a row's origins beside that of a column: what another queue manager has because of which the column
    has its value.
    """
    return f"{column} beyond"


def holder(column: str) -> str:
    """The key of a row's origins beside that of a column: the definition of the object whose setting it is, where that
    is not the object that the row is about; ``text`` names it, ``QLOCAL(NAME)``.
    """
    return f"{column} holder"


def step(column: str, number: int) -> str:
    """The key of a row's origins beside that of a column: a setting that leads to the one which decides, numbered from
    0. Each has a ``holder``.
    """
    return f"{column} step {number}"


def unclear(column: str) -> str:
    """The key of a row's origins beside that of a column: what leaves the column without a value although it is set;
    ``text`` says what contradicts what, or names the variable that refers back to itself.
    """
    return f"{column} unclear"


def overridable(column: str) -> str:
    """The key of a row's origins beside that of a column: the value that counts unless something overrides it that was
    not read.
    """
    return f"{column} overridable"


_BESIDE = " beside "


def beside(text: str, cause: str) -> str:
    """The text of a setting that is not certain because of something else in its command, ``cause``."""
    return text if text == cause else f"{text}{_BESIDE}{cause}"


def without_cause(text: str) -> tuple[str, str]:
    """The setting and the cause in the text of an origin; a blank cause where there is none."""
    setting, _, cause = text.partition(_BESIDE)
    return setting, cause


class LazyOrigin:
    """An Origin that is worked out when somebody asks: most values are read, and few are ever shown."""

    __slots__ = ("_arguments", "_find", "_origin")

    def __init__(self, find: Callable[..., Origin], *arguments: object) -> None:
        self._find = find
        self._arguments = arguments
        self._origin: Origin | None = None

    def resolve(self) -> Origin:
        """The Origin."""
        if self._origin is None:
            self._origin = self._find(*self._arguments)
        return self._origin

    def __eq__(self, other: object) -> bool:
        return self.resolve() == (other.resolve() if isinstance(other, LazyOrigin) else other)

    def __hash__(self) -> int:
        return hash(self.resolve())

    @property
    def path(self) -> str:
        """As in Origin."""
        return self.resolve().path

    @property
    def line(self) -> int:
        """As in Origin."""
        return self.resolve().line

    @property
    def column(self) -> int:
        """As in Origin."""
        return self.resolve().column

    @property
    def text(self) -> str:
        """As in Origin."""
        return self.resolve().text

    @property
    def default(self) -> bool:
        """As in Origin."""
        return self.resolve().default


Located = Origin | LazyOrigin


def resolved(located: Located) -> Origin:
    """A place, worked out."""
    return located.resolve() if isinstance(located, LazyOrigin) else located


def without_value(row: object, origins: Mapping[str, Located]) -> Iterator[str]:
    """The keys of a row's origins under which the row itself has no value: a column whose value is not valid or not
    certain, or a key such as that of a holder.
    """
    return (name for name in origins if getattr(row, name, None) is None)


class ExportOrigins(Mapping[str, Located]):
    """The origins of a row that exports alone tell of, by column: no change that is being judged has any of them."""

    __slots__ = ()


class Setting(NamedTuple):
    """One value as an export spells it, and where."""

    value: str
    origin: Located


def former(name: str) -> str:
    """The key of settings for the value that a change takes away from the setting of a name, and where it does so."""
    return f"\0{name}"


class InlineSuppression(NamedTuple):
    """A comment above a command that allows a rule for the object of the command."""

    rule: str
    """Id or name, as written; blank where the comment is not in the form ``lintmdb: allow RULE reason``."""
    reason: str
    path: str
    line: int
    queue_manager: str = ""
    kind: Literal["", "queue", "queue_manager", "other"] = ""
    """Blank if the comment is not above a command."""
    name: str = ""
    environment: str | None = None
