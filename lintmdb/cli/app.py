"""The commands: parse arguments, call, print. Heavy imports stay inside the command that needs them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lintmdb.cli import terminal
from lintmdb.cli.baseline import app as baseline_app
from lintmdb.cli.completion import completion
from lintmdb.cli.config import app as config_app
from lintmdb.cli.diff import diff
from lintmdb.cli.examples import examples
from lintmdb.cli.fleet import fleet_app
from lintmdb.cli.inputs import listed, spooled
from lintmdb.cli.options import (
    BaselineFile,
    ConfigFile,
    Exports,
    FailOnOption,
    Ignore,
    Names,
    NoSuppressions,
    ObservationFile,
    OnMessage,
    Profile,
    RuleFolders,
    SarifExtra,
    SarifInclude,
    Select,
    StdinName,
    Strict,
)
from lintmdb.cli.trace import trace
from lintmdb.errors import LintmdbError
from lintmdb.version import __version__

if TYPE_CHECKING:
    from lintmdb.engine.findings import Judgement
    from lintmdb.report.outputs import Output
    from lintmdb.rules.rule import Rule
    from lintmdb.run.estate import Estate
    from lintmdb.run.gate import Gate

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="What happens to a poison message: lints WebSphere Application Server and IBM MQ exports.",
)
rules_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="List, show, check and start rules.")
app.add_typer(rules_app, name="rules")
app.add_typer(config_app, name="config")
app.add_typer(baseline_app, name="baseline")
app.add_typer(fleet_app, name="fleet")


def run() -> int:
    """Run the command line and give its exit code."""
    try:
        result = app(standalone_mode=False)
    except LintmdbError as error:
        terminal.complain(str(error))
        return 2
    except typer.Exit as leave:
        return leave.exit_code
    except typer.Abort:
        terminal.complain("stopped")
        return 130
    except (BrokenPipeError, SystemExit):  # click turns the first into the second, and into what looks like a finding
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        terminal.complain("stopped")
        return 130
    except Exception as error:
        show = getattr(error, "show", None)
        if show is not None:
            show()
            return 2
        if os.environ.get("LINTMDB_TRACEBACK"):
            raise
        terminal.complain(
            f"internal error: {type(error).__name__}: {error}. "
            "Run again with LINTMDB_TRACEBACK=1 and report what it prints"
        )
        return 2
    return result if isinstance(result, int) else 0


def _version(value: bool) -> None:
    if value:
        from lintmdb.rules.pack import rule_pack

        typer.echo(f"lintmdb {__version__} ({rule_pack()})")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Print the versions of lintmdb and of its rules."
        ),
    ] = False,
) -> None:
    """What happens to a poison message: lints WebSphere Application Server and IBM MQ exports."""


@app.command(epilog=examples("check"))
def check(
    exports: Exports = None,
    queue_manager: Names = None,
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
    no_suppressions: NoSuppressions = False,
    config: ConfigFile = None,
    stdin_name: StdinName = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Tell what happens to the message, step by step.")
    ] = False,
) -> int:
    """Judge every message flow in the exports.

    Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 usage or configuration error, 3 nothing to judge, 4
    undecided, or a named file was not read (--strict).
    """
    from lintmdb.report.formats import FORMATS
    from lintmdb.report.outputs import parse_outputs, with_annotations
    from lintmdb.run.config.choice import choose_rules
    from lintmdb.run.config.settings import Options, read_settings
    from lintmdb.run.gate import Gate
    from lintmdb.run.judging import judge_exports

    outputs = with_annotations(parse_outputs(formats or (), FORMATS), os.environ)
    if sarif_include and not any(output.kind == "sarif" for output in outputs):
        raise LintmdbError("--sarif-include is about a SARIF report", next_step="Add --format sarif=PATH")
    settings = read_settings(
        Options(
            config=config,
            inputs=listed(exports),
            select=select or (),
            ignore=ignore or (),
            profile=profile,
            fail_on=fail_on,
            strict=strict,
            rules=rules or (),
            baseline=baseline,
            observations=observations,
            on_message=on_message,
        ),
        needs_inputs=not queue_manager,
    )
    choice = choose_rules(settings)
    managers = terminal.pairs(queue_manager or ())
    with spooled(exports, managers, stdin_name) as stdin:
        with terminal.progress() as progress:
            judged = judge_exports(
                settings.inputs,
                settings,
                choice,
                queue_managers=managers,
                progress=progress,
                digests=any(kind == "json" for kind, _ in outputs),
                suppressions=not no_suppressions,
                baseline=settings.baseline,
                stdin=stdin,
            )
        gate = Gate(settings.fail_on, settings.strict)
        _report(judged.judgement, judged.estate, outputs, gate, sarif_include or (), verbose=verbose)
    terminal.show_notices(judged.judgement.notices)
    terminal.show_unread(judged.estate)
    if any(output.kind == "text" and output.path is None for output in outputs):
        terminal.suggest(judged.judgement.findings, verbose=verbose)
    code = gate.exit_code(judged.judgement, judged.estate)
    if code == 3:
        terminal.explain_nothing(judged.estate)
    return code


def _report(
    judgement: Judgement,
    estate: Estate,
    outputs: Sequence[Output],
    gate: Gate,
    sarif_extras: Sequence[SarifExtra],
    *,
    verbose: bool,
) -> None:
    from lintmdb.report.formats import FORMATS
    from lintmdb.report.text import render_text

    annotated = any(output.kind == "github" for output in outputs)
    for kind, path in outputs:
        if kind == "text":
            style = terminal.style() if path is None else terminal.plain()
            text = "\n".join((*render_text(judgement, len(estate.inputs), style, traces=verbose), ""))
        elif kind == "html":
            from lintmdb.report.html.page import render_html

            text = render_html(judgement, estate, gate)
        elif kind == "sarif" and sarif_extras:
            from lintmdb.report.sarif import render_sarif

            text = render_sarif(judgement, estate, sarif_extras)
        else:
            text = FORMATS[kind].render(judgement, estate)
        if annotated and kind == "text" and path is None:
            from lintmdb.report.github import fenced

            text = fenced(text)
        terminal.write(text, path)
    if annotated and (summary := os.environ.get("GITHUB_STEP_SUMMARY")):
        from lintmdb.report.markdown import render_summary
        from lintmdb.report.outputs import append

        append(render_summary(judgement, estate), Path(summary))


@app.command(epilog=examples("inventory"), short_help="Show what was recognised in the exports.")
def inventory(
    exports: Exports = None, queue_manager: Names = None, config: ConfigFile = None, stdin_name: StdinName = None
) -> int:
    """Show what was recognised in the exports, what was passed over and why, and what was not understood."""
    from lintmdb.report.inventory import render_inventory
    from lintmdb.run.config.settings import Options, read_settings
    from lintmdb.run.estate import read_estate

    settings = read_settings(Options(config=config, inputs=listed(exports)), needs_inputs=not queue_manager)
    managers = terminal.pairs(queue_manager or ())
    with spooled(exports, managers, stdin_name) as stdin, terminal.progress() as progress:
        estate = read_estate(
            settings.inputs, settings.observed, queue_managers=managers, progress=progress, stdin=stdin
        )
    terminal.write("\n".join(render_inventory(estate, terminal.style())) + "\n", None)
    return 0 if estate.inputs else 3


@app.command(epilog=examples("explain"), short_help="Explain a rule, or find rules by words.")
def explain(
    words: Annotated[list[str], typer.Argument(metavar="RULE|WORD...", help="Id or name of a rule, or words to find.")],
    rules: RuleFolders = None,
    config: ConfigFile = None,
) -> None:
    """Explain a rule: what it checks, why it matters, what happens to the message, how to fix it, and its examples.

    Words that are no rule's id or name list the rules whose texts hold them all.
    """
    _show_rules(" ".join(words), rules, config)


app.command("trace", epilog=examples("trace"), short_help="Tell what happens to messages on each flow.")(trace)
app.command("diff", epilog=examples("diff"), short_help="Compare two states of an estate.")(diff)
app.command("completion", epilog=examples("completion"), short_help="Print a script for completion in a shell.")(
    completion
)


@rules_app.command("list", epilog=examples("rules list"))
def rules_list(rules: RuleFolders = None, config: ConfigFile = None) -> None:
    """List the rules, one a line; those of your own that lintmdb.toml names are among them."""
    from lintmdb.report.rule_pages.explain import rule_table

    terminal.write("\n".join(rule_table(_known_rules(rules, config), terminal.style())) + "\n", None)


@rules_app.command("show", epilog=examples("rules show"))
def rules_show(
    rule: Annotated[str, typer.Argument(help="Id or name of a rule.")],
    rules: RuleFolders = None,
    config: ConfigFile = None,
) -> None:
    """Show one rule: the same text as explain."""
    _show_rules(rule, rules, config)


@rules_app.command("check", epilog=examples("rules check"))
def rules_check(folder: Annotated[Path, typer.Argument(help="A folder of rules, or one rule file.")]) -> int:
    """Check rules of your own: their form, their conditions, and that each example has the verdict it claims."""
    from lintmdb.report.terminal import plural
    from lintmdb.rules.examples import wrong_examples
    from lintmdb.rules.loading import load_folder

    rules = load_folder(folder)
    wrong = [line for rule in rules for line in wrong_examples(rule)]
    for line in wrong:
        terminal.complain(line)
    if not wrong:
        examples = sum(len(group) for rule in rules for group in rule.examples.values())
        counts = f"{plural(len(rules), 'rule')}, {plural(examples, 'example')}"
        terminal.write(f"{counts}: all as they claim\n", None)
    return 1 if wrong else 0


@rules_app.command("new", epilog=examples("rules new"))
def rules_new(
    name: Annotated[str, typer.Argument(help="The problem, in words with dashes: backout-queue-name-wrong.")],
    folder: Annotated[Path, typer.Option("--dir", metavar="DIR", help="Where to write it.")] = Path(),
) -> None:
    """Write a starter rule with its examples."""
    from lintmdb.rules.examples import starter_rule

    file = starter_rule(name, folder)
    terminal.write(f"{file}: edit it, then run lintmdb rules check {folder}\n", None)


def _show_rules(words: str, folders: list[Path] | None, config: Path | None) -> None:
    from lintmdb.report.rule_pages.explain import explain_rule, rule_table
    from lintmdb.rules.selection import find_rules

    found = find_rules(_known_rules(folders, config), words)
    lines = explain_rule(found[0], terminal.style()) if len(found) == 1 else rule_table(found, terminal.style())
    terminal.write("\n".join(lines) + "\n", None)


def _known_rules(folders: list[Path] | None, config: Path | None) -> list[Rule]:
    """The built-in rules, and those of the folders that the options or the configuration file name."""
    from lintmdb.rules.loading import load_rules
    from lintmdb.run.config.settings import Options, read_settings

    return load_rules(read_settings(Options(config=config, rules=folders or ())).rules)
