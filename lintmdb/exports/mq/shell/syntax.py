"""The shell's syntax as far as it takes to see what a script pipes where: pipelines of commands and groups, words with
their quotes undone, here-documents, and variables.

A variable that the script sets once, to text alone, has that value; what any other stands for is ``${NAME}`` in the
text, which the reader of MQSC takes for unknown. Anything that is no shell gives some commands, and no error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from lintmdb.exports.mq.embedded import EmbeddedText, TextBuilder, joined_texts
from lintmdb.exports.mq.lines import holds_template

MAX_DEPTH = 40
_BLANKS = re.compile(r"(?:[ \t]|\\\r?\n)+")
_OPERATOR = re.compile(r"\|\||&&|;;&?|;&|\|&|\d*(?:<<<|<<-?|<&|>&|<>|>>|>\||<|>)|&>>?|[|&;()\n]")
_PLAIN = re.compile(r"[^\s'\"\\$`|&;()<>]+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]")
_ASSIGNMENT = re.compile(
    r"""^(?:export[ \t]+|readonly[ \t]+)?([A-Za-z_]\w*)=('[^'\n]*'|"[^"$`\\\n]*"|[\w./-]*)[ \t]*(?:;.*|\#.*)?\r?$""",
    re.M,
)
_SET = re.compile(
    r"(?:^|[\s;&|(])(?:([A-Za-z_]\w*)\+?=|(?:for|read|select|getopts[ \t]+\S+)[ \t]+(?:-\w+[ \t]+)*([A-Za-z_]\w*))",
    re.M,
)
_LEAVES_LOOP = re.compile(r"\b(?:break|continue)\b")
_PATTERN = re.compile(r"[*?\[{~]")
"""What makes a word of a loop stand for others: names of files, or a series."""
_SPECIAL = re.compile(r"[\\$`]")
_CLOSING = {"{": "}", "(": ")"}
_OPENING_WORDS = frozenset({"if", "while", "until", "for", "case", "select"})
_CLOSING_WORDS = frozenset({"fi", "done", "esac", "{", "}", "then", "else", "elif", "do", "!", "time"})


class Word(NamedTuple):
    """One word with its quotes undone."""

    text: EmbeddedText
    bare: bool
    """It has no quotes, so that it may be a keyword."""
    offset: int
    """Of its first character in the script."""
    end: int
    """The offset behind its last one."""

    @property
    def value(self) -> str:
        """The text alone."""
        return self.text.text


class Redirection(NamedTuple):
    """``> file``, ``<< text``: for a here-document ``word`` is the document itself."""

    operator: str
    word: Word


@dataclass(slots=True)
class Command:
    """A simple command."""

    words: list[Word] = field(default_factory=list[Word])
    redirections: list[Redirection] = field(default_factory=list[Redirection])
    conditional: bool = False
    """Only a condition of the script, or a loop, runs it."""


@dataclass(slots=True)
class Group:
    """Commands in braces or parentheses, which share what they write."""

    pipelines: list[Pipeline] = field(default_factory=list["Pipeline"])
    redirections: list[Redirection] = field(default_factory=list[Redirection])


Stage: TypeAlias = Command | Group
Pipeline: TypeAlias = list[Stage]


def parse_shell(source: EmbeddedText, variables: Mapping[str, str] | None = None) -> list[Pipeline]:
    """The pipelines of a script, in order."""
    known = constants(source.text) if variables is None else variables
    return _Parser(source, known, _Budget()).pipelines(0, len(source.text))


def constants(text: str) -> dict[str, str]:
    """The variables that a script sets exactly once, at the beginning of a line, to text alone."""
    if "$" not in text:
        return {}
    times: dict[str, int] = {}
    for found in _SET.finditer(text):
        name = found[1] or found[2]
        times[name] = times.get(name, 0) + 1
    return {found[1]: found[2].strip("'\"") for found in _ASSIGNMENT.finditer(text) if times.get(found[1]) == 1}


def expanded(source: EmbeddedText, start: int, end: int, variables: Mapping[str, str]) -> EmbeddedText:
    """A part of a script in which only variables are special, such as a here-document without a quoted end."""
    lexer = _Lexer(source, variables)
    builder = TextBuilder(source)
    position = start
    if _SPECIAL.search(source.text, start, end) is None:
        builder.copy(start, end)
        position = end
    while position < end:
        position = lexer.special(builder, position, end, "\\$`")
    return builder.build(start)


class _Lexer:
    """Reads words."""

    def __init__(self, source: EmbeddedText, variables: Mapping[str, str]) -> None:
        self._source = source
        self._text = source.text
        self._variables = variables

    def word(self, position: int) -> tuple[Word, int]:
        """The word at an offset, and the offset behind it."""
        text, start = self._text, position
        builder = TextBuilder(self._source)
        bare = True
        while position < len(text):
            char = text[position]
            if found := _PLAIN.match(text, position):
                builder.copy(position, found.end())
                position = found.end()
            elif char == "'":
                bare = False
                end = text.find("'", position + 1)
                end = len(text) if end < 0 else end
                builder.copy(position + 1, end)
                position = end + 1
            elif char == '"':
                bare = False
                position = self._double(builder, position + 1)
            elif char in "\\$`":
                position = self.special(builder, position, len(text), None)
            else:
                break
        return Word(builder.build(start), bare, start, position), position

    def _double(self, builder: TextBuilder, position: int) -> int:
        while position < len(self._text) and self._text[position] != '"':
            position = self.special(builder, position, len(self._text), '"\\$`')
        return position + 1

    def special(self, builder: TextBuilder, position: int, end: int, escaped: str | None) -> int:
        """Add what begins at an offset and may be special; ``escaped`` are the characters that a backslash takes their
        meaning from (None: all of them). The result is the offset behind it.
        """
        text = self._text
        char = text[position]
        if char == "\\":
            return self._backslash(builder, position, end, escaped)
        if char == "`":
            close = text.find("`", position + 1, end)
            builder.insert("${COMMAND}", position)
            return end if close < 0 else close + 1
        if char == "$":
            return self._dollar(builder, position, end)
        stop = position + 1
        while stop < end and text[stop] not in '\\$`"':
            stop += 1
        builder.copy(position, stop)
        return stop

    def _backslash(self, builder: TextBuilder, position: int, end: int, escaped: str | None) -> int:
        following = self._text[position + 1 : min(position + 2, end)]
        if following == "\n":
            return position + 2
        if following and (escaped is None or following in escaped):
            builder.copy(position + 1, position + 2)
        else:
            builder.copy(position, min(position + 2, end))
        return position + 2

    def _dollar(self, builder: TextBuilder, position: int, end: int) -> int:
        text = self._text
        opening = text[position + 1 : position + 2]
        if opening in _CLOSING:
            close = self._balanced(position + 1, end)
            inner = text[position + 2 : close - 1]
            builder.insert(self._variables.get(inner, "${VALUE}") if opening == "{" else "${COMMAND}", position)
            return close
        if found := _NAME.match(text, position + 1, end):
            builder.insert(self._variables.get(found[0], f"${{{found[0]}}}"), position)
            return found.end()
        builder.copy(position, position + 1)
        return position + 1

    def _balanced(self, position: int, end: int) -> int:
        """The offset behind the bracket that closes the one at an offset."""
        opening, closing, depth = self._text[position], _CLOSING[self._text[position]], 0
        for found in re.compile(f"[{re.escape(opening + closing)}]").finditer(self._text, position, end):
            depth += 1 if found[0] == opening else -1
            if depth == 0:
                return found.end()
        return end


class _Waiting(NamedTuple):
    """A here-document that begins at the next line."""

    redirections: list[Redirection]
    operator: str
    end: str
    """The line that ends it."""
    quoted: bool


class _Loop(NamedTuple):
    """A loop over words that stand in the script, and where its commands begin."""

    name: str
    words: Sequence[str]
    start: int


@dataclass(slots=True)
class _Budget:
    """How many characters of loops may be read again."""

    left: int = 1 << 20


@dataclass(slots=True)
class _Frame:
    """A group under construction."""

    group: Group
    closer: str = ""
    loop: _Loop | None = None
    pipeline: Pipeline = field(default_factory=list[Stage])
    stage: Stage | None = None

    def end_stage(self) -> None:
        """What follows is piped into."""
        if self.stage is not None:
            self.pipeline.append(self.stage)
            self.stage = None

    def end_pipeline(self) -> None:
        """What follows is another pipeline."""
        self.end_stage()
        if self.pipeline:
            self.group.pipelines.append(self.pipeline)
            self.pipeline = []


def _literal_loop(header: Sequence[Pipeline], start: int) -> _Loop | None:
    """The loop whose commands begin at an offset, if its words stand in the script: ``for q in A B``."""
    command = header[0][0] if header and len(header[0]) == 1 else None
    if not isinstance(command, Command) or len(command.words) < 3 or command.redirections:
        return None
    keyword, name, preposition, *words = command.words
    if (keyword.value, preposition.value) != ("for", "in") or not _NAME.fullmatch(name.value):
        return None
    found: list[str] = []
    for word in words:
        if holds_template(word.value) or (word.bare and _PATTERN.search(word.value)):
            return None
        found += word.value.split() if word.bare else [word.value]
    return _Loop(name.value, found, start)


class _Parser:
    """Builds pipelines from words and operators."""

    def __init__(
        self, source: EmbeddedText, variables: Mapping[str, str], budget: _Budget, conditions: int = 0
    ) -> None:
        self._source = source
        self._text = source.text
        self._variables = variables
        self._budget = budget
        self._lexer = _Lexer(source, variables)
        self._frames = [_Frame(Group())]
        self._waiting: list[_Waiting] = []
        self._conditions = conditions

    def pipelines(self, position: int, end: int) -> list[Pipeline]:
        """All pipelines between two offsets of the source."""
        while position < end:
            position = self._step(position)
        while len(self._frames) > 1:
            self._close(self._frames[-1].closer)
        self._frames[0].end_pipeline()
        return self._frames[0].group.pipelines

    def _step(self, position: int) -> int:
        """Take in what is at an offset; the result is the offset behind it."""
        if found := _BLANKS.match(self._text, position):
            return found.end()
        if self._text[position] == "#":
            end = self._text.find("\n", position)
            return len(self._text) if end < 0 else end
        if found := _OPERATOR.match(self._text, position):
            return self._operator(found[0], found.end())
        word, end = self._lexer.word(position)
        if end > position:
            self._word(word)
        return max(end, position + 1)

    def _word(self, word: Word) -> None:
        frame = self._frames[-1]
        if isinstance(frame.stage, Group):
            frame.end_pipeline()
        command = frame.stage if isinstance(frame.stage, Command) else None
        if (command is None or not command.words) and word.bare and self._keyword(word):
            return
        if command is None:
            frame.stage = command = Command(conditional=self._conditions > 0)
        command.words.append(word)

    def _keyword(self, keyword: Word) -> bool:
        """Take in a keyword in front of a command; False for what is not only that."""
        word = keyword.value
        if word in _OPENING_WORDS:
            self._conditions += 1
            return word not in ("for", "case", "select")
        if word in ("fi", "done", "esac"):
            self._conditions = max(self._conditions - 1, 0)
            if word == "done":
                self._end_loop(keyword.offset)
        elif word == "do":
            header = self._frames[-1].group.pipelines[-1:]
            self._open("done")
            self._frames[-1].loop = _literal_loop(header, keyword.end)
        elif word == "{":
            self._open("}")
        elif word == "}":
            self._close("}")
        return word in _CLOSING_WORDS

    def _end_loop(self, end: int) -> None:
        """End a loop: one over literal words becomes its commands once for each word, which then run for certain."""
        loop, body = self._frames[-1].loop, self._frames[-1].group
        self._close("done")
        if loop is None or self._frames[-1].stage is not body:
            return
        text, cost = self._text[loop.start : end], len(loop.words) * (end - loop.start)
        sets_name = any(loop.name in found.groups() for found in _SET.finditer(text))
        if sets_name or _LEAVES_LOOP.search(text) or cost > self._budget.left:
            return
        self._budget.left -= cost
        rounds: list[Pipeline] = []
        for word in loop.words:
            known = {**self._variables, loop.name: word}
            parser = _Parser(self._source, known, self._budget, self._conditions)
            rounds += parser.pipelines(loop.start, end)
            if parser.waits:
                return
        body.pipelines[:] = rounds

    @property
    def waits(self) -> bool:
        """Whether a here-document begins behind what was read."""
        return bool(self._waiting)

    def _open(self, closer: str) -> None:
        if len(self._frames) < MAX_DEPTH:
            self._frames[-1].end_stage()
            self._frames.append(_Frame(Group(), closer))

    def _close(self, closer: str) -> None:
        """End a group; a bracket that closes nothing ends a pipeline, as behind the pattern of a case."""
        frame = self._frames[-1]
        frame.end_pipeline()
        if frame.closer == closer:
            self._frames.pop()
            self._frames[-1].stage = frame.group

    def _operator(self, operator: str, end: int) -> int:
        frame = self._frames[-1]
        if "<" in operator or ">" in operator:
            return self._redirection(operator, end)
        if operator in ("|", "|&"):
            frame.end_stage()
        elif operator == "(":
            return self._parenthesis(end)
        elif operator == ")":
            self._close(")")
        elif operator != "\n" or frame.stage is not None:  # a pipe may end a line
            frame.end_pipeline()
        return self._documents(end) if operator == "\n" else end

    def _parenthesis(self, position: int) -> int:
        """A subshell, or the empty parentheses of a function."""
        frame = self._frames[-1]
        if frame.stage is None:
            self._open(")")
        elif self._text[position : position + 1] == ")":
            frame.stage = None
            return position + 1
        return position

    def _redirection(self, operator: str, position: int) -> int:
        blanks = _BLANKS.match(self._text, position)
        start = blanks.end() if blanks else position
        word, end = self._lexer.word(start)
        frame = self._frames[-1]
        if frame.stage is None:
            frame.stage = Command(conditional=self._conditions > 0)
        operator = operator.lstrip("0123456789") if operator[0] in "01" else operator
        if operator in ("<<", "<<-"):
            quoted = any(mark in self._text[start:end] for mark in "'\"\\")
            self._waiting.append(_Waiting(frame.stage.redirections, operator, word.value, quoted))
        else:
            frame.stage.redirections.append(Redirection(operator, word))
        return end

    def _documents(self, position: int) -> int:
        """Read the here-documents that begin at an offset; the result is the offset behind them."""
        waiting, self._waiting = self._waiting, []
        for document in waiting:
            start, tabs = position, r"\t*" if document.operator == "<<-" else ""
            end = re.compile(rf"^{tabs}{re.escape(document.end)}\r*$", re.M).search(self._text, start)
            stop = end.start() if end is not None else len(self._text)
            position = min(end.end() + 1, len(self._text)) if end is not None else len(self._text)
            word = Word(self._document(document, start, stop), False, start, position)
            document.redirections.append(Redirection("<<", word))
        return position

    def _document(self, waiting: _Waiting, start: int, stop: int) -> EmbeddedText:
        lines = self._without_tabs(start, stop) if waiting.operator == "<<-" else []
        if waiting.quoted:
            builder = TextBuilder(self._source)
            for begin, end in lines or [(start, stop)]:
                builder.copy(begin, end)
            return builder.build(start)
        if lines:
            return joined_texts([expanded(self._source, begin, end, self._variables) for begin, end in lines], "")
        return expanded(self._source, start, stop, self._variables)

    def _without_tabs(self, start: int, stop: int) -> list[tuple[int, int]]:
        """Where the lines between two offsets begin, behind tabs, and end."""
        lines: list[tuple[int, int]] = []
        while start < stop:
            end = self._text.find("\n", start, stop)
            end = stop if end < 0 else end + 1
            begin = start
            while begin < end and self._text[begin] == "\t":
                begin += 1
            lines.append((begin, end))
            start = end
        return lines
