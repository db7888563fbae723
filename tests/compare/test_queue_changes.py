"""diff --all-queues: what a change does to queues that no endpoint reads, and what nothing judges."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import Run

_DUMP = """* Queue manager name: QM1
* Queue manager platform: UNIX
* Command issued: dmpmqcfg -m QM1 -a
ALTER QMGR DEADQ('DEAD') FORCE
DEFINE QLOCAL('DEAD') MAXMSGL(104857600) REPLACE
DEFINE QLOCAL('PAY.IN') BOTHRESH(3) BOQNAME('PAY.BO') REPLACE
DEFINE QLOCAL('PAY.OFF') BOTHRESH(3) BOQNAME('PAY.BO') GET(DISABLED) REPLACE
DEFINE QLOCAL('PAY.BO') REPLACE
SET AUTHREC PROFILE(self) GROUP('apps') OBJTYPE(QMGR) AUTHADD(CONNECT,INQ)
SET AUTHREC PROFILE('PAY.**') GROUP('apps') OBJTYPE(QUEUE) AUTHADD(GET,BROWSE,INQ,PUT,PASSALL,SETALL)
* Script ended on 2026-03-06   at 09.14.05
"""


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """A dump without findings."""
    (tmp_path / "QM1.mqsc").write_text(_DUMP)
    return tmp_path / "QM1.mqsc"


def _change(tmp_path: Path, text: str) -> tuple[object, ...]:
    (tmp_path / "change.mqsc").write_text(text)
    return ("--change", tmp_path / "change.mqsc", "--queue-manager", f"QM1={tmp_path / 'change.mqsc'}")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            "ALTER QLOCAL('PAY.IN') GET(DISABLED)",
            (
                "queue PAY.IN at QM1: one poison message: moved to the backout queue PAY.BO -> nothing is delivered"
                " (worse)"
            ),
        ),
        (
            "ALTER QLOCAL('PAY.OFF') GET(ENABLED)",
            (
                "queue PAY.OFF at QM1: one poison message: nothing is delivered -> moved to the backout queue PAY.BO"
                " (better)"
            ),
        ),
    ],
)
def test_a_queue_that_is_switched_off_or_on_has_another_fate(
    lintmdb: Run, dump: Path, tmp_path: Path, change: str, told: str
) -> None:
    """Though no rule says anything of it."""
    shown = lintmdb("diff", dump, "--all-queues", "--quiet", *_change(tmp_path, change)).stdout.splitlines()
    worse = " (1 worse)" if told.endswith("(worse)") else ""
    assert shown == [
        told,
        f"Gate {'fails: 1 flow with a worse fate' if worse else 'passes'} (--fail-on error)",
        f"1 of 2 queues with another fate{worse}; findings: 0 new, 0 resolved, 0 newly undecided, 0 as before",
    ]


def test_a_new_queue_is_told_with_its_fate(lintmdb: Run, dump: Path, tmp_path: Path) -> None:
    """In every format, as a queue that is gone; one that has no backout attributes is not judged and not told."""
    change = _change(
        tmp_path,
        "DEFINE QLOCAL('PAY.NEW') BOTHRESH(3) BOQNAME('PAY.BO')\n"
        "DEFINE QLOCAL('PAY.SHUT') BOTHRESH(3) BOQNAME('PAY.BO') GET(DISABLED)\n"
        "DEFINE QLOCAL('PAY.PLAIN')\n",
    )
    lines = lintmdb("diff", dump, "--all-queues", *change).stdout.splitlines()
    assert lines[-1].startswith("0 of 4 queues with another fate, 2 new queues; findings: 0 new")
    fates = {"PAY.NEW": "moved to the backout queue PAY.BO", "PAY.SHUT": "nothing is delivered"}
    new = [f"new queue {name} at QM1: {fate}" for name, fate in fates.items()]
    assert [line for line in lines if "queue PAY" in line] == new
    document = json.loads(lintmdb("diff", dump, "--all-queues", "--format", "json", *change).stdout)
    assert {entry["subject"]["name"]: entry["fate"] for entry in document["queues"]["added"]} == fates
    markdown = lintmdb("diff", dump, "--all-queues", "--format", "markdown", *change).stdout
    assert markdown.startswith("## lintmdb diff: 2 new queues\n")
    assert "- new: queue PAY.NEW at QM1: moved to the backout queue PAY.BO" in markdown
    page = lintmdb("diff", dump, "--all-queues", "--format", "html", *change).stdout
    assert "New: queue PAY.NEW at QM1: moved to the backout queue PAY.BO" in page


_REVOKED = "SET AUTHREC PROFILE('PAY.**') GROUP('apps') OBJTYPE(QUEUE) AUTHRMV(PUT)\n"


@pytest.mark.parametrize("option", [(), ("--all-queues",)])
def test_a_change_of_rights_that_nobody_is_known_to_need_is_pointed_at(
    lintmdb: Run, dump: Path, tmp_path: Path, option: tuple[str, ...]
) -> None:
    """Once for a script, and a strict gate fails."""
    result = lintmdb("check", dump, *option, "--strict", *_change(tmp_path, _REVOKED * 2))
    told = [line for line in result.stderr.splitlines() if "AUTHREC" in line]
    assert len(told) == 1
    text = "change.mqsc:1: no user is known who reads from the queue manager, so SET AUTHREC (and 1 more) is not judged"
    assert text in told[0]
    assert told[0].endswith(f"with {'' if option else '--all-queues and '}--observations FILE")
    assert result.returncode != 0
    passing = lintmdb("check", dump, "--all-queues", "--strict")
    assert passing.returncode == 0


def test_a_change_of_rights_is_judged_for_the_user_who_reads(lintmdb: Run, dump: Path, tmp_path: Path) -> None:
    """And so nothing is pointed at, whatever object the rights are about."""
    (tmp_path / "observed.yaml").write_text("user: appuser\nusers:\n  - user: appuser\n    groups: [apps]\n")
    observed = ("--observations", tmp_path / "observed.yaml")
    result = lintmdb("diff", dump, "--all-queues", *observed, *_change(tmp_path, _REVOKED))
    assert "AUTHREC is not judged" not in result.stderr
    assert "error   MDB113 backout-authority-missing" in result.stdout
    assert result.returncode == 1
    other = "SET AUTHREC PROFILE('APP.SVRCONN') GROUP('apps') OBJTYPE(CHANNEL) AUTHADD(DSP)\n"
    assert "not judged" not in lintmdb("diff", dump, "--all-queues", *_change(tmp_path, other)).stderr


def test_a_queue_that_a_refused_command_is_about_is_not_judged(lintmdb: Run, dump: Path, tmp_path: Path) -> None:
    """It does not come into being by ALTER, nor by a copy of what is not there; and its rights stay."""
    change = _change(
        tmp_path,
        "ALTER QLOCAL('PAY.GONE') BOTHRESH(3)\n"
        "DEFINE QLOCAL('PAY.NEW') LIKE('PAY.GONE') BOTHRESH(3)\n"
        "SET AUTHREC PROFILE('PAY.IN') GROUP('apps') OBJTYPE(QUEUE) AUTHADD(PASALL)\n"
        "SET AUTHREC PROFILE('PAY.IN') GROUP('apps') OBJTYPE(QUEUE) AUTHADD(PASSALL)\n",
    )
    result = lintmdb("diff", dump, "--all-queues", *change)
    *refused, summary = [line for line in result.stdout.splitlines() if line.startswith(("refused: ", "0 "))]
    assert len(refused) == 3
    fates = "0 of 2 queues with another fate; findings: 0 new, 0 resolved, 0 newly undecided, 0 as before"
    assert summary == f"{fates}; 3 changes refused, 1 change not judged"
    assert "new queue" not in result.stdout
    assert "change.mqsc:4: no user is known" in result.stderr


def test_in_a_part_of_the_definitions_a_command_may_be_about_a_queue_of_another_part(
    lintmdb: Run, dump: Path, tmp_path: Path
) -> None:
    """So it is judged, as far as its values go."""
    dump.write_text("".join(line for line in _DUMP.splitlines(keepends=True) if not line.startswith("* Command")))
    change = _change(tmp_path, "ALTER QLOCAL('PAY.GONE') BOTHRESH(3) BOQNAME(' ')\n")
    shown = lintmdb("diff", dump, "--all-queues", "--quiet", *change).stdout
    assert "refused" not in shown
    assert "MDB102 queue PAY.GONE at QM1" in shown
