"""The rows of some flows as ``check`` has them: those that verdicts are shown on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from lintmdb.engine.flow_rows import COMPUTED, FlowRows, JudgedRows
from lintmdb.engine.tables import CONSUMER_ALIASES, CONSUMER_COLUMNS, FLOW_ALIASES
from lintmdb.fleet.arrow import Table, records
from lintmdb.fleet.database import arrow_table
from lintmdb.fleet.facts.encoding import duckdb_columns
from lintmdb.fleet.facts.loading import build_rows
from lintmdb.fleet.judging.columnar.judge import Judged, shown_columns
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


def pick_flows(connection: DuckDBPyConnection, judged: Judged, firsts: str) -> Iterator[Picked]:
    """Those flows whose ``first`` a query returns, some thousands at a time and in their order."""
    aliases = FLOW_ALIASES if judged.base == "flow" else (judged.base,)
    columns = ", ".join(shown_columns(judged.base))
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE picked AS SELECT ROW_NUMBER() OVER (ORDER BY first) - 1 AS place, first, "
        f"{columns} FROM {judged.judged} SEMI JOIN ({firsts}) AS wanted USING (first)"
    )
    ((count,),) = connection.execute("SELECT COUNT(*) FROM picked").fetchall()
    for alias in aliases if count else ():
        relation = ALIASES[alias].relation
        names = ", ".join(f'stored."{name}"' for name in (*duckdb_columns(relation), "ref"))
        connection.execute(
            f"CREATE OR REPLACE TEMP TABLE picked_{alias} AS SELECT {names} FROM {judged.view(alias)} "
            f"AS stored SEMI JOIN picked ON stored.ref = picked.ref_{alias}"
        )
    for start in range(0, count, _BATCH):
        batch = f"(FROM picked WHERE place >= {start} AND place < {start + _BATCH})"
        flows = arrow_table(connection, f"SELECT first, {columns} FROM {batch} ORDER BY first")
        stored = {
            alias: arrow_table(
                connection,
                f"FROM picked_{alias} AS stored SEMI JOIN {batch} AS flows ON stored.ref = flows.ref_{alias}",
            )
            for alias in aliases
        }
        yield Picked(judged.base, flows, stored)


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
