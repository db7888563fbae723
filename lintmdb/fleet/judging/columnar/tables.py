"""The tables of an audit on this computer: facts judged by DuckDB, and its verdicts told by the functions of ``check``.

Verdicts on flows of one shape differ in names alone. Undecided ones are most of what an audit says: DuckDB fills in the
names (``recipes``). Findings have places in files, too: Python fills both in (``templates``).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lintmdb.engine.findings import Notice
from lintmdb.fleet.arrow import Table, pa
from lintmdb.fleet.arrow_rows import joined
from lintmdb.fleet.database import database
from lintmdb.fleet.facts.loading import load_ends, load_problems
from lintmdb.fleet.facts.remote_queues import load_remote_queues
from lintmdb.fleet.facts.store import PartInfo
from lintmdb.fleet.judging.columnar.alike import find_alike
from lintmdb.fleet.judging.columnar.groups import find_groups
from lintmdb.fleet.judging.columnar.judge import Judged, judge, make_views
from lintmdb.fleet.judging.columnar.rows import pick_flows
from lintmdb.fleet.judging.columnar.telling import Batch, ChosenVerdict, Teller, Told, Unlike
from lintmdb.fleet.judging.columnar.undecided import UndecidedVerdicts
from lintmdb.fleet.judging.columnar.unread import judge_unread
from lintmdb.fleet.judging.columnar.writing import write_query
from lintmdb.fleet.judging.job import Job, Written, first_notices
from lintmdb.fleet.judging.reading import read_inventory, tell_reading
from lintmdb.fleet.judging.suppressed import find_used
from lintmdb.fleet.judging.tables import COUNTED, COUNTS, SCHEMAS, write_rows, write_table
from lintmdb.model.facts import Facts
from lintmdb.run.join_notices import join_notices
from lintmdb.run.remote_queues import join_remote_queues, remote_queue_notices

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def write_tables(job: Job) -> Written:
    """Judge facts, and write all tables of an audit. Raises RuleError for a rule that cannot be judged."""
    with ThreadPoolExecutor(1) as meanwhile, judging(job) as connection:
        notices = meanwhile.submit(_write_exports, job)  # DuckDB needs no Python while it judges
        make_views(connection, job)
        apart = any(part.environment is not None for part in job.collected.live)
        judged, unread = judge_all(connection, job, job.collected.live, apart=apart)
        write_verdicts(connection, job, judged)
    used = find_used(job.folder, job.left_out) if job.left_out is not None else set[int]()
    return Written(judged[0].rows, used, unread, notices.result())


def _write_exports(job: Job) -> list[Notice]:
    """Write the tables about exports; return the notices that a summary has."""
    write_rows(job.folder, "inventory", read_inventory(job.store, job.collected, job.collected.live))
    return write_reading(job)


@contextmanager
def judging(job: Job) -> Generator[DuckDBPyConnection]:
    """An empty database to judge in."""
    with database(job.folder.with_name(f"{job.folder.name}.scratch")) as connection:
        connection.execute("SET preserve_insertion_order = false")
        yield connection


def judge_all(
    connection: DuckDBPyConnection, job: Job, parts: Sequence[PartInfo], *, apart: bool
) -> tuple[list[Judged], int]:
    """The verdicts of all rules over the views of some parts, those on flows first; and how many queues and queue
    managers without an endpoint there are, where that was asked for. ``apart`` says whether there are environments.
    """
    repeats = any(part.repeats for part in parts)
    bases = ["flow", *(base for base in ("binding", "problem") if any(rule.base == base for rule in job.rules))]
    judged = [judge(connection, base, job.rules, repeats=repeats, apart=apart) for base in bases]
    if not job.all_queues:
        return judged, 0
    alone, unread = judge_unread(connection, judged[0], repeats=repeats, apart=apart)
    return [*judged, alone], unread


def write_verdicts(connection: DuckDBPyConnection, job: Job, judged: Sequence[Judged]) -> None:
    """Write the tables of verdicts, and that of their counts."""
    with Teller(job.left_out, job.owners) as teller, Teller(job.left_out, job.owners) as alone:
        undecided = UndecidedVerdicts(connection)
        for one in judged:
            groups = find_groups(connection, one)
            alike, hazards = find_alike(connection, one, groups.hazards)
            teller.begin([*alike])
            left = f"SELECT rule, first, TRUE AS hazard, flows FROM ({hazards})"
            left += f" UNION ALL SELECT rule, first, FALSE, 0 FROM ({undecided.add(one, groups.undecided)})"
            alone.begin([*_batches(connection, one, left)])
        told = [*alone.finish()]
        undecided.add_told(_joined("undecided", told))
        undecided.write(job.folder, job.owners)
        told += teller.finish()
        for one in judged:
            if unlike := [each for entry in told for each in entry.unlike if each.judged == one.name]:
                teller.begin([*_batches(connection, one, _query_of(connection, unlike))])
        told += teller.finish()
    counts = {"clear": [f"FROM {one.clear}" for one in judged], "undecided": undecided.counts}
    for name in ("findings", "suppressed"):
        table = _joined(name, told)
        write_table(job.folder, name, table)
        connection.register(f"{name}_told", table)
        counts[COUNTED[name]] = [_count_of(f"{name}_told")]
    connection.execute(f"CREATE TEMP TABLE counts AS {_sum_up(counts)}")
    each = "SELECT cell, COUNT(*) AS number FROM counts GROUP BY ALL"
    write_query(connection, job.folder, "summary", "FROM counts", each)


def _count_of(table: str) -> str:
    return f"SELECT cell, environment, rule, COUNT(*) AS number FROM {table} GROUP BY ALL"


def _sum_up(counts: Mapping[str, Sequence[str]]) -> str:
    """A query of the table of counts, where queries give cell, environment, rule and number of each count."""
    place = "cell, environment, rule"
    parts = [
        f"SELECT {place}, '{name}' AS counted, number FROM ({q})" for name, queries in counts.items() for q in queries
    ]
    sums = (f"CAST(COALESCE(SUM(number) FILTER (counted = '{name}'), 0) AS BIGINT) AS {name}" for name in COUNTS)
    return f"SELECT {place}, {', '.join(sums)} FROM ({' UNION ALL '.join(parts)}) GROUP BY ALL"


def _joined(name: str, told: Iterable[Told]) -> Table:
    """What was told of a table."""
    return joined([SCHEMAS[name].empty_table(), *(each.tables[name] for each in told)])


def _query_of(connection: DuckDBPyConnection, unlike: Sequence[Unlike]) -> str:
    """A query of some hazards, for ``_batches``."""
    columns = (("rule", pa.int32()), ("first", pa.int64()), ("flows", pa.int64()))
    table = {name: pa.array([getattr(each, name) for each in unlike], kind) for name, kind in columns}
    connection.register("unlike", pa.table(table))
    return "SELECT rule, first, TRUE AS hazard, flows FROM unlike"


def _batches(connection: DuckDBPyConnection, judged: Judged, verdicts: str) -> Iterator[Batch]:
    """What is told one by one: a query gives rule, first, hazard and flows of each verdict."""
    connection.execute(f"CREATE OR REPLACE TEMP TABLE telling AS {verdicts}")
    shown: dict[int, list[ChosenVerdict]] = {}
    for rule, first, hazard, flows in connection.execute("FROM telling").fetchall():
        shown.setdefault(first, []).append(ChosenVerdict(rule, hazard, flows))
    for picked in pick_flows(connection, judged, "SELECT DISTINCT first FROM telling"):
        firsts: list[int] = picked.flows["first"].to_pylist()
        yield Batch(judged.rules, picked, {first: shown[first] for first in firsts})


def write_reading(job: Job) -> list[Notice]:
    """Write the tables of what could not be read, and of what a reader has to know; return the notices that a summary
    has.
    """
    facts = Facts()
    facts.rows["problem"] = load_problems(job.store, job.collected, job.listing)
    facts.add(*join_notices(load_ends(job.store, job.collected), job.roots))
    remote = load_remote_queues(job.store, job.collected.state, job.collected.live)
    join_remote_queues(remote)
    facts.add(*remote_queue_notices(remote))
    reading, notices = tell_reading(facts)
    for name, rows in reading.items():
        write_rows(job.folder, name, rows)
    return first_notices(notices)
