"""What keeps poison messages from where they are moved, beside the findings: notices on other queue managers, and on
queues that were full when they were exported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lintmdb.engine.findings import Judgement, Notice
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.report.terminal import Style, plural, safe, wrap
from lintmdb.run.full_queues import FULL_QUEUE
from lintmdb.run.remote_queues import NOTICE_KINDS

HEADING = "At other queue managers"
LEFT = "Left as it is at other queue managers"
"""The heading in a plan, whose changes do not end it."""
FULL = "Full when exported"
KINDS = (*NOTICE_KINDS, FULL_QUEUE)
_MOST = 20


def notices_elsewhere(notices: Iterable[Notice]) -> list[Notice]:
    """Those that are about what becomes of moved messages."""
    return [notice for notice in notices if notice.kind in KINDS]


def by_heading(notices: Iterable[Notice], elsewhere: str = HEADING) -> list[tuple[str, list[Notice]]]:
    """The headings under which they are told, each with its own; ``elsewhere`` is that of other queue managers."""
    found: dict[str, list[Notice]] = {FULL: [], elsewhere: []}
    for notice in notices:
        found[FULL if notice.kind == FULL_QUEUE else elsewhere].append(notice)
    return [(heading, own) for heading, own in found.items() if own]


def untold_elsewhere(judgement: Judgement) -> list[Notice]:
    """Those that no finding tells: MDB108 says which queue at another queue manager is too short for the messages of a
    flow, and has a change for it.
    """
    told = {
        (place.path, place.line, f" up to {finding.rows.queue.longest_message_bytes}")
        for finding in judgement.findings
        if finding.rule.id == "MDB108" and isinstance(finding.rows, FlowRows)
        if finding.rows.queue is not None and finding.rows.backout is not None and finding.rows.backout.end_takes_less
        if (place := finding.rows.backout.origins.get("remote_queue")) is not None
    }
    return [
        notice
        for notice in notices_elsewhere(judgement.notices)
        if not any(
            (path, line) == (notice.path, notice.line) and longest in notice.text for path, line, longest in told
        )
    ]


def notice_place(notice: Notice) -> str:
    """``a.mqsc:8``."""
    return f"{notice.path}:{notice.line}" if notice.line else notice.path


def notice_sentences(notice: Notice) -> str:
    """What is so, and what to do about it."""
    return f"{notice.text}. {notice.next_step}."


def elsewhere_lines(notices: Sequence[Notice], style: Style, heading: str = HEADING) -> Iterator[str]:
    """What becomes of moved messages beside the findings, as text, each with its place; none where nothing is known."""
    for number, (title, found) in enumerate(by_heading(notices, heading)):
        yield from ("",) if number else ()
        yield style.paint("bold", f"{title}: {plural(len(found), 'queue' if title == FULL else 'notice')}")
        for notice in found[:_MOST]:
            yield f"  {safe(notice_place(notice))}"
            yield from (f"    {line}" for line in wrap(safe(notice_sentences(notice)), style.width - 4))
        if len(found) > _MOST:
            yield f"  and {len(found) - _MOST} more (--format json lists every one)"
