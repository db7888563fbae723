"""The commands of `lintmdb fleet`. Spark is imported only inside them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lintmdb.cli.examples import examples
from lintmdb.cli.options import (
    AllQueues,
    BaselineFile,
    ConfigFile,
    EnvironmentOption,
    FailOn,
    Ignore,
    Names,
    NoBaseline,
    NoSuppressions,
    ObservationFile,
    OnMessage,
    Profile,
    RuleFolders,
    Select,
    Strict,
    read_options,
)
from lintmdb.cli.terminal import complain, pairs, show_notices, style
from lintmdb.errors import LintmdbError

if TYPE_CHECKING:
    from lintmdb.engine.findings import Notice
    from lintmdb.fleet.audit import Audit
    from lintmdb.fleet.summary import Summary
    from lintmdb.run.gate import Gate, Lacking

fleet_app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Audit thousands of cells and queue managers."
)


class RowFormat(StrEnum):
    """How rows are printed."""

    table = "table"
    csv = "csv"
    json = "json"


class DiffFormat(StrEnum):
    """How a difference is printed."""

    text = "text"
    json = "json"


class AuditFailOn(StrEnum):
    """From which severity on a finding fails an audit, or that any new one does."""

    new = "new"
    error = "error"
    warning = "warning"
    info = "info"
    never = "never"


Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder that fleet audit --out named.")]
AuditName = Annotated[
    str, typer.Option("--audit", metavar="ID", help="An audit's id or a unique prefix of it, latest or previous.")
]
Master = Annotated[str | None, typer.Option("--master", metavar="MASTER", help="Judge with Spark, by this master.")]
Remote = Annotated[
    str | None,
    typer.Option("--remote", metavar="sc://HOST", help="Judge with Spark, through this Spark Connect server."),
]
Inputs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="INPUT...",
        help="Folders and globs of exports: archives (one cell each), trees, MQSC dumps. Default: the inputs "
        "in lintmdb.toml.",
        show_default=False,
    ),
]
AuditFailOnOption = Annotated[
    AuditFailOn | None,
    typer.Option(
        "--fail-on", help="Lowest severity that fails the run, or new: what the audit before lacks (default: error)."
    ),
]
DiffFailOn = Annotated[FailOn, typer.Option("--fail-on", help="Lowest severity that fails the run.")]
KeepAudits = Annotated[
    str | None,
    typer.Option(
        "--keep", metavar="N|TIME", help="Remove older audits but the last N, or those of a time: 12h, 30d, 8w."
    ),
]
PlanOption = Annotated[
    bool, typer.Option("--plan", help="Plan the changes that repair the findings, in waves, and write scripts.")
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show the messages of Spark.")]
TABLE_ROWS = 100


@fleet_app.callback()
def fleet() -> None:
    """Audit thousands of cells and queue managers."""


@fleet_app.command(epilog=examples("fleet audit"), short_help="Judge every message flow of a fleet.")
def audit(
    context: typer.Context,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder that keeps facts and audits.")],
    inputs: Inputs = None,
    master: Master = None,
    remote: Remote = None,
    rules: RuleFolders = None,
    observations: ObservationFile = None,
    on_message: OnMessage = None,
    queue_manager: Names = None,
    environment: EnvironmentOption = None,
    incremental: Annotated[
        bool, typer.Option("--incremental", help="Read and judge only what has changed since the last audit.")
    ] = False,
    fail_on: AuditFailOnOption = None,
    strict: Strict = False,
    select: Select = None,
    ignore: Ignore = None,
    profile: Profile = None,
    baseline: BaselineFile = None,
    no_baseline: NoBaseline = False,
    no_suppressions: NoSuppressions = False,
    all_queues: AllQueues = False,
    plan: PlanOption = False,
    keep_audits: KeepAudits = None,
    config: ConfigFile = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show the messages of Spark.")] = False,
) -> int:
    """Judge every message flow of a fleet and write tables of the findings.

    Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 usage or configuration error, 3 nothing to judge, 4
    undecided, or a named file was not read (--strict), or no export of a product that lintmdb.toml requires.
    """
    _require_fleet()
    from lintmdb.cli.fleet_request import build_request
    from lintmdb.fleet.audit import run_audit
    from lintmdb.fleet.on_demand import sessions
    from lintmdb.fleet.progress import Stages
    from lintmdb.fleet.retention import Keep, parse_keep
    from lintmdb.fleet.session import interruptible

    names = pairs(queue_manager or ())
    keep = parse_keep(keep_audits) if keep_audits is not None else Keep()
    request, gate = build_request(
        inputs or (),
        out,
        read_options(context),
        names,
        incremental=incremental,
        suppressions=not no_suppressions,
        plan=plan,
    )
    request = replace(request, keep=keep)

    try:
        with Stages() as stages, sessions(master, remote, verbose=verbose, stages=stages) as found, interruptible():
            done = run_audit(found.for_inputs(request.all_inputs), request, stages.begin)
    except KeyboardInterrupt:
        complain("stopped; the last complete audit is unchanged")
        return 130
    sys.stdout.write("\n".join(summary_lines(done.summary, done.folder)) + "\n")
    show_notices(summary_notices(done.summary))
    for entry in lacking(done.summary, gate):
        complain(entry.words)
    return exit_code(done.summary, gate, new=fail_on is AuditFailOn.new)


@fleet_app.command(epilog=examples("fleet report"), short_help="Write the page of an audit.")
def report(folder: Folder, audit: AuditName = "latest") -> None:
    """Write report.html into the folder of an audit, and print its path; on standard error, what to know about how the
    exports were read.
    """
    _require_fleet()
    from lintmdb.fleet.find_audit import find_audit
    from lintmdb.fleet.page.notices import read_notices
    from lintmdb.fleet.page.report import write_report

    found = find_audit(folder, audit)
    _print([f"{write_report(found)}\n"])
    for group in read_notices(found):
        complain(group.line)


@fleet_app.command(epilog=examples("fleet diff"), short_help="Compare two audits.")
def diff(
    folder: Folder,
    old: Annotated[str, typer.Argument(metavar="OLD", help="An audit's id, or previous.")] = "previous",
    new: Annotated[str, typer.Argument(metavar="NEW", help="An audit's id, or latest.")] = "latest",
    output: Annotated[DiffFormat, typer.Option("--format", help="text or json.")] = DiffFormat.text,
    fail_on: DiffFailOn = FailOn.error,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail (exit code 4) if anything is newly undecided, unreadable or guessed.")
    ] = False,
) -> int:
    """Compare two audits: findings that are new, resolved or can no longer be judged, and fates that changed.

    Exit codes: 0 no new finding at or above --fail-on, 1 new findings, 2 usage or configuration error, 4 newly
    undecided or not read, or a guessed name is new (--strict).
    """
    _require_fleet()
    from lintmdb.fleet.difference import compare_audits
    from lintmdb.fleet.difference_report import difference_json, difference_lines
    from lintmdb.fleet.find_audit import find_audit
    from lintmdb.run.gate import Gate

    found = compare_audits(find_audit(folder, old), find_audit(folder, new))
    _print(difference_json(found) if output is DiffFormat.json else (f"{line}\n" for line in difference_lines(found)))
    return Gate(fail_on, strict).code_for(
        (row["severity"] for row in found.added),
        incomplete=bool(found.unseen or found.undecided or found.quarantined or found.not_whole or found.guessed),
    )


@fleet_app.command(epilog=examples("fleet history"), short_help="Show how findings came and went.")
def history(
    folder: Folder,
    audit: AuditName = "latest",
    output: Annotated[DiffFormat, typer.Option("--format", help="text or json.")] = DiffFormat.text,
) -> None:
    """Show the totals of each audit, and which findings of the last one are new, have returned, or are oldest."""
    _require_fleet()
    from lintmdb.fleet.find_audit import find_audit
    from lintmdb.fleet.history_report import history_json, history_lines, read_history

    found = read_history(find_audit(folder, audit))
    _print(history_json(found) if output is DiffFormat.json else history_lines(found))


@fleet_app.command(epilog=examples("fleet metrics"), short_help="Print the numbers of an audit as OpenMetrics.")
def metrics(
    folder: Folder,
    audit: AuditName = "latest",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Replace a file as a whole instead of printing.")
    ] = None,
) -> None:
    """Print the numbers of an audit as OpenMetrics text, which Prometheus and its node exporter read."""
    _require_fleet()
    from lintmdb.atomic_write import write_atomically
    from lintmdb.fleet.find_audit import find_audit
    from lintmdb.fleet.metrics import metrics_text

    text = metrics_text(find_audit(folder, audit))
    if out is None:
        _print([text])
        return
    try:
        write_atomically(out, text.encode())
    except OSError as error:
        raise LintmdbError(f"cannot be written: {error.strerror}", path=str(out)) from error


plan_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Follow up the plan of an audit.")
fleet_app.add_typer(plan_app, name="plan")


@plan_app.callback()
def plan() -> None:
    """Follow up the plan that fleet audit --plan made."""


@plan_app.command(epilog=examples("fleet plan verify"), short_help="Compare newer exports with the plan of an audit.")
def verify(
    context: typer.Context,
    folder: Folder,
    inputs: Inputs = None,
    audit: AuditName = "latest",
    queue_manager: Names = None,
    environment: EnvironmentOption = None,
    config: ConfigFile = None,
    output: Annotated[DiffFormat, typer.Option("--format", help="text or json.")] = DiffFormat.text,
) -> int:
    """Say which changes of a plan are done, which are open, and which somebody has overtaken (drifted).

    The exports are those named here, else those of lintmdb.toml, else those that the audit was made of.

    Exit codes: 0 all changes done, 1 not all done, 2 usage or configuration error.
    """
    _require_fleet()
    from lintmdb.cli.fleet_request import read_newer_exports
    from lintmdb.fleet.plan_progress import find_plan, progress_json, progress_lines, verify_plan

    found = find_plan(folder, audit)
    newer = read_newer_exports(inputs or (), found, read_options(context), pairs(queue_manager or ()))
    progress = verify_plan(found, *newer)
    lines = (f"{line}\n" for line in progress_lines(progress, style()))
    _print(progress_json(progress) if output is DiffFormat.json else lines)
    return 0 if progress.done else 1


@fleet_app.command(epilog=examples("fleet sql"))
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
) -> None:
    """Ask a question in SQL, as DuckDB understands it.

    The views are the tables of an audit (findings, suppressed, undecided, inventory, quarantine, notices, summary,
    history, audits), the relations as the last audit read them (endpoint, queue, ...), and flow, where each alias of
    the rules is a column.
    """
    _require_fleet()
    from lintmdb.fleet.find_audit import find_audit
    from lintmdb.fleet.questions import ask
    from lintmdb.fleet.row_formats import as_csv, as_json, as_table

    question = sys.stdin.read() if statement == "-" else statement
    with ask(folder, find_audit(folder, audit), question) as answer:
        if output is RowFormat.table:
            shown = TABLE_ROWS if limit is None else limit
            rows = answer.first(shown + 1)
            _print(as_table(answer.columns, rows[:shown]))
            if len(rows) > shown:
                sys.stderr.write(f"lintmdb: there are more rows than {shown}; --limit or --format csv prints them\n")
            return
        write = as_csv if output is RowFormat.csv else as_json
        _print(write(answer.columns, answer.all() if limit is None else answer.first(limit)))


@fleet_app.command(epilog=examples("fleet watch"), short_help="Audit again whenever an export changes.")
def watch(
    context: typer.Context,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder that keeps facts and audits.")],
    inputs: Inputs = None,
    every: Annotated[str, typer.Option("--every", metavar="60s", help="How often to list the inputs.")] = "60s",
    once: Annotated[bool, typer.Option("--once", help="Audit what has changed, then exit.")] = False,
    master: Master = None,
    rules: RuleFolders = None,
    observations: ObservationFile = None,
    on_message: OnMessage = None,
    queue_manager: Names = None,
    environment: EnvironmentOption = None,
    fail_on: AuditFailOnOption = None,
    select: Select = None,
    ignore: Ignore = None,
    profile: Profile = None,
    baseline: BaselineFile = None,
    no_baseline: NoBaseline = False,
    no_suppressions: NoSuppressions = False,
    all_queues: AllQueues = False,
    plan: PlanOption = False,
    keep_audits: KeepAudits = None,
    on_audit: Annotated[
        str | None,
        typer.Option(
            "--on-audit", metavar="COMMAND", help="Run a command after each audit, with JSON on its standard input."
        ),
    ] = None,
    config: ConfigFile = None,
    verbose: Verbose = False,
) -> int:
    """Audit again whenever an export appears, changes or disappears, until stopped.

    Exit codes: 0 stopped; with --once those of fleet audit, of the last audit in DIR; 2 usage, configuration or
    internal error.
    """
    _require_fleet()
    from lintmdb.cli.fleet_request import build_request
    from lintmdb.fleet.on_audit import parse_command
    from lintmdb.fleet.on_demand import sessions
    from lintmdb.fleet.progress import Stages
    from lintmdb.fleet.retention import Keep, parse_keep
    from lintmdb.fleet.session import interruptible
    from lintmdb.fleet.watch import Watch
    from lintmdb.fleet.watch import watch as run_watch
    from lintmdb.resolve.observations import parse_duration

    names = pairs(queue_manager or ())
    keep = parse_keep(keep_audits) if keep_audits is not None else Keep()
    request, gate = build_request(
        inputs or (),
        out,
        read_options(context),
        names,
        incremental=True,
        suppressions=not no_suppressions,
        plan=plan,
    )
    request = replace(request, keep=keep)
    every_ms = parse_duration(every)
    command = parse_command(on_audit) if on_audit is not None else None

    def audited(audit: Audit) -> None:
        _print(f"{line}\n" for line in summary_lines(audit.summary, audit.folder))
        show_notices(summary_notices(audit.summary))
        if command is not None and (failure := command.run(audit)):
            complain(failure)

    with Stages() as stages, sessions(master, None, verbose=verbose, stages=stages) as found:
        try:
            with interruptible():
                run_watch(found.for_inputs, Watch(request, every_ms / 1000, once, audited), stages.begin)
        except KeyboardInterrupt:
            stages.begin("stopped")
    return _code_of_last(out, gate, new=fail_on is AuditFailOn.new) if once else 0


def exit_code(summary: Summary, gate: Gate, *, new: bool = False) -> int:
    """The exit code of an audit, as of ``check``; with ``new`` every finding that the audit before lacks fails it."""
    from lintmdb.fleet.summary import NOT_WHOLE

    code = gate.code_for(
        (severity for severity, count in summary["hazards"].items() if count),
        judged=bool(summary["endpoints"] or summary.get("unread_queues")),
        incomplete=bool(
            summary["undecided"]
            or summary["exports"]["quarantined"]
            or summary.get("guessed_names")
            or any(notice["kind"] in NOT_WHOLE for notice in summary.get("notices", ()))
        ),
    )
    if new and any(summary.get("new", summary["hazards"]).values()):
        return 1
    return 4 if code == 0 and lacking(summary, gate) else code


def lacking(summary: Summary, gate: Gate) -> list[Lacking]:
    """The products that have to be there and of which an audit has read no export."""
    exports = summary["exports"]
    named = [(name, kind) for name, kinds in exports.get("environments", {}).items() for kind in kinds]
    counts = {"cell": exports["cells"], "queue_manager": exports["queue_managers"]}
    return gate.lacking_among(named or [(None, kind) for kind, count in counts.items() if count])


def summary_notices(summary: Summary) -> list[Notice]:
    """What is out of date in suppressions and in the baseline."""
    from lintmdb.engine.findings import Notice

    return [
        Notice(
            entry["kind"],
            entry["path"],
            entry["line"] or 0,
            entry["text"],
            entry["next_step"] or "",
            entry.get("environment"),
        )
        for entry in summary.get("notices", ())
    ]


def summary_lines(summary: Summary, folder: Path) -> list[str]:
    """What is printed at the end."""
    from lintmdb.report.terminal import counted_severities, plural

    exports, changes = summary["exports"], summary["incremental"]
    hazards = ", ".join(f"{count} {severity}" for severity, count in summary["hazards"].items())
    cells, managers = plural(exports["cells"], "cell"), plural(exports["queue_managers"], "queue manager")
    suppressed = summary.get("suppressed", 0)
    left_out = f"; {suppressed} left out" if suppressed else ""
    lines = [
        f"{cells}, {managers}, {plural(summary['flows'], 'flow')}",
        f"hazards: {hazards}; {summary['undecided']} undecided; {summary['clear']} checks clear{left_out}",
        f"exports read {changes['read']}, kept {changes['kept']}, gone {changes['gone']}",
        f"tables: {folder}",
    ]
    if (planned := summary.get("plan")) is not None:
        from lintmdb.fleet.plan_report import plan_lines

        lines += plan_lines(planned, folder, all_queues="unread_queues" in summary)
    if not summary.get("first", True):
        lines.insert(2, f"new since the audit before: {counted_severities(summary.get('new', {})) or 'nothing'}")
    if exports["quarantined"]:
        unreadable = plural(exports["quarantined"], "file")
        lines.insert(2, f"quarantine: {unreadable} could not be read (table quarantine says why)")
    if unread := summary.get("unread_queues"):
        lines.insert(1, f"{plural(unread, 'object')} of IBM MQ (queues and queue managers) without an endpoint")
    if not summary["endpoints"] and not unread:
        lines.append("nothing to judge: the inputs contain no listener port or activation specification")
    return lines


def _code_of_last(out: Path, gate: Gate, *, new: bool) -> int:
    from lintmdb.fleet.find_audit import find_audit
    from lintmdb.fleet.summary import read_summary

    try:
        audit = find_audit(out)
    except LintmdbError:  # there was nothing to audit
        return 3
    return exit_code(read_summary(audit), gate, new=new)


def _require_fleet() -> None:
    from lintmdb.fleet.session import require_spark

    require_spark()


def _print(parts: Iterable[str]) -> None:
    sys.stdout.flush()
    for part in parts:
        sys.stdout.buffer.write(part.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()
