"""`lintmdb fleet report`, `diff`, `sql` and `watch`: what is done with audits. Spark is imported only inside them."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lintmdb.commands.arguments import (
    BaselineFile,
    ConfigFile,
    FailOn,
    FailOnOption,
    Ignore,
    Names,
    NoSuppressions,
    ObservationFile,
    OnMessage,
    Profile,
    RuleFolders,
    Select,
)
from lintmdb.commands.terminal import pairs, show_notices
from lintmdb.errors import LintmdbError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from lintmdb.fleet.audit import Audit
    from lintmdb.fleet.progress import Stages
    from lintmdb.gate import Gate


class RowFormat(StrEnum):
    """How rows are printed."""

    table = "table"
    csv = "csv"
    json = "json"


class DiffFormat(StrEnum):
    """How a difference is printed."""

    text = "text"
    json = "json"


Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder that fleet audit --out named.")]
AuditName = Annotated[
    str, typer.Option("--audit", metavar="ID", help="An audit's id, how only one id begins, latest or previous.")
]
Master = Annotated[str | None, typer.Option("--master", metavar="MASTER", help="Spark's master; without one local[*].")]
Remote = Annotated[str | None, typer.Option("--remote", metavar="sc://HOST", help="A Spark Connect server.")]
Inputs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="INPUT...",
        help="Folders and globs of exports: archives (one cell each), trees, MQSC dumps. Without any, those that "
        "lintmdb.toml names.",
        show_default=False,
    ),
]
DiffFailOn = Annotated[FailOn, typer.Option("--fail-on", help="Lowest severity that fails the run.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show what Spark says.")]
TABLE_ROWS = 100


def report(folder: Folder, audit: AuditName = "latest") -> None:
    """Write report.html into the folder of an audit, and print its path."""
    _require_fleet()
    from lintmdb.fleet.audits import find_audit
    from lintmdb.fleet.report import write_report

    _print([f"{write_report(find_audit(folder, audit))}\n"])


def diff(
    folder: Folder,
    old: Annotated[str, typer.Argument(metavar="OLD", help="An audit's id, or previous.")] = "previous",
    new: Annotated[str, typer.Argument(metavar="NEW", help="An audit's id, or latest.")] = "latest",
    output: Annotated[DiffFormat, typer.Option("--format", help="text or json.")] = DiffFormat.text,
    fail_on: DiffFailOn = FailOn.error,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail (4) where anything is newly undecided or unreadable.")
    ] = False,
) -> int:
    """Compare two audits: findings that are new, resolved or no longer to be judged, and fates that changed.

    Exit codes: 0 no new finding at or above --fail-on, 1 new findings, 2 usage or configuration error, 4 newly
    undecided (--strict).
    """
    _require_fleet()
    from lintmdb.fleet.audits import find_audit
    from lintmdb.fleet.difference import compare_audits
    from lintmdb.fleet.difference_report import difference_json, difference_lines
    from lintmdb.gate import Gate

    found = compare_audits(find_audit(folder, old), find_audit(folder, new))
    _print(difference_json(found) if output is DiffFormat.json else (f"{line}\n" for line in difference_lines(found)))
    if any(row["severity"] in Gate(fail_on).failing for row in found.added):
        return 1
    return 4 if strict and (found.unseen or found.undecided or found.quarantined) else 0


def sql(
    folder: Folder,
    statement: Annotated[
        str, typer.Argument(metavar="SQL", help='"select ... from findings ..."; - reads it from stdin.')
    ],
    audit: AuditName = "latest",
    output: Annotated[RowFormat, typer.Option("--format", help="table, csv or json.")] = RowFormat.table,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=0, metavar="ROWS", help=f"At most so many rows; a table has {TABLE_ROWS}."),
    ] = None,
    master: Master = None,
    remote: Remote = None,
    verbose: Verbose = False,
) -> None:
    """Ask a question in Spark SQL.

    The views are the tables of an audit (findings, undecided, inventory, quarantine, summary), the relations as the
    last audit read them (endpoint, queue, ...), and flow, where each alias of the rules is a column.
    """
    _require_fleet()
    from lintmdb.fleet.audits import find_audit
    from lintmdb.fleet.questions import all_rows, as_csv, as_json, as_table, ask, checked, first_rows

    query = checked(sys.stdin.read() if statement == "-" else statement)
    place = find_audit(folder, audit)
    with spark_session(master, remote, verbose=verbose) as spark:
        asked = ask(spark, folder, place, query)
        if output is RowFormat.table:
            shown = TABLE_ROWS if limit is None else limit
            rows = first_rows(asked, shown + 1)
            _print(as_table(asked.columns, rows[:shown]))
            if len(rows) > shown:
                sys.stderr.write(f"lintmdb: there are more rows than {shown}; --limit or --format csv gives them\n")
            return
        write = as_csv if output is RowFormat.csv else as_json
        _print(write(asked.columns, all_rows(asked if limit is None else asked.limit(limit))))


def watch(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where facts, audits and the checkpoint are kept.")],
    inputs: Inputs = None,
    every: Annotated[str, typer.Option("--every", metavar="60s", help="How often the inputs are listed.")] = "60s",
    once: Annotated[bool, typer.Option("--once", help="Audit what has changed, and leave.")] = False,
    master: Master = None,
    rules: RuleFolders = None,
    observations: ObservationFile = None,
    on_message: OnMessage = None,
    queue_manager: Names = None,
    fail_on: FailOnOption = None,
    select: Select = None,
    ignore: Ignore = None,
    profile: Profile = None,
    baseline: BaselineFile = None,
    no_suppressions: NoSuppressions = False,
    config: ConfigFile = None,
    verbose: Verbose = False,
) -> int:
    """Audit again whenever an export appears, changes or goes, until stopped.

    Exit codes: 0 stopped; with --once those of fleet audit, of the last audit in DIR; 2 usage, configuration or
    internal error.
    """
    _require_fleet()
    from lintmdb.config.settings import Options
    from lintmdb.fleet.cli import notices_of, summary_lines
    from lintmdb.fleet.progress import Stages
    from lintmdb.fleet.request import request_of
    from lintmdb.fleet.session import interruptible
    from lintmdb.fleet.watch import Watch
    from lintmdb.fleet.watch import watch as run_watch
    from lintmdb.observations import parse_duration

    options = Options(
        config=config,
        select=select or (),
        ignore=ignore or (),
        profile=profile,
        fail_on=fail_on,
        rules=rules or (),
        baseline=baseline,
        observations=observations,
        on_message=on_message,
    )
    names = pairs(queue_manager or ())
    request, gate = request_of(inputs or (), out, options, names, incremental=True, suppressions=not no_suppressions)
    every_ms = parse_duration(every)

    def audited(audit: Audit) -> None:
        _print(f"{line}\n" for line in summary_lines(audit.summary, audit.folder))
        show_notices(notices_of(audit.summary))

    with Stages() as stages, spark_session(master, None, verbose=verbose, stages=stages) as spark:
        try:
            with interruptible():
                run_watch(spark, Watch(request, every_ms / 1000, once, audited), stages.begin)
        except KeyboardInterrupt:
            stages.begin("stopped")
    return _code_of_last(out, gate) if once else 0


COMMANDS = (report, diff, sql, watch)
"""In the order in which `lintmdb fleet --help` shows them."""


def _code_of_last(out: Path, gate: Gate) -> int:
    import json

    from lintmdb.fleet.audits import find_audit
    from lintmdb.fleet.cli import exit_code

    try:
        audit = find_audit(out)
    except LintmdbError:  # there was nothing to audit
        return 3
    return exit_code(json.loads((audit / "summary.json").read_text("utf-8")), gate)


@contextmanager
def spark_session(
    master: str | None, remote: str | None, *, verbose: bool, stages: Stages | None = None
) -> Generator[SparkSession]:
    """The session of a command, which ends with the block unless it was there before."""
    from lintmdb.fleet.session import close_session, has_session, open_session

    ours = not has_session()
    spark = open_session(master, remote, verbose=verbose)
    try:
        if stages is not None:
            stages.watch(spark)
        yield spark
    finally:
        if stages is not None:
            stages.end()
        if ours:
            close_session(spark)


def _require_fleet() -> None:
    from lintmdb.fleet.session import require_spark

    require_spark()


def _print(parts: Iterable[str]) -> None:
    sys.stdout.flush()
    for part in parts:
        sys.stdout.buffer.write(part.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()
