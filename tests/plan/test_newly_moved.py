"""Rights on queues that a plan newly moves messages to, whichever rule's repair the plan chose."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.dumps import WHOLE
from tests.support.project import FIXTURES
from tests.support.variant import Variant

_DUMP = """* Queue manager name: QMS
* Queue manager platform: UNIX
* Queue manager command level: (930/930)
* Command issued: dmpmqcfg -m QMS -a
ALTER QMGR DEADQ('DLQ') MAXMSGL(4194304) CHLAUTH(ENABLED)
DEFINE QLOCAL('DLQ') MAXMSGL(4194304) REPLACE
DEFINE QLOCAL('A.IN') BOTHRESH({threshold}) BOQNAME('A.BO') MAXMSGL(100000) HARDENBO REPLACE
DEFINE QLOCAL('A.BO') {stream} MAXMSGL(100000) PUT(ENABLED) REPLACE
{records}
* Script ended on 2026-11-02   at 07.02.12
"""
_CLOSED = "STREAMQ('A.COPY') STRMQOS(MUSTDUP)"
_READS = "SET AUTHREC PROFILE('A.**') GROUP('wasgrp') OBJTYPE(QUEUE) AUTHADD(BROWSE,GET,INQ,PUT)"
_NOTE = "Each user whose messages are moved to A.BO needs put and passall there"


def _plan(lintmdb: Run, folder: Path, *, threshold: int = 3, stream: str = "", records: str = "") -> str:
    dump = folder / "QMS.mqsc"
    dump.write_text(_DUMP.format(threshold=threshold, stream=stream, records=records))
    return " ".join(lintmdb("plan", dump, "--all-queues").stdout.split())


def test_the_group_that_reads_the_queue_gets_its_rights(lintmdb: Run, tmp_path: Path) -> None:
    """MDB131 ends with STRMQOS alone, as MDB107 does with the grant beside it: the plan has both."""
    text = _plan(lintmdb, tmp_path, stream=_CLOSED, records=_READS)
    assert "A.BO STRMQOS MUSTDUP -> BESTEF MDB107 MDB131" in text
    assert "A.BO group wasgrp gets passall, setall, and keeps browse, get, inq, put" in text
    assert _NOTE not in text


@pytest.mark.parametrize(("threshold", "stream"), [(3, _CLOSED), (0, "")])
def test_where_nobody_is_known_to_read_the_plan_says_who_needs_rights(
    lintmdb: Run, tmp_path: Path, threshold: int, stream: str
) -> None:
    """The queue begins to take messages, or messages begin to be moved."""
    assert _NOTE in _plan(lintmdb, tmp_path, threshold=threshold, stream=stream)


def test_a_queue_that_messages_are_moved_to_already_needs_no_note(lintmdb: Run, tmp_path: Path) -> None:
    """With STRMQOS(BESTEF) a stream queue that may fill up no longer stops the move, which goes on as before."""
    records = "DEFINE QLOCAL('A.COPY') MAXMSGL(100000) REPLACE"
    text = _plan(lintmdb, tmp_path, stream=_CLOSED, records=records)
    assert "A.BO STRMQOS MUSTDUP -> BESTEF MDB131" in text
    assert _NOTE not in text


def test_nobody_has_already_what_the_plan_grants_to_a_group(lintmdb: Run, tmp_path: Path) -> None:
    """The queue is new, and the user has all rights there because its group gets them."""
    dump, observations = tmp_path / "QMS.mqsc", tmp_path / "observations.yaml"
    missing = _DUMP.replace("DEFINE QLOCAL('A.BO') {stream} MAXMSGL(100000) PUT(ENABLED) REPLACE\n", "")
    connects = "SET AUTHREC OBJTYPE(QMGR) GROUP('wasgrp') AUTHADD(CONNECT,INQ)"
    dump.write_text(missing.format(threshold=3, records=f"{_READS}\n{connects}"))
    observations.write_text("user: wasadm\nusers:\n  - {user: wasadm, groups: [wasgrp]}\n")
    told = lintmdb("plan", dump, "--all-queues", "--observations", observations).stdout
    assert "A.BO  new queue" in told
    assert "A.BO  group wasgrp gets passall, setall, and keeps browse, get, inq, put" in told
    assert "already has" not in told


def test_what_is_no_backout_queue_any_more_gets_no_rights_of_one(lintmdb: Run, tmp_path: Path) -> None:
    """The queue was its own backout queue. Its user still reads it, and moves messages to the new one."""
    dump, observations = tmp_path / "QMS.mqsc", tmp_path / "observations.yaml"
    circle = _DUMP.replace("BOQNAME('A.BO')", "BOQNAME('A.IN')")
    others = "SET AUTHREC OBJTYPE(QMGR) GROUP('others') AUTHADD(CONNECT)"
    dump.write_text(circle.format(stream="", threshold=3, records=others))
    observations.write_text("queues: [{queue: A.IN, user: svc}]\nusers:\n  - {user: svc, groups: [group]}\n")
    told = " ".join(lintmdb("plan", dump, "--all-queues", "--observations", observations).stdout.split())
    assert "A.IN.BACKOUT group group gets put, passall, get, inq, setall MDB" in told
    assert "A.IN group group gets get, browse, inq MDB" in told


def test_who_has_rights_on_a_new_queue_is_told_with_the_record(lintmdb: Run) -> None:
    """A generic profile grants them on the one queue; no record does on the other, where the plan grants them."""
    exports = FIXTURES / "blank-boqname-no-deadq"
    text = " ".join(lintmdb("plan", exports, "--on-message", "20s").stdout.split())
    granted = "wasuser already has put, passall, get, inq and setall on ORDERS.IN.BACKOUT, by profile ORDERS.** "
    assert f"{granted}(" in text
    assert "blank-boqname-no-deadq/mq/QM1.mqsc:59)." in text.replace(" ", "")  # a long path is broken
    assert "QM1.DEAD.2 wasuser gets put, passall MDB114" in text
    assert "may already grant" not in text
    plan = json.loads(lintmdb("plan", exports, "--on-message", "20s", "--format", "json").stdout)
    notes = next(step["notes"] for step in plan["steps"] if step["place"] == "QM1")
    assert any(note.startswith(f"{granted}(") for note in notes)


def test_the_record_of_a_user_with_an_at_sign_is_found(lintmdb: Run, tmp_path: Path) -> None:
    """The dump is not of Windows, so the whole name is the user's."""
    exports, observations = tmp_path / "exports", tmp_path / "observations.yaml"
    shutil.copytree(FIXTURES / "blank-boqname-no-deadq", exports)
    dump = exports / "mq/QM1.mqsc"
    dump.write_text(dump.read_text("utf-8").replace("PRINCIPAL('wasuser')", "PRINCIPAL('app@corp')"), "utf-8")
    observations.write_text("endpoints:\n  - {endpoint: OrdersAS, user: app@corp, groups: []}\n")
    text = " ".join(lintmdb("plan", exports, "--observations", observations).stdout.split())
    assert "on ORDERS.IN.BACKOUT, by profile ORDERS.** (" in text


@pytest.mark.parametrize("user", ["svc", "SVC@corp"])
def test_a_plan_for_windows_names_the_user_as_the_dump_does(user: str, lintmdb: Run, tmp_path: Path) -> None:
    """Without its domain it would be another account: in what shows the record, what grants and what undoes."""
    record = "SET AUTHREC PROFILE('{}') PRINCIPAL('svc@CORP') OBJTYPE({}) AUTHADD({})"
    records = f"{record.format('self', 'QMGR', 'CONNECT,INQ')}\n{record.format('A.**', 'QUEUE', 'BROWSE,GET,INQ,PUT')}"
    dump, observed, out = tmp_path / "QMS.mqsc", tmp_path / "observed.yaml", tmp_path / "plan"
    dump.write_text(_DUMP.format(threshold=3, stream="", records=records).replace("UNIX", "WINDOWSNT"))
    observed.write_text(f"user: {user}\nusers:\n  - {{user: {user}, groups: []}}\n")
    lintmdb("plan", dump, "--all-queues", "--observations", observed, "--out", out)
    scripts = [out / folder / "mq/QMS.mqsc" for folder in ("", "check", "undo")]
    assert [re.findall(r"PRINCIPAL\('(.*)'\)", script.read_text()) for script in scripts] == [["svc@CORP"]] * 3
    changed = lintmdb("check", dump, "--all-queues", "--observations", observed, "--change", out / "mq/QMS.mqsc")
    assert "none" in changed.stdout
    exported = tmp_path / "later.mqsc"
    exported.write_text(dump.read_text().replace("* Script ended", f"{scripts[0].read_text()}\n* Script ended"))
    assert "1 change: 1 done" in lintmdb("plan", "verify", out, exported).stdout


def test_a_group_that_grants_rights_on_a_new_queue_is_named(lintmdb: Run, tmp_path: Path) -> None:
    """Where the user has no record of its own."""
    exports = tmp_path / "exports"
    shutil.copytree(FIXTURES / "blank-boqname-no-deadq", exports)
    dump = exports / "mq/QM1.mqsc"
    dump.write_text(dump.read_text("utf-8").replace("PRINCIPAL('wasuser')", "GROUP('wasgrp')"), "utf-8")
    observations = tmp_path / "observations.yaml"
    observations.write_text("users:\n  - user: wasuser\n    groups: [wasgrp]\n")
    text = " ".join(lintmdb("plan", exports, "--observations", observations).stdout.split())
    assert "on ORDERS.IN.BACKOUT, by profile ORDERS.** of group wasgrp (" in text


@pytest.fixture
def without_dead_letter_queue(tmp_path: Path) -> Path:
    """DEADQ names a queue that is not defined; the backout queue takes messages."""
    exports = tmp_path / "exports"
    shutil.copytree(FIXTURES / "clean", exports)
    dump = exports / "mq/QM1.mqsc"
    dump.write_text(dump.read_text("utf-8").replace("DEADQ('QM1.DEAD')", "DEADQ('QM1.DLX')"), "utf-8")
    return exports


@pytest.mark.parametrize("options", [(), ("--select", "MDB114"), ("--ignore", "MDB125")])
def test_the_known_user_gets_its_rights_on_a_new_dead_letter_queue(
    lintmdb: Run, without_dead_letter_queue: Path, options: tuple[str, ...]
) -> None:
    """Whichever rules are selected, and the plan says where others are left out."""
    text = " ".join(lintmdb("plan", without_dead_letter_queue, "--on-message", "8s", *options).stdout.split())
    assert "QM1.DLX new queue MDB114 QM1.DLX wasuser gets put, passall" in text
    assert "lacks" not in text
    assert "may already grant" not in text
    assert ("Judged again with all changes, by the selected rules: 1 finding gone" in text) is bool(options)


def _stopping(folder: Path, rights: str, *, group: bool = False) -> Variant:
    """The endpoint stops at once; its user, or a group that no export ties to it, has some rights on its queues."""
    variant = Variant(folder, "clean").edit(
        "was/cells/C1/nodes/node1/servers/server1/resources.xml",
        "was_stopEndpointIfDeliveryFails=&quot;false&quot;",
        "was_stopEndpointIfDeliveryFails=&quot;true&quot;",
    )
    whose = "PRINCIPAL('wasuser') +\n   OBJTYPE(QUEUE)"
    if group:
        variant.edit("mq/QM1.mqsc", whose, "GROUP('wasgrp') +\n   OBJTYPE(QUEUE)")
    return variant.edit("mq/QM1.mqsc", "AUTHADD(BROWSE,GET,INQ,PUT,PASSALL,SETALL)", f"AUTHADD({rights})")


def test_a_change_of_the_endpoint_alone_grants_rights_as_one_of_the_queue_does(lintmdb: Run, tmp_path: Path) -> None:
    """Messages are newly moved to the backout queue either way, and its script comes first: no export shows whether
    the user is in the group.
    """
    exports = _stopping(tmp_path, "BROWSE,GET,INQ,PUT", group=True)
    text = lintmdb("plan", exports.folder, "--on-message", "8s", "--out", tmp_path / "plan").stdout
    words = " ".join(text.split())
    assert "ORDERS.BACKOUT group wasgrp gets passall, setall, and keeps browse, get, inq, put" in words
    assumption = "The grants to group wasgrp assume that wasuser is in it: no export says so"
    assert assumption in words
    assert "Name the groups of wasuser with --observations" in words
    assert "keeps browse, get, inq, put so that messages can be moved there" in words
    (grant,) = (c for c in json.loads((tmp_path / "plan/plan.json").read_text())["changes"] if "user" in c)
    assert (grant["rules"], grant["newly_moved"]) == ([], True)
    assert "| so that messages can be moved there |" in (tmp_path / "plan/plan.md").read_text()
    assert "Step 1 of 2: queue manager QM1" in words
    for page in ("plan.md", "plan.html", "mq/QM1.mqsc"):
        assert assumption in " ".join((tmp_path / "plan" / page).read_text().replace("\n* ", " ").split()), page
    (tmp_path / "observations.yaml").write_text("users: [{user: wasuser, groups: [wasgrp]}]\n")
    known = ("--on-message", "8s", "--observations", tmp_path / "observations.yaml")
    told = " ".join(lintmdb("plan", exports.folder, *known).stdout.split())
    assert "ORDERS.BACKOUT wasuser gets " in told  # the user has a record of its own, for the queue manager
    assert "assume" not in told


def test_of_queues_without_readers_the_plan_says_whose_group_it_assumes(lintmdb: Run, tmp_path: Path) -> None:
    """A group that has rights on a backout queue already is named with its record, and so is what nobody knows."""
    queues = """\
* Script generated on 2026-11-23   at 06.10.02
* Queue manager name: QM1
* Queue manager platform: UNIX
* Queue manager command level: (930/930)
* Command issued: dmpmqcfg -m QM1 -a
ALTER QMGR DEADQ('DEAD') FORCE
DEFINE QLOCAL('DEAD')
DEFINE QLOCAL('A.IN') BOTHRESH(0) BOQNAME('A.BOQ')
DEFINE QLOCAL('A.BOQ')
DEFINE QLOCAL('B.IN') BOTHRESH(3)
SET AUTHREC PROFILE('self') GROUP('apps') OBJTYPE(QMGR) AUTHADD(CONNECT,INQ)
SET AUTHREC PROFILE('*.IN') GROUP('apps') OBJTYPE(QUEUE) AUTHADD(BROWSE,GET,INQ)
SET AUTHREC PROFILE('A.**') GROUP('apps') OBJTYPE(QUEUE) AUTHADD(BROWSE,GET,INQ,PUT,PASSALL,SETALL)
* Script ended on 2026-11-23   at 06.10.04
"""
    dump = tmp_path / "QM1.mqsc"
    dump.write_text(queues)
    told = " ".join(lintmdb("plan", dump, "--all-queues").stdout.split())
    assert "A.IN BOTHRESH 0 -> 3" in told
    assert "Group apps already has put, passall, get, inq and setall on A.BOQ, by profile A.** of group apps (" in told
    assert "No export says that the reader of A.IN is in it" in told
    assert "needs put and passall there" not in told
    assert "The grants to group apps assume that the reader of B.IN is in it: no export says so" in told
    dump.write_text(queues.replace(",PUT,PASSALL,SETALL", ""))
    assert "already has" not in lintmdb("plan", dump, "--all-queues").stdout


def test_where_the_queue_manager_is_not_to_be_changed_its_endpoint_says_who_needs_rights(
    lintmdb: Run, tmp_path: Path
) -> None:
    """The cell's script makes the only change, so the note is with it."""
    exports = _stopping(tmp_path, "BROWSE,GET,INQ,PUT", group=True)
    text = " ".join(lintmdb("plan", exports.folder, "--on-message", "8s", "--only", "was").stdout.split())
    assert "Each user whose messages are moved to ORDERS.BACKOUT needs put and passall there" in text


def test_a_new_threshold_brings_the_rights_that_ibm_asks_for_besides(lintmdb: Run, tmp_path: Path) -> None:
    """Or the plan itself would bring MDB119; where messages were to be moved there before, that was a finding then."""
    exports = _stopping(tmp_path, "BROWSE,GET,INQ,PUT,PASSALL")
    before = " ".join(lintmdb("plan", exports.folder, "--on-message", "8s").stdout.split())
    assert "gets" not in before.partition("What becomes")[0]
    assert "1 info left, none new" in before
    exports.edit("mq/QM1.mqsc", "BOTHRESH(3)", "BOTHRESH(0)")
    text = " ".join(lintmdb("plan", exports.folder, "--on-message", "8s").stdout.split())
    assert "ORDERS.IN BOTHRESH 0 -> 3" in text
    assert "ORDERS.BACKOUT wasuser gets setall, and keeps browse, get, inq, passall, put" in text
    assert "none new" in text


@pytest.mark.parametrize("repaired", ["threshold", "inquiry"])
@pytest.mark.parametrize("held", ["CL.BO", "SYSTEM.CLUSTER.TRANSMIT.QUEUE"])
@pytest.mark.parametrize("access", ["", "Xmitq", "RQMName"])
def test_rights_on_a_queue_of_a_cluster_are_those_that_qm_ini_decides(
    lintmdb: Run, tmp_path: Path, access: str, held: str, repaired: str
) -> None:
    """The plan names the record that may count and the profile that counts by default, also where it only lets the
    reader look up the threshold. With qm.ini there is no doubt: the user has the rights, or an alias gets them.
    """
    head = "* Queue manager name: {0}\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m {0} -a\n"
    member = (
        "DEFINE CHANNEL(TO.{0}) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
        "DEFINE CHANNEL(TO.REPO) CHLTYPE(CLUSSDR) CONNAME(h) CLUSTER(C)\n"
        "ALTER QMGR DEFCLXQ(SCTQ)\nDEFINE QLOCAL(SYSTEM.CLUSTER.TRANSMIT.QUEUE) USAGE(XMITQ) MAXMSGL(104857600)\n"
    )
    record = "SET AUTHREC PROFILE('{}') GROUP('apps') OBJTYPE(QUEUE) AUTHADD({})\n"
    rights = record.format("A.UP", "BROWSE,GET,INQ") + record.format("A.IN", "GET" + ",INQ" * (repaired == "threshold"))
    rights += record.format(held, "PUT,PASSALL,GET,INQ,SETALL")
    threshold = 3 * (repaired == "inquiry")
    own = f"DEFINE QLOCAL(A.IN) BOTHRESH({threshold}) BOQNAME(CL.BO)\nDEFINE QALIAS(A.UP) TARGET(A.IN)\n"
    dumps = {"QM1": own + rights, "QM2": "DEFINE QLOCAL(CL.BO) CLUSTER(C)\n"}
    for name, lines in dumps.items():
        (tmp_path / f"{name}.mqsc").write_text(f"{head.format(name)}{WHOLE}{member.format(name)}{lines}")
    if access:
        ini = f"Log:\n   LogPath=/var/mqm/log/QM1/\nSecurity:\n   ClusterQueueAccessControl={access}\n"
        (tmp_path / "qm.ini").write_text(ini)
    (tmp_path / "o.yaml").write_text(
        "queues:\n- {queue: A.UP, queue_manager: QM1, user: app1}\nusers:\n- {user: app1, groups: [apps]}\n"
    )
    text = " ".join(lintmdb("plan", tmp_path, "--all-queues", "--observations", tmp_path / "o.yaml").stdout.split())
    assert ("group apps gets inq" in text) is (repaired == "inquiry")
    if access:
        assert "qm.ini" not in text
        lacks = (access == "RQMName") is (held != "CL.BO")
        assert ("A.IN.BACKOUT new alias of CL.BO" in text) is lacks
        assert ("A.IN.BACKOUT group apps gets put, passall, get, inq, setall" in text) is lacks
        told = " ".join(
            lintmdb("check", tmp_path, "--all-queues", "--observations", tmp_path / "o.yaml", "-v").stdout.split()
        )
        on = "CL.BO" if access == "RQMName" else "SYSTEM.CLUSTER.TRANSMIT.QUEUE (for CL.BO)"
        assert (f"lacks put and passall authority on {on}, so" in told) is (lacks and repaired == "inquiry")
        return
    assert f"app1 already has put and passall on {held}, by profile {held} of group apps ({tmp_path}/QM1.mqsc:" in text
    named = "ClusterQueueAccessControl in qm.ini is RQMName (default: Xmitq), the rights on"
    assert (f"unless {named} SYSTEM.CLUSTER.TRANSMIT.QUEUE decide" in text) is (held == "CL.BO")
    assert (f"if {named} CL.BO decide" in text) is (held != "CL.BO")
    assert "Each user whose messages are moved to CL.BO" not in text


def test_an_alias_that_led_nowhere_brings_the_rights_that_ibm_asks_for_besides(lintmdb: Run, tmp_path: Path) -> None:
    """With another TARGET messages are newly moved there, as with another BOQNAME."""
    head = "* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n"
    lines = "DEFINE QLOCAL(M.IN) BOTHRESH(3) BOQNAME(M.UP)\nDEFINE QALIAS(M.UP) TARGET(M.BOO)\nDEFINE QLOCAL(M.BO)\n"
    rights = "SET AUTHREC PROFILE('M.**') GROUP('apps') OBJTYPE(QUEUE) AUTHADD(BROWSE,GET,INQ,PUT,PASSALL)\n"
    (tmp_path / "QM1.mqsc").write_text(f"{head}{WHOLE}{lines}{rights}")
    (tmp_path / "o.yaml").write_text("queues:\n- {queue: M.IN, user: app1}\nusers:\n- {user: app1, groups: [apps]}\n")
    asked = ("plan", tmp_path, "--all-queues", "--observations", tmp_path / "o.yaml", "--keep", "queue M.BOO at QM1")
    text = " ".join(lintmdb(*asked).stdout.split())
    assert "M.UP TARGET M.BOO -> M.BO MDB105" in text
    assert "M.UP group apps gets setall, and keeps browse, get, inq, passall, put" in text
    assert "MDB119" not in text.partition("Judged again")[2]


def test_what_takes_messages_is_there_before_they_begin_to_be_moved(lintmdb: Run, tmp_path: Path) -> None:
    """With inq on the queue behind an alias the client sees its threshold: that grant comes last. A plan says what is
    wrong with the queue that messages were moved to.
    """
    head = "* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n"
    lines = (
        "DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(A.BO)\nDEFINE QLOCAL(A.BO)\nDEFINE QALIAS(A.UP) TARGET(A.IN)\n"
        "DEFINE QLOCAL(B.IN) BOTHRESH(3) BOQNAME(B.XQ)\nDEFINE QLOCAL(B.XQ) USAGE(XMITQ)\n"
    )
    record = "SET AUTHREC PROFILE('{}') GROUP('apps') OBJTYPE(QUEUE) AUTHADD({})\n"
    rights = record.format("A.UP", "BROWSE,GET,INQ") + record.format("A.BO", "PUT") + record.format("B.**", "GET,PUT")
    (tmp_path / "QM1.mqsc").write_text(f"{head}{WHOLE}{lines}{rights}")
    (tmp_path / "o.yaml").write_text("queues:\n- {queue: A.UP, user: app1}\nusers:\n- {user: app1, groups: [apps]}\n")
    out = tmp_path / "out"
    asked = ("plan", tmp_path / "QM1.mqsc", "--all-queues", "--observations", tmp_path / "o.yaml", "--out", out)
    told = " ".join(lintmdb(*asked).stdout.split())
    assert "moved to the backout queue B.XQ (a transmission queue) -> moved to the backout queue B.IN.BACKOUT" in told
    script = (out / "mq" / "QM1.mqsc").read_text()
    move, dead_letter, inquire = (script.index(text) for text in ("PROFILE('A.BO')", "DEADQ(", "PROFILE('A.IN')"))
    assert move < dead_letter < inquire


@pytest.mark.parametrize("through", ["4194304", "104857600"])
def test_a_channel_that_is_too_short_for_a_longer_dead_letter_queue_is_named(
    lintmdb: Run, tmp_path: Path, through: str
) -> None:
    """The longest messages do not get through with their header, so the reader hears what to raise it to."""
    folder = Variant(tmp_path, "clean").folder
    dump = folder / "mq" / "QM1.mqsc"
    before, backout, after = dump.read_text().partition("QLOCAL('ORDERS.BACKOUT')")
    after = after.replace("PUT(ENABLED)", "PUT(DISABLED)", 1).replace("MAXMSGL(104857600)", "MAXMSGL(4194304)")
    before = before.replace("CHLAUTH(ENABLED) +", "CHLAUTH(ENABLED) +\n   MAXMSGL(104857600) +")
    text = f"{before}{backout}{after}"
    dump.write_text(text.replace("CHLTYPE(SVRCONN) +", f"CHLTYPE(SVRCONN) +\n   MAXMSGL({through}) +", 1))
    kept = ("--keep", "queue ORDERS.BACKOUT at QM1: PUT", "--keep", "queue ORDERS.IN at QM1: BOQNAME")
    told = " ".join(lintmdb("plan", folder, *kept).stdout.split())
    assert "QM1.DEAD MAXMSGL 4194304 -> 4194476 MDB115" in told
    less = (
        "That of WAS.SVRCONN (4194304) allows less: raise it to 4194476, too, or the longest messages fare as before."
    )
    assert (less in told) is (through == "4194304")
