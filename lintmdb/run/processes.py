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
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, Generic, Self, TypeVar, cast

from lintmdb.errors import LintmdbError
from lintmdb.run.process_copy import ProcessCopy, is_fork_safe

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
            stack.enter_context(Started(partial(_each, work), [items[place] for place in share], without=without))
            for share in shares
        ]
        for share, started in zip(shares, running, strict=True):
            (made,) = started.results()
            results.update(zip(share, made, strict=True))
    return [results[place] for place in range(len(items))]


def _each(work: Callable[[_Item], _Result], items: Sequence[_Item]) -> list[list[_Result]]:
    return [[work(item) for item in items]]


class ProcessDiedError(LintmdbError):
    """A process ended before it gave its results."""


class Started(Generic[_Item, _Result]):
    """A process that works while this one does something else; it ends with the ``with`` block.

    ``work`` makes results of ``item``, one after the other. All of them are pickled. With ``fork`` the process is a
    copy of this one where that is safe, which has nothing to import.
    """

    def __init__(
        self, work: Callable[[_Item], Iterable[_Result]], item: _Item, *, without: str = "", fork: bool = False
    ) -> None:
        copied = fork and is_fork_safe()
        self._process = ProcessCopy(partial(_give, work, item)) if copied else _Fresh(work, item)
        self._without = without

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()  # if it still runs, this process was interrupted, or failed
        self._close()

    def _close(self) -> int:
        self._process.stdout.close()
        return self._process.wait()

    def results(self) -> Iterator[_Result]:
        """Each result as soon as it is made. Raises the LintmdbError of the work, or ProcessDiedError."""
        while True:
            try:
                found = cast("_Result | LintmdbError", pickle.load(self._process.stdout))
            except (EOFError, pickle.UnpicklingError):  # the end, or half of a result
                break
            if isinstance(found, LintmdbError):
                self._close()
                raise found
            yield found
        if code := self._close():
            raise ProcessDiedError(
                f"a process that shares the work {_how_it_ended(code)}",
                next_step=", or ".join(filter(None, ("If memory ran out, give it more", self._without))),
            )


class Later(Generic[_Result]):
    """A result that a thread waits for, while this one does something else."""

    def __init__(self, wait: Callable[[], _Result]) -> None:
        self._wait = wait
        self._found: list[_Result] = []
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._found.append(self._wait())
        except Exception as error:  # whoever asks for the result gets it
            self._error = error

    def result(self) -> _Result:
        """The result, once it is there. Raises what ``wait`` raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._found[0]


class _Fresh:
    """A process that begins with nothing: it imports what it needs, and is sent its work."""

    def __init__(self, work: Callable[[_Item], Iterable[object]], item: _Item) -> None:
        self._process = subprocess.Popen(_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
        assert self._process.stdout is not None
        self.stdout = self._process.stdout
        # It imports before it takes anything.
        message = pickle.dumps((work, item), _PROTOCOL)
        threading.Thread(target=_send, args=(self._process, message), daemon=True).start()

    def kill(self) -> None:
        self._process.kill()

    def wait(self) -> int:
        """The exit code, negative for the number of a signal."""
        return self._process.wait()


def _how_it_ended(code: int) -> str:
    return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"


# Without -P, modules in the current folder, which may be somebody's exports, would come before Python's own.
_COMMAND = (sys.executable, "-P", "-c", "from lintmdb.run.processes import serve; serve()")


def environment() -> dict[str, str]:
    """That of this process, with the place that it imports lintmdb from."""
    own = str(Path(__file__).resolve().parents[2])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (own, os.environ.get("PYTHONPATH"))))}


_PROTOCOL = pickle.HIGHEST_PROTOCOL


def _send(process: subprocess.Popen[bytes], work: bytes) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError):  # it has died, as its exit code will say
        process.stdin.write(work)
        process.stdin.close()


def serve() -> None:
    """What such a process does: its work comes on standard input, and its results go to standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one ends it
    settle_memory()
    work, item = cast("tuple[Callable[[object], Iterable[object]], object]", pickle.load(sys.stdin.buffer))
    _give(work, item, sys.stdout.buffer)


def _give(work: Callable[[_Item], Iterable[object]], item: _Item, results: BinaryIO) -> None:
    """Write each result as soon as it is made, or the LintmdbError of the work."""

    def write(result: object) -> None:
        results.write(pickle.dumps(result, _PROTOCOL))
        results.flush()

    try:
        for result in work(item):
            write(result)
    except LintmdbError as error:
        write(error)


def settle_memory() -> None:
    """Keep the collector from what a worker process has imported, which is most of what a fresh one costs; facts hold
    no cycles worth the walk.
    """
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)
