"""`lintmdb baseline`: write a baseline, let it shrink, show it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lintmdb.cli.examples import examples
from lintmdb.cli.inputs import spooled
from lintmdb.cli.options import (
    AllQueues,
    ConfigFile,
    EnvironmentOption,
    Exports,
    Ignore,
    Names,
    ObservationFile,
    OnMessage,
    Profile,
    RuleFolders,
    Select,
    StdinName,
    read_options,
)
from lintmdb.cli.terminal import complain, explain_nothing, pairs, progress, show_notices, why_no_queue, write
from lintmdb.errors import LintmdbError

if TYPE_CHECKING:
    from lintmdb.run.config.choice import Choice
    from lintmdb.run.config.settings import Settings
    from lintmdb.run.judging import Judged

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Write, update and show a baseline.")

File = Annotated[Path, typer.Argument(metavar="FILE", help="The baseline file.", show_default=False)]


@app.command("write", epilog=examples("baseline write"), short_help="Write all present findings to a new baseline.")
def baseline_write(
    context: typer.Context,
    file: File,
    exports: Exports = None,
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
    all_queues: AllQueues = False,
) -> int:
    """Write all current findings to a new baseline; check --baseline FILE then fails only for other findings."""
    from lintmdb.report.terminal import plural
    from lintmdb.run.baseline import build_entry, render_baseline

    if file.exists():
        raise LintmdbError(
            "already exists", path=file.as_posix(), next_step="Run lintmdb baseline update to shrink it, or remove it"
        )
    judged, settings, choice = _judge(context, exports, queue_manager, stdin_name)
    if _is_empty(judged, settings):
        return 3
    findings = [finding for finding in judged.judgement.findings if finding.rule.id not in choice.locks]
    write(render_baseline(build_entry(finding) for finding in findings), file)
    write(f"{file.as_posix()}: {plural(len(findings), 'finding')}\n", None)
    _say_locked(len(judged.judgement.findings) - len(findings))
    return 0


@app.command("update", epilog=examples("baseline update"))
def baseline_update(
    context: typer.Context,
    file: File,
    exports: Exports = None,
    accept_new: Annotated[
        bool,
        typer.Option(
            "--accept-new", help="Also add the findings that are not in it. Without this option it only shrinks."
        ),
    ] = False,
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
    all_queues: AllQueues = False,
) -> int:
    """Remove entries that are no longer found.

    Those that this run cannot judge stay.
    """
    from lintmdb.report.terminal import plural, safe
    from lintmdb.run.baseline import build_entry, compare, read_baseline, render_baseline

    entries = read_baseline(file)
    judged, settings, choice = _judge(context, exports, queue_manager, stdin_name)
    if _is_empty(judged, settings):
        return 3
    difference = compare(
        entries,
        judged.judgement,
        {rule.id for rule in choice.rules},
        choice.locks,
        judged.estate.facts.rows["export"],
    )
    new = [finding for finding in difference.new if finding.rule.id not in choice.locks]
    added = [build_entry(finding) for finding in new] if accept_new else []
    write(render_baseline([*difference.kept, *added]), file)
    for entry in difference.stale:
        write(f"- {safe(entry.shown)}\n", None)
    for entry in sorted(added, key=lambda entry: entry.order):
        write(f"+ {safe(entry.shown)}\n", None)
    total = len(difference.kept) + len(added)
    write(f"{file.as_posix()}: {plural(total, 'finding')}, {len(difference.stale)} removed, {len(added)} added\n", None)
    if new and not accept_new:
        complain(f"{plural(len(new), 'finding')} not in the baseline and not added to it. --accept-new adds them")
    if accept_new:
        _say_locked(len(difference.new) - len(new))
    return 0


@app.command("show", epilog=examples("baseline show"))
def baseline_show(file: File) -> None:
    """Show what is in a baseline."""
    from lintmdb.report.terminal import plural, safe
    from lintmdb.run.baseline import read_baseline

    entries = sorted(read_baseline(file), key=lambda entry: entry.order)
    for entry in entries:
        write(f"{safe(entry.shown)}\n", None)
    rules = len({entry.rule for entry in entries})
    write(f"{file.as_posix()}: {plural(len(entries), 'finding')} of {plural(rules, 'rule')}\n", None)


def _judge(
    context: typer.Context, exports: list[Path] | None, queue_manager: list[str] | None, stdin_name: str | None
) -> tuple[Judged, Settings, Choice]:
    """Judge without a baseline: what is suppressed needs no entry in one."""
    from lintmdb.run.config.choice import choose_rules
    from lintmdb.run.config.settings import read_settings
    from lintmdb.run.gate import Gate
    from lintmdb.run.judging import judge_exports

    settings = read_settings(read_options(context), needs_inputs=not queue_manager)
    choice = choose_rules(settings)
    managers = pairs(queue_manager or ())
    with spooled(exports, managers, stdin_name) as stdin, progress() as report:
        judged = judge_exports(
            settings.inputs,
            settings,
            choice,
            queue_managers=managers,
            progress=report,
            stdin=stdin,
            all_queues=settings.all_queues,
        )
    show_notices(judged.judgement.notices)
    for lacking in Gate(require=settings.require).lacking(judged.estate.facts):
        raise LintmdbError(lacking.words, next_step="Name it: the baseline would lack what it shows")
    return judged, settings, choice


def _is_empty(judged: Judged, settings: Settings) -> bool:
    """Whether there was nothing to judge, which is said then."""
    if judged.judgement.endpoints or judged.judgement.unread_queues:
        return False
    if settings.all_queues:
        complain(f"nothing to judge: {why_no_queue(judged.judgement.rules)}")
    else:
        explain_nothing(judged.estate)
    return True


def _say_locked(count: int) -> None:
    if count:
        from lintmdb.report.terminal import plural

        complain(f"{plural(count, 'finding')} of locked rules left out, because a baseline cannot contain them")
