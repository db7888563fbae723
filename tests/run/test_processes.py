"""Work that processes share."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from lintmdb.errors import LintmdbError
from lintmdb.run.processes import run_in_processes


def _kill(number: int) -> int:
    os.kill(os.getpid(), number)
    return number


def test_results_come_in_the_order_of_items() -> None:
    """However the items are shared."""
    assert run_in_processes(str.upper, ["a", "b", "c"], without="wait") == ["A", "B", "C"]


def test_a_process_that_dies_is_an_error_that_says_so() -> None:
    """No item is left out in silence."""
    with pytest.raises(LintmdbError, match=f"was killed by signal {int(signal.SIGKILL)}"):
        run_in_processes(_kill, [int(signal.SIGKILL)], without="wait")


@pytest.mark.parametrize("name", ["lintmdb", "pickle"])
def test_modules_beside_exports_are_not_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder may be somebody's exports, with any file in it."""
    (tmp_path / f"{name}.py").write_text("raise SystemExit(7)\n")
    monkeypatch.chdir(tmp_path)
    assert run_in_processes(str.upper, ["a"], without="wait") == ["A"]
