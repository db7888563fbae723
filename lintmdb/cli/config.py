"""`lintmdb config`: check the configuration file, and show what a run would use."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from lintmdb.cli.examples import examples
from lintmdb.cli.options import (
    BaselineFile,
    ConfigFile,
    FailOnOption,
    Ignore,
    NoBaseline,
    ObservationFile,
    OnMessage,
    Profile,
    RuleFolders,
    Select,
    Strict,
    read_options,
)
from lintmdb.cli.terminal import complain, show_notices, write

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Check the configuration and show it.")


@app.command("check", epilog=examples("config check"), short_help="Check a configuration file.")
def config_check(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Default: the file that a run here would use.")
    ] = None,
) -> int:
    """Check a configuration file: its form, the rules that it names, and whether suppressions have expired."""
    from lintmdb.plan.policy import read_policy
    from lintmdb.report.terminal import plural
    from lintmdb.run.config.choice import choose_rules
    from lintmdb.run.config.settings import Options, read_settings
    from lintmdb.run.suppressing import expired
    from lintmdb.run.suppression import today

    settings = read_settings(Options(config=file))
    if settings.file is None:
        complain("no configuration file in this folder, nor in one above it up to the repository's root")
        return 2
    choice = choose_rules(settings)
    read_policy(settings)
    late = expired(choice, today())
    show_notices(late)
    write(
        f"{settings.file.path}: {plural(len(settings.file.values), 'setting')}, {len(choice.rules)} rules run\n", None
    )
    return 1 if late else 0


class SchemaName(StrEnum):
    """A document that has a schema."""

    config = "config"
    rule = "rule"
    observations = "observations"
    report = "report"
    diff = "diff"
    plan = "plan"


@app.command("schema", epilog=examples("config schema"), short_help="Print the JSON Schema of a document.")
def config_schema(
    name: Annotated[
        SchemaName, typer.Argument(metavar="NAME", help="config, rule, observations, report, diff or plan.")
    ],
) -> None:
    """Print the JSON Schema of a document, for an editor that completes and checks it."""
    from lintmdb.schemas import read_schema

    write(read_schema(name.value), None)


@app.command("show", epilog=examples("config show"), short_help="Show every setting of a run, and its source.")
def config_show(
    context: typer.Context,
    select: Select = None,
    ignore: Ignore = None,
    profile: Profile = None,
    fail_on: FailOnOption = None,
    strict: Strict = False,
    rules: RuleFolders = None,
    baseline: BaselineFile = None,
    no_baseline: NoBaseline = False,
    observations: ObservationFile = None,
    on_message: OnMessage = None,
    config: ConfigFile = None,
) -> None:
    """Show every setting of a run here, with these options: its value, and where it comes from."""
    from lintmdb.report.configuration import render_settings
    from lintmdb.run.config.choice import choose_rules
    from lintmdb.run.config.settings import read_settings

    settings = read_settings(read_options(context))
    write("\n".join(render_settings(settings, choose_rules(settings), on_message)) + "\n", None)
