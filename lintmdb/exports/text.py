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


def decode_export(data: bytes) -> str:
    """XML or MQSC as text: UTF-16 by its mark, what its XML declaration says, UTF-8, else Windows' Latin-1."""
    if utf16_marked(data):
        return data.decode("utf-16", "replace")
    encoding = declared_encoding(data)
    try:
        return data.decode(encoding, "replace") if single_byte(encoding) else data.decode("utf-8")
    except (UnicodeDecodeError, LookupError):
        return data.decode("cp1252", "replace")
