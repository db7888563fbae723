"""What is done with audits: compared, asked, read in a notebook, and made again whenever an export changes."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from lintmdb.errors import LintmdbError
from lintmdb.model.columns import columns
from lintmdb.model.relations import RELATIONS
from lintmdb.resolve.observations import Observations
from lintmdb.rules.rule import Rule
from tests.support.project import FIXTURES, ROOT
from tests.support.scenario import RULES
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.cli.app import app
from lintmdb.fleet import register
from lintmdb.fleet.audit import Audit, Request, run_audit
from lintmdb.fleet.difference import compare_audits
from lintmdb.fleet.difference_report import SHOWN, difference_json, difference_lines
from lintmdb.fleet.facts.encoding import STORED
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.find_audit import find_audit
from lintmdb.fleet.questions import as_csv, as_json, as_table, ask, checked, first_rows
from lintmdb.fleet.watch import Watch, watch
from lintmdb.run.estate import read_estate
from tests.support.fleet_estate import copy_renamed, told_by_audit
from tests.support.synthetic_audit import finding, write_audit

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FEW = [rule for rule in RULES if rule.id in ("MDB101", "MDB104", "MDB302", "MDB401", "MDB901")]
"""Rules enough to tell audits apart; all of them would take several times as long."""
STOPPING = FIXTURES / "stop-3-sessions-5-bothresh-5"


def run(*arguments: str | Path) -> int:
    """The command line, in this process and its session."""
    return app([str(argument) for argument in ("fleet", *arguments)], standalone_mode=False) or 0


def _threshold(folder: Path, value: int) -> None:
    dump = next(folder.rglob("*.mqsc"))
    dump.write_bytes(dump.read_bytes().replace(b"BOTHRESH(5)", f"BOTHRESH({value})".encode()))


class History:
    """Two audits of one folder: A is repaired, B now loops, the queue manager of C is no longer exported."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.exports, self.out = folder / "exports", folder / "out"
        for name in "abc":
            copy_renamed(STOPPING, self.exports / name, f"_{name}")
        request = Request([str(self.exports)], self.out, FEW, incremental=True)
        self.old: Audit = run_audit(spark, request)
        _threshold(self.exports / "a", 2)
        _threshold(self.exports / "b", 0)
        shutil.rmtree(self.exports / "c" / "mq")
        (self.exports / "broken.zip").write_bytes(b"PK\x03\x04 and nothing that follows")
        self.new: Audit = run_audit(spark, request)


@pytest.fixture(scope="module")
def history(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> History:
    """Made once; no test changes it."""
    return History(spark, tmp_path_factory.mktemp("history"))


# -- which audit


def test_audits_are_found_by_name_and_place(history: History, tmp_path: Path) -> None:
    """latest, previous, an id, and the start of one; anything else names the ids that there are."""
    old, new = history.old.folder, history.new.folder
    assert find_audit(history.out) == new
    assert find_audit(history.out, "previous") == old
    assert find_audit(history.out, old.name) == old
    with pytest.raises(LintmdbError, match=f"holds no complete audit nonsense.*{new.name}"):
        find_audit(history.out, "nonsense")
    with pytest.raises(LintmdbError, match="the start of several audits"):
        find_audit(history.out, old.name[:4])
    with pytest.raises(LintmdbError, match="holds no complete audit"):
        find_audit(tmp_path)
    (tmp_path / "audits" / "x-1").mkdir(parents=True)
    (tmp_path / "audits" / "x-1" / "_COMPLETE").touch()
    with pytest.raises(LintmdbError, match="none before it"):
        find_audit(tmp_path, "previous")


# -- diff


def test_the_difference_of_two_audits(history: History) -> None:
    """What is repaired is resolved; what lost an export is not; a flow that loops now has another fate."""
    found = compare_audits(history.old.folder, history.new.folder)
    assert [(row["rule"], row["cell"]) for row in found.resolved] == [("MDB302", "C1_a"), ("MDB302", "C1_b")]
    assert [(row["rule"], row["cell"]) for row in found.added] == [("MDB104", "C1_b"), ("MDB901", None)]
    assert [(entry.finding["rule"], entry.finding["cell"], entry.needs) for entry in found.unseen] == [
        ("MDB302", "C1_c", "an export of queue manager QM1_c")
    ]
    (fate,) = found.fates
    assert fate.cell == "C1_b"
    assert "it stops" in fate.before[0]
    assert "for ever" in fate.after[0]
    assert found.undecided[("C1_c", "MDB302")] == 0, "counted as unseen"
    assert found.undecided[("C1_c", "MDB101")] == 1
    assert [Path(path).name for path in found.quarantined] == ["broken.zip"]


def test_an_audit_does_not_differ_from_itself(history: History) -> None:
    """All is as it was before."""
    found = compare_audits(history.new.folder, history.new.folder)
    assert found.unchanged == len(told_by_audit(history.new.folder).findings)
    assert not any((found.added, found.resolved, found.fates, found.unseen, found.undecided, found.quarantined))


def test_the_diff_command(history: History, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit codes are about new findings alone; the text rolls up, the JSON document has everything."""
    assert run("diff", history.out, "previous", "latest") == 1
    text = capsys.readouterr().out
    assert text.splitlines()[0] == f"{history.old.folder.name} -> {history.new.folder.name}"
    assert "resolved: error MDB302 endpoint-stops-before-backout" in text
    assert "1 finding that can no longer be judged without an export of queue manager QM1_c" in text
    assert re.search(r"^C1_b +MDB104 +1 +0 +0$", text, re.MULTILINE)
    assert "newly in quarantine: " in text
    assert run("diff", history.out, "--fail-on", "never") == 0
    assert run("diff", history.out, "--fail-on", "never", "--strict") == 4
    assert run("diff", history.out, "latest", "latest", "--strict") == 0
    capsys.readouterr()
    run("diff", history.out, "--format", "json")
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "lintmdb-fleet-diff/1"
    assert document["summary"]["new"] == len(document["new"]) == 2
    assert {"cell": "C1_b", "rule": "MDB302", "new": 0, "resolved": 1, "undecided": 0} in document["by_cell_and_rule"]


def test_long_differences_are_rolled_up(tmp_path: Path) -> None:
    """The text lists some and counts the rest; names from exports do not steer a terminal."""
    rows = [
        finding(subject={"name": f"Q{n}", "queue": f"Q{n}\x1b[31m", "queue_manager": "QM1"}, cell=f"C{n:03}")
        for n in range(100)
    ]
    old = write_audit(tmp_path / "old", {"findings": rows[:10]})
    new = write_audit(tmp_path / "new", {"findings": rows})
    found = compare_audits(old, new)
    text = "\n".join(difference_lines(found))
    assert f"and {90 - SHOWN} more new findings (--format json lists every one)" in text
    assert text.endswith("0 flows with another fate, 90 new (90 error), 0 resolved, 0 newly undecided, 10 as before")
    assert "\x1b" not in text
    assert len(json.loads("".join(difference_json(found)))["new"]) == 90
    assert compare_audits(old, old).unchanged == 10
    assert len(compare_audits(new, old).resolved) == 90


def test_what_is_left_out_now_is_not_resolved(tmp_path: Path) -> None:
    """A finding that a suppression hides is still there; one that counts again is new."""
    rows = [finding(subject={"name": name, "queue": name, "queue_manager": "QM1"}) for name in "ABC"]
    decided = [{**rows[0], "suppression": {"kind": "configuration", "path": "lintmdb.toml", "line": 3, "reason": "r"}}]
    old = write_audit(tmp_path / "old", {"findings": rows})
    new = write_audit(tmp_path / "new", {"findings": rows[2:], "suppressed": decided})
    found = compare_audits(old, new)
    assert [row["subject"]["queue"] for row in found.suppressed] == ["A"]
    assert [row["subject"]["queue"] for row in found.resolved] == ["B"]
    assert list(difference_lines(found))[-1].endswith("1 resolved, 1 left out now, 0 newly undecided, 1 as before")
    assert json.loads("".join(difference_json(found)))["summary"]["suppressed"] == 1
    assert [row["subject"]["queue"] for row in compare_audits(new, old).added] == ["A", "B"]


# -- report


def test_the_report_command(history: History, capsys: pytest.CaptureFixture[str]) -> None:
    """It prints where it wrote the page of the audit that was asked for."""
    assert run("report", history.out, "--audit", "previous") == 0
    page = history.old.folder / "report.html"
    assert capsys.readouterr().out == f"{page}\n"
    assert "C1_a" in page.read_text("utf-8")


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


# -- watch


def test_watching_once(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It audits what is new since the last time, and leaves; without a change it audits nothing."""
    del spark

    def few(_: object) -> list[Rule]:
        return FEW

    monkeypatch.setattr("lintmdb.run.config.choice.load_rules", few)
    exports, out = tmp_path / "in", tmp_path / "out"
    copy_renamed(STOPPING, exports / "a", "_a")
    assert run("watch", exports, "--out", out, "--once", "--fail-on", "never") == 0
    assert "reading 2 exports" in capsys.readouterr().err
    assert run("watch", exports, "--out", out, "--once") == 1
    assert "reading" not in capsys.readouterr().err
    assert len(Store(out).complete_audits()) == 1
    with pytest.raises(LintmdbError, match="does not exist"):
        run("watch", tmp_path / "nowhere", "--out", out, "--once")


_WATCHER = """
import os, signal, sys
from pathlib import Path
from lintmdb.rules.loading import load_rules
from lintmdb.fleet.audit import Request
from lintmdb.fleet.session import open_session
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.watch import Watch, watch

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

exports, out, *ids = sys.argv[1:]
Store.save = die
rules = [rule for rule in load_rules() if rule.id in ids]
watch(open_session("local[2]"), Watch(Request([exports], Path(out), rules), once=True), print)
"""


def _killed_after_reading(exports: Path, out: Path, rules: Sequence[str]) -> int:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", "")))),
        "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1",
    }
    command = [sys.executable, "-c", _WATCHER, str(exports), str(out), *rules]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=ROOT).returncode


def test_a_killed_watch_neither_loses_nor_repeats_an_export(spark: SparkSession, tmp_path: Path) -> None:
    """Killed after reading and started again, it audits all that is there; each export is read into one audit only."""
    exports, out = tmp_path / "in", tmp_path / "out"
    copy_renamed(STOPPING, exports / "a", "_a")
    assert _killed_after_reading(exports, out, [rule.id for rule in FEW]) == -9
    assert Store(out).complete_audits() == [], "exports were read, and nothing came of it"
    copy_renamed(STOPPING, exports / "b", "_b")
    made: list[Audit] = []
    job = Watch(Request([str(exports)], out, FEW), once=True, on_audit=made.append)
    watch(spark, job, lambda _: None)
    copy_renamed(STOPPING, exports / "c", "_c")
    watch(spark, job, lambda _: None)
    watch(spark, job, lambda _: None)  # nothing came: no audit
    assert [audit.summary["incremental"] for audit in made] == [
        {"read": 4, "kept": 0, "gone": 0},
        {"read": 2, "kept": 4, "gone": 0},
    ]
    assert Store(out).complete_audits() == [audit.folder for audit in made]
    full = run_audit(spark, Request([str(exports)], tmp_path / "full", FEW))
    assert told_by_audit(made[1].folder) == told_by_audit(full.folder)


class _LeftWatchError(Exception):
    pass


def test_a_watch_looks_again(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It sleeps between two looks, says once that nothing changed, and audits what came meanwhile."""
    exports, out = tmp_path / "in", tmp_path / "out"
    copy_renamed(STOPPING, exports / "a", "_a")
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 2:
            copy_renamed(STOPPING, exports / "b", "_b")
        if len(slept) == 3:
            raise _LeftWatchError

    monkeypatch.setattr("lintmdb.fleet.watch.time", SimpleNamespace(sleep=sleep))
    made: list[Audit] = []
    said: list[str] = []
    with pytest.raises(_LeftWatchError):
        watch(spark, Watch(Request([str(exports)], out, FEW), every_s=30, on_audit=made.append), said.append)
    assert slept == [30, 30, 30]
    assert [audit.summary["incremental"]["read"] for audit in made] == [2, 2]
    assert [text for text in said if "looking" in text] == [
        f"the last audit is {audit.folder.name}; looking for changes every 30 s" for audit in made
    ]
