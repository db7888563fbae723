"""People's own questions about audits."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from lintmdb.errors import LintmdbError
from lintmdb.fleet.stored_values import plain_value
from lintmdb.model.columns import columns
from lintmdb.model.relations import ALIASES, RELATIONS
from lintmdb.resolve.observations import Observations
from tests.support.project import FIXTURES, ROOT
from tests.support.scenario import RULES
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.cli.app import app
from lintmdb.engine.judge import judge
from lintmdb.fleet.audit import Request, run_audit
from lintmdb.fleet.facts.encoding import STORED
from lintmdb.fleet.questions import ask
from lintmdb.fleet.row_formats import as_csv, as_json, as_table
from lintmdb.run.estate import read_estate
from tests.support.fleet_history import FEW, History


def run(*arguments: str | Path) -> int:
    """The command line, in this process and its session."""
    return app([str(argument) for argument in ("fleet", *arguments)], standalone_mode=False) or 0


# -- sql


def _answer(history: History, statement: str) -> list[list[Any]]:
    with ask(history.out, history.new.folder, statement) as answer:
        return list(answer.all())


def test_questions_see_tables_facts_and_flows(history: History) -> None:
    """Each table and each relation is a view, and in flow a column reads as in a rule."""
    assert _answer(history, "select rule, count(*) from findings group by rule order by rule desc") == [
        ["MDB901", 1],
        ["MDB104", 1],
    ]
    views = ("suppressed", "undecided", "inventory", "quarantine", "summary", *STORED)
    counts = " union all ".join(f"select '{view}', count(*) from {view}" for view in views)
    assert sorted(name for name, _ in _answer(history, counts)) == sorted(views)
    thresholds = (
        "select queue.backout_threshold, count(*) from flow where queue.name = 'ORDERS.IN' group by 1 order by 1;"
    )
    assert _answer(history, thresholds) == [[0, 1], [2, 1]]
    missing = "select count(*) from flow where endpoint.name = 'OrdersAS' and queue.name is null"
    assert _answer(history, missing) == [[1]]
    assert _answer(history, "with q as (select name from queue) select min(name) from q") == [["ORDERS.BACKOUT"]]


def test_flows_are_those_that_rules_judge(tmp_path: Path) -> None:
    """The view ``flow`` has a row for each flow of check, with all the values that rules see."""
    folder = FIXTURES / "all-families"
    observed = Observations(on_message_ms=15_000)
    audit = run_audit(None, Request([str(folder)], tmp_path, FEW, observed=observed))
    names = [
        f"{alias}.{column.name}"
        for alias, declared in ALIASES.items()
        if not declared.standalone
        for column in columns(RELATIONS[declared.relation])
    ]
    wanted = ", ".join('{}."{}"'.format(*name.split(".")) for name in names)
    with ask(tmp_path, audit.folder, f"select {wanted} from flow") as answer:
        found = sorted(repr(list(row)) for row in answer.all())
    flows = judge(read_estate([folder], observed).facts, FEW).flows
    assert found == sorted(repr([flow.rows.value(name) for name in names]) for flow in flows)


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("", "there is no statement"),
        (" -- nothing\n;", "there is no statement"),
        ("drop table findings", "DROP is no question"),
        ("set threads = 1", "SET is no question"),
        ("select 1; select 2", "several statements"),
        ("select rul from findings", 'SQL, line 1, column 8: .*"rul" not found.*"rule"'),
        ("select *\nfrom nowhere", "SQL, line 2, column 6: Table with name nowhere does not exist"),
        ("selec 1", 'SQL, line 1, column 1: syntax error at or near "selec"'),
        ("with a as (select 1) insert into findings select * from a", "INSERT is no question"),
        ("select 1) ; drop view findings; select (2", "syntax error"),
        ("copy findings to '{folder}/copy.csv'", "COPY is no question"),
        ("select * from read_csv('{folder}/secret.csv')", "Cannot access file"),
        ("select * from '{folder}/secret.csv'", "Cannot access file|does not exist|disabled"),
        ("select cast(rule as int) from findings", "SQL, line 1, column 8: Could not convert string 'MDB"),
    ],
)
def test_a_wrong_question_is_one_line(history: History, tmp_path: Path, statement: str, complaint: str) -> None:
    """It says what is wrong and where, and nothing has run that writes, or reads what is no part of the audits."""
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    with pytest.raises(LintmdbError, match=complaint) as caught:
        _answer(history, statement.replace("{folder}", str(tmp_path)))
    assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]


def test_the_sql_command(history: History, capsys: pytest.CaptureFixture[str]) -> None:
    """As a table, CSV and JSON; a table says when there is more."""
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


def test_the_star_of_views(tmp_path: Path) -> None:
    """A finding has the same values in its views as in the table, and causes count each finding once."""
    folder = FIXTURES / "all-families"
    audit = run_audit(None, Request([str(folder)], tmp_path, RULES, observed=Observations(on_message_ms=15_000)))

    def answer(statement: str) -> list[list[Any]]:
        with ask(tmp_path, audit.folder, statement) as found:
            return list(found.all())

    kept = {
        fingerprint: {name: plain_value(value) for name, value in values.items()}
        for fingerprint, values in answer('select fingerprint, "values" from findings')
    }
    assert len(kept) > 20
    seen: dict[str, dict[str, Any]] = {}
    for fingerprint, column, *values in answer("select * from value"):
        (seen.setdefault(fingerprint, {})[column],) = [value for value in values if value is not None]
    assert seen == {fingerprint: values for fingerprint, values in kept.items() if values}
    (total,) = answer("select sum(findings), sum(flows) from cause")
    assert [total] == answer("select count(*), sum(flows) from findings")
    settings = answer("select settings from cause where rule = 'MDB302' limit 1")[0][0]
    assert settings
    assert all(name.partition(".")[2] for name in settings)
    ours = answer("select fingerprint, object, queue, line from finding order by fingerprint")
    assert ours == answer(
        "select fingerprint, subject.name, subject.queue, location.line from findings order by fingerprint"
    )
    questions = re.findall(r"^-- \d+\. .*\n([^;]*);", (ROOT / "docs/fleet.md").read_text(), re.MULTILINE)
    assert len(questions) == 10
    for question in questions:
        assert answer(question) or "dead_letter" in question, question
