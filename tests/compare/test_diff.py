"""diff: what a change to an estate does to messages; each scenario is a fixture that is copied and edited."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from tests.support.command import Run
from tests.support.project import FIXTURES, ROOT
from tests.support.scenario_folders import scenario_folder

POISON = "one poison message"


def _validator() -> Any:
    folder = ROOT / "lintmdb" / "report"
    report, schema = (json.loads((folder / name).read_text()) for name in ("report.schema.json", "diff.schema.json"))
    resource: Any = DRAFT202012.create_resource(report)
    registry: Any = cast("Any", Registry)()
    return jsonschema.Draft202012Validator(schema, registry=registry.with_resource(report["$id"], resource))


VALIDATOR = _validator()


class Estate:
    """A fixture before and after a change, in a folder of its own."""

    def __init__(self, folder: Path, fixture: str) -> None:
        self.folder = folder
        for side in ("before", "after"):
            shutil.copytree(scenario_folder(fixture), folder / side)

    def edit(self, old: str, new: str, *names: str, side: str = "after") -> None:
        """Replace text in files whose path ends in one of the names."""
        found = False
        for file in sorted((self.folder / side).rglob("*")):
            if file.is_file() and file.as_posix().endswith(names):
                text = file.read_text()
                if old in text:
                    file.write_text(text.replace(old, new))
                    found = True
        assert found, (old, names)


def rules(entries: list[dict[str, Any]]) -> list[str]:
    """The rules of findings."""
    return [entry["rule"] for entry in entries]


def compared(lintmdb: Run, estate: Estate, *options: str) -> tuple[int, dict[str, Any]]:
    """Exit code and JSON document of a diff."""
    result = lintmdb("diff", "before", "after", "--on-message", "15s", "--format", "json", *options, cwd=estate.folder)
    assert "Traceback" not in result.stderr
    document = json.loads(result.stdout)
    assert list(VALIDATOR.iter_errors(document)) == []
    return result.returncode, document


def test_no_change(lintmdb: Run, tmp_path: Path) -> None:
    """Two equal states differ in nothing, although both have findings and stand in different folders."""
    for fixture in ("all-families", "unresolved-names", "out-of-range", "conflicting-queue-managers"):
        estate = Estate(tmp_path / fixture, fixture)
        code, document = compared(lintmdb, estate)
        summary = document["summary"]
        assert code == 0
        assert summary.pop("unchanged") == summary.pop("unchanged_before") > 0
        assert set(summary.values()) == {0}, (fixture, summary)
        assert not any(document["flows"].values())


def test_a_change_to_mq_alone(lintmdb: Run, tmp_path: Path) -> None:
    """BOTHRESH set to 0: the poison message loops, and the gate fails on the new findings."""
    estate = Estate(tmp_path, "clean")
    estate.edit("BOTHRESH(3)", "BOTHRESH(0)", ".mqsc")
    code, document = compared(lintmdb, estate)
    assert code == 1
    assert [(f["workload"], f["before"], f["after"]) for f in document["fates"]] == [
        (POISON, "moved to the backout queue ORDERS.BACKOUT", "loops for ever")
    ]
    assert rules(document["new"]) == ["MDB104", "MDB304"]
    assert {entry["before"] for entry in document["new"]} <= {"clear", None}
    back = lintmdb("diff", "after", "before", "--on-message", "15s", cwd=tmp_path)
    assert back.returncode == 0
    assert "resolved: MDB104 backout-queue-inert: queue ORDERS.IN at QM1" in back.stdout
    assert "one poison message: loops for ever -> moved to the backout queue ORDERS.BACKOUT" in back.stdout


def test_a_fate_of_one_kind_of_message_changes(lintmdb: Run, tmp_path: Path) -> None:
    """Without a queue to move poison to, a message is discarded or blocks delivery, by its persistence."""
    estate = Estate(tmp_path, "clean")
    estate.edit("BOQNAME('ORDERS.BACKOUT')", "BOQNAME(' ')", ".mqsc")
    estate.edit("DEADQ('QM1.DEAD')", "DEADQ(' ')", ".mqsc")
    _, document = compared(lintmdb, estate)
    assert [(f["workload"], f["after"]) for f in document["fates"]] == [
        (POISON, "discarded (non-persistent), delivery is blocked (persistent)")
    ]


def test_a_change_to_was_alone(lintmdb: Run, tmp_path: Path) -> None:
    """The endpoint is told to stop before the backout threshold is reached."""
    estate = Estate(tmp_path, "clean")
    estate.edit("IfDeliveryFails=&quot;false", "IfDeliveryFails=&quot;true", "servers/server1/resources.xml")
    code, document = compared(lintmdb, estate)
    assert code == 1
    assert [fate["after"] for fate in document["fates"]] == ["the endpoint stops"]
    assert "MDB301" in rules(document["new"])
    assert document["undecided"] == []


def test_only_new_findings_fail(lintmdb: Run, tmp_path: Path) -> None:
    """Findings that were there before do not fail a diff, and a milder new one follows --fail-on."""
    estate = Estate(tmp_path, "backout-inert")
    estate.edit("MAXDEPTH(5000)", "MAXDEPTH(5001)", ".mqsc")
    code, document = compared(lintmdb, estate)
    assert code == 0
    assert document["summary"]["unchanged"] == 2
    shallow = Estate(tmp_path / "2", "clean")
    shutil.rmtree(tmp_path / "2" / "after")
    shutil.copytree(scenario_folder("backout-shallow"), tmp_path / "2" / "after")
    assert compared(lintmdb, shallow)[0] == 0
    assert compared(lintmdb, shallow, "--fail-on", "info")[0] == 1


def test_a_queue_is_renamed(lintmdb: Run, tmp_path: Path) -> None:
    """Renamed on both sides: the flow and its fate are the same, and its findings are not new but renamed."""
    estate = Estate(tmp_path, "backout-inert")
    estate.edit("ORDERS.IN", "ORDERS.SHOP", ".mqsc", "resources.xml")
    code, document = compared(lintmdb, estate)
    assert code == 0
    assert document["new"] == document["resolved"] == document["fates"] == document["undecided"] == []
    assert [(e["rule"], e["before"]["queue"], e["after"]["queue"]) for e in document["renamed"]] == [
        ("MDB104", "ORDERS.IN", "ORDERS.SHOP")
    ]
    assert document["summary"]["unchanged"] == 2


def test_a_queue_is_renamed_in_mq_alone(lintmdb: Run, tmp_path: Path) -> None:
    """WebSphere still names the old queue: that is a new finding, and the gate fails."""
    estate = Estate(tmp_path, "backout-inert")
    estate.edit("ORDERS.IN", "ORDERS.SHOP", ".mqsc")
    code, document = compared(lintmdb, estate)
    assert code == 1
    assert "MDB703" in rules(document["new"]) or "MDB121" in rules(document["new"]), rules(document["new"])


def add_member(estate: Estate) -> Path:
    """A third member of cluster Shop, on a node of its own, like the second; gives its server.xml."""
    cell = estate.folder / "after" / "was" / "cells" / "C1"
    node = cell / "nodes" / "node3"
    shutil.copytree(cell / "nodes" / "node2", node)
    (node / "servers" / "shop2").rename(node / "servers" / "shop3")
    for file in node.rglob("*.*"):
        if file.is_file():
            file.write_text(file.read_text().replace("shop2", "shop3").replace("node2", "node3"))
    cluster = cell / "clusters" / "Shop" / "cluster.xml"
    text = cluster.read_text()
    member = text[text.rindex("  <members") : text.index("</topology")]
    third = member.replace("shop2", "shop3").replace("node2", "node3").replace("0923", "0924")
    cluster.write_text(text.replace(member, member + third))
    return node / "servers" / "shop3" / "server.xml"


@pytest.mark.parametrize("fixture", ["mixed-version-cluster", "cluster-members-differ"])
def test_a_cluster_member_is_added(lintmdb: Run, tmp_path: Path, fixture: str) -> None:
    """A member like the others changes no fate and makes nothing new of what the cluster had."""
    estate = Estate(tmp_path, fixture)
    add_member(estate)
    _, document = compared(lintmdb, estate)
    assert document["clusters"] == [{"cluster": "Shop", "before": 2, "after": 3}]
    assert document["resolved"] == []
    assert document["flows"]["removed"] == []
    if fixture == "mixed-version-cluster":
        assert document["new"] == document["fates"] == document["flows"]["added"] == []
    else:
        # Its members are judged one by one, and the third has the second's findings.
        assert {entry["subject"]["server"] for entry in document["new"]} == {"shop3"}
        assert [flow["server"] for flow in document["flows"]["added"]] == ["shop3"]


def test_an_added_member_that_differs(lintmdb: Run, tmp_path: Path) -> None:
    """A cluster that was judged as one is judged by member: only what the new member brings is new."""
    estate = Estate(tmp_path, "mixed-version-cluster")
    server = add_member(estate)
    text = server.read_text()
    server.write_text(text.replace('totalTranLifetimeTimeout="120"', 'totalTranLifetimeTimeout="0"'))
    _, document = compared(lintmdb, estate)
    assert document["resolved"] == []
    assert document["flows"]["removed"] == []
    assert {entry["subject"]["server"] for entry in document["new"]} <= {"shop3", None}


def test_an_export_of_mq_is_missing_after(lintmdb: Run, tmp_path: Path) -> None:
    """What cannot be judged any more is newly undecided, never resolved; a strict gate fails with 4."""
    estate = Estate(tmp_path, "backout-inert")
    shutil.rmtree(tmp_path / "after" / "mq")
    code, document = compared(lintmdb, estate)
    assert code == 0
    assert document["resolved"] == document["new"] == []
    lost = [entry for entry in document["undecided"] if entry["before"] == "hazard"]
    assert rules(lost) == ["MDB104", "MDB304"]
    assert {entry["needs"] for entry in lost} == {"an export of queue manager QM1"}
    assert document["fates"][0]["after"] == "undecided without an export of queue manager QM1"
    assert compared(lintmdb, estate, "--strict")[0] == 4


def test_an_export_of_mq_was_missing_before(lintmdb: Run, tmp_path: Path) -> None:
    """What is found for the first time because an export came in is new, and said to have been undecided."""
    estate = Estate(tmp_path, "backout-inert")
    shutil.rmtree(tmp_path / "before" / "mq")
    code, document = compared(lintmdb, estate)
    assert code == 1
    assert {entry["before"] for entry in document["new"]} == {"undecided"}
    text = lintmdb("diff", "before", "after", cwd=tmp_path).stdout
    assert "new (undecided before): queue ORDERS.IN at QM1" in text


def test_a_cell_is_missing_after(lintmdb: Run, tmp_path: Path) -> None:
    """Findings and flows of a cell that is not given are not resolved and not removed."""
    estate = Estate(tmp_path, "all-families")
    shutil.rmtree(tmp_path / "after" / "was" / "cells" / "ZCELL")
    code, document = compared(lintmdb, estate)
    assert code == 0
    assert document["resolved"] == []
    assert {entry["needs"] for entry in document["undecided"]} == {"an export of cell ZCELL"}
    assert {entry["subject"]["cell"] for entry in document["flows"]["unseen"]} == {"ZCELL"}
    assert document["flows"]["removed"] == []


def test_nothing_to_judge_on_one_side_gives_3(lintmdb: Run, tmp_path: Path) -> None:
    """A gate never passes because one side held nothing."""
    estate = Estate(tmp_path, "clean")
    shutil.rmtree(tmp_path / "after" / "was")
    assert compared(lintmdb, estate)[0] == 3
    result = lintmdb("diff", "after", "before", cwd=tmp_path)
    assert result.returncode == 3
    assert "BEFORE (after):" in result.stderr


def test_a_file_that_cannot_be_read_after(lintmdb: Run, tmp_path: Path) -> None:
    """What a broken file held is not resolved; that it is broken is a new finding."""
    estate = Estate(tmp_path, "all-families")
    file = next((tmp_path / "after").rglob("servers/claims/server.xml"))
    file.write_text(file.read_text()[:400])
    code, document = compared(lintmdb, estate)
    assert code == 1
    assert "MDB901" in rules(document["new"])
    assert document["resolved"] == []
    assert document["flows"]["removed"] == []


def test_an_endpoint_is_removed(lintmdb: Run, tmp_path: Path) -> None:
    """With its cell still given, a flow that is gone is gone, and its findings are resolved."""
    estate = Estate(tmp_path, "all-families")
    shutil.rmtree(tmp_path / "after" / "was" / "cells" / "ZCELL" / "applications")
    _, document = compared(lintmdb, estate)
    assert document["flows"]["removed"] != []
    assert document["flows"]["unseen"] == []


def test_further_exports_of_a_side(lintmdb: Run, tmp_path: Path) -> None:
    """--before and --after add exports to their side."""
    estate = Estate(tmp_path, "backout-inert")
    both = ("--before", "before/mq", "--after", "after/mq")
    result = lintmdb("diff", "before/was", "after/was", *both, cwd=estate.folder)
    assert result.returncode == 0
    assert (
        result.stdout == "Gate passes (--fail-on error)\n"
        "0 of 1 flow with another fate; findings: 0 new, 0 resolved, 0 newly undecided, 2 as before\n"
    )


def test_after_adds_to_what_a_change_is_made_to(lintmdb: Run, tmp_path: Path) -> None:
    """A pull request may edit one form of a queue manager and bring a change of another one."""
    shutil.copytree(FIXTURES / "estate", tmp_path / "exports")
    for side, threshold in (("before", 3), ("after", 0)):
        (tmp_path / side).mkdir()
        (tmp_path / side / "queues.mqsc").write_text(
            f"* Queue manager name: QM2\nALTER QLOCAL(PAYMENTS.IN) BOTHRESH({threshold})\n"
        )
    (tmp_path / "change.mqsc").write_text("* Queue manager name: QM1\nDEFINE QLOCAL(ADDED.BY.CHANGE) BOTHRESH(1)\n")
    asked = ("diff", "exports", "--before", "before", "--after", "after", "--change", "change.mqsc", "--all-queues")
    run = lintmdb(*asked, "--format", "json", cwd=tmp_path)
    document = json.loads(run.stdout)
    assert "ADDED.BY.CHANGE" in run.stdout
    assert (document["flows"]["removed"], document["flows"]["unseen"]) == ([], [])


def test_what_is_new_stands_in_the_file_that_differs(lintmdb: Run, tmp_path: Path) -> None:
    """A pull request shows comments on the files that it edits; WebSphere's value, which comes first, is no news."""
    for side in ("before", "after"):
        shutil.copytree(FIXTURES / "clean", tmp_path / side)
    dump = tmp_path / "after" / "mq" / "QM1.mqsc"
    dump.write_text(dump.read_text().replace("   BOTHRESH(3) +\n", "", 1))
    shown = lintmdb("diff", "before", "after", "--format", "github", cwd=tmp_path).stdout
    errors = [line for line in shown.splitlines() if line.startswith("::error file=")]
    assert errors
    assert {line.partition("file=")[2].partition(",")[0] for line in errors} == {"after/mq/QM1.mqsc"}


def test_before_adds_to_the_inputs_of_the_configuration(lintmdb: Run, tmp_path: Path) -> None:
    """Without the argument BEFORE, --before adds to the inputs of lintmdb.toml; with --after it is all of BEFORE."""
    shutil.copytree(FIXTURES / "clean", tmp_path / "exports")
    (tmp_path / "lintmdb.toml").write_text("inputs = ['exports']\n")
    head = "* Queue manager name: QM1\n"
    (tmp_path / "merged.mqsc").write_text(f"{head}DEFINE QLOCAL(NEW.BACKOUT)\n")
    (tmp_path / "change.mqsc").write_text(
        f"{head}ALTER QLOCAL(NEW.BACKOUT) MAXDEPTH(50)\nALTER QLOCAL(ORDERS.IN) BOTHRESH(0)\n"
    )
    asked = ("diff", "--before", "merged.mqsc", "--change", "change.mqsc")
    run = lintmdb(*asked, "--format", "json", cwd=tmp_path)
    assert (run.returncode, rules(json.loads(run.stdout)["new"])) == (1, ["MDB104", "MDB304"])
    both = lintmdb(*asked, "--after", "merged.mqsc", cwd=tmp_path)
    assert both.returncode == 3
    assert "BEFORE (merged.mqsc):" in both.stderr


def _with_merged(folder: Path, script: str, *managers: str) -> tuple[str, ...]:
    """Exports of QM1 and others, a merged script that is not said to be of QM1, and a change that needs it."""
    shutil.copytree(FIXTURES / "clean", folder / "exports")
    dump = (FIXTURES / "clean/mq/QM1.mqsc").read_text()
    for name in managers:
        (folder / f"exports/mq/{name}.mqsc").write_text(dump.replace("QM1", name))
    (folder / script).parent.mkdir(exist_ok=True)
    (folder / script).write_text("DEFINE QLOCAL(NEW.BACKOUT)\n")
    (folder / "change.mqsc").write_text("* Queue manager name: QM1\nALTER QLOCAL(ORDERS.IN) BOQNAME(NEW.BACKOUT)\n")
    return ("diff", "exports", "--before", script, "--change", "change.mqsc", "--on-message", "5s", "--strict")


@pytest.mark.parametrize(
    ("script", "managers"), [("merged.mqsc", ()), ("merged/QM1.mqsc", ()), ("merged/QM1.mqsc", ("QM2",))]
)
def test_a_merged_script_without_a_name_runs_where_a_change_would(
    lintmdb: Run, tmp_path: Path, script: str, managers: tuple[str, ...]
) -> None:
    """At the only queue manager, or at the one after which its file is called."""
    run = lintmdb(*_with_merged(tmp_path, script, *managers), cwd=tmp_path)
    assert "NEW.BACKOUT" in run.stdout
    assert "MDB105" not in run.stdout
    assert "does not name its queue manager" not in run.stderr


def test_a_merged_script_of_any_queue_manager_counts_in_neither_state(lintmdb: Run, tmp_path: Path) -> None:
    """A notice says what to write, and a strict comparison fails."""
    asked = _with_merged(tmp_path, "merged.mqsc", "QM2")
    run = lintmdb(*asked, cwd=tmp_path)
    assert "MDB105" in run.stdout
    assert "merged.mqsc: does not name its queue manager" in run.stderr
    assert "Name it with --queue-manager NAME=PATH" in run.stderr
    (tmp_path / "change.mqsc").write_text("* Queue manager name: QM1\nALTER QLOCAL(ORDERS.IN) MAXDEPTH(50)\n")
    assert lintmdb(*asked, cwd=tmp_path).returncode == 4
    assert lintmdb(*asked[:-1], cwd=tmp_path).returncode == 0
    named = lintmdb(*asked, "--queue-manager", "QM1=merged.mqsc", cwd=tmp_path)
    assert (named.returncode, named.stderr) == (0, "")


def test_a_script_of_the_queue_manager_that_an_endpoint_names_is_no_merged_one(lintmdb: Run, tmp_path: Path) -> None:
    """It is all that there is of that queue manager, although another one is exported with its name."""
    shutil.copytree(FIXTURES / "clean/was", tmp_path / "was")
    dump = (FIXTURES / "clean/mq/QM1.mqsc").read_text()
    (tmp_path / "QM2.dump").write_text(dump.replace("QM1", "QM2"))
    (tmp_path / "QM1.mqsc").write_text("DEFINE QLOCAL(ORDERS.IN) BOTHRESH(3) BOQNAME(GONE)\n")
    asked = (
        "diff",
        "was",
        "--before",
        "QM2.dump",
        "--before",
        "QM1.mqsc",
        "--set",
        "queue ORDERS.IN at QM1: BOTHRESH=4",
    )
    run = lintmdb(*asked, cwd=tmp_path)
    assert run.returncode == 0, run.stderr


def test_a_script_without_a_name_is_part_of_its_side(lintmdb: Run, tmp_path: Path) -> None:
    """--queue-manager says whose a script is, on each side that holds it; a file of neither side is an error."""
    estate = Estate(tmp_path, "clean")
    for side in ("before", "after"):
        dump = tmp_path / side / "mq" / "QM1.mqsc"
        text = dump.read_text()
        dump.unlink()
        start = text.index("DEFINE QLOCAL")
        dump.with_name("orders.txt").write_text(text[start:])
    estate.edit("BOTHRESH(3)", "BOTHRESH(0)", ".txt")
    names = [part for side in ("before", "after") for part in ("--queue-manager", f"QM1={side}/mq/orders.txt")]
    code, document = compared(lintmdb, estate, "--select", "MDB104", *names)
    assert (code, rules(document["new"])) == (1, ["MDB104"])
    unnamed = compared(lintmdb, estate, "--select", "MDB104")
    assert (unnamed[0], unnamed[1]["new"]) == (0, [])
    outside = lintmdb("diff", "before", "after", "--queue-manager", "QM1=orders.txt", cwd=estate.folder)
    assert outside.returncode == 2
    assert "--queue-manager QM1=orders.txt is in neither BEFORE nor AFTER" in outside.stderr


def test_suppressed_new_findings_do_not_fail(lintmdb: Run, tmp_path: Path) -> None:
    """A new finding that is suppressed is listed apart; --no-suppressions makes it count."""
    estate = Estate(tmp_path, "clean")
    estate.edit("BOTHRESH(3)", "BOTHRESH(0)", ".mqsc")
    (tmp_path / "lintmdb.toml").write_text(
        "[[suppressions]]\nrule = 'MDB'\nsubject = 'ORDERS.IN'\nreason = 'for the test'\n"
    )
    code, document = compared(lintmdb, estate)
    assert code == 0
    assert rules(document["suppressed"]) == ["MDB104", "MDB304"]
    assert compared(lintmdb, estate, "--no-suppressions")[0] == 1


def test_usage(lintmdb: Run, tmp_path: Path) -> None:
    """Both sides are needed, and each must exist."""
    assert lintmdb("diff", "fixtures/clean").returncode == 2
    absent = lintmdb("diff", "fixtures/clean", "fixtures/absent")
    assert absent.returncode == 2
    assert "fixtures/absent does not exist" in absent.stderr


def test_a_change_for_a_queue_manager_of_before_alone_is_told_how_to_name_both(lintmdb: Run, tmp_path: Path) -> None:
    """The change is applied to what --after names. Exports without an option are one state, as for other commands."""
    for name in ("QM1", "QM2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.mqsc").write_text(f"* Queue manager name: {name}\nDEFINE QLOCAL(A)\n")
    (tmp_path / "c.mqsc").write_text("* Queue manager name: QM1\nALTER QLOCAL(A) BOTHRESH(3)\n")
    asked = ("--all-queues", "--change", "c.mqsc")
    refused = lintmdb("diff", "--before", "QM1", "--after", "QM2", *asked, cwd=tmp_path)
    assert refused.returncode == 2
    told = "BEFORE (QM1) has QM1, and AFTER (QM2), to which changes are applied, does not."
    assert told in refused.stderr
    assert "lintmdb diff QM1 --before QM2, with the change" in refused.stderr
    named = lintmdb("diff", "QM1", "--before", "QM2", *asked, cwd=tmp_path)
    assert named.returncode != 2
    (tmp_path / "answer.txt").write_text("1 : DISPLAY QCLUSTER(X)\nAMQ8147E: IBM MQ object X not found.\n")
    together = lintmdb("diff", "QM1", "QM2", "answer.txt", *asked, cwd=tmp_path)
    assert (together.returncode, together.stdout) == (named.returncode, named.stdout)
    assert "QM1 and QM2 and answer.txt together show one state: the one before the change" in together.stderr


def test_the_two_products_are_no_two_states(lintmdb: Run) -> None:
    """BEFORE with cells alone and AFTER with queue managers alone are parts of one state, and the message says how to
    name them. With a change it is clear what is meant: the change makes the later state.
    """
    was, mq = str(FIXTURES / "clean/was"), str(FIXTURES / "clean/mq")
    refused = lintmdb("diff", was, mq)
    assert refused.returncode == 2
    assert "two parts of one state" in refused.stderr
    assert "--before" in refused.stderr
    for change in ("queue ORDERS.IN at QM1: BOTHRESH=0", "activation specification OrdersAS: failureDeliveryCount=5"):
        told, named = (lintmdb("diff", was, *option, mq, "--set", change) for option in ([], ["--before"]))
        assert (told.returncode, told.stdout) == (named.returncode, named.stdout)
        assert "fixtures/clean/mq together show one state: the one before the change" in told.stderr
    unknown = lintmdb("diff", was, was, "--set", "queue ORDERS.IN at QM1: BOTHRESH=0")
    assert "the exports have no queue ORDERS.IN" in unknown.stderr
    both = lintmdb("diff", was, "--before", mq, "--set", "queue ORDERS.IN at QM1: BOTHRESH=0")
    assert both.returncode in (0, 1), both.stderr


def test_a_part_of_the_state_is_no_state_after_a_change(lintmdb: Run, tmp_path: Path) -> None:
    """Not even where --before adds a script of the other product: the message names all parts as BEFORE."""
    was, mq = "fixtures/clean/was", "fixtures/clean/mq"
    script = tmp_path / "QM1.mqsc"
    script.write_text("* Queue manager name: QM1\nALTER QLOCAL(ORDERS.IN) BOTHRESH(4)\n")
    change = ("--set", "queue ORDERS.IN at QM1: BOTHRESH=0")
    refused = lintmdb("diff", "--before", was, "--after", mq, "--before", script, *change)
    assert refused.returncode == 2
    assert f"lintmdb diff {was} --before {mq} --before {script}, with a change" in refused.stderr
    named = lintmdb("diff", was, "--before", mq, "--before", script, *change)
    assert named.returncode in (0, 1), named.stderr


def test_flows_come_worst_first(lintmdb: Run, tmp_path: Path) -> None:
    """Flows that fare worse come first, then those that fare better, beginning with the one that was worst."""
    estate = FIXTURES / "estate"
    lintmdb("plan", estate, "--on-message", "15s", "--out", tmp_path)
    stops = "activation specification ReturnsAS at node node2: stopEndpointIfDeliveryFails=true"
    fails = "activation specification ReturnsAS at node node2: failureDeliveryCount=0"
    change = ("--change", tmp_path / "plan.json", "--set", stops, "--set", fails)
    told = " ".join(lintmdb("diff", estate, "--on-message", "15s", *change).stdout.split())
    assert re.findall(r"one poison message: (\S+ \S+)", told) == [
        "moved to",
        "discarded (non-persistent),",
        "loops for",
        "loops for",
        "the endpoint",
        "delivery is",
    ]


def test_a_third_export_is_refused_with_the_options_that_take_it(lintmdb: Run) -> None:
    """A side may have several exports."""
    exports = FIXTURES / "clean"
    result = lintmdb("diff", exports / "was", exports / "mq", exports)
    assert (result.returncode, result.stdout) == (2, "")
    assert "diff takes one BEFORE and one AFTER, and 3 paths are named" in result.stderr
    assert "--before PATH and --after PATH" in result.stderr
    assert lintmdb("diff", exports, exports, "--nope").returncode == 2
