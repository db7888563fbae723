"""Notices about exports that are meant to be whole, and may lack something at a place where nothing is broken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintmdb.exports.mq import MqscFile
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.completeness import DECK_GAP, MANAGER_GAP, find_deck
from lintmdb.resolve.mq.platforms import Platform

_DUMP_STEP = "Export it again. If it is whole and was only edited, add the line * Script ended on"
_DECK_STEP = "Make it again with the job that lintmdb collect zos prints"


def incomplete_exports(
    queue_manager: str, files: Sequence[MqscFile], gap: str, platform: Platform | None
) -> Iterator[Problem]:
    """A notice for each dump that may be cut off, or lacks what each has, and for a deck of a part of a queue manager;
    ``gap`` is that of all files. What is truncated is a problem at its place already.
    """
    for file in files:
        if file.gap and not (file.truncated or file.is_change):
            again = "Export it again" if file.ended else _DUMP_STEP
            yield _notice(queue_manager, file, file.gap, again)
    lacking = next((each for each in (DECK_GAP, MANAGER_GAP) if gap.endswith(each)), None)
    deck = find_deck(files, platform) if lacking is not None else None
    if deck is not None and lacking is not None:
        yield _notice(queue_manager, deck, lacking, _DECK_STEP)


def _notice(queue_manager: str, file: MqscFile, gap: str, next_step: str) -> Problem:
    return Problem(
        kind="incomplete_export",
        path=file.path,
        text=f"may not be complete: {gap}",
        next_step=next_step,
        queue_manager=queue_manager,
    )
