"""Transcripts of runmqsc, and what CSQUTIL and the console of z/OS show, as files of commands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lintmdb.exports.mq.commands import ANY_DISTRIBUTED, MqscFile
from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.display.quoting import unquoted
from lintmdb.exports.mq.display.recorder import Recorder
from lintmdb.exports.mq.display.runmqsc import RunmqscReader
from lintmdb.exports.mq.display.zos import ZosReader
from lintmdb.exports.mq.embedded import shift_columns

_ZOS = re.compile(r"\bCSQ[A-Z0-9]\d{3}[A-Z]\b")
_DISTRIBUTED = re.compile(r"^\s*AMQ\d{4}[A-Z]?:", re.M)


def read_transcript(data: bytes, path: str) -> Sequence[MqscFile]:
    """What each queue manager of a transcript answered. Raises UnreadableError only for what is not text."""
    text, width = unquoted(decode(data, path))
    files = read_lines(text, path)
    for file in files if width else ():
        shift_columns(file, width)
    return files


def read_lines(text: str, path: str) -> Sequence[MqscFile]:
    """The same for text."""
    zos = "CSQ" in text and _ZOS.search(text) is not None and _DISTRIBUTED.search(text) is None
    recorder = Recorder(path, "z/OS" if zos else ANY_DISTRIBUTED)
    reader = ZosReader(recorder) if zos else RunmqscReader(recorder)
    reader.read(text)
    return [file for file in recorder.files if _holds_something(file)]


def _holds_something(file: MqscFile) -> bool:
    return bool(file.commands or file.listings or file.problems or file.queue_manager)
