"""What an option does to a message if nothing else is changed, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lintmdb.engine.findings import Finding, FlowHead
from lintmdb.engine.setbacks import find_denied, find_setback
from lintmdb.engine.traces import Told, reader_has_every_right
from lintmdb.report.headline_fates import HeadlineFate


def alone_words(findings: Iterable[Finding]) -> str:
    """That the option for some findings leaves a poison message worse off, as sentences; blank where it does not."""
    for finding in findings:
        setback = find_setback(finding)
        if setback is not None:
            before, after = _fates(setback.head, setback.before, setback.after)
            if setback.unless_allowed:
                return f"If {_mover(setback.head)}, this does harm by itself: {before} -> {after}."
            return f"By itself this does harm: {before} -> {after}. First repair what leads to that."
    return ""


def denied_words(before: FlowHead, after: FlowHead) -> str:
    """That a message fares worse than before if its user, of whom no export shows the rights, may not move it aside;
    blank where it does not.
    """
    stories = find_denied(before.rows.value, after.rows.value)
    if stories is None:
        return ""
    was, now = _fates(after, *stories)
    return f"Worse than before if {_mover(after)}: {was} -> {now}."


def _mover(head: FlowHead) -> str:
    """``app1 may not put messages on ORDERS.BO``."""
    read = head.rows.value
    return f"{read('authority.user')} may not put messages on {read('queue.backout_queue')}"


def _fates(head: FlowHead, *several: Sequence[Told]) -> list[str]:
    """Fates in as few words as tell them apart."""
    every_right = reader_has_every_right(head)
    return [HeadlineFate(tuple(stories), has_every_right=every_right).kinds_words for stories in several]
