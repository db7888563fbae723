"""What an option does to a message if nothing else is changed, in words."""

from __future__ import annotations

from collections.abc import Iterable

from lintmdb.engine.findings import Finding
from lintmdb.engine.setbacks import find_setback
from lintmdb.engine.traces import reader_has_every_right
from lintmdb.report.headline_fates import HeadlineFate


def alone_words(findings: Iterable[Finding]) -> str:
    """That the option for some findings leaves a poison message worse off, as sentences; blank where it does not."""
    for finding in findings:
        setback = find_setback(finding)
        if setback is not None:
            every_right = reader_has_every_right(setback.head)
            before, after = (
                HeadlineFate(stories, has_every_right=every_right).kinds_words
                for stories in (setback.before, setback.after)
            )
            if setback.unless_allowed:
                read = setback.head.rows.value
                denied = f"If {read('authority.user')} may not put messages on {read('queue.backout_queue')}"
                return f"{denied}, this does harm by itself: {before} -> {after}."
            return f"By itself this does harm: {before} -> {after}. First repair what leads to that."
    return ""
