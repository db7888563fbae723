"""The tables of an audit on this computer: facts judged by DuckDB, and its verdicts told by the functions of ``check``.

Undecided verdicts are most of what an audit says, and those of one shape differ in names alone: DuckDB fills in the
names (``recipes``). Findings have places in files, so each is told by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lintmdb.engine.findings import Finding, Notice, Subject
from lintmdb.engine.judge import build_subject, build_undecided
from lintmdb.fleet.arrow import pa
from lintmdb.fleet.database import arrow_batches, database
from lintmdb.fleet.facts.loading import load_ends, load_problems
from lintmdb.fleet.judging.columnar.judge import HAZARD, Judged, judge, make_views
from lintmdb.fleet.judging.columnar.rows import read_flows
from lintmdb.fleet.judging.columnar.undecided import undecided_query
from lintmdb.fleet.judging.columnar.unread import judge_unread
from lintmdb.fleet.judging.job import Job, Written, first_notices
from lintmdb.fleet.judging.local import COUNTED, read_inventory, tell_reading
from lintmdb.fleet.judging.presenting import Presented
from lintmdb.fleet.judging.suppressed import find_used
from lintmdb.fleet.judging.tables import (
    COUNTS,
    ORDER,
    SCHEMAS,
    Shown,
    count_files,
    file_of,
    write_file,
    write_rows,
    write_table,
)
from lintmdb.model.facts import Facts
from lintmdb.rules.rule import Rule
from lintmdb.run.join_notices import join_notices
from lintmdb.run.owners import Owners

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_BATCH_ROWS = 50_000


def write_tables(job: Job) -> Written:
    """Judge facts, and write all tables of an audit. Raises RuleError for a rule that cannot be judged."""
    repeats = any(part.repeats for part in job.collected.live)
    apart = any(part.environment is not None for part in job.collected.live)
    with database(job.folder.with_name(f"{job.folder.name}.scratch")) as connection:
        connection.execute("SET preserve_insertion_order = false")
        make_views(connection, job)
        bases = ["flow", *(base for base in ("binding", "problem") if any(rule.base == base for rule in job.rules))]
        judged = [judge(connection, base, job.rules, repeats=repeats, apart=apart) for base in bases]
        unread = 0
        if job.all_queues:
            alone, unread = judge_unread(connection, judged[0], repeats=repeats, apart=apart)
            judged.append(alone)
        _write_verdicts(connection, job, judged)
    notices = _write_reading(job)
    used = find_used(job.folder, job.left_out) if job.left_out is not None else set[int]()
    return Written(judged[0].rows, used, unread, notices)


def _write_verdicts(connection: DuckDBPyConnection, job: Job, judged: Sequence[Judged]) -> None:
    """Write the tables of verdicts, and that of their counts."""
    presented = Presented(job.left_out, job.owners)
    told: list[str] = []
    for one in judged:
        recipes, left = undecided_query(connection, one)
        told.append(recipes)
        _present(connection, job, one, left, presented)
    tables = {name: pa.Table.from_pylist(rows, SCHEMAS[name]) for name, rows in presented.tables.items()}
    for name, table in tables.items():
        connection.register(f"{name}_alone", table)
    names = [name for name in SCHEMAS["undecided"].names if name != "owner"]
    told.append(f"SELECT {', '.join(names)} FROM undecided_alone")
    undecided = " UNION ALL ".join(told)
    for name in ("findings", "suppressed"):
        write_table(job.folder, name, tables[name])
    counted = {name: f"FROM {name}_alone" for name in ("findings", "suppressed")} | {"undecided": undecided}
    _write(connection, job.folder, "summary", _count(judged, counted))
    _write(connection, job.folder, "undecided", _with_owner(connection, undecided, job.owners))


def _count(judged: Sequence[Judged], tables: Mapping[str, str]) -> str:
    """A query of the table of counts, where queries give the rows of the tables of verdicts."""
    place = "cell, environment, rule"
    counts = [f"SELECT {place}, 'clear' AS counted, clear AS number FROM {one.clear}" for one in judged]
    counts += [
        f"SELECT {place}, '{COUNTED[name]}', COUNT(*) FROM ({query}) GROUP BY ALL" for name, query in tables.items()
    ]
    sums = (f"CAST(COALESCE(SUM(number) FILTER (counted = '{name}'), 0) AS BIGINT) AS {name}" for name in COUNTS)
    return f"SELECT {place}, {', '.join(sums)} FROM ({' UNION ALL '.join(counts)}) GROUP BY ALL"


def _present(connection: DuckDBPyConnection, job: Job, judged: Judged, left: str, presented: Presented) -> None:
    """Add what is told one by one: hazards, and the undecided verdicts that are ``left``."""
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE telling AS "
        f"SELECT rule, first, TRUE AS hazard, flows FROM {judged.chosen} WHERE verdict = {HAZARD} "
        f"UNION ALL SELECT rule, first, FALSE, 0 FROM ({left})"
    )
    verdicts: dict[int, list[tuple[Rule, bool, int]]] = {}
    for rule, first, hazard, flows in connection.execute("FROM telling").fetchall():
        verdicts.setdefault(first, []).append((judged.rules[int(rule)], hazard, flows))
    for batch in read_flows(connection, judged, "SELECT DISTINCT first FROM telling"):
        for first, rows in batch.items():
            shown = Shown(rows)
            for rule, hazard, flows in verdicts[first]:
                subject = build_subject(rule.subject, rows)
                if hazard:
                    presented.add_finding(Finding(rule, subject, rows, None, flows))
                else:
                    entry = build_undecided(rule, subject, rows, None)
                    presented.add_undecided(entry, shown.cell, shown.queue_manager)


def _with_owner(connection: DuckDBPyConnection, undecided: str, owners: Owners) -> str:
    """The rows of ``undecided`` with whose they are."""
    if not owners:
        return f"SELECT *, CAST(NULL AS VARCHAR) AS owner FROM ({undecided})"
    places = ("environment", "application", "cell", "queue_manager")
    fields = ", ".join(f"subject.{name} AS {name}" for name in places)
    found = connection.execute(f"SELECT DISTINCT {fields} FROM ({undecided})").fetchall()
    blank = Subject("", None)
    whose = [owners.of_subject(blank._replace(**dict(zip(places, row, strict=True)))) or None for row in found]
    columns = [*zip(*found, strict=True)] or [()] * len(places)
    table = {name: pa.array(values, pa.string()) for name, values in zip(places, columns, strict=True)}
    connection.register("whose", pa.table({**table, "owner": pa.array(whose, pa.string())}))
    same = " AND ".join(f"whose.{name} IS NOT DISTINCT FROM subject.{name}" for name in places)
    return f"SELECT told.*, whose.owner FROM ({undecided}) AS told LEFT JOIN whose ON {same}"


# -- files


def _write(connection: DuckDBPyConnection, folder: Path, name: str, query: str) -> None:
    """Write the rows of a query as a table, as ``tables.write_table`` does, with few of them in memory at a time."""
    first = ORDER[name][0]
    counted = connection.execute(f"SELECT {first}, COUNT(*) FROM ({query}) GROUP BY ALL").fetchall()
    rows = sum(number for _, number in counted)
    if not rows:
        write_rows(folder, name, ())
        return
    files = count_files(rows)
    places = {value: file_of(value, files) for value, _ in counted}
    connection.register(
        "file_of", pa.table({"value": pa.array(places, pa.string()), "file": pa.array(places.values(), pa.int64())})
    )
    order = ", ".join(f"{key} NULLS FIRST" for column in ORDER[name] for key in _keys(name, column))
    whole = (
        f"SELECT told.*, file FROM ({query}) AS told INNER JOIN file_of ON file_of.value IS NOT DISTINCT FROM "
        f"told.{first} ORDER BY file, {order}"
    )
    for file, table in _by_file(arrow_batches(connection, whole, _BATCH_ROWS)):
        write_file(folder / name, file, table.select(SCHEMAS[name].names).cast(SCHEMAS[name]).combine_chunks())


def _keys(table: str, column: str) -> list[str]:
    if column == "subject":
        return [f"subject.{name}" for name in Subject._fields]
    return [column]


def _by_file(batches: Any) -> Iterator[tuple[int, Any]]:
    """The rows of each file, of batches that are ordered by file."""
    held: list[Any] = []
    current = -1
    for batch in batches:
        numbers = batch.column("file").to_numpy()
        start = 0
        while start < len(numbers):
            end = int(numbers.searchsorted(numbers[start], side="right"))
            if numbers[start] != current and held:
                yield current, pa.Table.from_batches(held)
                held = []
            current = int(numbers[start])
            held.append(batch.slice(start, end - start))
            start = end
    if held:
        yield current, pa.Table.from_batches(held)


# -- what was read


def _write_reading(job: Job) -> list[Notice]:
    """Write the tables of what was read and could not be read; return the notices that a summary has."""
    facts = Facts()
    facts.rows["problem"] = load_problems(job.store, job.collected, job.listing)
    facts.add(*join_notices(load_ends(job.store, job.collected), job.roots))
    reading, notices = tell_reading(facts)
    inventory = read_inventory(job.store, job.collected, job.collected.live)
    for name, rows in {**reading, "inventory": inventory}.items():
        write_rows(job.folder, name, rows)
    return first_notices(notices)
