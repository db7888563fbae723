"""A copy of this process (``os.fork``), which shares its memory until one of them changes it. Only on Linux."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import BinaryIO, NoReturn


def is_fork_safe() -> bool:
    """Whether a copy of this process can work: another thread may hold a lock, which nobody would open in the copy."""
    try:
        return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


class ProcessCopy:
    """A copy that does some work, which it gives the stream for its results, and ends."""

    def __init__(self, work: Callable[[BinaryIO], None]) -> None:
        reading, writing = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            os.close(reading)
            _work_and_exit(work, writing)
        os.close(writing)
        self.stdout = open(reading, "rb")  # noqa: SIM115  whoever has started the process closes it
        self._code: int | None = None

    def kill(self) -> None:
        """End it, if it still runs."""
        if self._code is None:
            os.kill(self._pid, signal.SIGKILL)

    def wait(self) -> int:
        """The exit code, negative for the number of a signal."""
        if self._code is None:
            self._code = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        return self._code


def _work_and_exit(work: Callable[[BinaryIO], None], writing: int) -> NoReturn:
    """What a copy does. It leaves what this process has begun alone: open files, streams with text, exit handlers."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one ends it
        with open(writing, "wb") as results:
            work(results)
        code = 0
    except BrokenPipeError:  # nobody waits for it any more
        pass
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)
