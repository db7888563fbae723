"""What tables are written of an audit, and what is known once they are, whoever writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lintmdb.engine.findings import Notice
from lintmdb.fleet.judging.suppressed import SuppressionKeys
from lintmdb.rules.rule import Rule

MOST_NOTICES = 100
EVERY_NOTICE = "not_read"
"""The kind of which a summary has every notice: the user named the file."""


class Wanted(NamedTuple):
    """What an audit is to tell."""

    rules: Sequence[Rule]
    left_out: SuppressionKeys | None = None
    roots: Sequence[str] = ()
    """The inputs as they are shown."""
    all_queues: bool = False
    """Judge queues and queue managers that no endpoint leads to, too."""


class Written(NamedTuple):
    """What the tables of an audit do not say themselves."""

    flows: int
    used: set[int]
    """The numbers of what of SuppressionKeys is about some verdict."""
    notices: list[Notice]
    """What a reader has to know first about how exports were read; the table of notices has all."""
    unread: int = 0
    """How many queues and queue managers without an endpoint were judged."""


def first_notices(notices: Iterable[Notice]) -> list[Notice]:
    """All files that were named and not read, and of each other kind of notice the first, in the order of places."""
    by_kind: dict[str, list[Notice]] = {}
    for notice in notices:
        by_kind.setdefault(notice.kind, []).append(notice)
    shown: list[Notice] = []
    for kind, found in by_kind.items():
        found.sort(key=_place)
        shown += found if kind == EVERY_NOTICE else found[:MOST_NOTICES]
    return sorted(shown, key=_place)


def _place(notice: Notice) -> tuple[str, int, str, str]:
    return notice.path, notice.line, notice.kind, notice.text
