"""The forms in which people keep the definitions of queue managers; each is told by its content and read to the same
commands, so that nothing behind the readers knows where a command came from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from lintmdb.exports.mq.commands import MqscFile
from lintmdb.exports.mq.display import looks_like_transcript, read_transcript
from lintmdb.exports.mq.reader import read_mqsc
from lintmdb.exports.mq.sniff import looks_like_mqsc

FormatName = Literal["mqsc", "transcript"]


class Format(NamedTuple):
    """One form: its name, whether a file that starts with some bytes has it, and its reader.

    The reader takes all bytes and the shown path, returns the scripts inside the file in the order in which they run,
    and raises UnreadableError only for what is not text.
    """

    name: FormatName
    looks_like: Callable[[bytes], bool]
    read: Callable[[bytes, str], Sequence[MqscFile]]


def _read_mqsc(data: bytes, path: str) -> Sequence[MqscFile]:
    return [read_mqsc(data, path)]


FORMATS = (
    Format("transcript", looks_like_transcript, read_transcript),
    Format("mqsc", looks_like_mqsc, _read_mqsc),
)
"""In the order in which they are tried."""

ANSWERS: frozenset[FormatName] = frozenset({"transcript"})
"""The forms that hold what a queue manager answered."""

_READERS = {form.name: form.read for form in FORMATS}


def format_of(head: bytes) -> FormatName | None:
    """The form of a file that starts with these bytes; None where it has none of them."""
    return next((form.name for form in FORMATS if form.looks_like(head)), None)


def read_scripts(name: FormatName, data: bytes, path: str) -> Sequence[MqscFile]:
    """The scripts of one file of a form. Raises UnreadableError only for what is not text."""
    return _READERS[name](data, path)
