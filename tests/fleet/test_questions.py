"""People's own questions about audits, and the data source of the notebook."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lintmdb.errors import LintmdbError
from lintmdb.model.columns import columns
from lintmdb.model.relations import RELATIONS
from lintmdb.resolve.observations import Observations
from tests.support.project import FIXTURES, ROOT
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.cli.app import app
from lintmdb.fleet import register
from lintmdb.fleet.facts.encoding import STORED
from lintmdb.fleet.questions import as_csv, as_json, as_table, ask, checked, first_rows
from lintmdb.run.estate import read_estate
from tests.support.fleet_history import History

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def run(*arguments: str | Path) -> int:
    """The command line, in this process and its session."""
    return app([str(argument) for argument in ("fleet", *arguments)], standalone_mode=False) or 0


# -- sql


def _answer(spark: SparkSession, history: History, statement: str, limit: int = 100) -> list[list[Any]]:
    return first_rows(ask(spark, history.out, history.new.folder, statement), limit)


def test_questions_see_tables_facts_and_flows(history: History, spark: SparkSession) -> None:
    """Each table and each relation is a view, and in flow a column reads as in a rule."""
    assert _answer(spark, history, "select rule, count(*) from findings group by rule order by rule desc") == [
        ["MDB901", 1],
        ["MDB104", 1],
    ]
    views = ("suppressed", "undecided", "inventory", "quarantine", "summary", *STORED)
    counts = " union all ".join(f"select '{view}', count(*) from {view}" for view in views)
    assert sorted(name for name, _ in _answer(spark, history, counts)) == sorted(views)
    thresholds = (
        "select queue.backout_threshold, count(*) from flow where queue.name = 'ORDERS.IN' group by 1 order by 1;"
    )
    assert _answer(spark, history, thresholds) == [[0, 1], [2, 1]]
    missing = "select count(*) from flow where endpoint.name = 'OrdersAS' and queue.name is null"
    assert _answer(spark, history, missing) == [[1]]
    assert _answer(spark, history, "with q as (select name from queue) select min(name) from q") == [["ORDERS.BACKOUT"]]


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("", "there is no statement"),
        ("drop table findings", "DROP is no question"),
        ("select rul from findings", "SQL, line 1, column 8: .*`rul` cannot be resolved.*`rule`"),
        ("select *\nfrom nowhere", "SQL, line 2, column 6: The table or view `nowhere` cannot be found"),
        ("selec 1", "SQL, line 1, column 7: Syntax error at or near '1'"),
        ("with a as (select 1) insert into findings select * from a", "Syntax error at or near 'insert'"),
        ("from findings insert overwrite table x select *", "Syntax error"),
        ("select transform(rule) using 'rm' from findings", "runs programs"),
        ("select /* x */ Reflect('java.lang.System', 'exit', 1)", "runs programs"),
        ("select `java_method` ('java.lang.System', 'exit', 1)", "runs programs"),
        ("select cast(rule as int) from findings", "SQL: The value 'MDB"),
    ],
)
def test_a_wrong_question_is_one_line(history: History, spark: SparkSession, statement: str, complaint: str) -> None:
    """It says what is wrong and where, and nothing has run that writes or starts a program."""
    with pytest.raises(LintmdbError, match=complaint) as caught:
        _answer(spark, history, statement)
    assert "\n" not in str(caught.value)


def test_words_in_strings_are_no_programs() -> None:
    """What stands in a string, a comment or a name is text."""
    query = "select 'reflect(', \"x using 'y'\" -- reflect(1)\nfrom a join b using (id)"
    assert checked(query + " ; ") == query


def test_the_sql_command(history: History, spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    """As a table, CSV and JSON; a table says when there is more."""
    del spark
    statement = "select rule, cell, flows, subject from findings order by rule"
    assert run("sql", history.out, statement, "--limit", "1") == 0
    told = capsys.readouterr()
    assert told.out.splitlines()[0].split() == ["rule", "cell", "flows", "subject"]
    assert "there are more rows than 1" in told.err
    assert run("sql", history.out, statement, "--format", "csv") == 0
    header, first, *_ = csv.reader(io.StringIO(capsys.readouterr().out))
    assert header == ["rule", "cell", "flows", "subject"]
    assert first[:3] == ["MDB104", "C1_b", "1"]
    assert json.loads(first[3])["queue"] == "ORDERS.IN"
    assert run("sql", history.out, statement, "--format", "json", "--audit", "previous") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["rule"] for row in rows] == ["MDB302"] * 3
    assert rows[0]["subject"]["cell"] == "C1_a"


def test_rows_are_written_plainly() -> None:
    """NULL, truth, nesting and control characters in each of the three forms."""
    rows: list[list[Any]] = [[1, None, "a\x1b[1m"], [20, True, {"x": [1]}]]
    names = ["n", "flag", "value"]
    assert "".join(as_table(names, rows)) == (
        ' n  flag  value\n--  ----  ----------\n 1  .     a\\x1b[1m\n20  true  {"x": [1]}\n'
    )
    assert "".join(as_csv(names, rows)) == 'n,flag,value\n1,,a\x1b[1m\n20,true,"{""x"": [1]}"\n'
    assert json.loads("".join(as_json(names, rows)))[1] == {"n": 20, "flag": True, "value": {"x": [1]}}
    assert "".join(as_json(names, [])) == "[]\n"
    assert "".join(as_table(names, [])).splitlines()[0] == "n  flag  value"


# -- the data source


def test_the_data_source_gives_the_rows_of_check(spark: SparkSession) -> None:
    """Every relation of the estate is what check resolves, unknown values included."""
    register(spark)
    facts = read_estate([FIXTURES / "all-families"], Observations(on_message_ms=15_000)).facts.rows
    for relation in ("endpoint", "bean", "queue", "server", "export"):
        reader = spark.read.format("lintmdb").option("relation", relation).option("onMessage", "15s")
        rows = reader.load(str(FIXTURES / "all-families"))
        names = [column.name for column in columns(RELATIONS[relation])]
        assert rows.columns == names
        expected = [tuple(getattr(row, name) for name in names) for row in facts[relation]]
        assert sorted(repr(tuple(row[name] for name in names)) for row in rows.collect()) == sorted(map(repr, expected))


def test_the_data_source_tells_what_is_wrong(spark: SparkSession, tmp_path: Path) -> None:
    """An unknown relation is named; what cannot be read is a row of problem and stops nothing."""
    register(spark)
    with pytest.raises(Exception, match="Did you mean queue"):
        spark.read.format("lintmdb").option("relation", "queu").load(str(tmp_path))
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 and nothing that follows")
    (tmp_path / "QM1.mqsc").write_text("DEFINE QLOCAL('Q') BOTHRESH(3)\n")
    problems = spark.read.format("lintmdb").option("relation", "problem").load(str(tmp_path)).collect()
    assert {(row["kind"], Path(row["path"]).name) for row in problems} == {
        ("unreadable", "broken.zip"),
        ("guessed_name", "QM1.mqsc"),
    }
    queues = spark.read.format("lintmdb").option("relation", "queue").load([str(tmp_path), str(tmp_path / "QM1.mqsc")])
    assert [row["name"] for row in queues.collect()] == ["Q"]


def test_the_notebook_of_the_docs_runs(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python block of docs/fleet.md runs as it stands, where the fixtures are."""
    (tmp_path / "fixtures").symlink_to(FIXTURES, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "fleet.md").read_text(), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {"spark": spark}
    exec(compile(block, "docs/fleet.md", "exec"), names)
    assert [row["queue"] for row in names["never_moved"].collect()] == ["CLAIMS.AUDIT", "LETTERS.IN", "STOCK.IN"]
