"""DuckDB as the fleet uses it: what Ctrl-C does, and what is left of it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

pytest.importorskip("duckdb")

from lintmdb.fleet.database import database
from lintmdb.fleet.session import interruptible


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signal to one process")
def test_ctrl_c_ends_a_query(tmp_path: Path) -> None:
    """As anywhere else in an audit, and nothing stays on the disk."""
    spill = tmp_path / "spill"
    endless = "SELECT COUNT(*) FROM RANGE(1000000000000) AS numbers(number) WHERE HASH(number) % 7 = 3"
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    with interruptible(), pytest.raises(KeyboardInterrupt), database(spill) as connection:
        timer.start()
        connection.execute(endless)
    assert not spill.exists()
