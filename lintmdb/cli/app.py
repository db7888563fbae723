"""The command line: its commands, and what it does with their results and errors.

Each command has a module of its own. Heavy imports stay inside the command that needs them.
"""

from __future__ import annotations

import copy
import functools
import os
import sys
from collections.abc import Iterable, Mapping
from typing import Annotated, Protocol, cast

import typer

from lintmdb.cli import baseline, config, fleet, rules, terminal
from lintmdb.cli.check import check
from lintmdb.cli.collect import collect
from lintmdb.cli.completion import completion
from lintmdb.cli.diff import diff
from lintmdb.cli.examples import examples
from lintmdb.cli.explain import explain
from lintmdb.cli.inventory import inventory
from lintmdb.cli.plan import plan
from lintmdb.cli.redact import redact
from lintmdb.cli.trace import trace
from lintmdb.errors import LintmdbError
from lintmdb.version import __version__

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Lint WebSphere Application Server and IBM MQ exports for what happens to poison messages.",
)
app.add_typer(rules.app, name="rules")
app.add_typer(config.app, name="config")
app.add_typer(baseline.app, name="baseline")
app.add_typer(fleet.fleet_app, name="fleet")
app.command("check", epilog=examples("check"))(check)
app.command("inventory", epilog=examples("inventory"), short_help="Show what was recognised in the exports.")(inventory)
app.command("explain", epilog=examples("explain"), short_help="Explain a rule, or find rules by words.")(explain)
app.command("trace", epilog=examples("trace"), short_help="Show what happens to messages on each flow.")(trace)
app.command(
    "diff",
    epilog=examples("diff"),
    short_help="Compare two states of an estate.",
    context_settings={"allow_extra_args": True},  # refused with the options that take them
)(diff)
app.command("plan", epilog=examples("plan"), short_help="Find and prove the changes that repair the findings.")(plan)
app.command("redact", epilog=examples("redact"), short_help="Copy exports without secrets, to share them.")(redact)
app.command("collect", epilog=examples("collect"), short_help="Print a script that exports what lintmdb reads.")(
    collect
)
app.command("completion", epilog=examples("completion"), short_help="Print a shell completion script.")(completion)


def run(kept: list[object] | None = None) -> int:
    """Run the command line and give its exit code. A command adds to ``kept`` what takes long to free."""
    if sys.platform == "win32":
        from lintmdb.cli.windows_console import prepare_console

        prepare_console()
    try:
        result = _program().main(standalone_mode=False, obj=[] if kept is None else kept)
    except LintmdbError as error:
        for line in str(error).split("\n"):
            terminal.complain(line)
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


class _Parameter(Protocol):
    """What is used of a parameter of click, which typer brings along in some versions and depends on in others."""

    name: str | None
    expose_value: bool


class _Command(Protocol):
    """What is used of a command of click."""

    params: list[_Parameter]

    def main(self, *, standalone_mode: bool, obj: list[object]) -> object:
        """Run the command line, whose contexts have ``obj``."""
        ...


@functools.cache  # typer needs longer to build it than check needs for a small estate
def _program() -> _Command:
    """The program, each of whose commands has -V and --version."""
    program = cast("_Command", typer.main.get_command(app))
    version = copy.copy(next(parameter for parameter in program.params if parameter.name == "version"))
    version.expose_value = False  # it is none of the arguments of the command's function
    waiting = list(_below(program))
    while waiting:
        command = waiting.pop()
        command.params.append(version)
        waiting += _below(command)
    return program


def _below(command: _Command) -> Iterable[_Command]:
    commands: Mapping[str, _Command] = getattr(command, "commands", {})
    return commands.values()


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
            "--version", "-V", callback=_version, is_eager=True, help="Print the versions of lintmdb and of its rules."
        ),
    ] = False,
) -> None:
    """Lint WebSphere Application Server and IBM MQ exports for what happens to poison messages."""
