"""The text of an export as its reader saw it, for reports that show a part of it again."""

from __future__ import annotations

import codecs
import re

_DECLARED = re.compile(rb"""\A\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")

_SINGLE_BYTE = re.compile(r"(?:iso-8859-\d+|latin-?1|windows-125\d|cp125\d|cp850|ibm850)")


def single_byte(encoding: str) -> bool:
    """Whether an encoding has one byte a character, and ASCII as itself: its tags can be searched as bytes."""
    return _SINGLE_BYTE.fullmatch(encoding) is not None


def declared_encoding(data: bytes) -> str:
    """The encoding that an XML declaration names, in lower case; blank where none does."""
    match = _DECLARED.match(data[:200].removeprefix(codecs.BOM_UTF8))
    return match.group(1).decode("ascii").lower() if match else ""


def utf16_marked(data: bytes) -> bool:
    """Whether bytes begin with the mark of UTF-16, as Windows tools write it."""
    return data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def utf16_words(encoding: str) -> str:
    """What is said of text in UTF-16 without its mark, and what to do."""
    return f"is text in UTF-16 without a byte order mark: save it as UTF-8 (iconv -f {encoding} -t UTF-8)"


def unmarked_utf16(data: bytes) -> str:
    """Which UTF-16 it is where bytes lack its mark, as iconv calls it; blank for anything else. Of mostly Latin letters
    every second byte is NUL.
    """
    first, second = data[:400:2], data[1:400:2]
    for name, letters, nuls in (("UTF-16LE", first, second), ("UTF-16BE", second, first)):
        if len(nuls) > 1 and nuls.count(0) >= 0.9 * len(nuls) and not letters.count(0):
            return name
    return ""


def decode_export(data: bytes) -> str:
    """XML or MQSC as text: UTF-16 by its mark, what its XML declaration says, UTF-8, else Windows' Latin-1."""
    if utf16_marked(data):
        return data.decode("utf-16", "replace")
    encoding = declared_encoding(data)
    try:
        return data.decode(encoding, "replace") if single_byte(encoding) else data.decode("utf-8")
    except (UnicodeDecodeError, LookupError):
        return data.decode("cp1252", "replace")
