"""The commands of `lintmdb fleet`. Spark is imported only inside them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lintmdb.commands.arguments import (
    BaselineFile,
    ConfigFile,
    FailOnOption,
    Ignore,
    Names,
    NoSuppressions,
    ObservationFile,
    OnMessage,
    Profile,
    RuleFolders,
    Select,
    Strict,
)
from lintmdb.commands.examples import examples
from lintmdb.commands.terminal import complain, pairs, show_notices
from lintmdb.fleet.commands import COMMANDS, Inputs, spark_session

if TYPE_CHECKING:
    from lintmdb.engine.findings import Notice
    from lintmdb.gate import Gate

fleet_app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Audit thousands of cells and queue managers with Spark."
)


@fleet_app.callback()
def fleet() -> None:
    """Audit thousands of cells and queue managers with Spark."""


@fleet_app.command(epilog=examples("fleet audit"))
def audit(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where facts and audits are kept.")],
    inputs: Inputs = None,
    master: Annotated[
        str | None, typer.Option("--master", metavar="MASTER", help="Spark's master; without one local[*].")
    ] = None,
    remote: Annotated[str | None, typer.Option("--remote", metavar="sc://HOST", help="A Spark Connect server.")] = None,
    rules: RuleFolders = None,
    observations: ObservationFile = None,
    on_message: OnMessage = None,
    queue_manager: Names = None,
    incremental: Annotated[
        bool, typer.Option("--incremental", help="Read only exports that are new or changed since the last audit.")
    ] = False,
    fail_on: FailOnOption = None,
    strict: Strict = False,
    select: Select = None,
    ignore: Ignore = None,
    profile: Profile = None,
    baseline: BaselineFile = None,
    no_suppressions: NoSuppressions = False,
    config: ConfigFile = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show what Spark says.")] = False,
) -> int:
    """Judge every message flow of a fleet and leave tables of what was found.

    Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 usage or configuration error, 3 nothing to judge, 4
    undecided (--strict).
    """
    from lintmdb.config.settings import Options
    from lintmdb.fleet.session import interruptible, require_spark

    require_spark()
    from lintmdb.fleet.audit import run_audit
    from lintmdb.fleet.progress import Stages
    from lintmdb.fleet.request import request_of

    options = Options(
        config=config,
        select=select or (),
        ignore=ignore or (),
        profile=profile,
        fail_on=fail_on,
        strict=strict,
        rules=rules or (),
        baseline=baseline,
        observations=observations,
        on_message=on_message,
    )
    names = pairs(queue_manager or ())
    request, gate = request_of(
        inputs or (), out, options, names, incremental=incremental, suppressions=not no_suppressions
    )

    try:
        with Stages() as stages:
            stages.begin("starting Spark")
            with spark_session(master, remote, verbose=verbose, stages=stages) as spark, interruptible():
                done = run_audit(spark, request, stages.begin)
    except KeyboardInterrupt:
        complain("stopped; the last complete audit is as it was")
        return 130
    sys.stdout.write("\n".join(summary_lines(done.summary, done.folder)) + "\n")
    show_notices(notices_of(done.summary))
    return exit_code(done.summary, gate)


for command in COMMANDS:
    fleet_app.command(epilog=examples(f"fleet {command.__name__}"))(command)


def exit_code(summary: Mapping[str, Any], gate: Gate) -> int:
    """The exit code of an audit, as of ``check``."""
    if any(summary["hazards"][severity] for severity in gate.failing):
        return 1
    if not summary["endpoints"]:
        return 3
    return 4 if gate.strict and (summary["undecided"] or summary["exports"]["quarantined"]) else 0


def notices_of(summary: Mapping[str, Any]) -> list[Notice]:
    """What is out of date in suppressions and in the baseline."""
    from lintmdb.engine.findings import Notice

    return [
        Notice(entry["kind"], entry["path"], entry["line"] or 0, entry["text"], entry["next_step"] or "")
        for entry in summary.get("notices", ())
    ]


def summary_lines(summary: Mapping[str, Any], folder: Path) -> list[str]:
    """What is printed at the end."""
    exports, changes = summary["exports"], summary["incremental"]
    hazards = ", ".join(f"{count} {severity}" for severity, count in summary["hazards"].items())
    left_out = f"; {summary['suppressed']} left out" if summary.get("suppressed") else ""
    lines = [
        f"{exports['cells']} cells, {exports['queue_managers']} queue managers, {summary['flows']} flows",
        f"hazards: {hazards}; {summary['undecided']} undecided; {summary['clear']} checks clear{left_out}",
        f"exports read {changes['read']}, kept {changes['kept']}, gone {changes['gone']}",
        f"tables: {folder}",
    ]
    if exports["quarantined"]:
        lines.insert(2, f"quarantine: {exports['quarantined']} files could not be read (table quarantine says why)")
    if not summary["endpoints"]:
        lines.append("nothing to judge: no listener port or activation specification in what was given")
    return lines
