"""Errors of Spark, of the JVM and of Python in executors in one line, out of what may be pages of stack traces."""

from __future__ import annotations

import re

_MAX_CHARACTERS = 300
_PLAIN_REASONS = ("No space left on device", "Disk quota exceeded", "Permission denied", "OutOfMemoryError")
_OWN = re.compile(r"\blintmdb\.[\w.]*Error: (.+)")
_PYTHON = re.compile(r"Traceback \(most recent call last\):\n(?:[ \t].*\n)+(?:[\w.]+: )?(.+)")
_JVM = re.compile(r"^(?:Caused by|): ([\w.$]+(?:Exception|Error)\b.*)", re.MULTILINE)


def short_reason(error: BaseException) -> str:
    """The reason of an error in one line.

    It is the message of lintmdb's own error or of another Python error in an executor, a reason that needs no more
    words, the last exception of the JVM that caused others, or the first line.
    """
    text = str(error)
    raised = _OWN.search(text) or _PYTHON.search(text)
    if raised:
        return raised[1].strip()[:_MAX_CHARACTERS]
    for reason in _PLAIN_REASONS:
        if reason in text:
            return reason
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (_JVM.findall(text)[-1:] or lines[:1] or [type(error).__name__])[0].strip()[:_MAX_CHARACTERS]
