"""What was going on at queues when they were exported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.dumps import WHOLE

_DUMP = f"""\
* Queue manager name: QM1
* Command issued: dmpmqcfg -m QM1 -a
DEFINE QLOCAL('A') BOTHRESH(0) BOQNAME('A.BO') +
*  CURDEPTH(2) +
*  IPPROCS(3) +
   MAXDEPTH(5000)
DEFINE QLOCAL('A.BO')
DEFINE QLOCAL('IDLE') DESCR('Nobody''s') +
*  IPPROCS(0) +
   BOTHRESH(0) BOQNAME(' ')
DEFINE QLOCAL('UNSHOWN') BOTHRESH(0) BOQNAME(' ')
DEFINE QLOCAL('WORK') BOTHRESH(0) BOQNAME(' ')
{WHOLE}"""
_STATUS = """\
Starting MQSC for queue manager QM1.

     1 : DISPLAY QSTATUS(*) TYPE(QUEUE) ALL
AMQ8450I: Display queue status details.
   QUEUE(A)                                TYPE(QUEUE)
   CURDEPTH({depth})                       IPPROCS({readers})
   MSGAGE({age})                           UNCOM({uncommitted})
AMQ8450I: Display queue status details.
   QUEUE(WORK)                             TYPE(QUEUE)
   CURDEPTH(0)                             IPPROCS(1)
   MSGAGE(0)                               UNCOM(NO)
One MQSC command read.
"""


def _check(lintmdb: Run, folder: Path, *options: str) -> str:
    return " ".join(lintmdb("check", "--all-queues", folder, *options).stdout.split())


def test_a_dump_shows_it_in_comments(lintmdb: Run, tmp_path: Path) -> None:
    """No verdict rests on them, so they are told beside the fate, with their place."""
    (tmp_path / "QM1.mqsc").write_text(_DUMP)
    text = _check(lintmdb, tmp_path)
    assert f"When exported: 2 messages; 3 handles open for input ({tmp_path.as_posix()}/QM1.mqsc:4)." in text


@pytest.mark.parametrize(
    ("depth", "readers", "age", "uncommitted", "words"),
    [
        ("914", "8", "3535283", "YES", "914 messages, the oldest 40 days old; 8 handles open for input; work not com"),
        ("1", "1", "7199", "NO", "1 message, the oldest 1 hour old; 1 handle open for input ("),
        ("1", "0", "120", "2", "1 message, the oldest 2 minutes old; not open for input; work not committed ("),
        ("5", "1", "59", "0", "5 messages, the oldest 59 seconds old; 1 handle open for input ("),
        ("0", "1", "0", "NO", "no messages; 1 handle open for input ("),
        (" ", " ", " ", " ", "2 messages; 3 handles open for input ("),
        ("x", "99999999999", "-1", "NO", "2 messages; 3 handles open for input ("),
    ],
)
def test_an_answer_shows_more(
    lintmdb: Run, tmp_path: Path, depth: str, readers: str, age: str, uncommitted: str, words: str
) -> None:
    """Each value is that of the last export that shows it. Without MONQ the age is blank."""
    (tmp_path / "QM1.mqsc").write_text(_DUMP)
    answer = _STATUS.format(depth=depth, readers=readers, age=age, uncommitted=uncommitted)
    (tmp_path / "status.txt").write_text(answer)
    assert f"When exported: {words}" in _check(lintmdb, tmp_path)
    page = tmp_path / "page.html"
    _check(lintmdb, tmp_path, "--format", f"html={page}")
    assert f"When exported: {words.partition(' (')[0]}" in page.read_text()


def test_queues_that_somebody_reads_are_listed_first(lintmdb: Run, tmp_path: Path) -> None:
    """Among those without backout attributes are backout queues and dead-letter queues, which nobody reads."""
    (tmp_path / "QM1.mqsc").write_text(_DUMP)
    (tmp_path / "status.txt").write_text(_STATUS.format(depth=1, readers=1, age=1, uncommitted="NO"))
    told = lintmdb("check", "--all-queues", "-v", tmp_path).stdout.partition("Not judged: ")[2].splitlines()
    queues = [line.split()[1] for line in told if line.startswith("  queue ")]
    assert queues == ["WORK", "UNSHOWN", "IDLE"]
    assert "    no messages; 1 handle open for input" in told
    assert "    not open for input. DESCR: Nobody's" in told


def test_no_verdict_rests_on_it(lintmdb: Run, tmp_path: Path) -> None:
    """The same findings, fates and gate, whatever was going on."""
    (tmp_path / "QM1.mqsc").write_text(_DUMP)
    before = json.loads(lintmdb("check", "--all-queues", tmp_path, "--format", "json").stdout)
    (tmp_path / "status.txt").write_text(_STATUS.format(depth=10, readers=0, age=999999, uncommitted="YES"))
    after = json.loads(lintmdb("check", "--all-queues", tmp_path, "--format", "json").stdout)
    assert before["findings"]
    assert [before[part] for part in ("findings", "queues", "undecided")] == [
        after[part] for part in ("findings", "queues", "undecided")
    ]


def test_what_is_told_together_is_of_one_moment(lintmdb: Run, tmp_path: Path) -> None:
    """Answers in one file add up; the age of another day's messages does not go with a later depth."""
    status = _STATUS.format(depth=914, readers=8, age=3456000, uncommitted="YES")
    shown = "AMQ8409I: Display Queue details.\n   QUEUE(A)   TYPE(QLOCAL)\n   CURDEPTH(914)   IPPROCS(8)\n"
    again = status.replace("One MQSC", f"     2 : DISPLAY QLOCAL(A) CURDEPTH IPPROCS\n{shown}One MQSC")
    (tmp_path / "QM1.mqsc").write_text(_DUMP)
    (tmp_path / "status.txt").write_text(again)
    assert "914 messages, the oldest 40 days old; 8 handles open for input; work not" in _check(lintmdb, tmp_path)
    (tmp_path / "status.txt").unlink()
    (tmp_path / "A-earlier.txt").write_text(status)
    assert "When exported: 2 messages; 3 handles open for input (" in _check(lintmdb, tmp_path)


def test_an_answer_that_says_less_of_the_same_moment_hides_nothing(lintmdb: Run, tmp_path: Path) -> None:
    """DISPLAY QUEUE shows how many messages there are, and never how old they are."""
    status = _STATUS.format(depth=2, readers=3, age=3456000, uncommitted="YES")
    (tmp_path / "QM1.mqsc").write_text(_DUMP)
    for name in ("A-before.txt", "Z-after.txt"):
        (tmp_path / name).write_text(status)
        told = f"2 messages, the oldest 40 days old; 3 handles open for input; work not committed ({tmp_path}/{name}:"
        assert told in _check(lintmdb, tmp_path)
        (tmp_path / name).unlink()


def test_the_depth_of_the_backout_queue_is_told(lintmdb: Run, tmp_path: Path) -> None:
    """What lies there did fail."""
    deep = "DEFINE QLOCAL('A.BO') +\n*  CURDEPTH(12) +\n   MAXDEPTH(5000)"
    (tmp_path / "QM1.mqsc").write_text(_DUMP.replace("DEFINE QLOCAL('A.BO')", deep))
    text = _check(lintmdb, tmp_path)
    assert f"3 handles open for input ({tmp_path.as_posix()}/QM1.mqsc:4); 12 messages on A.BO (" in text
