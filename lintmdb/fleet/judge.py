"""Judging in Spark SQL: the same join and the same conditions as ``check``, with no Python a row.

A flow has one number, its place in the order of ``check``; so the first flow that shows a verdict is a minimum. Where
the join finds several rows for one endpoint and bean (a cell exported twice with other values) the order is a struct.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from lintmdb.engine.conditions import VOCABULARY
from lintmdb.engine.findings import Subject
from lintmdb.engine.rows import COMPUTED
from lintmdb.engine.rules import Rule
from lintmdb.engine.sql import CONSUMER_ALIASES, FLOW_ALIASES, join_sql
from lintmdb.errors import RuleError
from lintmdb.fleet.facts import stored_columns
from lintmdb.model import ALIASES, RELATIONS, columns

CHUNK = 16
"""Rules unpivoted by one ``stack``: of many more the generated method is too long to be compiled."""
HAZARD, UNDECIDED = 3, 2
_TYPES = {"text": "STRING", "integer": "BIGINT", "boolean": "BOOLEAN"}
_NUL = "'\\u0000'"
_FIELDS = tuple(Subject.__dataclass_fields__)
_BASES = ("flow", "binding", "problem")


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdicts of one base."""

    base: str
    rules: Sequence[Rule]
    chosen: DataFrame
    """rule (place in ``rules``), verdict, first (the flow or row that shows it first), flows (how many share it)."""
    clear: DataFrame
    """cell, rule, clear: rule and subject pairs whose strongest verdict is clear."""
    judged: DataFrame
    """One row a flow or row, kept in memory or on disk; ``unpersist`` it at the end."""


def try_rules(spark: SparkSession, rules: Sequence[Rule]) -> None:
    """Run every condition on rows of each type's extremes. Raises RuleError that names the rule that fails."""
    if not rules:
        return
    try:
        _try(spark, rules)
    except PySparkException:
        for rule in rules:
            try:
                _try(spark, [rule])
            except PySparkException as error:
                reason = str(error).strip().splitlines()[0]
                raise RuleError(
                    f"{rule.id} cannot be judged by Spark: {reason}",
                    path=rule.path,
                    next_step="Write it so that no value of its columns overflows",
                ) from None
        raise


def _try(spark: SparkSession, rules: Sequence[Rule]) -> None:
    conditions = [f"({c.text}) AS c{i}{j}" for i, r in enumerate(rules) for j, c in enumerate((r.when, r.hazard))]
    rows = " UNION ALL ".join(f"SELECT {_extreme(values)}" for values in _EXTREMES)
    spark.sql(f"SELECT {', '.join(conditions)} FROM ({rows})").collect()


_EXTREMES = (
    {"text": "NULL", "integer": "NULL", "boolean": "NULL"},
    {"text": "''", "integer": "0", "boolean": "FALSE"},
    {"text": "'A'", "integer": "2147483647000", "boolean": "TRUE"},
    {"text": "'A'", "integer": "-1", "boolean": "TRUE"},
)
"""Values by type; no time is longer than the largest integer in seconds."""


def _extreme(values: Mapping[str, str]) -> str:
    return ", ".join(
        "named_struct("
        + ", ".join(f"'{c.name}', CAST({values[c.type]} AS {_TYPES[c.type]})" for c in vocabulary.values())
        + f") AS `{alias}`"
        for alias, vocabulary in VOCABULARY.items()
    )


def judge(spark: SparkSession, base: str, rules: Sequence[Rule], *, repeats: bool) -> Verdicts:
    """The verdicts of the rules of one base over the views of ``make_views``."""
    chosen = [rule for rule in rules if rule.base == base]
    levels = sorted({rule.subject for rule in chosen})
    first = first_sql(base, repeats=repeats)
    parts = [f"{first} AS first", f"{_cell_sql(base)} AS cell"]
    parts += [f"xxhash64({n}, {_key_sql(base, level)}) AS {level}_{n}" for level in levels for n in (1, 2)]
    conditions = ((f"w{n}", rule.when, f"h{n}", rule.hazard) for n, rule in enumerate(chosen))
    parts += [f"({when.text}) AS {w}, ({hazard.text}) AS {h}" for w, when, h, hazard in conditions]
    judged = spark.sql(f"SELECT {', '.join(parts)} {source_sql(base)}").persist()
    judged.createOrReplaceTempView(f"judged_{base}")
    return Verdicts(base, chosen, _chosen(spark, base, chosen), _clear(spark, base, chosen, levels), judged)


def source_sql(base: str, *more: str) -> str:
    """FROM and all joins of a base; ``more`` columns of the endpoint are carried through."""
    return join_sql(*more) if base == "flow" else f"FROM {base}"


def first_sql(base: str, *, repeats: bool) -> str:
    """What tells a flow or row from all others, and orders it as ``check`` does."""
    if base != "flow":
        return f"named_struct('part', {base}.part, 'row', {base}.row_id)"
    flow = "(endpoint.row_id * 4294967296 + COALESCE(bean.row_id, 0))"
    if not repeats:
        return flow
    rest = ", ".join(f"'{a}', COALESCE({a}.row_id, -1)" for a in FLOW_ALIASES if a not in ("endpoint", "bean"))
    return f"named_struct('flow', {flow}, {rest})"


def alias_structs() -> str:
    """A flow's rows by alias as structs, NULL where nothing joined, and the computed columns of its endpoint."""
    structs: list[str] = []
    for alias, table in ALIASES.items():
        if alias in ("binding", "problem"):
            continue
        computed = alias in CONSUMER_ALIASES
        stored = columns(RELATIONS[table]) if computed else stored_columns(table)
        names = [c.name for c in stored if not (alias == "endpoint" and c.name in COMPUTED)]
        fields = ", ".join(f"'{name}', {alias}.{name}" for name in names)
        there = f"{alias}.queue" if computed else f"{alias}.row_id"
        structs.append(f"CASE WHEN {there} IS NOT NULL THEN named_struct({fields}) END AS `{alias}`")
    return ", ".join(structs + [f"endpoint.{name} AS `{name}`" for name in COMPUTED])


def _cell_sql(base: str) -> str:
    return "endpoint.cell" if base == "flow" else f"{base}.cell"


def _key_sql(base: str, level: str) -> str:
    """The fields of a level's subject, none of them NULL, so that equal hashes mean equal subjects."""
    return ", ".join(f"COALESCE({field}, {_NUL})" for field in _subject_fields(base, level))


def _subject_fields(base: str, level: str) -> list[str]:
    """What ``judge.subject_of`` gives, as SQL."""
    if level == "export":
        detail = "CASE WHEN problem.object <> '' THEN problem.object ELSE problem.text END"
        return _filled(kind="'export'", name="problem.path", cell="problem.cell",
                       queue_manager="problem.queue_manager", detail=detail)  # fmt: skip
    if base == "binding":
        same = {
            name: f"binding.{name}" for name in ("cell", "cluster", "node", "server", "application", "module", "bean")
        }
        return _filled(kind="'bean'", name="binding.bean", **same)
    queue = "CASE WHEN queue.row_id IS NOT NULL THEN queue.name ELSE endpoint.queue END"
    named = level in ("flow", "bean")
    own = _filled(
        kind="endpoint.kind",
        name="endpoint.name",
        cell="endpoint.cell",
        cluster="endpoint.cluster",
        node="endpoint.node",
        server="endpoint.server",
        application="bean.application" if named else "NULL",
        module="bean.module" if named else "NULL",
        bean="bean.name" if named else "NULL",
        queue_manager="endpoint.queue_manager",
        queue=queue,
    )
    manager = "endpoint.queue_manager"
    if level == "queue":
        there = f"endpoint.queue_manager <> '' AND {queue} <> ''"
        return _either(there, _filled(kind="'queue'", name=queue, queue_manager=manager, queue=queue), own)
    if level == "queue_manager":
        return _either(
            "endpoint.queue_manager <> ''", _filled(kind="'queue_manager'", name=manager, queue_manager=manager), own
        )
    if level == "destination":
        bus = _filled(kind="'destination'", name="destination.name", cell="destination.cell", bus="destination.bus")
        return _either("destination.row_id IS NOT NULL", bus, own)
    if level == "server":
        cluster = _filled(kind="'cluster'", name="server.cluster", cell="server.cell", cluster="server.cluster")
        one = _filled(kind="'server'", name="server.name", cell="server.cell", cluster="server.cluster",
                      node="server.node", server="server.name")  # fmt: skip
        either = _either("server.node IS NULL AND server.cluster IS NOT NULL", cluster, one)
        return _either("server.row_id IS NOT NULL", either, own)
    return own


def _filled(**fields: str) -> list[str]:
    return [fields.get(name, "NULL") for name in _FIELDS]


def _either(condition: str, yes: Sequence[str], no: Sequence[str]) -> list[str]:
    return [a if a == b else f"CASE WHEN {condition} THEN {a} ELSE {b} END" for a, b in zip(yes, no, strict=True)]


def _verdict(number: int) -> str:
    """A rule's Verdict as a number, from its two conditions (as ``engine.sql.verdict_sql``)."""
    return (
        f"CASE WHEN w{number} THEN CASE WHEN h{number} THEN 3 WHEN NOT h{number} THEN 1 ELSE 2 END "
        f"WHEN NOT w{number} THEN 0 WHEN NOT h{number} THEN 1 ELSE 2 END"
    )


def _chosen(spark: SparkSession, base: str, rules: Sequence[Rule]) -> DataFrame:
    parts: list[str] = []
    for start in range(0, len(rules), CHUNK):
        entries = [
            f"{number}, {rules[number].subject}_1, {rules[number].subject}_2, {_verdict(number)}"
            for number in range(start, min(start + CHUNK, len(rules)))
        ]
        parts.append(
            f"SELECT first, stack({len(entries)}, {', '.join(entries)}) AS (rule, a, b, verdict) FROM judged_{base}"
        )
    if not parts:
        return spark.sql(
            f"SELECT 0 AS rule, 0 AS verdict, first, CAST(0 AS BIGINT) AS flows FROM judged_{base} WHERE FALSE"
        )
    return spark.sql(
        f"""
        SELECT rule, CASE WHEN hazard IS NULL THEN {UNDECIDED} ELSE {HAZARD} END AS verdict,
               COALESCE(hazard, undecided) AS first, flows
        FROM (
            SELECT rule, MIN(CASE WHEN verdict = {HAZARD} THEN first END) AS hazard,
                   MIN(CASE WHEN verdict = {UNDECIDED} THEN first END) AS undecided,
                   COUNT(CASE WHEN verdict = {HAZARD} THEN 1 END) AS flows
            FROM ({" UNION ALL ".join(parts)})
            WHERE verdict >= {UNDECIDED}
            GROUP BY rule, a, b
        )
        """
    )


def _clear(spark: SparkSession, base: str, rules: Sequence[Rule], levels: Sequence[str]) -> DataFrame:
    parts: list[str] = []
    for level in levels:
        numbers = [number for number, rule in enumerate(rules) if rule.subject == level]
        strongest = ", ".join(f"MAX({_verdict(number)}) AS v{number}" for number in numbers)
        sums = ", ".join(f"SUM(CASE WHEN v{number} = 1 THEN 1 ELSE 0 END) AS s{number}" for number in numbers)
        entries = ", ".join(f"'{rules[number].id}', s{number}" for number in numbers)
        parts.append(
            f"""
            SELECT cell, stack({len(numbers)}, {entries}) AS (rule, clear) FROM (
                SELECT cell, {sums} FROM (
                    SELECT MIN_BY(cell, first) AS cell, {strongest}
                    FROM judged_{base} GROUP BY {level}_1, {level}_2
                ) GROUP BY cell
            )
            """
        )
    if not parts:
        return spark.sql("SELECT CAST('' AS STRING) AS cell, '' AS rule, CAST(0 AS BIGINT) AS clear WHERE FALSE")
    return spark.sql(" UNION ALL ".join(parts))
