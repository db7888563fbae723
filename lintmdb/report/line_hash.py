"""The hash by which GitHub follows an alert from one commit to the next (``primaryLocationLineHash``).

It is a polynomial of base 37 modulo 2^64 over the 100 characters from the start of a line on, blanks and tabs left out
and line ends as line feeds; the end of the file counts as 65535, and zeros follow it. Equal hashes in one file are
numbered. GitHub works it out itself for files of the repository; here it is also had for what lies in an archive.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_WINDOW = 100
_BASE = 37
_MODULUS = 1 << 64
_END_OF_FILE = "\uffff"
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def line_hashes(text: str, lines: Collection[int]) -> dict[int, str]:
    """``hash:n`` of the wanted lines (1-based) that the text has."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace(" ", "").replace("\t", "")
    # Characters are counted as JavaScript does, in units of 16 bits.
    text = _ASTRAL.sub(_surrogates, text) + _END_OF_FILE
    end = len(text)
    text += "\0" * _WINDOW
    seen: dict[str, int] = {}
    hashes: dict[int, str] = {}
    last = max(lines, default=0)
    start, number = 0, 1
    while start < end and number <= last:
        # Equal windows stand for equal hashes: only the wanted ones are worked out.
        window = text[start : start + _WINDOW]
        seen[window] = seen.get(window, 0) + 1
        if number in lines:
            hashes[number] = f"{_hash(window):x}:{seen[window]}"
        start = text.find("\n", start) + 1
        if not start:
            break
        number += 1
    return hashes


def _hash(window: str) -> int:
    value = 0
    for character in window:
        value = (value * _BASE + ord(character)) % _MODULUS
    return value


def _surrogates(match: re.Match[str]) -> str:
    offset = ord(match.group()) - 0x10000
    return chr(0xD800 + (offset >> 10)) + chr(0xDC00 + (offset & 0x3FF))
