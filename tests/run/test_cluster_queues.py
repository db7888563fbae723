"""Queues of a cluster that the export of another queue manager defines."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from lintmdb.model.facts import Facts
from lintmdb.model.relations import PutTarget, Queue
from lintmdb.resolve.observations import Observations
from lintmdb.run.cluster_queues import join_cluster_queues
from lintmdb.run.estate import read_estate
from lintmdb.run.remote_queues import FILLED_IN
from tests.support.command import Run
from tests.support.dumps import WHOLE

_HEAD = "* Queue manager name: {0}\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m {0} -a\n"
_SOURCE = "DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(CL.BO)\nDEFINE QLOCAL(UP) BOTHRESH(3) BOQNAME(A)\n"
_RECEIVER = "DEFINE CHANNEL(TO.{}) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
_SENDER = "DEFINE CHANNEL(TO.REPO) CHLTYPE(CLUSSDR) CONNAME(h) CLUSTER(C)\n"
_NAMELIST = "DEFINE NAMELIST(NL) NAMES('B'+\n,'C')\n"
_BO = "DEFINE QLOCAL(CL.BO) CLUSTER(C)\n"
_WAY = "DEFINE QLOCAL(SYSTEM.CLUSTER.TRANSMIT.QUEUE) USAGE(XMITQ) MAXMSGL(1000)\nALTER QMGR DEFCLXQ(SCTQ)\n"


def _dump(folder: Path, name: str, *lines: str, member: bool = True) -> None:
    joined = f"{_RECEIVER.format(name)}{_SENDER}" if member else ""
    (folder / f"{name}.mqsc").write_text(f"{_HEAD.format(name)}{WHOLE}{joined}{''.join(lines)}")


def _answer(folder: Path, *instances: tuple[str, str]) -> None:
    shown = "".join(
        "AMQ8409I: Display Queue details.\n   QUEUE(CL.BO)          TYPE(QCLUSTER)\n"
        f"   CLUSQMGR({manager})   CLUSQT(QLOCAL)\n   CLUSTER(C)            PUT({put})\n"
        for manager, put in instances
    )
    (folder / "answer.txt").write_text(
        f"Starting MQSC for queue manager QM1.\n\n     1 : DISPLAY QCLUSTER('CL.BO')\n{shown}One MQSC command read.\n"
    )


def _facts(*paths: Path) -> Facts:
    return read_estate([*paths], Observations()).facts


def _rows(facts: Facts) -> tuple[Queue, PutTarget]:
    (queue,) = (row for row in facts.rows["queue"] if row.name == "A" and row.queue_manager == "QM1")
    (target,) = (row for row in facts.rows["put_target"] if row.name == queue.backout_queue)
    return queue, target


def _read(*paths: Path) -> tuple[Queue, PutTarget]:
    return _rows(_facts(*paths))


@pytest.mark.parametrize(
    ("here", "there", "resolution"),
    [
        pytest.param(
            _RECEIVER.format("QM1") + _SENDER, _RECEIVER.format("QM2") + _SENDER + _BO, "remote", id="members"
        ),
        pytest.param(
            _RECEIVER.format("QM1") + _SENDER,
            _RECEIVER.format("QM2") + "ALTER QMGR REPOS(C)\n" + _BO,
            "remote",
            id="a full repository needs no sender",
        ),
        pytest.param(
            _RECEIVER.format("QM1") + _SENDER,
            _RECEIVER.format("QM2").replace("CLUSTER(C)", "CLUSNL(NL)")
            + _NAMELIST
            + "ALTER QMGR REPOSNL(NL)\nDEFINE QLOCAL(CL.BO) CLUSNL(NL)\n",
            "remote",
            id="namelists",
        ),
        pytest.param(
            _RECEIVER.format("QM1") + _SENDER,
            _RECEIVER.format("QM2") + _SENDER + "DEFINE QLOCAL(CL.BO) CLUSNL(NL)\n",
            None,
            id="a namelist that nothing shows",
        ),
        pytest.param(_RECEIVER.format("QM1"), _RECEIVER.format("QM2") + _SENDER + _BO, None, id="no sender here"),
        pytest.param(_RECEIVER.format("QM1") + _SENDER, _RECEIVER.format("QM2") + _BO, None, id="no sender there"),
        pytest.param(_RECEIVER.format("QM1") + _SENDER, _SENDER + _BO, None, id="no receiver there"),
        pytest.param(
            _RECEIVER.format("QM1") + _SENDER,
            _RECEIVER.format("QM2") + _SENDER + _BO.replace("(C)", "(D)"),
            None,
            id="another cluster",
        ),
        pytest.param(
            _RECEIVER.format("QM1") + _SENDER,
            _RECEIVER.format("QM2") + _SENDER + "DEFINE QREMOTE(CL.BO) RQMNAME(QM3) CLUSTER(C)\n",
            None,
            id="an alias of a queue manager",
        ),
    ],
)
def test_a_queue_resolves_where_both_are_proven_members(
    tmp_path: Path, here: str, there: str, resolution: str | None
) -> None:
    """A receiver makes a member, with a full repository or a sender to one."""
    _dump(tmp_path, "QM1", _SOURCE, here, member=False)
    _dump(tmp_path, "QM2", there, member=False)
    queue, target = _read(tmp_path)
    assert queue.backout_resolution == resolution
    assert target.cluster_managers == ("QM2" if resolution else None)


@pytest.mark.parametrize("alias", ["", "DEFINE QALIAS(A.BO) TARGET(CL.BO)\n"])
@pytest.mark.parametrize("way", ["", _WAY, _WAY.replace("USAGE", "PUT(DISABLED) USAGE")])
@pytest.mark.parametrize("put", list(itertools.product(("ENABLED", "DISABLED"), repeat=2)))
def test_it_is_as_if_an_answer_had_shown_the_queue(tmp_path: Path, alias: str, way: str, put: Sequence[str]) -> None:
    """The same instances in the answer of the queue manager give the same rows."""
    source = _SOURCE.replace("BOQNAME(CL.BO)", "BOQNAME(A.BO)") if alias else _SOURCE
    _dump(tmp_path, "QM1", source, alias, way)
    instances = [*zip(("QM2", "QM3"), put, strict=True)]
    for manager, state in instances:
        _dump(tmp_path, manager, _BO.replace("CLUSTER", f"PUT({state}) CLUSTER"))
    without = _facts(tmp_path)
    _answer(tmp_path, *instances)
    with_it = _facts(tmp_path)
    for relation, names in FILLED_IN.items():
        found, expected = (
            {
                (row.name, column): getattr(row, column)
                for row in facts.rows[relation]
                if row.queue_manager == "QM1"
                for column in names
                if column != "in_cluster_elsewhere"  # which no answer shows
            }
            for facts in (without, with_it)
        )
        assert found == expected


def test_what_is_filled_in_is_filled_in_once(tmp_path: Path) -> None:
    """The fleet sees rows in which that is done."""
    _dump(tmp_path, "QM1", _SOURCE)
    _dump(tmp_path, "QM2", _BO)
    assert join_cluster_queues(_facts(tmp_path)) == {}


def test_other_names_and_other_exports_change_nothing(tmp_path: Path) -> None:
    """Neither an unrelated queue manager, nor the same queue in another cluster, nor another environment counts."""
    _dump(tmp_path, "QM1", _SOURCE)
    _dump(tmp_path, "QM2", _BO)
    queue, target = _read(tmp_path)
    _dump(tmp_path, "QM0", "DEFINE QLOCAL(CL.BO) PUT(DISABLED)\n")
    other = f"{_RECEIVER.format('QM3')}{_SENDER}{_BO} PUT(DISABLED)".replace("(C)", "(D)")
    _dump(tmp_path, "QM3", f"{other}\n", member=False)
    assert _read(tmp_path) == (queue, target)


@pytest.mark.parametrize(
    ("first", "second", "fails", "because"),
    [
        ("MAXDEPTH(0)", "MAXDEPTH(5)", None, "it leads at times to CL.BO at QM2, which has MAXDEPTH(0)"),
        (
            "PUT(DISABLED)",
            "PUT(DISABLED)",
            None,
            "it leads at times to CL.BO at QM2, which has PUT(DISABLED) and to CL.BO at QM3, which has PUT(DISABLED)",
        ),
        ("MAXDEPTH(0)", "PUT(DISABLED)", True, "it leads to CL.BO at QM2, which has MAXDEPTH(0)"),
        (
            "MAXDEPTH(0)",
            "MAXDEPTH(0)",
            True,
            "it leads to CL.BO at QM2, which has MAXDEPTH(0) and to CL.BO at QM3, which has MAXDEPTH(0)",
        ),
    ],
)
def test_each_queue_that_may_get_a_message_is_followed(
    tmp_path: Path, first: str, second: str, *, fails: bool | None, because: str
) -> None:
    """Where one of them keeps none, it depends on workload balancing; one that is closed gets none."""
    _dump(tmp_path, "QM1", _SOURCE)
    _dump(tmp_path, "QM2", _BO.replace("CLUSTER", f"{first} CLUSTER"))
    _dump(tmp_path, "QM3", _BO.replace("CLUSTER", f"{second} CLUSTER"))
    facts = _facts(tmp_path)
    _, target = _rows(facts)
    assert (target.fails_elsewhere, target.unreachable_because) == (fails, because)
    told = [row.text for row in facts.rows["problem"] if row.kind == "closed_remote_queue"]
    assert any("CL.BO, a cluster queue that QM1 does not define, leads to CL.BO at QM2" in text for text in told)


@pytest.mark.parametrize(
    ("deadq", "then"),
    [
        ("", ", which has no dead-letter queue"),
        ("ALTER QMGR DEADQ(DEAD)\n", "; the dead-letter queue DEAD of QM1 is next to take it"),
    ],
)
def test_a_put_to_a_closed_cluster_queue_fails_where_it_is_made(tmp_path: Path, deadq: str, then: str) -> None:
    """PUT(DISABLED) is known to all members of the cluster, so a message does not leave for such a queue."""
    _dump(tmp_path, "QM1", _SOURCE, deadq)
    _dump(tmp_path, "QM2", _BO.replace("CLUSTER", "PUT(DISABLED) CLUSTER"))
    (told,) = (row for row in _facts(tmp_path).rows["problem"] if row.kind == "closed_remote_queue")
    fails = "a put at QM1 fails with 2268 (MQRC_CLUSTER_PUT_INHIBITED) and the message does not leave QM1"
    assert told.text.endswith(f"unless another queue manager of the cluster has the queue open, {fails}{then}")
    assert told.next_step == "Correct CL.BO at QM2, or name another queue at QM1"


@pytest.mark.parametrize("answer", [False, True])
def test_whether_a_closed_cluster_queue_is_open_elsewhere_is_what_is_asked(
    tmp_path: Path, lintmdb: Run, *, answer: bool
) -> None:
    """PUT at the queue manager that was read is known; an answer that shows no other one is not asked for again."""
    _dump(tmp_path, "QM1", _SOURCE)
    _dump(tmp_path, "QM2", _BO.replace("CLUSTER", "PUT(DISABLED) CLUSTER"))
    if answer:
        _answer(tmp_path, ("QM2", "DISABLED"))
    told = " ".join(lintmdb("check", "--all-queues", str(tmp_path)).stdout.split())
    asked = "whether another queue manager of the cluster has CL.BO with PUT(ENABLED): it has PUT(DISABLED) at QM2"
    assert asked in told
    assert ("DISPLAY QCLUSTER('CL.BO') ALL at QM1" in told) is not answer
    assert "put enabled of" not in told


_RECORDS = (
    "SET AUTHREC PROFILE('self') OBJTYPE(QMGR) GROUP('app') AUTHADD(CONNECT,INQ)\n"
    "SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) GROUP('app') AUTHADD(GET,BROWSE,INQ,PUT,PASSALL,SETALL)\n"
)
_USERS = "user: svc\nusers:\n  - user: svc\n    groups: [app]\n"


def _checked(lintmdb: Run, folder: Path) -> str:
    """What the check of every queue says, for a user whose groups are known."""
    observations = folder / "observations.yaml"
    observations.write_text(_USERS)
    told = lintmdb("check", "--all-queues", str(folder), "--observations", str(observations), "-v").stdout
    return " ".join(told.split())


def test_rights_on_a_name_that_leads_nowhere_wait_for_what_it_leads_to(tmp_path: Path, lintmdb: Run) -> None:
    """No group decides what a user may do with a queue of which nobody knows where it is."""
    _dump(tmp_path, "QM1", _SOURCE, _RECORDS)
    told = _checked(lintmdb, tmp_path)
    assert "whether a cluster has a queue CL.BO, which BOQNAME of A at QM1 names" in told
    assert "the groups and authorities of user svc" not in told


@pytest.mark.parametrize("shown", [False, True])
def test_who_may_not_move_a_message_need_not_know_where_the_queue_is(
    tmp_path: Path, lintmdb: Run, *, shown: bool
) -> None:
    """The put fails, whether a cluster has the backout queue or not, and so does that to the dead-letter queue."""
    records = _RECORDS.replace("PASSALL,", "")
    _dump(tmp_path, "QM1", _SOURCE, "ALTER QMGR DEADQ(DLQ)\n", "DEFINE QLOCAL(DLQ)\n", records)
    if shown:
        _answer(tmp_path, ("QM2", "ENABLED"))
    assert (
        "A non-persistent poison message is discarded after 3 failed deliveries; a persistent one blocks delivery"
    ) in _checked(lintmdb, tmp_path)


def test_a_plan_says_what_is_worse_if_rights_on_a_cluster_queue_are_missing(tmp_path: Path, lintmdb: Run) -> None:
    """No grant of a plan settles which profile decides there, and a message that looped is lost without the right."""
    records = (
        "SET AUTHREC PROFILE('self') OBJTYPE(QMGR) GROUP('app') AUTHADD(CONNECT,INQ)\n"
        "SET AUTHREC PROFILE('IN.ALIAS') OBJTYPE(QUEUE) GROUP('app') AUTHADD(GET,BROWSE,INQ)\n"
        "SET AUTHREC PROFILE('CL.BO') OBJTYPE(QUEUE) GROUP('app') AUTHADD(PUT,PASSALL)\n"
    )
    _dump(tmp_path, "QM1", "DEFINE QALIAS(IN.ALIAS) TARGET(A)\nDEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(CL.BO)\n", records)
    (tmp_path / "o.yaml").write_text(
        "queues:\n- {queue: IN.ALIAS, queue_manager: QM1, user: svc}\nusers:\n- {user: svc, groups: [app]}\n"
    )
    _answer(tmp_path, ("QM2", "ENABLED"))
    worse = "Worse than before if svc may not put messages on CL.BO: loops for ever -> discarded (non-persistent)"
    plan = ("plan", "--all-queues", str(tmp_path), "--observations", str(tmp_path / "o.yaml"))
    for options, harmful in (
        (["--select", "MDB139"], True),
        ([], False),
    ):  # all of it lets svc use the dead-letter queue
        told = " ".join(lintmdb(*plan, *options).stdout.split())
        assert "group app gets inq" in told
        assert (worse in told) == harmful


def test_rights_on_a_cluster_queue_come_with_an_alias(tmp_path: Path, lintmdb: Run) -> None:
    """Nothing is granted on the queue, nor on the transmission queue of clusters."""
    records = _RECORDS.replace("PASSALL,", "")
    _dump(tmp_path, "QM1", _SOURCE, "ALTER QMGR DEADQ(DLQ)\n", "DEFINE QLOCAL(DLQ)\n", records)
    _answer(tmp_path, ("QM2", "ENABLED"))
    assert "MDB113" in _checked(lintmdb, tmp_path)
    options = ("--all-queues", str(tmp_path), "--observations", str(tmp_path / "observations.yaml"))
    for command in ("check", "plan"):
        told = " ".join(lintmdb(command, *options).stdout.split())
        assert "A.BACKOUT new alias of CL.BO" in told
        assert "BOQNAME CL.BO -> A.BACKOUT" in told


@pytest.mark.parametrize(
    ("here", "there", "cap", "told"),
    [
        ("", "", 0, ""),
        ("", "CAPEXPRY(600)", 60_000, "The backout queue CL.BO of A caps message expiry at 60 s"),
        ("", "CUSTOM('CAPEXPRY(600)')", 60_000, "The backout queue CL.BO of A caps message expiry at 60 s"),
        ("", "LIKE(GONE)", None, "whether messages expire on CL.BO, a cluster queue at QM2"),
        ("DEFINE QALIAS(CL.BO) TARGET(CL.BO2) CAPEXPRY(600)\n", "CAPEXPRY(900)", 60_000, "at 60 s"),
        ("DEFINE QALIAS(CL.BO) TARGET(CL.BO2) CAPEXPRY(900)\n", "CAPEXPRY(600)", 60_000, "at 60 s"),
    ],
)
def test_messages_may_expire_on_a_queue_of_another_queue_manager(
    tmp_path: Path, lintmdb: Run, here: str, there: str, cap: int | None, told: str
) -> None:
    """CAPEXPRY of the queue that messages get to counts, and that of an alias on the way; the lowest one decides."""
    _dump(tmp_path, "QM1", _SOURCE, here, _RECORDS)
    _dump(tmp_path, "QM2", _BO.replace("CL.BO", "CL.BO2" if here else "CL.BO").replace("CLUSTER", f"{there} CLUSTER"))
    (row,) = (row for row in _facts(tmp_path).rows["put_target"] if row.name == "CL.BO")
    assert row.expiry_cap_ms == cap
    text = _checked(lintmdb, tmp_path)
    assert told in text
    assert ("warning MDB130" in text) == bool(cap)
    if there == "LIKE(GONE)":
        assert re.search(r"at QM2 \(\S+QM2\S+:\d+\): a complete dump from there shows CAPEXPRY", text)
    elif here:  # the command for the alias stands where the alias sets the limit, and nowhere else
        assert row.expiry_capped_by == ("CL.BO" if "(600)" in here else None)
        assert ("ALTER QALIAS('CL.BO')" in text) == ("(600)" in here)
        assert ("MQ CL.BO2 at QM2 CAPEXPRY 600" in text) != ("(600)" in here)


def test_a_remote_queue_leaves_by_the_cluster(tmp_path: Path) -> None:
    """RQMNAME may name a member, where neither a transmission queue nor DEFXMITQ leads there."""
    remote = "DEFINE QREMOTE(CL.BO) RNAME(B) RQMNAME(QM2)\n"
    _dump(tmp_path, "QM1", _SOURCE, remote)
    _dump(tmp_path, "QM2", "DEFINE QLOCAL(B)\n")
    _, target = _read(tmp_path)
    assert (target.reachable, target.takes_puts) == (True, True)
    _dump(tmp_path, "QM2", "DEFINE QLOCAL(B)\n", member=False)
    _, target = _read(tmp_path)
    assert (target.reachable, target.takes_puts) == (None, None)


def test_what_a_full_repository_does_not_show_stays_missing(tmp_path: Path) -> None:
    """Its answer is about the cluster as it is, the export of another queue manager about what it is to be."""
    _dump(tmp_path, "QM1", _SOURCE, "ALTER QMGR REPOS(C)\n")
    _dump(tmp_path, "QM2", _BO)
    (tmp_path / "answer.txt").write_text(
        "Starting MQSC for queue manager QM1.\n\n     1 : DISPLAY QCLUSTER('CL.BO')\n"
        "AMQ8147E: IBM MQ object CL.BO not found.\nOne MQSC command read.\n"
    )
    queue, _ = _read(tmp_path)
    assert queue.backout_resolution == "not_defined"


def _ask(folder: Path, manager: str, question: str = "CL.BO", *shown: str) -> None:
    """The answer of a queue manager to a question for cluster queues."""
    found = "".join(
        f"AMQ8409I: Display Queue details.\n   QUEUE({name})          TYPE(QCLUSTER)\n   CLUSQMGR(QM9)\n"
        for name in shown
    )
    nothing = f"AMQ8147E: IBM MQ object {question} not found.\n"
    (folder / f"{manager}-answer.txt").write_text(
        f"Starting MQSC for queue manager {manager}.\n\n     1 : DISPLAY QCLUSTER('{question}')\n"
        f"{found or nothing}One MQSC command read.\n"
    )


_FULL = "ALTER QMGR REPOS(C)\n"
_ALIAS = "DEFINE QALIAS(A.BO) TARGET(CL.BO)\n"


@pytest.mark.parametrize("alias", ["", _ALIAS])
@pytest.mark.parametrize("deadq", ["", "ALTER QMGR DEADQ(DEAD)\nDEFINE QLOCAL(DEAD)\n"])
def test_the_answer_of_a_full_repository_is_that_of_its_members(tmp_path: Path, alias: str, deadq: str) -> None:
    """What it does not show is as missing as if the queue manager had the full repository itself."""
    source = _SOURCE.replace("BOQNAME(CL.BO)", "BOQNAME(A.BO)") if alias else _SOURCE
    rows: list[dict[tuple[str, str], object]] = []
    for folder, (own, other) in (("own", (_FULL, "")), ("other", ("", _FULL))):
        (tmp_path / folder).mkdir()
        _dump(tmp_path / folder, "QM1", source, alias, deadq, own)
        _dump(tmp_path / folder, "QM2", other)
        _ask(tmp_path / folder, "QM1" if own else "QM2")
        facts = _facts(tmp_path / folder)
        assert _rows(facts)[0].backout_resolution == ("dangling" if alias else "not_defined")
        rows.append(
            {
                (row.name, column): getattr(row, column)
                for relation, names in FILLED_IN.items()
                for row in facts.rows[relation]
                if row.queue_manager == "QM1"
                for column in names
            }
        )
    assert rows[0] == rows[1]


@pytest.mark.parametrize(
    ("here", "there", "question", "shown", "resolution"),
    [
        pytest.param("", _FULL, "*", ["X"], "not_defined", id="a list of all"),
        pytest.param("", _FULL, "CL.*", ["CL.X"], "not_defined", id="a list of a beginning"),
        pytest.param("", _FULL, "X.*", ["X.Y"], None, id="a list of another beginning"),
        pytest.param("", _FULL, "*", ["CL.BO"], None, id="a list that has it"),
        pytest.param("", "", "CL.BO", [], None, id="no full repository"),
        pytest.param("", "ALTER QMGR REPOS(D)\n", "CL.BO", [], None, id="of another cluster"),
        pytest.param(_RECEIVER.format("X").replace("(C)", "(D)"), _FULL, "CL.BO", [], None, id="of one cluster alone"),
        pytest.param(
            _RECEIVER.format("X").replace("CLUSTER(C)", "CLUSNL(NL)"),
            _FULL,
            "CL.BO",
            [],
            None,
            id="an unknown namelist",
        ),
    ],
)
def test_only_the_full_repositories_of_all_clusters_settle_it(
    tmp_path: Path, here: str, there: str, question: str, shown: Sequence[str], resolution: str | None
) -> None:
    """The queue may be in any other cluster of the queue manager."""
    _dump(tmp_path, "QM1", _SOURCE, here)
    _dump(tmp_path, "QM2", there)
    _ask(tmp_path, "QM2", question, *shown)
    queue, _ = _read(tmp_path)
    assert queue.backout_resolution == resolution


def test_a_full_repository_and_an_export_that_disagree_leave_it_open(tmp_path: Path) -> None:
    """The answer is about the cluster as it is, the export of a member about what it is to be."""
    _dump(tmp_path, "QM1", _SOURCE)
    _dump(tmp_path, "QM2", _FULL)
    _dump(tmp_path, "QM3", _BO)
    assert _read(tmp_path)[0].backout_resolution == "remote"
    _ask(tmp_path, "QM2")
    queue, target = _read(tmp_path)
    assert (queue.backout_resolution, target.may_be_in) == (None, "C")
    assert (target.in_cluster_elsewhere or "").startswith("QM3 (")


@pytest.mark.parametrize(
    ("here", "there", "asked", "note"),
    [
        pytest.param("", _FULL, "QM2", "", id="that was exported"),
        pytest.param("", "", "a full repository of C", "", id="that was not exported"),
        pytest.param(_FULL, _FULL, "QM1", "", id="of its own"),
        pytest.param(
            _RECEIVER.format("X").replace("(C)", "(D)"),
            _FULL,
            "QM2 and a full repository of D",
            "",
            id="of each cluster",
        ),
        pytest.param(
            "answered",
            _FULL,
            "QM2",
            "without a full repository it shows only queues that it has used",
            id="not again here",
        ),
    ],
)
def test_a_full_repository_is_asked(tmp_path: Path, lintmdb: Run, here: str, there: str, asked: str, note: str) -> None:
    """Only its answer settles that there is no queue."""
    _dump(tmp_path, "QM1", _SOURCE, *([] if here == "answered" else [here]))
    _dump(tmp_path, "QM2", there)
    if here == "answered":
        _ask(tmp_path, "QM1")
    told = " ".join(lintmdb("check", tmp_path, "--all-queues").stdout.split())
    repository = "DISPLAY QMGR REPOS REPOSNL, and of: " if "a full" in asked else ""
    both = ", both" if repository else ""
    output = f"Add the output of: {repository}DISPLAY QCLUSTER('CL.BO'){both} at {asked}"
    assert f"{output}. An answer that finds no queue settles it, too" in told
    assert note in told


@pytest.mark.parametrize(
    ("repos", "settled"), [("REPOS(C)", True), ("REPOS(D)", False), ("REPOS( )", False), ("", False)]
)
def test_its_answers_alone_settle_it(tmp_path: Path, *, repos: str, settled: bool) -> None:
    """Where they show that it has a full repository of the cluster; its channels are not asked for."""
    _dump(tmp_path, "QM1", _SOURCE)
    shown = f"AMQ8408I: Display Queue Manager details.\n   QMNAME(QM2)              {repos}\n" if repos else ""
    (tmp_path / "answer.txt").write_text(
        f"Starting MQSC for queue manager QM2.\n\n     1 : DISPLAY QMGR REPOS\n{shown}"
        "     2 : DISPLAY QCLUSTER('CL.BO')\nAMQ8147E: IBM MQ object CL.BO not found.\n2 MQSC commands read.\n"
    )
    assert (_read(tmp_path)[0].backout_resolution == "not_defined") is settled


def test_a_queue_that_a_full_repository_shows_is_told(tmp_path: Path, lintmdb: Run) -> None:
    """Which queue manager has it, no export says."""
    _dump(tmp_path, "QM1", _SOURCE)
    _dump(tmp_path, "QM2", _FULL)
    _ask(tmp_path, "QM2", "CL.BO", "CL.BO")
    told = " ".join(lintmdb("check", tmp_path, "--all-queues").stdout.split())
    assert "one is defined at a queue manager that QM2 knows" in told


@pytest.mark.parametrize(
    ("lines", "asked"),
    [
        pytest.param(
            ["DEFINE QREMOTE(CL.BO) RNAME(B) RQMNAME(QM2)\n"],
            "MAXMSGL of the transmission queue by which messages for CL.BO leave QM1, and DEFCLXQ",
            id="by the cluster",
        ),
        pytest.param(
            ["DEFINE QREMOTE(CL.BO) RNAME(B) RQMNAME(QM2) XMITQ(X)\n", "DEFINE QLOCAL(X) USAGE(XMITQ) MAXMSGL(+x)\n"],
            "MAXMSGL of transmission queue X at QM1",
            id="by a queue of its own",
        ),
    ],
)
def test_what_limits_the_length_for_a_remote_queue_is_named(
    tmp_path: Path, lintmdb: Run, lines: Sequence[str], asked: str
) -> None:
    """A remote queue has no MAXMSGL."""
    _dump(tmp_path, "QM1", _SOURCE, "ALTER QMGR MAXMSGL(4194304)\n", *lines)
    _dump(tmp_path, "QM2", "DEFINE QLOCAL(B)\n")
    told = " ".join(lintmdb("check", tmp_path, "--all-queues", "--select", "MDB108").stdout.split())
    assert asked in told


@pytest.mark.parametrize(
    ("source", "places"),
    [(_SOURCE, ["QM1.mqsc:8"] * 2), ("ALTER QMGR DEADQ(CL.BO)\nDEFINE QLOCAL(A) BOTHRESH(3)\n", [])],
)
def test_an_answer_may_show_what_the_exports_of_its_hosts_lack(
    tmp_path: Path, source: str, places: Sequence[str]
) -> None:
    """The notice is at the queue that names it; a dead-letter queue is never one of a cluster."""
    _dump(tmp_path, "QM1", source)
    for manager in ("QM2", "QM3"):
        _dump(tmp_path, manager)
    _answer(tmp_path, ("QM2", "ENABLED"), ("QM3", "ENABLED"))
    told = [row for row in _facts(tmp_path).rows["problem"] if row.kind == "undefined_remote_queue"]
    assert [f"{Path(row.path).name}:{row.line}" for row in told] == places
