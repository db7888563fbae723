"""Whether a file is MQSC, by its first bytes and never by its name."""

from __future__ import annotations

import re

from lintmdb.exports.mq.mqsc import VERBS

_WORDS = "|".join(sorted(VERBS, key=len, reverse=True))
_COMMAND = re.compile(rf"[ \t]*(?:{_WORDS})[ \t]+[A-Z][A-Z0-9]*(?:[ \t]*\(|[ \t]|[+;-]|\r?$)", re.I)
_NOUN = re.compile(
    r"[ \t]*(?:\w+)[ \t]+(?:(?:NO)?REPLACE[ \t]|(?:Q[LARM]?|QLOCAL|QALIAS|QREMOTE|QMODEL|QMGR|CHL|CHANNEL|CHLAUTH|"
    r"AUTHREC|AUTHINFO|LISTENER|TOPIC|SUB|SERVICE|PROCESS|PRO|NAMELIST|NL|POLICY|SECURITY|STGCLASS|CFSTRUCT|PSID|QUEUE|COMMINFO|"
    r"BUFFPOOL|SYSTEM|LOG|CLUSTER|STL|STC|CMDSERV|CHINIT|TRACE)(?:[ \t]*\(|[ \t+;-]|\r?$))",
    re.I,
)
_DISPLAY = re.compile(r"^\s*(?:AMQ8\d{3}[EIW]?:|CSQM4\d\dI\b|CSQN205I\b)", re.M)
_DUMP = re.compile(r"^\*.*(?:Script generated|Queue manager name:|saveqmgr)", re.M | re.I)
_MARKUP = re.compile(r"\s*(?:<|\{|\[|---|#!)|(?:.*\n)*?(?:apiVersion|kind):")


def looks_like_mqsc(head: bytes) -> bool:
    """Whether a file that starts like this is MQSC script text."""
    text = _text(head)
    if text is None or looks_like_display(head):
        return False
    if _DUMP.search(text):
        return True
    if _MARKUP.match(text) and not text.lstrip().startswith("{{"):
        return False
    hits = foreign = 0
    continued = False
    for line in text.split("\n"):
        body = line.strip()
        if not body or line.startswith("*") or body.startswith(("{{", "#", "* ", "**")):
            continue
        if not continued:
            if _NOUN.match(line) and _COMMAND.match(line):
                hits += 1
            elif not (body == ";" or body.upper().rstrip(";") in ("END", "EXIT", "QUIT")):
                foreign += 1
        continued = body.endswith(("+", "-"))
    return hits > 0 and hits >= foreign


def looks_like_display(head: bytes) -> bool:
    """Whether it is output of DISPLAY commands, which is another format."""
    text = _text(head)
    return text is not None and bool(_DISPLAY.search(text))


def looks_like_ebcdic_mqsc(head: bytes) -> bool:
    """Whether it is MQSC in EBCDIC: downloaded from z/OS without conversion."""
    if not head or b"\x40" not in head[:512]:
        return False
    text = head[:4096].decode("cp037", "replace")
    # In EBCDIC records there may be no line ends at all.
    return bool(
        re.search(r"\b(?:DEFINE|ALTER|DELETE)\s+(?:NOREPLACE\s|REPLACE\s|Q[A-Z]+\b|CHANNEL\b|STGCLASS\b)", text)
    )


def _text(head: bytes) -> str | None:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return head.decode("utf-16", "ignore")
    if b"\0" in head:
        return None
    return head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
