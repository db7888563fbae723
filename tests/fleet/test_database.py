"""DuckDB as the fleet uses it: what Ctrl-C does, and what is left of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("duckdb")

_ENDLESS = """
import os, signal, sys, threading
from pathlib import Path
from lintmdb.fleet.database import database
from lintmdb.fleet.session import interruptible

spill = Path(sys.argv[1])
try:
    with interruptible(), database(spill) as connection:
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        connection.execute("SELECT COUNT(*) FROM RANGE(1000000000000) AS numbers(number) WHERE HASH(number) % 7 = 3")
except KeyboardInterrupt:
    print("stopped", spill.exists())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signal to one process")
def test_ctrl_c_ends_a_query(tmp_path: Path) -> None:
    """As anywhere else in an audit, and nothing stays on the disk."""
    command = [sys.executable, "-c", _ENDLESS, str(tmp_path / "spill")]
    told = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (told.stdout, told.returncode) == ("stopped False\n", 0), told.stderr
