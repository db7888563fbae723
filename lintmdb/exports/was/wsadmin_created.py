"""Objects that wsadmin scripts create with ``AdminConfig.create``, as far as type and attributes are literal.

Attributes are pairs: ``[['name', 'OrdersLP'], ['maxSessions', 5]]`` in Jython, ``{{name OrdersLP} {maxSessions 5}}`` in
Jacl. What is computed, or nested deeper, is unknown, and so is what the command leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lintmdb.exports.was.wsadmin_jython import jython_text
from lintmdb.exports.was.wsadmin_lists import read_list
from lintmdb.exports.was.wsadmin_literals import (
    UNKNOWN,
    Span,
    Text,
    Variables,
    arguments,
    jacl_text,
    words,
)

_TYPES = "ListenerPort|MQQueueConnectionFactory|MQTopicConnectionFactory|MQConnectionFactory|MQQueue|MQTopic"
CREATED = re.compile(
    rf"\bAdminConfig\.create\s*\(\s*(?=(['\"])(?P<jython>{_TYPES})\1)|\$AdminConfig\s+create\s+(?P<jacl>{_TYPES})\b"
)
"""A command that creates an object of a type that is read."""


class CreatedObject(NamedTuple):
    """One object: its type, the expression of what holds it, and its literal attributes."""

    type: str
    parent: Span
    attributes: list[tuple[str, Text]]
    offset: int


def created_objects(text: str, variables: Variables) -> Iterator[CreatedObject]:
    """The objects of a script, in its order."""
    for match in CREATED.finditer(text):
        if match["jacl"]:
            spans = list(words(text, match.end()))
            pairs = list(_jacl_pairs(text, spans[1], variables)) if len(spans) > 1 else []
            parent = spans[:1]
        else:
            spans = list(arguments(text, match.end()))
            pairs = list(_jython_pairs(text, spans[2], variables)) if len(spans) > 2 else []
            parent = spans[1:2]
        if parent:
            known = [(name, value) for name, value in pairs if UNKNOWN not in value.text]
            yield CreatedObject(match["jacl"] or match["jython"], parent[0], known, match.start())


def _jython_pairs(text: str, span: Span, variables: Variables) -> Iterator[tuple[str, Text]]:
    literal = _literal(text, span, variables)
    if not text.startswith(("[", "("), literal.start):
        yield from _string_pairs(jython_text(text, literal, variables))
        return
    for item in _items(text, literal):
        pair = list(_items(text, item))
        if len(pair) == 2 and not text.startswith("[", _trimmed(text, pair[1]).start):
            yield jython_text(text, pair[0], variables).text, jython_text(text, _trimmed(text, pair[1]), variables)


def _string_pairs(argument: Text) -> Iterator[tuple[str, Text]]:
    """The pairs of a list in a string, ``'[[name OrdersLP] [maxSessions 5]]'``."""
    start = len(argument.text) - len(argument.text.lstrip())
    found = read_list(argument.text, start) if argument.text.startswith("[", start) else None
    for item in found[0].items or () if found is not None else ():
        pair = item.items or []
        if len(pair) == 2 and pair[1].items is None:
            name, value = pair
            at = value.offset + argument.text.startswith('"', value.offset)
            yield name.text, Text(value.text, argument.offsets[at : at + len(value.text)])


def _jacl_pairs(text: str, span: Span, variables: Variables) -> Iterator[tuple[str, Text]]:
    span = _literal(text, span, variables)
    for item in _inner_words(text, span):
        pair = list(_inner_words(text, item))
        if len(pair) == 2 and not text.startswith(("{{", "{ {"), pair[1].start):
            # Between braces a variable is text, which no value of an attribute is.
            literal = "$" not in text[pair[1].start : pair[1].end]
            value = jacl_text(text, pair[1], variables) if literal else Text(UNKNOWN, [pair[1].start])
            yield jacl_text(text, pair[0], variables).text, value


def _literal(text: str, span: Span, variables: Variables) -> Span:
    """A list, or that which a variable stands for."""
    span = _trimmed(text, span)
    return _trimmed(text, variables.get(text[span.start : span.end].lstrip("$").strip("{}")) or span)


def _trimmed(text: str, span: Span) -> Span:
    piece = text[span.start : span.end]
    start = span.start + len(piece) - len(piece.lstrip())
    return Span(start, max(start, span.start + len(piece.rstrip())))


def _items(text: str, span: Span) -> Iterator[Span]:
    """The items of a list of Jython; none of anything else."""
    start = _trimmed(text, span).start
    if text.startswith(("[", "("), start):
        yield from arguments(text, start + 1)


def _inner_words(text: str, span: Span) -> Iterator[Span]:
    """The words between braces, or those of ``[list ...]``."""
    listing = re.compile(r"\[list\s").match(text, span.start)
    start = listing.end() if listing is not None else span.start + 1
    if listing is None and not text.startswith("{", span.start):
        return
    at = start
    while at < span.end - 1:
        for word in words(text, at):
            if word.start >= span.end - 1:
                return
            yield Span(word.start, min(word.end, span.end - 1))
            at = word.end
        following = re.compile(r"\s+").match(text, at)
        at = following.end() if following is not None else span.end
