"""The grammar of one line: its parameters, its continuation mark, and values as the queue manager takes them."""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

from lintmdb.exports.mq.commands import Parameter
from lintmdb.exports.mq.vocabulary import FLAGS, NEEDED, NOUNS

MARKS = frozenset({"+", "-"})
"""What continues a command on the next line: at its first non-blank, or at its column 1."""
_ENDS = MARKS | {";"}
LISTING = re.compile(
    r"[ 01+-]?(?:CSQ[A-Z]\d{3}[A-Z]\b|COMMAND[ \t]+(?:DDNAME|INPUT|MAKE[A-Z]*|TGTQMGR|RESPTIME|FAILURE)[ \t]*\(?)"
)
"""How a line of a CSQUTIL job's listing begins, behind its carriage control: a message, or the utility's statement."""
_QUOTE = re.compile("['\"]")
_KEYWORD = r"[A-Za-z][A-Za-z0-9_#$%.]*+"
# Possessive quantifiers stand on single characters only: on groups they go wrong in the first releases of Python 3.11.
_STRING = r"'[^']*+'"
_VALUE = rf"""(?:[^()'"]++|{_STRING}|"[^"]*+"|\((?:[^()'"]++|{_STRING})*\))*"""
PARAMETER = re.compile(rf"[\s,]*+({_KEYWORD})(?:\s*+(\(({_VALUE})\)))?", re.ASCII)
"""One parameter and the separators in front of it; ``read_parameter`` takes the match."""
_PLAIN_LINE = re.compile(r"([ \t]*)(?:(DEFINE|ALTER) )?([A-Z]+)\('([^'\"()${<%]{0,150})'\)(?: (\+))?\Z")
_TEMPLATE = re.compile(r"\{\{|\$\{|\$\(|<%|\{%|\A['\"]?\$\w+['\"]?\Z")
SEPARATORS = re.compile(r"[\s,]*+", re.ASCII)
BLANKS = " \t\n\r\f\v"
"""What separates words besides commas. Other characters that look like a blank are part of a word."""
_LINE_END = f"{BLANKS}\x85"  # which EBCDIC has beside a line feed


class Line(NamedTuple):
    """What one physical line means by itself: its first and its needed parameters, and what follows it."""

    head: Parameter | None
    needed: tuple[Parameter, ...]
    mark: str
    """The continuation mark; blank at the end of a command."""


def record_text(line: str) -> str:
    """A line without trailing blanks, and without the sequence number of a z/OS record (columns 73 to 80)."""
    body = line.rstrip(_LINE_END)
    if len(body) == 80 and body[72:].isdigit() and body[71] in "-+ ":
        return body[:72].rstrip(BLANKS)
    return body


def open_quote(quote: str, text: str) -> str:
    """The quote that is open after some text, if any; ``quote`` is the one that is open before it."""
    for char in _QUOTE.findall(text):
        quote = "" if char == quote else quote or char
    return quote


def parse_line(body: str) -> Line | None:
    """What a physical line, without trailing blanks, means by itself; None where it needs the lines around it."""
    plain = _PLAIN_LINE.match(body)
    if plain is not None and "  " not in plain.group(4):
        return _plain_line(plain)
    end = body[-1:] if body[-1:] in _ENDS else ""
    inner = body[:-1] if end else body
    if end in MARKS and _ends_in_word(inner):
        return None  # the mark may split that word
    position = 0
    parameters: list[Parameter] = []
    while match := PARAMETER.match(inner, position):
        parameters.append(read_parameter(match, match.start(1) + 1))
        position = match.end()
    if inner[position:].strip(" \t,"):
        return None
    last = parameters[-1] if parameters else None
    if last is not None and end in MARKS and last.value is None and last.keyword not in FLAGS:
        return None  # the value of this keyword may be on the next line
    needed = tuple(p for p in parameters if p.keyword in NEEDED or p.keyword in NOUNS)
    return Line(parameters[0] if parameters else None, needed, end if end != ";" else "")


def _ends_in_word(text: str) -> bool:
    return text[-1:].isalnum() or text[-1:] in ("_", "'", '"')


def _plain_line(match: re.Match[str]) -> Line:
    """The commonest lines of dumps, such as ``DEFINE QLOCAL('A') +``, in a third of the time."""
    indent, verb, keyword, value, mark = match.groups()
    keyword = sys.intern(keyword)
    column = len(indent) + (len(verb) + 1 if verb else 0) + 1
    known = keyword in NEEDED or keyword in NOUNS
    parameter = Parameter(
        keyword, value.rstrip(BLANKS) if known else "", f"{keyword}('{value}')" if known else keyword, column
    )
    head = Parameter(verb, None, verb, len(indent) + 1) if verb else parameter
    return Line(head, (parameter,) if known else (), mark or "")


def read_parameter(match: re.Match[str], column: int) -> Parameter:
    """The parameter that ``PARAMETER`` has matched."""
    # A dump repeats the same few keywords; each is kept once.
    keyword, parenthesised, raw = sys.intern(match.group(1).upper()), match.group(2), match.group(3)
    if parenthesised is None:
        return Parameter(keyword, None, keyword, column)
    if keyword not in NEEDED and keyword not in NOUNS:
        return Parameter(keyword, "", keyword, column)
    value = raw.strip(BLANKS)
    text = f"{keyword}({' '.join(value.split())})" if len(value) < 200 else f"{keyword}(...)"
    return Parameter(keyword, unquote(value), text, column, holds_template(value))


def holds_template(text: str) -> bool:
    """Whether text has a placeholder that a deployment tool fills in."""
    return _TEMPLATE.search(text) is not None


def unquote(value: str) -> str:
    """A value as the queue manager takes it: quoted text keeps its case, other text folds to upper case."""
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"" and value.count(value[0]) % 2 == 0:
        inner = value[1:-1]
        if value[0] not in inner.replace(value[0] * 2, ""):
            return inner.replace(value[0] * 2, value[0]).rstrip(BLANKS)
    if "'" in value or '"' in value:
        return value
    return value.upper()
