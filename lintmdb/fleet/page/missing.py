"""What an audit could not judge: undecided verdicts by the export that settles them, and the units in quarantine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from lintmdb.fleet.audit_tables import batches, counted, first_rows, grouped, pa, replaced, rolled_up, rows, total
from lintmdb.report.html.markup import Markup, clipped, element

NEEDS_SHOWN = 100
UNITS_SHOWN = 200
_NEED = ("need_kind", "need_target", "need_command")
_SUMMED = {
    "user": "the MQ users under which endpoints connect",
    "on_message": "the longest onMessage times of beans",
}
"""Needs that one file of observations settles for many subjects."""


class OpenNeed(NamedTuple):
    """Something that settles verdicts: its words, a command that gives it, and what it settles."""

    text: str
    command: str
    verdicts: int
    rules: int
    cells: int


class OpenNeeds(NamedTuple):
    """The needs that settle most, how many there are in all, and how many verdicts are undecided."""

    shown: list[OpenNeed]
    needs: int
    verdicts: int


def open_needs(audit: Path) -> OpenNeeds:
    """Undecided verdicts by need, those that settle most first."""
    columns = [*_NEED, "needs", "rule", "cell"]
    finest = rolled_up(
        map(counted, batches(audit, "undecided", columns)), (*_NEED, "rule", "cell"), {"rows": "sum", "needs": "min"}
    )
    if finest is None:
        return OpenNeeds([], 0, 0)
    needs = grouped(finest, _NEED, {"rows": "sum", "needs": "min"})
    order = [("rows", "descending")] + [(key, "ascending") for key in _NEED]
    shown = rows(first_rows(needs, order, NEEDS_SHOWN))
    rules, cells = _distinct(finest, "rule"), _distinct(finest, "cell")
    return OpenNeeds([_need(row, rules, cells) for row in shown], needs.num_rows, total(needs, "rows"))


def _distinct(finest: Any, column: str) -> dict[tuple[Any, ...], int]:
    """How many values of a column each need has; NULL is none."""
    result = grouped(finest, _NEED, {column: "count_distinct"})
    return {tuple(row[key] for key in _NEED): row[column] for row in rows(result)}


def _need(
    row: Mapping[str, Any], rules: Mapping[tuple[Any, ...], int], cells: Mapping[tuple[Any, ...], int]
) -> OpenNeed:
    key = tuple(row[name] for name in _NEED)
    text = row["needs"] or row["need_kind"] or "(not said)"
    if not row["need_target"] and row["rows"] > 1:
        text = _SUMMED.get(row["need_kind"], text)
    return OpenNeed(text, row["need_command"] or "", row["rows"], rules[key], cells[key])


def need_rows(needs: list[OpenNeed]) -> Iterator[Markup]:
    """One table row a need."""
    for need in needs:
        command = element("code", clipped(need.command, 300), class_="command") if need.command else None
        yield element(
            "tr",
            element("td", need.verdicts, class_="n"),
            element("th", clipped(need.text, 400), command, scope="row"),
            element("td", need.rules, class_="n"),
            element("td", need.cells, class_="n"),
        )


class Quarantined(NamedTuple):
    """A unit that was not read, where in it reading ended, and what to do."""

    path: str
    reason: str
    line: int
    column: int
    next_step: str


def quarantined(audit: Path) -> tuple[list[Quarantined], int]:
    """The first units in quarantine by path, and how many there are in all."""
    held: Any = None
    count = 0
    order = [("path", "ascending"), ("line", "ascending"), ("reason", "ascending")]
    for table in batches(audit, "quarantine", Quarantined._fields):
        count += table.num_rows
        held = first_rows(table if held is None else pa.concat_tables([held, table]), order, UNITS_SHOWN)
    return [
        Quarantined(
            row["path"] or "", row["reason"] or "", row["line"] or 0, row["column"] or 0, row["next_step"] or ""
        )
        for row in rows(held)
    ], count


def quarantine_rows(units: list[Quarantined]) -> Iterator[Markup]:
    """One table row a unit."""
    for unit in units:
        path = unit.path if len(unit.path) <= 240 else "…" + unit.path[-239:]
        place = ":".join([path, *(str(number) for number in (unit.line, unit.column) if number)])
        yield element(
            "tr",
            element("th", element("span", place, class_="path"), scope="row"),
            element("td", clipped(unit.reason, 400)),
            element("td", clipped(unit.next_step, 400)),
        )


class Incomplete(NamedTuple):
    """How many exports of a kind were read, and how many of them are not complete."""

    kind: str
    exports: int
    incomplete: int


def incomplete_exports(audit: Path) -> list[Incomplete]:
    """The exports that leave things out, by kind."""

    def tables() -> Iterator[Any]:
        for table in batches(audit, "inventory", ["kind", "complete"]):
            missing = [0 if complete else 1 for complete in table["complete"].to_pylist()]
            yield counted(replaced(table, "missing", pa.array(missing, pa.int64())))

    found = rolled_up(tables(), ["kind"], {"rows": "sum", "missing": "sum"})
    return sorted(Incomplete(row["kind"] or "", row["rows"], row["missing"]) for row in rows(found))
