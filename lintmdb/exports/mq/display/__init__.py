"""Reading what queue managers answer to DISPLAY and to the commands around it."""

from lintmdb.exports.mq.display.sniff import looks_like_transcript
from lintmdb.exports.mq.display.transcript import read_transcript

__all__ = ["looks_like_transcript", "read_transcript"]
