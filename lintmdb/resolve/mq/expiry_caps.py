"""The lowest expiry that queues let messages have: CAPEXPRY.

Source: IBM MQ "Enforcing lower expiration times".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from lintmdb.exports.mq.attribute_values import HIGHEST_INTEGER
from lintmdb.model.origins import Located
from lintmdb.resolve.mq.objects import AttributeReader, MqObject

_CUSTOM_CAP = re.compile(r"CAPEXPRY\((\w+)\)", re.IGNORECASE)


class Cap(NamedTuple):
    """The lowest CAPEXPRY on the way; 0 milliseconds where there is none."""

    milliseconds: int | None
    set_by: Located | None
    held_by: MqObject | None = None
    """The object that has it."""
    of: MqObject | None = None
    """The object whose attribute it is; None where it is part of CUSTOM."""


_UNKNOWN = Cap(None, None)
_NO_LIMIT = Cap(0, None)


def find_cap(read: AttributeReader, links: Iterable[MqObject]) -> Cap:
    """The lowest limit of a message's expiry among the objects of a way (IBM MQ "Enforcing lower expiration times")."""
    caps = [_own(read, link) for link in links]
    limits = [cap for cap in caps if cap.milliseconds]
    if limits:
        return min(limits, key=lambda cap: cap.milliseconds or 0)
    return _UNKNOWN if _UNKNOWN in caps or not caps else _NO_LIMIT


def _own(read: AttributeReader, link: MqObject) -> Cap:
    """CAPEXPRY in tenths of a second, which before 9.3.1 is part of CUSTOM and takes precedence there."""
    keyword, text = "CUSTOM", read.text(link, "CUSTOM")
    inside = _CUSTOM_CAP.search(text) if text else None
    if inside is None:
        keyword, text = "CAPEXPRY", read.text(link, "CAPEXPRY")
    else:
        text = inside.group(1)
    if text is None:
        return _UNKNOWN
    if text.upper() == "NOLIMIT":
        return _NO_LIMIT
    if not (text.isascii() and text.isdigit() and int(text) <= HIGHEST_INTEGER):
        return _UNKNOWN
    set_by = read.origins(link, {"cap": keyword}).get("cap")
    return Cap(int(text) * 100, set_by, link, link if keyword == "CAPEXPRY" else None)
