"""What a result needs only to draw itself: it stays in the process that made the result."""

from __future__ import annotations

from typing import Generic, TypeVar

from lintmdb.errors import LintmdbError

T = TypeVar("T")


class Kept(Generic[T]):
    """An object that is left out when its result is pickled or copied, because it holds the whole estate."""

    __slots__ = ("_value",)

    def __init__(self, value: T | None = None) -> None:
        self._value = value

    @property
    def value(self) -> T | None:
        """The object; None in a result that came from another process."""
        return self._value

    def needed(self, what: str) -> T:
        """The object. Raises LintmdbError where it was left out; ``what`` is what the caller wanted."""
        if self._value is None:
            raise LintmdbError(
                f"{what} needs the exports, which a pickled or copied result does not hold",
                next_step="Call it where the result was made, and pass on what it returns",
            )
        return self._value

    def __reduce__(self) -> tuple[type[Kept[T]], tuple[()]]:
        return Kept, ()
