"""The rows of some flows as ``check`` has them: those that verdicts are shown on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from lintmdb.engine.flow_rows import COMPUTED, FlowRows, JudgedRows
from lintmdb.engine.tables import CONSUMER_ALIASES, CONSUMER_COLUMNS, FLOW_ALIASES
from lintmdb.fleet.arrow import Table, records
from lintmdb.fleet.database import arrow_table
from lintmdb.fleet.facts.encoding import duckdb_columns
from lintmdb.fleet.facts.fact_views import PLACE_BITS
from lintmdb.fleet.facts.loading import build_rows
from lintmdb.fleet.judging.columnar.judge import SHAPED, Judged, shown_columns
from lintmdb.model.relations import ALIASES, Binding, Consumers, Problem, Row

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_BATCH = 2_000
"""So many flows are built at a time, each of a dozen rows."""


class Picked(NamedTuple):
    """Some flows, and the stored rows of them, as tables."""

    base: str
    flows: Table
    """``first``, and what ``shown_columns`` lists."""
    stored: Mapping[str, Table]
    """By alias, the rows with all stored columns and ``ref``."""

    def build(self) -> dict[int, JudgedRows]:
        """The rows of each flow by its ``first``."""
        stored = {alias: _build(alias, table) for alias, table in self.stored.items()}
        return {row["first"]: _rows(self.base, row, stored) for row in records(self.flows, dict[str, Any])}


def pick_flows(connection: DuckDBPyConnection, judged: Judged, firsts: str) -> None:
    """Find the stored rows of those flows whose ``first`` a query returns, for ``read_picked``: of all facts, which are
    read for it once. Flows that were picked before are forgotten.
    """
    picked = picked_table(judged)
    connection.execute(
        f"CREATE OR REPLACE TABLE {picked} AS SELECT first, {', '.join(shown_columns(judged.base))} "
        f"FROM {judged.judged} SEMI JOIN ({firsts}) AS wanted USING (first)"
    )
    relations: dict[str, list[str]] = {}
    for alias in _aliases(judged):
        relations.setdefault(ALIASES[alias].relation, []).append(alias)
    for relation, aliases in relations.items() if _count(connection, picked) else ():
        names = ", ".join(f'stored."{name}"' for name in (*duckdb_columns(relation), "ref"))
        refs = " UNION ALL ".join(f"SELECT ref_{alias} AS ref FROM {picked}" for alias in aliases)
        connection.execute(
            f"CREATE OR REPLACE TABLE {picked}_{relation} AS SELECT {names} {few_rows(judged, aliases[0], refs)}"
        )


def are_picked(connection: DuckDBPyConnection, judged: Judged, firsts: str) -> bool:
    """Whether ``pick_flows`` has found all flows whose ``first`` a query returns."""
    others = f"FROM ({firsts}) AS wanted ANTI JOIN {picked_table(judged)} USING (first)"
    return not connection.execute(f"{others} LIMIT 1").fetchall()


def picked_table(judged: Judged, relation: str = "") -> str:
    """The table of the flows that were picked, or that of their rows of a relation."""
    return "_".join(filter(None, ("picked", judged.name, relation)))


def few_rows(judged: Judged, alias: str, refs: str) -> str:
    """The rows of an alias, as ``stored``, whose ``ref`` a query returns, of which there are few."""
    few = f"FROM {judged.view(alias)} AS stored WHERE stored.ref IN ({refs})"
    if alias == "problem" or judged.view(alias) != f"{SHAPED}.{ALIASES[alias].relation}":
        return few  # their numbers are not those of parts
    # Parquet is searched by part, too: what it has of other parts is not even decoded.
    parts = f"SELECT part FROM live_part WHERE place IN (SELECT ref >> {PLACE_BITS} FROM ({refs}))"
    return f"{few} AND stored.part IN ({parts})"


def read_picked(connection: DuckDBPyConnection, judged: Judged, firsts: str) -> Iterator[Picked]:
    """Those of the flows of ``pick_flows`` whose ``first`` a query returns, in order, some thousands at a time."""
    columns = ", ".join(shown_columns(judged.base))
    connection.execute(
        f"CREATE OR REPLACE TABLE reading AS SELECT ROW_NUMBER() OVER (ORDER BY first) - 1 AS place, * "
        f"FROM {picked_table(judged)} SEMI JOIN ({firsts}) AS wanted USING (first)"
    )
    for start in range(0, _count(connection, "reading"), _BATCH):
        batch = f"(FROM reading WHERE place >= {start} AND place < {start + _BATCH})"
        flows = arrow_table(connection, f"SELECT first, {columns} FROM {batch} ORDER BY first")
        stored = {
            alias: arrow_table(
                connection,
                f"FROM {picked_table(judged, ALIASES[alias].relation)} AS stored "
                f"SEMI JOIN {batch} AS flows ON stored.ref = flows.ref_{alias}",
            )
            for alias in _aliases(judged)
        }
        yield Picked(judged.base, flows, stored)


def _aliases(judged: Judged) -> Sequence[str]:
    return FLOW_ALIASES if judged.base == "flow" else (judged.base,)


def _count(connection: DuckDBPyConnection, table: str) -> int:
    ((count,),) = connection.execute(f"SELECT COUNT(*) FROM {table}").fetchall()
    return count


def _build(alias: str, table: Table) -> Mapping[int, Row]:
    """The rows of a table by ``ref``."""
    rows = build_rows(ALIASES[alias].relation, table)
    return {ref: row for ref, (_, _, row) in zip(table["ref"].to_pylist(), rows, strict=True)}


def _rows(base: str, shown: Mapping[str, Any], stored: Mapping[str, Mapping[int, Row]]) -> JudgedRows:
    if base != "flow":
        return cast("Binding | Problem", stored[base][shown[f"ref_{base}"]])
    found: dict[str, object] = {alias: stored[alias].get(shown[f"ref_{alias}"]) for alias in FLOW_ALIASES}
    for alias in CONSUMER_ALIASES:
        values = {name: shown[f"{alias}_{name}"] for name in CONSUMER_COLUMNS}
        found[alias] = Consumers(**values) if values["queue"] is not None else None
    found.update({name: shown[f"computed_{name}"] for name in COMPUTED})
    return cast("Callable[..., FlowRows]", FlowRows)(**found)
