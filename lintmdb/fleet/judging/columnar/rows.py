"""The rows of some flows as ``check`` has them: those that verdicts are shown on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from lintmdb.engine.flow_rows import COMPUTED, FlowRows, JudgedRows
from lintmdb.engine.tables import CONSUMER_ALIASES, CONSUMER_COLUMNS, FLOW_ALIASES
from lintmdb.fleet.arrow import Array, Table, pa, records
from lintmdb.fleet.arrow_rows import are_all_among, in_order_of, rows_with
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


class PickedFlows(NamedTuple):
    """Some flows, and the rows of all of them, which were found in the facts at once."""

    judged: Judged
    flows: Table
    """``first``, and what ``shown_columns`` lists."""
    stored: Mapping[str, Table]
    """By relation, the rows with all stored columns and ``ref``."""

    def have(self, firsts: Array) -> bool:
        """Whether all flows with these ``first`` are there."""
        return are_all_among(firsts, self.flows["first"])

    def read(self, firsts: Iterable[int]) -> Iterator[Picked]:
        """Those of the flows that have one of these ``first``, in order, some thousands at a time."""
        wanted = sorted({*firsts})
        for start in range(0, len(wanted), _BATCH):
            batch = pa.array(wanted[start : start + _BATCH], pa.int64())
            flows = in_order_of(rows_with(self.flows, "first", batch), "first")
            stored = {
                alias: rows_with(self.stored[ALIASES[alias].relation], "ref", flows[f"ref_{alias}"])
                for alias in _aliases(self.judged)
            }
            yield Picked(self.judged.base, flows, stored)

    def show(self, connection: DuckDBPyConnection) -> None:
        """Let queries call the rows of each relation ``picked_table``."""
        for relation, rows in self.stored.items():
            connection.register(picked_table(self.judged, relation), rows)


def pick_flows(connection: DuckDBPyConnection, judged: Judged, firsts: str) -> PickedFlows:
    """Find the stored rows of those flows whose ``first`` a query returns: of all facts, which are read for it once."""
    picked = picked_table(judged)
    connection.execute(
        f"CREATE OR REPLACE TABLE {picked} AS SELECT first, {', '.join(shown_columns(judged.base))} "
        f"FROM {judged.judged} SEMI JOIN ({firsts}) AS wanted USING (first)"
    )
    flows = arrow_table(connection, f"FROM {picked}")
    relations: dict[str, list[str]] = {}
    for alias in _aliases(judged):
        relations.setdefault(ALIASES[alias].relation, []).append(alias)
    stored: dict[str, Table] = {}
    for relation, aliases in relations.items() if flows.num_rows else ():
        names = ", ".join(f'stored."{name}"' for name in (*duckdb_columns(relation), "ref"))
        refs = " UNION ALL ".join(f"SELECT ref_{alias} AS ref FROM {picked}" for alias in aliases)
        stored[relation] = arrow_table(connection, f"SELECT {names} {few_rows(judged, aliases[0], refs)}")
    return PickedFlows(judged, flows, stored)


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


def _aliases(judged: Judged) -> Sequence[str]:
    return FLOW_ALIASES if judged.base == "flow" else (judged.base,)


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
