"""Work that processes of this machine share, one for each core.

Not by multiprocessing, which would run the script that called us in each process again.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Generic, Self, TypeVar, cast

from lintmdb.errors import LintmdbError

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def run_in_processes(work: Callable[[_Item], _Result], items: Sequence[_Item], *, without: str) -> list[_Result]:
    """What ``work`` makes of each item, in the order of items. Work, items and results are pickled.

    Raises the LintmdbError that ``work`` raises, and ProcessDiedError where a process dies; ``without`` says how a user
    does without processes.
    """
    cores = min(os.cpu_count() or 1, len(items))
    shares = [range(core, len(items), cores) for core in range(cores)]
    results: dict[int, _Result] = {}
    with ExitStack() as stack:
        running = [
            stack.enter_context(Started(work, [items[place] for place in share], without=without)) for share in shares
        ]
        for share, started in zip(shares, running, strict=True):
            results.update(zip(share, started.results(), strict=True))
    return [results[place] for place in range(len(items))]


class ProcessDiedError(LintmdbError):
    """A process ended before it gave its results."""


class Started(Generic[_Item, _Result]):
    """A process that works on some items while this one does something else; it ends with the ``with`` block."""

    def __init__(self, work: Callable[[_Item], _Result], items: Sequence[_Item], *, without: str = "") -> None:
        self._process = subprocess.Popen(_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
        self._work = (work, items)
        self._without = without

    def __enter__(self) -> Self:
        _send(self._process, self._work)
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.returncode is None:  # this process was interrupted, or failed
            self._process.kill()
            self._process.communicate()

    def results(self) -> list[_Result]:
        """What ``work`` made of each item. Raises the LintmdbError of the work, or ProcessDiedError."""
        answer = self._process.communicate()[0]
        if self._process.returncode:
            raise ProcessDiedError(
                f"a process that shares the work {_how_it_ended(self._process.returncode)}",
                next_step=", or ".join(filter(None, ("If memory ran out, give it more", self._without))),
            )
        return cast("list[_Result]", _receive(answer))


def _how_it_ended(code: int) -> str:
    return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"


# Without -P, modules in the current folder, which may be somebody's exports, would come before Python's own.
_COMMAND = (sys.executable, "-P", "-c", "from lintmdb.run.processes import serve; serve()")


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


def settle_memory() -> None:
    """Keep the collector from what a worker process has imported, which is most of what a fresh one costs; facts hold
    no cycles worth the walk.
    """
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)
