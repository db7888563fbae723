"""The errors that end a run, each with what to do next."""

from __future__ import annotations

from collections.abc import Sequence


class LintmdbError(Exception):
    """Nothing can be judged: usage, configuration or rules are wrong (exit code 2)."""

    def __init__(self, text: str, *, path: str = "", line: int = 0, column: int = 0, next_step: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.path = path
        self.line = line
        self.column = column
        self.next_step = next_step

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part)
        start = f"{place}: {self.text}" if place else self.text
        return f"{start}. {self.next_step}" if self.next_step else start


class SeveralErrors(LintmdbError):  # noqa: N818  it is not one error
    """All that is wrong with one document, each with its place; the first stands for them."""

    def __init__(self, errors: Sequence[LintmdbError]) -> None:
        first = errors[0]
        super().__init__(first.text, path=first.path, line=first.line, column=first.column, next_step=first.next_step)
        self.errors = tuple(errors)

    def __str__(self) -> str:
        return "\n".join(map(str, self.errors))


class RuleError(LintmdbError):
    """A rule file is not valid."""


class UnreadableError(LintmdbError):
    """One file or archive member cannot be read; the rest of the run goes on and reports it (MDB901)."""

    def __init__(
        self,
        text: str,
        *,
        path: str = "",
        line: int = 0,
        column: int = 0,
        next_step: str = "Export the file again, or remove what makes it unreadable",
    ) -> None:
        super().__init__(text, path=path, line=line, column=column, next_step=next_step)


class ArgumentTypeError(LintmdbError, TypeError):
    """An argument of the Python API is of a type that it does not take."""
