"""Literals and variables in wsadmin scripts of either language. Nothing is executed: what is no literal is not known.

A variable counts where the whole script gives it one value, which is literal. In Jython one also counts that is set, or
appended to with ``+=``, at the beginning of lines only: there it has the value that the lines above give it. Parameters
of procedures and variables of loops are not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

UNKNOWN = "\0"
"""Stands in a text for what is not known."""
ITEM = "\x85"
"""Parts the items of a list; no parameter has this character."""
MAX_DEPTH = 5
"""How many variables may lead from one to the next."""
_MAX_VARIABLES = 5_000
_MAX_LINES = 50
"""How many lines may set one variable."""
_LONGEST = 4_000
"""The longest expression or argument, in characters; what is longer is cut, and so never complete."""
LONGEST_VALUE = 20_000
"""The longest value that is put together, in characters; what is longer is unknown."""
_MARK = re.compile(r"""['"()\[\]{},]""")
LITERAL = re.compile(r"""[uUrRfF]?('''|\"\"\"|'|")""")
_VARIABLE = re.compile(r"\$\{?(\w+)\}?")
_SET = re.compile(r"(?m)^[ \t]*(?:([A-Za-z_]\w*)[ \t]*=(?!=)|set[ \t]+([A-Za-z_]\w*)[ \t]+)[ \t]*")
_SET_OR_APPENDED = re.compile(r"(?m)^([ \t]*)([A-Za-z_]\w*)[ \t]*(\+=|=(?!=))[ \t]*")
_UNSETTLED = re.compile(
    r"(?m)^[ \t]*(?:for[ \t]+([\w, \t]+)[ \t]in\b|foreach[ \t]+(\w+)[ \t]|def[ \t]+\w+[ \t]*\(([^)]{0,2000})\)"
    r"|proc[ \t]+\S+[ \t]+\{([^}]{0,2000})\}|(?:lappend|append|incr|global)[ \t]+(\w+)"
    r"|(\w+)[ \t]*[-+*/%]=|(\w+(?:[ \t]*,[ \t]*\w+)+)[ \t]*=)"
)


class Text(NamedTuple):
    """Text put together from literals, with the offset of each of its characters in the script."""

    text: str
    offsets: list[int]
    number: bool = False
    """It is a number, which ``+`` adds to others."""


class Span(NamedTuple):
    """A part of the script."""

    start: int
    end: int


def concatenated(parts: Sequence[Text]) -> Text:
    """Texts one behind the other; unknown where that is too long."""
    if len(parts) == 1:
        return parts[0]
    if sum(len(part.text) for part in parts) > LONGEST_VALUE:
        return Text(UNKNOWN, parts[0].offsets[:1] or [0])
    return Text("".join(part.text for part in parts), [offset for part in parts for offset in part.offsets])


class _Assignment(NamedTuple):
    """A line that sets a variable, or appends to it: where its value is, and which of both it does."""

    value: Span
    appends: bool


@dataclass(frozen=True, slots=True)
class Variables:
    """The variables of a script whose values it tells."""

    settled: Mapping[str, Span]
    """The expressions of those that are set in one place alone."""
    series: Mapping[str, Sequence[_Assignment]]
    """What sets the others, line by line, where no condition, loop or procedure does."""
    values: dict[tuple[str, int], Text] = field(default_factory=dict[tuple[str, int], "Text"])
    """Those of ``settled`` that have been worked out, by name and depth."""

    def get(self, name: str) -> Span | None:
        """The expression of a variable that is set in one place alone."""
        return self.settled.get(name)

    def parts(self, text: str, name: str, at: int) -> Sequence[Span]:
        """The expressions that make up the value of a variable of a series at an offset; none where that is inside
        something that may run at another time.
        """
        above = [each for each in self.series.get(name, ()) if each.value.start < at]
        if text[text.rfind("\n", 0, at) + 1].isspace():
            return ()
        first = next((n for n in range(len(above) - 1, -1, -1) if not above[n].appends), len(above))
        return [each.value for each in above[first:]]


def variables_of(text: str) -> Variables:
    """The variables of a script."""
    return Variables(_settled(text), _series(text))


def _series(text: str) -> Mapping[str, Sequence[_Assignment]]:
    """The lines that set each variable, where all of them begin with its name and some append to it, or several set
    it.
    """
    if "AdminTask." not in text and "AdminConfig." not in text:
        return {}
    found: dict[str, list[re.Match[str]]] = {}
    otherwise: set[str] = set()
    for match in _SET_OR_APPENDED.finditer(text):
        if match.group(1):
            otherwise.add(match.group(2))
        elif match.end() < len(text):
            found.setdefault(match.group(2), []).append(match)
    for match in _UNSETTLED.finditer(text):
        if match.group(6) is None or not text.startswith("+=", match.end() - 2) or match.group()[:1].isspace():
            otherwise.update(re.findall(r"\w+", " ".join(group for group in match.groups() if group)))
    known = [(name, lines) for name, lines in found.items() if 1 < len(lines) <= _MAX_LINES and name not in otherwise]
    return {
        name: [
            _Assignment(Span(match.end(), _expression_end(text, match.end())), match.group(3) == "+=")
            for match in lines
        ]
        for name, lines in known[: _MAX_VARIABLES // _MAX_LINES]
    }


def _settled(text: str) -> Mapping[str, Span]:
    found: dict[str, re.Match[str] | None] = {}
    for match in _SET.finditer(text):
        name = match.group(1) or match.group(2)
        found[name] = None if name in found else match
    for match in _UNSETTLED.finditer(text):
        for name in re.findall(r"\w+", " ".join(group for group in match.groups() if group)):
            found[name] = None
    settled = [(name, match) for name, match in found.items() if match is not None][:_MAX_VARIABLES]
    return {name: Span(match.end(), _value_end(text, match)) for name, match in settled if match.end() < len(text)}


def _value_end(text: str, match: re.Match[str]) -> int:
    """The offset behind the value that a variable is set to."""
    return word_end(text, match.end()) if match.group(2) else _expression_end(text, match.end())


def arguments(text: str, start: int) -> Iterator[Span]:
    """The arguments of a Jython call whose parenthesis is open."""
    depth, begin, at = 0, start, start
    while (mark := _MARK.search(text, at, start + _LONGEST)) is not None:
        char, at = mark.group(), mark.end()
        literal = LITERAL.match(text, mark.start())
        if literal is not None:
            at = literal_end(text, literal) + len(literal.group(1))
        elif char in "([{":
            depth += 1
        elif char != ",":
            if depth == 0:
                yield Span(begin, mark.start())
                return
            depth -= 1
        elif depth == 0:
            yield Span(begin, mark.start())
            begin = at


def words(text: str, start: int) -> Iterator[Span]:
    """The words of a Jacl command, from an offset to the end of the command."""
    at, last = start, min(len(text), start + _LONGEST)
    while at < last and text[at] not in "\n;":
        if text[at] in " \t\r":
            at += 1
        elif text.startswith(("\\\n", "\\\r\n"), at):
            at = text.index("\n", at) + 1
        else:
            end = word_end(text, at)
            yield Span(at, end)
            at = end


def word_end(text: str, start: int) -> int:
    """The offset behind a word of Jacl: in braces, in brackets, in quotation marks, or up to a blank."""
    closing = {"{": "}", "[": "]"}.get(text[start])
    if text[start] == '"':
        end = text.find('"', start + 1, start + _LONGEST)
        return min(len(text), start + _LONGEST) if end < 0 else end + 1
    if closing is not None:
        depth = 0
        for match in re.compile(f"[{re.escape(text[start] + closing)}]").finditer(text, start, start + _LONGEST):
            depth += 1 if match.group() == text[start] else -1
            if depth == 0:
                return match.end()
        return min(len(text), start + _LONGEST)
    match = re.compile(r"[^ \t\r\n;]+").match(text, start)
    return match.end() if match is not None else start + 1


def _expression_end(text: str, start: int) -> int:
    """The offset behind an expression of Jython: the end of its line, or of that on which its brackets close."""
    depth, at = 0, start
    while at < min(len(text), start + _LONGEST):
        literal = LITERAL.match(text, at)
        if literal is not None:
            at = literal_end(text, literal) + len(literal.group(1))
            continue
        char = text[at]
        if char == "#":
            at = line_end(text, at)
            continue
        depth += (char in "([{") - (char in ")]}")
        if char == "\n" and depth <= 0 and not text[max(start, at - 2) : at].rstrip("\r").endswith("\\"):
            return at
        at += 1
    return min(len(text), start + _LONGEST)


def line_end(text: str, at: int) -> int:
    """The offset of the end of a line."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def literal_end(text: str, literal: re.Match[str]) -> int:
    """The offset of the quotation mark that ends a literal; the end of the text without one."""
    mark, at = literal.group(1), literal.end()
    while True:
        end = text.find(mark, at, literal.end() + _LONGEST)
        if end < 0:
            return min(len(text), literal.end() + _LONGEST)
        before = end
        while before > at and text[before - 1] == "\\":
            before -= 1
        if (end - before) % 2 == 0:
            return end
        at = end + 1


_BREAKS = str.maketrans("\\\r\n", "   ")
"""What ends a line, or carries it on, is a blank inside a word of Jacl."""


def jacl_text(text: str, span: Span, variables: Variables, depth: int = 0) -> Text:
    """A word of Jacl with its variables filled in; between braces there are none. ``[list ...]`` is a list."""
    braces = text[span.start] == "{"
    start, end = span
    listing = re.compile(r"\[list[ \t]").match(text, start)
    if listing is not None:
        return _joined(text, [*words(text, listing.end())], variables, end - 1, depth)
    if text[start] == "[":
        return Text(UNKNOWN, [start])
    if text[start] in '{"':
        start, end = start + 1, max(end - 1, start + 1)
    if braces:
        return Text(text[start:end].translate(_BREAKS), list(range(start, end)))
    pieces: list[str] = []
    offsets: list[int] = []
    while start < end:
        variable = _VARIABLE.match(text, start, end)
        if variable is not None:
            known = variables.get(variable.group(1))
            found = Text(UNKNOWN, [start])
            if known is not None and known.start < known.end and depth < MAX_DEPTH:
                found = jacl_text(text, known, variables, depth + 1)
            pieces.append(found.text)
            offsets += found.offsets
            start = variable.end()
            continue
        if text[start] == "[":
            return Text(UNKNOWN, [start])
        pieces.append(text[start].translate(_BREAKS))
        offsets.append(start)
        start += 1
    return Text("".join(pieces), offsets)


def _joined(text: str, spans: list[Span], variables: Variables, end: int, depth: int) -> Text:
    pieces: list[str] = []
    offsets: list[int] = []
    for span in spans:
        if span.start < end and depth < MAX_DEPTH:
            found = jacl_text(text, Span(span.start, min(span.end, end)), variables, depth + 1)
            pieces.append(ITEM + found.text)
            offsets += [span.start, *found.offsets]
    return Text("".join(pieces) + ITEM, [*offsets, end])
