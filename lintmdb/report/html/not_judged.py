"""What could not be judged, and the export or option that settles it; what settles most comes first."""

from __future__ import annotations

from typing import NamedTuple

from lintmdb.engine.findings import Judgement
from lintmdb.engine.need_groups import NeedGroup, group_by_need
from lintmdb.report.html.visible_text import clipped
from lintmdb.run.estate import Estate
from lintmdb.run.gate import unreadable

_SHOWN = 4
_RULES = 6


class MissingSource(NamedTuple):
    """One thing to provide, and what waits for it."""

    verdicts: int
    text: str
    command: str
    """That provides it; blank where no single command does."""
    rules: str


class NotJudged(NamedTuple):
    """What is missing: the first sources are always visible, and the others fold."""

    unreadable_files: int
    first: tuple[MissingSource, ...]
    others: tuple[MissingSource, ...]


def build_not_judged(judgement: Judgement, estate: Estate) -> NotJudged:
    """The sources that undecided verdicts wait for, and the number of files that could not be read."""
    sources = tuple(map(_missing_source, group_by_need(judgement.undecided)))
    return NotJudged(unreadable(estate), sources[:_SHOWN], sources[_SHOWN:])


def _missing_source(end: NeedGroup) -> MissingSource:
    rules = end.rules
    more = f" and {len(rules) - _RULES} more" if len(rules) > _RULES else ""
    return MissingSource(
        len(end.entries), clipped(end.text, 400), clipped(end.command, 300), ", ".join(rules[:_RULES]) + more
    )
