"""Plans for some queues."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import lintmdb as api
from benchmarks.generate import write_cell
from tests.support.command import Run
from tests.support.dumps import WHOLE

_HEAD = (
    "* Queue manager name: {0}\n* Command issued: dmpmqcfg -m {0} -a\nALTER QMGR DEADQ('DEAD')\nDEFINE QLOCAL('DEAD')\n"
)
_QUEUE = "DEFINE QLOCAL('{0}.IN') BOTHRESH(0) BOQNAME('{0}.BO') MAXDEPTH(10)\nDEFINE QLOCAL('{0}.BO') MAXDEPTH(10)\n"


@pytest.fixture
def estate(tmp_path: Path) -> Path:
    """Two queue managers with two queues each, of which none has a threshold."""
    for name in ("QM1", "QM2"):
        (tmp_path / f"{name}.mqsc").write_text(_HEAD.format(name) + _QUEUE.format("A") + _QUEUE.format("B") + WHOLE)
    return tmp_path


@pytest.mark.parametrize(
    ("asked", "changed"),
    [
        (["A.IN at QM1"], {"A.IN at QM1"}),
        (["A.*"], {"A.IN at QM1", "A.IN at QM2"}),
        (["* at QM2"], {"A.IN at QM2", "B.IN at QM2"}),
        (["A.IN at QM1", "B.IN at QM2"], {"A.IN at QM1", "B.IN at QM2"}),
        ([], {"A.IN at QM1", "A.IN at QM2", "B.IN at QM1", "B.IN at QM2"}),
    ],
)
def test_only_what_is_found_on_these_queues_is_repaired(
    lintmdb: Run, estate: Path, asked: list[str], changed: set[str]
) -> None:
    """And only that is said to stay, or to be needed; the command and the API agree."""
    options = [part for name in asked for part in ("--queue", name)]
    document = json.loads(lintmdb("plan", estate, "--all-queues", *options, "--format", "json").stdout)
    assert {f"{change['name']} at {change['place']}" for change in document["changes"]} == changed
    assert document.get("only_queues", []) == asked
    assert document["left"] == []
    text = " ".join(lintmdb("plan", estate, "--all-queues", *options).stdout.split())
    assert ("Only findings on queue" in text) is bool(asked)
    assert "as before" not in text.partition("What becomes")[2].replace("the same as before", "")
    plan = api.plan(estate, all_queues=True, queue=asked)
    assert {f"{planned.change.name} at {planned.change.place}" for planned in plan.changes} == changed


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("A.INN", "no queue that is judged is called A.INN. Did you mean A.IN?"),
        ("A.IN at QM9", "no queue that is judged is called A.IN at QM9"),
        (" ", "does not name a queue"),
    ],
)
def test_a_queue_that_nothing_judges_is_refused(lintmdb: Run, estate: Path, asked: str, told: str) -> None:
    """A plan for a misspelt name would look as if there were nothing to do."""
    run = lintmdb("plan", estate, "--all-queues", "--queue", asked)
    assert run.returncode == 2
    assert told in run.stderr


def test_an_endpoint_may_read_by_an_alias(lintmdb: Run) -> None:
    """Its name counts, as that of the queue does."""
    folder = Path(__file__).parents[2] / "fixtures/estate"
    texts = {
        lintmdb("plan", folder, "--queue", name).stdout.partition("Only findings")[0]
        for name in ("ORDERS", "ORDERS.IN")
    }
    assert len(texts) == 1
    assert "OrdersAS" in texts.pop()


def test_what_a_description_says_cannot_control_a_terminal(lintmdb: Run, tmp_path: Path) -> None:
    """DESCR is text of somebody else."""
    closed = "DEFINE QLOCAL('C.IN') BOTHRESH(3) BOQNAME('C.BO')\n"
    closed += "DEFINE QLOCAL('C.BO') DESCR('hold \x1b[31m') PUT(DISABLED)\n"
    (tmp_path / "QM1.mqsc").write_text(_HEAD.format("QM1") + closed + WHOLE)
    told = lintmdb("plan", tmp_path, "--all-queues", "--queue", "C.IN").stdout
    assert "Its DESCR: hold" in " ".join(told.split())
    assert "\x1b" not in told


def test_what_may_not_be_changed_is_not_said_to_do_harm(lintmdb: Run, tmp_path: Path) -> None:
    """With --only mq nothing of WebSphere was tried, and something else was."""
    write_cell(tmp_path, 40)
    told = lintmdb("plan", tmp_path, "--only", "mq").stdout
    entries = [
        entry.partition("\n\n")[0] for entry in re.split(r"\n  (?=error |warning )", told.partition("What stays")[2])
    ]
    left = {entry.split()[1] for entry in entries if "\n  left " in entry}
    assert left
    assert "MDB301" in {entry.split()[1] for entry in entries if entry.strip()} - left


def test_a_queue_that_the_plan_is_not_for_is_named_if_it_stays_bad(lintmdb: Run, tmp_path: Path) -> None:
    """Where the changes end a finding on it, the reader takes it for repaired: two queues are each other's backout
    queue, and the user may move messages from neither.
    """
    (tmp_path / "QM1.mqsc").write_text(
        "* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n"
        "ALTER QMGR DEADQ(DEAD)\nDEFINE QLOCAL(DEAD)\n"
        "DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(B)\nDEFINE QLOCAL(B) BOTHRESH(3) BOQNAME(A)\n"
        f"SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(GET,INQ,BROWSE,PUT)\n{WHOLE}"
    )
    named = tmp_path / "observed.yaml"
    named.write_text("users:\n- {user: app, groups: []}\nqueues:\n- {queue: '*', user: app}\n")
    asked = ("plan", tmp_path / "QM1.mqsc", "--all-queues", "--observations", named, "--queue", "B at QM1")
    shown = lintmdb(*asked, "--keep", "queue A at QM1: BOQNAME").stdout
    assert "  queue A at QM1\n    as before: discarded (non-persistent), delivery is blocked (persistent)\n" in shown


def test_the_owner_of_the_dead_letter_queue_is_asked(lintmdb: Run, tmp_path: Path) -> None:
    """All applications share the queue; one that the plan defines has no owner yet."""
    dump = (
        "* Queue manager name: QM1\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m QM1 -a\n"
        "ALTER QMGR DEADQ(DEAD)\n{}DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(' ')\n"
        "SET AUTHREC PROFILE('A') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(GET,INQ,BROWSE)\n"
    )
    named = tmp_path / "observed.yaml"
    named.write_text("users:\n- {user: app, groups: []}\nqueues:\n- {queue: '*', user: app}\n")
    asked = ("plan", tmp_path / "QM1.mqsc", "--all-queues", "--observations", named)
    for there, kept in (("DEFINE QLOCAL(DEAD)\n", ("--keep", "queue A at QM1")), ("", ())):
        (tmp_path / "QM1.mqsc").write_text(dump.format(there) + WHOLE)
        told = " ".join(lintmdb(*asked, *kept).stdout.split())
        assert "DEAD app gets put, passall" in told
        first = "First: Ask the owner of the dead-letter queue DEAD whether app may put messages there."
        assert (first in told) is bool(there)


def test_a_queue_that_nothing_judges_is_no_misspelt_one(lintmdb: Run, tmp_path: Path) -> None:
    """The error says why, and what shows more."""
    (tmp_path / "QM1.mqsc").write_text(
        "* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1 -a\n"
        f"DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(B)\nDEFINE QLOCAL(B)\nDEFINE QLOCAL(C) BOTHRESH(0) BOQNAME(' ')\n{WHOLE}"
    )
    refused = lintmdb("plan", tmp_path / "QM1.mqsc", "--all-queues", "--queue", "C at QM1")
    assert refused.returncode == 2
    assert "it has BOTHRESH(0) and a blank BOQNAME, so nothing judges it" in refused.stderr
    shown = lintmdb("check", tmp_path / "QM1.mqsc", "--all-queues", "--set", "queue C at QM1: BOTHRESH=3").stdout
    assert "\nqueue C at QM1\n" in shown
