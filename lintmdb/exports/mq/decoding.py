"""Bytes of an MQSC file to text with line ends.

A file that came from z/OS may have none that other systems know: ``iconv`` turns the line end of EBCDIC into U+0085,
and a data set copied in binary is records of 80 characters with nothing between them.
"""

from __future__ import annotations

import re

from lintmdb.errors import UnreadableError
from lintmdb.exports.text import unmarked_utf16, utf16_words

_RECORD = 80
_PROBED_RECORDS = 20
# Columns 73 to 80 hold a sequence number, a name or nothing: that tells records from one long line.
_RECORDS = re.compile(r"(?:[^\n]{72}(?:\d{8}| {8})|[^\n]{71}[-+ ][A-Za-z0-9@#$]{8})+")
COMMAND_COLUMNS = 72
"""How many columns of a record of z/OS hold commands."""
_PROBED_LINES = 200
_NUMBERED = re.compile(r".{71}[-+ ][A-Za-z0-9@#$]{8}")


def decode(data: bytes, path: str) -> str:
    """The text of a file: UTF-8, else UTF-16 by its mark, else Windows' Latin-1; of z/OS records the columns that hold
    commands.

    Raises UnreadableError for bytes that are no text.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return command_columns(with_line_ends(data.decode("utf-16", "replace")))
    if encoding := unmarked_utf16(data):
        raise UnreadableError(utf16_words(encoding), path=path)
    if b"\0" in data:
        raise UnreadableError(
            "is not text, because it contains NUL bytes", path=path, next_step="Provide the MQSC text itself"
        )
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252" if b"\n" in data else "latin-1", "replace")
    return command_columns(with_line_ends(text))


def command_columns(text: str) -> str:
    """Text without columns 73 to 80 of its lines, where these are records of z/OS.

    CSQUTIL ignores these columns whatever they hold: sequence numbers, names, remarks. Lines are records where each of
    them has 80 characters, or where most end in a number or name of eight and none is longer.
    """
    if not are_records(text):
        return text
    return "\n".join(line[:COMMAND_COLUMNS].rstrip() for line in text.split("\n"))


def are_records(text: str) -> bool:
    """Whether lines are records of z/OS, whose columns 73 to 80 hold no command."""
    lines = [line.removesuffix("\r") for line in text.split("\n", _PROBED_LINES)[:_PROBED_LINES] if line.strip()]
    if len(lines) < 2 or any(len(line.rstrip()) > _RECORD for line in lines):
        return False
    if all(len(line) == _RECORD and _ends_before_column_73(line) for line in lines):
        return True
    return 2 * sum(1 for line in lines if _NUMBERED.fullmatch(line.rstrip())) > len(lines)


def _ends_before_column_73(line: str) -> bool:
    """Whether no word and no quoted text goes on there: lines of 80 characters by chance are cut in neither."""
    return line[COMMAND_COLUMNS - 1] in "-+ " and line[:COMMAND_COLUMNS].count("'") % 2 == 0


def with_line_ends(text: str) -> str:
    """Text whose lines end in a line feed, whatever ended them before."""
    if "\n" in text:
        return text
    for end in ("\x85", "\r"):
        if end in text:
            return text.replace(end, "\n")
    probe = text[: _RECORD * _PROBED_RECORDS]
    if len(probe) >= 2 * _RECORD and _RECORDS.fullmatch(probe[: len(probe) // _RECORD * _RECORD]):
        return "\n".join(text[start : start + _RECORD] for start in range(0, len(text), _RECORD))
    return text
