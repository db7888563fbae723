"""Which audits stay: so many, or those of some time. Their history is in the audits that stay."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from lintmdb.errors import LintmdbError
from lintmdb.fleet.facts.store import Store

_KEEP = re.compile(r"([0-9]{1,6})([hdw]?)")
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


@dataclass(frozen=True, slots=True)
class Keep:
    """How many audits stay, or for how long; the last one always does."""

    count: int | None = None
    span: timedelta | None = None


def parse_keep(text: str) -> Keep:
    """``10`` audits, or those of the last ``12h``, ``30d`` or ``8w``. Raises LintmdbError."""
    match = _KEEP.fullmatch(text)
    if match is None or int(match[1]) == 0:
        raise LintmdbError(
            f"--keep: {text!r} is neither a number of audits nor a time", next_step="Write 10, 12h, 30d or 8w"
        )
    number, unit = int(match[1]), match[2]
    return Keep(span=timedelta(**{_UNITS[unit]: number})) if unit else Keep(number)


def remove_old_audits(store: Store, keep: Keep, now: datetime | None = None) -> list[str]:
    """Remove complete audits that need not stay, and return their ids; whoever calls has locked the folder.

    Each goes by one renaming, so nobody meets a part of it. One that cannot be renamed stays: the next audit tries
    again.
    """
    audits = store.complete_audits()
    removed: list[str] = []
    for audit in _find_old(audits, keep, now or datetime.now(UTC)):
        away = store.folder / "tmp" / f"removed-{audit.name}"
        try:
            away.parent.mkdir(exist_ok=True)
            os.rename(audit, away)
        except OSError:
            continue
        removed.append(audit.name)
        shutil.rmtree(away, ignore_errors=True)
    return removed


def _find_old(audits: Sequence[Path], keep: Keep, now: datetime) -> list[Path]:
    if keep.count is not None:
        return list(audits[: -keep.count])
    if keep.span is None:
        return []
    return [audit for audit in audits[:-1] if (made := _made(audit)) is not None and now - made > keep.span]


def _made(audit: Path) -> datetime | None:
    """When an audit was made, as its id says; None for a folder of another name."""
    try:
        return datetime.strptime(audit.name.partition("-")[0], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None
