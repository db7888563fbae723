"""What is done with audits: compared, asked, read in a notebook, and made again whenever an export changes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from lintmdb.errors import LintmdbError
from lintmdb.rules.rule import Rule
from tests.support.project import FIXTURES, ROOT
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.cli.app import app
from lintmdb.fleet.audit import Audit, Request, run_audit
from lintmdb.fleet.difference import compare_audits
from lintmdb.fleet.difference_report import SHOWN, difference_json, difference_lines
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.find_audit import find_audit
from lintmdb.fleet.watch import Watch, watch
from tests.support.fleet_estate import copy_renamed, told_by_audit
from tests.support.fleet_history import FEW, STOPPING, History
from tests.support.synthetic_audit import finding, write_audit

if TYPE_CHECKING:
    pass


def run(*arguments: str | Path) -> int:
    """The command line, in this process and its session."""
    return app([str(argument) for argument in ("fleet", *arguments)], standalone_mode=False) or 0


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


@pytest.mark.parametrize(
    ("file", "script", "told", "key"),
    [
        ("Z.mqsc", "DEFINE QLOCAL(Z)\n", "newly guessed: the name of queue manager Z", "guessed_names"),
        ("QM1.mqsc", "DEFINE QLOCAL(Z) BOTHRESH(\n", "newly not read or not understood: ", "not_read"),
    ],
)
def test_a_strict_difference_fails_for_what_is_newly_not_whole(
    file: str, script: str, told: str, key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A guessed name, or a command that was not understood; not for one that the audit before has, too."""
    exports, out = tmp_path / "exports", tmp_path / "out"
    shutil.copytree(FIXTURES / "clean", exports)
    run("audit", exports, "--out", out)
    with (exports / "mq" / file).open("a") as stream:
        stream.write(script)
    run("audit", exports, "--out", out)
    (exports / "mq" / "W.txt").write_text("a note\n")
    run("audit", exports, "--out", out)
    audits = [audit.name for audit in sorted((out / "audits").iterdir())]
    capsys.readouterr()
    assert run("diff", out, audits[0], audits[1], "--fail-on", "never", "--strict") == 4
    assert told in capsys.readouterr().out
    assert run("diff", out, audits[0], audits[1], "--fail-on", "never") == 0
    capsys.readouterr()
    run("diff", out, audits[0], audits[1], "--format", "json")
    assert json.loads(capsys.readouterr().out)[key]
    assert run("diff", out, audits[1], audits[2], "--fail-on", "never", "--strict") == 0
    assert run("diff", out, audits[1], audits[0], "--fail-on", "never", "--strict") == 0


def test_the_diff_command(history: History, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit codes are about new findings alone; the text rolls up, the JSON document has everything."""
    assert run("diff", history.out, "previous", "latest") == 1
    text = capsys.readouterr().out
    assert text.splitlines()[0] == f"{history.old.folder.name} -> {history.new.folder.name}"
    assert "resolved: error MDB302 endpoint-stops-before-backout" in text
    assert [line for line in text.splitlines() if line.startswith("ORDERS.IN")] == [
        line for line in text.splitlines() if line.endswith(", cell C1_b")
    ]
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
    assert text.endswith(
        "0 flows with another fate; findings: 90 new (90 error), 0 resolved, 0 newly undecided, 10 as before"
    )
    assert "\x1b" not in text
    assert len(json.loads("".join(difference_json(found)))["new"]) == 90
    assert compare_audits(old, old).unchanged == 10
    assert len(compare_audits(new, old).resolved) == 90


def test_a_difference_names_environments(tmp_path: Path) -> None:
    """The same queues and servers exist in each of them."""
    queue = {"name": "A", "queue": "A", "queue_manager": "QM1"}
    server = {"kind": "server", "name": "server1", "cell": "C1", "node": "n1", "server": "server1"}
    old = write_audit(tmp_path / "old", {"findings": []})
    new = write_audit(
        tmp_path / "new", {"findings": [finding(subject=subject, environment="prod") for subject in (queue, server)]}
    )
    lines = list(difference_lines(compare_audits(old, new)))
    assert sorted(line.partition(" at ")[2] for line in lines if line.startswith("new: ")) == [
        "A at QM1 in prod",
        "server server1 on C1/n1/server1 in prod",
    ]


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


# -- watch


def test_watching_once(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """It audits what is new since the last time, and leaves; without a change it audits nothing."""

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
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.watch import Watch, watch

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

exports, out, *ids = sys.argv[1:]
Store.save = die
rules = [rule for rule in load_rules() if rule.id in ids]
watch(lambda _: None, Watch(Request([exports], Path(out), rules), once=True), print)
"""


def _killed_after_reading(exports: Path, out: Path, rules: Sequence[str]) -> int:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", "")))),
    }
    command = [sys.executable, "-c", _WATCHER, str(exports), str(out), *rules]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=ROOT).returncode


def test_a_killed_watch_neither_loses_nor_repeats_an_export(tmp_path: Path) -> None:
    """Killed after reading and started again, it audits all that is there; each export is read into one audit only."""
    exports, out = tmp_path / "in", tmp_path / "out"
    copy_renamed(STOPPING, exports / "a", "_a")
    assert _killed_after_reading(exports, out, [rule.id for rule in FEW]) == -9
    assert Store(out).complete_audits() == [], "exports were read, and nothing came of it"
    copy_renamed(STOPPING, exports / "b", "_b")
    made: list[Audit] = []
    job = Watch(Request([str(exports)], out, FEW), once=True, on_audit=made.append)
    watch(_no_session, job, lambda _: None)
    copy_renamed(STOPPING, exports / "c", "_c")
    watch(_no_session, job, lambda _: None)
    watch(_no_session, job, lambda _: None)  # nothing came: no audit
    assert [audit.summary["incremental"] for audit in made] == [
        {"read": 4, "kept": 0, "gone": 0, "judged": 2, "as_before": 0},
        {"read": 2, "kept": 4, "gone": 0, "judged": 1, "as_before": 2},
    ]
    assert Store(out).complete_audits() == [audit.folder for audit in made]
    full = run_audit(None, Request([str(exports)], tmp_path / "full", FEW))
    assert told_by_audit(made[1].folder) == told_by_audit(full.folder)


def _no_session(_: Sequence[str]) -> None:
    return None


class _LeftWatchError(Exception):
    pass


def test_a_watch_looks_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        watch(_no_session, Watch(Request([str(exports)], out, FEW), every_s=30, on_audit=made.append), said.append)
    assert slept == [30, 30, 30]
    assert [audit.summary["incremental"]["read"] for audit in made] == [2, 2]
    assert [text for text in said if "looking" in text] == [
        f"the last audit is {audit.folder.name}; looking for changes every 30 s" for audit in made
    ]
