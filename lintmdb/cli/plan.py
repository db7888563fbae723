"""`lintmdb plan`: the changes that repair what is found, proven before anybody makes them."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lintmdb.cli import terminal
from lintmdb.cli.inputs import spooled
from lintmdb.cli.options import (
    AllQueues,
    Color,
    ColorOption,
    ConfigFile,
    EnvironmentOption,
    Exports,
    Ignore,
    Names,
    ObservationFile,
    OnMessage,
    Product,
    Profile,
    RuleFolders,
    Select,
    SeverityOption,
    StdinName,
    read_options,
)
from lintmdb.errors import LintmdbError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lintmdb.plan.script_edits import EditedScript
    from lintmdb.settings.changes import Change


def plan(
    context: typer.Context,
    exports: Exports = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write plan.json, its pages and the scripts to this folder."),
    ] = None,
    only: Annotated[Product | None, typer.Option("--only", help="Change only this product: mq or was.")] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", metavar="'queue PAY.* at QM1'", help="Do not change these objects; may be repeated."),
    ] = None,
    queue: Annotated[
        list[str] | None,
        typer.Option(
            "--queue", metavar="'PAY.* at QM1'", help="Repair only what is found on these queues; may be repeated."
        ),
    ] = None,
    severity: SeverityOption = None,
    all_queues: AllQueues = False,
    queue_manager: Names = None,
    environment: EnvironmentOption = None,
    on_message: OnMessage = None,
    observations: ObservationFile = None,
    rules: RuleFolders = None,
    select: Select = None,
    ignore: Ignore = None,
    profile: Profile = None,
    config: ConfigFile = None,
    stdin_name: StdinName = None,
    formats: Annotated[
        list[str] | None,
        typer.Option("--format", metavar="FORMAT[=PATH]", help="text, json, html, markdown; may be repeated."),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Edit the MQSC scripts of queue managers without a dump.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print what --write would change in scripts, without changing them.")
    ] = False,
    color: ColorOption = Color.auto,
) -> int:
    """Find the cheapest changes that repair the findings, and prove them by judging the exports again.

    plan changes no system. --out writes scripts that make the changes, and scripts that undo them. --write edits MQSC
    scripts that you keep. `lintmdb plan verify DIR EXPORT...` compares a new export with the plan in DIR.

    Exit codes: 0 planned, or all changes done (verify), 1 not all done (verify), 2 usage or configuration error, 3
    nothing to judge, 4 no export of a product that lintmdb.toml requires.
    """
    if exports and str(exports[0]) == "verify" and not exports[0].exists():
        return _verify(context, exports[1:], terminal.pairs(queue_manager or ()), stdin_name, color)
    from lintmdb.plan.evaluation import Evaluator
    from lintmdb.plan.keeping import check_kept, check_queues
    from lintmdb.plan.planner import make_plan
    from lintmdb.plan.policy import parse_queue_names, read_policy
    from lintmdb.plan.property_scripts import property_scripts
    from lintmdb.plan.script_edits import edit_scripts
    from lintmdb.plan.scripts import plan_scripts
    from lintmdb.report.outputs import parse_outputs
    from lintmdb.report.plan_folder import render_plan_as, write_plan
    from lintmdb.run.config.choice import choose_rules
    from lintmdb.run.config.settings import read_settings
    from lintmdb.run.estate import read_exports, resolve_exports
    from lintmdb.run.gate import Gate
    from lintmdb.run.unmatched_observations import unmatched_observations

    outputs = parse_outputs(formats or (), ("text", "json", "html", "markdown"))
    settings = read_settings(read_options(context), needs_inputs=not queue_manager)
    managers = terminal.pairs(queue_manager or ())
    policy = replace(read_policy(settings), queues=[parse_queue_names(text) for text in queue or ()])
    with spooled(exports, managers, stdin_name) as stdin:
        with terminal.progress() as progress:
            read = read_exports(
                settings.inputs,
                queue_managers=managers,
                progress=progress,
                stdin=stdin,
                environments=settings.environments,
            )
        chosen = choose_rules(settings).rules
        judging = Evaluator(read, settings.observed, chosen, settings.all_queues)
        judging.refuse_conflicts()
        unmatched = check_kept(policy, settings, judging)
        check_queues(policy, judging)
        made = make_plan(judging, policy, with_readers=out is not None or any(kind == "text" for kind, _ in outputs))
        if not made.before.judgement.flows:
            estate = resolve_exports(read, settings.observed)
            why = terminal.why_no_queue(chosen) if settings.all_queues else terminal.why_nothing(estate)
            terminal.complain(f"nothing to plan: {why}")
            return 3
        for text in unmatched:
            terminal.complain(text)
        terminal.show_notices(unmatched_observations(judging.unchanged(), settings.observed))
        if diff or ("text", None) not in outputs:
            terminal.show_notices(made.elsewhere)
        edits = edit_scripts(made.changes, read, settings.observed) if write or diff else None
    if diff and edits is not None:
        edited, elsewhere = edits
        terminal.write("\n".join([*_diff(edited), ""]) if edited else "", None)
        _tell_elsewhere(elsewhere)
        return 0
    if out is not None and write_plan(
        made, out, property_scripts(made.changes, read, plan_scripts(made.changes, made.order))
    ):
        terminal.complain(f"the scripts of another plan in {out} were replaced")
    for kind, path in outputs:
        if kind == "text":
            from lintmdb.report.plan_text import render_plan

            style = terminal.style(color) if path is None else terminal.plain()
            terminal.write("\n".join([*render_plan(made, style, str(out) if out else None), ""]), path)
        else:
            terminal.write(render_plan_as(made, kind), path)
    if edits is not None:
        _edit(*edits, () if stdin is None else (stdin.shown,))
    missing = Gate(require=settings.require).lacking(judging.unchanged())
    for lacking in missing:
        terminal.complain(lacking.words)
    return 4 if missing else 0


def _diff(edited: Sequence[EditedScript]) -> Iterator[str]:
    """The lines of a diff; on a terminal no text of a script steers it."""
    from lintmdb.report.terminal import safe

    shown = safe if sys.stdout.isatty() else str
    for script in edited:
        yield from map(shown, script.diff())


def _edit(edited: Sequence[EditedScript], elsewhere: Sequence[Change], unwritable: Sequence[str]) -> None:
    """Edit scripts, and say which; what is changed elsewhere is left to --out."""
    from lintmdb.plan.script_edits import write_scripts

    write_scripts(edited, unwritable)
    for script in edited:
        terminal.complain(f"{script.path} is edited")
    _tell_elsewhere(elsewhere)


def _tell_elsewhere(elsewhere: Sequence[Change]) -> None:
    """Say which changes no script that was read has a place for."""
    from lintmdb.report.changes import place_words

    if elsewhere:
        places = ", ".join(dict.fromkeys(place_words(change.target) for change in elsewhere))
        terminal.complain(
            f"not edited, because only plain MQSC scripts are, and none of theirs was read: {places}. "
            "--out DIR writes scripts to run"
        )


def _verify(
    context: typer.Context, paths: list[Path], managers: dict[str, str], stdin_name: str | None, color: str
) -> int:
    """Compare a newer export with the plan in a folder."""
    from lintmdb.engine.judge import judge
    from lintmdb.plan.document import read_plan
    from lintmdb.plan.verify import find_worse, in_order, open_scripts, verify
    from lintmdb.report.plan_progress import render_progress, worse_lines
    from lintmdb.run.config.settings import read_settings
    from lintmdb.run.estate import read_exports, resolve_exports

    if not paths:
        raise LintmdbError("no plan is named", next_step="lintmdb plan verify DIR EXPORT...")
    folder, *exports = paths
    kept = read_plan(folder / "plan.json" if folder.is_dir() else folder)
    options = replace(read_options(context), inputs=exports)
    settings = read_settings(options, needs_inputs=not managers)
    with spooled(exports, managers, stdin_name) as stdin, terminal.progress() as progress:
        read = read_exports(
            settings.inputs, queue_managers=managers, progress=progress, stdin=stdin, environments=settings.environments
        )
    verified = in_order(verify(kept.changes, read), kept.steps)
    style = terminal.style(color)
    estate = resolve_exports(read, settings.observed)
    terminal.show_unread(estate)
    worse = find_worse(kept.flows, judge(estate.facts, ()).flows)
    told = worse_lines(worse, open_scripts(kept.steps, verified), style)
    terminal.write("\n".join([*render_progress(verified, style), *told, ""]), None)
    return 0 if all(entry.progress == "done" for entry in verified) else 1
