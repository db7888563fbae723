"""`lintmdb check`: judge every message flow in the exports, and write the reports."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, cast

import typer

from lintmdb.cli import terminal
from lintmdb.cli.inputs import spooled
from lintmdb.cli.options import (
    AllQueues,
    BaselineFile,
    ChangedValues,
    ChangeFiles,
    Color,
    ColorOption,
    ConfigFile,
    EnvironmentOption,
    Exports,
    FailOnOption,
    Ignore,
    Names,
    NoBaseline,
    NoSuppressions,
    ObservationFile,
    OnMessage,
    Profile,
    RequireOption,
    RuleFolders,
    SarifExtra,
    SarifInclude,
    Select,
    StdinName,
    Strict,
    read_options,
    what_if,
    without_changes,
)
from lintmdb.errors import LintmdbError

if TYPE_CHECKING:
    from lintmdb.report.flow_repairs import Repairs
    from lintmdb.report.outputs import Output
    from lintmdb.report.text import Part, View
    from lintmdb.run.config.choice import Choice
    from lintmdb.run.config.settings import Settings
    from lintmdb.run.gate import Gate
    from lintmdb.run.judging import Judged


def check(
    context: typer.Context,
    exports: Exports = None,
    queue_manager: Names = None,
    environment: EnvironmentOption = None,
    on_message: OnMessage = None,
    observations: ObservationFile = None,
    rules: RuleFolders = None,
    formats: Annotated[
        list[str] | None,
        typer.Option(
            "--format",
            metavar="FORMAT[=PATH]",
            help="text, json, sarif, junit, github, gitlab, markdown, csv or html; may be repeated.",
        ),
    ] = None,
    sarif_include: SarifInclude = None,
    fail_on: FailOnOption = None,
    strict: Strict = False,
    select: Select = None,
    ignore: Ignore = None,
    profile: Profile = None,
    baseline: BaselineFile = None,
    no_baseline: NoBaseline = False,
    no_suppressions: NoSuppressions = False,
    config: ConfigFile = None,
    stdin_name: StdinName = None,
    all_queues: AllQueues = False,
    change: ChangeFiles = None,
    set_: ChangedValues = None,
    require: RequireOption = None,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            "-v",
            help="Show what happens to the message step by step, with all values, names and commands; flows that "
            "differ in names alone once.",
        ),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="One line for each finding, and the gate.")] = False,
    summary: Annotated[bool, typer.Option("--summary", help="Only the summary.")] = False,
    statistics: Annotated[
        bool,
        typer.Option("--statistics", help="Count findings by rule, cell, queue manager and application."),
    ] = False,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", min=1, max=2, metavar="1|2", help="How many processes may share the reading of large exports."
        ),
    ] = 2,
    color: ColorOption = Color.auto,
) -> int:
    """Judge every message flow in the exports.

    Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 usage or configuration error, 3 nothing to judge, 4
    a change of --change would be refused, no export of a product was read (--require), or with --strict: something is
    undecided, or a named file was not read.
    """
    from lintmdb.report.elsewhere import KINDS
    from lintmdb.report.flow_repairs import UNPLANNED
    from lintmdb.report.formats import FOR_PEOPLE, FORMATS
    from lintmdb.report.outputs import parse_outputs, with_annotations
    from lintmdb.report.text import View
    from lintmdb.run.config.choice import choose_rules
    from lintmdb.run.config.settings import read_settings
    from lintmdb.run.gate import Gate
    from lintmdb.run.judging import judge_exports

    outputs = with_annotations(parse_outputs(formats or (), FORMATS), os.environ)
    if sarif_include and not any(output.kind == "sarif" for output in outputs):
        raise LintmdbError("--sarif-include needs a SARIF report", next_step="Add --format sarif=PATH")
    part = _part(verbose=verbose, findings=quiet, summary=summary, statistics=statistics)
    settings = read_settings(read_options(context), needs_inputs=not queue_manager)
    choice = choose_rules(settings)
    managers = terminal.pairs(queue_manager or ())
    for_people = any(kind in FOR_PEOPLE for kind, _ in outputs)
    exported = without_changes(managers, change)
    with spooled(exports, exported, stdin_name) as stdin:
        with terminal.progress() as progress:
            judged = judge_exports(
                settings.inputs,
                settings,
                choice,
                queue_managers=exported,
                progress=progress,
                digests=any(kind == "json" for kind, _ in outputs),
                suppressions=not no_suppressions,
                baseline=settings.baseline,
                stdin=stdin,
                all_queues=settings.all_queues,
                keep_exports=for_people,
                overlay=what_if(change, set_, managers),
                put_back=True,
                jobs=jobs,
            )
            cast("list[object]", context.ensure_object(list)).append(judged)
            repairs = _repairs(judged, settings, choice) if for_people else UNPLANNED
            told = judged.judgement.unread and part == "all" and any(kind == "text" for kind, _ in outputs)
            readers = judged.readers() if told else ()
        gate = Gate(settings.fail_on, settings.strict, settings.require)
        some_rules = bool(settings.values["select"] or settings.values["ignore"])
        plan = _plan_command(context)
        view = View(part, verbose, plan, changed=bool(change or set_), readers=readers, some_rules=some_rules)
        _report(judged, repairs, outputs, gate, sarif_include or (), view, color)
    shown = any(output.kind == "text" and output.path is None for output in outputs)
    told = KINDS if shown and part == "all" else ()
    terminal.show_notices(notice for notice in judged.judgement.notices if notice.kind not in told)
    if shown:
        terminal.suggest(judged.judgement.findings, verbose=verbose)
    code = gate.exit_code(judged.judgement, judged.estate)
    if code == 3 and settings.all_queues:
        terminal.complain(f"nothing to judge: {terminal.why_no_queue(judged.judgement.rules)}")
        return code
    if code == 3:
        terminal.explain_nothing(judged.estate)
    return code


def _part(*, verbose: bool, **parts: bool) -> Part:
    """What of the text report is shown. Raises LintmdbError."""
    asked = [name for name, wanted in parts.items() if wanted]
    if len(asked) + verbose > 1:
        raise LintmdbError("-v, --quiet, --summary and --statistics exclude each other", next_step="Use one of them")
    match asked:
        case ["findings"]:
            return "findings"
        case ["summary"]:
            return "summary"
        case ["statistics"]:
            return "statistics"
        case _:
            return "all"


_PLANNED = (
    "queue_manager",
    "environment",
    "on_message",
    "observations",
    "rules",
    "select",
    "ignore",
    "profile",
    "config",
)
"""Options of ``check`` that ``plan`` has as well."""


def _plan_command(context: typer.Context) -> str:
    """The ``plan`` that goes with this run, to copy."""
    words = ["lintmdb", "plan", *sorted(map(str, context.params.get("exports") or ()))]
    words += ["--all-queues"] if context.params.get("all_queues") is True else []
    for name in _PLANNED:
        value: object = context.params.get(name)
        entries = cast("Sequence[object]", value) if isinstance(value, list | tuple) else [value]
        for entry in entries:
            words += [f"--{name.replace('_', '-')}", str(entry)] if entry is not None else []
    return shlex.join([*words, "--out", "plan"])


def _repairs(judged: Judged, settings: Settings, choice: Choice) -> Repairs:
    from lintmdb.plan.policy import read_policy
    from lintmdb.report.flow_repairs import find_repairs

    return find_repairs(judged, settings.observed, choice.rules, read_policy(settings))


def _report(
    judged: Judged,
    repairs: Repairs,
    outputs: Sequence[Output],
    gate: Gate,
    sarif_extras: Sequence[SarifExtra],
    view: View,
    color: str,
) -> None:
    from lintmdb.report.formats import FORMATS
    from lintmdb.report.outputs import append, summary_file
    from lintmdb.report.text import render_text

    judgement, estate = judged.judgement, judged.estate
    for output in outputs:
        if output.kind == "text":
            style = terminal.style(color) if output.path is None else terminal.plain()
            text = "\n".join((*render_text(judgement, estate, gate, style, repairs, view), ""))
        elif output.kind == "sarif" and sarif_extras:
            from lintmdb.report.sarif import render_sarif

            text = render_sarif(judgement, estate, sarif_extras, gate=gate)
        else:
            text = FORMATS[output.kind].render(judgement, estate, repairs, gate)
        terminal.write_report(text, output, outputs)
    if (summary := summary_file(outputs, os.environ)) is not None:
        from lintmdb.report.markdown import render_summary

        append(render_summary(judgement, estate, repairs, gate), summary)
