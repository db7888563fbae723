"""What becomes of poison messages at other queue managers, as notices."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from lintmdb.engine.findings import Notice
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from lintmdb.run.reading_notices import reading_notices
from tests.support.command import Run
from tests.support.dumps import WHOLE
from tests.support.scenario_folders import scenario_folder

_NEAR = (
    "DEFINE QLOCAL(QM2) USAGE(XMITQ)",
    "DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(FAR.BO)",
    "DEFINE QREMOTE(FAR.BO) RNAME(A.BO) RQMNAME(QM2)",
)
_TO_ALIAS = "DEFINE QREMOTE(FAR.BO) RNAME(A.BO) RQMNAME({}) XMITQ(QM2)"
_TO_QM1 = "DEFINE QLOCAL(QM1) USAGE(XMITQ)"
_TO_QM3 = "DEFINE QLOCAL(QM3) USAGE(XMITQ)"
_FAR = "FAR.BO of queue manager QM1 leads"
_TOO_SHORT = "If a channel on the way takes only shorter messages, it does not get there at all"
_STOPS = "stops its channel or, if it is not persistent, may be lost: QM2 has no dead-letter queue"
_LOST = f"so a message that is moved there {_STOPS}"


def _write(folder: Path, name: str, *lines: str, dump: bool = True) -> None:
    """The queue manager NAME, the first of whose ``lines`` is line 4 of NAME.mqsc."""
    command = f"* Command issued: dmpmqcfg -m {name} -a" if dump else "*"
    head = (f"* Queue manager name: {name}", "* Queue manager platform: UNIX", command)
    (folder / f"{name}.mqsc").write_text("\n".join((*head, *lines, WHOLE if dump else "")))


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _told(*paths: Path) -> list[Notice]:
    found = reading_notices(read_estate([*paths], Observations()).facts.rows["problem"])
    return [notice for notice in found if notice.kind.endswith("_remote_queue")]


@pytest.mark.parametrize(
    ("far", "kind", "text"),
    [
        pytest.param(
            ["DEFINE QLOCAL(A.BO) PUT(DISABLED)"],
            "closed_remote_queue",
            f"to A.BO at QM2 (QM2.mqsc:4), which has PUT(DISABLED), {_LOST}",
            id="no puts",
        ),
        pytest.param(
            ["ALTER QMGR DEADQ(DEAD)", "DEFINE QLOCAL(DEAD)", "DEFINE QLOCAL(A.BO) PUT(DISABLED)"],
            "closed_remote_queue",
            "to A.BO at QM2 (QM2.mqsc:6), which has PUT(DISABLED), so a message that is moved there ends on the "
            "dead-letter queue DEAD of QM2 or stops its channel",
            id="a dead-letter queue that has a name",
        ),
        pytest.param(
            ["DEFINE QALIAS(A.BO) TARGET(KEPT) PUT(DISABLED)", "DEFINE QLOCAL(KEPT)"],
            "closed_remote_queue",
            f"to A.BO at QM2 (QM2.mqsc:4), which has PUT(DISABLED), {_LOST}",
            id="no puts by an alias",
        ),
        pytest.param(
            ["DEFINE QALIAS(A.BO) TARGET(KEPT)", "DEFINE QLOCAL(KEPT) MAXDEPTH(0)"],
            "closed_remote_queue",
            f"by way of A.BO at QM2 (QM2.mqsc:4) to KEPT at QM2 (QM2.mqsc:5), which has MAXDEPTH(0), {_LOST}",
            id="no room behind an alias",
        ),
        pytest.param(
            ["DEFINE QLOCAL(A.BO) MAXMSGL(1000)"],
            "closed_remote_queue",
            "to A.BO at QM2 (QM2.mqsc:4), which takes messages of up to 1000 bytes, and A.IN up to 4193876 "
            "(MAXMSGL(4194304) of the transmission queue QM2, less 428 for a header), so a longer message that "
            f"is moved there {_STOPS}. {_TOO_SHORT}",
            id="only shorter messages than what the transmission queue takes",
        ),
        pytest.param(
            ["ALTER QMGR MAXMSGL(32768)", "DEFINE QLOCAL(A.BO)"],
            "closed_remote_queue",
            "to A.BO at QM2 (QM2.mqsc:5), which takes messages of up to 32768 bytes, and A.IN up to 4193876 "
            "(MAXMSGL(4194304) of the transmission queue QM2, less 428 for a header), so a longer message that "
            f"is moved there {_STOPS}. {_TOO_SHORT}",
            id="a queue manager of shorter messages",
        ),
        pytest.param(
            ["DEFINE QMODEL(A.BO)"],
            "closed_remote_queue",
            "to A.BO at QM2 (QM2.mqsc:4), which is a model queue, so a message that is moved there is not kept under "
            "that name",
            id="a model queue",
        ),
        pytest.param(
            ["DEFINE QLOCAL(A.BO) USAGE(XMITQ)"],
            "closed_remote_queue",
            f"to A.BO at QM2 (QM2.mqsc:4), which is a transmission queue, {_LOST}",
            id="a transmission queue",
        ),
        pytest.param(
            ["DEFINE QALIAS(A.BO) TARGET(GONE)"],
            "closed_remote_queue",
            f"to A.BO at QM2 (QM2.mqsc:4), which is an alias of a queue that is not defined, {_LOST}",
            id="an alias of nothing",
        ),
        pytest.param(
            ["DEFINE QALIAS(A.BO) TARGET(NEXT)", "DEFINE QALIAS(NEXT) TARGET(KEPT)", "DEFINE QLOCAL(KEPT)"],
            "closed_remote_queue",
            f"to A.BO at QM2 (QM2.mqsc:4), which is an alias of another alias or of a model queue, {_LOST}",
            id="an alias of an alias",
        ),
        pytest.param(
            ["DEFINE QALIAS(A.BO) TARGET(T) TARGTYPE(TOPIC)", "DEFINE TOPIC(T) TOPICSTR(t)"],
            "closed_remote_queue",
            "to A.BO at QM2 (QM2.mqsc:4), which is an alias of a topic, so a message that is moved there is "
            "published, and nobody has it who has not subscribed",
            id="an alias of a topic",
        ),
        pytest.param(
            ["DEFINE QREMOTE(A.BO) RNAME(A.BO) RQMNAME(QM3)"],
            "closed_remote_queue",
            f"to A.BO at QM2 (QM2.mqsc:4), which is a remote queue from which no message is sent on, {_LOST}",
            id="a remote queue without a transmission queue",
        ),
        pytest.param(
            ["DEFINE QREMOTE(A.BO) RQMNAME(QM3)"],
            "closed_remote_queue",
            f"to A.BO at QM2 (QM2.mqsc:4), which is an alias of a queue manager, and no queue, {_LOST}",
            id="an alias of a queue manager",
        ),
        pytest.param(
            [_TO_QM3, "DEFINE QREMOTE(A.BO) RNAME(KEPT) RQMNAME(QM3)"],
            "undefined_remote_queue",
            "by way of A.BO at QM2 (QM2.mqsc:5) to KEPT at QM3, which does not define it, "
            f"{_LOST.replace('QM2', 'QM3')}",
            id="not defined two queue managers away",
        ),
        pytest.param(
            [_TO_QM1, "DEFINE QREMOTE(A.BO) RNAME(FAR.BO) RQMNAME(QM1)"],
            "closed_remote_queue",
            "by way of A.BO at QM2 (QM2.mqsc:5) and FAR.BO at QM1 (QM1.mqsc:6) to A.BO at QM2 (QM2.mqsc:5), which "
            "sends it round in a circle, so a message that is moved there never arrives",
            id="remote queues in a circle",
        ),
        pytest.param(
            [_TO_QM1, "DEFINE QREMOTE(A.BO) RNAME(A.IN) RQMNAME(QM1)"],
            "read_remote_queue",
            "by way of A.BO at QM2 (QM2.mqsc:5) to A.IN at QM1 (QM1.mqsc:5), whose poison messages are moved to "
            "FAR.BO, so each of them comes back again and again, with a backout count of 0",
            id="back to the input queue",
        ),
        pytest.param(
            [_TO_QM1, "DEFINE QALIAS(A.BO) TARGET(BACK)", "DEFINE QREMOTE(BACK) RNAME(A.IN) RQMNAME(QM1)"],
            "read_remote_queue",
            "by way of A.BO at QM2 (QM2.mqsc:5) and BACK at QM2 (QM2.mqsc:6) to A.IN at QM1 (QM1.mqsc:5), whose poison "
            "messages are moved to FAR.BO, so each of them comes back again and again, with a backout count of 0",
            id="back by an alias",
        ),
        pytest.param(["DEFINE QLOCAL(A.BO)"], None, "", id="a queue that keeps them"),
        pytest.param([_TO_QM3, "DEFINE QREMOTE(A.BO) RNAME(OK) RQMNAME(QM3)"], None, "", id="one at the next one"),
        pytest.param([_TO_QM3, "DEFINE QREMOTE(A.BO) RNAME(A) RQMNAME(QM9) XMITQ(QM3)"], None, "", id="not exported"),
        pytest.param(["DEFINE QALIAS(A.BO) TARGET(SYSTEM.DEAD.LETTER.QUEUE)"], None, "", id="what IBM supplies"),
        pytest.param(
            ["DEFINE QALIAS(A.BO) TARGET(CL.BO)", "DEFINE CHANNEL(TO.QM2) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)"],
            None,
            "",
            id="a queue that a cluster may have",
        ),
    ],
)
def test_what_is_behind_a_remote_backout_queue_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, far: list[str], kind: str | None, text: str
) -> None:
    """With each definition on the way, and where."""
    monkeypatch.chdir(tmp_path)
    _write(tmp_path, "QM1", *_NEAR)
    _write(tmp_path, "QM2", *far)
    _write(tmp_path, "QM3", "DEFINE QLOCAL(OK)")
    told = _told(Path())
    assert [(notice.kind, notice.text) for notice in told] == ([(kind, f"{_FAR} {text}")] if kind else [])
    assert all((notice.path, notice.line) == ("QM1.mqsc", 6) for notice in told)


@pytest.mark.parametrize(
    ("near", "told"),
    [
        pytest.param(_NEAR[2], True, id="it is moved"),
        pytest.param("DEFINE QREMOTE(FAR.BO) RNAME(A.BO) RQMNAME(QM2) XMITQ(GONE)", True, id="no way there yet"),
        pytest.param("DEFINE QREMOTE(FAR.BO) RNAME(A.BO) RQMNAME(QM2) PUT(DISABLED)", False, id="no puts here"),
    ],
)
def test_what_never_leaves_is_not_told(tmp_path: Path, near: str, *, told: bool) -> None:
    """Rules say it of the remote queue itself. Whoever defines its transmission queue needs to know the rest."""
    _write(tmp_path, "QM1", *_NEAR[:2], near)
    _write(tmp_path, "QM2", "DEFINE QLOCAL(A.BO) PUT(DISABLED)")
    found = _told(tmp_path)
    assert bool(found) is told
    once = "once transmission queue GONE takes messages, one that is moved there stops its channel"
    assert all((once in notice.text) is ("GONE" in near) for notice in found)


def test_a_transmission_queue_that_is_missing_is_shown_as_that(tmp_path: Path, lintmdb: Run) -> None:
    """As every other object that is not defined."""
    _write(tmp_path, "QM1", *_NEAR[:2], "DEFINE QREMOTE(FAR.BO) RNAME(A.BO) RQMNAME(QM2) XMITQ(GONE)")
    told = " ".join(lintmdb("check", "--all-queues", tmp_path).stdout.split())
    assert "MQ FAR.BO XMITQ GONE (not defined)" in told


def test_a_transmission_queue_may_be_defined_instead(tmp_path: Path, lintmdb: Run) -> None:
    """Beside a backout queue of the queue manager itself, which would take messages from where people look for them."""
    _write(tmp_path, "QM1", *_NEAR[:2], "DEFINE QREMOTE(FAR.BO) RNAME(A.BO) RQMNAME(QM2) XMITQ(GONE)")
    for command in ("check", "plan"):
        told = " ".join(lintmdb(command, "--all-queues", tmp_path).stdout.split())
        _, _, other = told.partition("f the queue at the other queue manager stays the backout queue, and a channel")
        assert re.match(r" takes messages from the new queue: (QM1 )?GONE new transmission queue", other)
    defined = "DEFINE QLOCAL(GONE) USAGE(XMITQ)"
    _write(tmp_path, "QM1", *_NEAR[:2], defined, "DEFINE QREMOTE(FAR.BO) RNAME(A.BO) RQMNAME(QM2) XMITQ(GONE)")
    assert "MDB128" not in lintmdb("check", "--all-queues", tmp_path).stdout


@pytest.mark.parametrize("transmission", [[], ["DEFINE QLOCAL(GONE) USAGE(XMITQ) PUT(DISABLED)"]])
@pytest.mark.parametrize(
    ("far", "repaired"),
    [
        pytest.param("DEFINE QLOCAL(A.BO)", True, id="kept there"),
        pytest.param("DEFINE QLOCAL(A.BO) PUT(DISABLED)", False, id="closed there"),
        pytest.param("DEFINE QALIAS(A.BO) TARGET(NOWHERE)", False, id="lost there"),
        pytest.param(f"{_TO_QM1}\nDEFINE QREMOTE(A.BO) RNAME(A.IN) RQMNAME(QM1)", False, id="back from there"),
    ],
)
def test_no_repair_sends_messages_to_where_no_queue_keeps_them(
    tmp_path: Path, lintmdb: Run, transmission: list[str], far: str, *, repaired: bool
) -> None:
    """The message is worse off there than on the dead-letter queue here, which people look at."""
    remote = "DEFINE QREMOTE(FAR.BO) RNAME(A.BO) RQMNAME(QM2) XMITQ(GONE)"
    _write(tmp_path, "QM1", *_NEAR[:2], *transmission, remote)
    _write(tmp_path, "QM2", far)
    offer = "PUT DISABLED -> ENABLED" if transmission else "new transmission queue"
    check, plan = (" ".join(lintmdb(command, "--all-queues", tmp_path).stdout.split()) for command in ("check", "plan"))
    assert "MDB128" in check
    assert (offer in check) is repaired
    assert repaired or offer not in plan
    assert repaired or "BOQNAME FAR.BO -> A.IN.BACKOUT" in plan


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("BOTHRESH(0) BOQNAME(FAR.BO)", id="nothing is moved"),
        pytest.param("BOTHRESH(3) BOQNAME(FAR.BO) GET(DISABLED)", id="nobody can read it"),
        pytest.param("BOTHRESH(3) BOQNAME(OTHER)", id="another backout queue"),
    ],
)
def test_only_what_comes_round_again_is_a_loop(tmp_path: Path, source: str) -> None:
    """The queue is at the other end all the same."""
    _write(tmp_path, "QM1", *_NEAR, f"DEFINE QLOCAL(B.IN) {source}", "DEFINE QLOCAL(OTHER)")
    _write(tmp_path, "QM2", _TO_QM1, "DEFINE QREMOTE(A.BO) RNAME(B.IN) RQMNAME(QM1)")
    assert _told(tmp_path) == []


@pytest.mark.parametrize(
    ("aliases", "text"),
    [
        pytest.param(
            ["DEFINE QREMOTE(GATE) RQMNAME(QM2)"], "by way of GATE at QM2 ({}:4) to A.BO at QM2", id="its own"
        ),
        pytest.param(["DEFINE QREMOTE(GATE) RNAME(' ') RQMNAME(' ')"], None, id="any queue manager of a cluster"),
        pytest.param(
            ["DEFINE QREMOTE(GATE) RQMNAME(QM3)", _TO_QM3],
            "by way of GATE at QM2 ({}:4) to A.BO at QM3",
            id="the next one",
        ),
        pytest.param(["DEFINE QREMOTE(GATE) RNAME(A.BO) RQMNAME(QM3)"], None, id="no alias but a queue"),
        pytest.param(["DEFINE QREMOTE(GATE) RQMNAME(GATE) XMITQ(QM2)"], None, id="an alias of itself"),
        pytest.param([], None, id="not exported"),
    ],
)
def test_aliases_of_queue_managers_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, aliases: list[str], text: str | None
) -> None:
    """At the queue manager to which the transmission queue leads."""
    monkeypatch.chdir(tmp_path)
    _write(tmp_path, "QM1", *_NEAR[:2], _TO_ALIAS.format("GATE"))
    _write(tmp_path, "QM2", *aliases)
    _write(tmp_path, "QM3")
    told = [notice.text for notice in _told(Path())]
    assert [line.partition(", which does not define it")[0] for line in told] == (
        [f"{_FAR} {text.format('QM2.mqsc')}"] if text else []
    )


def test_an_alias_with_the_name_of_a_queue_manager_sends_messages_elsewhere(tmp_path: Path) -> None:
    """QM2 is on the way to QM3, and says that QM3 is QM1."""
    _write(tmp_path, "QM1", *_NEAR[:1], "DEFINE QLOCAL(A.BO) BOTHRESH(3) BOQNAME(FAR.BO)", _TO_ALIAS.format("QM3"))
    _write(tmp_path, "QM2", "DEFINE QREMOTE(QM3) RQMNAME(QM1)", _TO_QM1)
    _write(tmp_path, "QM3", "DEFINE QLOCAL(A.BO)")
    assert [notice.kind for notice in _told(tmp_path)] == ["read_remote_queue"]
    _write(tmp_path, "QM2", _TO_QM3)
    assert _told(tmp_path) == []


_IN_CLUSTER = "DEFINE CHANNEL(TO.{}) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)"


@pytest.mark.parametrize(
    ("third", "fails"),
    [([], None), (["DEFINE QLOCAL(CL.BO)"], None), (["DEFINE QLOCAL(CL.BO) CLUSTER(C)"], False)],
    ids=["nowhere", "not in the cluster", "in the cluster"],
)
def test_an_alias_at_the_other_end_may_lead_into_its_cluster(
    tmp_path: Path, third: list[str], fails: bool | None
) -> None:
    """Where no export shows its target in a cluster, nothing says whether messages are kept, as of an alias here."""
    _write(tmp_path, "QM1", *_NEAR)
    _write(tmp_path, "QM2", "DEFINE QALIAS(A.BO) TARGET(CL.BO)", _IN_CLUSTER.format("QM2"))
    _write(tmp_path, "QM3", *third, _IN_CLUSTER.format("QM3"))
    (row,) = (row for row in read_estate([tmp_path], Observations()).facts.rows["put_target"] if row.name == "FAR.BO")
    because = (
        None if fails is False else "it leads to A.BO at QM2, which is an alias of CL.BO, which QM2 does not define"
    )
    assert (row.fails_elsewhere, row.unreachable_because) == (fails, because)


def test_what_would_settle_such_an_alias_is_said(tmp_path: Path, lintmdb: Run) -> None:
    """The undecided verdict names the alias and what is not defined there."""
    _write(tmp_path, "QM1", *_NEAR)
    _write(tmp_path, "QM2", "DEFINE QALIAS(A.BO) TARGET(CL.BO)", _IN_CLUSTER.format("QM2"))
    told = _in_one_line(lintmdb("check", tmp_path, "--all-queues").stdout)
    assert "whether a cluster has the queue behind FAR.BO of QM1: it leads to A.BO at QM2, which is an alias" in told


def test_a_queue_that_an_endpoint_reads_is_told(tmp_path: Path) -> None:
    """The name of the endpoint, and the queues from which poison messages come to it."""
    was = scenario_folder("clean") / "was"
    near = ("DEFINE QLOCAL(QM1) USAGE(XMITQ)", "DEFINE QREMOTE(FAR.BO) RNAME(ORDERS.IN) RQMNAME(QM1)")
    queues = [f"DEFINE QLOCAL({name}.IN) BOTHRESH(3) BOQNAME(FAR.BO)" for name in "AB"]
    _write(tmp_path, "QM2", *near, *queues)
    _write(tmp_path, "QM1", "DEFINE QLOCAL(ORDERS.IN)")
    [notice] = _told(was, tmp_path)
    assert notice.kind == "read_remote_queue"
    assert ", which is read by OrdersAS, so poison messages of A.IN and B.IN are delivered again there" in notice.text
    assert _told(tmp_path) == []
    _write(tmp_path, "QM2", *near)
    assert _told(was, tmp_path) == []


def test_a_remote_dead_letter_queue_is_followed_for_the_queues_that_are_read(tmp_path: Path) -> None:
    """BOQNAME is blank, and an endpoint reads the queue."""
    near = ("ALTER QMGR DEADQ(FAR.BO)", "DEFINE QLOCAL(QM2) USAGE(XMITQ)", _NEAR[2])
    _write(tmp_path, "QM1", *near, "DEFINE QLOCAL(ORDERS.IN) BOTHRESH(3)", "DEFINE QLOCAL(UNREAD) BOTHRESH(3)")
    _write(tmp_path, "QM2", "DEFINE QLOCAL(A.BO) MAXMSGL(1000)")
    [notice] = _told(scenario_folder("clean") / "was", tmp_path)
    assert "which takes messages of up to 1000 bytes, and ORDERS.IN up to" in notice.text
    assert _told(tmp_path) == []


@pytest.mark.parametrize(
    ("far", "rule", "headline", "fate"),
    [
        pytest.param(
            ["DEFINE QLOCAL(A.BO) PUT(DISABLED)"],
            "MDB128",
            "goes astray",
            "goes astray at another queue manager",
            id="closed",
        ),
        pytest.param([], "MDB128", "goes astray", "goes astray at another queue manager", id="not defined"),
        pytest.param(
            [_TO_QM1, "DEFINE QREMOTE(A.BO) RNAME(ORDERS.IN) RQMNAME(QM1)"],
            "MDB106",
            "loops for ever",
            "loops for ever",
            id="back to the input queue",
        ),
        pytest.param(
            ["DEFINE QLOCAL(A.BO)"], None, "is moved aside", "moved to the backout queue FAR.BO", id="one that keeps it"
        ),
    ],
)
def test_what_another_queue_manager_proves_decides_the_fate(
    tmp_path: Path, lintmdb: Run, far: list[str], rule: str | None, headline: str, fate: str
) -> None:
    """Headline, findings, gate, table and comparison say the same of it, and a plan ends it."""
    was = scenario_folder("clean") / "was"
    read = _NEAR[1].replace("A.IN", "ORDERS.IN")
    for folder, lines in (("kept", ["DEFINE QLOCAL(A.BO)"]), ("now", far)):
        (tmp_path / folder).mkdir()
        near = (f"{_NEAR[0]} MAXMSGL(104857600)", read, _NEAR[2])
        _write(tmp_path / folder, "QM1", *near, "DEFINE CHANNEL(WAS.SVRCONN) CHLTYPE(SVRCONN)")
        _write(tmp_path / folder, "QM2", *lines)
    asked = (was, "now", "--select", "MDB106,MDB128")
    text = lintmdb("check", *asked, cwd=tmp_path)
    assert (text.returncode, f"a poison message {headline}" in text.stdout) == (1 if rule else 0, True)
    report = json.loads(lintmdb("check", *asked, "--format", "json", cwd=tmp_path).stdout)
    assert [(found["rule"], found["severity"]) for found in report["findings"]] == ([(rule, "error")] if rule else [])
    table = lintmdb("check", *asked, "--format", "csv", cwd=tmp_path).stdout
    assert [row["fate"] for row in csv.DictReader(io.StringIO(table)) if row["verdict"] == "hazard"] == (
        [fate] if rule else []
    )
    sides = ("kept", "now", "--before", was, "--after", was)
    compared = lintmdb("diff", *sides, "--select", "MDB106,MDB128", cwd=tmp_path)
    assert compared.returncode == (1 if rule else 0)
    assert ("(worse)" in compared.stdout) is bool(rule)
    planned = lintmdb("plan", *asked, cwd=tmp_path).stdout
    assert ("BOQNAME FAR.BO -> ORDERS.IN.BACKOUT" in planned) is bool(rule)


@pytest.mark.parametrize(
    ("far", "fate", "rules"),
    [
        ("DEFINE QLOCAL(A.BO) PUT(DISABLED)", "sent_astray", ["MDB128"]),
        ("DEFINE QLOCAL(A.BO)", "moved_to_backout_queue", []),
    ],
    ids=["closed", "open"],
)
def test_a_queue_without_a_reader_has_that_fate_too(
    tmp_path: Path, lintmdb: Run, far: str, fate: str, rules: list[str]
) -> None:
    """With --all-queues."""
    _write(tmp_path, "QM1", *_NEAR)
    _write(tmp_path, "QM2", far)
    asked = ("check", "--all-queues", "--select", "MDB106,MDB128", "--format", "json", tmp_path)
    report = json.loads(lintmdb(*asked).stdout)
    assert [(entry["subject"]["queue"], entry["fates"][0]["fate"]) for entry in report["queues"]] == [("A.IN", fate)]
    assert [found["rule"] for found in report["findings"]] == rules


@pytest.mark.parametrize(
    ("far", "shown"),
    [
        ("DEFINE QLOCAL(A.BO) PUT(DISABLED)", r"MQ +A\.BO at QM2 +PUT +DISABLED +QM2\.mqsc:4"),
        ("DEFINE QLOCAL(A.BO) MAXDEPTH(0)", r"MQ +A\.BO at QM2 +MAXDEPTH +0 +QM2\.mqsc:4"),
    ],
    ids=["closed", "no room"],
)
def test_the_values_show_the_line_at_the_other_queue_manager(
    tmp_path: Path, lintmdb: Run, far: str, shown: str
) -> None:
    """It is the proof, and what to change where the backout queue is to stay there."""
    _write(tmp_path, "QM1", *_NEAR)
    _write(tmp_path, "QM2", far)
    told = lintmdb("check", "--all-queues", "--select", "MDB128", "QM1.mqsc", "QM2.mqsc", cwd=tmp_path).stdout
    assert re.search(shown, told)


def test_environments_are_apart(tmp_path: Path, lintmdb: Run) -> None:
    """A queue manager of another environment is another one."""
    for name, lines in (("QM1", _NEAR), ("QM2", ("DEFINE QLOCAL(A.BO) PUT(DISABLED)",))):
        (tmp_path / name).mkdir()
        _write(tmp_path / name, name, *lines)
    told = "which has PUT(DISABLED)"
    assert told in _in_one_line(lintmdb("check", "QM1", "QM2", "--all-queues", cwd=tmp_path).stdout)
    apart = [word for name in ("QM1", "QM2") for word in ("--environment", f"{name.lower()}={name}")]
    assert told not in _in_one_line(lintmdb("check", "--all-queues", *apart, cwd=tmp_path).stdout)


def test_a_change_that_opens_the_queue_ends_it(tmp_path: Path, lintmdb: Run) -> None:
    """The notice is about what would be."""
    _write(tmp_path, "QM1", *_NEAR)
    _write(tmp_path, "QM2", "DEFINE QLOCAL(A.BO) PUT(DISABLED)")
    change = tmp_path / "QM2.change"
    change.write_text("ALTER QLOCAL(A.BO) PUT(ENABLED)\n")
    asked = ("check", "--all-queues", "QM1.mqsc", "QM2.mqsc")
    told = "which has PUT(DISABLED)"
    assert told in _in_one_line(lintmdb(*asked, cwd=tmp_path).stdout)
    changed = lintmdb(*asked, "--change", change, "--queue-manager", f"QM2={change}", cwd=tmp_path)
    assert told not in _in_one_line(changed.stdout)


@pytest.mark.parametrize(
    ("older", "kinds"), [("PUT(DISABLED)", ["closed_remote_queue"]), ("PUT(ENABLED)", [])], ids=["alike", "differing"]
)
def test_what_two_dumps_show_differently_is_not_followed(tmp_path: Path, older: str, kinds: list[str]) -> None:
    """An alias on the way decides no verdict, so dumps that differ there alone are no conflict."""
    _write(tmp_path, "QM1", *_NEAR)
    for folder, put in (("new", "PUT(DISABLED)"), ("old", older)):
        (tmp_path / folder).mkdir()
        _write(tmp_path / folder, "QM2", f"DEFINE QALIAS(A.BO) TARGET(KEPT) {put}", "DEFINE QLOCAL(KEPT)")
    estate = read_estate([tmp_path], Observations())
    assert [problem.kind for problem in estate.facts.rows["problem"]] == kinds


_AGAIN = "DELETE QLOCAL(A.BO)\n"


@pytest.mark.parametrize(
    ("change", "line", "text"),
    [
        ("ALTER QLOCAL(A.BO) PUT(DISABLED)", 2, "PUT(DISABLED)"),
        ("ALTER QLOCAL(A.BO) MAXDEPTH(0)", 2, "MAXDEPTH(0)"),
        ("ALTER QLOCAL(A.BO) USAGE(XMITQ)", 2, "USAGE(XMITQ)"),
        ("DEFINE QLOCAL(A.BO) LIKE(CLOSED) REPLACE", 2, "PUT not set: DISABLED is that of CLOSED"),
        ("DELETE QLOCAL(A.BO)", 2, "DELETE QLOCAL('A.BO')"),
        (f"{_AGAIN}DEFINE QMODEL(A.BO)", 3, "QMODEL(A.BO)"),
        (f"{_AGAIN}DEFINE QALIAS(A.BO) TARGET(GONE)", 3, "TARGET(GONE)"),
        (f"{_AGAIN}DEFINE QALIAS(A.BO) TARGET(CLOSED)", 3, "TARGET(CLOSED)"),
        (f"{_AGAIN}DEFINE QALIAS(A.BO) TARGET(OPEN) PUT(DISABLED)", 3, "PUT(DISABLED)"),
        (f"{_AGAIN}DEFINE QREMOTE(A.BO) RNAME(A.IN) RQMNAME(QM1)\nDEFINE QLOCAL(QM1) USAGE(XMITQ)", 3, "RNAME(A.IN)"),
    ],
)
def test_what_a_change_does_to_messages_from_elsewhere_is_on_a_line_of_it(
    lintmdb: Run, tmp_path: Path, change: str, line: int, text: str
) -> None:
    """The finding is about a queue of another queue manager, and nothing there has changed."""
    (tmp_path / "exports").mkdir()
    _write(tmp_path / "exports", "QM1", *_NEAR)
    closed = "DEFINE QLOCAL(CLOSED) PUT(DISABLED)"
    _write(tmp_path / "exports", "QM2", "DEFINE QLOCAL(A.BO)", "DEFINE QLOCAL(OPEN)", closed)
    (tmp_path / "change.mqsc").write_text(f"* Queue manager name: QM2\n{change}\n")
    told = lintmdb("diff", "exports", "--all-queues", "--change", "change.mqsc", cwd=tmp_path).stdout
    places = [found.split("  ") for found in map(str.strip, told.splitlines()) if found.startswith("change.mqsc:")]
    assert [(place.split(":")[1], shown) for place, shown in places] == [(str(line), text)]


@pytest.mark.parametrize(
    ("kept", "manager", "when"),
    [
        (1000, 104857600, "the channel takes messages of that length, too"),
        (1000, 4194304, "MAXMSGL of both queue managers is first raised to these values, where it is lower, and the"),
        (4194304, 104857600, "the channel and the queue at the other end take messages of that length, too"),
    ],
)
def test_a_repair_of_the_way_counts_with_what_the_other_end_takes(
    tmp_path: Path, lintmdb: Run, kept: int, manager: int, when: str
) -> None:
    """A longer message that leaves has to be kept there, too, so both limits are raised together."""
    near = [line.replace("USAGE(XMITQ)", "USAGE(XMITQ) MAXMSGL(4194304)") for line in _NEAR]
    _write(tmp_path, "QM1", f"ALTER QMGR MAXMSGL({manager})", *near)
    _write(tmp_path, "QM2", f"DEFINE QLOCAL(A.BO) MAXMSGL({kept})")
    told = lintmdb("check", tmp_path, "--all-queues", "--select", "MDB108").stdout
    assert f"option if {when}" in _in_one_line(told)
    assert ("QM2 A.BO MAXMSGL 1000 -> 4194304" in " ".join(told.split())) == (kept == 1000)


_ROOM = [line.replace("USAGE(XMITQ)", "USAGE(XMITQ) MAXMSGL(104857600)") for line in _NEAR]


def test_a_plan_raises_what_a_queue_at_the_other_end_takes(tmp_path: Path, lintmdb: Run) -> None:
    """Its script is one for the other queue manager, whose own MAXMSGL allows it."""
    channel = "DEFINE CHANNEL(QM1.QM2) CHLTYPE(SDR) CONNAME(h) XMITQ(QM2) MAXMSGL(5000000)"
    _write(tmp_path, "QM1", *_ROOM, channel)
    _write(tmp_path, "QM2", "ALTER QMGR MAXMSGL(104857600)", "DEFINE QLOCAL(A.BO) MAXMSGL(1000)")
    checked = lintmdb("check", tmp_path, "--all-queues", "--select", "MDB108").stdout
    assert re.search(r"MQ +A\.BO at QM2 +MAXMSGL +1000 +\S*QM2\.mqsc:5\n", checked)
    assert "the longest that A.IN takes, goes astray after 3 failed deliveries" in _in_one_line(checked)
    plan = tmp_path / "plan"
    planned = lintmdb("plan", tmp_path, "--all-queues", "--select", "MDB108", "--out", plan).stdout
    assert "goes astray at another queue manager -> moved to the backout queue FAR.BO" in _in_one_line(planned)
    assert "A longer message for A.BO also has to fit channel QM1.QM2 with MAXMSGL(5000000)" in _in_one_line(planned)
    assert [file.name for file in (plan / "mq").iterdir()] == ["QM2.mqsc"]
    assert "ALTER QLOCAL('A.BO') MAXMSGL(4194304)\n" in (plan / "mq/QM2.mqsc").read_text()
    undo = (plan / "undo/mq/QM2.mqsc").read_text()
    assert "ALTER QLOCAL('A.BO') MAXMSGL(1000)\n" in undo
    assert "First undo what the plan changes there, and restart what reads" in _in_one_line(undo.replace("\n*", ""))


@pytest.mark.parametrize(
    ("manager", "queue", "when"),
    [
        ("ALTER QMGR MAXMSGL(32768)", "MAXMSGL(1000)", "MAXMSGL of the other queue manager is first raised"),
        ("ALTER QMGR MAXMSGL(32768)", "MAXMSGL(104857600)", None),
    ],
)
def test_the_other_queue_manager_limits_its_queue(
    tmp_path: Path, lintmdb: Run, manager: str, queue: str, when: str | None
) -> None:
    """No change of the queue alone helps where its queue manager takes no longer messages."""
    _write(tmp_path, "QM1", *_ROOM)
    _write(tmp_path, "QM2", manager, f"DEFINE QLOCAL(A.BO) {queue}")
    told = _in_one_line(lintmdb("check", tmp_path, "--all-queues", "--select", "MDB108").stdout)
    assert "warning MDB108" in told
    assert ("QM2 A.BO MAXMSGL" in told) == (when is not None)
    assert when is None or f"option if {when}" in told


@pytest.mark.parametrize(("way", "most"), [("MAXMSGL(104857600)", 4194304), ("MAXMSGL(4000000)", 3999572)])
def test_a_transmission_queue_on_the_way_counts(tmp_path: Path, lintmdb: Run, way: str, most: int) -> None:
    """A message that is too long for the second way ends at the queue manager between."""
    _write(tmp_path, "QM1", *[line.replace("BOTHRESH(3)", "BOTHRESH(3) MAXMSGL(4100000)") for line in _ROOM])
    _write(tmp_path, "QM2", f"DEFINE QLOCAL(QM3) USAGE(XMITQ) {way}", "DEFINE QREMOTE(A.BO) RNAME(B) RQMNAME(QM3)")
    _write(tmp_path, "QM3", "DEFINE QLOCAL(B)")
    told = _in_one_line(lintmdb("check", tmp_path, "--all-queues", "--select", "MDB108").stdout)
    short = most < 4100000
    assert ("warning MDB108" in told) == short
    assert ("First raise MAXMSGL(4000000) on transmission queue QM3 at QM2." in told) == short


def test_a_limit_that_no_command_for_a_queue_raises_is_a_condition(tmp_path: Path, lintmdb: Run) -> None:
    """The transmission queue is raised last, because until then the message is kept at its own queue manager."""
    near = [line.replace("USAGE(XMITQ)", "USAGE(XMITQ) MAXMSGL(40000)") for line in _NEAR]
    _write(tmp_path, "QM1", *near)
    _write(tmp_path, "QM2", "ALTER QMGR MAXMSGL(50000)", "DEFINE QLOCAL(A.BO) MAXMSGL(104857600)")
    told = _in_one_line(lintmdb("check", tmp_path, "--all-queues", "--select", "MDB108").stdout)
    assert "option if MAXMSGL of what is too short at the other queue managers, and of the queue manager" in told
    assert "QM2 MAXMSGL 40000 -> 4198304" in told


@pytest.mark.parametrize("step", ["DEFINE QLOCAL(A.BO) CAPEXPRY(600)", "DEFINE QALIAS(A.BO) TARGET(B)"])
def test_messages_expire_on_a_queue_behind_a_remote_queue(tmp_path: Path, lintmdb: Run, step: str) -> None:
    """As on a queue of a cluster; an alias on the way leads to it."""
    _write(tmp_path, "QM1", *_NEAR)
    _write(tmp_path, "QM2", step, "DEFINE QLOCAL(B) CAPEXPRY(600)")
    told = lintmdb("check", tmp_path, "--all-queues", "--select", "MDB130").stdout
    assert "warning MDB130" in told
    assert re.search(r"MQ +(?:A\.BO|B) at QM2 +CAPEXPRY +600 +\S*QM2\.mqsc:[45]\n", told)
    assert "NOLIMIT" not in told


@pytest.mark.parametrize("change", ["ALTER QLOCAL(A.BO) MAXMSGL(1000)", "ALTER QMGR MAXMSGL(32768)"])
def test_a_change_at_the_other_queue_manager_is_where_its_queue_is_too_short(
    tmp_path: Path, lintmdb: Run, change: str
) -> None:
    """The new finding is on the line of the change."""
    (tmp_path / "exports").mkdir()
    _write(tmp_path / "exports", "QM1", *_ROOM)
    _write(tmp_path / "exports", "QM2", "DEFINE QLOCAL(A.BO)")
    (tmp_path / "change.mqsc").write_text(f"* Queue manager name: QM2\n{change}\n")
    told = lintmdb("diff", "exports", "--all-queues", "--change", "change.mqsc", cwd=tmp_path).stdout
    assert "MDB108" in told
    assert re.search(r"change\.mqsc:2:[0-9]+ +MAXMSGL\(\d+\)", told)
