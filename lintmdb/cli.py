"""The commands: parse arguments, call, print. Heavy imports stay inside the command that needs them."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lintmdb import __version__
from lintmdb.errors import LintmdbError
from lintmdb.fleet.cli import fleet_app
from lintmdb.options import FailOn, Names, ObservationFile, OnMessage, RuleFolders, failing, pairs

if TYPE_CHECKING:
    from lintmdb.estate import Progress
    from lintmdb.report.text import Style

PLAIN_WIDTH = 100

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="What happens to a poison message: lints WebSphere Application Server and IBM MQ exports.",
)
rules_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="List, show, check and start rules.")
app.add_typer(rules_app, name="rules")
app.add_typer(fleet_app, name="fleet")


def run() -> int:
    """Run the command line and give its exit code."""
    try:
        result = app(standalone_mode=False)
    except LintmdbError as error:
        _complain(str(error))
        return 2
    except typer.Exit as leave:
        return leave.exit_code
    except typer.Abort:
        _complain("stopped")
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        _complain("stopped")
        return 130
    except Exception as error:
        show = getattr(error, "show", None)
        if show is not None:
            show()
            return 2
        if os.environ.get("LINTMDB_TRACEBACK"):
            raise
        _complain(
            f"internal error: {type(error).__name__}: {error}. "
            "Run again with LINTMDB_TRACEBACK=1 and report what it prints"
        )
        return 2
    return result if isinstance(result, int) else 0


def _complain(text: str) -> None:
    sys.stderr.write(f"lintmdb: {text}\n")


def _version(value: bool) -> None:
    if value:
        typer.echo(f"lintmdb {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """What happens to a poison message: lints WebSphere Application Server and IBM MQ exports."""


Exports = Annotated[
    list[Path], typer.Argument(help="Files, folders and archives: WAS repositories or backups, MQSC dumps.")
]


@app.command()
def check(
    exports: Exports,
    queue_manager: Names = None,
    on_message: OnMessage = None,
    observations: ObservationFile = None,
    rules: RuleFolders = None,
    formats: Annotated[
        list[str] | None, typer.Option("--format", metavar="FORMAT[=PATH]", help="text or json; may be repeated.")
    ] = None,
    fail_on: Annotated[FailOn, typer.Option("--fail-on", help="Lowest severity that fails the run.")] = FailOn.error,
    strict: Annotated[bool, typer.Option("--strict", help="Fail (4) on anything undecided or unreadable.")] = False,
    select: Annotated[
        list[str] | None, typer.Option("--select", metavar="RULES", help="Ids, names or prefixes.")
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="RULES", help="Ids, names or prefixes.")
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Tell what happens to the message, step by step.")
    ] = False,
) -> int:
    """Judge every message flow in the exports.

    Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 usage or configuration error, 3 nothing to judge, 4
    undecided (--strict).
    """
    from lintmdb.engine.judge import judge
    from lintmdb.engine.rules import load_rules
    from lintmdb.estate import read_estate
    from lintmdb.observations import read_observations
    from lintmdb.selection import select_rules

    outputs = _outputs(formats or ["text"])
    chosen = select_rules(load_rules(rules or ()), select or (), ignore or ())
    observed = read_observations(observations, on_message)
    with _progress() as progress:
        estate = read_estate(
            exports,
            observed,
            queue_managers=pairs(queue_manager or ()),
            progress=progress,
            digests=any(kind == "json" for kind, _ in outputs),
        )
        judgement = judge(estate.facts, chosen)
    for kind, path in outputs:
        if kind == "json":
            from lintmdb.report.json_report import render_json

            _write(render_json(judgement, estate), path)
        else:
            from lintmdb.report.text import render_text

            style = _style() if path is None else _plain()
            _write("\n".join(render_text(judgement, len(estate.inputs), style, traces=verbose)) + "\n", path)
    if any(finding.rule.severity in failing(fail_on) for finding in judgement.findings):
        return 1
    if not judgement.endpoints:
        _explain_nothing(estate)
        return 3
    unreadable = any(problem.kind == "unreadable" for problem in estate.facts.rows["problem"])
    return 4 if strict and (judgement.undecided or unreadable) else 0


@app.command()
def trace(
    exports: Exports,
    endpoint: Annotated[
        str | None, typer.Option("--endpoint", metavar="NAME", help="Only flows of this endpoint or bean.")
    ] = None,
    poison: Annotated[int | None, typer.Option(min=0, max=1000, help="How many poison messages arrive.")] = None,
    healthy_between: Annotated[
        int, typer.Option("--healthy-between", min=0, max=1000, help="Healthy messages behind each poison message.")
    ] = 0,
    sessions: Annotated[int | None, typer.Option(min=1, max=1000, help="Instead of the endpoint's own.")] = None,
    restart_after: Annotated[
        list[int] | None,
        typer.Option(
            "--restart-after",
            metavar="FAILURES",
            min=1,
            help="Restart the queue manager after so many failures; may be repeated.",
        ),
    ] = None,
    start_again: Annotated[
        int, typer.Option("--start-again", metavar="TIMES", min=0, max=1000, help="Start a stopped endpoint again.")
    ] = 0,
    arrives_after: Annotated[
        str | None,
        typer.Option("--arrives-after", metavar="110s", help="When the message arrives in a receive (non-ASF mode)."),
    ] = None,
    queue_manager: Names = None,
    on_message: OnMessage = None,
    observations: ObservationFile = None,
    formats: Annotated[
        list[str] | None, typer.Option("--format", metavar="FORMAT[=PATH]", help="text or json; may be repeated.")
    ] = None,
    all_steps: Annotated[bool, typer.Option("--all-steps", help="Do not fold what comes again and again.")] = False,
) -> int:
    """Tell what happens to a poison message, and to one that arrives late, on each flow.

    Exit codes: 0 told, 2 usage or configuration error, 3 no endpoint in what was given.
    """
    from lintmdb.engine.judge import judge
    from lintmdb.estate import read_estate
    from lintmdb.fate.workload import Workload
    from lintmdb.observations import parse_duration, read_observations
    from lintmdb.report.trace import render_trace, render_trace_json
    from lintmdb.stories import flows_of, stories_of

    outputs = _outputs(formats or ["text"])
    observed = read_observations(observations, on_message)
    asked = (poison, healthy_between, sessions, restart_after, start_again, arrives_after)
    workload = None
    if any(asked):
        after = parse_duration(arrives_after) if arrives_after is not None else 0
        poison = poison if poison is not None else int(not after)
        workload = Workload(
            poison=poison,
            healthy_between=healthy_between or int(poison == 0),
            sessions=sessions,
            restarts_after=tuple(restart_after or ()),
            started_again=start_again,
            arrives_after_ms=after,
        )
    with _progress() as progress:
        estate = read_estate(exports, observed, queue_managers=pairs(queue_manager or ()), progress=progress)
        heads = judge(estate.facts, []).flows
    if not heads:
        _explain_nothing(estate)
        return 3
    flows = [(head, stories_of(head, workload)) for head in flows_of(heads, endpoint)]
    for kind, path in outputs:
        if kind == "json":
            _write(render_trace_json(flows, fold=not all_steps), path)
        else:
            style = _style() if path is None else _plain()
            _write("\n".join(render_trace(flows, style, fold=not all_steps)) + "\n", path)
    return 0


@app.command()
def inventory(exports: Exports, queue_manager: Names = None) -> int:
    """Show what was recognised in the exports, what was passed over and why, and what was not understood."""
    from lintmdb.estate import read_estate
    from lintmdb.observations import Observations
    from lintmdb.report.inventory import render_inventory

    with _progress() as progress:
        estate = read_estate(exports, Observations(), queue_managers=pairs(queue_manager or ()), progress=progress)
    _write("\n".join(render_inventory(estate, _style())) + "\n", None)
    return 0 if estate.inputs else 3


@app.command()
def explain(rule: Annotated[str, typer.Argument(help="Id or name of a rule.")], rules: RuleFolders = None) -> None:
    """Explain a rule: why it matters, how to fix it, and its examples with their verdicts."""
    _show_rule(rule, rules)


@rules_app.command("list")
def rules_list(rules: RuleFolders = None) -> None:
    """List the rules, one a line."""
    from lintmdb.engine.rules import load_rules
    from lintmdb.report.explain import rule_table

    _write("\n".join(rule_table(load_rules(rules or ()), _style())) + "\n", None)


@rules_app.command("show")
def rules_show(rule: Annotated[str, typer.Argument(help="Id or name of a rule.")], rules: RuleFolders = None) -> None:
    """Show one rule: the same text as explain."""
    _show_rule(rule, rules)


@rules_app.command("check")
def rules_check(folder: Annotated[Path, typer.Argument(help="A folder of rules, or one rule file.")]) -> int:
    """Check rules of your own: their form, their conditions, and that each example has the verdict it claims."""
    from lintmdb.engine.examples import wrong_examples
    from lintmdb.engine.rules import load_folder

    rules = load_folder(folder)
    wrong = [line for rule in rules for line in wrong_examples(rule)]
    for line in wrong:
        _complain(line)
    if not wrong:
        examples = sum(len(group) for rule in rules for group in rule.examples.values())
        _write(f"{len(rules)} rules, {examples} examples: all as they claim\n", None)
    return 1 if wrong else 0


@rules_app.command("new")
def rules_new(
    name: Annotated[str, typer.Argument(help="The problem, in words with dashes: backout-queue-name-wrong.")],
    folder: Annotated[Path, typer.Option("--dir", metavar="DIR", help="Where to write it.")] = Path(),
) -> None:
    """Write a starter rule with its examples."""
    from lintmdb.engine.examples import starter_rule

    file = starter_rule(name, folder)
    _write(f"{file}: edit it, then run lintmdb rules check {folder}\n", None)


def _show_rule(word: str, folders: list[Path] | None) -> None:
    from lintmdb.engine.rules import load_rules
    from lintmdb.report.explain import explain_rule
    from lintmdb.selection import find_rule

    _write("\n".join(explain_rule(find_rule(load_rules(folders or ()), word), _style())) + "\n", None)


def _outputs(formats: Iterable[str]) -> list[tuple[str, Path | None]]:
    outputs: list[tuple[str, Path | None]] = []
    for entry in formats:
        kind, _, path = entry.partition("=")
        if kind not in ("text", "json"):
            raise LintmdbError(f"--format {kind!r} is not known", next_step="The formats are text and json")
        outputs.append((kind, Path(path) if path else None))
    if sum(1 for _, path in outputs if path is None) > 1:
        raise LintmdbError(
            "two formats would both go to standard output",
            next_step="Give one of them a file: --format json=report.json",
        )
    return outputs


def _explain_nothing(estate: object) -> None:
    from lintmdb.estate import Estate

    assert isinstance(estate, Estate)
    if not estate.inputs:
        _complain(
            "nothing to judge: no export was recognised. lintmdb inventory PATH says what was passed over and why"
        )
    else:
        _complain(
            "nothing to judge: no listener port or activation specification in what was given. "
            "Add the WebSphere configuration repository (the cells folder, or a backupConfig archive)"
        )


def _style() -> Style:
    from lintmdb.report.text import Style

    if not sys.stdout.isatty():
        return _plain()
    colour = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return Style(shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns, colour)


def _plain() -> Style:
    from lintmdb.report.text import Style

    return Style(PLAIN_WIDTH, False)


def _write(text: str, path: Path | None) -> None:
    data = text.encode("utf-8", "backslashreplace")
    if path is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise LintmdbError(f"cannot be written: {error.strerror}", path=str(path)) from error


class _progress:  # noqa: N801  used as a function
    """A progress bar on standard error for runs of more than a second, only on a terminal."""

    def __enter__(self) -> Progress | None:
        self._bar = None
        if not sys.stderr.isatty():
            return None
        import time

        self._start = time.monotonic()
        return self._report

    def _report(self, path: str, done: int, total: int) -> None:
        import time

        if self._bar is None:
            if time.monotonic() - self._start < 1:
                return
            from rich.console import Console
            from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

            columns = (BarColumn(), DownloadColumn(), TextColumn("{task.description}", markup=False))
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=total)
            self._bar.start()
        self._bar.update(self._task, completed=done, description=path[-60:])

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
