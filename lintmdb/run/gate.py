"""The gate: whether a run passes, and the exit code that says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lintmdb.engine.findings import Finding, Judgement
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
        """0 passed, 1 findings, 3 nothing to judge, 4 not all is judged, or a named file is not read (``strict``)."""
        if self.failed_by(judgement.findings):
            return 1
        if not judgement.endpoints:
            return 3
        return 4 if self.strict and (judgement.undecided or unreadable(estate) or estate.unread) else 0

    def failed_by(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings that fail the run."""
        return [finding for finding in findings if finding.rule.severity in self.failing]


def unreadable(estate: Estate) -> int:
    """How many files could not be read."""
    return len({problem.path for problem in estate.facts.rows["problem"] if problem.kind == "unreadable"})
