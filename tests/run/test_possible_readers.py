"""Who may read queues that no endpoint reads, by the records, and what that makes of their messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.dumps import WHOLE

_DUMP = """\
* Queue manager name: QM1
* Queue manager platform: UNIX
* Command issued: dmpmqcfg -m QM1 -a
ALTER QMGR DEADQ(DEAD) MAXMSGL(104857600)
DEFINE QLOCAL(DEAD)
DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(A.BO)
DEFINE QLOCAL(B.IN) BOTHRESH(3) BOQNAME(A.BO)
DEFINE QLOCAL(A.BO)
SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) GROUP('mqm') AUTHADD(GET,PUT,PASSALL,INQ)
SET AUTHREC PROFILE('*.IN') OBJTYPE(QUEUE) {} AUTHADD(GET,INQ,BROWSE)
SET AUTHREC PROFILE('A.BO') OBJTYPE(QUEUE) {} AUTHADD({})
"""
_LOST = (
    "discarded (non-persistent), delivery is blocked (persistent), for want of passall on the backout queue and put and"
    " passall on the dead-letter queue"
)


@pytest.mark.parametrize("who", ["PRINCIPAL('app1')", "GROUP('team')"])
@pytest.mark.parametrize(("rights", "worse"), [("PUT,PASSALL", False), ("PUT", True)])
def test_the_records_say_who_may_read_and_what_that_means(
    lintmdb: Run, tmp_path: Path, who: str, rights: str, *, worse: bool
) -> None:
    """As check itself judges it when that user is named."""
    (tmp_path / "QM1.mqsc").write_text(_DUMP.format(who, who, rights) + WHOLE)
    told = " ".join(lintmdb("check", "--all-queues", tmp_path).stdout.split())
    name = "app1" if "PRINCIPAL" in who else "group team"
    assert f"Who may read the queues by the records of the dumps: 1 {name} may read 2 queues" in told
    assert ("messages fare worse on 2 (see the end)" in told) is worse
    assert (f"and a poison message fares worse on 2 {_LOST}: A.IN at QM1 and B.IN at QM1" in told) is worse
    (tmp_path / "QM1.mqsc").write_text(_DUMP.replace("THRESH(3)", "THRESH(1)").format(who, who, rights) + WHOLE)
    card = " ".join(lintmdb("check", "--all-queues", tmp_path).stdout.split()).partition("queue A.IN at QM1")[2]
    rest = f"With the rights of {name}, who may read it by the records: {_LOST}. MQ A.IN"
    assert (rest in card) is worse
    (tmp_path / "QM1.mqsc").write_text(_DUMP.format(who, who, rights) + WHOLE)
    assert ("by these records, no message fares worse than above" in told) is not worse
    groups = "[]" if "PRINCIPAL" in who else "[team]"
    named = tmp_path / "observed.yaml"
    named.write_text(f"users:\n- {{user: app1, groups: {groups}}}\nqueues:\n- {{queue: '*', user: app1}}\n")
    judged = " ".join(lintmdb("check", "--all-queues", tmp_path / "QM1.mqsc", "--observations", named).stdout.split())
    assert ("a poison message is lost on every one" in judged) is worse
    assert "Who may read" not in judged


_ONE = """\
* Queue manager name: QM1
* Queue manager platform: UNIX
* Command issued: dmpmqcfg -m QM1 -a
ALTER QMGR DEADQ(DEAD) MAXMSGL(104857600){}
DEFINE QLOCAL(DEAD)
DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(A.BO)
DEFINE QLOCAL(A.BO)
{}
"""
_READS = "SET AUTHREC PROFILE('A.IN') OBJTYPE(QUEUE) {} AUTHADD(GET,INQ,BROWSE)\n"


def _told(lintmdb: Run, folder: Path, records: str, *options: str | Path, manager: str = "") -> str:
    (folder / "QM1.mqsc").write_text(_ONE.format(manager, records) + WHOLE)
    shown = lintmdb("check", "--all-queues", folder / "QM1.mqsc", *options).stdout
    return " ".join(shown.partition("Who may read")[2].partition("DISPLAY QSTATUS")[0].split())


def test_what_other_records_may_allow_is_no_good_news(lintmdb: Run, tmp_path: Path) -> None:
    """The user may be in a group that has the rights, and a long name is cut."""
    ops = "SET AUTHREC PROFILE('A.BO') OBJTYPE(QUEUE) GROUP('ops') AUTHADD(PUT,PASSALL)\n"
    told = _told(lintmdb, tmp_path, _READS.format("PRINCIPAL('app1')") + ops)
    assert told.endswith("app1 may read 1 queue: on 1 that depends on the groups of app1")
    told = _told(lintmdb, tmp_path, _READS.format("PRINCIPAL('averyveryverylongname')"))
    assert "no message fares worse" not in told


def test_groups_of_a_directory_are_judged(lintmdb: Run, tmp_path: Path) -> None:
    """By the names that users have there."""
    ldap = " CONNAUTH(L)\nDEFINE AUTHINFO(L) AUTHTYPE(IDPWLDAP) CONNAME('h') AUTHORMD(SEARCHGRP)"
    told = _told(lintmdb, tmp_path, _READS.format("GROUP('cn=team,o=ibm')"), manager=ldap)
    assert "group cn=team,o=ibm may read 1 queue, and a poison message fares worse on 1" in told


def test_who_may_open_an_alias_alone_may_read(lintmdb: Run, tmp_path: Path) -> None:
    """A common way to keep applications off the queue itself."""
    alias = "DEFINE QALIAS(A) TARGET(A.IN)\n"
    told = _told(lintmdb, tmp_path, alias + _READS.format("PRINCIPAL('app1')").replace("'A.IN'", "'A'"))
    assert "app1 may read 1 queue" in told


def test_a_user_who_is_named_for_the_queue_manager_hides_nobody(lintmdb: Run, tmp_path: Path) -> None:
    """That user may not read the queue, and others may."""
    named = tmp_path / "observed.yaml"
    named.write_text("users:\n- {user: was, groups: []}\nqueue_managers:\n- {queue_manager: QM1, user: was}\n")
    told = _told(lintmdb, tmp_path, _READS.format("PRINCIPAL('app1')"), "--observations", named)
    assert "app1 may read 1 queue, and a poison message fares worse on 1" in told


def test_nothing_is_said_where_records_may_be_missing(lintmdb: Run, tmp_path: Path) -> None:
    """Nor of administrators, who need no record."""
    records = _DUMP.format("GROUP('mqm')", "GROUP('mqm')", "PUT")
    (tmp_path / "QM1.mqsc").write_text(records + WHOLE)
    assert "Who may read" not in lintmdb("check", "--all-queues", tmp_path).stdout
    (tmp_path / "QM1.mqsc").write_text(_DUMP.format("GROUP('team')", "GROUP('team')", "PUT"))  # whose end is lost
    assert "Who may read" not in lintmdb("check", "--all-queues", tmp_path).stdout


def test_of_many_only_the_names_are_told(lintmdb: Run, tmp_path: Path) -> None:
    """To judge the queues with the rights of each would take long."""
    more = "".join(
        f"SET AUTHREC PROFILE('A.IN') OBJTYPE(QUEUE) PRINCIPAL('app{n}') AUTHADD(GET,INQ)\n" for n in range(20)
    )
    (tmp_path / "QM1.mqsc").write_text(_DUMP.format("GROUP('team')", "GROUP('team')", "PUT") + more + WHOLE)
    told = lintmdb("check", "--all-queues", tmp_path).stdout
    assert "Who may read the queues by the records of the dumps: 21" in told
    assert "fares worse" not in told
    assert "  and 9 more (-v names them)" in told
    assert "  app7 may read 1 queue\n" in lintmdb("check", "--all-queues", tmp_path, "-v").stdout


def test_diff_says_what_the_fate_of_a_new_queue_takes_for_granted(lintmdb: Run, tmp_path: Path) -> None:
    """And with whose rights a message fares worse: the gate passes."""
    dump = _DUMP.format("PRINCIPAL('app1')", "PRINCIPAL('app1')", "PUT") + WHOLE
    (tmp_path / "QM1.mqsc").write_text(dump)
    change = tmp_path / "change.mqsc"
    change.write_text("DEFINE QLOCAL('C.IN') BOTHRESH(3) BOQNAME('A.BO')\n")
    asked = ("diff", "--all-queues", tmp_path / "QM1.mqsc", "--change", change)
    run = lintmdb(*asked)
    told = " ".join(run.stdout.split())
    assert run.returncode == 0
    assert "new queue C.IN at QM1: moved to the backout queue A.BO" in told
    client = "Queues that no endpoint reads are judged for a JMS client that never gives up and has every right."
    rights = f"With the rights of app1, who may read by the records of the dumps: {_LOST} (C.IN at QM1)."
    judged = "Name who reads with --observations FILE, and the gate judges those rights."
    assert f"{client} {rights} {judged} Gate passes" in told
    assert f"- {client}\n- With the rights of app1" in lintmdb(*asked, "--format", "markdown").stdout
    change.write_text("ALTER QLOCAL('DEAD') DESCR('new')\n")
    assert "Queues that no endpoint reads" not in lintmdb(*asked).stdout


@pytest.mark.parametrize("who", ["PRINCIPAL('app1')", "GROUP('team')"])
@pytest.mark.parametrize("before", ["BOTHRESH(0) BOQNAME(A.BO)", "BOTHRESH(3) BOQNAME(' ')"])
@pytest.mark.parametrize("rights", ["PUT,PASSALL", "PUT"])
def test_a_plan_says_who_lacks_rights_where_it_moves_messages(
    lintmdb: Run, tmp_path: Path, who: str, before: str, rights: str
) -> None:
    """In the plan and in the script, which may be all that its reader has. A new queue has the rights of a generic
    profile.
    """
    text = _DUMP.format(who, who, rights).replace("BOTHRESH(3) BOQNAME(A.BO)", before).replace("DEADQ(DEAD) ", "")
    new = "BOQNAME(' ')" in before
    # The only group that may read would get the rights.
    text += "SET AUTHREC PROFILE('*.IN') OBJTYPE(QUEUE) GROUP('other') AUTHADD(GET,INQ,BROWSE)\n"
    (tmp_path / "QM1.mqsc").write_text((text.replace("'A.BO'", "'**.BACKOUT'") if new else text) + WHOLE)
    told = " ".join(lintmdb("plan", "--all-queues", tmp_path, "--out", tmp_path / "out").stdout.split())
    script = " ".join((tmp_path / "out/mq/QM1.mqsc").read_text().replace("\n* ", " ").split())
    name = "app1" if "PRINCIPAL" in who else "group team"
    queues = "A.IN.BACKOUT and B.IN.BACKOUT" if new else "A.BO"
    static = (
        f"By the records of the export, {name} may read A.IN and B.IN, and no record gives {name} passall on {queues}."
    )
    assert (static in told) is (static in script) is (rights == "PUT")
    # A message that was delivered again and again is lost then; the other one was lost before, too.
    worse = f"With the rights of {name}, messages of A.IN and B.IN fare worse after these changes than before. If"
    assert (f"{static} {worse}" in told) is (f"{static} {worse}" in script) is (rights == "PUT" and not new)
    fate = f"With the rights of {name}, who may read by the records of the dumps: discarded (non-persistent), delivery"
    assert (fate in told) is (rights == "PUT")


def test_a_plan_does_not_speak_of_readers_whom_the_records_do_not_name(lintmdb: Run, tmp_path: Path) -> None:
    """Records that are not whole, and those of z/OS, do not say who may read."""
    text = _DUMP.format("PRINCIPAL('app1')", "PRINCIPAL('app1')", "PUT").replace("BOTHRESH(3)", "BOTHRESH(0)")
    (tmp_path / "QM1.mqsc").write_text(text)
    assert "By the records" not in " ".join(lintmdb("plan", "--all-queues", tmp_path).stdout.split())
    named = tmp_path / "observed.yaml"
    named.write_text("users:\n- {user: app1, groups: []}\nqueues:\n- {queue: '*', user: app1}\n")
    (tmp_path / "QM1.mqsc").write_text(text + WHOLE)
    told = lintmdb("plan", "--all-queues", tmp_path, "--observations", named).stdout
    assert "By the records" not in " ".join(told.split())
    assert "app1" in told


def test_a_plan_knows_the_rights_that_it_grants_and_those_of_groups(lintmdb: Run, tmp_path: Path) -> None:
    """Whoever gets a right by the script, or has it by a group that somebody names, does not lack it."""
    text = _DUMP.format("PRINCIPAL('app1')", "GROUP('movers')", "PUT,PASSALL").replace("BOTHRESH(3)", "BOTHRESH(0)")
    text += "SET AUTHREC PROFILE('*.IN') OBJTYPE(QUEUE) GROUP('other') AUTHADD(GET,INQ,BROWSE)\n"
    (tmp_path / "QM1.mqsc").write_text(text + WHOLE)
    asked = ("plan", "--all-queues", tmp_path / "QM1.mqsc", "--observations", tmp_path / "observed.yaml")
    lacks = "app1 may read A.IN and B.IN, and no record gives app1 put and passall on A.BO."
    for groups, told in (("[]", True), ("[movers]", False)):
        (tmp_path / "observed.yaml").write_text(f"users:\n- {{user: app1, groups: {groups}}}\n")
        assert (lacks in " ".join(lintmdb(*asked).stdout.split())) is told
    queues = "queues:\n- {queue: A.IN, user: app1}\n"
    (tmp_path / "observed.yaml").write_text(f"users:\n- {{user: app1, groups: []}}\n{queues}")
    granted = " ".join(lintmdb(*asked).stdout.split())
    assert "A.BO app1 gets put, passall" in granted
    assert "no record gives app1" not in granted


def test_queue_managers_without_records_are_named(lintmdb: Run, tmp_path: Path) -> None:
    """Nobody is named for their queues, and not because nobody may read them."""
    (tmp_path / "QM1.mqsc").write_text(_DUMP.format("PRINCIPAL('app1')", "PRINCIPAL('app1')", "PUT") + WHOLE)
    (tmp_path / "QM2.mqsc").write_text("* Queue manager name: QM2\nDEFINE QLOCAL(C.IN) BOTHRESH(3) BOQNAME(C.BO)\n")
    told = " ".join(lintmdb("check", "--all-queues", tmp_path).stdout.split())
    assert "No export has all authority records of QM2: who may read there is not known" in told
