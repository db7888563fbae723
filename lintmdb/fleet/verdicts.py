"""The verdicts of an audit: those of the last one, the same with what can have changed judged again, or all judged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, cast

from lintmdb.fleet.arrow import dataset
from lintmdb.fleet.engine import Engine
from lintmdb.fleet.judging.affected import Affected, find_affected
from lintmdb.fleet.judging.again import Former, judge_again, link_tables
from lintmdb.fleet.judging.job import Job, Written
from lintmdb.fleet.judging.suppressed import SuppressionRun, find_lost_readers
from lintmdb.fleet.judging.unmatched import find_unmatched
from lintmdb.fleet.summary import NoticeRecord, Summary
from lintmdb.run.baseline import LostReader, ReadExport

_MOST_ROWS = 2_000_000
"""So many rows of facts are judged again: their verdicts pass through the memory of this process. Where there are more,
all is judged.
"""


class Last(NamedTuple):
    """The last complete audit, where its verdicts rest on the same rules and settings."""

    folder: Path
    summary: Summary


class Verdicts(NamedTuple):
    """What the tables of verdicts do not say themselves."""

    flows: int
    unread: int
    """How many queues and queue managers without an endpoint there are, where that was asked for."""
    notices: list[NoticeRecord]
    judged: int
    """How many endpoints were judged; the others are as before."""


def write_verdicts(
    engine: Engine,
    job: Job,
    suppression: SuppressionRun | None,
    last: Last | None,
    basis: str,
    progress: Callable[[str], None],
) -> Verdicts:
    """Write the tables of verdicts of an audit that rests on ``basis``. They are the same, however they come about.

    Raises LintmdbError as the engine does.
    """
    endpoints = sum(part.endpoints for part in job.collected.live)
    affected = _find_affected(job, last) if last is not None else None
    if last is not None and affected is not None:
        flows, unread = last.summary["flows"], last.summary.get("unread_queues", 0)
        if affected.nothing and last.summary.get("basis") == basis:
            progress(f"nothing has changed: {endpoints} endpoints are as before")
            if link_tables(last.folder, job.folder, _rows(last.summary)):
                return Verdicts(flows, unread, last.summary.get("notices", []), 0)
        else:
            again = affected.endpoints
            progress(f"judging {again} endpoints by {len(job.rules)} rules; {endpoints - again} are as before")
            written = judge_again(job, Former(last.folder, flows, unread), affected)
            if written is not None:
                return _told(job, written, suppression, again)
    progress(f"judging {endpoints} endpoints by {len(job.rules)} rules")
    return _told(job, engine.write_tables(job), suppression, endpoints)


def _rows(summary: Summary) -> dict[str, int]:
    """How many rows tables have, as a summary says."""
    findings, suppressed = sum(summary["hazards"].values()), summary.get("suppressed", 0)
    return {"findings": findings, "suppressed": suppressed, "undecided": summary["undecided"]}


def _told(job: Job, written: Written, suppression: SuppressionRun | None, judged: int) -> Verdicts:
    folder = job.folder
    about = find_unmatched(job.store, job.collected, job.observed)
    if suppression is not None:
        lost = find_lost_readers(job.store, job.collected) if suppression.entries else frozenset[LostReader]()
        endpoints = sum(part.endpoints for part in job.collected.live)
        about += suppression.notices(
            written.used, _read_exports(folder), lost, folder, endpoints=endpoints, all_queues=job.all_queues
        )
    notices = [cast("NoticeRecord", notice.as_dict()) for notice in (*about, *written.notices)]
    return Verdicts(written.flows, written.unread, notices, judged)


def _read_exports(audit: Path) -> set[ReadExport]:
    """The cells and queue managers that an audit has read."""
    rows = dataset.dataset(str(audit / "inventory"), format="parquet").to_table(columns=list(ReadExport._fields))
    return {ReadExport(row["environment"], row["kind"], row["name"]) for row in rows.to_pylist()}


def _find_affected(job: Job, last: Last) -> Affected | None:
    """What is to be judged again; None where that is no less than to judge all."""
    judged = job.store.judged(last.folder.name)
    affected = find_affected(job.store, job.collected, judged) if judged is not None else None
    most = min(_MOST_ROWS, sum(part.rows for part in job.collected.live))
    return affected if affected is not None and affected.rows <= most else None
