"""The tables of an audit on this computer: facts judged by DuckDB, and its verdicts told by the functions of ``check``.

Verdicts on flows of one shape differ in names alone. Undecided ones are most of what an audit says: DuckDB fills in the
names (``recipes``). Findings have places in files, too: Python fills both in (``templates``).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from lintmdb.engine.findings import Notice
from lintmdb.fleet.arrow import Table, pa
from lintmdb.fleet.arrow_rows import joined
from lintmdb.fleet.database import database
from lintmdb.fleet.facts.loading import load_ends, load_problems
from lintmdb.fleet.facts.remote_queues import load_remote_queues
from lintmdb.fleet.facts.store import PartInfo
from lintmdb.fleet.judging.columnar.alike import find_alike
from lintmdb.fleet.judging.columnar.groups import Group, find_groups, one_by_one
from lintmdb.fleet.judging.columnar.judge import Judged, judge, make_views
from lintmdb.fleet.judging.columnar.rows import PickedFlows
from lintmdb.fleet.judging.columnar.telling import Teller, Told, Unlike
from lintmdb.fleet.judging.columnar.undecided import UndecidedVerdicts
from lintmdb.fleet.judging.columnar.unread import judge_unread
from lintmdb.fleet.judging.columnar.writing import write_query
from lintmdb.fleet.judging.job import Job, Written, first_notices
from lintmdb.fleet.judging.reading import read_inventory, tell_reading
from lintmdb.fleet.judging.suppressed import find_used
from lintmdb.fleet.judging.tables import COUNTED, COUNTS, SCHEMAS, write_rows, write_table
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Problem
from lintmdb.run.join_notices import join_notices, kustomized_bases
from lintmdb.run.remote_queues import RemoteEnd, find_remote_ends, remote_queue_notices

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def write_tables(job: Job) -> Written:
    """Judge facts, and write all tables of an audit. Raises RuleError for a rule that cannot be judged."""
    with ThreadPoolExecutor(2) as meanwhile, judging(job) as connection:
        remote_queues = _join_remote_queues(job)
        notices = meanwhile.submit(_write_exports, job, remote_queues)  # DuckDB needs no Python while it judges
        make_views(connection, job, ends=remote_queues.ends)
        apart = any(part.environment is not None for part in job.collected.live)
        judged, unread = judge_all(connection, job, job.collected.live, apart=apart)
        write_verdicts(connection, job, judged)
    used = find_used(job.folder, job.left_out) if job.left_out is not None else set[int]()
    return Written(judged[0].rows, used, unread, notices.result())


class _RemoteQueues(NamedTuple):
    """What becomes of messages for remote queues."""

    facts: Facts
    """What tells it, after ``join_remote_queues``."""
    ends: frozenset[RemoteEnd]


def _join_remote_queues(job: Job) -> _RemoteQueues:
    facts = load_remote_queues(job.store, job.collected.state, job.collected.live)
    return _RemoteQueues(facts, frozenset(find_remote_ends(facts)))


def _write_exports(job: Job, remote_queues: _RemoteQueues) -> list[Notice]:
    """Write the tables about exports; return the notices that a summary has."""
    write_rows(job.folder, "inventory", read_inventory(job.store, job.collected, job.collected.live))
    return write_reading(job, remote_queues)


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
    undecided = UndecidedVerdicts(connection)
    hazards: list[tuple[PickedFlows, Sequence[Group]]] = []
    with Teller(job.left_out, job.owners) as teller:
        for one in judged:
            groups = find_groups(connection, one)
            teller.begin(groups.others)
            left = undecided.add(one, groups.undecided)
            left = f"SELECT rule, first, FALSE AS hazard, 0 AS flows FROM ({left})"
            teller.begin([*one_by_one(connection, groups.picked, left)])
            hazards.append((groups.picked, groups.hazards))
        told = [*teller.finish()]
        undecided.add_told(_joined("undecided", told))
        # Not at the same time: each of thousands of calls of Arrow would wait for the Python that tells hazards.
        undecided.write(job.folder, job.owners)
        told += _tell_hazards(connection, teller, hazards)
    counts = {"clear": [f"FROM {one.clear}" for one in judged], "undecided": undecided.counts}
    for name in ("findings", "suppressed"):
        table = _joined(name, told)
        write_table(job.folder, name, table)
        connection.register(f"{name}_told", table)
        counts[COUNTED[name]] = [_count_of(f"{name}_told")]
    connection.execute(f"CREATE TABLE counts AS {_sum_up(counts)}")
    each = "SELECT cell, COUNT(*) AS number FROM counts GROUP BY ALL"
    write_query(connection, job.folder, "summary", "FROM counts", each)


def _tell_hazards(
    connection: DuckDBPyConnection, teller: Teller, hazards: Iterable[tuple[PickedFlows, Sequence[Group]]]
) -> Iterator[Told]:
    """Tell the hazards of groups by templates, and then, one by one, those that are like none."""
    untold: list[tuple[PickedFlows, str]] = []
    for picked, groups in hazards:
        alike, left = find_alike(connection, picked, groups)
        teller.begin([*alike])
        untold.append((picked, left))
    told = [*teller.finish()]
    yield from told
    for picked, left in untold:
        name = picked.judged.name
        unlike = _query_of(connection, [each for entry in told for each in entry.unlike if each.judged == name])
        both = f"SELECT rule, first, TRUE AS hazard, flows FROM ({left} UNION ALL {unlike})"
        teller.begin([*one_by_one(connection, picked, both)])
    yield from teller.finish()


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
    """A query of rule, first and flows of some hazards."""
    columns = (("rule", pa.int32()), ("first", pa.int64()), ("flows", pa.int64()))
    table = {name: pa.array([getattr(each, name) for each in unlike], kind) for name, kind in columns}
    connection.register("unlike", pa.table(table))
    return "SELECT rule, first, flows FROM unlike"


def write_reading(job: Job, remote_queues: _RemoteQueues | None = None) -> list[Notice]:
    """Write the tables of what could not be read, and of what a reader has to know; return the notices that a summary
    has. ``remote_queues`` is what ``_join_remote_queues`` gives, where somebody has it.
    """
    facts = Facts()
    facts.rows["problem"] = load_problems(job.store, job.collected, job.listing)
    bases = kustomized_bases(row for row in facts.rows["problem"] if isinstance(row, Problem))
    facts.add(*join_notices(load_ends(job.store, job.collected), job.roots, bases))
    facts.add(*remote_queue_notices((remote_queues or _join_remote_queues(job)).facts))
    reading, notices = tell_reading(facts)
    for name, rows in reading.items():
        write_rows(job.folder, name, rows)
    return first_notices(notices)
