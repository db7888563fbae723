"""The console of Windows, which shows escape codes as text until it is asked to obey them."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any, Protocol

_STANDARD_OUTPUT = -11
_OBEYS_ESCAPES = 0x0004


class Kernel(Protocol):
    """What is used of kernel32."""

    def GetStdHandle(self, which: int) -> int: ...  # noqa: D102, N802
    def GetConsoleMode(self, handle: int, mode: Any) -> int: ...  # noqa: D102, N802
    def SetConsoleMode(self, handle: int, mode: int) -> int: ...  # noqa: D102, N802


def prepare_console() -> None:
    """Let the console show colours; where it cannot, there are none. On other systems there is nothing to do."""
    if sys.platform == "win32" and not shows_colours(ctypes.windll.kernel32):
        os.environ.setdefault("NO_COLOR", "1")


def shows_colours(kernel: Kernel) -> bool:
    """Whether standard output obeys escape codes from now on. What is no console is asked nothing."""
    handle = kernel.GetStdHandle(_STANDARD_OUTPUT)
    mode = ctypes.c_uint32()
    if not kernel.GetConsoleMode(handle, ctypes.byref(mode)):
        return True  # a file or a pipe, which shows nothing itself
    return bool(mode.value & _OBEYS_ESCAPES or kernel.SetConsoleMode(handle, mode.value | _OBEYS_ESCAPES))
