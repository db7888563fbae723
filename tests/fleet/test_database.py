"""DuckDB as the fleet uses it: what Ctrl-C does, and what is left of it."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import pytest

pytest.importorskip("duckdb")

import lintmdb.fleet.database as module
from lintmdb.fleet.database import connect, database


@pytest.mark.parametrize(
    ("raised", "seen"),
    [
        (RuntimeError("Query interrupted"), KeyboardInterrupt),  # what DuckDB makes of Ctrl-C during a query
        (RuntimeError("anything else"), RuntimeError),
    ],
)
def test_ctrl_c_during_a_query_is_ctrl_c(tmp_path: Path, raised: Exception, seen: type[BaseException]) -> None:
    """As anywhere else in an audit, and nothing stays on the disk."""
    spill = tmp_path / "spill"
    spill.mkdir()
    with pytest.raises(seen), database(spill):
        raise raised
    assert not spill.exists()


class _Recorded:
    """A connection that notes when it is told to end its query."""

    def __init__(self) -> None:
        connection = connect()
        self.execute, self.close = connection.execute, connection.close
        self.told = threading.Event()

    def interrupt(self) -> None:
        """End the query."""
        self.told.set()


def test_ctrl_c_ends_a_query(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB looks for signals between the tasks of a query, and some tasks take seconds."""
    recorded = _Recorded()
    monkeypatch.setattr(module, "connect", lambda: recorded)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job of a shell ignores it
    with pytest.raises(KeyboardInterrupt), database(tmp_path):
        signal.raise_signal(signal.SIGINT)
    assert recorded.told.wait(60)
    signal.signal(signal.SIGINT, before)
    monkeypatch.undo()
    with database(tmp_path) as connection:
        assert connection.execute("SELECT 1").fetchall() == [(1,)]
    assert signal.set_wakeup_fd(-1) == -1
