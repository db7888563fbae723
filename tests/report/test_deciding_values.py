"""The table of the values that decide: each as people write it, and what they did not set as such."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lintmdb.engine.findings import Finding
from lintmdb.engine.judge import judge
from lintmdb.report.deciding_values import deciding_values
from lintmdb.resolve.observations import Observations
from lintmdb.run.all_queues import judge_all_queues
from lintmdb.run.estate import read_exports, resolve_exports
from tests.support.command import Run
from tests.support.dumps import ENDED
from tests.support.scenario import RULES
from tests.support.scenario_folders import scenario_folder

_MVS = """ALTER QMGR                                                             -
 DEADQ('DLQ')
DEFINE NOREPLACE QLOCAL('DLQ') QSGDISP(QMGR) STGCLASS('DEFAULT') MAXMSGL(104857600)
DEFINE NOREPLACE QLOCAL('IN') QSGDISP(QMGR) STGCLASS('DEFAULT') BOTHRESH(3) BOQNAME('BO') MAXMSGL(8388608) HARDENBO
DEFINE NOREPLACE QLOCAL('BO') QSGDISP(QMGR) STGCLASS('DEFAULT') MAXMSGL(1000)
"""


def test_what_is_fixed_on_zos_has_its_value_and_says_so(lintmdb: Run, tmp_path: Path) -> None:
    """The longest message of a queue manager is a number there as it is elsewhere, and nobody can set it."""
    (tmp_path / "CSQ1.txt").write_text(_MVS)
    shown = lintmdb("check", "--all-queues", f"--queue-manager=CSQ1={tmp_path / 'CSQ1.txt'}").stdout
    assert re.search(r"MQ +CSQ1 +MAXMSGL +104857600 \(fixed on z/OS\)", shown)
    assert re.search(r"MQ +BO +MAXMSGL +1000 ", shown)
    (tmp_path / "CSQ1.txt").write_text(_MVS.replace("DEADQ('DLQ')", "DEADQ('DLQ') - \n MAXMSGL(104857600)"))
    shown = lintmdb("check", "--all-queues", f"--queue-manager=CSQ1={tmp_path / 'CSQ1.txt'}").stdout
    assert re.search(r"MQ +CSQ1 +MAXMSGL +104857600 +\S+/CSQ1\.txt:3$", shown, re.MULTILINE)


def test_a_platform_is_named_where_it_is_not_the_usual_one(lintmdb: Run) -> None:
    """Headers spell it in their own words; a version is that of the product, as its users say."""
    usual = lintmdb("check", scenario_folder("late-message-110-15-120"), "-v").stdout
    assert "nodeOperatingSystem" not in usual
    assert "operating system" not in usual
    assert re.search(r"WebSphere +server1 +WebSphere version +9\.0\.5\.14", usual)
    assert "  platform" not in lintmdb("check", scenario_folder("authority-missing"), "-v").stdout
    mainframe = lintmdb("check", scenario_folder("zos-listener-port"), "-v").stdout
    assert re.search(r"WebSphere +server1 +operating system +os390", mainframe)


def test_what_makes_a_hazard_by_itself_comes_before_what_else_it_asks_for() -> None:
    """MDB601 holds where one of several sums exceeds its limit: a short table shows that sum."""
    estate = resolve_exports(read_exports([scenario_folder("channel-instances-short")]), Observations(15_000))
    found = {finding.subject.name: finding for finding in judge(estate.facts, RULES).findings if _is_short(finding)}
    values, left = deciding_values([found["OrdersFewAS"]], most=2)
    assert left
    shown = [(value.setting, value.value) for value in values]
    assert shown == [("MAXINST", "5"), ("for all endpoints of the channel", "11")]


def _is_short(finding: Finding) -> bool:
    return finding.rule.id == "MDB601"


def test_a_path_is_spelt_in_one_way_in_a_table(lintmdb: Run) -> None:
    """Whether the line behind it has two digits or three."""
    shown = lintmdb("check", scenario_folder("topic-subscriptions"), "--on-message", "15s").stdout
    table = shown.partition("MDB709")[0]
    assert len(set(re.findall(r"(\S*resources\.xml):(?:84|112)\n", table))) == 1


def test_a_new_limit_of_a_channel_says_how_it_is_counted(lintmdb: Run) -> None:
    """It is more than the endpoints need."""
    shown = " ".join(lintmdb("check", scenario_folder("channel-instances-short"), "--on-message", "15s").stdout.split())
    reason = "The new limit is the old one, which other clients may use, and what the endpoints need."
    assert f"channel WAS.UNSHARED MAXINST 5 -> 16 {reason}" in shown


@pytest.mark.slow
def test_a_value_has_no_words_around_it(lintmdb: Run) -> None:
    """What a default means stands behind it in places; a record with several parts is not cut in the middle."""
    liberty = lintmdb("check", scenario_folder("liberty"), "-v").stdout
    assert re.search(r"maxSequentialDeliveryFailures +-1 \(default\)", liberty)
    blocked = lintmdb("check", scenario_folder("channel-blocked"), "-v").stdout
    assert re.search(r"CHLAUTH +\('WAS\.\*'\) TYPE\(ADDRESSMAP\)", blocked)


def test_the_settings_of_a_queue_behind_an_alias_are_its_own(lintmdb: Run, tmp_path: Path) -> None:
    """An alias has a PUT of its own, but no MAXMSGL."""
    (tmp_path / "QM1.mqsc").write_text(
        "ALTER QMGR DEADQ('D') MAXMSGL(4194304)\nDEFINE QLOCAL('IN') BOTHRESH(3) BOQNAME('B') MAXMSGL(4194304)\n"
        "DEFINE QALIAS('D') TARGET('D.REAL')\nDEFINE QLOCAL('D.REAL') MAXMSGL(4194304)\n"
        "DEFINE QALIAS('B') TARGET('B.REAL') PUT(DISABLED)\nDEFINE QLOCAL('B.REAL') MAXMSGL(4194304)\n"
    )
    shown = lintmdb("check", "--all-queues", f"--queue-manager=QM1={tmp_path / 'QM1.mqsc'}", "-v").stdout
    assert re.search(r"MQ +D\.REAL +MAXMSGL +4194304\b", shown)
    assert re.search(r"MQ +B +PUT +DISABLED\b", shown)


def test_the_user_without_rights_comes_with_its_source(lintmdb: Run, tmp_path: Path) -> None:
    """The entry of the J2C alias names it, or the channel that gives the endpoint another one."""
    shown = lintmdb("check", scenario_folder("authority-missing"), "-v").stdout
    assert re.search(r"WebSphere +OrdersAS +MQ user +wasuser\s+\S+/security\.xml:\d+\n", shown)
    mapped = "SET CHLAUTH('WAS.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(MAP) MCAUSER('mqapp')\n"
    change = tmp_path / "map.mqsc"
    change.write_text(f"{mapped}SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('mqapp') AUTHADD(CONNECT)\n")
    observed = tmp_path / "users.yaml"
    observed.write_text("users:\n- user: mqapp\n  groups: [apps]\n")
    options = ("--observations", observed, "--queue-manager", f"QM1={change}", "-v")
    shown = lintmdb("check", scenario_folder("authority-missing"), *options).stdout
    assert re.search(r"MQ +WAS\.SVRCONN +MQ user +mqapp\s+\S+/map\.mqsc:1\n", shown)


def test_a_value_that_an_object_copies_is_no_default(lintmdb: Run, tmp_path: Path) -> None:
    """IBM's default of BOTHRESH is 0: whoever reads 3 has to see where it is from."""
    change = "ALTER QLOCAL(ORDERS.BACKOUT) MAXMSGL(1000)\nDEFINE QLOCAL(NEW) LIKE(ORDERS.IN) MAXMSGL(5000)\n"
    (tmp_path / "like.mqsc").write_text(change)
    asked = ("check", scenario_folder("clean") / "mq", "--all-queues", "--change", tmp_path / "like.mqsc", "-v")
    shown = lintmdb(*asked).stdout
    assert re.search(r"MQ +NEW +BOQNAME +ORDERS\.BACKOUT \(from ORDERS\.IN\)", shown)
    assert re.search(r"MQ +NEW +MAXMSGL +5000\b(?! \()", shown)


_ON_THE_WAY = """ALTER QMGR DEADQ('D') MAXMSGL(4194304)
DEFINE QLOCAL('D')
DEFINE QLOCAL('A.IN') BOTHRESH(3) BOQNAME('A.BO')
DEFINE QREMOTE('A.BO') RNAME('B') RQMNAME('QM2') XMITQ('Q')
DEFINE QLOCAL('Q') USAGE(XMITQ) PUT(DISABLED)
DEFINE QLOCAL('C.IN') BOTHRESH(3) BOQNAME('C.BO')
DEFINE QALIAS('C.BO') TARGET('C.REAL') CAPEXPRY(300)
DEFINE QLOCAL('C.REAL') CUSTOM('CAPEXPRY(600)')
DEFINE QLOCAL('D.IN') BOTHRESH(3) BOQNAME('D.BO')
DEFINE QALIAS('D.BO') TARGET('D.REAL')
DEFINE QLOCAL('D.REAL') CUSTOM('CAPEXPRY(700)')
"""


def test_each_value_is_that_of_the_object_that_has_it(lintmdb: Run, tmp_path: Path) -> None:
    """A transmission queue is closed, not the remote queue that leads to it; an alias has an expiry of its own."""
    (tmp_path / "QM1.mqsc").write_text(_ON_THE_WAY)
    shown = lintmdb("check", "--all-queues", f"--queue-manager=QM1={tmp_path / 'QM1.mqsc'}").stdout
    assert re.search(r"MQ +A\.BO +XMITQ +Q\s+\S+:4\n +MQ +Q +PUT +DISABLED\s+\S+:5\n", shown)
    assert re.search(r"MQ +C\.BO +CAPEXPRY +300\s+\S+:7\n", shown)
    assert re.search(r"MQ +D\.REAL +CUSTOM +CAPEXPRY\(700\)\s+\S+:11\n", shown)


def test_the_transmission_queue_limits_the_length_for_a_queue_of_a_cluster(lintmdb: Run, tmp_path: Path) -> None:
    """Its MAXMSGL is the value that decides, as it is for a remote queue definition."""
    member = "DEFINE CHANNEL('TO.{0}') CHLTYPE(CLUSRCVR) TRPTYPE(TCP) CONNAME('{0}(1414)') CLUSTER('C')\n"
    sender = "DEFINE CHANNEL('TO.{0}') CHLTYPE(CLUSSDR) TRPTYPE(TCP) CONNAME('{0}(1414)') CLUSTER('C')\n"
    head = "* Queue manager name: {0}\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m {0} -a\n{1}"
    (tmp_path / "QM1.mqsc").write_text(
        f"{head.format('QM1', ENDED)}ALTER QMGR DEADQ('D') DEFCLXQ(SCTQ) MAXMSGL(104857600)\nDEFINE QLOCAL('D')\n"
        "DEFINE QLOCAL('IN') BOTHRESH(3) BOQNAME('BO') MAXMSGL(4194304)\n"
        "DEFINE QLOCAL('SYSTEM.CLUSTER.TRANSMIT.QUEUE') USAGE(XMITQ) PUT(ENABLED) MAXMSGL(4194304)\n"
        f"{member.format('QM1')}{sender.format('QM2')}"
    )
    (tmp_path / "QM2.mqsc").write_text(
        f"{head.format('QM2', ENDED)}ALTER QMGR DEADQ('D') REPOS('C')\nDEFINE QLOCAL('D')\n"
        f"DEFINE QLOCAL('BO') CLUSTER('C')\n{member.format('QM2')}{sender.format('QM1')}"
    )
    shown = lintmdb("check", "--all-queues", tmp_path).stdout
    assert re.search(r"MQ +SYSTEM\.CLUSTER\.TRANSMIT\.QUEUE +MAXMSGL +4194304\s+\S+QM1\.mqsc:[0-9]+\n", shown), shown


def test_a_loop_shows_each_setting_that_leads_round(lintmdb: Run, tmp_path: Path) -> None:
    """BOQNAME and BOTHRESH of the other queues of the circle, and TARGET of each alias on the way."""
    (tmp_path / "QM1.mqsc").write_text(
        "ALTER QMGR DEADQ('D')\nDEFINE QLOCAL('D')\nDEFINE QLOCAL('A') BOTHRESH(3) BOQNAME('B.ALIAS') GET(ENABLED)\n"
        "DEFINE QALIAS('B.ALIAS') TARGET('B') PUT(ENABLED)\n"
        "DEFINE QLOCAL('B') BOTHRESH(5) BOQNAME('A') GET(ENABLED) PUT(ENABLED)\n"
    )
    shown = lintmdb("check", "--all-queues", f"--queue-manager=QM1={tmp_path / 'QM1.mqsc'}", "-v").stdout
    way = (("A +BOQNAME +B\\.ALIAS", 3), ("B\\.ALIAS +TARGET +B", 4), ("B +BOQNAME +A", 5), ("B +BOTHRESH +5", 5))
    assert re.search(r"\s+".join(rf"MQ +{words}\s+\S+:{line}\n" for words, line in way), shown), shown
    (tmp_path / "QM2.mqsc").write_text(
        "ALTER QMGR DEADQ('D')\nDEFINE QLOCAL('D')\nDEFINE QLOCAL('S') BOTHRESH(3) BOQNAME('S.ALIAS') GET(ENABLED)\n"
        "DEFINE QALIAS('S.ALIAS') TARGET('S') PUT(ENABLED)\n"
    )
    shown = lintmdb("check", "--all-queues", f"--queue-manager=QM2={tmp_path / 'QM2.mqsc'}").stdout
    assert re.search(r"MQ +S\.ALIAS +TARGET +S\s+\S+:4\n", shown)


@pytest.mark.parametrize(
    ("queue", "decides"),
    [
        ("DEFINE QLOCAL('B.REAL') PUT(ENABLED) MAXDEPTH(5000) STREAMQ('COPY') STRMQOS(MUSTDUP)", ["STREAMQ"]),
        ("DEFINE QLOCAL('B.REAL') PUT(DISABLED) MAXDEPTH(5000)", ["TARGET", "PUT"]),
    ],
)
def test_what_makes_the_hazard_is_never_cut_off(queue: str, decides: list[str], tmp_path: Path) -> None:
    """Of more values than fit, those that are as they have to be give way."""
    (tmp_path / "QM1.mqsc").write_text(
        "* Queue manager name: QM1\nALTER QMGR DEADQ('D')\nDEFINE QLOCAL('D')\nDEFINE QLOCAL('COPY') PUT(DISABLED)\n"
        "DEFINE QLOCAL('A') BOTHRESH(3) BOQNAME('B')\n"
        f"DEFINE QALIAS('B') TARGET('B.REAL') PUT(ENABLED)\n{queue}\n"
    )
    facts = resolve_exports(read_exports([tmp_path]), Observations()).facts
    judgement = judge(facts, RULES)
    judge_all_queues(judgement, facts, RULES)
    found = [finding for finding in judgement.findings if finding.rule.id == "MDB107"]
    values, left = deciding_values(found, most=len(decides))
    assert [value.setting for value in values] == decides
    assert left
