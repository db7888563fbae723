"""The tables of an audit made of those of the audit before: rows about what is judged again go, and new ones come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from lintmdb.fleet.arrow import Array, Table, pa, records
from lintmdb.fleet.arrow_rows import (
    both,
    chosen,
    count_rows,
    either,
    filled,
    inverted,
    is_null,
    is_one_of,
    is_pair,
    joined,
    read_table,
)
from lintmdb.fleet.facts.links import CELL, QUEUE_MANAGER, Link
from lintmdb.fleet.judging.local import COUNTED, CountKey, count_row
from lintmdb.fleet.judging.presenting import TableRows
from lintmdb.fleet.judging.tables import COUNTS, SCHEMAS, write_table

_PLACE = ("environment", "cell", "queue_manager", "rule")


class UnfitError(Exception):
    """The tables of an audit cannot be read, or do not say what its parts say."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """Which rows go: those about some cells and queue managers, and those of rules that judge what cannot be read."""

    links: Collection[Link]
    rules: Collection[str]
    """Ids of rules that are judged over the whole fleet again."""

    def verdicts(self, table: Table) -> Array:
        """The rows of findings, suppressed or undecided that go. What is in no cell is at a queue manager or loose."""
        environment, cell, manager = (table[name] for name in _PLACE[:3])
        nowhere = both(is_null(cell), is_null(manager))
        return either(
            is_one_of(table["rule"], self.rules),
            is_pair(environment, cell, self._named(CELL)),
            both(is_null(cell), is_pair(environment, manager, self._named(QUEUE_MANAGER))),
            both(nowhere, is_pair(environment, filled(cell), self._named(CELL))),
        )

    def inventory(self, table: Table) -> Array:
        """The rows of the table of exports that go."""
        kinds = (
            both(
                is_one_of(table["kind"], [kind]),
                is_pair(table["environment"], filled(table["name"]), self._named(kind)),
            )
            for kind in (CELL, QUEUE_MANAGER)
        )
        return either(*kinds)

    def summary(self, table: Table) -> Array:
        """The rows of the table of counts that change, or may: what is in no cell is counted together."""
        return either(
            is_null(table["cell"]),
            is_one_of(table["rule"], self.rules),
            is_pair(table["environment"], table["cell"], self._named(CELL)),
        )

    def _named(self, kind: str) -> list[tuple[str, str]]:
        return [(link.environment, link.name) for link in self.links if link.kind == kind]


def count_replaced(audit: Path, replaced: Replaced) -> dict[str, dict[CountKey, int]]:
    """For each table of verdicts how many rows of an audit go that are not of ``replaced.rules``, by environment, cell
    and rule. Raises UnfitError, as all that reads tables here does.
    """
    counts: dict[str, dict[CountKey, int]] = {}
    for name in COUNTED:
        table = _read(audit, name, _PLACE)
        gone = both(replaced.verdicts(table), inverted(is_one_of(table["rule"], replaced.rules)))
        found = count_rows(chosen(table, gone), ("environment", "cell", "rule"))
        counts[name] = cast("dict[CountKey, int]", found)
    return counts


def merge(audit: Path, folder: Path, name: str, replaced: Replaced, rows: TableRows) -> None:
    """Write a table of verdicts, or that of exports, from that of an audit and rows that come."""
    table = _read(audit, name)
    gone = replaced.inventory(table) if name == "inventory" else replaced.verdicts(table)
    write_table(folder, name, joined([chosen(table, inverted(gone)), pa.Table.from_pylist(rows, SCHEMAS[name])]))


def merge_counts(
    audit: Path,
    replaced: Replaced,
    gone: Mapping[CountKey, Mapping[str, int]],
    come: Mapping[CountKey, Mapping[str, int]],
) -> Table:
    """The table of counts from that of an audit, what goes and what comes. No more may go than there is."""
    table = _read(audit, "summary")
    touched = replaced.summary(table)
    counts: dict[CountKey, Counter[str]] = {}
    for row in records(chosen(table, touched), dict[str, object]):
        if row["rule"] not in replaced.rules:
            key = cast("CountKey", (row["environment"], row["cell"], row["rule"]))
            counts[key] = Counter({name: cast("int", row[name]) for name in COUNTS})
    for key, numbers in gone.items():
        counts.setdefault(key, Counter()).subtract(numbers)
    if any(number < 0 for numbers in counts.values() for number in numbers.values()):
        raise UnfitError
    for key, numbers in come.items():
        counts.setdefault(key, Counter()).update(numbers)
    rows: Sequence[dict[str, object]] = [
        count_row(key, numbers) for key, numbers in counts.items() if any(numbers.values())
    ]
    return joined([chosen(table, inverted(touched)), pa.Table.from_pylist(rows, SCHEMAS["summary"])])


def _read(audit: Path, name: str, columns: Sequence[str] | None = None) -> Table:
    try:
        return read_table(audit / name, SCHEMAS[name], columns)
    except (pa.ArrowException, OSError) as error:
        raise UnfitError from error
