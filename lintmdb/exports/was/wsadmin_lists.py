"""Nested lists as wsadmin prints them: ``[name value]`` of Jython and ``{name value}`` of Jacl."""

from __future__ import annotations

from dataclasses import dataclass, field

_OPEN = {"[": "]", "{": "}"}
_MAX_DEPTH = 30
_BLANKS = " \t\r\n"


@dataclass(slots=True)
class Item:
    """A word, or a list of items; ``text`` is what stands there, without its own brackets or quotation marks."""

    text: str
    offset: int
    items: list[Item] | None = None


@dataclass(slots=True)
class _Open:
    close: str
    start: int
    items: list[Item] = field(default_factory=list[Item])


def read_list(text: str, start: int) -> tuple[Item, int] | None:
    """The list that starts at an offset, and the offset behind it; None where it does not end or nests too deep."""
    stack = [_Open(_OPEN[text[start]], start)]
    at = start + 1
    while at < len(text):
        char = text[at]
        if char in _BLANKS:
            at += 1
        elif char in _OPEN:
            if len(stack) >= _MAX_DEPTH:
                return None
            stack.append(_Open(_OPEN[char], at))
            at += 1
        elif char == stack[-1].close:
            done = stack.pop()
            item = Item(text[done.start + 1 : at].strip(), done.start, done.items)
            at += 1
            if not stack:
                return item, at
            stack[-1].items.append(item)
        elif char == '"':
            end = _quoted_end(text, at)
            if end < 0:
                return None
            stack[-1].items.append(Item(text[at + 1 : end].replace('\\"', '"'), at))
            at = end + 1
        else:
            end = _word_end(text, at)
            if end == at:
                return None
            stack[-1].items.append(Item(text[at:end], at))
            at = end
    return None


def _word_end(text: str, start: int) -> int:
    """The offset behind a word, in which ``${NAME}`` may stand."""
    end = start
    while end < len(text) and text[end] not in _BLANKS and text[end] not in "[]{}":
        end += 1
        if text[end - 1] == "$" and text.startswith("{", end):
            close = text.find("}", end, end + 200)
            end = close + 1 if close > 0 else end
    return end


def _quoted_end(text: str, start: int) -> int:
    """The offset of the quotation mark that ends the text that one starts; -1 without one."""
    end = text.find('"', start + 1)
    while end > 0 and text[end - 1] == "\\":
        end = text.find('"', end + 1)
    return end
