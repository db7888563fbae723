"""What may have to be started again although the changes of a plan act without that."""

from __future__ import annotations

import html
import json
import re
import shutil
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.project import FIXTURES

_MANAGER = """\
* Script generated on 2026-11-23   at 06.10.02
* Queue manager name: QM1
* Queue manager platform: UNIX
* Queue manager command level: (930/930)
* Command issued: dmpmqcfg -m QM1 -a
ALTER QMGR DEADQ(' ') FORCE
{queues}* Script ended on 2026-11-23   at 06.10.04
"""
_SAFE = """\
DEFINE QLOCAL('GOOD') BOQNAME('GOOD.BACKOUT') BOTHRESH(3) REPLACE
DEFINE QLOCAL('GOOD.BACKOUT') REPLACE
"""
_RESTART = "If delivery has already stopped, restart what reads ORDERS.IN (OrdersAS)"


def _on_one_line(file: Path) -> str:
    """The text of a script, whose comments are wrapped, or of a page."""
    return " ".join(file.read_text("utf-8").replace("\n* ", " ").split())


@pytest.fixture
def blocked(tmp_path: Path) -> Path:
    """A backout queue that takes no messages, and a dead-letter queue that is not there."""
    exports = tmp_path / "exports"
    shutil.copytree(FIXTURES / "clean", exports)
    dump = exports / "mq/QM1.mqsc"
    head, backout, rest = dump.read_text("utf-8").partition("DEFINE QLOCAL('ORDERS.BACKOUT')")
    head = head.replace("DEADQ('QM1.DEAD')", "DEADQ('QM1.DLX')")
    dump.write_text(head + backout + rest.replace("PUT(ENABLED)", "PUT(DISABLED)", 1), "utf-8")
    return exports


@pytest.mark.parametrize(
    "options",
    [(), ("--only", "mq"), ("--ignore", "MDB103"), ("--select", "MDB107"), ("--select", "MDB114")],
    ids=lambda options: " ".join(options) or "no options",
)
def test_a_consumer_that_is_blocked_has_to_be_restarted(lintmdb: Run, blocked: Path, options: tuple[str, ...]) -> None:
    """Whichever findings a change is made for: the queue takes messages at once, but nobody delivers them."""
    plan = blocked.parent / "plan"
    text = lintmdb("plan", blocked, *options, "--out", plan).stdout
    assert f"Then: {_RESTART}." in text
    assert _RESTART in html.unescape((plan / "plan.html").read_text("utf-8"))
    for path in ("plan.md", "mq/QM1.mqsc"):
        assert f"{_RESTART}." in _on_one_line(plan / path)
    changes = json.loads((plan / "plan.json").read_text("utf-8"))["changes"]
    assert changes
    assert all(_RESTART in change["acts"] for change in changes)


def test_what_a_grant_revives_may_have_to_be_restarted(lintmdb: Run, tmp_path: Path) -> None:
    """An endpoint that cannot open its queue, or that a poison message blocks, may have given up; whose queue other
    changes ask to restart is not told twice.
    """
    observations = tmp_path / "observations.yaml"
    observations.write_text("endpoints:\n  - endpoint: OrdersAS\n    user: nouser\n    groups: []\n")
    command = ("plan", FIXTURES / "clean", "--observations", observations)
    told = f"{_RESTART}."
    assert f"Then: {told}" in lintmdb(*command, "--out", tmp_path / "plan").stdout
    assert told in _on_one_line(tmp_path / "plan/mq/QM1.mqsc")
    blank = lintmdb("plan", FIXTURES / "blank-boqname-no-deadq", "--observations", observations).stdout
    assert "gets" in blank
    unless = "unless you restart node1/server1 later, as the script for C1 asks"
    assert f"Restart what reads ORDERS.IN (OrdersAS, {unless}). A client caches" in " ".join(blank.split())
    assert "If delivery" not in blank


def test_a_later_script_that_restarts_the_server_is_named(lintmdb: Run, tmp_path: Path) -> None:
    """Who runs both scripts has nothing else to do; who runs the first alone knows what is left."""
    told = "If delivery has already stopped, restart what reads PAYMENTS.IN (PaymentsAS)"
    later = (
        r"If delivery has already stopped, it resumes with the restart of [^.]* that the script for PRODCELL asks for"
    )
    lintmdb("plan", FIXTURES / "estate", "--out", tmp_path / "plan")
    script = _on_one_line(tmp_path / "plan/mq/QM1.mqsc")
    (restart,) = re.findall(later, script)
    assert "node1/shop1" in restart
    assert "node2/shop2" in restart
    assert told not in script
    alone = " ".join(lintmdb("plan", FIXTURES / "estate", "--only", "mq").stdout.split())
    assert f"{told}." in alone


def test_an_endpoint_that_has_a_queue_open_is_named_like_one_that_has_stopped(lintmdb: Run, tmp_path: Path) -> None:
    """With the later script that restarts it. None does where the queue manager alone is changed, or changed back."""
    told = "Restart what reads LETTERS.IN (LettersAS"
    text = lintmdb("plan", FIXTURES / "estate", "--on-message", "15s", "--out", tmp_path / "plan").stdout
    unless = ", unless you restart node2/claims later, as the script for PRODCELL asks)."
    assert told + unless in " ".join(text.split())
    assert "unless" not in (tmp_path / "plan/undo/mq/QM1.mqsc").read_text()
    alone = lintmdb("plan", FIXTURES / "estate", "--on-message", "15s", "--only", "mq").stdout
    assert f"{told} on node2/claims)." in " ".join(alone.split())


def test_a_queue_manager_is_never_what_to_restart(lintmdb: Run, tmp_path: Path) -> None:
    """Judged by itself it has nowhere to move a message, but what stops is delivery of its queues, and only of those
    that have no backout queue either.
    """
    (dump := tmp_path / "QM1.mqsc").write_text(_MANAGER.format(queues=_SAFE), "utf-8")
    told = lintmdb("plan", dump, "--all-queues").stdout
    assert "DEADQ (none) -> QM1.DEAD" in told
    assert "estart" not in told
    dump.write_text(_MANAGER.format(queues=_SAFE + "DEFINE QLOCAL('BAD') BOTHRESH(3) REPLACE\n"), "utf-8")
    told = lintmdb("plan", dump, "--all-queues", "--select", "MDB114").stdout
    assert "Then: If delivery has already stopped, restart what reads BAD." in told
    assert told.count("estart") == 1


def test_the_longest_message_alone_may_have_blocked_a_queue(lintmdb: Run, tmp_path: Path) -> None:
    """A backout queue that is too short, and a dead-letter queue that the header makes too short."""
    queues = (
        "DEFINE QLOCAL('DLQ') MAXMSGL(4194304) REPLACE\n"
        "DEFINE QLOCAL('A.IN') BOTHRESH(3) BOQNAME('A.BO') MAXMSGL(4194304) REPLACE\n"
        "DEFINE QLOCAL('A.BO') MAXMSGL(100000) REPLACE\n"
    )
    (tmp_path / "QM1.mqsc").write_text(_MANAGER.replace("DEADQ(' ')", "DEADQ('DLQ')").format(queues=queues))
    told = lintmdb("plan", "--all-queues", "QM1.mqsc", cwd=tmp_path).stdout
    assert "A.BO  MAXMSGL 100000 -> 4194304" in told
    assert "Then: If delivery has already stopped, restart what reads A.IN." in told
