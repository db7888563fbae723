"""Several exports of one cell: what agrees is kept once, and where they differ is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lintmdb.model.columns import Value, columns
from lintmdb.model.facts import Facts
from lintmdb.model.relations import CELL_RELATIONS, RELATIONS, Endpoint, Export, Problem, Row


def join_versions(versions: Sequence[Facts]) -> Facts:
    """The facts of a cell, from those of each of its exports, as ``cell_facts`` says."""
    if len(versions) == 1:
        return versions[0]
    versions = _without_confirmed(versions)
    differs, contradicts = _compared(versions)
    if contradicts:
        versions = [_with_own_ids(version, number) for number, version in enumerate(versions)]
    facts = Facts()
    for version in versions:
        facts.extend(version)
    for table in CELL_RELATIONS:
        facts.rows[table] = list({row_values(row): row for row in reversed(facts.rows[table])}.values())[::-1]
    if differs:
        facts.add(*_conflicts(facts.rows["export"]))
    return facts


def _without_confirmed(versions: Sequence[Facts]) -> list[Facts]:
    """The versions of a cell, those that are not complete without the rows that a complete one has too and contradicts
    nowhere: what it leaves open is not set, or decides nothing.
    """
    whole = {
        key: row
        for version in versions
        if _is_complete(version)
        for table in CELL_RELATIONS
        for row in version.rows[table]
        for key in _keys_of(table, row)
    }
    found: list[Facts] = []
    for version in versions:
        if not _is_complete(version):
            version = Facts(dict(version.rows), version.inline_suppressions)
            for table in CELL_RELATIONS:
                version.rows[table] = [
                    row
                    for row in version.rows[table]
                    if not any(_confirms(whole.get(key), row) for key in _keys_of(table, row))
                ]
        found.append(version)
    return found


def _is_complete(version: Facts) -> bool:
    return all(export.complete for export in version.rows["export"])


def _keys_of(table: str, row: Row) -> Iterator[tuple[Value, ...]]:
    """By what a row may be found in another export. That alone knows which servers run an activation specification."""
    yield _key_of(table, row)
    if isinstance(row, Endpoint) and row.config_path is not None:
        yield table, row.kind, row.config_path


def _confirms(whole: Row | None, row: Row) -> bool:
    """Whether no value of a row is another one in the complete export."""
    return whole is not None and all(
        here == there or None in (here, there)
        for column in columns(type(row))
        if not column.id_of
        for here, there in ((getattr(whole, column.name), getattr(row, column.name)),)
    )


def _compared(versions: Sequence[Facts]) -> tuple[bool, bool]:
    """Whether some row differs between versions of a cell, and whether two known values do."""
    first: dict[tuple[Value, ...], tuple[Value, ...]] = {}
    differs = contradicts = False
    for version in versions:
        for table in CELL_RELATIONS:
            for row in version.rows[table]:
                values = row_values(row)
                known = first.setdefault(_key_of(table, row), values)
                if known != values:
                    differs = True
                    contradicts = contradicts or any(
                        a != b for a, b in zip(known, values, strict=True) if a is not None and b is not None
                    )
    return differs, contradicts


def _key_of(table: str, row: Row) -> tuple[Value, ...]:
    """What tells one row of a table from the others of a cell."""
    return (
        table,
        *(getattr(row, column.name) for column in columns(RELATIONS[table]) if column.key or column.id_of == table),
    )


def row_values(row: Row) -> tuple[Value, ...]:
    """The values of a row without their origins, for comparison."""
    return tuple(getattr(row, column.name) for column in columns(type(row)))


def _with_own_ids(version: Facts, number: int) -> Facts:
    if number == 0:
        return version
    own = Facts()
    for table, rows in version.rows.items():
        ids = [column.name for column in columns(RELATIONS[table]) if column.id_of]
        if not ids:
            own.rows[table] = rows
            continue
        for row in rows:
            known = {name: value for name in ids if (value := getattr(row, name)) is not None}
            own.rows[table].append(replace(row, **{name: f"{value}@{number}" for name, value in known.items()}))
    return own


def _conflicts(exports: Sequence[Export]) -> Iterator[Problem]:
    for export in exports:
        others = ", ".join(other.path for other in exports if other is not export)
        yield Problem(
            kind="conflicting_exports",
            path=export.path,
            line=0,
            column=0,
            text=f"the export of cell {export.name} differs from {others}",
            next_step="Give only the current export",
            cell=export.name,
            object=export.name,
        )
