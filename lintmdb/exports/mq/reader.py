"""MQSC text to commands: scripts, dmpmqcfg and saveqmgr dumps, CSQUTIL MAKEDEF decks.

The grammar is IBM's for script commands: blanks and commas separate, ``+`` continues at the first non-blank of the
next line, ``-`` at its column 1, ``*`` in column 1 is a comment even inside a continued command, keywords and
unquoted values fold to upper case, ``;`` ends a command. Dumps repeat the same physical lines thousands of times, so
the reader remembers what each line means by its text. A line that it cannot understand is a Problem and never stops
the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintmdb.exports.mq.collector import Collector
from lintmdb.exports.mq.commands import Command, MqscFile, Parameter, QueueStatus
from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.dump_end import check_whole, is_message
from lintmdb.exports.mq.header import HeaderReader
from lintmdb.exports.mq.inline_suppressions import mentions_lintmdb, parse_allowances
from lintmdb.exports.mq.joined import MAX_LINE, read_joined
from lintmdb.exports.mq.lines import LISTING, MARKS, Line, open_quote, parse_line, record_text
from lintmdb.exports.mq.vocabulary import END_WORDS, VERBS

BELOW_END = "stands below END"
"""What the text of a problem says of a command that nothing runs."""
_WHOLE_END = re.compile(r"(?:\)|\b(?:REPLACE|FORCE))\s*+\Z", re.I)
_REPLACE_END = re.compile(r"\bREPLACE\s*+\Z", re.I)
# The queue manager refuses commands of more than 32 KB; a continuation mark too many must not gather a whole file.
_MAX_COMMAND_LINES = 10_000
_STATUS = re.compile(r"\*\s*(CURDEPTH|IPPROCS)\(([0-9]{1,10})\)", re.I)
"""As dmpmqcfg writes what no command can set: in a comment among the attributes of a queue."""
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_TAIL = 1 << 15
"""How much of the end of a text says whether the last command is complete, in characters."""
_CACHED_LINE = 300
_MAX_CACHE = 1 << 17
_SLICE = 1 << 15  # characters whose lines fit in a processor's cache


def read_mqsc(data: bytes, path: str) -> MqscFile:
    """The commands of one file. Raises UnreadableError only for what is not text."""
    return read_text(decode(data, path), path)


def read_text(text: str, path: str) -> MqscFile:
    """The commands of a script that is text already, with lines that end in a line feed."""
    file = MqscFile(path)
    _Reader(file).read(text)
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
    """Gathers physical lines until a command ends, then hands the command to the collector."""

    def __init__(self, file: MqscFile) -> None:
        self._file = file
        self._collector = Collector(file)
        self._header = HeaderReader(file)
        self._cache: dict[str, Line] = {}
        self._ended = False
        self._messages: list[tuple[int, str]] = []
        self._passing_over = False
        # The command under construction: its physical lines, comments included, the number of the first, the first
        # parameter, and the needed parameters of those lines that mean something by themselves.
        self._raw: list[str] = []
        self._first = 1
        self._head: Parameter | None = None
        self._needed: list[tuple[tuple[Parameter, ...], int]] = []
        self._status: QueueStatus | None = None

    def read(self, text: str) -> None:
        """Read all lines. For most lines of a dump this loop is the whole cost."""
        cache, needed, raw = self._cache, self._needed, self._raw
        number = 0
        mark = quote = ""  # open at the end of the line before
        joining = False  # a line of the command means nothing by itself
        for piece in _slices(text):
            self._bound_memory()
            for line in piece.split("\n"):
                number += 1
                meaning = cache.get(line)
                if meaning is None:
                    body = self._body(line, number, mark, quote)
                    if not body:
                        continue
                    if not joining:
                        meaning = self._meaning(line, body)
                if not mark:
                    self._first = number
                    self._head = meaning.head if meaning is not None else None
                raw.append(line)
                if meaning is None or joining:
                    joining = True
                    mark, quote = self._join(line, quote)
                else:
                    _, parameters, mark = meaning
                    if parameters:
                        needed.append((parameters, number))
                if not mark:
                    self._finish(joining)
                    if self._ended:
                        self._note_rest(text, number)
                        self._file.ended = True
                        self._check_whole(number)
                        return
                    joining, quote = False, ""
        self._end(text, number, joining=joining, continued=bool(mark))

    def _note_rest(self, text: str, number: int) -> None:
        """Note the commands behind the one on a line that ends the script: nothing runs them."""
        rest = read_text("".join(text.split("\n", number)[number:]), self._file.path)
        unrun = sorted([(c.line, c.column, _shown(c)) for c in rest.commands])
        if not unrun:
            return
        (line, column, shown), others = unrun[0], len(unrun) - 1
        more = f"it and {others} more {'command' if others == 1 else 'commands'} are" if others else "it is"
        self._file.lost_commands += len(unrun)
        told = f"{shown} {BELOW_END}, which ends the script, so {more} not run"
        step = "Move END to the end of the script"
        self._collector.problem(number + line, column, told, "not_understood", step)

    def _bound_memory(self) -> None:
        if len(self._cache) > _MAX_CACHE:
            self._cache.clear()
        if len(self._raw) > _MAX_COMMAND_LINES:
            self._pass_over()

    def _body(self, line: str, number: int, mark: str, quote: str) -> str:
        """A line without trailing blanks; nothing for a comment or an empty line, which this takes in."""
        if line[:1] == "*":
            self._header.read(line, number)
            if mentions_lintmdb(line):
                inline_suppressions = parse_allowances(record_text(line), self._file.path, number)
                self._collector.allow(inline_suppressions, inside=bool(mark))
            if mark:
                self._raw.append(line)
                if ("CURDEPTH" in line or "IPPROCS" in line) and (shown := _STATUS.match(line)) is not None:
                    self._note_status(shown[1].upper(), int(shown[2]), number)
            return ""
        body = record_text(line)
        if not mark and LISTING.match(body):
            self._header.read_listing(body)
            body = ""
        elif line[:3] == "AMQ" and (not mark or self._file.dump is not None) and is_message(line):
            self._collector.not_understood(line, number)
            self._messages.append((number, line))
            body = ""
        if body and not (mark and not quote and body.lstrip().startswith("*")):
            return body
        if mark:
            self._raw.append("")
        else:
            self._collector.lose_allowances()
        return ""

    def _note_status(self, keyword: str, count: int, number: int) -> None:
        status = self._status or QueueStatus(number)
        self._status = status._replace(messages=count) if keyword == "CURDEPTH" else status._replace(readers=count)

    def _meaning(self, line: str, body: str) -> Line | None:
        """What a line means by itself, remembered; None where it needs the lines around it."""
        if len(line) > MAX_LINE:
            return None
        meaning = parse_line(body)
        if len(line) <= _CACHED_LINE and meaning is not None:
            self._cache[line] = meaning
        return meaning

    def _join(self, line: str, quote: str) -> tuple[str, str]:
        """The continuation mark and the open quote at the end of a line that is joined with others."""
        if len(self._raw) > _MAX_COMMAND_LINES:
            self._pass_over()
        body = record_text(line)
        return body[-1:] if body[-1:] in MARKS else "", open_quote(quote, body)

    def _pass_over(self) -> None:
        """Give up a command that does not end; what follows, up to its end, is passed over too."""
        if not self._passing_over:
            text = f"a command of more than {_MAX_COMMAND_LINES} lines is not MQSC and is skipped"
            step = "Remove the extra continuation mark"
            self._collector.problem(self._first, 1, text, "not_understood", step)
            self._file.lost_commands += 1
        self._passing_over = True
        self._needed.clear()
        self._raw.clear()

    def _finish(self, joining: bool) -> None:
        """End the command under construction."""
        if len(self._raw) > _MAX_COMMAND_LINES:
            self._pass_over()
        if self._passing_over:
            self._passing_over = False
        elif joining:
            self._ended = read_joined(self._raw, self._first, self._collector)
        elif self._head is not None:
            self._add(self._head)
        self._needed.clear()
        self._raw.clear()
        self._status = None
        self._collector.lose_allowances()

    def _add(self, head: Parameter) -> None:
        """Add a command whose lines all mean something by themselves."""
        parameters = [(parameter, number) for found, number in self._needed for parameter in found]
        if self._status is not None:
            name = next((parameter.value for parameter, _ in parameters if parameter.keyword == "QLOCAL"), None)
            if name:
                self._file.queue_status[name] = self._status
        if not self._collector.add(head, parameters, self._first):
            line = record_text(self._raw[0])
            if line.strip(" \t;").upper() in END_WORDS:
                self._ended = True
            else:
                self._collector.not_understood(line, self._first, head)

    def _end(self, text: str, number: int, *, joining: bool, continued: bool) -> None:
        """End the file behind its last line, and note whether that cuts a command off."""
        if continued:
            self._finish(joining)
        self._collector.lose_allowances()
        if continued or (number > self._first and self._is_cut(text)) or self._is_left_open(text):
            self._file.truncated = True
            commands = self._file.commands
            if commands and commands[-1].line == self._first:
                commands[-1] = commands[-1]._replace(cut=True)
            # What the cut leaves of the command has this one cause.
            kept = [p for p in self._file.problems if p.kind != "not_understood" or p.line < self._first]
            self._file.problems[:] = kept
            why = "the last command ends in the middle: the file is cut off"
            self._collector.problem(self._first, 1, why, "unreadable", "Export it again")
        self._check_whole(number)

    def _check_whole(self, number: int) -> None:
        check_whole(self._collector, number, self._messages)

    def _is_left_open(self, text: str) -> bool:
        """Whether a file that says which queue manager it is of stops inside the value of an attribute."""
        if text.endswith("\n") or self._file.queue_manager is None or not self._file.lost_commands:
            return False
        last = _QUOTED.sub("", text[-_TAIL:]).rpartition(")")[2]
        return "(" in last and ";" not in last

    def _is_cut(self, text: str) -> bool:
        """Whether a dmpmqcfg dump stops inside its last line: it ends its lines, and DEFINE in REPLACE."""
        if self._file.dump != "dmpmqcfg" or text.endswith("\n"):
            return False
        last = text[text.rfind("\n") + 1 :]
        if not last.strip() or last.startswith("*"):
            return False
        defines = self._head is not None and VERBS.get(self._head.keyword) == "DEFINE"
        return (_REPLACE_END if defines else _WHOLE_END).search(last) is None


def _shown(command: Command) -> str:
    return f"{command.verb} {command.noun}" + (f"({command.name})" if command.name else "")
