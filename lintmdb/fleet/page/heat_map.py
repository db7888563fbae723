"""Cells against rules: how many hazards each pair has, and in which share of all verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypedDict

from lintmdb.fleet.audit_tables import (
    Merge,
    Table,
    among,
    batches,
    chosen,
    first_rows,
    grouped,
    joined,
    read_records,
    replaced,
    texts,
)
from lintmdb.fleet.known_rules import KnownRules, RuleHead

CELLS_SHOWN = 60
CELLS_LISTED = 2_000
RULES_SHOWN = 150
SHADES = 6
_SUMS: Mapping[str, Merge] = {"hazards": "sum", "undecided": "sum", "clear": "sum"}


class Count(NamedTuple):
    """Verdicts of one cell and rule, or of several together."""

    hazards: int = 0
    undecided: int = 0
    clear: int = 0

    def plus(self, other: Count) -> Count:
        """The sum of both."""
        return Count(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def minus(self, other: Count) -> Count:
        """What is left without the other."""
        return Count(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))

    @property
    def judged(self) -> bool:
        """Whether there is any verdict."""
        return any(self)

    @property
    def shade(self) -> int:
        """0 without a hazard, else 1 to SHADES by the share of hazards in all verdicts."""
        judged = sum(self)
        return -(-SHADES * self.hazards // judged) if judged else 0


@dataclass(frozen=True, slots=True)
class HeatRow:
    """The verdicts of one cell, or of several together."""

    cell: str | None
    """None for several cells, and for verdicts without a cell."""
    cells: int
    errors: int
    total: Count
    by_rule: Mapping[str, Count]
    """By id, for the rules that the table shows."""
    other: Count
    """Of the rules that the table does not show."""

    def count(self, rule: str) -> Count:
        """The verdicts of a rule that the table shows."""
        return self.by_rule.get(rule, Count())


class CellLine(NamedTuple):
    """A cell in one line."""

    cell: str
    errors: int
    hazards: int
    undecided: int


@dataclass(frozen=True, slots=True)
class HeatMap:
    """The table: errors, warnings and info, each with most hazards first; cells with most errors first."""

    rules: tuple[RuleHead, ...]
    """Of the columns."""
    other_rules: int
    """How many rules have no column of their own."""
    everything: HeatRow
    """All cells together."""
    cells: tuple[HeatRow, ...]
    rest: HeatRow | None
    """The cells that have no row of their own, together; None where each cell has one."""
    listed: tuple[CellLine, ...] = ()
    """The first CELLS_LISTED cells in the same order, to be searched."""
    named_cells: int = 0
    """How many cells there are, without verdicts that are in none."""


class _RuleCount(TypedDict):
    rule: str
    hazards: int | None
    undecided: int | None
    clear: int | None


class _RankedCell(TypedDict):
    cell: str | None
    errors: int | None
    hazards: int | None
    undecided: int | None


class _CellRuleCount(_RuleCount):
    cell: str | None


def read_heat_map(audit: Path, rules: KnownRules) -> HeatMap:
    """The heat map of an audit. Rules that have neither a hazard nor an undecided verdict are left out."""
    found = [*batches(audit, "summary", ["cell", "rule", *_SUMS], named=True)]
    if not found:
        return HeatMap((), 0, _build_row(None, 0, {}, (), rules), (), None)
    table = joined(found)
    totals = {row["rule"]: _count(row) for row in read_records(grouped(table, ["rule"], _SUMS), _RuleCount)}
    columns = _rank_rules(totals, rules)
    shown = columns[:RULES_SHOWN]
    ranked = _rank_cells(table, rules)
    cells = texts(ranked["cell"])
    by_cell: dict[str | None, dict[str, Count]] = {cell: {} for cell in cells[:CELLS_SHOWN]}
    of_cells = grouped(table.filter(among(table["cell"], by_cell)), ("cell", "rule"), _SUMS)
    for row in read_records(of_cells, _CellRuleCount):
        by_cell[row["cell"]][row["rule"]] = _count(row)
    top = tuple(_build_row(cell, 1, counts, shown, rules) for cell, counts in by_cell.items())
    everything = _build_row(None, len(cells), totals, shown, rules)
    left = len(cells) - len(top)
    return HeatMap(
        rules=tuple(map(rules.head, shown)),
        other_rules=len(columns) - len(shown),
        everything=everything,
        cells=top,
        rest=_subtract(everything, top, left) if left else None,
        listed=_list_cells(ranked),
        named_cells=sum(map(bool, cells)),
    )


def _list_cells(ranked: Table) -> tuple[CellLine, ...]:
    rows = read_records(first_rows(ranked, _RANKED, CELLS_LISTED), _RankedCell)
    named = (row for row in rows if row["cell"])
    return tuple(
        [CellLine(row["cell"] or "", row["errors"] or 0, row["hazards"] or 0, row["undecided"] or 0) for row in named]
    )


def _count(row: _RuleCount) -> Count:
    return Count(row["hazards"] or 0, row["undecided"] or 0, row["clear"] or 0)


def _rank_rules(totals: Mapping[str, Count], rules: KnownRules) -> list[str]:
    """The rules with a hazard or an undecided verdict: by severity, then by hazards, then by undecided verdicts."""

    def rank(rule: str) -> tuple[int, int, int, str]:
        count = totals[rule]
        return "ewi".index(rules.head(rule).letter), -count.hazards, -count.undecided, rule

    return sorted((rule for rule, count in totals.items() if count.hazards or count.undecided), key=rank)


_COUNTED = ("errors", "hazards", "undecided")
_RANKED = (*(f"-{name}" for name in _COUNTED), "cell")


def _rank_cells(table: Table, rules: KnownRules) -> Table:
    """Every cell once, with most errors first, then with most hazards, then with most undecided verdicts."""
    grave = [rule for rule, head in rules.heads.items() if head.severity == "error"]
    errors = chosen(among(table["rule"], grave), table["hazards"], 0)
    cells = grouped(replaced(table, "errors", errors), ["cell"], dict.fromkeys(_COUNTED, "sum"))
    return first_rows(cells, _RANKED, cells.num_rows)


def _build_row(
    cell: str | None, cells: int, counts: Mapping[str, Count], shown: Sequence[str], rules: KnownRules
) -> HeatRow:
    total, other, errors, kept = Count(), Count(), 0, set(shown)
    for rule, count in counts.items():
        total = total.plus(count)
        if rule not in kept:
            other = other.plus(count)
        if rules.head(rule).severity == "error":
            errors += count.hazards
    return HeatRow(cell, cells, errors, total, {rule: counts[rule] for rule in shown if rule in counts}, other)


def _subtract(everything: HeatRow, top: Sequence[HeatRow], cells: int) -> HeatRow:
    """The row of all cells without the rows of some; ``cells`` of them are left."""
    total, other, errors = everything.total, everything.other, everything.errors
    by_rule = dict(everything.by_rule)
    for row in top:
        total, other, errors = total.minus(row.total), other.minus(row.other), errors - row.errors
        for rule, count in row.by_rule.items():
            by_rule[rule] = by_rule[rule].minus(count)
    return HeatRow(None, cells, errors, total, by_rule, other)
