"""Scripts of Windows commands in the words of a shell, character by character, so that all positions stay.

In them ``^`` takes its meaning from the next character, quotation marks and parentheses behind echo are text, and
``%NAME%`` is a variable.
"""

from __future__ import annotations

import re

_BEGINS = re.compile(r"(?:\s*(?:::[^\n]*|rem\b[^\n]*)?\n)*\s*@(?:echo|setlocal|rem)\b", re.I)
_SILENT = re.compile(r"^[ \t]*@|(?<=[(&|])[ \t]*@")
_COMMENT = re.compile(r"[ \t]*@?(?:rem\b|::)", re.I)
_ECHO = re.compile(r"(?:^|[(&|])[ \t]*echo[ .]", re.I)
_VARIABLE = re.compile(r"%(\w{2,})%")
_SPECIAL = "()&|<>^"
_TEXT = str.maketrans("'\"()", "\ue000\ue001\ue002\ue003")
_BACK = str.maketrans("\ue000\ue001\ue002\ue003", "'\"()")


def is_windows_script(text: str, path: str) -> bool:
    """Whether a script is one of Windows commands, by its name or its first command."""
    return path.lower().endswith((".bat", ".cmd")) or _BEGINS.match(text) is not None


def as_shell(text: str) -> str:
    """The script as a shell may read it: what has a meaning there alone is another character, as long as the text."""
    return "\n".join(map(_line, text.split("\n")))


def restored(text: str) -> str:
    """Text of such a script with the characters that it had."""
    return text.translate(_BACK)


def _line(line: str) -> str:
    if _COMMENT.match(line):
        return "#".ljust(len(line))
    line = _VARIABLE.sub(lambda found: f"${{{found[1][:-1]}}}", line)
    line = _SILENT.sub(lambda found: found[0].replace("@", " "), line)
    pieces: list[str] = []
    at = 0
    while found := _ECHO.search(line, at):
        pieces.append(line[at : found.start()] + found[0].lower())
        at = found.end()
        end = _echoed_end(line, at)
        echoed = re.sub(rf"\^([{re.escape(_SPECIAL)}])", r"\\\1", line[at:end])
        pieces.append(echoed.translate(_TEXT))
        at = end
    return "".join([*pieces, line[at:]])


def _echoed_end(line: str, at: int) -> int:
    """The offset behind what echo writes: a parenthesis that it does not open ends a block."""
    depth = 0
    while at < len(line):
        char = line[at]
        if char == "^":
            at += 1
        elif char in "&|<>" or (char == ")" and not depth):
            break
        else:
            depth += (char == "(") - (char == ")")
        at += 1
    return min(at, len(line))
