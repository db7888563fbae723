"""Whether a file is MQSC, by its first bytes and never by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from lintmdb.exports.mq.decoding import command_columns, with_line_ends
from lintmdb.exports.mq.lines import LISTING
from lintmdb.exports.mq.vocabulary import VERBS

_VERB = "|".join(sorted(VERBS, key=len, reverse=True))
_NOUN = (
    "QLOCAL|QALIAS|QREMOTE|QMODEL|QUEUE|Q[LARMC]|CHANNEL|CHL|CHLAUTH|AUTHREC|AUTHINFO|LISTENER|TOPIC|SUB|SERVICE|"
    "PROCESS|PRO|NAMELIST|NL|POLICY|STGCLASS|STC|CFSTRUCT|PSID|BUFFPOOL|COMMINFO|QSTATUS|CHSTATUS|CONN|PUBSUB"
)
# These stand alone; the nouns above need a name in parentheses, which ordinary prose and other languages lack.
_ALONE = "QMGR|AUTHREC|SECURITY|CMDSERV|CHINIT|CLUSTER|PUBSUB|QMSTATUS"
_COMMAND = re.compile(
    rf"[ \t]*(?!SET[ \t]+(?!AUTHREC|CHLAUTH|POLICY))(?:{_VERB})[ \t]+"
    r"(?:(?:NO)?REPLACE[ \t]*[+-]|(?:(?:NO)?REPLACE[ \t]+)?"
    rf"(?:(?:{_NOUN})[ \t]*(?:\(|[+-]?\Z)|(?:{_ALONE})(?:[ \t+;-]|\Z)))",
    re.I,
)
_SPLIT_COMMAND = re.compile(rf"[ \t]*(?:{_VERB})[ \t]*[+-]\Z", re.I)
_DISPLAY = re.compile(r"^\s*(?:AMQ8\d{3}[EIW]?:|CSQM4\d\dI\b|CSQN205I\b)", re.M)
_ACTIVE = re.compile(r"^[ \t]*(?:DEF|DEFINE|ALT|ALTER|SET|DELETE)[ \t]", re.M | re.I)
# What other products put into a deck, as the CICS utilities do: their commands, and lines that go on with parameters.
_NEIGHBOUR = re.compile(
    r"(?:DEFINE|ALTER|ADD|DELETE)[ \t]+[A-Z0-9]+[ \t]*\(|[ \t]+(?:[A-Z][A-Z0-9]*[ \t]*\([^()]*\)[ \t,]*)+\Z", re.I
)
_DUMP = re.compile(r"^\*.*(?:Script generated|Queue manager name:|saveqmgr)", re.M | re.I)
_MARKUP = re.compile(r"\s*(?:<|\{|\[|---|#!)")
_YAML = re.compile(r"^(?:(?:apiVersion|kind):|[ \t]*(?:-|(?:-[ \t]+)?[\w.-]+:)[ \t]*[|>][+-]?[ \t]*\r?$)", re.M)
_EBCDIC = re.compile(
    r"\b(?:DEF|DEFINE|ALT|ALTER|DELETE|SET)\s+"
    r"(?:NOREPLACE\s|REPLACE\s|Q[A-Z]+\b|CHANNEL\b|CHL\b|STGCLASS\b|AUTHREC\b|CHLAUTH\b|TOPIC\b)",
    re.I,
)


def looks_like_mqsc(head: bytes) -> bool:
    """Whether a file that starts like this is MQSC script text.

    At least as many statements must be commands as are not; comments alone are no sign, for lists in prose look alike.
    Statements that other products share a deck with are not counted.
    """
    text = head_text(head)
    if text is None or looks_like_display(head):
        return False
    if _DUMP.search(text):
        return True
    if (_MARKUP.match(text) and not text.lstrip().startswith("{{")) or _YAML.search(text):
        return False
    hits = foreign = 0
    for statement in _statements(text):
        if _COMMAND.match(statement):
            hits += 1
        elif statement.strip(" \t;").upper() not in ("", "END", "EXIT", "QUIT") and not _NEIGHBOUR.match(statement):
            foreign += 1
    return hits > 0 and hits >= foreign


def looks_like_display(head: bytes) -> bool:
    """Whether it is output of DISPLAY commands, which is another format; the listing of a job may lead to commands, and
    a dump may end in the message of an error.
    """
    text = head_text(head)
    if text is None:
        return False
    shown = _DISPLAY.search(text)
    if shown is None or _DUMP.search(text, 0, shown.start()):
        return False
    return _ACTIVE.search(text, shown.end()) is None


def looks_like_ebcdic_mqsc(head: bytes) -> bool:
    """Whether it is MQSC in EBCDIC: downloaded from z/OS without conversion."""
    if not head or b"\x40" not in head[:512]:
        return False
    # In EBCDIC records there may be no line ends at all.
    return bool(_EBCDIC.search(head[:4096].decode("cp037", "replace")))


def _statements(text: str) -> Iterator[str]:
    """The first line of each statement; a verb that stands alone is joined with the line that it continues on."""
    verb = ""
    continued = False
    for line in text.split("\n"):
        body = line.rstrip()
        if len(body) == 80 and body[72:].isdigit():
            body = body[:72].rstrip()
        if LISTING.match(body) or not body or body.startswith("*") or body.lstrip().startswith(("{{", "#", "* ", "**")):
            continue
        if verb:
            yield f"{verb} {body.lstrip()}"
            verb = ""
        elif not continued:
            if _SPLIT_COMMAND.match(body):
                verb = body[:-1].strip()
            else:
                yield body
        continued = body.endswith(("+", "-"))


@lru_cache(maxsize=2)  # several formats ask in turn
def head_text(head: bytes) -> str | None:
    """The beginning of a file as text; None where it is none."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return command_columns(with_line_ends(head.decode("utf-16", "ignore")))
    if b"\0" in head:
        return None
    return command_columns(with_line_ends(head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")))
