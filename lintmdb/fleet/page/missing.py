"""What an audit could not judge: undecided verdicts by what settles them, and the exports that cannot be read whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypedDict

from lintmdb.fleet.audit_queries import query_table
from lintmdb.fleet.audit_tables import (
    Table,
    as_numbers,
    batches,
    counted,
    equal,
    first_rows,
    grouped,
    joined,
    number_column,
    read_records,
    replaced,
    rolled_up,
    total,
)
from lintmdb.fleet.page.words import place_words

NEEDS_SHOWN = 100
UNITS_SHOWN = 200
_NEED = ("need_kind", "need_target", "need_command")
_SUMMED = {
    "user": "the MQ users under which endpoints connect",
    "on_message": "the longest onMessage times of beans",
}
"""Needs that one file of observations settles for many subjects."""


class OpenNeed(NamedTuple):
    """Something that settles verdicts: its words, the command that exports it, and what it settles."""

    text: str
    command: str
    verdicts: int
    rules: int
    cells: int


_REASONS: Mapping[str, str] = {
    "conflict": "because exports of one queue manager differ",
    "queue_manager": "because a queue manager is not exported",
    "queue_manager_name": "because no export names the queue manager",
    "complete": "because the export of a queue manager is not complete",
    "destination": "because a destination is not exported",
    "server": "because a server is not exported",
    "user": "because nobody names the MQ user",
    "authority": "because authorities are not exported",
    "configuration": "because the configuration file of a queue manager is not exported",
    "on_message": "because nobody says how long onMessage takes",
    "bean": "because the deployment of a bean is not exported",
    "value": "because an export lacks a value",
}
"""Why verdicts are undecided, by the kind of what settles them; conflicts first, as somebody has to choose."""


class Reason(NamedTuple):
    """Why verdicts are undecided, and how many are."""

    kind: str
    verdicts: int

    @property
    def words(self) -> str:
        """For example: because a queue manager is not exported."""
        return _REASONS.get(self.kind, "for another reason")


@dataclass(frozen=True, slots=True)
class OpenNeeds:
    """The needs that settle most verdicts, how many needs there are in all, and how many verdicts are undecided."""

    shown: tuple[OpenNeed, ...] = ()
    count: int = 0
    verdicts: int = 0
    reasons: tuple[Reason, ...] = ()
    """Why, conflicts first, then the most frequent reason."""

    def verdicts_after(self, needs: int) -> int:
        """How many verdicts the first ``needs`` leave undecided."""
        return self.verdicts - sum(need.verdicts for need in self.shown[:needs])


class _Need(TypedDict):
    need_kind: str | None
    need_target: str | None
    need_command: str | None


class _NeedRow(_Need):
    needs: str | None
    verdicts: int
    rules: int
    cells: int


_NEEDS = """
SELECT need_kind, need_target, need_command, MIN(needs) AS needs, CAST(SUM(verdicts) AS BIGINT) AS verdicts,
    COUNT(DISTINCT rule) AS rules, COUNT(DISTINCT cell) AS cells
FROM (
    SELECT need_kind, need_target, need_command, rule, cell, MIN(needs) AS needs, COUNT(*) AS verdicts
    FROM rows GROUP BY ALL
)
GROUP BY ALL
"""


def read_open_needs(audit: Path) -> OpenNeeds:
    """Undecided verdicts by need: conflicts between exports first, then those that settle most."""
    needs = query_table(audit, "undecided", _NEEDS, named=True)
    if needs is None or not needs.num_rows:
        return OpenNeeds()
    conflicts = as_numbers(equal(needs["need_kind"], "conflict"))
    order = ("-conflict", "-verdicts", *_NEED)
    shown = read_records(first_rows(replaced(needs, "conflict", conflicts), order, NEEDS_SHOWN), _NeedRow)
    return OpenNeeds(tuple(map(_build_need, shown)), needs.num_rows, total(needs, "verdicts"), _reasons(needs))


class _KindRow(TypedDict):
    need_kind: str | None
    verdicts: int


def _reasons(needs: Table) -> tuple[Reason, ...]:
    counts: Counter[str] = Counter()
    for row in read_records(grouped(needs, ["need_kind"], {"verdicts": "sum"}), _KindRow):
        kind = row["need_kind"] or ""
        counts[kind if kind in _REASONS else ""] += row["verdicts"]
    reasons = [Reason(kind, count) for kind, count in counts.items()]
    return tuple(sorted(reasons, key=lambda reason: (reason.kind != "conflict", -reason.verdicts, reason.kind)))


def _build_need(row: _NeedRow) -> OpenNeed:
    text = row["needs"] or row["need_kind"] or "(not said)"
    if not row["need_target"] and row["verdicts"] > 1:
        text = _SUMMED.get(row["need_kind"] or "", text)
    return OpenNeed(text, row["need_command"] or "", row["verdicts"], row["rules"], row["cells"])


class QuarantinedUnit(NamedTuple):
    """An export that was not read."""

    place: str
    """Its path, and the line and column where reading ended, as far as they are known."""
    reason: str
    next_step: str


@dataclass(frozen=True, slots=True)
class Quarantine:
    """The first units in quarantine by path, and how many there are in all."""

    shown: tuple[QuarantinedUnit, ...] = ()
    count: int = 0


class _UnitRow(TypedDict):
    path: str | None
    reason: str | None
    line: int | None
    column: int | None
    next_step: str | None


def read_quarantine(audit: Path) -> Quarantine:
    """The units of an audit that could not be read."""
    held: Table | None = None
    count = 0
    order = ("path", "line", "reason")
    for table in batches(audit, "quarantine", tuple(_UnitRow.__annotations__)):
        count += table.num_rows
        held = first_rows(table if held is None else joined([held, table]), order, UNITS_SHOWN)
    return Quarantine(tuple(map(_build_unit, read_records(held, _UnitRow))), count)


def _build_unit(row: _UnitRow) -> QuarantinedUnit:
    place = place_words(row["path"] or "", row["line"], row["column"])
    return QuarantinedUnit(place, row["reason"] or "", row["next_step"] or "")


class ExportCount(NamedTuple):
    """How many exports of a kind were read, and how many of them are not complete."""

    kind: str
    exports: int
    incomplete: int

    @property
    def words(self) -> str:
        """What they are called: ``queue manager export``."""
        return f"{self.kind.replace('_', ' ')} export"


class _ExportRow(TypedDict):
    kind: str | None
    rows: int
    incomplete: int


def count_incomplete_exports(audit: Path) -> tuple[ExportCount, ...]:
    """The kinds of exports of which some leave things out, by name."""
    tables = map(_mark_incomplete, batches(audit, "inventory", ["kind", "complete"]))
    found = rolled_up(tables, ["kind"], {"rows": "sum", "incomplete": "sum"})
    return tuple(
        sorted(
            ExportCount(row["kind"] or "", row["rows"], row["incomplete"])
            for row in read_records(found, _ExportRow)
            if row["incomplete"]
        )
    )


def _mark_incomplete(table: Table) -> Table:
    incomplete = number_column(int(not complete) for complete in table["complete"].to_pylist())
    return counted(replaced(table, "incomplete", incomplete))
