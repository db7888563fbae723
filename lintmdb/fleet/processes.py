"""Work that processes of this machine share, one for each core.

Not by multiprocessing, which would run the script that called us in each process again.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar, cast

from lintmdb.errors import LintmdbError
from lintmdb.fleet.facts.unit_reader import settle_memory

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def run_in_processes(work: Callable[[_Item], _Result], items: Sequence[_Item]) -> list[_Result]:
    """What ``work`` makes of each item, in the order of items. Work, items and results are pickled.

    Raises the LintmdbError that ``work`` raises, and one where a process dies.
    """
    cores = min(os.cpu_count() or 1, len(items))
    shares = [range(core, len(items), cores) for core in range(cores)]
    running: list[subprocess.Popen[bytes]] = []
    results: dict[int, _Result] = {}
    try:
        for share in shares:
            process = subprocess.Popen(_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
            running.append(process)
            _send(process, (work, [items[place] for place in share]))
        for share, process in zip(shares, running, strict=True):
            answer = process.communicate()[0]
            if process.returncode:
                raise LintmdbError(
                    f"a process of this audit {_how_it_ended(process.returncode)}",
                    next_step="If memory ran out, give it more, or leave out --plan",
                )
            results.update(zip(share, cast("list[_Result]", _receive(answer)), strict=True))
    finally:
        for process in running:
            if process.returncode is None:  # this process was interrupted, or failed
                process.kill()
                process.communicate()
    return [results[place] for place in range(len(items))]


def _how_it_ended(code: int) -> str:
    return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"


_COMMAND = (sys.executable, "-c", "from lintmdb.fleet.processes import serve; serve()")


def environment() -> dict[str, str]:
    """That of this process, with the place that it imports lintmdb from."""
    own = str(Path(__file__).resolve().parents[2])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (own, os.environ.get("PYTHONPATH"))))}


def _send(process: subprocess.Popen[bytes], work: object) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError):  # it has died, as its exit code will say
        process.stdin.write(pickle.dumps(work, pickle.HIGHEST_PROTOCOL))
        process.stdin.close()
    process.stdin = None


def _receive(answer: bytes) -> object:
    found: object = pickle.loads(answer)
    if isinstance(found, LintmdbError):
        raise found
    return found


def serve() -> None:
    """What such a process does: its share comes on standard input, and its results go to standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one ends it
    settle_memory()
    work, items = cast("tuple[Callable[[object], object], list[object]]", pickle.load(sys.stdin.buffer))
    try:
        answer: list[object] | LintmdbError = [work(item) for item in items]
    except LintmdbError as error:
        answer = error
    sys.stdout.buffer.write(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))
