"""The lines of an answer to DISPLAY: attributes in one or two columns, values without quotes.

runmqsc begins the second column 40 characters behind the first; a longer attribute has a line of its own. A value may
hold any text. Where the columns decide, it runs from the first parenthesis to the last.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence

from lintmdb.exports.mq.commands import Parameter
from lintmdb.exports.mq.vocabulary import NEEDED, NOUNS

_COLUMN = 40
EVIDENCE = frozenset({"DESCR", "ALTDATE", "INITQ", "PROCESS", "PUB", "SUB", "XMITQ", "BOQNAME", "ADOPTCTX"})
"""Attributes that nobody lists by hand: with them an answer is one to ALL."""
STATUS = frozenset({"CURDEPTH", "IPPROCS", "MSGAGE", "UNCOM"})
"""Attributes of a queue that nobody sets: what goes on there."""
_KEPT = (
    NEEDED
    | NOUNS.keys()
    | EVIDENCE
    | STATUS
    | {"QSGNAME", "ENTITY", "ENTTYPE", "AUTHLIST", "QUEUE", "QSTATUS", "QCLUSTER", "CLUSQMGR"}
)
_FREE = frozenset({"DESCR", "CUSTOM", "TRIGDATA", "USERDATA", "APPLICID", "ENVRDATA", "TOPICSTR", "SSLPEER"})
"""Attributes whose value may be any text."""
_ONE = re.compile(r"([A-Z][A-Z0-9]*)(?:\((.*)\))?\Z", re.S)
_NESTED = r"(?:[^()]++|\([^()]*+\))*"
_EACH = re.compile(rf"\s*+([A-Z][A-Z0-9]*+)(?:\(({_NESTED})\))?(?=\s|\Z)")
# Where parentheses do not balance, a value ends where another attribute follows.
_LOOSE = re.compile(r"\s*+([A-Z][A-Z0-9]*+)\(([^\n]*?)\)(?=\s+[A-Z][A-Z0-9]*(?:\(|\s|\Z)|\s*\Z)")
_LONGEST_LOOSE = 20_000


def parse_line(line: str) -> tuple[Parameter, ...] | None:
    """The attributes on a line, as far as lintmdb needs them; None for a line that holds none."""
    if "\t" in line:
        return _tabbed(line)
    columns = line_columns(line)
    if columns is not None:
        return _kept(*columns)
    body = line.rstrip()
    text = body.lstrip()
    indent = len(body) - len(text)
    several = parse_sequence(text)
    if several is not None:
        return tuple(_moved(parameter, indent) for parameter in several)
    one = _ONE.match(text)
    return _kept((one, indent)) if one is not None and _is_one(one) else None


def _tabbed(line: str) -> tuple[Parameter, ...] | None:
    """The same for a line with tabs, which editors put between columns."""
    found: list[Parameter] = []
    offset = 0
    for piece in line.split("\t"):
        known = parse_line(piece) if piece.strip() else ()
        if known is None:
            return None
        found += (_moved(parameter, offset) for parameter in known)
        offset += len(piece) + 1
    return tuple(found) if line.strip() else None


def line_columns(line: str) -> Sequence[tuple[re.Match[str], int]] | None:
    """The attributes of a line whose columns decide where each ends, with the offset of each: matches of the keyword
    and the value (None for one without). None for any other line.
    """
    body = line.rstrip()
    text = body.lstrip()
    indent = len(body) - len(text)
    two = _two_columns(text)
    if two is not None:
        return ((two[0], indent), (two[1], indent + _COLUMN))
    one = _ONE.match(text)
    return ((one, indent),) if one is not None and one.group(1) in _FREE else None


def parse_sequence(text: str) -> tuple[Parameter, ...] | None:
    """The attributes that make up a whole text, as far as lintmdb needs them; None where it holds anything else."""
    found: list[re.Match[str]] = []
    position = 0
    while match := _EACH.match(text, position) or (_LOOSE.match(text, position) if _may_be_loose(text) else None):
        found.append(match)
        position = match.end()
    if not found or text[position:].strip():
        return None
    return _kept(*((match, 0) for match in found))


def _may_be_loose(text: str) -> bool:
    return len(text) < _LONGEST_LOOSE


def _two_columns(text: str) -> tuple[re.Match[str], re.Match[str]] | None:
    if len(text) <= _COLUMN or text[_COLUMN - 1] != " " or text[_COLUMN] == " ":
        return None
    left, right = _ONE.match(text[:_COLUMN].rstrip()), _ONE.match(text[_COLUMN:])
    if left is None or right is None or not (_is_one(left) and _is_one(right)):
        return None
    return (left, right) if right.group().count("(") == right.group().count(")") else None


def _is_one(found: re.Match[str]) -> bool:
    """Whether it is one attribute, and not several whose parentheses are taken for those of the first."""
    return found.group(1) in _FREE or _EACH.fullmatch(found.group()) is not None


def _kept(*found: tuple[re.Match[str], int]) -> tuple[Parameter, ...]:
    return tuple(_parameters(found))


def _parameters(found: Sequence[tuple[re.Match[str], int]]) -> Iterator[Parameter]:
    for match, offset in found:
        keyword, value = match.group(1), match.group(2)
        if keyword not in _KEPT:
            continue
        keyword, column = sys.intern(keyword), offset + match.start(1) + 1
        if value is None:
            yield Parameter(keyword, None, keyword, column)
            continue
        value = value.strip()
        shown = (
            f"{keyword}({' '.join(value.split()) or ' '})"
            if keyword not in _FREE and len(value) < 200
            else f"{keyword}(...)"
        )
        yield Parameter(keyword, value, shown, column)


def _moved(parameter: Parameter, by: int) -> Parameter:
    return parameter._replace(column=parameter.column + by)
