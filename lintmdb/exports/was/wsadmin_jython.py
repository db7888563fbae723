"""Expressions of Jython in wsadmin scripts: literals, lists, ``+``, string formatting, ``str`` and variables."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lintmdb.exports.was.wsadmin_formatting import braces, percent
from lintmdb.exports.was.wsadmin_literals import (
    ITEM,
    LITERAL,
    MAX_DEPTH,
    UNKNOWN,
    Span,
    Text,
    Variables,
    arguments,
    concatenated,
    line_end,
    literal_end,
)

_MAX_BRACKETS = 20
_ESCAPE = re.compile(r"""\\(?:[\\'"abfnrtvxuUN0-7\s]|\Z)""")
"""A backslash in front of anything else is one."""
_WORD = re.compile(r"\w[\w.]*")
_OPENING = re.compile(r"[ \t]*\(")
_METHOD = re.compile(r"\s*\.format[ \t]*\(")
_KEYWORD = re.compile(r"\s*([A-Za-z_]\w*)[ \t]*=(?!=)")


class _NotLiteralError(Exception):
    """There is something else, and so nothing is known."""


def jython_text(text: str, span: Span, variables: Variables, depth: int = 0) -> Text:
    """The value of an expression, the items of lists and tuples parted by ITEM. What is not known is UNKNOWN, and so is
    all of it where there is anything else.
    """
    reader = _Reader(text, span.start, span.end, variables, depth)
    try:
        return concatenated(reader.items(0) or [Text("", [])])
    except _NotLiteralError:
        return Text(UNKNOWN, [span.start])


@dataclass(slots=True)
class _Reader:
    """Reads an expression from left to right."""

    text: str
    at: int
    end: int
    variables: Variables
    depth: int

    def items(self, brackets: int) -> list[Text]:
        """Expressions and the commas between them, up to a closing bracket or the end."""
        found: list[Text] = []
        while (char := self._next()) not in ("", ")", "]"):
            if char == ",":
                found.append(Text(ITEM, [self.at]))
                self.at += 1
            else:
                found.append(self._sum(brackets))
        if char and not brackets:  # of a bracket further up
            self.at += 1
            found += self.items(0)
        return found

    def _next(self) -> str:
        """The first character behind blanks and comments; none at the end."""
        while self.at < self.end:
            char = self.text[self.at]
            if char == "#":
                self.at = line_end(self.text, self.at)
            elif char in " \t\r\n\\":
                self.at += 1
            else:
                return char
        return ""

    def _sum(self, brackets: int) -> Text:
        start = self.at
        parts = [self._formatted(brackets)]
        known = True
        while (char := self._next()) not in ("", ",", ")", "]"):
            if char == "+":
                self.at += 1
            else:
                known = False  # an item of a list, a condition
            if self._next() not in ("", ",", ")", "]"):
                parts.append(self._formatted(brackets))
        if not known or (len(parts) > 1 and any(part.number for part in parts)):
            return Text(UNKNOWN, [start])
        return concatenated(parts)

    def _formatted(self, brackets: int) -> Text:
        """An operand, and those that a ``%`` puts into it."""
        found = concatenated(self._operand(brackets) or [Text("", [])])
        while self._next() == "%":
            self.at += 1
            is_tuple = self._next() == "("
            right = self._operand(brackets)
            operands = [part for part in right if part.text != ITEM] if is_tuple else right
            found = percent(found, operands)
        return found

    def _operand(self, brackets: int) -> list[Text]:
        """One operand; of a tuple its items and the commas between them."""
        char = self._next()
        if char and char in "([":
            start = self.at
            self.at += 1
            if brackets >= _MAX_BRACKETS:
                raise _NotLiteralError
            inner = self.items(brackets + 1)
            if char == "[":
                inner = [concatenated([Text(ITEM, [start]), *inner, Text(ITEM, [min(self.at, self.end - 1)])])]
            self.at += 1
        elif LITERAL.match(self.text, self.at, self.end) is not None:
            inner = [self._literals()]
        else:
            inner = [self._word()]
        while (method := _METHOD.match(self.text, self.at, self.end)) is not None:
            inner = [self._format(concatenated(inner), method.end())]
        return inner

    def _literals(self) -> Text:
        """Literals one behind the other, which are one."""
        found: list[Text] = []
        while self._next() and (literal := LITERAL.match(self.text, self.at, self.end)) is not None:
            close = min(literal_end(self.text, literal), self.end)
            piece = self.text[literal.end() : close]
            if _ESCAPE.search(piece) is not None:
                found.append(Text(UNKNOWN, [self.at]))  # escapes are not worked out
            else:
                plain = Text(piece, list(range(literal.end(), close)))
                found.append(braces(plain, [], self._value) if self.text[self.at] in "fF" else plain)
            self.at = close + len(literal.group(1))
        return concatenated(found)

    def _word(self) -> Text:
        """What a word stands for: a number for itself, a variable for its value, and all else for nothing known."""
        word = _WORD.match(self.text, self.at, self.end)
        if word is None:
            raise _NotLiteralError
        name, self.at = word.group(), word.end()
        opening = _OPENING.match(self.text, self.at, self.end)
        if opening is None:
            number = name.isascii() and name.isdigit()
            if number and (name == "0" or name[0] != "0"):
                return Text(name, list(range(word.start(), word.end())), number=True)
            return Text(UNKNOWN, [word.start()]) if number else self._value(name, word.start())
        if name.endswith(".format"):
            return self._format(self._value(name.removesuffix(".format"), word.start()), opening.end())
        given = self._arguments(opening.end())
        if name == "str" and len(given) == 1:
            value = jython_text(self.text, given[0], self.variables, self.depth + 1)
            if self.depth < MAX_DEPTH and ITEM not in value.text:
                return value._replace(number=False)
        return Text(UNKNOWN, [word.start()])

    def _arguments(self, start: int) -> list[Span]:
        """The arguments of a call whose parenthesis is open; goes on behind it."""
        spans = list(arguments(self.text, start))
        closed = bool(spans) and self.text.startswith(")", spans[-1].end)
        self.at = min(self.end, spans[-1].end + 1) if closed else self.end
        return spans

    def _format(self, template: Text, start: int) -> Text:
        """``template.format(...)`` with the arguments that begin at an offset."""
        positional: list[Text] = []
        named: dict[str, Text] = {}
        for span in self._arguments(start):
            if self.depth >= MAX_DEPTH:
                return Text(UNKNOWN, [start])
            keyword = _KEYWORD.match(self.text, *span)
            if keyword is not None:
                inner = Span(keyword.end(), span.end)
                named[keyword[1]] = jython_text(self.text, inner, self.variables, self.depth + 1)
            elif self.text[span.start : span.end].strip():
                positional.append(jython_text(self.text, span, self.variables, self.depth + 1))
        return braces(template, positional, named.get)

    def _value(self, name: str, at: int | None = None) -> Text:
        """The value of a variable at an offset."""
        return _variable(self.text, name, self.at if at is None else at, self.variables, self.depth)


def _variable(text: str, name: str, at: int, variables: Variables, depth: int) -> Text:
    known = variables.get(name)
    if depth >= MAX_DEPTH:
        return Text(UNKNOWN, [at])
    if known is not None:
        if (name, depth) not in variables.values:
            variables.values[name, depth] = jython_text(text, known, variables, depth + 1)
        return variables.values[name, depth]
    # What is appended may not be made of such variables again: that could take for ever.
    spans = variables.parts(text, name, at) if depth < MAX_DEPTH - 1 else ()
    parts = [jython_text(text, span, variables, MAX_DEPTH - 1) for span in spans]
    if not parts or (len(parts) > 1 and any(part.number for part in parts)):
        return Text(UNKNOWN, [at])
    return concatenated(parts)
