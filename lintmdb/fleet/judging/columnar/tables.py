"""The tables of an audit on this computer: facts judged by DuckDB, and its verdicts told by the functions of ``check``.

Undecided verdicts are most of what an audit says, and those of one shape differ in names alone: DuckDB fills in the
names (``recipes``). Findings have places in files, so each is told by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lintmdb.engine.findings import Notice, Subject
from lintmdb.fleet.arrow import Table, pa
from lintmdb.fleet.arrow_rows import joined
from lintmdb.fleet.database import arrow_batches, database
from lintmdb.fleet.facts.loading import load_ends, load_problems
from lintmdb.fleet.judging.columnar.judge import HAZARD, Judged, judge, make_views
from lintmdb.fleet.judging.columnar.rows import pick_flows
from lintmdb.fleet.judging.columnar.telling import Batch, ChosenVerdict, Teller, Told
from lintmdb.fleet.judging.columnar.undecided import undecided_query
from lintmdb.fleet.judging.columnar.unread import judge_unread
from lintmdb.fleet.judging.job import Job, Written, first_notices
from lintmdb.fleet.judging.local import COUNTED, read_inventory, tell_reading
from lintmdb.fleet.judging.suppressed import find_used
from lintmdb.fleet.judging.tables import (
    COUNTS,
    ORDER,
    SCHEMAS,
    count_files,
    file_of,
    write_file,
    write_rows,
    write_table,
)
from lintmdb.model.facts import Facts
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
    with Teller(job.left_out, job.owners) as teller, Teller(job.left_out, job.owners) as alone:
        filled_in: list[str] = []
        for one in judged:
            hazards = f"SELECT rule, first, TRUE AS hazard, flows FROM {one.chosen} WHERE verdict = {HAZARD}"
            teller.begin([*_batches(connection, one, hazards)])
            recipes, left = undecided_query(connection, one)
            filled_in.append(recipes)
            alone.begin([*_batches(connection, one, f"SELECT rule, first, FALSE AS hazard, 0 AS flows FROM ({left})")])
        connection.register("undecided_alone", _joined("undecided", alone.finish()))
        names = [name for name in SCHEMAS["undecided"].names if name != "owner"]
        undecided = " UNION ALL ".join([*filled_in, f"SELECT {', '.join(names)} FROM undecided_alone"])
        _write(connection, job.folder, "undecided", _with_owner(connection, undecided, job.owners))
        told = [*teller.finish()]
    counted = {"undecided": undecided}
    for name in ("findings", "suppressed"):
        table = _joined(name, told)
        write_table(job.folder, name, table)
        connection.register(f"{name}_told", table)
        counted[name] = f"FROM {name}_told"
    _write(connection, job.folder, "summary", _count(judged, counted))


def _joined(name: str, told: Iterable[Told]) -> Table:
    """What was told of a table."""
    return joined([SCHEMAS[name].empty_table(), *(part.tables[name] for part in told)])


def _count(judged: Sequence[Judged], tables: Mapping[str, str]) -> str:
    """A query of the table of counts, where queries give the rows of the tables of verdicts."""
    place = "cell, environment, rule"
    counts = [f"SELECT {place}, 'clear' AS counted, clear AS number FROM {one.clear}" for one in judged]
    counts += [
        f"SELECT {place}, '{COUNTED[name]}', COUNT(*) FROM ({query}) GROUP BY ALL" for name, query in tables.items()
    ]
    sums = (f"CAST(COALESCE(SUM(number) FILTER (counted = '{name}'), 0) AS BIGINT) AS {name}" for name in COUNTS)
    return f"SELECT {place}, {', '.join(sums)} FROM ({' UNION ALL '.join(counts)}) GROUP BY ALL"


def _batches(connection: DuckDBPyConnection, judged: Judged, verdicts: str) -> Iterator[Batch]:
    """What is told one by one: a query gives rule, first, hazard and flows of each verdict."""
    connection.execute(f"CREATE OR REPLACE TEMP TABLE telling AS {verdicts}")
    shown: dict[int, list[ChosenVerdict]] = {}
    for rule, first, hazard, flows in connection.execute("FROM telling").fetchall():
        shown.setdefault(first, []).append(ChosenVerdict(rule, hazard, flows))
    for picked in pick_flows(connection, judged, "SELECT DISTINCT first FROM telling"):
        firsts: list[int] = picked.flows["first"].to_pylist()
        yield Batch(judged.rules, picked, {first: shown[first] for first in firsts})


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
