"""check --all-queues: queues and queue managers that no endpoint leads to."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from lintmdb import check
from lintmdb.rules.loading import load_rules
from lintmdb.run.all_queues import needs_no_endpoint
from tests.support.command import Run
from tests.support.dumps import ENDED, WHOLE

DUMP = f"""* Queue manager name: QM7
* Queue manager platform: UNIX
* Command issued: dmpmqcfg -m QM7 -a
{ENDED}ALTER QMGR DEADQ('DEAD') MAXMSGL(104857600)
DEFINE QLOCAL('DEAD') MAXMSGL(104857600)
DEFINE QLOCAL('GOOD') BOTHRESH(3) BOQNAME('GOOD.BO')
DEFINE QLOCAL('GOOD.BO')
DEFINE QLOCAL('UNSET') BOTHRESH(3)
DEFINE QLOCAL('INERT') BOQNAME('GOOD.BO')
DEFINE QLOCAL('GONE') BOTHRESH(3) BOQNAME('NOWHERE')
DEFINE QLOCAL('PLAIN')
DEFINE QLOCAL('SYSTEM.OURS') BOTHRESH(3)
DEFINE QMODEL('MODEL') BOTHRESH(3)
"""


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """A dump of a queue manager that no cell uses."""
    file = tmp_path / "QM7.txt"
    file.write_text(DUMP)
    return file


def _found(lintmdb: Run, *arguments: object) -> set[tuple[str, str]]:
    report = json.loads(lintmdb("check", *arguments, "--format", "json").stdout)
    return {(f["rule"], f["subject"]["name"]) for f in report["findings"]}


def test_queues_with_backout_attributes_are_judged(lintmdb: Run, dump: Path) -> None:
    """Those of the product, those without backout attributes and model queues are not."""
    assert _found(lintmdb, dump, "--all-queues") == {("MDB102", "UNSET"), ("MDB104", "INERT"), ("MDB105", "GONE")}


@pytest.mark.parametrize(
    ("closed", "words"),
    [
        ((), "4 queues that no endpoint reads, "),
        (("GOOD",), "4 queues that no endpoint reads (1 of them with GET(DISABLED)), "),
        (("GOOD", "UNSET", "INERT", "GONE"), "4 queues that no endpoint reads (with GET(DISABLED)), "),
    ],
)
def test_queues_from_which_nobody_gets_are_told(lintmdb: Run, dump: Path, closed: tuple[str, ...], words: str) -> None:
    """They have no fate, as no message of theirs is poison."""
    text = DUMP
    for name in closed:
        text = text.replace(f"QLOCAL('{name}')", f"QLOCAL('{name}') GET(DISABLED)")
    dump.write_text(text)
    shown = re.sub(r"\s+", " ", lintmdb("check", dump, "--all-queues").stdout)
    assert words in shown


def test_model_queues_that_nothing_judges_are_counted(lintmdb: Run, dump: Path) -> None:
    """The summary says that they were passed over, and nothing where no model queue has backout attributes."""
    told = "1 model queue that --all-queues does not judge"
    assert told in " ".join(lintmdb("check", dump, "--all-queues").stdout.split())
    dump.write_text(DUMP.replace("DEFINE QMODEL('MODEL') BOTHRESH(3)", "DEFINE QMODEL('MODEL')"))
    assert "model queue" not in lintmdb("check", dump, "--all-queues").stdout


def test_every_queue_manager_is_judged(lintmdb: Run, dump: Path) -> None:
    """Its dead-letter queue is its own matter, with or without queues."""
    dump.write_text(DUMP.replace("DEADQ('DEAD')", "DEADQ(' ')"))
    assert ("MDB114", "QM7") in _found(lintmdb, dump, "--all-queues")
    dump.write_text(f"{DUMP.partition('ALTER')[0]}ALTER QMGR DEADQ(' ')\n")
    assert _found(lintmdb, dump, "--all-queues") == {("MDB114", "QM7")}


def test_without_the_option_it_is_pointed_at(lintmdb: Run, dump: Path) -> None:
    """Exit code 3 as before, and a line that says how to judge the queues by themselves."""
    result = lintmdb("check", dump)
    assert (result.returncode, result.stdout.splitlines()[0]) == (
        3,
        "Gate      nothing was judged",
    )
    assert "--all-queues" in result.stderr
    assert "--all-queues" not in lintmdb("check", dump, "fixtures/clean").stderr


def test_the_file_may_ask_for_all_queues(lintmdb: Run, dump: Path, tmp_path: Path) -> None:
    """``all-queues = true`` is the option, and nothing else is asked for it."""
    asked = lintmdb("check", dump, "--all-queues", "--format", "json", cwd=tmp_path)
    (tmp_path / "lintmdb.toml").write_text("all-queues = true\n")
    told = lintmdb("check", dump, "--format", "json", cwd=tmp_path)
    findings = [json.loads(result.stdout)["findings"] for result in (asked, told)]
    assert findings[0] == findings[1] != []
    assert asked.returncode == told.returncode


def test_a_clean_queue_manager_passes(lintmdb: Run, dump: Path) -> None:
    """Something was judged: no exit code 3; and what is given besides changes no verdict of the flows."""
    lines = [line for line in DUMP.splitlines() if not any(name in line for name in ("UNSET", "INERT", "GONE"))]
    dump.write_text("\n".join(lines) + "\n")
    result = lintmdb("check", dump, "--all-queues", "--strict")
    assert (result.returncode, result.stderr) == (0, "")
    assert "Findings  none" in result.stdout
    alone, both = (
        json.loads(lintmdb("check", "fixtures/all-families", *more, "--format", "json").stdout)
        for more in ((), (dump, "--all-queues"))
    )
    keys = {(f["rule"], f["fingerprint"]) for f in alone["findings"]}
    assert keys <= {(f["rule"], f["fingerprint"]) for f in both["findings"]}
    assert alone["summary"]["endpoints"] == both["summary"]["endpoints"]


def test_a_queue_that_an_endpoint_reads_is_judged_once(lintmdb: Run) -> None:
    """Its verdicts are those of its flow."""
    plain = json.loads(lintmdb("check", "fixtures/backout-inert", "--format", "json").stdout)
    more = json.loads(lintmdb("check", "fixtures/backout-inert", "--all-queues", "--format", "json").stdout)
    read = [finding for finding in more["findings"] if finding["rule"] == "MDB104"]
    assert read == [finding for finding in plain["findings"] if finding["rule"] == "MDB104"]


def test_findings_have_no_flow_and_every_report_holds_them(lintmdb: Run, dump: Path, tmp_path: Path) -> None:
    """No story is told of an endpoint that is not there; suppressions and reports work as for any finding."""
    report = check(dump, all_queues=True)
    assert {finding.rule for finding in report.findings} == {"MDB102", "MDB104", "MDB105"}
    assert all(finding.trace == () for finding in report.findings)
    assert not any("(not in the exports)" in finding.fix or "AUTHREC" in finding.fix for finding in report.findings)
    for kind in ("text", "sarif", "junit", "github", "gitlab", "markdown", "csv", "html"):
        result = lintmdb("check", dump, "--all-queues", "--format", kind)
        assert result.returncode == 1, result.stderr
        assert "INERT" in result.stdout, kind
    assert "queue INERT at QM7" in lintmdb("check", dump, "--all-queues", "-v").stdout


_FATES = f"""* Queue manager name: QM7
* Queue manager command level: (930/930)
* Queue manager platform: UNIX
* Command issued: dmpmqcfg -m QM7 -a
{ENDED}ALTER QMGR DEADQ('QM7.DEAD') MAXMSGL(104857600) FORCE
DEFINE QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') REPLACE
DEFINE QLOCAL('QM7.DEAD') MAXMSGL(104857600) REPLACE
DEFINE QLOCAL('A.SHORT') BOTHRESH(3) BOQNAME('SMALL.BO') MAXDEPTH(5000) REPLACE
DEFINE QLOCAL('SMALL.BO') MAXDEPTH(10) MAXMSGL(4096) REPLACE
DEFINE QLOCAL('CLOSED') BOTHRESH(3) BOQNAME('GONE.BO') GET(DISABLED) REPLACE
DEFINE QLOCAL('LOOP') BOTHRESH(2) BOQNAME('LOOP') REPLACE
DEFINE QLOCAL('MOVED') BOTHRESH(3) BOQNAME('GOOD.BO') REPLACE
DEFINE QLOCAL('GOOD.BO') MAXDEPTH(999999999) REPLACE
"""


def test_queues_with_the_worst_fate_come_first(lintmdb: Run, tmp_path: Path) -> None:
    """What a queue alone makes of a poison message is counted and told; one finding that means an endless loop comes
    before two that do not. Nobody reads a queue with GET(DISABLED), so it has no fate.
    """
    (tmp_path / "QM7.mqsc").write_text(_FATES)
    shown = lintmdb("check", "--all-queues", tmp_path / "QM7.mqsc").stdout
    fates = "loops for ever on 1 and is moved aside on 2"
    assert f"Queues 3: for a JMS client that never gives up and has every right, a poison message {fates}" in " ".join(
        shown.split()
    )
    titles = [line for line in shown.splitlines() if line.startswith("queue ")]
    assert titles == ["queue LOOP at QM7", "queue CLOSED at QM7", "queue A.SHORT at QM7"]
    assert "  A poison message is delivered again and again, without end.\n" in shown
    assert "  A poison message is moved to the backout queue SMALL.BO after 3 failed deliveries.\n" in shown
    listed = lintmdb("check", "--all-queues", tmp_path / "QM7.mqsc", "--quiet").stdout.splitlines()
    assert "LOOP" in listed[0]


def test_queues_of_unknown_fate_without_findings_are_named(lintmdb: Run, tmp_path: Path) -> None:
    """Whoever decides what to mend first must not take them for safe."""
    member = "DEFINE CHANNEL(TO.QM7) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
    queues = "".join(f"DEFINE QLOCAL('OPEN.{place}') BOTHRESH(3) BOQNAME('CLUSTER.BO')\n" for place in range(9))
    (tmp_path / "QM7.mqsc").write_text(_FATES + member + queues)
    asked = ("check", "--all-queues", tmp_path)
    shown = lintmdb(*asked).stdout
    line = (_FATES + member).count("\n") + 1
    names = [f"  queue OPEN.{place} at QM7 {tmp_path}/QM7.mqsc:{line + place}" for place in range(9)]
    told = shown.partition("\nFate not known, and no finding: 9\n")[2].partition("\n\n")[0].splitlines()
    otherwise = "    if no cluster has CLUSTER.BO: moved to the dead-letter queue QM7.DEAD"
    then = "    lintmdb plan --out DIR writes what to change then to DIR/if-undefined"
    assert [entry.partition("  .../")[0] for entry in told] == [
        *(name.partition(" /")[0] for name in names[:8]),
        otherwise,
        then,
        "  and 1 more (-v names them)",
    ]
    assert told[0].endswith(f"/QM7.mqsc:{line}")
    every = " ".join(lintmdb(*asked, "-v").stdout.split())
    assert " ".join(" ".join([*names, otherwise]).split()) in every


def test_those_that_may_fare_worst_are_named_first(lintmdb: Run, tmp_path: Path) -> None:
    """If no cluster has the queue. A queue that may be meant by its name is named, too, in the plan as well."""
    member = "DEFINE CHANNEL(TO.{0}) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
    kept, lost = (f"DEFINE QLOCAL({name}.IN) BOTHRESH(3) BOQNAME({name}.BO)\n" for name in ("A", "B"))
    (tmp_path / "QM7.mqsc").write_text(_FATES + member.format("QM7") + kept)
    other = _FATES.replace("DEADQ('QM7.DEAD')", "DEADQ(' ')").replace("QM7", "QM8") + member.format("QM8") + lost
    (tmp_path / "QM8.mqsc").write_text(f"{other}DEFINE QLOCAL(B.BACKOUT)\n")
    shown = lintmdb("check", "--all-queues", tmp_path).stdout
    told = shown.partition("\nFate not known, and no finding: 2\n")[2].partition("\n\n")[0]
    worst = (
        "if no cluster has B.BO (B.BACKOUT may be meant): discarded (non-persistent), delivery is blocked (persistent)"
    )
    best = "if no cluster has A.BO: moved to the dead-letter queue QM7.DEAD"
    nowhere = " ".join(re.sub(r"  \S+\.mqsc:16$", "", told, flags=re.M).split())
    assert nowhere.startswith(f"queue B.IN at QM8 {worst} queue A.IN at QM7 {best} lintmdb plan --out")
    out = tmp_path.parent / f"{tmp_path.name}-plan"
    text = lintmdb("plan", "--all-queues", tmp_path, "--out", out).stdout
    assert f"what to change if no cluster has a queue is in {out}/if-undefined\n" in text
    meant, new = ((out / f"if-undefined/mq/{name}.mqsc").read_text() for name in ("QM8", "QM7"))
    assert "\nALTER QLOCAL('B.IN') BOQNAME('B.BACKOUT')\n" in meant
    assert "\n* DEFINE QLOCAL('B.BO')" in meant
    assert "\nDEFINE QLOCAL('A.BO')" in new
    assert "* DISPLAY QMGR REPOS REPOSNL and DISPLAY QCLUSTER('A.BO'), both at a full repository of C\n" in new
    before, back = ((out / f"if-undefined/{kind}/mq/QM8.mqsc").read_text() for kind in ("check", "undo"))
    assert "* First run if-undefined/check/mq/QM8.mqsc, and" in meant
    assert "\nDISPLAY QCLUSTER('B.BO')\n*   expected: not found." in before
    assert "\n*   DISPLAY QMGR REPOS REPOSNL\n*   DISPLAY QCLUSTER('B.BO')\n" in before
    assert "DISPLAY QUEUE('B.IN') BOQNAME\n*   expected: BOQNAME('B.BO')" in before
    assert "\nALTER QLOCAL('B.IN') BOQNAME('B.BO')\n" in back
    assert "\n* DELETE QLOCAL('B.BO')" in back
    lintmdb("plan", "--all-queues", tmp_path / "QM7.mqsc", "--out", out)
    assert sorted(file.name for file in (out / "if-undefined").rglob("*.mqsc")) == ["QM7.mqsc"] * 3
    plan = " ".join(text.split())  # which defines a dead-letter queue
    assert "it, too. If no cluster has B.BO (B.BACKOUT may be meant): moved to the dead-letter queue QM8.DEAD.2" in plan


def test_a_queue_of_the_name_that_is_in_no_cluster_is_named(lintmdb: Run, tmp_path: Path) -> None:
    """It may lack nothing but CLUSTER, so that nobody has to ask a full repository."""
    member = "DEFINE CHANNEL(TO.{0}) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
    read = "DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(A.BO)\n"
    (tmp_path / "QM7.mqsc").write_text(_FATES + member.format("QM7") + read)
    (tmp_path / "QM8.mqsc").write_text(_FATES.replace("QM7", "QM8") + member.format("QM8") + "DEFINE QLOCAL(A.BO)\n")
    told = " ".join(lintmdb("check", "--all-queues", tmp_path).stdout.split())
    assert "is defined at QM8" in told
    assert "and no export shows it in a cluster" in told


def test_which_rules_need_no_endpoint() -> None:
    """Those about a queue or queue manager that ask and show nothing else."""
    names = {rule.id for rule in load_rules() if needs_no_endpoint(rule)}
    assert {"MDB101", "MDB102", "MDB103", "MDB104", "MDB105", "MDB107", "MDB108", "MDB114"} <= names
    assert "MDB137" in names
    assert not names & {"MDB112", "MDB122", "MDB123", "MDB304", "MDB601"}


def test_a_deleted_queue_is_not_counted(lintmdb: Run, tmp_path: Path) -> None:
    """What a script defines and deletes again is not in the inventory."""
    (tmp_path / "QM1.mqsc").write_text("DEFINE QLOCAL('KEPT')\nDEFINE QLOCAL('OLD')\nDELETE QLOCAL('OLD')\n")
    listed = lintmdb("inventory", tmp_path).stdout
    assert "1 local queue" in listed
    assert "None" not in listed


_ALONE = f"""* Queue manager name: QM7
* Queue manager command level: (930/930)
* Command issued: dmpmqcfg -m QM7 -a
{ENDED}ALTER QMGR DEADQ('QM7.DEAD') FORCE
DEFINE QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') REPLACE
DEFINE QLOCAL('QM7.DEAD') REPLACE
DEFINE QLOCAL('STOCK.IN') BOTHRESH(0) BOQNAME('STOCK.BO') REPLACE
DEFINE QLOCAL('STOCK.BO') REPLACE
DEFINE QLOCAL('PLAIN') BOTHRESH(0) REPLACE
"""


def _alone(tmp_path: Path) -> Path:
    (tmp_path / "QM7.mqsc").write_text(_ALONE)
    return tmp_path / "QM7.mqsc"


def test_plans_for_queues_that_nobody_reads(lintmdb: Run, tmp_path: Path) -> None:
    """The plan repairs what check --all-queues finds, and says what the queues make of a poison message; without the
    option it says what is missing.
    """
    dump, out = _alone(tmp_path), tmp_path / "plan"
    planned = lintmdb("plan", "--all-queues", dump, "--out", out)
    assert planned.returncode == 0
    assert "STOCK.IN  BOTHRESH 0 -> 3  MDB104" in planned.stdout
    assert "queue STOCK.IN at QM7\n    loops for ever -> moved to the backout queue STOCK.BO\n" in planned.stdout
    assert "on 0" not in planned.stdout
    document = json.loads((out / "plan.json").read_text())
    assert document["flows"] == []
    assert document["queues"] == [
        {
            "environment": None,
            "queue_manager": "QM7",
            "queue": "STOCK.IN",
            "before": "loops_forever",
            "after": "moved_to_backout_queue",
        }
    ]
    stock = "queue STOCK.IN at QM7 | loops for ever | moved to the backout queue STOCK.BO"
    assert stock in (out / "plan.md").read_text()
    page = " ".join(re.sub(r"<[^>]+>", " ", (out / "plan.html").read_text()).split())
    assert "loops → moved aside STOCK.IN QM7" in page
    assert "Before loops for ever After moved to the backout queue STOCK.BO" in page
    left = lintmdb("check", "--all-queues", dump, "--change", out / "plan.json", "--quiet").stdout
    assert "MDB104" not in left
    without = lintmdb("plan", dump)
    assert without.returncode == 3
    assert "--all-queues" in without.stderr


def test_a_plan_tells_the_worst_queue_first_and_what_stays(lintmdb: Run, tmp_path: Path) -> None:
    """Queues whose fate is the same before and after are counted."""
    more = (
        "DEFINE QLOCAL('A.GONE') BOTHRESH(3) BOQNAME('GONE.BO') REPLACE\n"
        "DEFINE QLOCAL('A.INERT') BOTHRESH(0) BOQNAME('GOOD.BO') REPLACE\n"
    )
    (tmp_path / "QM7.mqsc").write_text(_FATES + more)
    planned = lintmdb("plan", "--all-queues", tmp_path / "QM7.mqsc")
    told = planned.stdout.partition("has every right reads\nthe queue\n")[2].split("\n\n")[0].splitlines()
    assert told == [
        "  queue A.INERT at QM7",
        "    loops for ever -> moved to the backout queue GOOD.BO",
        "  queue LOOP at QM7",
        "    loops for ever -> moved to the backout queue LOOP.BACKOUT",
        "  queue A.GONE at QM7",
        "    moved to the dead-letter queue QM7.DEAD -> moved to the backout queue GONE.BO",
        "  queue A.SHORT at QM7",
        "    as before: moved to the backout queue SMALL.BO",
        "    The longest message: moved to the dead-letter queue QM7.DEAD -> moved to the backout queue",
        "    SMALL.BO.",
        "  the same as before on 1 queue",
    ]


def test_a_plan_says_who_needs_rights_on_a_new_queue(lintmdb: Run, tmp_path: Path) -> None:
    """Nobody knows who reads these queues, so nothing is granted on the new backout queue, and the plan says so."""
    dump, out = tmp_path / "QM7.mqsc", tmp_path / "plan"
    dump.write_text(_ALONE.replace("BOQNAME('STOCK.BO')", "BOQNAME('STOCK.BACK')"))
    planned = lintmdb("plan", "--all-queues", dump, "--out", out)
    needed = "Each user whose messages are moved to STOCK.BACK needs put and passall there; on a backout queue get, inq"
    told = f"{needed} and setall, too. These changes add no rights there; a generic profile may already grant them."
    assert told in " ".join(planned.stdout.split())
    assert told in (out / "plan.md").read_text()
    assert told in (out / "plan.html").read_text()
    assert told in " ".join((out / "mq" / "QM7.mqsc").read_text().replace("*", " ").split())


def test_diff_judges_queues_that_nobody_reads(lintmdb: Run, tmp_path: Path) -> None:
    """A change of a queue that no endpoint reads is a change, too."""
    dump = _alone(tmp_path)
    changed = lintmdb("diff", "--all-queues", dump, "--set", "queue STOCK.IN at QM7: BOTHRESH=3")
    assert changed.returncode == 0
    assert "resolved: MDB104" in changed.stdout
    worse = lintmdb("diff", "--all-queues", dump, "--set", "queue PLAIN: BOQNAME=STOCK.BO")
    assert worse.returncode == 1
    assert "MDB104 backout-queue-inert" in worse.stdout
    assert lintmdb("diff", dump, "--set", "queue PLAIN: BOTHRESH=3").returncode == 3


_REQUIRED = f"""* Queue manager name: QM1
* Queue manager platform: UNIX
* Command issued: dmpmqcfg -m QM1 -a
{ENDED}ALTER QMGR DEADQ('DLQ')
DEFINE QLOCAL('DLQ')
DEFINE QLOCAL('IN') BOTHRESH(3)
"""


@pytest.mark.parametrize("way", ["files", "change"])
def test_a_queue_that_loses_its_backout_attributes_is_still_judged(lintmdb: Run, tmp_path: Path, way: str) -> None:
    """The change that switches the protection off must not be what keeps it from being noticed."""
    before, after, change = (tmp_path / name for name in ("before.mqsc", "after.mqsc", "change.mqsc"))
    before.write_text(_REQUIRED)
    after.write_text(_REQUIRED.replace("BOTHRESH(3)", "BOTHRESH(0)"))
    change.write_text("ALTER QLOCAL('IN') BOTHRESH(0)\n")
    later = [after] if way == "files" else ["--change", change]
    result = lintmdb("diff", before, *later, "--all-queues", cwd=tmp_path)
    assert result.returncode == 1, result.stdout
    assert (
        "queue IN at QM1\n  one poison message: moved to the dead-letter queue DLQ -> loops for ever" in result.stdout
    )
    assert "MDB101" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("1 of 1 queue with another fate (1 worse); findings: 1 new, ")
    back = lintmdb("diff", after, before, "--all-queues", cwd=tmp_path)
    assert "one poison message: loops for ever -> moved to the dead-letter queue DLQ" in back.stdout
    assert back.returncode == 0, back.stdout
    if way == "change":
        assert lintmdb("check", before, *later, "--all-queues", "-q", cwd=tmp_path).returncode == 1


def test_every_format_of_a_diff_has_the_fates_of_queues(lintmdb: Run, tmp_path: Path) -> None:
    """As those of flows."""
    (tmp_path / "before.mqsc").write_text(_REQUIRED)
    (tmp_path / "after.mqsc").write_text(_REQUIRED.replace("BOTHRESH(3)", "BOTHRESH(0)"))
    shown = {
        form: lintmdb("diff", "before.mqsc", "after.mqsc", "--all-queues", "--format", form, cwd=tmp_path).stdout
        for form in ("json", "markdown", "html")
    }
    (fate,) = json.loads(shown["json"])["fates"]
    assert (fate["subject"]["name"], fate["after"]) == ("IN", "loops for ever")
    assert "queue IN at QM1" in shown["markdown"]
    assert "1 queue has another fate" in shown["markdown"]
    assert "1 queue has another fate" in shown["html"]
    assert "queue IN at QM1" in re.sub(r"<[^>]*>", "", shown["html"])


def test_trace_says_what_it_needs(lintmdb: Run, tmp_path: Path) -> None:
    """A queue manager alone has no endpoint to deliver messages to; its queues can be taken by themselves."""
    traced = lintmdb("trace", _alone(tmp_path))
    assert traced.returncode == 3
    assert "or take the queues by themselves: --all-queues" in traced.stderr
    told = lintmdb("trace", _alone(tmp_path), "--all-queues").stdout
    assert told.startswith("queue ")
    assert "MQ client      The client gets the poison message" in told
    assert "bean" not in told
    (tmp_path / "unset").mkdir()
    (tmp_path / "unset/QM2.mqsc").write_text("* Queue manager name: QM2\nDEFINE QLOCAL(A) BOTHRESH(0)\n")
    nothing = lintmdb("trace", tmp_path / "unset", "--all-queues")
    assert nothing.returncode == 3
    assert "no endpoint, and no local queue with BOTHRESH or BOQNAME\n" in nothing.stderr


def test_no_command_names_a_guessed_queue_manager(lintmdb: Run, tmp_path: Path) -> None:
    """A file that does not say whose it is has a name of its own, and no queue manager is called like that."""
    dump = tmp_path / "export-november.txt"
    dump.write_text("DEFINE QLOCAL(IN) BOTHRESH(3) BOQNAME(OUT)\n")
    shown = lintmdb("check", "--all-queues", dump).stdout
    assert "dmpmqcfg -m NAME -a" in shown
    assert "1 queue that no endpoint reads" in shown
    named = lintmdb("check", "--all-queues", "--queue-manager", f"QM5={dump}").stdout
    assert "dmpmqcfg -m QM5 -a" in named


def test_no_plan_is_offered_for_what_is_changed_already(lintmdb: Run, tmp_path: Path) -> None:
    """The command would plan for the exports without the change."""
    dump = _alone(tmp_path)
    assert "lintmdb plan" in lintmdb("check", "--all-queues", dump).stdout
    changed = lintmdb("check", "--all-queues", dump, "--set", "queue PLAIN: BOQNAME=STOCK.BO").stdout
    assert "MDB104" in changed
    assert "lintmdb plan" not in changed


def test_the_page_groups_queues_by_their_fate(lintmdb: Run, tmp_path: Path) -> None:
    """Each queue has a row and a card, with findings or without, as many as the bar counts."""
    (tmp_path / "QM7.mqsc").write_text(_FATES)
    page = lintmdb("check", "--all-queues", tmp_path / "QM7.mqsc", "--format", "html").stdout
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert (
        "For a JMS client that never gives up and has every right, a poison message loops for ever on 1 of 3 queues."
        in text
    )
    assert "Worst queues loops for ever LOOP at QM7" in text
    assert "Loops (1)" in text
    assert "Moved aside (2)" in text
    assert "queue MOVED at QM7 A poison message is moved to the backout queue GOOD.BO after " in text
    assert "Worst flows" not in text
    (tmp_path / "QM7.mqsc").write_text(f"* Queue manager name: QM7\n* Command issued: dmpmqcfg -m QM7 -a\n{_FATES}")
    page = lintmdb("check", "--all-queues", tmp_path / "QM7.mqsc", "--format", "html").stdout
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Nothing is missing : every verdict is settled. Rights are not judged on queues that no endpoint" in text


def test_what_is_missing_is_named_for_each_queue_manager(lintmdb: Run, tmp_path: Path) -> None:
    """Each platform has its own command, and a queue is called a queue; advice about an unknown queue is left out."""
    mvs = "ALTER QMGR                                                             -\n DEADQ('DLQ')\n"
    queue = " QSGDISP(QMGR) STGCLASS('DEFAULT') BOTHRESH(3) BOQNAME('GONE')"
    (tmp_path / "CSQ1.txt").write_text(f"{mvs}DEFINE NOREPLACE QLOCAL('IN'){queue}\n")
    (tmp_path / "QM2.mqsc").write_text(
        "ALTER QMGR DEADQ(' ')\nDEFINE QLOCAL('OTHER') BOTHRESH(3) BOQNAME('OTHER.BO')\n"
    )
    names = [f"--queue-manager={name}={tmp_path / file}" for name, file in (("CSQ1", "CSQ1.txt"), ("QM2", "QM2.mqsc"))]
    shown = lintmdb("check", "--all-queues", "-v", *names).stdout
    assert "Add the output of: CSQUTIL PARM='CSQ1'" in shown
    assert ", and of: dmpmqcfg -m QM2 -a" in shown
    assert "of the queue of" not in shown
    assert "MDB114" in shown
    assert "(not in the exports)" not in shown


def test_what_queues_lack_is_said_of_queues(lintmdb: Run, tmp_path: Path) -> None:
    """A dump without its platform does not tell the default of HARDENBO, and there are no flows to count."""
    dump = tmp_path / "QM9.mqsc"
    dump.write_text(
        f"* Queue manager name: QM9\n* Command issued: dmpmqcfg -m QM9 -a\n{ENDED}ALTER QMGR DEADQ(' ')\n"
        "DEFINE QLOCAL('A.IN') BOTHRESH(3) REPLACE\nDEFINE QLOCAL('B.IN') BOTHRESH(3) REPLACE\n"
    )
    text = lintmdb("check", dump, "--all-queues").stdout
    assert "HARDENBO of 2 queues (A.IN, B.IN) at QM9" in text
    assert "checks clear, " in lintmdb("check", dump, "--all-queues", "--format", "markdown").stdout


def test_queues_with_another_cause_are_not_the_same(lintmdb: Run, tmp_path: Path) -> None:
    """An alias on the way, or what refuses a put elsewhere, takes another repair: each has its own block."""
    (tmp_path / "QM1.mqsc").write_text(
        f"* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1 -a\n{ENDED}ALTER QMGR DEADQ('D')\n"
        "DEFINE QLOCAL('D') MAXMSGL(99999999)\n"
        "DEFINE QLOCAL('A') BOTHRESH(3) BOQNAME('A.BO')\nDEFINE QLOCAL('A.BO') PUT(DISABLED)\n"
        "DEFINE QLOCAL('B') BOTHRESH(3) BOQNAME('B.BO')\nDEFINE QALIAS('B.BO') TARGET('B.REAL')\n"
        "DEFINE QLOCAL('B.REAL') PUT(DISABLED)\n"
        "DEFINE QLOCAL('C') BOTHRESH(3) BOQNAME('C.BO')\nDEFINE QREMOTE('C.BO') RNAME('X') RQMNAME('QM9')\n"
        "DEFINE QLOCAL('E') BOTHRESH(3) BOQNAME('E.BO')\nDEFINE QREMOTE('E.BO') RNAME('X') RQMNAME('QM9') XMITQ('T')\n"
        "DEFINE QLOCAL('T') USAGE(XMITQ) PUT(DISABLED)\n"
    )
    shown = lintmdb("check", tmp_path, "--all-queues").stdout
    assert "The same on" not in shown
    assert all(f"queue {name} at QM1" in shown for name in "ABCE")


_MEMBER = """* Queue manager name: CSQ1
* Queue manager platform: MVS
* Command issued: dmpmqcfg -m CSQ1 -a
ALTER QMGR +
*  QSGNAME(QSG1) +
   DEADQ(DEAD)
DEFINE QLOCAL(DEAD) MAXMSGL(104857600)
DEFINE QLOCAL(SP.IN) QSGDISP(SHARED) CFSTRUCT(APP1) BOTHRESH(3) BOQNAME(SP.IN.BO)
DEFINE QLOCAL(SP.IN.BO) QSGDISP(SHARED) CFSTRUCT(APP1)
"""


@pytest.mark.parametrize(
    "clashing", ["QLOCAL(SP.IN) BOTHRESH(3)", "QLOCAL(SP.IN.BO)", "QLOCAL(DEAD) QSGDISP(SHARED) CFSTRUCT(APP1)"]
)
def test_a_private_and_a_shared_queue_of_one_name_are_found(clashing: str, lintmdb: Run, tmp_path: Path) -> None:
    """Whether the application reads that name, or its poison messages go there, although the rule is about flows."""
    dump = tmp_path / "CSQ1.mqsc"
    dump.write_text(_MEMBER)
    assert not {rule for rule, _ in _found(lintmdb, dump, "--all-queues") if rule == "MDB137"}
    dump.write_text(f"{_MEMBER}DEFINE {clashing}\n")
    assert ("MDB137", "SP.IN") in _found(lintmdb, dump, "--all-queues")
    shown = " ".join(lintmdb("check", "--all-queues", dump).stdout.split())
    assert (
        "SP.IN, or a queue to which its poison messages go, exists both"
        in lintmdb("check", "--all-queues", dump, "--format", "json").stdout
    )
    assert "MDB137 A private and a shared queue have the same name" in shown


def test_a_page_of_queues_has_no_columns_for_endpoints(lintmdb: Run, dump: Path, tmp_path: Path) -> None:
    """And offers nothing to group or sort by that no queue has; it says which queues it lists."""
    page = tmp_path / "queues.html"
    lintmdb("check", dump, "--all-queues", "--format", f"html={page}")
    text = page.read_text()
    assert re.findall(r'columnheader" class="(\w+)"', text) == ["fate", "queue", "manager", "findings", "change"]
    assert not set(re.findall(r'<option value="(\w+)"', text)) & {"application", "server", "endpoint", "bean"}
    assert "Local queues with BOTHRESH(0) and a blank BOQNAME are not listed" in " ".join(text.split())


def test_an_export_is_asked_for_once(lintmdb: Run, tmp_path: Path) -> None:
    """What else is in its output says so."""
    script = tmp_path / "QM1.mqsc"
    script.write_text("* Queue manager name: QM1\nDEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(B) MAXMSGL(100)\n")
    shown = lintmdb("check", "--all-queues", script).stdout
    assert "(in that output, too)" in " ".join(shown.split())
    assert shown.count("Add the output of: dmpmqcfg -m QM1 -a") == 1


def test_a_loop_names_the_queue_that_it_goes_by(lintmdb: Run, tmp_path: Path) -> None:
    """A queue whose backout queue moves the message back."""
    dump = tmp_path / "QM1.mqsc"
    head = DUMP.replace("QM7", "QM1").partition("DEFINE QLOCAL('GOOD')")[0]
    dump.write_text(f"{head}DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(B)\nDEFINE QLOCAL(B) BOTHRESH(3) BOQNAME(A)\n")
    shown = lintmdb("diff", dump, "--all-queues", "--set", "queue A at QM1: BOQNAME=DEAD").stdout
    assert "loops for ever by way of B -> " in shown


_ALIASES = """* Queue manager name: QM7
* Queue manager platform: UNIX
* Command issued: dmpmqcfg -m QM7 -a
ALTER QMGR DEADQ('DEAD') MAXMSGL(104857600) FORCE
DEFINE QLOCAL('DEAD') MAXMSGL(104857600) REPLACE
DEFINE QLOCAL('TO.TOPIC') BOTHRESH(3) BOQNAME('A.TOPIC') REPLACE
DEFINE QALIAS('A.TOPIC') TARGTYPE(TOPIC) TARGET('PRICES') REPLACE
DEFINE TOPIC('PRICES') TOPICSTR('prices') REPLACE
DEFINE QLOCAL('TO.NOTHING') BOTHRESH(3) BOQNAME('A.NOTHING') REPLACE
DEFINE QALIAS('A.NOTHING') TARGET('GONE') REPLACE
DEFINE QLOCAL('TO.NO.TOPIC') BOTHRESH(3) BOQNAME('A.NO.TOPIC') REPLACE
DEFINE QALIAS('A.NO.TOPIC') TARGTYPE(TOPIC) TARGET('GONE') REPLACE
DEFINE QLOCAL('TO.NOTHING.EITHER') BOTHRESH(3) BOQNAME('A.NOTHING.EITHER') REPLACE
DEFINE QALIAS('A.NOTHING.EITHER') TARGET('GONE.TOO') REPLACE
* Script ended on 2026-03-06   at 09.14.05
"""


def test_a_message_that_is_published_is_told_as_that(lintmdb: Run, tmp_path: Path) -> None:
    """No export says who subscribes, which decides whether a queue keeps it."""
    (tmp_path / "QM7.mqsc").write_text(_ALIASES)
    shown = lintmdb("check", "--all-queues", tmp_path / "QM7.mqsc").stdout
    says = "A poison message is published on topic PRICES. Whether any queue keeps it depends on who subscribes"
    assert f"{says} (DISPLAY SUB)." in " ".join(shown.split())
    assert "not decided" not in shown


def test_queues_that_other_changes_repair_are_told_apart(lintmdb: Run, tmp_path: Path) -> None:
    """An alias of a queue that is missing gets that queue, and one of a missing topic cannot."""
    (tmp_path / "QM7.mqsc").write_text(_ALIASES)
    shown = lintmdb("check", "--all-queues", tmp_path / "QM7.mqsc").stdout
    titles = [line for line in shown.splitlines() if line.startswith("queue TO.NO")]
    assert titles == ["queue TO.NO.TOPIC at QM7", "queue TO.NOTHING at QM7"]
    assert "  The same on 1 more queue: queue TO.NOTHING.EITHER at QM7\n" in shown
    assert "option  QM7  TO.NO.TOPIC.BACKOUT  new queue" in shown


def test_queues_that_nothing_looks_at_are_counted(lintmdb: Run, dump: Path) -> None:
    """A backout queue and the dead-letter queue are looked at, and so is a queue that an endpoint reads."""
    (dump.parent / "lintmdb.toml").write_text("")

    def read(*paths: object) -> str:
        return " ".join(lintmdb("check", *paths, "--all-queues").stdout.split())

    kept = "a JMS client would get a poison message there again and again"
    assert f"1 local queue whose BOTHRESH is 0 and BOQNAME blank is not judged: {kept} (-v lists it), " in read(dump)
    dump.write_text(f"{DUMP}DEFINE QLOCAL('BARE') BOTHRESH(0) BOQNAME(' ')\n")
    assert f"2 local queues whose BOTHRESH is 0 and BOQNAME blank are not judged: {kept} (-v lists them), " in read(
        dump
    )
    dump.write_text(DUMP.replace("DEFINE QLOCAL('PLAIN')\n", ""))
    assert "BOTHRESH is 0" not in read(dump)
    assert "BOTHRESH is 0" not in read("fixtures/all-families")


def test_queues_that_channels_or_other_queue_managers_use_are_not_counted(lintmdb: Run, tmp_path: Path) -> None:
    """A channel reads a transmission queue, and messages come to the end of a remote backout queue."""
    way = "DEFINE QREMOTE(A.BO) RNAME(FAR) RQMNAME(QM2) XMITQ(WAY)\nDEFINE QLOCAL(WAY) USAGE(XMITQ)\n"
    there = "* Queue manager name: QM2\nDEFINE QLOCAL(FAR)\nDEFINE QLOCAL(OTHER.WAY) USAGE(XMITQ)\n"
    (tmp_path / "QM1.mqsc").write_text(f"* Queue manager name: QM1\nDEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(A.BO)\n{way}")
    (tmp_path / "QM2.mqsc").write_text(there)
    shown = lintmdb("check", tmp_path, "--all-queues").stdout
    assert "queue that no endpoint reads" in shown
    assert "BOTHRESH is 0" not in shown


def test_queues_that_nothing_looks_at_are_listed(lintmdb: Run, dump: Path) -> None:
    """A misspelt BOQNAME may be among them, so each has its file and line."""
    (dump.parent / "lintmdb.toml").write_text("")
    dump.write_text(f"{DUMP}DEFINE QLOCAL('BARE') BOTHRESH(0) BOQNAME(' ')\n")
    lines = {
        name: number
        for number, text in enumerate(dump.read_text().splitlines(), 1)
        for name in ("BARE", "PLAIN")
        if f"DEFINE QLOCAL('{name}')" in text
    }
    document = json.loads(lintmdb("check", dump, "--all-queues", "--format", "json").stdout)
    listed = [
        (entry["subject"]["queue_manager"], entry["subject"]["name"], entry["location"]["line"])
        for entry in document["unset_queues"]
    ]
    assert listed == [("QM7", name, line) for name, line in sorted(lines.items())]
    assert {entry["location"]["path"] for entry in document["unset_queues"]} == {dump.as_posix()}
    assert "unset_queues" not in json.loads(lintmdb("check", dump, "--format", "json").stdout)
    shown = lintmdb("check", dump, "--all-queues", "-v").stdout
    assert "Not judged: 2 local queues with BOTHRESH(0) and a blank BOQNAME\n" in shown
    for name, line in lines.items():
        (found,) = [text for text in shown.splitlines() if text.startswith(f"  queue {name} at QM7")]
        assert found.endswith(f"{dump.name}:{line}")
    assert "Not judged: " not in lintmdb("check", dump, "--all-queues").stdout


def test_programs_are_told_the_fates(lintmdb: Run, tmp_path: Path) -> None:
    """JSON has the queues with the worst fate first, those without findings too; CSV has the fate in each row about a
    queue, and in each about a flow.
    """
    (tmp_path / "QM7.mqsc").write_text(_FATES.replace("DEADQ('QM7.DEAD')", "DEADQ(' ')") + _NOWHERE)
    report = json.loads(lintmdb("check", "--all-queues", tmp_path / "QM7.mqsc", "--format", "json").stdout)
    told = {entry["subject"]["name"]: entry["fates"] for entry in report["queues"]}
    assert list(told) == ["NOWHERE", "LOOP", "A.SHORT", "MOVED"]
    assert told["MOVED"] == [
        {
            "persistent": None,
            "fate": "moved_to_backout_queue",
            "target": "GOOD.BO",
            "deliveries": 3,
            "if_user_may_put": False,
            "otherwise": None,
            "missing": [],
        }
    ]
    assert [(fate["persistent"], fate["fate"]) for fate in told["NOWHERE"]] == [
        (False, "discarded"),
        (True, "delivery_blocked"),
    ]
    table = lintmdb("check", "--all-queues", tmp_path / "QM7.mqsc", "--format", "csv").stdout
    fates = {(row["name"], row["fate"]) for row in csv.DictReader(io.StringIO(table))}
    assert fates == {
        ("NOWHERE", "discarded (non-persistent), delivery is blocked (persistent)"),
        ("LOOP", "loops for ever"),
        ("A.SHORT", "moved to the backout queue SMALL.BO"),
        ("CLOSED", ""),
        ("QM7", ""),
    }
    table = lintmdb("check", "fixtures/backout-inert", "--format", "csv").stdout
    assert {row["fate"] for row in csv.DictReader(io.StringIO(table)) if row["rule"] == "MDB104"} == {"loops for ever"}
    assert "queues" not in json.loads(lintmdb("check", "fixtures/backout-inert", "--format", "json").stdout)


_NOWHERE = "DEFINE QLOCAL('NOWHERE') BOTHRESH(3) BOQNAME('GONE') REPLACE\n"


def test_the_plan_tells_the_fates_of_both_kinds_of_message(lintmdb: Run, tmp_path: Path) -> None:
    """Where they differ before or after the changes."""
    (tmp_path / "QM7.mqsc").write_text(_FATES.replace("DEADQ('QM7.DEAD')", "DEADQ(' ')") + _NOWHERE)
    planned = lintmdb("plan", "--all-queues", tmp_path / "QM7.mqsc").stdout
    both = "discarded (non-persistent), delivery is blocked (persistent)"
    assert f"queue NOWHERE at QM7\n    {both} -> moved to the backout queue\n      GONE\n" in planned
    assert "queue LOOP at QM7\n    loops for ever -> moved to the backout queue LOOP.BACKOUT\n" in planned


def test_queues_with_other_commands_are_not_the_same(lintmdb: Run, tmp_path: Path) -> None:
    """A shared queue takes its repair with QSGDISP(SHARED), a private one without."""
    private, shared = "QSGDISP(QMGR)", "QSGDISP(SHARED) CFSTRUCT(CF)"
    (tmp_path / "QM1.mqsc").write_text(
        "* Queue manager name: QM1\n* Queue manager platform: ZOS\n"
        + "".join(
            f"DEFINE QLOCAL({name}.IN) {disposition} BOTHRESH(0) BOQNAME(BO)\n"
            for name, disposition in (("A", private), ("B", private), ("C", shared), ("D", shared))
        )
        + f"DEFINE QLOCAL(BO) {shared}\n"
    )
    asked = ("check", "--all-queues", "--select", "MDB104", tmp_path)
    shown = lintmdb(*asked).stdout
    assert re.findall(r"The same on .*", shown) == [
        "The same on 1 more queue: queue B.IN at QM1",
        "The same on 1 more queue: queue D.IN at QM1",
    ]
    assert "ALTER QLOCAL('C.IN') QSGDISP(SHARED) BOTHRESH" in lintmdb(*asked, "-v").stdout


def test_moves_that_rest_on_rights_are_named(lintmdb: Run, tmp_path: Path) -> None:
    """The summary counts them; with -v each queue is named, and JSON has the condition with the fate."""
    (tmp_path / "QM7.mqsc").write_text(_FATES)
    observed = tmp_path / "observed.yaml"
    observed.write_text("user: app\n")
    arguments = ("check", "--all-queues", tmp_path / "QM7.mqsc", "--observations", observed)
    told = " ".join(lintmdb(*arguments, "-v").stdout.split())
    assert "Moved aside only if its user has put and passall there: 2 " in told
    assert "queue MOVED at QM7 GOOD.BO" in told
    report = json.loads(lintmdb(*arguments, "--format", "json").stdout)
    fates = {entry["subject"]["name"]: entry["fates"][0]["if_user_may_put"] for entry in report["queues"]}
    assert fates["MOVED"] is True
    assert fates["LOOP"] is False


def test_a_queue_that_several_name_is_made_once_if_no_cluster_has_it(lintmdb: Run, tmp_path: Path) -> None:
    """And is deleted only when they are stopped, which go on naming it."""
    member = "DEFINE CHANNEL(TO.QM7) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
    queues = "".join(f"DEFINE QLOCAL({name}.IN) BOTHRESH(3) BOQNAME(SHARED.BO)\n" for name in "AB")
    (tmp_path / "QM7.mqsc").write_text(_FATES + member + queues)
    out = tmp_path / "plan"
    lintmdb("plan", "--all-queues", tmp_path / "QM7.mqsc", "--out", out)
    made, before, back = ((out / f"if-undefined/{kind}mq/QM7.mqsc").read_text() for kind in ("", "check/", "undo/"))
    assert made.count("DEFINE QLOCAL('SHARED.BO')") == 1
    assert "The commands above do that here, too." in made
    assert before.count("\nDISPLAY QCLUSTER('SHARED.BO')") == 1
    assert back.count("\nDELETE QLOCAL('SHARED.BO')") == 1
    first = " ".join(back.replace("\n* ", " ").split())
    assert first.index("First stop what reads A.IN and B.IN.") < first.index("DELETE QLOCAL('SHARED.BO')")
    change = ("--change", out / "if-undefined/mq/QM7.mqsc")
    assert "refused" not in lintmdb("diff", "--all-queues", tmp_path / "QM7.mqsc", *change).stdout


def test_a_queue_on_which_rights_are_missing_is_not_named_first(lintmdb: Run, tmp_path: Path) -> None:
    """Messages would be lost there: a new queue comes with the rights."""
    member = "DEFINE CHANNEL(TO.QM7) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
    queues = "DEFINE QLOCAL(C.IN) BOTHRESH(3) BOQNAME(C.BOQ)\nDEFINE QLOCAL(C.BO)\n"
    reads = "SET AUTHREC PROFILE('C.IN') OBJTYPE(QUEUE) PRINCIPAL('app1') AUTHADD(GET,INQ,BROWSE)\n"
    puts = "SET AUTHREC PROFILE('C.BO') OBJTYPE(QUEUE) PRINCIPAL('app1') AUTHADD({})\n"
    named = tmp_path / "observed.yaml"
    named.write_text("users:\n- {user: app1, groups: []}\nqueues:\n- {queue: C.IN, user: app1}\n")
    out = tmp_path / "plan"
    for rights, first in (
        ("PUT", "\nDEFINE QLOCAL('C.BOQ')"),
        ("PUT,PASSALL", "\nALTER QLOCAL('C.IN') BOQNAME('C.BO')"),
    ):
        (tmp_path / "QM7.mqsc").write_text(_FATES + member + queues + reads + puts.format(rights) + WHOLE)
        lintmdb("plan", "--all-queues", tmp_path / "QM7.mqsc", "--observations", named, "--out", out)
        assert first in (out / "if-undefined/mq/QM7.mqsc").read_text()


_CHECK = "If the script to run before this one does not show them"


@pytest.mark.parametrize(
    ("records", "told", "rights"),
    [
        (
            {"C.BO": "PUT,PASSALL,INQ"},
            "get and setall, too (MDB119). {}, this adds them to the record that app1 has there:",
            "GET,SETALL",
        ),
        (
            {"C.**": "PUT,PASSALL,BROWSE"},
            (
                "get, inq and setall, too (MDB119). {}, this makes a record of this very name, which keeps what a wider"
                " profile grants (browse, passall and put):"
            ),
            "GET,INQ,SETALL,BROWSE,PASSALL,PUT",
        ),
        ({"C.**": "GET,INQ,PUT,PASSALL,SETALL"}, "", ""),
    ],
)
def test_what_a_user_lacks_on_the_queue_that_may_be_meant(
    lintmdb: Run, tmp_path: Path, records: dict[str, str], told: str, rights: str
) -> None:
    """Its messages can be moved there, but IBM asks for more. A new record hides what a wider profile grants."""
    member = "DEFINE CHANNEL(TO.QM7) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\n"
    queues = "DEFINE QLOCAL(C.IN) BOTHRESH(3) BOQNAME(C.BOQ)\nDEFINE QLOCAL(C.BO)\n"
    grants = "".join(
        f"SET AUTHREC PROFILE('{profile}') OBJTYPE(QUEUE) PRINCIPAL('app1') AUTHADD({granted})\n"
        for profile, granted in {"C.IN": "GET,INQ,BROWSE", **records}.items()
    )
    dump, named, out = tmp_path / "QM7.mqsc", tmp_path / "observed.yaml", tmp_path / "plan"
    dump.write_text(_FATES + member + queues + grants + WHOLE)
    named.write_text("users:\n- {user: app1, groups: []}\nqueues:\n- {queue: C.IN, user: app1}\n")
    lintmdb("plan", "--all-queues", dump, "--observations", named, "--out", out)
    made = " ".join((out / "if-undefined/mq/QM7.mqsc").read_text().replace("\n*", "").replace(" +", "").split())
    asked = (out / "if-undefined/check/mq/QM7.mqsc").read_text()
    assert "ALTER QLOCAL('C.IN') BOQNAME('C.BO')" in made
    if not told:
        assert _CHECK not in made
        assert "ENTAUTH" not in asked
        return
    grant = f"SET AUTHREC PROFILE('C.BO') OBJTYPE(QUEUE) PRINCIPAL('app1') AUTHADD({rights})"
    assert f"IBM asks for {told.format(_CHECK)} {grant} ALTER" in made
    assert "DISPLAY ENTAUTH PRINCIPAL('app1') OBJTYPE(QUEUE) OBJNAME('C.BO')\n" in asked
