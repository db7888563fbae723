"""Text in EBCDIC, as a binary copy of a data set or file of z/OS has it.

Code pages 037, 500 and 1047 have the characters of commands, names and answers in the same places; they differ in
brackets and the like, which stand in descriptions. Lines end in X'15' or X'25', or all records have one length.
"""

from __future__ import annotations

_CHARACTERS = frozenset(
    [*range(0x81, 0x8A), *range(0x91, 0x9A), *range(0xA2, 0xAA), *range(0xC1, 0xCA), *range(0xD1, 0xDA),
     *range(0xE2, 0xEA), *range(0xF0, 0xFA), *range(0x4B, 0x51), *range(0x5B, 0x62), *range(0x6B, 0x70),
     *range(0x7A, 0x80), 0x40, 0x15, 0x25, 0x0D, 0x05]
)  # fmt: skip
"""Letters, digits, signs, the blank and line ends: most of what a dump or transcript consists of."""
_FROM_1047 = str.maketrans({"\xdd": "[", "\xa8": "]"})
_RECORDS = (80, 133)
"""The lengths of records of decks, and of listings."""
_PROBED = 4096


def is_ebcdic(head: bytes) -> bool:
    """Whether a file that starts like this is text in EBCDIC. Text in ASCII has few bytes above X'7F'."""
    head = head[:_PROBED]
    high, others = sum(byte >= 0x80 for byte in head), len(head) - head.count(0x40)
    return 2 * high > others and 20 * sum(byte in _CHARACTERS for byte in head) >= 19 * len(head)


def from_ebcdic(data: bytes, size: int) -> bytes:
    """The same text in UTF-8, with as many lines; records of one length become lines.

    ``size`` is that of the whole file in bytes, of which the data may be the beginning.
    """
    text = data.decode("cp037").translate(_FROM_1047)
    if "\x85" in text or "\n" in text or "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r\x85", "\n").replace("\x85", "\n").replace("\r", "\n")
    else:
        length = next((length for length in _RECORDS if size % length == 0), 0)
        if length:
            text = "\n".join(text[start : start + length] for start in range(0, len(text), length)) + "\n"
    return text.encode("utf-8")
