"""Groups of verdicts that are told alike: those of one rule on flows of one shape, which differ in names alone.

The verdicts that are too few for that are told one by one. All facts are read once for these and for the examples of
the groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lintmdb.engine.flow_rows import COMPUTED, JudgedRows
from lintmdb.engine.tables import CONSUMER_ALIASES
from lintmdb.fleet.arrow import pa
from lintmdb.fleet.judging.columnar.judge import HAZARD, UNDECIDED, Judged
from lintmdb.fleet.judging.columnar.rows import PickedFlows, few_rows, pick_flows, picked_table
from lintmdb.fleet.judging.columnar.telling import Batch, ChosenVerdict
from lintmdb.model.relations import ALIASES

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_FEW = 3
"""So few flows of one shape are told one by one."""
_PICKED = 50_000
"""The rows of all flows of the smallest groups are kept, as many as have so many verdicts."""
_LARGE = 1_000
"""So many undecided verdicts have a recipe nearly always; to tell them without one takes longer than to read all facts
once more for that.
"""


class Group(NamedTuple):
    """The verdicts of one rule on the flows of one shape, and two of these flows."""

    rule: int
    shape: int
    first: JudgedRows
    last: JudgedRows


class Groups(NamedTuple):
    """The groups that are worth it, in the order of rules and shapes, and all other verdicts."""

    hazards: Sequence[Group]
    undecided: Sequence[Group]
    others: Sequence[Batch]
    picked: PickedFlows
    """The flows that were picked for them."""


def find_groups(connection: DuckDBPyConnection, judged: Judged) -> Groups:
    """The groups of verdicts."""
    many = "FALSE" if judged.base == "problem" else f"COUNT(*) > {_FEW}"  # what is said of problems is what they say
    few = f"(verdict = {HAZARD} OR COUNT(*) <= {_LARGE})"
    small = f"{few} AND SUM(COUNT(*)) OVER (ORDER BY COUNT(*), verdict, rule, shape) <= {_PICKED}"
    connection.execute(
        "CREATE OR REPLACE TABLE grouped AS SELECT verdict, rule, shape, MIN(first) AS head, MAX(first) AS tail, "
        f"{many} AS many, {small} AS small FROM {judged.chosen} GROUP BY verdict, rule, shape"
    )
    groups: list[tuple[int, int, int, int, int]] = connection.execute(
        "SELECT verdict, rule, shape, head, tail FROM grouped WHERE many ORDER BY ALL"
    ).fetchall()
    alone = (
        f"SELECT rule, first, verdict = {HAZARD} AS hazard, flows FROM {judged.chosen} "
        "SEMI JOIN (FROM grouped WHERE NOT many) USING (verdict, rule, shape)"
    )
    examples = "SELECT UNNEST([head, tail]) AS first FROM grouped WHERE many"
    # What neither a recipe nor a template tells needs the rows of all of its flows, and templates need some of them.
    of_small = f"SELECT first FROM {judged.chosen} SEMI JOIN (FROM grouped WHERE small) USING (verdict, rule, shape)"
    firsts = f"SELECT first FROM ({alone}) UNION ALL {examples} UNION ALL {of_small}"
    picked = pick_flows(connection, judged, firsts)
    others = [*one_by_one(connection, picked, alone)]
    shown = [first for *_, head, tail in groups for first in (head, tail)]
    rows = {first: row for some in picked.read(shown) for first, row in some.build().items()}
    found: dict[int, list[Group]] = {HAZARD: [], UNDECIDED: []}
    for verdict, rule, shape, first, last in groups:
        found[verdict].append(Group(rule, shape, rows[first], rows[last]))
    return Groups(found[HAZARD], found[UNDECIDED], others, picked)


def one_by_one(connection: DuckDBPyConnection, picked: PickedFlows, verdicts: str) -> Iterator[Batch]:
    """The verdicts that are worded one by one, of which a query gives rule, first, hazard and flows. What is not among
    the ``picked`` flows is picked for it.
    """
    shown: dict[int, list[ChosenVerdict]] = {}
    for rule, first, hazard, flows in connection.execute(verdicts).fetchall():
        shown.setdefault(first, []).append(ChosenVerdict(rule, hazard, flows))
    if not picked.have(pa.array([*shown], pa.int64())):
        picked = pick_flows(connection, picked.judged, f"SELECT first FROM ({verdicts})")
    for some in picked.read(shown):
        flows_there: list[int] = some.flows["first"].to_pylist()
        yield Batch(picked.judged.rules, some, {first: shown[first] for first in flows_there})


def keys_table(groups: Iterable[Group]) -> object:
    """The rule and the shape of each group, and its number."""
    keys = [(group.rule, group.shape) for group in groups]
    rules, shapes = zip(*keys, strict=True) if keys else ((), ())
    table = {
        "number": pa.array(range(len(keys)), pa.int64()),
        "rule": pa.array(rules, pa.int64()),
        "shape": pa.array(shapes, pa.uint64()),
    }
    return pa.table(table)


def names_query(judged: Judged, names: Sequence[str], aliases: Sequence[str], flows: str, *, picked: bool) -> str:
    """A query of the flows in a table with columns of ``judged``: first, their ``names``, and the ``origins`` of the
    rows of some aliases. ``picked`` says whether all of them are among the flows that ``PickedFlows.show`` shows.
    """
    joins: list[str] = []
    for alias in dict.fromkeys([*aliases, *_joined(names)]):
        # Of a million rows few are those of these flows: DuckDB is to keep no others in memory.
        few = few_rows(judged, alias, f"SELECT ref_{alias} AS ref FROM {flows}")
        rows = f"FROM {picked_table(judged, ALIASES[alias].relation)}" if picked else few
        joins.append(f"LEFT JOIN ({rows}) AS {alias} ON {alias}.ref = judged.ref_{alias}")
    origins = _texts([f"{alias}.origins" for alias in aliases])
    shown = f"{_texts([*map(_name_value, names)])} AS names, {origins} AS origins"
    return f"SELECT judged.first, {shown} FROM {flows} AS judged {' '.join(joins)}"


def name_columns_query(judged: Judged, names: Sequence[str], firsts: str, join: str) -> str:
    """A query of the flows whose ``first`` a query returns, and that a ``join`` of ``wanted_flow`` leaves: first,
    ``at_cell``, ``at_environment`` and, each as a column, their names: ``name_0`` and so on.
    """
    joins = [
        f"LEFT JOIN {judged.view(alias)} AS {alias} ON {alias}.ref = judged.ref_{alias}" for alias in _joined(names)
    ]
    shown = ["judged.first", "judged.cell AS at_cell", "judged.environment AS at_environment"]
    shown += [f"{_name_value(name)} AS name_{place}" for place, name in enumerate(names)]
    return (
        f"SELECT {', '.join(shown)} "
        f"FROM (SELECT wanted_flow.* FROM {judged.judged} AS wanted_flow {join} "
        f"SEMI JOIN ({firsts}) AS wanted_first ON wanted_first.first = wanted_flow.first) AS judged {' '.join(joins)}"
    )


def _name_value(name: str) -> str:
    """The expression of a name of a flow."""
    alias, _, column = name.partition(".")
    if alias == "endpoint" and column in COMPUTED:
        return f"judged.computed_{column}"
    return f"judged.{alias}_{column}" if alias in CONSUMER_ALIASES else f'{alias}."{column}"'


def _joined(names: Iterable[str]) -> list[str]:
    """The aliases whose stored rows have some of the names."""
    stored = (name for name in names if not _name_value(name).startswith("judged."))
    return [*dict.fromkeys(name.partition(".")[0] for name in stored)]


def _texts(values: Sequence[str]) -> str:
    return f"[{', '.join(values)}]" if values else "CAST([] AS VARCHAR[])"
