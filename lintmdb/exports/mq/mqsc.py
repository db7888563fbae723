"""MQSC text to commands: scripts, dmpmqcfg and saveqmgr dumps, CSQUTIL MAKEDEF decks.

The grammar is IBM's for script commands: blanks and commas separate, ``+`` continues at the first non-blank of the
next line, ``-`` at its column 1, ``*`` in column 1 is a comment even inside a continued command, keywords and
unquoted values fold to upper case, ``;`` ends a command. Dumps repeat the same physical lines thousands of times, so
what a line means is remembered by its text. A line that cannot be understood is a Problem and never stops the rest.
"""

from __future__ import annotations

import functools
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.header import scope_of
from lintmdb.model.origins import Allowance, Origin
from lintmdb.model.relations import MQSC_KEYWORDS, Problem

VERBS = {
    "ALT": "ALTER", "ARC": "ARCHIVE", "DEF": "DEFINE", "DIS": "DISPLAY", "REC": "RECOVER", "REF": "REFRESH",
    "RES": "RESET", "REV": "REVERIFY", "STA": "START",
    **{verb: verb for verb in (
        "ALTER", "ARCHIVE", "BACKUP", "CLEAR", "DEFINE", "DELETE", "DISPLAY", "MOVE", "PING", "PURGE", "RECOVER",
        "REFRESH", "RESET", "RESOLVE", "RESUME", "RVERIFY", "SET", "START", "STOP", "SUSPEND",
    )},
}  # fmt: skip
NOUNS = {
    "QL": "QLOCAL", "QA": "QALIAS", "QR": "QREMOTE", "QM": "QMODEL", "QMGR": "QMGR", "CHL": "CHANNEL", "NL": "NAMELIST",
    "PRO": "PROCESS", "QLOCAL": "QLOCAL", "QALIAS": "QALIAS", "QREMOTE": "QREMOTE", "QMODEL": "QMODEL",
    "CHANNEL": "CHANNEL", "TOPIC": "TOPIC", "AUTHREC": "AUTHREC", "QUEUE": "QUEUE",
}  # fmt: skip
_ACTIVE_VERBS = frozenset({"DEFINE", "ALTER", "DELETE", "SET"})
_OBJECTS = frozenset({"QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "CHANNEL"})
_READ_NOUNS = frozenset({"QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "QMGR", "CHANNEL", "TOPIC", "AUTHREC"})
NEEDED = MQSC_KEYWORDS | {
    "USAGE", "TARGET", "TARGQ", "TARGTYPE", "RNAME", "RQMNAME", "CHLTYPE", "LIKE", "REPLACE", "NOREPLACE",
    "PROFILE", "PRINCIPAL", "GROUP", "OBJTYPE", "AUTHADD", "AUTHRMV", "STGCLASS", "CMDSCOPE", "INDXTYPE",
    "CFSTRUCT", "DISTL", "NODISTL", "NPMCLASS", "SCOPE", "STATQ", "IMGRCOVQ", "TOPICSTR", "PLATFORM", "CMDLEVEL",
    "QMNAME",
}  # fmt: skip
"""Parameters that lintmdb reads; all others are passed over as soon as they are recognised."""

_MARKS = frozenset({"+", "-"})
_QUOTE = re.compile("['\"]")
_END = frozenset({"END", "EXIT", "QUIT"})
_KEYWORD = r"[A-Za-z][A-Za-z0-9_#$%.]*+"
# Possessive quantifiers stand on single characters only: on groups they go wrong in the first releases of Python 3.11.
_STRING = r"'[^']*+'"
_VALUE = rf"""(?:[^()'"]++|{_STRING}|"[^"]*+"|\((?:[^()'"]++|{_STRING})*\))*"""
_PARAMETER = re.compile(rf"[\s,]*+({_KEYWORD})(?:\s*+(\(({_VALUE})\)))?")
_PLAIN_LINE = re.compile(r"([ \t]*)(?:(DEFINE|ALTER) )?([A-Z]+)\('([^'\"()${<%]{0,150})'\)(?: (\+))?\Z")
_TEMPLATE = re.compile(r"\{\{|\$\{|\$\(|<%|\{%|\A['\"]?\$\w+['\"]?\Z")
_SEPARATORS = re.compile(r"[\s,]*+")
_WHOLE_END = re.compile(r"(?:\)|\b(?:REPLACE|FORCE))\s*+\Z", re.I)
_REPLACE_END = re.compile(r"\bREPLACE\s*+\Z", re.I)
_MAX_LINE = 1 << 20
# The queue manager refuses commands of more than 32 KB; a continuation mark too many must not gather a whole file.
_MAX_COMMAND_LINES = 10_000
_CACHED_LINE = 300
_MAX_CACHE = 1 << 17
_MAX_PROBLEMS = 1000
_SLICE = 1 << 15  # characters whose lines fit in a processor's cache
_HEADER = {
    "queue manager name": "name",
    "queue manager platform": "platform",
    "queue manager command level": "level",
    "command issued": "command",
}
_HEADER_LINE = re.compile(
    r"\*\s*(Queue manager name|Queue manager platform|Queue manager command level|Command issued)\s*:\s*(.*)", re.I
)
_HEADER_WORDS = re.compile("QMNAME|PLATFORM|CMDLEVEL|Queue manager|Command issued")
_COMMENTED = re.compile(r"\*\s*(QMNAME|PLATFORM|CMDLEVEL)\s*\(\s*'?([^()']*?)'?\s*\)", re.I)
_ALLOW_WORD = "lintmdb:"
_ALLOW = re.compile(r"\*+\s*lintmdb:\s*allow\s+([A-Za-z][\w,-]*)(?:\s+(.*))?\Z", re.I)
_SAVEQMGR = re.compile(r"\*.*(?:saveqmgr|MS03)", re.I)


class Parameter(NamedTuple):
    """One parameter: keyword in upper case, its value (None without parentheses), how it is written, its column."""

    keyword: str
    value: str | None
    text: str
    column: int
    template: bool = False


class Command(NamedTuple):
    """One command that lintmdb acts on; ``parameters`` are pairs of a parameter and its line."""

    verb: str
    noun: str
    name: str
    parameters: tuple[tuple[Parameter, int], ...]
    line: int
    column: int
    allowances: tuple[Allowance, ...] = ()
    """Rules that comments directly above the command allow for its object."""


Dump = Literal["dmpmqcfg", "saveqmgr", "makedef"]


@dataclass(slots=True)
class MqscFile:
    """One file of MQSC, as commands in order."""

    path: str
    commands: list[Command] = field(default_factory=list[Command])
    other_commands: int = 0
    """Commands that were recognised and that lintmdb has no use for."""
    queue_manager: str | None = None
    platform: str | None = None
    command_level: int | None = None
    dump: Dump | None = None
    covers_objects: bool = False
    """The dump says that it holds every object of the queue manager."""
    all_attributes: bool = False
    truncated: bool = False
    lost_commands: int = 0
    """Commands that define or change something and that could not be read."""
    problems: list[Problem] = field(default_factory=list[Problem])
    lost_allowances: list[Allowance] = field(default_factory=list[Allowance])
    """Comments that allow a rule and stand above no command that lintmdb reads."""

    def origin(self, parameter: Parameter, line: int) -> Origin:
        """Where a parameter stands."""
        return Origin(self.path, line, parameter.column, parameter.text)


class _Line(NamedTuple):
    """What one physical line means by itself: its first and its needed parameters, and what follows it."""

    head: Parameter | None
    needed: tuple[Parameter, ...]
    mark: str
    """The continuation mark, or nothing."""


def read_mqsc(data: bytes, path: str) -> MqscFile:
    """The commands of one file. Raises UnreadableError only for what is not text."""
    file = MqscFile(path)
    _Reader(file).run(decode(data, path))
    return file


def _slices(text: str) -> Iterator[str]:
    """Text in pieces of whole lines: a list of all lines at once would cost several times the text."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _SLICE)
        end = len(text) if end < 0 else end + 1
        yield text[start:end].removesuffix("\n")
        start = end


class _Reader:
    def __init__(self, file: MqscFile) -> None:
        self.file = file
        self.cache: dict[str, _Line | None] = {}
        self.template_seen = False
        self.ended = False
        self.passing_over = False
        self.named = False
        # The command under construction: its physical lines, comments included, the number of the first, and the
        # needed parameters of those lines that are known by themselves.
        self.raw: list[str] = []
        self.first = 1
        self.needed: list[tuple[tuple[Parameter, ...], int]] = []
        self.head: Parameter | None = None
        # Comments that allow a rule, up to the command that they stand above.
        self.allowances: list[Allowance] = []

    def run(self, text: str) -> None:
        """Read all lines; this loop is all that most lines of a dump ever cost."""
        cache, needed, raw = self.cache, self.needed, self.raw
        number = 0
        continued = ""
        general = False
        quote = ""
        for piece in _slices(text):
            if len(cache) > _MAX_CACHE:
                cache.clear()
            if len(raw) > _MAX_COMMAND_LINES:
                self._pass_over()
            for line in piece.split("\n"):
                number += 1
                meaning = cache.get(line)
                if meaning is None:
                    if line[:1] == "*":
                        if number < 40 or _HEADER_WORDS.search(line) is not None:
                            self._comment(line)
                        if _ALLOW_WORD in line:
                            self._allow(line, number, inside=bool(continued))
                        if continued:
                            raw.append(line)
                        continue
                    body = _record(line)
                    if not body or (continued and not quote and body.lstrip().startswith("*")):
                        if continued:
                            raw.append("")
                        elif self.allowances:
                            self._lose_allowances()
                        continue
                    if not general:
                        meaning = self._meaning(line, body)
                if not continued:
                    self.first = number
                    self.head = meaning.head if meaning is not None else None
                raw.append(line)
                if meaning is None or general:
                    general = True
                    body = _record(line)
                    continued = body[-1:] if body[-1:] in _MARKS else ""
                    quote = _open_quote(quote, body)
                    if len(raw) > _MAX_COMMAND_LINES:
                        self._pass_over()
                else:
                    _, parameters, continued = meaning
                    if parameters:
                        needed.append((parameters, number))
                if not continued:
                    self._finish(general)
                    if self.ended:
                        return
                    general = False
                    quote = ""
        if continued:
            self._finish(general)
        self._lose_allowances()
        if continued or (number > self.first and self._is_cut(text)):
            self.file.truncated = True
            # What the cut leaves of the command has this one cause.
            kept = [p for p in self.file.problems if p.kind != "not_understood" or p.line < self.first]
            self.file.problems[:] = kept
            why = "the last command ends in the middle: the file is cut off"
            self._problem(self.first, 1, why, "unreadable", "Export it again")

    def _is_cut(self, text: str) -> bool:
        """Whether a dmpmqcfg dump stops inside its last line: it ends its lines, and DEFINE in REPLACE."""
        if self.file.dump != "dmpmqcfg" or text.endswith("\n"):
            return False
        last = text[text.rfind("\n") + 1 :]
        if not last.strip() or last.startswith("*"):
            return False
        defines = self.head is not None and VERBS.get(self.head.keyword) == "DEFINE"
        return (_REPLACE_END if defines else _WHOLE_END).search(last) is None

    def _pass_over(self) -> None:
        """Give up a command that does not end; what follows, up to its end, is passed over too."""
        if not self.passing_over:
            text = f"a command of more than {_MAX_COMMAND_LINES} lines is not MQSC; it is passed over"
            self._problem(self.first, 1, text, "not_understood", "Remove the continuation mark that is too many")
            self.file.lost_commands += 1
        self.passing_over = True
        self.needed.clear()
        self.raw.clear()

    def _comment(self, line: str) -> None:
        file = self.file
        if _SAVEQMGR.match(line) and file.dump is None and "Script generated" not in line:
            file.dump = "saveqmgr"
            file.covers_objects = file.all_attributes = self.named
        match = _HEADER_LINE.match(line)
        if match is not None:
            self._header(_HEADER[match.group(1).lower()], match.group(2).strip())
            return
        match = _COMMENTED.match(line)
        if match is not None:
            name, value = match.group(1).upper(), match.group(2).strip()
            if name == "QMNAME":
                file.queue_manager = file.queue_manager or value or None
                self.named = True
                if file.dump == "saveqmgr":
                    # Its header names the queue manager like this; a remark that mentions the tool does not.
                    file.covers_objects = file.all_attributes = True
            elif name == "PLATFORM":
                file.platform = file.platform or value
            elif value.isascii() and value.isdigit() and len(value) < 6 and file.command_level is None:
                file.command_level = int(value)

    def _allow(self, line: str, number: int, *, inside: bool) -> None:
        """Keep a comment that allows a rule for the command below it; it cannot stand inside a command."""
        match = _ALLOW.match(_record(line))
        if match is None:
            if not line.lstrip("* \t").startswith(_ALLOW_WORD):
                return  # a remark that mentions lintmdb
            found = [Allowance("", "", self.file.path, number)]
        else:
            reason = (match.group(2) or "").strip()
            found = [Allowance(rule, reason, self.file.path, number) for rule in match.group(1).split(",") if rule]
        (self.file.lost_allowances if inside else self.allowances).extend(found)

    def _lose_allowances(self) -> None:
        self.file.lost_allowances += self.allowances
        self.allowances = []

    def _header(self, name: str, value: str) -> None:
        file = self.file
        if name == "name":
            file.queue_manager = value or None
        elif name == "platform":
            file.platform = value
        elif name == "level":
            digits = re.findall(r"\d+", value)
            file.command_level = int(digits[-1]) if digits and len(digits[-1]) < 6 else None
        elif "dmpmqcfg" in value.lower():
            file.dump = "dmpmqcfg"
            file.covers_objects, file.all_attributes = scope_of(value)

    def _meaning(self, line: str, body: str) -> _Line | None:
        """What a line means by itself, remembered; None where it needs the lines around it."""
        if len(line) > _MAX_LINE:
            return None
        meaning = parse_line(body)
        if len(line) <= _CACHED_LINE and meaning is not None:
            self.cache[line] = meaning
        return meaning

    def _finish(self, general: bool) -> None:
        """End the command under construction."""
        if len(self.raw) > _MAX_COMMAND_LINES:
            self._pass_over()
        if self.passing_over:
            self.passing_over = False
        elif general:
            self._general_path()
        else:
            self._command()
        self.needed.clear()
        self.raw.clear()
        if self.allowances:
            self._lose_allowances()

    def _command(self) -> None:
        """Take in a command whose lines are all known by themselves."""
        head, number = self.head, self.first
        if head is None:
            return
        verb = VERBS.get(head.keyword) if head.value is None else None
        if verb is None:
            if _record(self.raw[0]).strip(" \t;").upper() in _END:
                self.ended = True
            else:
                self._not_understood(_record(self.raw[0]), number)
            return
        if verb not in _ACTIVE_VERBS:
            self.file.other_commands += 1
            return
        self._take(verb, [(p, n) for parameters, n in self.needed for p in parameters], head.column, number)

    def _take(self, verb: str, parameters: list[tuple[Parameter, int]], column: int, line: int) -> None:
        """Add a command if its noun is one that lintmdb reads."""
        position = _noun_position(parameters)
        parameter = parameters[position][0] if position is not None else None
        noun = NOUNS[parameter.keyword] if parameter is not None else ""
        if position is None or parameter is None or noun not in _READ_NOUNS:
            self.file.other_commands += 1
            return
        if any(p.template for p, _ in parameters):
            self._template(line)
            if parameter.template:
                self.file.lost_commands += 1  # nobody knows what it is about
                return
        rest = tuple(parameters[:position] + parameters[position + 1 :])
        twice = _given_twice(parameter.keyword, tuple([p.keyword for p, _ in rest])) if noun != "AUTHREC" else None
        if twice is not None:
            again, where = rest[twice]
            text = f"{again.keyword} is given again inside one command, which the queue manager refuses"
            self._problem(where, again.column, text, "not_understood", "Look for a continuation mark too many")
            self.file.lost_commands += 1
            return
        allowances, self.allowances = tuple(self.allowances), []
        self.file.commands.append(Command(verb, noun, parameter.value or "", rest, line, column, allowances))

    def _general_path(self) -> None:
        """Join the physical lines of a command and read it as a whole; positions are mapped back."""
        pieces: list[str] = []
        starts: list[int] = []
        places: list[tuple[int, int]] = []
        length = 0
        previous = ""
        for number, line in enumerate(self.raw, self.first):
            if line[:1] == "*":
                continue
            if len(line) > _MAX_LINE:
                self._problem(
                    number, 1, f"a line of {len(line)} characters is not MQSC; it is passed over", "not_understood"
                )
                self.file.lost_commands += 1
                return
            if previous and not line.strip():
                continue
            text = _record(line)
            column = 1
            if previous == "+":
                column = len(text) - len(text.lstrip()) + 1
                text = text.lstrip()
            previous = text[-1:] if text[-1:] in ("+", "-") else ""
            if previous:
                text = text[:-1]
            starts.append(length)
            places.append((number, column))
            pieces.append(text)
            length += len(text)
        joined = "".join(pieces)

        def place(offset: int) -> tuple[int, int]:
            index = bisect_right(starts, offset) - 1
            number, column = places[index]
            return number, column + offset - starts[index]

        position = 0
        while position < len(joined) and not self.ended:
            position = self._general_command(joined, position, place)

    def _general_command(self, text: str, position: int, place: Callable[[int], tuple[int, int]]) -> int:
        """Read one command of joined text; gives where the next one starts."""
        parameters: list[tuple[Parameter, int]] = []
        start: tuple[int, int] | None = None
        count = 0
        while True:
            match = _PARAMETER.match(text, position)
            if match is None:
                break
            line, column = place(match.start(1))
            start = start or (line, column)
            parameter = _parameter(match, column)
            if not parameters or parameter.keyword in NEEDED or parameter.keyword in NOUNS:
                parameters.append((parameter, line))
            count += 1
            position = match.end()
        position = _SEPARATORS.match(text, position).end()  # type: ignore[union-attr]  # it matches nothing, too
        if position < len(text) and text[position] != ";":
            return self._broken(text, position, place, parameters)
        following = position + 1
        if parameters and start is not None:
            head = parameters[0][0]
            verb = VERBS.get(head.keyword) if head.value is None else None
            if count == 1 and head.value is None and head.keyword in _END:
                self.ended = True
            elif verb is None:
                self._problem(start[0], start[1], f"{head.keyword!r} is no MQSC command", "not_understood")
            elif verb not in _ACTIVE_VERBS:
                self.file.other_commands += 1
            else:
                self._take(verb, parameters[1:], start[1], start[0])
        return following

    def _broken(
        self,
        text: str,
        position: int,
        place: Callable[[int], tuple[int, int]],
        parameters: list[tuple[Parameter, int]],
    ) -> int:
        """Report what stands at a position and is no parameter; gives where reading can go on."""
        line, column = place(position)
        end = text.find(";", position)
        rest = text[position : end if end >= 0 else len(text)]
        if parameters and VERBS.get(parameters[0][0].keyword) in _ACTIVE_VERBS:
            self.file.lost_commands += 1
        quoted = rest.count("'") % 2 or rest.count('"') % 2
        if _TEMPLATE.search(rest[:200]):
            self._template(line)
        else:
            why = "a quote is never closed" if quoted else "this is not MQSC"
            shown = " ".join(rest[:200].split())[:60]
            self._problem(line, column, f"{why}: {shown!r}", "not_understood", "Correct the line; the rest is read")
        # Behind an open quote nobody knows whether a semicolon ends a command.
        return len(text) if quoted or end < 0 else end + 1

    def _not_understood(self, line: str, number: int) -> None:
        if _TEMPLATE.search(line[:200]):
            self._template(number)
            return
        shown = " ".join(line.split())[:60]
        self._problem(
            number, len(line) - len(line.lstrip()) + 1, f"this is no MQSC command: {shown!r}", "not_understood"
        )

    def _template(self, number: int) -> None:
        if not self.template_seen:
            self.template_seen = True
            text = "holds template text that is not filled in; the values that it would give are unknown"
            self._problem(number, 1, text, "template", "Give the rendered file")

    def _problem(
        self,
        line: int,
        column: int,
        text: str,
        kind: Literal["not_understood", "template", "unreadable"],
        next_step: str = "",
    ) -> None:
        if len(self.file.problems) < _MAX_PROBLEMS:
            self.file.problems.append(
                Problem(kind=kind, path=self.file.path, line=line, column=column, text=text, next_step=next_step)
            )


def _noun_position(parameters: list[tuple[Parameter, int]]) -> int | None:
    """Where the noun is: on z/OS other parameters may stand in front of it."""
    for position, (parameter, _) in enumerate(parameters):
        noun = NOUNS.get(parameter.keyword)
        if noun is not None and (parameter.value is not None or noun in ("QMGR", "AUTHREC")):
            return position
    return None


@functools.lru_cache(maxsize=1024)  # the commands of a dump have the same few series of keywords
def _given_twice(noun: str, keywords: tuple[str, ...]) -> int | None:
    """Which of the keywords behind a noun is the first that repeats or negates another, or names a second object."""
    seen = {noun}
    for position, written in enumerate(keywords):
        keyword = written.removeprefix("NO")
        if keyword in seen or NOUNS.get(keyword) in _OBJECTS:
            return position
        seen.add(keyword)
    return None


def _record(line: str) -> str:
    """A line without trailing blanks, and without the sequence number of a z/OS record (columns 73 to 80)."""
    body = line.rstrip()
    if len(body) == 80 and body[72:].isdigit() and body[71] in "-+ ":
        return body[:72].rstrip()
    return body


def _open_quote(quote: str, text: str) -> str:
    """The quote that is open after some text, if any; ``quote`` is the one that is open before it."""
    for char in _QUOTE.findall(text):
        quote = "" if char == quote else quote or char
    return quote


def parse_line(body: str) -> _Line | None:
    """What a physical line, without trailing blanks, means by itself; None where it needs the lines around it."""
    plain = _PLAIN_LINE.match(body)
    if plain is not None and "  " not in plain.group(4):
        return _plain_line(plain)
    end = body[-1:]
    if end in ("+", "-", ";"):
        inner = body[:-1]
        # A mark right behind a word may split that word.
        if end != ";" and (inner[-1:].isalnum() or inner[-1:] in ("_", "'", '"')):
            return None
    else:
        end, inner = "", body
    position = 0
    parameters: list[Parameter] = []
    while match := _PARAMETER.match(inner, position):
        parameters.append(_parameter(match, match.start(1) + 1))
        position = match.end()
    if inner[position:].strip(" \t,"):
        return None
    last = parameters[-1] if parameters else None
    if last is not None and end in ("+", "-") and last.value is None and last.keyword not in _FLAGS:
        return None  # the value of this keyword may stand on the next line
    needed = tuple(p for p in parameters if p.keyword in NEEDED or p.keyword in NOUNS)
    return _Line(parameters[0] if parameters else None, needed, end if end != ";" else "")


def _plain_line(match: re.Match[str]) -> _Line:
    """The commonest lines of dumps, ``DEFINE QLOCAL(A) +`` and ``BOQNAME(B) +`` with quotes, in a third of the time."""
    indent, verb, keyword, value, mark = match.groups()
    keyword = sys.intern(keyword)
    column = len(indent) + (len(verb) + 1 if verb else 0) + 1
    known = keyword in NEEDED or keyword in NOUNS
    parameter = Parameter(
        keyword, value.rstrip() if known else "", f"{keyword}('{value}')" if known else keyword, column
    )
    head = Parameter(verb, None, verb, len(indent) + 1) if verb else parameter
    return _Line(head, (parameter,) if known else (), mark or "")


_FLAGS = frozenset(
    [
        "QMGR",
        "AUTHREC",
        "CHLAUTH",
        "REPLACE",
        "NOREPLACE",
        "HARDENBO",
        "NOHARDENBO",
        "SHARE",
        "NOSHARE",
        "DISTL",
        "NODISTL",
        "TRIGGER",
        "NOTRIGGER",
        "FORCE",
    ]
)
"""Keywords that never have a value: what follows them is the next parameter."""


def _parameter(match: re.Match[str], column: int) -> Parameter:
    # A dump repeats the same few keywords; each is kept once.
    keyword, parenthesised, raw = sys.intern(match.group(1).upper()), match.group(2), match.group(3)
    if parenthesised is None:
        return Parameter(keyword, None, keyword, column)
    if keyword not in NEEDED and keyword not in NOUNS:
        return Parameter(keyword, "", keyword, column)
    value = raw.strip()
    text = f"{keyword}({' '.join(value.split())})" if len(value) < 200 else f"{keyword}(...)"
    return Parameter(keyword, unquote(value), text, column, bool(_TEMPLATE.search(value)))


def unquote(value: str) -> str:
    """A value as the queue manager takes it: quoted text keeps its case, other text folds to upper case."""
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"" and value.count(value[0]) % 2 == 0:
        inner = value[1:-1]
        if value[0] not in inner.replace(value[0] * 2, ""):
            return inner.replace(value[0] * 2, value[0]).rstrip()
    if "'" in value or '"' in value:
        return value
    return value.upper()
