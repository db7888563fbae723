"""Which values the product takes for a setting, as far as that is known without the product."""

from __future__ import annotations

import functools
import re

from lintmdb.model.columns import Column, columns
from lintmdb.model.relations import ALIASES, RELATIONS
from lintmdb.settings.registry import Setting

_NAMES_OF_QUEUES = frozenset({"BOQNAME", "TARGET", "DEADQ"})
_LONGEST = 48
"""Of the name of a queue."""
_NUMBER = re.compile(r"[+-]?\d+\Z")


def why_refused(setting: Setting, value: str) -> str:
    """Why the product would not take a value for a setting; blank where it may. A value with a variable, and one that
    takes the attribute away, are taken.
    """
    if "$" in value or value == setting.default or (not value and setting.attribute not in _NEEDS_NUMBER):
        return ""
    words = [*(setting.words or ()), *setting.spelled.values(), *filter(None, (setting.zero,))]
    if value.lower() in [word.lower() for word in words]:
        return ""
    column = _column(setting.name)
    if column.type == "integer":
        return _why_no_number(setting, value, words)
    if setting.words:
        return f"{setting.attribute} is {setting.words[1]} or {setting.words[0]}, and not {value}"
    if setting.attribute in _NAMES_OF_QUEUES and len(value) > _LONGEST:
        return f"{setting.attribute} has at most {_LONGEST} characters, and {value} has {len(value)}"
    return ""


_NEEDS_NUMBER = frozenset({"BOTHRESH", "MAXDEPTH", "MAXMSGL", "MAXINST", "MAXINSTC", "maxRetries", "maxSessions"})
"""Attributes that no product takes without a number."""


def _why_no_number(setting: Setting, value: str, words: list[str]) -> str:
    shown = f"{setting.low} to {setting.high}"
    others = f", or {' or '.join(words)}" if words else ""
    if _NUMBER.match(value) is None:
        if setting.unit_ms and setting.kind.startswith("liberty_"):
            return ""  # Liberty reads 10m and 30s
        return f"{setting.attribute} is a number from {shown}{others}, and not {value or 'blank'}"
    if setting.low <= int(value) <= setting.high or (value == "-1" and _has_no_bounds(setting)):
        return ""
    return f"{setting.attribute} is out of range: it is a number from {shown}{others}"


def _has_no_bounds(setting: Setting) -> bool:
    """Whether -1 may mean "no limit" or "never": of Liberty and of custom properties no schema gives a lowest value."""
    return setting.kind.startswith("liberty_") or setting.default == ""


@functools.cache
def _column(name: str) -> Column:
    alias, _, column = name.partition(".")
    return next(known for known in columns(RELATIONS[ALIASES[alias].relation]) if known.name == column)
