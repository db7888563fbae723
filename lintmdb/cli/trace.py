"""`lintmdb trace`: what happens to messages on each flow, under a workload that the user describes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from lintmdb.cli import terminal
from lintmdb.cli.inputs import spooled
from lintmdb.cli.options import (
    ChangedValues,
    ChangeFiles,
    Color,
    ColorOption,
    ConfigFile,
    EnvironmentOption,
    Exports,
    Names,
    ObservationFile,
    OnMessage,
    StdinName,
    read_options,
    what_if,
    without_changes,
)

if TYPE_CHECKING:
    from lintmdb.delivery.interpretations import Interpretation


def trace(
    context: typer.Context,
    exports: Exports = None,
    endpoint: Annotated[
        str | None,
        typer.Option(
            "--endpoint",
            metavar="NAME",
            help="Only flows of this endpoint or bean (SERVER/NAME where several have one name), or this queue.",
        ),
    ] = None,
    poison: Annotated[
        int | None,
        typer.Option("--poison", metavar="COUNT", min=0, max=1000, help="How many poison messages arrive."),
    ] = None,
    healthy_between: Annotated[
        int | None,
        typer.Option(
            "--healthy-between",
            metavar="COUNT",
            min=0,
            max=1000,
            help="Healthy messages behind each poison message.",
        ),
    ] = None,
    sessions: Annotated[
        int | None,
        typer.Option(
            "--sessions", metavar="COUNT", min=1, max=1000, help="Number of sessions (default: the endpoint's)."
        ),
    ] = None,
    restart_after: Annotated[
        list[int] | None,
        typer.Option(
            "--restart-after",
            metavar="FAILURES",
            min=1,
            max=1000,
            help="Restart the queue manager (or messaging engine) after this many failures; may be repeated.",
        ),
    ] = None,
    start_again: Annotated[
        int | None,
        typer.Option(
            "--start-again", metavar="TIMES", min=0, max=1000, help="How often to start a stopped endpoint again."
        ),
    ] = None,
    arrives_after: Annotated[
        str | None,
        typer.Option(
            "--arrives-after",
            metavar="110s",
            help="How long after a receive call begins the message arrives (non-ASF mode).",
        ),
    ] = None,
    discardable: Annotated[
        bool, typer.Option("--discardable", help="The messages carry MQRO_DISCARD_MSG, or the equivalent on the bus.")
    ] = False,
    backout_full: Annotated[bool, typer.Option("--backout-full", help="The backout queue is full.")] = False,
    dead_letter_full: Annotated[
        bool, typer.Option("--dead-letter-full", help="The dead-letter queue is full.")
    ] = False,
    reading: Annotated[
        list[str] | None,
        typer.Option(
            "--reading",
            metavar="NAME=VALUE",
            help="Where IBM's documents disagree, use another interpretation than the strict one (docs/delivery.md).",
        ),
    ] = None,
    queue_manager: Names = None,
    all_queues: Annotated[
        bool,
        typer.Option(
            "--all-queues", help="Also local queues with backout attributes that no endpoint in the exports reads."
        ),
    ] = False,
    environment: EnvironmentOption = None,
    on_message: OnMessage = None,
    observations: ObservationFile = None,
    config: ConfigFile = None,
    stdin_name: StdinName = None,
    change: ChangeFiles = None,
    set_: ChangedValues = None,
    formats: Annotated[
        list[str] | None, typer.Option("--format", metavar="FORMAT[=PATH]", help="text or json; may be repeated.")
    ] = None,
    all_steps: Annotated[bool, typer.Option("--all-steps", help="Do not fold repeated steps.")] = False,
    color: ColorOption = Color.auto,
) -> int:
    """Show what happens to a poison message, and to a message that arrives late, on each flow.

    Exit codes: 0 done, 2 usage or configuration error, 3 the inputs contain no endpoint.
    """
    from lintmdb.engine.traces import build_workload, select_flows, trace_flow
    from lintmdb.report.next_readers import NextReaders
    from lintmdb.report.outputs import parse_outputs
    from lintmdb.report.trace import render_trace, render_trace_json
    from lintmdb.resolve.observations import parse_duration
    from lintmdb.run.all_queues import heads_to_trace
    from lintmdb.run.config.settings import read_settings
    from lintmdb.run.estate import read_exports
    from lintmdb.run.judging import resolve_to_judge
    from lintmdb.run.overlay import NOTHING
    from lintmdb.run.reading_notices import reading_notices
    from lintmdb.run.unmatched_observations import unmatched_observations

    interpretation = _interpretation(reading or ())
    outputs = parse_outputs(formats or (), ("text", "json"))
    settings = read_settings(read_options(context), needs_inputs=not queue_manager)
    workload = build_workload(
        poison=poison,
        healthy_between=healthy_between,
        sessions=sessions,
        restart_after=restart_after or (),
        start_again=start_again,
        arrives_after_ms=parse_duration(arrives_after) if arrives_after is not None else None,
        discardable=discardable,
        backout_full=backout_full,
        dead_letter_full=dead_letter_full,
    )
    managers = terminal.pairs(queue_manager or ())
    exported = without_changes(managers, change)
    with spooled(exports, exported, stdin_name) as stdin, terminal.progress() as progress:
        read = read_exports(
            settings.inputs, queue_managers=exported, progress=progress, stdin=stdin, environments=settings.environments
        )
        overlay = what_if(change, set_, managers)
        changes = overlay(read, settings.observed) if overlay is not None else NOTHING
        estate = resolve_to_judge(read, settings.observed, changes)
        heads = heads_to_trace(estate.facts, all_queues=settings.all_queues)
    terminal.show_unread(estate)
    notices = reading_notices(estate.facts.rows["problem"])
    about_changes = ("overwritten_copy", "refused_change", "unjudged_change")
    terminal.show_notices(notice for notice in notices if notice.kind in about_changes)
    terminal.show_notices(unmatched_observations(estate.facts, settings.observed))
    if not heads:
        no_queue = "the inputs contain no endpoint, and no local queue with BOTHRESH or BOQNAME"
        all_queues = settings.all_queues and bool(estate.inputs)
        terminal.complain(f"nothing to trace: {no_queue if all_queues else terminal.why_nothing(estate)}")
        return 3
    readers = None if reading else NextReaders(heads)
    flows = [(head, trace_flow(head, workload, interpretation)) for head in select_flows(heads, endpoint)]
    for kind, path in outputs:
        if kind == "json":
            terminal.write(render_trace_json(flows, fold=not all_steps), path)
        else:
            style = terminal.style(color) if path is None else terminal.plain()
            terminal.write("\n".join(render_trace(flows, style, fold=not all_steps, readers=readers)) + "\n", path)
    return 0


def _interpretation(entries: Sequence[str]) -> Interpretation:
    """``NAME=VALUE`` entries as an interpretation. Raises LintmdbError."""
    from lintmdb.delivery.interpretations import choose_interpretation

    return choose_interpretation([(name, value) for name, _, value in (entry.partition("=") for entry in entries)])
