"""lintmdb inventory: what was recognised, how much of it, and what was not."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from lintmdb.report.inventory import singular
from tests.exports.was.test_application_files import ear, order_bean
from tests.support.command import Run
from tests.support.dumps import ENDED, WHOLE
from tests.support.project import FIXTURES

DUMP = f"""* Queue manager name: QM1
* Command issued: dmpmqcfg -m QM1 -a
{WHOLE}DEFINE QLOCAL(L)
DEFINE QALIAS(A) TARGET(L)
DEFINE QALIAS(B) TARGET(L)
DEFINE QREMOTE(R) RNAME(X) RQMNAME(Y) XMITQ(Z)
DEFINE TOPIC(T1) TOPICSTR('same')
DEFINE TOPIC(T2) TOPICSTR('same')
DEFINE TOPIC(T3) TOPICSTR('other')
SET AUTHREC PROFILE(L) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)
SET AUTHREC PROFILE(L) OBJTYPE(QUEUE) PRINCIPAL('p') AUTHADD(GET)
"""


def test_objects_of_every_kind_are_counted(lintmdb: Run, tmp_path: Path) -> None:
    """Topic objects and not their strings, aliases, remote queues and authority records, in both formats and check."""
    file = tmp_path / "QM1.txt"
    file.write_text(DUMP)
    (export,) = json.loads(lintmdb("inventory", file, "--format", "json").stdout)["exports"]
    assert export["objects"] == {
        "local queues": 1,
        "alias queues": 2,
        "remote queues": 1,
        "topics": 3,
        "authority records": 2,
    }
    assert (export["name"], export["name_guessed"], export["complete"]) == ("QM1", False, True)
    text = lintmdb("inventory", file).stdout
    assert all(f"{count} {singular(name) if count == 1 else name}" in text for name, count in export["objects"].items())
    (entry,) = json.loads(lintmdb("check", file, "--format", "json").stdout)["inputs"]
    counts = {"alias_queue": 2, "authority_record": 2, "queue": 1, "queue_manager": 1, "remote_queue": 1, "topic": 3}
    assert entry["objects"] == counts


def test_two_queue_managers_of_one_script_are_counted_apart(lintmdb: Run, tmp_path: Path) -> None:
    """Each has its own objects, and the file has those of both."""
    (tmp_path / "setup.sh").write_text(
        "runmqsc QM1 <<EOF\nDEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\nDEFINE TOPIC(T) TOPICSTR('t')\nEOF\n"
        "runmqsc QM2 <<EOF\nDEFINE QLOCAL(A)\nDEFINE CHANNEL(C) CHLTYPE(SVRCONN)\nDEFINE TOPIC(T) TOPICSTR('t')\nEOF\n"
    )
    exports = json.loads(lintmdb("inventory", tmp_path, "--format", "json").stdout)["exports"]
    assert {export["name"]: export["objects"] for export in exports} == {
        "QM1": {"local queues": 2, "topics": 1},
        "QM2": {"local queues": 1, "server connection channels": 1, "topics": 1},
    }
    text = lintmdb("inventory", tmp_path).stdout
    assert "2 local queues" in text.partition("queue manager QM2")[0]
    (entry,) = json.loads(lintmdb("check", tmp_path, "--format", "json").stdout)["inputs"]
    assert entry["objects"] == {"queue_manager": 2, "queue": 3, "channel": 1, "topic": 2}


def test_a_transcript_without_topics_lists_every_queue(lintmdb: Run, tmp_path: Path) -> None:
    """No verdict on queues waits for the topics, so nothing calls the export incomplete; what shows some queues is."""
    log = (FIXTURES / "overlays/transcript-of-everything/mq/QM1.log").read_text()
    parts = re.split(r"(?m)^(?= +\d+ : )", log)
    (tmp_path / "QM1.log").write_text("".join(part for part in parts if " : display topic" not in part))
    assert "lists every queue, but not all objects of other kinds" in lintmdb("inventory", tmp_path).stdout
    (tmp_path / "QM1.log").write_text(log)
    assert ", complete, " in lintmdb("inventory", tmp_path).stdout
    (tmp_path / "QM1.log").write_text("".join(part for part in parts if " : display queue" not in part))
    assert "incomplete: it does not list every queue, channel and topic" in lintmdb("inventory", tmp_path).stdout


def test_a_guessed_name_is_marked(lintmdb: Run, tmp_path: Path) -> None:
    """In text, and in JSON with the notice."""
    (tmp_path / "config.mqsc").write_text("DEFINE QLOCAL(L)\nNONSENSE\n")
    assert "name guessed" in lintmdb("inventory", tmp_path).stdout
    document = json.loads(lintmdb("inventory", tmp_path, "--format", "json").stdout)
    assert document["exports"][0]["name_guessed"] is True
    assert [problem["kind"] for problem in document["problems"]] == ["not_understood", "guessed_name"]


def test_many_folders_without_exports_are_one_line(lintmdb: Run, tmp_path: Path) -> None:
    """A repository of scripts does not hide what matters."""
    for number in range(9):
        (tmp_path / f"f{number}").mkdir()
        (tmp_path / f"f{number}" / "run.sh").write_text("echo hello\n")
    passed = lintmdb("inventory", "fixtures/clean", tmp_path).stdout.partition("passed over\n")[2].splitlines()
    assert len([line for line in passed if "is not an export" in line and str(tmp_path) in line]) == 1


@pytest.mark.parametrize("command", ["inventory", "check"])
def test_resources_of_an_application_scope(lintmdb: Run, tmp_path: Path, command: str) -> None:
    """Named directly or by its folder, they are read alike; those of an enhanced EAR are told, and not read."""
    source = next(
        file for file in sorted((FIXTURES / "clean").rglob("resources.xml")) if b"Activation" in file.read_bytes()
    )
    folder = tmp_path / "cells" / "C1" / "applications" / "a.ear" / "deployments" / "a"
    folder.mkdir(parents=True)
    file = folder / "resources.xml"
    file.write_bytes(source.read_bytes())
    assert lintmdb(command, file).stdout == lintmdb(command, tmp_path).stdout
    other = tmp_path / "e" / "cells" / "C2" / "coregroups" / "DefaultCoreGroup"
    other.mkdir(parents=True)
    (other / "resources.xml").write_bytes(source.read_bytes())
    result = lintmdb(command, other / "resources.xml")
    assert result.returncode == 3
    assert "is a repository file that lintmdb does not need" in result.stdout + result.stderr


JAR = (
    '<ejb-jar xmlns="http://java.sun.com/xml/ns/javaee" version="3.0"><enterprise-beans><message-driven>'
    "<ejb-name>Bean</ejb-name></message-driven></enterprise-beans></ejb-jar>"
)
BINDING = (
    '<ejb-jar-bnd xmlns="http://websphere.ibm.com/xml/ns/javaee" version="1.0"><message-driven name="Bean">'
    '<jca-adapter activation-spec-binding-name="jms/{}"/></message-driven></ejb-jar-bnd>'
)


def test_loose_modules_in_folders_of_one_name(lintmdb: Run, tmp_path: Path) -> None:
    """Each keeps its beans and bindings, and is called by as much of its path as tells it apart."""
    for name in "ABC":
        folder = tmp_path / name / ("ejbModule" if name < "C" else "other") / "META-INF"
        folder.mkdir(parents=True)
        (folder / "ejb-jar.xml").write_text(JAR)
        (folder / "ibm-ejb-jar-bnd.xml").write_text(BINDING.format(name))
    text = lintmdb("inventory", tmp_path).stdout
    assert "3 modules" in text
    assert "3 message-driven beans" in text
    report = json.loads(lintmdb("check", tmp_path, "--format", "json").stdout)
    needs = " ".join(entry["needs"] for entry in report["undecided"] if entry["rule"] == "MDB705")
    assert all(f"jms/{name}" in needs for name in "ABC")


def test_application_files_and_client_tables_are_counted(lintmdb: Run, tmp_path: Path) -> None:
    """What is read for annotations, and what connections name, in both formats."""
    folder = FIXTURES / "overlays/client-table/mq/orders-ccdt.json"
    (tmp_path / "ccdt.json").write_text(folder.read_text("utf-8"), "utf-8")
    (tmp_path / "Orders.ear").write_bytes(ear(order_bean()))
    text = lintmdb("inventory", tmp_path).stdout
    assert "client channel definition table" in text
    assert "3 client channels" in text
    assert "1 application file\n" in text
    document = json.loads(lintmdb("inventory", tmp_path, "--format", "json").stdout)
    assert [table["client_channels"] for table in document["client_tables"]] == [3]
    assert [export["objects"]["application files"] for export in document["exports"]] == [1]


def test_a_misspelt_attribute_in_a_script_is_pointed_out(lintmdb: Run, tmp_path: Path) -> None:
    """runmqsc refuses the whole command. A dump shows what the queue manager has, whatever lintmdb knows of it."""
    script = "DEFINE QLOCAL(A) BOTHRESH(3)\nDEFINE QLOCAL(B) MAXDETPH(5)\nDEFINE QLOCAL(C-D)\n"
    (tmp_path / "QM1.mqsc").write_text(script)
    shown = lintmdb("inventory", tmp_path).stdout
    assert (
        "QM1.mqsc:2:18: DEFINE QLOCAL(B) would be refused by QM1: QLOCAL has no attribute MAXDETPH "
        "(syntax error, AMQ8405I). Did you mean MAXDEPTH?" in shown
    )
    assert "QM1.mqsc:3:8: DEFINE QLOCAL(C-D) would be refused" in shown
    told = lintmdb("check", tmp_path, "--all-queues")
    assert told.returncode == 0
    assert "(and 1 more, see lintmdb inventory). Did you mean MAXDEPTH?" in told.stderr
    strict = lintmdb("check", tmp_path, "--all-queues", "--strict", "--select", "MDB104")
    assert strict.returncode == 4
    assert "Gate fails: 2 commands would be refused, and the gate is strict" in " ".join(strict.stdout.split())
    (tmp_path / "QM1.mqsc").write_text(f"* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1 -a\n{script}")
    assert "would be refused" not in lintmdb("inventory", tmp_path).stdout


def test_an_incomplete_export_says_why(lintmdb: Run, tmp_path: Path) -> None:
    """In the text, in JSON and in a notice of the check; a script is incomplete by nature, which needs no notice."""
    (tmp_path / "QM1.mqsc").write_text(DUMP.replace(ENDED, ""))
    reason = "it does not have the lines with which dmpmqcfg ends a dump (* Script ended on)"
    assert f"incomplete: {reason}" in lintmdb("inventory", tmp_path).stdout
    (export,) = json.loads(lintmdb("inventory", tmp_path, "--format", "json").stdout)["exports"]
    assert (export["complete"], export["gap"].startswith(reason)) == (False, True)
    told = lintmdb("check", tmp_path, "--all-queues", "--format", "json")
    notices = json.loads(told.stdout)["notices"]
    assert [(notice["kind"], reason in notice["text"]) for notice in notices] == [("incomplete_export", True)]
    assert reason in told.stderr
    (tmp_path / "QM1.mqsc").write_text("* QMNAME(QM1)\nDEFINE QLOCAL(L) BOTHRESH(3)\n")
    assert "incomplete: what it does not define may exist elsewhere" in lintmdb("inventory", tmp_path).stdout
    assert lintmdb("check", tmp_path, "--all-queues").stderr == ""


def test_the_summary_says_that_something_was_not_understood_or_passed_over(lintmdb: Run, tmp_path: Path) -> None:
    """Of what was passed over it counts what was most likely meant to be read: failed exports, and MQSC by its name."""
    (tmp_path / "QM1.mqsc").write_text(DUMP)
    for name, text in (("README.md", "Hello"), ("notes.txt", "none"), ("deck.cbl", "AMQP: a protocol")):
        (tmp_path / name).write_text(text)
    clean = lintmdb("check", tmp_path, "--all-queues").stdout
    assert "passed over" not in clean
    assert "Unclear" not in clean
    (tmp_path / "QM1.mqsc").write_text(f"{DUMP}NONSENSE\nMORE\n")
    (tmp_path / "QM2.mqsc").write_text("")
    (tmp_path / "QM3.txt").write_text("AMQ8146E: IBM MQ queue manager not available.\n")
    (tmp_path / "QM4.MQSC").write_text("*****\n")
    shown = " ".join(lintmdb("check", tmp_path, "--all-queues").stdout.split())
    assert "1 file; 3 files passed over (lintmdb inventory lists them)" in shown
    assert "Unclear 2 places not understood (lintmdb inventory lists them)" in shown
    listed = lintmdb("inventory", tmp_path).stdout
    assert "QM3.txt: holds a message of IBM MQ and no definitions (AMQ8146)" in listed
    assert "QM4.MQSC: is not an export that lintmdb recognises" in listed
    named = " ".join(lintmdb("check", tmp_path / "QM1.mqsc", tmp_path / "QM2.mqsc", "--all-queues").stdout.split())
    assert "Not read 1 named input" in named
    assert "passed over" not in named


def test_the_summary_says_that_a_script_of_a_plan_was_passed_over(lintmdb: Run, tmp_path: Path) -> None:
    """A copy of it among the exports is a change that may have been made since: only the export tells."""
    (tmp_path / "QM1.mqsc").write_text(
        "* Queue manager name: QM1\nDEFINE QLOCAL(A) BOTHRESH(0) BOQNAME(B)\nDEFINE QLOCAL(B)\n"
    )
    assert lintmdb("plan", tmp_path, "--all-queues", "--out", tmp_path / "plan").returncode == 0
    (tmp_path / "plan/mq/QM1.mqsc").rename(tmp_path / "done.mqsc")
    shutil.rmtree(tmp_path / "plan")
    shown = " ".join(lintmdb("check", tmp_path, "--all-queues").stdout.split())
    assert "1 file; 1 file passed over (lintmdb inventory lists it)" in shown
