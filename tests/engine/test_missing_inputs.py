"""What an undecided verdict asks for: the source that would settle it, and not what merely depends on that."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lintmdb.engine.findings import Need, Subject, Undecided, without
from lintmdb.engine.need_groups import group_by_need
from lintmdb.rules.loading import load_rules
from tests.support.command import Run
from tests.support.dumps import WHOLE

_PORT = "was/cells/C1/nodes/node1/servers/server1/server.xml"


@pytest.fixture
def lost_factory(tmp_path: Path) -> Path:
    """A cell in which the connection factory of a listener port is not defined."""
    estate = tmp_path / "estate"
    shutil.copytree("fixtures/listener-port-retries-0", estate)
    server = estate / _PORT
    server.write_text(server.read_text().replace('"jms/cf/QM1"', '"jms/cf/Gone"'))
    return estate


def test_a_connection_factory_that_is_not_defined_is_what_is_missing(lintmdb: Run, lost_factory: Path) -> None:
    """Its pools and its channel are not asked for: nobody could export them. The place of the finding does not say
    again what the finding says.
    """
    shown = lintmdb("check", lost_factory).stdout
    assert "the connection factory of OrdersLP, which no file here defines" in shown
    assert "the channel of OrdersLP" not in shown
    assert "pool max" not in shown
    joined = " ".join(shown.split())
    assert joined.count("the connection factory jms/cf/Gone of listener port OrdersLP is not defined anywhere") == 1


@pytest.mark.parametrize("security", [None, "otherAlias"])
def test_a_j2c_alias_that_no_security_xml_defines_is_named(lintmdb: Run, tmp_path: Path, security: str | None) -> None:
    """The alias would tell the user. Where security.xml was read, a notice says that it lacks the alias, and where the
    alias is named; a security domain may still define it, so that no rule fails.
    """
    estate = tmp_path / "estate"
    shutil.copytree("fixtures/clean", estate)
    file = estate / "was/cells/C1/security.xml"
    if security:
        file.write_text(file.read_text().replace("mqAlias", security))
    else:
        file.unlink()
    run = lintmdb("check", estate)
    shown = " ".join(run.stdout.split())
    assert "the MQ user of OrdersAS, whose J2C alias mqAlias no security.xml here defines" in shown
    assert "Add the file that defines it, or name the user with --observations FILE" in shown
    told = "server1/resources.xml:21: the J2C alias mqAlias of activation specification OrdersAS is not defined"
    assert (told in run.stderr) is (security is not None)
    observed = tmp_path / "observed.yaml"
    observed.write_text("endpoints: [{endpoint: OrdersAS, user: wasuser, groups: []}]\n")
    run = lintmdb("check", estate, "--observations", observed)
    assert "mqAlias" not in run.stdout + run.stderr


def test_what_a_script_leaves_open_is_asked_for_by_object_and_keyword(lintmdb: Run, tmp_path: Path) -> None:
    """The queue that BOQNAME names, not "the queue behind BOQNAME of the queue of" an endpoint; one need for all that
    depends on it.
    """
    estate = tmp_path / "estate"
    shutil.copytree("fixtures/clean", estate)
    (estate / "mq/QM1.mqsc").write_text("DEFINE QLOCAL(ORDERS.IN) BOTHRESH(3) BOQNAME(ORDERS.BO)\n")
    shown = lintmdb("check", estate, "--on-message", "1s", "--queue-manager", f"QM1={estate / 'mq/QM1.mqsc'}").stdout
    assert " 2  the definition of ORDERS.BO at QM1, which BOQNAME of ORDERS.IN names" in shown
    assert " 1  SHARE of ORDERS.IN at QM1" in shown
    assert "queue of OrdersAS" not in shown


def test_of_a_channel_its_keywords_are_asked_for_and_not_the_sessions(lintmdb: Run, tmp_path: Path) -> None:
    """A script that alters a channel leaves the rest to what was there, which only the queue manager's export has."""
    estate = tmp_path / "estate"
    shutil.copytree("fixtures/clean", estate)
    script = "DEFINE QLOCAL(ORDERS.IN)\nALTER CHANNEL(WAS.SVRCONN) CHLTYPE(SVRCONN) DESCR(x)\n"
    (estate / "mq/QM1.mqsc").write_text(script)
    manager = ("--queue-manager", f"QM1={estate / 'mq/QM1.mqsc'}")
    shown = lintmdb("check", estate, "--on-message", "1s", *manager).stdout
    assert "MAXINST, MAXINSTC and SHARECNV of channel WAS.SVRCONN at QM1" in shown
    assert "the sessions of" not in shown


def test_what_is_not_known_is_told_in_a_sentence(lintmdb: Run, tmp_path: Path) -> None:
    """A need that is a question is something to know, whatever names it."""
    script = tmp_path / "QM1.mqsc"
    cluster = "DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
    head = "* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n"
    script.write_text(f"{head}{WHOLE}DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(CL.BO)\n{cluster}")
    run = lintmdb("check", script, "--all-queues", "--format", "csv", "--format", f"sarif={tmp_path / 'r'}")
    for said in (run.stdout, (tmp_path / "r").read_text()):
        assert "without knowing whether a cluster has a queue CL.BO" in said
        assert "without whether" not in said
    assert without("an export of queue manager QM1") == "without an export of queue manager QM1"


def test_queues_that_lack_the_same_are_one_line(lintmdb: Run, tmp_path: Path) -> None:
    """Whatever the names of their backout queues are."""
    names = ("A", "B", "C", "D")
    script = tmp_path / "QM1.mqsc"
    script.write_text("".join(f"DEFINE QLOCAL({name}.IN) BOTHRESH(3) BOQNAME({name}.BO)\n" for name in names))
    shown = " ".join(lintmdb("check", script, "--all-queues").stdout.split())
    assert "the definition of 4 backout queues (A.BO, B.BO, C.BO and 1 more) at QM1" in shown
    rule, entries = load_rules()[0], list[Undecided]()
    for name in names:
        subject = Subject("activation_spec", f"{name}AS", queue_manager="QM1", queue=f"{name}.IN")
        entries.append(Undecided(rule, subject, (), Need(f"SHARE of {name}.IN at QM1", "value", name), None))
    (group,) = group_by_need(entries)
    assert group.text == "SHARE of 4 queues (A.IN, B.IN, C.IN and 1 more) at QM1"


def test_the_word_that_is_not_understood_is_named_and_not_a_good_value_beside_it(lintmdb: Run, tmp_path: Path) -> None:
    """What the change sets is unknown because of GARBAGE; a value that is itself unknown is what is asked for."""
    change = tmp_path / "change.mqsc"
    change.write_text("ALTER QLOCAL('ORDERS.IN') BOTHRESH(5) GARBAGE\n")
    asked = ("check", "fixtures/clean", "--on-message", "1s", "--change", change)
    shown = " ".join(lintmdb(*asked).stdout.split())
    assert f"the meaning of GARBAGE at {change}:1, which leaves BOTHRESH(5) uncertain" in shown
    assert "which is not valid" not in shown
    change.write_text("ALTER QLOCAL('ORDERS.IN') BOTHRESH($N)\n")
    shown = " ".join(lintmdb(*asked).stdout.split())
    assert f"a value instead of BOTHRESH($N) at {change}:1, which is not valid or not certain" in shown


def test_an_object_whose_name_is_not_certain_is_asked_for_by_what_names_it(lintmdb: Run, tmp_path: Path) -> None:
    """The value of BOQNAME or DEADQ settles what depends on it, and an alias is asked for by its own name."""
    estate = tmp_path / "estate"
    shutil.copytree("fixtures/clean", estate)
    change = tmp_path / "change.mqsc"
    change.write_text("ALTER QLOCAL('ORDERS.IN') BOQNAME('$B')\nALTER QMGR DEADQ('$D')\n")
    asked = ("check", estate, "--on-message", "1s", "--change", change)
    shown = " ".join(lintmdb(*asked).stdout.split())
    assert f"a value instead of BOQNAME('$B') at {change}:1" in shown
    assert f"a value instead of DEADQ('$D') at {change}:2" in shown
    assert "queue of OrdersAS" not in shown
    change.write_text(
        "DELETE QLOCAL('ORDERS.IN')\nDEFINE QALIAS('ORDERS.IN') TARGET('$T')\nALTER QMGR DEADQ('QM1.DEAD')\n"
    )
    shown = " ".join(lintmdb(*asked).stdout.split())
    assert "the definition of ORDERS.IN at QM1" in shown
    assert "queue of OrdersAS" not in shown
