"""Judges in Spark SQL: the same join and the same conditions as ``check``, and no Python per row.

A flow has one number, its place in the order of ``check``; so the first flow that shows a verdict is a minimum. Where
the join finds several rows for one endpoint and bean (a cell exported twice with other values) the order is a struct.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from lintmdb.engine.flow_join import join_parts
from lintmdb.engine.flow_rows import COMPUTED
from lintmdb.engine.tables import CONSUMER_ALIASES, FLOW_ALIASES
from lintmdb.errors import RuleError
from lintmdb.fleet.arrow import parquet
from lintmdb.fleet.errors import short_reason
from lintmdb.fleet.facts.views import BROADCAST_ROWS
from lintmdb.fleet.judging.narrow import FLEET, Endpoints, key_sql, narrow_flows
from lintmdb.fleet.session import interpreted, planned_once
from lintmdb.rules.conditions import VOCABULARY
from lintmdb.rules.grammar import largest_value
from lintmdb.rules.rule import Rule
from lintmdb.run.all_queues import READER_COLUMNS

_RULES_A_WORD = 21
"""Three bits per rule fit into a positive 64-bit integer. Many more rules in one expression would make the generated
methods too long for the JVM to compile."""
HAZARD, UNDECIDED = 3, 2
_TYPES = {"text": "STRING", "integer": "BIGINT", "boolean": "BOOLEAN"}
_BASES = ("flow", "binding", "problem")


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdicts of one base."""

    base: str
    endpoints: Endpoints
    rules: Sequence[Rule]
    chosen: DataFrame
    """rule (place in ``rules``), verdict, first (the flow or row that shows it first), flows (how many share it)."""
    clear: DataFrame
    """cell, environment, rule, clear: rule and subject pairs whose strongest verdict is clear."""
    judged: DataFrame
    """One row a flow or row; with ``first`` and, of a flow, what ``shown_columns`` says."""
    telling: str
    """A condition of ``judged``: only where it holds can a row be the first that shows a verdict of ``chosen``."""
    rows: int
    """How many these are."""


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
                raise RuleError(
                    f"{rule.id} cannot be judged by Spark: {short_reason(error)}",
                    path=rule.path,
                    next_step="Write it so that no value of its columns overflows",
                ) from None
        raise


def _try(spark: SparkSession, rules: Sequence[Rule]) -> None:
    conditions = [f"({c.spark}) AS c{i}{j}" for i, r in enumerate(rules) for j, c in enumerate((r.when, r.hazard))]
    rows = " UNION ALL ".join(f"SELECT {_extreme(values)}" for values in _EXTREMES)
    with interpreted(spark):
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
            f"'{c.name}', CAST({values[c.type] or largest_value(c)} AS {_TYPES[c.type]})" for c in vocabulary.values()
        )
        + f") AS `{alias}`"
        for alias, vocabulary in VOCABULARY.items()
    )


def judge(
    spark: SparkSession,
    base: str,
    rules: Sequence[Rule],
    scratch: Path,
    *,
    repeats: bool,
    endpoints: Endpoints = FLEET,
    only: Mapping[str, str] | None = None,
) -> Verdicts:
    """The verdicts of the rules of one base over the views of ``make_views``; ``scratch`` is needed while they are.

    Each flow has a few integers that hold the verdicts of all rules, three bits a rule and one of them set: the
    verdicts of many flows on one subject are then their bitwise OR. ``only`` gives, by level, a condition of the flows
    that rules about such subjects are judged on.
    """
    chosen = [rule for rule in rules if rule.base == base]
    levels = _levels(chosen, single=base == "flow" and not repeats)
    name = endpoints.name if base == "flow" else base
    parts = [
        f"{first_sql(base, repeats=repeats)} AS first",
        f"{_apart(f'xxhash64({_cell_sql(base)})')} AS cell_key",
    ]
    if any(level.alone == _LONE for level in levels):
        parts.append(f"endpoint.beans <= 1 AS {_LONE}")
    for level in levels:
        if level.alone != _ALWAYS:
            parts += [f"{_key_sql(base, level.name, half, repeats=repeats)} AS {level.name}_{half}" for half in (1, 2)]
        condition = (only or {}).get(level.name)
        for place, numbers in enumerate(level.words):
            word = _word_sql(chosen, numbers)
            parts.append(f"{f'IF({condition}, {word}, 0L)' if condition else word} AS {level.name}_w{place}")
    source = f"FROM {base}"
    if base == "flow":
        wanted = {column for rule in chosen for column in (*rule.when.columns, *rule.hazard.columns)}
        wanted |= {*_SUBJECT_COLUMNS, *READER_COLUMNS}  # the views of FLEET serve unread queues, too
        counted = _counted(chosen)
        source = narrow_flows(spark, wanted, counted, endpoints, repeats=repeats)
        parts += _shown_sql(counted)
    with planned_once(spark):
        judged = _kept(spark, f"SELECT {', '.join(parts)} {source}", f"judged_{name}", scratch)
        count = count_kept(scratch / f"judged_{name}")
        if not levels:
            chosen_rows = spark.sql(
                f"SELECT 0 AS rule, 0 AS verdict, first, CAST(0 AS BIGINT) AS flows FROM judged_{name} WHERE FALSE"
            )
            nothing = "CAST('' AS STRING) AS cell, CAST('' AS STRING) AS environment, '' AS rule"
            clear = spark.sql(f"SELECT {nothing}, CAST(0 AS BIGINT) AS clear WHERE FALSE")
            return Verdicts(base, endpoints, chosen, chosen_rows, clear, judged, "FALSE", count)
        mixed = 0
        if not all(level.alone == _ALWAYS for level in levels):
            _kept(spark, _subjects_sql(name, levels), f"subjects_{name}", scratch, "level", "same")
            mixed = count_kept(scratch / f"subjects_{name}", "level=*/same=0/*.parquet")
        if mixed:
            hint = "BROADCAST" if mixed <= BROADCAST_ROWS else "SHUFFLE_HASH"
            _kept(spark, _mixed_sql(name, levels, hint), f"mixed_{name}", scratch, "level")
    cells = endpoints.rows if base == "flow" else base
    clear = spark.sql(_clear_sql(name, chosen, levels, cells))
    chosen_rows = spark.sql(_chosen_sql(name, levels, mixed=mixed > 0))
    return Verdicts(base, endpoints, chosen, chosen_rows, clear, judged, _telling_sql(levels), count)


def _counted(rules: Sequence[Rule]) -> list[str]:
    """Those of CONSUMER_ALIASES that some rule reads or names in a text."""
    texts = [repr((rule.columns, rule.message, rule.advice, rule.repairs)) for rule in rules]
    return [alias for alias in CONSUMER_ALIASES if any(f"{alias}." in text for text in texts)]


def shown_columns(judged: DataFrame) -> dict[str, str]:
    """What the rows of ``Verdicts.judged`` hold to present a flow, by the name in ``FlowRows``.

    Of an alias whose rows are stored it is a prefix: two columns, with ``_part`` and ``_row`` behind it, say which row
    of its relation's view it is, by ``part`` and ``row_id``. Of the others it is a column with the value itself.
    """
    stored = {alias: f"row_of_{alias}" for alias in FLOW_ALIASES}
    computed = {name: f"shown_{name}" for name in (*CONSUMER_ALIASES, *COMPUTED)}
    return stored | {name: column for name, column in computed.items() if column in judged.columns}


def _shown_sql(counted: Sequence[str]) -> list[str]:
    """The columns of ``shown_columns``."""
    stored = [
        f"{alias}.{column} AS row_of_{alias}_{short}"
        for alias in FLOW_ALIASES
        for column, short in (("part", "part"), ("row_id", "row"))
    ]
    computed = [f"endpoint.{name} AS shown_{name}" for name in COMPUTED]
    return [*stored, *computed, *(f"{alias} AS shown_{alias}" for alias in counted)]


def _kept(spark: SparkSession, query: str, name: str, scratch: Path, *folders: str) -> DataFrame:
    """Save the rows of a query as a table and a view, so that several uses plan and compute them once.

    Rows that differ in one of ``folders`` lie apart, so that reading those of one value costs no more than these.
    """
    table = keep(spark, spark.sql(query), scratch / name, *folders)
    table.createOrReplaceTempView(name)
    return table


def keep(spark: SparkSession, rows: DataFrame, folder: Path, *folders: str) -> DataFrame:
    """Write rows into a folder, and return them as read from there: whatever is asked of them, Spark plans and computes
    what they come from once. ``count_kept`` counts them.
    """
    # Keys and words hardly repeat, and a dictionary of them only costs time.
    options = {"compression": "lz4_raw", "parquet.enable.dictionary": "false"}
    rows.write.options(**options).partitionBy(*folders).parquet(str(folder))
    return spark.read.schema(rows.schema).parquet(str(folder))  # without rows there is no file to read a schema from


def count_kept(folder: Path, pattern: str = "*.parquet") -> int:
    """How many rows lie in files that Spark has written: they say so themselves, and Spark plans nothing for it."""
    return sum(parquet.read_metadata(file).num_rows for file in folder.glob(pattern))


@dataclass(frozen=True, slots=True)
class _Level:
    """One kind of subject, and the places of its rules, word by word."""

    name: str
    words: Sequence[Sequence[int]]
    alone: str
    """Of what flows each is a subject of its own, which need not be brought together with others."""


_ALWAYS, _LONE = "TRUE", "lone"
_ALONE = {"flow": _ALWAYS, "bean": _ALWAYS, "endpoint": _LONE}
"""Conditions of ``alone`` where each flow has one row: that of an endpoint is lone where no other bean shares it."""


def _levels(rules: Sequence[Rule], *, single: bool) -> list[_Level]:
    levels: list[_Level] = []
    for name in sorted({rule.subject for rule in rules}):
        numbers = [number for number, rule in enumerate(rules) if rule.subject == name]
        words = [numbers[start : start + _RULES_A_WORD] for start in range(0, len(numbers), _RULES_A_WORD)]
        levels.append(_Level(name, words, _ALONE.get(name, "") if single else ""))
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


def first_sql(base: str, *, repeats: bool) -> str:
    """An expression that is unique to a flow or row, and sorts as ``check`` orders them."""
    if base != "flow":
        return f"named_struct('part', {base}.part, 'row', {base}.row_id)"
    flow = "(endpoint.row_id * 4294967296 + COALESCE(bean.row_id, 0))"
    if not repeats:
        return flow
    joined = (a for a in join_parts() if a in FLOW_ALIASES and a not in ("endpoint", "bean"))
    rest = ", ".join(f"'{alias}', COALESCE({alias}.row_id, -1)" for alias in joined)
    return f"named_struct('flow', {flow}, 'located', COALESCE(endpoint.located_row, -1), {rest})"


def _apart(expression: str) -> str:
    """The same value, written so that Spark generates code for its projection apart from the joins below it.

    In one method with the joins, the conditions of all rules would be too long for the JVM to compile.
    """
    return f"zip_with(array({expression}), array({expression}), (value, same) -> value)[0]"


def _cell_sql(base: str) -> str:
    """A cell and its environment, as the arguments of a hash."""
    row = "endpoint" if base == "flow" else base
    return f"{row}.cell, COALESCE({row}.environment, '')"


_SUBJECT_COLUMNS = {f"endpoint.{name}" for name in ("environment", "cell", "queue_manager", "queue", "beans")} | {
    "queue.name"
}
"""What ``_key_sql`` and ``_cell_sql`` read of a flow, and whether an endpoint is lone."""


def _key_sql(base: str, level: str, half: int, *, repeats: bool) -> str:
    """Half of a key of a level's subject: equal for flows whose ``engine.judge.subject_of`` is the same."""
    if base == "problem":
        detail = "CASE WHEN problem.object <> '' THEN problem.object ELSE problem.text END"
        return key_sql(half, "problem.path", "problem.cell", "problem.queue_manager", detail)
    if base == "binding":
        names = ("environment", "cell", "cluster", "node", "server", "application", "module", "bean")
        return key_sql(half, *(f"binding.{name}" for name in names))
    named = "CASE WHEN queue.row_id IS NOT NULL AND endpoint.queue <> '' THEN queue.name ELSE endpoint.queue END"
    queue = "CASE WHEN queue.row_id IS NOT NULL THEN queue.name ELSE endpoint.queue END"
    manager, environment = "endpoint.queue_manager", "endpoint.environment"
    bean = f"bean.key_{half}" if level in ("flow", "bean") else "0L"
    own = f"xxhash64(endpoint.key_{half}, COALESCE({bean}, 0L), {key_sql(half, manager, named)})"
    if not repeats:  # then each endpoint has one row
        own = "endpoint.row_id" if half == 1 else "0L"
    if level == "queue":
        known = key_sql(half, environment, manager, queue)
        return f"CASE WHEN {manager} <> '' AND {queue} <> '' THEN {known} ELSE {own} END"
    if level == "queue_manager":
        return f"CASE WHEN {manager} <> '' THEN {key_sql(half, environment, manager)} ELSE {own} END"
    if level in ("destination", "server"):
        return f"COALESCE({level}.key_{half}, {own})"
    return own


def _flat(columns: Sequence[Sequence[str]], names: str, table: str) -> str:
    """Columns as rows."""
    values = ", ".join(value for row in columns for value in row)
    return f"stack({len(columns)}, {values}) AS ({names}) FROM {table}"


def _width(levels: Sequence[_Level]) -> int:
    return max(len(level.words) for level in levels)


def _by_level_sql(name: str, levels: Sequence[_Level]) -> str:
    """For each row and level to which a rule applies: first, cell_key, level, the subject's key (a, b), its words.

    Rows that are subjects of their own are left out.
    """
    width = _width(levels)
    rows: list[list[str]] = []
    for place, level in enumerate(levels):
        if level.alone == _ALWAYS:
            continue
        words = [f"{level.name}_w{word}" if word < len(level.words) else "0L" for word in range(width)]
        if level.alone:
            words = [f"CASE WHEN {level.alone} THEN 0L ELSE {word} END" for word in words]
        rows.append([str(place), f"{level.name}_1", f"{level.name}_2", *words])
    named = ["level", "a", "b", *(f"v{word}" for word in range(width))]
    flat = _flat(rows, ", ".join(named), f"judged_{name}")
    return f"SELECT * FROM (SELECT first, cell_key, {flat}) WHERE {' | '.join(named[3:])} <> 0"


def _subjects_sql(name: str, levels: Sequence[_Level]) -> str:
    """One row a subject: its first flow and the key of that one's cell, how many flows it has, whether all agree."""
    words = [f"v{word}" for word in range(_width(levels))]
    strongest = ", ".join(f"BIT_OR({word}) AS {word}" for word in words)
    same = " AND ".join(f"BIT_OR({word}) = BIT_AND({word})" for word in words)
    return (
        f"SELECT level, a, b, MIN(first) AS first, MIN_BY(cell_key, first) AS cell_key, COUNT(*) AS flows, "
        f"{strongest}, CAST({same} AS INT) AS same FROM ({_by_level_sql(name, levels)}) GROUP BY level, a, b"
    )


def _subjects_table(name: str, levels: Sequence[_Level], place: int) -> str:
    """A table of the subjects of one level: first, cell_key, flows, same, the key (a, b), the words."""
    level = levels[place]
    tables: list[str] = []
    if level.alone != _ALWAYS:
        words = ", ".join(f"v{word}" for word in range(len(level.words)))
        tables.append(f"SELECT first, cell_key, flows, same, a, b, {words} FROM subjects_{name} WHERE level = {place}")
    if level.alone:
        words = ", ".join(f"{level.name}_w{word} AS v{word}" for word in range(len(level.words)))
        tables.append(
            f"SELECT first, cell_key, 1L AS flows, 1 AS same, 0L AS a, 0L AS b, {words} FROM judged_{name} "
            f"WHERE {level.alone}"
        )
    return f"({' UNION ALL '.join(tables)})"


def _mixed_sql(name: str, levels: Sequence[_Level], hint: str) -> str:
    """The rows by level of those subjects whose flows do not agree."""
    return f"""
        SELECT /*+ {hint}(several) */ one.*, 1L AS flows FROM ({_by_level_sql(name, levels)}) AS one
        LEFT SEMI JOIN (SELECT level, a, b FROM subjects_{name} WHERE same = 0) AS several
        ON one.level = several.level AND one.a = several.a AND one.b = several.b
        """


def _chosen_sql(name: str, levels: Sequence[_Level], *, mixed: bool) -> str:
    """The hazards and undecided verdicts of subjects.

    Where all flows of a subject have the same verdicts, as nearly always, its own row decides; otherwise the flows do.
    """
    same = [f"{_subjects_table(name, levels, place)} WHERE same = 1" for place in range(len(levels))]
    alike = f"""
        SELECT rule, CASE WHEN bits >= 4 THEN {HAZARD} ELSE {UNDECIDED} END AS verdict, first,
               CASE WHEN bits >= 4 THEN flows ELSE 0L END AS flows
        FROM ({_by_rule_sql(levels, same)})
        """
    if not mixed:
        return alike
    return f"""
        {alike}
        UNION ALL
        SELECT rule, CASE WHEN hazard IS NULL THEN {UNDECIDED} ELSE {HAZARD} END AS verdict,
               COALESCE(hazard, undecided) AS first, flows
        FROM (
            SELECT rule, MIN(CASE WHEN bits >= 4 THEN first END) AS hazard,
                   MIN(CASE WHEN bits < 4 THEN first END) AS undecided,
                   COUNT(CASE WHEN bits >= 4 THEN 1 END) AS flows
            FROM ({_by_rule_sql(levels, [f"mixed_{name} WHERE level = {p}" for p in range(len(levels))])})
            GROUP BY rule, a, b
        )
        """


def _some(numbers: Sequence[int]) -> str:
    """A word of rules that are all both UNDECIDED and HAZARD, to find a word in which one is either."""
    return " | ".join(f"{6 << 3 * bit}L" for bit in range(len(numbers)))


def _telling_sql(levels: Sequence[_Level]) -> str:
    words = ((f"{level.name}_w{place}", numbers) for level in levels for place, numbers in enumerate(level.words))
    return " OR ".join(f"{word} & ({_some(numbers)}) <> 0" for word, numbers in words)


def _by_rule_sql(levels: Sequence[_Level], rows: Sequence[str]) -> str:
    """The words in some rows of each level, unpivoted to one row a rule whose verdict is UNDECIDED or HAZARD."""
    parts: list[str] = []
    for level, source in zip(levels, rows, strict=True):
        for word, numbers in enumerate(level.words):
            entries = [[str(n), f"shiftright(v{word}, {3 * bit}) & 7"] for bit, n in enumerate(numbers)]
            flat = _flat(entries, "rule, bits", source)
            parts.append(f"SELECT first, flows, a, b, {flat} AND v{word} & ({_some(numbers)}) <> 0")
    return f"SELECT * FROM ({' UNION ALL '.join(parts)}) WHERE bits > 1"


def _clear_sql(name: str, rules: Sequence[Rule], levels: Sequence[_Level], rows: str) -> str:
    parts: list[str] = []
    for place, level in enumerate(levels):
        words = ", ".join(f"v{word}" for word in range(len(level.words)))
        # Numbers are aggregated by hashing, texts by sorting; so cells get their names at the end.
        patterns = (
            f"(SELECT cell_key, {words}, COUNT(*) AS subjects FROM {_subjects_table(name, levels, place)} "
            f"GROUP BY cell_key, {words})"
        )
        entries = [
            [f"'{rules[n].id}'", f"CASE WHEN shiftright(v{word}, {3 * bit}) & 7 = 1 THEN subjects END"]
            for word, numbers in enumerate(level.words)
            for bit, n in enumerate(numbers)
        ]
        parts.append(f"SELECT cell_key, {_flat(entries, 'rule, clear', patterns)}")
    sums = f"SELECT cell_key, rule, SUM(clear) AS clear FROM ({' UNION ALL '.join(parts)}) WHERE clear > 0 GROUP BY ALL"
    key = "xxhash64(cell, COALESCE(environment, ''))"
    cells = f"(SELECT cell, environment, {key} AS cell_key FROM (SELECT DISTINCT cell, environment FROM {rows}))"
    return (
        f"SELECT cell, environment, rule, clear FROM ({sums}) AS sums "
        f"INNER JOIN {cells} AS cells ON sums.cell_key = cells.cell_key"
    )
