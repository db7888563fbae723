"""What people wrote about objects that a plan changes stands beside the changes, and in their scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.dumps import WHOLE
from tests.support.project import FIXTURES
from tests.support.variant import Variant

_STOPS = "stop-3-sessions-5-bothresh-5"


def test_the_description_of_an_endpoint_that_no_longer_stops(lintmdb: Run, tmp_path: Path) -> None:
    """It may say that somebody wants the stop."""
    resources = next((FIXTURES / _STOPS).rglob("server1/resources.xml"))
    line = next(line for line in resources.read_text().splitlines() if "<j2cActivationSpec " in line)
    described = line.replace(' description=""', ' description="Stops &amp; waits,   agreed with ops"')
    folder = Variant(tmp_path, _STOPS).edit(str(resources.relative_to(FIXTURES / _STOPS)), line, described).folder
    told = "OrdersAS no longer stops then. Its description: Stops & waits, agreed with ops"
    out = tmp_path / "plan"
    assert f"First: {told}." in " ".join(lintmdb("plan", folder, "--out", out).stdout.split())
    script = (out / "was/C1.py").read_text()
    assert told in " ".join(script.replace("\n#", " ").split())
    assert "no longer stops then" not in lintmdb("plan", FIXTURES / _STOPS).stdout


_DUMP = """\
* Queue manager name: QM1
* Command issued: dmpmqcfg -m QM1 -a
ALTER QMGR DEADQ('DEAD')
DEFINE QLOCAL('A') BOTHRESH(3) BOQNAME('A.BO')
DEFINE QLOCAL('A.BO') {0}
DEFINE QLOCAL('DEAD') +
*  CURDEPTH({1}) +
   MAXDEPTH(200)
SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) GROUP('mqm') AUTHADD(GET,PUT,PASSALL,INQ)
SET AUTHREC PROFILE('A') OBJTYPE(QUEUE) {2} AUTHADD(GET,INQ,BROWSE)
"""


@pytest.mark.parametrize(("depth", "told"), [(200, True), (199, False)])
def test_a_full_dead_letter_queue_stays_full(lintmdb: Run, tmp_path: Path, depth: int, *, told: bool) -> None:
    """No message is moved there with the changes, but whoever runs the script has to know."""
    (tmp_path / "QM1.mqsc").write_text(_DUMP.format("PUT(DISABLED)", depth, "GROUP('team')") + WHOLE)
    out = tmp_path / "plan"
    text = " ".join(lintmdb("plan", "--all-queues", tmp_path / "QM1.mqsc", "--out", out).stdout.split())
    script = " ".join((out / "mq/QM1.mqsc").read_text().replace("\n*", " ").split())
    left = "DEAD was full when it was exported, and these changes make no room there. Somebody has to look at it."
    assert (left in text) is (left in script) is told


def test_a_grant_alone_names_the_queue_that_stays_full(lintmdb: Run, tmp_path: Path) -> None:
    """The first change at the queue manager carries the note, whatever its kind."""
    text = _DUMP.format("PUT(ENABLED)", 200, "PRINCIPAL('app1')")
    text += "SET AUTHREC PROFILE('A.BO') OBJTYPE(QUEUE) PRINCIPAL('app1') AUTHADD(PUT)\n"
    text += "SET AUTHREC PROFILE('DEAD') OBJTYPE(QUEUE) PRINCIPAL('app1') AUTHADD(PUT,PASSALL)\n"
    dump, observed = tmp_path / "QM1.mqsc", tmp_path / "observed.yaml"
    dump.write_text(text + WHOLE)
    observed.write_text("users:\n- {user: app1, groups: []}\nqueues:\n- {queue: A, user: app1}\n")
    asked = ("plan", "--all-queues", dump, "--observations", observed, "--select", "MDB113")
    plan = " ".join(lintmdb(*asked).stdout.split())
    assert plan.startswith("1 change at queue manager QM1 queue manager QM1 A.BO app1 gets passall")
    assert "DEAD was full when it was exported, and these changes make no room there." in plan


@pytest.mark.parametrize(("who", "told"), [("GROUP('team')", True), ("PRINCIPAL('other')", False)])
def test_a_user_where_all_records_are_those_of_groups(lintmdb: Run, tmp_path: Path, who: str, *, told: bool) -> None:
    """The plan asks for the groups, with which it grants to one."""
    dump = tmp_path / "QM1.mqsc"
    text = _DUMP.format("PUT(ENABLED)", 0, who).replace("DEFINE QLOCAL('A.BO') PUT(ENABLED)\n", "")
    # Two groups may read, so that the plan cannot tell which one the user is in.
    for group in ("two", "three"):
        text += f"SET AUTHREC PROFILE('A') OBJTYPE(QUEUE) GROUP('{group}') AUTHADD(GET,INQ,BROWSE)\n"
    dump.write_text(text + WHOLE)
    observed = tmp_path / "observed.yaml"
    asked = ("plan", "--all-queues", dump, "--observations", observed)
    observed.write_text("queues:\n- {queue: A, user: app1}\n")
    text = " ".join(lintmdb(*asked).stdout.split())
    among = "All authority records of QM1 are those of groups. Name the groups of app1 with --observations"
    assert (among in text) is told
    assert ("acts on the primary group of that user" in text) is not told
    observed.write_text("users:\n- {user: app1, groups: [team]}\nqueues:\n- {queue: A, user: app1}\n")
    text = " ".join(lintmdb(*asked).stdout.split())
    assert among not in text
    assert "A.BO group team gets" in text


@pytest.mark.parametrize(
    ("others", "told"),
    [
        ("", ""),
        ("DEFINE QLOCAL(QM2) USAGE(XMITQ)\n", "The transmission queue QM2 is there: look whether XMITQ is misspelt."),
        (
            "DEFINE QLOCAL(QM2) USAGE(XMITQ)\nDEFINE QLOCAL(QM3) USAGE(XMITQ)\n",
            "The transmission queues QM2 and QM3 are there: look whether XMITQ is misspelt.",
        ),
    ],
)
def test_other_transmission_queues_are_named(lintmdb: Run, tmp_path: Path, others: str, told: str) -> None:
    """Where the one of a remote backout queue is missing, which may be a slip."""
    remote = "DEFINE QREMOTE('A.BO') RNAME('X') RQMNAME('QM2') XMITQ('QM2.ERR')\n"
    text = _DUMP.format("", 0, "GROUP('team')").replace("DEFINE QLOCAL('A.BO') \n", remote + others)
    (tmp_path / "QM1.mqsc").write_text(text + WHOLE)
    plan = " ".join(lintmdb("plan", "--all-queues", tmp_path / "QM1.mqsc").stdout.split())
    assert "QM2.ERR new transmission queue" in plan
    assert told in plan
    assert ("look whether XMITQ is misspelt" in plan) is bool(told)


def test_who_has_rights_on_a_queue_that_may_be_meant(lintmdb: Run, tmp_path: Path) -> None:
    """A record there is a sign that the name is a slip."""
    text = _DUMP.format("", 0, "GROUP('team')").replace("DEADQ('DEAD')", "DEADQ('DEADQ')")
    text += "SET AUTHREC PROFILE('DEAD') OBJTYPE(QUEUE) GROUP('team') AUTHADD(PUT,PASSALL)\n"
    (tmp_path / "QM1.mqsc").write_text(text + WHOLE)
    plan = " ".join(lintmdb("plan", "--all-queues", tmp_path / "QM1.mqsc").stdout.split())
    assert "queue manager DEADQ DEADQ -> DEAD" in plan
    assert "By the records, group team has put and passall there." in plan


def test_the_description_of_an_alias_that_leads_nowhere(lintmdb: Run, tmp_path: Path) -> None:
    """It may say where the queue has gone."""
    alias = "DEFINE QALIAS('A.BO') TARGET('A.ERR') DESCR('Moved, CHG0068800')\n"
    text = _DUMP.format("", 0, "GROUP('team')").replace("DEFINE QLOCAL('A.BO') \n", alias)
    (tmp_path / "QM1.mqsc").write_text(text + WHOLE)
    plan = " ".join(lintmdb("plan", "--all-queues", tmp_path / "QM1.mqsc").stdout.split())
    assert "First: A.BO leads to A.ERR, which is not there. DESCR of A.BO: Moved, CHG0068800." in plan


@pytest.mark.parametrize(("depth", "worse"), [(200, True), (199, False)])
def test_a_full_dead_letter_queue_is_no_way_out_of_a_full_backout_queue(
    lintmdb: Run, tmp_path: Path, depth: int, *, worse: bool
) -> None:
    """Also where no message is moved to it with the changes, so that nothing else speaks of it."""
    text = _DUMP.format("", depth, "PRINCIPAL('app1')").replace("BOTHRESH(3)", "BOTHRESH(0)")
    text += "SET AUTHREC PROFILE('DEAD') OBJTYPE(QUEUE) PRINCIPAL('app1') AUTHADD(PUT,PASSALL)\n"
    dump, observed = tmp_path / "QM1.mqsc", tmp_path / "observed.yaml"
    dump.write_text(text + WHOLE)
    observed.write_text("users:\n- {user: app1, groups: []}\nqueues:\n- {queue: A, user: app1}\n")
    plan = " ".join(lintmdb("plan", "--all-queues", dump, "--observations", observed).stdout.split())
    assert "loops for ever -> moved to the backout queue A.BO" in plan
    lost = "Worse than before while the backout queue is full: loops for ever -> discarded (non-persistent)"
    assert (lost in plan) is worse
