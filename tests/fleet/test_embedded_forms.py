"""Every form that is no repository and no plain script: the fleet without Spark says of it what ``check`` says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.scenario import RULES
from tests.support.scenario_folders import scenario_folder
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.fleet.audit import Request, run_audit
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.exports.was.test_application_files import ear, order_bean
from tests.support.fleet_estate import assert_same, told_by_audit, told_of
from tests.support.java_classes import attribute

SCRIPTS = {
    "10-queues.mqsc": "DEFINE QLOCAL('ORDERS.IN') BOTHRESH(2)\n",
    "20-backout.mqsc": "ALTER QLOCAL('ORDERS.IN') BOQNAME('NO.SUCH')\n",
}
COMPOSE = "services:\n  mq:\n    environment: [MQ_QMGR_NAME=QM1]\n    volumes: ['./scripts:/etc/mqm']\n"
INI = "Log:\n   LogPath=/var/mqm/log/QM1/\nAutoConfig:\n   MQSCConfig=/srv/scripts\n"


def written(folder: Path, name: str) -> None:
    """The cell of a scenario with its queue manager in another form."""
    if name in ("compose.yaml", "qm.ini"):
        shutil.copytree(scenario_folder("clean") / "was", folder / "was")
        (folder / "mq/scripts").mkdir(parents=True)
        for script, text in SCRIPTS.items():
            (folder / "mq/scripts" / script).write_text(text)
        (folder / "mq" / name).write_text(COMPOSE if name == "compose.yaml" else INI)
    elif name == "application.ear":
        shutil.copytree(scenario_folder("clean"), folder)
        applications = folder / "was/cells/C1/applications/Orders.ear"
        (applications / "deployments/Orders/orders.jar/META-INF/ejb-jar.xml").unlink()
        (applications / "Orders.ear").write_bytes(ear(order_bean(attribute("NOT_SUPPORTED"))))
    else:
        shutil.copytree(scenario_folder(name), folder)
        (folder / "expected.yaml").unlink(missing_ok=True)
    if name == "kubernetes-configmap":
        (folder / "mq/base").mkdir()
        (folder / "mq/config.yaml").rename(folder / "mq/base/config.yaml")


@pytest.mark.parametrize(
    "name",
    [
        "kubernetes-configmap",
        "shell-scripts",
        "ansible-tasks",
        "client-table",
        "compose.yaml",
        "qm.ini",
        "rest-answers",
        "transcript-of-everything",
        "zos-command-listing",
        "application.ear",
        "property-files",
        "wsadmin-transcript",
        "loose-files",
        "liberty",
    ],
)
def test_the_audit_says_what_check_says(name: str, tmp_path: Path) -> None:
    """In every field of every finding, undecided verdicts included."""
    folder = tmp_path / "in"
    written(folder, name)
    estate = read_estate([folder], Observations())
    told = told_of(estate.facts)
    assert {manager.name for manager in estate.facts.rows["queue_manager"]} <= {"QM1", "ZQM1"}
    audit = run_audit(None, Request([str(folder)], tmp_path / "out", RULES, Observations()))
    assert_same(told_by_audit(audit.folder), told)


@pytest.mark.parametrize("access", ["Xmitq", "RQMName"])
def test_a_configuration_file_in_another_folder_counts(access: str, tmp_path: Path) -> None:
    """It is a unit of its own, and the queue manager is read from both."""
    folder = tmp_path / "in"
    written(folder, "clean")
    dump = folder / "mq/QM1.mqsc"
    member = "DEFINE CHANNEL(TO.{0}) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
    member += "DEFINE CHANNEL(TO.REPO) CHLTYPE(CLUSSDR) CONNAME(h) CLUSTER(C)\n"
    rights = "SET AUTHREC PROFILE('CL.BO') PRINCIPAL('wasuser') OBJTYPE(QUEUE) AUTHADD(PUT,PASSALL)\n"
    text = dump.read_text()
    dump.write_text(text.replace("BOQNAME('ORDERS.BACKOUT')", "BOQNAME('CL.BO')") + member.format("QM1") + rights)
    other = text.replace("QM1", "QM2") + member.format("QM2") + "DEFINE QLOCAL(CL.BO) CLUSTER(C)\n"
    (folder / "mq/QM2.mqsc").write_text(other)
    (folder / "etc").mkdir()
    ini = f"Log:\n   LogPath=/var/mqm/log/QM1/\nSecurity:\n   ClusterQueueAccessControl={access}\n"
    (folder / "etc/qm.ini").write_text(ini)
    told = told_of(read_estate([folder], Observations()).facts)
    assert ("MDB113" in {finding["rule"] for finding in told.findings}) is (access == "Xmitq")
    audit = run_audit(None, Request([str(folder)], tmp_path / "out", RULES, Observations()))
    assert_same(told_by_audit(audit.folder), told)
