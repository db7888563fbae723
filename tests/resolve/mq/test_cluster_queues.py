"""Queues of a cluster, as answers to DISPLAY QCLUSTER show them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from lintmdb.model.relations import PutTarget, Queue
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.support.command import Run
from tests.support.dumps import WHOLE

Read: TypeAlias = Callable[[str, str], tuple[Queue, PutTarget]]

_HEAD = "* Queue manager name: {0}\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m {0} -a\n"
_MEMBER = "DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
_QUEUE = "DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(CL.BO)\nDEFINE QLOCAL(DEAD)\nALTER QMGR DEADQ(DEAD)\n"
_RIGHTS = "SET AUTHREC PROFILE('**') GROUP('g') OBJTYPE(QUEUE) AUTHADD(BROWSE,GET,INQ,PUT,PASSALL,SETALL)\n"


def _answer(question: str, *objects: str) -> str:
    shown = "".join(f"AMQ8409I: Display Queue details.\n{lines}" for lines in objects)
    shown = shown or "AMQ8147E: IBM MQ object CL.BO not found.\n"
    return f"Starting MQSC for queue manager QM1.\n\n     1 : {question}\n{shown}One MQSC command read.\n"


def _instance(manager: str, put: str = "ENABLED") -> str:
    return (
        "   QUEUE(CL.BO)                            TYPE(QCLUSTER)\n"
        f"   CLUSQMGR({manager})                           CLUSQT(QLOCAL)\n"
        f"   CLUSTER(C)                              PUT({put})\n"
    )


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads queue manager QM1 of a cluster with some more lines in its dump, and an answer."""

    def rows(lines: str, answer: str) -> tuple[Queue, PutTarget]:
        (tmp_path / "QM1.mqsc").write_text(f"{_HEAD.format('QM1')}{WHOLE}{_MEMBER}{_QUEUE}{lines}")
        (tmp_path / "answer.txt").write_text(answer)
        facts = read_estate([tmp_path], Observations()).facts.rows
        queue = next(row for row in facts["queue"] if row.name == "A")
        return queue, next(row for row in facts["put_target"] if row.name == queue.backout_queue)

    return rows


@pytest.mark.parametrize(
    ("question", "repository", "resolution", "unseen"),
    [
        ("DISPLAY QCLUSTER('CL.BO')", "C", "not_defined", True),
        ("DIS QC(*) ALL", "C", "not_defined", True),
        ("DISPLAY QUEUE(CL.*) TYPE(QCLUSTER)", "C", "not_defined", True),
        ("DISPLAY Q(*) CLUSINFO", "C", "not_defined", True),
        ("DISPLAY QCLUSTER('CL.BO')", "", None, True),
        ("DISPLAY QCLUSTER('CL.BO')", "OTHER", None, True),
        ("DISPLAY QCLUSTER(*) CLUSTER(D)", "C", None, False),
        ("DISPLAY QCLUSTER('OTHER')", "C", None, False),
        ("DISPLAY QLOCAL('CL.BO')", "C", None, False),
        ("DISPLAY QUEUE('CL.BO')", "C", None, False),
    ],
)
def test_what_a_full_repository_does_not_show_no_cluster_has(
    read: Read, question: str, repository: str, resolution: str | None, *, unseen: bool
) -> None:
    """Any other queue manager shows only what it has used (IBM MQ "DISPLAY QUEUE")."""
    lines = f"ALTER QMGR REPOS({repository})\n" if repository else ""
    queue, target = read(lines, _answer(question))
    assert (queue.backout_resolution, target.not_in_cluster) == (resolution, unseen)


def test_a_queue_of_a_cluster_is_at_another_queue_manager(read: Read) -> None:
    """Found once, it is there, whatever repository the queue manager has."""
    queue, target = read("", _answer("DISPLAY QCLUSTER(CL.BO)", _instance("QM2")))
    assert (queue.backout_resolution, target.leads_to_kind) == ("remote", "cluster queue")
    assert (target.remote_queue, target.remote_queue_manager, target.takes_puts) == ("CL.BO", "QM2", True)
    assert (target.reachable, target.near_name, target.is_dead_letter_queue) == (True, None, False)
    place = target.origins["remote_queue"]
    assert (Path(place.path).name, place.line) == ("answer.txt", 5)


def test_a_queue_of_its_own_comes_first(read: Read, tmp_path: Path) -> None:
    """Whoever else has one; where the export may leave it out, it may be there."""
    answer = _answer("DISPLAY QCLUSTER(CL.BO)", _instance("QM2"))
    queue, target = read("DEFINE QLOCAL(CL.BO) CLUSTER(C)\n", answer)
    assert (queue.backout_resolution, target.local_queue, target.remote_queue) == ("resolved", "CL.BO", None)
    queue, _ = read("", _answer("DISPLAY QCLUSTER(CL.BO)", _instance("QM1")))
    assert queue.backout_resolution is None
    read("", answer)
    (tmp_path / "QM1.mqsc").write_text(f"* Queue manager name: QM1\n{_QUEUE}")
    rows = read_estate([tmp_path], Observations()).facts.rows["queue"]
    assert [row.backout_resolution for row in rows if row.name == "A"] == [None]


def test_messages_go_to_any_queue_of_the_cluster_that_takes_them(read: Read) -> None:
    """Workload balancing avoids a queue with PUT(DISABLED); which of the others gets a message is not known."""
    question = "DISPLAY QCLUSTER(CL.BO)"
    _, target = read("", _answer(question, _instance("QM2", "DISABLED"), _instance("QM3")))
    assert (target.put_enabled, target.takes_puts, target.remote_queue_manager) == (True, True, None)
    _, target = read("", _answer(question, _instance("QM2"), _instance("QM2")))
    assert target.remote_queue_manager == "QM2"  # in two clusters, or in two answers
    _, target = read("", _answer(question, _instance("QM2", "DISABLED")))
    assert (target.put_enabled, target.takes_puts) == (None, None)


def test_the_way_there_is_the_transmission_queue_of_the_cluster(read: Read) -> None:
    """Unless DEFCLXQ gives each channel one of its own."""
    answer = _answer("DISPLAY QCLUSTER(CL.BO)", _instance("QM2"))
    queue = "DEFINE QLOCAL(SYSTEM.CLUSTER.TRANSMIT.QUEUE) USAGE(XMITQ) MAXMSGL(1000) PUT({})\nALTER QMGR DEFCLXQ({})\n"
    _, target = read(queue.format("ENABLED", "SCTQ"), answer)
    assert (target.reachable, target.transmission_max_bytes) == (True, 1000)
    _, target = read(queue.format("DISABLED", "SCTQ"), answer)
    assert target.reachable is False
    _, target = read(queue.format("DISABLED", "CHANNEL"), answer)
    assert (target.reachable, target.transmission_max_bytes) == (True, None)
    by_hand = "DEFINE QLOCAL(TO.QM2) USAGE(XMITQ) CLCHNAME('C1.QM2')\n"
    for put, reachable in (("ENABLED", True), ("DISABLED", None)):
        _, target = read(queue.format(put, "SCTQ") + by_hand, answer)
        assert (target.reachable, target.transmission_max_bytes) == (reachable, None)


@pytest.mark.parametrize(("put", "reachable"), [("ENABLED", True), ("DISABLED", False)])
def test_without_defclxq_a_dump_means_the_default(read: Read, put: str, reachable: bool) -> None:
    """By default all channels of a cluster share one transmission queue, and a dump may leave out what is default."""
    queue = f"DEFINE QLOCAL(SYSTEM.CLUSTER.TRANSMIT.QUEUE) USAGE(XMITQ) MAXMSGL(1000) PUT({put})\n"
    answer = _answer("DISPLAY QCLUSTER(CL.BO)", _instance("QM2"))
    _, target = read(queue, answer)
    assert target.reachable is reachable
    _, target = read(queue + "ALTER QMGR DEFCLXQ({{ kind }})\n", answer)
    assert target.reachable is (reachable or None)


_OPEN = "SET AUTHREC PROFILE('CL.BO') PRINCIPAL('wasuser') OBJTYPE(QUEUE) AUTHADD(PUT,PASSALL)\n"
_OWN = "SET AUTHREC PROFILE('CL.BO') GROUP('g') OBJTYPE(QUEUE) AUTHADD({})\n"
_TRANSMISSION = "SET AUTHREC PROFILE('SYSTEM.CLUSTER.TRANSMIT.QUEUE') GROUP('g') OBJTYPE(QUEUE) AUTHADD({})\n"
_UNKNOWN_PROFILE = (
    "whether user app may put messages from QM1 on the cluster queue CL.BO (the profile of "
    "SYSTEM.CLUSTER.TRANSMIT.QUEUE decides, or its own if ClusterQueueAccessControl in qm.ini is RQMName)"
)
_INI = "Log:\n   LogPath=/var/mqm/log/QM1/\nSecurity:\n   ClusterQueueAccessControl={}\n"


@pytest.mark.parametrize(
    ("queue", "rights", "found", "undecided"),
    [
        pytest.param(_QUEUE, "", False, False, id="a generic profile for both"),
        pytest.param(_QUEUE, _OWN.format("BROWSE"), False, True, id="not by its own"),
        pytest.param(_QUEUE, _TRANSMISSION.format("BROWSE"), False, True, id="not by that of the transmission queue"),
        pytest.param(_QUEUE, _OWN.format("BROWSE") + _TRANSMISSION.format("PUT"), True, False, id="passall by neither"),
        pytest.param(
            _QUEUE.replace("BOQNAME(CL.BO)", "BOQNAME(A.BO)") + "DEFINE QALIAS(A.BO) TARGET(CL.BO)\n",
            _OWN.format("BROWSE") + _TRANSMISSION.format("BROWSE"),
            False,
            False,
            id="an alias has a profile of its own",
        ),
    ],
)
def test_rights_on_a_cluster_queue_are_known_where_both_profiles_agree(
    lintmdb: Run, tmp_path: Path, queue: str, rights: str, *, found: bool, undecided: bool
) -> None:
    """Which profile counts is in qm.ini. Who lacks the right by both gets it on an alias."""
    (tmp_path / "QM1.mqsc").write_text(f"{_HEAD.format('QM1')}{WHOLE}{_MEMBER}{queue}{_RIGHTS}{rights}")
    (tmp_path / "answer.txt").write_text(_answer("DISPLAY QCLUSTER(CL.BO)", _instance("QM2")))
    (tmp_path / "observed.yaml").write_text(
        "queue_managers: [{queue_manager: QM1, user: app}]\nusers: [{user: app, groups: [g]}]\n"
    )
    observed = ("--observations", tmp_path / "observed.yaml")
    exports = (tmp_path / "QM1.mqsc", tmp_path / "answer.txt")
    report = json.loads(lintmdb("check", "--all-queues", *exports, *observed, "--format", "json").stdout)
    needs = {entry["rule"]: entry["needs"] for entry in report["undecided"]}
    assert needs.get("MDB113") == (_UNKNOWN_PROFILE if undecided else None)
    findings = [entry for entry in report["findings"] if entry["rule"] == "MDB113"]
    assert bool(findings) is found
    assert [_first_option(entry)[:2] for entry in findings] == [_ALIAS] * found


def _first_option(finding: dict[str, Any]) -> list[list[str]]:
    """The commands of the first set of changes that ends a finding, or of the only one."""
    return [change["commands"] for change in finding["changes"][0]]


_ALIAS = [
    ["DEFINE QALIAS('A.BACKOUT') TARGET('CL.BO') TARGTYPE(QUEUE) PUT(ENABLED) CLUSTER(' ') CLUSNL(' ')"],
    ["ALTER QLOCAL('A') BOQNAME('A.BACKOUT')"],
]


@pytest.mark.parametrize("access", ["Xmitq", "RQMName"])
@pytest.mark.parametrize("withheld", ["CL.BO", "SYSTEM.CLUSTER.TRANSMIT.QUEUE"])
def test_qm_ini_says_which_profile_counts(lintmdb: Run, tmp_path: Path, access: str, withheld: str) -> None:
    """The other one neither gives a right nor withholds it. A plan with the alias repairs what is lacking, and its
    rights are those of the wider profile.
    """
    rights = _OWN.format("BROWSE") if withheld == "CL.BO" else _TRANSMISSION.format("BROWSE")
    (tmp_path / "QM1.mqsc").write_text(f"{_HEAD.format('QM1')}{WHOLE}{_MEMBER}{_QUEUE}{_RIGHTS}{rights}")
    (tmp_path / "answer.txt").write_text(_answer("DISPLAY QCLUSTER(CL.BO)", _instance("QM2")))
    (tmp_path / "qm.ini").write_text(_INI.format(access))
    (tmp_path / "observed.yaml").write_text(
        "queue_managers: [{queue_manager: QM1, user: app}]\nusers: [{user: app, groups: [g]}]\n"
    )
    exports = ("--all-queues", tmp_path / "QM1.mqsc", tmp_path / "answer.txt", tmp_path / "qm.ini")
    observed = ("--observations", tmp_path / "observed.yaml")
    report = json.loads(lintmdb("check", *exports, *observed, "--format", "json").stdout)
    lacks = (access == "RQMName") is (withheld == "CL.BO")
    findings = [entry for entry in report["findings"] if entry["rule"] == "MDB113"]
    assert bool(findings) is lacks
    assert "MDB113" not in {entry["rule"] for entry in report["undecided"]}
    told = " ".join(lintmdb("check", *exports, *observed).stdout.split())
    assert (f"MQ {withheld} put, passall for app not granted" in told and "qm.ini:4" in told) is lacks
    if lacks:
        assert _first_option(findings[0]) == _ALIAS
        plan = " ".join(lintmdb("plan", *exports, *observed).stdout.split())
        assert "A.BACKOUT new alias of CL.BO MDB113" in plan
        assert "already has put, passall, get, inq and setall on A.BACKOUT, by profile ** of group g" in plan
        assert "none left, none new" in plan


def test_an_alias_never_takes_the_name_of_the_cluster_queue(lintmdb: Run, tmp_path: Path) -> None:
    """It would lead to itself, and hide the queue that it is for."""
    queue = _QUEUE.replace("CL.BO", "A.BACKOUT") + _RIGHTS + _OWN.replace("CL.BO", "A.BACKOUT").format("BROWSE")
    (tmp_path / "QM1.mqsc").write_text(f"{_HEAD.format('QM1')}{WHOLE}{_MEMBER}{queue}{_TRANSMISSION.format('BROWSE')}")
    (tmp_path / "answer.txt").write_text(
        _answer("DISPLAY QCLUSTER(A.BACKOUT)", _instance("QM2")).replace("CL.BO", "A.BACKOUT")
    )
    (tmp_path / "observed.yaml").write_text(
        "queue_managers: [{queue_manager: QM1, user: app}]\nusers: [{user: app, groups: [g]}]\n"
    )
    plan = lintmdb("plan", "--all-queues", tmp_path, "--observations", tmp_path / "observed.yaml").stdout
    assert "A.BACKOUT.2  new alias of A.BACKOUT" in plan


def test_what_settles_it_is_asked_for(lintmdb: Run, tmp_path: Path) -> None:
    """The answer to DISPLAY QCLUSTER; and where that says nothing, why."""
    (tmp_path / "QM1.mqsc").write_text(f"{_HEAD.format('QM1')}{WHOLE}{_MEMBER}{_QUEUE}")
    said = " ".join(lintmdb("check", "--all-queues", tmp_path, "-v").stdout.split())
    output = "DISPLAY QMGR REPOS REPOSNL, and of: DISPLAY QCLUSTER('CL.BO'), both at a full repository"
    assert f"BOQNAME of A at QM1 names Add the output of: {output}" in said
    (tmp_path / "answer.txt").write_text(_answer("DISPLAY QCLUSTER(CL.BO)"))
    said = " ".join(lintmdb("check", "--all-queues", tmp_path, "-v").stdout.split())
    assert "names (QM1 shows none, but without a full repository it shows only queues that it has used)" in said
    (tmp_path / "answer.txt").write_text(_answer("DISPLAY QCLUSTER(CL.BO)", _instance("QM2")))
    said = " ".join(lintmdb("check", "--all-queues", tmp_path, "-v").stdout.split())
    assert "a cluster has a queue" not in said


def test_the_story_says_which_queue_manager_has_it(lintmdb: Run, tmp_path: Path) -> None:
    """The message may end on the dead-letter queue there."""
    estate = tmp_path / "estate"
    shutil.copytree("fixtures/clean", estate)
    dump = estate / "mq/QM1.mqsc"
    dump.write_text(dump.read_text().replace("BOQNAME('ORDERS.BACKOUT')", "BOQNAME(CL.BO)") + _MEMBER + _OPEN)
    (estate / "mq/answer.txt").write_text(_answer("DISPLAY QCLUSTER(CL.BO)", _instance("QM2")))
    said = " ".join(lintmdb("trace", estate).stdout.split())
    otherwise = "or to the dead-letter queue of QM2 (if there is one) if it cannot be put there"
    assert f"queue CL.BO, a cluster queue at QM2, {otherwise}" in said


@pytest.mark.parametrize(
    ("queue", "cluster", "asked"),
    [
        ("DEFINE QLOCAL(CL.BO) CLUSTER(C)", "C", "confirmation that"),
        ("DEFINE QALIAS(CL.BO) TARGET(X) CLUSTER(C)", "C", "confirmation that"),
        ("DEFINE QLOCAL(CL.BO)", "C", "whether"),
        ("DEFINE QLOCAL(CL.BO) CLUSTER(D)", "D", "whether"),
        ("DEFINE QLOCAL(OTHER) CLUSTER(C)", "C", "whether"),
    ],
)
def test_what_another_export_defines_in_the_cluster_is_told(
    lintmdb: Run, tmp_path: Path, queue: str, cluster: str, asked: str
) -> None:
    """It is no proof that the queue manager knows the queue, but nobody needs to look for it."""
    (tmp_path / "QM1.mqsc").write_text(f"{_HEAD.format('QM1')}{WHOLE}{_MEMBER}{_QUEUE}")
    member = _MEMBER.replace("QM1", "QM2").replace("(C)", f"({cluster})")
    (tmp_path / "QM2.mqsc").write_text(f"{_HEAD.format('QM2')}{WHOLE}{member}{queue}\n")

    def needs(*options: str) -> set[str]:
        run = lintmdb("check", "--all-queues", tmp_path, *options, "--format", "json")
        undecided = json.loads(run.stdout)["undecided"]
        return {entry["needs"] for entry in undecided if "A at QM1" in entry["needs"]}

    where = f": one is defined at QM2 ({tmp_path}/QM2.mqsc:7)" if asked != "whether" else ""
    assert needs() == {f"{asked} a cluster has a queue CL.BO, which BOQNAME of A at QM1 names{where}"}
    apart = ("--environment", f"test={tmp_path / 'QM2.mqsc'}")
    assert needs(*apart) == {"whether a cluster has a queue CL.BO, which BOQNAME of A at QM1 names"}
