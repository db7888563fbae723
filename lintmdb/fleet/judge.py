"""Judging in Spark SQL: the same join and the same conditions as ``check``, with no Python a row.

A flow has one number, its place in the order of ``check``; so the first flow that shows a verdict is a minimum. Where
the join finds several rows for one endpoint and bean (a cell exported twice with other values) the order is a struct.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from lintmdb.engine.conditions import VOCABULARY
from lintmdb.engine.findings import Subject
from lintmdb.engine.grammar import largest_of
from lintmdb.engine.rows import COMPUTED
from lintmdb.engine.rules import Rule
from lintmdb.engine.sql import CONSUMER_ALIASES, FLOW_ALIASES, join_sql
from lintmdb.errors import RuleError
from lintmdb.fleet.facts import stored_columns
from lintmdb.model import ALIASES, RELATIONS, columns

_RULES_A_WORD = 21
"""Three bits each in a positive integer of 64 bits; of many more the generated methods are too long to be compiled."""
HAZARD, UNDECIDED = 3, 2
_TYPES = {"text": "STRING", "integer": "BIGINT", "boolean": "BOOLEAN"}
_NUL = "'\\u0000'"
_FIELDS = Subject._fields
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
    """One row a flow or row."""


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
    conditions = [f"({c.spark}) AS c{i}{j}" for i, r in enumerate(rules) for j, c in enumerate((r.when, r.hazard))]
    rows = " UNION ALL ".join(f"SELECT {_extreme(values)}" for values in _EXTREMES)
    spark.sql(f"SELECT {', '.join(conditions)} FROM ({rows})").collect()


_EXTREMES = (
    {"text": "NULL", "integer": "NULL", "boolean": "NULL"},
    {"text": "''", "integer": "0", "boolean": "FALSE"},
    {"text": "'A'", "integer": "", "boolean": "TRUE"},
    {"text": "'A'", "integer": "-1", "boolean": "TRUE"},
)
"""Values by type; in place of the blank stands the largest number that a column holds."""


def _extreme(values: Mapping[str, str]) -> str:
    return ", ".join(
        "named_struct("
        + ", ".join(
            f"'{c.name}', CAST({values[c.type] or largest_of(c)} AS {_TYPES[c.type]})" for c in vocabulary.values()
        )
        + f") AS `{alias}`"
        for alias, vocabulary in VOCABULARY.items()
    )


def judge(spark: SparkSession, base: str, rules: Sequence[Rule], scratch: Path, *, repeats: bool) -> Verdicts:
    """The verdicts of the rules of one base over the views of ``make_views``; ``scratch`` is needed while they are.

    Each flow has a few integers that hold the verdicts of all rules, three bits a rule and one of them set: the
    verdicts of many flows on one subject are then their bitwise OR.
    """
    chosen = [rule for rule in rules if rule.base == base]
    levels = _levels(chosen)
    parts = [
        f"{first_sql(base, repeats=repeats)} AS first",
        f"{_cell_sql(base)} AS cell",
        f"xxhash64({_cell_sql(base)}) AS cell_key",
    ]
    for level in levels:
        parts += [f"xxhash64({half}, {_key_sql(base, level.name)}) AS {level.name}_{half}" for half in (1, 2)]
        parts += [f"{_word_sql(chosen, numbers)} AS {level.name}_w{place}" for place, numbers in enumerate(level.words)]
    judged = _kept(
        spark,
        f"SELECT {_HINT if base == 'flow' else ''} {', '.join(parts)} {source_sql(base)}",
        f"judged_{base}",
        scratch,
    )
    if not levels:
        chosen_rows = spark.sql(
            f"SELECT 0 AS rule, 0 AS verdict, first, CAST(0 AS BIGINT) AS flows FROM judged_{base} WHERE FALSE"
        )
        clear = spark.sql("SELECT CAST('' AS STRING) AS cell, '' AS rule, CAST(0 AS BIGINT) AS clear WHERE FALSE")
        return Verdicts(base, chosen, chosen_rows, clear, judged)
    _kept(spark, _subjects_sql(base, levels), f"subjects_{base}", scratch)
    clear = spark.sql(_clear_sql(base, chosen, levels))
    return Verdicts(base, chosen, spark.sql(_chosen_sql(base, levels)), clear, judged)


_HINT = "/*+ SHUFFLE_HASH(consumers, backout_consumers) */"
"""Rows that are together already are joined without sorting them."""


def _kept(spark: SparkSession, query: str, name: str, scratch: Path) -> DataFrame:
    """The rows of a query as a table and a view: used several times, worked out once, and planned once too."""
    place = str(scratch / name)
    spark.sql(query).write.option("compression", "lz4_raw").parquet(place)
    table = spark.read.parquet(place)
    table.createOrReplaceTempView(name)
    return table


@dataclass(frozen=True, slots=True)
class _Level:
    """One kind of subject, and the places of its rules, word by word."""

    name: str
    words: Sequence[Sequence[int]]


def _levels(rules: Sequence[Rule]) -> list[_Level]:
    levels: list[_Level] = []
    for name in sorted({rule.subject for rule in rules}):
        numbers = [number for number, rule in enumerate(rules) if rule.subject == name]
        words = [numbers[start : start + _RULES_A_WORD] for start in range(0, len(numbers), _RULES_A_WORD)]
        levels.append(_Level(name, words))
    return levels


_VERDICT_BITS = 1 << 16 | 4 << 20 | 2 << 24 | 1 << 32 | 2 << 36 | 2 << 40
"""A hexadecimal digit for each pair of conditions, ``when`` times 4 and ``hazard``, each 0, 1 or, unknown, 2."""


def _word_sql(rules: Sequence[Rule], numbers: Sequence[int]) -> str:
    """The verdicts of some rules in one integer, the first in its lowest bits."""
    bits = (f"shiftleft(CAST({bit_sql(rules[n])} AS BIGINT), {3 * place})" for place, n in enumerate(numbers))
    return f"({' | '.join(bits)})"


def bit_sql(rule: Rule) -> str:
    """1, 2 or 4 for CLEAR, UNDECIDED or HAZARD, 0 where the rule does not apply.

    Each condition stands in it once: what a text repeats, the generated code repeats.
    """
    when, hazard = (f"COALESCE(CAST(({c.spark}) AS INT), 2)" for c in (rule.when, rule.hazard))
    return f"(shiftright({_VERDICT_BITS}L, shiftleft({when}, 4) | shiftleft({hazard}, 2)) & 7)"


def source_sql(base: str, *more: str) -> str:
    """FROM and all joins of a base; ``more`` columns of the endpoint are carried through."""
    return join_sql("located_row", *more) if base == "flow" else f"FROM {base}"


def first_sql(base: str, *, repeats: bool) -> str:
    """What tells a flow or row from all others, and orders it as ``check`` does."""
    if base != "flow":
        return f"named_struct('part', {base}.part, 'row', {base}.row_id)"
    flow = "(endpoint.row_id * 4294967296 + COALESCE(bean.row_id, 0))"
    if not repeats:
        return flow
    rest = ", ".join(f"'{a}', COALESCE({a}.row_id, -1)" for a in FLOW_ALIASES if a not in ("endpoint", "bean"))
    return f"named_struct('flow', {flow}, 'located', COALESCE(endpoint.located_row, -1), {rest})"


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


def _flat(columns: Sequence[Sequence[str]], names: str, table: str) -> str:
    """Columns as rows."""
    values = ", ".join(value for row in columns for value in row)
    return f"stack({len(columns)}, {values}) AS ({names}) FROM {table}"


def _width(levels: Sequence[_Level]) -> int:
    return max(len(level.words) for level in levels)


def _by_level_sql(base: str, levels: Sequence[_Level]) -> str:
    """For each row and level to which a rule applies: first, cell_key, level, the subject's key (a, b), its words."""
    width = _width(levels)
    rows: list[list[str]] = []
    for place, level in enumerate(levels):
        words = [f"{level.name}_w{word}" if word < len(level.words) else "0L" for word in range(width)]
        rows.append([str(place), f"{level.name}_1", f"{level.name}_2", *words])
    names = ["level", "a", "b", *(f"v{word}" for word in range(width))]
    flat = _flat(rows, ", ".join(names), f"judged_{base}")
    return f"SELECT * FROM (SELECT first, cell_key, {flat}) WHERE {' | '.join(names[3:])} <> 0"


def _subjects_sql(base: str, levels: Sequence[_Level]) -> str:
    """One row a subject: its first flow and the key of that one's cell, how many flows it has, whether all agree."""
    words = range(_width(levels))
    strongest = ", ".join(f"BIT_OR(v{word}) AS v{word}" for word in words)
    same = " AND ".join(f"BIT_OR(v{word}) = BIT_AND(v{word})" for word in words)
    return (
        f"SELECT level, a, b, MIN(first) AS first, MIN_BY(cell_key, first) AS cell_key, COUNT(*) AS flows, "
        f"{strongest}, {same} AS same FROM ({_by_level_sql(base, levels)}) GROUP BY level, a, b"
    )


def _chosen_sql(base: str, levels: Sequence[_Level]) -> str:
    """The hazards and undecided verdicts of subjects.

    Where all flows of a subject have the same verdicts, as nearly always, the subject tells all; else they are asked.
    """
    alike = _by_rule_sql(levels, f"SELECT * FROM subjects_{base} WHERE same")
    mixed = _by_rule_sql(
        levels,
        f"""
        SELECT one.*, 1L AS flows FROM ({_by_level_sql(base, levels)}) AS one
        LEFT SEMI JOIN (SELECT level, a, b FROM subjects_{base} WHERE NOT same) AS several
        ON one.level = several.level AND one.a = several.a AND one.b = several.b
        """,
    )
    return f"""
        SELECT rule, CASE WHEN bits >= 4 THEN {HAZARD} ELSE {UNDECIDED} END AS verdict, first,
               CASE WHEN bits >= 4 THEN flows ELSE 0L END AS flows
        FROM ({alike})
        UNION ALL
        SELECT rule, CASE WHEN hazard IS NULL THEN {UNDECIDED} ELSE {HAZARD} END AS verdict,
               COALESCE(hazard, undecided) AS first, flows
        FROM (
            SELECT rule, MIN(CASE WHEN bits >= 4 THEN first END) AS hazard,
                   MIN(CASE WHEN bits < 4 THEN first END) AS undecided,
                   COUNT(CASE WHEN bits >= 4 THEN 1 END) AS flows
            FROM ({mixed})
            GROUP BY rule, a, b
        )
        """


def _by_rule_sql(levels: Sequence[_Level], table: str) -> str:
    """Words unpivoted to one row a rule whose verdict is UNDECIDED or HAZARD."""
    parts: list[str] = []
    for place, level in enumerate(levels):
        for word, numbers in enumerate(level.words):
            entries = [[str(n), f"shiftright(v{word}, {3 * bit}) & 7"] for bit, n in enumerate(numbers)]
            some = " | ".join(f"{6 << 3 * bit}L" for bit in range(len(numbers)))
            parts.append(
                f"SELECT first, flows, a, b, {_flat(entries, 'rule, bits', f'({table})')} "
                f"WHERE level = {place} AND v{word} & ({some}) <> 0"
            )
    return f"SELECT * FROM ({' UNION ALL '.join(parts)}) WHERE bits > 1"


def _clear_sql(base: str, rules: Sequence[Rule], levels: Sequence[_Level]) -> str:
    words = ", ".join(f"v{word}" for word in range(_width(levels)))
    # Numbers are aggregated by hashing, texts by sorting; so cells get their names at the end.
    keys = f"level, cell_key, {words}"
    patterns = f"(SELECT {keys}, COUNT(*) AS subjects FROM subjects_{base} GROUP BY {keys})"
    cells = f"(SELECT DISTINCT cell_key, cell FROM judged_{base})"
    parts: list[str] = []
    for place, level in enumerate(levels):
        for word, numbers in enumerate(level.words):
            entries = [
                [f"'{rules[n].id}'", f"CASE WHEN shiftright(v{word}, {3 * bit}) & 7 = 1 THEN subjects END"]
                for bit, n in enumerate(numbers)
            ]
            parts.append(f"SELECT cell_key, {_flat(entries, 'rule, clear', patterns)} WHERE level = {place}")
    sums = f"SELECT cell_key, rule, SUM(clear) AS clear FROM ({' UNION ALL '.join(parts)}) WHERE clear > 0 GROUP BY ALL"
    return (
        f"SELECT cell, rule, clear FROM ({sums}) AS sums INNER JOIN {cells} AS cells ON sums.cell_key = cells.cell_key"
    )
