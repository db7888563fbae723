"""Two processes that share large exports say what one says."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from lintmdb.run import second_process
from lintmdb.run.process_copy import is_fork_safe
from tests.support.command import Run, clean_environment
from tests.support.project import FIXTURES, ROOT


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Two processes share whatever there is to share; the list has an entry for each estate that was shared."""
    shared: list[int] = []
    real = second_process.unpack_facts
    monkeypatch.setattr(second_process, "_LEAST_BYTES", 1)
    monkeypatch.setattr(second_process, "unpack_facts", lambda *packed: shared.append(1) or real(*packed))  # pyright: ignore
    return shared


@pytest.mark.parametrize(
    "options",
    [
        ["fixtures/all-families", "--format", "json", "--on-message", "15s"],
        ["fixtures/estate", "-v"],
        ["fixtures/incomplete-mq", "fixtures/liberty", "--all-queues", "--format", "json"],
    ],
)
def test_two_processes_say_what_one_says(everything_is_large: list[int], lintmdb: Run, options: Sequence[str]) -> None:
    """To the byte, plans and digests included."""
    two = lintmdb("check", *options)
    assert everything_is_large
    shared = len(everything_is_large)
    one = lintmdb("check", *options, "--jobs", "1")
    assert len(everything_is_large) == shared
    assert (two.returncode, two.stdout, two.stderr) == (one.returncode, one.stdout, one.stderr)
    assert len(one.stdout) > 1000


def test_what_cannot_be_read_is_told_by_either(everything_is_large: list[int], lintmdb: Run, tmp_path: Path) -> None:
    """Broken files on both sides, two environments, and a file that is no script."""
    for name in ("prod", "test"):
        shutil.copytree(FIXTURES / "estate", tmp_path / name)
    (tmp_path / "prod/mq/QM9.mqsc").write_bytes(b"DEFINE QLOCAL('X')\n\0\0\n")
    (tmp_path / "notes.txt").write_text("hello\n")
    named = [f"--environment={name}={tmp_path / name}" for name in ("prod", "test")]
    options = [tmp_path, *named, "--queue-manager", f"QM7={tmp_path / 'notes.txt'}", "--format", "json"]
    two = lintmdb("check", *options)
    assert everything_is_large
    one = lintmdb("check", *options, "--jobs", "1")
    assert (two.returncode, two.stdout, two.stderr) == (one.returncode, one.stdout, one.stderr)
    assert "notes.txt" in one.stdout


def test_members_of_archives_are_read_here(everything_is_large: list[int], lintmdb: Run, tmp_path: Path) -> None:
    """Another process has no hold of an open archive."""
    shutil.make_archive(str(tmp_path / "all"), "zip", FIXTURES / "estate")
    assert lintmdb("check", tmp_path / "all.zip").returncode == 1
    assert everything_is_large == []


def test_a_process_that_dies_is_one_error(lintmdb: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """And says how to do without it."""
    monkeypatch.setattr(second_process, "_read_managers", _die)
    result = lintmdb("check", "fixtures/estate")
    assert (result.returncode, result.stdout) == (2, "")
    assert f"was killed by signal {int(signal.SIGKILL)}" in result.stderr
    assert "--jobs 1" in result.stderr


def _die(_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_origins_that_do_not_come_are_one_error(lintmdb: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process died after it had sent the values, and a report shows where they were read."""
    monkeypatch.setattr(second_process, "_read_managers", _die_later)
    result = lintmdb("check", "fixtures/estate")
    assert (result.returncode, result.stdout) == (2, "")
    assert f"was killed by signal {int(signal.SIGKILL)}" in result.stderr


_read_managers = second_process._read_managers  # pyright: ignore[reportPrivateUsage]


def _die_later(work: Any) -> Iterator[object]:
    yield next(_read_managers(work))
    _die(work)


def _check_by_a_copy(program: str, *options: str) -> subprocess.CompletedProcess[str]:
    """`check` in a process of its own, which has one thread, and with nothing but copies of it."""
    text = (
        "import os, sys\n"
        "from lintmdb.cli.app import run\n"
        "from lintmdb.run import processes, second_process\n"
        "second_process._LEAST_BYTES = 1\n"
        "processes._Fresh = None\n"
        f"{program}\n"
        "sys.exit(run())\n"
    )
    command = [sys.executable, "-c", text, "check", *options]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", env=clean_environment(), check=False
    )


_forks = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux alone")


@_forks
@pytest.mark.slow
def test_a_copy_of_the_process_says_what_one_says(lintmdb: Run) -> None:
    """What waits in the streams of the process is written once."""
    options = ["fixtures/all-families", "--format", "json", "--on-message", "15s"]
    two = _check_by_a_copy("print('first', end=' ')", *options)
    one = lintmdb("check", *options, "--jobs", "1")
    assert (two.returncode, two.stdout, two.stderr) == (one.returncode, f"first {one.stdout}", one.stderr)


@_forks
@pytest.mark.slow
@pytest.mark.parametrize(
    ("death", "told"),
    [("os.kill(os.getpid(), 9)", "was killed by signal 9"), ("sys.exit(7)", "ended with exit code 1")],
)
def test_a_copy_that_dies_is_one_error(death: str, told: str) -> None:
    """And does nothing that this process would do at its end."""
    result = _check_by_a_copy(f"second_process._read_managers = lambda _: {death}", "fixtures/estate")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.count(told) == 1
    assert result.stderr.count("lintmdb: ") == 1


def test_a_process_with_two_threads_is_not_copied() -> None:
    """The other one might hold a lock."""
    wait = threading.Event()
    thread = threading.Thread(target=wait.wait)
    thread.start()
    assert not is_fork_safe()
    wait.set()
    thread.join()
