"""Judges again only what can have changed since the last audit, here, and leaves the tables of a full audit.

What the affected parts said then is judged once more, too: what nobody has written down, such as the number of their
flows, is known then, and so is how many rows have to go. Where the tables have other rows, all is judged.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lintmdb.fleet.arrow import pa, parquet
from lintmdb.fleet.arrow_rows import read_table
from lintmdb.fleet.facts.fact_views import FORMER
from lintmdb.fleet.judging.affected import Affected
from lintmdb.fleet.judging.columnar.judge import HAZARD, Judged, make_views
from lintmdb.fleet.judging.columnar.tables import judge_all, judging, write_reading, write_verdicts
from lintmdb.fleet.judging.job import Job, Written
from lintmdb.fleet.judging.merging import CountKey, FormerTable, Replaced, UnfitError, link, merge, merge_counts
from lintmdb.fleet.judging.reading import read_inventory
from lintmdb.fleet.judging.suppressed import find_used
from lintmdb.fleet.judging.tables import COUNTED, SCHEMAS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TABLES = ("findings", "suppressed", "undecided", "inventory", "quarantine", "notices", "summary")
"""The tables that judging leaves."""


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
            found = 0
            for file in sorted((audit / name).iterdir()):
                found += parquet.read_metadata(file).num_rows
                link(file, folder / name)
            if found != rows.get(name, found):
                raise UnfitError
    except (pa.ArrowException, OSError, UnfitError):
        _remove_tables(folder)
        return False
    return True


def _remove_tables(folder: Path) -> None:
    for name in TABLES:
        shutil.rmtree(folder / name, ignore_errors=True)


def judge_again(job: Job, former: Former, affected: Affected) -> Written | None:
    """Judge what is affected, and write all tables. None, and no table, where those of the former audit do not fit."""
    come = job.folder.with_name(f"{job.folder.name}.again")
    try:
        return _judge_again(job, former, affected, come)
    except UnfitError:
        _remove_tables(job.folder)
        return None
    finally:
        shutil.rmtree(come, ignore_errors=True)


def _judge_again(job: Job, former: Former, affected: Affected, come: Path) -> Written:
    """Judge into the folder ``come``, whose rows then come into the tables of the former audit."""
    with judging(job) as connection:
        make_views(connection, job, affected)
        judged, unread = judge_all(connection, job, (*affected.now, *affected.before), apart=True)
        before = _take_former(connection, judged, all_queues=job.all_queues)
        write_verdicts(connection, job._replace(folder=come), judged)
    replaced = Replaced(affected.links, {rule.id for rule in job.rules if rule.base == "problem"})
    tables = {name: FormerTable.read(former.folder, name, replaced) for name in (*COUNTED, "inventory", "summary")}
    gone = {name: tables[name].count(without=replaced.rules) for name in COUNTED}
    rows = {name: sum(found.values()) for name, found in gone.items()}
    if rows["findings"] + rows["suppressed"] != before.hazards or rows["undecided"] != before.undecided:
        raise UnfitError
    counts = {key: Counter(clear=number) for key, number in before.clear.items()}
    for table, name in COUNTED.items():
        for key, number in gone[table].items():
            counts.setdefault(key, Counter())[name] += number
    inventory = read_inventory(job.store, job.collected, affected.now)
    come_rows = {name: read_table(come / name, SCHEMAS[name]) for name in (*COUNTED, "summary")}
    come_rows["inventory"] = pa.Table.from_pylist(inventory, SCHEMAS["inventory"])
    come_rows["summary"] = merge_counts(tables["summary"], replaced, counts, come_rows["summary"])
    for name, table in tables.items():
        merge(table, job.folder, replaced, come_rows[name])
    notices = write_reading(job)
    return Written(
        former.flows - before.flows + judged[0].rows - before.flows,
        find_used(job.folder, job.left_out) if job.left_out is not None else set(),
        former.unread - before.unread + unread - before.unread,
        notices,
    )


class _Before(NamedTuple):
    """What is known of the affected parts as they were."""

    flows: int
    unread: int
    hazards: int
    undecided: int
    clear: Mapping[CountKey, int]


def _take_former(connection: DuckDBPyConnection, judged: Sequence[Judged], *, all_queues: bool) -> _Before:
    """Count the verdicts on former parts, and take them away."""
    is_former = f"STARTS_WITH(environment, '{FORMER}')"
    flows = _count(connection, f"{judged[0].judged} WHERE {is_former}")
    unread = _count(connection, f"{judged[-1].endpoints.rows} WHERE beans < 2 AND {is_former}") if all_queues else 0
    hazards = undecided = 0
    clear: dict[CountKey, int] = {}
    place = f"NULLIF(LTRIM(environment, '{FORMER}'), ''), cell, rule"
    for one in judged:
        hazards += _count(connection, f"{one.chosen} WHERE verdict = {HAZARD} AND {is_former}")
        undecided += _count(connection, f"{one.chosen} WHERE verdict <> {HAZARD} AND {is_former}")
        query = f"SELECT {place}, SUM(number) FROM {one.clear} WHERE {is_former} GROUP BY ALL"
        for environment, cell, rule, number in connection.execute(query).fetchall():
            clear[environment, cell, rule] = clear.get((environment, cell, rule), 0) + number
        for table in (one.chosen, one.clear):
            connection.execute(f"DELETE FROM {table} WHERE {is_former}")
    return _Before(flows, unread, hazards, undecided, clear)


def _count(connection: DuckDBPyConnection, rows: str) -> int:
    ((number,),) = connection.execute(f"SELECT COUNT(*) FROM {rows}").fetchall()
    return number
