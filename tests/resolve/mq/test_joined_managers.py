"""What only several queue managers together tell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.support.command import Run
from tests.support.dumps import ENDED, WHOLE
from tests.support.scenario_folders import scenario_folder


def test_a_name_that_exists_at_another_member_of_the_group_is_not_misspelt(tmp_path: Path) -> None:
    """The queue is missing here, rather."""

    def near_name(elsewhere: str) -> str | None:
        for name, lines in (
            ("QM1", "DEFINE QLOCAL(A) BOQNAME('CARD.BACKUOT')\nDEFINE QLOCAL('CARD.BACKOUT')"),
            ("QM2", elsewhere),
        ):
            head = f"* Queue manager name: {name}\n* Queue manager platform: MVS\n"
            command = f"* Command issued: dmpmqcfg -m {name} -a\n{ENDED}ALTER QMGR +\n*  QSGNAME(QSG1) +\n   DEADQ(D)\n"
            (tmp_path / f"{name}.mqsc").write_text(f"{head}{command}{lines}\n")
        rows = read_estate([tmp_path], Observations()).facts.rows["put_target"]
        return next(row.near_name for row in rows if row.name == "CARD.BACKUOT")

    assert near_name("DEFINE QLOCAL('OTHER')") == "CARD.BACKOUT"
    assert near_name("DEFINE QLOCAL('CARD.BACKUOT')") is None


def test_what_a_cluster_may_have_is_one_entry(lintmdb: Run, tmp_path: Path) -> None:
    """No export of a queue manager says it."""
    cluster = "DEFINE CHANNEL(TO.{0}) CHLTYPE(CLUSRCVR) TRPTYPE(TCP) CONNAME(h) CLUSTER(C)\n"
    for name, line in (("QM1", ""), ("QM2", "DEFINE QLOCAL(CL.BO) CLUSTER(C)\n"), ("QM3", "")):
        head = f"* Queue manager name: {name}\n* Queue manager platform: UNIX\n"
        command = f"* Command issued: dmpmqcfg -m {name} -a\n{ENDED}ALTER QMGR DEADQ(DEAD)\nDEFINE QLOCAL(DEAD)\n"
        queues = "".join(f"DEFINE QLOCAL({queue}) BOTHRESH(3) BOQNAME(CL.BO)\n" for queue in ("A", "B"))
        (tmp_path / f"{name}.mqsc").write_text(f"{head}{command}{cluster.format(name)}{queues}{line}")
    said = " ".join(lintmdb("check", "--all-queues", tmp_path, "-v").stdout.split())
    undecided = said.partition("Undecided: ")[2]
    queues = "4 queues (A at QM1, A at QM3, B at QM1 and 1 more)"
    assert f"confirmation that a cluster has a queue CL.BO, which BOQNAME of {queues} names: one is" in undecided
    assert undecided.count("a queue CL.BO") == 1
    assert "backout queue of" not in undecided


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(CL.BO)", "BOQNAME of A at QM1 names"),
        (
            "DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(A.BO)\nDEFINE QALIAS(A.BO) TARGET(CL.BO)",
            "TARGET of A.BO names, the backout queue of A at QM1",
        ),
        (
            "DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(CL.BO)\nDEFINE QLOCAL(LC.BO)",
            "BOQNAME of A at QM1 names (QM1 itself has LC.BO: is the name misspelt?)",
        ),
    ],
    ids=["BOQNAME", "an alias", "a queue with almost that name"],
)
def test_what_a_cluster_may_have_is_asked_for_by_what_names_it(
    lintmdb: Run, tmp_path: Path, lines: str, told: str
) -> None:
    """With the queue whose messages it is about, and with the slip of the hand that it may be instead."""
    cluster = "DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
    head = "* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n"
    dump = head + WHOLE + "ALTER QMGR DEADQ(DEAD)\nDEFINE QLOCAL(DEAD)\n" + cluster
    (tmp_path / "QM1.mqsc").write_text(dump + lines)
    run = lintmdb("check", "--all-queues", tmp_path / "QM1.mqsc", "--format", "json")
    needs: set[str] = {entry["needs"] for entry in json.loads(run.stdout)["undecided"]}
    assert {need for need in needs if "CL.BO" in need} == {f"whether a cluster has a queue CL.BO, which {told}"}


def test_a_shared_queue_that_one_export_lacks_is_not_missing(lintmdb: Run, tmp_path: Path) -> None:
    """Each export shows shared queues, and they disagree: which of them is right nobody knows."""
    shared = "DEFINE QLOCAL({}) QSGDISP(SHARED) CFSTRUCT(APP1)\n"
    private = "DEFINE QLOCAL(P.IN) QSGDISP(QMGR) BOTHRESH(3) BOQNAME(S.BO)\n"
    for name, lines in (("QM1", shared.format("S.BO")), ("QM2", private)):
        head = f"* Queue manager name: {name}\n* Queue manager platform: MVS\n"
        command = f"* Command issued: dmpmqcfg -m {name} -a\n{ENDED}ALTER QMGR +\n*  QSGNAME(QSG1) +\n   DEADQ(D)\n"
        (tmp_path / f"{name}.mqsc").write_text(f"{head}{command}{shared.format('S.A')}{shared.format('D')}{lines}")
    said = " ".join(lintmdb("check", "--all-queues", tmp_path, "-v").stdout.split())
    assert "MDB105" not in said
    needed = "an export of queue manager QM2 of the day on which its group was exported, which shows S.BO"
    assert needed in said.partition("Undecided: ")[2]
    (tmp_path / "QM1.mqsc").unlink()
    assert "MDB105" in lintmdb("check", "--all-queues", tmp_path, "-q").stdout


_SHARED = (
    "DEFINE QLOCAL(ORDERS.IN) QSGDISP(SHARED) CFSTRUCT(APP1) BOTHRESH(5) BOQNAME(ORDERS.BACKOUT) HARDENBO\n",
    "DEFINE QLOCAL(ORDERS.BACKOUT) QSGDISP(SHARED) CFSTRUCT(APP1) MAXMSGL(1000)\n",
)
_PRIVATE = "DEFINE QLOCAL(QM1.DEAD) QSGDISP(QMGR) MAXMSGL(104857600)\n"


def _dump(name: str, *lines: str, group: str = "QSG1") -> str:
    head = f"* Queue manager name: {name}\n* Queue manager platform: MVS\n* Command issued: dmpmqcfg -m {name} -a\n"
    return f"{head}{ENDED}ALTER QMGR +\n*  QSGNAME({group}) +\n   DEADQ(QM1.DEAD)\n{''.join(lines)}{_PRIVATE}"


def _answers(*queues: str) -> str:
    """Answers of QM1 on z/OS: its queue-sharing group, and queues with some beginning."""
    done = " CSQ9022I +QM1 CSQMDRTS ' DISPLAY' NORMAL COMPLETION\n"
    manager = f" DISPLAY QMGR QSGNAME\n CSQM409I +QM1 QMNAME(QM1) QSGNAME(QSG1)\n{done}"
    return f"{manager} DISPLAY QLOCAL(APP.*) BOTHRESH BOQNAME\n{''.join(queues)}{done}"


@pytest.mark.parametrize(
    ("own", "others", "found"),
    [
        pytest.param(_dump("QM1"), {"CSQ2": _dump("CSQ2", *_SHARED)}, {"MDB108"}, id="left out"),
        pytest.param(_answers(), {"CSQ2": _dump("CSQ2", *_SHARED)}, {"MDB108"}, id="answers about others"),
        pytest.param(_dump("QM1", _SHARED[0]), {"CSQ2": _dump("CSQ2", *_SHARED)}, {"undecided"}, id="contradicted"),
        pytest.param(_dump("QM1", group="QSG2"), {"CSQ2": _dump("CSQ2", *_SHARED)}, {"undecided"}, id="another group"),
        pytest.param(_dump("QM1"), {"CSQ2": _dump("CSQ2", _SHARED[0])}, {"MDB105"}, id="no such shared queue"),
        pytest.param(
            _dump("QM1"),
            {
                "CSQ2": _dump("CSQ2", *_SHARED),
                "CSQ3": _dump("CSQ3", _SHARED[0].replace("BOTHRESH(5)", "BOTHRESH(0)"), _SHARED[1]),
            },
            {"undecided"},
            id="others that contradict each other",
        ),
        pytest.param(
            _dump("QM1", "DEFINE QLOCAL(ORDERS.BACKOUT) QSGDISP(QMGR)\n"),
            {"CSQ2": _dump("CSQ2", *_SHARED)},
            {"MDB137"},
            id="private here and shared in the group",
        ),
    ],
)
def test_a_shared_queue_is_that_of_every_member(
    lintmdb: Run, tmp_path: Path, own: str, others: dict[str, str], found: set[str]
) -> None:
    """The endpoint reads it at QM1, whose export leaves out shared queues; what another member shows counts."""
    (tmp_path / "mq").mkdir()
    for name, text in {"QM1": own, **others}.items():
        (tmp_path / "mq" / f"{name}.mqsc").write_text(text)
    asked = ("check", scenario_folder("zos-not-hardened") / "was", tmp_path / "mq", "--format", "json")
    report = json.loads(lintmdb(*asked, "--select", "MDB105,MDB108,MDB137").stdout)
    verdicts = {finding["rule"] for finding in report["findings"]}
    assert (verdicts or {"undecided"}) == found
    assert bool(verdicts) is not any(entry["rule"] == "MDB105" for entry in report["undecided"])


@pytest.mark.parametrize("member", ["QM1", "CSQ2"])
def test_a_change_of_a_lent_queue_is_judged(lintmdb: Run, tmp_path: Path, member: str) -> None:
    """At whichever queue manager it runs, and whoever reads the queue."""
    (tmp_path / "mq").mkdir()
    for name, lines in (("QM1", ()), ("CSQ2", _SHARED)):
        (tmp_path / "mq" / f"{name}.mqsc").write_text(_dump(name, *lines))
    change = tmp_path / "change.mqsc"
    change.write_text("ALTER QLOCAL(ORDERS.BACKOUT) QSGDISP(SHARED) MAXMSGL(4194304)\n")
    exports = (scenario_folder("zos-not-hardened") / "was", "--before", tmp_path / "mq")
    done = lintmdb("diff", *exports, "--change", change, "--queue-manager", f"{member}={change}")
    assert "resolved: MDB108 backout-queue-message-too-long" in done.stdout
    assert "not judged" not in done.stdout + done.stderr


def test_a_remote_backout_queue_whose_end_is_not_defined_is_told(lintmdb: Run, tmp_path: Path) -> None:
    """The export of the other queue manager holds every queue, in the same environment."""
    near = (
        "DEFINE QLOCAL(XQ) USAGE(XMITQ)\nDEFINE QREMOTE(FAR.BO) RNAME(A.BO) RQMNAME(QM2) XMITQ(XQ)\n"
        "DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(FAR.BO)\n"
    )
    for name, lines in (("QM1", near), ("QM2", "DEFINE QLOCAL(OTHER)\n")):
        head = (
            f"* Queue manager name: {name}\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m {name} -a\n"
        )
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.mqsc").write_text(f"{head}{WHOLE}{lines}")
    told = "FAR.BO of queue manager QM1 leads to A.BO at QM2, which does not define it"
    asked = ("check", "--all-queues")
    assert told in " ".join(lintmdb(*asked, "QM1", "QM2", cwd=tmp_path).stdout.split())
    apart = [word for name in ("QM1", "QM2") for word in ("--environment", f"{name.lower()}={name}")]
    assert told not in " ".join(lintmdb(*asked, *apart, cwd=tmp_path).stdout.split())
    defined = tmp_path / "QM2.deploy.mqsc"
    defined.write_text("DEFINE QALIAS(A.BO) TARGET(OTHER)\n")
    changed = lintmdb(*asked, "QM1", "QM2", "--change", defined, cwd=tmp_path)
    assert told not in " ".join(changed.stdout.split())
