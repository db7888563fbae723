"""How errors and undecided checks went over the last audits, of the tables that audits hand on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypedDict

from lintmdb.fleet.arrow import read_rows
from lintmdb.fleet.audit_tables import batches, counted, read_records, rolled_up
from lintmdb.fleet.history import AUDITS, FINDINGS
from lintmdb.fleet.history_report import STATES, AuditRow

AUDITS_SHOWN = 14
"""A fortnight of nights."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One number of an audit, and its part of the largest one shown, in percent."""

    count: int
    percent: float


@dataclass(frozen=True, slots=True)
class TrendRow:
    """One audit."""

    started: datetime
    """UTC."""
    errors: Bar
    undecided: Bar
    flows: int


@dataclass(frozen=True, slots=True)
class Trend:
    """The last audits, the latest first, and what became of findings in the latest."""

    rows: tuple[TrendRow, ...]
    older: int
    """How many audits are not shown."""
    new: int
    returned: int
    gone: int
    """How many findings are gone since the first audit."""
    oldest_days: int
    """For how many days the oldest finding has been known."""


def read_trend(audit: Path) -> Trend | None:
    """The trend up to an audit; None for the first one, and for one of a version that kept no history.

    Raises LintmdbError for a table that cannot be read.
    """
    if not (audit / FINDINGS).is_dir():
        return None
    audits = read_rows(audit / AUDITS, AuditRow)
    return _build_trend(audits, _read_states(audit)) if len(audits) > 1 else None


class _StateRow(TypedDict):
    state: str
    first_seen: datetime
    rows: int


def _read_states(audit: Path) -> dict[str, _StateRow]:
    """How many findings each state has, and when the oldest of them was first seen."""
    rows = map(counted, batches(audit, FINDINGS, ["state", "first_seen"]))
    found = rolled_up(rows, ["state"], {"first_seen": "min", "rows": "sum"})
    return {row["state"]: row for row in read_records(found, _StateRow)}


def _build_trend(audits: Sequence[AuditRow], states: Mapping[str, _StateRow]) -> Trend:
    shown = audits[-AUDITS_SHOWN:]
    most = max(max(row["error"], row["undecided"]) for row in shown)
    counts = {state: row["rows"] for state, row in states.items()}
    now = audits[-1]["started"]
    return Trend(
        rows=tuple(_row(row, most) for row in reversed(shown)),
        older=len(audits) - len(shown),
        new=counts.get("new", 0),
        returned=counts.get("returned", 0),
        gone=counts.get("gone", 0),
        oldest_days=max(((now - states[state]["first_seen"]).days for state in STATES if state in states), default=0),
    )


def _row(row: AuditRow, most: int) -> TrendRow:
    return TrendRow(row["started"], _bar(row["error"], most), _bar(row["undecided"], most), row["flows"])


def _bar(count: int, most: int) -> Bar:
    return Bar(count, 100 * count / most if most else 0.0)
