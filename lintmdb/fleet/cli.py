"""The commands of `lintmdb fleet`. Spark is imported only inside them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from lintmdb.commands.arguments import FailOn, Names, ObservationFile, OnMessage, RuleFolders
from lintmdb.commands.examples import examples
from lintmdb.commands.terminal import pairs
from lintmdb.fleet.commands import COMMANDS

fleet_app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Audit thousands of cells and queue managers with Spark."
)


@fleet_app.callback()
def fleet() -> None:
    """Audit thousands of cells and queue managers with Spark."""


@fleet_app.command(epilog=examples("fleet audit"))
def audit(
    inputs: Annotated[
        list[str], typer.Argument(help="Folders and globs of exports: archives (one cell each), trees, MQSC dumps.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where facts and audits are kept.")],
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
    fail_on: Annotated[FailOn, typer.Option("--fail-on", help="Lowest severity that fails the run.")] = FailOn.error,
    strict: Annotated[bool, typer.Option("--strict", help="Fail (4) on anything undecided or unreadable.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show what Spark says.")] = False,
) -> int:
    """Judge every message flow of a fleet and leave tables of what was found.

    Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 usage or configuration error, 3 nothing to judge, 4
    undecided (--strict).
    """
    from lintmdb.engine.rules import load_rules
    from lintmdb.fleet.session import has_session, open_session, require_spark
    from lintmdb.observations import read_observations

    chosen = load_rules(rules or ())
    observed = read_observations(observations, on_message)
    names = pairs(queue_manager or ())
    require_spark()
    from lintmdb.fleet.audit import Request, run_audit
    from lintmdb.fleet.progress import Stages

    with Stages() as stages:
        stages.begin("starting Spark")
        ours = not has_session()
        spark = open_session(master, remote, verbose=verbose)
        stages.watch(spark)
        try:
            request = Request(inputs, out, chosen, observed, names, incremental)
            done = run_audit(spark, request, stages.begin)
        finally:
            stages.end()
            if ours:
                spark.stop()
    sys.stdout.write("\n".join(summary_lines(done.summary, done.folder)) + "\n")
    return exit_code(done.summary, fail_on, strict=strict)


for command in COMMANDS:
    fleet_app.command(epilog=examples(f"fleet {command.__name__}"))(command)


def exit_code(summary: Mapping[str, Any], fail_on: FailOn, *, strict: bool) -> int:
    """The exit code of an audit, as of ``check``."""
    from lintmdb.gate import Gate

    if any(summary["hazards"][severity] for severity in Gate(fail_on).failing):
        return 1
    if not summary["endpoints"]:
        return 3
    return 4 if strict and (summary["undecided"] or summary["exports"]["quarantined"]) else 0


def summary_lines(summary: Mapping[str, Any], folder: Path) -> list[str]:
    """What is printed at the end."""
    exports, changes = summary["exports"], summary["incremental"]
    hazards = ", ".join(f"{count} {severity}" for severity, count in summary["hazards"].items())
    lines = [
        f"{exports['cells']} cells, {exports['queue_managers']} queue managers, {summary['flows']} flows",
        f"hazards: {hazards}; {summary['undecided']} undecided; {summary['clear']} checks clear",
        f"exports read {changes['read']}, kept {changes['kept']}, gone {changes['gone']}",
        f"tables: {folder}",
    ]
    if exports["quarantined"]:
        lines.insert(2, f"quarantine: {exports['quarantined']} files could not be read (table quarantine says why)")
    if not summary["endpoints"]:
        lines.append("nothing to judge: no listener port or activation specification in what was given")
    return lines
