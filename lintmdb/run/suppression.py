"""Suppressions: which findings a team has decided to live with, and until when."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from lintmdb.engine.findings import Subject
from lintmdb.errors import LintmdbError

WORDS = (
    "name",
    "cell",
    "cluster",
    "node",
    "server",
    "application",
    "module",
    "bean",
    "queue_manager",
    "queue",
    "bus",
    "environment",
)
"""The words of a subject that a pattern is compared with."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """One entry of ``suppressions``."""

    rule: str
    """Id, name or prefix of ids."""
    subject: str | Mapping[str, str]
    reason: str
    path: str
    line: int
    expires: datetime.date | None = None
    """The last day on which it holds."""
    owner: str | None = None

    def matches(self, subject: Subject) -> bool:
        """Whether a subject is meant: each pattern fits one of its words, or the word of its key."""
        if isinstance(self.subject, str):
            return all(_fits_one(pattern, subject) for pattern in self.subject.split())
        return all(_fits(pattern, getattr(subject, key)) for key, pattern in self.subject.items())

    def has_expired(self, today: datetime.date) -> bool:
        """Whether its last day is over."""
        return self.expires is not None and self.expires < today

    @property
    def shown(self) -> str:
        """Rule and subject as people write them."""
        if isinstance(self.subject, str):
            return f"{self.rule} for {self.subject}"
        return f"{self.rule} for {', '.join(f'{key} {pattern}' for key, pattern in self.subject.items())}"


def _fits_one(pattern: str, subject: Subject) -> bool:
    return any(_fits(pattern, getattr(subject, word)) for word in WORDS)


def _fits(pattern: str, word: str | None) -> bool:
    return word is not None and fnmatchcase(word, pattern)


def today() -> datetime.date:
    """The day with which dates are compared: that of SOURCE_DATE_EPOCH (UTC) where it is set, else the current one.

    Raises LintmdbError where SOURCE_DATE_EPOCH is no number of seconds.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return datetime.date.today()
    try:
        return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date()
    except (ValueError, OverflowError, OSError) as error:
        raise LintmdbError(f"SOURCE_DATE_EPOCH {epoch!r} is not a number of seconds since 1970") from error
