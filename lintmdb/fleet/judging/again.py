"""Judges again only what can have changed since the last audit, in this process, and leaves the tables of a full audit.

What the affected parts said then is judged once more, too: what nobody has written down, such as the number of their
flows, is known then, and so is how many rows have to go. Where the tables have other rows, all is judged.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from lintmdb.fleet.arrow import dataset, pa
from lintmdb.fleet.facts.encoding import STORED
from lintmdb.fleet.facts.loading import load_ends, load_parts, load_problems
from lintmdb.fleet.facts.remote_queues import load_remote_queues
from lintmdb.fleet.judging.affected import Affected
from lintmdb.fleet.judging.job import Job, Written, first_notices
from lintmdb.fleet.judging.local import (
    COUNTED,
    CountKey,
    count_verdicts,
    judge_facts,
    read_inventory,
    tell,
)
from lintmdb.fleet.judging.merging import Replaced, UnfitError, count_replaced, merge, merge_counts
from lintmdb.fleet.judging.suppressed import find_used
from lintmdb.fleet.judging.tables import write_rows, write_table
from lintmdb.run.join_notices import join_notices
from lintmdb.run.remote_queues import remote_queue_notices

TABLES = ("findings", "suppressed", "undecided", "inventory", "quarantine", "notices", "summary")
"""The tables that judging leaves."""
_JUDGED = [relation for relation in STORED if relation != "problem"]


class Former(NamedTuple):
    """An audit whose verdicts rest on the same rules and settings."""

    folder: Path
    flows: int
    unread: int


def link_tables(audit: Path, folder: Path, rows: Mapping[str, int]) -> bool:
    """Take all tables of an audit as they are, which nobody writes into once they are there. False, and no table, where
    one cannot be read or has not as many ``rows`` as it is said to have.
    """
    try:
        for name in TABLES:
            shutil.copytree(audit / name, folder / name, copy_function=_link)
            found = dataset.dataset(str(folder / name), format="parquet").count_rows()
            if found != rows.get(name, found):
                raise UnfitError
    except (pa.ArrowException, OSError, UnfitError):
        _remove_tables(folder)
        return False
    return True


def _remove_tables(folder: Path) -> None:
    for name in TABLES:
        shutil.rmtree(folder / name, ignore_errors=True)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # not every file system has hard links
        shutil.copyfile(source, target)


def judge_again(job: Job, former: Former, affected: Affected) -> Written | None:
    """Judge what is affected, and write all tables. None, and no table, where those of the former audit do not fit."""
    try:
        return _judge_again(job, former, affected)
    except UnfitError:
        _remove_tables(job.folder)
        return None


def _judge_again(job: Job, former: Former, affected: Affected) -> Written:
    fleet_wide = [rule for rule in job.rules if rule.base == "problem"]
    replaced = Replaced(affected.links, {rule.id for rule in fleet_wide})
    facts = load_parts(job.store, job.collected.state, affected.now, _JUDGED)
    facts.rows["problem"] = load_problems(job.store, job.collected, job.listing)
    facts.add(*join_notices(load_ends(job.store, job.collected), job.roots))
    facts.add(*remote_queue_notices(load_remote_queues(job.store, job.collected)))
    judgement = judge_facts(job, facts, job.rules)
    told = tell(job, judgement, facts)

    facts = load_parts(job.store, job.collected.state, affected.before, _JUDGED)
    before = judge_facts(job, facts, [rule for rule in job.rules if rule.base != "problem"])
    gone = count_replaced(former.folder, replaced)
    rows = {name: sum(found.values()) for name, found in gone.items()}
    if rows["findings"] + rows["suppressed"] != len(before.findings) or rows["undecided"] != len(before.undecided):
        raise UnfitError
    counts: dict[CountKey, Counter[str]] = count_verdicts(before, {name: [] for name in COUNTED})
    for table, name in COUNTED.items():
        for key, number in gone[table].items():
            counts.setdefault(key, Counter())[name] += number
    summary = merge_counts(former.folder, replaced, counts, count_verdicts(judgement, told.verdicts))

    write_table(job.folder, "summary", summary)
    inventory = read_inventory(job.store, job.collected, affected.now)
    for name, rows_that_come in {**told.verdicts, "inventory": inventory}.items():
        merge(former.folder, job.folder, name, replaced, rows_that_come)
    for name, rows_of_all in told.reading.items():
        write_rows(job.folder, name, rows_of_all)
    return Written(
        former.flows - len(before.flows) + len(judgement.flows),
        find_used(job.folder, job.left_out) if job.left_out is not None else set(),
        former.unread - before.unread_queues + judgement.unread_queues,
        first_notices(told.notices),
    )
