"""diff: what is gone with its queue or its flow is not resolved."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.command import Run
from tests.support.dumps import WHOLE

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
    assert lintmdb("diff", before, before, "--all-queues").stdout.startswith("0 of 2 queues with another fate; ")
