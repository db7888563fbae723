"""The gate: whether a run passes, and the exit code that says so."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lintmdb.engine.findings import Judgement
from lintmdb.rules.rule import SEVERITIES
from lintmdb.run.estate import Estate

FAIL_ON = (*SEVERITIES, "never")
"""What ``--fail-on`` may say."""


class Gate(NamedTuple):
    """What fails a run."""

    fail_on: str = "error"
    """The lowest severity that does, or ``never``."""
    strict: bool = False
    """What is undecided, unreadable, or named and not read does too."""

    @property
    def failing(self) -> tuple[str, ...]:
        """The severities that fail a run."""
        return () if self.fail_on == "never" else SEVERITIES[: SEVERITIES.index(self.fail_on) + 1]

    def exit_code(self, judgement: Judgement, estate: Estate) -> int:
        """The exit code of ``check``."""
        return self.code_for(
            (finding.rule.severity for finding in judgement.findings),
            judged=bool(judgement.endpoints or judgement.unread_queues),
            incomplete=bool(judgement.undecided or unreadable(estate) or estate.unread),
        )

    def code_for(self, severities: Iterable[str], *, judged: bool = True, incomplete: bool = False) -> int:
        """The exit code of a run with findings of these severities: the one policy of every command.

        1 a severity fails the run, 3 nothing was ``judged``, 4 something is undecided, unreadable or not read
        (``incomplete``) and the gate is strict, otherwise 0.
        """
        if any(severity in self.failing for severity in severities):
            return 1
        if not judged:
            return 3
        return 4 if self.strict and incomplete else 0


def unreadable(estate: Estate) -> int:
    """How many files could not be read."""
    return len({problem.path for problem in estate.facts.rows["problem"] if problem.kind == "unreadable"})
