"""String formatting of Jython with values that are known: ``%``, ``format`` and the fields of f-strings.

What is not known, or not worked out here, makes the whole text unknown. Source: Jython "String Formatting Operations".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from lintmdb.exports.was.wsadmin_literals import ITEM, LONGEST_VALUE, UNKNOWN, Text, concatenated

_CONVERSION = re.compile(r"%(?:(%)|([-0 +]{0,4}\d{0,2})([sdi]))")
_FIELD = re.compile(r"\{\{|\}\}|\{(\w*)(?::([<>^]?\d{0,2})([sd]?))?\}")


def percent(template: Text, operands: Sequence[Text]) -> Text:
    """``template % operands``; unknown where an operand is, or where the template takes more or fewer of them."""
    left = list(operands)

    def value(match: re.Match[str]) -> Text | None:
        if match[1]:
            return _part(template, match.start(), match.start() + 1)
        return _rendered(left.pop(0), lambda given: f"%{match[2]}{match[3]}" % given, match[3]) if left else None

    found = _filled(template, _CONVERSION, "%", value)
    return found if not left else _unknown(template)


def braces(template: Text, operands: Sequence[Text], named: Callable[[str], Text | None]) -> Text:
    """``template.format(*operands)``, or an f-string; ``named`` gives the value of a name. Unknown where a value is."""
    left = list(operands)

    def value(match: re.Match[str]) -> Text | None:
        if match[0] in ("{{", "}}"):
            return _part(template, match.start(), match.start() + 1)
        name = match[1]
        if name.isdigit():
            found = operands[int(name)] if int(name) < len(operands) else None
        elif name:
            found = named(name)
        else:
            found = left.pop(0) if left else None
        if found is None:
            return None
        kind = match[3] or ("" if found.number else "s")
        return _rendered(found, lambda given: format(given, f"{match[2] or ''}{match[3] or ''}"), kind)

    return _filled(template, _FIELD, "{}", value)


def _filled(template: Text, field: re.Pattern[str], marks: str, value: Callable[[re.Match[str]], Text | None]) -> Text:
    """A template with its fields filled in; a mark that begins no field makes it unknown."""
    pieces: list[Text] = []
    at = length = 0
    for match in field.finditer(template.text):
        found = value(match)
        pieces += [_part(template, at, match.start()), found or _unknown(template)]
        length += len(pieces[-1].text)
        if found is None or UNKNOWN in found.text or ITEM in found.text or length > LONGEST_VALUE:
            return _unknown(template)
        if any(mark in pieces[-2].text for mark in marks):
            return _unknown(template)
        at = match.end()
    rest = _part(template, at, len(template.text))
    if any(mark in rest.text for mark in marks) or UNKNOWN in template.text or ITEM in template.text:
        return _unknown(template)
    return concatenated([*pieces, rest])


def _rendered(value: Text, show: Callable[[str | int], str], kind: str) -> Text | None:
    """A value as a field shows it; None where it has another type than the field takes."""
    if kind in ("d", "i") and not value.number:
        return None
    given = int(value.text) if value.number and kind != "s" else value.text
    shown = show(given)
    if shown == value.text:
        return value._replace(number=False)
    return Text(shown, [value.offsets[0] if value.offsets else 0] * len(shown))


def _part(text: Text, start: int, end: int) -> Text:
    return Text(text.text[start:end], text.offsets[start:end])


def _unknown(template: Text) -> Text:
    return Text(UNKNOWN, template.offsets[:1] or [0])
