"""The command that a watch runs after each audit."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from lintmdb.errors import LintmdbError
from lintmdb.rules.rule import Rule
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.cli.app import app
from lintmdb.fleet.audit import Audit
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.on_audit import Command, audit_document, parse_command
from lintmdb.fleet.summary import read_summary
from tests.support.fleet_estate import copy_renamed
from tests.support.fleet_history import FEW, STOPPING, History


def _python(text: str, *words: object) -> str:
    return shlex.join([sys.executable, "-c", text, *map(str, words)])


_APPEND = "import sys; open(sys.argv[1], 'a').write(sys.stdin.read() + '\\n')"


@pytest.fixture(autouse=True)
def _few_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    def few(_: object) -> list[Rule]:
        return FEW

    monkeypatch.setattr("lintmdb.run.config.choice.load_rules", few)


def _watch(exports: Path, out: Path, *options: str) -> int:
    words = ["fleet", "watch", str(exports), "--out", str(out), "--once", "--fail-on", "never", *options]
    return app(words, standalone_mode=False) or 0


def test_the_command_is_told_of_each_new_audit(tmp_path: Path) -> None:
    """The first has nothing before it; an audit that was not made is not told; --keep 1 takes nothing from it."""
    exports, out, heard = tmp_path / "in", tmp_path / "out", tmp_path / "heard"
    options = ("--keep", "1", "--on-audit", _python(_APPEND, heard))
    copy_renamed(STOPPING, exports / "a", "_a")
    copy_renamed(STOPPING, exports / "b", "_b")
    assert _watch(exports, out, *options) == 0
    assert _watch(exports, out, *options) == 0
    shutil.rmtree(exports / "a")
    copy_renamed(STOPPING, exports / "c", "_c")
    dump = next((exports / "b").rglob("*.mqsc"))
    dump.write_bytes(dump.read_bytes().replace(b"BOTHRESH(5)", b"BOTHRESH(2)"))
    assert _watch(exports, out, *options) == 0
    first, second = (json.loads(line) for line in heard.read_text().splitlines())
    (left,) = Store(out).complete_audits()
    assert first["schema"] == second["schema"] == "lintmdb-fleet-event/1"
    assert first["difference"] is None
    assert first["summary"]["hazards"]["error"] == 2
    assert second["folder"] == str(left)
    assert second["summary"]["id"] == left.name
    difference: dict[str, Any] = second["difference"]
    assert difference["old"] == first["summary"]["id"]
    assert [(row["rule"], row["cell"]) for row in difference["new"]] == [("MDB302", "C1_c")]
    assert [(row["rule"], row["cell"]) for row in difference["resolved"]] == [("MDB302", "C1_b")]
    assert difference["new_by_severity"] == {"error": 1, "warning": 0, "info": 0}
    assert difference["counts"]["unseen"] == 1
    assert difference["text"] == "1 new finding, 1 resolved"


def test_each_audit_of_a_watch_may_have_a_plan(tmp_path: Path) -> None:
    """Until the changes are made: then there is nothing left to plan."""
    exports, out = tmp_path / "in", tmp_path / "out"
    copy_renamed(STOPPING, exports, "_a")
    assert _watch(exports, out, "--plan") == 0
    dump = next(exports.rglob("*.mqsc"))
    dump.write_bytes(dump.read_bytes().replace(b"BOTHRESH(5)", b"BOTHRESH(2)"))
    assert _watch(exports, out, "--plan") == 0
    first, second = (read_summary(folder).get("plan") for folder in Store(out).complete_audits())
    assert first is not None
    assert second is not None
    assert first["changes"] > second["changes"] == 0


def test_a_document_is_no_longer_than_it_must_be(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    """It lists the worst, and counts all."""
    monkeypatch.setattr("lintmdb.fleet.on_audit.MOST_FINDINGS", 1)
    difference: Any = audit_document(history.new)["difference"]
    assert len(difference["new"]) == len(difference["resolved"]) == 1
    assert difference["counts"]["new"] == difference["counts"]["resolved"] == 2
    assert audit_document(history.old)["difference"] is None


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("/nowhere/alert --now", "the command /nowhere/alert did not run: No such file or directory"),
        (_python("raise SystemExit('no \\x1b route')"), r"the command \S+ exited with 1: no \\x1b route"),
        (_python("import os; os.kill(os.getpid(), 9)"), r"the command \S+ was killed by signal 9"),
        (_python("import time; time.sleep(60)"), r"the command \S+ was stopped after 0.2 s"),
    ],
)
def test_a_command_that_fails_does_not_stop_the_watch(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str, told: str
) -> None:
    """One line says what went wrong, and the audit is there."""
    if "sleep" in command:
        monkeypatch.setattr("lintmdb.fleet.on_audit.MOST_SECONDS", 0.2)
    copy_renamed(STOPPING, tmp_path / "in", "_a")
    assert _watch(tmp_path / "in", tmp_path / "out", "--on-audit", command) == 0
    complaints = [line for line in capfd.readouterr().err.splitlines() if "the command" in line]
    assert len(complaints) == 1
    assert re.search(told, complaints[0]), complaints
    assert len(Store(tmp_path / "out").complete_audits()) == 1


def test_a_command_that_does_not_listen_has_not_failed(history: History) -> None:
    """It need not read its standard input."""
    assert Command([sys.executable, "-c", "pass"]).run(history.new) == ""


def test_tables_that_cannot_be_compared_are_told(history: History, tmp_path: Path) -> None:
    """The command does not run without what it is to be told."""
    audits = tmp_path / "audits"
    shutil.copytree(history.out / "audits", audits)
    for file in (audits / history.old.folder.name / "findings").glob("*.parquet"):
        file.write_bytes(b"no table")
    audit = Audit(audits / history.new.folder.name, history.new.summary)
    assert "did not run: " in (failure := Command(["true"]).run(audit))
    assert "the table findings of the audit cannot be read" in failure
    assert "\n" not in failure


def test_what_is_no_command_is_refused_at_once(tmp_path: Path) -> None:
    """Before anything is audited."""
    assert parse_command("a 'b c'") == Command(["a", "b c"])
    for text in ("", "  ", "a 'b"):
        with pytest.raises(LintmdbError, match="--on-audit"):
            parse_command(text)
    with pytest.raises(LintmdbError, match="No closing quotation"):
        _watch(tmp_path, tmp_path / "out", "--on-audit", "a 'b")
    assert not (tmp_path / "out").exists()
