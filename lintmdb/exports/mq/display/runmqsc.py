"""The transcript of a runmqsc session.

A message number with or without the letter of its severity begins each answer (AMQ8409I, AMQ8409), and the number of
the command each command that is repeated. Text around the numbers may be in any language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lintmdb.exports.mq.commands import Parameter
from lintmdb.exports.mq.display.attributes import parse_line, parse_sequence
from lintmdb.exports.mq.display.recorder import Outcome, Recorder
from lintmdb.exports.mq.joined import MAX_LINE, Joined, join_lines
from lintmdb.exports.mq.vocabulary import VERBS

_EVENT = re.compile(
    r"\s{0,3}AMQ(?P<number>\d{4})(?P<severity>[A-Z]?):(?P<rest>.*)"
    r"|(?P<echo>[ \t]*\d{1,7} : ?)(?P<command>.*)"
    r"|(?P<more> {4,8}: ?)(?P<continued>.*)"
    r"|Starting MQSC for queue manager (?P<manager>[A-Za-z0-9._%/]+?)\.?\s*\Z",
    re.S,
)
_SHOWN = frozenset({"8408", "8409", "8414", "8450", "8566", "8633", "8864", "8878"})
"""Messages above objects: queue managers, queues, channels, the state of queues, authentication, topics, authority and
channel records.
"""
_DONE = frozenset({
    "8005", "8006", "8007", "8008", "8014", "8015", "8016", "8563", "8564", "8567", "8690", "8691", "8692", "8862",
    "8863", "8877",
})  # fmt: skip
_NOT_FOUND = frozenset({"8147", "8884"})
_SYNTAX = frozenset({"8405", "8426", "8427", "8428"})
_DETAILS = re.compile(r"[Dd]isplay .* details")
_DID = re.compile(r"\b(?:created|changed|deleted|set)\.?\s*\Z")
_ATTRIBUTE = re.compile(r"[A-Z][A-Z0-9]*\(")
_FIRST = re.compile(r"\s([A-Z][A-Z0-9]*\()")
_MESSAGE = "AMQ"
_CACHED_LINE = 120
_MAX_CACHE = 1 << 16
_MAX_VALUE_LINES = 1000


class RunmqscReader:
    """Reads the lines of one transcript into a recorder."""

    def __init__(self, recorder: Recorder) -> None:
        self._to = recorder
        self._cache: dict[str, tuple[Parameter, ...] | None] = {}
        # A command that is repeated on several lines: its text, and the line and column of each.
        self._command: list[str] = []
        self._places: list[tuple[int, int]] = []
        # A value that goes on in the next line.
        self._open: list[tuple[int, str]] = []

    def read(self, text: str) -> None:
        """Read all lines. For most lines of a listing this loop is the whole cost."""
        cache, recorder = self._cache, self._to
        shown, showing, number = recorder.lines, False, 0
        for line in text.split("\n"):
            number += 1
            if showing:
                known = cache.get(line)
                if known is not None:
                    if known:
                        shown.append((known, number))
                    continue
            self._line(line, number)
            showing = recorder.in_object and not self._open
        self._asked()
        recorder.stop(number, inside=bool(self._open))

    def _line(self, line: str, number: int) -> None:
        if len(line) > MAX_LINE:
            self._to.lose(number, 1)
            return
        event = _EVENT.match(line)
        if event is None:
            self._attributes(line, number)
            return
        self._lose_open()
        if event["more"] is not None:
            if self._command:
                self._command.append(event["continued"])
                self._places.append((number, event.end("more")))
            return
        self._asked()
        if event["echo"] is not None:
            self._command, self._places = [event["command"]], [(number, event.end("echo"))]
        elif event["manager"] is not None:
            self._to.queue_manager(event["manager"])
        else:
            self._message(event, number)

    def _asked(self) -> None:
        """Hand on the command that is complete now."""
        if not self._command:
            return
        command, places, self._command, self._places = self._command, self._places, [], []
        self._to.ask(joined_command(command, places))

    def _message(self, event: re.Match[str], number: int) -> None:
        code, severity, rest = event["number"], event["severity"], event["rest"]
        if code in _SHOWN or (code[0] == "8" and _DETAILS.search(rest)):
            self._to.begin_object(needed=code in _SHOWN)
            self._behind(rest, event.start("rest"), number)
            return
        self._to.outcome(_outcome(code, severity, rest))

    def _behind(self, text: str, start: int, number: int) -> None:
        """What stands behind a message on its line: the whole object, as the REST API sends it."""
        first = _FIRST.search(text)
        if first is None:
            return
        at = first.start(1)
        shown = parse_sequence(text[at:])
        if shown is None:
            self._to.lose(number, start + at + 1)
        else:
            self._to.show([parameter._replace(column=parameter.column + start + at) for parameter in shown], number)

    def _attributes(self, line: str, number: int) -> None:
        """A line of an object, or one that ends it."""
        if not line.strip():
            return
        self._asked()
        recorder = self._to
        if self._open:
            self._go_on(line, number)
        elif not recorder.in_object or not (line[0].isspace() or _ATTRIBUTE.match(line)) or _is_command(line):
            if not _MESSAGE.startswith(line[:3]):  # a message that is cut off ends nothing
                recorder.end_if_answered()
        elif (found := self._parsed(line)) is not None:
            recorder.show(found, number)
        elif "(" in line:
            self._go_on(line, number)
        else:
            recorder.lose(number, len(line) - len(line.lstrip()) + 1)

    def _parsed(self, line: str) -> tuple[Parameter, ...] | None:
        found = parse_line(line)
        if found is not None and len(line) <= _CACHED_LINE:
            if len(self._cache) > _MAX_CACHE:
                self._cache.clear()
            self._cache[line] = found
        return found

    def _go_on(self, line: str, number: int) -> None:
        """A line with part of a value that takes several."""
        self._open.append((number, line))
        ends = line.rstrip().endswith(")")
        if not ends and len(self._open) < _MAX_VALUE_LINES:
            return
        opened, self._open = self._open, []
        joined = joined_command(
            [part.strip() for _, part in opened], [(n, len(p) - len(p.lstrip())) for n, p in opened]
        )
        found = parse_sequence(joined.text) if ends else None
        if found is None:
            self._to.lose(opened[0][0], 1)
        else:
            self._to.show_at(placed(found, joined))

    def _lose_open(self) -> None:
        """Note a value that never ends."""
        if self._open:
            number, self._open = self._open[0][0], []
            self._to.lose(number, 1)


def _is_command(line: str) -> bool:
    """Whether a command was typed there, which runmqsc repeats below."""
    return line.split(None, 1)[0].upper() in VERBS


def _outcome(code: str, severity: str, text: str) -> Outcome:
    if code in _NOT_FOUND:
        return "not_found"
    if code in _DONE or (severity == "I" and code not in _SYNTAX) or (not severity and _DID.search(text)):
        return "done"
    return "failed"


def joined_command(lines: Sequence[str], places: Sequence[tuple[int, int]]) -> Joined:
    """The lines of a command without their prefixes: ``places`` has the number of each, and the width of
    that.
    """
    joined = join_lines(lines, 0)
    moved = [(places[index][0], places[index][1] + column) for index, column in joined.places]
    return Joined(joined.text, joined.starts, moved)


def placed(found: Sequence[Parameter], joined: Joined) -> Sequence[tuple[Parameter, int]]:
    """Attributes of joined lines with their own lines and columns."""
    places = [joined.place(parameter.column - 1) for parameter in found]
    return [(p._replace(column=column), line) for p, (line, column) in zip(found, places, strict=True)]
