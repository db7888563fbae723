"""Circles of backout queues, which a plan cuts at one queue."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.dumps import WHOLE

_DUMP = """\
* Queue manager name: QM1
* Command issued: dmpmqcfg -m QM1 -a
ALTER QMGR DEADQ('DEAD')
DEFINE QLOCAL('DEAD') MAXMSGL(104857600)
DEFINE QLOCAL('PAY.IN') BOTHRESH(3) BOQNAME('PAY.RETRY')
DEFINE QLOCAL('PAY.RETRY') BOTHRESH(3) BOQNAME('PAY.IN')
"""
_CUTS = ("PAY.IN", "PAY.RETRY")


@pytest.mark.parametrize("cut", _CUTS)
def test_a_plan_offers_to_cut_it_at_another_queue(lintmdb: Run, tmp_path: Path, cut: str) -> None:
    """With the option that asks for it; who takes that is offered the first one."""
    (tmp_path / "QM1.mqsc").write_text(_DUMP + WHOLE)
    (kept,) = (queue for queue in _CUTS if queue != cut)
    options = ("--all-queues", tmp_path, "--keep", f"queue {kept} at QM1: BOQNAME")
    plan = " ".join(lintmdb("plan", *options).stdout.split())
    assert f"{cut} BOQNAME {kept} -> {cut}.BACKOUT MDB106" in plan
    other = f"{kept}.BACKOUT new queue {kept} BOQNAME {cut} -> {kept}.BACKOUT"
    keep = f"--keep 'queue {cut} at QM1: BOQNAME'"
    goes_on = (
        f"With the change above, no poison message of {cut} gets to {kept} any more. With this one, a program that puts"
        f" messages of {kept} back to {cut} goes on doing so"
    )
    assert f"Or, if poison messages of {cut} are still to be moved to {kept}: {other} {goes_on} {keep}" in plan
    document = json.loads(lintmdb("plan", *options, "--format", "json").stdout)
    assert [choice["keep"] for choice in document["choices"]] == [f"queue {cut} at QM1: BOQNAME"]


def test_a_queue_that_names_itself_can_be_cut_there_alone(lintmdb: Run, tmp_path: Path) -> None:
    """Nothing else is offered."""
    (tmp_path / "QM1.mqsc").write_text(_DUMP.replace("BOQNAME('PAY.RETRY')", "BOQNAME('PAY.IN')") + WHOLE)
    assert "still to be moved" not in lintmdb("plan", "--all-queues", tmp_path).stdout


def test_of_several_other_cuts_one_is_enough(lintmdb: Run, tmp_path: Path) -> None:
    """In a circle of three: each further one says that it stands for the one before."""
    third = _DUMP.replace("BOQNAME('PAY.IN')", "BOQNAME('PAY.LAST')")
    (tmp_path / "QM1.mqsc").write_text(f"{third}DEFINE QLOCAL('PAY.LAST') BOTHRESH(3) BOQNAME('PAY.IN')\n{WHOLE}")
    for kind in ("text", "markdown", "html"):
        plan = " ".join(lintmdb("plan", "--all-queues", tmp_path, "--format", kind).stdout.split())
        assert plan.count("are still to be moved to") == 1
        assert plan.count("In place of the cut above: one is enough") == 1
