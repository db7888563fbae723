"""The CFLEVEL of a structure of the coupling facility limits the messages of its shared queues."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lintmdb.exports.mq import read_mqsc
from lintmdb.model.origins import Origin
from lintmdb.model.relations import PutTarget
from tests.resolve.mq.test_dispositions import facts, queue, target
from tests.support.command import Run

_QUEUES = (
    "DEFINE QLOCAL(A) QSGDISP(QMGR) BOTHRESH(3) BOQNAME(B)",
    "DEFINE NOREPLACE CFSTRUCT(APP1) QLOCAL(B) QSGDISP(SHARED) MAXMSGL(4194304)",
)


def _text(backout: PutTarget) -> str:
    """What shows how long messages may be."""
    place = backout.origins["max_message_bytes"]
    assert isinstance(place, Origin)
    return place.text


@pytest.mark.parametrize(
    ("commands", "longest"),
    [
        (["DEFINE CFSTRUCT(APP1) CFLEVEL(3)"], 64_512),
        (["DEFINE CFSTRUCT(APP1)"], 64_512),
        (["DEFINE CFSTRUCT(APP1) RECOVER(NO) CFLEVEL(4)"], 4_194_304),
        (["DEFINE CFSTRUCT(APP1) CFLEVEL(5) OFFLOAD(SMDS)"], 4_194_304),
        (["DEFINE CFSTRUCT(APP1) CFLEVEL(3)", "ALTER CFSTRUCT(APP1) CFLEVEL(5)"], 4_194_304),
        (["DEFINE CFSTRUCT(APP1) CFLEVEL(3)", "ALTER CFSTRUCT(APP1) DESCR('x')"], 64_512),
        (["DEFINE CFSTRUCT(APP1) CFLEVEL(3)", "DELETE CFSTRUCT(APP1)"], 4_194_304),
        (["DEFINE CFSTRUCT(APP1) CFLEVEL({{ level }})"], 4_194_304),
        (["DEFINE CFSTRUCT(APP2) CFLEVEL(3)"], 4_194_304),
        ([], 4_194_304),
    ],
)
def test_a_structure_below_level_4_holds_63_kilobytes(commands: list[str], longest: int) -> None:
    """Of a structure that the script does not show, MAXMSGL is all that is known."""
    backout = target(facts(*commands, *_QUEUES))
    assert backout.max_message_bytes == longest
    assert backout.in_small_structure is (longest == 64_512)
    assert ("CFLEVEL" in _text(backout)) is (longest == 64_512)


def test_a_shorter_maxmsgl_counts() -> None:
    """And it is said that raising it leads to 63 KB at most."""
    backout = target(
        facts("DEFINE CFSTRUCT(APP1) CFLEVEL(3)", *_QUEUES, "ALTER QLOCAL(B) QSGDISP(SHARED) MAXMSGL(1000)")
    )
    assert backout.max_message_bytes == 1000
    assert _text(backout) == "MAXMSGL(1000)"
    assert backout.length_limit == "MAXMSGL(1000) in structure APP1, where CFLEVEL(3) allows 64512 bytes,"


def test_a_private_queue_is_in_no_structure() -> None:
    """Whatever its CFSTRUCT is."""
    private = "DEFINE QLOCAL(A) QSGDISP(QMGR) CFSTRUCT(APP1)"
    assert queue(facts("DEFINE CFSTRUCT(APP1) CFLEVEL(3)", private)).max_message_bytes == 4_194_304


def test_the_messages_of_an_input_queue_are_no_longer_either() -> None:
    """So a backout queue that takes 63 KB is long enough."""
    read = "DEFINE QLOCAL(A) QSGDISP(SHARED) CFSTRUCT(APP1)"
    found = queue(facts("DEFINE CFSTRUCT(APP1) CFLEVEL(3)", read))
    assert (found.max_message_bytes, found.longest_message_bytes) == (64_512, 64_512)


def test_a_command_inside_another_file_has_its_place_there() -> None:
    """As those of queues do."""
    job = "//RUN EXEC PGM=CSQUTIL\n//SYSIN DD *\nCOMMAND\n//CSQUCMD DD *\nDEFINE CFSTRUCT(APP1) CFLEVEL(3)\n/*\n"
    (structure,) = read_mqsc(job.encode(), "job.jcl").structures
    assert (structure.name, structure.line) == ("APP1", 5)


_DUMP = """* Queue manager name: QM1
* Queue manager platform: MVS
ALTER QMGR DEADQ(' ')
DEFINE CFSTRUCT('APP1') CFLEVEL(3)
DEFINE QLOCAL('A') QSGDISP(QMGR) BOTHRESH(3) BOQNAME('B')
DEFINE QLOCAL('B') QSGDISP(SHARED) CFSTRUCT('APP1') MAXMSGL(32768)
"""


def test_nothing_raises_maxmsgl_beyond_what_the_structure_holds(lintmdb: Run, tmp_path: Path) -> None:
    """The finding says which structure it is, and what would help."""
    (tmp_path / "QM1.mqsc").write_text(_DUMP)
    asked = (tmp_path / "QM1.mqsc", "--all-queues", "--format", "json")
    (finding,) = [f for f in json.loads(lintmdb("check", *asked).stdout)["findings"] if f["rule"] == "MDB108"]
    assert "in structure APP1, where CFLEVEL(3) allows 64512 bytes, and A has MAXMSGL(4194304)" in finding["message"]
    assert finding["changes"] == []
    assert finding["fix"].startswith("Structure APP1 takes messages longer than 63 KB once its CFLEVEL is 4 or higher.")
    plan = json.loads(lintmdb("plan", *asked).stdout)
    assert [change for change in plan["changes"] if change.get("attribute") == "MAXMSGL"] == []
    (tmp_path / "QM1.mqsc").write_text(_DUMP.replace("CFLEVEL(3)", "CFLEVEL(5)"))
    plan = json.loads(lintmdb("plan", *asked).stdout)
    assert [change["new"] for change in plan["changes"] if change.get("attribute") == "MAXMSGL"] == ["4194304"]
