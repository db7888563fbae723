"""SQLite, Spark and DuckDB judge alike: random conditions and all built-in rules, on random rows with gaps."""

from __future__ import annotations

import random
import re
import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lintmdb.engine.flow_join import join_parts, repeated_texts
from lintmdb.engine.flow_rows import COMPUTED
from lintmdb.errors import RuleError
from lintmdb.model.relations import ALIASES, RELATIONS, columns
from lintmdb.rules.conditions import VOCABULARY, check_condition
from lintmdb.rules.grammar import largest_value
from lintmdb.rules.rule import Rule
from lintmdb.rules.verdicts import Verdict, verdict_sql
from tests.support.command import Run
from tests.support.scenario import RULES
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.arrow import pa
from lintmdb.fleet.database import arrow_table, connect
from lintmdb.fleet.judging.columnar import judge as columnar
from lintmdb.fleet.judging.judge import bit_sql
from lintmdb.fleet.judging.narrow import JOINED
from lintmdb.fleet.session import audit_session
from lintmdb.fleet.spark_frames import to_frame
from tests.support.condition_texts import accepted, damaged, pairs, random_rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Rows = Sequence[dict[str, dict[str, Any]]]
_BITS = {0: Verdict.NOT_APPLICABLE, 1: Verdict.CLEAR, 2: Verdict.UNDECIDED, 4: Verdict.HAZARD}
_ARROW = {"text": pa.string(), "integer": pa.int64(), "boolean": pa.bool_()}
_A_QUERY = 60
"""Rules judged in one query; of more Spark's generated code is slow to compile."""


def _by_sqlite(rules: Sequence[Rule], rows: Rows) -> list[list[int]]:
    """For each rule, its verdict on each row."""
    connection = sqlite3.connect(":memory:")
    connection.execute("PRAGMA case_sensitive_like = TRUE")
    for alias, vocabulary in VOCABULARY.items():
        kinds = (f'"{c.name}" {"TEXT" if c.type == "text" else "INTEGER"}' for c in vocabulary.values())
        connection.execute(f'CREATE TABLE "{alias}" (row_id INTEGER PRIMARY KEY, {", ".join(kinds)})')
        marks = ", ".join("?" * (len(vocabulary) + 1))
        connection.executemany(
            f'INSERT INTO "{alias}" VALUES ({marks})',
            [(number, *row[alias].values()) for number, row in enumerate(rows)],
        )
    joined = " ".join(f'JOIN "{alias}" USING (row_id)' for alias in VOCABULARY if alias != "endpoint")
    verdicts: list[list[int]] = []
    for rule in rules:
        query = f"SELECT {verdict_sql(rule.when.sqlite, rule.hazard.sqlite)} FROM endpoint {joined} ORDER BY row_id"
        verdicts.append([verdict for (verdict,) in connection.execute(query)])
    connection.close()
    return verdicts


def _as_structs(rows: Rows) -> Any:
    """The rows as a table with one struct an alias."""
    structs = ((alias, [(c.name, _ARROW[c.type]) for c in names.values()]) for alias, names in VOCABULARY.items())
    return pa.Table.from_pylist(list(rows), pa.schema([(alias, pa.struct(fields)) for alias, fields in structs]))


def _by_duckdb(rules: Sequence[Rule], rows: Rows) -> list[list[int]]:
    connection = connect()
    connection.register("random_rows", _as_structs(rows))
    columns = ", ".join(f"{columnar.bit_sql(rule)} AS v{number}" for number, rule in enumerate(rules))
    table: Any = arrow_table(connection, f"SELECT {columns} FROM random_rows")
    connection.close()
    return [[int(_BITS[bit]) for bit in column.to_pylist()] for column in table.columns]


def _by_spark(spark: SparkSession, rules: Sequence[Rule], rows: Rows) -> list[list[int]]:
    own = audit_session(spark)
    to_frame(own, _as_structs(rows)).coalesce(1).createOrReplaceTempView("random_rows")
    verdicts: list[list[int]] = []
    for start in range(0, len(rules), _A_QUERY):
        chunk = rules[start : start + _A_QUERY]
        columns = ", ".join(f"{bit_sql(rule)} AS v{number}" for number, rule in enumerate(chunk))
        told: Any = own.sql(f"SELECT {columns} FROM random_rows")
        verdicts += [[int(_BITS[bit]) for bit in column.to_pylist()] for column in told.toArrow().columns]
    return verdicts


def _compare(spark: SparkSession, rules: Sequence[Rule], rows: Rows) -> Counter[int]:
    """How often each verdict was given, the same by all."""
    sqlite, by_spark, by_duckdb = _by_sqlite(rules, rows), _by_spark(spark, rules, rows), _by_duckdb(rules, rows)
    different = [
        (rule.when.text, rule.hazard.text, [Verdict(verdict).name for verdict in verdicts], _seen(rule, rows[place]))
        for rule, *columns in zip(rules, sqlite, by_spark, by_duckdb, strict=True)
        for place, verdicts in enumerate(zip(*columns, strict=True))
        if len(set(verdicts)) > 1
    ]
    assert different == []
    return Counter(verdict for column in sqlite for verdict in column)


def _seen(rule: Rule, row: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {name: row[name.partition(".")[0]][name.partition(".")[2]] for name in rule.columns}


def _rule(when: str, hazard: str) -> Rule:
    one, two = check_condition(when), check_condition(hazard)
    return replace(RULES[0], when=one, hazard=two, columns=tuple(dict.fromkeys((*two.columns, *one.columns))))


def _drawn(strategy: st.SearchStrategy[Any], examples: int) -> list[Any]:
    """So many draws of a strategy, together: Spark takes its time over a query."""
    found: list[Any] = []

    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.large_base_example],
    )
    @given(strategy)
    def gather(value: Any) -> None:
        found.append(value)

    gather()
    return found


def test_random_conditions(spark: SparkSession) -> None:
    """Any condition that the language takes has the same verdicts, whatever the rows hold."""
    drawn: list[tuple[str, str]] = [pair for pair in _drawn(pairs(), 300) if accepted(pair[0]) and accepted(pair[1])]
    texts = sorted({text for pair in drawn for text in pair})
    changed: list[str] = [text for text in _drawn(damaged(texts), 400) if accepted(text)]
    assert len(drawn) > 150
    assert len(changed) > 15
    rules = [_rule(*pair) for pair in drawn] + [_rule("TRUE", text) for text in changed]
    seed = random.randrange(10**6)
    counts = _compare(spark, rules, random_rows(60, random.Random(seed)))
    assert min(counts[verdict] for verdict in Verdict) > 100, counts


def test_built_in_rules(spark: SparkSession) -> None:
    """Every built-in rule has the same verdicts on random rows, and each verdict occurs."""
    counts = _compare(spark, RULES, random_rows(500, random.Random()))
    assert min(counts[verdict] for verdict in Verdict) > 1000, counts


def test_built_in_rules_fit_the_grammar() -> None:
    """What is left out when they are loaded, to save time, is checked here."""
    for rule in RULES:
        for condition in (rule.when, rule.hazard):
            assert check_condition(condition.text, rule.path) == condition


def test_every_column_can_be_read(spark: SparkSession) -> None:
    """No name of a column is a key word to either engine, and its largest values are no harm."""
    rules = [
        _rule("TRUE", f"{alias}.{c.name} IN ({_literal(c.type, largest_value(c))}, {alias}.{c.name})")
        for alias, vocabulary in VOCABULARY.items()
        for c in vocabulary.values()
        if not c.values
    ]
    assert _compare(spark, rules, random_rows(4, random.Random(1)))[Verdict.HAZARD] > 100


def _literal(kind: str, largest: int) -> str:
    return {"text": "'A'", "integer": str(largest), "boolean": "TRUE"}[kind]


KEPT = [
    "queue.name = 'A  B'",
    "queue.name <> '${env:HOME}'",
    "queue.backout_threshold + 2147483647 > 2147483647 + 1",
    "2147483647 * 2147483647 > queue.backout_threshold * 3",
    "endpoint.max_sessions * queue.backout_threshold > 5",
    "- 9223372036854775807 < queue.backout_threshold",
    "queue.name LIKE 'A!%%' ESCAPE '!'",
    "endpoint.stop_on_failure = (queue.name < 'B')",
    "queue.name LIKE '_'",
    "(" * 40 + "queue.name = 'A'" + ")" * 40,
    " OR ".join(f"queue.backout_threshold = {number}" for number in range(150)),
]


def test_conditions_that_were_read_differently(spark: SparkSession) -> None:
    """What once gave two answers gives one."""
    _compare(spark, [_rule("TRUE", text) for text in KEPT], random_rows(60, random.Random(2)))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("endpoint.max_sessions", "this is a number, and must be true or false"),
        ("NOT queue.backout_threshold", "must be true or false"),
        ("1 = 2 < 3 AND queue.name <> ''", "compare two things at a time"),
        ("TRUE <> FALSE > endpoint.stop_on_failure", "compare two things at a time"),
        ("endpoint.stop_on_failure + 1 = 2", "this is true or false, and must be a number"),
        ("endpoint.stop_on_failure = queue.backout_threshold", "must be true or false"),
        ("queue.name + 1 > 0", "this is a text, and must be a number"),
        ("5 = queue.name", "this is a text, and must be a number"),
        ("queue.name = queue.backout_threshold", "this is a number, and must be a text"),
        ("queue.backout_threshold IN (1, queue.name)", "this is a text"),
        ("queue.backout_threshold BETWEEN 'a' AND 'b'", "this is a text"),
        ("queue.backout_threshold IN ()", ") is not expected here"),
        ("(queue.backout_threshold, 1) = (3, 1)", ") is missing"),
        ("'A' 'B' = queue.name", "this is a text"),
        ("queue.name LIKE queue.backout_queue", "LIKE needs a text in quotes"),
        ("queue.name LIKE 'A!' ESCAPE '!'", "escapes neither"),
        ("queue.name LIKE 'A' ESCAPE 'xx'", "does not escape"),
        ("queue.name LIKE 'A' ESCAPE '%'", "does not escape"),
        ("queue.name NOT 'A'", "write NOT in front of the comparison"),
        ("queue.name =", "is incomplete"),
        ("queue.name BETWEEN 'A' OR 'B'", "AND is missing"),
        ("queue.backout_threshold < 9223372036854775808", "exceed 64 bits"),
        ("bean.on_message_ms * queue.backout_threshold > 5", "exceed 64 bits"),
        ("queue.backout_threshold - - 9223372036854775807 > 0", "exceed 64 bits"),
        # Spark multiplies by the number last.
        ("0 * bean.on_message_ms * queue.backout_threshold > 5", "exceed 64 bits"),
        ("(" * 41 + "queue.name = 'A'" + ")" * 41, "deeper than 40 levels"),
        ("NOT " * 41 + "queue.name = 'A'", "deeper than 40 levels"),
    ],
)
def test_what_cannot_agree_is_refused(text: str, says: str) -> None:
    """What SQLite and Spark take in different senses, or only one of them takes, has a message of its own."""
    with pytest.raises(RuleError) as caught:
        check_condition(text, "rule.yaml", 3)
    assert says in str(caught.value)
    assert "rule.yaml:3:" in str(caught.value)


def test_check_refuses_what_the_fleet_could_not_judge(lintmdb: Run, tmp_path: Path) -> None:
    """A rule is refused when it is written, and not when somebody audits a fleet by it."""
    lintmdb("rules", "new", "truth-of-a-number", "--dir", tmp_path)
    file = tmp_path / "truth-of-a-number.yaml"
    file.write_text(file.read_text().replace("hazard: queue.backout_threshold > 5", "hazard: queue.backout_threshold"))
    result = lintmdb("rules", "check", tmp_path)
    assert result.returncode == 2
    assert "this is a number, and must be true or false" in result.stderr


_OF_ENDPOINTS = (
    "stored",
    "counted",
    "sized",
    "needing",
    "named",
    "summed",
    "sharing",
    "addressed",
    "consumer",
    "endpoint",
)
"""Aliases of subqueries whose rows are those of endpoints."""


def test_spark_keeps_exactly_the_columns_that_the_join_reads() -> None:
    """A narrow row has every column that flow.sql reads apart from its packed one, and no other."""
    parts = [*join_parts().values(), *repeated_texts().values()]
    text = re.sub(r"\bbean: *(\w+)", r"bean.\1", "\n".join(parts))
    placed = re.findall(r"\{table:(\w+)\} AS (\w+)", text)
    aliases = {alias: ALIASES[table].relation if table in ALIASES else table for table, alias in placed}
    aliases |= dict.fromkeys(_OF_ENDPOINTS, "endpoint")
    aliases["in_circle"] = "queue"
    named = {(aliases[alias], column) for alias, column in re.findall(r"(\w+)\.(\w+)", text) if alias in aliases}
    named |= {(aliases[alias], "queue_manager") for alias in re.findall(r"\{manager:(\w+)\}", text)}
    stored = {(relation, column.name) for relation in JOINED for column in columns(RELATIONS[relation])}
    stored -= {("endpoint", name) for name in COMPUTED if name != "user"}  # the computed user starts from a stored one
    assert named & stored == {(relation, name) for relation, names in JOINED.items() for name in names}
