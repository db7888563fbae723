"""DuckDB as the fleet uses it: what Ctrl-C does, and what is left of it."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("duckdb")

from lintmdb.fleet.database import database


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
