"""What a report says of the fate of messages: under which condition, and of which messages."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests.support.command import Run
from tests.support.project import FIXTURES

_IF_ALLOWED = "if its user may put messages there"


def _words(text: str) -> str:
    return " ".join(text.split())


def _dump(folder: Path, *changes: tuple[str, str]) -> Path:
    """The dump of the fixture `clean`, changed."""
    text = (FIXTURES / "clean" / "mq" / "QM1.mqsc").read_text()
    for pattern, replacement in changes:
        text, count = re.subn(pattern, replacement, text)
        assert count, pattern
    file = folder / "QM1.mqsc"
    file.write_text(text)
    return file


_NO_RIGHTS = (r"SET AUTHREC(?s:.)+?(?=DEFINE CHANNEL)", "")
_CUT = (r"\* Script ended on.*\n", "")
_SHORT_BACKOUT_QUEUE = (r"(QLOCAL\('ORDERS\.BACKOUT'\)(?s:.)+?)MAXMSGL\(4194304\)", r"\1MAXMSGL(1000)")


def test_a_move_that_rests_on_rights_that_no_export_shows_says_so(lintmdb: Run, tmp_path: Path) -> None:
    """Whoever looks for the queue that loses messages must not strike it off."""
    was = FIXTURES / "clean" / "was"
    whole = lintmdb("check", was, _dump(tmp_path), "-v").stdout
    assert "a poison message is moved aside" in whole
    assert _IF_ALLOWED not in _words(whole)
    unknown = _words(lintmdb("check", was, _dump(tmp_path, _NO_RIGHTS, _CUT)).stdout)
    assert f"Flows 1: a poison message is moved aside (only {_IF_ALLOWED})" in unknown
    slow = _words(lintmdb("check", was, _dump(tmp_path, _NO_RIGHTS, _CUT), "--on-message", "200s").stdout)
    assert f"is moved to the backout queue ORDERS.BACKOUT after 3 failed deliveries, {_IF_ALLOWED}." in slow


def test_the_reader_of_a_queue_that_nobody_names_has_every_right(lintmdb: Run, tmp_path: Path) -> None:
    """The report says so once: its fates do not take it back."""
    dump = _dump(tmp_path, _NO_RIGHTS, _CUT, _SHORT_BACKOUT_QUEUE)
    told = _words(lintmdb("check", "--all-queues", dump).stdout)
    assert "has every right, a poison message is moved aside" in told
    assert _IF_ALLOWED not in told


def test_the_longest_message_has_a_sentence_where_its_fate_is_another(lintmdb: Run, tmp_path: Path) -> None:
    """A backout queue that takes shorter messages only hides that longer ones block delivery, or are lost."""
    which = "of 4194304 bytes, the longest that ORDERS.IN takes,"
    assert which not in _words(lintmdb("check", "--all-queues", _dump(tmp_path)).stdout)
    refused = _words(lintmdb("check", "--all-queues", _dump(tmp_path, _SHORT_BACKOUT_QUEUE)).stdout)
    assert "A poison message is moved to the backout queue ORDERS.BACKOUT after 3 failed deliveries." in refused
    lost = f"A non-persistent poison message {which} is discarded after 3 failed deliveries"
    assert f"{lost}; a persistent one blocks delivery after 3 failed deliveries, and every message" in refused


def test_an_endpoint_that_stops_leaves_the_queue_to_another_one(lintmdb: Run, tmp_path: Path) -> None:
    """Nothing is delivered only where nobody else reads."""
    estate = FIXTURES / "stop-3-sessions-5-bothresh-5"
    alone = _words(lintmdb("check", estate).stdout)
    assert "stops OrdersAS after 3 failed deliveries, and nothing is delivered until somebody starts it again." in alone
    shutil.copytree(estate / "was" / "cells" / "C1", tmp_path / "cells" / "C2")
    for file in tmp_path.rglob("*.xml"):
        file.write_text(file.read_text().replace("C1", "C2"))
    both = _words(lintmdb("check", estate, tmp_path).stdout)
    leaves = "it receives nothing until somebody starts it again; another endpoint reads ORDERS.IN, too."
    assert both.count(f"stops OrdersAS after 3 failed deliveries, and {leaves}") == 1  # told once of flows alike
