"""Jobs that run CSQUTIL: which commands run, for which queue manager."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lintmdb.exports.discovery import discover, recognise
from lintmdb.exports.mq.jcl import read_jcl
from lintmdb.model.relations import Queue, QueueManager
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate

JOB = """\
//MQDEFS   JOB (ACCT),'QUEUES',CLASS=A
//* One step before
//COPY     EXEC PGM=IEBGENER
//SYSUT1   DD *
DEFINE QLOCAL(NOT.MQSC)
/*
//ORDERS   EXEC PGM=CSQUTIL,
//             PARM='MQP1'
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  COMMAND DDNAME(FIRST)
  COMMAND DDNAME(SECOND)
/*
//SECOND   DD *
ALTER QLOCAL(ORDERS.IN) BOTHRESH(5)
/*
//FIRST    DD *
DEFINE QLOCAL(ORDERS.IN) +
  BOTHRESH(2)
//STEP2    EXEC PGM=CSQUTIL,REGION=4M,PARM=(MQP2)
//CSQUCMD  DD DATA,DLM=$$
* // is no end here
DEFINE QLOCAL(STOCK.IN) BOTHRESH(3)
$$
//SYSIN    DD *
 COMMAND
/*
"""


def queues(folder: Path) -> dict[tuple[str, str], int | None]:
    """The thresholds of all queues, by queue manager and name."""
    rows = read_estate([folder], Observations()).facts.rows["queue"]
    return {(row.queue_manager, row.name): row.backout_threshold for row in rows if isinstance(row, Queue)}


def test_a_job(tmp_path: Path) -> None:
    """Each step has a queue manager, and COMMAND the order; data of other programs is not read."""
    (tmp_path / "MQDEFS.jcl").write_text(JOB)
    assert queues(tmp_path) == {("MQP1", "ORDERS.IN"): 5, ("MQP2", "STOCK.IN"): 3}
    managers = read_estate([tmp_path], Observations()).facts.rows["queue_manager"]
    assert {row.platform for row in managers if isinstance(row, QueueManager)} == {"zos"}
    lines = JOB.split("\n")
    written = [lines[command.line - 1] for file in read_jcl(JOB.encode(), "x") for command in file.commands]
    assert written == [
        "DEFINE QLOCAL(ORDERS.IN) +",
        "ALTER QLOCAL(ORDERS.IN) BOTHRESH(5)",
        "DEFINE QLOCAL(STOCK.IN) BOTHRESH(3)",
    ]


@pytest.mark.parametrize("numbered", [False, True])
def test_records(tmp_path: Path, numbered: bool) -> None:
    """Columns 73 to 80 are no part of a command."""
    lines = (f"{line:<72}{number:08d}" if numbered else f"{line:<80}" for number, line in enumerate(JOB.split("\n")))
    (tmp_path / "MQDEFS.txt").write_text("\n".join(lines) + "\n")
    assert queues(tmp_path) == {("MQP1", "ORDERS.IN"): 5, ("MQP2", "STOCK.IN"): 3}


def test_a_job_that_names_no_queue_manager(tmp_path: Path) -> None:
    """A symbol, or no PARM at all: the name of the file counts, as for MQSC."""
    (tmp_path / "MQP9.jcl").write_text(JOB.partition("//STEP2")[0].replace("'MQP1'", "'&QMGR'"))
    assert queues(tmp_path) == {("MQP9", "ORDERS.IN"): 5}


@pytest.mark.parametrize(
    "text",
    [
        "//A EXEC PGM=CSQUTIL,PARM='Q'\n//SYSIN DD *\n COMMAND DDNAME(C)\n/*\n//C DD *\nDISPLAY QUEUE(*) ALL\n/*\n",
        "//A EXEC PGM=IEBGENER\n//SYSUT1 DD *\nDEFINE CLUSTER(NAME(X))\n/*\n",
    ],
)
def test_jobs_that_define_nothing(tmp_path: Path, text: str) -> None:
    """One that only asks, as to export, and one of another program."""
    (tmp_path / "job.jcl").write_text(text)
    assert discover([tmp_path]).files == []


def test_told_by_content() -> None:
    """A job without a JOB statement, too; what the utility prints is no job."""
    assert recognise(JOB.encode()) == ("jcl", "")
    assert recognise(JOB[JOB.index("//ORDERS") :].encode()) == ("jcl", "")
    assert recognise(f"1CSQU000I CSQUTIL IBM MQ\n{JOB}".encode())[0] != "jcl"


@given(st.lists(st.sampled_from([*JOB.split("\n"), "//", "/*", "+", "COMMAND DDNAME(", "//X DD *,DLM="])))
def test_any_lines(lines: list[str]) -> None:
    """Whatever is missing, a reader gives commands that are in the job, and no error."""
    text = "\n".join(lines)
    for file in read_jcl(text.encode(), "x"):
        assert all(0 < command.line <= len(lines) for command in file.commands)
