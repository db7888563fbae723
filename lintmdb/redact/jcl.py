"""Jobs of z/OS without secrets: the steps that run CSQUTIL and their commands stay, and the rest is text."""

from __future__ import annotations

import re

from lintmdb.redact.pseudonyms import Pseudonyms
from lintmdb.redact.scripts import redact_script

_EXEC = re.compile(r"//\S*[ \t]+EXEC[ \t]+")
_UTILITY = re.compile(r"(?:\S*,)?PGM=CSQUTIL\b")
_KEPT = re.compile(r"//[A-Z0-9@#$.]*[ \t]+DD[ \t]+(?:\*|DATA\b)[^\n ]*|//(?=[ \t]*\r?\Z)|/\*")
_PARM = re.compile(r"(PARM=\(?'?)([A-Z0-9@#$.]+)")
_CONTROL = re.compile(r"[ \t]*COMMAND\b")


def redact_jcl(text: str, pseudonyms: Pseudonyms) -> str:
    """A job, line by line. Raises LintmdbError."""
    pieces: list[str] = []
    block: list[str] = []
    in_utility = False
    for line in text.split("\n"):
        if not line.startswith(("//", "/*")) and not _CONTROL.match(line):
            block.append(line)
            continue
        if block:
            pieces.append(redact_script("\n".join(block), pseudonyms))
            block.clear()
        if step := _EXEC.match(line):
            in_utility = _UTILITY.match(line, step.end()) is not None
        pieces.append(_statement(line, pseudonyms, in_utility=in_utility))
    return "\n".join([*pieces, *([redact_script("\n".join(block), pseudonyms)] if block else [])])


def _statement(line: str, pseudonyms: Pseudonyms, *, in_utility: bool) -> str:
    step, named = _EXEC.match(line), _PARM.search(line)
    if _CONTROL.match(line) or (in_utility and (step is not None or named is not None)):
        return _PARM.sub(lambda found: found[1] + pseudonyms.value("name", found[2]), line)
    kept = step or _KEPT.match(line)
    end = kept.end() if kept is not None else min(len(line), 2)
    return line[:end] + pseudonyms.value("text", line[end:])
