"""diff: what is gone with its queue or its flow is not resolved."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.command import Run
from tests.support.dumps import WHOLE
from tests.support.project import FIXTURES

HEAD = f"* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n{WHOLE}"
LINES = {
    "DEAD": "ALTER QMGR DEADQ(DEAD)\nDEFINE QLOCAL(DEAD)\n",
    "GONE": "DEFINE QLOCAL(GONE) BOTHRESH(0) BOQNAME(GONE.BO)\n",
    "MENDED": "DEFINE QLOCAL(MENDED) BOTHRESH(0) BOQNAME(GONE.BO)\n",
    "GONE.BO": "DEFINE QLOCAL(GONE.BO)\n",
}


def _folders(tmp_path: Path) -> tuple[Path, Path]:
    for name, lines in (
        ("a", LINES),
        ("b", {**LINES, "GONE": "", "MENDED": LINES["MENDED"].replace("BOTHRESH(0)", "BOTHRESH(3)")}),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "QM1.mqsc").write_text(HEAD + "".join(lines.values()))
    return tmp_path / "a", tmp_path / "b"


def test_a_finding_whose_queue_is_gone_is_not_resolved(lintmdb: Run, tmp_path: Path) -> None:
    """Every format says so; JSON keeps it among the resolved ones, too, as before."""
    before, after = _folders(tmp_path)
    lines = lintmdb("diff", before, after, "--all-queues").stdout.splitlines()
    assert "gone: queue GONE at QM1" in lines
    assert "gone with the queue: MDB104 backout-queue-inert: queue GONE at QM1" in lines
    assert "resolved: MDB104 backout-queue-inert: queue MENDED at QM1" in lines
    counts = "findings: 0 new, 1 resolved, 1 gone, 0 newly undecided, 0 as before"
    assert lines[-1] == f"1 of 1 queue with another fate, 1 queue gone; {counts}"
    document = json.loads(lintmdb("diff", before, after, "--all-queues", "--format", "json").stdout)
    assert [entry["name"] for entry in document["queues"]["removed"]] == ["GONE"]
    assert [(entry["rule"], entry["with"]) for entry in document["gone"]] == [("MDB104", "queue")]
    assert document["summary"]["resolved"] == 2
    markdown = lintmdb("diff", before, after, "--all-queues", "--format", "markdown").stdout
    assert markdown.startswith("## lintmdb diff: 1 queue has another fate, 1 queue gone, 1 resolved, 1 finding gone")
    assert "### Gone with their queues or flows\n\n- MDB104" in markdown
    page = tmp_path / "diff.html"
    lintmdb("diff", before, after, "--all-queues", "--format", f"html={page}")
    assert "Gone with their queues or flows" in page.read_text()


def test_queues_that_do_not_differ_are_called_queues(lintmdb: Run, tmp_path: Path) -> None:
    """Where neither state has a flow."""
    before, _ = _folders(tmp_path)
    assert lintmdb("diff", before, before, "--all-queues").stdout.splitlines()[-1].startswith("0 of 2 queues")


def test_a_finding_that_a_worse_one_replaces_is_not_resolved(lintmdb: Run, tmp_path: Path) -> None:
    """A threshold that a burst reached first is one now that a single message stops at; no baseline is to forget it."""
    burst = FIXTURES / "poison-burst"
    (tmp_path / "change.mqsc").write_text("ALTER QLOCAL(ORDERS.IN) BOTHRESH(15)\n")
    asked = ("diff", burst, "--change", tmp_path / "change.mqsc", "--on-message", "5s")
    text = lintmdb(*asked).stdout
    assert "replaced by MDB302: MDB303 endpoint-stops-on-poison-burst" in text
    assert "findings: 1 new, 0 resolved, 1 replaced, 0 newly undecided" in text
    (gone,) = json.loads(lintmdb(*asked, "--format", "json").stdout)["gone"]
    assert (gone["rule"], gone["with"], gone["by"]) == ("MDB303", "finding", "MDB302")
    markdown = lintmdb(*asked, "--format", "markdown").stdout
    assert "### Replaced\n\n- replaced by MDB302: MDB303" in markdown
    assert "### Resolved" not in markdown
    known = tmp_path / "known.jsonl"
    lintmdb("baseline", "write", known, burst, "--on-message", "5s")
    run = lintmdb("check", burst, "--baseline", known, "--change", tmp_path / "change.mqsc", "--on-message", "5s")
    assert "is in the baseline, and MDB302 takes its place with the change\n" in run.stderr
    assert "baseline update" not in run.stderr


def test_a_finding_that_ends_with_a_worse_fate_is_not_resolved(lintmdb: Run, tmp_path: Path) -> None:
    """Nothing is moved any more, so what was wrong with the count of it does not arise, whatever rule says so."""
    (tmp_path / "change.mqsc").write_text("ALTER QLOCAL(ORDERS.IN) BOTHRESH(0)\n")
    asked = ("diff", FIXTURES / "zos-not-hardened", "--change", tmp_path / "change.mqsc", "--ignore", "MDB104")
    lines = lintmdb(*asked, "-q").stdout.splitlines()
    assert "gone with a worse fate: MDB117 backout-count-not-hardened: queue ORDERS.IN at QM1" in lines
    assert not any(line.startswith("resolved") for line in lines)
