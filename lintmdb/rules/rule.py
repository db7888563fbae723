"""A rule: two conditions over the columns of a flow, and the texts that people read."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from lintmdb.model.columns import Value
from lintmdb.rules.conditions import STANDALONE, Condition
from lintmdb.rules.predictions import Prediction
from lintmdb.rules.repairs import Repair

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""Worst first."""
_RANKS: Mapping[str, int] = {severity: rank for rank, severity in enumerate(SEVERITIES)}


def severity_rank(severity: str) -> int:
    """The place of a severity among all, the worst first; one that is not known comes last."""
    return _RANKS.get(severity, len(SEVERITIES))


@dataclass(frozen=True, slots=True)
class Example:
    """One example of a rule: column values by alias; a column left out is unknown."""

    name: str
    rows: Mapping[str, Mapping[str, Value]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule whose two conditions have passed the token check."""

    id: str
    name: str
    title: str
    severity: Severity
    confidence: str
    since: str
    subject: str
    when: Condition
    hazard: Condition
    message: str
    why: str
    references: tuple[Mapping[str, str], ...]
    examples: Mapping[str, tuple[Example, ...]]
    path: str
    columns: tuple[str, ...]
    """All columns that the rule reads, those of the hazard first."""
    exceptions: str = ""
    """When the hazard is known not to matter, for people."""
    repairs: tuple[Repair, ...] = ()
    """Ways to end the hazard by settings, the preferred one first."""
    advice: str = ""
    """What no setting repairs, for people; its placeholders are filled in."""
    predicts: Prediction | None = None
    """The fate that the hazard is about; None for a rule that is not about delivery."""

    @property
    def base(self) -> str:
        """What the rule is judged over: ``flow``, ``binding`` or ``problem``."""
        return _find_base(self.columns)


@functools.cache
def _find_base(columns: tuple[str, ...]) -> str:
    aliases = {name.partition(".")[0] for name in columns}
    return next(iter(aliases & STANDALONE), "flow")
