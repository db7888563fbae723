"""Groups of verdicts that are told alike: those of one rule on flows of one shape, which differ in names alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lintmdb.engine.flow_rows import COMPUTED, JudgedRows
from lintmdb.engine.tables import CONSUMER_ALIASES
from lintmdb.fleet.arrow import pa
from lintmdb.fleet.judging.columnar.judge import HAZARD, UNDECIDED, Judged
from lintmdb.fleet.judging.columnar.rows import pick_flows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_FEW = 3
"""So few flows of one shape are told one by one."""


class Group(NamedTuple):
    """The verdicts of one rule on the flows of one shape, and two of these flows."""

    rule: int
    shape: int
    first: JudgedRows
    last: JudgedRows


class Groups(NamedTuple):
    """The groups that are worth it, in the order of rules and shapes."""

    hazards: Sequence[Group] = ()
    undecided: Sequence[Group] = ()


def find_groups(connection: DuckDBPyConnection, judged: Judged) -> Groups:
    """The groups of verdicts. Flows are picked once for all, as all facts are read for that."""
    if judged.base == "problem":  # what is said of problems is what they say
        return Groups()
    groups: list[tuple[int, int, int, int, int]] = connection.execute(
        f"SELECT verdict, rule, shape, MIN(first), MAX(first) FROM {judged.chosen} "
        f"GROUP BY verdict, rule, shape HAVING COUNT(*) > {_FEW} ORDER BY ALL"
    ).fetchall()
    firsts = sorted({place for *_, first, last in groups for place in (first, last)})
    connection.register("examples", pa.table({"first": pa.array(firsts, pa.int64())}))
    rows = {
        first: row
        for picked in pick_flows(connection, judged, "FROM examples")
        for first, row in picked.build().items()
    }
    found: dict[int, list[Group]] = {HAZARD: [], UNDECIDED: []}
    for verdict, rule, shape, first, last in groups:
        found[verdict].append(Group(rule, shape, rows[first], rows[last]))
    return Groups(found[HAZARD], found[UNDECIDED])


def names_query(judged: Judged, names: Sequence[str], aliases: Sequence[str] = (), flows: str = "") -> str:
    """A query of the flows, or of those in a table with columns of ``judged``: first, their ``names``, and the
    ``origins`` of the rows of some aliases.
    """
    values: list[str] = []
    joined = dict.fromkeys(aliases)
    for name in names:
        alias, _, column = name.partition(".")
        if alias == "endpoint" and column in COMPUTED:
            values.append(f"judged.computed_{column}")
        elif alias in CONSUMER_ALIASES:
            values.append(f"judged.{alias}_{column}")
        else:
            values.append(f'{alias}."{column}"')
            joined[alias] = None
    joins: list[str] = []
    for alias in joined:
        rows = judged.endpoints.view(alias)
        if flows:  # of a million rows few are those of these flows: DuckDB is to keep no others in memory
            rows = f"(FROM {rows} AS stored SEMI JOIN {flows} AS few ON stored.ref = few.ref_{alias})"
        joins.append(f"LEFT JOIN {rows} AS {alias} ON {alias}.ref = judged.ref_{alias}")
    shown = f"{_texts(values)} AS names, {_texts([f'{alias}.origins' for alias in aliases])} AS origins"
    return f"SELECT judged.first, {shown} FROM {flows or judged.judged} AS judged {' '.join(joins)}"


def _texts(values: Sequence[str]) -> str:
    return f"[{', '.join(values)}]" if values else "CAST([] AS VARCHAR[])"
