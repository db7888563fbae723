"""Incremental audits judge only what can have changed, and leave the tables of full ones, to the byte."""

from __future__ import annotations

import datetime
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from lintmdb.engine.judge import judge
from lintmdb.errors import LintmdbError
from lintmdb.fleet import audit as auditing
from lintmdb.fleet import verdicts
from lintmdb.fleet.arrow import parquet
from lintmdb.fleet.audit import Audit, Request, run_audit
from lintmdb.fleet.facts import compact, workers
from lintmdb.fleet.facts.store import Store
from lintmdb.fleet.judging import merging, tables
from lintmdb.fleet.summary import Summary
from lintmdb.run.baseline import build_entry, render_baseline
from lintmdb.run.config.choice import Choice
from lintmdb.run.environments import build_environments
from lintmdb.run.estate import read_estate
from lintmdb.run.suppression import Suppression
from tests.laws.laws import OBSERVED, TIMES
from tests.support.dumps import WHOLE
from tests.support.fleet_estate import assert_same_files, table
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.estates import build_estate
from tests.support.random_estates.omissions import leave_out
from tests.support.scenario import RULES

_TURNS = 5
_FEW = [
    rule for number, rule in enumerate(RULES) if number % 5 == 0 or rule.base != "flow" or rule.id in "MDB101 MDB302"
]
"""Of each base some: preparing the conditions of all takes longer than judging so few flows."""
_OF_TIME = ("id", "started", "finished", "incremental", "new", "first")


@pytest.fixture(autouse=True)
def _verdicts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """History and page come of the tables alone, and so few exports need no further process. Tables have several files,
    and facts are rewritten now and then.
    """
    monkeypatch.setattr(tables, "_FILE_ROWS", 50)
    monkeypatch.setattr(compact, "MAX_GENERATIONS", 4)
    for name in ("write_history", "count_new", "_report"):
        monkeypatch.setattr(auditing, name, _leave)
    monkeypatch.setattr(workers, "_WORTH_A_POOL", 1 << 30)


def _leave(*_: object) -> None:
    """Write nothing."""


def _judged(audit: Audit) -> int:
    changes = audit.summary["incremental"]
    assert "judged" in changes
    assert "as_before" in changes
    assert changes["judged"] + changes["as_before"] == audit.summary["endpoints"]
    return changes["judged"]


class _Fleet:
    """Estates in two environments and in none, and audits of them."""

    def __init__(self, folder: Path, draw: Draw, estates: int = 3) -> None:
        self.exports, self._out, self._fresh = folder / "in", folder / "out", folder / "fresh"
        self._draw = draw
        self.choice: Choice | None = None
        self.rules = _FEW
        self.baseline: Path | None = None
        self.all_queues = draw.chance(0.5)
        for seed in range(estates):
            estate = build_estate(seed)
            for place in draw.some(("dev", "prod", "none"), 0.5) or ["none"]:
                leave_out(draw, estate)[1].write(self.exports / place)

    def audit(self, *, full: bool = False, reading: bool = True) -> Audit:
        """An incremental audit, or a full one into a folder of its own; one without ``reading`` has the facts of the
        incremental ones.
        """
        if full:
            shutil.rmtree(self._fresh, ignore_errors=True)
            if not reading:
                shutil.copytree(self._out / "facts", self._fresh / "facts")
        request = Request(
            [str(self.exports)],
            self._fresh if full else self._out,
            self.rules,
            OBSERVED,
            incremental=not (full and reading),
            choice=self.choice,
            baseline=self.baseline,
            environments=build_environments((name, str(self.exports / name)) for name in ("dev", "prod")),
            differing=True,
            all_queues=self.all_queues,
        )
        return run_audit(None, request)

    def endpoints(self, audit: Audit, seeds: set[int]) -> int:
        """How many endpoints an audit has of the cells of some estates."""
        parts = Store(self._out).judged(audit.folder.name) or ()
        return sum(part.endpoints for part in parts if part.endpoints and _seed(part.name) in seeds)

    def estates(self) -> list[Path]:
        folders = [*self.exports.glob("*/[0-9]*"), *self.exports.glob("none/below/[0-9]*")]
        return sorted(path for path in folders if any(path.rglob("*.*")))

    def files(self, pattern: str = "*") -> list[Path]:
        return sorted(path for estate in self.estates() for path in estate.rglob(pattern) if path.is_file())


def _edit(fleet: _Fleet, draw: Draw) -> Path:
    """Other values in what was there, or what was left out comes back."""
    folder = draw.one(fleet.estates())
    estate = build_estate(int(folder.name.partition("-")[0]))
    shutil.rmtree(folder)
    (leave_out(draw, estate)[1] if draw.chance(0.7) else estate).write(folder.parent)
    if folder.name != estate.name:
        (folder.parent / estate.name).rename(folder)
    return folder


def _delete(fleet: _Fleet, draw: Draw) -> Path:
    file = draw.one(fleet.files())
    file.unlink()
    return file


def _rename(fleet: _Fleet, draw: Draw) -> Path:
    file = draw.one(fleet.files("*.mqsc"))
    return file.rename(file.with_name(f"renamed-{file.name}"))


def _move(fleet: _Fleet, draw: Draw) -> Path:
    """An estate into another environment, or out of one."""
    folder = draw.one(fleet.estates())
    target = fleet.exports / draw.one(("dev", "prod", "none", "none/below")) / f"{folder.name}-moved"
    return target if target.exists() else folder.rename(target)


def _break(fleet: _Fleet, draw: Draw) -> Path:
    file = draw.one(fleet.files("*.xml"))
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    return file


def _threshold(fleet: _Fleet, draw: Draw) -> Path:
    """Another BOTHRESH for all queues of a dump, and a comment that allows a finding."""
    file = draw.one(fleet.files("*.mqsc"))
    text = file.read_text().replace("BOTHRESH(0)", "BOTHRESH(4)").replace("BOTHRESH(3)", "BOTHRESH(0)")
    file.write_text(text.replace("DEFINE QLOCAL", "* lintmdb: allow MDB101 for now\nDEFINE QLOCAL", 1))
    return file


def _again(fleet: _Fleet, draw: Draw) -> Path:
    """A second export of the same cells and queue managers, alike or not."""
    folder = draw.one(fleet.estates())
    target = folder.with_name(f"{folder.name}-again")
    if not target.exists():
        shutil.copytree(folder, target)
        if draw.chance(0.5):
            shutil.rmtree(target / "was", ignore_errors=True)
    return target


_CHANGES: Mapping[Callable[[_Fleet, Draw], Path], float] = {
    _edit: 3, _delete: 2, _rename: 1, _move: 2, _break: 1, _threshold: 2, _again: 2,
}  # fmt: skip


@pytest.mark.parametrize("seed", range(2 * TIMES))
def test_an_incremental_audit_leaves_the_bytes_of_a_full_one(tmp_path: Path, seed: int) -> None:
    """Whatever changes, and however much of it at a time; what has no name in common with it is not judged."""
    draw = Draw(f"judged again {seed}")
    fleet = _Fleet(tmp_path, draw, 5)
    (fleet.exports / "none" / "below").mkdir(parents=True)
    (fleet.exports / "none" / "notes.txt").write_text("not an export")
    if draw.chance(0.5) or seed == 0:
        _decide(fleet, tmp_path)
    fleet.audit()
    judged = 0
    for turn in range(_TURNS):
        changed = [draw.weighted(_CHANGES)(fleet, draw) for _ in range(draw.one((0, 1, 1, 2)))]
        touched = {_seed(path.relative_to(fleet.exports).as_posix()) for path in changed}
        audit, full = fleet.audit(), fleet.audit(full=True, reading=turn == _TURNS - 1)
        assert_same_files(audit.folder, full.folder)
        assert _told(audit.summary) == _told(full.summary)
        assert _judged(audit) <= fleet.endpoints(audit, touched)
        judged += _judged(audit)
    assert judged > 0


def _decide(fleet: _Fleet, folder: Path) -> None:
    """Suppressions that act, have expired or match nothing, and a baseline of which some entries are stale."""
    expired = datetime.date(2020, 1, 1)
    entries = [
        (Suppression("MDB3", {"cell": "CA1"}, "known", "lintmdb.toml", 3), {r.id for r in RULES if "MDB3" in r.id}),
        (Suppression("MDB101", {"name": "*"}, "old", "lintmdb.toml", 4, expired), {"MDB101"}),
        (Suppression("MDB302", {"cell": "NONE"}, "nothing", "lintmdb.toml", 5), {"MDB302"}),
        (Suppression("MDB102", {"queue_manager": "QMA*"}, "known", "lintmdb.toml", 6), {"MDB102"}),
    ]
    fleet.choice = Choice(_FEW, RULES, suppressions=entries)
    facts = read_estate([fleet.exports / "none"], OBSERVED).facts
    fleet.baseline = folder / "baseline.jsonl"
    fleet.baseline.write_text(render_baseline(map(build_entry, judge(facts, _FEW).findings[::3])))


def _seed(name: str) -> int:
    """The estate that a folder, or a cell, belongs to."""
    found = re.search(r"[0-9]+", name)
    assert found is not None, name
    return int(found[0])


def _told(summary: Summary) -> dict[str, object]:
    return {name: value for name, value in summary.items() if name not in _OF_TIME}


def test_what_another_queue_manager_says_of_a_remote_queue_is_told_anew(tmp_path: Path) -> None:
    """Its export alone changes."""
    fleet = _Fleet(tmp_path, Draw("remote"))
    near = (
        "DEFINE QLOCAL(FARQM) USAGE(XMITQ)\nDEFINE QREMOTE(FAR.BO) RNAME(BACK) RQMNAME(FARQM)\n"
        "DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(FAR.BO)\n"
    )
    (fleet.exports / "NEARQM.mqsc").write_text(f"* Queue manager name: NEARQM\n{near}")
    far, fleet.all_queues = fleet.exports / "FARQM.mqsc", True
    fleet.rules = [rule for rule in RULES if rule.id in "MDB101 MDB106 MDB128"]
    kept, back = "DEFINE QLOCAL(BACK)", "DEFINE QREMOTE(BACK) RNAME(A.IN) RQMNAME(NEARQM) XMITQ(X)"
    for queue, told, found in (
        (kept, [], []),
        (f"{kept} PUT(DISABLED)", ["closed_remote_queue"], ["MDB128"]),
        (f"DEFINE QLOCAL(X) USAGE(XMITQ)\n{back}", ["read_remote_queue"], ["MDB106"]),
        (f"{kept} MAXDEPTH(9)", [], []),
    ):
        far.write_text(f"* Queue manager name: FARQM\n{queue}\n")
        audit = fleet.audit()
        assert [row["kind"] for row in table(audit.folder, "notices") if "FAR.BO" in row["text"]] == told
        about = [row["rule"] for row in table(audit.folder, "findings") if "FAR.BO" in row["message"]]
        assert about == found
        assert_same_files(audit.folder, fleet.audit(full=True).folder)


def test_what_another_queue_manager_has_in_a_cluster_is_told_anew(tmp_path: Path) -> None:
    """Its export alone changes, and the words of the verdicts of the other one with it."""
    fleet = _Fleet(tmp_path, Draw("cluster"))
    head = "* Queue manager name: {0}\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m {0} -a\n"
    dump = f"{head}{WHOLE}DEFINE CHANNEL(TO.{{0}}) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
    near = f"{dump.format('NEARQM')}DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(CL.BO)\n"
    (fleet.exports / "NEARQM.mqsc").write_text(near)
    far, fleet.all_queues = fleet.exports / "FARQM.mqsc", True
    fleet.rules = [rule for rule in RULES if rule.id in "MDB105 MDB128"]
    for queue, asked in (
        ("DEFINE QLOCAL(CL.BO)", "whether a cluster"),
        ("DEFINE QLOCAL(CL.BO) CLUSTER(C)", "confirmation that a cluster"),
        ("DEFINE QLOCAL(CL.BO) CLUSTER(D)", "whether a cluster"),
    ):
        far.write_text(f"{dump.format('FARQM')}{queue}\n")
        audit = fleet.audit()
        needs = {row["needs"] for row in table(audit.folder, "undecided") if "CL.BO" in row["needs"]}
        (need,) = needs
        assert need.startswith(asked)
        assert ("one is defined at FARQM" in need) is asked.startswith("confirmation")
        assert_same_files(audit.folder, fleet.audit(full=True).folder)


def test_a_queue_that_another_member_of_the_cluster_defines_is_judged_anew(tmp_path: Path) -> None:
    """Its export alone changes."""
    fleet = _Fleet(tmp_path, Draw("members"))
    head = "* Queue manager name: {0}\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m {0} -a\n"
    dump = (
        f"{head}{WHOLE}DEFINE CHANNEL(TO.{{0}}) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
        "DEFINE CHANNEL(TO.REPO) CHLTYPE(CLUSSDR) CONNAME(h) CLUSTER(C)\n"
    )
    near = f"{dump.format('NEARQM')}DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(CL.BO)\n"
    (fleet.exports / "NEARQM.mqsc").write_text(near)
    far, fleet.all_queues = fleet.exports / "FARQM.mqsc", True
    fleet.rules = [rule for rule in RULES if rule.id in "MDB105 MDB128"]
    for queue, needs, found in (
        ("DEFINE QLOCAL(CL.BO) CLUSTER(D)", 1, []),
        ("DEFINE QLOCAL(CL.BO) CLUSTER(C)", 0, []),
        ("DEFINE QLOCAL(CL.BO) CLUSTER(C) MAXDEPTH(0)", 0, ["MDB128"]),
    ):
        far.write_text(f"{dump.format('FARQM')}{queue}\n")
        audit = fleet.audit()
        asked = {row["needs"] for row in table(audit.folder, "undecided") if "a cluster has a queue" in row["needs"]}
        assert len(asked) == needs
        assert [row["rule"] for row in table(audit.folder, "findings") if "CL.BO" in row["message"]] == found
        assert_same_files(audit.folder, fleet.audit(full=True).folder)


def test_what_a_full_repository_answers_is_judged_anew(tmp_path: Path) -> None:
    """Its answer alone comes, and that of a queue manager which no message is moved to settles a verdict."""
    fleet = _Fleet(tmp_path, Draw("repository"))
    head = "* Queue manager name: {0}\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m {0} -a\n"
    dump = (
        f"{head}{WHOLE}DEFINE CHANNEL(TO.{{0}}) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
        "DEFINE CHANNEL(TO.REPO) CHLTYPE(CLUSSDR) CONNAME(h) CLUSTER(C)\n"
    )
    near = f"{dump.format('NEARQM')}DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(CL.BO)\n"
    (fleet.exports / "NEARQM.mqsc").write_text(near)
    answer = fleet.exports / "FARQM-answer.txt"
    answered = (
        "Starting MQSC for queue manager FARQM.\n\n     1 : DISPLAY QCLUSTER('{0}')\n"
        "AMQ8147E: IBM MQ object {0} not found.\nOne MQSC command read.\n"
    )
    fleet.all_queues, fleet.rules = True, [rule for rule in RULES if rule.id in "MDB105 MDB128"]
    for repository, asked_for, asked, found in (
        ("", "X", ["a full repository of C"], []),
        ("ALTER QMGR REPOS(C)", "X", ["FARQM"], []),
        ("ALTER QMGR REPOS(C)", "CL.BO", [], ["MDB105"]),
        ("ALTER QMGR REPOS(D)", "CL.BO", ["a full repository of C"], []),
    ):
        (fleet.exports / "FARQM.mqsc").write_text(f"{dump.format('FARQM')}{repository}\n")
        answer.write_text(answered.format(asked_for))
        audit = fleet.audit()
        needs = {row["need_command"] for row in table(audit.folder, "undecided") if "CL.BO" in row["needs"]}
        command = "DISPLAY QCLUSTER('CL.BO')"
        wanted = {
            f"DISPLAY QMGR REPOS REPOSNL, and of: {command}, both at {each}"
            if "full" in each
            else f"{command} at {each}"
            for each in asked
        }
        assert needs == wanted
        assert [row["rule"] for row in table(audit.folder, "findings") if "CL.BO" in row["message"]] == found
        assert_same_files(audit.folder, fleet.audit(full=True).folder)


def test_verdicts_that_nothing_touches_are_those_of_the_last_audit(tmp_path: Path) -> None:
    """Without a change no table is written again."""
    fleet = _Fleet(tmp_path, Draw("nothing changes"))
    first, second = fleet.audit(), fleet.audit()
    assert (_judged(first), _judged(second)) == (first.summary["endpoints"], 0)
    files = sorted((second.folder / "undecided").iterdir())
    assert [file.stat().st_ino for file in files] == [
        file.stat().st_ino for file in sorted((first.folder / "undecided").iterdir())
    ]
    assert_same_files(first.folder, second.folder)


def test_files_in_which_nothing_changes_are_those_of_the_last_audit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table is not written again as a whole where a few of its rows go or come."""
    monkeypatch.setattr(tables, "_FILE_ROWS", 10)
    fleet = _Fleet(tmp_path, Draw("few rows"))
    first = fleet.audit()
    _threshold(fleet, Draw("a finding"))
    second = fleet.audit()
    before, now = (
        {file.name: file.stat().st_ino for file in (audit.folder / "summary").iterdir()} for audit in (first, second)
    )
    same = {name for name, number in now.items() if before.get(name) == number}
    assert 0 < len(same) < len(now)
    assert_same_files(second.folder, fleet.audit(full=True).folder)


def test_a_large_table_that_has_other_files_now_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rows would be in the memory of this process all at once."""
    monkeypatch.setattr(tables, "_FILE_ROWS", 1)
    fleet = _Fleet(tmp_path, Draw("a large table"))
    fleet.audit()
    _threshold(fleet, Draw("a finding"))
    monkeypatch.setattr(merging, "_MOST_ROWS", 0)
    audit = fleet.audit()
    assert _judged(audit) == audit.summary["endpoints"]
    assert_same_files(audit.folder, fleet.audit(full=True).folder)


@pytest.mark.parametrize(
    ("table", "changes"), [("findings", True), ("summary", True), ("findings", False), ("notices", False)]
)
def test_tables_that_do_not_fit_are_made_anew(tmp_path: Path, table: str, changes: bool) -> None:
    """Rows that are missing, or a file that cannot be read, are those of nobody: all is judged."""
    fleet = _Fleet(tmp_path, Draw(3))
    first = fleet.audit()
    file = min((first.folder / table).iterdir())
    rows = parquet.read_table(file)
    if table == "findings":
        parquet.write_table(rows.slice(0, 0), file)
    else:
        file.write_bytes(file.read_bytes()[:100])
    if changes:
        _threshold(fleet, Draw("a finding"))
    again = fleet.audit()
    assert _judged(again) == again.summary["endpoints"]
    assert_same_files(again.folder, fleet.audit(full=True).folder)


def test_what_was_read_for_an_audit_that_failed_is_still_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next audit reads nothing, and compares with the last one that is complete."""
    fleet = _Fleet(tmp_path, Draw("fails"))
    fleet.audit()
    _threshold(fleet, Draw("a finding"))
    with monkeypatch.context() as patch:
        patch.setattr(auditing, "write_summary", _fail)
        with pytest.raises(LintmdbError):
            fleet.audit()
    audit = fleet.audit()
    assert audit.summary["incremental"]["read"] == 0
    assert 0 < _judged(audit) < audit.summary["endpoints"]
    assert_same_files(audit.folder, fleet.audit(full=True).folder)


def _fail(*_: object) -> None:
    raise OSError("no space left")


def test_where_much_has_changed_all_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What passes through the memory of this process has a limit."""
    fleet = _Fleet(tmp_path, Draw("much"))
    fleet.audit()
    monkeypatch.setattr(verdicts, "_MOST_ROWS", 0)
    _threshold(fleet, Draw("a finding"))
    audit = fleet.audit()
    assert _judged(audit) == audit.summary["endpoints"]
    assert_same_files(audit.folder, fleet.audit(full=True).folder)
