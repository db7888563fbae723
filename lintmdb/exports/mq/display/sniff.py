"""Whether a file is the transcript of a session with a queue manager, by its first bytes."""

from __future__ import annotations

import re

from lintmdb.exports.mq.display.quoting import unquoted
from lintmdb.exports.mq.sniff import head_text

_SIGN = re.compile("AMQ8|Starting MQSC|CSQM|CSQ9")
"""One of these is in each transcript; they are sooner looked for than the rest."""
_ECHO = re.compile(r"^[ \t]*\d{1,7} : ?[ \t]*\S", re.M)
_ANSWER = re.compile(r"^\s{0,3}AMQ8\d{3}[A-Z]?:", re.M)
_OBJECT = re.compile(
    r"^\s{0,3}AMQ8\d{3}[A-Z]?:[^\n(]*\n?\s*(?:QUEUE|QMNAME|CHANNEL|PROFILE|CHLAUTH|TOPIC|AUTHINFO|CHSTATUS|CONN|LISTENER"
    r"|SERVICE|SUB|NAMELIST|PROCESS|CLUSQMGR|POLICY)\(",
    re.M,
)
_SESSION = re.compile(r"^Starting MQSC for queue manager \S", re.M)
_ZOS = re.compile(r"\bCSQM(?:4\d\d|201)I\b")
_ZOS_END = re.compile(r"\bCSQ902[23][A-Z]\b.*'\s*(?:DISPLAY|DEFINE|ALTER|DELETE)\b")
_MARKUP = re.compile(r"""\s*(?:[{\[]\s*(?:["'{\[\]}]|\Z)|<[?!])""")
_CLOSING_TAG = re.compile(r"\s*<[^\0]*(?:</\w|/>)")
_DECK = re.compile(r"^[ \t]*(?:DEFINE|ALTER)[ \t]+(?:NOREPLACE|REPLACE)?[ \t]*[-+]?[ \t]*$", re.M)


def looks_like_transcript(head: bytes) -> bool:
    """Whether a file that starts like this holds what a queue manager answered.

    A deck of commands under the listing of the job that made it is no transcript.
    """
    text = head_text(head)
    if text is None or _SIGN.search(text) is None or _is_markup(text):
        return False
    text = unquoted(text.replace("\ufffd", " "))[0]
    if _OBJECT.search(text) or _SESSION.search(text) or (_ECHO.search(text) and _ANSWER.search(text)):
        return True
    return _ZOS.search(text) is not None or (_ZOS_END.search(text) is not None and _DECK.search(text) is None)


def _is_markup(text: str) -> bool:
    """Whether it is JSON or XML. The prompt of a shell may begin with the same characters: ``[mqm@host ~]$``."""
    return _MARKUP.match(text) is not None or _CLOSING_TAG.match(text) is not None
