"""What audits hand on: when findings were first seen, what came back, and the totals of audits that are gone."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import pytest

from lintmdb.errors import LintmdbError
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.cli.app import app
from lintmdb.fleet.arrow import read_rows
from lintmdb.fleet.audit import Audit, Request, run_audit
from lintmdb.fleet.difference import compare_audits
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.history import count_new
from lintmdb.fleet.history_report import history_json, history_lines, read_history
from lintmdb.fleet.questions import ask
from lintmdb.fleet.retention import Keep, parse_keep, remove_old_audits
from tests.support.audit_days import START, Days, queue_findings
from tests.support.fleet_estate import copy_renamed
from tests.support.fleet_history import FEW, STOPPING, History


def run(*arguments: str | Path) -> int:
    """The command line, in this process."""
    return app([str(argument) for argument in ("fleet", *arguments)], standalone_mode=False) or 0


def _states(audit: Path) -> dict[str, str]:
    return {row["fingerprint"]: row["state"] for row in read_rows(audit / "history", dict[str, Any])}


def test_findings_come_and_go_and_come_back(tmp_path: Path) -> None:
    """Each keeps the time when it was first seen, whatever audits are left."""
    days = Days(tmp_path)
    first = days.audit("A", "B")
    assert _states(first) == {"A": "new", "B": "new"}
    shutil.rmtree(days.audit("A", "C"))  # its history goes with it: the next audit goes on from the first
    second = days.audit("A", "C")
    assert _states(second) == {"A": "open", "B": "gone", "C": "new"}
    shutil.rmtree(first)
    third = days.audit("A", "B", "C")
    assert _states(third) == {"A": "open", "B": "returned", "C": "open"}
    fourth = days.audit("B", "C")
    assert _states(fourth) == {"A": "gone", "B": "open", "C": "open"}
    found = read_history(fourth)
    assert [(row["fingerprint"], found.age_days(row), row["returns"]) for row in found.findings] == [
        ("B", 4, 1),
        ("C", 2, 0),
    ]
    assert found.findings[0]["returned"] == START + timedelta(days=4)
    assert [row["id"][-1] for row in found.audits] == ["1", "3", "4", "5"]
    assert [row["error"] for row in found.audits] == [2, 2, 3, 2]


def test_what_cannot_be_judged_is_not_gone_and_does_not_return(tmp_path: Path) -> None:
    """A queue manager without an export, a file that cannot be read, and a verdict that is undecided now."""
    days = Days(tmp_path)
    (finding_row,) = queue_findings("A")
    undecided = {"rule": finding_row["rule"], "severity": "error", "subject": finding_row["subject"], "needs": "x"}
    cell = [{"path": "exports/C1", "kind": "cell", "name": "C1", "complete": True, "files": 1, "export": "C1"}]
    days.audit("A")
    assert _states(days.audit(inventory=cell)) == {"A": "not_judged"}
    assert _states(days.audit(quarantine=[{"path": "exports/C1!/cells/x.xml", "reason": "r"}])) == {"A": "not_judged"}
    assert _states(days.audit(quarantine=[{"path": "exports/C10/x.xml", "reason": "r"}])) == {"A": "gone"}
    days.audit("B")
    assert _states(days.audit(undecided=[undecided])) == {"A": "gone", "B": "gone"}
    assert _states(days.audit("A")) == {"A": "returned", "B": "gone"}
    assert _states(days.audit(undecided=[undecided])) == {"A": "not_judged", "B": "gone"}
    assert _states(days.audit("A")) == {"A": "open", "B": "gone"}


def test_an_export_that_never_was_there_keeps_nothing_open(tmp_path: Path) -> None:
    """A finding about a cell whose queue manager nobody exported is gone as soon as the cell says so."""
    days = Days(tmp_path)
    cell = [{"path": "exports/C1", "kind": "cell", "name": "C1", "complete": True, "files": 1, "export": "C1"}]
    days.audit("A", inventory=cell)
    assert _states(days.audit(inventory=cell)) == {"A": "gone"}


def test_what_is_left_out_is_not_gone(tmp_path: Path) -> None:
    """A finding that a suppression hides is still there, and returns when it counts again."""
    days = Days(tmp_path)
    decided = [{**row, "suppression": {"kind": "comment", "path": "x", "line": 3}} for row in queue_findings("A")]
    days.audit("A")
    assert _states(days.audit(suppressed=decided)) == {"A": "left_out"}
    assert _states(days.audit("A")) == {"A": "returned"}


def test_audits_of_older_versions_are_caught_up_with(tmp_path: Path) -> None:
    """They kept no history: the next audit adds all of them, and leaves them as they are."""
    days = Days(tmp_path)
    old = days.audit("A", history=False)
    days.audit("B", history=False)
    with pytest.raises(LintmdbError, match="the audit has no history: an older version made it"):
        read_history(old)
    found = read_history(days.audit("A", "B"))
    assert [(row["fingerprint"], row["state"], found.age_days(row)) for row in found.findings] == [
        ("A", "returned", 2),
        ("B", "open", 1),
    ]
    assert len(found.audits) == 3
    assert not (old / "history").exists()


def test_a_damaged_history_ends_the_audit_in_one_line(tmp_path: Path) -> None:
    """Nothing is lost silently: the line says what to remove, and then the next audit goes on from the one before."""
    days = Days(tmp_path)
    days.audit("A")
    damaged = days.audit("A")
    (damaged / "history" / "part-00000.parquet").write_bytes(b"no table")
    with pytest.raises(LintmdbError, match=f"if it is the history of {damaged.name} that is damaged") as caught:
        days.audit("A")
    assert "\n" not in str(caught.value)
    assert len(days.store.complete_audits()) == 2
    shutil.rmtree(damaged)
    assert _states(days.audit("A")) == {"A": "open"}


def test_history_and_difference_agree(history: History) -> None:
    """What is new, resolved or cannot be judged any more is so in both."""
    difference = compare_audits(history.old.folder, history.new.folder)
    by_state: dict[str, list[str]] = {}
    for fingerprint, state in _states(history.new.folder).items():
        by_state.setdefault(state, []).append(fingerprint)
    assert sorted(by_state["new"]) == sorted(row["fingerprint"] for row in difference.added)
    assert sorted(by_state["gone"]) == sorted(row["fingerprint"] for row in difference.resolved)
    assert by_state["not_judged"] == [entry.finding["fingerprint"] for entry in difference.unseen]


def test_an_incremental_audit_without_a_change_keeps_all_open(tmp_path: Path) -> None:
    """The audit itself writes its history."""
    copy_renamed(STOPPING, tmp_path / "in", "_a")
    request = Request([str(tmp_path / "in")], tmp_path / "out", FEW, incremental=True)
    audits: list[Audit] = [run_audit(None, request) for _ in range(2)]
    assert [set(_states(audit.folder).values()) for audit in audits] == [{"new"}, {"open"}]
    with ask(tmp_path / "out", audits[1].folder, "select id, error from audits order by started, id") as answer:
        assert list(answer.all()) == [[audit.folder.name, 1] for audit in audits]


def test_the_history_command(history: History, capsys: pytest.CaptureFixture[str]) -> None:
    """Totals of each audit, then what is new and what is oldest; the JSON document has everything."""
    assert run("history", history.out) == 0
    text = capsys.readouterr().out
    lines = text.splitlines()
    assert lines[2].split()[:2] == [history.old.folder.name, "3"]
    assert "2 findings: 2 new, 0 returned, 0 as before; of earlier findings 2 gone, 0 left out, 1 no longer judged" in (
        lines
    )
    assert any(line.startswith("new: error MDB104 ") and line.endswith(", cell C1_b") for line in lines)
    assert run("history", history.out, "--format", "json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["audit"] == history.new.folder.name
    assert [entry["error"] for entry in document["audits"]] == [3, 2]
    assert {"rule": "MDB104", "new": 1, "returned": 0, "open": 0, "oldest_days": 0} in document["by_rule"]
    assert document["absent"] == {"gone": 2, "left_out": 0, "not_judged": 1}
    assert run("history", history.out, "--audit", "previous") == 0
    assert "3 findings: 3 new" in capsys.readouterr().out


def test_long_histories_are_rolled_up(tmp_path: Path) -> None:
    """The text lists some and counts the rest; names from exports do not steer a terminal."""
    days = Days(tmp_path)
    names = [f"Q{number:02}" for number in range(30)]
    for _ in range(22):
        days.audit(*names)
    rows = [{**row, "headline": "a\x1b[31m"} for row in queue_findings(*names, "NEW")]
    found = read_history(days.audit(findings=rows))
    text = "".join(history_lines(found))
    assert text.startswith("3 older audits (--format json lists every one)\n")
    assert "oldest: error" in text
    assert "first seen 2026-01-02 (22 days ago)" in text
    assert "and 10 more (--format json lists every one)" in text
    assert "\x1b" not in text
    document = json.loads("".join(history_json(found)))
    assert len(document["audits"]) == 23
    assert len(document["findings"]) == 31
    assert document["findings"][0]["age_days"] == 22


# -- --keep


def test_keep_is_a_number_or_a_time() -> None:
    """Anything else is told in one line."""
    assert parse_keep("10") == Keep(10)
    assert [parse_keep(text).span for text in ("12h", "30d", "8w")] == [
        timedelta(hours=12),
        timedelta(days=30),
        timedelta(weeks=8),
    ]
    for text in ("", "0", "0d", "-1", "1.5d", "30m", "ten", "10 d", "\u0663", "99999999"):
        with pytest.raises(LintmdbError, match="neither a number of audits nor a time"):
            parse_keep(text)


def test_old_audits_go_by_number_and_by_time(tmp_path: Path) -> None:
    """The last one always stays; what is no complete audit of this version is left alone."""
    days = Days(tmp_path)
    names = [days.audit("A").name for _ in range(5)]
    (tmp_path / "audits" / "begun-9").mkdir()
    with days.store.locked():
        assert remove_old_audits(days.store, Keep()) == []
        assert remove_old_audits(days.store, Keep(4)) == names[:1]
        now = (START + timedelta(days=5, hours=1)).replace(tzinfo=UTC)
        assert remove_old_audits(days.store, Keep(span=timedelta(hours=50)), now) == names[1:2]
        assert remove_old_audits(days.store, Keep(span=timedelta(hours=1)), now + timedelta(days=9)) == names[2:4]
        assert remove_old_audits(days.store, Keep(1)) == []
    assert sorted(path.name for path in (tmp_path / "audits").iterdir()) == [names[4], "begun-9"]
    found = read_history(days.store.complete_audits()[-1])
    assert [row["id"] for row in found.audits] == names
    assert [found.age_days(row) for row in found.findings] == [4]


def test_the_keep_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is read before anything is audited, and acts once the new audit is complete; plan's --keep is another."""
    copy_renamed(STOPPING, tmp_path / "in", "_a")
    out = tmp_path / "out"
    with pytest.raises(LintmdbError, match="--keep: 'few' is neither"):
        run("audit", tmp_path / "in", "--out", out, "--keep", "few")
    assert not out.exists()
    arguments = ("audit", tmp_path / "in", "--out", out, "--incremental", "--fail-on", "never", "--select", "MDB302")
    assert run(*arguments) == 0
    assert "removed" not in capsys.readouterr().err
    assert run(*arguments, "--keep", "1") == 0
    assert "removed 1 older audit" in capsys.readouterr().err
    (left,) = Store(out).complete_audits()
    assert set(_states(left).values()) == {"open"}
    assert not (out / "tmp").exists()
    watching = ("watch", tmp_path / "in", "--out", out, "--once", "--fail-on", "never", "--select", "MDB302")
    assert run(*watching, "--keep", "1d") == 0
    assert Store(out).complete_audits() == [left]


def test_fail_on_new_fails_for_what_the_audit_before_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All findings of the first audit are new, none of a second one that finds the same, and those that come back."""
    copy_renamed(STOPPING, tmp_path / "exports" / "a", "_a")
    command = ("audit", tmp_path / "exports", "--out", tmp_path / "out", "--select", "MDB302")
    assert run(*command, "--fail-on", "new") == 1
    assert "new since" not in capsys.readouterr().out
    assert run(*command, "--fail-on", "new") == 0
    assert "new since the audit before: nothing\n" in capsys.readouterr().out
    assert run(*command, "--fail-on", "error") == 1
    copy_renamed(STOPPING, tmp_path / "exports" / "b", "_b")
    capsys.readouterr()
    assert run(*command, "--fail-on", "new") == 1
    assert "new since the audit before: 1 error\n" in capsys.readouterr().out


def test_a_finding_that_returns_is_new(tmp_path: Path) -> None:
    """The audit before lacks it, so it fails a run like any other."""
    days = Days(tmp_path)
    days.audit("A")
    days.audit("B")
    assert count_new(days.audit("A", "B")) == {"error": 1, "warning": 0, "info": 0}
