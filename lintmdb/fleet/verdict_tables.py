"""The verdicts of an audit by identity: sets of keys in Arrow, and the rows that are behind some of them.

A key is a rule and the identity of a subject. The group of a subject that belongs to a cluster is its identity without
the member. Both are texts; they are equal exactly where ``compare.identity`` says so, which
tests/compare/test_both_diffs.py holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypedDict, cast

from lintmdb.fleet.audit_tables import Expression, Table, batches, pa, pc, replaced
from lintmdb.fleet.audit_tables import field as column
from lintmdb.fleet.stored_values import StoredValue
from lintmdb.model.environment_names import name_in


class Place(TypedDict):
    """Where the value that decides stands."""

    path: str
    line: int | None
    column: int | None


class SubjectRow(TypedDict):
    """A subject as a struct of a table holds it."""

    kind: str
    name: str | None
    cell: str | None
    cluster: str | None
    node: str | None
    server: str | None
    application: str | None
    module: str | None
    bean: str | None
    queue_manager: str | None
    queue: str | None
    bus: str | None
    detail: str | None
    environment: str | None


class FindingRow(TypedDict):
    """What is read of a row of ``findings`` or ``suppressed``."""

    rule: str
    name: str
    severity: str
    message: str
    subject: SubjectRow
    values: list[tuple[str, StoredValue]]
    location: Place | None
    fingerprint: str
    flows: int
    cell: str | None
    queue_manager: str | None
    headline: str | None
    environment: str | None


class UndecidedRow(TypedDict):
    """What is read of a row of ``undecided``."""

    rule: str
    severity: str
    subject: SubjectRow
    needs: str
    need_command: str | None
    cell: str | None
    environment: str | None


_SUBJECT = tuple(SubjectRow.__annotations__)
_LOOSE = ("cell", "cluster", "application", "module", "bean", "bus", "environment")
_SEPARATOR = "\x1f"

Clusters = dict[tuple[str, str, str], str]
"""The cluster of a member, by its cell as ``name_in`` calls it, node and server."""


def read_keys(audit: Path, table: str, clusters: Clusters | None = None) -> Table:
    """The verdicts of a table: key, group (NULL without a cluster), rule, cell and environment, and what undecided ones
    need.

    Members of clusters that the verdicts name are added to ``clusters``. Raises LintmdbError.
    """
    more = ("needs", "need_command") if table == "undecided" else ()
    names = ["key", "group", "rule", "cell", "environment", *more]
    found: list[Table] = []
    columns = {name: column(name) for name in ("rule", "cell", "environment", *more)} | _subject_columns()
    for batch in batches(audit, table, columns):
        if clusters is not None:
            clusters.update(_read_members(batch))
        found.append(_with_keys(batch).select(names))
    return cast(
        "Table", pa.concat_tables(found) if found else pa.table({name: pa.array([], pa.string()) for name in names})
    )


def read_findings(audit: Path, table: str, keys: Table | None, groups: object) -> list[FindingRow]:
    """The rows of ``findings`` or ``suppressed`` with one of these keys or groups. Raises LintmdbError."""
    return cast("list[FindingRow]", list(_read_rows(audit, table, tuple(FindingRow.__annotations__), keys, groups)))


def read_undecided(audit: Path, keys: Table, groups: object | None) -> list[UndecidedRow]:
    """The rows of ``undecided`` with one of these keys or groups. Raises LintmdbError."""
    return cast(
        "list[UndecidedRow]", list(_read_rows(audit, "undecided", tuple(UndecidedRow.__annotations__), keys, groups))
    )


def _read_rows(
    audit: Path, table: str, names: Sequence[str], keys: Table | None, groups: object | None
) -> Iterator[dict[str, object]]:
    sets: dict[str, object] = {}
    if keys is not None and keys.num_rows:
        sets["key"] = keys["key"].combine_chunks()
    if groups is not None and len(pa.array(groups)):
        sets["group"] = groups
    if not sets:
        return
    columns = {name: column(name) for name in names} | _subject_columns()
    for batch in batches(audit, table, columns):
        keyed = _with_keys(batch)
        masks = [pc.is_in(keyed[name], value_set=values) for name, values in sets.items()]
        yield from keyed.filter(masks[0] if len(masks) == 1 else pc.or_(*masks)).select(names).to_pylist()


def _subject_columns() -> dict[str, Expression]:
    return {f"subject_{name}": column("subject", name) for name in _SUBJECT}


def _with_keys(batch: Table) -> Table:
    """The batch with columns ``key`` and ``group``."""
    parts = {name: pc.fill_null(batch[f"subject_{name}"], "") for name in _SUBJECT}
    kinds = parts["kind"]
    known_by_manager = pc.is_in(kinds, pa.array(["queue", "queue_manager", "export"]))
    known_by_queue = pc.is_in(kinds, pa.array(["queue", "queue_manager"]))
    identity = parts | {
        "queue_manager": pc.if_else(known_by_manager, parts["queue_manager"], ""),
        "queue": pc.if_else(known_by_queue, parts["queue"], ""),
    }
    batch = replaced(batch, "key", pc.binary_join_element_wise(batch["rule"], *identity.values(), _SEPARATOR))
    of_server = pc.is_in(kinds, pa.array(["server", "cluster"]))
    kind = pc.if_else(of_server, "cluster", kinds)
    name = pc.if_else(of_server, parts["cluster"], parts["name"])
    group = pc.binary_join_element_wise(kind, name, *(parts[part] for part in _LOOSE), _SEPARATOR)
    in_cluster = pc.is_valid(batch["subject_cluster"])
    return replaced(batch, "group", pc.if_else(in_cluster, group, pa.scalar(None, pa.string())))


def _read_members(batch: Table) -> Iterator[tuple[tuple[str, str, str], str]]:
    names = [f"subject_{name}" for name in ("environment", "cell", "node", "server", "cluster")]
    in_member = pc.and_(pc.is_valid(batch["subject_cluster"]), pc.is_valid(batch["subject_server"]))
    members = pa.table(batch.filter(in_member).select(names)).group_by(names).aggregate([])
    for environment, cell, node, server, cluster in zip(*(members[name].to_pylist() for name in names), strict=True):
        yield (name_in(environment, cell or ""), node or "", server), cluster


def without(table: Table, other: Table) -> Table:
    """The rows whose key the other table does not have."""
    return table.filter(pc.invert(pc.is_in(table["key"], value_set=other["key"].combine_chunks())))


def within(table: Table, other: Table) -> Table:
    """The rows whose key the other table has."""
    return table.filter(pc.is_in(table["key"], value_set=other["key"].combine_chunks()))


def of_groups(table: Table, groups: object, *, outside: bool = False) -> Table:
    """The rows of some groups, or those that belong to none of them."""
    mask = pc.is_in(table["group"], value_set=groups)
    return table.filter(pc.invert(mask) if outside else mask)


def find_groups(*tables: Table) -> object:
    """The groups that the rows of some tables belong to, as an Arrow array without NULL."""
    found: Iterable[object] = [table["group"].combine_chunks() for table in tables]
    return pc.drop_null(pc.unique(pa.chunked_array(found, pa.string())))


def join(*tables: Table) -> Table:
    """The rows of several tables."""
    return cast("Table", pa.concat_tables(tables))


def count_by(table: Table, *names: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """How many rows have the same texts, with NULL as the empty text."""
    counts = pa.table(table).group_by(list(names)).aggregate([([], "count_all")])
    for *texts, count in zip(*(counts[name].to_pylist() for name in (*names, "count_all")), strict=True):
        yield tuple([text or "" for text in texts]), count
