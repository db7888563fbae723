"""What z/OS shows of commands and their answers: CSQUTIL and CSQOREXX listings, the console, and the system log.

An answer to DISPLAY is one message for each object (CSQM401I, with the values padded), which may take several lines
that break anywhere, or on the console one attribute a line between CSQM201I and END ... DETAILS.
"""

from __future__ import annotations

import re

from lintmdb.exports.mq.display.attributes import parse_sequence
from lintmdb.exports.mq.display.recorder import Recorder
from lintmdb.exports.mq.display.runmqsc import joined_command, placed
from lintmdb.exports.mq.joined import MAX_LINE, Joined
from lintmdb.exports.mq.vocabulary import FLAGS, VERBS

_MESSAGE = re.compile(r"(?P<before>.*?)\b(?P<code>CSQ[A-Z0-9]\d{3})(?P<severity>[A-Z])\b[ \t]*(?P<rest>.*)", re.S)
_PREFIX = re.compile(r"[^\sA-Za-z0-9('\"]{0,8}(?P<name>[A-Z0-9@#$]{0,8})(?=[ \t]|\Z)[ \t]*")
_TARGET = re.compile(r"queue manager is ([A-Z0-9@#$]{1,4})\b")
_LOG = re.compile(r"[DELSR][ \t]+(?:\d{3}[ \t]+)?(?:[0-9A-F]{8}[ \t]+)+")
"""What the system log has in front of the lines of a message."""
_END = re.compile(r"\s*END [A-Z]+ DETAILS\b")
_COMMAND = re.compile(
    r"(?:[01+-](?=\s))?(?:[NMD][A-Z]? .*? )??[ \t]*(?:[^\sA-Za-z0-9'(]?[A-Z0-9@#$]{1,8} )??[ \t]*(?P<command>(?:"
    + "|".join(sorted(VERBS, key=len, reverse=True))
    + r")\s+[A-Z].*)",
    re.I | re.S,
)
_DETAILS = "CSQM201"
_OBJECT = re.compile(r"CSQM4\d\d")
_NOT_FOUND = frozenset({"CSQM125", "CSQM297"})
_MAX_LINES = 1000


class ZosReader:
    """Reads the lines of one listing into a recorder."""

    def __init__(self, recorder: Recorder) -> None:
        self._to = recorder
        self._pieces: list[tuple[str, int, int]] = []
        """The lines of the object that is being shown: text, line, and how many columns are in front of it."""
        self._command: list[tuple[str, int, int]] = []

    def read(self, text: str) -> None:
        """Read all lines."""
        number = 0
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) > MAX_LINE:
                self._flush(cut=True)
            else:
                self._line(line.rstrip("\r"), number)
        cut = bool(self._pieces) and not _is_closed(self._pieces)
        self._asked()
        self._flush(cut=cut)
        self._to.stop(number, inside=False)

    def _line(self, line: str, number: int) -> None:
        event = _MESSAGE.match(line) if "CSQ" in line else None
        if event is not None:
            self._message(event, number)
        elif self._to.in_object:
            self._piece(line, number)
        elif self._command and self._command[-1][0].rstrip()[-1:] in ("+", "-"):
            self._command.append((line, number, 0))
        elif (found := _COMMAND.match(line)) is not None:
            self._asked()
            self._command = [(found["command"], number, found.start("command"))]

    def _message(self, event: re.Match[str], number: int) -> None:
        self._asked()
        self._flush()
        code, rest, at = event["code"], event["rest"], event.start("rest")
        if code == "CSQU055" and (target := _TARGET.search(rest)):
            self._to.queue_manager(target.group(1))
        elif code in (_DETAILS, *_NOT_FOUND, "CSQ9022", "CSQ9023") or _OBJECT.match(code):
            prefix = _PREFIX.match(rest)
            if prefix is not None:
                self._to.answers(prefix["name"])
            self._answer(code, rest[prefix.end() :] if prefix else rest, at + (prefix.end() if prefix else 0), number)

    def _answer(self, code: str, rest: str, at: int, number: int) -> None:
        recorder = self._to
        if code == "CSQ9022":
            recorder.outcome("done")
            recorder.end()
        elif code == "CSQ9023":
            recorder.outcome("failed")
            recorder.end()
        elif code in _NOT_FOUND:
            recorder.outcome("not_found")
        else:
            recorder.begin_object(needed=True)
            if code != _DETAILS and rest.strip():
                self._pieces.append((rest, number, at))

    def _asked(self) -> None:
        """Hand on the command that is complete now."""
        if self._command:
            command, self._command = self._command, []
            self._to.ask(joined_command([text for text, _, _ in command], [(line, at) for _, line, at in command]))

    def _piece(self, line: str, number: int) -> None:
        """A further line of an object."""
        log = _LOG.match(line)
        start = log.end() if log else 0
        text = line[start:]
        if _END.match(text):
            self._flush()
            return
        if not text.strip():
            return
        indent = len(text) - len(text.lstrip())
        self._pieces.append((text.lstrip(), number, start + indent))

    def _flush(self, *, cut: bool = False) -> None:
        """End the object that is being shown."""
        pieces, self._pieces = self._pieces, []
        if pieces:
            joined = _glued(pieces)
            found = parse_sequence(joined.text) if not cut else None
            if found is None:
                self._to.lose(pieces[0][1], pieces[0][2] + 1)
            else:
                self._to.show_at(placed(found, joined))
        self._to.end_object()


def _is_closed(pieces: list[tuple[str, int, int]]) -> bool:
    text = pieces[-1][0].rstrip()
    return text.endswith(")") or text.split()[-1] in FLAGS


def _glued(pieces: list[tuple[str, int, int]]) -> Joined:
    """Lines as one text: a line breaks inside values and words too, but not inside attributes without a value."""
    texts: list[str] = []
    starts: list[int] = []
    length = 0
    for text, _, _ in pieces:
        if texts:
            before = texts[-1]
            whole = before[-1:] == " " or before.endswith(")") or before.rsplit(None, 1)[-1] in FLAGS
            texts[-1] = before if not whole else f"{before} "
            length += len(texts[-1]) - len(before)
        starts.append(length)
        texts.append(text)
        length += len(text)
    return Joined("".join(texts), starts, [(line, at + 1) for _, line, at in pieces])
