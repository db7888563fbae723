"""The facts that the last audit of a folder left, as views of Spark SQL for people's own questions."""

from __future__ import annotations

from pyspark.sql import SparkSession

from lintmdb.engine.flow_join import join_sql
from lintmdb.engine.tables import CONSUMER_ALIASES
from lintmdb.fleet.facts.collect import Collected, dead_parts, live_parts
from lintmdb.fleet.facts.encoding import STORED
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.facts.views import make_views
from lintmdb.fleet.session import size_queries
from lintmdb.model.columns import columns
from lintmdb.model.relations import ALIASES, RELATIONS

FLOW = "flow"
"""The view of all flows: one row a flow, one struct an alias, so that ``alias.column`` reads as in a rule."""


def fact_views(spark: SparkSession, store: Store) -> bool:
    """Make a view of each relation, and of the flows; False where the folder holds no facts that can be read."""
    state = store.current()
    if state is None:
        return False
    live = live_parts(state)
    size_queries(spark, sum(part.rows for part in live))
    views = make_views(spark, store, Collected(state, live, dead_parts(store, state, live), 0, 0, 0), ())
    spark.sql(f"SELECT {_flow_structs()} {join_sql()}").createOrReplaceTempView(FLOW)
    for name in STORED:
        views[name].select(*(column.name for column in columns(RELATIONS[name]))).createOrReplaceTempView(name)
    return True


def _flow_structs() -> str:
    structs: list[str] = []
    for alias, declared in ALIASES.items():
        if declared.standalone:
            continue
        names = [column.name for column in columns(RELATIONS[declared.relation])]
        fields = ", ".join(f"'{name}', {alias}.{name}" for name in names)
        there = f"{alias}.queue" if alias in CONSUMER_ALIASES else f"{alias}.row_id"
        structs.append(f"CASE WHEN {there} IS NOT NULL THEN named_struct({fields}) END AS `{alias}`")
    return ", ".join(structs)
