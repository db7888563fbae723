"""Plans for queue-sharing groups (z/OS): what several queue managers share is changed once, and is the same for all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lintmdb.exports.mq import read_mqsc
from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.plan.scripts import plan_scripts
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_exports
from tests.laws.laws import seeds
from tests.support.command import Run
from tests.support.scenario import RULES
from tests.support.sharing_groups import draw_group, private_backout_at_one


def _plan(folder: Path) -> Plan:
    return make_plan(Evaluator(read_exports([folder]), Observations(), RULES, all_queues=True), Policy())


def _found(plan: Plan) -> set[tuple[str, tuple[str, ...]]]:
    return {(finding.rule.id, finding.subject.identity()) for finding in plan.before.judgement.findings}


@pytest.mark.parametrize("seed", [*seeds(25), 1006])
def test_the_scripts_of_a_group_do_what_its_plan_says(seed: int, tmp_path: Path) -> None:
    """Run at their queue managers one after the other, none is refused anything, and what is found in new exports is
    what the plan said would stay. It does not matter whether every dump shows the shared queues.
    """
    group = draw_group(seed)
    group.leaving_out = group.members[seed % 2 :: 2]
    group.write(tmp_path / "before")
    plan = _plan(tmp_path / "before")
    for script in plan_scripts(plan.changes):
        if script.path.startswith("mq/"):
            for command in read_mqsc(script.text.encode(), script.path).commands:
                group.run(script.place, command)
    group.write(tmp_path / "after")
    after = {(finding.rule.id, finding.subject.identity()) for finding in plan.after.judgement.findings}
    assert _found(_plan(tmp_path / "after")) == after
    new = after - _found(plan)
    assert {rule for rule, _ in new} <= {rule.id for rule in RULES if rule.severity == "info"}


def test_a_shared_queue_is_changed_once(lintmdb: Run, tmp_path: Path) -> None:
    """In the script of the first queue manager, which says who shares it; the new queue's name is free at every one."""
    private_backout_at_one().write(tmp_path / "g")
    printed = lintmdb("plan", tmp_path / "g", "--all-queues", "--out", tmp_path / "plan").stdout
    assert printed.startswith("3 changes at queue manager CSQ1\n")
    said = " ".join(printed.split())
    assert "SH.IN.BO, SP.IN.BACKOUT and SP.IN are shared by CSQ1 and CSQ2, so a change at one of them is a" in said
    assert "none left, none new" in said
    assert [file.name for file in (tmp_path / "plan/mq").iterdir()] == ["CSQ1.mqsc"]
    script = (tmp_path / "plan/mq/CSQ1.mqsc").read_text()
    shown = (tmp_path / "plan/check/mq/CSQ1.mqsc").read_text()
    assert "DISPLAY QUEUE('SP.IN.BACKOUT') CMDSCOPE(*) QSGDISP(ALL)" in shown
    assert "DEFINE QLOCAL('SP.IN.BO')" not in script
    entries = json.loads((tmp_path / "plan/plan.json").read_text())["changes"]
    assert [entry["shared_with"] for entry in entries] == [["CSQ2"]] * 3
    verified = lintmdb("plan", "verify", tmp_path / "plan", tmp_path / "g")
    assert verified.returncode == 1


def test_what_is_kept_at_one_member_is_kept_at_all(lintmdb: Run, tmp_path: Path) -> None:
    """The queue is the same one, whichever queue manager is named."""
    private_backout_at_one().write(tmp_path / "g")
    keep = ("--keep", "queue SH.* at CSQ2")
    assert "SH.IN.BO" not in lintmdb("plan", tmp_path / "g", "--all-queues", *keep).stdout.partition("What stays")[0]


def test_a_change_of_a_shared_queue_is_one_for_all_members(lintmdb: Run, tmp_path: Path) -> None:
    """Whichever of them runs it, by file, value or plan; a private queue of the name is another one."""
    group = private_backout_at_one()
    group.private["CSQ1", "P.IN"] = dict(group.shared["SH.IN"])
    group.private["CSQ2", "P.IN"] = dict(group.shared["SH.IN"])
    group.write(tmp_path / "g")
    file = tmp_path / "CSQ2.mqsc"
    file.write_text("ALTER QLOCAL(SP.IN) QSGDISP(SHARED) BOTHRESH(0)\nALTER QLOCAL(P.IN) BOTHRESH(0)\n")
    for change in (("--change", file), ("--set", "queue SP.IN at CSQ2: BOTHRESH=0")):
        printed = lintmdb("diff", tmp_path / "g", "--all-queues", *change).stdout
        assert "queue SP.IN at CSQ1\n  one poison message:" in printed
        assert "queue SP.IN at CSQ2\n  one poison message:" in printed
        assert "queue P.IN at CSQ1" not in printed
        assert "refused" not in printed


def test_a_command_that_a_group_refuses_is_told_once(lintmdb: Run, tmp_path: Path) -> None:
    """Of the queue manager that the file is for."""
    private_backout_at_one().write(tmp_path / "g")
    file = tmp_path / "CSQ1.mqsc"
    file.write_text(
        "DEFINE QLOCAL(SP.IN) QSGDISP(SHARED) CFSTRUCT(APP1)\nALTER QLOCAL(SP.IN) QSGDISP(SHARED) BOTHRESH(5)\n"
    )
    printed = lintmdb("diff", tmp_path / "g", "--all-queues", "--change", file).stdout
    assert printed.count("would be refused by ") == 1
    assert "would be refused by CSQ1" in printed


def test_check_says_who_shares_a_queue(lintmdb: Run, tmp_path: Path) -> None:
    """The same queue is judged at each queue manager, with its own private queues."""
    private_backout_at_one().write(tmp_path / "g")
    said = " ".join(lintmdb("check", tmp_path / "g", "--all-queues").stdout.split())
    assert "(SH.IN and SP.IN are shared by CSQ1 and CSQ2, judged at each)" in said
    assert "if the name of the missing queue is wrong" not in said


@pytest.mark.parametrize(
    ("edit", "what"),
    [
        (
            ("BOTHRESH('3') BOQNAME('SH.IN.BO')", "BOTHRESH('5') BOQNAME('SH.IN.BO')"),
            "BOTHRESH of the shared queue SH.IN",
        ),
        (("DEFINE QLOCAL('SH.IN.BO')", "* "), "whether there is a shared queue SH.IN.BO"),
    ],
)
def test_exports_that_disagree_on_a_shared_queue_are_pointed_out(
    edit: tuple[str, str], what: str, lintmdb: Run, tmp_path: Path
) -> None:
    """They are of different days, most likely; exports that agree are not."""
    private_backout_at_one().write(tmp_path / "g")
    assert "disagrees with" not in lintmdb("check", tmp_path / "g", "--all-queues").stderr
    dump = tmp_path / "g/CSQ2.mqsc"
    dump.write_text(dump.read_text().replace(*edit))
    said = " ".join(lintmdb("check", tmp_path / "g", "--all-queues").stderr.split())
    assert f"disagrees with {tmp_path}/g/CSQ1.mqsc on {what}" in said.replace("… ", "")


def test_a_copy_that_somebody_has_altered_is_changed_alone(lintmdb: Run, tmp_path: Path) -> None:
    """The group definition, and so the copies of other members, are right as they are; undoing brings back what was."""
    folder = _drifted(tmp_path / "g")
    printed = lintmdb("plan", folder, "--all-queues", "--select", "MDB107", "--out", tmp_path / "plan").stdout
    assert printed.startswith("1 change at queue manager CSQ2\n")
    files = ("check/mq/CSQ2.mqsc", "mq/CSQ2.mqsc", "undo/mq/CSQ2.mqsc")
    scripts = {file: (tmp_path / "plan" / file).read_text() for file in files}
    assert (
        "DISPLAY QUEUE('G.BO') QSGDISP(COPY) PUT DESCR\n*   expected: PUT(DISABLED)\n" in scripts["check/mq/CSQ2.mqsc"]
    )
    assert "ALTER QLOCAL('G.BO') QSGDISP(COPY) PUT(ENABLED)\n" in scripts["mq/CSQ2.mqsc"]
    assert "ALTER QLOCAL('G.BO') QSGDISP(COPY) PUT(DISABLED)\n" in scripts["undo/mq/CSQ2.mqsc"]
    asked = ("diff", folder, "--all-queues", "--change", tmp_path / "plan" / "mq" / "CSQ2.mqsc", "--summary")
    assert (
        lintmdb(*asked)
        .stdout.splitlines()[-1]
        .startswith("1 of 4 queues with another fate; findings: 0 new, 1 resolved")
    )


@pytest.mark.parametrize("asked", [("diff", "--all-queues"), ("check", "--all-queues"), ("diff", "--format", "json")])
def test_what_a_change_overwrites_at_another_member_is_told(
    lintmdb: Run, tmp_path: Path, asked: tuple[str, ...]
) -> None:
    """A change of the group definition, run at one queue manager, makes the copies of all again."""
    change = tmp_path / "change.mqsc"
    options = (_drifted(tmp_path / "g"), "--change", change, "--queue-manager", f"CSQ1={change}")
    change.write_text("ALTER QLOCAL('G.BO') QSGDISP(GROUP) MAXDEPTH(500)\n")
    said = " ".join(lintmdb(asked[0], *options, *asked[1:]).stderr.split())
    assert said.count("again, which differs from the group definition") == 1
    assert "makes the copy at CSQ2 again, which differs from the group definition: PUT(DISABLED) becomes PUT(EN" in said
    assert "run at CSQ2 afterwards: ALTER QLOCAL('G.BO') QSGDISP(COPY) PUT(DISABLED)" in said
    change.write_text("ALTER QLOCAL('G.IN') QSGDISP(GROUP) MAXDEPTH(500)\n")
    assert "differs from the group definition" not in lintmdb(asked[0], *options, *asked[1:]).stderr


def _drifted(folder: Path) -> Path:
    """Two queue managers with copies of two group definitions; somebody has closed the backout queue of one of them."""
    queues = "".join(
        f"DEFINE NOREPLACE QLOCAL('{name}') QSGDISP({{place}}) BOTHRESH(3) BOQNAME('{named}') HARDENBO PUT({put})\n"
        for name, named, put in (("G.IN", "G.BO", "ENABLED"), ("G.BO", " ", "{put}"))
    )
    folder.mkdir()
    for member, put in (("CSQ1", "ENABLED"), ("CSQ2", "DISABLED")):
        group, copy = queues.format(place="GROUP", put="ENABLED"), queues.format(place="COPY", put=put)
        (folder / f"{member}.mqsc").write_text(f"* QMNAME({member})\n* PLATFORM(MVS)\n* QSGNAME(SQ01)\n{group}{copy}")
    return folder
