"""The baseline: what is in it does not count, it only shrinks, and a swap is seen."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from lintmdb.run.baseline import FORMAT, Entry, LostReader, ReadExport, find_stale, read_baseline
from tests.support.command import Run
from tests.support.project import FIXTURES
from tests.support.scenario_folders import scenario_folder

INERT = FIXTURES / "backout-inert"


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A folder with exports that may be edited."""
    shutil.copytree(INERT, tmp_path / "exports")
    return tmp_path


def edit(folder: Path, old: str, new: str) -> None:
    """Change the queue manager's export."""
    file = folder / "exports" / "mq" / "QM1.mqsc"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def test_what_is_in_the_baseline_does_not_count(lintmdb: Run, workplace: Path) -> None:
    """After write, check passes; findings of the baseline are counted and listed as suppressed."""
    written = lintmdb("baseline", "write", "base.jsonl", "exports", cwd=workplace)
    assert (written.returncode, written.stdout) == (0, "base.jsonl: 2 findings\n")
    result = lintmdb("check", "exports", "--baseline", "base.jsonl", cwd=workplace)
    assert (result.returncode, result.stderr) == (0, "")
    assert "Left out  2 in the baseline\n" in result.stdout
    document = json.loads(
        lintmdb("check", "exports", "--baseline", "base.jsonl", "--format", "json", cwd=workplace).stdout
    )
    assert [entry["suppression"]["kind"] for entry in document["suppressed"]] == ["baseline", "baseline"]
    assert [entry["suppression"]["line"] for entry in document["suppressed"]] == [2, 3]
    (workplace / "lintmdb.toml").write_text('baseline = "base.jsonl"\ninputs = ["exports"]\n')
    assert lintmdb("check", cwd=workplace).returncode == 0


def test_the_file_is_sorted_and_readable(lintmdb: Run, workplace: Path) -> None:
    """One finding a line with rule, subject and fingerprint, sorted; moved lines change nothing."""
    lintmdb("baseline", "write", "base.jsonl", "exports", cwd=workplace)
    lines = (workplace / "base.jsonl").read_text().splitlines()
    assert json.loads(lines[0]) == {"schema": FORMAT}
    entries = [json.loads(line) for line in lines[1:]]
    assert [entry["rule"] for entry in entries] == ["MDB104", "MDB304"]
    assert entries[0]["subject"] == {
        "kind": "queue", "name": "ORDERS.IN", "queue_manager": "QM1", "queue": "ORDERS.IN",
    }  # fmt: skip
    edit(workplace, "ALTER QMGR", "* a line more\nALTER QMGR")
    lintmdb("baseline", "write", "again.jsonl", "exports", cwd=workplace)
    assert (workplace / "again.jsonl").read_text().splitlines() == lines


def test_write_never_overwrites(lintmdb: Run, workplace: Path) -> None:
    """A second write is refused: a baseline grows only where somebody asks for it."""
    lintmdb("baseline", "write", "base.jsonl", "exports", cwd=workplace)
    again = lintmdb("baseline", "write", "base.jsonl", "exports", cwd=workplace)
    assert again.returncode == 2
    assert "base.jsonl: already exists. Run lintmdb baseline update" in again.stderr


def test_a_swap_is_seen(lintmdb: Run, workplace: Path) -> None:
    """One finding gone and another there, at the same count: the new one fails, the old one is reported as stale."""
    lintmdb("baseline", "write", "base.jsonl", "exports", "--select", "MDB104,MDB101", cwd=workplace)
    edit(workplace, "BOQNAME('ORDERS.BACKOUT')", "BOQNAME(' ')")
    result = lintmdb("check", "exports", "--select", "MDB101,MDB104", "--baseline", "base.jsonl", cwd=workplace)
    assert result.returncode == 1
    assert "MDB101" in result.stdout
    assert "base.jsonl:2: MDB104 queue ORDERS.IN at QM1 is in the baseline but is no longer found" in result.stderr
    document = json.loads(
        lintmdb("check", "exports", "--format", "json", "--baseline", "base.jsonl", cwd=workplace).stdout
    )
    assert [notice["kind"] for notice in document["notices"]] == ["stale_baseline_entry"]


def test_what_a_change_resolves_is_not_stale(lintmdb: Run, workplace: Path) -> None:
    """The exports still hold it, so nobody is told to remove it now; what is gone without the change is stale."""
    lintmdb("baseline", "write", "base.jsonl", "exports", "--select", "MDB104", cwd=workplace)
    change = ("--set", "queue ORDERS.IN at QM1: BOTHRESH=3")
    asked = ("check", "exports", "--select", "MDB101,MDB104", "--baseline", "base.jsonl")
    result = lintmdb(*asked, *change, cwd=workplace)
    assert (
        "base.jsonl:2: MDB104 queue ORDERS.IN at QM1 is in the baseline, and the change resolves it. When the change "
        "is in production, lintmdb baseline update base.jsonl EXPORT removes it"
    ) in result.stderr
    assert "no longer found" not in result.stderr
    document = json.loads(lintmdb(*asked, *change, "--format", "json", cwd=workplace).stdout)
    assert [notice["kind"] for notice in document["notices"]] == ["resolved_baseline_entry"]
    edit(workplace, "BOQNAME('ORDERS.BACKOUT')", "BOQNAME(' ')")
    gone = lintmdb(*asked, *change, cwd=workplace)
    assert "no longer found" in gone.stderr
    assert "resolves" not in gone.stderr


def test_update_only_shrinks(lintmdb: Run, workplace: Path) -> None:
    """update removes what is gone and leaves out what is new, unless --accept-new is given."""
    lintmdb("baseline", "write", "base.jsonl", "exports", "--select", "MDB104", cwd=workplace)
    edit(workplace, "BOQNAME('ORDERS.BACKOUT')", "BOQNAME(' ')")
    shrunk = lintmdb("baseline", "update", "base.jsonl", "exports", cwd=workplace)
    assert shrunk.stdout == "- MDB104 queue ORDERS.IN at QM1\nbase.jsonl: 0 findings, 1 removed, 0 added\n"
    assert "findings not in the baseline and not added to it. --accept-new adds them" in shrunk.stderr
    grown = lintmdb("baseline", "update", "base.jsonl", "exports", "--accept-new", cwd=workplace)
    assert "+ MDB101 queue ORDERS.IN at QM1\n" in grown.stdout
    assert lintmdb("check", "exports", "--baseline", "base.jsonl", cwd=workplace).returncode == 0


def test_what_cannot_be_told_stays(lintmdb: Run, workplace: Path) -> None:
    """An entry that is undecided now, or whose rule does not run, is neither stale nor removed."""
    lintmdb("baseline", "write", "base.jsonl", "exports", cwd=workplace)
    whole = (workplace / "base.jsonl").read_text()
    result = lintmdb("check", "exports/was", "--baseline", "base.jsonl", cwd=workplace)
    assert result.stderr == ""
    lintmdb("baseline", "update", "base.jsonl", "exports/was", cwd=workplace)
    lintmdb("baseline", "update", "base.jsonl", "exports", "--select", "MDB4", cwd=workplace)
    assert (workplace / "base.jsonl").read_text() == whole


def test_what_was_not_read_stays(lintmdb: Run, tmp_path: Path) -> None:
    """A run on one environment, whose cells and queue managers have the names of all, judges no entry of another."""
    for name in ("dev", "prod"):
        shutil.copytree(INERT, tmp_path / "exports" / name)
    (tmp_path / "lintmdb.toml").write_text("[environments]\ndev = 'exports/dev'\nprod = 'exports/prod'\n")
    lintmdb("baseline", "write", "base.jsonl", "exports", cwd=tmp_path)
    whole = (tmp_path / "base.jsonl").read_text()
    assert whole.count("\n") == 5
    partial = lintmdb("check", "exports/dev", "--baseline", "base.jsonl", cwd=tmp_path)
    assert (partial.returncode, partial.stderr) == (0, "")
    updated = lintmdb("baseline", "update", "base.jsonl", "exports/dev", cwd=tmp_path)
    assert updated.stdout == "base.jsonl: 4 findings, 0 removed, 0 added\n"
    script = tmp_path / "exports" / "dev" / "mq" / "QM1.mqsc"
    script.write_text(script.read_text().replace("BOQNAME('ORDERS.BACKOUT')", "BOQNAME(' ')"))
    updated = lintmdb("baseline", "update", "base.jsonl", "exports/dev", cwd=tmp_path)
    assert updated.stdout == "- MDB104 queue ORDERS.IN at QM1 (dev)\nbase.jsonl: 3 findings, 1 removed, 0 added\n"


def test_a_queue_stays_while_a_cell_that_may_read_it_was_not_read(lintmdb: Run, tmp_path: Path) -> None:
    """An entry about a queue names no cell: with another cell alone nobody knows whether its finding is gone."""
    shutil.copytree(INERT, tmp_path / "one")
    shutil.copytree(FIXTURES / "clean" / "was" / "cells" / "C1", tmp_path / "two" / "cells" / "C2")
    for file in (tmp_path / "two").rglob("*.xml"):
        file.write_text(file.read_text().replace("C1", "C2").replace("ORDERS.IN", "OTHER.IN"))
    lintmdb("baseline", "write", "base.jsonl", "one", cwd=tmp_path)
    whole = (tmp_path / "base.jsonl").read_text()
    lintmdb("baseline", "update", "base.jsonl", "two", "one/mq", cwd=tmp_path)
    assert (tmp_path / "base.jsonl").read_text() == whole
    queue = [line for line in whole.splitlines() if "MDB304" not in line]
    (tmp_path / "base.jsonl").write_text("\n".join([*queue, ""]))
    updated = lintmdb("baseline", "update", "base.jsonl", "two", "one/mq", cwd=tmp_path)
    assert updated.stdout.startswith("- MDB104 queue ORDERS.IN at QM1\n")


def test_nothing_to_judge_leaves_the_file(lintmdb: Run, workplace: Path) -> None:
    """Without an endpoint nothing is written: an empty run would empty the baseline."""
    lintmdb("baseline", "write", "base.jsonl", "exports", cwd=workplace)
    whole = (workplace / "base.jsonl").read_text()
    assert lintmdb("baseline", "update", "base.jsonl", "exports/mq", cwd=workplace).returncode == 3
    assert (workplace / "base.jsonl").read_text() == whole
    assert lintmdb("baseline", "write", "other.jsonl", "exports/mq", cwd=workplace).returncode == 3
    assert not (workplace / "other.jsonl").exists()


def test_suppressed_findings_need_no_entry(lintmdb: Run, workplace: Path) -> None:
    """write leaves out what is suppressed; an entry whose finding is suppressed later is not called stale."""
    lintmdb("baseline", "write", "base.jsonl", "exports", cwd=workplace)
    (workplace / "lintmdb.toml").write_text(
        "[[suppressions]]\nrule = 'MDB104'\nsubject = 'ORDERS.IN'\nreason = 'known'\n"
    )
    assert lintmdb("check", "exports", "--baseline", "base.jsonl", cwd=workplace).stderr == ""
    lintmdb("baseline", "write", "second.jsonl", "exports", cwd=workplace)
    assert [entry.rule for entry in read_baseline(workplace / "second.jsonl")] == ["MDB304"]


def test_locked_rules_cannot_hide_in_a_baseline(lintmdb: Run, workplace: Path) -> None:
    """A baseline neither takes nor hides findings of locked rules."""
    lintmdb("baseline", "write", "base.jsonl", "exports", cwd=workplace)
    (workplace / "lintmdb.toml").write_text("locked = ['MDB104']\n")
    result = lintmdb("check", "exports", "--baseline", "base.jsonl", cwd=workplace)
    assert result.returncode == 1
    assert "MDB104" in result.stdout
    assert "is in the baseline but the rule is locked, so no baseline hides it" in result.stderr
    assert "no longer found" not in result.stderr
    written = lintmdb("baseline", "write", "second.jsonl", "exports", cwd=workplace)
    assert "1 finding of locked rules left out" in written.stderr


def test_show(lintmdb: Run, workplace: Path) -> None:
    """show lists the entries."""
    lintmdb("baseline", "write", "base.jsonl", "exports", cwd=workplace)
    assert lintmdb("baseline", "show", "base.jsonl", cwd=workplace).stdout == (
        "MDB104 queue ORDERS.IN at QM1\nMDB304 activation specification OrdersAS at server1\n"
        "base.jsonl: 2 findings of 2 rules\n"
    )


HEAD = f'{{"schema": "{FORMAT}"}}\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "base.jsonl:1: is not a baseline of lintmdb"),
        ("[]\n", "base.jsonl:1: is not a baseline of lintmdb"),
        ('{"version": "1"}\n', "base.jsonl:1: is not a baseline of lintmdb"),
        ('{"schema": "lintmdb-baseline/2"}\n', "Upgrade lintmdb"),
        (HEAD + "<<<<<<< mine\n", "base.jsonl:2: is not one JSON object. Resolve the conflict"),
        (HEAD + '{"rule": "MDB104"}\n', "base.jsonl:2: is not a baseline entry"),
        (HEAD + '{"rule": "MDB104", "subject": {"a": 1}, "fingerprint": "0"}\n', "is not a baseline entry"),
        (HEAD + "[" * 100_000 + "\n", "base.jsonl:2: is not one JSON object"),
    ],
)
def test_corrupt_and_foreign_files(lintmdb: Run, workplace: Path, text: str, says: str) -> None:
    """What is no baseline is one clear line and exit code 2, and nothing is judged."""
    (workplace / "base.jsonl").write_text(text)
    for command in (("check", "exports", "--baseline", "base.jsonl"), ("baseline", "update", "base.jsonl", "exports")):
        result = lintmdb(*command, cwd=workplace)
        assert (result.returncode, result.stdout) == (2, "")
        assert says in result.stderr
        assert result.stderr.count("\n") == 1
    assert (workplace / "base.jsonl").read_text() == text


def test_an_absent_baseline_is_an_error(lintmdb: Run, workplace: Path) -> None:
    """A gate with a baseline that is not there does not pass in silence."""
    result = lintmdb("check", "exports", "--baseline", "absent.jsonl", cwd=workplace)
    assert result.returncode == 2
    assert "lintmdb baseline write absent.jsonl EXPORT makes a baseline" in result.stderr


def test_queues_by_themselves_have_a_baseline(lintmdb: Run, tmp_path: Path) -> None:
    """Without an endpoint the option is needed, or the setting."""
    (tmp_path / "QM1.mqsc").write_text("DEFINE QLOCAL(A.IN) BOTHRESH(0) BOQNAME(A.BO)\nDEFINE QLOCAL(A.BO)\n")
    asked = ("baseline", "write", "known.jsonl", "QM1.mqsc")
    assert lintmdb(*asked, cwd=tmp_path).returncode == 3
    assert lintmdb(*asked, "--all-queues", cwd=tmp_path).stdout == "known.jsonl: 1 finding\n"
    (tmp_path / "lintmdb.toml").write_text('inputs = ["QM1.mqsc"]\nall-queues = true\n')
    known = lintmdb("check", "--baseline", "known.jsonl", "--summary", cwd=tmp_path)
    assert known.returncode == 0
    assert "Left out  1 in the baseline" in known.stdout
    updated = lintmdb("baseline", "update", "known.jsonl", cwd=tmp_path)
    assert updated.stdout.endswith("known.jsonl: 1 finding, 0 removed, 0 added\n")


def test_what_only_all_queues_judges_stays_without_it(lintmdb: Run, tmp_path: Path) -> None:
    """Beside endpoints: such an entry is gone once a run that judges queues by themselves does not find it."""
    shutil.copytree(FIXTURES / "clean", tmp_path / "in")
    lone = tmp_path / "in" / "QM9.mqsc"
    lone.write_text("DEFINE QLOCAL(A.IN) BOTHRESH(0) BOQNAME(A.BO)\nDEFINE QLOCAL(A.BO)\n")
    assert "1 finding\n" in lintmdb("baseline", "write", "known.jsonl", "in", "--all-queues", cwd=tmp_path).stdout
    plain = lintmdb("check", "in", "--baseline", "known.jsonl", cwd=tmp_path)
    assert "no longer found" not in plain.stderr
    update = ("baseline", "update", "known.jsonl", "in")
    assert lintmdb(*update, cwd=tmp_path).stdout == "known.jsonl: 1 finding, 0 removed, 0 added\n"
    lone.write_text("DEFINE QLOCAL(A.IN) BOTHRESH(3) BOQNAME(A.BO)\nDEFINE QLOCAL(A.BO)\n")
    assert "known.jsonl: 0 findings, 1 removed" in lintmdb(*update, "--all-queues", cwd=tmp_path).stdout


@pytest.mark.parametrize("first", ["whole", "apart"])
def test_members_of_a_cluster_are_the_cluster(lintmdb: Run, tmp_path: Path, first: str) -> None:
    """Where another endpoint makes members unequal, they are judged one by one: nothing of that is new in ``check`` or
    in a fleet, and nothing is stale. What one member alone has does not answer for the whole cluster.
    """
    whole, apart = tmp_path / "whole", tmp_path / "apart"
    for folder in (whole, apart):
        shutil.copytree(FIXTURES / "estate", folder)
    scopes = apart / "was/cells/PRODCELL"
    (scopes / "nodes/node1/servers/shop1/resources.xml").write_text(
        (scopes / "clusters/ShopCluster/resources.xml").read_text().replace('name="InvoicesAS"', 'name="OtherAS"')
    )
    other = {"whole": apart, "apart": whole}[first]
    known = tmp_path / "known.jsonl"
    assert lintmdb("baseline", "write", known, tmp_path / first, "--on-message", "15s").returncode == 0
    shown = lintmdb("baseline", "show", known).stdout
    assert ("ShopCluster" in shown) == (first == "whole")
    result = lintmdb("check", other, "--on-message", "15s", "--baseline", known)
    assert (result.returncode, result.stderr.count("no longer found")) == (0, 0), result.stdout
    lines = known.read_text().splitlines(keepends=True)
    known.write_text("".join(line for line in lines if '"shop2"' not in line))
    again = lintmdb("check", other, "--on-message", "15s", "--baseline", known)
    assert again.returncode == (0 if first == "whole" else 1)


def test_an_entry_about_a_queue_that_an_unknown_reader_may_read_is_not_stale(lintmdb: Run, workplace: Path) -> None:
    """Without the file that names the queue manager nobody says that the finding of a queue is gone."""
    lintmdb("baseline", "write", "base.jsonl", "exports", cwd=workplace)
    named = 'name="queueManager" type="java.lang.String" value="QM1"'
    files = [file for file in (workplace / "exports").rglob("*.xml") if named in file.read_text()]
    assert files
    for file in files:
        file.write_text(file.read_text().replace(named, 'name="queueManager" value="${QM}"'))
    assert "no longer found" not in lintmdb("check", "exports", "--baseline", "base.jsonl", cwd=workplace).stderr
    updated = lintmdb("baseline", "update", "base.jsonl", "exports", cwd=workplace).stdout
    assert "base.jsonl: 2 findings, 0 removed" in updated


@pytest.mark.parametrize(
    ("lost", "stale"),
    [
        pytest.param([], ["queue", "queue_manager"], id="every reader is known"),
        pytest.param([(None, "A.IN")], [], id="one of that queue is not"),
        pytest.param([(None, None)], [], id="its queue is not known either"),
        pytest.param([(None, "B.IN")], ["queue"], id="one of another queue"),
        pytest.param([("test", "A.IN")], ["queue", "queue_manager"], id="one in another environment"),
    ],
)
def test_who_may_read_a_queue_decides_whether_an_entry_is_stale(
    lost: list[tuple[str | None, str | None]], stale: list[str]
) -> None:
    """A queue manager may have any queue that is read."""
    place = {"queue_manager": "QM1"}
    entries = [
        Entry("MDB104", {"kind": "queue", "name": "A.IN", **place}, "0" * 32),
        Entry("MDB114", {"kind": "queue_manager", "name": "QM1", **place}, "1" * 32),
    ]
    read = {ReadExport(None, "queue_manager", "QM1"), ReadExport("test", "queue_manager", "QM1")}
    found = find_stale(entries, entries, read, {LostReader(*entry) for entry in lost}, frozenset[str])
    assert [entry.subject["kind"] for entry in found] == stale


def test_entries_about_a_bus_destination_name_its_bus(lintmdb: Run, tmp_path: Path) -> None:
    """Two buses may have destinations of one name."""
    scenario = scenario_folder("bus-exception-none")
    lintmdb("baseline", "write", "base.jsonl", scenario, cwd=tmp_path)
    shown = lintmdb("baseline", "show", "base.jsonl", cwd=tmp_path).stdout
    assert re.search(r"^MDB\d+ bus destination \S+ of bus \S+ at \S+$", shown, re.MULTILINE), shown
