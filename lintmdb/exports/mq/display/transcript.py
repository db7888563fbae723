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
from lintmdb.model.relations import Problem

_ZOS = re.compile(r"\bCSQ[A-Z0-9]\d{3}[A-Z]\b")
_FAILED = r"^Starting MQSC for queue manager %s\.?\s*(AMQ8(?:118|135|145|146|156|157))[A-Z]?:"
"""The queue manager does not exist, does not let the user in, is not available, or ends."""
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
    return [_unless_failed(file, text) for file in recorder.files if _holds_something(file)]


def _unless_failed(file: MqscFile, text: str) -> MqscFile:
    """What a queue manager answered; where it was not even reached, that its export failed."""
    if file.commands or file.cluster_queues or file.listings or file.problems or not file.queue_manager:
        return file
    failed = re.search(_FAILED % re.escape(file.queue_manager), text, re.M)
    if failed is None:
        return file
    problem = Problem(
        kind="not_read",
        path=file.path,
        line=text.count("\n", 0, failed.start(1)) + 1,
        column=1,
        text=f"queue manager {file.queue_manager} answered nothing but {failed[1]}, so its export failed",
        next_step="Export it again while it runs",
    )
    return MqscFile(file.path, embedded=True, problems=[problem])


def _holds_something(file: MqscFile) -> bool:
    return bool(file.commands or file.cluster_queues or file.listings or file.problems or file.queue_manager)
