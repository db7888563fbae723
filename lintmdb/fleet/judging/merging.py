"""The tables of an audit made of those of the audit before: rows about what is judged again go, and new ones come.

The first column of a table's order decides which file a row is in, so files without such rows stay as they are.
"""

from __future__ import annotations

import os
import shutil
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
    in_files,
    inverted,
    is_null,
    is_one_of,
    is_pair,
    joined,
    read_file,
)
from lintmdb.fleet.facts.links import CELL, QUEUE_MANAGER, Link
from lintmdb.fleet.judging.tables import (
    COUNTS,
    ORDER,
    SCHEMAS,
    count_files,
    file_name,
    file_of,
    write_file,
    write_table,
)

CountKey = tuple[str | None, str | None, str]
"""An environment, a cell and a rule."""
_KEY = ("environment", "cell", "rule")
_READ: Mapping[str, Sequence[str]] = {
    "inventory": ("kind", "environment", "name"),
    "summary": (*_KEY, *COUNTS),
}
"""The columns that say which rows go, or how many; those of verdicts are ``_PLACE``."""
_PLACE = ("environment", "cell", "queue_manager", "rule")
_MOST_ROWS = 2_500_000
"""So many rows of a table are divided anew into files, which takes a GB of memory and more. Where there are more, all
is judged.
"""


class UnfitError(Exception):
    """The tables of an audit cannot be read, or do not say what its parts say."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """Which rows go: those about some cells and queue managers, and those of rules that judge what cannot be read."""

    links: Collection[Link]
    rules: Collection[str]
    """Ids of rules that are judged over the whole fleet again."""

    def rows(self, name: str, table: Table) -> Array:
        """The rows of a table that go; of that of counts those that may change."""
        if name == "inventory":
            return self._inventory(table)
        return self._summary(table) if name == "summary" else self._verdicts(table)

    def _verdicts(self, table: Table) -> Array:
        """What is in no cell is at a queue manager or loose."""
        environment, cell, manager = (table[name] for name in _PLACE[:3])
        nowhere = both(is_null(cell), is_null(manager))
        return either(
            is_one_of(table["rule"], self.rules),
            is_pair(environment, cell, self._named(CELL)),
            both(is_null(cell), is_pair(environment, manager, self._named(QUEUE_MANAGER))),
            both(nowhere, is_pair(environment, filled(cell), self._named(CELL))),
        )

    def _inventory(self, table: Table) -> Array:
        kinds = (
            both(
                is_one_of(table["kind"], [kind]),
                is_pair(table["environment"], filled(table["name"]), self._named(kind)),
            )
            for kind in (CELL, QUEUE_MANAGER)
        )
        return either(*kinds)

    def _summary(self, table: Table) -> Array:
        """What is in no cell is counted together."""
        return either(
            is_null(table["cell"]),
            is_one_of(table["rule"], self.rules),
            is_pair(table["environment"], table["cell"], self._named(CELL)),
        )

    def _named(self, kind: str) -> list[tuple[str, str]]:
        return [(link.environment, link.name) for link in self.links if link.kind == kind]


@dataclass(frozen=True, slots=True)
class FormerTable:
    """A table of an audit, and what of it goes."""

    name: str
    rows: int
    files: Mapping[str, Path]
    gone: Mapping[str, Table]
    """By file the rows that go, with the columns that say so; only of files that have any."""

    @classmethod
    def read(cls, audit: Path, name: str, replaced: Replaced) -> FormerTable:
        """Look through a table. Raises UnfitError where it cannot be read, as ``merge`` does."""
        rows, gone = 0, dict[str, Table]()
        try:
            files = {file.name: file for file in sorted((audit / name).iterdir())}
        except OSError as error:
            raise UnfitError from error
        for file, path in files.items():
            table = _read(name, path, _READ.get(name, _PLACE))
            rows += table.num_rows
            found = chosen(table, replaced.rows(name, table))
            if found.num_rows:
                gone[file] = found
        return cls(name, rows, files, gone)

    def count(self, *, without: Collection[str]) -> dict[CountKey, int]:
        """How many verdicts go that are not of some rules."""
        counts: Counter[CountKey] = Counter()
        for table in self.gone.values():
            kept = chosen(table, inverted(is_one_of(table["rule"], without)))
            counts.update(cast("dict[CountKey, int]", count_rows(kept, _KEY)))
        return counts


def merge(former: FormerTable, folder: Path, replaced: Replaced, rows: Table) -> None:
    """Write a table from that of an audit and rows that come. Files in which no row goes or comes are the same."""
    name = former.name
    total = former.rows - sum(table.num_rows for table in former.gone.values()) + rows.num_rows
    if not total or not former.rows or count_files(total) != count_files(former.rows):
        if total > _MOST_ROWS:
            raise UnfitError
        kept = [_without(replaced, name, _read(name, path)) for path in former.files.values()]
        write_table(folder, name, joined([*kept, rows]))
        return
    files = count_files(total)
    shares = dict(in_files(rows, ORDER[name], lambda first: file_of(first, files))) if rows.num_rows else {}
    for number in range(files):
        file = file_name(number)
        old, new = former.files.get(file), shares.get(number)
        if old is not None and new is None and file not in former.gone:
            link(old, folder / name)
            continue
        parts = [] if old is None else [_without(replaced, name, _read(name, old))]
        whole = joined([*parts, *([] if new is None else [new])]) if parts or new is not None else None
        for _, ordered in in_files(whole, ORDER[name], lambda _: 0) if whole is not None else ():
            write_file(folder / name, number, ordered)


def _without(replaced: Replaced, name: str, table: Table) -> Table:
    return chosen(table, inverted(replaced.rows(name, table)))


def link(file: Path, folder: Path) -> None:
    """Take a file into another folder as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        os.link(file, folder / file.name)
    except OSError:  # not every file system has hard links
        shutil.copyfile(file, folder / file.name)


def merge_counts(
    former: FormerTable, replaced: Replaced, gone: Mapping[CountKey, Mapping[str, int]], come: Table
) -> Table:
    """The rows that come into the table of counts: what is left of those that may change, and what comes. No more may
    go than there is.
    """
    counts: dict[CountKey, Counter[str]] = {}
    for table in former.gone.values():
        _add(counts, chosen(table, inverted(is_one_of(table["rule"], replaced.rules))))
    for key, numbers in gone.items():
        counts.setdefault(key, Counter()).subtract(numbers)
    if any(number < 0 for numbers in counts.values() for number in numbers.values()):
        raise UnfitError
    _add(counts, come)
    rows = [
        {**dict(zip(_KEY, key, strict=True)), **{name: numbers[name] for name in COUNTS}}
        for key, numbers in counts.items()
        if any(numbers.values())
    ]
    return pa.Table.from_pylist(rows, SCHEMAS["summary"])


def _add(counts: dict[CountKey, Counter[str]], table: Table) -> None:
    for row in records(table, dict[str, object]):
        key = cast("CountKey", tuple(row[name] for name in _KEY))
        counts.setdefault(key, Counter()).update({name: cast("int", row[name]) for name in COUNTS})


def _read(name: str, file: Path, columns: Sequence[str] | None = None) -> Table:
    try:
        return read_file(file, SCHEMAS[name], columns)
    except (pa.ArrowException, OSError) as error:
        raise UnfitError from error
